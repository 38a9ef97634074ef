//! Every kernel of the house: it compiles for the GPUs we serve, spills no registers, and is run in the emulator.

use crate::arithmetic;
use crate::clustering;
use crate::device::ceilings;
use crate::device::cuda::Program;
use crate::device::cuda::nvrtc::testing::{ARCHITECTURES, or_skip};
use crate::inference;
use crate::sets;
use crate::sonfin;
use crate::tuning;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Kernels that spill registers to memory on purpose: those that call functions of double precision save a few around the
/// calls, the larger tensor form holds 128 sums a thread, beside which a few rarely used numbers do not fit, and a whole
/// descent keeps its state beside its tile.
const MAY_SPILL: [&str; 5] =
    ["sweep_rows", "memberships_of_rows", "iterate_rows", "sweep_large", "descend_rows"];

/// Kernels that the emulator cannot run (inline PTX, tensor cores), by name.
const NOT_EMULATED: [&str; 0] = [];

/// Every program in its typical specialisations.
fn programs() -> Vec<Program> {
    let inference = inference::plan::cuda::programs().unwrap_or_default();
    let image = inference::image::cuda::testing::programs().unwrap_or_default();
    let arithmetic = arithmetic::cuda::programs().unwrap_or_default();
    let sort = arithmetic::sort::cuda::programs();
    let clustering = clustering::cuda::programs::programs();
    let tuning = tuning::cuda::programs();
    let sonfin = sonfin::cuda::programs();
    let rooms = [arithmetic, sort, clustering, inference, image, tuning, sonfin];
    [ceilings::programs(), sets::device::programs(), rooms.concat()].concat()
}

#[test]
fn every_kernel_compiles_for_every_architecture_without_spilling() {
    let Some(nvrtc) = or_skip() else { return };
    let mut problems = Vec::new();
    for program in programs() {
        for architecture in ARCHITECTURES {
            match nvrtc.compile(&program, architecture) {
                Err(error) => problems.push(error.to_string()),
                Ok(compiled) => {
                    let resources = compiled.resources();
                    assert!(
                        !resources.is_empty(),
                        "{}: no kernel in the report\n{}",
                        program.name,
                        compiled.log
                    );
                    for kernel in resources {
                        let spills = kernel.spill_stores + kernel.spill_loads > 0;
                        if spills && !MAY_SPILL.contains(&kernel.kernel.as_str()) {
                            problems.push(format!("{}: {kernel:?} spills on {architecture}", program.name));
                        }
                    }
                }
            }
        }
    }
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
fn every_kernel_is_run_in_the_emulator_or_exempt_by_name() {
    let kernels: BTreeSet<String> = texts("cu").iter().flat_map(|text| kernel_names(text)).collect();
    assert!(kernels.contains("copy_values"), "{kernels:?}");
    let tests = texts("rs").join("\n");
    let launched = |name: &str| tests.contains(&format!("launch(\"{name}\""));
    let forgotten: Vec<&String> =
        kernels.iter().filter(|name| !launched(name) && !NOT_EMULATED.contains(&name.as_str())).collect();
    assert!(forgotten.is_empty(), "no emulator test launches {forgotten:?}");
}

fn kernel_names(text: &str) -> Vec<String> {
    // What stands between `void` and the name: bounds of the launch, with their own parentheses.
    fn after(part: &str) -> String {
        let part = part.trim_start();
        match part.strip_prefix("__launch_bounds__(") {
            Some(bounds) => after(bounds.split_once(')').unwrap_or_default().1),
            None => part.split('(').next().unwrap_or_default().trim().to_owned(),
        }
    }
    text.split("__global__ void").skip(1).map(after).collect()
}

#[test]
fn every_program_holds_the_prelude_and_its_constants() {
    for program in programs() {
        let text = program.text();
        assert!(text.starts_with("#define ") && text.contains("FULL_WARP"), "{}", program.name);
    }
}
