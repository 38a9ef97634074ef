//! What numbers may be sorted by.

use crate::device::cuda;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shr};

/// Bits that are sorted digit by digit: `u32` or `u64`.
pub(crate) trait Bits:
    cuda::Element
    + Ord
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many digits of eight bits there are.
    const DIGITS: u32 = size_of::<Self>() as u32;
    /// What CUDA calls it.
    const NAME: &'static str;
    /// The highest bit.
    const SIGN: Self;
    /// The bits of the infinite float of this width.
    const INFINITY: Self;

    /// Its eight lowest bits.
    fn low(self) -> u8;

    /// Digit `digit`, counted from the least significant.
    fn digit(self, digit: u32) -> u8 {
        (self >> (8 * digit)).low()
    }
}

impl Bits for u32 {
    const NAME: &'static str = "uint32";
    const SIGN: Self = 1 << 31;
    const INFINITY: Self = f32::INFINITY.to_bits();
    fn low(self) -> u8 {
        self as u8
    }
}

impl Bits for u64 {
    const NAME: &'static str = "uint64";
    const SIGN: Self = 1 << 63;
    const INFINITY: Self = f64::INFINITY.to_bits();
    fn low(self) -> u8 {
        self as u8
    }
}

/// A type of keys: `u32`, `u64`, `f32` or `f64`, floats in their total order and every NaN last.
///
/// The trait is sealed by living in a private module.
#[allow(private_bounds)] // it is out of reach
pub trait Key: bytemuck::Pod + Send + Sync {
    /// Its bits.
    #[allow(private_interfaces)] // as above
    type Bits: Bits;
    /// Whether the bits are those of a float.
    const FLOATING: bool;
}

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

/// The bits of keys, as they are.
pub(super) fn bits<K: Key>(keys: &[K]) -> &[K::Bits] {
    bytemuck::cast_slice(keys)
}

/// Bits that compare as the keys do, of the bits of a key.
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
