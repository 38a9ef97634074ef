//! Pictures of fuzzy things as SVG text, drawn by the library itself.
//!
//! A [`Chart`] is a frame with two axes and whatever is drawn in it; a [`Figure`] sets several charts in a
//! grid; a [`Picture`] carries pixels. All three end in `to_svg()`: one self-contained text that stands alone
//! as a file or inline in a web page, and that follows the reader's light or dark setting.
//!
//! ```
//! use fuzzion::plot::Chart;
//! let x = [0.0, 10.0, 20.0, 30.0];
//! let svg = Chart::new("Temperature")
//!     .x_label("°C")
//!     .y_label("membership")
//!     .line("cold", &x, &[1.0, 1.0, 0.0, 0.0])
//!     .line("warm", &x, &[0.0, 0.0, 1.0, 1.0])
//!     .to_svg();
//! assert!(svg.starts_with("<svg"));
//! ```
//!
//! Data never make a picture fail: a value that is not finite (or, on a logarithmic axis, not positive) is a
//! gap; of columns of unequal length the common beginning is drawn; a chart with nothing to draw says so.
//! Series of one name share one colour and one entry of the legend.
//!
//! A value v in the range [l, u] of an axis of length w pixels stands at
//!
//! p = w (v − l) / (u − l),  or on a logarithmic axis  p = w (ln v − ln l) / (ln u − ln l)  (1)
//!
//! Ticks stand at the multiples of 1, 2 or 5 times a power of ten; on a logarithmic axis at powers of ten, or,
//! under two decades, at 1, 2 and 5 times these.
//!
//! Colours are mixed and spaced in Oklab, where equal distances look equally different. The eight colours of
//! the palette stay apart for protanopes and deuteranopes and keep a contrast of 3 to the background.
//! Sources: B. Ottosson, *A perceptual color space for image processing*, 2020; G. M. Machado,
//! M. M. Oliveira, L. A. F. Fernandes, *A physiologically-based model for simulation of color vision
//! deficiency*, IEEE TVCG 15, 2009 (the tests' oracle).

mod axis;
mod bars;
mod chart;
mod color;
mod contours;
mod cuts;
mod draw;
mod figure;
mod heatmap;
mod layout;
mod marks;
mod picture;
mod svg;
#[cfg(test)]
mod tests;
mod ticks;

pub use chart::Chart;
pub use color::{Color, ColorMap, palette};
pub use figure::Figure;
pub use picture::Picture;
pub use ticks::format_number;
