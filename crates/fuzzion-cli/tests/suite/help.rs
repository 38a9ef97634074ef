//! The examples in the help of all commands, run as they are printed.

use crate::common::{IRIS, TIPPER, TestDir, text};
use crate::examples::path_with_binary;
use std::process::Command;

/// Parts of the examples that are not run, and the reason.
const NOT_RUN: [(&str, &str); 9] = [
    ("--device cuda", "needs an NVIDIA GPU"),
    ("fuzzion devices --warm", "needs an NVIDIA GPU"),
    ("ffmpeg", "another program"),
    ("man -l", "another program"),
    ("powershell", "another shell"),
    ("tail -n +1 -f", "never ends; run by the tests of streams"),
    ("fuzzion selftest", "takes long; run by the continuous integration"),
    ("fuzzion bench", "takes long"),
    ("fuzzion tour", "takes long; run by a test of its own"),
];
const COMMANDS: [&str; 28] = [
    "head",
    "data",
    "cluster",
    "show",
    "convert",
    "infer",
    "explain",
    "export",
    "grid",
    "tune",
    "tune predict",
    "sonfin",
    "sonfin fit",
    "sonfin predict",
    "sonfin rules",
    "sonfin explain",
    "sonfin export",
    "sonfin plan",
    "calc",
    "edges",
    "image",
    "devices",
    "doctor",
    "completions",
    "man",
    "selftest",
    "bench",
    "tour",
];
const PLANT: &str = "Engine: plant
InputVariable: error
  range: -1 1
  term: low Ramp 1 -1
InputVariable: rate
  range: -1 1
  term: low Ramp 1 -1
InputVariable: load
  range: 0 5
  term: high Ramp 0 5
OutputVariable: valve
  range: 0 1
  defuzzifier: WeightedAverage
  term: open Constant 1
  term: shut Constant 0
RuleBlock:
  conjunction: Minimum
  activation: General
  rule: if error is low and load is high then valve is open
  rule: if rate is low then valve is shut
";

/// The commands in a help text: the lines after `Examples:`, up to the comment.
fn examples(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).map(str::trim_start);
    lines.map(|line| line.split_once("  ").map_or(line, |(command, _)| command)).collect()
}

/// A table with the given ones of the columns `income`, `rooms`, `age`, `price`, `u`, `v`, `y` and `kind`.
fn table(names: &[&str], rows: usize) -> String {
    let value = |i: usize, name: &str| {
        let column = |k: usize| (i * k % 101) as f64 / 10.0;
        let (u, v) = (column(29), column(43));
        match name {
            "income" => column(37),
            "rooms" => column(53),
            "age" => column(71),
            "price" => 0.35 * column(37) + 0.1 * column(53) - 0.02 * column(71),
            "u" => u,
            "v" => v,
            "y" => u - 2.0 * v,
            _ => f64::from(u > v),
        }
    };
    let row = |i: usize| names.iter().map(|name| value(i, name).to_string()).collect::<Vec<_>>().join(",");
    (0..rows).fold(names.join(","), |table, i| table + "\n" + &row(i)) + "\n"
}

/// A folder with the files that the examples read.
fn folder() -> TestDir {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.write("plant.fll", PLANT);
    dir.write("valve.fcl", include_str!("../../../fuzzion/examples/systems/tipper.fcl"));
    dir.write("iris.csv", IRIS);
    dir.write("houses.csv", table(&["income", "rooms", "age", "price"], 120));
    dir.write("measurements.csv", table(&["u", "v"], 50));
    dir.write("meals.csv", "service,food\n3,7.5\n8,9\n5,5\n1,2\n9,3\n4,6\n7,7\n");
    dir.write("plan.csv", "demand,price,cost\n\"tri(90,100,120)\",\"[2.5,2.75]\",170\n40,3,100\n");
    dir.write("codes.txt", "a\t1\nb\t2\na\t3\n");
    let pixels: Vec<u8> = (0..48 * 32u32).map(|i| (i * i % 251) as u8).collect();
    dir.write("noisy.pgm", [b"P5 48 32 255\n".as_slice(), &pixels].concat());
    std::fs::create_dir(dir.join("frames")).unwrap();
    for setup in [
        "convert tipper.fll tipper.fis",
        "convert tipper.fll dimmer.fll",
        "convert plant.fll plant.fis",
        "image --system smooth noisy.pgm noisy.png",
        "image --system smooth noisy.pgm photo.png",
        "image --system smooth noisy.pgm photo.jpg",
        "image --system smooth noisy.pgm frames/1.png",
        "tune houses.csv --target price --max-rules 2 --model model.json",
        "data mackey-glass --out big.npy",
        "data mackey-glass --out big.csv.gz",
    ] {
        dir.output_of(setup);
    }
    for home in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"] {
        std::fs::create_dir_all(dir.join(home)).unwrap();
    }
    dir
}

/// Writes the files whose names mean something else in the examples of another command.
fn prepare(dir: &TestDir, command: &str) {
    match command {
        "cluster" => dir.write("new.csv", "0.5,0.6,0.7,0.8,0.9\n1,1.1,1.2,1,0.9\n"), // like big.npy
        "tune" => {
            dir.write("train.csv", table(&["u", "v", "y"], 120));
            dir.write("new.csv", table(&["income", "rooms", "age"], 20));
        }
        "sonfin" => {
            dir.write("train.csv", table(&["u", "v", "y", "kind"], 120));
            dir.write("test.csv", table(&["u", "v", "y", "kind"], 30));
            dir.write("new.csv", table(&["u", "v", "y"], 20));
        }
        _ => {}
    }
}

#[test]
fn all_examples_in_the_help_run_as_printed() {
    let dir = folder();
    let mut run = 0;
    for command in COMMANDS {
        prepare(&dir, command);
        let output = dir.command(&format!("{command} --help")).env("COLUMNS", "400").output().unwrap();
        let help = text(&output.stdout);
        let found = examples(&help);
        assert!(found.len() >= 2, "{command}: {help}");
        for example in found.iter().filter(|example| !NOT_RUN.iter().any(|(part, _)| example.contains(part)))
        {
            let mut shell = Command::new("bash");
            shell.args(["-euo", "pipefail", "-c", example]).current_dir(dir.path());
            let output = shell.env("PATH", path_with_binary()).env("HOME", dir.path()).output().unwrap();
            assert!(output.status.success(), "{command}: {example}: {}", text(&output.stderr));
            run += 1;
        }
    }
    assert!(run >= 60, "only {run} examples were run");
}
