//! `fuzzion explain`

use super::systems::{SystemWords, inputs_at};
use super::words::{clipped, number};
use crate::console::Console;
use clap::Parser;
use fuzzion::inference::explain::{
    Contribution, ExplainedInput, ExplainedOutput, ExplainedRule, Explanation,
};
use fuzzion::{Error, Result};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// Say which rules of a fuzzy system fire at one row, how strongly, and what each contributes
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion explain tipper.fll --at 3,7.5                     values in the order of the inputs
  fuzzion explain tipper.fll --at service=3,food=7.5        values by name
  fuzzion explain tipper.fis --at 3,7.5 --json              every rule, membership and contribution as JSON")]
pub(crate) struct Explain {
    #[command(flatten)]
    system: SystemWords,
    /// The row: a value for each input, in their order or as name=value
    #[arg(long, value_name = "X,…", allow_hyphen_values = true)]
    at: String,
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    explain: Explain,
}

impl Explain {
    pub(crate) fn run(&self, console: &Console) -> Result<ExitCode> {
        let explanation = self.explanation()?;
        if console.json() {
            console.say_json(&as_json(&explanation))?;
        } else {
            console.say(&explanation.to_string())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What `fuzzion explain` with these words says.
    pub(crate) fn said(words: &[&str]) -> Result<String> {
        let told = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion explain".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        Ok(told.explain.explanation()?.to_string())
    }

    fn explanation(&self) -> Result<Explanation> {
        let (system, dialect) = self.system.load()?;
        let given = inputs_at(&self.at, &system)?;
        let missing = system.inputs.iter().zip(&given).find(|(_, value)| value.is_none());
        if let Some((input, _)) = missing {
            let problem = format!("gives no value for `{}`; give one for every input", clipped(&input.name));
            return Err(Error::System { place: "`--at`".into(), problem });
        }
        system.explain(&given.into_iter().flatten().collect::<Vec<f64>>(), dialect)
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
        "given": number(input.given),
        "value": number(input.value),
        "enabled": input.enabled,
        // A list, because names may repeat.
        "memberships": memberships.map(|(set, m)| json!({ "set": set, "membership": number(*m) })).collect::<Vec<_>>(),
    })
}

/// Rules are counted from 1, as in the text.
fn rule((i, rule): (usize, &ExplainedRule)) -> Value {
    let asked = rule.propositions.iter();
    json!({
        "rule": i + 1,
        "block": rule.block + 1,
        "text": rule.text,
        "weight": number(rule.weight),
        "strength": number(rule.strength),
        "standing": rule.standing.name(),
        "propositions": asked.map(|p| json!({ "text": p.text, "membership": number(p.membership) })).collect::<Vec<_>>(),
    })
}

fn output(output: &ExplainedOutput) -> Value {
    let mut value = Map::new();
    value.insert("name".into(), json!(output.name));
    value.insert("value".into(), number(output.value));
    value.insert("why".into(), json!(output.why()));
    value.insert("fired".into(), json!(output.fired));
    value.insert("defuzzified".into(), number(output.defuzzified));
    value.insert("contributions".into(), output.contributions.iter().map(contribution).collect());
    if let Some(aggregated) = &output.aggregated {
        let numbers = |values: &[f64]| values.iter().map(|x| number(*x)).collect::<Value>();
        let set =
            json!({ "places": numbers(&aggregated.places), "memberships": numbers(&aggregated.memberships) });
        value.insert("aggregated".into(), set);
    }
    Value::Object(value)
}

fn contribution(c: &Contribution) -> Value {
    json!({
        "rule": c.rule + 1,
        "set": c.set,
        "strength": number(c.strength),
        "share": number(c.share),
        "at": c.value.map(number),
        "adds": c.part.map(number),
    })
}
