//! Compiled systems.

use super::centroid::CentroidTables;
use super::compiled::Steps;
use super::compiler::{self, CompileOptions};
use super::cpu::Engine;
use super::step::Step;
use crate::data::Precision;
#[cfg(feature = "cuda")]
use crate::device::cuda::Program;
use crate::inference::error::{InferenceError, Result};
use crate::inference::{Defuzzifier, Dialect, System};
use crate::sets::Shape;
#[cfg(feature = "cuda")]
use std::sync::OnceLock;

/// A system compiled for one dialect and one precision, to be run over many rows.
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
/// let table = Table::new(["room"], vec![15.0, 17.0, 19.0])?;
/// assert_eq!(plan.infer(&table, &Device::cpu()?)?.column("valve")?, [1.0, 0.75, 0.25]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) system: System,
    pub(super) dialect: Dialect,
    /// Steps for arbitrary rows.
    pub(super) general: Steps,
    /// Steps for rows with finite inputs.
    pub(super) finite: Option<Steps>,
    /// Whether a row depends on the outputs of the previous row.
    pub(super) sequential: bool,
    #[doc(hidden)]
    pub engine: Engine,
    /// Fallback if formulas read outputs that may keep their previous value. This plan assumes that these outputs have a
    /// value in every row; the fallback makes no such assumption.
    pub(super) sequential_plan: Option<Box<Plan>>,
    /// The CUDA program that computes the outputs, generated when it is first needed.
    #[cfg(feature = "cuda")]
    pub(super) program: OnceLock<Program>,
}

impl Plan {
    /// The compiled system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The same plan with another system name.
    #[cfg(test)]
    pub(crate) fn named(&self, name: &str) -> Self {
        Plan { system: System { name: name.into(), ..self.system.clone() }, ..self.clone() }
    }

    /// Steps for arbitrary rows, including outputs that keep their previous value.
    pub(crate) fn general_steps(&self) -> &Steps {
        self.sequential_plan.as_ref().map_or(&self.general, |plan| &plan.general)
    }

    /// Steps for rows with finite inputs, if the system allows them.
    pub(crate) fn finite_steps(&self) -> Option<&Steps> {
        self.finite.as_ref()
    }

    /// The precision of the computation.
    pub fn precision(&self) -> Precision {
        self.engine.precision()
    }
}

/// Whether single precision is too inaccurate: inverse memberships are steep where memberships are near 0 or 1.
fn needs_double(steps: &Steps) -> bool {
    let steep = |step: &Step| match step {
        Step::Tsukamoto { set, .. } => !matches!(set.shape(), Shape::Ramp { .. }),
        _ => false,
    };
    steps.steps.iter().any(steep)
}

impl System {
    /// Compiles the system for many rows.
    ///
    /// Systems with Tsukamoto inverses of nonlinear sets always run in double precision; see [`Plan::precision`].
    ///
    /// # Errors
    /// Those of [`System::check`].
    pub fn compile(&self, dialect: Dialect, precision: Precision) -> Result<Plan> {
        self.check()?;
        Ok(self.plan(dialect, precision, false))
    }

    /// Like [`System::compile`], with centroids in closed form instead of over samples.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, Output, System, Variable};
    /// use fuzzion::{data::Precision, sets::Set};
    /// let system = System::new("sum")
    ///     .input(Variable::new("x", 0.0, 1.0))
    ///     .output(Output::new("y", 0.0, 3.0).set("low", Set::triangle(0.0, 0.0, 3.0)?))
    ///     .rule("if x is any then y is low")?;
    /// let plan = system.compile_exact(Dialect::Fuzzylite8, Precision::F64)?;
    /// let y = plan.infer_row(&[0.0], &mut plan.state())?[0];
    /// assert!((y - 1.0).abs() < 1e-12); // the centroid of a triangle
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`System::check`], and [`InferenceError::InvalidSystem`] unless every output with a centroid has piecewise linear sets
    /// (Triangle, Trapezoid, Rectangle, Discrete, Ramp, Binary), minimum implication and maximum aggregation.
    pub fn compile_exact(&self, dialect: Dialect, precision: Precision) -> Result<Plan> {
        self.check()?;
        let general = compiler::general(self, dialect, CompileOptions { exact: true, lock_previous: true });
        for step in &general.steps {
            if let Step::Defuzzify { sampled, .. } = step
                && matches!(sampled.defuzzifier, Defuzzifier::Centroid { .. })
                && (sampled.exact.is_none() || CentroidTables::new(sampled).is_none())
            {
                return Err(InferenceError::InvalidSystem {
                    location: "an exact centroid".into(),
                    problem: "requires piecewise linear sets (Triangle, Trapezoid, Rectangle, Discrete, Ramp, Binary) \
                              with few overlaps, weights from 0 to 1, minimum implication and maximum aggregation; \
                              use the sampled centroid instead"
                        .into(),
                });
            }
        }
        Ok(self.plan(dialect, precision, true))
    }

    fn plan(&self, dialect: Dialect, precision: Precision, exact: bool) -> Plan {
        let plan = |lock_previous: bool| {
            let options = CompileOptions { exact, lock_previous };
            let general = compiler::general(self, dialect, options);
            let precision = if needs_double(&general) { Precision::F64 } else { precision };
            let finite = compiler::finite(self, dialect, precision, options);
            let sequential = compiler::reads_previous(self, options);
            let engine = Engine::new(precision, &general, finite.as_ref());
            Plan {
                system: self.clone(),
                dialect,
                general,
                finite,
                sequential,
                engine,
                sequential_plan: None,
                #[cfg(feature = "cuda")]
                program: OnceLock::new(),
            }
        };
        let safe = plan(true);
        match plan(false) {
            optimistic if safe.sequential && !optimistic.sequential => {
                Plan { sequential_plan: Some(Box::new(safe)), ..optimistic }
            }
            _ => safe,
        }
    }
}
