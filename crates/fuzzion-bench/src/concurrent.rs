//! Checks that run concurrently: on a GPU, most of the time of a self-test is spent compiling kernels.

use crate::device::Check;
use fuzzion::Result;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Checks of one part of a module. All parts share the device: each thread has its own buffers, and the work of all
/// threads is executed in the order of one stream.
pub(crate) type Part<'a> = Box<dyn Fn() -> Result<Vec<Check>> + Send + Sync + 'a>;

/// Runs the parts on one thread per core, and returns their checks in order.
///
/// # Errors
/// The first error in the order of the parts; no further parts are started after an error.
pub(crate) fn run(parts: &[Part<'_>]) -> Result<Vec<Check>> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new(Vec::new());
    let worker = || {
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(index) else { return };
            let checks = part();
            failed.fetch_or(checks.is_err(), Ordering::Relaxed);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, checks));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(parts.len());
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    let mut all = Vec::new();
    for (_, checks) in results {
        all.extend(checks?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzion::Error;

    #[test]
    fn checks_are_returned_in_the_order_of_the_parts() {
        let names: Vec<String> = (0..50).map(|i| i.to_string()).collect();
        let part = |name: &String| -> Part<'static> {
            let name = name.clone();
            Box::new(move || Ok(vec![Check::new(name.clone(), 0.0)]))
        };
        let checks = run(&names.iter().map(part).collect::<Vec<_>>()).unwrap();
        assert!(checks.iter().map(|check| &check.kernel).eq(&names));
        assert!(run(&[]).unwrap().is_empty());
    }

    #[test]
    fn an_error_stops_the_run() {
        let count = AtomicUsize::new(0);
        let part = |_| -> Part<'_> {
            Box::new(|| match count.fetch_add(1, Ordering::Relaxed) {
                0 => Err(Error::Interrupted),
                _ => Ok(Vec::new()),
            })
        };
        let parts: Vec<Part<'_>> = (0..10_000).map(part).collect();
        assert!(matches!(run(&parts), Err(Error::Interrupted)));
        assert!(count.load(Ordering::Relaxed) < 10_000);
    }
}
