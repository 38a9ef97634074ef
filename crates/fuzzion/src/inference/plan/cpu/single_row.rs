//! Single rows, as in a control loop: no table, no allocation.

use super::block::PADDING;
use super::engine::{Engine, PlanScalar, Routines};
use super::workspace::Workspace;
use crate::device::Simd;
use crate::device::math::Real;
use crate::inference::error::{InferenceError, Result};
use crate::inference::plan::compiled::CompiledOutput;
use crate::inference::plan::model::Plan;

/// State of [`Plan::infer_row`]: buffers for one row and the outputs of the previous row.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// # use fuzzion::data::Precision;
/// # let mut heating = heating;
/// heating.outputs[0].lock_previous = true;
/// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
/// let mut state = plan.state();
/// plan.infer_row(&[17.0], &mut state)?;
/// assert_eq!(plan.infer_row(&[f64::NAN], &mut state)?, [0.75]); // the previous value
/// state.reset();
/// assert!(plan.infer_row(&[f64::NAN], &mut state)?[0].is_nan());
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlanState {
    simd: Simd,
    workspace: RowWorkspace,
    outputs: Vec<f64>,
}

#[derive(Clone, Debug)]
enum RowWorkspace {
    F32(Workspace<f32>),
    F64(Workspace<f64>),
}

impl PlanState {
    /// Clears the outputs of the previous row.
    pub fn reset(&mut self) {
        self.outputs.fill(f64::NAN);
        match &mut self.workspace {
            RowWorkspace::F32(workspace) => workspace.previous.fill(f64::NAN),
            RowWorkspace::F64(workspace) => workspace.previous.fill(f64::NAN),
        }
    }
}

impl Plan {
    /// Initial state for [`Plan::infer_row`], without a previous row.
    pub fn state(&self) -> PlanState {
        if let Some(plan) = &self.sequential_plan {
            return plan.state();
        }
        let (inputs, outputs) = (self.system.inputs.len(), self.system.outputs.len());
        let workspace = match &self.engine {
            Engine::F32(routines) => RowWorkspace::F32(Workspace::new(routines, inputs, outputs, PADDING)),
            Engine::F64(routines) => RowWorkspace::F64(Workspace::new(routines, inputs, outputs, PADDING)),
        };
        PlanState { simd: Simd::detect(), workspace, outputs: vec![f64::NAN; outputs] }
    }

    /// Infers the outputs of one row, given the previous rows in `state`. Does not allocate.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::{data::Precision, sets::Set};
    /// let doubled = System::new("doubled")
    ///     .input(Variable::new("x", 0.0, 1.0).set("high", Set::ramp(0.0, 1.0)?))
    ///     .output(Output::new("y", 0.0, 2.0).set("twice", Set::linear(&[2.0], 0.0)?))
    ///     .rule("if x is high then y is twice")?;
    /// let plan = doubled.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let mut state = plan.state();
    /// assert_eq!(plan.infer_row(&[0.25], &mut state)?, [0.5]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::RowLength`] for a wrong number of inputs, or for the state of a plan with other inputs or outputs.
    pub fn infer_row<'s>(&self, inputs: &[f64], state: &'s mut PlanState) -> Result<&'s [f64]> {
        if let Some(plan) = &self.sequential_plan {
            return plan.infer_row(inputs, state);
        }
        let expected = self.system.inputs.len();
        if inputs.len() != expected {
            return Err(InferenceError::RowLength { what: "input", found: inputs.len(), expected });
        }
        match (&self.engine, &mut state.workspace) {
            (Engine::F32(routines), RowWorkspace::F32(workspace)) => {
                self.one_row(routines, workspace, state.simd, inputs, &mut state.outputs)?;
            }
            (Engine::F64(routines), RowWorkspace::F64(workspace)) => {
                self.one_row(routines, workspace, state.simd, inputs, &mut state.outputs)?;
            }
            _ => *state = self.state_after(inputs)?,
        }
        Ok(&state.outputs)
    }

    /// A new state of this plan's precision after one row.
    fn state_after(&self, inputs: &[f64]) -> Result<PlanState> {
        let mut state = self.state();
        self.infer_row(inputs, &mut state)?;
        Ok(state)
    }

    fn one_row<T: PlanScalar>(
        &self,
        routines: &Routines<T>,
        workspace: &mut Workspace<T>,
        simd: Simd,
        inputs: &[f64],
        outputs: &mut [f64],
    ) -> Result<()> {
        if workspace.inputs().len() != inputs.len() || outputs.len() != self.system.outputs.len() {
            let (found, expected) = (workspace.inputs().len(), inputs.len());
            return Err(InferenceError::RowLength { what: "input", found, expected });
        }
        workspace.resize_for(routines);
        for (column, x) in workspace.inputs().iter_mut().zip(inputs) {
            column.fill(T::cast(*x)); // every lane, so that no padding lane contains an arbitrary value
        }
        let prepared = workspace.run_best(routines, simd, 1);
        let mut result = 0;
        for (i, output) in self.general.outputs.iter().enumerate() {
            let value = Real::to_f64(workspace.result(prepared, result)[0]);
            result += 1;
            outputs[i] = match output {
                CompiledOutput::Value(_) => value,
                CompiledOutput::LockPrevious(lock) => {
                    let missing = workspace.result(prepared, result)[0] != <T as Real>::ZERO;
                    result += 1;
                    lock.resolve(value, missing, outputs[i])
                }
            };
        }
        workspace.previous.copy_from_slice(outputs);
        Ok(())
    }
}
