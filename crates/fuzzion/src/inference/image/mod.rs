//! A fuzzy system run for every pixel of a picture.
//!
//! A window operator is a [`System`](super::System) whose inputs are named after the window round a pixel and whose last
//! output is the new pixel; the outputs before it are steps on the way. With n(dx, dy) the pixel dx to the right of the
//! center and dy below it:
//!
//! | input | reads |
//! |---|---|
//! | `c` | n(0, 0), the center |
//! | `p_nw p_n p_ne p_e p_se p_s p_sw p_w` | a neighbor in a window of 3 × 3, by its direction |
//! | `p_00` … `p_44` | a pixel of a window of 5 × 5, by row and column |
//! | `d_…` | the same less the center |
//!
//! Systems see brightness from 0 to 255 whatever the depth: a number of 16 bits is divided by 257, and what comes out is
//! multiplied by it. With s steps per unit (1 or 257) and v the system's number the pixel is
//!
//! ⌊min(max(s·v, 0), 255·s) + ½ + 2⁻²⁰⌋ (1)
//!
//! where v is NaN the pixel stays as it is. The 2⁻²⁰ makes numbers that are a half but for their last bits fall one way.
//! Colors become grey first, in whole numbers and without opacity,
//!
//! grey = ⌊(299·red + 587·green + 114·blue + 500) / 1000⌋ (2)
//!
//! or each channel is a picture of its own and opacity stays.
//!
//! Systems are run in double precision, through one of two [`Path`]s that agree to the byte. The general one takes any
//! system. The fast one is derived from the rules where the new pixel depends on few values: on one input, or on one
//! whole number S that is the strength of all rules but `else`. That is so where every rule concludes the same set, with
//! the mean of n memberships that are straight lines between −T and T, as in FIRE:
//!
//! w = max over rules of (1/n)·Σ (T ± clamp(d, −T, T)) / 2T = S / 2Tn (3)
//!
//! Then the pixel is looked up in a table over S, whose entries the system itself computed.
//!
//! Sources: R. Luke et al., *Fuzzy logic-based image processing using graphics processor units*, 2008; F. Russo, G.
//! Ramponi, *A fuzzy filter for images corrupted by impulse noise*, 1996 (`fire-denoise`); ITU-R BT.601 (equation 2).
//!
//! ```
//! use fuzzion::inference::image::Operator;
//! use fuzzion::{Device, Progress, data::{Images, Pixels}};
//!
//! let step = Images::new(4, 1, 1, Pixels::U8(vec![50, 50, 200, 200]))?;
//! let edges = Operator::named("fire-edges")?.apply(&step, &Device::cpu()?, Progress::none())?;
//! let Pixels::U8(pixels) = edges.pixels() else { unreachable!() };
//! assert_eq!((pixels[0], pixels[3]), (255, 255)); // white where there is no edge
//! assert!(pixels[1] < 200 && pixels[1] == pixels[2]); // grey on both sides of a step
//! # Ok::<(), fuzzion::Error>(())
//! ```

pub(crate) mod bench;
mod cpu;
pub(crate) mod cuda;
mod derive;
mod model;
mod pixel;
mod rows;
pub mod sample;
pub(crate) mod selftest;
mod thin;
mod window;

pub use model::{Border, DEFAULT_SPREAD, DEFAULT_THRESHOLD, Operator, Path, READY};
pub use thin::{invert, thin};

#[cfg(test)]
mod tests;
