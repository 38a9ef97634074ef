//! Two ways to learn rules from a table, beside each other while its inputs grow more: consequents that are solved for
//! around a few clusters, and a network that grows sample by sample.

use crate::data::Table;
use crate::device::measure::{Floor, Measurement};
use crate::device::{Ceilings, Device};
use crate::error::Result;
use crate::progress::Progress;
use crate::random::Random;
use crate::sonfin::{Growth, Sonfin};
use crate::tuning::{Start, Tuner};
use std::time::Instant;

/// Rows that are learned, and as many to find the error on.
const ROWS: usize = 4096;
/// Inputs of the table, of which [`MATTER`] matter.
const INPUTS: [usize; 5] = [5, 10, 25, 50, 100];
/// Friedman's function looks at so many.
const MATTER: usize = 5;
/// Clusters whose planes are solved for, and iterations that move them.
const PLANES: (usize, usize) = (8, 10);
/// Rules that grow, and epochs.
const GROWN: (usize, usize) = (128, 10);

pub(super) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut measurements = Vec::new();
    for inputs in INPUTS {
        let (known, fresh) = (friedman(inputs, 1)?, friedman(inputs, 2)?);
        let target = fresh.column("y")?;
        let mut note = |name: &str, seconds: f64, rules: usize, predicted: Vec<f64>| {
            let name = format!("tuning/learners/{inputs} inputs/{name}");
            let amount = (ROWS as f64, "rows/s");
            let mut one = Measurement::new(name, device, seconds, amount, Floor::default(), &ceilings);
            one.runs = 1;
            let error = relative_error(&predicted, &target);
            one.note = Some(format!("{seconds:.2} s, {rules} rules, error {error:.3} of the deviation"));
            measurements.push(one);
        };
        let (clusters, iterations) = PLANES;
        let tuner = Tuner::new(Start::FuzzyCMeans(clusters)).iterations(iterations).progress(progress);
        let (seconds, tuned) = second(|| tuner.fit(&known, &["y"], device))?;
        note("planes", seconds, clusters, tuned.predict(&fresh, device)?.column("y")?);
        let (rules, epochs) = GROWN;
        let sonfin = Sonfin::new().growth(Growth::Budget(rules)).epochs(epochs).progress(progress);
        let (seconds, grown) = second(|| sonfin.fit(&known, &["y"], device))?;
        note("grown", seconds, grown.rule_count(), grown.predict(&fresh, device)?.column("y")?);
    }
    Ok(measurements)
}

/// The seconds and the outcome of the second of two fits: in the first a GPU compiles its kernels.
fn second<M>(fit: impl Fn() -> Result<M>) -> Result<(f64, M)> {
    fit()?;
    let clock = Instant::now();
    let model = fit()?;
    Ok((clock.elapsed().as_secs_f64(), model))
}

/// Uniform inputs and, with noise of a fifth of its deviation, 10 sin(π x₁x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅.
///
/// Source: J. H. Friedman, *Multivariate Adaptive Regression Splines*, 1991.
fn friedman(inputs: usize, seed: u64) -> Result<Table> {
    let mut random = Random::new(seed);
    let mut values = Vec::with_capacity(ROWS * (inputs + 1));
    for _ in 0..ROWS {
        let x: Vec<f64> = (0..inputs.max(MATTER)).map(|_| random.unit()).collect();
        let y = 10.0 * (std::f64::consts::PI * x[0] * x[1]).sin() + 20.0 * (x[2] - 0.5).powi(2);
        // Twelve uniform numbers have the deviation 1 together.
        let noise: f64 = (0..12).map(|_| random.unit() - 0.5).sum();
        values.extend(&x);
        values.push(y + 10.0 * x[3] + 5.0 * x[4] + noise);
    }
    let names = (1..=inputs.max(MATTER)).map(|j| format!("x{j}")).chain(["y".to_owned()]);
    Table::new(names, values)
}

/// The root mean square of what is wrong, in deviations of the target.
fn relative_error(found: &[f64], target: &[f64]) -> f64 {
    let n = target.len() as f64;
    let mean = target.iter().sum::<f64>() / n;
    let deviation = target.iter().map(|y| (y - mean).powi(2)).sum::<f64>();
    (found.iter().zip(target).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / deviation).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_of_the_mean_has_the_error_of_one_deviation() {
        let target = [1.0, 2.0, 6.0];
        assert!((relative_error(&[3.0; 3], &target) - 1.0).abs() < 1e-15);
        assert_eq!(relative_error(&target, &target), 0.0);
    }

    #[test]
    fn friedmans_function_has_its_known_mean() {
        // ∫∫ 10 sin(π xy) is 5.2466, and the rest 20/12 + 5 + 2.5.
        let y = friedman(7, 3).unwrap().column("y").unwrap();
        let mean = y.iter().sum::<f64>() / y.len() as f64;
        assert!((mean - 14.4133).abs() < 0.32, "{mean}"); // four deviations of such a mean
    }
}
