//! Whole systems against the textbook's formulas, written out; published centroids; what is refused.

use super::{plant, searched};
use crate::device::Cpu;
use crate::inference::type2::{
    Contribution, Interval, IntervalPlan, IntervalSet, IntervalSystem, TypeReduction,
};
use crate::inference::{Activation, Defuzzifier, Dialect, Output, System, Variable, Weighted};
use crate::sets::Set;
use crate::{Device, Error, Table};

fn close(a: Interval, b: Interval, tolerance: f64) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() <= tolerance || a.is_nan() && b.is_nan();
    same(a.lower, b.lower) && same(a.upper, b.upper)
}

/// `plant`'s firing intervals, each end by its own formula.
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
    let most = |end: fn(Interval) -> f64| [first, second, third].map(end).into_iter().fold(0.0, f64::max);
    let last = Interval::new(1.0 - most(|w| w.upper), 1.0 - most(|w| w.lower));
    [first, second, third, last]
}

/// The bounds of `plant`'s two output sets.
fn output_sets(y: f64) -> [Interval; 2] {
    let triangle = |top: f64| (1.0 - (y - top).abs() / 2.0).clamp(0.0, 1.0);
    let moved = [triangle(1.75), triangle(2.25)];
    // Blurred by ¼: its top lies anywhere from 1.75 to 2.25.
    let most = if (1.75..=2.25).contains(&y) { 1.0 } else { moved[0].max(moved[1]) };
    [Interval::new(moved[0].min(moved[1]), most), Interval::new(0.5 * triangle(4.0), triangle(4.0))]
}

/// `plant`'s outputs by the textbook, every switch point tried.
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
            samples().map(|y| Contribution { center: Interval::exactly(y), strength: output_sets(y)[set] });
        searched(&all.collect::<Vec<_>>())
    };
    let centers = [center_of(0), center_of(1)];
    let rules = |z: [Interval; 2]| -> Vec<Contribution> {
        (0..4).map(|r| Contribution { center: z[set_of_rule[r]], strength: w[r] }).collect()
    };
    let area = samples().map(|y| {
        let implied = |end: fn(Interval) -> f64| {
            (0..4).map(|r| end(w[r]).min(end(output_sets(y)[set_of_rule[r]]))).fold(0.0, f64::max)
        };
        let strength = Interval::new(implied(|i| i.lower), implied(|i| i.upper));
        Contribution { center: Interval::exactly(y), strength }
    });
    [searched(&rules(forms)), searched(&area.collect::<Vec<_>>()), searched(&rules(centers))]
}

/// `plant` with its third output by the centers of its sets, each rule for itself.
fn prepared(reduction: TypeReduction) -> IntervalPlan {
    let plant = plant().type_reduction(reduction);
    let text = plant.to_fll().unwrap();
    let (before, middle) = text.split_once("OutputVariable: middle").unwrap();
    let middle = middle.replacen("Centroid", "WeightedAverage", 1).replacen("Maximum", "none", 1);
    let text = format!("{before}OutputVariable: middle{middle}");
    IntervalSystem::from_fll(&text).unwrap().compile(Dialect::Fuzzylite8).unwrap()
}

#[test]
fn a_system_agrees_with_the_textbook_and_an_exhaustive_search() {
    let mut worst = 0.0f64;
    for reduction in [TypeReduction::KarnikMendel, TypeReduction::Eiasc] {
        let plan = prepared(reduction);
        for i in 0..=12 {
            for j in 0..=12 {
                let (a, b) = (-3.0 + 0.5 * f64::from(i), -3.0 + 0.5 * f64::from(j));
                let row = plan.infer_row(&[a, b]).unwrap();
                let expected = textbook(a, b);
                for (found, expected) in row.firing.iter().zip(fired(a, b)) {
                    assert!(close(*found, expected, 1e-12), "{a} {b}: {found:?} {expected:?}");
                }
                for (k, range) in [18.0, 6.0, 6.0].into_iter().enumerate() {
                    let off = (row.ends[k].lower - expected[k].lower)
                        .abs()
                        .max((row.ends[k].upper - expected[k].upper).abs());
                    worst = worst.max(off / range);
                    assert!(off <= 1e-9 * range, "{a} {b} {k}: {:?} {:?}", row.ends[k], expected[k]);
                    assert!((row.outputs[k] - expected[k].middle()).abs() <= 1e-9 * range);
                }
            }
        }
    }
    assert!(worst > 0.0, "the oracle is not the code under test");
}

/// J. M. Mendel, *Uncertain Rule-Based Fuzzy Logic Systems*, 2001, example 9-4: Gaussians of σ = 1 whose mean lies in
/// [m̲, m̄], at 101 points of [0, 10]; five digits as the package type2fuzzy gives them for that example.
#[test]
fn published_centroids_of_gaussians_with_uncertain_mean() {
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
        let set = IntervalSet::gaussian_of_uncertain_mean(mean, 10.0 - mean, 1.0).unwrap();
        let centers = Defuzzifier::WeightedAverage { kind: Weighted::Automatic };
        for defuzzifier in [Defuzzifier::Centroid { samples: None }, centers] {
            let output = Output::new("y", 0.0, 10.0).defuzzifier(defuzzifier);
            let system = System::new("").input(Variable::new("a", 0.0, 1.0)).output(output);
            let system = IntervalSystem::new(system).set("y", "about", set.clone()).unwrap();
            let system = system.rule("if a is any then y is about").unwrap();
            for reduction in [TypeReduction::KarnikMendel, TypeReduction::Eiasc] {
                let row =
                    system.clone().type_reduction(reduction).infer_row(&[0.5], Dialect::Matlab).unwrap();
                // Half of the last digit, and the rounding of that half.
                let published = Interval::new(lower, 10.0 - lower);
                assert!(close(row.ends[0], published, 5.001e-6), "{mean}: {:?}", row.ends[0]);
                assert!((row.outputs[0] - 5.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_table_has_the_numbers_of_its_rows_whatever_the_number_of_threads() {
    let plan = prepared(TypeReduction::default());
    let values: Vec<f64> = (0..2 * 1500)
        .map(|i| if i % 97 == 0 { f64::NAN } else { 3.0 * (f64::from(i) * 0.37).sin() })
        .collect();
    let table = Table::new(["b", "a"], values.clone()).unwrap();
    for threads in [1, 3] {
        let found = plan.infer(&table, &Device::Cpu(Cpu::with_threads(threads).unwrap())).unwrap();
        assert_eq!(found.outputs.names(), ["form", "area", "middle"]);
        for (i, x) in values.chunks_exact(2).enumerate() {
            let row = plan.infer_row(&[x[1], x[0]]).unwrap();
            for k in 0..3 {
                let numbers =
                    [&found.outputs, &found.lower, &found.upper].map(|t| t.get(i, k).unwrap().to_bits());
                let expected = [row.outputs[k], row.ends[k].lower, row.ends[k].upper].map(f64::to_bits);
                assert_eq!(numbers, expected, "row {i}, output {k}");
            }
        }
    }
    let missing = Table::new(["a"], vec![1.0]).unwrap();
    assert!(matches!(plan.infer(&missing, &Device::cpu().unwrap()), Err(Error::UnknownColumn { .. })));
}

#[test]
fn rows_that_keep_the_value_before_come_one_after_the_other() {
    let output = Output::new("y", 0.0, 9.0).lock_previous(true);
    let system = System::new("").input(Variable::new("a", 0.0, 1.0)).output(output);
    let system = IntervalSystem::new(system)
        .set("a", "on", IntervalSet::lowered(Set::rectangle(0.5, 1.0).unwrap(), 0.5).unwrap())
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
    assert_eq!(found.lower.to_f64()[1..], [2.0, 3.0, 3.0]); // a value that was kept is one number
    assert_eq!(plan.infer_row_after(&[0.0], &[7.0]).unwrap().outputs, [7.0]);
}

#[test]
fn where_nothing_fires_the_dialect_answers() {
    let system = |output: Output| {
        let on = Set::rectangle(0.5, 1.0).unwrap();
        let system = System::new("").input(Variable::new("a", 0.0, 1.0).set("on", on)).output(output);
        let set = IntervalSet::lowered(Set::triangle(0.0, 1.0, 2.0).unwrap(), 0.5).unwrap();
        IntervalSystem::new(system).set("y", "z", set).unwrap().rule("if a is on then y is z").unwrap()
    };
    let ends = |output: Output, dialect| {
        let rows = [0.0, f64::NAN].map(|x| system(output.clone()).infer_row(&[x], dialect).unwrap());
        assert!(
            rows.iter()
                .all(|row| !row.fired[0] && row.ends[0].middle().to_bits() == row.outputs[0].to_bits())
        );
        (rows[0].ends[0], rows[1].ends[0])
    };
    let none = Interval::exactly(f64::NAN);
    for output in [
        Output::new("y", 0.0, 8.0),
        Output::new("y", 0.0, 8.0).defuzzifier(Defuzzifier::WeightedAverage { kind: Weighted::Automatic }),
    ] {
        let (zero, nan) = ends(output.clone(), Dialect::Fuzzylite8);
        assert!(close(zero, none, 0.0) && close(nan, none, 0.0));
        let (zero, nan) = ends(output.clone().default(2.5), Dialect::Fuzzylite6);
        assert_eq!((zero, nan), (Interval::exactly(2.5), Interval::exactly(2.5)));
        let (zero, nan) = ends(output, Dialect::Matlab);
        assert_eq!((zero, nan), (Interval::exactly(4.0), Interval::exactly(4.0)));
    }
}

#[test]
fn not_in_a_consequent_turns_the_set_around_in_matlab() {
    let output = Output::new("y", 0.0, 1.0);
    let system = System::new("").input(Variable::new("a", 0.0, 1.0)).output(output);
    let on = IntervalSet::new(Set::triangle(0.0, 1.0, 1.0).unwrap(), Set::ramp(0.0, 0.5).unwrap()).unwrap();
    let ramp = IntervalSet::lowered(Set::ramp(0.0, 1.0).unwrap(), 0.5).unwrap();
    let system = IntervalSystem::new(system).set("a", "on", on).unwrap().set("y", "z", ramp).unwrap();
    let system = system.rule("if a is on then y is not z").unwrap();
    let row = system.infer_row(&[1.0], Dialect::Matlab).unwrap();
    let contributions = (0..=100).map(|i| {
        let y = f64::from(i) / 100.0;
        Contribution { center: Interval::exactly(y), strength: Interval::new(1.0 - y, 1.0 - 0.5 * y) }
    });
    let expected = searched(&contributions.collect::<Vec<_>>());
    assert!(close(row.ends[0], expected, 1e-9), "{:?} {expected:?}", row.ends[0]);
}

#[test]
fn values_outside_a_locked_range_are_moved_to_its_end() {
    let output = Output::new("y", 0.0, 2.5).lock_range(true);
    let on = Set::ramp(0.0, 1.0).unwrap();
    let system = System::new("").input(Variable::new("a", 0.0, 1.0).set("on", on)).output(output);
    let system = IntervalSystem::new(system).set("y", "z", IntervalSet::constant(2.0, 4.0).unwrap()).unwrap();
    let row = system.rule("if a is on then y is z").unwrap().infer_row(&[0.5], Dialect::Iec).unwrap();
    assert_eq!((row.ends[0], row.outputs[0]), (Interval::new(2.0, 2.5), 2.25));
}

#[test]
fn what_has_no_meaning_between_intervals_is_refused() {
    let said = |change: &dyn Fn(&mut System)| {
        let mut system = plant().lower().clone();
        change(&mut system);
        IntervalSystem::new(system).check().unwrap_err().to_string()
    };
    assert_eq!(
        said(&|s| s.blocks[0].activation = Activation::Highest { rules: 1 }),
        "rule block 1 chooses rules by Highest, which cannot compare firing intervals; use General"
    );
    assert_eq!(
        said(&|s| s.blocks[0].rules[1].weight = -0.5),
        "rule 2 of rule block 1 has a negative weight, which a firing interval cannot have; give it one from 0 to 1"
    );
    assert_eq!(
        said(&|s| s.outputs[1].defuzzifier = Defuzzifier::Bisector { samples: None }),
        "output `area` has the defuzzifier Bisector, which has no type reduction; use Centroid or WeightedAverage"
    );
    assert_eq!(
        said(&|s| {
            let shape = Set::ramp(0.0, 1.0).unwrap();
            s.outputs[2].variable.sets.iter_mut().for_each(|named| named.set = shape.clone());
            s.outputs[2].defuzzifier = Defuzzifier::WeightedAverage { kind: Weighted::Tsukamoto };
        }),
        "output `middle` has the defuzzifier WeightedAverage Tsukamoto, which has no type reduction; use Centroid or \
         WeightedAverage"
    );
    assert_eq!(
        said(&|s| s.outputs[1].variable.sets[0].set = Set::constant(1.0).unwrap()),
        "set `few` of output `area` is a Constant of the row, which has no centroid; use WeightedAverage"
    );
    assert_eq!(
        said(&|s| s.outputs[0].variable.sets[0].set = Set::function("x * a").unwrap()),
        "set `few` of output `form` is a Function of `x` and of other variables, which has neither a value nor a center; \
         use one of `x` alone or one without it"
    );
    assert_eq!(
        said(&|s| {
            s.outputs[0].variable.sets[0].set = Set::ramp(0.0, 1.0).unwrap();
            s.outputs[0].variable.maximum = f64::INFINITY;
        }),
        "output `form` has sets and needs a finite range for their centers; give it one"
    );
    assert_eq!(
        said(&|s| {
            s.outputs[1].defuzzifier = Defuzzifier::Centroid { samples: Some(1_000_000) };
            let sets = s.outputs[1].variable.sets.clone();
            s.outputs[1].variable.sets.extend(sets.into_iter().cycle().take(9));
        }),
        "output `area` has 11 sets of 1000000 samples, more than 10000000 together; give it fewer"
    );
    let linear = IntervalSet::plain(Set::linear(&[1.0], 0.0).unwrap());
    assert_eq!(
        plant().set("form", "few", linear).unwrap().check().unwrap_err().to_string(),
        "set `few` of output `form` has 1 coefficients for 2 inputs; give one for each input and a constant"
    );
    assert_eq!(
        plant().set("c", "few", IntervalSet::constant(0.0, 1.0).unwrap()).unwrap_err().to_string(),
        "the system has no variable `c`; it has `a`, `b`, `form`, `area`, `middle`"
    );
    assert_eq!(
        plant().infer_row(&[1.0], Dialect::Iec).unwrap_err().to_string(),
        "the system has 2 inputs, but 1 values were given; give one for each input"
    );
}

#[test]
fn a_gpu_asked_for_by_name_is_refused_and_best_takes_the_cpu() {
    let plan = prepared(TypeReduction::NieTan);
    let table = Table::new(["a", "b"], vec![0.5, 0.25]).unwrap();
    let found = plan.infer(&table, &Device::best().unwrap()).unwrap();
    assert_eq!(found.outputs, found.lower);
    if let Ok(cuda) = Device::cuda(0) {
        let problem = plan.infer(&table, &cuda).unwrap_err().to_string();
        assert_eq!(problem, "an interval type-2 system does not run on a GPU yet; use the device `cpu`");
    }
}
