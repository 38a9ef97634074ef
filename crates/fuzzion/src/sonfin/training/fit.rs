//! Fitting a model to a table, and resuming an interrupted fit.

use super::prepare::{Prepared, samples_for};
use crate::data::Table;
use crate::device::Device;
use crate::sonfin::algorithm::{continue_training, fit_prepared};
use crate::sonfin::error::{Result, SonfinError};
use crate::sonfin::model::Model;
use crate::sonfin::settings::Sonfin;

impl Sonfin {
    /// Trains a network that predicts the columns `targets` from the input columns.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange), [`SettingError::Conflict`](crate::base::SettingError::Conflict), [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn), [`DataError::TrainingColumn`](crate::data::DataError::TrainingColumn),
    /// [`DataError::NotFinite`](crate::data::DataError::NotFinite), [`DataError::ClassCount`](crate::data::DataError::ClassCount) and [`SonfinError::Interrupted`].
    pub fn fit(&self, samples: &Table, targets: &[&str], device: &Device) -> Result<Model> {
        self.fit_with_checkpoints(samples, targets, device, &mut |_| Ok(()))
    }

    /// Like [`Sonfin::fit`], and calls `checkpoint` with the model after each epoch and once more before returning
    /// [`SonfinError::Interrupted`]. The model can be saved and [resumed](Model::resume) later.
    ///
    /// # Errors
    /// As [`Sonfin::fit`], and those of `checkpoint`.
    pub fn fit_with_checkpoints(
        &self,
        samples: &Table,
        targets: &[&str],
        device: &Device,
        checkpoint: &mut dyn FnMut(&Model) -> Result<()>,
    ) -> Result<Model> {
        self.check()?;
        fit_prepared(self, &Prepared::new(self, samples, targets)?, device, checkpoint)
    }
}

impl Model {
    /// Resumes an interrupted fit on the same rows; the result is bit-identical to an uninterrupted fit. If
    /// interrupted again, the model keeps the progress made so far.
    ///
    /// # Errors
    /// [`SonfinError::DifferentData`] if the rows differ from those of the fit, and as [`Sonfin::fit`].
    pub fn resume(&mut self, samples: &Table, device: &Device) -> Result<()> {
        self.resume_with_checkpoints(samples, device, &mut |_| Ok(()))
    }

    /// Like [`Model::resume`], with a checkpoint callback as in [`Sonfin::fit_with_checkpoints`].
    ///
    /// # Errors
    /// As [`Model::resume`], and those of `checkpoint`.
    pub fn resume_with_checkpoints(
        &mut self,
        samples: &Table,
        device: &Device,
        checkpoint: &mut dyn FnMut(&Model) -> Result<()>,
    ) -> Result<()> {
        let samples = samples_for(self, samples)?;
        if samples.checksum() != self.state.data_checksum {
            return Err(SonfinError::DifferentData { rows: samples.rows() });
        }
        continue_training(self, &samples, device, checkpoint)
    }
}
