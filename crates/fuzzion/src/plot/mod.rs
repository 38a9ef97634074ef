//! Charts as SVG.
//!
//! A [`Chart`] is a plot with two axes, a [`Figure`] a grid of charts, and an [`Image`] a pixel image in a chart.
//! `Chart::to_svg` and `Figure::to_svg` return a self-contained SVG document, which can be a file or part of a web page
//! and adapts to light and dark mode.
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
//! Plotting never fails because of the data: a value that is not finite (or not positive on a logarithmic axis) is a
//! gap, columns of different lengths are truncated to the shortest, and an empty chart shows a note. Series with the
//! same name share a color and a legend entry.
//!
//! On an axis of w pixels with the range [l, u], the position of a value v is
//!
//! p = w (v − l) / (u − l),  or on a logarithmic axis  p = w (ln v − ln l) / (ln u − ln l)  (1)
//!
//! Ticks are at multiples of 1, 2 or 5 times a power of ten; on a logarithmic axis at powers of ten, or at 1, 2 and 5
//! times these if the range is below two decades.
//!
//! Colors are mixed in the perceptually uniform Oklab space. The eight colors of the palette are distinguishable with
//! protanopia and deuteranopia and have a contrast of at least 3 to the background.
//! Sources: B. Ottosson, *A perceptual color space for image processing*, 2020; G. M. Machado,
//! M. M. Oliveira, L. A. F. Fernandes, *A physiologically-based model for simulation of color vision
//! deficiency*, IEEE TVCG 15, 2009 (used in the tests).

mod axis;
mod chart;
mod color;
mod draw;
mod figure;
mod image;
mod layout;
mod marks;
mod plot_area;
mod svg;
#[cfg(test)]
mod tests;
mod ticks;

pub use chart::Chart;
pub use color::{Color, ColorMap, palette};
pub use figure::Figure;
pub use image::Image;
pub use ticks::format_number;
