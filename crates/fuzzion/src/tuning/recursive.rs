//! Recursive least squares: consequents that follow a stream of rows, one row at a time.
//!
//! g = P·φ / (λ/w + φᵀPφ), θ ← θ + g·(y − φᵀθ), P ← (P − g·φᵀP)/λ, λ the forgetting factor and w the row's weight. With
//! λ = 1 this is the batch solution of equation (3), but for the start that P stands for.
//! Source: L. Ljung, T. Söderström, *Theory and Practice of Recursive Identification*, 1983.

use super::descent::{Course, Descent};
use super::network::Network;
use super::report::Stop;
use super::rows::{Rows, Samples};
use super::solve::solve;
use super::statistics::Statistics;
use super::step::Pace;
use super::tuned::Tuned;
use crate::data::Table;
use crate::error::{Error, Result};

/// P of consequents that nothing is known of: as if each had been seen to be what it is once, with a 10⁸th of a weight.
const UNKNOWN: f64 = 1e8;
/// The ridge under which known sums are inverted.
const RIDGE: f64 = 1e-12;

/// P and λ of the recursion.
#[derive(Clone, Debug, PartialEq)]
struct Filter {
    /// P, unknowns × unknowns, symmetric.
    p: Vec<f64>,
    forgetting: f64,
}

impl Filter {
    fn new(unknowns: usize, forgetting: f64) -> Self {
        let mut p = vec![0.0; unknowns * unknowns];
        (0..unknowns).for_each(|m| p[m * unknowns + m] = UNKNOWN);
        Filter { p, forgetting }
    }

    /// Learns one row; `theta` holds the consequents of each output.
    fn update(&mut self, phi: &[f64], targets: &[f64], weight: f64, theta: &mut [f64]) {
        if weight == 0.0 {
            return;
        }
        let n = phi.len();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let turned: Vec<f64> = self.p.chunks_exact(n).map(|row| dot(row, phi)).collect();
        let scale = 1.0 / (self.forgetting / weight + dot(phi, &turned));
        for (theta, y) in theta.chunks_exact_mut(n).zip(targets) {
            let error = (y - dot(phi, theta)) * scale;
            theta.iter_mut().zip(&turned).for_each(|(theta, g)| *theta += g * error);
        }
        // Both halves are written from one product: P stays symmetric to the bit. Forgetting what no row speaks of would let
        // P grow without end; it does not grow beyond not knowing.
        let inverse = 1.0 / self.forgetting;
        for a in 0..n {
            for b in 0..=a {
                let value = self.p[a * n + b] - turned[a] * turned[b] * scale;
                self.p[a * n + b] = value;
                self.p[b * n + a] = value;
            }
        }
        let largest = (0..n).map(|m| self.p[m * n + m]).fold(0.0, f64::max);
        if self.forgetting < 1.0 && largest * inverse <= UNKNOWN {
            self.p.iter_mut().for_each(|p| *p *= inverse);
        }
    }
}

/// One pass over the training rows, in their order, from consequents that are 0.
pub(super) fn one_pass(
    samples: &Samples,
    rows: &mut dyn Rows,
    mut network: Network,
    course: &Course,
    forgetting: f64,
) -> Result<Descent> {
    let mut filter = Filter::new(network.unknowns(), forgetting);
    let mut theta = std::mem::take(&mut network.theta);
    for row in 0..samples.training {
        let phi = network.row(&samples.inputs_of(row));
        filter.update(&phi, &samples.targets_of(row), samples.weight(row), &mut theta);
    }
    network.theta = theta;
    let mut descent = Descent::new(network, Pace::new(Default::default(), course.rate, 0), false);
    descent.record(&rows.slope(&descent.network, course.loss)?, course);
    descent.stop = Some(Stop::MaxIterations);
    Ok(descent)
}

/// A tuned system whose consequents follow a stream of rows; its sets stay.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{Recursive, Tuner}};
/// let rows = |slope: f64| {
///     let values: Vec<f64> = (0..40).flat_map(|i| [f64::from(i) / 40.0, slope * f64::from(i) / 40.0]).collect();
///     Table::new(["x", "y"], values)
/// };
/// let device = Device::cpu()?;
/// let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows(1.0)?, &["y"], &device)?;
/// let mut stream = Recursive::new(&tuned, 0.9)?;
/// stream.partial_fit(&rows(3.0)?)?; // the world has changed
/// stream.partial_fit(&rows(3.0)?)?;
/// let y = stream.tuned()?.predict(&Table::new(["x"], vec![0.5])?, &device)?;
/// assert!((y.column("y")?[0] - 1.5).abs() < 1e-3);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recursive {
    tuned: Tuned,
    filter: Filter,
}

impl Recursive {
    /// A stream that begins at the consequents of `tuned` and takes them for a guess: its first rows outweigh them.
    /// A forgetting factor of 1 forgets nothing, one of 0.99 remembers about a hundred rows.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a forgetting factor outside (0, 1], [`Error::NotTogether`] for a softmax.
    pub fn new(tuned: &Tuned, forgetting: f64) -> Result<Self> {
        if !(forgetting > 0.0 && forgetting <= 1.0) {
            let (algorithm, name) = ("recursive least squares", "forgetting factor");
            let must = "above 0 and at most 1";
            return Err(Error::Parameter { algorithm, name, value: forgetting, must });
        }
        if tuned.softmax {
            return Err(Error::NotTogether { a: "cross-entropy", b: "recursive least squares" });
        }
        let filter = Filter::new(tuned.network.unknowns(), forgetting);
        Ok(Recursive { tuned: tuned.clone(), filter })
    }

    /// As [`Recursive::new`], knowing the rows that `statistics` are of: the stream goes on where their least squares ended.
    ///
    /// # Errors
    /// As there, and [`Error::StatisticsShape`] or [`Error::StatisticsParts`] where they are not of this system.
    pub fn after(tuned: &Tuned, statistics: &Statistics, forgetting: f64) -> Result<Self> {
        let mut stream = Recursive::new(&tuned.refit(statistics, RIDGE)?, forgetting)?;
        let n = statistics.unknowns;
        let mut cross = vec![0.0; n * n];
        (0..n).for_each(|m| cross[m * n + m] = 1.0);
        let inverse = Statistics { outputs: n, cross, ..statistics.clone() };
        let solved = solve(&inverse, RIDGE).theta;
        for a in 0..n {
            // An unknown that no row speaks of has no place in the inverse, and is not known.
            if solved[a * n + a] > 0.0 {
                (0..n)
                    .for_each(|b| stream.filter.p[a * n + b] = 0.5 * (solved[a * n + b] + solved[b * n + a]));
            }
        }
        Ok(stream)
    }

    /// Learns the rows of `samples`, which has the inputs and targets that were tuned, in their order.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::LearnedColumn`] and [`Error::NotFinite`]; nothing is learned then.
    pub fn partial_fit(&mut self, samples: &Table) -> Result<()> {
        let samples = self.tuned.samples(samples, None)?;
        let mut theta = std::mem::take(&mut self.tuned.network.theta);
        for row in 0..samples.rows() {
            let phi = self.tuned.network.row(&samples.inputs_of(row));
            self.filter.update(&phi, &samples.targets_of(row), 1.0, &mut theta);
        }
        self.tuned.network.theta = theta;
        Ok(())
    }

    /// The system as it is now; the report is that of the fit it began with.
    ///
    /// # Errors
    /// [`Error::Parameter`] where a consequent has grown beyond all numbers.
    pub fn tuned(&self) -> Result<Tuned> {
        self.tuned.renewed()
    }
}
