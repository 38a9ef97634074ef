//! `fuzzion sonfin`

mod explain;
mod export;
mod fit;
mod plan;
mod predict;
mod rules;

use crate::console::Console;
pub(crate) use fit::Fit;
use fuzzion::data::DataError;
use fuzzion::sonfin::{Model, SonfinError};
use fuzzion::{Device, Error, Result};
use std::path::Path;
use std::process::ExitCode;

/// Train and use self-constructing neuro-fuzzy networks (SONFIN), which add rules during training
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion sonfin fit train.csv --target kind --classify --auto --model m.json   train, with automatic settings
  fuzzion sonfin predict m.json new.csv --out labels.csv                        predict a label for each row
  fuzzion sonfin rules m.json --top 3                                           print the three rules that fire most
  fuzzion sonfin explain m.json new.csv --row 7                                 explain the prediction for row 7
  fuzzion sonfin export m.json m.fll                                            export as a fuzzy system
  fuzzion sonfin plan --dims 16 --rules 500 --device cuda                       compare GPU mappings")]
pub(crate) struct Sonfin {
    #[command(subcommand)]
    command: SonfinCommand,
}

#[derive(clap::Subcommand)]
enum SonfinCommand {
    Fit(Box<fit::Fit>),
    Predict(Box<predict::Predict>),
    Rules(rules::Rules),
    Explain(Box<explain::Explain>),
    Export(export::Export),
    Plan(plan::Plan),
}

impl Sonfin {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        match &self.command {
            SonfinCommand::Fit(fit) => fit.run(device, console),
            SonfinCommand::Predict(predict) => predict.run(device, console),
            SonfinCommand::Rules(rules) => rules.run(console),
            SonfinCommand::Explain(explain) => explain.run(device, console),
            SonfinCommand::Export(export) => export.run(console),
            SonfinCommand::Plan(plan) => plan.run(device, console),
        }
    }
}

/// Converts an error of reading the inputs of `model`: an unknown column is a missing input.
fn missing_column(error: DataError, model: &Model) -> Error {
    match error {
        DataError::UnknownColumn { name, similar, known } => {
            Error::Sonfin(SonfinError::MissingColumn { name, similar, inputs: model.inputs.len(), known })
        }
        other => other.into(),
    }
}

/// Loads a model; for a tuned system, the error names the `command` that does the same for it.
fn load(path: &Path, command: &'static str) -> Result<Model> {
    Model::load(path).map_err(|error| match Error::from(error) {
        Error::Data(DataError::OtherModel { path, model: model @ "a tuned system", .. }) => {
            Error::Data(DataError::OtherModel { path, model, command })
        }
        other => other,
    })
}
