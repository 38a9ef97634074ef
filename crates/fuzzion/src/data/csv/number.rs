//! Number parsing, bit-identical to `str::parse`.

use super::decimal::decimal_to_float;
use crate::data::tables::Scalar;
use memchr::memchr;

/// Maximum number of digits that always fit in 64 bits.
const MAX_DIGITS: usize = 19;

/// Markers of a missing value, case-insensitive; an empty field is also missing.
const MISSING_MARKERS: [&[u8]; 6] = [b"?", b"na", b"nan", b"n/a", b"null", b"none"];

/// The plain decimal number at `at` and its end; `None` if [`parse_number`] must decide.
#[inline(always)]
pub(crate) fn parse_leading_number<T: Scalar>(text: &[u8], at: usize) -> Option<(T, usize)> {
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
        let (more, end) = parse_exponent(text, at + 1)?;
        exponent += more;
        at = end;
    }
    Some((decimal_to_float(negative, w, exponent)?, at))
}

/// Number of leading zeros, including those after the point, as in `0.000…`.
fn leading_zeros(number: &[u8]) -> usize {
    number.iter().take_while(|b| matches!(b, b'0' | b'.')).filter(|b| **b == b'0').count()
}

/// Appends the digits at `at` to `w` and returns `w` and their end; `w` is invalid after more than 19 digits.
#[inline(always)]
fn digits(text: &[u8], mut at: usize, mut w: u64) -> (u64, usize) {
    while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        w = w.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (w, at)
}

/// Like [`digits`], eight digits at a time. The digits after the last eight are counted instead of looped over, because
/// their number is hard to predict for branches.
#[inline(always)]
fn decimals(text: &[u8], mut at: usize, mut w: u64) -> (u64, usize) {
    const POWERS_OF_TEN: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];
    while let Some(bytes) = text.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()) {
        let eight = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
        // A byte above 9 has bits in its high half, or gets them when 6 is added; a carry affects only later bytes.
        let others = (eight | eight.wrapping_add(0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0;
        if others != 0 {
            let count = (others.trailing_zeros() / 8) as usize;
            let padded = (eight << 8) << (56 - 8 * count);
            return (w.wrapping_mul(POWERS_OF_TEN[count & 7]).wrapping_add(eight_digits(padded)), at + count);
        }
        w = w.wrapping_mul(100_000_000).wrapping_add(eight_digits(eight));
        at += 8;
    }
    digits(text, at, w)
}

/// Value of eight digits, the first one in the lowest byte; combines pairs, then groups of four, then all eight.
#[inline(always)]
fn eight_digits(digits: u64) -> u64 {
    let pairs = (digits.wrapping_mul(10 * 256 + 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100 * 65_536 + 1) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32
}

/// The exponent at `at` (an optional sign and at most four digits) and its end.
fn parse_exponent(text: &[u8], at: usize) -> Option<(i32, usize)> {
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

/// Decimal separator of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecimalMark {
    Point,
    Comma,
}

impl DecimalMark {
    /// Detects the decimal mark of fields that are not separated by `,`: a comma if some fields are numbers like `-1,5`
    /// and none are numbers like `1.5`.
    pub(crate) fn detect<'a>(fields: impl Iterator<Item = &'a [u8]>) -> DecimalMark {
        let (mut commas, mut points) = (false, false);
        for field in fields {
            commas |=
                memchr(b',', field).is_some() && parse_number::<f64>(field, DecimalMark::Comma).is_some();
            points |=
                memchr(b'.', field).is_some() && parse_number::<f64>(field, DecimalMark::Point).is_some();
        }
        if commas && !points { DecimalMark::Comma } else { DecimalMark::Point }
    }
}

/// Parses a whole field; a missing value is NaN; `None` if the field is not a number.
pub(crate) fn parse_number<T: Scalar>(field: &[u8], decimal_mark: DecimalMark) -> Option<T> {
    let field = field.trim_ascii();
    if is_missing(field) {
        return Some(T::MISSING);
    }
    let text = std::str::from_utf8(field).ok()?;
    match (decimal_mark, text.split_once(',')) {
        (DecimalMark::Point, _) => text.parse().ok(),
        // With decimal commas, a point may be a thousands separator, which is ambiguous and therefore rejected.
        (DecimalMark::Comma, _) if text.contains('.') => None,
        (DecimalMark::Comma, None) => text.parse().ok(),
        (DecimalMark::Comma, Some((whole, decimals))) => format!("{whole}.{decimals}").parse().ok(),
    }
}

/// Whether a field is empty or a marker of a missing value.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    field.is_empty() || MISSING_MARKERS.iter().any(|marker| field.eq_ignore_ascii_case(marker))
}

/// Whether a field is a number or missing.
pub(crate) fn is_number(field: &[u8], decimal_mark: DecimalMark) -> bool {
    parse_number::<f64>(field, decimal_mark).is_some()
}
