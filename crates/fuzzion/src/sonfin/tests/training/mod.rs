//! Training.

mod adam;
mod auto;
mod fit;
mod invalid;
mod resume;
mod stream;
mod structure;
