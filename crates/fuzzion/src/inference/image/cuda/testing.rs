//! Programs for the tests, and kernels that production code selects only for large images.

use super::super::fast_path::FastPath;
use super::super::operator::{BUILT_IN, FastPixel, Operator};
use super::super::window::Border;
use super::{LIMITS, LONG_RUN, OperatorKernels, PlaneKernels, SHORT_RUN, source, stages_of};
use crate::device::Cuda;
use crate::device::cuda::{Element, Program};
use crate::inference::error::Result;

impl<P: FastPixel + Element> PlaneKernels<P> {
    /// Like [`PlaneKernels::new`], with a table lookup even if there is a faster kernel.
    pub(crate) fn by_table(cuda: &Cuda, operator: &Operator, width: usize, height: usize) -> Result<Self> {
        let Some(FastPath::Sums { pattern, table }) = operator.fast::<P>() else {
            return Ok(PlaneKernels::new(cuda, operator, width, height)?);
        };
        let kernel = cuda.kernel(&source::sums(pattern, operator.border), "look_up")?;
        let kernel = OperatorKernels::LookUp { kernel, table: cuda.upload(table)?, center_only: false };
        Ok(PlaneKernels { width, height, kernel, limits: LIMITS })
    }

    /// Sets whether each thread of `compass` processes many rows.
    pub(crate) fn long_runs(mut self, long: bool) -> Self {
        self.limits.min_long_run_threads = if long { 0 } else { usize::MAX };
        self
    }

    /// Sets the number of pixels per pass through both stages.
    pub(crate) fn stage_pixels(mut self, pixels: usize) -> Self {
        self.limits.stage_pixels = pixels;
        self
    }
}

fn stages<P: FastPixel>(operator: &Operator) -> [Program; 2] {
    source::two_stages::<P>(&stages_of(operator), &operator.window.taps, operator.border)
}

/// `look_up`, if there is a fast path.
pub(crate) fn look_up<P: FastPixel>(operator: &Operator) -> Option<Program> {
    Some(match operator.fast::<P>()? {
        FastPath::OneInput { tap, .. } => source::one_input::<P>(*tap, operator.border),
        FastPath::Sums { pattern, .. } => source::sums(pattern, operator.border),
    })
}

/// `compass`, if it supports the operator.
pub(crate) fn compass(operator: &Operator, width: usize, long: bool) -> Option<Program> {
    let run = if long { LONG_RUN } else { SHORT_RUN };
    let FastPath::Sums { pattern, table } = operator.fast::<u8>()? else { return None };
    source::compass(pattern, table.len(), operator.border, width, run)
}

/// Programs of the built-in operators and of similar ones.
pub(crate) fn programs() -> Result<Vec<Program>> {
    let mut programs = vec![source::channels::<u8>(), source::channels::<u16>()];
    for (name, _) in BUILT_IN {
        let operator = Operator::named(name)?;
        let deep = operator.clone().border(Border::Constant(9.0));
        programs.extend(stages::<u8>(&operator));
        programs.extend(stages::<u16>(&deep));
        programs.extend(look_up::<u8>(&operator.border(Border::Reflect)));
    }
    for (threshold, border) in [(64.0, Border::Replicate), (50.0, Border::Constant(7.0))] {
        let operator = Operator::edges(threshold, 16.0)?.border(border);
        for (width, long) in [(640, false), (640, true), (641, true)] {
            programs.extend(compass(&operator, width, long));
        }
    }
    Ok(programs)
}
