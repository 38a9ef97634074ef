//! Fitting a model to samples, and resuming an interrupted fit.

use super::growth::fit_growing;
use super::prepare::{Prepared, samples_for};
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::sonfin::algorithm::{continue_training, fit_prepared};
use crate::sonfin::backend::BackEnd;
use crate::sonfin::error::{Result, SonfinError};
use crate::sonfin::model::Model;
use crate::sonfin::settings::Sonfin;

impl Sonfin {
    /// Trains a network that predicts the columns `targets` from the input columns. Of several GPUs, the first one is used,
    /// because every step depends on the previous one; [`Sonfin::fit_auto`] uses all of them for its search.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::Sonfin};
    /// let rows = Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?;
    /// // With learning rates of 0, the network is one rule per row.
    /// let sonfin = Sonfin::new().rate_w(0.0).rate_m(0.0).rate_s(0.0);
    /// let model = sonfin.fit(&rows, &["y"], &Device::cpu()?)?;
    /// assert_eq!(model.rule_count(), 2);
    /// let middle = model.predict(&Table::new(["x"], vec![0.5])?, &Device::cpu()?)?;
    /// assert_eq!(middle.column("y")?, [15.0]); // both rules fire equally
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] and [`SettingError::Conflict`] for invalid settings or sample weights, which are not
    /// supported, [`DataError::UnknownColumn`], [`DataError::TrainingColumn`], [`DataError::NotFinite`],
    /// [`DataError::ClassCount`] and [`SonfinError::Interrupted`].
    ///
    /// [`SettingError::OutOfRange`]: crate::SettingError::OutOfRange
    /// [`SettingError::Conflict`]: crate::SettingError::Conflict
    /// [`DataError::UnknownColumn`]: crate::data::DataError::UnknownColumn
    /// [`DataError::TrainingColumn`]: crate::data::DataError::TrainingColumn
    /// [`DataError::NotFinite`]: crate::data::DataError::NotFinite
    /// [`DataError::ClassCount`]: crate::data::DataError::ClassCount
    pub fn fit<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        targets: &[&str],
        device: &Device,
    ) -> Result<Model> {
        self.fit_with_checkpoints(samples, targets, device, |_| Ok(()))
    }

    /// Like [`Sonfin::fit`], and calls `checkpoint` with the model after each epoch and once more before returning
    /// [`SonfinError::Interrupted`]. The model can be saved and [resumed](Model::resume) later. A network that chooses its
    /// number of rules ([`Growth::Auto`]) has no checkpoints.
    ///
    /// [`Growth::Auto`]: crate::sonfin::Growth::Auto
    ///
    /// An error of `checkpoint` ends the fit and is returned. To end it for another reason, return
    /// [`SonfinError::Interrupted`].
    ///
    /// ```
    /// use fuzzion::{Device, sonfin::{Classify, Growth, Sonfin, two_spirals}};
    /// let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(10)).epochs(3);
    /// let mut epochs = Vec::new();
    /// sonfin.fit_with_checkpoints(&two_spirals(20)?, &["arm"], &Device::cpu()?, |model| {
    ///     epochs.push(model.report.epochs); // or `model.save(path)`
    ///     Ok(())
    /// })?;
    /// assert_eq!(epochs, [1, 2, 3]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Sonfin::fit`] and of `checkpoint`.
    pub fn fit_with_checkpoints<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        targets: &[&str],
        device: &Device,
        mut checkpoint: impl FnMut(&Model) -> Result<()>,
    ) -> Result<Model> {
        self.check()?;
        let samples = host_samples(samples)?;
        if self.grows_by_itself() {
            return fit_growing(self, &samples, targets, device);
        }
        let sonfin = self.with_growth();
        let prepared = Prepared::new(&sonfin, &samples, targets)?;
        fit_prepared(&sonfin, &prepared, &BackEnd::new(&prepared.samples, device), &mut checkpoint)
    }
}

impl Model {
    /// Resumes an interrupted fit on the same rows; the result is bit-identical to an uninterrupted fit. If
    /// interrupted again, the model keeps the progress made so far.
    ///
    /// ```
    /// use fuzzion::{Device, Error, sonfin::{Classify, Growth, Sonfin, SonfinError, two_spirals}};
    /// let (spirals, device) = (two_spirals(20)?, Device::cpu()?);
    /// let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(10)).epochs(3);
    /// let mut saved = None;
    /// let interrupted = sonfin.fit_with_checkpoints(&spirals, &["arm"], &device, |model| {
    ///     saved = Some(model.clone());
    ///     Err(SonfinError::Interrupted) // after the first epoch
    /// });
    /// assert!(matches!(interrupted, Err(SonfinError::Interrupted)));
    /// let mut model = saved.expect("a model after the first epoch");
    /// model.resume(&spirals, &device)?;
    /// let uninterrupted = sonfin.fit(&spirals, &["arm"], &device)?;
    /// assert_eq!(model.scores(&spirals, &device)?, uninterrupted.scores(&spirals, &device)?);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SonfinError::DifferentData`] if the rows differ from those of the fit, and as [`Sonfin::fit`].
    pub fn resume<'a>(&mut self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<()> {
        self.resume_with_checkpoints(samples, device, |_| Ok(()))
    }

    /// Like [`Model::resume`], with a checkpoint callback as in [`Sonfin::fit_with_checkpoints`].
    ///
    /// # Errors
    /// Those of [`Model::resume`] and of `checkpoint`.
    pub fn resume_with_checkpoints<'a>(
        &mut self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
        mut checkpoint: impl FnMut(&Model) -> Result<()>,
    ) -> Result<()> {
        let samples = samples_for(self, &host_samples(samples)?)?;
        if samples.checksum() != self.state.data_checksum {
            return Err(SonfinError::DifferentData { rows: samples.rows() });
        }
        continue_training(self, &BackEnd::new(&samples, device), &mut checkpoint)
    }
}
