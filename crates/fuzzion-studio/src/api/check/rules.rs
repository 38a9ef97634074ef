//! Rules that contradict or repeat each other.

use super::Finding;
use crate::api::ApiError;
use crate::api::jobs::Job;
use fuzzion::inference::{Antecedent, Conclusion, Proposition, Rule, System, VariableIndex};
use std::collections::HashMap;

/// Number of rules up to which all pairs are compared.
const MAX_COMPARED: usize = 3000;

/// A proposition for comparisons.
type Key = (bool, usize, Vec<&'static str>, Option<usize>);

fn key(proposition: &Proposition) -> Key {
    let (is_output, i) = match proposition.variable {
        VariableIndex::Input(i) => (false, i),
        VariableIndex::Output(i) => (true, i),
    };
    (is_output, i, proposition.hedges.iter().map(|hedge| hedge.name()).collect(), proposition.set)
}

/// The antecedent with its operands in a fixed order.
fn canonical(antecedent: &Antecedent) -> String {
    let sorted = |parts: &[Antecedent]| {
        let mut parts: Vec<String> = parts.iter().map(canonical).collect();
        parts.sort();
        parts.dedup();
        parts.join(",")
    };
    match antecedent {
        Antecedent::Is(proposition) => format!("{:?}", key(proposition)),
        Antecedent::And(parts) => format!("and({})", sorted(parts)),
        Antecedent::Or(parts) => format!("or({})", sorted(parts)),
        Antecedent::Not(part) => format!("not({})", canonical(part)),
        Antecedent::Else => "else".into(),
    }
}

/// Rules with their block and their number, which counts across all blocks.
fn numbered(system: &System) -> impl Iterator<Item = (usize, usize, &Rule)> {
    let rules =
        system.blocks.iter().enumerate().flat_map(|(b, block)| block.rules.iter().map(move |rule| (b, rule)));
    rules.enumerate().map(|(i, (block, rule))| (block, i, rule)).filter(|(_, _, rule)| rule.weight != 0.0)
}

/// Rules with the same antecedent and different sets of an output.
pub(super) fn contradictions(system: &System) -> Vec<Finding> {
    let mut first: HashMap<(usize, String, usize), (usize, &Conclusion)> = HashMap::new();
    let mut found = Vec::new();
    for (block, i, rule) in numbered(system) {
        let antecedent = canonical(&rule.antecedent);
        for conclusion in &rule.consequent {
            let entry = (block, antecedent.clone(), conclusion.output);
            let (other, concluded) = *first.entry(entry).or_insert((i, conclusion));
            if concluded.set == conclusion.set || other == i {
                continue;
            }
            let output = &system.outputs[conclusion.output].variable;
            let text = format!(
                "Rules {} and {} contradict each other: the same conditions lead to “{}” and to “{}” for “{}”.",
                other + 1,
                i + 1,
                output.sets[concluded.set].name,
                output.sets[conclusion.set].name,
                output.name
            );
            let advice = "Delete one of the rules, or add a condition that tells them apart.";
            found.push(Finding::new("contradiction", text, advice).rules(&[other, i]));
        }
    }
    found
}

/// Rules that have the conclusion of another rule with the same or fewer conditions.
pub(super) fn redundant(system: &System, job: &Job) -> Result<Vec<Finding>, ApiError> {
    let rules: Vec<(usize, usize, &Rule, Option<Vec<Key>>)> =
        numbered(system).map(|(block, i, rule)| (block, i, rule, conditions(&rule.antecedent))).collect();
    let mut found = Vec::new();
    let mut first: HashMap<String, usize> = HashMap::new();
    for (position, (block, i, rule, conditions)) in rules.iter().enumerate() {
        job.report(position, rules.len())?;
        let signature = format!("{block} {} {:?}", canonical(&rule.antecedent), rule.consequent);
        let other = *first.entry(signature).or_insert(*i);
        if other != *i {
            let text = format!("Rule {} repeats rule {}.", i + 1, other + 1);
            found.push(Finding::new("redundant", text, "Delete one of them.").rules(&[other, *i]));
            continue;
        }
        let Some(conditions) = conditions.as_ref().filter(|_| rules.len() <= MAX_COMPARED) else { continue };
        let general = rules.iter().find(|(other_block, other, other_rule, fewer)| {
            let implies = fewer.as_ref().is_some_and(|fewer| {
                fewer.len() < conditions.len() && fewer.iter().all(|condition| conditions.contains(condition))
            });
            other_block == block
                && other != i
                && implies
                && other_rule.consequent == rule.consequent
                && other_rule.weight >= rule.weight
        });
        if let Some((_, other, ..)) = general {
            let text = format!(
                "Rule {} adds nothing to rule {}, which has the same conclusion with fewer conditions.",
                i + 1,
                other + 1
            );
            let advice = "Delete the rule with more conditions, or change its conclusion.";
            found.push(Finding::new("redundant", text, advice).rules(&[*other, *i]));
        }
    }
    Ok(found)
}

/// The propositions of a conjunction; `None` for other antecedents.
fn conditions(antecedent: &Antecedent) -> Option<Vec<Key>> {
    match antecedent {
        Antecedent::Is(proposition) => Some(vec![key(proposition)]),
        Antecedent::And(parts) => parts
            .iter()
            .map(|part| match part {
                Antecedent::Is(proposition) => Some(key(proposition)),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
