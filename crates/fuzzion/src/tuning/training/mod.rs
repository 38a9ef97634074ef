//! Training: data preparation, back-end interface, and the training methods.

mod auto;
pub(crate) mod backend;
pub(super) mod calibrate;
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
mod search;
pub(super) mod shrinkage;
pub(super) mod step;
pub(super) mod tree;
