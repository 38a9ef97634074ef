//! Conversion of a tree to a network.

use super::equations::Column;
use super::region::{Condition, Edge};
use super::rule_base::RuleBase;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::{Antecedents, NO_SET, ScaledSet};
use crate::tuning::network::form::{Form, Parameters};

/// The network with these rules and coefficients. Rules with the same condition share its set.
pub(super) fn network(rules: &RuleBase, theta: &[Vec<f64>], inputs: usize, order: usize) -> Network {
    let mut sets: Vec<ScaledSet> = Vec::new();
    let mut set_indices = vec![NO_SET; rules.regions.len() * inputs];
    for (rule, region) in rules.regions.iter().enumerate() {
        if region.conditions.is_empty() {
            // Systems need a condition in every rule: a set that contains every value.
            set_indices[rule * inputs] = sets.len() as u32;
            sets.push(ScaledSet { input: 0, parameters: [0.5; 4] });
        }
        for condition in &region.conditions {
            let set = ScaledSet { input: condition.input, parameters: trapezoid(condition) };
            let known = sets.iter().position(|known| *known == set);
            set_indices[rule * inputs + condition.input] = known.unwrap_or(sets.len()) as u32;
            if known.is_none() {
                sets.push(set);
            }
        }
    }
    let antecedents = Antecedents { form: Form::Trapezoid, inputs, sets, set_indices };
    let mut network = Network::new(antecedents, order, theta.len());
    let terms = network.basis.len();
    for (target, theta) in theta.iter().enumerate() {
        for rule in 0..rules.regions.len() {
            let first = (target * rules.regions.len() + rule) * terms;
            let of_rule = |column: &Column| column.rule.is_none_or(|of| of == rule);
            for (column, theta) in rules.columns.iter().zip(theta).filter(|(column, _)| of_rule(column)) {
                let Some(input) = column.input else {
                    network.theta[first] += theta;
                    continue;
                };
                // x − ½ = (center − ½) + u·width in the local frame of the rule.
                let at = rule * inputs + input;
                network.theta[first] += theta * (network.frames.centers[at] - 0.5);
                network.theta[first + 1 + input] += theta / network.frames.inverse_widths[at];
            }
        }
    }
    network
}

/// Trapezoid of a condition; a side without an edge is a shoulder.
fn trapezoid(condition: &Condition) -> Parameters {
    let ends = |edge: Edge| (edge.threshold - edge.half_width, edge.threshold + edge.half_width);
    match (condition.lower.map(ends), condition.upper.map(ends)) {
        (Some((foot, top)), None) => [foot, top, top, top],
        (None, Some((top, foot))) => [top, top, top, foot],
        (Some((left, from)), Some((to, right))) => [left, from, to, right],
        (None, None) => [0.5; 4],
    }
}
