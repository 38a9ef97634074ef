//! A rule for each cluster of the training rows.

use super::of_clusters;
use crate::clustering::{self, FuzzyCMeans, Metric, Partition};
use crate::data::Table;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::tuning::antecedents::Antecedents;
use crate::tuning::rows::Samples;
use crate::tuning::settings::{Missing, Start};
use crate::tuning::tuner::Tuner;

/// Sets start no narrower than this share of the range: a cluster on one value would leave the rows beside it to others.
const LEAST_START: f64 = 0.02;

/// Sets about the centers, as wide as the clusters' own deviations.
pub(super) fn antecedents(
    tuner: &Tuner<'_>,
    rules: usize,
    samples: &Samples,
    device: &Device,
) -> Result<Antecedents> {
    if rules == 0 {
        return Err(Error::Parameter { algorithm: "tuning", name: "rules", value: 0.0, must: "at least 1" });
    }
    let inputs = samples.inputs.len();
    let values = (0..samples.training).flat_map(|row| samples.inputs.iter().map(move |column| column[row]));
    let rows = Table::unnamed(inputs, values.collect::<Vec<f64>>())?;
    let missing = match tuner.missing {
        Missing::Error => clustering::Missing::Error,
        Missing::Drop => clustering::Missing::Partial,
    };
    let metric = match tuner.start {
        Start::GustafsonKessel(_) => Metric::GustafsonKessel { volumes: None, regularize: 0.0 },
        _ => Metric::Euclidean,
    };
    let clusters =
        FuzzyCMeans::new(rules).metric(metric).missing(missing).seed(tuner.seed).progress(tuner.progress);
    let partition = match &samples.weights {
        Some(weights) => clusters.fit_weighted(&rows, &weights[..samples.training], device)?,
        None => clusters.fit(&rows, device)?,
    };
    let widths = match &partition.covariances {
        Some(covariances) => {
            let diagonal = |f: &Vec<f64>| (0..inputs).map(|j| f[j * inputs + j]).collect::<Vec<_>>();
            covariances.iter().flat_map(diagonal).collect()
        }
        None => variances(&partition, &rows, samples, device)?,
    };
    let widths: Vec<f64> =
        widths.iter().map(|variance: &f64| variance.max(0.0).sqrt().max(LEAST_START)).collect();
    Ok(of_clusters(tuner.form, inputs, &partition.centers.to_f64(), &widths))
}

/// Σᵢ uₖᵢ²·(xᵢⱼ − vₖⱼ)² / Σᵢ uₖᵢ² over the rows that have input j: the diagonals of the fuzzy covariances.
fn variances(partition: &Partition, rows: &Table, samples: &Samples, device: &Device) -> Result<Vec<f64>> {
    let (inputs, clusters) = (samples.inputs.len(), partition.clusters());
    let (memberships, centers) = (partition.memberships(rows, device)?, partition.centers.to_f64());
    let mut sums = vec![(0.0, 0.0); clusters * inputs];
    for (row, u) in memberships.to_f64().chunks_exact(clusters).enumerate() {
        for (k, u) in u.iter().enumerate() {
            let mass = samples.weight(row) * u * u;
            for (j, column) in samples.inputs.iter().enumerate().filter(|(_, column)| !column[row].is_nan()) {
                let (square, all) = &mut sums[k * inputs + j];
                let off = column[row] - centers[k * inputs + j];
                *square += mass * off * off;
                *all += mass;
            }
        }
    }
    Ok(sums.iter().map(|(square, all)| if *all > 0.0 { square / all } else { 0.0 }).collect())
}
