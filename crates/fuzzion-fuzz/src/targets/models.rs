//! Models: what can be read predicts, describes its rules, and is the same after writing and reading it.

use super::{Input, Outcome, ensure, must};
use fuzzion::clustering::Partition;
use fuzzion::internals::Random;
use fuzzion::sonfin::Model;
use fuzzion::tuning::TunedSystem;
use fuzzion::{Error, Table};

const ROWS: usize = 3;

fn rows(names: &[String], random: &mut Random) -> Result<Table, String> {
    let values: Vec<f64> = (0..ROWS * names.len()).map(|_| random.between(-10.0, 10.0)).collect();
    must("invalid rows", Table::new(names.iter().cloned(), values))
}

/// A prediction may fail, but with a message.
fn check_message<T>(what: &str, result: Result<T, impl Into<Error>>) -> Result<(), String> {
    match result {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = error.into().message();
            ensure(!message.is_empty(), || format!("{what}: the message is empty"))
        }
    }
}

pub(crate) fn check_clusters(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    let partition = match Partition::load(input.path) {
        Ok(partition) => partition,
        Err(error) => return Outcome::rejected(error),
    };
    let json = must("cannot write JSON", partition.to_json())?;
    let again = must("cannot read the written JSON", Partition::from_json(&json))?;
    ensure(again.to_json().ok() == Some(json), || {
        "the model differs after writing JSON and reading it".into()
    })?;
    let rows = rows(partition.centers.names(), random)?;
    check_message("labels", partition.labels(&rows, input.device))?;
    check_message("memberships", partition.memberships(&rows, input.device))?;
    Ok(Outcome::Accepted)
}

pub(crate) fn check_sonfin(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    let model = match Model::load(input.path) {
        Ok(model) => model,
        Err(error) => return Outcome::rejected(error),
    };
    let json = must("cannot write JSON", model.to_json())?;
    let again = must("cannot read the written JSON", Model::from_json(&json))?;
    ensure(again.to_json().ok() == Some(json), || {
        "the model differs after writing JSON and reading it".into()
    })?;
    let rows = rows(&model.inputs, random)?;
    check_message("prediction", model.predict(&rows, input.device))?;
    check_message("explanation", model.explain(&rows, 0))?;
    check_message("export", model.to_system())?;
    for rule in model.rules() {
        ensure(!model.rule_text(&rule, 3).is_empty(), || "a rule has no text".into())?;
    }
    Ok(Outcome::Accepted)
}

pub(crate) fn check_tuned(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    let tuned = match TunedSystem::load(input.path) {
        Ok(tuned) => tuned,
        Err(error) => return Outcome::rejected(error),
    };
    let json = must("cannot write JSON", tuned.to_json())?;
    let again = must("cannot read the written JSON", TunedSystem::from_json(&json))?;
    ensure(again.to_json().ok() == Some(json), || {
        "the model differs after writing JSON and reading it".into()
    })?;
    let rows = rows(&tuned.inputs, random)?;
    check_message("prediction", tuned.predict(&rows, input.device))?;
    check_message("intervals", tuned.predict_intervals(&rows, 0.9, input.device))?;
    check_message("rules", fuzzion::tuning::inspect::rules(&tuned.system))?;
    check_message("rule reports", tuned.rule_reports(&rows, input.device))?;
    Ok(Outcome::Accepted)
}
