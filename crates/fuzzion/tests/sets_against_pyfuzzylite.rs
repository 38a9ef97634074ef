//! Memberships, inverses, norms, hedges and expressions against pyfuzzylite 8.0.6, number by number.
#![allow(clippy::unwrap_used)] // tests

mod peers;

use fuzzion::sets::expression::Expression;
use fuzzion::sets::{Hedge, SNorm, Set, TNorm};
use std::fmt::Write as _;

/// Answers one line of numbers per line of questions.
const SCRIPT: &str = r#"
import sys
import numpy as np
import fuzzylite as fl

def make(name, numbers):
    if name == "Discrete":
        return fl.Discrete("t", fl.Discrete.create("t", numbers).values)
    return getattr(fl, name)("t", *numbers)

for line in sys.stdin:
    kind, name, parameters, values = line.rstrip("\n").split("|")
    numbers = [np.float64(p) for p in parameters.split()]
    values = [np.float64(v) for v in values.split()]
    if kind == "membership":
        term = make(name, numbers)
        answers = [term.membership(x) for x in values]
    elif kind == "tsukamoto":
        term = make(name, numbers)
        answers = [term.tsukamoto(y) for y in values]
    elif kind == "norm":
        norm = getattr(fl, name)()
        answers = [norm.compute(a, b) for a in values for b in values]
    elif kind == "hedge":
        answers = [getattr(fl, name.capitalize())().hedge(m) for m in values]
    else:
        variables = {"x": values[0], "y": values[1]}
        function = fl.Function("f", name, variables=variables, load=True)
        answers = [function.evaluate(variables)]
    print(" ".join(repr(float(a)) for a in answers))
"#;

const INF: f64 = f64::INFINITY;

/// Shapes as files write them: usual, reversed, degenerate, with shoulders and heights.
fn shapes() -> Vec<(&'static str, Vec<f64>)> {
    let fixed: &[(&str, &[&[f64]])] = &[
        (
            "Triangle",
            &[
                &[1., 2., 3.],
                &[1., 1., 3.],
                &[1., 3., 3.],
                &[2., 2., 2.],
                &[-INF, 2., 3.],
                &[1., 2., INF],
                &[-INF, 2., INF],
                &[-0.3, 0.1, 0.7, 0.5],
            ],
        ),
        (
            "Trapezoid",
            &[
                &[0., 1., 2., 3.],
                &[1., 1., 2., 3.],
                &[0., 1., 2., 2.],
                &[1., 1., 1., 1.],
                &[-INF, 1., 2., 3.],
                &[0., 1., 2., INF],
                &[-INF, -INF, 1., 2.],
                &[1., 2., INF, INF],
                &[0., 1., 1., 2., 0.8],
            ],
        ),
        ("Rectangle", &[&[1., 2.], &[2., 1.], &[1., 1.], &[-INF, 1.], &[1., INF], &[0., 3., 0.25]]),
        (
            "Discrete",
            &[
                &[0., 0., 1., 1., 2., 0.],
                &[0., 0.5, 1., 1.],
                &[0., 0.5, 0., 1., 1., 1.],
                &[0., 0., 1., 1., 1., 0.25, 2., 0.],
                &[-1., 0.2, 0.3, 0.9, 0.7, 0.1, 2.5, 0.6],
            ],
        ),
        ("SemiEllipse", &[&[1., 2.], &[2., 1.], &[-1.25, 2.75], &[0., 3., 0.5]]),
        (
            "Bell",
            &[
                &[1., 2., 3.],
                &[1., -2., 3.],
                &[1., 2., 0.],
                &[1., 2., -1.],
                &[0.3, 0.7, 1.37],
                &[1., -2., 0.5, 0.5],
            ],
        ),
        ("Cosine", &[&[1., 2.], &[0.3, 5.7], &[0., 1., 0.5]]),
        ("Gaussian", &[&[1., 2.], &[1., -2.], &[0.3, 0.1], &[0., 1., 0.5]]),
        (
            "GaussianProduct",
            &[&[1., 0.5, 2., 0.5], &[2., 0.5, 1., 0.7], &[1., 0.5, 1., 0.25], &[0., 1., 1., 2., 0.5]],
        ),
        (
            "PiShape",
            &[
                &[0., 1., 2., 3.],
                &[1., 1., 2., 2.],
                &[0., 2., 1., 3.],
                &[1., 1., 1., 1.],
                &[-1., 0.3, 0.4, 3., 0.5],
            ],
        ),
        (
            "SigmoidDifference",
            &[&[0., 4., 5., 3.], &[0., -4., 5., 3.], &[3., 4., 5., 0.], &[0., 1., 1., 2., 0.5]],
        ),
        (
            "SigmoidProduct",
            &[&[0., 4., -5., 3.], &[0., -4., 5., 3.], &[3., 4., 5., 0.], &[0., 1., -1., 2., 0.5]],
        ),
        ("Spike", &[&[1., 2.], &[1., -2.], &[0.3, 10., 0.5]]),
        ("Arc", &[&[1., 2.], &[2., 1.], &[1., 1.], &[-1.3, 2.9, 0.5]]),
        ("Binary", &[&[1., INF], &[1., -INF], &[1., 2.], &[1., 0., 0.5]]),
        ("Concave", &[&[1., 2.], &[2., 1.], &[1., 1.], &[0.1, 0.4, 0.5]]),
        ("Ramp", &[&[1., 2.], &[2., 1.], &[0.1, 0.4, 0.5]]),
        ("Sigmoid", &[&[1., 2.], &[1., -2.], &[0.1, 30., 0.5]]),
        ("SShape", &[&[1., 2.], &[1., 1.], &[-0.1, 3.4, 0.5]]),
        ("ZShape", &[&[1., 2.], &[1., 1.], &[-0.1, 3.4, 0.5]]),
        ("Constant", &[&[5.]]),
    ];
    fixed.iter().flat_map(|(name, sets)| sets.iter().map(|p| (*name, p.to_vec()))).collect()
}

/// Break points and their middles, a grid inside and outside, infinities and NaN.
fn points(parameters: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = (-24..=40).map(|i| f64::from(i) / 8.0).collect();
    x.extend(parameters.iter().filter(|p| p.is_finite()));
    x.extend(parameters.windows(2).map(|p| (p[0] + p[1]) / 2.0).filter(|x| x.is_finite()));
    x.extend([-1e6, -100.0, 100.0, 1e6, -INF, INF, f64::NAN]);
    x
}

fn joined(values: &[f64]) -> String {
    let mut text = String::new();
    values.iter().for_each(|v| write!(text, "{v:?} ").unwrap());
    text
}

/// 1e-12 relative, that is a few thousand roundings (an exponent of 700 enlarges one by 700); or 4e-16 absolute, what
/// the peer's 1 + cos(…) has lost near −1.
fn agree(got: f64, want: f64) -> bool {
    got == want || got.is_nan() && want.is_nan() || (got - want).abs() <= 1e-12 * want.abs() + 4e-16
}

/// Asks every question and compares each answer with ours.
fn compare(questions: Vec<(String, Vec<f64>, Vec<String>)>) {
    let Some(python) = peers::pyfuzzylite() else { return };
    let input: String = questions.iter().map(|(question, ..)| format!("{question}\n")).collect();
    let output = peers::ask(&python, SCRIPT, &input);
    assert_eq!(output.lines().count(), questions.len());
    let mut wrong = String::new();
    for ((question, ours, places), line) in questions.iter().zip(output.lines()) {
        let theirs: Vec<f64> = line.split(' ').map(|v| v.parse().unwrap()).collect();
        assert_eq!(ours.len(), theirs.len(), "{question}");
        let title = &question[..question.rfind('|').unwrap()];
        for ((got, want), place) in ours.iter().zip(&theirs).zip(places) {
            if !agree(*got, *want) {
                writeln!(wrong, "{title} at {place}: {got:?}, pyfuzzylite {want:?}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn shown(values: &[f64]) -> Vec<String> {
    values.iter().map(|v| format!("{v:?}")).collect()
}

#[test]
fn memberships_are_those_of_pyfuzzylite_also_at_edges_and_infinities() {
    let question = |(name, p): (&'static str, Vec<f64>)| {
        let (set, x) = (Set::from_parameters(name, &p).unwrap(), points(&p));
        let ours = x.iter().map(|x| set.membership(*x)).collect();
        (format!("membership|{name}|{}|{}", joined(&p), joined(&x)), ours, shown(&x))
    };
    compare(shapes().into_iter().map(question).collect());
}

#[test]
fn tsukamoto_inverses_are_those_of_pyfuzzylite_also_beyond_the_height() {
    let mut questions = Vec::new();
    for name in ["Ramp", "Sigmoid", "Concave", "SShape", "ZShape", "Arc"] {
        for p in [[1.0, 2.0, 1.0], [-1.5, 0.75, 1.0], [1.0, 1.7, 0.5]] {
            let set = Set::from_parameters(name, &p).unwrap();
            let y = [-0.5, 0.0, 0.01, 0.25, 0.3, 0.5, 0.6, 0.75, 0.99, 1.0, 1.5, f64::NAN];
            let ours = y.iter().map(|y| set.tsukamoto(*y).unwrap()).collect();
            questions.push((format!("tsukamoto|{name}|{}|{}", joined(&p), joined(&y)), ours, shown(&y)));
        }
    }
    compare(questions);
}

#[test]
fn norms_and_hedges_are_those_of_pyfuzzylite() {
    let values: Vec<f64> = (0..=20).map(|i| f64::from(i) / 20.0).collect();
    let pairs = |apply: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        values.iter().flat_map(|a| values.iter().map(|b| apply(*a, *b))).collect()
    };
    let places: Vec<String> =
        values.iter().flat_map(|a| values.iter().map(move |b| format!("{a} {b}"))).collect();
    let mut questions = Vec::new();
    for t in TNorm::ALL {
        let question = format!("norm|{}||{}", t.name(), joined(&values));
        questions.push((question, pairs(&|a, b| t.apply(a, b)), places.clone()));
    }
    for s in SNorm::ALL {
        let question = format!("norm|{}||{}", s.name(), joined(&values));
        questions.push((question, pairs(&|a, b| s.apply(a, b)), places.clone()));
    }
    for hedge in Hedge::ALL {
        let ours = values.iter().map(|m| hedge.apply(*m)).collect();
        questions.push((format!("hedge|{}||{}", hedge.name(), joined(&values)), ours, shown(&values)));
    }
    compare(questions);
}

#[test]
fn expressions_have_the_values_of_pyfuzzylite() {
    let texts = "1+2*3^2|2^3^2|10-4-3|~2^2|.-2^2|2^~1|2*.-3|!0 and 0|1 or 0 and 0|2 and 3|!3|~5 % 3|5 % ~3|fmod(~5,3)|\
        round(2.5)|round(~2.5)|round(1.5)|pi|2*pi()|min(x,y)|max(x,y)|gt(x,y)|ge(x,x)|eq(x,y)|neq(x,y)|le(x,y)|lt(x,y)|\
        eq(nan,nan)|le(nan,nan)|neq(nan,nan)|nan or 0|pow(x,y)|x**y|atan2(x,y)|log(x)|log10(x)|log1p(x)|exp(x)|sqrt(x)|\
        sin(x)/y|cos(x)|tan(x)|sinh(x)|cosh(x)|tanh(x)|asinh(x)|acosh(y)|atanh(x/y)|asin(x/y)|acos(x/y)|atan(x)|\
        ceil(x)|floor(.-x)|abs(.-x)|fabs(~y)|1/0|0/0|~x^0.5|lt(x, 0.333) * (x - 0) / (0.333 - 0) + gt(x, 0.333)";
    let mut questions = Vec::new();
    for text in texts.split('|') {
        let expression = Expression::new(text).unwrap();
        for (x, y) in [(0.25, 1.75), (2.0, 2.0), (3.5, 1.25)] {
            let value = |name: &String| if name == "x" { x } else { y };
            let values: Vec<f64> = expression.variables().iter().map(value).collect();
            let question = format!("function|{}||{x:?} {y:?}", text.trim());
            questions.push((question, vec![expression.evaluate(&values)], vec![format!("x = {x}, y = {y}")]));
        }
    }
    compare(questions);
}
