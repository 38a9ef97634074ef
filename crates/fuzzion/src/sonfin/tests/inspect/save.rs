//! Saving and loading models.

use super::model::{classifier, numbers, regressor};
use crate::device::Device;
use crate::sonfin::Model;

#[test]
fn saving_and_loading_preserves_a_model_exactly() {
    let device = Device::cpu().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for mut model in [regressor(80, 8), classifier(60, 6)] {
        // Run times are not saved.
        (model.report.seconds, model.report.us_per_sample) = (0.0, 0.0);
        let path = folder.path().join("m.json");
        model.save(&path).unwrap();
        let loaded = Model::load(&path).unwrap();
        assert_eq!(loaded.to_json().unwrap(), model.to_json().unwrap());
        assert_eq!((&loaded.network().a, &loaded.network().c), (&model.network().a, &model.network().c));
        assert_eq!(
            (&loaded.inputs, &loaded.classes, &loaded.report),
            (&model.inputs, &model.classes, &model.report)
        );
    }
    let model = regressor(80, 8);
    let loaded = Model::from_json(&model.to_json().unwrap()).unwrap();
    let table = numbers(20, 3);
    assert_eq!(loaded.predict(&table, &device).unwrap(), model.predict(&table, &device).unwrap());
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1);
}

#[test]
fn invalid_model_files_give_a_one_sentence_error() {
    let text = regressor(40, 4).to_json().unwrap();
    let message = |text: &str| Model::from_json(text).unwrap_err().to_string();
    let prefix = "the model cannot be read as a sonfin model: ";
    let suffix = "; use a file written by `fuzzion sonfin fit --model`";
    let newer = text.replace("\"version\":1", "\"version\":3");
    let truncated_inputs = text.replacen("\"inputs\":[\"a\",\"b\"]", "\"inputs\":[\"a\"]", 1);
    assert_ne!(truncated_inputs, text);
    for (text, reason) in [
        (&text[..text.len() / 2], "unexpected end of file"),
        ("", "unexpected end of file"),
        ("x,y\n1,2\n", "it is not JSON"),
        ("{}", "it is damaged at line 1, column 2, or another kind of file"),
        (&newer, "unsupported format version 3, expected version 2"),
        (&truncated_inputs, "it is damaged or another kind of file (inconsistent sizes or invalid values)"),
    ] {
        assert_eq!(message(text), format!("{prefix}{reason}{suffix}"));
    }
    let other = text.replace("fuzzion sonfin", "fuzzion partition");
    assert_eq!(message(&other), "the model is a clustering model; use `fuzzion cluster --apply`");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(
        Model::load(&path).unwrap_err().to_string().contains(": it is not UTF-8 text; use a file written by")
    );
    assert!(
        Model::load(folder.path().join("none.json")).unwrap_err().to_string().starts_with("cannot read ")
    );
}

#[test]
fn non_finite_numbers_are_not_written() {
    let mut model = regressor(40, 4);
    model.scale.low[0] = f64::NAN;
    assert!(model.to_json().is_err());
}
