//! Programs for the tests, with what their kernels are launched with.

use super::super::derive::Fast;
use super::super::model::{Border, Derived, Operator, READY};
use super::{LONG_RUN, SHORT_RUN, stages_of, text, threads_of};
use crate::device::cuda::Program;
use crate::error::Result;

/// The general path.
pub(crate) struct Stage {
    pub(crate) first: Program,
    pub(crate) second: Program,
    /// Numbers per pixel between both.
    pub(crate) crossing: usize,
}

pub(crate) fn stages<P: Derived>(operator: &Operator) -> Stage {
    let stages = stages_of(operator);
    let [first, second] = text::of_stages::<P>(&stages, &operator.window.taps, operator.border);
    Stage { first, second, crossing: stages.crossing.len() }
}

/// `look_up` and its table, where one is derived.
pub(crate) fn look_up<P: Derived>(operator: &Operator) -> Option<(Program, Vec<P>)> {
    Some(match operator.fast::<P>()? {
        Fast::Table { tap, table } => (text::of_one::<P>(*tap, operator.border), table.clone()),
        Fast::Sums { pattern, table } => (text::of_sums(pattern, operator.border), table.clone()),
    })
}

/// `compass`, its table and how many threads it takes.
pub(crate) struct Compass {
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
) -> Option<Compass> {
    let run = if long { LONG_RUN } else { SHORT_RUN };
    let Fast::Sums { pattern, table } = operator.fast::<u8>()? else { return None };
    let program = text::of_compass(pattern, table.len(), operator.border, width, run)?;
    Some(Compass { program, table: table.clone(), threads: planes * threads_of(width, height, run) })
}

/// The programs of the ready operators and of others like them.
pub(crate) fn programs() -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for (name, _) in READY {
        let operator = Operator::named(name)?;
        let deep = operator.clone().border(Border::Constant(9.0));
        for Stage { first, second, .. } in [stages::<u8>(&operator), stages::<u16>(&deep)] {
            programs.extend([first, second]);
        }
        programs.extend(look_up::<u8>(&operator.border(Border::Reflect)).map(|(program, _)| program));
    }
    for (reach, border) in [(64.0, Border::Replicate), (50.0, Border::Constant(7.0))] {
        let operator = Operator::edges(reach, 16.0)?.border(border);
        for (width, long) in [(640, false), (640, true), (641, true)] {
            programs.extend(compass(&operator, width, 480, 1, long).map(|compass| compass.program));
        }
    }
    Ok(programs)
}
