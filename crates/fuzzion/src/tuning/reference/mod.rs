//! Reference implementation and random problems for comparing back ends with it.

pub(super) mod datasets;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod problem;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod textbook;
