//! Short number format of reports and plots.

/// Formats a number with four significant digits; magnitudes from 1e4 to 1e9 are rounded to integers.
///
/// ```
/// use fuzzion::inference::explain::format_short;
/// assert_eq!(format_short(2.0 / 3.0), "0.6667");
/// assert_eq!(format_short(-12.5), "-12.5");
/// assert_eq!(format_short(123456.0), "123456");
/// assert_eq!(format_short(1.5e-7), "1.5e-7");
/// ```
pub fn format_short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    let rounded: f64 = format!("{x:.3e}").parse().expect("invariant: a formatted number parses");
    match rounded.abs() {
        1e4..1e9 => format!("{x:.0}"),
        1e-4..1e4 => rounded.to_string(),
        _ => format!("{rounded:e}"),
    }
}
