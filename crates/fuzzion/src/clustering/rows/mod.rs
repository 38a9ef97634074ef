//! Rows of a problem, the interface of the back ends that compute on them, and the sums of a sweep.

pub(crate) mod backend;
pub(super) mod batches;
pub(super) mod output;
pub(super) mod parts;
pub(super) mod source;
pub(super) mod summary;
pub(crate) mod sums;
