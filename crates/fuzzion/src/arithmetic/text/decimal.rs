//! Enclosures of decimal numbers, and outward-rounded decimal output.

use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::rounding::Real;
use std::cmp::Ordering;

/// Smallest enclosure of the decimal number `text`; both bounds are equal if it is representable.
///
/// Accepts digits with an optional point, sign and exponent, or `inf`; `None` for anything else.
pub(in crate::arithmetic) fn enclosing<T: Real>(text: &str) -> Option<AlphaCut<T>> {
    let near: f64 = text.parse().ok()?;
    if near.is_nan() {
        return None;
    }
    let magnitude = text.trim_start_matches(['+', '-']);
    if magnitude.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Some(AlphaCut { lower: T::from_f64_down(near), upper: T::from_f64_up(near) }); // `inf`
    }
    let order = compare(magnitude, near.abs());
    let order = if text.starts_with('-') { order.reverse() } else { order };
    // Compares the text with the nearest f64; directed roundings compose.
    let (lower, upper) = match order {
        Ordering::Less => (near.next_down(), near),
        Ordering::Equal => (near, near),
        Ordering::Greater => (near, near.next_up()),
    };
    Some(AlphaCut::new(T::from_f64_down(lower), T::from_f64_up(upper)))
}

/// Number of decimal places of the decimal number `text`; `None` for `inf`.
pub(in crate::arithmetic) fn places(text: &str) -> Option<usize> {
    let magnitude = text.trim_start_matches(['+', '-']);
    let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
    if magnitude.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let digits = mantissa.split_once('.').map_or(0, |(_, after)| after.trim_end_matches('0').len());
    usize::try_from((digits as i64).checked_sub(exponent.parse().ok()?)?.max(0)).ok()
}

/// `value` with `places` decimal places, rounded up if `up`, otherwise down.
pub(in crate::arithmetic) fn to_fixed_outward(value: f64, places: usize, up: bool) -> String {
    let magnitude = format!("{:.places$}", value.abs()); // rounded to nearest
    if !value.is_finite() {
        return format!("{value}");
    }
    let negative = value < 0.0;
    let magnitude = match (compare(&magnitude, value.abs()), up != negative) {
        (Ordering::Less, true) => step_last_digit(&magnitude, 1),
        (Ordering::Greater, false) => step_last_digit(&magnitude, -1),
        _ => magnitude,
    };
    let is_zero = magnitude.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if negative && !is_zero { format!("-{magnitude}") } else { magnitude }
}

/// `value` with `digits` significant digits (at least one), rounded up if `up`, otherwise down: `1.235e-7`.
pub(in crate::arithmetic) fn to_scientific_outward(value: f64, digits: usize, up: bool) -> String {
    let magnitude = format!("{:.*e}", digits.max(1) - 1, value.abs()); // rounded to nearest
    if !value.is_finite() {
        return format!("{value}");
    }
    let negative = value < 0.0;
    let magnitude = match (compare(&magnitude, value.abs()), up != negative) {
        (Ordering::Less, true) => step_scientific(&magnitude, 1),
        (Ordering::Greater, false) => step_scientific(&magnitude, -1),
        _ => magnitude,
    };
    if negative { format!("-{magnitude}") } else { magnitude }
}

/// d.ddde±n plus or minus one unit in its last digit, with the same number of digits.
fn step_scientific(magnitude: &str, step: i8) -> String {
    let (mantissa, exponent) = split_scientific(magnitude);
    let stepped = step_last_digit(mantissa, step);
    // The predecessor of 1.00 is 9.99 with exponent − 1, the successor of 9.99 is 1.00 with exponent + 1.
    if stepped.starts_with('0') {
        format!("{}e{}", mantissa.replace(['0', '1'], "9"), exponent - 1)
    } else if stepped.starts_with("10") {
        format!("{}e{}", mantissa.replace('9', "0").replacen('0', "1", 1), exponent + 1)
    } else {
        format!("{stepped}e{exponent}")
    }
}

/// Mantissa and exponent of a number formatted with `{:e}`.
fn split_scientific(text: &str) -> (&str, i64) {
    let (mantissa, exponent) = text.split_once('e').expect("invariant: `{:e}` writes an exponent");
    (mantissa, exponent.parse().expect("invariant: `{:e}` writes an integer exponent"))
}

/// Unsigned decimal number plus or minus one unit in its last digit; must not be 0 for minus.
fn step_last_digit(text: &str, step: i8) -> String {
    let (full, empty) = if step > 0 { (b'9', b'0') } else { (b'0', b'9') };
    let mut digits = text.as_bytes().to_vec();
    for digit in digits.iter_mut().rev().filter(|byte| byte.is_ascii_digit()) {
        if *digit != full {
            *digit = digit.wrapping_add_signed(step);
            let text = String::from_utf8_lossy(&digits).into_owned();
            let shorter =
                text.strip_prefix('0').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            return shorter.map_or(text.clone(), str::to_owned);
        }
        *digit = empty;
    }
    format!("1{}", String::from_utf8_lossy(&digits))
}

/// Exact comparison of the unsigned decimal number `text` with `value` ≥ 0.
fn compare(text: &str, value: f64) -> Ordering {
    compare_short(text, value).unwrap_or_else(|| compare_long(text, value))
}

/// [`compare`] for numbers with few digits, where digits and 10ⁿ are exact doubles: the fused digits·10ⁿ − value has
/// the sign of the exact difference, regardless of how it is rounded.
fn compare_short(text: &str, value: f64) -> Option<Ordering> {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
    const MAX_EXACT_POWER: i32 = 22; // 10²² is an exact double, 10²³ is not
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = before.bytes().chain(after.bytes());
    let digits = digits.fold(0.0, |number, digit| number * 10.0 + f64::from(digit.wrapping_sub(b'0')));
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(after.len()).ok()?)?;
    if digits >= MAX_EXACT || exponent.abs() > MAX_EXACT_POWER || !value.is_finite() {
        return None;
    }
    let power = (0..exponent.abs()).fold(1.0, |power, _| power * 10.0);
    let above = if exponent < 0 { -value.mul_add(power, -digits) } else { digits.mul_add(power, -value) };
    above.partial_cmp(&0.0)
}

/// [`compare`] for any number of digits.
fn compare_long(text: &str, value: f64) -> Ordering {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: Vec<u8> = before.bytes().chain(after.bytes()).collect();
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let digits = &digits[zeros..];
    if digits.is_empty() || value == 0.0 || value.is_infinite() {
        // A text that was rounded to 0 or ∞ is strictly between that value and its neighbor.
        return match value {
            0.0 if digits.is_empty() => Ordering::Equal,
            0.0 => Ordering::Greater,
            _ => Ordering::Less,
        };
    }
    // Both as d.ddd… · 10ⁿ.
    let exponent: i64 =
        exponent.parse().expect("invariant: a number whose exponent exceeds i64 was rounded to 0 or ∞ above");
    let exponent = exponent + before.len() as i64 - zeros as i64 - 1;
    let exact = format!("{value:.800e}"); // an f64 has at most 767 significant decimal digits
    let (value_digits, value_exponent) = split_scientific(&exact);
    let value_digits: Vec<u8> = value_digits.bytes().filter(u8::is_ascii_digit).collect();
    let longest = digits.len().max(value_digits.len());
    let digit = |digits: &[u8], i: usize| digits.get(i).copied().unwrap_or(b'0');
    exponent.cmp(&value_exponent).then_with(|| {
        (0..longest)
            .map(|i| digit(digits, i).cmp(&digit(&value_digits, i)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}
