//! `fuzzion explain`

use crate::commands::common::standalone::parse_args;
use crate::commands::common::system_args::{SystemArgs, inputs_at};
use crate::commands::common::table_args::{TableArgs, existing_row, in_input_table};
use crate::console::{Console, print_error, print_warning};
use crate::format::{ellipsize, json_number};
use fuzzion::inference::explain::{
    Contribution, ExplainedInput, ExplainedOutput, ExplainedRule, Explanation,
};
use fuzzion::inference::{Dialect, InferenceError, System};
use fuzzion::{Device, Error, Result};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Explain the output of a fuzzy system for one row: fired rules, firing strengths and contributions
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion explain tipper.fll --at 3,7.5                     values in input order
  fuzzion explain tipper.fll --at service=3,food=7.5        values by name
  fuzzion explain tipper.fis --at 3,7.5 --json              all rules, memberships and contributions as JSON
  fuzzion explain tipper.fll --data meals.csv --row 7       values of a row of a table
  fuzzion explain model.json --data houses.csv --row 7      also for models of `tune` and `sonfin`")]
pub(crate) struct Explain {
    #[command(flatten)]
    system: SystemArgs,
    /// Input values, in input order or as name=value
    #[arg(long, value_name = "X,…", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["data", "row"])]
    at: Option<String>,
    /// Table with the input values in row `--row`: CSV, TSV (also .gz), NPY, or `-` for standard input
    #[arg(long, value_name = "IN", requires = "row")]
    data: Option<PathBuf>,
    /// Row number, from 1, not counting the header
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    row: Option<u64>,
    #[command(flatten)]
    reading: TableArgs,
}

impl Explain {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if self.at.is_none() && self.data.is_none() {
            let problem = match self.row {
                Some(_) => "`--row` requires `--data`",
                None => "missing `--at` or `--data`",
            };
            print_error(&format!("{problem}; see `fuzzion explain --help`"));
            return Ok(ExitCode::from(2));
        }
        let explanation = match (&self.data, self.row) {
            (Some(data), Some(row)) => self.explanation_of_row(data, row, device)?,
            _ => self.explanation()?,
        };
        if console.json() {
            console.print_json(&as_json(&explanation))?;
        } else {
            console.print(&explanation.to_string())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Runs `fuzzion explain` with `args` and returns its printed output.
    pub(crate) fn output_of(args: &[&str]) -> Result<String> {
        Ok(parse_args::<Explain>("fuzzion explain", args)?.explanation()?.to_string())
    }

    fn explanation(&self) -> Result<Explanation> {
        let (system, dialect) = self.system.load()?;
        let given = inputs_at(self.at.as_deref().unwrap_or_default(), &system)?;
        let missing = system.inputs.iter().zip(&given).find(|(_, value)| value.is_none());
        if let Some((input, _)) = missing {
            let problem = format!("has no value for `{}`; set every input", ellipsize(&input.name));
            return Err(Error::Inference(InferenceError::InvalidSystem {
                location: "`--at`".into(),
                problem,
            }));
        }
        warn_about_narrow_sets(&system, dialect);
        Ok(system.explain(&given.into_iter().flatten().collect::<Vec<f64>>(), dialect)?)
    }

    fn explanation_of_row(&self, data: &Path, row: u64, device: &Device) -> Result<Explanation> {
        let (system, dialect) = self.system.load()?;
        warn_about_narrow_sets(&system, dialect);
        let inputs = system.inputs.iter().map(|input| input.name.as_str());
        let table = self.reading.settings(device).keep_text(true).preferred_columns(inputs).read(data)?;
        let row = existing_row(row, table.rows(), data)?;
        let explained = system.explain_table_row(&table, row, dialect);
        explained.map_err(|error| in_input_table(data, error.into()))
    }
}

fn warn_about_narrow_sets(system: &System, dialect: Dialect) {
    for narrow in system.narrow_sets(dialect) {
        let advice = "increase the number of samples in the file, or see `fuzzion infer --centroid exact`";
        print_warning(&format!("{narrow}; {advice}"));
    }
}

fn as_json(explanation: &Explanation) -> Value {
    json!({
        "system": explanation.system,
        "dialect": explanation.dialect.name(),
        "inputs": explanation.inputs.iter().map(input).collect::<Vec<_>>(),
        "rules": explanation.rules.iter().enumerate().map(rule).collect::<Vec<_>>(),
        "outputs": explanation.outputs.iter().map(output).collect::<Vec<_>>(),
    })
}

fn input(input: &ExplainedInput) -> Value {
    let memberships = input.memberships.iter();
    json!({
        "name": input.name,
        "given": json_number(input.given),
        "value": json_number(input.value),
        "range": [json_number(input.range.0), json_number(input.range.1)],
        "outside_range": input.is_outside_range(),
        "enabled": input.enabled,
        // A list, because names may not be unique.
        "memberships": memberships.map(|(set, m)| json!({ "set": set, "membership": json_number(*m) })).collect::<Vec<_>>(),
    })
}

/// Rules are counted from 1, as in the text output.
fn rule((i, rule): (usize, &ExplainedRule)) -> Value {
    let propositions = rule.propositions.iter();
    json!({
        "rule": i + 1,
        "block": rule.block + 1,
        "text": rule.text,
        "weight": json_number(rule.weight),
        "strength": json_number(rule.strength),
        "standing": rule.status.name(),
        "propositions": propositions.map(|p| json!({ "text": p.text, "membership": json_number(p.membership) })).collect::<Vec<_>>(),
    })
}

fn output(output: &ExplainedOutput) -> Value {
    let mut value = Map::new();
    value.insert("name".into(), json!(output.name));
    value.insert("value".into(), json_number(output.value));
    value.insert("why".into(), json!(output.reason()));
    value.insert("fired".into(), json!(output.fired));
    value.insert("defuzzified".into(), json_number(output.defuzzified));
    value.insert("contributions".into(), output.contributions.iter().map(contribution).collect());
    if let Some(aggregated) = &output.aggregated {
        let numbers = |values: &[f64]| values.iter().map(|x| json_number(*x)).collect::<Value>();
        let set =
            json!({ "places": numbers(&aggregated.points), "memberships": numbers(&aggregated.memberships) });
        value.insert("aggregated".into(), set);
    }
    Value::Object(value)
}

fn contribution(c: &Contribution) -> Value {
    json!({
        "rule": c.rule + 1,
        "set": c.set,
        "formula": c.formula,
        "strength": json_number(c.strength),
        "share": json_number(c.fraction),
        "at": c.value.map(json_number),
        "adds": c.addend.map(json_number),
    })
}
