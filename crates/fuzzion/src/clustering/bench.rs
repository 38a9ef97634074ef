//! The room's part of `fuzzion bench`: one iteration on rows that lie in memory, samples per second.

use super::cpu::Memory;
use super::model::processor;
use super::prototypes::{Prototypes, Rule};
use super::rows::Rows;
use super::space::Space;
use super::sums::Want;
use crate::data::{Precision, Table};
use crate::device::measure::{Floor, Measurement, median_host_seconds};
use crate::device::{Ceilings, Device, Processor};
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

/// Where the CPU takes the first steps: the grid of the paper's Tables IV and V, for F = 4 and 32.
const GRID_ROWS: [usize; 4] = [64, 512, 4096, 8192];
const GRID_CLUSTERS: [usize; 3] = [4, 16, 64];

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    if matches!(device.processor(true), Processor::Cuda(_)) {
        return Ok(Vec::new()); // nothing to time there yet, and the other rooms' benchmarks should run
    }
    let ceilings = Ceilings::measure(device, progress)?;
    let grid = GRID_ROWS.into_iter().flat_map(|n| GRID_CLUSTERS.map(|c| (c, n)));
    let grid = grid.flat_map(|(c, n)| [(c, n, 4), (c, n, 32)]).filter(|shape| !SHAPES.contains(shape));
    let mut measurements = Vec::new();
    for shape in SHAPES.into_iter().chain(grid) {
        measurements.push(one(shape, Precision::F32, 2.0, device, progress, &ceilings)?);
    }
    measurements.push(one((16, 40_960, 32), Precision::F32, 1.7, device, progress, &ceilings)?);
    measurements.push(one((16, 40_960, 32), Precision::F64, 2.0, device, progress, &ceilings)?);
    Ok(measurements)
}

fn one(
    (c, n, f): (usize, usize, usize),
    precision: Precision,
    fuzzifier: f64,
    device: &Device,
    progress: Progress<'_>,
    ceilings: &Ceilings,
) -> Result<Measurement> {
    let cpu = processor(device)?;
    let mut random = Random::new(1);
    let values: Vec<f64> = (0..n * f).map(|_| random.unit()).collect();
    let table = match precision {
        Precision::F64 => Table::unnamed(f, values)?,
        Precision::F32 => Table::unnamed(f, values.iter().map(|x| *x as f32).collect::<Vec<f32>>())?,
    };
    let space = Space::euclidean(&vec![0.5; f], 1.0, precision);
    let centers: Vec<f64> = (0..c * f).map(|_| random.unit() - 0.5).collect();
    let prototypes = Prototypes::new(space, centers, Rule::Fuzzy { fuzzifier });
    let mut rows = Memory { values: table.values(), names: table.names(), weights: None, cpu };
    let seconds = median_host_seconds(progress, || rows.sweep(&[&prototypes], Want::default()).map(drop))?;
    // A difference and a multiply-add per distance, a multiply-add per sum: 3 instructions, of 2 operations each.
    let operations = 6.0 * (c * n * f) as f64;
    let floor = match precision {
        Precision::F32 => Floor { bytes: (4 * n * f) as f64, operations_f32: operations, ..Floor::default() },
        Precision::F64 => Floor { bytes: (8 * n * f) as f64, operations_f64: operations, ..Floor::default() },
    };
    let m = if fuzzifier == 2.0 { String::new() } else { format!("/m{fuzzifier}") };
    let name = format!("clustering/fcm/{precision}/c{c}/{n}x{f}{m}");
    Ok(Measurement::new(name, device, seconds, (n as f64, "samples/s"), floor, ceilings))
}
