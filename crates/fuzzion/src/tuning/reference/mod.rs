//! Reference implementation and random problems for comparing back ends with it.

pub(super) mod datasets;
pub(crate) mod problem;
pub(crate) mod textbook;
