//! One rule for each cluster of the training rows.

use super::sets::from_clusters;
use crate::clustering::{self, FuzzyCMeans, Metric, Partition};
use crate::data::{Samples, Table};
use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::settings::{InitialRules, MissingInputs, Tuner, out_of_range};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::samples::ScaledSamples;

/// Minimum initial width, as a fraction of the range: a cluster with a single value would not cover nearby rows.
const MIN_INITIAL_WIDTH: f64 = 0.02;
/// Rows copied at a time by one thread.
const ROWS_PER_CHUNK: usize = 1 << 13;

/// Sets at the cluster centers, with the standard deviations of the clusters as widths.
pub(super) fn antecedents(
    tuner: &Tuner,
    rules: usize,
    samples: &ScaledSamples,
    backend: &mut dyn Backend,
    device: &Device,
) -> Result<Antecedents> {
    if rules == 0 {
        return Err(out_of_range("rules", 0.0, "at least 1").into());
    }
    let missing = match tuner.missing {
        MissingInputs::Error => clustering::MissingValues::Error,
        MissingInputs::Drop => clustering::MissingValues::Partial,
    };
    let metric = match tuner.initial_rules {
        InitialRules::GustafsonKessel(_) => Metric::GustafsonKessel { volumes: None, regularize: 0.0 },
        _ => Metric::Euclidean,
    };
    let settings = FuzzyCMeans::new(rules).metric(metric).missing(missing).seed(tuner.seed);
    let (partition, variances) = match backend.fit_clusters(&settings)? {
        Some(fitted) => fitted,
        None => {
            let partition = settings.fit(weighted(&input_rows(samples, device)?, samples)?, device)?;
            let variances = match &partition.covariances {
                Some(_) => None,
                None => backend.cluster_variances(&partition.centers.to_f64())?,
            };
            (partition, variances)
        }
    };
    let inputs = samples.inputs.len();
    let widths = match (&partition.covariances, variances) {
        (Some(covariances), _) => {
            let diagonal = |f: &Vec<f64>| (0..inputs).map(|j| f[j * inputs + j]).collect::<Vec<_>>();
            covariances.iter().flat_map(diagonal).collect()
        }
        (None, Some(variances)) => variances,
        (None, None) => mean_squares(&variance_sums(&partition, samples, device)?),
    };
    let widths: Vec<f64> =
        widths.iter().map(|variance: &f64| variance.max(0.0).sqrt().max(MIN_INITIAL_WIDTH)).collect();
    Ok(from_clusters(tuner.form, inputs, &partition.centers.to_f64(), &widths))
}

/// The scaled inputs of the training rows.
pub(in crate::tuning) fn input_rows(samples: &ScaledSamples, device: &Device) -> Result<Table> {
    let inputs = samples.inputs.len();
    let mut values = vec![0.0; samples.training * inputs];
    device.host_cpu().fill_chunks(&mut values, inputs, ROWS_PER_CHUNK, |first, rows| {
        for (row, values) in rows.chunks_exact_mut(inputs).enumerate() {
            values.iter_mut().zip(&samples.inputs).for_each(|(x, column)| *x = column[first + row]);
        }
    });
    Ok(Table::unnamed(inputs, values)?)
}

/// The rows with the weights of the training rows.
pub(in crate::tuning) fn weighted<'a>(rows: &'a Table, samples: &'a ScaledSamples) -> Result<Samples<'a>> {
    Ok(match &samples.weights {
        Some(weights) => rows.samples().with_weights(&weights[..samples.training])?,
        None => rows.samples(),
    })
}

/// Σᵢ uₖᵢ²·(xᵢⱼ − vₖⱼ)² and Σᵢ uₖᵢ² over the training rows where input j is present, for every center v and input.
pub(in crate::tuning) fn variance_sums(
    partition: &Partition,
    samples: &ScaledSamples,
    device: &Device,
) -> Result<Vec<[f64; 2]>> {
    let (inputs, clusters) = (samples.inputs.len(), partition.clusters());
    let memberships = partition.memberships(&input_rows(samples, device)?, device)?;
    let centers = partition.centers.to_f64();
    let mut sums = vec![[0.0, 0.0]; clusters * inputs];
    for (row, u) in memberships.to_f64().chunks_exact(clusters).enumerate() {
        for (k, u) in u.iter().enumerate() {
            let weight = samples.weight(row) * u * u;
            for (j, column) in samples.inputs.iter().enumerate().filter(|(_, column)| !column[row].is_nan()) {
                let [square, all] = &mut sums[k * inputs + j];
                let difference = column[row] - centers[k * inputs + j];
                *square += weight * difference * difference;
                *all += weight;
            }
        }
    }
    Ok(sums)
}

/// Diagonals of the fuzzy covariances, from their sums.
pub(in crate::tuning) fn mean_squares(sums: &[[f64; 2]]) -> Vec<f64> {
    sums.iter().map(|[square, all]| if *all > 0.0 { square / all } else { 0.0 }).collect()
}
