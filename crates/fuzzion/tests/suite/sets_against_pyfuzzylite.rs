//! Comparison of memberships, inverses, norms, hedges and expressions with pyfuzzylite 8.0.6.

use fuzzion::sets::expression::Expression;
use fuzzion::sets::{Hedge, SNorm, Set, TNorm};
use std::fmt::Write as _;

/// Prints one line of values per line of queries.
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
        results = [term.membership(x) for x in values]
    elif kind == "tsukamoto":
        term = make(name, numbers)
        results = [term.tsukamoto(y) for y in values]
    elif kind == "norm":
        norm = getattr(fl, name)()
        results = [norm.compute(a, b) for a in values for b in values]
    elif kind == "hedge":
        results = [getattr(fl, name.capitalize())().hedge(m) for m in values]
    else:
        variables = {"x": values[0], "y": values[1]}
        function = fl.Function("f", name, variables=variables, load=True)
        results = [function.evaluate(variables)]
    print(" ".join(repr(float(a)) for a in results))
"#;

const INF: f64 = f64::INFINITY;

/// Shapes with their parameters: regular, reversed, degenerate, with infinite bounds and heights.
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

/// Break points and their midpoints, a grid inside and outside, infinities and NaN.
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

/// Within 1e-12 relative, a few thousand roundings (an exponent of 700 amplifies one by 700), or 4e-16 absolute, the
/// cancellation error of pyfuzzylite's 1 + cos(…) near −1.
fn agree(got: f64, want: f64) -> bool {
    got == want || got.is_nan() && want.is_nan() || (got - want).abs() <= 1e-12 * want.abs() + 4e-16
}

/// Compares the values of each query, (query, values, labels of the points), with those of pyfuzzylite.
fn compare(queries: Vec<(String, Vec<f64>, Vec<String>)>) {
    let Some(python) = crate::python_packages::pyfuzzylite() else { return };
    let input: String = queries.iter().map(|(query, ..)| format!("{query}\n")).collect();
    let output = crate::python_packages::run_script(&python, SCRIPT, &input);
    assert_eq!(output.lines().count(), queries.len());
    let mut wrong = String::new();
    for ((query, ours, labels), line) in queries.iter().zip(output.lines()) {
        let theirs: Vec<f64> = line.split(' ').map(|v| v.parse().unwrap()).collect();
        assert_eq!(ours.len(), theirs.len(), "{query}");
        let title = &query[..query.rfind('|').unwrap()];
        for ((got, want), label) in ours.iter().zip(&theirs).zip(labels) {
            if !agree(*got, *want) {
                writeln!(wrong, "{title} at {label}: {got:?}, pyfuzzylite {want:?}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn labels_of(values: &[f64]) -> Vec<String> {
    values.iter().map(|v| format!("{v:?}")).collect()
}

#[test]
fn memberships_agree_with_pyfuzzylite_including_edges_and_infinities() {
    let query = |(name, p): (&'static str, Vec<f64>)| {
        let (set, x) = (Set::from_parameters(name, &p).unwrap(), points(&p));
        let ours = x.iter().map(|x| set.membership(*x)).collect();
        (format!("membership|{name}|{}|{}", joined(&p), joined(&x)), ours, labels_of(&x))
    };
    compare(shapes().into_iter().map(query).collect());
}

#[test]
fn tsukamoto_inverses_agree_with_pyfuzzylite_including_values_above_the_height() {
    let mut queries = Vec::new();
    for name in ["Ramp", "Sigmoid", "Concave", "SShape", "ZShape", "Arc"] {
        for p in [[1.0, 2.0, 1.0], [-1.5, 0.75, 1.0], [1.0, 1.7, 0.5]] {
            let set = Set::from_parameters(name, &p).unwrap();
            let y = [-0.5, 0.0, 0.01, 0.25, 0.3, 0.5, 0.6, 0.75, 0.99, 1.0, 1.5, f64::NAN];
            let ours = y.iter().map(|y| set.tsukamoto(*y).unwrap()).collect();
            queries.push((format!("tsukamoto|{name}|{}|{}", joined(&p), joined(&y)), ours, labels_of(&y)));
        }
    }
    compare(queries);
}

#[test]
fn norms_and_hedges_agree_with_pyfuzzylite() {
    let values: Vec<f64> = (0..=20).map(|i| f64::from(i) / 20.0).collect();
    let pairs = |apply: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
        values.iter().flat_map(|a| values.iter().map(|b| apply(*a, *b))).collect()
    };
    let labels: Vec<String> =
        values.iter().flat_map(|a| values.iter().map(move |b| format!("{a} {b}"))).collect();
    let mut queries = Vec::new();
    for t in TNorm::ALL {
        let query = format!("norm|{}||{}", t.name(), joined(&values));
        queries.push((query, pairs(&|a, b| t.apply(a, b)), labels.clone()));
    }
    for s in SNorm::ALL {
        let query = format!("norm|{}||{}", s.name(), joined(&values));
        queries.push((query, pairs(&|a, b| s.apply(a, b)), labels.clone()));
    }
    for hedge in Hedge::ALL {
        let ours = values.iter().map(|m| hedge.apply(*m)).collect();
        queries.push((format!("hedge|{}||{}", hedge.name(), joined(&values)), ours, labels_of(&values)));
    }
    compare(queries);
}

#[test]
fn expressions_agree_with_pyfuzzylite() {
    let texts = "1+2*3^2|2^3^2|10-4-3|~2^2|.-2^2|2^~1|2*.-3|!0 and 0|1 or 0 and 0|2 and 3|!3|~5 % 3|5 % ~3|fmod(~5,3)|\
        round(2.5)|round(~2.5)|round(1.5)|pi|2*pi()|min(x,y)|max(x,y)|gt(x,y)|ge(x,x)|eq(x,y)|neq(x,y)|le(x,y)|lt(x,y)|\
        eq(nan,nan)|le(nan,nan)|neq(nan,nan)|nan or 0|pow(x,y)|x**y|atan2(x,y)|log(x)|log10(x)|log1p(x)|exp(x)|sqrt(x)|\
        sin(x)/y|cos(x)|tan(x)|sinh(x)|cosh(x)|tanh(x)|asinh(x)|acosh(y)|atanh(x/y)|asin(x/y)|acos(x/y)|atan(x)|\
        ceil(x)|floor(.-x)|abs(.-x)|fabs(~y)|1/0|0/0|~x^0.5|lt(x, 0.333) * (x - 0) / (0.333 - 0) + gt(x, 0.333)";
    let mut queries = Vec::new();
    for text in texts.split('|') {
        let expression = Expression::new(text).unwrap();
        for (x, y) in [(0.25, 1.75), (2.0, 2.0), (3.5, 1.25)] {
            let value = |name: &String| if name == "x" { x } else { y };
            let values: Vec<f64> = expression.variables().iter().map(value).collect();
            let query = format!("function|{}||{x:?} {y:?}", text.trim());
            queries.push((query, vec![expression.evaluate(&values)], vec![format!("x = {x}, y = {y}")]));
        }
    }
    compare(queries);
}
