use crate::data::csv::decimal::decimal_to_float;
use crate::data::csv::number::parse_leading_number;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_number_formatted_by_rust_is_parsed_exactly(
        x in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
    ) {
        for text in [format!("{x}"), format!("{x:e}"), format!("{x:.17e}")] {
            if let Some((value, end)) = parse_leading_number::<f64>(text.as_bytes(), 0) {
                prop_assert_eq!(value.to_bits(), x.to_bits(), "{}", &text);
                prop_assert_eq!(end, text.len());
            }
        }
    }

    #[test]
    fn any_decimal_is_parsed_bit_identically_to_str_parse(
        text in "-?[0-9]{0,22}(\\.[0-9]{0,24})?([eE][-+]?[0-9]{1,3})?",
    ) {
        if let Some((value, end)) = parse_leading_number::<f64>(text.as_bytes(), 0) {
            prop_assert_eq!(value.to_bits(), text[..end].parse::<f64>().unwrap().to_bits());
        }
        if let Some((value, end)) = parse_leading_number::<f32>(text.as_bytes(), 0) {
            prop_assert_eq!(value.to_bits(), text[..end].parse::<f32>().unwrap().to_bits());
        }
    }

    #[test]
    fn any_scaled_integer_is_rounded_like_str_parse(w in any::<u64>(), shift in 0u32..64, q in -60i32..60) {
        let w = w >> shift;
        let text = format!("-{w}e{q}");
        if let Some(value) = decimal_to_float::<f64>(true, w, q) {
            prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
        }
        if let Some(value) = decimal_to_float::<f32>(true, w, q) {
            prop_assert_eq!(value.to_bits(), text.parse::<f32>().unwrap().to_bits());
        }
    }

    #[test]
    fn a_number_next_to_a_midpoint_is_rounded_like_str_parse(x in prop::num::f32::NORMAL, ulps in -2i64..3) {
        // Midpoints of adjacent f32 values often have at most 19 digits, so the fast path is tested on the hard cases.
        let midpoint = (f64::from(x) + f64::from(f32::from_bits(x.to_bits() + 1))) / 2.0;
        let text = format!("{:e}", f64::from_bits(midpoint.to_bits().wrapping_add_signed(ulps)));
        if let Some((value, _)) = parse_leading_number::<f32>(text.as_bytes(), 0) {
            prop_assert_eq!(value.to_bits(), text.parse::<f32>().unwrap().to_bits());
        }
    }
}

#[test]
fn the_fast_path_parses_only_common_numbers() {
    let fast = |text: &str| parse_leading_number::<f64>(text.as_bytes(), 0);
    for text in [
        "0",
        "-0",
        "0.1",
        "1.",
        ".5",
        "-12.75e3",
        "1e-50",
        "0.000000000000000000000012",
        "18446744073709551615",
    ] {
        let expected = text.parse::<f64>().unwrap().to_bits();
        match fast(text) {
            Some((value, end)) => assert_eq!((value.to_bits(), end), (expected, text.len()), "{text}"),
            None => assert!(text.len() > 19, "{text}"),
        }
    }
    for text in ["", "-", ".", "-.", "x", "+1", "1e", "1e+", "nan", "123456789012345678901"] {
        assert_eq!(fast(text), None, "{text}");
    }
}

#[test]
fn most_numbers_take_the_fast_path() {
    let fast = (0..10_000).filter(|i| {
        let text = f64::from(*i).sin().to_string();
        parse_leading_number::<f64>(text.as_bytes(), 0).is_some()
    });
    assert!(fast.count() > 9_900);
}
