//! Several GPUs that share the rows of a problem.

use super::context::Cuda;
use crate::device::distribute::concurrently;
use crate::device::error::DeviceError;
use crate::progress::Progress;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Consecutive rows of one GPU and their part of the output.
pub(crate) struct GpuPart<'a, T> {
    pub(crate) cuda: &'a Cuda,
    pub(crate) rows: Range<usize>,
    pub(crate) out: &'a mut [T],
}

/// Splits `rows` rows over the GPUs; `out` has `width` values per row.
pub(crate) fn split_rows<'a, T>(
    cudas: &'a [Cuda],
    rows: usize,
    (out, width): (&'a mut [T], usize),
) -> Vec<(usize, GpuPart<'a, T>)> {
    assert_eq!(out.len(), rows * width);
    let count = rows_per_gpu(rows, cudas);
    let mut rest = out;
    let part = |(cuda, first): (&'a Cuda, usize)| {
        let rows = first..rows.min(first + count);
        let (out, tail) = std::mem::take(&mut rest).split_at_mut(rows.len() * width);
        rest = tail;
        (rows.len(), GpuPart { cuda, rows, out })
    };
    cudas.iter().zip((0..rows).step_by(count)).map(part).collect()
}

/// Number of rows of each GPU but the last, at least 1.
pub(crate) fn rows_per_gpu(rows: usize, cudas: &[Cuda]) -> usize {
    rows.div_ceil(cudas.len().max(1)).max(1)
}

/// Calls `work` with every part, each on a thread of its own, and with a progress callback that reports the sum of all parts.
/// Each part has its number of rows. The first error, or an interruption, ends the other parts too.
pub(crate) fn run_parts<T: Send, E: From<DeviceError> + Send>(
    parts: Vec<(usize, T)>,
    progress: &Progress,
    work: impl Fn(T, &Progress) -> Result<(), E> + Sync,
) -> Result<(), E> {
    if parts.len() == 1 {
        return parts.into_iter().try_for_each(|(_, part)| work(part, progress));
    }
    let total: usize = parts.iter().map(|(rows, _)| rows).sum();
    let done: Arc<[AtomicU64]> = parts.iter().map(|_| AtomicU64::new(0)).collect();
    let stopped = Arc::new(AtomicBool::new(false));
    let first_error = Mutex::new(None);
    let run = |(part, (_, data)): (usize, (usize, T))| {
        let (all, done, flag) = (progress.clone(), done.clone(), stopped.clone());
        let progress = Progress::new(move |part_done, _| {
            done[part].store(part_done, Ordering::Relaxed);
            let sum = done.iter().map(|done| done.load(Ordering::Relaxed)).sum();
            match flag.load(Ordering::Relaxed) || all.report(sum, total as u64).is_err() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if let Err(error) = work(data, &progress) {
            // The parts that end because of it have the error `Interrupted`, which is not the reason.
            first_error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            stopped.store(true, Ordering::Relaxed);
        }
        Ok::<(), E>(())
    };
    concurrently(parts.into_iter().enumerate().collect(), run)?;
    first_error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cuda::emulator::Order;
    use std::thread;

    #[test]
    fn all_rows_are_split_over_the_gpus_in_order() {
        let gpus: Vec<Cuda> = Order::ALL.into_iter().filter_map(Cuda::emulated).collect();
        if gpus.len() < 2 {
            return;
        }
        for rows in [0, 1, 2, 7] {
            let mut out: Vec<usize> = (0..2 * rows).collect();
            let parts = split_rows(&gpus[..2], rows, (&mut out, 2));
            assert!(parts.len() == rows.min(2));
            let mut next = 0;
            for (count, GpuPart { rows, out, .. }) in parts {
                assert!(count == rows.len() && rows.start == next && out[0] == 2 * next);
                assert!(out.len() == 2 * count);
                next = rows.end;
            }
            assert_eq!(next, rows);
        }
    }

    #[test]
    fn progress_is_the_sum_of_all_parts_and_an_error_ends_the_others() {
        let largest = Arc::new(AtomicU64::new(0));
        let reported = largest.clone();
        let progress = Progress::new(move |done, total| {
            assert_eq!(total, 5);
            reported.fetch_max(done, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        let work = |rows: u64, progress: &Progress| Ok(progress.report(rows, rows)?);
        run_parts::<_, DeviceError>(vec![(2, 2), (3, 3)], &progress, work).unwrap();
        assert_eq!(largest.load(Ordering::Relaxed), 5);

        let error = run_parts(vec![(2, false), (3, true)], &Progress::none(), |fails, progress| {
            if fails {
                return Err(DeviceError::NoDriver);
            }
            loop {
                progress.report(1, 2)?;
                thread::yield_now();
            }
        });
        assert!(matches!(error, Err(DeviceError::NoDriver)), "{error:?}");

        let stop = Progress::new(|_, _| ControlFlow::Break(()));
        let interrupted = run_parts::<_, DeviceError>(vec![(2, 2), (3, 3)], &stop, work);
        assert!(matches!(interrupted, Err(DeviceError::Interrupted)), "{interrupted:?}");
    }
}
