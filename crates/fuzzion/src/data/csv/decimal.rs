//! Correctly rounded conversion of decimal to binary numbers, for all but rare cases.
//!
//! w·10^q = w·5^q·2^q. Let g be the first 128 bits of 5^q, g ≤ 5^q·2^−e < g + 1, and let w be normalized to 64 bits.
//! Then the upper 128 bits T of the product w·g bound the exact value: T ≤ value < T + 2 in units of the last bit of
//! T. Rounding T is correct unless the interval contains the midpoint of two adjacent floating-point numbers; these
//! cases are left to the standard library. Multiplication by truncated powers of five: D. Lemire, *Number parsing at
//! a gigabyte per second*, Software: Practice and Experience 51, 2021.

use crate::data::tables::Scalar;

/// Minimum and maximum power of ten in the table; 5^55 is the largest power that fits in 128 bits.
const MIN_POWER: i32 = -54;
const MAX_POWER: i32 = 55;

/// 5^q as `bits` · 2^`exponent`, normalized to 128 bits and truncated.
#[derive(Clone, Copy)]
struct PowerOfFive {
    bits: u128,
    exponent: i32,
}

static POWERS: [PowerOfFive; (MAX_POWER - MIN_POWER + 1) as usize] = powers_of_five();

const fn powers_of_five() -> [PowerOfFive; (MAX_POWER - MIN_POWER + 1) as usize] {
    let mut table = [PowerOfFive { bits: 0, exponent: 0 }; (MAX_POWER - MIN_POWER + 1) as usize];
    let mut q = MIN_POWER;
    while q <= MAX_POWER {
        let five = 5u128.pow(q.unsigned_abs());
        let zeros = five.leading_zeros();
        table[(q - MIN_POWER) as usize] = if q >= 0 {
            PowerOfFive { bits: five << zeros, exponent: -(zeros as i32) }
        } else {
            // 2^(length + 127) / 5^−q by long division: the quotient has exactly 128 bits.
            let length = 128 - zeros;
            let (mut rest, mut bits, mut step) = (1u128 << (length - 1), 0u128, 0);
            while step < 128 {
                rest <<= 1;
                bits <<= 1;
                if rest >= five {
                    rest -= five;
                    bits |= 1;
                }
                step += 1;
            }
            PowerOfFive { bits, exponent: -(length as i32) - 127 }
        };
        q += 1;
    }
    table
}

/// ±w·10^q, rounded to nearest, ties to even; `None` if this method cannot decide the rounding.
#[inline(always)]
pub(crate) fn decimal_to_float<T: Scalar>(negative: bool, w: u64, q: i32) -> Option<T> {
    if w == 0 {
        return Some(T::from_parts(negative, 0, 0));
    }
    let power = POWERS.get(usize::try_from(q - MIN_POWER).ok()?)?;
    let zeros = w.leading_zeros();
    let w = u128::from(w << zeros);
    let product = w * (power.bits >> 64);
    let mut upper = (product >> 64) as u64;

    // The significand is at the top of `upper`; one more bit is dropped if the highest bit of the product is set.
    let dropped = |upper: u64| 63 + (upper >> 63) as u32 - T::SIGNIFICAND_BITS;
    let half = |upper: u64| 1u64 << (dropped(upper) - 1);
    let rest = |upper: u64| upper & (2 * half(upper) - 1);
    // Without the lower half of the power, the value can be one unit of `upper` greater. The lower half is added only
    // if this affects the rounding.
    if rest(upper).wrapping_sub(half(upper) - 1) <= 1 {
        let product = product + ((w * (power.bits & u128::from(u64::MAX))) >> 64);
        let lower = product as u64;
        upper = (product >> 64) as u64;
        let to_midpoint = half(upper).wrapping_sub(rest(upper));
        if (to_midpoint == 0 && lower == 0) || (to_midpoint == 1 && lower >= u64::MAX - 1) {
            return None;
        }
    }
    // The value is not a midpoint, so the first dropped bit determines the rounding. This is branch-free, because
    // a branch would be mispredicted half of the time.
    let doubled = upper >> (dropped(upper) - 1);
    let significand = (doubled >> 1) + (doubled & 1);
    let carry = (significand >> T::SIGNIFICAND_BITS) as i32;
    let significand = significand >> carry;

    let exponent = dropped(upper) as i32 + carry + 128 + power.exponent + q - zeros as i32;
    let biased = exponent + T::SIGNIFICAND_BITS as i32 - 1 + T::EXPONENT_BIAS;
    let normal = biased > 0 && biased <= 2 * T::EXPONENT_BIAS;
    let fraction = significand & !(1 << (T::SIGNIFICAND_BITS - 1));
    normal.then(|| T::from_parts(negative, biased as u64, fraction))
}
