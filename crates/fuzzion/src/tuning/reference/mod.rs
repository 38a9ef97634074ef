//! Reference implementation and random problems for comparing back ends with it.

pub(super) mod datasets;
pub(super) mod problem;
pub(super) mod textbook;
