//! The room against textbook formulas, laws, and its own errors.

mod cuts;
mod device;
mod norms;
mod oracle;
mod sets;
mod shapes;
