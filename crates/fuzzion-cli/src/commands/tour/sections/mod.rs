//! The sections of the tour, one per module of the library.

pub(super) mod arithmetic;
pub(super) mod clustering;
pub(super) mod data;
pub(super) mod images;
pub(super) mod inference;
pub(super) mod machine;
pub(super) mod sets;
pub(super) mod sonfin;
pub(super) mod tuning;
