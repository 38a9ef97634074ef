//! Simplification: merging of similar sets and pruning of rules.
//!
//! The remaining consequents are unchanged. To refit them, use a [`Tuner`](crate::tuning::Tuner) with
//! [`InitialRules::System`](crate::tuning::InitialRules::System) and zero iterations.

use super::support::RuleSupport;
use crate::base::SettingError;
use crate::inference::InferenceError;
use crate::inference::{Antecedent, NamedSet, Proposition, Rule, System, Variable, VariableIndex};
use crate::sets::Set;
use crate::tuning::error::Result;
use crate::tuning::export::names::similarity;

/// Merges sets whose similarity, Equation (2), is at least `similarity` into their mean, weighted by the number of
/// rules that use each. Of rules whose antecedents become equal, the first one is kept.
///
/// ```
/// use fuzzion::tuning::inspect::merge_sets;
/// use fuzzion::{inference::{Output, System, Variable}, sets::Set};
/// let gaussian = |mean| Set::gaussian(mean, 1.0);
/// let x = Variable::new("x", 0.0, 10.0).set("a", gaussian(2.0)?).set("b", gaussian(2.1)?).set("c", gaussian(8.0)?);
/// let mut system = System::new("similar").input(x);
/// system = system.output(Output::new("y", 0.0, 1.0).set("one", Set::constant(1.0)?));
/// for set in ["a", "b", "c"] {
///     system = system.rule(&format!("if x is {set} then y is one"))?;
/// }
/// let merged = merge_sets(&system, 0.8)?;
/// assert_eq!(merged.inputs[0].sets.len(), 2); // a and b are one set, with its mean at 2.05
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`SettingError::OutOfRange`] for a similarity outside (0, 1), and those of [`System::check`].
pub fn merge_sets(system: &System, similarity: f64) -> Result<System> {
    if !(similarity > 0.0 && similarity < 1.0) {
        let (algorithm, name, must) = ("merging sets", "similarity", "above 0 and below 1");
        return Err(SettingError::OutOfRange { algorithm, name, value: similarity, must }.into());
    }
    system.check()?;
    let mut merged = system.clone();
    for input in 0..system.inputs.len() {
        while let Some((a, b)) = most_similar(&merged.inputs[input], similarity) {
            let use_counts =
                [a, b].map(|set| used_sets(&merged, input).filter(|used| **used == set).count() as f64);
            let sets = &merged.inputs[input].sets;
            let set = interpolate(
                &sets[a].set,
                &sets[b].set,
                use_counts[1] / (use_counts[0] + use_counts[1]).max(1.0),
            )?;
            merged.inputs[input].sets[a].set = set;
            merged.inputs[input].sets.remove(b);
            used_sets_mut(&mut merged, input).for_each(|used| {
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

/// Removes rules whose support is below `min_support`; the rule with the highest support is always kept.
///
/// ```
/// use fuzzion::tuning::inspect::{prune_rules, rule_support};
/// use fuzzion::{Device, Table, inference::{Output, System, Variable}, sets::Set};
/// let x = Variable::new("x", 0.0, 10.0).set("low", Set::gaussian(0.0, 1.0)?).set("high", Set::gaussian(10.0, 1.0)?);
/// let system = System::new("switch")
///     .input(x)
///     .output(Output::new("y", 0.0, 1.0).set("off", Set::constant(0.0)?).set("on", Set::constant(1.0)?))
///     .rule("if x is low then y is off")?
///     .rule("if x is high then y is on")?;
/// let supports = rule_support(&system, &Table::new(["x"], vec![0.0, 1.0])?, &Device::cpu()?)?;
/// let pruned = prune_rules(&system, &supports, 0.01)?;
/// assert_eq!(pruned.blocks[0].rules.len(), 1); // no row is high
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`InferenceError::RowLength`] if the number of supports differs from the number of rules.
pub fn prune_rules(system: &System, supports: &[RuleSupport], min_support: f64) -> Result<System> {
    let rules: usize = system.blocks.iter().map(|block| block.rules.len()).sum();
    if supports.len() != rules {
        return Err(InferenceError::RowLength { what: "rule", found: supports.len(), expected: rules }.into());
    }
    let max_support = supports.iter().map(|s| s.support).fold(f64::NEG_INFINITY, f64::max);
    let mut pruned = system.clone();
    let mut supports = supports.iter();
    for block in &mut pruned.blocks {
        block.rules.retain(|_| {
            let support = supports.next().expect("invariant: there is one support per rule").support;
            support >= min_support.min(max_support)
        });
    }
    pruned.blocks.retain(|block| !block.rules.is_empty());
    Ok(without_unused(pruned))
}

/// The most similar pair of sets of a variable, if similar enough.
fn most_similar(variable: &Variable, min_similarity: f64) -> Option<(usize, usize)> {
    let range = (variable.minimum, variable.maximum);
    let pairs = (0..variable.sets.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let same_shape = |(a, b): &(usize, usize)| {
        variable.sets[*a].set.shape().name() == variable.sets[*b].set.shape().name()
    };
    let set = |index: usize| &variable.sets[index].set;
    let scored = pairs.filter(same_shape).map(|(a, b)| (similarity(set(a), set(b), range), (a, b)));
    let best = scored.max_by(|x, y| x.0.total_cmp(&y.0))?;
    (best.0 >= min_similarity).then_some(best.1)
}

/// Interpolates between two sets of the same shape; `fraction` is the weight of the second.
fn interpolate(a: &Set, b: &Set, fraction: f64) -> Result<Set> {
    let parameters = a.shape().parameters().into_iter().zip(b.shape().parameters());
    let between: Vec<f64> = parameters.map(|(a, b)| a + fraction * (b - a)).collect();
    Ok(Set::from_parameters(a.shape().name(), &between)?)
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

/// Indices of the sets of an input in all rules.
fn used_sets(system: &System, input: usize) -> impl Iterator<Item = &usize> {
    let rules = system.blocks.iter().flat_map(|block| &block.rules);
    let propositions = rules.flat_map(|rule| rule.antecedent.propositions());
    propositions.filter(move |p| p.variable == VariableIndex::Input(input)).filter_map(|p| p.set.as_ref())
}

fn used_sets_mut(system: &mut System, input: usize) -> impl Iterator<Item = &mut usize> {
    let rules = system.blocks.iter_mut().flat_map(|block| &mut block.rules);
    let propositions = rules.flat_map(|rule| propositions_mut(&mut rule.antecedent));
    propositions.filter(move |p| p.variable == VariableIndex::Input(input)).filter_map(|p| p.set.as_mut())
}

/// Removes sets that no rule uses.
fn without_unused(mut system: System) -> System {
    for input in 0..system.inputs.len() {
        let used: Vec<usize> = used_sets(&system, input).copied().collect();
        let new_indices = retain_used(&mut system.inputs[input].sets, &used);
        used_sets_mut(&mut system, input).for_each(|set| *set = new_indices[*set]);
    }
    for output in 0..system.outputs.len() {
        let output_sets = |rule: &Rule| -> Vec<usize> {
            rule.consequent.iter().filter(|c| c.output == output).map(|c| c.set).collect()
        };
        let used: Vec<usize> =
            system.blocks.iter().flat_map(|block| &block.rules).flat_map(output_sets).collect();
        let new_indices = retain_used(&mut system.outputs[output].variable.sets, &used);
        let rules = system.blocks.iter_mut().flat_map(|block| &mut block.rules);
        let all = rules.flat_map(|rule| &mut rule.consequent).filter(|c| c.output == output);
        all.for_each(|conclusion| conclusion.set = new_indices[conclusion.set]);
    }
    system
}

/// Retains the used sets and returns the new index of each old one.
fn retain_used(sets: &mut Vec<NamedSet>, used: &[usize]) -> Vec<usize> {
    let mut new_indices = Vec::new();
    let mut count = 0;
    for set in 0..sets.len() {
        new_indices.push(count);
        count += usize::from(used.contains(&set));
    }
    let mut index = 0;
    sets.retain(|_| {
        index += 1;
        used.contains(&(index - 1))
    });
    new_indices
}
