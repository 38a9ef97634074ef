//! Formats, and files in the start folder.

use super::{Running, TIPPER};
use fuzzion::inference::System;
use serde_json::json;
use std::fs;

#[test]
fn a_file_is_opened_saved_and_replaced_only_if_requested() {
    let server = Running::new();
    fs::write(server.path().join("tipper.fll"), TIPPER).unwrap();
    fs::create_dir(server.path().join("more")).unwrap();
    fs::write(server.path().join("more/b.json"), "{}").unwrap();
    fs::write(server.path().join("notes.txt"), "").unwrap();
    assert_eq!(server.get("api/files").json()["files"], json!(["more/b.json", "tipper.fll"]));
    let opened = server.post("open", &json!({ "path": "tipper.fll" })).json();
    assert_eq!((&opened["path"], &opened["dialect"]), (&json!("tipper.fll"), &json!("fuzzylite8")));
    let mut system = opened["system"].clone();
    system["name"] = json!("renamed");
    let save = |path: &str, replace: bool| {
        server.post("save", &json!({ "path": path, "system": system, "replace": replace })).json()
    };
    assert_eq!(save("tipper.fll", false), json!({ "exists": true }));
    assert_eq!(fs::read_to_string(server.path().join("tipper.fll")).unwrap(), TIPPER);
    assert_eq!(save("tipper.fll", true), json!({ "saved": "tipper.fll" }));
    assert_eq!(System::load(server.path().join("tipper.fll")).unwrap().system.name, "renamed");
    assert_eq!(save("more/c.fis", false), json!({ "saved": "more/c.fis" }));
    assert!(save("d.txt", false)["error"].as_str().unwrap().contains("unsupported format"));
    let code = server.post("save", &json!({ "path": "t.c", "system": system, "format": "c" })).json();
    assert_eq!(code, json!({ "saved": "t.c" }));
    let wrong = server.post("save", &json!({ "path": "t.py", "system": system, "format": "c" }));
    assert!(wrong.error().contains("must end in `.c`"));
}

#[test]
fn no_file_outside_of_the_folder_is_read_or_written() {
    let server = Running::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.fll"), TIPPER).unwrap();
    let absolute = outside.path().join("secret.fll").to_string_lossy().into_owned();
    let system = server.parse(TIPPER);
    let mut paths = vec![
        absolute,
        "../secret.fll".to_owned(),
        "a/../../secret.fll".to_owned(),
        "./secret.fll".to_owned(),
        "..".to_owned(),
        String::new(),
        "secret.fll\0.fll".to_owned(),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(outside.path().join("secret.fll"), server.path().join("link.fll")).unwrap();
        symlink(outside.path(), server.path().join("folder")).unwrap();
        symlink(outside.path().join("new.fll"), server.path().join("dangling.fll")).unwrap();
        paths.extend([
            "link.fll".into(),
            "folder/secret.fll".into(),
            "folder/new.fll".into(),
            "dangling.fll".into(),
        ]);
    }
    for path in &paths {
        let opened = server.post("open", &json!({ "path": path }));
        assert!(matches!(opened.status, 403 | 422), "{path}: {}", opened.status);
        let saved = server.post("save", &json!({ "path": path, "system": system, "replace": true }));
        assert!(matches!(saved.status, 403 | 422), "{path}: {}", saved.status);
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret.fll")).unwrap(), TIPPER);
    assert!(!outside.path().join("new.fll").exists());
    assert_eq!(server.get("api/files").json()["files"], json!([]));
}

#[cfg(unix)]
#[test]
fn a_link_that_stays_in_the_folder_is_allowed() {
    let server = Running::new();
    fs::write(server.path().join("a.fll"), TIPPER).unwrap();
    std::os::unix::fs::symlink(server.path().join("a.fll"), server.path().join("b.fll")).unwrap();
    assert_eq!(server.post("open", &json!({ "path": "b.fll" })).status, 200);
}

#[test]
fn a_text_is_parsed_in_any_format_or_the_error_has_a_position() {
    let server = Running::new();
    let system = server.parse(TIPPER);
    for format in ["fll", "fis", "json"] {
        let text =
            server.post("write", &json!({ "system": system, "format": format })).json()["text"].clone();
        let again = server.post("parse", &json!({ "text": text, "format": format })).json()["system"].clone();
        assert_eq!(again["inputs"], system["inputs"], "{format}");
    }
    let text = TIPPER.replace("is cheap", "is cheep");
    let wrong = server.post("parse", &json!({ "text": text, "format": "name.fll" }));
    assert_eq!((wrong.status, &wrong.json()["line"]), (422, &json!(23)));
    assert!(wrong.error().contains("`cheep`"), "{}", wrong.error());
    let unknown = server.post("parse", &json!({ "text": "", "format": "a.docx" })).error();
    assert!(unknown.contains("supported formats"));
}

#[test]
fn source_code_is_written_in_every_language() {
    let server = Running::new();
    let system = server.parse(TIPPER);
    for (format, expected) in [
        ("c", "void tipper_infer"),
        ("rust", "pub fn infer"),
        ("cuda", "__global__"),
        ("python", "sets.gaussian(0.0, 1.5)"),
        ("python", "rule(input1[\"poor\"] | input2[\"rancid\"], output1[\"cheap\"])"),
        ("rust-builder", "Set::gaussian(0.0, 1.5)?"),
    ] {
        let text = server.post("write", &json!({ "system": system, "format": format })).json();
        assert!(text["text"].as_str().unwrap().contains(expected), "{format}: {text}");
    }
}

#[test]
fn the_function_blocks_of_a_file_are_listed_until_one_is_selected() {
    let server = Running::new();
    let block = |name: &str| {
        let variables =
            "VAR_INPUT a : REAL; END_VAR VAR_OUTPUT b : REAL; END_VAR FUZZIFY a TERM on := 1; END_FUZZIFY";
        let rules = "DEFUZZIFY b TERM on := 1; END_DEFUZZIFY RULEBLOCK r RULE 1 : IF a IS on THEN b IS on; END_RULEBLOCK";
        format!("FUNCTION_BLOCK {name} {variables} {rules} END_FUNCTION_BLOCK\n")
    };
    fs::write(server.path().join("two.fcl"), block("heating") + &block("cooling")).unwrap();
    let open =
        |block: Option<&str>| server.post("open", &json!({ "path": "two.fcl", "block": block })).json();
    assert_eq!(open(None)["blocks"], json!(["heating", "cooling"]));
    let opened = open(Some("cooling"));
    assert_eq!((&opened["system"]["name"], &opened["dialect"]), (&json!("cooling"), &json!("iec")));
    assert!(open(Some("third"))["error"].as_str().unwrap().contains("no function block `third`"));
}
