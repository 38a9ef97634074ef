//! Progress callbacks and cancellation of long-running operations.

use crate::error::{Error, Result};
use std::fmt;
use std::ops::ControlFlow;

/// Progress callback, called with the amount of work done and the total (0 if unknown).
///
/// Returning `Break` ends the operation with [`Error::Interrupted`]; no partial output is left behind.
///
/// ```
/// use fuzzion::Progress;
/// use std::ops::ControlFlow;
/// let stop_at_once = |_done, _total| ControlFlow::Break(());
/// assert!(Progress::new(&stop_at_once).report(1, 10).is_err());
/// assert!(Progress::none().report(1, 10).is_ok());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Progress<'a>(Option<&'a Callback<'a>>);

type Callback<'a> = dyn Fn(u64, u64) -> ControlFlow<()> + Sync + 'a;

impl<'a> Progress<'a> {
    /// No callback.
    pub const fn none() -> Self {
        Progress(None)
    }

    /// Reports to `callback(done, total)`.
    pub fn new(callback: &'a Callback<'a>) -> Self {
        Progress(Some(callback))
    }

    /// Reports that `done` of `total` is complete.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the callback returns `Break`.
    pub fn report(&self, done: u64, total: u64) -> Result<()> {
        match self.0.map(|callback| callback(done, total)) {
            Some(ControlFlow::Break(())) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}

/// Always equal: settings that differ only in their callback are equal.
impl PartialEq for Progress<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(callback)" } else { "Progress(none)" })
    }
}
