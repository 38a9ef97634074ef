//! GPU memory from the stream-ordered allocator, and pinned host memory.

pub(crate) mod buffer;
mod pinned;
mod pool;
mod view;

pub(crate) use buffer::{Buffer, Element};
pub(in crate::device::cuda) use pinned::{PINNED_BYTES, Pinned};
pub(in crate::device::cuda) use pool::keep_freed_memory;
pub use view::CudaArrayView;
