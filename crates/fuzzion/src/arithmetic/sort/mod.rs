//! Sorting of arrays of fuzzy numbers by separate keys or by their defuzzified values.
//!
//! Keys are sorted together with indices; the numbers, which are many times larger, are moved once. CPU and GPU use a
//! least significant digit radix sort with eight bits per pass and skip digits that all keys share. The order is
//! stable and identical on both.
//!
//! Source: A. Adinets, D. Merrill, *Onesweep: a faster least significant digit radix sort for GPUs*, 2022.

mod by_value;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod device_arrays;
mod device_keys;
pub(crate) mod key;
mod operations;
pub(crate) mod order;

pub use device_keys::{DeviceKeys, DeviceOrder};
pub use key::Key;
pub use order::sorted_order;

#[cfg(test)]
mod tests;
