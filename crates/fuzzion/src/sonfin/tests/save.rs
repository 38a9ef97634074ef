//! Models on disk.

use super::model::{classifier, numbers, regressor};
use crate::device::Device;
use crate::sonfin::Model;

#[test]
fn a_model_comes_back_to_the_bit() {
    let device = Device::cpu().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for model in [regressor(80, 8), classifier(60, 6)] {
        let path = folder.path().join("m.json");
        model.save(&path).unwrap();
        let back = Model::load(&path).unwrap();
        assert_eq!(back.to_json().unwrap(), model.to_json().unwrap());
        assert_eq!((&back.network().a, &back.network().c), (&model.network().a, &model.network().c));
        assert_eq!(
            (&back.inputs, &back.classes, &back.report),
            (&model.inputs, &model.classes, &model.report)
        );
    }
    let model = regressor(80, 8);
    let back = Model::from_json(&model.to_json().unwrap()).unwrap();
    let table = numbers(20, 3);
    assert_eq!(back.predict(&table, &device).unwrap(), model.predict(&table, &device).unwrap());
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn what_is_no_model_is_refused_in_a_sentence() {
    let text = regressor(40, 4).to_json().unwrap();
    let said = |text: &str| Model::from_json(text).unwrap_err().to_string();
    let begins = "the model cannot be read as a sonfin model: ";
    let ends = "; give a file that `sonfin fit --model` wrote";
    let other = text.replace("fuzzion sonfin", "fuzzion partition");
    let newer = text.replace("\"version\":1", "\"version\":2");
    let short = text.replacen("\"inputs\":[\"a\",\"b\"]", "\"inputs\":[\"a\"]", 1);
    assert_ne!(short, text);
    for (text, reason) in [
        (&text[..text.len() / 2], "it ends too early"),
        ("", "it ends too early"),
        ("x,y\n1,2\n", "expected value at line 1 column 1"),
        ("{}", "missing field `format` at line 1 column 2"),
        (&other, "it says that it is `fuzzion partition`"),
        (&newer, "it is of version 2, and this program reads version 1"),
        (&short, "its parts do not fit together"),
    ] {
        assert_eq!(said(text), format!("{begins}{reason}{ends}"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    std::fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(Model::load(&path).unwrap_err().to_string().contains(": it is no text; give a file that"));
    assert!(
        Model::load(folder.path().join("none.json")).unwrap_err().to_string().starts_with("cannot read ")
    );
}

#[test]
fn a_number_that_json_cannot_hold_is_not_written() {
    let mut model = regressor(40, 4);
    model.scale.low[0] = f64::NAN;
    assert!(model.to_json().is_err());
}
