//! CUDA programs of the clustering module.

use super::layout::sweep::SweepLayout;
use super::layout::tensor::TensorLayout;
use crate::clustering::cpu::CHUNK;
use crate::data::Precision;
use crate::device::cuda::Program;
use crate::device::cuda::program::TENSOR;

const MEMBERSHIP: &str = include_str!("source/membership.cuh");
const SWEEP: &str = include_str!("source/sweep.cuh");
const SEPARATION: &str = include_str!("source/separation.cuh");
const STEPS: &str = include_str!("source/steps.cuh");
const TENSOR_COMMON: &str = include_str!("source/tensor.cuh");
const TILE: &str = include_str!("source/tile.cuh");

/// `prepare`, `summarize_columns`, `summarize_pairs`, `gather_rows`, `top_of_memberships`, `largest_change`.
pub(in crate::clustering) fn rows(precision: Precision, columns: usize) -> Program {
    Program::new("clustering/rows", include_str!("source/rows.cu"))
        .constant("REAL", precision.real())
        .constant("COLUMNS", columns)
        .constant("CHUNK", CHUNK)
}

/// `memberships_of_rows`.
pub(in crate::clustering) fn memberships(layout: &SweepLayout) -> Program {
    let program = Program::new("clustering/memberships", include_str!("source/memberships.cu"));
    layout.specialize(program.with(MEMBERSHIP).with(SWEEP))
}

/// `sweep_rows`.
pub(in crate::clustering) fn sweep(layout: &SweepLayout) -> Program {
    layout.specialize(
        Program::new("clustering/sweep", include_str!("source/sweep.cu")).with(MEMBERSHIP).with(SWEEP),
    )
}

/// `iterate_rows`.
pub(in crate::clustering) fn iterate(layout: &SweepLayout) -> Program {
    let program = Program::new("clustering/iterate", include_str!("source/iterate.cu"));
    layout.specialize(program.with(MEMBERSHIP).with(SWEEP).with(STEPS))
}

/// `reduce_blocks`.
pub(in crate::clustering) fn reduce() -> Program {
    Program::new("clustering/reduce", include_str!("source/reduce.cu"))
        .with(SEPARATION)
        .constant("REAL", "double")
}

/// `split_rows`.
pub(in crate::clustering) fn split(layout: &TensorLayout) -> Program {
    with_tensor_headers(layout, "clustering/split", include_str!("source/split.cu"))
}

/// `sweep_tiles` or `sweep_large`.
pub(in crate::clustering) fn tensor(layout: &TensorLayout) -> Program {
    if layout.large {
        with_tensor_headers(layout, "clustering/large", include_str!("source/large.cu"))
    } else {
        with_tensor_headers(layout, "clustering/tile", include_str!("source/tile.cu")).with(TILE)
    }
}

/// `iterate_tiles`; there is no such kernel for large layouts.
pub(in crate::clustering) fn tensor_iterations(layout: &TensorLayout) -> Program {
    with_tensor_headers(layout, "clustering/iterate_tiles", include_str!("source/iterate_tiles.cu"))
        .with(TILE)
        .with(STEPS)
        .with(SEPARATION)
}

fn with_tensor_headers(layout: &TensorLayout, name: &'static str, source: &str) -> Program {
    layout.specialize(Program::new(name, source).with(TENSOR).with(MEMBERSHIP).with(TENSOR_COMMON))
}

/// Every program in typical specializations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    use crate::clustering::tests::emulated::{layouts, tensor_layouts};
    let mut all = vec![reduce()];
    let layouts = layouts();
    all.extend([Precision::F32, Precision::F64].map(|precision| rows(precision, 32)));
    all.extend(layouts.iter().map(sweep));
    all.extend(layouts.iter().map(memberships));
    all.extend(layouts.iter().rev().take(1).map(iterate));
    for layout in tensor_layouts() {
        all.push(split(&layout));
        all.push(tensor(&layout));
        all.extend((!layout.large).then(|| tensor_iterations(&layout)));
    }
    all
}
