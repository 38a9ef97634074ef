//! Pictures: stacks of frames from image files, and video frame by frame.

pub(crate) mod codec;
mod files;
mod stack;
mod video;
mod y4m;

pub(crate) use files::{format_of, image_format, read_image};
pub use stack::{Images, Pixels, PixelsMut};
pub use video::{VideoReader, VideoWriter};
pub use y4m::{Chroma, Frame, VideoHeader};

#[cfg(test)]
mod tests;
