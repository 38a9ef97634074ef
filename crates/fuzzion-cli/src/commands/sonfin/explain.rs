//! `fuzzion sonfin explain`

use super::rules;
use crate::commands::reading::Reading;
use crate::commands::words::{clipped, number, short, shown};
use crate::console::{self, Console};
use fuzzion::sonfin::{Explanation, Model};
use fuzzion::{Device, Error, Progress, Result};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// The most rules and inputs that are told of.
const MOST: usize = 8;

/// Say which rules make what a model says about one row, and how the row differs from the nearest of them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion sonfin explain m.json new.csv --row 7
  fuzzion sonfin explain m.json new.csv --row 7 --json    every rule heard and every input's share")]
pub(super) struct Explain {
    /// The model that `sonfin fit --model` wrote
    model: PathBuf,
    /// The table: CSV, TSV (also .gz), NPY, or `-` for standard input
    data: PathBuf,
    /// The row, from 1 (a header is not counted)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    row: u64,
    #[command(flatten)]
    reading: Reading,
}

impl Explain {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let model = Model::load(&self.model)?;
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let settings = self.reading.settings(device, Progress::new(&step)).columns(model.inputs.clone());
        let table = settings.read(&self.data).map_err(|error| match error {
            Error::UnknownColumn { name, known } => {
                Error::ModelColumn { name, inputs: model.inputs.len(), known }
            }
            other => other,
        })?;
        drop(bar);
        if self.row > table.rows() as u64 {
            let rows = table.rows();
            console::complain(&format!(
                "`--row {}` is past the last row of {}, which has {rows}; give a number from 1 to {rows}",
                self.row,
                shown(&self.data)
            ));
            return Ok(ExitCode::from(2));
        }
        let explanation = model.explain(&table, self.row as usize - 1)?;
        match console.json() {
            true => console.say_json(&as_json(&model, &explanation))?,
            false => console.say(&self.told(&model, &explanation))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn told(&self, model: &Model, explanation: &Explanation) -> String {
        let says = match &explanation.label {
            Some(label) => label.clone(),
            None => {
                let said = model
                    .outputs
                    .iter()
                    .zip(&explanation.outputs)
                    .map(|(name, y)| format!("{name} = {}", short(*y)));
                said.collect::<Vec<_>>().join(", ")
            }
        };
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let heard = explanation.rules.iter().take(MOST).map(|heard| {
            let says = heard.label.clone().unwrap_or_default();
            vec![heard.rule.to_string(), percent(heard.strength), clipped(&says)]
        });
        let mut out = format!("{}, row {}: {says}\n\n", shown(&self.data), self.row);
        out.push_str(&console::table(&["rule", "share", ""], &heard.collect::<Vec<_>>()));
        let nearest = &explanation.nearest;
        out.push_str(&format!(
            "\nnearest is rule {}: {}\nmembership {}\n\n",
            nearest.rule,
            model.rule_text(nearest, MOST),
            short(explanation.ln_membership.exp())
        ));
        let mut inputs: Vec<usize> =
            (0..model.inputs.len()).filter(|j| explanation.shares[*j] > 0.0).collect();
        inputs.sort_by(|a, b| explanation.shares[*b].total_cmp(&explanation.shares[*a]).then(a.cmp(b)));
        let shares = inputs
            .iter()
            .take(MOST)
            .map(|j| vec![clipped(&model.inputs[*j]), percent(explanation.shares[*j])]);
        out.push_str(&console::table(&["input", "share of the difference"], &shares.collect::<Vec<_>>()));
        out
    }
}

fn as_json(model: &Model, explanation: &Explanation) -> Value {
    let heard = explanation.rules.iter();
    let heard =
        heard.map(|heard| json!({ "rule": heard.rule, "share": heard.strength, "label": heard.label }));
    let named = |names: &[String], values: &[f64]| -> Value {
        names.iter().cloned().zip(values.iter().map(|x| number(*x))).collect::<Map<_, _>>().into()
    };
    let outputs = if model.classes.is_empty() { &model.outputs } else { &model.classes };
    json!({
        "label": explanation.label,
        "outputs": named(outputs, &explanation.outputs),
        "rules": heard.collect::<Vec<_>>(),
        "nearest": rules::as_json(model, &explanation.nearest),
        "ln_membership": number(explanation.ln_membership),
        "shares": named(&model.inputs, &explanation.shares),
    })
}
