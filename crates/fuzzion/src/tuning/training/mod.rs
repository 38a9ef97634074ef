//! Training: data preparation, back-end interface, and the training methods.

mod auto;
pub(super) mod backend;
pub(super) mod descent;
pub(super) mod dispatch;
mod fit;
mod levenberg_marquardt;
pub(super) mod loss;
pub(super) mod prepare;
pub(super) mod readable;
pub(super) mod recursive;
pub(super) mod samples;
pub(super) mod scaling;
pub(super) mod step;
