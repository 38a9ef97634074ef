//! The processor everyone has: threads and vector instructions.

use super::simd::Simd;
use crate::error::{Error, Result};
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The most threads a CPU device takes.
const MAX_THREADS: usize = 4096;

/// The environment variable that sets the number of threads.
const THREADS_VARIABLE: &str = "FUZZION_THREADS";

/// The CPU: a pool of threads and the vector instructions they may use.
///
/// Work is cut into chunks whose bounds depend on the problem alone and whose results are joined in order, so
/// that every result is the same to the bit whatever the number of threads.
#[derive(Clone)]
pub struct Cpu {
    /// `None` is rayon's own pool, one thread per core.
    pool: Option<Arc<rayon::ThreadPool>>,
    simd: Simd,
}

impl Cpu {
    /// The CPU with as many threads as `FUZZION_THREADS` says, or else one per core.
    ///
    /// # Errors
    /// [`Error::Threads`] when the variable holds no usable number, [`Error::ThreadPool`] when the system refuses.
    pub fn new() -> Result<Self> {
        match std::env::var(THREADS_VARIABLE) {
            Ok(text) if !text.trim().is_empty() => {
                let threads = text.trim().parse().map_err(|_| no_number(&text))?;
                Cpu::with_threads(threads)
            }
            _ => Ok(Cpu { pool: None, simd: Simd::detect() }),
        }
    }

    /// The CPU with `threads` threads.
    ///
    /// # Errors
    /// [`Error::Threads`] for none or more than 4096, [`Error::ThreadPool`] when the system refuses.
    pub fn with_threads(threads: usize) -> Result<Self> {
        if threads == 0 || threads > MAX_THREADS {
            return Err(no_number(&threads.to_string()));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("fuzzion-{i}"))
            .build()
            .map_err(|e| Error::ThreadPool { threads, reason: e.to_string() })?;
        Ok(Cpu { pool: Some(Arc::new(pool)), simd: Simd::detect() })
    }

    /// The same threads using other vector instructions.
    #[must_use]
    pub fn with_simd(self, simd: Simd) -> Self {
        Cpu { simd, ..self }
    }

    /// The vector instructions in use.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// How many threads work at once.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Runs `work` on this device's threads, which rayon calls inside it then use (without a number of threads of its
    /// own the device uses the threads of whatever pool it is called from).
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// `map` of every chunk of `0..n`, in order; the chunks are the same whatever the number of threads.
    pub fn map_chunks<R: Send>(
        &self,
        n: usize,
        chunk: usize,
        map: impl Fn(Range<usize>) -> R + Sync + Send,
    ) -> Vec<R> {
        let chunk = chunk.max(1);
        let range = |i: usize| i * chunk..n.min((i * chunk).saturating_add(chunk));
        self.run(|| (0..n.div_ceil(chunk)).into_par_iter().map(|i| map(range(i))).collect())
    }

    /// Fills `out`, `width` numbers per row, calling `fill(first_row, rows_of_out)` for chunks of `chunk` rows.
    pub fn fill_chunks<T: Send>(
        &self,
        out: &mut [T],
        width: usize,
        chunk: usize,
        fill: impl Fn(usize, &mut [T]) + Sync + Send,
    ) {
        let (width, chunk) = (width.max(1), chunk.max(1));
        self.run(|| {
            out.par_chunks_mut(width.saturating_mul(chunk))
                .enumerate()
                .for_each(|(i, rows)| fill(i * chunk, rows));
        });
    }
}

fn no_number(found: &str) -> Error {
    Error::Threads { found: found.into(), most: MAX_THREADS }
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
    fn a_chunked_sum_is_the_same_to_the_bit_for_any_number_of_threads() {
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
    fn no_threads_or_too_many_is_refused_with_a_sentence() {
        assert_eq!(
            Cpu::with_threads(0).unwrap_err().to_string(),
            "`0` is not a number of threads; use a whole number from 1 to 4096"
        );
        assert!(Cpu::with_threads(MAX_THREADS + 1).is_err());
    }
}
