//! Recursive least squares (RLS): updates the consequents row by row; on the CPU only.
//!
//! g = P·φ / (λ/w + φᵀPφ), θ ← θ + g·(y − φᵀθ), P ← (P − g·φᵀP)/λ, with forgetting factor λ and row weight w. Without
//! forgetting (λ = 1), this is the batch solution of Equation (3), except for the influence of the initial P.
//!
//! Source: L. Ljung, T. Söderström, *Theory and Practice of Recursive Identification*, 1983.

use crate::base::SettingError;
use crate::data::{Samples, host_samples};
use crate::stop::Stop;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::network::Network;
use crate::tuning::report::TuningReport;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::{Descent, DescentSettings};
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::step::StepState;

/// Initial diagonal of P: a prior with weight 1e-8 for each unknown.
const INITIAL_P: f64 = 1e8;
/// Ridge for inverting the normal equations.
const RIDGE: f64 = 1e-12;

/// P and λ of the recursion.
#[derive(Clone, Debug, PartialEq)]
struct RlsFilter {
    /// P, unknowns × unknowns, symmetric.
    p: Vec<f64>,
    forgetting: f64,
}

impl RlsFilter {
    fn new(unknowns: usize, forgetting: f64) -> Self {
        let mut p = vec![0.0; unknowns * unknowns];
        (0..unknowns).for_each(|m| p[m * unknowns + m] = INITIAL_P);
        RlsFilter { p, forgetting }
    }

    /// Updates P and the consequents with the training rows, in order.
    fn pass(&mut self, network: &mut Network, samples: &ScaledSamples) {
        let mut theta = std::mem::take(&mut network.theta);
        for row in 0..samples.training {
            let phi = network.design_row(&samples.inputs_of(row));
            self.update(&phi, &samples.targets_of(row), samples.weight(row), &mut theta);
        }
        network.theta = theta;
    }

    /// Updates P and `theta`, the consequents of all outputs, with one row.
    fn update(&mut self, phi: &[f64], targets: &[f64], weight: f64, theta: &mut [f64]) {
        if weight == 0.0 {
            return;
        }
        let n = phi.len();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let p_phi: Vec<f64> = self.p.chunks_exact(n).map(|row| dot(row, phi)).collect();
        let scale = 1.0 / (self.forgetting / weight + dot(phi, &p_phi));
        for (theta, y) in theta.chunks_exact_mut(n).zip(targets) {
            let error = (y - dot(phi, theta)) * scale;
            theta.iter_mut().zip(&p_phi).for_each(|(theta, g)| *theta += g * error);
        }
        // Both triangles store the same product, so P stays exactly symmetric. Without excitation, forgetting would
        // let P grow without bound; it is limited to its initial value.
        let inverse = 1.0 / self.forgetting;
        for a in 0..n {
            for b in 0..=a {
                let value = self.p[a * n + b] - p_phi[a] * p_phi[b] * scale;
                self.p[a * n + b] = value;
                self.p[b * n + a] = value;
            }
        }
        let largest = (0..n).map(|m| self.p[m * n + m]).fold(0.0, f64::max);
        if self.forgetting < 1.0 && largest * inverse <= INITIAL_P {
            self.p.iter_mut().for_each(|p| *p *= inverse);
        }
    }
}

/// One pass over the training rows, in order, starting from zero consequents.
pub(in crate::tuning) fn one_pass(
    samples: &ScaledSamples,
    backend: &mut dyn Backend,
    mut network: Network,
    settings: &DescentSettings,
    forgetting: f64,
) -> Result<Descent> {
    RlsFilter::new(network.unknowns(), forgetting).pass(&mut network, samples);
    evaluated(network, backend, settings)
}

/// The finished descent of a network that is not trained any further.
pub(in crate::tuning) fn evaluated(
    network: Network,
    backend: &mut dyn Backend,
    settings: &DescentSettings,
) -> Result<Descent> {
    let mut descent = Descent::new(network, StepState::new(Default::default(), settings.rate, 0), false);
    descent.record(&backend.loss_and_gradient(&descent.network, settings.loss)?, settings);
    descent.stop = Some(Stop::MaxIterations);
    Ok(descent)
}

/// Tuned system whose consequents are updated by recursive least squares; the sets do not change.
///
/// ```
/// use fuzzion::{Device, Table, tuning::{RecursiveLeastSquares, Tuner}};
/// let rows = |slope: f64| {
///     let values: Vec<f64> = (0..40).flat_map(|i| [f64::from(i) / 40.0, slope * f64::from(i) / 40.0]).collect();
///     Table::new(["x", "y"], values)
/// };
/// let device = Device::cpu()?;
/// let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows(1.0)?, &["y"], &device)?;
/// let mut stream = RecursiveLeastSquares::new(&tuned, 0.9)?;
/// stream.partial_fit(&rows(3.0)?)?; // the slope has changed
/// stream.partial_fit(&rows(3.0)?)?;
/// let y = stream.tuned_system()?.predict(&Table::new(["x"], vec![0.5])?, &device)?;
/// assert!((y.column("y")?[0] - 1.5).abs() < 1e-3);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecursiveLeastSquares {
    tuned: TunedSystem,
    filter: RlsFilter,
}

impl RecursiveLeastSquares {
    /// Starts from the consequents of `tuned` with a weak prior, so that the first rows outweigh them. Predictions are not bounded. A forgetting
    /// factor of 1 weights all rows equally; 0.99 has an effective memory of about 100 rows.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] for a forgetting factor outside (0, 1], [`SettingError::Conflict`] for a system
    /// trained with cross-entropy.
    pub fn new(tuned: &TunedSystem, forgetting: f64) -> Result<Self> {
        if !(forgetting > 0.0 && forgetting <= 1.0) {
            let (algorithm, name) = ("recursive least squares", "forgetting");
            let must = "above 0 and at most 1";
            return Err(SettingError::OutOfRange { algorithm, name, value: forgetting, must }.into());
        }
        if tuned.softmax {
            return Err(SettingError::Conflict { a: "cross-entropy", b: "recursive least squares" }.into());
        }
        let filter = RlsFilter::new(tuned.network.unknowns(), forgetting);
        // The new rows may be outside of the range of the rows of the fit.
        let report = TuningReport { bounded: false, ..tuned.report.clone() };
        let tuned = TunedSystem { bounded: false, calibration: None, report, ..tuned.clone() };
        Ok(RecursiveLeastSquares { tuned, filter })
    }

    /// Like [`RecursiveLeastSquares::new`], but continues from the least-squares solution of `normal_equations`.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{RecursiveLeastSquares, Tuner}};
    /// let rows: Vec<f64> = (0..40).flat_map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
    /// let (rows, device) = (Table::new(["x", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows, &["y"], &device)?;
    /// let past = tuned.normal_equations(&rows, &device)?;
    /// let mut stream = RecursiveLeastSquares::from_normal_equations(&tuned, &past, 1.0)?;
    /// stream.partial_fit(&Table::new(["x", "y"], vec![20.0, 50.0])?)?; // one outlier among 41 rows
    /// let y = stream.tuned_system()?.predict(&Table::new(["x"], vec![20.0])?, &device)?;
    /// assert!((y.column("y")?[0] - 40.0).abs() < 1.0);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`RecursiveLeastSquares::new`] and [`TunedSystem::refit`].
    pub fn from_normal_equations(
        tuned: &TunedSystem,
        normal_equations: &NormalEquations,
        forgetting: f64,
    ) -> Result<Self> {
        let mut stream = RecursiveLeastSquares::new(&tuned.refit(normal_equations, RIDGE)?, forgetting)?;
        let n = normal_equations.unknowns;
        let mut cross = vec![0.0; n * n];
        (0..n).for_each(|m| cross[m * n + m] = 1.0);
        let inverse = NormalEquations { outputs: n, cross, ..normal_equations.clone() };
        let solved = solve(&inverse, RIDGE).theta;
        for a in 0..n {
            // Unknowns without data keep the initial P.
            if solved[a * n + a] > 0.0 {
                (0..n)
                    .for_each(|b| stream.filter.p[a * n + b] = 0.5 * (solved[a * n + b] + solved[b * n + a]));
            }
        }
        Ok(stream)
    }

    /// Updates the consequents with the rows of `samples`, in order, with their weights, if any. The input and target
    /// columns of the fit are required.
    ///
    /// # Errors
    /// Those of [`TunedSystem::normal_equations`]; the consequents are then unchanged.
    pub fn partial_fit<'a>(&mut self, samples: impl Into<Samples<'a>>) -> Result<()> {
        let samples = self.tuned.scaled_samples(&host_samples(samples)?)?;
        self.filter.pass(&mut self.tuned.network, &samples);
        Ok(())
    }

    /// The system with the current consequents, and the report of the original fit.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if a consequent is no longer finite.
    pub fn tuned_system(&self) -> Result<TunedSystem> {
        self.tuned.with_rebuilt_system()
    }
}
