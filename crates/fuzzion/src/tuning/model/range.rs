//! Rows unlike the training rows, and the rules that fire.

use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;

/// Rows per task of one thread.
const CHUNK_ROWS: usize = 1 << 10;
/// Rounding errors of scaled inputs and of log firing strengths.
const TOLERANCE: f64 = 1e-9;

/// How a row differs from all training rows; see [`TunedSystem::outside_range`].
///
/// ```
/// use fuzzion::tuning::OutsideRange;
/// assert!(!OutsideRange::default().is_outside());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutsideRange {
    /// Indices of the inputs outside their range in the training rows.
    pub inputs: Vec<usize>,
    /// Whether all rules fire more weakly than the strongest rule of any training row: the row is far from all rules, although
    /// its inputs may be in range.
    pub far_from_rules: bool,
}

impl OutsideRange {
    /// Whether the row differs from all training rows.
    pub fn is_outside(&self) -> bool {
        self.far_from_rules || !self.inputs.is_empty()
    }
}

/// A rule and its normalized firing strength; see [`TunedSystem::fired_rules`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleStrength {
    /// Index of the rule.
    pub rule: usize,
    /// Normalized firing strength φ: the fraction of the rule in the output.
    pub strength: f64,
}

impl TunedSystem {
    /// For every row, whether it lies outside of the training data, where predictions are extrapolations.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..100).flat_map(|i| [f64::from(i % 10), f64::from(i / 10), f64::from(i)]).collect();
    /// let device = Device::cpu()?;
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["a", "b", "y"], rows)?, &["y"], &device)?;
    /// let outside = tuned.outside_range(&Table::new(["a", "b"], vec![9.0, 0.0, 3.0, -2.0])?, &device)?;
    /// assert!(!outside[0].is_outside());
    /// assert_eq!(outside[1].inputs, [1]); // b
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TuningError::Data`](crate::tuning::TuningError::Data) as for [`TunedSystem::predict`].
    pub fn outside_range<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<Vec<OutsideRange>> {
        let of_row = |x: &[f64]| {
            let is_outside = |input: &usize| x[*input] < -TOLERANCE || x[*input] > 1.0 + TOLERANCE;
            let far_from_rules = self.min_ln_strength.is_some_and(|min| {
                self.network.antecedents.ln_strength(x) < min - TOLERANCE * (1.0 + min.abs())
            });
            OutsideRange { inputs: (0..x.len()).filter(is_outside).collect(), far_from_rules }
        };
        self.for_rows(&host_samples(samples)?, device, of_row)
    }

    /// For every row, the `count` rules with the largest normalized firing strengths, strongest first; rules that do not fire
    /// are omitted.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
    /// let device = Device::cpu()?;
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["x", "y"], rows)?, &["y"], &device)?;
    /// let fired = tuned.fired_rules(&Table::new(["x"], vec![9.0])?, 1, &device)?;
    /// assert_eq!(fired[0][0].rule, 1); // if x is high
    /// assert!(fired[0][0].strength > 0.5);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TuningError::Data`](crate::tuning::TuningError::Data) as for [`TunedSystem::predict`].
    pub fn fired_rules<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        count: usize,
        device: &Device,
    ) -> Result<Vec<Vec<RuleStrength>>> {
        let of_row = |x: &[f64]| {
            let strengths = self.network.antecedents.firing(x).into_iter().enumerate();
            let fired = strengths.filter(|(_, strength)| *strength > 0.0);
            let mut fired: Vec<RuleStrength> =
                fired.map(|(rule, strength)| RuleStrength { rule, strength }).collect();
            fired.sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.rule.cmp(&b.rule)));
            fired.truncate(count);
            fired
        };
        self.for_rows(&host_samples(samples)?, device, of_row)
    }

    /// Results of `of_row` for the scaled inputs of each row.
    fn for_rows<R: Send>(
        &self,
        samples: &Samples<'_>,
        device: &Device,
        of_row: impl Fn(&[f64]) -> R + Sync,
    ) -> Result<Vec<R>> {
        let inputs = self.scaled_inputs(samples)?;
        let chunks = device.host_cpu().map_chunks(samples.rows(), CHUNK_ROWS, |rows| {
            let mut x = vec![0.0; inputs.len()];
            let of_row = |row: usize| {
                x.iter_mut().zip(&inputs).for_each(|(x, column)| *x = column[row]);
                of_row(&x)
            };
            rows.map(of_row).collect::<Vec<R>>()
        });
        Ok(chunks.into_iter().flatten().collect())
    }
}
