//! Images, image stacks and video.

mod batch;
pub(crate) mod codec;
mod files;
mod stack;
mod video;
mod y4m;

pub use batch::FrameBatch;
pub(crate) use files::{detect_image_format, format_from_extension, read_image};
pub use stack::{Images, Pixels, PixelsMut};
pub use video::{VideoReader, VideoWriter};
pub use y4m::{Chroma, Frame, VideoHeader};

#[cfg(test)]
mod tests;
