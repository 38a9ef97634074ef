//! Inference over whole tables.

use super::chunk::ResultChunk;
#[cfg(feature = "cuda")]
use super::chunk::split_results;
use super::cpu::{Engine, PADDING, PlanScalar, Routines, Strided, Workspace, copy_column, outputs_of};
#[cfg(feature = "cuda")]
use super::cuda::{InferKernel, source};
use super::model::Plan;
use super::results::{InferOptions, InferenceTables, KINDS, input_columns, result_slots, result_widths};
use crate::data::{Samples, Scalar, Table, Values, host_samples};
use crate::device::DeviceError;
#[cfg(feature = "cuda")]
use crate::device::cuda::Program;
#[cfg(feature = "cuda")]
use crate::device::cuda::multiple::{GpuPart, run_parts, split_rows};
use crate::device::math::Real;
use crate::device::{Cpu, Device, Operation, Processor};
#[cfg(feature = "cuda")]
use crate::device::{Cuda, Element, zeros_in_huge_pages};
use crate::inference::error::{InferenceError, Result};
use crate::progress::Progress;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows per work item of a thread.
const CHUNK_ROWS: usize = 1 << 13;

/// Samples and the columns of the system's inputs.
#[derive(Clone, Copy)]
struct InputRows<'a> {
    samples: &'a Samples<'a>,
    columns: &'a [usize],
}

impl InputRows<'_> {
    /// Copies the inputs of some rows into `out`, row by row.
    fn gather<T: PlanScalar, S: Scalar>(&self, x: &[S], out: &mut [T]) {
        let rows = x.chunks_exact(self.samples.columns());
        for (out, x) in out.chunks_exact_mut(self.columns.len()).zip(rows) {
            for (out, column) in out.iter_mut().zip(self.columns) {
                *out = T::cast(Scalar::to_f64(x[*column]));
            }
        }
    }
}

impl Plan {
    /// Infers the outputs of every row; the result has one column per output.
    ///
    /// Inputs are matched to columns by name, or by position if the columns have default names (`c1`, `c2`, …). Other
    /// named columns are ignored, and sample weights have no effect. Rows with missing values follow the rules of the dialect.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn) if an input has no column, [`InferenceError::RowLength`] if the
    /// number of columns without names differs from that of the inputs, and errors of the GPU.
    pub fn infer<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        let samples = samples.into();
        if samples.is_on_gpu() {
            return Ok(self.infer_on_device(samples, device)?.to_host()?);
        }
        Ok(self.infer_with(samples, InferOptions::default(), device)?.outputs)
    }

    /// Like [`Plan::infer`], with optional further results.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, InferOptions, Output, System, Variable};
    /// use fuzzion::{Device, Samples, data::Precision, sets::Set};
    ///
    /// let heating = System::new("heating")
    ///     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
    ///     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(1.0)?))
    ///     .rule("if room is cold then valve is open")?;
    /// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let options = InferOptions::default().firing_strengths(true);
    /// let tables = plan.infer_with(Samples::new(1, &[17.0, 19.0])?, options, &Device::cpu()?)?;
    /// assert_eq!(tables.firing_strengths.unwrap().column("rule1")?, [0.75, 0.25]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Plan::infer`], and [`InferenceError::Interrupted`].
    pub fn infer_with<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        options: InferOptions,
        device: &Device,
    ) -> Result<InferenceTables> {
        self.infer_after(samples, options, device, &mut vec![f64::NAN; self.system.outputs.len()])
    }

    /// Like [`Plan::infer_with`], for the next piece of a long table. `previous` contains the outputs of the row before
    /// the first one and is set to those of the last row, so that the pieces have the same results as the whole table.
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
    /// # use fuzzion::{Device, Samples, data::Precision, inference::InferOptions};
    /// # let mut heating = heating;
    /// heating.outputs[0].lock_previous = true;
    /// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let (options, mut previous) = (InferOptions::default(), [f64::NAN]);
    /// for (room, valve) in [(17.0, 0.75), (f64::NAN, 0.75), (19.0, 0.25)] {
    ///     let tables = plan.infer_after(Samples::new(1, &[room])?, options, &Device::cpu()?, &mut previous)?;
    ///     assert_eq!(tables.outputs.column("valve")?, [valve]);
    /// }
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Plan::infer_with`], and [`InferenceError::RowLength`] if `previous` does not have one value per output.
    pub fn infer_after<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        options: InferOptions,
        device: &Device,
        previous: &mut [f64],
    ) -> Result<InferenceTables> {
        self.infer_samples(&host_samples(samples)?, options, device, previous, None)
    }

    /// Like [`Plan::infer_after`], into `results`, whose memory is reused. For long tables this avoids the time to allocate
    /// memory for every piece.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, InferOptions, Output, System, Variable};
    /// # use fuzzion::{Device, Samples, data::Precision, sets::Set};
    /// # let heating = System::new("heating")
    /// #     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
    /// #     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(1.0)?))
    /// #     .rule("if room is cold then valve is open")?;
    /// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let (options, device, mut previous) = (InferOptions::default().fired(true), Device::cpu()?, [f64::NAN]);
    /// let mut results = None;
    /// for (room, fired) in [(17.0, 1.0), (25.0, 0.0)] {
    ///     plan.infer_after_into(Samples::new(1, &[room])?, options, &device, &mut previous, &mut results)?;
    ///     let tables = results.as_ref().unwrap();
    ///     assert_eq!(tables.fired.as_ref().unwrap().column("valve")?, [fired]);
    /// }
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Plan::infer_after`]; `results` is then `None`.
    pub fn infer_after_into<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        options: InferOptions,
        device: &Device,
        previous: &mut [f64],
        results: &mut Option<InferenceTables>,
    ) -> Result<()> {
        let reused = results.take();
        *results = Some(self.infer_samples(&host_samples(samples)?, options, device, previous, reused)?);
        Ok(())
    }

    fn infer_samples(
        &self,
        samples: &Samples<'_>,
        options: InferOptions,
        device: &Device,
        previous: &mut [f64],
        reused: Option<InferenceTables>,
    ) -> Result<InferenceTables> {
        let expected = self.system.outputs.len();
        if previous.len() != expected {
            return Err(InferenceError::RowLength { what: "output", found: previous.len(), expected });
        }
        let columns = input_columns(&self.system, samples)?;
        let rows = InputRows { samples, columns: &columns };
        let before = previous.to_vec();
        if let Some(inferred) = self.infer_rows(rows, options, device, previous, reused)? {
            return Ok(inferred);
        }
        let plan = self.sequential_plan.as_ref();
        let plan = plan.expect("invariant: only plans with a sequential fallback need one");
        previous.copy_from_slice(&before);
        // Rows must be processed one by one, which is not faster on a GPU.
        plan.infer_samples(samples, options, &device.cpu_only(), previous, None)
    }

    /// For the device `best`, the device that infers this number of rows faster: the CPU or a GPU; otherwise `device`. Use it
    /// to infer a table chunk by chunk.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, InferOptions, Output, System, Variable};
    /// use fuzzion::{Device, Samples, data::Precision, sets::Set};
    ///
    /// let heating = System::new("heating")
    ///     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
    ///     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(1.0)?))
    ///     .rule("if room is cold then valve is open")?;
    /// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let device = plan.device_for(1000, &Device::best()?);
    /// assert_eq!(device.to_string(), "cpu");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn device_for(&self, rows: u64, device: &Device) -> Device {
        device.resolve(self.prefers_cpu(rows as usize, device))
    }

    /// Whether the device `best` infers this number of rows in host memory on the CPU.
    fn prefers_cpu(&self, rows: usize, device: &Device) -> bool {
        let values = rows * (self.system.inputs.len() + self.system.outputs.len());
        let bytes = (values * self.precision().bytes()) as f64;
        device.prefers_cpu(Operation::Inference, rows as f64 * self.general.steps.len() as f64, bytes)
    }

    /// `None` if an output that formulas read has no value in some row and keeps its previous value; the rows must then
    /// be inferred by the sequential plan.
    fn infer_rows(
        &self,
        rows: InputRows<'_>,
        options: InferOptions,
        device: &Device,
        previous: &mut [f64],
        reused: Option<InferenceTables>,
    ) -> Result<Option<InferenceTables>> {
        let small = self.sequential || self.prefers_cpu(rows.samples.rows(), device);
        match (device.processor(small), &self.engine) {
            (Processor::Cpu(cpu), Engine::F32(routines)) => {
                self.infer_on_cpu(routines, rows, options, (cpu, device.progress()), previous, reused)
            }
            (Processor::Cpu(cpu), Engine::F64(routines)) => {
                self.infer_on_cpu(routines, rows, options, (cpu, device.progress()), previous, reused)
            }
            #[cfg(feature = "cuda")]
            (Processor::Cuda(_), _) if self.sequential => Err(DeviceError::NotOnGpu {
                what: "a system whose formulas read outputs of the previous row",
            }
            .into()),
            #[cfg(feature = "cuda")]
            (Processor::Cuda(cuda), Engine::F32(_)) => {
                self.infer_on_cuda::<f32>(rows, options, (cuda, device), previous, reused)
            }
            #[cfg(feature = "cuda")]
            (Processor::Cuda(cuda), Engine::F64(_)) => {
                self.infer_on_cuda::<f64>(rows, options, (cuda, device), previous, reused)
            }
        }
    }

    /// The CUDA program that computes the outputs.
    #[cfg(feature = "cuda")]
    pub(crate) fn program(&self) -> &Program {
        self.program.get_or_init(|| {
            let results = outputs_of(&self.general);
            source::program(self.precision(), self.system.inputs.len(), &self.general.steps, &results)
        })
    }

    #[cfg(feature = "cuda")]
    fn infer_on_cuda<T: PlanScalar + Element>(
        &self,
        rows: InputRows<'_>,
        options: InferOptions,
        (cuda, device): (&Cuda, &Device),
        previous: &mut [f64],
        reused: Option<InferenceTables>,
    ) -> Result<Option<InferenceTables>> {
        let results = result_slots(&self.general, options);
        let mut values: Vec<T> = zeros_in_huge_pages(rows.samples.rows() * results.len());
        let infer = |part: GpuPart<'_, T>, progress: &Progress| {
            let kernel = match options == InferOptions::default() {
                true => self.kernel::<T>(part.cuda)?,
                false => InferKernel::<T>::new(part.cuda, rows.columns.len(), &self.general, &results)?,
            };
            let first = part.rows.start;
            let fill = |range: Range<usize>, values: &mut [T]| match rows
                .samples
                .slice(first + range.start..first + range.end)
            {
                Values::F32(x) => rows.gather(x, values),
                Values::F64(x) => rows.gather(x, values),
            };
            kernel.stream(part.cuda, part.rows.len(), progress, fill, part.out)
        };
        let output = (&mut values[..], results.len());
        let parts = split_rows(device.gpus_with(cuda), rows.samples.rows(), output);
        run_parts(parts, device.progress(), infer)?;
        let widths = result_widths(&self.general, options);
        let values = match widths[0] == results.len() {
            true => [values, Vec::new(), Vec::new(), Vec::new()],
            false => {
                let mut buffers = InferenceTables::buffers(reused, widths, rows.samples.rows());
                split_results(device.host_cpu(), &values, widths, &mut buffers);
                buffers
            }
        };
        self.build_tables(options, values, previous)
    }

    fn infer_on_cpu<T: PlanScalar>(
        &self,
        routines: &Routines<T>,
        InputRows { samples, columns }: InputRows<'_>,
        options: InferOptions,
        (cpu, progress): (&Cpu, &Progress),
        previous: &mut [f64],
        reused: Option<InferenceTables>,
    ) -> Result<Option<InferenceTables>> {
        let with_options;
        let routines = if options == InferOptions::default() {
            routines
        } else {
            with_options =
                Routines::new(&self.general, self.finite.as_ref(), |steps| result_slots(steps, options));
            &with_options
        };
        let widths = result_widths(&self.general, options);
        let mut values = InferenceTables::buffers(reused, widths, samples.rows());
        let out = values.each_mut().map(Vec::as_mut_slice);
        self.infer_into(routines, InputRows { samples, columns }, cpu, (progress, previous), (widths, out))?;
        self.build_tables(options, values, previous)
    }

    /// Computes the results of all rows, row by row for each kind of result. Values kept from previous rows are not yet
    /// resolved.
    fn infer_into<T: PlanScalar>(
        &self,
        routines: &Routines<T>,
        InputRows { samples, columns }: InputRows<'_>,
        cpu: &Cpu,
        (progress, previous): (&Progress, &[f64]),
        (widths, out): ([usize; KINDS], [&mut [T]; KINDS]),
    ) -> Result<()> {
        let rows = samples.rows();
        let chunk = if self.sequential { rows.max(1) } else { CHUNK_ROWS };
        let done = AtomicUsize::new(0);
        let workspace = || self.workspace(routines, columns.len(), previous);
        let chunks: Vec<ResultChunk<'_, T>> = ResultChunk::split(out, widths, rows, chunk);
        Ok(cpu.run(|| {
            chunks.into_par_iter().try_for_each_init(workspace, |workspace, mut out| {
                let count = out.rows.len();
                match samples.slice(out.rows.clone()) {
                    Values::F32(x) => {
                        self.infer_chunk(routines, cpu, x, (samples.columns(), columns), workspace, &mut out)
                    }
                    Values::F64(x) => {
                        self.infer_chunk(routines, cpu, x, (samples.columns(), columns), workspace, &mut out)
                    }
                }
                let done = done.fetch_add(count, Ordering::Relaxed) + count;
                progress.report(done as u64, rows as u64)
            })
        })?)
    }

    /// Computes the outputs of all rows on the CPU into `out`, for benchmarks.
    #[doc(hidden)]
    pub fn outputs_into<T: PlanScalar>(
        &self,
        routines: &Routines<T>,
        samples: &Samples<'_>,
        cpu: &Cpu,
        out: &mut [T],
    ) -> Result<()> {
        let columns = input_columns(&self.system, samples)?;
        let no_previous = vec![f64::NAN; self.system.outputs.len()];
        self.infer_into(
            routines,
            InputRows { samples, columns: &columns },
            cpu,
            (&Progress::none(), &no_previous),
            (result_widths(&self.general, InferOptions::default()), [out, &mut [], &mut [], &mut []]),
        )
    }

    /// The kernel that computes the outputs.
    #[cfg(feature = "cuda")]
    #[doc(hidden)]
    pub fn kernel<T: PlanScalar + Element>(&self, cuda: &Cuda) -> Result<InferKernel<T>, DeviceError> {
        InferKernel::of_program(
            cuda,
            self.program(),
            self.system.inputs.len(),
            outputs_of(&self.general).len(),
        )
    }

    /// Rows per block.
    fn block_rows<T: PlanScalar>(&self, routines: &Routines<T>) -> usize {
        match self.sequential {
            true => 1,
            false => routines.finite.as_ref().map_or(routines.general.block, |finite| finite.block),
        }
    }

    /// Buffers for a block that follows a row with the outputs `previous`.
    fn workspace<T: PlanScalar>(
        &self,
        routines: &Routines<T>,
        inputs: usize,
        previous: &[f64],
    ) -> Workspace<T> {
        let block = self.block_rows(routines).next_multiple_of(PADDING);
        let mut workspace = Workspace::new(routines, inputs, self.system.outputs.len(), block);
        workspace.previous.copy_from_slice(previous);
        workspace
    }

    /// Infers rows of `stride` values each, stored row by row.
    fn infer_chunk<T: PlanScalar, S: Scalar>(
        &self,
        routines: &Routines<T>,
        cpu: &Cpu,
        x: &[S],
        (stride, columns): (usize, &[usize]),
        workspace: &mut Workspace<T>,
        out: &mut ResultChunk<'_, T>,
    ) {
        let block = self.block_rows(routines);
        for (first, x) in (0..).step_by(block).zip(x.chunks(block * stride)) {
            let rows = x.len() / stride;
            for (column, offset) in workspace.inputs().iter_mut().zip(columns) {
                // No conversion through f64 if both precisions are the same.
                if T::PRECISION == S::PRECISION {
                    let values = Strided { values: &bytemuck::cast_slice(x)[*offset..], stride };
                    copy_column(cpu.simd(), values, &mut column[..rows]);
                } else {
                    let values = column.iter_mut().zip(x[*offset..].iter().step_by(stride));
                    values.for_each(|(value, x)| *value = T::cast(Scalar::to_f64(*x)));
                }
            }
            let prepared = workspace.run_best(routines, cpu.simd(), rows);
            out.store(first, rows, |result| &workspace.result(prepared, result)[..rows]);
            if self.sequential {
                for (previous, value) in workspace.previous.iter_mut().zip(out.outputs(first)) {
                    *previous = Real::to_f64(*value);
                }
            }
        }
    }
}
