use super::super::ticks::{format_number, linear, logarithmic};
use proptest::prelude::*;

fn label_texts(ticks: &[super::super::ticks::Tick]) -> Vec<&str> {
    ticks.iter().map(|tick| tick.label.as_str()).collect()
}

#[test]
fn ticks_of_the_unit_interval_are_multiples_of_0_2() {
    let ticks = linear(0.0, 1.0, 5);
    assert_eq!(ticks.iter().map(|t| t.value).collect::<Vec<_>>(), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    assert_eq!(label_texts(&ticks), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
}

#[test]
fn tick_labels_have_the_decimals_that_distinguish_them() {
    assert_eq!(label_texts(&linear(-0.3, 0.3, 6)), ["−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3"]);
    assert_eq!(label_texts(&linear(0.0, 60_000.0, 6)).last(), Some(&"60\u{202f}000"));
    assert_eq!(label_texts(&linear(0.0, 2e6, 5)), ["0", "5×10⁵", "10⁶", "1.5×10⁶", "2×10⁶"]);
    assert_eq!(label_texts(&linear(1000.0, 1000.4, 5)), ["1000.0", "1000.1", "1000.2", "1000.3", "1000.4"]);
    assert_eq!(label_texts(&linear(0.0, 4e-6, 5)), ["0", "10⁻⁶", "2×10⁻⁶", "3×10⁻⁶", "4×10⁻⁶"]);
}

#[test]
fn the_label_of_a_tick_just_above_zero_is_zero() {
    assert_eq!(label_texts(&linear(1e-17, 1.0, 5))[0], "0");
}

#[test]
fn empty_and_infinite_ranges_have_no_ticks() {
    for (lower, upper) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(linear(lower, upper, 6).is_empty());
        assert!(logarithmic(lower, upper, 6).is_empty());
    }
    assert!(logarithmic(0.0, 1.0, 6).is_empty() && logarithmic(-1.0, 1.0, 6).is_empty());
}

#[test]
fn ticks_of_a_logarithmic_axis_are_powers_of_ten() {
    assert_eq!(
        label_texts(&logarithmic(0.001, 1000.0, 9)),
        ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]
    );
    assert_eq!(label_texts(&logarithmic(1e-8, 1e2, 5)), ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1", "10²"]);
}

#[test]
fn below_two_decades_a_logarithmic_axis_has_ticks_at_1_2_and_5() {
    assert_eq!(label_texts(&logarithmic(1.0, 30.0, 9)), ["1", "2", "5", "10", "20"]);
    assert_eq!(label_texts(&logarithmic(6.0, 9.0, 6)), ["6.0", "6.5", "7.0", "7.5", "8.0", "8.5", "9.0"]);
}

#[test]
fn numbers_have_four_significant_digits() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (9.99996, "10"),
        (-0.5, "−0.5"),
        (123.456, "123.5"),
        (9999.0, "9999"),
        (12_345.6, "12\u{202f}346"),
        (0.000_123_456, "0.0001235"),
        (1e-7, "10⁻⁷"),
        (-1e9, "−10⁹"),
        (6.022e23, "6.022×10²³"),
        (f64::NAN, "no value"),
        (f64::NEG_INFINITY, "−∞"),
    ] {
        assert_eq!(format_number(value), text, "{value:?}");
    }
}

/// Whether a step is 1, 2 or 5 times a power of ten.
fn is_one_two_five(step: f64) -> bool {
    let text = format!("{step:.6e}");
    ["1.000000e", "2.000000e", "5.000000e"].iter().any(|start| text.starts_with(start))
}

proptest! {
    #[test]
    fn linear_axes_have_two_to_ten_equally_spaced_ticks_with_a_step_of_1_2_or_5(
        center in -1e3..1e3f64, scale in -12..12i32, log_width in -3.0..3.0f64, max_ticks in 5..=9usize,
    ) {
        let width = 10f64.powf(log_width);
        let (lower, upper) = ((center - width) * 10f64.powi(scale), (center + width) * 10f64.powi(scale));
        let ticks = linear(lower, upper, max_ticks);
        prop_assert!((2..=max_ticks + 1).contains(&ticks.len()), "{} ticks", ticks.len());
        prop_assert!(ticks.iter().all(|t| lower <= t.value && t.value <= upper));
        let step = (ticks[ticks.len() - 1].value - ticks[0].value) / (ticks.len() - 1) as f64;
        // Differences of numbers of about 10³ widths lose up to 6 of 16 digits; steps are compared to 6 digits.
        prop_assert!(is_one_two_five(step), "step {step}");
        for pair in ticks.windows(2) {
            prop_assert!(((pair[1].value - pair[0].value) / step - 1.0).abs() < 1e-6);
            prop_assert_ne!(&pair[0].label, &pair[1].label);
        }
    }

    #[test]
    fn logarithmic_axes_have_two_to_ten_ticks_in_the_range(log_lower in -290.0..290.0f64, decades in 0.01..10.0f64) {
        let (lower, upper) = (10f64.powf(log_lower), 10f64.powf(log_lower + decades));
        let ticks = logarithmic(lower, upper, 9);
        prop_assert!((2..=10).contains(&ticks.len()), "{} ticks", ticks.len());
        prop_assert!(ticks.iter().all(|t| lower <= t.value && t.value <= upper));
        prop_assert!(ticks.windows(2).all(|pair| pair[0].value < pair[1].value && pair[0].label != pair[1].label));
    }
}
