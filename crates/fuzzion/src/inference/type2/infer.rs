//! Inference of single rows and whole tables.

use super::model::IntervalSystem;
use super::plan::IntervalPlan;
use super::row::{IntervalInference, IntervalRow};
use crate::data::{Samples, Scalar, Table, Values, host_samples};
use crate::device::DeviceError;
use crate::device::{Cpu, Device, Processor};
use crate::inference::Dialect;
use crate::inference::error::{InferenceError, Result};
use crate::inference::plan::input_columns;
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// There are no GPU kernels, so automatic device selection must choose the CPU.
const PREFER_CPU: bool = true;
/// Rows per work item of a thread.
const CHUNK_ROWS: usize = 1 << 9;

/// Results of running an interval type-2 plan over many rows. Each table has one column per output.
///
/// ```
/// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
/// # let heating = IntervalSystem::new(system)
/// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
/// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
/// #     .rule("if room is cold then valve is open")?;
/// use fuzzion::{Device, Samples};
/// let tables = heating.compile(Dialect::Fuzzylite8)?.infer(Samples::new(1, &[18.0])?, &Device::cpu()?)?;
/// assert_eq!(tables.lower.column("valve")?, [0.75]);
/// assert_eq!(tables.upper.column("valve")?, [1.0]);
/// assert_eq!(tables.outputs.column("valve")?, [0.875]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IntervalTables {
    /// Outputs, Equation (3).
    pub outputs: Table,
    /// Lower bounds, Equation (2).
    pub lower: Table,
    /// Upper bounds, Equation (2).
    pub upper: Table,
}

impl IntervalSystem {
    /// Compiles the system for many rows.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`].
    pub fn compile(&self, dialect: Dialect) -> Result<IntervalPlan> {
        self.check()?;
        Ok(IntervalPlan::new(self.clone(), dialect))
    }

    /// Infers the outputs of one row, without a previous row.
    ///
    /// # Errors
    /// [`InferenceError::RowLength`], and those of [`IntervalSystem::check`].
    pub fn infer_row(&self, inputs: &[f64], dialect: Dialect) -> Result<IntervalInference> {
        self.compile(dialect)?.infer_row(inputs)
    }
}

impl IntervalPlan {
    /// Infers the outputs of one row, without a previous row.
    ///
    /// # Errors
    /// [`InferenceError::RowLength`].
    pub fn infer_row(&self, inputs: &[f64]) -> Result<IntervalInference> {
        self.infer_row_after(inputs, &vec![f64::NAN; self.outputs.len()])
    }

    /// Like [`IntervalPlan::infer_row`], after a row with the outputs `previous`.
    ///
    /// ```
    /// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
    /// # let heating = IntervalSystem::new(system)
    /// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
    /// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
    /// #     .rule("if room is cold then valve is open")?;
    /// let plan = heating.compile(Dialect::Fuzzylite8)?;
    /// assert_eq!(plan.infer_row_after(&[18.0], &[0.0])?.outputs, plan.infer_row(&[18.0])?.outputs); // nothing is kept
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::RowLength`].
    pub fn infer_row_after(&self, inputs: &[f64], previous: &[f64]) -> Result<IntervalInference> {
        let system = self.system.lower();
        let lengths =
            [("input", inputs.len(), system.inputs.len()), ("output", previous.len(), system.outputs.len())];
        if let Some((what, found, expected)) =
            lengths.into_iter().find(|(_, found, expected)| found != expected)
        {
            return Err(InferenceError::RowLength { what, found, expected });
        }
        let mut row = IntervalRow::new(self).after(previous);
        row.infer(inputs.iter().copied());
        Ok(row.finish())
    }

    /// Infers the outputs and their intervals for every row.
    ///
    /// Inputs are matched to columns by name, or by position if the columns have default names (`c1`, `c2`, …). Other
    /// named columns are ignored, and sample weights have no effect. Rows with missing values follow the rules of the dialect.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn) if an input has no column, [`InferenceError::RowLength`] if the
    /// number of columns without names differs from that of the inputs, and [`DeviceError::NotOnGpu`] if a GPU is requested explicitly.
    pub fn infer<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<IntervalTables> {
        self.infer_samples(&host_samples(samples)?, device)
    }

    fn infer_samples(&self, samples: &Samples<'_>, device: &Device) -> Result<IntervalTables> {
        let columns = input_columns(self.system.lower(), samples)?;
        match device.processor(PREFER_CPU) {
            Processor::Cpu(cpu) => self.infer_on_cpu(samples, &columns, cpu, device.progress()),
            #[cfg(feature = "cuda")]
            Processor::Cuda(_) => Err(DeviceError::NotOnGpu { what: "an interval type-2 system" }.into()),
        }
    }

    fn infer_on_cpu(
        &self,
        samples: &Samples<'_>,
        columns: &[usize],
        cpu: &Cpu,
        progress: &Progress,
    ) -> Result<IntervalTables> {
        let width = 3 * self.outputs.len();
        let mut values = vec![0.0; samples.rows() * width];
        let chunk = if self.sequential { samples.rows().max(1) } else { CHUNK_ROWS };
        let done = AtomicUsize::new(0);
        cpu.run(|| {
            values.par_chunks_mut(chunk * width).enumerate().try_for_each(|(i, out)| {
                let count = out.len() / width;
                match samples.slice(i * chunk..i * chunk + count) {
                    Values::F32(x) => self.infer_chunk(x, samples.columns(), columns, out),
                    Values::F64(x) => self.infer_chunk(x, samples.columns(), columns, out),
                }
                let done = done.fetch_add(count, Ordering::Relaxed) + count;
                progress.report(done as u64, samples.rows() as u64)
            })
        })?;
        let column_group = |first: usize| {
            let rows = values.chunks_exact(width);
            let values: Vec<f64> = rows.flat_map(|row| row[first..].iter().step_by(3).copied()).collect();
            let names = self.system.lower().outputs.iter().map(|output| output.variable.name.clone());
            Table::new(names.collect::<Vec<String>>(), values)
        };
        Ok(IntervalTables { outputs: column_group(0)?, lower: column_group(1)?, upper: column_group(2)? })
    }

    /// Infers rows of `stride` values each into the value and both bounds of each output.
    fn infer_chunk<S: Scalar>(&self, x: &[S], stride: usize, columns: &[usize], out: &mut [f64]) {
        let mut row = IntervalRow::new(self);
        for (x, out) in x.chunks_exact(stride).zip(out.chunks_exact_mut(3 * self.outputs.len())) {
            if !self.sequential {
                row.reset();
            }
            let (values, intervals) = row.infer(columns.iter().map(|column| Scalar::to_f64(x[*column])));
            for (out, (value, interval)) in out.chunks_exact_mut(3).zip(values.iter().zip(intervals)) {
                out.copy_from_slice(&[*value, interval.lower, interval.upper]);
            }
        }
    }
}
