//! CPU back end: sweeps over fixed chunks of rows, merged in order, independently of the number of threads.

mod accumulate;
mod distance;
mod inverse;
mod kernel;
mod layout;
mod load;
mod membership;
pub(crate) mod memory;
mod quality;
mod scratch;
mod stream;

pub(super) use memory::{CHUNK, CpuRows, zero_sums};
pub(super) use stream::CpuStream;

#[cfg(test)]
mod tests;
