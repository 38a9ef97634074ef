//! Self-contained web pages with text, commands, figures and tables, readable offline.
//!
//! Text is plain, except that text between backticks is set as code. Figures are inline SVG and follow the light or
//! dark theme of the browser.

mod html;
mod model;
#[cfg(test)]
mod tests;

pub(crate) use model::{Page, Section};
