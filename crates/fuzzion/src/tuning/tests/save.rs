//! Saved tuned systems and settings.

use crate::Device;
use crate::data::Labels;
use crate::tuning::error::Result;
use crate::tuning::{Classify, Form, InitialRules, StepRule, TrainingMethod, TunedSystem, Tuner, truck};

fn fitted(tuner: &Tuner) -> Result<TunedSystem> {
    tuner.fit(&truck(8)?, &["theta"], &Device::cpu()?).map(without_time)
}

/// Run times are not saved.
pub(super) fn without_time(mut tuned: TunedSystem) -> TunedSystem {
    tuned.report.seconds = 0.0;
    tuned
}

#[test]
fn a_loaded_system_equals_the_saved_one() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuned.json");
    let tuners = [
        Tuner::grid(&[2, 3]).iterations(3).validation(0.2),
        Tuner::new(InitialRules::FuzzyCMeans(3)).form(Form::TwoSided).iterations(2),
        Tuner::grid(&[2]).order(2).iterations(0),
    ];
    for tuner in tuners {
        let tuned = fitted(&tuner)?;
        tuned.save(&path)?;
        let loaded = TunedSystem::load(&path)?;
        assert_eq!(loaded, tuned);
        let (table, device) = (truck(8)?, Device::cpu()?);
        assert_eq!(loaded.predict(&table, &device)?, tuned.predict(&table, &device)?);
        assert_eq!(fitted(&tuner)?.to_json()?, tuned.to_json()?);
    }
    Ok(())
}

#[test]
fn a_loaded_classifier_equals_the_saved_one() -> Result<()> {
    let classes = Labels::new("side", (0..64).map(|i| if i < 32 { "left" } else { "right" }));
    let table = truck(8)?.with_labels(classes)?;
    let tuner = Tuner::grid(&[2]).inputs(["x", "phi"]).classify(Classify::CrossEntropy).iterations(3);
    let tuned = without_time(tuner.fit(&table, &["side"], &Device::cpu()?)?);
    assert_eq!(TunedSystem::from_json(&tuned.to_json()?)?, tuned);
    Ok(())
}

#[test]
fn infinite_errors_in_the_history_are_read_back() -> Result<()> {
    let mut tuned = fitted(&Tuner::grid(&[2]).iterations(1))?;
    (tuned.report.history[1].rmse, tuned.report.history[1].loss) = (f64::INFINITY, f64::INFINITY);
    assert_eq!(TunedSystem::from_json(&tuned.to_json()?)?, tuned);
    Ok(())
}

#[test]
fn damaged_files_are_rejected() -> Result<()> {
    let text = fitted(&Tuner::grid(&[2]).iterations(0))?.to_json()?;
    let changes = [
        ("\"version\":1", "\"version\":9", "unsupported format version 9, expected version 1"),
        ("\"order\":1", "\"order\":0", "12 consequents instead of 4"),
        ("\"order\":1", "\"order\":99", "inconsistent sizes or invalid values"),
        ("\"inputs\":2", "\"inputs\":0", "inconsistent sizes or invalid values"),
        ("\"softmax\":false", "\"softmax\":true", "inconsistent sizes or invalid values"),
        ("\"set_indices\":[0,", "\"set_indices\":[7,", "inconsistent sizes or invalid values"),
        ("\"theta\":[", "\"theta\":[1,", "13 consequents instead of 12"),
    ];
    for (from, to, reason) in changes {
        assert!(text.contains(from), "{from} is not in {text}");
        let message = TunedSystem::from_json(&text.replace(from, to)).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
        assert!(message.ends_with("; use a file written by `fuzzion tune --model`"), "{message}");
    }
    let other = text.replace("\"fuzzion tuning\"", "\"fuzzion sonfin\"");
    let message = TunedSystem::from_json(&other).unwrap_err().to_string();
    assert_eq!(message, "the system is a sonfin model; use `fuzzion sonfin predict`");
    let message = TunedSystem::from_json(&text[..text.len() / 2]).unwrap_err().to_string();
    assert!(message.contains("unexpected end of file"), "{message}");
    Ok(())
}

#[test]
fn settings_are_read_back_and_have_defaults() -> Result<()> {
    let tuned = fitted(&Tuner::grid(&[2]).iterations(0))?;
    let tuner = Tuner::new(InitialRules::System(tuned.system.into()))
        .method(TrainingMethod::RecursiveLeastSquares(0.5))
        .step(StepRule::Jang)
        .rate(0.1)
        .classify(Classify::OneHot);
    let text = serde_json::to_string(&tuner).unwrap();
    assert_eq!(serde_json::from_str::<Tuner>(&text).unwrap(), tuner);
    assert_eq!(serde_json::from_str::<Tuner>("{}").unwrap(), Tuner::grid(&[2]));
    Ok(())
}

#[test]
fn methods_are_named_as_on_the_command_line() {
    for name in ["hybrid", "gradient", "rls", "lm"] {
        assert_eq!(name.parse::<TrainingMethod>().unwrap().to_string(), name);
    }
    let message = "newton".parse::<TrainingMethod>().unwrap_err().to_string();
    assert_eq!(message, "unknown training method `newton`; expected hybrid, gradient, rls or lm");
}
