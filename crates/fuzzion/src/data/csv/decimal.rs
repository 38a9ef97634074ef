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
    let product = w * (power.bits >> 64);
    let mut upper = (product >> 64) as u64;

    // The significand is at the top of `upper`; one bit more is dropped where the product has its highest bit.
    let dropped = |upper: u64| 63 + (upper >> 63) as u32 - T::SIGNIFICAND;
    let half = |upper: u64| 1u64 << (dropped(upper) - 1);
    let rest = |upper: u64| upper & (2 * half(upper) - 1);
    // Without the lower half of the power, the value may be one unit of `upper` greater: mostly this does not
    // matter, and where it does the lower half is added.
    if rest(upper).wrapping_sub(half(upper) - 1) <= 1 {
        let product = product + ((w * (power.bits & u128::from(u64::MAX))) >> 64);
        let lower = product as u64;
        upper = (product >> 64) as u64;
        let to_midpoint = half(upper).wrapping_sub(rest(upper));
        if (to_midpoint == 0 && lower == 0) || (to_midpoint == 1 && lower >= u64::MAX - 1) {
            return None;
        }
    }
    // It is not the midpoint, so that the first bit dropped says which way to round (a branch would be guessed
    // wrong every other time).
    let doubled = upper >> (dropped(upper) - 1);
    let significand = (doubled >> 1) + (doubled & 1);
    let carry = (significand >> T::SIGNIFICAND) as i32;
    let significand = significand >> carry;

    let exponent = dropped(upper) as i32 + carry + 128 + power.exponent + q - zeros as i32;
    let biased = exponent + T::SIGNIFICAND as i32 - 1 + T::BIAS;
    let normal = biased > 0 && biased <= 2 * T::BIAS;
    let fraction = significand & !(1 << (T::SIGNIFICAND - 1));
    normal.then(|| T::from_parts(negative, biased as u64, fraction))
}
