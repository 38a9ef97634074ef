//! `fuzzion sonfin explain`

use super::{load, missing_column, rules};
use crate::commands::common::table_args::{TableArgs, existing_row};
use crate::console::Console;
use crate::format::{display_path, ellipsize, format_number, json_number, table};
use fuzzion::sonfin::{Model, PredictionExplanation};
use fuzzion::{Device, Result};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// Maximum number of rules and inputs in the text output.
const MAX_LINES: usize = 8;

/// Explain the prediction for one row: fired rules, nearest rule and its distance
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion sonfin explain m.json new.csv --row 7
  fuzzion sonfin explain m.json new.csv --row 7 --json    all fired rules and all inputs as JSON")]
pub(super) struct Explain {
    /// Model file written by `sonfin fit --model`
    model: PathBuf,
    /// Input table: CSV, TSV (also .gz), NPY, or `-` for standard input
    data: PathBuf,
    /// Row number, from 1, not counting the header
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    row: u64,
    #[command(flatten)]
    reading: TableArgs,
}

impl Explain {
    pub(super) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        let model = load(&self.model, "fuzzion explain")?;
        let bar = console.bar("reading");
        let settings = self.reading.settings(&bar.watch(device)).columns(model.inputs.clone());
        let table = settings.read(&self.data).map_err(|error| missing_column(error, &model))?;
        drop(bar);
        let row = existing_row(self.row, table.rows(), &self.data)?;
        let explanation = model.explain(&table, row)?;
        match console.json() {
            true => console.print_json(&as_json(&model, &explanation))?,
            false => console.print(&self.text(&model, &explanation))?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn text(&self, model: &Model, explanation: &PredictionExplanation) -> String {
        let prediction = match &explanation.label {
            Some(label) => label.clone(),
            None => {
                let outputs = model
                    .outputs
                    .iter()
                    .zip(&explanation.outputs)
                    .map(|(name, y)| format!("{name} = {}", format_number(*y)));
                outputs.collect::<Vec<_>>().join(", ")
            }
        };
        let percent = |fraction: f64| format!("{:.1} %", 100.0 * fraction);
        let fired = explanation.rules.iter().take(MAX_LINES).map(|fired| {
            let label = fired.label.clone().unwrap_or_default();
            vec![fired.rule.to_string(), percent(fired.firing_strength), ellipsize(&label)]
        });
        let mut out = format!("{}, row {}: {prediction}\n\n", display_path(&self.data), self.row);
        let class = if model.classes.is_empty() { "" } else { "class" };
        out.push_str(&table(&["rule", "firing strength", class], &fired.collect::<Vec<_>>()));
        let nearest = &explanation.nearest;
        out.push_str(&format!(
            "\nnearest rule {}: {}\nmembership {}\n",
            nearest.rule,
            model.rule_text(nearest, MAX_LINES),
            format_number(explanation.ln_membership.exp())
        ));
        let mut inputs: Vec<usize> =
            (0..model.inputs.len()).filter(|j| explanation.input_fractions[*j] > 0.0).collect();
        inputs.sort_by(|a, b| {
            explanation.input_fractions[*b].total_cmp(&explanation.input_fractions[*a]).then(a.cmp(b))
        });
        let fractions = inputs
            .iter()
            .take(MAX_LINES)
            .map(|j| vec![ellipsize(&model.inputs[*j]), percent(explanation.input_fractions[*j])]);
        let fractions: Vec<Vec<String>> = fractions.collect();
        if !fractions.is_empty() {
            out.push('\n');
            out.push_str(&table(&["input", "fraction of the distance"], &fractions));
        }
        out
    }
}

fn as_json(model: &Model, explanation: &PredictionExplanation) -> Value {
    let fired = explanation.rules.iter();
    let fired = fired
        .map(|fired| json!({ "rule": fired.rule, "share": fired.firing_strength, "label": fired.label }));
    let named = |names: &[String], values: &[f64]| -> Value {
        names.iter().cloned().zip(values.iter().map(|x| json_number(*x))).collect::<Map<_, _>>().into()
    };
    let outputs = if model.classes.is_empty() { &model.outputs } else { &model.classes };
    json!({
        "label": explanation.label,
        "outputs": named(outputs, &explanation.outputs),
        "rules": fired.collect::<Vec<_>>(),
        "nearest": rules::as_json(model, &explanation.nearest),
        "ln_membership": json_number(explanation.ln_membership),
        "shares": named(&model.inputs, &explanation.input_fractions),
    })
}
