//! Arrays of fuzzy numbers in order: by a key beside them, or by their defuzzified value.
//!
//! Keys are sorted with the places of their numbers, and the numbers, many times as large, move once. Both processors
//! sort by the digits of the keys, eight bits a pass and the least significant first (a radix sort), and leave out the
//! digits that all keys share; the order is stable, and the same to the bit on both.
//!
//! Source: A. Adinets, D. Merrill, *Onesweep: a faster least significant digit radix sort for GPUs*, 2022.

pub(crate) mod bench;
mod cpu;
pub(crate) mod cuda;
mod key;
mod model;
mod value;

pub use model::sorted_order;

#[cfg(test)]
mod tests;
