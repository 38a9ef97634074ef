//! Commands that run a fuzzy system on every pixel: `edges` and `image`.

mod args;
mod edges;
mod folder;
mod image;
mod job;
mod run;
mod video;

pub(crate) use edges::Edges;
pub(crate) use image::Image;
