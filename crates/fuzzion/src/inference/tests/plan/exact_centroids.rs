//! Centroids in closed form.

use super::super::tipper;
use super::{grid, near, rows};
use crate::data::Precision;
use crate::inference::{Defuzzifier, Dialect, Output, RuleBlock, System, Variable};
use crate::sets::{Set, TNorm};

#[test]
fn exact_centroids_are_the_limit_of_many_samples() {
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
    let rows: Vec<_> = rows(&many).into_iter().take(40).collect();
    let sampled: Vec<f64> = rows.iter().map(|row| many.infer_row(row, dialect).unwrap().outputs[0]).collect();
    for precision in [Precision::F64, Precision::F32] {
        let plan = with(10).compile_exact(dialect, precision).unwrap();
        let mut state = plan.state();
        // The error of the midpoint rule is about the square of the step; single precision adds rounding errors.
        let tolerance = if precision == Precision::F64 { 1e-10 } else { 1e-5 };
        for (row, want) in rows.iter().zip(&sampled) {
            let got = plan.infer_row(row, &mut state).unwrap()[0];
            assert!(near(got, *want, tolerance), "{row:?}: {got}, not {want}");
        }
    }
    // A ramp clipped at ½, computed by hand.
    let half = System::new("half")
        .input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap()))
        .output(Output::new("y", 0.0, 1.0).set("ramp", Set::ramp(0.0, 1.0).unwrap()))
        .rule("if a is on then y is ramp")
        .unwrap();
    let plan = half.compile_exact(dialect, Precision::F64).unwrap();
    let got = plan.infer_row(&[0.5], &mut plan.state()).unwrap()[0];
    // ∫ y·min(y, ½) = 1/24 + 3/16 = 11/48 over ∫ min(y, ½) = 1/8 + 1/4 = 3/8.
    assert!((got - 11.0 / 18.0).abs() < 1e-15, "{got}");
    let exact = tipper().compile_exact(dialect, Precision::F64);
    assert!(exact.is_ok(), "the tipper's output sets are triangles");
    let product = grid(RuleBlock::new("").implication(TNorm::AlgebraicProduct), Output::new("y", 0.0, 1.0));
    let error = product.compile_exact(dialect, Precision::F64).unwrap_err().to_string();
    assert!(error.contains("use the sampled centroid"), "{error}");
}

#[test]
fn exact_centroids_support_discontinuous_sets() {
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
    let mut state = plan.state();
    for a in [0.0, 0.25, 0.5, 0.875, 1.0] {
        // Eighths are boundaries between samples, so sampling is exact.
        let want = system(1 << 12).infer_row(&[a], Dialect::Fuzzylite8).unwrap().outputs[0];
        let got = plan.infer_row(&[a], &mut state).unwrap()[0];
        assert!((got - want).abs() < 1e-12, "{a}: {got}, not {want}");
    }
}
