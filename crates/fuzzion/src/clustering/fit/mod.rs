//! Fitting: preparation, initialization and the stages of each variant.

pub(super) mod context;
pub(super) mod initial;
mod methods;
pub(super) mod prepare;
mod stages;
