//! Arrays of fuzzy numbers in the memory of a device.

mod array;
mod column;
mod operations;

pub use array::DeviceArray;
