//! The room's CUDA programs.

use super::super::prototypes::Rule;
use super::layout::Layout;
use super::product::Form;
use crate::device::cuda::Program;
use crate::device::cuda::program::TENSOR;

const RULE: &str = include_str!("rule.cuh");
const SWEEP: &str = include_str!("sweep.cuh");
const NEAR: &str = include_str!("near.cuh");
const STEPS: &str = include_str!("steps.cuh");
const TENSOR_FORM: &str = include_str!("tensor.cuh");
const TILE: &str = include_str!("tile.cuh");

/// r^(1/(m−1)) for the fuzzifiers that need no logarithm, and for all others; the numbers are the kernels'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) enum Power {
    Any = 0,
    One = 1,
    Half = 2,
    Two = 3,
    Four = 4,
}

impl Power {
    pub(in super::super) fn of(fuzzifier: f64) -> Self {
        match fuzzifier {
            2.0 => Power::One,
            3.0 => Power::Half,
            1.5 => Power::Two,
            1.25 => Power::Four,
            _ => Power::Any,
        }
    }
}

/// What the kernels call a rule.
pub(in super::super) fn rule_code(rule: &Rule) -> u32 {
    match rule {
        Rule::Fuzzy { .. } => 0,
        Rule::Gaussian { .. } => 1,
        Rule::Hard => 2,
        Rule::Noise { .. } => 3,
        Rule::Possibilistic { .. } => 4,
        Rule::Mixed { .. } => 5,
    }
}

/// `prepare`, `sweep_rows`, `memberships_of_rows`, `largest_change`.
pub(in super::super) fn sweep(layout: &Layout) -> Program {
    layout.specialise(Program::new("clustering/sweep", include_str!("sweep.cu")).with(RULE).with(SWEEP))
}

/// `iterate_rows`.
pub(in super::super) fn iterate(layout: &Layout) -> Program {
    let program = Program::new("clustering/iterate", include_str!("iterate.cu"));
    layout.specialise(program.with(RULE).with(SWEEP).with(STEPS))
}

/// `unite`.
pub(in super::super) fn unite() -> Program {
    Program::new("clustering/unite", include_str!("unite.cu")).with(NEAR).constant("REAL", "double")
}

/// `split_rows`.
pub(in super::super) fn split(form: &Form) -> Program {
    tensor(form, "clustering/split", include_str!("split.cu"))
}

/// `sweep_tiles` and `iterate_tiles`, or `sweep_large`.
pub(in super::super) fn product(form: &Form) -> Program {
    if form.large {
        tensor(form, "clustering/large", include_str!("large.cu"))
    } else {
        tensor(form, "clustering/tile", include_str!("tile.cu")).with(TILE).with(STEPS).with(NEAR)
    }
}

fn tensor(form: &Form, name: &'static str, source: &str) -> Program {
    form.specialise(Program::new(name, source).with(TENSOR).with(RULE).with(TENSOR_FORM))
}

/// Every program in its typical specialisations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    use super::super::tests::emulated::{forms, layouts};
    let mut all = vec![unite()];
    let layouts = layouts();
    all.extend(layouts.iter().map(sweep));
    all.extend(layouts.iter().rev().take(1).map(iterate));
    for form in forms() {
        all.push(split(&form));
        all.push(product(&form));
    }
    all
}
