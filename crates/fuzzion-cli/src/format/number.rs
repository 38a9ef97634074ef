//! Numbers as short text and as JSON.

use fuzzion::data::Summary;
use serde_json::{Value, json};

/// Formats `x` with at most six significant digits; very large and very small values get an exponent.
pub(crate) fn format_number(x: f64) -> String {
    format_digits(x, 6)
}

/// Formats `x` with at most `count` significant digits.
pub(crate) fn format_digits(x: f64, count: usize) -> String {
    let rounded = format!("{x:.*e}", count - 1).parse().unwrap_or(x);
    let plain = x == 0.0 || !x.is_finite() || (1e-4..1e9).contains(&x.abs());
    if x.is_finite() && x.fract() == 0.0 && x.abs() < 1e9 {
        format!("{x}")
    } else if plain {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Minimum, mean and maximum with six digits, or with more where rounding would put the mean outside the range.
pub(crate) fn min_mean_max(s: &Summary) -> [String; 3] {
    let texts = |count| [s.min, s.mean, s.max].map(|x| format_digits(x, count));
    let ordered = |texts: &[String; 3]| {
        let [min, mean, max] = [0, 1, 2].map(|i: usize| texts[i].parse::<f64>().unwrap_or(f64::NAN));
        !(mean < min || mean > max)
    };
    // 17 digits distinguish all doubles; one digit more than needed separates the mean from the nearer bound.
    match (6..17).find(|count| ordered(&texts(*count))) {
        Some(6) => texts(6),
        count => texts(count.map_or(17, |count| count + 1)),
    }
}

/// A number as JSON: NaN becomes null, and infinities, which JSON cannot represent, become text.
pub(crate) fn json_number(x: f64) -> Value {
    if x.is_nan() {
        Value::Null
    } else if x.is_infinite() {
        json!(x.to_string())
    } else {
        json!(x)
    }
}

/// Formats `value` with an SI prefix: 4.25 T, 12.3 G.
pub(crate) fn with_prefix(value: f64) -> String {
    const PREFIXES: [(f64, &str); 5] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // Slightly below the power of ten, so that 999,999 becomes 1.00 M and not 1000 k.
    let (scale, prefix) =
        PREFIXES.into_iter().find(|(scale, _)| value >= scale * 0.99995).unwrap_or((1.0, ""));
    let scaled = value / scale;
    let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
    format!("{scaled:.decimals$} {prefix}")
}

/// Formats a duration in microseconds, milliseconds or seconds.
pub(crate) fn format_seconds(value: f64) -> String {
    match value {
        v if v < 1e-3 => format!("{:.2} µs", v * 1e6),
        v if v < 1.0 => format!("{:.2} ms", v * 1e3),
        v => format!("{v:.2} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_the_matching_prefix_and_unit() {
        assert_eq!(with_prefix(4.25e12), "4.25 T");
        assert_eq!(with_prefix(999_999.0), "1.00 M");
        assert_eq!(with_prefix(12.34), "12.3 ");
        assert_eq!(with_prefix(0.0), "0.00 ");
        assert_eq!(format_seconds(0.00213), "2.13 ms");
    }

    #[test]
    fn the_mean_is_printed_between_minimum_and_maximum() {
        assert_eq!(
            min_mean_max(&Summary::of([12345678.0, 12345679.0])),
            ["12345678", "12345678.5", "12345679"]
        );
        assert_eq!(
            min_mean_max(&Summary::of([1e300, 1.2345678e300])),
            ["1e300", "1.11728e300", "1.23457e300"]
        );
    }

    #[test]
    fn numbers_have_at_most_six_digits() {
        let cases = [
            (0.0, "0"),
            (1234567.0, "1234567"),
            (0.123456789, "0.123457"),
            (1.5e-9, "1.5e-9"),
            (-2e12, "-2e12"),
        ];
        cases.into_iter().for_each(|(x, text)| assert_eq!(format_number(x), text));
    }
}
