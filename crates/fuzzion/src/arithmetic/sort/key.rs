//! Sort keys.

use crate::arithmetic::rounding::Sealed;
use crate::device::Element;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shr};

/// Unsigned integers sorted digit by digit: `u32` or `u64`.
pub trait Bits:
    Element
    + Ord
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of 8-bit digits.
    const DIGITS: u32 = size_of::<Self>() as u32;
    /// Name in CUDA.
    const NAME: &'static str;
    /// Sign bit of the float of this width.
    const SIGN: Self;
    /// Bits of the infinite float of this width.
    const INFINITY: Self;

    /// Lowest eight bits.
    fn low_byte(self) -> u8;

    /// Digit `digit`, counted from the least significant one.
    fn digit(self, digit: u32) -> u8 {
        (self >> (8 * digit)).low_byte()
    }
}

impl Bits for u32 {
    const NAME: &'static str = "uint32";
    const SIGN: Self = 1 << 31;
    const INFINITY: Self = f32::INFINITY.to_bits();
    fn low_byte(self) -> u8 {
        self as u8
    }
}

impl Bits for u64 {
    const NAME: &'static str = "uint64";
    const SIGN: Self = 1 << 63;
    const INFINITY: Self = f64::INFINITY.to_bits();
    fn low_byte(self) -> u8 {
        self as u8
    }
}

/// Type of sort keys: `u32`, `u64`, `f32` or `f64`. Floats are sorted in total order with every NaN last. The trait is
/// sealed.
///
/// ```
/// use fuzzion::{Device, arithmetic::{ArithmeticError, Key, sorted_order}};
///
/// fn smallest<K: Key>(keys: &[K]) -> Result<u32, ArithmeticError> {
///     Ok(sorted_order(keys, &Device::cpu()?)?[0])
/// }
///
/// assert_eq!((smallest(&[3u32, 1, 2])?, smallest(&[f64::NAN, 0.5])?), (1, 1));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[allow(private_bounds)] // the integer type is an implementation detail
pub trait Key: Sealed + bytemuck::Pod + Send + Sync {
    /// Unsigned integer of the same width.
    #[doc(hidden)]
    #[allow(private_interfaces)] // as above
    type Bits: Bits;
    /// Whether the key is a float.
    #[doc(hidden)]
    const FLOATING: bool;
}

impl Sealed for u32 {}
impl Sealed for u64 {}

impl Key for u32 {
    type Bits = u32;
    const FLOATING: bool = false;
}
impl Key for u64 {
    type Bits = u64;
    const FLOATING: bool = false;
}
impl Key for f32 {
    type Bits = u32;
    const FLOATING: bool = true;
}
impl Key for f64 {
    type Bits = u64;
    const FLOATING: bool = true;
}

/// Keys reinterpreted as unsigned integers.
pub(super) fn bits<K: Key>(keys: &[K]) -> &[K::Bits] {
    bytemuck::cast_slice(keys)
}

/// Maps the bits of a key to an integer with the same order as the keys.
pub(super) fn ordered<K: Key>(bits: K::Bits) -> K::Bits {
    let sign = K::Bits::SIGN;
    if !K::FLOATING {
        bits
    } else if bits & !sign > K::Bits::INFINITY {
        !K::Bits::default() // NaN
    } else if bits & sign == sign {
        !bits
    } else {
        bits | sign
    }
}
