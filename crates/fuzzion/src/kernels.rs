//! Tests of all CUDA kernels: they compile for every supported GPU, spill no registers, and run in the emulator.

use crate::arithmetic;
use crate::clustering;
use crate::device::ceilings;
use crate::device::cuda::Program;
use crate::device::cuda::nvrtc::testing::{ARCHITECTURES, or_skip};
use crate::inference;
use crate::sets;
use crate::sonfin;
use crate::tuning;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Kernels that are allowed to spill registers: those that call double-precision functions save a few registers
/// around the calls, the large tensor-core kernel keeps 128 sums per thread, and the kernel that runs a whole descent
/// keeps its state in addition to its tile.
const MAY_SPILL: [&str; 5] =
    ["sweep_rows", "memberships_of_rows", "iterate_rows", "sweep_large", "gradient_descent"];

/// Kernels that the emulator does not support (inline PTX, tensor cores).
const NOT_EMULATED: [&str; 0] = [];

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

#[test]
fn every_kernel_compiles_for_every_architecture_without_spilling() {
    let Some(nvrtc) = or_skip() else { return };
    let mut texts = BTreeSet::new();
    let distinct: Vec<Program> =
        programs().into_iter().filter(|program| texts.insert(program.text())).collect();
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

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

fn texts(extension: &str) -> Vec<String> {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), extension, &mut paths);
    paths.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_kernel_runs_in_the_emulator_or_is_exempt_by_name() {
    let kernels: BTreeSet<String> = texts("cu").iter().flat_map(|text| kernel_names(text)).collect();
    assert!(kernels.contains("copy_values"), "{kernels:?}");
    let tests = texts("rs").join("\n");
    let launched = |name: &str| tests.contains(&format!("launch(\"{name}\""));
    let missing: Vec<&String> =
        kernels.iter().filter(|name| !launched(name) && !NOT_EMULATED.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "no emulator test launches {missing:?}");
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
