//! Benchmarks of memberships, with the data in the memory of the device.

use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds, median_seconds};
use fuzzion::data::Precision;
use fuzzion::device::{Cpu, Cuda};
use fuzzion::internals::Scalar;
use fuzzion::internals::device::{Element, Processor};
use fuzzion::internals::sets::cuda::{self, Memberships};
use fuzzion::sets::Set;
use fuzzion::{Device, Progress, Result};

/// Number of x per run: larger than all caches, and larger on a GPU for a run time that can be measured.
const CPU_LENGTH: usize = 1 << 26;
const CUDA_LENGTH: usize = 1 << 28;

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let sets = [
        Set::triangle(-1.0, 0.5, 2.0)?,
        Set::gaussian(0.5, 1.25)?,
        Set::bell(0.5, 1.25, 2.5)?,
        Set::sigmoid(0.25, -2.5)?,
    ];
    let processor = device.processor(false);
    let mut measurements = Vec::new();
    for set in &sets {
        for precision in [Precision::F32, Precision::F64] {
            let (n, seconds) = match (&processor, precision) {
                (Processor::Cpu(cpu), Precision::F32) => {
                    (CPU_LENGTH, cpu_f32(set, cpu, &processor, progress)?)
                }
                (Processor::Cpu(cpu), Precision::F64) => {
                    (CPU_LENGTH, cpu_f64(set, cpu, &processor, progress)?)
                }
                (Processor::Cuda(gpu), Precision::F32) => {
                    (CUDA_LENGTH, on_cuda::<f32>(set, gpu, &processor, progress)?)
                }
                (Processor::Cuda(gpu), Precision::F64) => {
                    (CUDA_LENGTH, on_cuda::<f64>(set, gpu, &processor, progress)?)
                }
            };
            let width = if precision == Precision::F32 { 4 } else { 8 };
            let minimum_work = MinimumWork { bytes: (2 * width * n) as f64, ..MinimumWork::default() };
            let name = format!("sets/{}/{precision}/{}M", set.shape().name().to_lowercase(), n >> 20);
            measurements.push(Measurement::new(
                name,
                device,
                seconds,
                (n as f64, "x/s"),
                minimum_work,
                &ceilings,
            ));
        }
    }
    if let Processor::Cuda(gpu) = &processor {
        measurements.push(from_host(&sets[1], gpu, device, progress, &ceilings)?);
    }
    Ok(measurements)
}

/// Includes the transfers from and to host memory.
fn from_host(
    set: &Set,
    gpu: &Cuda,
    device: &Device,
    progress: &Progress,
    ceilings: &Ceilings,
) -> Result<Measurement> {
    let x: Vec<f32> = linspace(CPU_LENGTH).map(|x| x as f32).collect();
    let n = x.len() as f64;
    let seconds = median_host_seconds(progress, || Ok(cuda::memberships(gpu, set, &x).map(drop)?))?;
    let name = format!("sets/gaussian/f32/{}M/from-host", CPU_LENGTH >> 20);
    let minimum_work = MinimumWork { bytes: 8.0 * n, ..MinimumWork::default() };
    Ok(Measurement::new(name, device, seconds, (n, "x/s"), minimum_work, ceilings))
}

fn linspace(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| 8.0 * i as f64 / n as f64 - 4.0)
}

fn cpu_f32(set: &Set, cpu: &Cpu, processor: &Processor<'_>, progress: &Progress) -> Result<f64> {
    let x: Vec<f32> = linspace(CPU_LENGTH).map(|x| x as f32).collect();
    let mut out = vec![0.0; x.len()];
    median_seconds(processor, progress, || {
        set.fill(&x, &mut out, cpu);
        Ok(())
    })
}

fn cpu_f64(set: &Set, cpu: &Cpu, processor: &Processor<'_>, progress: &Progress) -> Result<f64> {
    let x: Vec<f64> = linspace(CPU_LENGTH).collect();
    let mut out = vec![0.0; x.len()];
    median_seconds(processor, progress, || {
        set.fill(&x, &mut out, cpu);
        Ok(())
    })
}

fn on_cuda<T: Element + Scalar>(
    set: &Set,
    gpu: &Cuda,
    processor: &Processor<'_>,
    progress: &Progress,
) -> Result<f64> {
    let kernel = Memberships::<T>::new(gpu, set)?;
    let x = gpu.zeros(CUDA_LENGTH)?;
    let mut out = gpu.zeros(CUDA_LENGTH)?;
    median_seconds(processor, progress, || Ok(kernel.launch(gpu, &x, &mut out, CUDA_LENGTH)?))
}
