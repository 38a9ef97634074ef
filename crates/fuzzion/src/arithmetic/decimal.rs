//! Decimal numbers as they are written, and the machine numbers around them.

use super::cut::Cut;
use super::rounding::Real;
use std::cmp::Ordering;

/// The least and the greatest machine number around the decimal number `text`: twice the same where it is one.
///
/// Digits with an optional point, sign and exponent, or `inf`; `None` for anything else.
pub(super) fn enclosing<T: Real>(text: &str) -> Option<Cut<T>> {
    let near: f64 = text.parse().ok()?;
    if near.is_nan() {
        return None;
    }
    let size = text.trim_start_matches(['+', '-']);
    if size.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Some(Cut { lower: T::from_f64_down(near), upper: T::from_f64_up(near) }); // written as infinite
    }
    let order = compare(size, near.abs());
    let order = if text.starts_with('-') { order.reverse() } else { order };
    // The literal against the nearest double; directed roundings compose.
    let (lower, upper) = match order {
        Ordering::Less => (near.next_down(), near),
        Ordering::Equal => (near, near),
        Ordering::Greater => (near, near.next_up()),
    };
    Some(Cut::new(T::from_f64_down(lower), T::from_f64_up(upper)))
}

/// `value` with so many decimal places, rounded so that the text is not below it (`up`) or not above it.
pub(super) fn outward(value: f64, places: usize, up: bool) -> String {
    let size = format!("{:.places$}", value.abs()); // to nearest
    if !value.is_finite() {
        return format!("{value}");
    }
    let negative = value < 0.0;
    let size = match (compare(&size, value.abs()), up != negative) {
        (Ordering::Less, true) => last_place(&size, 1),
        (Ordering::Greater, false) => last_place(&size, -1),
        _ => size,
    };
    let is_zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if negative && !is_zero { format!("-{size}") } else { size }
}

/// `value` with so many digits, at least one, rounded as [`outward`] does: `1.235e-7`.
pub(super) fn outward_digits(value: f64, digits: usize, up: bool) -> String {
    let size = format!("{:.*e}", digits.max(1) - 1, value.abs()); // to nearest
    if !value.is_finite() {
        return format!("{value}");
    }
    let negative = value < 0.0;
    let size = match (compare(&size, value.abs()), up != negative) {
        (Ordering::Less, true) => step(&size, 1),
        (Ordering::Greater, false) => step(&size, -1),
        _ => size,
    };
    if negative { format!("-{size}") } else { size }
}

/// d.ddde±n one unit of its last digit more or less, in as many digits.
fn step(size: &str, step: i8) -> String {
    let (mantissa, exponent) = size.split_once('e').unwrap_or((size, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let stepped = last_place(mantissa, step);
    // Below 1.00 comes 9.99 with the next smaller exponent, above 9.99 comes 1.00 with the next greater one.
    if stepped.starts_with('0') {
        format!("{}e{}", mantissa.replace(['0', '1'], "9"), exponent - 1)
    } else if stepped.starts_with("10") {
        format!("{}e{}", mantissa.replace('9', "0").replacen('0', "1", 1), exponent + 1)
    } else {
        format!("{stepped}e{exponent}")
    }
}

/// A decimal number without a sign, one unit of its last place more or less; one that is made less is not 0.
fn last_place(text: &str, step: i8) -> String {
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

/// How the decimal number `text`, without a sign, compares with `value` ≥ 0, exactly.
fn compare(text: &str, value: f64) -> Ordering {
    compare_short(text, value).unwrap_or_else(|| compare_any(text, value))
}

/// As [`compare`], for digits and decimals few enough that two doubles hold digits · 10ⁿ: their product less a third
/// number is not 0, and has the right sign, whatever its rounding.
fn compare_short(text: &str, value: f64) -> Option<Ordering> {
    const MOST: f64 = 9_007_199_254_740_992.0; // 2⁵³
    const TENS: i32 = 22; // 10²² is a double, 10²³ is none
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = before.bytes().chain(after.bytes());
    let digits = digits.fold(0.0, |number, digit| number * 10.0 + f64::from(digit.wrapping_sub(b'0')));
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(after.len()).ok()?)?;
    if digits >= MOST || exponent.abs() > TENS || !value.is_finite() {
        return None;
    }
    let power = (0..exponent.abs()).fold(1.0, |power, _| power * 10.0);
    let above = if exponent < 0 { -value.mul_add(power, -digits) } else { digits.mul_add(power, -value) };
    above.partial_cmp(&0.0)
}

/// As [`compare`], for any number of digits.
fn compare_any(text: &str, value: f64) -> Ordering {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: Vec<u8> = before.bytes().chain(after.bytes()).collect();
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let digits = &digits[zeros..];
    if digits.is_empty() || value == 0.0 || value.is_infinite() {
        // 0 reads as 0; what reads as 0 or ∞ and is not lies between it and the next number.
        return match value {
            0.0 if digits.is_empty() => Ordering::Equal,
            0.0 => Ordering::Greater,
            _ => Ordering::Less,
        };
    }
    // Both as d.ddd… · 10ⁿ. An exponent too long to be read was 0 or ∞ above.
    let exponent = exponent.parse::<i64>().unwrap_or(0) + before.len() as i64 - zeros as i64 - 1;
    let exact = format!("{value:.800e}"); // 767 digits are all there can be
    let (value_digits, value_exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let value_exponent = value_exponent.parse::<i64>().unwrap_or(0);
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
