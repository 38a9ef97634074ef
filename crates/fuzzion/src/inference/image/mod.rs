//! Window operators: a fuzzy system that is evaluated for every pixel of an image.
//!
//! A window operator is a [`System`](super::System) whose inputs are named after the pixels of a window and whose last
//! output is the new value of the center pixel; earlier outputs are intermediate results. With n(dx, dy) the pixel dx to
//! the right of the center and dy below it:
//!
//! | input | reads |
//! |---|---|
//! | `c` | n(0, 0), the center |
//! | `p_nw p_n p_ne p_e p_se p_s p_sw p_w` | a neighbor in a window of 3 × 3, by its direction |
//! | `p_00` … `p_44` | a pixel of a window of 5 × 5, by row and column |
//! | `d_…` | the same pixel minus the center |
//!
//! Systems work with brightness from 0 to 255 for every bit depth: 16-bit values are divided by 257, and the output is
//! multiplied by 257. With the scale s (1 or 257) and the system's output v, the new pixel is
//!
//! ⌊min(max(s·v, 0), 255·s) + ½ + 2⁻²⁰⌋ (1)
//!
//! If v is NaN, the pixel is unchanged. The 2⁻²⁰ makes halves round up regardless of rounding errors in v. Colors are
//! converted to gray in integer arithmetic, ignoring opacity,
//!
//! gray = ⌊(299·red + 587·green + 114·blue + 500) / 1000⌋ (2)
//!
//! or each channel is processed separately and opacity is unchanged.
//!
//! Systems run in double precision, in one of two [`Execution`] modes with identical results. The general mode supports
//! every system. The fast mode is derived from the rules if the new pixel depends on few values: on one input, or on an
//! integer S that determines the firing strength w of all rules except `else`. The latter applies if every rule concludes
//! the same set with the mean of n memberships that are linear between −T and T, as in FIRE:
//!
//! w = max over rules of (1/n)·Σ (T ± clamp(d, −T, T)) / 2T = S / 2Tn (3)
//!
//! The new pixel is then looked up in a table over S, whose entries are computed by the system.
//!
//! Operators on [`DeviceImages`] leave their results in the memory of the device, for the next operator.
//!
//! Sources: R. Luke et al., *Fuzzy logic-based image processing using graphics processor units*, 2008; F. Russo, G.
//! Ramponi, *A fuzzy filter for images corrupted by impulse noise*, 1996 (`fire-denoise`); ITU-R BT.601 (Equation (2)).
//!
//! ```
//! use fuzzion::inference::image::Operator;
//! use fuzzion::{Device, Progress, data::{Images, Pixels}};
//!
//! let step = Images::new(4, 1, 1, Pixels::U8(vec![50, 50, 200, 200]))?;
//! let edges = Operator::named("fire-edges")?.apply(&step, &Device::cpu()?)?;
//! let Pixels::U8(pixels) = edges.pixels() else { unreachable!() };
//! assert_eq!((pixels[0], pixels[3]), (255, 255)); // white away from edges
//! assert!(pixels[1] < 200 && pixels[1] == pixels[2]); // gray on both sides of the step
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod apply;
mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod device_images;
mod fast_path;
pub(crate) mod operator;
pub mod sample;
mod thin;
pub(crate) mod window;

pub use apply::ImageStack;
#[cfg(feature = "cuda")]
pub use cuda::CudaPixels;
pub use device_images::DeviceImages;
#[cfg(feature = "cuda")]
pub use device_images::InterleavedImages;
pub use operator::{BUILT_IN, DEFAULT_SPREAD, DEFAULT_THRESHOLD, Execution, Operator};
pub use thin::{invert, thin};
pub use window::Border;

#[cfg(test)]
mod tests;
