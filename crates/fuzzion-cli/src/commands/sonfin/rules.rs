//! `fuzzion sonfin rules`

use super::load;
use crate::console::Console;
use crate::format::{count_of, display_path, ellipsize, format_number, json_number};
use fuzzion::Result;
use fuzzion::sonfin::{Model, Prototype};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the rules of a model with their most distinctive inputs
#[derive(clap::Args)]
#[command(
    after_help = "`x is about 3 ± 1` is a Gaussian set with center 3 and standard deviation 1. The inputs of a rule are sorted by the \
width of its set relative to the spread of all rule centers, narrowest first. The rules are sorted by their mean normalized firing \
strength over the training rows, which is printed in percent; it is not available for models trained with `--stream`.

Examples:
  fuzzion sonfin rules m.json                    print the first 40 rules with four inputs each
  fuzzion sonfin rules m.json --top 5            print the five rules that fire most
  fuzzion sonfin rules m.json --all --inputs 2   print all rules with two inputs each
  fuzzion sonfin rules m.json --json             print all parameters of all rules as JSON"
)]
pub(super) struct Rules {
    /// Model file written by `sonfin fit --model`
    model: PathBuf,
    /// Number of rules to print, those that fire most first [default: 40, without those that rarely fire]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Number of inputs to print per rule
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    inputs: u32,
    /// Print all rules, including those that rarely fire
    #[arg(long, conflicts_with = "top")]
    all: bool,
}

/// Maximum number of rules printed without `--all` and `--top`.
const MAX_RULES: usize = 40;

impl Rules {
    pub(super) fn run(&self, console: &Console) -> Result<ExitCode> {
        let model = load(&self.model, "fuzzion show")?;
        let (rules, active) = model.rules_by_firing_strength();
        if console.json() {
            let all: Vec<Value> = rules.iter().map(|rule| as_json(&model, rule)).collect();
            let (outputs, classes) = (&model.outputs, &model.classes);
            let slopes = model.slopes();
            console.print_json(
                &json!({ "rules": all, "outputs": outputs, "classes": classes, "inputs": model.inputs, "slopes": slopes }),
            )?;
            return Ok(ExitCode::SUCCESS);
        }
        let inputs = count_of(model.inputs.len() as u64, "input");
        let targets =
            model.outputs.iter().map(|name| format!("`{}`", ellipsize(name))).collect::<Vec<_>>().join(", ");
        let mut out = format!(
            "{}: {}, {inputs}, target {targets}\n\n",
            display_path(&self.model),
            count_of(rules.len() as u64, "rule")
        );
        let shown = match self.top {
            _ if self.all => rules.len(),
            Some(top) => rules.len().min(top as usize),
            None => active.min(MAX_RULES),
        };
        let width = rules.len().to_string().len();
        for rule in rules.iter().take(shown) {
            let strength =
                mean_strength(rule).map_or_else(String::new, |strength| format!("  {strength:>6}"));
            out.push_str(&format!(
                "{:width$}{strength}  {}\n",
                rule.rule,
                model.rule_text(rule, self.inputs as usize)
            ));
        }
        if let Some(slopes) = slopes(&model, self.inputs as usize) {
            out.push_str(&format!("\n{slopes}"));
        }
        if rules.len() > shown {
            let more = count_of((rules.len() - shown) as u64, "more rule");
            let which = if active == shown { " that rarely fire" } else { "" };
            out.push_str(&format!("\n… and {more}{which}; use `--all` to print them\n"));
        }
        console.print(&out)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The slopes that all rules with conditions share, largest effects first; consequents are values at the centers of the rules.
fn slopes(model: &Model, max_inputs: usize) -> Option<String> {
    if model.rule_count() < 2 {
        return None; // the text of the rule contains them
    }
    let names = if model.classes.is_empty() { &model.outputs } else { &model.classes };
    let line = |(name, slopes): (&String, &Vec<f64>)| {
        let mut order: Vec<usize> = (0..slopes.len()).filter(|j| slopes[*j] != 0.0).collect();
        order.sort_by(|a, b| slopes[*b].abs().total_cmp(&slopes[*a].abs()));
        let term = |j: &usize| format!("{} per unit of {}", format_number(slopes[*j]), model.inputs[*j]);
        let more = order.len().saturating_sub(max_inputs);
        let terms: Vec<String> = order.iter().take(max_inputs).map(term).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("  {}: {}{more}\n", ellipsize(name), terms.join(", "))
    };
    let slopes = model.slopes()?;
    let lines: String = names.iter().zip(&slopes).map(line).collect();
    let what = if model.classes.is_empty() { "the values" } else { "the scores" };
    Some(format!("around the center of every rule, {what} change by\n{lines}"))
}

/// Mean normalized firing strength of a rule in percent, if known.
pub(super) fn mean_strength(rule: &Prototype) -> Option<String> {
    rule.mean_firing_strength.map(|strength| format!("{:.1} %", 100.0 * strength))
}

/// A rule with all its parameters.
pub(super) fn as_json(model: &Model, rule: &Prototype) -> Value {
    let conditions = rule.conditions.iter().map(|condition| {
        json!({
            "input": model.inputs[condition.input],
            "center": json_number(condition.center),
            "deviation": json_number(condition.deviation),
            "sharpness": json_number(condition.sharpness),
        })
    });
    json!({
        "rule": rule.rule,
        "label": rule.label,
        "share": rule.mean_firing_strength.map(json_number),
        "outputs": rule.outputs.iter().map(|y| json_number(*y)).collect::<Vec<_>>(),
        "asks": conditions.collect::<Vec<_>>(),
    })
}
