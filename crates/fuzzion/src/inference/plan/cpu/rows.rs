//! Single rows, as a controller asks for them: no table, no allocation.

use super::super::{Finish, Plan};
use super::run::Workspace;
use super::{Engine, Number, PADDING, Routines};
use crate::device::Simd;
use crate::device::math::Real;
use crate::error::{Error, Result};

/// What [`Plan::infer_row`] works with: room for one row, and the outputs of the row before.
#[derive(Clone, Debug)]
pub struct Memory {
    simd: Simd,
    room: Room,
    outputs: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Room {
    F32(Workspace<f32>),
    F64(Workspace<f64>),
}

impl Memory {
    /// Forgets the rows it has seen.
    pub fn forget(&mut self) {
        self.outputs.fill(f64::NAN);
        match &mut self.room {
            Room::F32(room) => room.previous.fill(f64::NAN),
            Room::F64(room) => room.previous.fill(f64::NAN),
        }
    }
}

impl Plan {
    /// Room for single rows, with no row before the first.
    pub fn memory(&self) -> Memory {
        if let Some(plan) = &self.one_by_one {
            return plan.memory();
        }
        let (inputs, outputs) = (self.system.inputs.len(), self.system.outputs.len());
        let room = match &self.engine {
            Engine::F32(routines) => Room::F32(Workspace::new(routines, inputs, outputs, PADDING)),
            Engine::F64(routines) => Room::F64(Workspace::new(routines, inputs, outputs, PADDING)),
        };
        Memory { simd: Simd::detect(), room, outputs: vec![f64::NAN; outputs] }
    }

    /// The outputs for one row of inputs, after the rows that `memory` has seen; nothing is allocated.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::{data::Precision, sets::Set};
    /// let doubled = System::new("doubled")
    ///     .input(Variable::new("x", 0.0, 1.0).set("high", Set::ramp(0.0, 1.0)?))
    ///     .output(Output::new("y", 0.0, 2.0).set("twice", Set::linear(&[2.0], 0.0)?))
    ///     .rule("if x is high then y is twice")?;
    /// let plan = doubled.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let mut memory = plan.memory();
    /// assert_eq!(plan.infer_row(&[0.25], &mut memory)?, [0.5]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::RowLength`] for another number of inputs, or for a memory of a plan of another form.
    pub fn infer_row<'m>(&self, inputs: &[f64], memory: &'m mut Memory) -> Result<&'m [f64]> {
        if let Some(plan) = &self.one_by_one {
            return plan.infer_row(inputs, memory);
        }
        let expected = self.system.inputs.len();
        if inputs.len() != expected {
            return Err(Error::RowLength { what: "input", found: inputs.len(), expected });
        }
        match (&self.engine, &mut memory.room) {
            (Engine::F32(routines), Room::F32(room)) => {
                self.one_row(routines, room, memory.simd, inputs, &mut memory.outputs)?;
            }
            (Engine::F64(routines), Room::F64(room)) => {
                self.one_row(routines, room, memory.simd, inputs, &mut memory.outputs)?;
            }
            _ => *memory = self.memory_after(inputs)?,
        }
        Ok(&memory.outputs)
    }

    /// A memory of this plan's precision that has seen one row.
    fn memory_after(&self, inputs: &[f64]) -> Result<Memory> {
        let mut memory = self.memory();
        self.infer_row(inputs, &mut memory)?;
        Ok(memory)
    }

    fn one_row<T: Number>(
        &self,
        routines: &Routines<T>,
        room: &mut Workspace<T>,
        simd: Simd,
        inputs: &[f64],
        outputs: &mut [f64],
    ) -> Result<()> {
        if room.inputs().len() != inputs.len() || outputs.len() != self.system.outputs.len() {
            let (found, expected) = (room.inputs().len(), inputs.len());
            return Err(Error::RowLength { what: "input", found, expected });
        }
        room.fit(routines);
        for (column, x) in room.inputs().iter_mut().zip(inputs) {
            column.fill(T::of(*x)); // every lane, so that all of them are numbers where this one is
        }
        let prepared = room.run_best(routines, simd, 1);
        let mut result = 0;
        for (i, finish) in self.guarded.outputs.iter().enumerate() {
            let value = Real::to_f64(room.result(prepared, result)[0]);
            result += 1;
            outputs[i] = match finish {
                Finish::Done(_) => value,
                Finish::Carried(carried) => {
                    let missing = room.result(prepared, result)[0] != <T as Real>::ZERO;
                    result += 1;
                    carried.finish(value, missing, outputs[i])
                }
            };
        }
        room.previous.copy_from_slice(outputs);
        Ok(())
    }
}
