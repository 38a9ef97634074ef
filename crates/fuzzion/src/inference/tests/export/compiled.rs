//! Exported C compiled with gcc and Rust compiled with rustc: one program each that runs all systems.

use super::super::plan::rows;
use super::plans;
use crate::inference::{Language, Plan, System};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Maximum difference relative to the output or its range, whichever is larger, since sums may cancel.
const TOLERANCE: f64 = 1e-12;

/// Flags of gcc. Without builtins, the object file references only functions that the source calls.
const GCC: &str =
    "-O1 -ffp-contract=off -std=c99 -pedantic -Wall -Wextra -Werror -fno-builtin -fno-stack-protector -c";

/// Runs a command; returns `None` with a note on stderr if the program is not installed.
#[allow(clippy::print_stderr)] // note for the person who runs the tests
fn run_or_skip(command: &mut Command, input: &[u8]) -> Option<Output> {
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "{:?} must be installed on CI",
                command.get_program()
            );
            eprintln!("skipped: {:?} is not installed", command.get_program());
            return None;
        }
        spawned => spawned.unwrap(),
    };
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(input));
        child.wait_with_output().unwrap()
    });
    let message: String = String::from_utf8_lossy(&output.stderr).chars().take(4000).collect();
    assert!(output.status.success(), "{:?}: {message}", command.get_program());
    Some(output)
}

/// All rows of all plans as bytes.
fn inputs(plans: &[Plan]) -> Vec<u8> {
    plans.iter().flat_map(|plan| rows(plan.system()).concat()).flat_map(f64::to_le_bytes).collect()
}

/// Fails if outputs differ from the plan, or from the reference unless the centroid is exact.
fn compare(plans: &[Plan], outputs: &[u8], language: &str) {
    let mut values = outputs.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
    for (i, plan) in plans.iter().enumerate() {
        let (system, dialect) = (plan.system(), plan.dialect());
        let exact = plan.general_steps().steps.iter().any(|step| format!("{step:?}").contains("exact: Some"));
        let mut state = plan.state();
        let mut previous = vec![f64::NAN; system.outputs.len()];
        for row in rows(system) {
            let reference = system.infer_row_after(&row, &previous, dialect).unwrap().outputs;
            let planned = plan.infer_row(&row, &mut state).unwrap();
            for (o, output) in system.outputs.iter().enumerate() {
                let got = values.next().unwrap();
                let range = output.variable.minimum.abs().max(output.variable.maximum.abs());
                for want in [reference[o], planned[o]].into_iter().skip(usize::from(exact)) {
                    let near = got == want
                        || (got.is_nan() && want.is_nan())
                        || (got - want).abs() <= TOLERANCE * want.abs().max(range);
                    let location = format!("{language}, s{i} ({}, {})", system.name, dialect.name());
                    let name = &output.variable.name;
                    assert!(near, "{location}, {row:?}: {name} is {got:?}, not {want:?}");
                }
            }
            previous = reference;
        }
    }
    assert_eq!(values.next(), None);
}

/// Writes every plan to a file `s0.c`, `s1.c`, …; returns which of them have a state.
fn write(folder: &Path, plans: &[Plan], language: Language, extension: &str) -> Vec<bool> {
    let mut has_state = Vec::new();
    for (i, plan) in plans.iter().enumerate() {
        let text = plan.named(&format!("s{i}")).export(language).unwrap();
        has_state.push(text.contains("previous["));
        fs::write(folder.join(format!("s{i}.{extension}")), text).unwrap();
    }
    assert!(has_state.contains(&true));
    has_state
}

/// A C program that reads rows, calls every system and writes outputs.
fn c_driver(plans: &[Plan], has_state: &[bool]) -> String {
    let (mut declared, mut calls) = (String::from("#include <stdio.h>\n"), String::new());
    for (i, plan) in plans.iter().enumerate() {
        let system: &System = plan.system();
        let (n, m, rows) = (system.inputs.len(), system.outputs.len(), rows(system).len());
        let (mut parameter, mut start, mut argument) = (String::new(), String::new(), "");
        if has_state[i] {
            let _ = writeln!(declared, "typedef struct {{ double previous[{m}]; }} s{i}_state;");
            let _ = writeln!(declared, "void s{i}_start(s{i}_state *state);");
            parameter = format!("s{i}_state *state, ");
            start = format!("s{i}_state state; s{i}_start(&state);");
            argument = "&state, ";
        }
        let _ = writeln!(declared, "void s{i}_infer({parameter}const double *inputs, double *outputs);");
        let _ = writeln!(
            calls,
            "    {{ double in[{n}], out[{m}]; {start} for (int r = 0; r < {rows}; ++r) {{ if (fread(in, 8, {n}, stdin) != \
             {n}) return 1; s{i}_infer({argument}in, out); fwrite(out, 8, {m}, stdout); }} }}"
        );
    }
    format!("{declared}int main(void)\n{{\n{calls}    return 0;\n}}\n")
}

#[test]
fn exported_c_compiles_without_warnings_or_dependencies_and_matches_the_engine() {
    let plans = plans();
    let folder = tempfile::tempdir().unwrap();
    let has_state = write(folder.path(), &plans, Language::C, "c");
    fs::write(folder.path().join("driver.c"), c_driver(&plans, &has_state)).unwrap();
    let files = |extension: &'static str| (0..plans.len()).map(move |i| format!("s{i}.{extension}"));
    let command = |name: &str| {
        let mut command = Command::new(name);
        command.current_dir(folder.path());
        command
    };
    if run_or_skip(command("gcc").args(GCC.split(' ')).arg("driver.c").args(files("c")), &[]).is_none() {
        return;
    }
    if let Some(undefined) = run_or_skip(command("nm").arg("-u").args(files("o")), &[]) {
        let undefined = String::from_utf8(undefined.stdout).unwrap();
        let symbols: Vec<&str> =
            undefined.lines().filter(|line| line.trim_start().starts_with("U ")).collect();
        assert!(symbols.is_empty(), "{symbols:?}");
    }
    run_or_skip(command("gcc").args(["-o", "driver", "driver.o"]).args(files("o")), &[]);
    let outputs = run_or_skip(&mut Command::new(folder.path().join("driver")), &inputs(&plans)).unwrap();
    compare(&plans, &outputs.stdout, "C");
}

/// A Rust program that reads rows, calls every system and writes outputs.
fn rust_driver(plans: &[Plan], has_state: &[bool], modules: &str) -> String {
    let mut calls = String::new();
    for (i, plan) in plans.iter().enumerate() {
        let (n, rows) = (plan.system().inputs.len(), rows(plan.system()).len());
        let start = if has_state[i] { format!("let mut state = s{i}::State::new();") } else { String::new() };
        let argument = if has_state[i] { ", &mut state" } else { "" };
        let _ = writeln!(
            calls,
            "    {start} for _ in 0..{rows} {{ let x: [f64; {n}] = core::array::from_fn(|_| values.next().unwrap()); \
             for y in s{i}::infer(&x{argument}) {{ out.extend(y.to_le_bytes()); }} }}"
        );
    }
    format!(
        "#![deny(warnings)]\n{modules}\nfn main() {{\n    use std::io::{{Read, Write}};\n    let mut bytes = Vec::new();\n    \
         std::io::stdin().read_to_end(&mut bytes).unwrap();\n    let mut values = bytes.chunks(8).map(|b| \
         f64::from_le_bytes(b.try_into().unwrap()));\n    let mut out: Vec<u8> = Vec::new();\n{calls}    \
         std::io::stdout().write_all(&out).unwrap();\n}}\n"
    )
}

#[test]
fn exported_rust_requires_only_core_and_matches_the_engine() {
    let plans = plans();
    let folder = tempfile::tempdir().unwrap();
    let has_state = write(folder.path(), &plans, Language::Rust, "rs");
    let modules: String = (0..plans.len()).map(|i| format!("pub mod s{i};\n")).collect();
    fs::write(folder.path().join("driver.rs"), rust_driver(&plans, &has_state, &modules)).unwrap();
    fs::write(folder.path().join("bare.rs"), format!("#![no_std]\n#![deny(warnings)]\n{modules}")).unwrap();
    let rustc = |arguments: &str| {
        let mut rustc = Command::new(std::env::var("RUSTC").unwrap_or("rustc".into()));
        run_or_skip(rustc.current_dir(folder.path()).args(arguments.split(' ')), &[])
    };
    if rustc("--edition 2021 --crate-type lib --emit=metadata bare.rs").is_none() {
        return;
    }
    rustc("--edition 2021 -C opt-level=1 driver.rs -o driver");
    let outputs = run_or_skip(&mut Command::new(folder.path().join("driver")), &inputs(&plans)).unwrap();
    compare(&plans, &outputs.stdout, "Rust");
}
