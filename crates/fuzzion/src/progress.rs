//! Progress callbacks and cancellation of long-running operations.

use crate::base::Interrupted;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Progress callback, called with the amount of work done and the total (0 if unknown).
///
/// Returning `Break` ends the operation with [`Interrupted`](crate::Error::Interrupted); no partial output is left behind. A callback is
/// attached to the device of an operation: [`Device::with_progress`](crate::Device::with_progress).
///
/// ```
/// use fuzzion::Progress;
/// use std::ops::ControlFlow;
/// let stop_at_once = Progress::new(|_done, _total| ControlFlow::Break(()));
/// assert!(stop_at_once.report(1, 10).is_err());
/// assert!(Progress::none().report(1, 10).is_ok());
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Callback>>);

type Callback = dyn Fn(u64, u64) -> ControlFlow<()> + Send + Sync;

impl Progress {
    /// No callback.
    pub const fn none() -> Self {
        Progress(None)
    }

    /// Reports to `callback(done, total)`.
    pub fn new(callback: impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Progress(Some(Arc::new(callback)))
    }

    /// Reports that `done` of `total` is complete.
    ///
    /// # Errors
    /// [`Interrupted`] if the callback returns `Break`.
    #[inline]
    pub fn report(&self, done: u64, total: u64) -> Result<(), Interrupted> {
        match self.0.as_ref().map(|callback| callback(done, total)) {
            Some(ControlFlow::Break(())) => Err(Interrupted),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(callback)" } else { "Progress(none)" })
    }
}
