//! Clustering benchmarks of `fuzzion bench`: samples per second of one iteration on rows resident in device memory.

use super::gpu_pass::BenchPass;
use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds, median_seconds};
use fuzzion::data::Precision;
use fuzzion::device::{Cpu, Cuda};
use fuzzion::internals::Random;
use fuzzion::internals::clustering::{CpuRows, MembershipRule, Prototypes, RequestedSums, RowBackend, Space};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Progress, Result, Table};

/// Clusters, rows, columns: the shapes of Anderson et al. (2008) and larger ones.
const SHAPES: [(usize, usize, usize); 6] = [
    (64, 4096, 4),
    (64, 4096, 32),
    (16, 40_960, 32),
    (4, 409_600, 8),
    (64, 1_000_000, 32),
    (16, 4_000_000, 8),
];

/// Shapes measured only on a GPU.
const LARGE_SHAPES: [(usize, usize, usize); 4] =
    [(16, 4096, 128), (16, 50_000_000, 8), (64, 10_000_000, 32), (256, 2_000_000, 128)];

/// Rows and clusters of Tables IV and V of Anderson et al. (2008), for 4 and 32 columns.
const GRID_ROWS: [usize; 4] = [64, 512, 4096, 8192];
const GRID_CLUSTERS: [usize; 3] = [4, 16, 64];
/// Steps per timed launch.
const STEPS: usize = 100;

/// Device and options of the measurements.
struct Benchmark<'a> {
    device: &'a Device,
    progress: &'a Progress,
    ceilings: Ceilings,
}

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let benchmark = Benchmark { device, progress, ceilings: Ceilings::measure(device, progress)? };
    let grid = GRID_ROWS.into_iter().flat_map(|n| GRID_CLUSTERS.map(|c| (c, n)));
    let grid = grid.flat_map(|(c, n)| [(c, n, 4), (c, n, 32)]).filter(|shape| !SHAPES.contains(shape));
    let shapes = SHAPES.into_iter().chain(grid);
    let mut measurements = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for shape in shapes {
                measurements.push(benchmark.on_cpu(cpu, shape, Precision::F32, 2.0)?);
            }
            measurements.push(benchmark.on_cpu(cpu, (16, 40_960, 32), Precision::F32, 1.7)?);
            measurements.push(benchmark.on_cpu(cpu, (16, 40_960, 32), Precision::F64, 2.0)?);
        }
        Processor::Cuda(cuda) => {
            for shape in SHAPES.into_iter().take(4).chain(GRID_ROWS.map(|n| (64, n, 32))) {
                measurements.extend(benchmark.iterations_on_cuda(cuda, shape)?);
            }
            for shape in shapes.chain(LARGE_SHAPES) {
                measurements.push(benchmark.on_cuda(cuda, shape, 2.0)?);
            }
            measurements.push(benchmark.on_cuda(cuda, (64, 1_000_000, 32), 1.7)?);
        }
    }
    Ok(measurements)
}

impl Benchmark<'_> {
    fn on_cpu(
        &self,
        cpu: &Cpu,
        shape: (usize, usize, usize),
        precision: Precision,
        m: f64,
    ) -> Result<Measurement> {
        let (c, _, f) = shape;
        let single = rows(shape);
        let table = match precision {
            Precision::F32 => Table::unnamed(f, single)?,
            Precision::F64 => Table::unnamed(f, single.into_iter().map(f64::from).collect::<Vec<f64>>())?,
        };
        let prototypes = prototypes(c, f, precision, m);
        let samples = table.samples();
        let mut rows = CpuRows::new(&samples, cpu);
        let pass = || Ok(rows.sweep(&[&prototypes], RequestedSums::default()).map(drop)?);
        let seconds = median_host_seconds(self.progress, pass)?;
        Ok(self.measurement(shape, "", precision, m, seconds))
    }

    /// Times one pass over rows in GPU memory with the GPU's clock.
    fn on_cuda(&self, cuda: &Cuda, shape: (usize, usize, usize), m: f64) -> Result<Measurement> {
        let (c, _, f) = shape;
        let mut pass = BenchPass::new(cuda, &rows(shape), prototypes(c, f, Precision::F32, m))?;
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, || pass.start())?;
        Ok(self.measurement(shape, "", Precision::F32, m, seconds))
    }

    /// Times one of many steps performed in a single launch.
    fn iterations_on_cuda(&self, cuda: &Cuda, shape: (usize, usize, usize)) -> Result<Option<Measurement>> {
        let (c, _, f) = shape;
        let mut pass = BenchPass::new(cuda, &rows(shape), prototypes(c, f, Precision::F32, 2.0))?;
        if pass.iterate(STEPS)? < STEPS {
            return Ok(None); // this shape would switch to the difference kernel
        }
        let steps = || pass.iterate(STEPS).map(drop);
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, steps)? / STEPS as f64;
        Ok(Some(self.measurement(shape, "/steps", Precision::F32, 2.0, seconds)))
    }

    fn measurement(
        &self,
        (c, n, f): (usize, usize, usize),
        suffix: &str,
        precision: Precision,
        m: f64,
        seconds: f64,
    ) -> Measurement {
        // A difference and a multiply-add per distance, a multiply-add per sum: 3 instructions of 2 operations each.
        let operations = 6.0 * (c * n * f) as f64;
        let floor = match precision {
            Precision::F32 => MinimumWork {
                bytes: (4 * n * f) as f64,
                operations_f32: operations,
                ..MinimumWork::default()
            },
            Precision::F64 => MinimumWork {
                bytes: (8 * n * f) as f64,
                operations_f64: operations,
                ..MinimumWork::default()
            },
        };
        let m = if m == 2.0 { String::new() } else { format!("/m{m}") };
        let name = format!("clustering/fcm/{precision}/c{c}/{n}x{f}{m}{suffix}");
        Measurement::new(name, self.device, seconds, (n as f64, "samples/s"), floor, &self.ceilings)
    }
}

/// Cluster locations, uniform in [0, 1).
fn locations(c: usize, f: usize) -> Vec<f64> {
    let mut random = Random::new(2);
    (0..c * f).map(|_| random.unit()).collect()
}

/// Rows around each of the cluster locations in turn.
fn rows((c, n, f): (usize, usize, usize)) -> Vec<f32> {
    const WIDTH: f64 = 0.5;
    let (locations, mut random) = (locations(c, f), Random::new(1));
    let value = |i: usize| locations[i / f % c * f + i % f] + WIDTH * (random.unit() - 0.5);
    (0..n * f).map(value).map(|x| x as f32).collect()
}

/// Centers near the cluster locations.
fn prototypes(c: usize, f: usize, precision: Precision, fuzzifier: f64) -> Prototypes {
    let mut random = Random::new(3);
    let space = Space::euclidean(&vec![0.5; f], 1.0, precision);
    let centers: Vec<f64> =
        locations(c, f).into_iter().map(|x| x - 0.5 + 0.1 * (random.unit() - 0.5)).collect();
    Prototypes::new(space, centers, MembershipRule::Fuzzy { fuzzifier })
}
