//! Decimal to binary, correctly rounded or not at all.
//!
//! w·10^q = w·5^q·2^q. With 5^q known to 128 bits, g ≤ 5^q·2^−e < g + 1, and w shifted up to 64 bits, the upper
//! 128 bits T of the product w·g bound the true value: T ≤ value < T + 2 in units of T's last bit. Rounding T
//! is then right unless the midpoint between two numbers lies in that interval; there the answer is left to the
//! standard library. The idea of multiplying by a truncated power of five: D. Lemire, *Number parsing at a
//! gigabyte per second*, Software: Practice and Experience 51, 2021.

use crate::data::scalar::Scalar;

/// The least and the greatest power of ten in the table; 5^55 is the greatest power that fits 128 bits.
const LEAST: i32 = -54;
const GREATEST: i32 = 55;

/// 5^q as `bits` · 2^`exponent`, the highest of the 128 bits set, cut off below.
#[derive(Clone, Copy)]
struct Power {
    bits: u128,
    exponent: i32,
}

static POWERS: [Power; (GREATEST - LEAST + 1) as usize] = powers();

const fn powers() -> [Power; (GREATEST - LEAST + 1) as usize] {
    let mut table = [Power { bits: 0, exponent: 0 }; (GREATEST - LEAST + 1) as usize];
    let mut q = LEAST;
    while q <= GREATEST {
        let five = 5u128.pow(q.unsigned_abs());
        let zeros = five.leading_zeros();
        table[(q - LEAST) as usize] = if q >= 0 {
            Power { bits: five << zeros, exponent: -(zeros as i32) }
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
            Power { bits, exponent: -(length as i32) - 127 }
        };
        q += 1;
    }
    table
}

/// ±w·10^q, rounded to nearest, ties to even; `None` where this way cannot tell.
#[inline(always)]
pub(crate) fn decimal<T: Scalar>(negative: bool, w: u64, q: i32) -> Option<T> {
    if w == 0 {
        return Some(T::from_parts(negative, 0, 0));
    }
    let power = POWERS.get(usize::try_from(q - LEAST).ok()?)?;
    let zeros = w.leading_zeros();
    let w = u128::from(w << zeros);
    let low = w * (power.bits & u128::from(u64::MAX));
    let product = w * (power.bits >> 64) + (low >> 64);
    let upper = (product >> 127) as u32;

    let dropped = 127 + upper - T::SIGNIFICAND;
    let half = 1u128 << (dropped - 1);
    let rest = product & ((half << 1) - 1);
    if rest.wrapping_sub(half - 2) <= 2 {
        return None;
    }
    let significand = (product >> dropped) as u64 + u64::from(rest > half);
    let carry = (significand >> T::SIGNIFICAND) as i32;
    let significand = significand >> carry;

    let exponent = dropped as i32 + carry + 64 + power.exponent + q - zeros as i32;
    let biased = exponent + T::SIGNIFICAND as i32 - 1 + T::BIAS;
    let normal = biased > 0 && biased <= 2 * T::BIAS;
    let fraction = significand & !(1 << (T::SIGNIFICAND - 1));
    normal.then(|| T::from_parts(negative, biased as u64, fraction))
}
