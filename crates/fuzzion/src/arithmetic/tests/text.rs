//! Formatting and parsing of fuzzy numbers; decimal numbers against exact rationals.

use super::exact::Exact;
use super::oracle::{FuzzyNumber as _, Random};
use super::rounding::finite;
use crate::arithmetic::text::decimal::{enclosing, to_fixed_outward, to_scientific_outward};
use crate::arithmetic::{FuzzyLu, FuzzyMr};
use proptest::prelude::*;

/// Sign of digits · 10^exponent − number.
fn against(digits: u64, exponent: i32, number: f64) -> i32 {
    let ten = |n: i32| (0..n).fold(Exact::of(1.0), |power, _| &power * &Exact::of(10.0));
    // Digits are below 2⁵³, so the conversion is exact.
    let decimal = &Exact::of(digits as f64) * &ten(exponent.max(0));
    (&decimal - &(&Exact::of(number) * &ten((-exponent).max(0)))).sign()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_decimal_number_is_between_its_neighbors(
        digits in prop_oneof![0..100u64, 0..1u64 << 53], exponent in prop_oneof![-20..20i32, -345..300i32], point in 0..20usize,
    ) {
        // The same number with a shifted decimal point.
        let text = format!("{digits:020}");
        let text = format!("{}.{}e{}", &text[..point], &text[point..], exponent + 20 - point as i32);
        let cut = enclosing::<f64>(&text).unwrap();
        prop_assert!(against(digits, exponent, cut.lower) >= 0, "{text}: {cut:?}");
        prop_assert!(cut.upper == f64::INFINITY || against(digits, exponent, cut.upper) <= 0, "{text}: {cut:?}");
        prop_assert!(cut.upper == cut.lower || cut.upper == cut.lower.next_up(), "{text}: {cut:?}");
        prop_assert!((cut.upper == cut.lower) == (against(digits, exponent, cut.lower) == 0), "{text}: {cut:?}");
        let minus = enclosing::<f64>(&format!("-{text}")).unwrap();
        prop_assert_eq!((minus.lower, minus.upper), (-cut.upper, -cut.lower));
        let single = enclosing::<f32>(&text).unwrap();
        prop_assert!(f64::from(single.lower) <= cut.lower && f64::from(single.upper) >= cut.upper);
        prop_assert!(single.upper <= single.lower.next_up());
    }

    #[test]
    fn decimal_places_are_rounded_outward_by_at_most_one_unit(value in finite::<f64>(), places in 0..20usize) {
        let value = if value.abs() > 1e15 { value.rem_euclid(1e6) } else { value };
        let read = |up: bool| enclosing::<f64>(&to_fixed_outward(value, places, up)).unwrap();
        let (below, above) = (read(false), read(true));
        // The text is ≤ a machine number if the smallest machine number ≥ the text is.
        prop_assert!(below.upper <= value && value <= above.lower, "{value:e}: {below:?} {above:?}");
        let unit = 10f64.powi(-(places as i32));
        // One unit, plus the neighbors that enclose two decimal numbers of this magnitude.
        prop_assert!(above.upper - below.lower <= unit + 4.0 * (value.abs() + unit) * f64::EPSILON, "{value:e}: {below:?} {above:?}");
    }

    #[test]
    fn significant_digits_are_rounded_outward_by_at_most_one_unit(value in finite::<f64>(), digits in 1..20usize) {
        let read = |up: bool| enclosing::<f64>(&to_scientific_outward(value, digits, up)).unwrap();
        let (below, above) = (read(false), read(true));
        prop_assert!(below.upper <= value && value <= above.lower, "{value:e}: {below:?} {above:?}");
        // One unit in the last digit is at most this fraction of the number; the rest encloses two decimal numbers.
        let unit = 10f64.powi(1 - digits as i32) * value.abs();
        let apart = above.upper.min(f64::MAX) / 2.0 - below.lower.max(f64::MIN) / 2.0; // halving avoids overflow
        let rounding = 4.0 * f64::EPSILON * (value.abs() / 2.0 + unit) + 4.0 * f64::from_bits(1);
        prop_assert!(apart <= unit / 2.0 + rounding, "{value:e}: {below:?} {above:?}");
    }

    #[test]
    fn formatted_numbers_parse_back_bit_identically(seed in any::<u64>()) {
        let mut random = Random(seed);
        let x = FuzzyLu::<f64, 2>::random(&mut random);
        prop_assert_eq!(x.to_string().parse::<FuzzyLu<f64, 2>>().unwrap(), x, "{}", x);
        let x = FuzzyLu::<f32, 2>::random(&mut random);
        prop_assert_eq!(x.to_string().parse::<FuzzyLu<f32, 2>>().unwrap(), x, "{}", x);
        let x = FuzzyMr::<f64, 2, f32>::random(&mut random);
        prop_assert_eq!(x.to_string().parse::<FuzzyMr<f64, 2, f32>>().unwrap(), x, "{}", x);
    }

    #[test]
    fn parsing_never_panics(text in "\\PC{0,40}") {
        let _ = text.parse::<FuzzyLu<f64, 3>>();
        let _ = text.parse::<FuzzyMr<f32, 3>>();
    }
}

#[test]
fn literals_have_the_specified_cuts() {
    type Two = FuzzyLu<f64, 2>;
    let read = |text: &str| text.parse::<Two>().unwrap();
    assert_eq!(read("tri(1,2,3)"), Two::triangular(1.0, 2.0, 3.0).unwrap());
    assert_eq!(read(" trap( -1, +2, 3e0 , .4e1 ) "), Two::trapezoidal(-1.0, 2.0, 3.0, 4.0).unwrap());
    assert_eq!(read("gauss(5, 0.5)"), Two::gaussian(5.0, 0.5).unwrap());
    assert_eq!(read("bell(5, 1, 2)"), Two::bell(5.0, 1.0, 2.0).unwrap());
    assert_eq!(read("[1, 3]"), Two::interval(1.0, 3.0).unwrap());
    assert_eq!(read("[-inf, 3]"), Two::interval(f64::NEG_INFINITY, 3.0).unwrap());
    assert_eq!(read("-2.5"), Two::crisp(-2.5));
    assert_eq!(read("cuts([1, 3], [2, 2])"), Two::from_cuts([1.0, 2.0], [3.0, 2.0]).unwrap());
    assert_eq!(read("mid(2, 1, 0.5)"), Two::from_cuts([1.0, 1.5], [3.0, 2.5]).unwrap());
    let (below, above) = (0.1f64.next_down(), 0.3f64.next_up()); // the double of 0.1 is above 0.1, that of 0.3 below 0.3
    assert_eq!(read("[0.1, 0.3]"), Two::interval(below, above).unwrap());
    assert_eq!(read("tri(0.1, 0.2, 0.3)").support(), read("[0.1, 0.3]").support());
    assert_eq!(read("1e400").lower(), &[f64::MAX; 2]);
    assert_eq!(read("-1e-400").lower(), &[-f64::from_bits(1); 2]);
    let printed = |text: &str| read(text).to_string();
    assert_eq!(
        (printed("2"), printed("[1, 3]"), printed("[-inf, 1e22]")),
        ("2".into(), "[1, 3]".into(), "[-inf, 1e22]".into())
    );
    assert_eq!(printed("0.1"), "cuts([0.09999999999999999, 0.1], [0.09999999999999999, 0.1])");
    let places = |value: f64| (to_fixed_outward(value, 2, false), to_fixed_outward(value, 2, true));
    assert_eq!(places(0.999), ("0.99".into(), "1.00".into()));
    assert_eq!(places(-0.001), ("-0.01".into(), "0.00".into()));
    assert_eq!(places(99.999), ("99.99".into(), "100.00".into()));
    assert_eq!(places(-1.0), ("-1.00".into(), "-1.00".into()));
    assert_eq!(places(f64::NEG_INFINITY).0, "-inf");
    assert_eq!(format!("{:.1}", read("tri(0, 0.25, 1)")), "cuts([0.0, 1.0], [0.2, 0.3])");
    assert_eq!("mid(2, 1, 0.5)".parse::<FuzzyMr<f64, 2, f32>>().unwrap().to_string(), "mid(2, 1, 0.5)");
}

#[test]
fn invalid_literals_are_rejected_with_their_position() {
    for (text, expected) in [
        ("", "expected a fuzzy number such as `tri(1, 2, 3)` or `[1, 3]`\n  \n  ^"),
        ("tri(1, 2)", "`tri` takes 3 numbers, not 2\n  tri(1, 2)\n  ^"),
        ("tri(1, 2, x)", "expected a number\n  tri(1, 2, x)\n            ^"),
        ("tri(1; 2, 3)", "unexpected character `;`; use `,`\n  tri(1; 2, 3)\n       ^"),
        ("1,5", "expected the end of the text; write decimal numbers with a point, such as 1.5\n  1,5\n   ^"),
        ("tri(1 2, 3)", "expected `,` or `)`\n  tri(1 2, 3)\n        ^"),
        ("tri 1", "expected `(` after `tri`\n  tri 1\n      ^"),
        (
            "tri(3, 2, 1)",
            "tri: `top` is 2, but it must be finite and at least `left`; write the corners in ascending order\n  tri(3, 2, 1)\n         ^",
        ),
        (
            "tri(1, 2, -1)",
            "tri: `right` is -1, but it must be at least `top`; write the corners in ascending order\n  tri(1, 2, -1)\n            ^",
        ),
        (
            "trap(1, 2, 3, 2.5)",
            "trap: `bottom right` is 2.5, but it must be at least the previous corner; write the corners in ascending order\n  trap(1, 2, 3, 2.5)\n                ^",
        ),
        ("gauss(inf, 1)", "gauss: `mean` is inf, but it must be finite\n  gauss(inf, 1)\n        ^"),
        (
            "tri(1, nan, 2)",
            "`nan` is not a number; write a number such as `2` or `-1.5e3`\n  tri(1, nan, 2)\n         ^",
        ),
        ("[NaN, 2]", "`NaN` is not a number; write a number such as `2` or `-1.5e3`\n  [NaN, 2]\n   ^"),
        (
            "  [3, 1]",
            "alpha-cut 0 is [3, 1], but its lower bound must not exceed its upper bound; swap them\n    [3, 1]\n    ^",
        ),
        ("[1, 2, 3]", "an interval takes two bounds, not 3\n  [1, 2, 3]\n  ^"),
        (
            "cuts([1, 3], [0, 2])",
            "alpha-cut 1 is [0, 2], but it must be within the previous alpha-cut\n  cuts([1, 3], [0, 2])\n               ^",
        ),
        (
            "cuts([1, 3], [2, 1])",
            "alpha-cut 1 is [2, 1], but its lower bound must not exceed its upper bound; swap them\n  cuts([1, 3], [2, 1])\n               ^",
        ),
        (
            "cuts([1, 3], [1, 2], [2, 2])",
            "expected 2 alpha-cuts, or 1 for all levels, but 3 were given\n  cuts([1, 3], [1, 2], [2, 2])\n  ^",
        ),
        ("cuts(1, 3)", "expected `[`; write a cut as `[lower, upper]`\n  cuts(1, 3)\n       ^"),
        ("mid(2)", "`mid` takes a midpoint and at least one radius\n  mid(2)\n  ^"),
        (
            "mid(2, -1)",
            "alpha-cut 0 has midpoint 2 and radius -1, but the radius must be at least 0\n  mid(2, -1)\n         ^",
        ),
        (
            "mid(2, 1, 3)",
            "alpha-cut 1 has midpoint 2 and radius 3, but the radius must not exceed the previous one\n  mid(2, 1, 3)\n            ^",
        ),
        (
            "about(5)",
            "`about` is not a fuzzy number; available shapes: `tri`, `trap`, `gauss`, `bell`, `cuts`, `mid`\n  about(5)\n  ^",
        ),
        ("1 2", "expected the end of the text\n  1 2\n    ^"),
    ] {
        assert_eq!(text.parse::<FuzzyLu<f64, 2>>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn double_precision_literals_are_enclosed_in_single_precision() {
    let written = FuzzyLu::<f64, 1>::crisp(3.0) / 10.0;
    let read: FuzzyLu<f32, 1> = written.to_string().parse().unwrap();
    assert!(
        f64::from(read.lower()[0]) <= written.lower()[0] && f64::from(read.upper()[0]) >= written.upper()[0]
    );
    assert!(read.lower()[0] < read.upper()[0]); // 0.3 is not representable in f32
    let ball: FuzzyMr<f64, 1, f32> = "mid(0, 0.7)".parse().unwrap();
    assert!(f64::from(ball.radii()[0]) >= 0.7);
    let long: FuzzyLu<f64, 1> =
        "cuts([0.1, 0.100000000000000005551115123125782702118158340454101563])".parse().unwrap();
    assert_eq!(long.upper()[0], 0.1f64.next_up()); // the text is above the double 0.1
}
