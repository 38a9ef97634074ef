//! Tables: reading, plots, outputs of a system for all rows, and clusters.
//!
//! A table is read once and kept under a number, column by column, in double precision. Results of the last run of a
//! system and of the last clustering are kept with it and can be plotted like columns.

mod cells;
mod clusters;
mod column;
mod read;
mod residuals;
mod run;
mod save;
mod scatter;
mod source;
mod tables;
mod upload;

pub(super) use clusters::{cluster, show};
pub(super) use read::{files, open, upload};
pub(super) use residuals::residuals;
pub(super) use run::run;
pub(super) use save::save;
pub(super) use scatter::scatter;
pub(crate) use tables::Tables;
pub(crate) use upload::{MAX_UPLOAD_BYTES, Upload, Uploads};

use serde_json::{Value, json};

/// JSON of a number: infinite ones are texts, as in the JSON of systems, and a missing one is null.
fn json_number(x: f64) -> Value {
    if x.is_infinite() { json!(if x > 0.0 { "inf" } else { "-inf" }) } else { json!(x) }
}
