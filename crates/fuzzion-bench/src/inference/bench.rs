//! Inference benchmarks of `fuzzion bench`, with rows on the device and with rows on the host.

use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds, median_seconds};
use fuzzion::data::Precision;
use fuzzion::device::{Cpu, Cuda};
use fuzzion::inference::{Dialect, Plan, System};
use fuzzion::internals::Random;
use fuzzion::internals::device::{Element, Processor};
use fuzzion::internals::inference::{Engine, PlanScalar, mamdani, takagi_sugeno};
use fuzzion::{Device, Progress, Result, Table};

/// Rows per run: larger than any cache, and enough to time a GPU reliably.
const CPU_ROWS: usize = 1 << 21;
const CUDA_ROWS: usize = 1 << 26;
/// Number of rows inferred one at a time.
const SINGLE_ROWS: usize = 1 << 16;

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
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
    progress: &'a Progress,
    measurements: Vec<Measurement>,
}

/// Random rows of two inputs in [0, 1], so that lookup tables are accessed at random.
fn random_rows<T: PlanScalar>(n: usize) -> Vec<T> {
    let mut random = Random::new(1);
    (0..2 * n).map(|_| T::from_f64(random.between(0.0, 1.0))).collect()
}

impl Bench<'_> {
    fn record<T>(&mut self, name: String, seconds: f64, rows: usize) {
        let minimum_work =
            MinimumWork { bytes: (3 * size_of::<T>() * rows) as f64, ..MinimumWork::default() };
        let amount = (rows as f64, "rows/s");
        self.measurements.push(Measurement::new(
            name,
            self.device,
            seconds,
            amount,
            minimum_work,
            &self.ceilings,
        ));
    }

    fn on_cpu<T: PlanScalar>(&mut self, name: String, plan: &Plan, cpu: &Cpu) -> Result<()> {
        let table = Table::new(["a", "b"], random_rows::<T>(CPU_ROWS))?;
        let mut out = vec![T::default(); CPU_ROWS];
        let routines =
            T::routines(&plan.engine).expect("invariant: the plan was compiled for the precision of T");
        let seconds = median_host_seconds(self.progress, || {
            Ok(plan.outputs_into(routines, &(&table).into(), cpu, &mut out)?)
        })?;
        self.record::<T>(format!("{name}/{}M", CPU_ROWS >> 20), seconds, CPU_ROWS);
        let mut state = plan.state();
        let inputs = random_rows::<f64>(SINGLE_ROWS);
        let seconds = median_host_seconds(self.progress, || {
            Ok(inputs.chunks_exact(2).try_for_each(|row| plan.infer_row(row, &mut state).map(drop))?)
        })?;
        self.record::<T>(format!("{name}/single-rows"), seconds, SINGLE_ROWS);
        Ok(())
    }

    fn on_cuda<T: PlanScalar + Element>(&mut self, name: String, plan: &Plan, cuda: &Cuda) -> Result<()> {
        let kernel = plan.kernel::<T>(cuda)?;
        let host = random_rows::<T>(CUDA_ROWS);
        let x = cuda.upload(&host)?;
        let mut out = cuda.zeros(CUDA_ROWS)?;
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, || {
            Ok(kernel.launch(cuda, &x, &mut out, CUDA_ROWS)?)
        })?;
        self.record::<T>(format!("{name}/{}M", CUDA_ROWS >> 20), seconds, CUDA_ROWS);
        drop((x, out));
        let mut out = vec![T::default(); CUDA_ROWS];
        let fill = |rows: std::ops::Range<usize>, values: &mut [T]| {
            values.copy_from_slice(&host[2 * rows.start..2 * rows.end]);
        };
        let seconds = median_host_seconds(self.progress, || {
            Ok(kernel.stream(cuda, CUDA_ROWS, &Progress::none(), fill, &mut out)?)
        })?;
        self.record::<T>(format!("{name}/{}M/from-host", CUDA_ROWS >> 20), seconds, CUDA_ROWS);
        Ok(())
    }
}
