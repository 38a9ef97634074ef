//! Numbers as people write them, to the same bits as `str::parse`.

use super::decimal::decimal;
use crate::data::scalar::Scalar;
use memchr::memchr;

/// The most digits that fit 64 bits whatever they are.
const MAX_DIGITS: usize = 19;

/// Words that stand for a missing value, in any case; so does an empty field.
const MISSING: [&[u8]; 6] = [b"?", b"na", b"nan", b"n/a", b"null", b"none"];

/// The plain decimal number that begins at `at`, and where it ends; `None` where the slower way must look.
#[inline(always)]
pub(crate) fn leading_number<T: Scalar>(text: &[u8], at: usize) -> Option<(T, usize)> {
    let negative = text.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let (mut w, mut at) = digits(text, start, 0);
    let mut count = at - start;
    let mut exponent = 0;
    if text.get(at) == Some(&b'.') {
        let point = at;
        (w, at) = decimals(text, point + 1, w);
        let places = at - point - 1;
        exponent = -i32::try_from(places).ok()?;
        count += places;
    }
    if count > MAX_DIGITS {
        count -= leading_zeros(&text[start..at]);
    }
    if at == start || count > MAX_DIGITS || (count == 0 && at == start + 1) {
        return None;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let (more, end) = power(text, at + 1)?;
        exponent += more;
        at = end;
    }
    Some((decimal(negative, w, exponent)?, at))
}

/// How many zeros stand before the first digit that counts, as in `0.000…`.
fn leading_zeros(number: &[u8]) -> usize {
    number.iter().take_while(|b| matches!(b, b'0' | b'.')).filter(|b| **b == b'0').count()
}

/// The digits at `at` appended to `w`, and where they end; `w` is meaningless after more than 19.
#[inline(always)]
fn digits(text: &[u8], mut at: usize, mut w: u64) -> (u64, usize) {
    while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        w = w.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (w, at)
}

/// As [`digits`], eight at a time: decimals are many, and how many after the last eight is hard to foresee, so that
/// those are counted rather than looped over.
#[inline(always)]
fn decimals(text: &[u8], mut at: usize, mut w: u64) -> (u64, usize) {
    const TENS: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];
    while let Some(bytes) = text.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()) {
        let eight = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
        // A byte above 9 either has a high half already or gets one when 6 is added; a carry out of it spoils
        // only bytes after it.
        let others = (eight | eight.wrapping_add(0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0;
        if others != 0 {
            let count = (others.trailing_zeros() / 8) as usize;
            let padded = (eight << 8) << (56 - 8 * count);
            return (w.wrapping_mul(TENS[count & 7]).wrapping_add(eight_digits(padded)), at + count);
        }
        w = w.wrapping_mul(100_000_000).wrapping_add(eight_digits(eight));
        at += 8;
    }
    digits(text, at, w)
}

/// The value of eight digits, the first in the lowest byte: ones are added to pairs, pairs to fours, fours to eight.
#[inline(always)]
fn eight_digits(digits: u64) -> u64 {
    let pairs = (digits.wrapping_mul(10 * 256 + 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100 * 65_536 + 1) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32
}

/// The exponent at `at` (a sign and at most four digits), and where it ends.
fn power(text: &[u8], at: usize) -> Option<(i32, usize)> {
    let negative = text.get(at) == Some(&b'-');
    let start = at + usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let mut value = 0;
    let mut at = start;
    while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        value = value * 10 + i32::from(digit);
        at += 1;
        if at > start + 4 {
            return None;
        }
    }
    (at > start).then_some((if negative { -value } else { value }, at))
}

/// What stands between whole and decimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Point,
    Comma,
}

impl Mark {
    /// The mark that the fields of a text use where `,` does not separate them: a comma if some look like `-1,5` and
    /// none like `1.5`.
    pub(crate) fn of<'a>(fields: impl Iterator<Item = &'a [u8]>) -> Mark {
        let (mut commas, mut points) = (false, false);
        for field in fields {
            commas |= memchr(b',', field).is_some() && whole_number::<f64>(field, Mark::Comma).is_some();
            points |= memchr(b'.', field).is_some() && whole_number::<f64>(field, Mark::Point).is_some();
        }
        if commas && !points { Mark::Comma } else { Mark::Point }
    }
}

/// The number a whole field says: missing words are NaN; `None` where it says no number.
pub(crate) fn whole_number<T: Scalar>(field: &[u8], mark: Mark) -> Option<T> {
    let field = field.trim_ascii();
    if is_missing(field) {
        return Some(T::MISSING);
    }
    let text = std::str::from_utf8(field).ok()?;
    match (mark, text.split_once(',')) {
        (Mark::Point, _) => text.parse().ok(),
        // A point among decimal commas may group thousands: better no number than a wrong one.
        (Mark::Comma, _) if text.contains('.') => None,
        (Mark::Comma, None) => text.parse().ok(),
        (Mark::Comma, Some((whole, decimals))) => format!("{whole}.{decimals}").parse().ok(),
    }
}

/// Whether a field says that its value is missing.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    field.is_empty() || MISSING.iter().any(|word| field.eq_ignore_ascii_case(word))
}

/// Whether a field says a number, a missing one included.
pub(crate) fn is_number(field: &[u8], mark: Mark) -> bool {
    whole_number::<f64>(field, mark).is_some()
}
