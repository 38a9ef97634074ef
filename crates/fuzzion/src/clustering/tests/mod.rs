mod distributed;
pub(super) mod emulated;
mod errors;
mod extremes;
mod golden;
#[cfg(feature = "cuda")]
mod gpu_only;
mod indices;
mod laws;
mod results;
mod shared_passes;
mod tensor;
mod variants;

use super::*;
use crate::data::Table;
use crate::device::Device;
use crate::random::Random;

pub(super) fn cpu() -> Device {
    Device::cpu().unwrap()
}

/// Approximately normal clouds (sums of uniform numbers) of `rows` rows around each of `centers`.
pub(super) fn clouds(centers: &[[f64; 2]], rows: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut values = Vec::new();
    for center in centers {
        for _ in 0..rows {
            values.extend(center.map(|c| c + (0..4).map(|_| random.between(-0.5, 0.5)).sum::<f64>()));
        }
    }
    values
}

pub(super) fn table(columns: usize, values: &[f64]) -> Table {
    Table::unnamed(columns, values.to_vec()).unwrap()
}

pub(super) fn centers_of(partition: &Partition) -> Vec<f64> {
    partition.centers.to_f64().into_owned()
}

/// Largest absolute difference of two lists of equal length.
pub(super) fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
