//! Formulas over arrays against the same formulas over single numbers, and arrays parsed from text.

use super::expr::formula;
use super::oracle::Random;
use crate::Device;
use crate::arithmetic::ArithmeticError;
use crate::arithmetic::{AlphaCut, Evaluation, Expr, FuzzyLu, FuzzyMr, LuArray, MrArray};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

const EVALUATIONS: [Evaluation; 3] = [Evaluation::Direct, Evaluation::Vertex, Evaluation::Affine];

fn apply<A: crate::arithmetic::expr::Column>(
    formula: &str,
    columns: &[(&str, &A)],
    cuts: usize,
    evaluation: Evaluation,
) -> Result<A, ArithmeticError> {
    Expr::new(formula)?.apply(columns, cuts, evaluation, &Device::cpu()?)
}

/// Random numbers with N cuts, occasionally unbounded or crisp.
fn numbers<const N: usize>(count: usize, random: &mut Random) -> Vec<FuzzyLu<f64, N>> {
    let number = |_| {
        let mut bound = || match random.below(12) {
            0 => 0.0,
            1 => f64::INFINITY,
            2 => 1e-310,
            _ => random.below(1 << 20) as f64 / 4096.0 - 100.0,
        };
        let mut ends: Vec<f64> = (0..2 * N).map(|_| bound()).collect();
        ends[0] = -ends[0]; // only a lower bound may be −∞
        ends.sort_by(f64::total_cmp);
        let cuts = std::array::from_fn::<AlphaCut<f64>, N, _>(|i| AlphaCut {
            lower: ends[i],
            upper: ends[2 * N - 1 - i],
        });
        let finite = cuts.map(|cut| cut.lower.min(f64::MAX));
        FuzzyLu::from_cuts(finite, cuts.map(|cut| cut.upper.max(-f64::MAX))).unwrap()
    };
    (0..count).map(number).collect()
}

/// Compares a formula over arrays with the formula over single numbers, for every encoding and evaluation method.
fn compare<const N: usize>(formula: &str, seed: u64) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let (x, y) = (numbers::<N>(19, &mut random), numbers::<N>(1, &mut random)); // more than one block; broadcast
    let expr = Expr::new(formula).unwrap();
    for evaluation in EVALUATIONS {
        let columns = [("x", &LuArray::from_numbers(&x)), ("y", &LuArray::from_numbers(&y))];
        let got = apply(formula, &columns, N, evaluation).unwrap();
        let (x_mr, y_mr): (Vec<FuzzyMr<f64, N, f32>>, Vec<_>) =
            (x.iter().map(|x| (*x).into()).collect(), y.iter().map(|y| (*y).into()).collect());
        let columns = [("x", &MrArray::from_numbers(&x_mr)), ("y", &MrArray::from_numbers(&y_mr))];
        let got_mr = apply(formula, &columns, N, evaluation).unwrap();
        let once = !expr.variables().contains(&"x".to_owned());
        prop_assert_eq!(got.len(), if once { 1 } else { 19 });
        for i in 0..got.len() {
            let expected = expr.evaluate(&[("x", x[i]), ("y", y[0])], evaluation).unwrap();
            prop_assert_eq!(
                got.number::<N>(i).unwrap(),
                expected,
                "{} by {} of {}",
                formula,
                evaluation,
                x[i]
            );
            prop_assert_eq!(got.text(i), expected.to_string());
            let expected = expr.evaluate(&[("x", x_mr[i]), ("y", y_mr[0])], evaluation).unwrap();
            prop_assert_eq!(
                got_mr.number::<N>(i).unwrap(),
                expected,
                "{} by {} of {}",
                formula,
                evaluation,
                x_mr[i]
            );
            prop_assert_eq!(got_mr.text(i), expected.to_string());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_formula_over_arrays_is_bit_identical_to_one_over_numbers((text, _) in formula(), seed in any::<u64>()) {
        compare::<1>(&text, seed)?;
        compare::<4>(&text, seed)?;
    }

    #[test]
    fn functions_over_arrays_are_bit_identical_to_those_over_numbers(
        text in prop::sample::select(&["fma(x, y, x)", "sqrt(x - y) + exp(x / 64)", "log(abs(x)) * gauss(1, 0.25)", "x ^ -3 + recip(y)", "mid(1, 0.5) * x"][..]),
        seed in any::<u64>(),
    ) {
        compare::<3>(text, seed)?;
    }

    #[test]
    fn a_parsed_array_equals_its_parsed_elements(seed in any::<u64>()) {
        let x = numbers::<3>(20, &mut Random(seed));
        let texts: Vec<String> = x.iter().map(FuzzyLu::to_string).collect();
        let column = LuArray::<f64>::parse(3, &texts).unwrap();
        let single = LuArray::<f32>::parse(3, &texts).unwrap();
        for (i, x) in x.iter().enumerate() {
            prop_assert_eq!(column.number::<3>(i).unwrap(), *x);
            prop_assert_eq!(single.text(i), single.number::<3>(i).unwrap().to_string());
            for cut in 0..3 {
                // Digits that f32 cannot represent are rounded outward.
                let (inner, outer) = (x.cut(cut), single.cut(i, cut));
                prop_assert!(f64::from(outer.lower) <= inner.lower && inner.upper <= f64::from(outer.upper), "{}", x);
            }
        }
    }
}

#[test]
fn array_literals_equal_scalar_literals_for_any_number_of_cuts() {
    let texts = [
        "tri(1, 2, 4)",
        "trap(-1, 0, 0.1, 3)",
        "gauss(5, 0.5)",
        "bell(5, 1, 2)",
        "[0.1, 3]",
        "0.1",
        "cuts([1, 2])",
        "mid(2, 0.5)",
    ];
    fn check<const N: usize>(texts: &[&str]) {
        let (lu, mr) =
            (LuArray::<f32>::parse(N, texts).unwrap(), MrArray::<f64, f32>::parse(N, texts).unwrap());
        for (i, text) in texts.iter().enumerate() {
            assert_eq!(lu.number::<N>(i).unwrap(), text.parse().unwrap(), "{text}");
            assert_eq!(mr.number::<N>(i).unwrap(), text.parse().unwrap(), "{text}");
        }
    }
    check::<1>(&texts);
    check::<5>(&texts);
    check::<24>(&texts);
    let many = LuArray::<f64>::parse(1001, &["tri(0, 1, 3)"]).unwrap();
    assert_eq!((many.cut(0, 500).lower, many.cut(0, 500).upper), (0.5, 2.0)); // halfway up
}

#[test]
fn a_formula_without_variables_yields_one_number() {
    let got: LuArray<f64> =
        apply("tri(1,2,3) * trap(2,3,4,5) / [0.5,2]", &[], 2, Evaluation::Direct).unwrap();
    assert_eq!((got.len(), got.text(0)), (1, "cuts([1, 30], [3, 16])".into()));
    let none = LuArray::<f64>::parse(2, &[] as &[&str]).unwrap();
    assert_eq!(apply("x + 1", &[("x", &none)], 2, Evaluation::Vertex).unwrap().len(), 0);
}

#[test]
fn incompatible_columns_are_rejected_with_one_sentence() {
    let of = |cuts: usize, texts: &[&str]| LuArray::<f64>::parse(cuts, texts).unwrap();
    let (one, two, three, deep) = (of(2, &["1"]), of(2, &["1", "2"]), of(2, &["1"; 3]), of(3, &["1", "2"]));
    let message = |formula: &str, columns: &[(&str, &LuArray<f64>)], cuts: usize| {
        apply(formula, columns, cuts, Evaluation::Direct).unwrap_err().to_string()
    };
    assert_eq!(
        message("x * y + z", &[("x", &one), ("y", &two), ("z", &three)], 2),
        "the variable `z` has 3 numbers, but 2 are needed; all variables must have the same length, or length 1"
    );
    assert_eq!(
        message("x + y", &[("x", &two), ("y", &deep)], 2),
        "the variable `y` has 3 alpha-cuts, but 2 are needed; use the same number of alpha-cuts for all variables"
    );
    assert_eq!(
        message("x + y", &[("x", &two)], 2),
        "the variable `y` has no value; variables with values: `x`\n  x + y\n      ^"
    );
    assert_eq!(message("1", &[], 0), "array: `cuts` is 0, but it must be at least 1");
    assert_eq!(
        message("x + cuts([1, 2], [1, 2], [1, 1])", &[("x", &two)], 2),
        "expected 2 alpha-cuts, or 1 for all levels, but 3 were given\n  x + cuts([1, 2], [1, 2], [1, 1])\n      ^"
    );
}

#[test]
fn the_index_of_an_invalid_number_is_reported() {
    let message = |texts: &[&str]| LuArray::<f64>::parse(2, texts).unwrap_err().to_string();
    assert_eq!(
        message(&["1", "[1, 2]", "cuts([1, 3], [0, 2])"]),
        "number 3: alpha-cut 1 is [0, 2], but it must be within the previous alpha-cut\n  cuts([1, 3], [0, 2])\n               ^"
    );
    assert_eq!(message(&["1 2"]), "number 1: expected the end of the text\n  1 2\n    ^");
    let wrong = MrArray::<f64, f32>::parse(2, &["mid(1, 2, 3)"]).unwrap_err();
    assert!(matches!(wrong, ArithmeticError::InvalidNumber { column: 11, .. }), "{wrong}");
}

#[test]
fn evaluation_can_be_interrupted_and_reports_progress() {
    let x = LuArray::<f64>::crisp(2, &vec![1.5; 1000]).unwrap();
    let stop = |done: u64, _| if done > 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let expr = Expr::new("x * x").unwrap();
    let run = |device: Device| expr.apply(&[("x", &x)], 2, Evaluation::Direct, &device);
    let cpu = Device::cpu().unwrap();
    assert!(matches!(run(cpu.with_progress(stop)), Err(ArithmeticError::Interrupted)));
    static TOTAL: AtomicU64 = AtomicU64::new(0);
    let watch = |done: u64, all: u64| {
        assert!(done <= all);
        TOTAL.store(all, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    assert_eq!(run(cpu.with_progress(watch)).unwrap().len(), 1000);
    assert_eq!(TOTAL.load(Ordering::Relaxed), 1000);
}
