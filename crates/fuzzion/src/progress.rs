//! How long work tells its caller how far it is, and learns that it should stop.

use crate::error::{Error, Result};
use std::fmt;
use std::ops::ControlFlow;

/// A callback that long work calls with what is done and what there is to do (0 where that is unknown).
///
/// Returning `Break` ends the work with [`Error::Interrupted`]; nothing half-done is left behind.
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
    /// Work that nobody watches.
    pub const fn none() -> Self {
        Progress(None)
    }

    /// Work that reports to `callback(done, total)`.
    pub fn new(callback: &'a Callback<'a>) -> Self {
        Progress(Some(callback))
    }

    /// Tells the caller that `done` of `total` is behind us.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the caller wants the work to end.
    pub fn report(&self, done: u64, total: u64) -> Result<()> {
        match self.0.map(|callback| callback(done, total)) {
            Some(ControlFlow::Break(())) => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }
}

/// Who watches is no part of what is watched: settings that differ in nothing else are equal.
impl PartialEq for Progress<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(watched)" } else { "Progress(none)" })
    }
}
