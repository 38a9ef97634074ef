//! Whole systems against textbook formulas, published centroids, and errors.

use super::{exhaustive, plant};
use crate::data::DataError;
use crate::device::Cpu;
use crate::inference::InferenceError;
use crate::inference::type2::{
    Interval, IntervalPlan, IntervalSet, IntervalSystem, TypeReduction, WeightedInterval,
};
use crate::inference::{Activation, Defuzzifier, Dialect, Output, System, Variable, WeightedKind};
use crate::sets::Set;
use crate::{Device, Table};

fn close(a: Interval, b: Interval, tolerance: f64) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() <= tolerance || a.is_nan() && b.is_nan();
    same(a.lower, b.lower) && same(a.upper, b.upper)
}

/// Firing intervals of `plant`, each bound by its own formula.
fn fired(a: f64, b: f64) -> [Interval; 4] {
    let gaussian = |mean: f64, deviation: f64| (-((a - mean) / deviation).powi(2) / 2.0).exp();
    let low_a = Interval::new(gaussian(-1.5, 0.75), gaussian(-1.5, 1.25));
    let high_a = Interval::new(gaussian(1.5, 0.75), gaussian(1.5, 1.25));
    let rising = |x: f64| ((x + 1.0) / 2.0).clamp(0.0, 1.0);
    let high_b = Interval::new(rising(b - 0.25), rising(b + 0.25));
    let low_b = Interval::new(rising(-b - 0.25), rising(-b + 0.25));
    let first = Interval::new(low_a.lower.min(low_b.lower), low_a.upper.min(low_b.upper));
    let second =
        Interval::new(0.5 * high_a.lower.min(1.0 - high_b.upper), 0.5 * high_a.upper.min(1.0 - high_b.lower));
    let third = Interval::new(high_a.lower.max(high_b.lower.powi(2)), high_a.upper.max(high_b.upper.powi(2)));
    let highest =
        |bound: fn(Interval) -> f64| [first, second, third].map(bound).into_iter().fold(0.0, f64::max);
    let last = Interval::new(1.0 - highest(|w| w.upper), 1.0 - highest(|w| w.lower));
    [first, second, third, last]
}

/// Membership intervals of `plant`'s two output sets.
fn output_sets(y: f64) -> [Interval; 2] {
    let triangle = |top: f64| (1.0 - (y - top).abs() / 2.0).clamp(0.0, 1.0);
    let shifted = [triangle(1.75), triangle(2.25)];
    // Blurred by ¼: the top is anywhere from 1.75 to 2.25.
    let upper = if (1.75..=2.25).contains(&y) { 1.0 } else { shifted[0].max(shifted[1]) };
    [Interval::new(shifted[0].min(shifted[1]), upper), Interval::new(0.5 * triangle(4.0), triangle(4.0))]
}

/// Outputs of `plant` by textbook formulas and exhaustive search.
fn textbook(a: f64, b: f64) -> [Interval; 3] {
    let w = fired(a, b);
    let set_of_rule = [0, 1, 1, 0];
    let few = Interval::new(
        (1.0 * a).min(1.5 * a) + (-2.0 * b).min(-b),
        (1.0 * a).max(1.5 * a) + (-2.0 * b).max(-b) + 0.25,
    );
    let forms = [few, Interval::new(2.0, 3.0)];
    let samples = || (0..1000).map(|i| 6.0 * (f64::from(i) + 0.5) / 1000.0);
    let center_of = |set: usize| {
        let all =
            samples().map(|y| WeightedInterval { center: Interval::point(y), strength: output_sets(y)[set] });
        exhaustive(&all.collect::<Vec<_>>())
    };
    let centers = [center_of(0), center_of(1)];
    let rules = |z: [Interval; 2]| -> Vec<WeightedInterval> {
        (0..4).map(|r| WeightedInterval { center: z[set_of_rule[r]], strength: w[r] }).collect()
    };
    let area = samples().map(|y| {
        let implied = |bound: fn(Interval) -> f64| {
            (0..4).map(|r| bound(w[r]).min(bound(output_sets(y)[set_of_rule[r]]))).fold(0.0, f64::max)
        };
        let strength = Interval::new(implied(|i| i.lower), implied(|i| i.upper));
        WeightedInterval { center: Interval::point(y), strength }
    });
    [exhaustive(&rules(forms)), exhaustive(&area.collect::<Vec<_>>()), exhaustive(&rules(centers))]
}

/// `plant` with center-of-sets type reduction for its third output.
fn compiled_plant(reduction: TypeReduction) -> IntervalPlan {
    let plant = plant().type_reduction(reduction);
    let text = plant.to_fll().unwrap();
    let (before, middle) = text.split_once("OutputVariable: middle").unwrap();
    let middle = middle.replacen("Centroid", "WeightedAverage", 1).replacen("Maximum", "none", 1);
    let text = format!("{before}OutputVariable: middle{middle}");
    IntervalSystem::from_fll(&text).unwrap().compile(Dialect::Fuzzylite8).unwrap()
}

#[test]
fn a_system_matches_the_textbook_and_an_exhaustive_search() {
    let mut worst = 0.0f64;
    for reduction in [TypeReduction::KarnikMendel, TypeReduction::Eiasc] {
        let plan = compiled_plant(reduction);
        for i in 0..=12 {
            for j in 0..=12 {
                let (a, b) = (-3.0 + 0.5 * f64::from(i), -3.0 + 0.5 * f64::from(j));
                let row = plan.infer_row(&[a, b]).unwrap();
                let expected = textbook(a, b);
                for (found, expected) in row.firing_intervals.iter().zip(fired(a, b)) {
                    assert!(close(*found, expected, 1e-12), "{a} {b}: {found:?} {expected:?}");
                }
                for (k, range) in [18.0, 6.0, 6.0].into_iter().enumerate() {
                    let error = (row.intervals[k].lower - expected[k].lower)
                        .abs()
                        .max((row.intervals[k].upper - expected[k].upper).abs());
                    worst = worst.max(error / range);
                    assert!(error <= 1e-9 * range, "{a} {b} {k}: {:?} {:?}", row.intervals[k], expected[k]);
                    assert!((row.outputs[k] - expected[k].midpoint()).abs() <= 1e-9 * range);
                }
            }
        }
    }
    assert!(worst > 0.0, "the reference is independent of the tested code");
}

/// J. M. Mendel, *Uncertain Rule-Based Fuzzy Logic Systems*, 2001, example 9-4: Gaussians with σ = 1 and a mean in
/// [m̲, m̄], at 101 points of [0, 10]; five digits as computed by the package type2fuzzy for that example.
#[test]
fn centroids_of_gaussians_with_uncertain_mean_match_published_values() {
    for (mean, lower) in [
        (5.0, 5.0),
        (4.875, 4.87498),
        (4.75, 4.74952),
        (4.625, 4.62265),
        (4.5, 4.49285),
        (4.25, 4.21675),
        (4.0, 3.90697),
        (3.75, 3.55194),
        (3.5, 3.15053),
    ] {
        let set = IntervalSet::gaussian_with_uncertain_mean(mean, 10.0 - mean, 1.0).unwrap();
        let centers = Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic };
        for defuzzifier in [Defuzzifier::Centroid { samples: None }, centers] {
            let output = Output::new("y", 0.0, 10.0).defuzzifier(defuzzifier);
            let system = System::new("").input(Variable::new("a", 0.0, 1.0)).output(output);
            let system = IntervalSystem::new(system).set("y", "about", set.clone()).unwrap();
            let system = system.rule("if a is any then y is about").unwrap();
            for reduction in [TypeReduction::KarnikMendel, TypeReduction::Eiasc] {
                let row =
                    system.clone().type_reduction(reduction).infer_row(&[0.5], Dialect::Matlab).unwrap();
                // Half a unit of the last digit plus rounding.
                let published = Interval::new(lower, 10.0 - lower);
                assert!(close(row.intervals[0], published, 5.001e-6), "{mean}: {:?}", row.intervals[0]);
                assert!((row.outputs[0] - 5.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_table_gives_the_same_results_as_single_rows_for_any_number_of_threads() {
    let plan = compiled_plant(TypeReduction::default());
    let values: Vec<f64> = (0..2 * 1500)
        .map(|i| if i % 97 == 0 { f64::NAN } else { 3.0 * (f64::from(i) * 0.37).sin() })
        .collect();
    let table = Table::new(["b", "a"], values.clone()).unwrap();
    let rows: Vec<_> = values.chunks_exact(2).map(|x| plan.infer_row(&[x[1], x[0]]).unwrap()).collect();
    for threads in [1, 3] {
        let found = plan.infer(&table, &Device::from(Cpu::with_threads(threads).unwrap())).unwrap();
        assert_eq!(found.outputs.names(), ["form", "area", "middle"]);
        for (i, row) in rows.iter().enumerate() {
            for k in 0..3 {
                let bits =
                    [&found.outputs, &found.lower, &found.upper].map(|t| t.get(i, k).unwrap().to_bits());
                let expected =
                    [row.outputs[k], row.intervals[k].lower, row.intervals[k].upper].map(f64::to_bits);
                assert_eq!(bits, expected, "row {i}, output {k}");
            }
        }
    }
    let missing = Table::new(["a"], vec![1.0]).unwrap();
    assert!(matches!(
        plan.infer(&missing, &Device::cpu().unwrap()),
        Err(InferenceError::Data(DataError::UnknownColumn { .. }))
    ));
}

#[test]
fn outputs_that_lock_their_previous_value_are_inferred_in_order() {
    let output = Output::new("y", 0.0, 9.0).lock_previous(true);
    let system = System::new("").input(Variable::new("a", 0.0, 1.0)).output(output);
    let system = IntervalSystem::new(system)
        .set("a", "on", IntervalSet::scaled_lower(Set::rectangle(0.5, 1.0).unwrap(), 0.5).unwrap())
        .unwrap()
        .set("y", "z", IntervalSet::constant(2.0, 4.0).unwrap())
        .unwrap()
        .rule("if a is on then y is z")
        .unwrap();
    let table = Table::new(["a"], vec![0.0, 0.75, 0.25, f64::NAN]).unwrap();
    let plan = system.compile(Dialect::Fuzzylite8).unwrap();
    let found = plan.infer(&table, &Device::cpu().unwrap()).unwrap();
    let outputs = found.outputs.to_f64();
    assert!(outputs[0].is_nan());
    assert_eq!(outputs[1..], [3.0; 3]);
    assert_eq!(found.lower.to_f64()[1..], [2.0, 3.0, 3.0]); // a locked value is a single number
    assert_eq!(plan.infer_row_after(&[0.0], &[7.0]).unwrap().outputs, [7.0]);
}

#[test]
fn the_dialect_determines_the_output_if_no_rule_fires() {
    let system = |output: Output| {
        let on = Set::rectangle(0.5, 1.0).unwrap();
        let system = System::new("").input(Variable::new("a", 0.0, 1.0).set("on", on)).output(output);
        let set = IntervalSet::scaled_lower(Set::triangle(0.0, 1.0, 2.0).unwrap(), 0.5).unwrap();
        IntervalSystem::new(system).set("y", "z", set).unwrap().rule("if a is on then y is z").unwrap()
    };
    let intervals = |output: Output, dialect| {
        let rows = [0.0, f64::NAN].map(|x| system(output.clone()).infer_row(&[x], dialect).unwrap());
        assert!(
            rows.iter()
                .all(|row| !row.fired[0] && row.intervals[0].midpoint().to_bits() == row.outputs[0].to_bits())
        );
        (rows[0].intervals[0], rows[1].intervals[0])
    };
    let none = Interval::point(f64::NAN);
    for output in [
        Output::new("y", 0.0, 8.0),
        Output::new("y", 0.0, 8.0)
            .defuzzifier(Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic }),
    ] {
        let (zero, nan) = intervals(output.clone(), Dialect::Fuzzylite8);
        assert!(close(zero, none, 0.0) && close(nan, none, 0.0));
        let (zero, nan) = intervals(output.clone().default(2.5), Dialect::Fuzzylite6);
        assert_eq!((zero, nan), (Interval::point(2.5), Interval::point(2.5)));
        let (zero, nan) = intervals(output, Dialect::Matlab);
        assert_eq!((zero, nan), (Interval::point(4.0), Interval::point(4.0)));
    }
}

#[test]
fn not_in_a_consequent_negates_the_set_in_matlab() {
    let output = Output::new("y", 0.0, 1.0);
    let system = System::new("").input(Variable::new("a", 0.0, 1.0)).output(output);
    let on = IntervalSet::new(Set::triangle(0.0, 1.0, 1.0).unwrap(), Set::ramp(0.0, 0.5).unwrap()).unwrap();
    let ramp = IntervalSet::scaled_lower(Set::ramp(0.0, 1.0).unwrap(), 0.5).unwrap();
    let system = IntervalSystem::new(system).set("a", "on", on).unwrap().set("y", "z", ramp).unwrap();
    let system = system.rule("if a is on then y is not z").unwrap();
    let row = system.infer_row(&[1.0], Dialect::Matlab).unwrap();
    let items = (0..=100).map(|i| {
        let y = f64::from(i) / 100.0;
        WeightedInterval { center: Interval::point(y), strength: Interval::new(1.0 - y, 1.0 - 0.5 * y) }
    });
    let expected = exhaustive(&items.collect::<Vec<_>>());
    assert!(close(row.intervals[0], expected, 1e-9), "{:?} {expected:?}", row.intervals[0]);
}

#[test]
fn outputs_with_a_locked_range_are_clamped() {
    let output = Output::new("y", 0.0, 2.5).lock_range(true);
    let on = Set::ramp(0.0, 1.0).unwrap();
    let system = System::new("").input(Variable::new("a", 0.0, 1.0).set("on", on)).output(output);
    let system = IntervalSystem::new(system).set("y", "z", IntervalSet::constant(2.0, 4.0).unwrap()).unwrap();
    let row = system.rule("if a is on then y is z").unwrap().infer_row(&[0.5], Dialect::Iec).unwrap();
    assert_eq!((row.intervals[0], row.outputs[0]), (Interval::new(2.0, 2.5), 2.25));
}

#[test]
fn features_without_an_interval_definition_are_rejected() {
    let error_of = |change: &dyn Fn(&mut System)| {
        let mut system = plant().lower().clone();
        change(&mut system);
        IntervalSystem::new(system).check().unwrap_err().to_string()
    };
    assert_eq!(
        error_of(&|s| s.blocks[0].activation = Activation::Highest { rules: 1 }),
        "rule block 1 uses the activation Highest, which is not supported for firing intervals; use General"
    );
    assert_eq!(
        error_of(&|s| s.blocks[0].rules[1].weight = -0.5),
        "rule 2 of rule block 1 has a negative weight, which is not supported for firing intervals; use a weight from 0 to 1"
    );
    assert_eq!(
        error_of(&|s| s.outputs[1].defuzzifier = Defuzzifier::Bisector { samples: None }),
        "output `area` uses the defuzzifier Bisector, which has no type reduction; use Centroid or WeightedAverage"
    );
    assert_eq!(
        error_of(&|s| {
            let shape = Set::ramp(0.0, 1.0).unwrap();
            s.outputs[2].variable.sets.iter_mut().for_each(|named| named.set = shape.clone());
            s.outputs[2].defuzzifier = Defuzzifier::WeightedAverage { kind: WeightedKind::Tsukamoto };
        }),
        "output `middle` uses the defuzzifier WeightedAverage Tsukamoto, which has no type reduction; use Centroid or \
         WeightedAverage"
    );
    assert_eq!(
        error_of(&|s| s.outputs[1].variable.sets[0].set = Set::constant(1.0).unwrap()),
        "set `few` of output `area` is a Constant consequent, which has no centroid; use WeightedAverage"
    );
    assert_eq!(
        error_of(&|s| s.outputs[0].variable.sets[0].set = Set::function("x * a").unwrap()),
        "set `few` of output `form` is a Function of both `x` and other variables; use only `x`, or only other variables"
    );
    assert_eq!(
        error_of(&|s| {
            s.outputs[0].variable.sets[0].set = Set::ramp(0.0, 1.0).unwrap();
            s.outputs[0].variable.maximum = f64::INFINITY;
        }),
        "output `form` has an infinite range, but the centers of its sets require a finite one; specify a finite range"
    );
    assert_eq!(
        error_of(&|s| {
            s.outputs[1].defuzzifier = Defuzzifier::Centroid { samples: Some(1_000_000) };
            let sets = s.outputs[1].variable.sets.clone();
            s.outputs[1].variable.sets.extend(sets.into_iter().cycle().take(9));
        }),
        "output `area` has 11 sets of 1000000 samples, more than 10000000 in total; reduce the number of samples"
    );
    let linear = IntervalSet::type1(Set::linear(&[1.0], 0.0).unwrap());
    assert_eq!(
        plant().set("form", "few", linear).unwrap().check().unwrap_err().to_string(),
        "set `few` of output `form` has 1 coefficient, but the system has 2 inputs; specify one per input and a constant"
    );
    assert_eq!(
        plant().set("c", "few", IntervalSet::constant(0.0, 1.0).unwrap()).unwrap_err().to_string(),
        "the system has no variable `c`; available variables: `a`, `b`, `form`, `area`, `middle`"
    );
    assert_eq!(
        plant().infer_row(&[1.0], Dialect::Iec).unwrap_err().to_string(),
        "the system has 2 inputs, but 1 value was given; give one value per input"
    );
}

#[test]
fn an_explicitly_requested_gpu_is_rejected_and_best_uses_the_cpu() {
    let plan = compiled_plant(TypeReduction::NieTan);
    let table = Table::new(["a", "b"], vec![0.5, 0.25]).unwrap();
    let found = plan.infer(&table, &Device::best().unwrap()).unwrap();
    assert_eq!(found.outputs, found.lower);
    if let Ok(cuda) = Device::cuda(0) {
        let error = plan.infer(&table, &cuda).unwrap_err().to_string();
        assert_eq!(error, "an interval type-2 system is not yet supported on a GPU; use the device `cpu`");
    }
}
