//! Positions of ticks and formatting of numbers.

/// Value and label of a tick.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// At most `max_ticks` + 1 multiples of a step in [lower, upper], where the step is 1, 2 or 5 times a power of ten.
///
/// The step is the smallest that fits into the range at most `max_ticks` times. Since consecutive steps differ by a
/// factor of at most 2.5, it fits more than `max_ticks` / 2.5 times, so there are at least two ticks if `max_ticks` ≥ 5.
pub(super) fn linear(lower: f64, upper: f64, max_ticks: usize) -> Vec<Tick> {
    let max_ticks = max_ticks.clamp(5, 9) as f64;
    let width = upper - lower;
    if !(width > 0.0 && width.is_finite()) {
        return Vec::new();
    }
    let mut exponent = (width / max_ticks).log10().floor() as i32;
    let mut digit = 10;
    // The tolerance admits a range of exactly `max_ticks` steps despite rounding.
    for candidate in [1, 2, 5] {
        if width / scaled(candidate, exponent) <= max_ticks * (1.0 + 1e-9) {
            digit = candidate;
            break;
        }
    }
    if digit == 10 {
        (digit, exponent) = (1, exponent + 1);
    }
    let step = scaled(digit, exponent);
    let tolerance = 1e-9;
    let (first, last) = ((lower / step - tolerance).ceil(), (upper / step + tolerance).floor());
    // Beyond about 2⁵³ steps from zero, adjacent multiples are the same number.
    if first.abs().max(last.abs()) > 9e15 {
        return Vec::new();
    }
    let values: Vec<f64> = (first as i64..=last as i64).map(|i| scaled(i * digit, exponent)).collect();
    let largest = values.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
    let tick = |value: f64| Tick {
        value: value.clamp(lower, upper), // the tolerance can admit a tick just outside the range
        label: tick_label(value, exponent, largest),
    };
    values.into_iter().map(tick).collect()
}

/// Like [`linear`], but only whole numbers.
pub(super) fn whole(lower: f64, upper: f64, max_ticks: usize) -> Vec<Tick> {
    let ticks = linear(lower, upper, max_ticks).into_iter();
    let whole = ticks.filter(|tick| tick.value.fract() == 0.0);
    whole.map(|tick| Tick { label: tick.label.trim_end_matches(".0").to_owned(), ..tick }).collect()
}

/// digit · 10^exponent; divides for negative exponents, so that the result rounds like a decimal literal.
fn scaled(digit: i64, exponent: i32) -> f64 {
    if exponent < 0 { digit as f64 / 10f64.powi(-exponent) } else { digit as f64 * 10f64.powi(exponent) }
}

/// Label of a tick at a multiple of 10^exponent, with as many decimals as needed to distinguish adjacent ticks.
fn tick_label(value: f64, exponent: i32, largest: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if exponent < -4 || largest >= 1e6 {
        let decimals = (power_of_ten(value) - exponent).clamp(0, 15) as usize;
        return scientific(value, decimals);
    }
    fixed_point(value, (-exponent).max(0) as usize)
}

/// Ticks of a logarithmic axis over [lower, upper], both positive.
///
/// At most about `max_ticks` + 1 equally spaced powers of ten; below two decades also 2 and 5 times these; if that gives
/// fewer than two ticks, the ticks of a linear axis.
pub(super) fn logarithmic(lower: f64, upper: f64, max_ticks: usize) -> Vec<Tick> {
    if !(lower > 0.0 && upper > lower && upper.is_finite()) {
        return Vec::new();
    }
    let max_ticks = max_ticks.clamp(5, 9) as i32;
    let inside = |value: &f64| *value >= lower * (1.0 - 1e-9) && *value <= upper * (1.0 + 1e-9);
    let (first, last) = (lower.log10().floor() as i32, upper.log10().ceil() as i32);
    let powers: Vec<i32> = (first..=last).filter(|&e| inside(&scaled(1, e))).collect();
    if powers.len() >= 3 {
        let every = (powers.len() as i32 - 1) / (max_ticks + 1) + 1;
        let shown: Vec<i32> = powers.into_iter().filter(|e| e.rem_euclid(every) == 0).collect();
        // The same notation for all labels of an axis.
        let fixed = shown.iter().all(|e| (-3..=4).contains(e));
        return shown
            .into_iter()
            .map(|e| Tick { value: scaled(1, e).clamp(lower, upper), label: power_label(e, fixed) })
            .collect();
    }
    let ticks: Vec<Tick> = (first..=last)
        .flat_map(|e| [1, 2, 5].map(|digit| scaled(digit, e)))
        .filter(inside)
        .map(|value| Tick { value: value.clamp(lower, upper), label: format_number(value) })
        .collect();
    if ticks.len() >= 2 { ticks } else { linear(lower, upper, max_ticks as usize) }
}

fn power_label(exponent: i32, fixed: bool) -> String {
    if fixed || exponent == 0 || exponent == 1 {
        fixed_point(scaled(1, exponent), (-exponent).max(0) as usize)
    } else {
        format!("10{}", superscript(exponent))
    }
}

/// Formats a number with four significant digits and a true minus sign, in scientific notation if it is very large or
/// very small.
///
/// ```
/// use fuzzion::plot::format_number;
/// assert_eq!(format_number(0.25), "0.25");
/// assert_eq!(format_number(-1234.5678), "−1235");
/// assert_eq!(format_number(31_415.9), "31\u{202f}416");
/// assert_eq!(format_number(2.5e9), "2.5×10⁹");
/// ```
pub fn format_number(value: f64) -> String {
    if value.is_nan() {
        return "no value".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.into();
    }
    if value == 0.0 {
        return "0".into();
    }
    // Rounding to four digits can carry into the next power of ten: 9.9996 becomes 10.
    let exponent = power_of_ten(value);
    if (-4..6).contains(&exponent) {
        trimmed(fixed_point(value, (3 - exponent).max(0) as usize))
    } else {
        scientific(value, 3)
    }
}

fn power_of_ten(value: f64) -> i32 {
    value.abs().log10().floor() as i32
}

/// mantissa × 10ⁿ without trailing zeros in the mantissa.
fn scientific(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent = exponent.parse().unwrap_or(0);
    let mantissa = trimmed(mantissa.replace('-', "−"));
    match mantissa.as_str() {
        "1" => format!("10{}", superscript(exponent)),
        "−1" => format!("−10{}", superscript(exponent)),
        _ => format!("{mantissa}×10{}", superscript(exponent)),
    }
}

/// Fixed-point notation with a true minus sign, and narrow spaces between thousands from five digits on.
fn fixed_point(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        let left = whole.len() - i;
        if whole.len() >= 5 && i > 0 && left.is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

fn superscript(exponent: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    exponent.to_string().chars().map(|c| c.to_digit(10).map_or('⁻', |digit| digits[digit as usize])).collect()
}
