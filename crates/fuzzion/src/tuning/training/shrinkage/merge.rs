//! Fewer sets for rules from clusters: near-equal sets of an input become one set, and conditions that hold for all values are
//! removed. The consequents are then solved again. The result with the fewest sets replaces the trained rules whose generalized
//! cross-validation score is not more than 1 % higher.
//!
//! Source: M. Setnes et al., *Similarity measures in fuzzy rule base simplification*, IEEE Trans. SMC B 28, 1998.

use crate::tuning::network::antecedents::{Antecedents, NO_SET, ScaledSet};
use crate::tuning::network::form::Form;
use crate::tuning::settings::{InitialRules, Tuner};

/// Minimum Jaccard similarities of sets that are merged, in the order in which they are tried.
pub(in crate::tuning) const SIMILARITIES: [f64; 3] = [0.6, 0.75, 0.9];
/// A condition holds for all values if its membership is at least this in the whole range.
const MIN_MEMBERSHIP: f64 = 0.9;
/// Number of points at which two sets are compared.
const POINTS: usize = 101;

/// A set of an input.
struct UsedSet {
    index: u32,
    set: ScaledSet,
    memberships: Vec<f64>,
    /// Number of rules that use it; 0 if it was merged into another one.
    uses: f64,
}

/// Whether the rules are those of clusters, and may share sets.
pub(in crate::tuning) fn applies_to(tuner: &Tuner) -> bool {
    use InitialRules::{FuzzyCMeans, GustafsonKessel, Subtractive};
    let has_clusters = matches!(tuner.initial_rules, FuzzyCMeans(_) | GustafsonKessel(_) | Subtractive(_));
    has_clusters && !tuner.untied
}

/// The antecedents without sets of at least this similarity, and without conditions that hold for all values; `None` if there
/// is nothing to merge or remove. Of rules that become equal, the first is kept.
pub(in crate::tuning) fn merged(antecedents: &Antecedents, similarity: f64) -> Option<Antecedents> {
    let mut result = antecedents.clone();
    for input in 0..antecedents.inputs {
        merge_sets_of(&mut result, input, similarity);
    }
    remove_conditions(&mut result);
    remove_equal_rules(&mut result);
    if result.set_indices == antecedents.set_indices {
        return None;
    }
    remove_unused_sets(&mut result);
    Some(result)
}

/// Merges the most similar sets of an input until no two are similar enough.
fn merge_sets_of(antecedents: &mut Antecedents, input: usize, min_similarity: f64) {
    let mut sets = used_sets(antecedents, input);
    let similarity_of = |sets: &[UsedSet], a: usize, b: usize| match sets[a].uses * sets[b].uses > 0.0 {
        true => similarity(&sets[a].memberships, &sets[b].memberships),
        false => 0.0,
    };
    let of_set = |sets: &[UsedSet], b: usize| (0..b).map(|a| similarity_of(sets, a, b)).collect();
    // The similarity of sets a < b is at [b][a].
    let mut similarities: Vec<Vec<f64>> = (0..sets.len()).map(|b| of_set(&sets, b)).collect();
    while let Some((a, b)) = most_similar(&similarities, min_similarity) {
        let (kept, removed) = sets.split_at_mut(b);
        merge(&mut kept[a], &mut removed[0], antecedents.form);
        let (kept, removed) = (kept[a].index, removed[0].index);
        antecedents.set_indices.iter_mut().filter(|used| **used == removed).for_each(|used| *used = kept);
        for merged in [a, b] {
            similarities[merged] = of_set(&sets, merged);
            for (other, row) in similarities.iter_mut().enumerate().skip(merged + 1) {
                row[merged] = similarity_of(&sets, merged, other);
            }
        }
    }
    for used in sets {
        antecedents.sets[used.index as usize] = used.set;
    }
}

fn used_sets(antecedents: &Antecedents, input: usize) -> Vec<UsedSet> {
    let of_set = |(index, set): (usize, &ScaledSet)| {
        let uses = antecedents.set_indices.iter().filter(|used| **used == index as u32).count();
        let memberships = memberships(antecedents.form, set);
        UsedSet { index: index as u32, set: *set, memberships, uses: uses as f64 }
    };
    antecedents.sets.iter().enumerate().filter(|(_, set)| set.input == input).map(of_set).collect()
}

/// Memberships at points of the range, which is [0, 1] in scaled coordinates.
fn memberships(form: Form, set: &ScaledSet) -> Vec<f64> {
    let at = |point: usize| form.ln_membership(&set.parameters, point as f64 / (POINTS - 1) as f64).exp();
    (0..POINTS).map(at).collect()
}

/// The most similar pair, if it is similar enough.
fn most_similar(similarities: &[Vec<f64>], min_similarity: f64) -> Option<(usize, usize)> {
    let pairs = similarities
        .iter()
        .enumerate()
        .flat_map(|(b, row)| row.iter().enumerate().map(move |(a, s)| (s, (a, b))));
    let best = pairs.max_by(|x, y| x.0.total_cmp(y.0))?;
    (*best.0 >= min_similarity).then_some(best.1)
}

/// Jaccard similarity: ∫ min(μ_a, μ_b) / ∫ max(μ_a, μ_b).
fn similarity(a: &[f64], b: &[f64]) -> f64 {
    let sums = a.iter().zip(b).fold((0.0, 0.0), |(min, max), (a, b)| (min + a.min(*b), max + a.max(*b)));
    if sums.1 > 0.0 { sums.0 / sums.1 } else { 0.0 }
}

/// Replaces `kept` by the mean of both sets, weighted by their uses.
fn merge(kept: &mut UsedSet, removed: &mut UsedSet, form: Form) {
    let uses = kept.uses + removed.uses;
    for (kept, other) in kept.set.parameters.iter_mut().zip(removed.set.parameters) {
        *kept += removed.uses / uses * (other - *kept);
    }
    (kept.memberships, kept.uses, removed.uses) = (memberships(form, &kept.set), uses, 0.0);
}

/// Removes conditions that hold for all values, except the last one of a rule.
fn remove_conditions(antecedents: &mut Antecedents) {
    let Antecedents { form, inputs, ref sets, .. } = *antecedents;
    let lowest = |set: &ScaledSet| memberships(form, set).into_iter().fold(f64::INFINITY, f64::min);
    let holds: Vec<bool> = sets.iter().map(|set| lowest(set) >= MIN_MEMBERSHIP).collect();
    for rule in antecedents.set_indices.chunks_exact_mut(inputs) {
        let is_condition = |set: u32| holds.get(set as usize).is_some_and(|holds| !holds);
        if rule.iter().any(|set| is_condition(*set)) {
            rule.iter_mut().filter(|set| !is_condition(**set)).for_each(|set| *set = NO_SET);
        }
    }
}

fn remove_equal_rules(antecedents: &mut Antecedents) {
    let mut kept: Vec<&[u32]> = Vec::new();
    for rule in antecedents.set_indices.chunks_exact(antecedents.inputs) {
        if !kept.contains(&rule) {
            kept.push(rule);
        }
    }
    antecedents.set_indices = kept.concat();
}

fn remove_unused_sets(antecedents: &mut Antecedents) {
    let used = |index: usize| antecedents.set_indices.contains(&(index as u32));
    let kept: Vec<usize> = (0..antecedents.sets.len()).filter(|index| used(*index)).collect();
    for index in antecedents.set_indices.iter_mut().filter(|index| **index != NO_SET) {
        let position = kept.iter().position(|kept| *kept == *index as usize);
        *index = position.expect("invariant: used sets are kept") as u32;
    }
    antecedents.sets = kept.into_iter().map(|index| antecedents.sets[index]).collect();
}
