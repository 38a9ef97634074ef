//! Layouts of the kernels: problem sizes, constants, and the encoding of prototypes and sums.

pub(in crate::clustering) mod sweep;
pub(in crate::clustering) mod tensor;
