//! Training: data preparation, back-end interface, and the training methods.

mod auto;
pub(crate) mod backend;
pub(crate) mod descent;
pub(super) mod dispatch;
pub(super) mod fit;
mod levenberg_marquardt;
pub(crate) mod loss;
pub(super) mod prepare;
pub(super) mod readable;
pub(super) mod recursive;
pub(crate) mod samples;
pub(super) mod scaling;
pub(super) mod step;
pub(super) mod tree;
