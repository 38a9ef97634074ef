//! Behavior common to all commands: exit codes, output streams and error messages.

use crate::common::with_default_signals;
use std::io::{Read, Write};
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Child;
use std::process::{Output, Stdio};

fn fuzzion(args: &[&str]) -> Output {
    with_default_signals(env!("CARGO_BIN_EXE_fuzzion"))
        .args(args)
        .env_remove("FUZZION_THREADS")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = fuzzion(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}", text(&output.stdout)))
}

const COMMANDS: [&str; 18] = [
    "head", "cluster", "infer", "tune", "sonfin", "calc", "convert", "data", "show", "explain", "grid",
    "export", "edges", "image", "devices", "selftest", "bench", "tour",
];

#[test]
fn usage_errors_exit_with_2_and_failures_with_1() {
    for args in [
        &["no-such-command"][..],
        &["head"],
        &["devices", "--threads", "0"],
        &["bench", "no-such-bench"],
        &["devices", "--device", "gpu"],
        &["head", "x.csv", "--rows", "10001"],
        &["head", "x.csv", "--separator", "dash"],
        &["head", "x.csv", "--header", "--no-header"],
        &["calc"],
        &["calc", "1", "--cuts", "0"],
        &["calc", "1", "--encoding", "lr"],
        &["calc", "1", "--precision", "mixed"],
        &["calc", "1", "--method", "corner"],
        &["calc", "1", "--out", "x.csv"],
        &["calc", "1", "--data", "x.csv", "--plot", "x.svg"],
        &["calc", "1", "--data", "x.csv", "--json"],
    ] {
        let output = fuzzion(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let output = fuzzion(&["head", "no such file.csv"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.starts_with("fuzzion: cannot read no such file.csv") && message.lines().count() == 1);
}

#[test]
fn every_command_reports_a_missing_device_in_one_sentence() {
    for command in COMMANDS {
        let mut args = vec![command, "--device", "cuda:4095"];
        match command {
            "head" => args.push("no such file.csv"),
            "cluster" => args.extend(["no such file.csv", "--clusters", "2"]),
            "infer" => args.extend(["no such file.fll", "--data", "no such file.csv"]),
            "tune" => args.extend(["no such file.csv", "--target", "y", "--sets", "2"]),
            "sonfin" => args.extend(["rules", "no such file.json"]),
            "calc" => args.push("1"),
            "data" => args.push("truck"),
            "convert" => args.extend(["no such file.fll", "b.fll"]),
            "grid" => args.extend(["no such file.fll", "--points", "2"]),
            "show" => args.push("no such file.fll"),
            "explain" => args.extend(["no such file.fll", "--at", "1"]),
            "export" => args.extend(["no such file.fll", "--to", "c"]),
            "edges" => args.extend(["no such file.png", "b.png"]),
            "image" => args.extend(["--system", "smooth", "no such file.png", "b.png"]),
            _ => {}
        }
        let output = fuzzion(&args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(output.stdout.is_empty() && message.lines().count() == 1, "{command}: {message}");
        assert!(message.contains("driver") || message.contains("cuda:4095"), "{message}");
    }
    let output = fuzzion(&["devices", "--device", "gpu"]);
    assert!(
        text(&output.stderr).contains("expected `cpu`, `cuda`, `cuda:N`, `cuda:N,M`, `cuda:all` or `best`")
    );
}

#[test]
fn devices_lists_a_usable_cpu_and_a_reason_for_unusable_devices() {
    let list = json(&["devices", "--json"]);
    let devices = list["devices"].as_array().unwrap();
    assert_eq!(devices[0]["device"], "cpu");
    assert_eq!(devices[0]["usable"], true);
    assert!(devices.len() > 1);
    assert!(
        devices.iter().all(|d| d["usable"] == true || d["reason"].as_str().is_some_and(|r| !r.is_empty()))
    );
}

#[test]
fn devices_warm_compiles_kernels_or_reports_that_there_is_no_gpu() {
    let cache = tempfile::tempdir().unwrap();
    let warm = || {
        let mut command = with_default_signals(env!("CARGO_BIN_EXE_fuzzion"));
        command.args(["devices", "--warm", "--json"]).env("FUZZION_CACHE_DIR", cache.path()).output().unwrap()
    };
    let gpu = json(&["devices", "--json"])["devices"][1]["usable"] == true;
    let first = warm();
    assert_eq!(first.status.success(), gpu);
    if gpu {
        let report = |output: &Output| serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap();
        let (first, second) = (report(&first), report(&warm()));
        assert!(first["compiled"].as_u64() > Some(0) && first["cached"] == 0, "{first}");
        assert!(second["compiled"] == 0 && second["cached"] == first["compiled"], "{second}");
    } else {
        assert_eq!(text(&first.stderr).trim_end().lines().count(), 1);
        assert!(first.stdout.is_empty() && text(&first.stderr).contains("use the device `cpu`"));
    }
}

/// Runs `fuzzion head FILE` with `input` on standard input.
fn head_of(args: &[&str], input: &[u8]) -> Output {
    let mut child = with_default_signals(env!("CARGO_BIN_EXE_fuzzion"))
        .arg("head")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn head_detects_the_format_of_a_pipe() {
    for name in ["-", "/dev/stdin"] {
        let output = head_of(&[name], b"YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\nab");
        assert!(
            text(&output.stdout).contains("video, 1 frame, 2 × 1, mono, 8 bits"),
            "{}",
            text(&output.stderr)
        );
        let output = head_of(&[name], b"P5\n2 1\n255\nab");
        assert!(text(&output.stdout).contains("image, 2 × 1, 8 bits"), "{}", text(&output.stderr));
        let output = head_of(&[name], b"a,b\n1,2\n");
        assert!(text(&output.stdout).contains("table, 1 row, 2 columns"), "{}", text(&output.stderr));
    }
}

#[test]
fn the_options_suggested_by_a_head_error_fix_it() {
    let input = b"a;b\n1;2\nx;4\n5;6\n";
    let output = head_of(&["-"], input);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("line 3, column 1 (`a`): `x` is not a number"),
        "{}",
        text(&output.stderr)
    );
    let output = head_of(&["-", "--json", "--labels", "a", "--separator", "semicolon", "--header"], input);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["columns"][0]["classes"], 3);
    let output = head_of(&["-", "--json", "--no-header", "--labels", "c1"], b"x,2\ny,4\n");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["rows"], 2);
}

/// Exit code and message of a command whose standard input stays open and silent, after `action`.
#[cfg(target_os = "linux")]
fn with_silent_input(args: &str, action: impl FnOnce(&Child)) -> (Option<i32>, String) {
    let mut child = with_default_signals(env!("CARGO_BIN_EXE_fuzzion"))
        .args(args.split(' '))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _open = child.stdin.take(); // `wait` would close it
    action(&child);
    let mut status = None;
    crate::common::poll_until("the command ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    let mut printed = String::new();
    child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
    (status.unwrap().code(), printed)
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_command_that_waits_for_a_silent_pipe() {
    let dir = crate::common::TestDir::new();
    let model = dir.join("m.json");
    for args in ["head -", &format!("sonfin fit - --target y --model {}", model.display())] {
        let (code, printed) = with_silent_input(args, |child| crate::common::interrupt(child, 0.0));
        assert_eq!((code, printed.as_str()), (Some(130), "fuzzion: interrupted\n"), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_unavailable_device_is_reported_without_waiting_for_a_silent_pipe() {
    let (code, printed) = with_silent_input("tune - --target y --sets 2 --device cuda:4095", |_| {});
    assert!(code == Some(1) && printed.lines().count() == 1, "{code:?} {printed}");
    let (code, printed) = with_silent_input("tune - --target y --sets 2 --device gpu", |_| {});
    assert!(code == Some(2) && printed.contains("unknown device `gpu`"), "{code:?} {printed}");
}

#[cfg(unix)]
#[test]
fn control_characters_in_file_names_are_escaped() {
    let output = fuzzion(&["head", "a\u{1b}[31m.csv"]);
    assert!(text(&output.stderr).contains("a\\u{1b}[31m.csv"), "{}", text(&output.stderr));
}

#[test]
fn selftest_passes_on_the_cpu() {
    let report = json(&["selftest", "--json"]);
    assert_eq!(report["passed"], true);
    assert!(report["checks"].as_array().is_some_and(|checks| !checks.is_empty()));
}

#[test]
fn an_invalid_thread_count_in_the_environment_is_reported_in_one_sentence() {
    let mut command = with_default_signals(env!("CARGO_BIN_EXE_fuzzion"));
    let output = command.args(["devices"]).env("FUZZION_THREADS", "many").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "fuzzion: invalid number of threads `FUZZION_THREADS=many`; expected an integer from 1 to 4096\n"
    );
}

#[test]
fn the_tour_writes_the_page_and_its_sample_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made here");
    let report = json(&["tour", "--json", "--out", out.to_str().unwrap()]);
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("fuzzion "));
    assert_eq!(report["page"].as_str().map(Path::new), Some(out.join("index.html").as_path()));
    let mut files: Vec<_> =
        std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    let samples = [
        "day.csv",
        "denoised.png",
        "edges.png",
        "faint.png",
        "index.html",
        "iris.csv",
        "iris.svg",
        "landscape.png",
        "noisy.png",
        "profit.svg",
        "segmented.png",
        "spirals.csv",
        "spirals.json",
        "still-life.png",
        "sweep.svg",
        "thin.png",
        "tipper.fll",
        "tipper.html",
        "truck.csv",
        "truck.fll",
        "truck.html",
    ];
    assert_eq!(files, samples);
}

#[test]
fn an_unwritable_tour_folder_is_reported_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let output = fuzzion(&["tour", "--out", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

#[test]
fn whole_commands_are_timed_by_stage() {
    let bench = json(&["bench", "end-to-end", "--scale", "0.0002", "--json"]);
    let runs = bench["end_to_end"].as_array().unwrap();
    let commands: Vec<&str> =
        runs.iter().map(|run| run["job"].as_str().unwrap().split(',').next().unwrap()).collect();
    assert_eq!(commands, ["cluster", "infer", "edges", "tune", "tune", "sonfin"]);
    for run in runs {
        let seconds = |key: &str| run[key].as_f64().unwrap();
        assert_eq!((run["device"].as_str(), run["cold"].as_bool()), (Some("cpu"), Some(false)));
        assert!(seconds("compute") > 0.0 && seconds("read") > 0.0, "{run}");
        // The stages of a command may overlap, but none takes longer than the whole process.
        assert!(seconds("seconds") >= seconds("compute").max(seconds("read")).max(seconds("write")), "{run}");
    }
}

#[test]
fn quiet_prints_no_messages_about_files_and_no_times() {
    let dir = crate::common::TestDir::with("tipper.fll", crate::common::TIPPER);
    dir.write("iris.csv", crate::common::IRIS);
    dir.write("meals.csv", "service,food\n3,7.5\n");
    dir.write("a.csv", "a\n1\n");
    dir.write("image.pgm", "P2 2 2 255 0 50 100 200 ");
    for (args, file) in [
        ("infer tipper.fll --data meals.csv --out tips.csv", "tips.csv"),
        ("convert tipper.fll tipper.json", "tipper.json"),
        ("export tipper.fll --to c --out tipper.c", "tipper.c"),
        ("grid tipper.fll --points 3 --out grid.fld", "grid.fld"),
        ("show tipper.fll --html tipper.html", "tipper.html"),
        ("data truck --points 3 --out truck.csv", "truck.csv"),
        ("calc a*2 --data a.csv --out b.csv", "b.csv"),
        ("edges image.pgm edges.png", "edges.png"),
    ] {
        assert!(!dir.output_of(args).is_empty(), "{args}");
        std::fs::remove_file(dir.join(file)).unwrap();
        assert_eq!(dir.output_of(&format!("{args} -q")), "", "{args}");
        assert!(!dir.read(file).is_empty(), "{args}");
    }
    // Results are printed, without times.
    let printed = dir.output_of("cluster iris.csv --clusters 3 -q");
    assert!(printed.contains("\ncluster  size") && !printed.contains("read in"), "{printed}");
    assert!(dir.output_of("cluster iris.csv --clusters 3").contains("read in"));
    assert!(dir.output_of("explain tipper.fll --at 3,7.5 -q").contains("tip = "));
    let fit = "sonfin fit iris.csv --target species --classify --rules 3 --model m.json";
    let printed = dir.output_of(&format!("{fit} -q"));
    assert!(printed.contains("3 rules") && !printed.contains("read in"), "{printed}");
    assert!(!printed.contains("wrote"), "{printed}");
    assert_eq!(dir.output_of("sonfin export m.json m.fll -q"), "");
    let printed = dir.output_of("cluster iris.csv --clusters 3 --model c.json -q");
    assert!(printed.contains("\ncluster  size") && !printed.contains("wrote"), "{printed}");
    dir.output_of("tune iris.csv --target species --classify --sets 2 --iterations 0 --model t.json");
    for args in ["sonfin predict m.json", "tune predict t.json"] {
        let printed = dir.output_of(&format!("{args} iris.csv --out p.csv -q"));
        assert!(printed.starts_with("error rate ") && !printed.contains("wrote"), "{args}: {printed}");
        assert!(dir.output_of(&format!("{args} iris.csv --out p.csv")).contains("; wrote p.csv"), "{args}");
    }
}

#[test]
fn rates_of_short_runs_are_omitted() {
    let dir = crate::common::TestDir::with("tipper.fll", crate::common::TIPPER);
    dir.write("meals.csv", "service,food\n3,7.5\n8,9\n");
    dir.write("image.pgm", "P2 2 2 255 0 50 100 200 ");
    let inferred = dir.output_of("infer tipper.fll --data meals.csv --out tips.csv");
    assert!(inferred.starts_with("meals.csv: 2 rows; wrote tips.csv\n"), "{inferred}");
    assert!(!dir.output_of("edges image.pgm edges.png").contains("frames/s"));
}
