//! Invariants of randomly generated systems.

use super::super::random_systems::SystemGenerator;
use crate::inference::type2::{Interval, IntervalSet, IntervalSystem, TypeReduction};
use crate::inference::{Activation, Antecedent, Defuzzifier, Dialect, System, VariableIndex, WeightedKind};
use crate::sets::{Hedge, SNorm, Set, Shape};
use proptest::prelude::*;

fn is_consequent(set: &Set) -> bool {
    matches!(set.shape(), Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. })
}

/// Replaces norms that can exceed 1.
fn bounded(norm: SNorm) -> SNorm {
    if norm == SNorm::UnboundedSum { SNorm::BoundedSum } else { norm }
}

/// A random system that interval type-2 inference supports: inputs have membership functions, and consequents match their
/// defuzzifier.
fn supported_system(seed: u64) -> System {
    let mut system = SystemGenerator(seed).system(false);
    let reads_outputs = |system: &System| {
        let rules = system.blocks.iter().flat_map(|block| &block.rules);
        rules
            .flat_map(|rule| rule.antecedent.propositions())
            .any(|p| matches!(p.variable, VariableIndex::Output(_)))
    };
    let outputs_read = reads_outputs(&system);
    for named in system.inputs.iter_mut().flat_map(|input| &mut input.sets) {
        if is_consequent(&named.set) {
            named.set = Set::gaussian(1.0, 3.0).unwrap();
        }
    }
    let inputs = system.inputs.len();
    for (i, output) in system.outputs.iter_mut().enumerate() {
        let sampled = output.defuzzifier.is_sampled();
        output.defuzzifier = match sampled {
            true => Defuzzifier::Centroid { samples: Some(40) },
            false => Defuzzifier::WeightedAverage { kind: WeightedKind::TakagiSugeno },
        };
        output.aggregation = output.aggregation.map(bounded);
        if sampled || outputs_read {
            output.aggregation = output.aggregation.or(Some(SNorm::AlgebraicSum));
        }
        for (j, named) in output.variable.sets.iter_mut().enumerate() {
            if sampled && is_consequent(&named.set) {
                named.set = Set::triangle(-8.0, 1.0, 9.0).unwrap();
            } else if !sampled {
                let value = (i * 3 + j) as f64 - 2.5;
                named.set = match seed % 2 {
                    0 => Set::constant(value).unwrap(),
                    _ => Set::linear(&vec![value / 4.0; inputs], value).unwrap(),
                };
            }
        }
    }
    for block in &mut system.blocks {
        block.activation = Activation::General;
        block.disjunction = block.disjunction.map(bounded);
        block.rules.iter_mut().for_each(|rule| rule.weight = rule.weight.abs() / 10.0);
    }
    system
}

fn row(x: &[f64], inputs: usize) -> Vec<f64> {
    x.iter().copied().cycle().take(inputs).collect()
}

/// The system with lower sets scaled by `factor` and constants widened by `spread`.
fn widened(system: System, factor: f64, spread: f64) -> IntervalSystem {
    let variables = system.inputs.iter().chain(system.outputs.iter().map(|output| &output.variable));
    let sets: Vec<(String, String, Set)> = variables
        .flat_map(|v| v.sets.iter().map(|named| (v.name.clone(), named.name.clone(), named.set.clone())))
        .collect();
    sets.into_iter().fold(IntervalSystem::new(system), |system, (variable, name, set)| {
        let interval = match set.shape() {
            Shape::Constant { value } => IntervalSet::constant(*value, value + spread),
            Shape::Linear { coefficients, constant } => {
                let more: Vec<f64> = coefficients.iter().map(|c| c + spread).collect();
                IntervalSet::new(set.clone(), Set::linear(&more, constant + spread).unwrap())
            }
            _ => IntervalSet::scaled_lower(set.clone(), factor),
        };
        system.set(&variable, name, interval.unwrap()).unwrap()
    })
}

/// Whether hedges, which raise a strength to powers, may give a subnormal number, with too few digits for a comparison.
fn has_subnormal_powers(strength: f64) -> bool {
    strength > 0.0 && strength < 1e-60
}

fn has_else(system: &System) -> bool {
    system.blocks.iter().flat_map(|block| &block.rules).any(|rule| rule.antecedent == Antecedent::Else)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_system_without_upper_sets_matches_the_type1_system(
        seed: u64, x in prop::collection::vec(prop_oneof![9 => -12.0..12.0f64, 1 => Just(f64::NAN)], 1..4),
    ) {
        let system = supported_system(seed);
        let x = row(&x, system.inputs.len());
        for dialect in Dialect::ALL {
            let expected = system.infer_row(&x, dialect).unwrap();
            for reduction in TypeReduction::ALL {
                let interval = IntervalSystem::new(system.clone()).type_reduction(reduction);
                let found = interval.infer_row(&x, dialect).unwrap();
                prop_assert_eq!(&found.fired, &expected.fired, "{:?}", dialect);
                let strengths = found.firing_intervals.iter().zip(&expected.rules);
                for (found, expected) in strengths {
                    let same = |end: f64| end.to_bits() == expected.strength.to_bits();
                    // Rounding may lift a membership above 1, which is clamped.
                    let near = (found.lower - expected.strength).abs() < 1e-12 && found.lower == found.upper;
                    prop_assert!(same(found.lower) && same(found.upper) || near, "{found:?} {expected:?}");
                }
                if expected.rules.iter().any(|rule| has_subnormal_powers(rule.strength)) {
                    continue;
                }
                for (i, (found, expected)) in found.outputs.iter().zip(&expected.outputs).enumerate() {
                    // Outputs are at most a few hundred; the order of summation differs.
                    let close = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
                    let close = close || found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    prop_assert!(close, "{dialect:?} {reduction:?} output {i}: {found} {expected}\n{}", system.to_fll().unwrap());
                }
            }
        }
    }

    #[test]
    fn the_interval_contains_the_outputs_of_the_lower_and_upper_systems(
        seed: u64, factor in 0.0..1.0f64, spread in 0.0..1.0f64, x in prop::collection::vec(-12.0..12.0f64, 1..4),
    ) {
        let mut system = supported_system(seed);
        // Default values need not be within the interval.
        system.outputs.iter_mut().for_each(|output| output.default = None);
        let system = widened(system, factor, spread);
        let x = row(&x, system.lower().inputs.len());
        let within = |interval: Interval, value: f64| {
            // Rounding error of the interval, for values of at most a few hundred.
            let slack = 1e-9 * value.abs().max(1.0);
            interval.lower - slack <= value && value <= interval.upper + slack
        };
        // Fuzzylite 6 is discontinuous at a strength of 1e-6, where one bound may not fire; IEC 61131-7 is discontinuous
        // at 0, where `not` gives 1.
        let rules = system.lower().blocks.iter().flat_map(|block| &block.rules);
        let negates = rules.flat_map(|rule| &rule.consequent).any(|c| c.hedges.contains(&Hedge::Not));
        let iec = Some(Dialect::Iec).filter(|_| !negates);
        for dialect in [Dialect::Fuzzylite8, Dialect::Matlab].into_iter().chain(iec) {
            let eiasc = system.infer_row(&x, dialect).unwrap();
            if eiasc.firing_intervals.iter().any(|f| has_subnormal_powers(f.lower) || has_subnormal_powers(f.upper)) {
                continue;
            }
            let mendel = system.clone().type_reduction(TypeReduction::KarnikMendel);
            let mendel = mendel.infer_row(&x, dialect).unwrap();
            // The output is NaN if no rule fires.
            for (a, b) in eiasc.intervals.iter().zip(&mendel.intervals).filter(|(a, _)| a.midpoint().is_finite()) {
                prop_assert!(within(*b, a.lower) && within(*b, a.upper), "{a:?} {b:?}");
                prop_assert!(within(*a, b.lower) && within(*a, b.upper), "{a:?} {b:?}");
                prop_assert!(a.lower <= a.upper + 1e-9 * a.upper.abs().max(1.0));
            }
            for embedded in [system.lower().clone(), system.upper()] {
                let bound = embedded.infer_row(&x, dialect).unwrap();
                for (interval, firing) in eiasc.firing_intervals.iter().zip(&bound.rules) {
                    prop_assert!(within(*interval, firing.strength), "{dialect:?} {interval:?} {firing:?}");
                }
                for (i, interval) in eiasc.intervals.iter().enumerate() {
                    // MATLAB uses the middle of the range if the aggregated set is 0 at all samples.
                    let range = &embedded.outputs[i].variable;
                    let middle = range.minimum / 2.0 + range.maximum / 2.0;
                    let is_fallback = dialect == Dialect::Matlab && bound.outputs[i] == middle;
                    if bound.fired[i] && bound.outputs[i].is_finite() && !is_fallback {
                        let contained = within(*interval, bound.outputs[i]);
                        prop_assert!(contained, "{dialect:?} {interval:?} {}", bound.outputs[i]);
                    }
                }
            }
        }
    }
}

#[test]
fn the_random_systems_have_else_rules_negations_and_both_kinds_of_outputs() {
    let systems: Vec<System> = (0..200).map(supported_system).collect();
    assert!(systems.iter().filter(|system| has_else(system)).count() > 20);
    assert!(systems.iter().filter(|system| system.is_extended()).count() > 50);
    let average = |system: &&System| system.outputs.iter().any(|output| !output.defuzzifier.is_sampled());
    assert!(systems.iter().filter(average).count() > 40);
    for system in systems {
        IntervalSystem::new(system).check().unwrap();
    }
}
