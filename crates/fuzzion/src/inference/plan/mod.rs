//! Compiled systems: what a row needs is worked out once, then run over millions of rows.
//!
//! [`System::compile`] answers every question that dialect and rules answer beforehand and leaves a list of steps, each
//! of which gives one number per row. A CPU runs each step over a block of rows that stays in first-level cache, with
//! vector instructions; a GPU gets the steps as one kernel, written for the system and compiled when it is first needed.
//! Steps come in two kinds: for blocks of rows whose inputs are all finite NaN need not be looked for.

mod activate;
mod compile;
pub(crate) mod cpu;
pub(crate) mod cuda;
mod exact;
mod finish;
mod infer;
pub(super) mod levels;
mod routine;
pub(super) mod sampled;
pub(crate) mod stages;
pub(super) mod step;

pub use cpu::Memory;
pub(super) use infer::input_columns;
pub use infer::{Inferred, Want};

use super::defuzzifier::Defuzzifier;
use super::dialect::Dialect;
use super::system::System;
use crate::data::Precision;
use crate::error::{Error, Result};
use crate::sets::Shape;
use cpu::Engine;
use levels::Levels;
use step::{Slot, Step};

/// A system made ready to be run over many rows, in one precision and one dialect.
///
/// ```
/// use fuzzion::inference::{Dialect, Output, System, Variable};
/// use fuzzion::{Device, Table, data::Precision, sets::Set};
///
/// let heating = System::new("heating")
///     .input(
///         Variable::new("room", 10.0, 30.0)
///             .set("cold", Set::ramp(20.0, 16.0)?)
///             .set("warm", Set::ramp(16.0, 20.0)?),
///     )
///     .output(Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?))
///     .rule("if room is cold then valve is open")?
///     .rule("if room is warm then valve is shut")?;
/// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
/// let rooms = Table::new(["room"], vec![15.0, 17.0, 19.0])?;
/// assert_eq!(plan.infer(&rooms, &Device::cpu()?)?.column("valve")?, [1.0, 0.75, 0.25]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    system: System,
    dialect: Dialect,
    /// For any row.
    guarded: Steps,
    /// For rows of finite inputs.
    clean: Option<Steps>,
    /// Whether a row needs the outputs of the row before it to begin with.
    sequential: bool,
    pub(crate) engine: Engine,
    /// Where formulas read outputs that may keep the value of the row before: the plan for rows in which they do. This
    /// one takes it that no such output is ever without a value of its own.
    one_by_one: Option<Box<Plan>>,
}

/// The steps of a system and where its results are.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(crate) steps: Vec<Step>,
    pub(crate) outputs: Vec<Finish>,
    /// For each rule.
    pub(crate) firing: Vec<Slot>,
    /// For each output, for each of its sets.
    pub(crate) activated: Vec<Vec<Slot>>,
    /// For each output the mask of rows in which a rule about it fired.
    pub(crate) fired: Vec<Slot>,
    /// Numbers that are NaN in rows which only the guarded steps get right.
    pub(crate) doubts: Vec<Slot>,
}

/// How an output ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Finish {
    Done(Slot),
    Carried(Carried),
}

/// An output that may keep the value of the row before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    pub(crate) value: Slot,
    /// The mask of rows that have none.
    pub(crate) missing: Slot,
    pub(crate) default: f64,
    pub(crate) range: Option<(f64, f64)>,
}

impl Carried {
    /// The output of a row after one of `previous`.
    pub(crate) fn finish(&self, value: f64, missing: bool, previous: f64) -> f64 {
        let value = match missing {
            true if previous.is_nan() => self.default,
            true => previous,
            false => value,
        };
        match self.range {
            Some((minimum, _)) if value < minimum => minimum,
            Some((_, maximum)) if value > maximum => maximum,
            _ => value,
        }
    }
}

/// Whether single precision loses what the system is about: an inverse is steep where memberships are near 0 or 1.
fn needs_double(steps: &Steps) -> bool {
    let steep = |step: &Step| match step {
        Step::Tsukamoto { set, .. } => !matches!(set.shape(), Shape::Ramp { .. }),
        _ => false,
    };
    steps.steps.iter().any(steep)
}

impl System {
    /// Makes the system ready for many rows.
    ///
    /// A system with Tsukamoto's inverses of curves is computed in double precision whatever is asked for, as
    /// [`Plan::precision`] says.
    ///
    /// # Errors
    /// Those of [`System::check`].
    pub fn compile(&self, dialect: Dialect, precision: Precision) -> Result<Plan> {
        self.check()?;
        Ok(self.plan(dialect, precision, false))
    }

    /// As [`System::compile`], with centroids in closed form instead of over samples.
    ///
    /// # Errors
    /// Those of [`System::check`], and [`Error::System`] where an output with a centroid is not made of straight lines
    /// (Triangle, Trapezoid, Rectangle, Discrete, Ramp, Binary) that are clipped by minimum and joined by maximum.
    pub fn compile_exact(&self, dialect: Dialect, precision: Precision) -> Result<Plan> {
        self.check()?;
        let guarded = compile::guarded(self, dialect, Mode { exact: true, kept: true });
        for step in &guarded.steps {
            if let Step::Defuzzify { sampled, .. } = step
                && matches!(sampled.defuzzifier, Defuzzifier::Centroid { .. })
                && (sampled.exact.is_none() || Levels::of(sampled).is_none())
            {
                return Err(Error::System {
                    place: "an exact centroid".into(),
                    problem: "needs sets of straight lines (Triangle, Trapezoid, Rectangle, Discrete, Ramp, Binary) of \
                              which few overlap, weights from 0 to 1, and minimum with maximum; take samples"
                        .into(),
                });
            }
        }
        Ok(self.plan(dialect, precision, true))
    }

    fn plan(&self, dialect: Dialect, precision: Precision, exact: bool) -> Plan {
        let plan = |kept: bool| {
            let mode = Mode { exact, kept };
            let guarded = compile::guarded(self, dialect, mode);
            let precision = if needs_double(&guarded) { Precision::F64 } else { precision };
            let clean = compile::clean(self, dialect, precision, mode);
            let sequential = compile::reads_previous(self, mode);
            let engine = Engine::new(precision, &guarded, clean.as_ref());
            Plan { system: self.clone(), dialect, guarded, clean, sequential, engine, one_by_one: None }
        };
        let kept = plan(true);
        match plan(false) {
            hopeful if kept.sequential && !hopeful.sequential => {
                Plan { one_by_one: Some(Box::new(kept)), ..hopeful }
            }
            _ => kept,
        }
    }
}

/// How a system is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    /// Whether centroids are found in closed form.
    exact: bool,
    /// Whether outputs that formulas read may keep the value of the row before.
    kept: bool,
}

impl Plan {
    /// The system it was made of.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The dialect it follows.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The same plan of a system of another name.
    #[cfg(test)]
    pub(crate) fn named(&self, name: &str) -> Self {
        Plan { system: System { name: name.into(), ..self.system.clone() }, ..self.clone() }
    }

    /// The steps for any row, also after one whose values are kept.
    pub(crate) fn guarded(&self) -> &Steps {
        self.one_by_one.as_ref().map_or(&self.guarded, |plan| &plan.guarded)
    }

    /// The steps for rows of finite inputs, where there are any.
    pub(crate) fn clean(&self) -> Option<&Steps> {
        self.clean.as_ref()
    }

    /// The precision it computes in.
    pub fn precision(&self) -> Precision {
        self.engine.precision()
    }
}
