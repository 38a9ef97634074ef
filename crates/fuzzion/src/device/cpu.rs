//! The CPU back end: a thread pool and SIMD instructions.

use super::simd::Simd;
use crate::device::error::{DeviceError, Result};
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of threads.
const MAX_THREADS: usize = 4096;

/// Environment variable that sets the number of threads.
const THREADS_VARIABLE: &str = "FUZZION_THREADS";

/// The CPU: a thread pool and a SIMD instruction set.
///
/// Work is split into chunks whose bounds depend only on the problem, and their results are combined in order: results
/// are bit-identical for any number of threads.
///
/// ```
/// use fuzzion::device::Cpu;
/// let sum = |cpu: Cpu| {
///     let parts = cpu.map_chunks(1000, 100, |rows| rows.map(|i| 1.0 / (i + 1) as f64).sum::<f64>());
///     parts.iter().sum::<f64>()
/// };
/// assert_eq!(sum(Cpu::with_threads(1)?), sum(Cpu::with_threads(3)?));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone)]
pub struct Cpu {
    /// `None` uses rayon's global pool, one thread per core.
    pool: Option<Arc<rayon::ThreadPool>>,
    simd: Simd,
}

impl Cpu {
    /// The CPU with `FUZZION_THREADS` threads, by default one per core.
    ///
    /// ```
    /// let cpu = fuzzion::device::Cpu::new()?;
    /// assert!(cpu.threads() >= 1);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::ThreadCount`] if the variable is not a valid number, [`DeviceError::ThreadPool`] if the threads cannot be
    /// started.
    pub fn new() -> Result<Self> {
        match std::env::var(THREADS_VARIABLE) {
            Ok(text) if !text.trim().is_empty() => {
                let threads = text.trim().parse().map_err(|_| invalid_threads(&text))?;
                Cpu::with_threads(threads)
            }
            _ => Ok(Cpu { pool: None, simd: Simd::detect() }),
        }
    }

    /// The CPU with `threads` threads.
    ///
    /// ```
    /// use fuzzion::device::Cpu;
    /// assert_eq!(Cpu::with_threads(3)?.threads(), 3);
    /// assert!(Cpu::with_threads(0).is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::ThreadCount`] for 0 or more than 4096, [`DeviceError::ThreadPool`] if the threads cannot be started.
    pub fn with_threads(threads: usize) -> Result<Self> {
        if threads == 0 || threads > MAX_THREADS {
            return Err(invalid_threads(&threads.to_string()));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("fuzzion-{i}"))
            .build()
            .map_err(|e| DeviceError::ThreadPool { threads, reason: e.to_string() })?;
        Ok(Cpu { pool: Some(Arc::new(pool)), simd: Simd::detect() })
    }

    /// Sets the SIMD instruction set.
    ///
    /// ```
    /// use fuzzion::device::{Cpu, Simd, SimdLevel};
    /// let cpu = Cpu::new()?.with_simd(Simd::detect().at_most(SimdLevel::Baseline));
    /// assert_eq!(cpu.simd().level(), SimdLevel::Baseline);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn with_simd(self, simd: Simd) -> Self {
        Cpu { simd, ..self }
    }

    /// The SIMD instruction set in use.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Runs `work` in this device's thread pool, so that rayon calls inside `work` use it. A device without its own
    /// pool uses the current rayon pool.
    ///
    /// ```
    /// let cpu = fuzzion::device::Cpu::with_threads(3)?;
    /// assert_eq!(cpu.run(|| rayon::current_num_threads()), 3);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let Some(pool) = &self.pool else { return work() };
        let (mut work, mut result) = (Some(work), None);
        install(pool, &mut || result = work.take().map(|work| work()));
        result.expect("invariant: the pool runs the work before it returns")
    }

    /// Applies `map` to every chunk of `0..n` and returns the results in order. The chunks do not depend on the
    /// number of threads.
    ///
    /// ```
    /// let cpu = fuzzion::device::Cpu::new()?;
    /// assert_eq!(cpu.map_chunks(5, 2, |rows| rows), [0..2, 2..4, 4..5]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn map_chunks<R: Send>(
        &self,
        n: usize,
        chunk: usize,
        map: impl Fn(Range<usize>) -> R + Sync + Send,
    ) -> Vec<R> {
        let chunk = chunk.max(1);
        let range = |i: usize| i * chunk..n.min((i * chunk).saturating_add(chunk));
        let results: Vec<Mutex<Option<R>>> = (0..n.div_ceil(chunk)).map(|_| Mutex::new(None)).collect();
        self.for_each(results.len(), &|i| *lock(&results[i]) = Some(map(range(i))));
        let result = |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().map(|slot| result(slot).expect("invariant: every chunk was computed")).collect()
    }

    /// Fills `out` (`width` values per row) by calling `fill(first_row, rows_of_out)` for chunks of `chunk` rows.
    ///
    /// ```
    /// let cpu = fuzzion::device::Cpu::new()?;
    /// let mut out = [0; 6]; // three rows of two values, in chunks of one row
    /// cpu.fill_chunks(&mut out, 2, 1, |first_row, rows| rows.fill(first_row));
    /// assert_eq!(out, [0, 0, 1, 1, 2, 2]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn fill_chunks<T: Send>(
        &self,
        out: &mut [T],
        width: usize,
        chunk: usize,
        fill: impl Fn(usize, &mut [T]) + Sync + Send,
    ) {
        let (width, chunk) = (width.max(1), chunk.max(1));
        let parts: Vec<Mutex<&mut [T]>> =
            out.chunks_mut(width.saturating_mul(chunk)).map(Mutex::new).collect();
        self.for_each(parts.len(), &|i| fill(i * chunk, &mut lock(&parts[i])));
    }

    /// Calls `work` with every index below `n`, on all threads. A single call is made on the calling thread, because
    /// waking another one takes longer than short work.
    ///
    /// Not generic, so that the code of the thread pool is compiled once instead of for every caller.
    pub(crate) fn for_each(&self, n: usize, work: &(dyn Fn(usize) + Sync)) {
        if n <= 1 {
            return (0..n).for_each(work);
        }
        let mut all = || (0..n).into_par_iter().for_each(work);
        match &self.pool {
            Some(pool) => install(pool, &mut all),
            None => all(),
        }
    }
}

fn invalid_threads(found: &str) -> DeviceError {
    DeviceError::ThreadCount { found: found.into(), most: MAX_THREADS }
}

/// [`rayon::ThreadPool::install`], compiled only once.
fn install(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Locks a slot that only one thread uses.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cpu({} threads, {})", self.threads(), self.simd.level().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunked_sum_is_bit_identical_for_any_number_of_threads() {
        let x: Vec<f32> = (0..100_003).map(|i| (i as f32 * 0.37).sin()).collect();
        let sum = |threads| {
            let cpu = Cpu::with_threads(threads).unwrap();
            cpu.map_chunks(x.len(), 1000, |r| x[r].iter().sum::<f32>()).into_iter().sum::<f32>()
        };
        let one = sum(1);
        assert!((2..9).all(|threads| sum(threads).to_bits() == one.to_bits()));
    }

    #[test]
    fn chunks_cover_every_row_once() {
        let cpu = Cpu::with_threads(3).unwrap();
        for n in [0, 1, 7, 64, 65] {
            let covered: Vec<usize> = cpu.map_chunks(n, 8, |r| r.collect::<Vec<_>>()).concat();
            assert_eq!(covered, (0..n).collect::<Vec<_>>());
            let mut out = vec![0; n * 3];
            cpu.fill_chunks(&mut out, 3, 8, |first, rows| {
                for (i, cell) in rows.iter_mut().enumerate() {
                    *cell = first * 3 + i;
                }
            });
            assert_eq!(out, (0..n * 3).collect::<Vec<_>>());
        }
    }

    #[test]
    fn zero_or_too_many_threads_are_rejected() {
        assert_eq!(
            Cpu::with_threads(0).unwrap_err().to_string(),
            "invalid number of threads `0`; expected an integer from 1 to 4096"
        );
        assert!(Cpu::with_threads(MAX_THREADS + 1).is_err());
    }
}
