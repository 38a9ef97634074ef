//! Values, printing and errors of expressions.

use super::*;
use proptest::prelude::*;

fn value(text: &str) -> f64 {
    Expression::new(text).unwrap().evaluate(&[])
}

#[test]
fn operators_have_the_precedence_of_fuzzylite() {
    for (text, expected) in [
        ("1 + 2 * 3 ^ 2", 19.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("2 ** 3", 8.0),
        ("10 - 4 - 3", 3.0),
        ("100 / 10 / 5", 2.0),
        ("~2 ^ 2", 4.0),
        (".-2 ^ 2", -4.0),
        ("-2 ^ 2", -4.0),
        ("2 ^ -1", 0.5),
        ("2 ^ ~1", 0.5),
        ("2 * -3", -6.0),
        ("1 - -1", 2.0),
        (".+3", 3.0),
        ("!0 and 0", 0.0),
        ("1 or 0 and 0", 1.0),
        ("2 and 3", 1.0),
        ("!3", 0.0),
        ("~5 % 3", 1.0),
        ("5 % ~3", -1.0),
        ("fmod(-5, 3)", -2.0),
        ("round(2.5)", 2.0),
        ("round(-2.5)", -2.0),
        ("1.5e-3 * 2", 0.003),
        (".5 + 5.", 5.5),
        ("min(1, 2) + max(1, 2)", 3.0),
        ("gt(2, 1) + ge(1, 1) + lt(1, 2) + le(2, 1) + eq(1, 1) + neq(1, 1)", 4.0),
        ("eq(nan, nan) + le(nan, nan) + ge(nan, nan) + neq(nan, nan)", 3.0),
        ("nan or 0", 1.0),
        ("atan2(0, 1) + pi() - pi", 0.0),
        ("fabs(-3) + abs(-3)", 6.0),
        ("1 / 0", f64::INFINITY),
        ("((1))", 1.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for text in ["nan", "0 / 0", "sqrt(-1)", "log(-1)", "min(1, nan)", "max(nan, 1)", "5 % 0", "(-8) ^ (1/3)"]
    {
        assert!(value(text).is_nan(), "{text}");
    }
}

#[test]
fn functions_equal_the_standard_math_functions() {
    for (name, function) in [
        ("acos", f64::acos as fn(f64) -> f64),
        ("asin", f64::asin),
        ("atan", f64::atan),
        ("ceil", f64::ceil),
        ("cos", f64::cos),
        ("cosh", f64::cosh),
        ("exp", f64::exp),
        ("floor", f64::floor),
        ("log", f64::ln),
        ("log10", f64::log10),
        ("sin", f64::sin),
        ("sinh", f64::sinh),
        ("sqrt", f64::sqrt),
        ("tan", f64::tan),
        ("tanh", f64::tanh),
        ("log1p", f64::ln_1p),
        ("asinh", f64::asinh),
        ("atanh", f64::atanh),
    ] {
        assert_eq!(value(&format!("{name}(0.3)")), function(0.3), "{name}");
    }
    assert_eq!(value("acosh(2)"), 2f64.acosh());
    assert_eq!(value("pow(2, 0.5)"), 2f64.powf(0.5));
}

#[test]
fn variables_are_in_order_of_appearance_and_columns_equal_rows() {
    let expression = Expression::new("b * a + b - größe").unwrap();
    assert_eq!(expression.variables(), ["b", "a", "größe"]);
    let columns: Vec<Vec<f64>> = (0..3).map(|c| (0..131).map(|i| f64::from(i * (c + 2))).collect()).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let mut out = vec![0.0; 131];
    expression.evaluate_columns(&columns, &mut out).unwrap();
    for (i, out) in out.iter().enumerate() {
        assert_eq!(*out, expression.evaluate(&[columns[0][i], columns[1][i], columns[2][i]]));
    }
    assert_eq!(
        expression.evaluate_columns(&columns[..2], &mut out).unwrap_err().to_string(),
        "the expression has 3 variables, but 2 columns were given; give one column per variable, all of the same length"
    );
}

#[test]
fn errors_have_the_position_of_the_problem() {
    for (text, expected) in [
        ("2 + * x", "expected a number, a name or `(` before `*`\n  2 + * x\n      ^"),
        ("2 +", "expected a number, a name or `(`\n  2 +\n     ^"),
        ("", "expected a number, a name or `(`\n  \n  ^"),
        ("(1 + 2", "unclosed `(`; add `)`\n  (1 + 2\n  ^"),
        ("1 + 2)", "unmatched `)`; remove it or add `(`\n  1 + 2)\n       ^"),
        ("1 2", "expected an operator or the end of the expression\n  1 2\n    ^"),
        (
            "foo(3)",
            "unknown function `foo`; available functions: `acos`, `asin`, `atan`, `ceil`, `cos`, `cosh`, `exp`, `abs`, \
             `floor`, `log`, `log10`, `round`, `sin`, `sinh`, `sqrt`, `tan`, `tanh`, `log1p`, `acosh`, `asinh`, `atanh`, \
             `gt`, `ge`, `eq`, `neq`, `le`, `lt`, `min`, `max`, `pow`, `atan2`, `fmod`\n  foo(3)\n  ^",
        ),
        ("sin 3", "expected `(` after the function `sin`\n  sin 3\n      ^"),
        ("sin(1, 2)", "expected `)`: `sin` takes one number\n  sin(1, 2)\n       ^"),
        ("max(1)", "expected `,`: `max` takes two numbers\n  max(1)\n       ^"),
        ("max(1, 2, 3)", "expected `)`: `max` takes two numbers\n  max(1, 2, 3)\n          ^"),
        (
            "1,5 + 2",
            "expected an operator or the end of the expression; write decimal numbers with a point, such as 1.5\n  1,5 + 2\n   ^",
        ),
        ("5 − 1", "unexpected character `−`; use `-`\n  5 − 1\n    ^"),
        ("2 × 3", "unexpected character `×`; use `*`\n  2 × 3\n    ^"),
        ("1'000", "unexpected character `'`; write numbers without separators of thousands\n  1'000\n   ^"),
        ("größe $ 2", "unexpected character `$`\n  größe $ 2\n        ^"),
        ("1 and or 2", "expected a number, a name or `(` before `or`\n  1 and or 2\n        ^"),
        ("1 + .", "`.` is only valid in a number, `.-` or `.+`\n  1 + .\n      ^"),
    ] {
        assert_eq!(Expression::new(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn nesting_and_length_are_limited() {
    for open in ["(", "-", "~", "sin(", "max(1, ", "2^", "1 + ("] {
        let text = open.repeat(100_000);
        let problem = Expression::new(&text).unwrap_err().to_string();
        let limited = problem.starts_with("the expression is nested more than 128 levels deep")
            || problem.starts_with("the expression needs more than 64");
        assert!(limited, "{problem}");
        assert!(problem.len() < 300, "shows only the text around the position: {problem}");
    }
    let long = vec!["1"; 5_000].join("+");
    assert_eq!(value(&long), 5_000.0);
    assert_eq!(Expression::new(&Expression::new(&long).unwrap().to_string()).unwrap().evaluate(&[]), 5_000.0);
    let problem = Expression::new(&vec!["1"; 5_001].join("+")).unwrap_err().to_string();
    assert!(problem.starts_with("an expression can have at most 10000 numbers and operators"), "{problem}");
}

/// A random, fully parenthesized expression and its value by construction.
fn expression() -> impl Strategy<Value = (String, f64)> {
    let leaf = (0..100u32).prop_map(|n| (format!("{}", f64::from(n) / 4.0), f64::from(n) / 4.0));
    leaf.prop_recursive(5, 40, 2, |inner| {
        let two =
            (inner.clone(), inner.clone(), 0..6usize).prop_map(|((a, x), (b, y), operator)| match operator {
                0 => (format!("({a} + {b})"), x + y),
                1 => (format!("({a} - {b})"), x - y),
                2 => (format!("({a} * {b})"), x * y),
                3 => (format!("({a} / {b})"), x / y),
                4 => (format!("({a} ^ {b})"), x.powf(y)),
                _ => (format!("atan2({a}, {b})"), x.atan2(y)),
            });
        let one = (inner, 0..4usize).prop_map(|((a, x), operator)| match operator {
            0 => (format!("(-{a})"), -x),
            1 => (format!("(~{a})"), -x),
            2 => (format!("(!{a})"), f64::from(u8::from(x == 0.0))),
            _ => (format!("sin({a})"), x.sin()),
        });
        prop_oneof![3 => two, 1 => one]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn an_expression_has_the_value_it_was_built_with((text, expected) in expression()) {
        let got = value(&text);
        prop_assert!(got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(), "{text}: {got}");
    }

    #[test]
    fn the_printed_text_parses_to_the_same_program((text, _) in expression()) {
        let expression = Expression::new(&text).unwrap();
        prop_assert_eq!(Expression::new(&expression.to_string()).unwrap(), expression);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,60}") {
        let _ = Expression::new(&text);
    }

    #[test]
    fn no_sequence_of_tokens_makes_the_parser_panic_and_valid_ones_round_trip(
        tokens in prop::collection::vec(prop::sample::select(vec![
            "(", ")", ",", "+", "-", ".-", "*", "/", "%", "^", "**", "~", "!", "and", "or", "x", "y", "1", "2.5e3",
            "pi", "nan", "sin(", "max(", ".", "0x", "é", " ",
        ]), 0..40),
    ) {
        if let Ok(expression) = Expression::new(&tokens.concat()) {
            let _ = expression.evaluate(&[1.0, 2.0]);
            prop_assert_eq!(Expression::new(&expression.to_string()).unwrap(), expression);
        }
    }
}
