//! Programs for the tests and the parameters of their launches.

use super::super::fast_path::FastPath;
use super::super::operator::{BUILT_IN, FastPixel, Operator};
use super::super::window::Border;
use super::{LONG_RUN, SHORT_RUN, source, stages_of, threads_of};
use crate::device::cuda::Program;
use crate::inference::error::Result;

/// The two stages of the general path.
pub(crate) struct StagePrograms {
    pub(crate) first: Program,
    pub(crate) second: Program,
    /// Intermediate values per pixel.
    pub(crate) intermediates: usize,
}

pub(crate) fn stages<P: FastPixel>(operator: &Operator) -> StagePrograms {
    let stages = stages_of(operator);
    let [first, second] = source::two_stages::<P>(&stages, &operator.window.taps, operator.border);
    StagePrograms { first, second, intermediates: stages.intermediates.len() }
}

/// `look_up` and its table, if there is a fast path.
pub(crate) fn look_up<P: FastPixel>(operator: &Operator) -> Option<(Program, Vec<P>)> {
    Some(match operator.fast::<P>()? {
        FastPath::OneInput { tap, table } => (source::one_input::<P>(*tap, operator.border), table.clone()),
        FastPath::Sums { pattern, table } => (source::sums(pattern, operator.border), table.clone()),
    })
}

/// `compass`, its table and its number of threads.
pub(crate) struct CompassProgram {
    pub(crate) program: Program,
    pub(crate) table: Vec<u8>,
    pub(crate) threads: usize,
}

pub(crate) fn compass(
    operator: &Operator,
    width: usize,
    height: usize,
    planes: usize,
    long: bool,
) -> Option<CompassProgram> {
    let run = if long { LONG_RUN } else { SHORT_RUN };
    let FastPath::Sums { pattern, table } = operator.fast::<u8>()? else { return None };
    let program = source::compass(pattern, table.len(), operator.border, width, run)?;
    Some(CompassProgram { program, table: table.clone(), threads: planes * threads_of(width, height, run) })
}

/// Programs of the built-in operators and of similar ones.
pub(crate) fn programs() -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for (name, _) in BUILT_IN {
        let operator = Operator::named(name)?;
        let deep = operator.clone().border(Border::Constant(9.0));
        for StagePrograms { first, second, .. } in [stages::<u8>(&operator), stages::<u16>(&deep)] {
            programs.extend([first, second]);
        }
        programs.extend(look_up::<u8>(&operator.border(Border::Reflect)).map(|(program, _)| program));
    }
    for (threshold, border) in [(64.0, Border::Replicate), (50.0, Border::Constant(7.0))] {
        let operator = Operator::edges(threshold, 16.0)?.border(border);
        for (width, long) in [(640, false), (640, true), (641, true)] {
            programs.extend(compass(&operator, width, 480, 1, long).map(|compass| compass.program));
        }
    }
    Ok(programs)
}
