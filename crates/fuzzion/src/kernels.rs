//! Tests of all CUDA kernels: they compile for every supported GPU, spill no registers, and run in the emulator,
//! launched by production code.

mod ceilings;
mod compile_times;
mod faults;

use crate::arithmetic;
use crate::clustering;
use crate::device::Cuda;
use crate::device::cuda::Program;
use crate::device::cuda::emulator::Order;
use crate::device::cuda::emulator::coverage::{self, Executed};
use crate::device::cuda::nvrtc::testing::{ARCHITECTURES, nvrtc_or_skip};
use crate::inference;
use crate::sets;
use crate::sonfin;
use crate::tuning;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Kernels that are allowed to spill registers: those that call double-precision functions save a few registers
/// around the calls, the large tensor-core kernel keeps 128 sums per thread, and the kernel that runs a whole descent
/// keeps its state in addition to its tile.
const MAY_SPILL: [&str; 5] =
    ["sweep_rows", "memberships_of_rows", "iterate_rows", "sweep_large", "gradient_descent"];

/// All programs in their typical specializations.
fn programs() -> Vec<Program> {
    let inference = inference::plan::cuda::programs().expect("the sample systems have kernels");
    let image = inference::image::cuda::testing::programs().expect("the built-in operators have kernels");
    let arithmetic = arithmetic::cuda::programs().expect("the sample formulas have kernels");
    let sort = arithmetic::sort::cuda::programs();
    let clustering = clustering::cuda::programs::programs();
    let tuning = tuning::cuda::programs();
    let sonfin = sonfin::cuda::programs();
    let modules = [arithmetic, sort, clustering, inference, image, tuning, sonfin];
    [ceilings::programs(), sets::cuda::source::programs(), modules.concat()].concat()
}

/// [`programs`] without duplicates.
fn distinct_programs() -> Vec<Program> {
    let mut texts = BTreeSet::new();
    programs().into_iter().filter(|program| texts.insert(program.text())).collect()
}

#[test]
fn every_kernel_compiles_for_every_architecture_without_spilling() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    let distinct = distinct_programs();
    let jobs: Vec<_> = distinct
        .iter()
        .flat_map(|program| ARCHITECTURES.map(|architecture| (program, architecture)))
        .collect();
    let problems = |(program, architecture): &(&Program, &str)| {
        let compiled = match nvrtc.compile(program, architecture) {
            Err(error) => return vec![error.to_string()],
            Ok(compiled) => compiled,
        };
        let resources = match compiled.resources() {
            Err(problem) => return vec![format!("{}: {problem}", program.name)],
            Ok(resources) => resources,
        };
        assert!(!resources.is_empty(), "{}: no kernel in the compiler log\n{}", program.name, compiled.log);
        let spills = resources.into_iter().filter(|kernel| {
            kernel.spill_stores + kernel.spill_loads > 0 && !MAY_SPILL.contains(&kernel.kernel.as_str())
        });
        spills.map(|kernel| format!("{}: {kernel:?} spills on {architecture}", program.name)).collect()
    };
    let problems: Vec<String> = jobs.par_iter().flat_map_iter(problems).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Tests that together run every kernel and every launch of production code.
fn launching_tests() -> Vec<fn()> {
    [
        ceilings::LAUNCHING_TESTS,
        sets::cuda::LAUNCHING_TESTS,
        arithmetic::cuda::LAUNCHING_TESTS,
        arithmetic::sort::cuda::LAUNCHING_TESTS,
        clustering::cuda::LAUNCHING_TESTS,
        inference::plan::cuda::LAUNCHING_TESTS,
        inference::image::cuda::LAUNCHING_TESTS,
        tuning::cuda::LAUNCHING_TESTS,
        sonfin::cuda::LAUNCHING_TESTS,
    ]
    .concat()
}

/// Runs the tests on all CPU cores.
fn run(tests: &[fn()]) -> Executed {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut executed = Executed::default();
        while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            executed.merge(coverage::of(test));
        }
        executed
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        let mut all = Executed::default();
        workers.into_iter().for_each(|worker| all.merge(worker.join().expect("an emulator test failed")));
        all
    })
}

/// Path relative to `crates`, and text, of every file of the library and the benchmarks with the extension.
fn sources(extension: &str) -> Vec<(String, String)> {
    fn search(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                search(&path, extension, found);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in a folder");
    let mut paths = Vec::new();
    ["fuzzion/src", "fuzzion-bench/src"]
        .iter()
        .for_each(|folder| search(&root.join(folder), extension, &mut paths));
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn every_kernel_and_every_launch_runs_in_an_emulator_test() {
    if Cuda::emulated(Order::Forward).is_none() {
        return;
    }
    let executed = run(&launching_tests());
    let (mut missing, mut kernels, mut first_lines) = (Vec::new(), 0, BTreeSet::new());
    for (path, text) in sources("cu") {
        // Files may contain kernels of the same name.
        let first_line = text.lines().next().expect("the file is not empty");
        assert!(first_lines.insert(first_line.to_owned()), "{path} starts like another file");
        for kernel in kernel_names(&text) {
            kernels += 1;
            if !executed.contains(&kernel, first_line) {
                missing.push(format!("kernel {kernel} of {path}"));
            }
        }
    }
    let mut launches = 0;
    let is_test =
        |path: &str| path.contains("tests") || path.contains("emulator") || path.contains("kernels.rs");
    for (path, text) in sources("rs").iter().filter(|(path, _)| !is_test(path)) {
        for (_, line) in text.lines().zip(1u32..).filter(|(text, _)| text.contains(".launch()")) {
            launches += 1;
            let ran = |(file, at): &(String, u32)| *at == line && file.ends_with(path.as_str());
            if !executed.launches.iter().any(ran) {
                missing.push(format!("the launch in {path}, line {line}"));
            }
        }
    }
    assert!(kernels > 50 && launches > 50, "{kernels} kernels and {launches} launches were found");
    assert!(missing.is_empty(), "no test in LAUNCHING_TESTS runs {}", missing.join("; "));
}

fn kernel_names(text: &str) -> Vec<String> {
    // Skips the launch bounds between `void` and the kernel name.
    fn name_of(part: &str) -> String {
        let part = part.trim_start();
        match part.strip_prefix("__launch_bounds__(") {
            Some(bounds) => name_of(bounds.split_once(')').expect("launch bounds end with a parenthesis").1),
            None => part.split_once('(').expect("a parameter list follows the name").0.trim().to_owned(),
        }
    }
    text.split("__global__ void").skip(1).map(name_of).collect()
}

#[test]
fn every_program_contains_the_prelude_and_its_constants() {
    for program in programs() {
        let text = program.text();
        assert!(text.starts_with("#define ") && text.contains("FULL_WARP"), "{}", program.name);
    }
}
