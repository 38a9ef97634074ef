//! Inspection of trained models: readable rules, explanations, plots, simplification and export.

pub(super) mod explain;
mod export;
#[cfg(feature = "plot")]
mod plot;
pub(super) mod prototypes;
pub(super) mod rules;
pub(super) mod simplify;
