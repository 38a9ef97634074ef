//! `fuzzion sonfin rules`

use crate::commands::words::{clipped, counted, number, shown};
use crate::console::Console;
use fuzzion::Result;
use fuzzion::sonfin::{Model, Prototype};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the rules of a model, with the inputs that tell each from the others
#[derive(clap::Args)]
#[command(
    after_help = "`x is about 3 ± 1` is a Gaussian set with its center at 3 and a standard deviation of 1. Of each rule those inputs \
come first in which it is narrow compared with how far the centers of all rules lie apart. Of the rules those come first that have \
most to say about the rows learned from, each with its part of it; of a stream that is not known.

Examples:
  fuzzion sonfin rules m.json                 the first 40 rules, four inputs each
  fuzzion sonfin rules m.json --top 2 --all   all rules, two inputs each
  fuzzion sonfin rules m.json --json          every number of every rule"
)]
pub(super) struct Rules {
    /// The model that `sonfin fit --model` wrote
    model: PathBuf,
    /// How many inputs of each rule to print
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Print all rules instead of the first 40, those that hardly fire too
    #[arg(long)]
    all: bool,
}

/// The most rules printed unasked.
const MOST: usize = 40;

impl Rules {
    pub(super) fn run(&self, console: &Console) -> Result<ExitCode> {
        let model = Model::load(&self.model)?;
        let (rules, heard) = model.rules_by_share();
        if console.json() {
            let all: Vec<Value> = rules.iter().map(|rule| as_json(&model, rule)).collect();
            console.say_json(&json!({ "rules": all, "outputs": model.outputs, "classes": model.classes }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let inputs = counted(model.inputs.len() as u64, "input");
        let learned =
            model.outputs.iter().map(|name| format!("`{}`", clipped(name))).collect::<Vec<_>>().join(", ");
        let mut out = format!(
            "{}: {} over {inputs} for {learned}\n\n",
            shown(&self.model),
            counted(rules.len() as u64, "rule")
        );
        let shown = if self.all { rules.len() } else { heard.min(MOST) };
        let width = rules.len().to_string().len();
        for rule in rules.iter().take(shown) {
            let share = share_of(rule).map_or_else(String::new, |share| format!("  {share:>6}"));
            out.push_str(&format!(
                "{:width$}{share}  {}\n",
                rule.rule,
                model.rule_text(rule, self.top as usize)
            ));
        }
        if rules.len() > shown {
            let more = counted((rules.len() - shown) as u64, "more rule");
            let which = if heard == shown { ", which hardly fire" } else { "" };
            out.push_str(&format!("\n… and {more}{which}; `--all` prints them\n"));
        }
        console.say(&out)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A rule's part of the say, where it is known.
pub(super) fn share_of(rule: &Prototype) -> Option<String> {
    rule.share.map(|share| format!("{:.1} %", 100.0 * share))
}

/// A rule with all its numbers.
pub(super) fn as_json(model: &Model, rule: &Prototype) -> Value {
    let asks = rule.asks.iter().map(|ask| {
        json!({
            "input": model.inputs[ask.input],
            "center": number(ask.center),
            "deviation": number(ask.deviation),
            "sharpness": number(ask.sharpness),
        })
    });
    json!({
        "rule": rule.rule,
        "label": rule.label,
        "share": rule.share.map(number),
        "outputs": rule.outputs.iter().map(|y| number(*y)).collect::<Vec<_>>(),
        "asks": asks.collect::<Vec<_>>(),
    })
}
