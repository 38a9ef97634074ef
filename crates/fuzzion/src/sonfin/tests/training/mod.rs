//! Training.

mod adam;
mod auto;
mod fit;
mod growth;
mod invalid;
mod resume;
mod stream;
mod structure;
