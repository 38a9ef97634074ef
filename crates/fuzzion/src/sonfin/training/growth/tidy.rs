//! Readable rules: centers within the data, no conditions without effect, no idle and no duplicate rules.

use super::problem::Problem;
use crate::sonfin::training::merge::merge_rules;
use crate::sonfin::training::usage::rule_usage;
use crate::sonfin::types::network::Network;

/// Largest −ln μ of a condition within the range of its input that is omitted: the membership is above 0.9 everywhere.
const NO_EFFECT: f32 = 0.1;
/// Largest width σ relative to the range of the input; the standard deviation of such a set is about the range.
const MAX_WIDTH: f32 = 1.5;
/// Rules are merged if centers and widths differ by less than this fraction of the width.
const SIMILAR: f32 = 0.1;

/// The rules with limited centers and widths; their consequents must be solved again.
pub(super) fn tidy(problem: Problem<'_>, mut network: Network, rows: &[u32]) -> Network {
    let d = network.dims;
    let mut ranges = vec![(f32::INFINITY, f32::NEG_INFINITY); d];
    for row in rows {
        for ((low, high), x) in ranges.iter_mut().zip(problem.samples.inputs_of(*row as usize)) {
            (*low, *high) = (low.min(*x), high.max(*x)); // ignores NaN
        }
    }
    for (a, c) in network.a.chunks_exact_mut(d).zip(network.c.chunks_exact_mut(d)) {
        for ((a, c), (low, high)) in a.iter_mut().zip(c).zip(&ranges) {
            let range = high - low;
            if *a <= 0.0 || range <= 0.0 {
                (*a, *c) = (0.0, 0.0);
                continue;
            }
            let center = (*c / *a).clamp(*low, *high);
            let farthest = (high - center).max(center - low);
            *a = if (*a * farthest).powi(2) < NO_EFFECT { 0.0 } else { a.max(1.0 / (MAX_WIDTH * range)) };
            *c = *a * center;
        }
    }
    let usage = rule_usage(&network, problem.samples, 1, problem.cpu);
    merge_rules(&network, &usage, SIMILAR, f32::INFINITY).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::sonfin::training::growth::tests::samples;

    #[test]
    fn centers_lie_within_the_data_and_duplicates_are_merged() {
        let (cpu, samples) = (Cpu::new().unwrap(), samples(50, 2, 1, 1));
        // Rules (center, width) for each input: outside, too wide, and two equal ones.
        let rules = [[(-3.0, 0.5), (0.5, 40.0)], [(0.5, 0.2), (0.2, 2.0)], [(0.5, 0.2), (0.2, 2.0)]];
        let mut network = Network::empty(2, 1);
        for rule in rules {
            for (center, width) in rule {
                network.a.push(1.0 / width);
                network.c.push(center / width);
            }
            network.w.push(1.0);
        }
        let problem = Problem { samples: &samples, targets: &samples.t, is_classifier: false, cpu: &cpu };
        let tidied = tidy(problem, network, &samples.row_indices());
        assert_eq!(tidied.rules(), 2);
        let column = |j: usize| samples.x.iter().skip(j).step_by(2).copied();
        let low = column(0).fold(f32::INFINITY, f32::min);
        assert!((tidied.c[0] / tidied.a[0] - low).abs() < 1e-5 && tidied.a[1] == 0.0);
        let range = column(1).fold(0.0, f32::max) - column(1).fold(1.0, f32::min);
        assert!((1.0 / tidied.a[3] - MAX_WIDTH * range).abs() < 1e-5);
    }
}
