//! Usage errors, `completions`, `man`, `doctor` and `--version`.

use crate::common::{IRIS, TIPPER, TestDir, text};
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
            "`--clusters` has no value; write `--clusters C`; see `fuzzion cluster --help`",
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
fn a_surplus_argument_is_named_with_what_to_write_instead() {
    let dir = TestDir::new();
    for (args, expected) in [
        ("tune a.csv --target y --bounded false", "unexpected argument `false`; write `--bounded=false`"),
        (
            "sonfin fit a.csv --target y --classify one-hot",
            "unexpected argument `one-hot`; write `--classify=one-hot`",
        ),
        (
            "tune predicts m.json a.csv",
            "unexpected argument `m.json` after the table `predicts` (did you mean the command `fuzzion tune predict`?)",
        ),
        (
            "tune --target y predict m.json a.csv",
            "options of `tune` cannot precede `predict`; begin with `fuzzion tune predict`",
        ),
        ("tune a.csv b.csv --target y", "unexpected argument `b.csv`"),
        ("image a.png b.png", "missing `--system`"),
        (
            "cluster a.csv --clusters 3 --columns a b",
            "unexpected argument `b`; separate values by commas without blanks, as in `--columns a,b`",
        ),
        (
            "explain a.fll --at 3 7.5",
            "unexpected argument `7.5`; separate values by commas without blanks, as in `--at 3,7.5`",
        ),
        ("calc x --let x = 3", "unexpected argument `=`; write `--let x=3` without blanks"),
        ("calc 2 a.jpg 3", "unexpected argument `a.jpg`; put the formula in quotes, such as `'2 * 3'`"),
        ("tour folder", "unexpected argument `folder`; give the folder with `--out folder`"),
        ("infer a.fll b.csv", "unexpected argument `b.csv`; give the table with `--data b.csv`"),
        ("cluster a.csv -clusters 3", "unknown option `-clusters`; write `--clusters`"),
    ] {
        let printed = message(&dir, args);
        let (sentence, _) = printed.split_once("; see `fuzzion ").unwrap();
        assert_eq!(sentence, expected, "{args}");
    }
}

#[test]
fn an_invalid_value_is_explained_with_the_values_of_the_option() {
    let dir = TestDir::new();
    for (args, expected) in [
        (
            "devices --threads auto",
            "invalid value `auto` for `--threads`; expected an integer from 1 to 4096",
        ),
        ("calc 1 --cuts=1e3", "invalid value `1e3` for `--cuts`; expected an integer from 1 to 1000"),
        (
            "cluster a.csv --clusters 2 --seed 99999999999999999999",
            "invalid value `99999999999999999999` for `--seed`; expected an integer of at most 18446744073709551615",
        ),
        (
            "cluster a.csv --clusters 2..5",
            "invalid value `2..5` for `--clusters`; expected a nonnegative integer; use `--sweep 2..5` to compare several numbers",
        ),
        (
            "tune a.csv --target y --budget -5s",
            "invalid value `-5s` for `--budget`; expected a time such as 20s, 5m or 1h",
        ),
        (
            "cluster a.csv --clusters 2 --init kmeans",
            "invalid value `kmeans` for `--init` (did you mean `k-means++`?); expected `k-means++`, `random` or `sample`, or the path \
             of a table",
        ),
        (
            "edges a.png b.png --border replicat",
            "invalid value `replicat` for `--border` (did you mean `replicate`?); expected `replicate`, `reflect` or a brightness from \
             0 to 255",
        ),
        (
            "calc 1 --method exact",
            "invalid value `exact` for `--method`; expected `direct`, `vertex` or `affine`",
        ),
    ] {
        let printed = message(&dir, args);
        let (sentence, _) = printed.split_once("; see `fuzzion ").unwrap();
        assert_eq!(sentence, expected, "{args}");
    }
    let output = dir.command("head").arg("").output().unwrap();
    assert_eq!(
        text(&output.stderr),
        "fuzzion: `FILE` is empty; remove it, or write a name; see `fuzzion head --help`\n"
    );
}

#[test]
fn options_without_an_effect_are_errors() {
    let dir = TestDir::new();
    for (args, expected) in [
        ("tune a.csv --target y --rules 3 --patience 5", "`--patience` requires `--validation`"),
        (
            "tune a.csv --target y --rules 3 --budget 5s",
            "`--budget` limits only the automatic selection of rules; remove it, or use `--auto`",
        ),
        (
            "tune a.csv --target y --sets 2 --words x=a,b --words x=c,d",
            "`--words` is given twice for `x`; give it once",
        ),
        ("tune a.csv --target y --rules 3 --max-conditions 2", "`--max-conditions` requires `--max-rules`"),
        ("tune a.csv --target y --weights y", "the weights `y` are also a target; use another column"),
        ("bench sets --scale 5", "`--scale` requires the benchmark `end-to-end`"),
        ("explain a.fll --row 3", "`--row` requires `--data`; see `fuzzion explain --help`"),
        ("explain a.fll", "missing `--at` or `--data`; see `fuzzion explain --help`"),
        (
            "tune a.csv --target y --model -",
            "`--model -`: a model cannot be written to standard output; expected a path ending in `.fll`, `.fis` or `.json`",
        ),
    ] {
        assert_eq!(message(&dir, args), format!("{expected}\n"), "{args}");
    }
}

#[test]
fn the_extension_of_an_output_is_that_of_its_format() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.write("iris.csv", IRIS);
    for (args, expected) in [
        ("show tipper.fll --html page.pdf", "`--html page.pdf`: expected a path that ends in `.html`"),
        (
            "grid tipper.fll --points 3 --out g.npy",
            "`--out g.npy`: expected a path that ends in `.fld` or `.txt`",
        ),
        ("export tipper.fll --to c --out t.rs", "`--out t.rs`: expected a path that ends in `.c` or `.h`"),
        (
            "cluster iris.csv --clusters 3 --model m.txt",
            "`--model m.txt`: expected a path that ends in `.json`",
        ),
    ] {
        assert_eq!(message(&dir, args), format!("{expected}\n"), "{args}");
        assert_eq!(dir.files(), ["iris.csv", "tipper.fll"], "{args}");
    }
    dir.output_of("show tipper.fll --html page");
    assert!(text(&dir.read("page")).starts_with("<!"));
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
    assert_eq!((lines.len(), lines[0]), (4, short.trim_end()), "{long}");
    assert!(lines[1].starts_with("target: ") && lines[1].contains(std::env::consts::ARCH), "{long}");
    let features = if cfg!(feature = "parquet") { "cuda, parquet" } else { "cuda" };
    assert_eq!(lines[2], format!("features: {features}"));
    assert_eq!(lines[3], "devices: see `fuzzion doctor`");
    for command in ["cluster", "sonfin fit"] {
        assert_eq!(dir.output_of(&format!("{command} -V")), short);
        assert_eq!(dir.output_of(&format!("{command} --version")), long);
    }
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
    let detail = cache["detail"].as_str().unwrap();
    assert!(
        cache["works"] == false
            && detail.ends_with("(it is a file); set FUZZION_CACHE_DIR to another folder")
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
