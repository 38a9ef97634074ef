//! Smaller systems that say nearly the same.
//!
//! Sets and rules go, the consequents that are left stay as they were: fit them anew by a
//! [`Tuner`](crate::tuning::Tuner) that starts from the [system](crate::tuning::Start::System) and makes no iterations.

use super::support::Support;
use crate::error::{Error, Result};
use crate::inference::{Antecedent, NamedSet, Place, Proposition, Rule, System, Variable};
use crate::sets::Set;

/// Places where two sets are compared.
const PLACES: usize = 201;

/// The same system with sets that are near-equal by equation (2) made one: the mean of both, by how many rules use each.
/// Rules that then ask the same become one, the first of them.
///
/// # Errors
/// [`Error::Parameter`] for a similarity that is not above 0 and below 1, and those of [`System::check`].
pub fn merge_sets(system: &System, similarity: f64) -> Result<System> {
    if !(similarity > 0.0 && similarity < 1.0) {
        let (algorithm, name, must) = ("merging sets", "similarity", "above 0 and below 1");
        return Err(Error::Parameter { algorithm, name, value: similarity, must });
    }
    system.check()?;
    let mut merged = system.clone();
    for input in 0..system.inputs.len() {
        while let Some((a, b)) = nearest(&merged.inputs[input], similarity) {
            let users = [a, b].map(|set| uses(&merged, input).filter(|used| **used == set).count() as f64);
            let sets = &merged.inputs[input].sets;
            let set = mean(&sets[a].set, &sets[b].set, users[1] / (users[0] + users[1]).max(1.0))?;
            merged.inputs[input].sets[a].set = set;
            merged.inputs[input].sets.remove(b);
            uses_mut(&mut merged, input).for_each(|used| {
                *used = if *used == b { a } else { *used - usize::from(*used > b) };
            });
        }
    }
    for block in &mut merged.blocks {
        let mut seen: Vec<Antecedent> = Vec::new();
        block.rules.retain(|rule| {
            let new = !seen.contains(&rule.antecedent);
            if new {
                seen.push(rule.antecedent.clone());
            }
            new
        });
    }
    Ok(without_unused(merged))
}

/// The same system without the rules of a support below `least`; the best supported one always stays.
///
/// # Errors
/// [`Error::RowLength`] where there is not one support for each rule.
pub fn prune_rules(system: &System, supports: &[Support], least: f64) -> Result<System> {
    let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
    if supports.len() != rules {
        return Err(Error::RowLength { what: "rule", found: supports.len(), expected: rules });
    }
    let most = supports.iter().map(|s| s.support).fold(f64::NEG_INFINITY, f64::max);
    let mut pruned = system.clone();
    let mut supports = supports.iter();
    for block in &mut pruned.blocks {
        block.rules.retain(|_| supports.next().is_some_and(|s| s.support >= least.min(most)));
    }
    pruned.blocks.retain(|block| !block.rules.is_empty());
    Ok(without_unused(pruned))
}

/// The two most similar sets of a variable, where they are similar enough.
fn nearest(variable: &Variable, similarity: f64) -> Option<(usize, usize)> {
    let step = (variable.maximum - variable.minimum) / (PLACES - 1) as f64;
    let curve = |named: &NamedSet| -> Vec<f64> {
        (0..PLACES).map(|i| named.set.membership(variable.minimum + step * i as f64)).collect()
    };
    let curves: Vec<Vec<f64>> = variable.sets.iter().map(curve).collect();
    let common = |a: &[f64], b: &[f64]| {
        let pairs = || a.iter().zip(b);
        let (least, most): (f64, f64) =
            (pairs().map(|(a, b)| a.min(*b)).sum(), pairs().map(|(a, b)| a.max(*b)).sum());
        if most > 0.0 { least / most } else { 0.0 }
    };
    let pairs = (0..curves.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let same_shape = |(a, b): &(usize, usize)| {
        variable.sets[*a].set.shape().name() == variable.sets[*b].set.shape().name()
    };
    let scored = pairs.filter(same_shape).map(|(a, b)| (common(&curves[a], &curves[b]), (a, b)));
    let best = scored.max_by(|x, y| x.0.total_cmp(&y.0))?;
    (best.0 >= similarity).then_some(best.1)
}

/// The set between two of one shape, `part` of the way to the second.
fn mean(a: &Set, b: &Set, part: f64) -> Result<Set> {
    let parameters = a.shape().parameters().into_iter().zip(b.shape().parameters());
    let between: Vec<f64> = parameters.map(|(a, b)| a + part * (b - a)).collect();
    Set::from_parameters(a.shape().name(), &between)
}

fn propositions_mut(antecedent: &mut Antecedent) -> Vec<&mut Proposition> {
    match antecedent {
        Antecedent::Is(proposition) => vec![proposition],
        Antecedent::And(parts) | Antecedent::Or(parts) => {
            parts.iter_mut().flat_map(propositions_mut).collect()
        }
        Antecedent::Not(part) => propositions_mut(part),
        Antecedent::Else => Vec::new(),
    }
}

/// The sets of an input that rules name, one after the other.
fn uses(system: &System, input: usize) -> impl Iterator<Item = &usize> {
    let rules = system.blocks.iter().flat_map(|block| &block.rules);
    let asked = rules.flat_map(|rule| rule.antecedent.propositions());
    asked.filter(move |p| p.variable == Place::Input(input)).filter_map(|p| p.set.as_ref())
}

fn uses_mut(system: &mut System, input: usize) -> impl Iterator<Item = &mut usize> {
    let rules = system.blocks.iter_mut().flat_map(|block| &mut block.rules);
    let asked = rules.flat_map(|rule| propositions_mut(&mut rule.antecedent));
    asked.filter(move |p| p.variable == Place::Input(input)).filter_map(|p| p.set.as_mut())
}

/// The system without sets that no rule names.
fn without_unused(mut system: System) -> System {
    for input in 0..system.inputs.len() {
        let used: Vec<usize> = uses(&system, input).copied().collect();
        let places = keep(&mut system.inputs[input].sets, &used);
        uses_mut(&mut system, input).for_each(|set| *set = places[*set]);
    }
    for output in 0..system.outputs.len() {
        let concluded = |rule: &Rule| -> Vec<usize> {
            rule.consequent.iter().filter(|c| c.output == output).map(|c| c.set).collect()
        };
        let used: Vec<usize> =
            system.blocks.iter().flat_map(|block| &block.rules).flat_map(concluded).collect();
        let places = keep(&mut system.outputs[output].variable.sets, &used);
        let rules = system.blocks.iter_mut().flat_map(|block| &mut block.rules);
        let all = rules.flat_map(|rule| &mut rule.consequent).filter(|c| c.output == output);
        all.for_each(|conclusion| conclusion.set = places[conclusion.set]);
    }
    system
}

/// Keeps the sets that are used; the new number of each old one.
fn keep(sets: &mut Vec<NamedSet>, used: &[usize]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut kept = 0;
    for set in 0..sets.len() {
        places.push(kept);
        kept += usize::from(used.contains(&set));
    }
    let mut number = 0;
    sets.retain(|_| {
        number += 1;
        used.contains(&(number - 1))
    });
    places
}
