//! Predictions, inspection, export and saving of models.

mod export;
mod model;
mod plots;
mod save;
mod simplify;
