//! Streaming of data through a GPU.

mod arrays;
mod bus;
mod chunks;
mod pipeline;

pub(crate) use arrays::{ChunkBuffers, StreamInput, StreamOutput};
pub(crate) use bus::Bus;
pub(crate) use chunks::Chunked;
