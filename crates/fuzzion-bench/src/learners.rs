//! Comparison of two learners for an increasing number of inputs: least-squares consequents of rules from clusters
//! (`tuning`), and a network that adds rules sample by sample (`sonfin`).

use crate::device::{Ceilings, Measurement, MinimumWork};
use fuzzion::internals::Random;
use fuzzion::sonfin::{Growth, Sonfin};
use fuzzion::tuning::{InitialRules, Tuner};
use fuzzion::{Device, Progress, Result, Table};
use std::time::Instant;

/// Number of training rows, and of test rows.
const ROWS: usize = 4096;
/// Numbers of inputs of the tables.
const INPUTS: [usize; 5] = [5, 10, 25, 50, 100];
/// Number of inputs that Friedman's function depends on.
const RELEVANT: usize = 5;
/// Settings of the tuner.
const CLUSTERS: usize = 8;
const ITERATIONS: usize = 10;
/// Settings of the network.
const MAX_RULES: usize = 128;
const EPOCHS: usize = 10;

pub(super) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut measurements = Vec::new();
    for inputs in INPUTS {
        let (training, test) = (friedman(inputs, 1)?, friedman(inputs, 2)?);
        let target = test.column("y")?;
        let mut note = |name: &str, seconds: f64, rules: usize, predicted: Vec<f64>| {
            let name = format!("tuning/learners/{inputs} inputs/{name}");
            let amount = (ROWS as f64, "rows/s");
            let mut one = Measurement::new(name, device, seconds, amount, MinimumWork::default(), &ceilings);
            one.runs = 1;
            let error = relative_error(&predicted, &target);
            one.note = Some(format!("{seconds:.2} s, {rules} rules, error {error:.3} standard deviations"));
            measurements.push(one);
        };
        let tuner = Tuner::new(InitialRules::FuzzyCMeans(CLUSTERS)).iterations(ITERATIONS);
        let (seconds, tuned) = time_second_run(|| Ok(tuner.fit(&training, &["y"], device)?))?;
        note("planes", seconds, CLUSTERS, tuned.predict(&test, device)?.column("y")?);
        let sonfin = Sonfin::new().growth(Growth::Budget(MAX_RULES)).epochs(EPOCHS);
        let (seconds, grown) = time_second_run(|| Ok(sonfin.fit(&training, &["y"], device)?))?;
        note("grown", seconds, grown.rule_count(), grown.predict(&test, device)?.column("y")?);
    }
    Ok(measurements)
}

/// Seconds and result of the second of two fits, since the first one compiles the GPU kernels.
fn time_second_run<M>(fit: impl Fn() -> Result<M>) -> Result<(f64, M)> {
    fit()?;
    let clock = Instant::now();
    let model = fit()?;
    Ok((clock.elapsed().as_secs_f64(), model))
}

/// Uniform inputs and y = 10 sin(π x₁x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ + noise, where the standard deviation of the
/// noise is a fifth of that of y.
///
/// Source: J. H. Friedman, *Multivariate Adaptive Regression Splines*, 1991.
pub fn friedman(inputs: usize, seed: u64) -> Result<Table> {
    let mut random = Random::new(seed);
    let mut values = Vec::with_capacity(ROWS * (inputs + 1));
    for _ in 0..ROWS {
        let x: Vec<f64> = (0..inputs.max(RELEVANT)).map(|_| random.unit()).collect();
        let y = 10.0 * (std::f64::consts::PI * x[0] * x[1]).sin() + 20.0 * (x[2] - 0.5).powi(2);
        // The sum of twelve uniform numbers has a standard deviation of 1.
        let noise: f64 = (0..12).map(|_| random.unit() - 0.5).sum();
        values.extend(&x);
        values.push(y + 10.0 * x[3] + 5.0 * x[4] + noise);
    }
    let names = (1..=inputs.max(RELEVANT)).map(|j| format!("x{j}")).chain(["y".to_owned()]);
    Ok(Table::new(names, values)?)
}

/// Root mean square error in standard deviations of the target.
pub fn relative_error(found: &[f64], target: &[f64]) -> f64 {
    let n = target.len() as f64;
    let mean = target.iter().sum::<f64>() / n;
    let deviation = target.iter().map(|y| (y - mean).powi(2)).sum::<f64>();
    (found.iter().zip(target).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / deviation).sqrt()
}
