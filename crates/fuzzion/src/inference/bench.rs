//! The room's part of `fuzzion bench`: rows that are already where they are computed, and rows from and to the host.

use super::plan::Plan;
use super::plan::cpu::{Engine, Number};
use super::samples::{mamdani, takagi_sugeno};
use super::{Dialect, System};
use crate::data::{Precision, Table};
use crate::device::cuda::Element;
use crate::device::measure::{Floor, Measurement, median_host_seconds, median_seconds};
use crate::device::{Ceilings, Cpu, Cuda, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use crate::random::Random;

/// Rows per run: past every cache, and a GPU takes more to be busy long enough to time.
const CPU_ROWS: usize = 1 << 21;
const CUDA_ROWS: usize = 1 << 26;
/// Single rows, one after the other.
const SINGLE_ROWS: usize = 1 << 16;

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut systems: Vec<(String, System)> = Vec::new();
    for samples in [100, 256, 1000] {
        systems.push((format!("mamdani/{samples}"), mamdani(samples)?));
    }
    systems.push(("takagi-sugeno/constant".into(), takagi_sugeno(false)?));
    systems.push(("takagi-sugeno/linear".into(), takagi_sugeno(true)?));
    let mut bench = Bench { device, ceilings, progress, measurements: Vec::new() };
    for (name, system) in &systems {
        for precision in [Precision::F32, Precision::F64] {
            let plan = system.compile(Dialect::Fuzzylite8, precision)?;
            let name = format!("inference/{name}/{precision}");
            match (device.processor(false), &plan.engine) {
                (Processor::Cpu(cpu), Engine::F32(_)) => bench.on_cpu::<f32>(name, &plan, cpu)?,
                (Processor::Cpu(cpu), Engine::F64(_)) => bench.on_cpu::<f64>(name, &plan, cpu)?,
                (Processor::Cuda(cuda), Engine::F32(_)) => bench.on_cuda::<f32>(name, &plan, cuda)?,
                (Processor::Cuda(cuda), Engine::F64(_)) => bench.on_cuda::<f64>(name, &plan, cuda)?,
            }
        }
    }
    Ok(bench.measurements)
}

struct Bench<'a> {
    device: &'a Device,
    ceilings: Ceilings,
    progress: Progress<'a>,
    measurements: Vec<Measurement>,
}

/// Rows of two inputs between 0 and 1, at random, so that tables are looked up everywhere.
fn rows<T: Number>(n: usize) -> Vec<T> {
    let mut random = Random::new(1);
    (0..2 * n).map(|_| T::of(random.between(0.0, 1.0))).collect()
}

impl Bench<'_> {
    fn note<T>(&mut self, name: String, seconds: f64, rows: usize) {
        let floor = Floor { bytes: (3 * size_of::<T>() * rows) as f64, ..Floor::default() };
        let amount = (rows as f64, "rows/s");
        self.measurements.push(Measurement::new(name, self.device, seconds, amount, floor, &self.ceilings));
    }

    fn on_cpu<T: Number>(&mut self, name: String, plan: &Plan, cpu: &Cpu) -> Result<()> {
        let table = Table::new(["a", "b"], rows::<T>(CPU_ROWS))?;
        let mut out = vec![T::default(); CPU_ROWS];
        let routines = T::routines(&plan.engine);
        if let Some(routines) = routines {
            let seconds =
                median_host_seconds(self.progress, || plan.outputs_into(routines, &table, cpu, &mut out))?;
            self.note::<T>(format!("{name}/{}M", CPU_ROWS >> 20), seconds, CPU_ROWS);
        }
        let mut memory = plan.memory();
        let inputs = rows::<f64>(SINGLE_ROWS);
        let seconds = median_host_seconds(self.progress, || {
            inputs.chunks_exact(2).try_for_each(|row| plan.infer_row(row, &mut memory).map(drop))
        })?;
        self.note::<T>(format!("{name}/single-rows"), seconds, SINGLE_ROWS);
        Ok(())
    }

    fn on_cuda<T: Number + Element>(&mut self, name: String, plan: &Plan, cuda: &Cuda) -> Result<()> {
        let kernel = plan.kernel::<T>(cuda)?;
        let host = rows::<T>(CUDA_ROWS);
        let x = cuda.upload(&host)?;
        let mut out = cuda.zeros(CUDA_ROWS)?;
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, || {
            kernel.launch(cuda, &x, &mut out, CUDA_ROWS)
        })?;
        self.note::<T>(format!("{name}/{}M", CUDA_ROWS >> 20), seconds, CUDA_ROWS);
        drop((x, out));
        let mut out = vec![T::default(); CUDA_ROWS];
        let fill = |rows: std::ops::Range<usize>, numbers: &mut [T]| {
            numbers.copy_from_slice(&host[2 * rows.start..2 * rows.end]);
        };
        let seconds = median_host_seconds(self.progress, || {
            kernel.stream(cuda, CUDA_ROWS, Progress::none(), fill, &mut out)
        })?;
        self.note::<T>(format!("{name}/{}M/from-host", CUDA_ROWS >> 20), seconds, CUDA_ROWS);
        Ok(())
    }
}
