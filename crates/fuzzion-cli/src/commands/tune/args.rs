//! The arguments of `fuzzion tune`.

use super::outputs::OutputArgs;
use super::rows::{RowArgs, Rows};
use super::settings::{RuleArgs, TrainingArgs};
use crate::commands::common::table_args::TableArgs;
use fuzzion::tuning::{TunedSystem, Tuner};
use fuzzion::{Device, Result};
use std::path::PathBuf;

/// Learn a Takagi-Sugeno system with readable rules from a table
#[derive(clap::Args)]
#[command(
    after_help = "Reads CSV, TSV (also .gz) and NPY; `-` is standard input. By default, all numeric columns except the targets are \
inputs and, for automatically selected rules and sparse rule bases, text columns with 2 to 20 values.

Without `--sets`, `--rules`, `--init`, `--max-rules` or `--system`, cross-validation selects the rules (`--auto`).

Examples:
  fuzzion tune houses.csv --target price                                   select the simplest rules that are accurate
  fuzzion tune houses.csv --target price --max-rules 6 --max-conditions 2  a sparse rule base of at most 6 rules
  fuzzion tune houses.csv --target price --model houses.json
  fuzzion tune predict houses.json new.csv --out prices.csv                predictions with intervals
  fuzzion data truck --out truck.csv
  fuzzion tune truck.csv --target theta --sets 5,7 --model truck.fll       a grid of sets, one rule per combination
  fuzzion infer truck.fll --data truck.csv --out learned.csv               evaluate the learned system
  fuzzion tune iris.csv --target species --classify --rules 3 --init fcm   classification with rules from clusters
  fuzzion tune train.csv --target y --auto --validation 0.2 --plot y.html  report the error of held-out rows
  fuzzion tune houses.csv --target price --max-rules 6 --stability 20      how often similar rules are learned again"
)]
pub(crate) struct Tune {
    /// Training table, or `-` for standard input
    pub(super) data: PathBuf,
    #[command(flatten)]
    pub(super) columns: RowArgs,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    #[command(flatten)]
    pub(super) training: TrainingArgs,
    #[command(flatten)]
    pub(super) outputs: OutputArgs,
    #[command(flatten)]
    pub(super) reading: TableArgs,
}

impl Tune {
    /// The tuner with all settings.
    pub(super) fn tuner(&self, rows: &Rows) -> Result<Tuner> {
        let tuner = self.training.settings(self.rules.tuner()?, self.rules.is_auto());
        Ok(tuner.inputs(rows.inputs.clone()))
    }

    /// The device for these options: the CPU of `device` for methods and rules that do not use a GPU.
    pub(super) fn device(&self, device: &Device) -> Device {
        match self.training.is_cpu_only() || self.rules.is_tree() {
            true => device.host_cpu().clone().into(),
            false => device.clone(),
        }
    }

    /// Fits `tuner`, with sample weights if given.
    pub(super) fn fit(&self, tuner: &Tuner, rows: &Rows, device: &Device) -> Result<TunedSystem> {
        Ok(tuner.fit(rows.samples()?, &rows.targets(), device)?)
    }
}
