//! Sorting against the stable comparison sort of the standard library.

mod arrays;
pub(super) mod emulated;
mod orders;

use super::key::Key;
use std::cmp::Ordering;

/// Sort order by a stable comparison sort.
fn expected<K: TestKey>(keys: &[K]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by(|a, b| keys[*a as usize].compare(keys[*b as usize]));
    order
}

/// Key with a comparison by the standard library and random values.
trait TestKey: Key {
    fn compare(self, other: Self) -> Ordering;
    fn from_random(bits: u64) -> Self;
}

impl TestKey for u32 {
    fn compare(self, other: Self) -> Ordering {
        self.cmp(&other)
    }
    fn from_random(bits: u64) -> Self {
        bits as u32
    }
}

impl TestKey for u64 {
    fn compare(self, other: Self) -> Ordering {
        self.cmp(&other)
    }
    fn from_random(bits: u64) -> Self {
        bits
    }
}

/// NaN is last, regardless of its sign.
macro_rules! float_test_key {
    ($float:ty, $bits:ty) => {
        impl TestKey for $float {
            fn compare(self, other: Self) -> Ordering {
                match (self.is_nan(), other.is_nan()) {
                    (false, false) => self.total_cmp(&other),
                    (mine, others) => mine.cmp(&others),
                }
            }
            /// Any float, including NaN and infinities.
            fn from_random(bits: u64) -> Self {
                match bits % 16 {
                    0 => <$float>::NAN.copysign(if bits & 16 == 0 { 1.0 } else { -1.0 }),
                    1 => 0.0,
                    2 => -0.0,
                    3 => <$float>::NEG_INFINITY,
                    4 => <$float>::INFINITY,
                    _ => <$float>::from_bits((bits >> 4) as $bits),
                }
            }
        }
    };
}

float_test_key!(f32, u32);
float_test_key!(f64, u64);

/// Reproducible keys: all different, few different values, all equal, or different in some digits only.
fn keys<K: TestKey>(n: usize, seed: u64) -> Vec<K> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = || {
        // Knuth's MMIX generator; its high bits are the most random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 8 ^ state << 40
    };
    let mask = match seed % 4 {
        0 => u64::MAX,
        1 => 0x0100_0000_0300_0010,
        2 => 0,
        _ => 0x00ff_0000_00ff_ff00,
    };
    (0..n).map(|_| K::from_random(random() & mask)).collect()
}
