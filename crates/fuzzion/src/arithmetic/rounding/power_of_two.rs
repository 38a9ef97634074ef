//! Powers of two.

/// 2ⁿ for −1022 ≤ n ≤ 1023.
pub(in crate::arithmetic) const fn power_of_two(n: i64) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}
