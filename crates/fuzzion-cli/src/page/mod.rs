//! One self-contained web page: text, commands, figures and tables, readable from a file without a network.
//!
//! Texts are plain; a stretch between backticks is set as code. Figures are inline SVG and follow the reader's
//! light or dark setting together with the page.

mod html;
mod model;
#[cfg(test)]
mod tests;

pub(crate) use model::{Page, Section};
