//! Streaming of data through a GPU.

pub(crate) mod arrays;
#[cfg(feature = "internals")]
pub(crate) mod bus;
pub(crate) mod chunks;
mod pipeline;
mod transfer;

pub(crate) use arrays::{ChunkBuffers, StreamInput, StreamOutput};
pub(crate) use chunks::Chunked;
