//! Compiled systems against the oracle, row by row.

use super::super::{
    Activation, Comparison, Conjunction, Defuzzifier, Dialect, Output, Plan, RuleBlock, System, Variable,
    Want, Weighted,
};
use super::tipper;
use crate::data::{Precision, Table};
use crate::device::{Cpu, Device, Simd};
use crate::progress::Progress;
use crate::sets::{SNorm, Set, TNorm};
use proptest::prelude::*;

/// Two numbers that differ by rounding only.
pub(super) fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= tolerance
}

/// The rows of an awkward table: a grid over and beyond the ranges, with missing and infinite values.
pub(super) fn rows(system: &System) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    let mut state = 1u64;
    for i in 0..150 {
        let row = system.inputs.iter().map(|input| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
            let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, input.minimum, input.maximum];
            match (state >> 5) as usize % 40 {
                n if n < odd.len() && i > 70 => odd[n],
                _ => input.minimum + (unit * 1.2 - 0.1) * (input.maximum - input.minimum),
            }
        });
        rows.push(row.collect());
    }
    rows
}

pub(super) fn table(rows: &[Vec<f64>]) -> Table {
    Table::unnamed(rows[0].len(), rows.concat()).unwrap()
}

/// Fails where the plan differs from the oracle in any row, output, firing or concluded strength.
fn agrees(system: &System, dialect: Dialect, cpu: &Cpu) -> Result<(), String> {
    let rows = rows(system);
    let plan = system.compile(dialect, Precision::F64).unwrap();
    let want = Want { firing: true, activated: true, fired: true };
    let device = Device::Cpu(cpu.clone());
    let inferred = plan.infer_with(&table(&rows), want, &device, Progress::none()).unwrap();
    let alone = plan.infer(&table(&rows), &device).unwrap();
    let mut previous = vec![f64::NAN; system.outputs.len()];
    let mut memory = plan.memory();
    for (r, row) in rows.iter().enumerate() {
        let oracle = system.infer_row_after(row, &previous, dialect).unwrap();
        let single = plan.infer_row(row, &mut memory).unwrap();
        for (i, want) in oracle.outputs.iter().enumerate() {
            let scale = system.outputs[i].variable.maximum.abs().max(want.abs()).max(1.0);
            let got = [inferred.outputs.get(r, i).unwrap(), alone.get(r, i).unwrap(), single[i]];
            if !got.iter().all(|got| near(*got, *want, 1e-9 * scale)) {
                return Err(format!("{} row {r} {row:?}: output {i} is {got:?}, not {want}", dialect.name()));
            }
            let fired = inferred.fired.as_ref().unwrap().get(r, i).unwrap();
            if (fired != 0.0) != oracle.fired[i] {
                return Err(format!("{} row {r} {row:?}: fired {fired}", dialect.name()));
            }
        }
        for (i, rule) in oracle.rules.iter().enumerate() {
            let got = inferred.firing.as_ref().unwrap().get(r, i).unwrap();
            if !near(got, rule.strength, 1e-12) {
                let want = rule.strength;
                return Err(format!("{} row {r} {row:?}: rule {i} fires {got}, not {want}", dialect.name()));
            }
        }
        previous.clone_from(&oracle.outputs);
    }
    Ok(())
}

pub(super) fn agrees_everywhere(system: &System) {
    for dialect in Dialect::ALL {
        for simd in Simd::all() {
            let cpu = Cpu::with_threads(2).unwrap().with_simd(simd);
            agrees(system, dialect, &cpu).unwrap();
        }
    }
}

/// Inputs `a` and `b` with three sets each, an output `y` of overlapping triangles.
pub(super) fn grid(block: RuleBlock, output: Output) -> System {
    let input = |name: &str| {
        Variable::new(name, 0.0, 1.0)
            .set("low", Set::triangle(-0.5, 0.0, 0.5).unwrap())
            .set("mid", Set::triangle(0.0, 0.5, 1.0).unwrap())
            .set("high", Set::triangle(0.5, 1.0, 1.5).unwrap())
    };
    let output = output
        .set("few", Set::triangle(-0.5, 0.0, 0.5).unwrap())
        .set("some", Set::triangle(0.0, 0.5, 1.0).unwrap())
        .set("many", Set::triangle(0.5, 1.0, 1.5).unwrap());
    let system = System::new("grid").input(input("a")).input(input("b")).output(output).block(block);
    [
        "if a is low and b is low then y is few",
        "if a is low and b is not mid then y is some with 0.5",
        "if a is very mid or b is somewhat low then y is few",
        "if a is mid and b is mid then y is some",
        "if a is mid and (b is high or a is seldom low) then y is many with 0.75",
        "if a is high and b is extremely low then y is not some",
        "if a is any then y is many with 0.125",
        "if y is many and a is low then y is few with 0.25",
    ]
    .iter()
    .fold(system, |system, rule| system.rule(rule).unwrap())
}

#[test]
fn every_norm_pair_activation_and_defuzzifier_agrees_with_the_oracle() {
    let few = Defuzzifier::Centroid { samples: Some(41) };
    let output = || Output::new("y", 0.0, 1.0).defuzzifier(few);
    for implication in TNorm::ALL {
        for aggregation in SNorm::ALL {
            let y = output().aggregation(Some(aggregation));
            agrees_everywhere(&grid(RuleBlock::new("").implication(implication), y));
        }
    }
    let threshold = |comparison| Activation::Threshold { comparison, threshold: 0.25 };
    let activations = [
        Activation::First { rules: 2, threshold: 0.125 },
        Activation::Last { rules: 2, threshold: 0.25 },
        Activation::Highest { rules: 3 },
        Activation::Lowest { rules: 2 },
        Activation::Proportional,
    ];
    for activation in activations.into_iter().chain(Comparison::ALL.map(threshold)) {
        agrees_everywhere(&grid(RuleBlock::new("").activation(activation), output()));
        let weighted = Defuzzifier::WeightedAverage { kind: Weighted::Automatic };
        agrees_everywhere(&grid(RuleBlock::new("").activation(activation), output().defuzzifier(weighted)));
    }
    for defuzzifier in Defuzzifier::ALL {
        for samples in [Some(1), Some(37)] {
            let y = output().defuzzifier(defuzzifier.with_samples(samples));
            agrees_everywhere(&grid(RuleBlock::new(""), y.clone()));
            agrees_everywhere(&grid(RuleBlock::new("").conjunction(Conjunction::Mean), y));
        }
    }
}

#[test]
fn values_of_the_row_before_and_defaults_carry_over_as_in_the_oracle() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::triangle(0.5, 0.75, 1.0).unwrap());
    for lock_range in [false, true] {
        let locked = Output::new("y", 0.0, 1.0)
            .set("high", Set::ramp(0.0, 2.0).unwrap())
            .lock_previous(true)
            .lock_range(lock_range)
            .default(3.0);
        let system = System::new("locked").input(input.clone()).output(locked);
        agrees_everywhere(&system.clone().rule("if a is on then y is high").unwrap());
        // An output that is read by the next row's formulas makes rows depend on each other.
        let sum = Output::new("sum", 0.0, 9.0)
            .set("grown", Set::function("y + 0.5 * sum + a").unwrap())
            .default(0.25)
            .lock_previous(true);
        let chained = system.output(sum);
        agrees_everywhere(&chained.rule("if a is on then y is high and sum is grown").unwrap());
    }
}

#[test]
fn consequents_of_every_kind_agree_with_the_oracle() {
    let input = |name: &str| {
        Variable::new(name, -1.0, 1.0)
            .set("n", Set::gaussian(-1.0, 0.5).unwrap())
            .set("p", Set::bell(1.0, 0.5, 2.5).unwrap())
            .lock_range(true)
    };
    for defuzzifier in [
        Defuzzifier::WeightedAverage { kind: Weighted::Automatic },
        Defuzzifier::WeightedAverage { kind: Weighted::TakagiSugeno },
        Defuzzifier::WeightedSum { kind: Weighted::Automatic },
        Defuzzifier::Centroid { samples: Some(50) },
        Defuzzifier::MeanOfMaximum { samples: Some(50) },
    ] {
        for aggregation in [None, Some(SNorm::Maximum), Some(SNorm::AlgebraicSum)] {
            if aggregation.is_none() && defuzzifier.is_sampled() {
                continue;
            }
            let output = Output::new("y", 0.0, 4.0)
                .set("number", Set::constant(0.5).unwrap())
                .set("plane", Set::linear(&[0.25, -0.5], 0.75).unwrap())
                .set("formula", Set::function("0.25 * log(a + 1) ^ 2 + 0.125 * x").unwrap())
                .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
                .set("concave", Set::concave(1.0, 2.0).unwrap())
                .set("s", Set::s_shape(0.0, 3.0).unwrap())
                .set("z", Set::z_shape(1.0, 4.0).unwrap())
                .set("arc", Set::arc(0.0, 4.0).unwrap())
                .defuzzifier(defuzzifier)
                .aggregation(aggregation);
            let system = System::new("mixed").input(input("a")).input(input("b")).output(output);
            let rules = [
                "if a is n then y is number and y is very plane",
                "if b is p then y is plane",
                "if a is p and b is n then y is formula",
                "if a is not n then y is sigmoid with 0.5",
                "if b is n then y is concave and y is s with 0.75",
                "if a is p or b is p then y is z",
                "if a is n and b is n then y is arc and y is number",
                "else y is plane",
            ];
            agrees_everywhere(&rules.iter().fold(system, |system, rule| system.rule(rule).unwrap()));
        }
    }
}

#[test]
fn single_precision_is_near_double() {
    for dialect in Dialect::ALL {
        let system = tipper();
        let rows = rows(&system);
        let cpu = Device::cpu().unwrap();
        let run = |precision| system.compile(dialect, precision).unwrap().infer(&table(&rows), &cpu).unwrap();
        let (single, double) = (run(Precision::F32), run(Precision::F64));
        for (row, values) in rows.iter().enumerate() {
            let (a, b) = (single.get(row, 0).unwrap(), double.get(row, 0).unwrap());
            assert!(near(a, b, 30.0 * 1e-5), "{dialect:?} {values:?}: {a} and {b}");
        }
    }
}

#[test]
fn inverse_memberships_agree_with_the_oracle() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap());
    for kind in [Weighted::Automatic, Weighted::Tsukamoto] {
        let output = Output::new("y", 0.0, 4.0)
            .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
            .set("concave", Set::concave(2.0, 1.0).unwrap())
            .set("s", Set::s_shape(0.0, 3.0).unwrap().with_height(0.75).unwrap())
            .set("z", Set::z_shape(1.0, 4.0).unwrap())
            .set("arc", Set::arc(4.0, 0.0).unwrap())
            .set("ramp", Set::ramp(3.0, 0.0).unwrap())
            .defuzzifier(Defuzzifier::WeightedAverage { kind });
        let system = System::new("monotone").input(input.clone()).output(output);
        let rules = [
            "if a is on then y is sigmoid and y is s with 0.75",
            "if a is not on then y is concave and y is ramp with 0.5",
            "if a is very on then y is z and y is arc",
        ];
        agrees_everywhere(&rules.iter().fold(system, |system, rule| system.rule(rule).unwrap()));
    }
}

#[test]
fn exact_centroids_are_what_many_samples_tend_to() {
    let sets = |mut output: Output| {
        for (name, set) in [
            ("few", Set::triangle(-0.5, 0.0, 0.5)),
            ("some", Set::trapezoid(0.0, 0.375, 0.5, 0.875)),
            ("many", Set::ramp(0.25, 1.0)),
            ("points", Set::discrete(&[(0.125, 0.0), (0.25, 0.75), (0.5, 0.25), (0.75, 0.0)])),
        ] {
            output = output.set(name, set.unwrap());
        }
        output
    };
    let input = |name: &str| {
        Variable::new(name, 0.0, 1.0)
            .set("low", Set::ramp(1.0, 0.0).unwrap())
            .set("high", Set::gaussian(1.0, 0.25).unwrap())
    };
    let with = |samples: usize| {
        let output = Output::new("y", 0.0, 1.0).defuzzifier(Defuzzifier::Centroid { samples: Some(samples) });
        let system = System::new("lines").input(input("a")).input(input("b")).output(sets(output));
        [
            "if a is low and b is low then y is few",
            "if a is high then y is some with 0.75",
            "if b is high and a is low then y is many",
            "if a is somewhat high or b is very high then y is points",
        ]
        .iter()
        .fold(system, |system, rule| system.rule(rule).unwrap())
    };
    let (many, dialect) = (with(400_000), Dialect::Fuzzylite8);
    for precision in [Precision::F64, Precision::F32] {
        let plan = with(10).compile_exact(dialect, precision).unwrap();
        let mut memory = plan.memory();
        // The rule of midpoints is off by about the square of the step; single precision by its rounding.
        let tolerance = if precision == Precision::F64 { 1e-10 } else { 1e-5 };
        for row in rows(&many).iter().take(40) {
            let want = many.infer_row(row, dialect).unwrap().outputs[0];
            let got = plan.infer_row(row, &mut memory).unwrap()[0];
            assert!(near(got, want, tolerance), "{row:?}: {got} for {want}");
        }
    }
    // One clipped triangle by hand: 0, 1, 1, 0 clipped at ½ is symmetric; half of a ramp is not.
    let half = System::new("half")
        .input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap()))
        .output(Output::new("y", 0.0, 1.0).set("ramp", Set::ramp(0.0, 1.0).unwrap()))
        .rule("if a is on then y is ramp")
        .unwrap();
    let plan = half.compile_exact(dialect, Precision::F64).unwrap();
    let got = plan.infer_row(&[0.5], &mut plan.memory()).unwrap()[0];
    // ∫ y·min(y, ½) = 1/24 + 3/16 = 11/48 over ∫ min(y, ½) = 1/8 + 1/4 = 3/8.
    assert!((got - 11.0 / 18.0).abs() < 1e-15, "{got}");
    let curved = tipper().compile_exact(dialect, Precision::F64);
    assert!(curved.is_ok(), "the tipper's outputs are triangles");
    let bent = grid(RuleBlock::new("").implication(TNorm::AlgebraicProduct), Output::new("y", 0.0, 1.0));
    let sentence = bent.compile_exact(dialect, Precision::F64).unwrap_err().to_string();
    assert!(sentence.contains("take samples"), "{sentence}");
}

#[test]
fn jumps_of_sets_are_integrated_exactly() {
    let system = |samples: usize| {
        System::new("jumps")
            .input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap()))
            .output(
                Output::new("y", 0.0, 1.0)
                    .set("block", Set::rectangle(0.125, 0.375).unwrap())
                    .set("end", Set::binary(0.25, f64::INFINITY).unwrap())
                    .defuzzifier(Defuzzifier::Centroid { samples: Some(samples) }),
            )
            .rule("if a is on then y is block")
            .unwrap()
            .rule("if a is not on then y is end")
            .unwrap()
    };
    let plan = system(10).compile_exact(Dialect::Fuzzylite8, Precision::F64).unwrap();
    let mut memory = plan.memory();
    for a in [0.0, 0.25, 0.5, 0.875, 1.0] {
        // Eighths are ends of samples, so that none is cut.
        let want = system(1 << 12).infer_row(&[a], Dialect::Fuzzylite8).unwrap().outputs[0];
        let got = plan.infer_row(&[a], &mut memory).unwrap()[0];
        assert!((got - want).abs() < 1e-12, "{a}: {got} for {want}");
    }
}

#[test]
fn a_table_in_pieces_gives_what_it_gives_as_a_whole() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::triangle(0.5, 0.75, 1.0).unwrap());
    let output = Output::new("y", 0.0, 2.0).set("high", Set::ramp(0.0, 2.0).unwrap()).lock_previous(true);
    let system = System::new("kept").input(input).output(output).rule("if a is on then y is high").unwrap();
    let plan = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
    let (rows, cpu) = (rows(&system), Device::cpu().unwrap());
    let whole = plan.infer(&table(&rows), &cpu).unwrap();
    let mut previous = [f64::NAN];
    let mut pieces = Vec::new();
    for piece in rows.chunks(7) {
        let found =
            plan.infer_after(&table(piece), Want::default(), &cpu, Progress::none(), &mut previous).unwrap();
        pieces.extend(found.outputs.to_f64().iter().copied());
    }
    assert!(whole.to_f64().iter().zip(&pieces).all(|(a, b)| near(*a, *b, 0.0)));
    assert!(whole.to_f64().windows(2).any(|pair| pair[0] == pair[1]), "some value is kept");
}

/// A rule that is not chosen must not cut the strength of one that is, which an unbounded sum makes more than 1.
#[test]
fn strengths_above_1_are_joined_with_those_of_chosen_rules_only() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap());
    for aggregation in SNorm::ALL {
        let output = Output::new("y", 0.0, 9.0)
            .set("two", Set::constant(2.0).unwrap())
            .set("sum", Set::linear(&[3.0], 1.0).unwrap())
            .aggregation(Some(aggregation));
        let block =
            RuleBlock::new("").disjunction(SNorm::UnboundedSum).activation(Activation::Highest { rules: 2 });
        let system = System::new("more").input(input.clone()).output(output).block(block);
        let rules = [
            "if a is on or a is on then y is sum",
            "if a is on then y is sum with 0.5",
            "if a is any then y is two",
        ];
        agrees_everywhere(&rules.iter().fold(system, |system, rule| system.rule(rule).unwrap()));
    }
}

/// A set that no sample meets has no area, and MATLAB then takes the middle of the range.
#[test]
fn matlab_takes_the_middle_where_no_sample_shows_what_was_concluded() {
    let system = System::new("narrow")
        .input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap()))
        .output(Output::new("y", 0.0, 8.0).set("thin", Set::triangle(5.01, 5.02, 5.03).unwrap()))
        .rule("if a is on then y is thin")
        .unwrap();
    agrees_everywhere(&system);
    let plan = system.compile(Dialect::Matlab, Precision::F64).unwrap();
    assert_eq!(plan.infer_row(&[1.0], &mut plan.memory()).unwrap(), [4.0]);
}

/// The published numbers of MATLAB's tipper.
#[test]
fn the_tipper_has_matlabs_numbers() {
    let plan: Plan = tipper().compile(Dialect::Matlab, Precision::F64).unwrap();
    let mut memory = plan.memory();
    for (inputs, want) in [([2.0, 1.0], 7.0169), ([4.0, 5.0], 14.4585), ([7.0, 8.0], 20.3414)] {
        let got = plan.infer_row(&inputs, &mut memory).unwrap()[0];
        assert!((got - want).abs() < 5e-5, "{inputs:?}: {got}");
    }
}

#[test]
fn a_column_that_is_not_there_is_named_and_others_are_ignored() {
    let plan = tipper().compile(Dialect::Matlab, Precision::F64).unwrap();
    let cpu = Device::cpu().unwrap();
    let wide = Table::new(["night", "food", "service"], vec![1.0, 1.0, 2.0]).unwrap();
    assert!((plan.infer(&wide, &cpu).unwrap().get(0, 0).unwrap() - 7.0169).abs() < 5e-5);
    let short = Table::new(["service", "mood"], vec![1.0, 1.0]).unwrap();
    let sentence = plan.infer(&short, &cpu).unwrap_err().to_string();
    assert!(sentence.contains("`food`"), "{sentence}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn results_do_not_depend_on_blocks_threads_or_neighbours(first in 0usize..150, count in 1usize..150) {
        let system = tipper();
        let rows = rows(&system);
        let rows = &rows[first..(first + count).min(rows.len())];
        let plan = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
        let all = plan.infer(&table(rows), &Device::cpu().unwrap()).unwrap();
        for (i, row) in rows.iter().enumerate() {
            let alone = plan.infer(&table(std::slice::from_ref(row)), &Device::cpu().unwrap()).unwrap();
            prop_assert!(near(alone.get(0, 0).unwrap(), all.get(i, 0).unwrap(), 1e-12));
        }
    }
}
