//! Numbers as short text and as JSON.

use fuzzion::data::Summary;
use serde_json::{Value, json};

/// Formats `x` with at most six significant digits; very large and very small values get an exponent.
pub(crate) fn format_number(x: f64) -> String {
    format_digits(x, 6)
}

/// Formats `x` with at most `count` significant digits.
pub(crate) fn format_digits(x: f64, count: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", count - 1).parse().unwrap_or(x);
    let plain = x == 0.0 || !x.is_finite() || (1e-4..1e9).contains(&x.abs());
    let all_digits = rounded.abs() < 10f64.powi(count as i32); // otherwise zeros would replace the omitted digits
    if x.is_finite() && x.fract() == 0.0 && x.abs() < 1e9 {
        format!("{x}")
    } else if plain && all_digits || !x.is_finite() {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Formats a value with its standard error: the error with two digits, the value with as many decimals.
pub(crate) fn format_with_error(value: f64, error: f64) -> String {
    if !(error > 0.0 && error.is_finite()) {
        return format!("{} ± {}", format_number(value), format_number(error));
    }
    let exponent = error.log10().floor() as i32 - 1;
    if !(-9..=2).contains(&exponent) {
        return format!("{} ± {}", format_number(value), format_digits(error, 2));
    }
    let decimals = -exponent.min(0) as usize;
    format!("{value:.decimals$} ± {error:.decimals$}")
}

/// 0 instead of a value that consists of rounding errors of values of magnitude `scale`.
pub(crate) fn without_noise(x: f64, scale: f64) -> f64 {
    if x.abs() < 1e-14 * scale { 0.0 } else { x }
}

/// Minimum, mean and maximum with six digits, or with more where rounding would put the mean outside the range.
pub(crate) fn min_mean_max(s: &Summary) -> [String; 3] {
    let mean = without_noise(s.mean, s.min.abs().max(s.max.abs()));
    let texts = |count| [s.min, mean, s.max].map(|x| format_digits(x, count));
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

/// Formats a rate, such as `12.3 Mrows/s`; `None` if the run was too short for the rate to be meaningful.
pub(crate) fn format_rate(count: u64, min_count: u64, unit: &str, seconds: f64) -> Option<String> {
    let is_meaningful = count >= min_count && seconds >= 0.1;
    is_meaningful.then(|| format!("{}{unit}/s", with_prefix(count as f64 / seconds)))
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
    fn values_have_the_digits_of_their_errors() {
        assert_eq!(format_with_error(0.255191, 0.00265214), "0.2552 ± 0.0027");
        assert_eq!(format_with_error(60.123, 1.94), "60.1 ± 1.9");
        assert_eq!(format_with_error(-1234.5, 56.0), "-1234 ± 56");
        assert_eq!(format_with_error(1.5, 0.0), "1.5 ± 0");
        assert_eq!(format_with_error(2.0, f64::INFINITY), "2 ± inf");
    }

    #[test]
    fn numbers_get_the_matching_prefix_and_unit() {
        assert_eq!(with_prefix(4.25e12), "4.25 T");
        assert_eq!(with_prefix(999_999.0), "1.00 M");
        assert_eq!(with_prefix(12.34), "12.3 ");
        assert_eq!(with_prefix(0.0), "0.00 ");
        assert_eq!(format_seconds(0.00213), "2.13 ms");
    }

    #[test]
    fn rates_of_short_runs_are_omitted() {
        assert_eq!(format_rate(2, 1000, "rows", 0.0067), None);
        assert_eq!(format_rate(2, 1000, "rows", 3.0), None);
        assert_eq!(format_rate(5_000_000, 1000, "rows", 0.01), None);
        assert_eq!(format_rate(5_000_000, 1000, "rows", 0.5).as_deref(), Some("10.0 Mrows/s"));
    }

    #[test]
    fn noise_below_the_rounding_errors_of_the_range_is_zero() {
        let row = |x: f64, other: f64| min_mean_max(&Summary::of([x, other]));
        assert_eq!(row(-0.1 - 0.2, 0.3)[1], "0"); // −2.8e-17
        assert_eq!(row(-1.0, 1.0 + 1e-9)[1], "5e-10");
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
            (1796083.4, "1.79608e6"),
            (-999999.7, "-1e6"),
            (123456.7, "123457"),
            (f64::NEG_INFINITY, "-inf"),
            (0.123456789, "0.123457"),
            (1.5e-9, "1.5e-9"),
            (-2e12, "-2e12"),
        ];
        cases.into_iter().for_each(|(x, text)| assert_eq!(format_number(x), text));
    }
}
