//! The room's part of `fuzzion bench`: one iteration on rows that lie where they are computed on, samples per second.

use super::cpu::Memory;
use super::cuda::Pass;
use super::prototypes::{Prototypes, Rule};
use super::rows::{Rows, Samples};
use super::space::Space;
use super::sums::Want;
use crate::data::{Precision, Table};
use crate::device::measure::{Floor, Measurement, median_host_seconds, median_seconds};
use crate::device::{Ceilings, Cpu, Cuda, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use crate::random::Random;

/// Clusters, rows, columns: the paper's shapes and larger ones.
const SHAPES: [(usize, usize, usize); 6] = [
    (64, 4096, 4),
    (64, 4096, 32),
    (16, 40_960, 32),
    (4, 409_600, 8),
    (64, 1_000_000, 32),
    (16, 4_000_000, 8),
];

/// What only a GPU is asked for.
const LARGE_SHAPES: [(usize, usize, usize); 4] =
    [(16, 4096, 128), (16, 50_000_000, 8), (64, 10_000_000, 32), (256, 2_000_000, 128)];

/// Where the CPU takes the first steps: the grid of the paper's Tables IV and V, for F = 4 and 32.
const GRID_ROWS: [usize; 4] = [64, 512, 4096, 8192];
const GRID_CLUSTERS: [usize; 3] = [4, 16, 64];

/// Steps of one timed launch that makes them all.
const STEPS: usize = 100;

/// What is timed, and where.
struct Setting<'a> {
    device: &'a Device,
    progress: Progress<'a>,
    ceilings: Ceilings,
}

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let setting = Setting { device, progress, ceilings: Ceilings::measure(device, progress)? };
    let grid = GRID_ROWS.into_iter().flat_map(|n| GRID_CLUSTERS.map(|c| (c, n)));
    let grid = grid.flat_map(|(c, n)| [(c, n, 4), (c, n, 32)]).filter(|shape| !SHAPES.contains(shape));
    let shapes = SHAPES.into_iter().chain(grid);
    let mut measurements = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for shape in shapes {
                measurements.push(setting.on_cpu(cpu, shape, Precision::F32, 2.0)?);
            }
            measurements.push(setting.on_cpu(cpu, (16, 40_960, 32), Precision::F32, 1.7)?);
            measurements.push(setting.on_cpu(cpu, (16, 40_960, 32), Precision::F64, 2.0)?);
        }
        Processor::Cuda(cuda) => {
            for shape in SHAPES.into_iter().take(4).chain(GRID_ROWS.map(|n| (64, n, 32))) {
                measurements.extend(setting.steps_on_cuda(cuda, shape)?);
            }
            for shape in shapes.chain(LARGE_SHAPES) {
                measurements.push(setting.on_cuda(cuda, shape, 2.0)?);
            }
            measurements.push(setting.on_cuda(cuda, (64, 1_000_000, 32), 1.7)?);
        }
    }
    Ok(measurements)
}

impl Setting<'_> {
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
        let mut rows = Memory::new(Samples::of(&table, None), cpu);
        let pass = || rows.sweep(&[&prototypes], Want::default()).map(drop);
        let seconds = median_host_seconds(self.progress, pass)?;
        Ok(self.measured(shape, "", precision, m, seconds))
    }

    /// One pass over rows that lie on the GPU, by its own clock.
    fn on_cuda(&self, cuda: &Cuda, shape: (usize, usize, usize), m: f64) -> Result<Measurement> {
        let (c, _, f) = shape;
        let mut pass = Pass::new(cuda, &rows(shape), prototypes(c, f, Precision::F32, m))?;
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, || pass.start())?;
        Ok(self.measured(shape, "", Precision::F32, m, seconds))
    }

    /// One of many steps made in one launch.
    fn steps_on_cuda(&self, cuda: &Cuda, shape: (usize, usize, usize)) -> Result<Option<Measurement>> {
        let (c, _, f) = shape;
        let mut pass = Pass::new(cuda, &rows(shape), prototypes(c, f, Precision::F32, 2.0))?;
        if pass.iterate(STEPS)? < STEPS {
            return Ok(None); // another form goes on from where this one ends
        }
        let steps = || pass.iterate(STEPS).map(drop);
        let seconds = median_seconds(&Processor::Cuda(cuda), self.progress, steps)? / STEPS as f64;
        Ok(Some(self.measured(shape, "/steps", Precision::F32, 2.0, seconds)))
    }

    fn measured(
        &self,
        (c, n, f): (usize, usize, usize),
        form: &str,
        precision: Precision,
        m: f64,
        seconds: f64,
    ) -> Measurement {
        // A difference and a multiply-add per distance, a multiply-add per sum: 3 instructions, of 2 operations each.
        let operations = 6.0 * (c * n * f) as f64;
        let floor = match precision {
            Precision::F32 => {
                Floor { bytes: (4 * n * f) as f64, operations_f32: operations, ..Floor::default() }
            }
            Precision::F64 => {
                Floor { bytes: (8 * n * f) as f64, operations_f64: operations, ..Floor::default() }
            }
        };
        let m = if m == 2.0 { String::new() } else { format!("/m{m}") };
        let name = format!("clustering/fcm/{precision}/c{c}/{n}x{f}{m}{form}");
        Measurement::new(name, self.device, seconds, (n as f64, "samples/s"), floor, &self.ceilings)
    }
}

/// Places of the clusters, spread evenly over 0 to 1.
fn places(c: usize, f: usize) -> Vec<f64> {
    let mut random = Random::new(2);
    (0..c * f).map(|_| random.unit()).collect()
}

/// Rows about the places of their clusters, in turns.
fn rows((c, n, f): (usize, usize, usize)) -> Vec<f32> {
    const WIDTH: f64 = 0.5;
    let (places, mut random) = (places(c, f), Random::new(1));
    let value = |i: usize| places[i / f % c * f + i % f] + WIDTH * (random.unit() - 0.5);
    (0..n * f).map(value).map(|x| x as f32).collect()
}

/// Centers a little beside the places of the clusters.
fn prototypes(c: usize, f: usize, precision: Precision, fuzzifier: f64) -> Prototypes {
    let mut random = Random::new(3);
    let space = Space::euclidean(&vec![0.5; f], 1.0, precision);
    let centers: Vec<f64> = places(c, f).into_iter().map(|x| x - 0.5 + 0.1 * (random.unit() - 0.5)).collect();
    Prototypes::new(space, centers, Rule::Fuzzy { fuzzifier })
}
