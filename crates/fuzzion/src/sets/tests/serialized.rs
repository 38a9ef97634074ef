//! Sets, norms and hedges are read back exactly.

use crate::sets::samples::sample_sets;
use crate::sets::{Hedge, SNorm, Set, TNorm};

#[test]
fn sets_are_read_back_exactly_from_text_and_json() {
    for set in sample_sets().unwrap() {
        assert_eq!(set.to_string().parse::<Set>().unwrap(), set, "{set}");
        let json = serde_json::to_string(&set).unwrap();
        assert_eq!(serde_json::from_str::<Set>(&json).unwrap(), set, "{json}");
    }
    let error = "Ramp 1 x".parse::<Set>().unwrap_err().to_string();
    assert_eq!(error, "`x` is not a number\n  Ramp 1 x\n         ^");
    let invalid = r#"{"shape": "Ramp", "parameters": [0, "nan"]}"#;
    assert!(serde_json::from_str::<Set>(invalid).is_err());
    for name in ["\"Minimum\"", "\"EinsteinSum\"", "\"very\""] {
        let read = [
            serde_json::from_str::<TNorm>(name).ok().map(|t| t.name()),
            serde_json::from_str::<SNorm>(name).ok().map(|s| s.name()),
            serde_json::from_str::<Hedge>(name).ok().map(|h| h.name()),
        ];
        assert_eq!(read.into_iter().flatten().map(|name| format!("\"{name}\"")).collect::<Vec<_>>(), [name]);
    }
}
