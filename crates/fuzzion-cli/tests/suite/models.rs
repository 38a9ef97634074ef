//! Model files: of another kind than a command expects, and damaged.

use crate::common::{TIPPER, TestDir, groups, text};

#[test]
fn a_model_of_another_kind_is_named_with_its_command() {
    let dir = TestDir::with("g.csv", groups(60));
    dir.output_of("cluster g.csv --columns x,y --clusters 2 --model cluster.json");
    dir.output_of("sonfin fit g.csv --target y --inputs x --rules 3 --model sonfin.json");
    dir.output_of("tune g.csv --target y --inputs x --sets 2 --model tuned.json");
    dir.write("tipper.fll", TIPPER);
    dir.output_of("convert tipper.fll system.json");
    let cluster = "cluster.json is a clustering model; use `fuzzion cluster --apply`";
    let sonfin = "sonfin.json is a sonfin model; use `fuzzion sonfin predict`";
    let tuned = "tuned.json is a tuned system; use `fuzzion tune predict`";
    let system = "system.json is a fuzzy system; use `fuzzion infer`";
    for (args, message) in [
        ("infer cluster.json --data g.csv", cluster),
        ("show cluster.json", cluster),
        ("explain cluster.json --at 1", cluster),
        ("grid cluster.json --points 2", cluster),
        ("export cluster.json --to c", cluster),
        ("convert cluster.json a.fll", cluster),
        ("image --system cluster.json a.png b.png", cluster),
        ("sonfin predict cluster.json g.csv", cluster),
        ("tune predict cluster.json g.csv", cluster),
        ("cluster --apply sonfin.json g.csv", sonfin),
        ("tune predict sonfin.json g.csv", sonfin),
        ("cluster --apply tuned.json g.csv", tuned),
        ("sonfin rules tuned.json", "tuned.json is a tuned system; use `fuzzion show`"),
        ("sonfin explain tuned.json g.csv --row 1", "tuned.json is a tuned system; use `fuzzion explain`"),
        ("sonfin export tuned.json a.fll", "tuned.json is a tuned system; use `fuzzion convert`"),
        (
            "sonfin fit g.csv --target y --resume tuned.json",
            "tuned.json is a tuned system; use `fuzzion tune --system`",
        ),
        ("cluster --apply system.json g.csv", system),
        ("sonfin fit g.csv --target y --resume system.json", system),
        ("tune predict system.json g.csv", system),
    ] {
        let output = dir.run(args);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(1), format!("fuzzion: {message}\n")),
            "{args}"
        );
    }
}

#[test]
fn a_damaged_network_is_an_error() {
    let dir = TestDir::with("g.csv", groups(60));
    dir.output_of("sonfin fit g.csv --target y --inputs x --rules 3 --model m.json");
    let model: serde_json::Value = serde_json::from_slice(&dir.read("m.json")).unwrap();
    assert!(!model["shares"].as_array().unwrap().is_empty());
    for (part, field, value) in [
        ("/state/network", "outputs", 0),
        ("/state/best/network", "outputs", 0),
        ("/state/network", "dims", 0),
        ("/state", "seen", u64::MAX),
        ("/state", "epoch", u64::MAX),
        ("/state", "position", u64::MAX),
        ("/state", "wrong", u64::MAX),
    ] {
        let mut damaged = model.clone();
        damaged.pointer_mut(part).unwrap()[field] = value.into();
        dir.write("damaged.json", damaged.to_string());
        for args in [
            "sonfin rules damaged.json",
            "sonfin fit g.csv --target y --resume damaged.json",
            "sonfin fit g.csv --target y --resume damaged.json --stream",
        ] {
            let output = dir.run(args);
            let printed = text(&output.stderr);
            assert_eq!((output.status.code(), printed.lines().count()), (Some(1), 1), "{field}: {printed}");
            assert!(printed.contains("inconsistent sizes or invalid values"), "{field}: {printed}");
        }
    }
}
