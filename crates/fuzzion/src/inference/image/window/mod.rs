//! Pixels of the window around each pixel of an image.

mod border;
pub(crate) mod pixel;
mod rows;
pub(crate) mod taps;

pub use border::Border;
pub(crate) use pixel::{Pixel, Sum, TIE_BIAS, gray, is_certain, round_to_pixel, to_brightness};
pub(crate) use rows::{Plane, PlaneSource, WindowRows};
pub(crate) use taps::{NEIGHBORS, Tap, Window};
