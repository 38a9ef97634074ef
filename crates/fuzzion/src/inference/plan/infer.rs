//! Whole tables.

use super::super::{System, Variable};
use super::cpu::{Engine, Number, PADDING, Routines, Workspace, outputs_of};
use super::cuda::Infer;
use super::step::Slot;
use super::{Finish, Plan, Steps};
use crate::data::{Scalar, Table, Values};
use crate::device::cuda::{Element, zeros_in_large_pages};
use crate::device::math::Real;
use crate::device::{Cpu, Cuda, Device, Processor};
use crate::error::{Error, Result};
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fewer rows than this are done before a GPU has its kernel.
const TOO_SMALL_FOR_GPU: usize = 1 << 20;

/// Rows that a thread takes at a time.
const CHUNK: usize = 1 << 13;

/// What is wanted besides the outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// How strongly each rule fired.
    pub firing: bool,
    /// How strongly each set of each output was concluded.
    pub activated: bool,
    /// Whether any rule about an output fired.
    pub fired: bool,
}

/// What a plan concludes from a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    /// A column for each output.
    pub outputs: Table,
    /// A column `rule1`, `rule2`, … for each rule, counted over all blocks.
    pub firing: Option<Table>,
    /// A column `output.set` for each set of each output: the strengths of its rules, joined by the aggregation.
    pub activated: Option<Table>,
    /// A column for each output: 1 in rows where a rule about it fired, else 0.
    pub fired: Option<Table>,
}

/// A table and which of its columns the inputs are.
#[derive(Clone, Copy)]
struct Rows<'a> {
    table: &'a Table,
    columns: &'a [usize],
}

impl Rows<'_> {
    /// The inputs of some rows, one row after the other.
    fn gather<T: Number, S: Scalar>(&self, x: &[S], out: &mut [T]) {
        let rows = x.chunks_exact(self.table.columns());
        for (out, x) in out.chunks_exact_mut(self.columns.len()).zip(rows) {
            for (out, column) in out.iter_mut().zip(self.columns) {
                *out = T::of(Scalar::to_f64(x[*column]));
            }
        }
    }
}

impl Plan {
    /// The outputs for every row of a table, a column for each.
    ///
    /// Inputs are the columns of their names; a table without names (`c1`, `c2`, …) has them in order. Other columns
    /// are not looked at. A missing value gives the dialect's answer for its row.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] where an input has no column, and what a GPU refuses.
    pub fn infer(&self, table: &Table, device: &Device) -> Result<Table> {
        Ok(self.infer_with(table, Want::default(), device, Progress::none())?.outputs)
    }

    /// As [`Plan::infer`], with what else is wanted.
    ///
    /// # Errors
    /// As [`Plan::infer`], and [`Error::Interrupted`].
    pub fn infer_with(
        &self,
        table: &Table,
        want: Want,
        device: &Device,
        progress: Progress<'_>,
    ) -> Result<Inferred> {
        self.infer_after(table, want, device, progress, &mut vec![f64::NAN; self.system.outputs.len()])
    }

    /// As [`Plan::infer_with`], for a table that follows on one whose last outputs were `previous`, which become this
    /// one's: a long table in pieces gives what it gives as a whole.
    ///
    /// # Errors
    /// As [`Plan::infer_with`], and [`Error::RowLength`] for another number of outputs.
    pub fn infer_after(
        &self,
        table: &Table,
        want: Want,
        device: &Device,
        progress: Progress<'_>,
        previous: &mut [f64],
    ) -> Result<Inferred> {
        let expected = self.system.outputs.len();
        if previous.len() != expected {
            return Err(Error::RowLength { what: "output", found: previous.len(), expected });
        }
        let columns = input_columns(&self.system, table)?;
        let rows = Rows { table, columns: &columns };
        let before = previous.to_vec();
        let inferred = self.infer_rows(rows, want, device, progress, previous)?;
        match (&self.one_by_one, inferred) {
            (_, Some(inferred)) => Ok(inferred),
            // Row after row, which a GPU does not gain from.
            (Some(plan), None) => {
                previous.copy_from_slice(&before);
                plan.infer_after(table, want, &Device::cpu()?, progress, previous)
            }
            (None, None) => Err(Error::Interrupted), // only plans with another one give nothing
        }
    }

    /// `None` where a row is without an output that formulas read, and that keeps the value of the row before.
    fn infer_rows(
        &self,
        rows: Rows<'_>,
        want: Want,
        device: &Device,
        progress: Progress<'_>,
        previous: &mut [f64],
    ) -> Result<Option<Inferred>> {
        let table = rows.table;
        let small = self.sequential || table.rows() < TOO_SMALL_FOR_GPU;
        match (device.processor(small), &self.engine) {
            (Processor::Cpu(cpu), Engine::F32(routines)) => {
                self.on_cpu(routines, rows, want, cpu, progress, previous)
            }
            (Processor::Cpu(cpu), Engine::F64(routines)) => {
                self.on_cpu(routines, rows, want, cpu, progress, previous)
            }
            (Processor::Cuda(_), _) if self.sequential => {
                Err(Error::NotOnGpu { what: "a system whose formulas read outputs of the row before" })
            }
            (Processor::Cuda(cuda), Engine::F32(_)) => {
                self.on_cuda::<f32>(rows, want, cuda, progress, previous)
            }
            (Processor::Cuda(cuda), Engine::F64(_)) => {
                self.on_cuda::<f64>(rows, want, cuda, progress, previous)
            }
        }
    }

    /// The program of the kernel that gives the outputs.
    #[cfg(test)]
    pub(crate) fn program(&self) -> crate::device::cuda::Program {
        let results = outputs_of(&self.guarded);
        super::cuda::text::program(self.precision(), self.system.inputs.len(), &self.guarded.steps, &results)
    }

    fn on_cuda<T: Number + Element>(
        &self,
        rows: Rows<'_>,
        want: Want,
        cuda: &Cuda,
        progress: Progress<'_>,
        previous: &mut [f64],
    ) -> Result<Option<Inferred>> {
        let results = results(&self.guarded, want);
        let kernel = Infer::<T>::new(cuda, rows.columns.len(), &self.guarded, &results)?;
        let mut values: Vec<T> = zeros_in_large_pages(rows.table.rows() * results.len());
        let fill = |range: std::ops::Range<usize>, numbers: &mut [T]| match rows.table.slice(range) {
            Values::F32(x) => rows.gather(x, numbers),
            Values::F64(x) => rows.gather(x, numbers),
        };
        kernel.stream(cuda, rows.table.rows(), progress, fill, &mut values)?;
        self.tables(want, results.len(), values, previous)
    }

    fn on_cpu<T: Number>(
        &self,
        routines: &Routines<T>,
        Rows { table, columns }: Rows<'_>,
        want: Want,
        cpu: &Cpu,
        progress: Progress<'_>,
        previous: &mut [f64],
    ) -> Result<Option<Inferred>> {
        let own;
        let routines = if want == Want::default() {
            routines
        } else {
            own = Routines::new(&self.guarded, self.clean.as_ref(), |steps| results(steps, want));
            &own
        };
        let mut values = vec![<T as Real>::ZERO; table.rows() * routines.results()];
        self.fill(routines, Rows { table, columns }, cpu, (progress, previous), &mut values)?;
        self.tables(want, routines.results(), values, previous)
    }

    /// The results of all rows, one row after the other; what is carried over from row to row is not yet.
    fn fill<T: Number>(
        &self,
        routines: &Routines<T>,
        Rows { table, columns }: Rows<'_>,
        cpu: &Cpu,
        (progress, previous): (Progress<'_>, &[f64]),
        values: &mut [T],
    ) -> Result<()> {
        let (rows, width) = (table.rows(), routines.results());
        let chunk = if self.sequential { rows.max(1) } else { CHUNK };
        let done = AtomicUsize::new(0);
        let room = || self.room(routines, columns.len(), previous);
        cpu.run(|| {
            let chunks = values.par_chunks_mut(chunk * width).enumerate();
            chunks.try_for_each_init(room, |room, (i, out)| {
                let first = i * chunk;
                let count = out.len() / width;
                match table.slice(first..first + count) {
                    Values::F32(x) => self.chunk(routines, cpu, x, (table.columns(), columns), room, out),
                    Values::F64(x) => self.chunk(routines, cpu, x, (table.columns(), columns), room, out),
                }
                let done = done.fetch_add(count, Ordering::Relaxed) + count;
                progress.report(done as u64, rows as u64)
            })
        })
    }

    /// The outputs of a table on a CPU into `out`, which is as long as they are; for timing.
    pub(crate) fn outputs_into<T: Number>(
        &self,
        routines: &Routines<T>,
        table: &Table,
        cpu: &Cpu,
        out: &mut [T],
    ) -> Result<()> {
        let columns = input_columns(&self.system, table)?;
        let nothing = vec![f64::NAN; self.system.outputs.len()];
        self.fill(routines, Rows { table, columns: &columns }, cpu, (Progress::none(), &nothing), out)
    }

    /// The kernel that gives the outputs.
    pub(crate) fn kernel<T: Number + Element>(&self, cuda: &Cuda) -> Result<Infer<T>> {
        Infer::new(cuda, self.system.inputs.len(), &self.guarded, &outputs_of(&self.guarded))
    }

    /// Rows that go through the routines together.
    fn block<T: Number>(&self, routines: &Routines<T>) -> usize {
        match self.sequential {
            true => 1,
            false => routines.clean.as_ref().map_or(routines.guarded.block, |clean| clean.block),
        }
    }

    /// Room for a block after a row with these outputs.
    fn room<T: Number>(&self, routines: &Routines<T>, inputs: usize, previous: &[f64]) -> Workspace<T> {
        let block = self.block(routines).next_multiple_of(PADDING);
        let mut room = Workspace::new(routines, inputs, self.system.outputs.len(), block);
        room.previous.copy_from_slice(previous);
        room
    }

    /// Rows one after the other, `stride` numbers each, into as many results each.
    fn chunk<T: Number, S: Scalar>(
        &self,
        routines: &Routines<T>,
        cpu: &Cpu,
        x: &[S],
        (stride, columns): (usize, &[usize]),
        room: &mut Workspace<T>,
        out: &mut [T],
    ) {
        let (block, width) = (self.block(routines), routines.results());
        for (x, out) in x.chunks(block * stride).zip(out.chunks_mut(block * width)) {
            let rows = x.len() / stride;
            for (column, place) in room.inputs().iter_mut().zip(columns) {
                // The same precision needs no way through the other.
                if T::PRECISION == S::PRECISION {
                    T::column(cpu.simd(), &bytemuck::cast_slice(x)[*place..], stride, &mut column[..rows]);
                } else {
                    let values = column.iter_mut().zip(x[*place..].iter().step_by(stride));
                    values.for_each(|(value, x)| *value = T::of(Scalar::to_f64(*x)));
                }
            }
            let prepared = room.run_best(routines, cpu.simd(), rows);
            for result in 0..width {
                let values = &room.result(prepared, result)[..rows];
                match width {
                    1 => out.copy_from_slice(values),
                    _ => {
                        let out = out[result..].iter_mut().step_by(width);
                        out.zip(values).for_each(|(out, value)| *out = *value);
                    }
                }
            }
            if self.sequential {
                for (previous, value) in room.previous.iter_mut().zip(out.iter()) {
                    *previous = Real::to_f64(*value);
                }
            }
        }
    }

    /// The results of all rows as tables; outputs that keep the value of the row before are finished here.
    fn tables<T: Number>(
        &self,
        want: Want,
        width: usize,
        values: Vec<T>,
        previous: &mut [f64],
    ) -> Result<Option<Inferred>> {
        let system = &self.system;
        let names: Vec<String> = system.outputs.iter().map(|output| output.variable.name.clone()).collect();
        if width == names.len() {
            if let Some(last) = values.rchunks_exact(width).next() {
                previous.iter_mut().zip(last).for_each(|(previous, value)| *previous = Real::to_f64(*value));
            }
            let outputs = Table::new(names, values)?;
            return Ok(Some(Inferred { outputs, firing: None, activated: None, fired: None }));
        }
        let mut outputs = Vec::with_capacity(values.len() / width * names.len());
        let mut after = 0;
        for row in values.chunks_exact(width) {
            after = 0;
            for (finish, previous) in self.guarded.outputs.iter().zip(previous.iter_mut()) {
                let value = row[after];
                after += 1;
                *previous = match finish {
                    Finish::Done(_) => Real::to_f64(value),
                    Finish::Carried(carried) => {
                        let missing = row[after] != <T as Real>::ZERO;
                        if missing && self.one_by_one.is_some() {
                            return Ok(None);
                        }
                        after += 1;
                        carried.finish(Real::to_f64(value), missing, *previous)
                    }
                };
                outputs.push(T::of(*previous));
            }
        }
        let mut part = |wanted: bool, names: Vec<String>| -> Result<Option<Table>> {
            if !wanted || names.is_empty() {
                return Ok(None);
            }
            let range = after..after + names.len();
            after = range.end;
            let numbers =
                values.chunks_exact(width).flat_map(|row| row[range.clone()].iter().copied()).collect();
            Table::new(names, numbers).map(Some)
        };
        let rules = self.guarded.firing.len();
        let firing = part(want.firing, (1..=rules).map(|i| format!("rule{i}")).collect())?;
        let sets = system.outputs.iter().flat_map(|output| {
            let of_output = |set: &super::super::NamedSet| format!("{}.{}", output.variable.name, set.name);
            output.variable.sets.iter().map(of_output)
        });
        let activated = part(want.activated, sets.collect())?;
        let fired = part(want.fired, names.clone())?;
        Ok(Some(Inferred { outputs: Table::new(names, outputs)?, firing, activated, fired }))
    }
}

/// Which column each input is.
pub(in crate::inference) fn input_columns(system: &System, table: &Table) -> Result<Vec<usize>> {
    let names = || system.inputs.iter().map(|input| input.name.as_str());
    let unnamed = table.names().iter().enumerate().all(|(i, name)| *name == format!("c{}", i + 1));
    if unnamed && !names().any(|name| table.column_index(name).is_ok()) {
        let (found, expected) = (table.columns(), names().len());
        if found < expected {
            return Err(Error::RowLength { what: "input", found, expected });
        }
        return Ok((0..expected).collect());
    }
    let column = |name: &str| match table.label(name) {
        Ok(_) => Err(Error::TextInput { name: name.into() }),
        Err(_) => table.column_index(name),
    };
    // A file that cannot hold a column's name has it as the description.
    let of = |input: &Variable| match column(&input.name) {
        Err(Error::UnknownColumn { .. }) if table.column_index(&input.description).is_ok() => {
            column(&input.description)
        }
        found => found,
    };
    system.inputs.iter().map(of).collect()
}

/// The outputs and what else is wanted.
fn results(steps: &Steps, want: Want) -> Vec<Slot> {
    let mut results = outputs_of(steps);
    if want.firing {
        results.extend(&steps.firing);
    }
    if want.activated {
        results.extend(steps.activated.iter().flatten());
    }
    if want.fired {
        results.extend(&steps.fired);
    }
    results
}
