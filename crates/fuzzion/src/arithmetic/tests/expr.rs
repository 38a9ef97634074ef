//! Formulas against the operators and against sampled exact values, and their error messages.

use super::oracle::Random;
use crate::arithmetic::{AlphaCut, Evaluation, Expr, FuzzyLu, FuzzyMr};
use crate::sets::expression::{Expression, Operation};
use proptest::prelude::*;

type Number = FuzzyLu<f64, 3>;

fn expr(text: &str) -> Expr {
    Expr::new(text).unwrap()
}

fn number(text: &str) -> Number {
    text.parse().unwrap()
}

const EVALUATIONS: [Evaluation; 3] = [Evaluation::Direct, Evaluation::Vertex, Evaluation::Affine];

#[test]
fn formulas_equal_the_operators() {
    let (x, y) = (number("tri(1, 2, 4)"), number("trap(-1, 0.5, 2, 3)"));
    let one = Number::crisp(1.0);
    for (text, expected) in [
        ("x + y", x + y),
        ("x - y * x", x - y * x),
        ("-x / y", -x / y),
        ("(x + y) / x", (x + y) / x),
        ("x ^ 2", x.powi(2)),
        ("-x ^ -3", -x.powi(-3)),
        ("y ^ (-2)", y.powi(-2)),
        ("2 * x + [1, 3]", Number::crisp(2.0) * x + Number::interval(1.0, 3.0).unwrap()),
        ("sqrt(x) + exp(y) - log(x)", x.sqrt() + y.exp() - x.log()),
        ("recip(x) * sqr(y) + abs(y)", x.recip() * y.sqr() + y.abs()),
        ("min(x, y) + max(x, 1)", x.min(&y) + x.max(&one)),
        ("+x - -y", x - -y),
        ("tri(1, 2, 4) * x", x * x),
        ("0.1 * x", number("0.1") * x),
    ] {
        assert_eq!(
            expr(text).evaluate(&[("x", x), ("y", y)], Evaluation::Direct).unwrap(),
            expected,
            "{text}"
        );
    }
    let (a, b) = (FuzzyMr::<f64, 3, f32>::from(x), FuzzyMr::from(y));
    let got = expr("x * y - exp(x)").evaluate(&[("x", a), ("y", b)], Evaluation::Direct).unwrap();
    assert_eq!(got, a * b - a.exp());
}

#[test]
fn the_vertex_method_is_exact_on_monotone_formulas() {
    let ends = |text: &str, x: &str, evaluation: Evaluation| {
        let value = expr(text).evaluate(&[("x", number(x))], evaluation).unwrap();
        (value.support().lower, value.support().upper)
    };
    assert_eq!(ends("x - x", "tri(1, 2, 4)", Evaluation::Direct), (-3.0, 3.0));
    assert_eq!(ends("x - x", "tri(1, 2, 4)", Evaluation::Vertex), (0.0, 0.0));
    assert_eq!(ends("x - x", "tri(1, 2, 4)", Evaluation::Affine), (0.0, 0.0));
    assert_eq!(ends("x * (1 - x)", "tri(0, 0.25, 0.5)", Evaluation::Vertex), (0.0, 0.25));
    // Not monotone: bisection finds the maximum at ½.
    assert_eq!(ends("x * (1 - x)", "tri(0, 0.5, 1)", Evaluation::Vertex), (0.0, 0.25));
    assert_eq!(ends("x * (1 - x)", "tri(0, 0.5, 1)", Evaluation::Direct), (0.0, 1.0));
    assert_eq!(ends("x / (1 + x)", "tri(1, 2, 3)", Evaluation::Vertex), (0.5, 0.75));
    assert_eq!(ends("sqr(x) - 2 * x", "tri(1, 2, 4)", Evaluation::Vertex), (-1.0, 8.0));
    assert_eq!(ends("sqrt(x) - x", "tri(1, 2, 4)", Evaluation::Vertex), (-2.0, 0.0));
    assert_eq!(ends("max(x, 2) - x", "tri(1, 2, 4)", Evaluation::Vertex), (0.0, 1.0));
    // Constant: neither increasing nor decreasing; the mean value form finds it up to a few rounding errors.
    for (text, value) in
        [("x / x", 1.0), ("(x + x) / x + 1", 3.0), ("(x - 5) / (x - 5)", 1.0), ("x * 3 / x", 3.0)]
    {
        let (lower, upper) = ends(text, "tri(1, 2, 4)", Evaluation::Vertex);
        assert!(
            value - lower <= 4.0 * f64::EPSILON && upper - value <= 4.0 * f64::EPSILON,
            "{text}: {lower} {upper}"
        );
        assert!(lower <= value && value <= upper, "{text}: {lower} {upper}");
    }
    assert_eq!(ends("x / x", "tri(-1, 2, 4)", Evaluation::Vertex), (f64::NEG_INFINITY, f64::INFINITY));
    // A pole: the derivatives have one sign but prove nothing.
    assert_eq!(ends("1 / x + 1", "tri(-1, 1, 2)", Evaluation::Vertex), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(ends("1 / x + 1", "tri(-1, 1, 2)", Evaluation::Affine), (f64::NEG_INFINITY, f64::INFINITY));
    // Undefined for x < 0: [0, 2], except for the parts that extend below 0.
    let (lower, upper) = ends("sqrt(x) + x - x", "tri(-1, 1, 4)", Evaluation::Vertex);
    assert!((-0.1..=0.0).contains(&lower) && upper == 2.0, "{lower} {upper}");
    assert_eq!(ends("2 * x + 3 * x - 5 * x", "tri(1, 2, 4)", Evaluation::Affine), (0.0, 0.0));
}

/// Random formula in x, y and numbers, and the same formula in crisp arithmetic, which determines its domain.
pub(super) fn formula() -> impl Strategy<Value = (String, String)> {
    let same = |text: &str| (text.to_owned(), text.to_owned());
    let leaf = prop_oneof![
        4 => prop::sample::select(vec![same("x"), same("y")]),
        1 => (0..9u32).prop_map(move |n| same(&n.to_string())),
        1 => Just(("[0.5, 0.75]".to_owned(), "0.625".to_owned())),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let two = (inner.clone(), inner.clone(), 0..6usize).prop_map(|((a, p), (b, q), operator)| {
            let write = |a: &str, b: &str| match operator {
                0 => format!("({a} + {b})"),
                1 => format!("({a} - {b})"),
                2 => format!("({a} * {b})"),
                3 => format!("({a} / {b})"),
                4 => format!("min({a}, {b})"),
                _ => format!("max({a}, {b})"),
            };
            (write(&a, &b), write(&p, &q))
        });
        let one = (inner, 0..8usize).prop_map(|((a, p), operator)| match operator {
            0 => (format!("(-{a})"), format!("(-{p})")),
            1 => (format!("sqr({a})"), format!("({p}) ^ 2")),
            2 => (format!("sqrt({a})"), format!("sqrt({p})")),
            3 => (format!("exp({a})"), format!("exp({p})")),
            4 => (format!("log({a})"), format!("log({p})")),
            5 => (format!("abs({a})"), format!("abs({p})")),
            6 => (format!("({a}) ^ 3"), format!("({p}) ^ 3")),
            _ => (format!("recip({a})"), format!("(1 / {p})")),
        });
        prop_oneof![3 => two, 2 => one]
    })
}

/// Value in crisp f64 arithmetic; `None` if an operation is undefined.
fn crisp_value(crisp: &Expression, x: f64, y: f64) -> Option<f64> {
    let finite = |value: f64| value.is_finite().then_some(value);
    crisp.fold(|operation: Operation<Option<f64>>| match operation {
        Operation::Number(value) => Some(value),
        Operation::Variable(i) => Some(if crisp.variables()[i] == "x" { x } else { y }),
        Operation::Unary(name, a) => finite(match name {
            "-" => -a?,
            "sqrt" => a?.sqrt(),
            "exp" => a?.exp(),
            "log" => a?.ln(),
            _ => a?.abs(),
        }),
        Operation::Binary(name, a, b) => finite(match name {
            "+" => a? + b?,
            "-" => a? - b?,
            "*" => a? * b?,
            "/" => a? / b?,
            "min" => a?.min(b?),
            "max" => a?.max(b?),
            _ => a?.powf(b?),
        }),
    })?
}

fn point(cut: AlphaCut<f64>, random: &mut Random) -> f64 {
    let t = random.below(5) as f64 / 4.0;
    (cut.lower + (cut.upper - cut.lower) * t).clamp(cut.lower, cut.upper)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_evaluation_method_encloses_the_values_at_all_points(
        (text, crisp_text) in formula(), ends in prop::array::uniform6(-4.0..4.0f64), other in prop::array::uniform6(0.0..4.0f64), seed in any::<u64>(),
    ) {
        let make = |mut ends: [f64; 6]| {
            ends.sort_by(f64::total_cmp);
            Number::from_cuts([ends[0], ends[1], ends[2]], [ends[5], ends[4], ends[3]]).unwrap()
        };
        let (x, y) = (make(ends), make(other));
        let (formula, crisp) = (expr(&text), Expression::new(&crisp_text).unwrap());
        // Literal intervals are evaluated at a point within them.
        let at_point = expr(&text.replace("[0.5, 0.75]", "0.625"));
        let mut random = Random(seed);
        let results = EVALUATIONS.map(|evaluation| formula.evaluate(&[("x", x), ("y", y)], evaluation).unwrap());
        let ball = formula.evaluate(&[("x", FuzzyMr::<f64, 3>::from(x)), ("y", FuzzyMr::from(y))], Evaluation::Vertex).unwrap();
        for i in 0..3 {
            for _ in 0..6 {
                let location = [("x", point(x.cut(i), &mut random)), ("y", point(y.cut(i), &mut random))];
                let values = location.map(|(name, value)| (name, FuzzyLu::<f64, 1>::crisp(value)));
                let value = at_point.evaluate(&values, Evaluation::Direct).unwrap().support();
                // The exact value is in an interval a few ulps wide: a result that misses the interval misses the
                // value.
                if value.is_bounded() && crisp_value(&crisp, location[0].1, location[1].1).is_some() {
                    for (result, evaluation) in results.iter().zip(EVALUATIONS) {
                        let cut = result.cut(i);
                        let intersects = cut.lower <= value.upper && value.lower <= cut.upper;
                        prop_assert!(intersects, "{text} by {evaluation} at {location:?}: {value:?} is not in {cut:?}");
                    }
                    prop_assert!(ball.cut(i).lower <= value.upper && value.lower <= ball.cut(i).upper);
                }
            }
            // The other methods are never wider than direct evaluation, except for cuts outside the domain.
            let everywhere = !text.contains("sqrt") && !text.contains("log");
            let narrower = |result: &Number| results[0].cut(i).encloses(result.cut(i));
            prop_assert!(!everywhere || narrower(&results[1]) && narrower(&results[2]));
        }
    }

    #[test]
    fn no_token_sequence_makes_the_parser_panic(
        tokens in prop::collection::vec(prop::sample::select(vec![
            "(", ")", "[", "]", ",", "+", "-", "*", "/", "^", "**", "x", "y", "1", "2.5e3", "tri(", "gauss(", "cuts(", "mid(",
            "sqrt(", "max(", ".", "é", " ", "inf", "1e999", "-3",
        ]), 0..30),
    ) {
        if let Ok(formula) = Expr::new(&tokens.concat()) {
            prop_assert_eq!(formula.to_string(), tokens.concat());
            let x = Number::triangular(-1.0, 2.0, 3.0).unwrap();
            for evaluation in EVALUATIONS {
                let _ = formula.evaluate(&[("x", x), ("y", x)], evaluation);
            }
        }
    }
}

#[test]
fn errors_have_the_position_of_the_problem() {
    for (text, expected) in [
        ("2 + * x", "expected a number, a name or `(` before `*`\n  2 + * x\n      ^"),
        ("2 +", "expected a number, a name or `(`\n  2 +\n     ^"),
        ("(x + 2", "unclosed `(`; add `)`\n  (x + 2\n  ^"),
        ("x + 2)", "unmatched `)`; remove it or add `(`\n  x + 2)\n       ^"),
        ("x 2", "expected an operator or the end of the formula\n  x 2\n    ^"),
        (
            "x - foo(3)",
            "unknown function `foo`; available functions: `recip`, `sqr`, `sqrt`, `exp`, `log`, `abs`, `min`, `max`, `fma`\n  x - foo(3)\n      ^",
        ),
        ("sqrt 3", "expected `(` after the function `sqrt`\n  sqrt 3\n       ^"),
        ("sqrt(1, 2)", "expected `)`: `sqrt` takes one number\n  sqrt(1, 2)\n        ^"),
        ("max(1)", "expected `,`: `max` takes two numbers\n  max(1)\n       ^"),
        (
            "x ^ 2.5",
            "the exponent must be an integer below 2³¹, as in `x ^ 2` or `x ^ -1`\n  x ^ 2.5\n      ^",
        ),
        ("x ^ y", "the exponent must be an integer below 2³¹, as in `x ^ 2` or `x ^ -1`\n  x ^ y\n      ^"),
        ("x ^ 2 ^ 3", "a power of a power needs parentheses, as in `(x ^ 2) ^ 3`\n  x ^ 2 ^ 3\n        ^"),
        (
            "x * tri(3, 2, 1)",
            "tri: `top` is 2, but it must be finite and at least `left`; write the corners in ascending order\n  x * tri(3, 2, 1)\n             ^",
        ),
        ("x % 2", "expected an operator or the end of the formula\n  x % 2\n    ^"),
    ] {
        assert_eq!(Expr::new(text).unwrap_err().to_string(), expected, "{text}");
    }
    let evaluate = |text: &str| {
        let x = Number::crisp(1.0);
        expr(text).evaluate(&[("x", x), ("z", x)], Evaluation::Direct).unwrap_err().to_string()
    };
    assert_eq!(
        evaluate("x + y * y"),
        "the variable `y` has no value; variables with values: `x`, `z`\n  x + y * y\n      ^"
    );
    assert_eq!(
        evaluate("x + cuts([1, 2], [1, 2])"),
        "expected 3 alpha-cuts, or 1 for all levels, but 2 were given\n  x + cuts([1, 2], [1, 2])\n      ^"
    );
    assert_eq!(
        "corner".parse::<Evaluation>().unwrap_err().to_string(),
        "unknown evaluation method `corner`; expected direct, vertex or affine"
    );
    assert!(
        EVALUATIONS
            .iter()
            .all(|evaluation| evaluation.to_string().parse::<Evaluation>().unwrap() == *evaluation)
    );
}

#[test]
fn nesting_and_length_are_limited() {
    for open in ["(", "-", "sqrt(", "max(1, ", "1 + ("] {
        let problem = Expr::new(&open.repeat(100_000)).unwrap_err().to_string();
        assert!(
            problem.starts_with("the formula is nested more than 128 levels deep")
                || problem.starts_with("the formula needs more than 64"),
            "{problem}"
        );
    }
    assert_eq!(
        expr(&vec!["1"; 5_000].join("+")).evaluate::<Number>(&[], Evaluation::Direct).unwrap(),
        Number::crisp(5_000.0)
    );
    let problem = Expr::new(&vec!["1"; 5_001].join("+")).unwrap_err().to_string();
    assert!(problem.starts_with("a formula can have at most 10000 numbers and operators"), "{problem}");
}

#[test]
fn a_fused_multiply_add_is_rounded_once() {
    // (1 + 2⁻³⁰)² − 1 = 2⁻²⁹ + 2⁻⁶⁰ is a double; the square is not.
    let (x, z) = (Number::crisp(1.0 + 2f64.powi(-30)), Number::crisp(-1.0));
    let y = x;
    let values = [("x", x), ("y", y), ("z", z)];
    let fused = Expr::new("fma(x, y, z)").unwrap();
    let direct = fused.evaluate(&values, Evaluation::Direct).unwrap();
    assert_eq!(direct, x.mul_add(&y, &z));
    assert_eq!(direct, Number::crisp(2f64.powi(-29) + 2f64.powi(-60)));
    let separate = Expr::new("x * y + z").unwrap().evaluate(&values, Evaluation::Direct).unwrap();
    assert!(separate.encloses(&direct) && separate != direct);
    for evaluation in [Evaluation::Vertex, Evaluation::Affine] {
        assert!(direct.encloses(&fused.evaluate(&values, evaluation).unwrap()));
    }
    assert!(Expr::new("fma(x, y)").unwrap_err().to_string().contains("`fma` takes three numbers"));
}

#[test]
fn the_vertex_method_is_exact_if_monotonicity_is_proven_on_parts() {
    // Each formula is monotone in every variable, but bounds of the derivatives over the whole box do not prove it.
    for (text, x, y, lower, upper) in [
        ("x * y / (x + y)", [1.0, 5.0], [1.0, 5.0], 0.5, 2.5),
        ("x * y / (x + y)", [1.0, 10.0], [1.0, 10.0], 0.5, 5.0),
        ("(x - y) / (x + y)", [1.0, 200.0], [0.001, 700.0], (1.0 - 700.0) / 701.0, 199.999 / 200.001),
        ("x / (x + y)", [0.01, 90.0], [0.5, 70.0], 0.01 / 70.01, 90.0 / 90.5),
    ] {
        let [x, y] = [x, y].map(|[lower, upper]| FuzzyLu::<f64, 1>::interval(lower, upper).unwrap());
        let found = expr(text).evaluate(&[("x", x), ("y", y)], Evaluation::Vertex).unwrap().support();
        // The value at the vertex by a few operations, each rounded once.
        let close = |a: f64, b: f64| (a - b).abs() <= 8.0 * f64::EPSILON * b.abs();
        assert!(close(found.lower, lower) && close(found.upper, upper), "{text}: {found:?}");
        assert!(found.lower <= lower.next_up() && found.upper >= upper.next_down(), "{text}: {found:?}");
    }
}
