//! Pruning of idle rules and merging of similar ones.

use super::usage::RuleUsage;
use crate::sonfin::types::network::Network;

/// One rule of a network.
struct Rule<'a> {
    a: &'a [f32],
    c: &'a [f32],
    w: &'a [f32],
}

fn rule(network: &Network, k: usize) -> Rule<'_> {
    let (d, l) = (network.dims, network.outputs);
    Rule { a: &network.a[k * d..][..d], c: &network.c[k * d..][..d], w: &network.w[k * l..][..l] }
}

/// Network without idle rules and with one rule for each group of rules whose centers and widths differ by at most
/// `tolerance`, and whose consequents differ by at most `max_difference`; number of pruned rules and number of merged rules.
pub(in crate::sonfin) fn merge_rules(
    network: &Network,
    rule_usage: &[RuleUsage],
    tolerance: f32,
    max_difference: f32,
) -> (Network, usize, usize) {
    let most_used = (0..rule_usage.len())
        .fold(0, |best, k| if rule_usage[k].sum > rule_usage[best].sum { k } else { best });
    let is_kept = |k: &usize| rule_usage[*k].max >= tolerance * tolerance || *k == most_used;
    let kept: Vec<usize> = (0..network.rules()).filter(is_kept).collect();
    let pruned = network.rules() - kept.len();
    // Each group contains the rules similar to its first rule.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for k in kept {
        match groups.iter_mut().find(|group| are_similar(network, group[0], k, tolerance, max_difference)) {
            Some(group) => group.push(k),
            None => groups.push(vec![k]),
        }
    }
    let merged = network.rules() - pruned - groups.len();
    let mut simplified = Network::empty(network.dims, network.outputs);
    for group in groups {
        let total: f32 = group.iter().map(|k| rule_usage[*k].sum).sum();
        let weight =
            |k: usize| if total > 0.0 { rule_usage[k].sum / total } else { 1.0 / group.len() as f32 };
        let mean =
            |of: &dyn Fn(Rule<'_>) -> f32| group.iter().map(|k| weight(*k) * of(rule(network, *k))).sum();
        simplified.a.extend((0..network.dims).map(|j| -> f32 { mean(&|rule| rule.a[j]) }));
        simplified.c.extend((0..network.dims).map(|j| -> f32 { mean(&|rule| rule.c[j]) }));
        simplified.w.extend((0..network.outputs).map(|l| -> f32 { mean(&|rule| rule.w[l]) }));
    }
    (simplified, pruned, merged)
}

/// Whether centers, widths and consequents of two rules are nearly identical.
fn are_similar(network: &Network, k: usize, l: usize, tolerance: f32, max_difference: f32) -> bool {
    let (k, l) = (rule(network, k), rule(network, l));
    let same_consequents = k.w.iter().zip(l.w).all(|(k, l)| (k - l).abs() <= max_difference);
    let same_inputs = k.a.iter().zip(l.a).all(|(k, l)| (*k > 0.0) == (*l > 0.0));
    if !(same_consequents && same_inputs) {
        return false;
    }
    let (mut center_distance, mut width_difference, mut inputs) = (0.0, 0.0, 0.0);
    for j in (0..network.dims).filter(|j| k.a[*j] > 0.0) {
        let distance = k.c[j] / k.a[j] - l.c[j] / l.a[j];
        center_distance += distance * distance * k.a[j] * l.a[j];
        width_difference += (k.a[j] / l.a[j]).ln().powi(2);
        inputs += 1.0;
    }
    center_distance <= tolerance * tolerance && width_difference <= tolerance * tolerance * inputs
}
