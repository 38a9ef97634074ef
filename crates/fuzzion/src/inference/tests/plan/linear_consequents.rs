//! Takagi-Sugeno systems on tables of finite inputs, for which the plan sums in a different order than the reference.

use super::near;
use crate::data::{Precision, Table};
use crate::device::{Cpu, Device, Simd};
use crate::inference::{Conjunction, Dialect, Output, RuleBlock, System, Variable};
use crate::random::Random;
use crate::sets::{Set, TNorm};

/// A system with two sets per input: a rule for every pair of sets of the first and the last input, and one rule for the
/// first set of each input.
fn system(inputs: usize, linear: bool) -> System {
    let mut system = System::new("linear")
        .block(RuleBlock::new("").conjunction(Conjunction::Norm(TNorm::AlgebraicProduct)));
    for i in 0..inputs {
        let input = Variable::new(format!("x{i}"), 0.0, 1.0)
            .set("low", Set::gaussian(0.1, 0.3).unwrap())
            .set("high", Set::gaussian(0.8, 0.25).unwrap());
        system = system.input(input);
    }
    let mut rules = Vec::new();
    for first in ["low", "high"] {
        for last in ["low", "high"] {
            rules.push(format!("if x0 is {first} and x{} is {last} then", inputs - 1));
        }
    }
    for i in 0..inputs {
        rules.push(format!("if x{i} is low then"));
    }
    let mut random = Random::new(inputs as u64);
    let mut output = Output::new("y", -9.0, 9.0);
    for rule in 0..rules.len() {
        let coefficients: Vec<f64> = (0..inputs).map(|_| random.between(-1.0, 1.0)).collect();
        let set = match linear {
            true => Set::linear(&coefficients, random.between(-1.0, 1.0)).unwrap(),
            false => Set::constant(random.between(-1.0, 1.0)).unwrap(),
        };
        output = output.set(format!("z{rule}"), set);
    }
    system = system.output(output);
    for (i, rule) in rules.iter().enumerate() {
        system = system.rule(&format!("{rule} y is z{i}")).unwrap();
    }
    system
}

#[test]
fn tables_match_the_reference_for_any_number_of_inputs_and_other_columns() {
    const ROWS: usize = 700; // several blocks, the last one incomplete
    for inputs in 1..=5 {
        for others in 0..3 {
            let mut random = Random::new(7);
            let width = inputs + others;
            let values: Vec<f64> = (0..ROWS * width).map(|_| random.between(-0.2, 1.2)).collect();
            let values_f32: Vec<f32> = values.iter().map(|x| *x as f32).collect();
            let names: Vec<String> = (0..width)
                .map(|i| if i < others { format!("other{i}") } else { format!("x{}", i - others) })
                .collect();
            let table = Table::new(names.clone(), values).unwrap();
            let table_f32 = Table::new(names, values_f32).unwrap();
            for linear in [false, true] {
                let system = system(inputs, linear);
                let double = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
                let single = system.compile(Dialect::Fuzzylite8, Precision::F32).unwrap();
                for simd in Simd::all() {
                    let device = Device::from(Cpu::with_threads(1).unwrap().with_simd(simd));
                    let got = double.infer(&table, &device).unwrap();
                    let got_f32 = single.infer(&table_f32, &device).unwrap();
                    for row in 0..ROWS {
                        let x: Vec<f64> = (others..width).map(|i| table.get(row, i).unwrap()).collect();
                        let want = system.infer_row(&x, Dialect::Fuzzylite8).unwrap().outputs[0];
                        let got = got.get(row, 0).unwrap();
                        // Sums of at most nine numbers below 6 over sums of weights: a few rounding errors.
                        assert!(
                            near(got, want, 1e-13),
                            "{inputs} {linear} {simd:?} row {row}: {got}, not {want}"
                        );
                        let got_f32 = got_f32.get(row, 0).unwrap();
                        assert!(
                            near(got_f32, want, 2e-5),
                            "{inputs} {linear} {simd:?} row {row}: {got_f32}, not {want}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn rows_without_a_firing_rule_do_not_affect_other_rows() {
    // Triangles with bounded support: in many rows no rule fires, and the general routine runs as a fallback.
    let input =
        |name: &str| Variable::new(name, 0.0, 1.0).set("near", Set::triangle(-0.4, 0.2, 0.9).unwrap());
    let conclusions = [Set::constant(44.0).unwrap(), Set::linear(&[1.5, -2.0, 0.5], 3.0).unwrap()];
    for conclusion in conclusions {
        for aggregation in [None, Some(crate::sets::SNorm::Maximum)] {
            let output = Output::new("y", -50.0, 50.0).set("z", conclusion.clone()).aggregation(aggregation);
            let system = System::new("gaps")
                .input(input("a"))
                .input(input("b"))
                .input(input("c"))
                .output(output)
                .block(RuleBlock::new("").conjunction(Conjunction::Norm(TNorm::AlgebraicProduct)))
                .rule("if a is near and b is near and c is near then y is z")
                .unwrap();
            let mut random = Random::new(5);
            let values: Vec<f32> = (0..3 * 900).map(|_| random.between(-1.0, 1.5) as f32).collect();
            let table = Table::new(["a", "b", "c"], values.clone()).unwrap();
            for precision in [Precision::F32, Precision::F64] {
                let plan = system.compile(Dialect::Fuzzylite8, precision).unwrap();
                for simd in Simd::all() {
                    let device = Device::from(Cpu::with_threads(1).unwrap().with_simd(simd));
                    let found = plan.infer(&table, &device).unwrap();
                    let mut without_firing = 0;
                    for (row, x) in values.chunks_exact(3).enumerate() {
                        let x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
                        let want = system.infer_row(&x, Dialect::Fuzzylite8).unwrap().outputs[0];
                        let got = found.get(row, 0).unwrap();
                        without_firing += usize::from(want.is_nan());
                        assert!(
                            near(got, want, 2e-5),
                            "{precision} {simd:?} row {row} {x:?}: {got}, not {want}"
                        );
                    }
                    assert!((100..800).contains(&without_firing));
                }
            }
        }
    }
}

#[test]
fn without_firing_rules_sets_with_tiny_tails_have_no_centroid_in_either_precision() {
    use crate::inference::Defuzzifier;
    let tails =
        [Set::spike(4.2, 7.196).unwrap(), Set::sigmoid(4.0, 2.0).unwrap(), Set::gaussian(3.0, 2.0).unwrap()];
    for set in tails {
        for samples in [37, 100, 1000] {
            let output = Output::new("y", -100.0, 100.0)
                .set("z", set.clone())
                .defuzzifier(Defuzzifier::Centroid { samples: Some(samples) });
            let system = System::new("tails")
                .input(Variable::new("x", -1.0, 1.0).set("zero", Set::triangle(-1.0, 0.0, 1.0).unwrap()))
                .output(output)
                .rule("if x is zero then y is z")
                .unwrap();
            let table = Table::new(["x"], vec![0.0f32, 0.5, 0.75, 5.0, 0.25]).unwrap();
            for precision in [Precision::F32, Precision::F64] {
                let plan = system.compile(Dialect::Fuzzylite8, precision).unwrap();
                let found = plan.infer(&table, &Device::cpu().unwrap()).unwrap();
                for row in 0..table.rows() {
                    let x = table.get(row, 0).unwrap();
                    let want = system.infer_row(&[x], Dialect::Fuzzylite8).unwrap().outputs[0];
                    let got = found.get(row, 0).unwrap();
                    assert!(near(got, want, 1e-3), "{precision} {samples} at {x}: {got}, not {want}");
                }
            }
        }
    }
}
