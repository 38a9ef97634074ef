//! Usage errors, `completions`, `man`, `doctor` and `--version`.

use crate::common::{TestDir, text};
use std::process::Command;

/// What `fuzzion` prints to standard error, without its name.
fn message(dir: &TestDir, args: &str) -> String {
    let output = dir.run(args);
    assert_eq!(output.status.code(), Some(2), "{args}: {}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "{args}");
    text(&output.stderr).strip_prefix("fuzzion: ").unwrap_or_default().to_owned()
}

#[test]
fn a_usage_error_is_one_sentence_with_a_reference_to_the_help() {
    let dir = TestDir::new();
    for (args, expected) in [
        ("clster", "unknown command `clster` (did you mean `cluster`?); see `fuzzion --help`"),
        ("x", "unknown command `x`; see `fuzzion --help`"),
        (
            "cluster x.csv --clustrs 2",
            "unknown option `--clustrs` (did you mean `--clusters`?); see `fuzzion cluster --help`",
        ),
        ("head a b", "unexpected argument `b`; see `fuzzion head --help`"),
        ("head", "missing `FILE`; see `fuzzion head --help`"),
        ("cluster x.csv", "missing `--clusters` or `--sweep` or `--apply`; see `fuzzion cluster --help`"),
        ("tune x.csv", "missing `--target`; see `fuzzion tune --help`"),
        (
            "cluster x.csv --clusters",
            "`--clusters` has no value; expected a value; see `fuzzion cluster --help`",
        ),
        (
            "cluster x.csv --clusters two",
            "invalid value `two` for `--clusters`; expected a nonnegative integer; see `fuzzion cluster --help`",
        ),
        (
            "cluster x.csv --clusters 2 --clusters 3",
            "`--clusters` is given several times; give it once; see `fuzzion cluster --help`",
        ),
        (
            "cluster x.csv --clusters 2 --sweep 2..4",
            "`--clusters` cannot be used with `--sweep`; see `fuzzion cluster --help`",
        ),
        (
            "cluster x.csv --clusters 2 --variant noisey",
            "invalid value `noisey` for `--variant` (did you mean `noise`?); expected `fcm`, `hard`, `pcm`, `noise`, `pfcm`; see \
             `fuzzion cluster --help`",
        ),
        (
            "calc 1 --cuts 0",
            "invalid value `0` for `--cuts`; expected an integer from 1 to 1000; see `fuzzion calc --help`",
        ),
        (
            "calc 1 --plot a.svg --data b.csv",
            "`--plot` cannot be used with `--data`; see `fuzzion calc --help`",
        ),
        (
            "sonfin predct m.json x.csv",
            "unknown command `predct` (did you mean `predict`?); see `fuzzion sonfin --help`",
        ),
        ("sonfin predict m.json", "missing `DATA`; see `fuzzion sonfin predict --help`"),
    ] {
        assert_eq!(message(&dir, args).trim_end(), expected, "{args}");
    }
    let output = dir.run("");
    assert!(text(&output.stderr).contains("Usage: fuzzion"), "without arguments, the help is printed");
}

#[test]
fn completions_contain_commands_and_options() {
    let dir = TestDir::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = dir.output_of(&format!("completions {shell}"));
        assert!(
            ["cluster", "sonfin", "n-init", "typicalities"].iter().all(|name| script.contains(name)),
            "{shell}"
        );
    }
    let script = dir.output_of("completions bash");
    dir.write("fuzzion.bash", &script);
    let complete = |words: &str, current: usize| {
        let check = format!(
            "source fuzzion.bash; COMP_WORDS=({words}); COMP_CWORD={current}; \
             _fuzzion fuzzion \"${{COMP_WORDS[{current}]}}\" \"${{COMP_WORDS[{}]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            current - 1
        );
        text(&Command::new("bash").args(["-c", &check]).current_dir(dir.path()).output().unwrap().stdout)
    };
    assert_eq!(complete("fuzzion clu", 1), "cluster\n");
    assert_eq!(complete("fuzzion cluster x.csv --swe", 3), "--sweep\n");
    let expected = "invalid value `tcsh` for `SHELL` (did you mean `zsh`?); expected `bash`, `zsh`, ";
    assert!(message(&dir, "completions tcsh").starts_with(expected));
}

#[test]
fn man_writes_a_page_for_every_command() {
    let dir = TestDir::new();
    let printed = dir.output_of("man --out pages");
    let entries = std::fs::read_dir(dir.join("pages")).unwrap();
    let files: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(printed, format!("wrote {} pages to pages\n", files.len()));
    for name in [
        "fuzzion",
        "fuzzion-cluster",
        "fuzzion-sonfin-fit",
        "fuzzion-tune",
        "fuzzion-tune-predict",
        "fuzzion-man",
    ] {
        assert!(files.contains(&format!("{name}.1")), "{name}: {files:?}");
    }
    assert!(!files.iter().any(|file| file.contains("help")), "{files:?}");
    let page = text(&dir.read("pages/fuzzion-cluster.1"));
    for part in [
        ".TH",
        ".SH SYNOPSIS",
        "\\-\\-sweep",
        ".SH EXAMPLES\n.nf\n\\&  fuzzion cluster iris.csv \\-\\-clusters 3",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(dir.output_of("man").contains(&page));
}

#[test]
fn the_long_version_has_the_target_and_the_features() {
    let dir = TestDir::new();
    let short = format!("fuzzion {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(dir.output_of("-V"), short);
    let long = dir.output_of("--version");
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, short.trim_end()), "{long}");
    assert!(lines[1].starts_with("target: ") && lines[1].contains(std::env::consts::ARCH), "{long}");
    let features = if cfg!(feature = "parquet") { "cuda, parquet" } else { "cuda" };
    assert_eq!(lines[2], format!("features: {features}"));
}

#[test]
fn doctor_says_what_works_and_how_to_get_the_rest() {
    let dir = TestDir::new();
    let report = || {
        let mut command = dir.command("doctor --json");
        let command = command.env("FUZZION_CACHE_DIR", dir.join("cache")).env("NO_COLOR", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let find = |report: &serde_json::Value, part: &str| {
        let findings = report["findings"].as_array().unwrap();
        findings
            .iter()
            .find(|finding| finding["part"] == part)
            .unwrap_or_else(|| panic!("{part}: {report}"))
            .clone()
    };
    let first = report();
    assert!(
        first["findings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|finding| finding["detail"].as_str().is_some_and(|d| !d.is_empty()))
    );
    let cpu = find(&first, "CPU");
    assert!(
        cpu["works"] == true && cpu["detail"].as_str().unwrap().contains(" threads, instructions "),
        "{cpu}"
    );
    assert_eq!(find(&first, "Parquet")["works"], cfg!(feature = "parquet"));
    assert_eq!(find(&first, "GPU kernel cache")["works"], true);
    assert_eq!(find(&first, "progress bars")["works"], false);
    assert_eq!(find(&first, "colors")["detail"], "turned off by NO_COLOR; unset it");
    std::fs::remove_dir_all(dir.join("cache")).unwrap();
    dir.write("cache", "a file");
    let cache = find(&report(), "GPU kernel cache");
    assert!(
        cache["works"] == false
            && cache["detail"].as_str().unwrap().ends_with("; set FUZZION_CACHE_DIR to another folder")
    );
    let printed = dir.output_of("doctor");
    assert!(
        printed.starts_with("fuzzion ") && printed.contains("\nCPU ") && printed.contains("  works  "),
        "{printed}"
    );
}

/// What `fuzzion` prints on a terminal.
#[cfg(target_os = "linux")]
fn on_terminal(dir: &TestDir, args: &str, no_color: Option<&str>) -> String {
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{} {args}", env!("CARGO_BIN_EXE_fuzzion")), "/dev/null"]);
    command.current_dir(dir.path()).env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command.envs(no_color.map(|value| ("NO_COLOR", value)));
    String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn no_color_turns_off_colors_on_a_terminal() {
    let dir = TestDir::with("g.csv", crate::common::groups(60));
    let has_colors = |printed: &str| {
        let codes = printed.split("\u{1b}[").skip(1);
        codes
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'))
            .any(|rest| rest.starts_with('m'))
    };
    let args = "cluster g.csv --sweep 2..30 --n-init 20";
    let colored = on_terminal(&dir, args, None);
    assert!(has_colors(&colored), "the progress bar has colors: {colored:?}");
    let plain = on_terminal(&dir, args, Some("1"));
    assert!(plain.contains('█') && !has_colors(&plain), "{plain:?}");
    for args in ["--help", "cluster --help", "clster", "head none.csv"] {
        assert!(!has_colors(&on_terminal(&dir, args, Some("1"))), "{args}");
    }
}
