//! `fuzzion sonfin`

mod explain;
mod export;
mod fit;
mod plan;
mod predict;
mod results;
mod rows;
mod rules;
mod settings;
mod stream;
mod summary;

use crate::console::Console;
pub(crate) use fit::Fit;
use fuzzion::{Device, Error, Result};
use std::process::ExitCode;

/// Grow a fuzzy network from samples that stream past: rules appear where they are needed, and every sample moves them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion sonfin fit train.csv --target kind --classify --auto --model m.json   rules, widths and rates found for you
  fuzzion sonfin predict m.json new.csv --out labels.csv                        a label for each row
  fuzzion sonfin rules m.json --top 3                                           what the rules say
  fuzzion sonfin explain m.json new.csv --row 7                                 why row 7 gets its label
  fuzzion sonfin export m.json m.fll                                            as a system for every engine
  fuzzion sonfin plan --dims 16 --rules 500 --device cuda                       how a GPU would share the work")]
pub(crate) struct Sonfin {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    Fit(Box<fit::Fit>),
    Predict(Box<predict::Predict>),
    Rules(rules::Rules),
    Explain(Box<explain::Explain>),
    Export(export::Export),
    Plan(plan::Plan),
}

impl Sonfin {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        match &self.verb {
            Verb::Fit(fit) => fit.run(device, console),
            Verb::Predict(predict) => predict.run(device, console),
            Verb::Rules(rules) => rules.run(console),
            Verb::Explain(explain) => explain.run(device, console),
            Verb::Export(export) => export.run(console),
            Verb::Plan(plan) => plan.run(device, console),
        }
    }
}

/// An error of a piece with its row counted from the beginning of the table.
fn later(error: Error, rows: u64) -> Error {
    match error {
        Error::NotFinite { row, column, name, value } => {
            Error::NotFinite { row: row + rows, column, name, value }
        }
        other => other,
    }
}
