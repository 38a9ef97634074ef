//! Reading, computing and writing at the same time.
//!
//! Three threads each work on another chunk: while the calling thread computes chunk k, one thread reads chunk k + 1 and
//! another writes chunk k − 1. All three may use the same thread pool inside.

use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Chunks that wait between two stages. Together with those in the stages, at most four chunks of input and four of
/// output are in memory.
const QUEUED: usize = 2;

/// State of a chunk after a call of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkState {
    /// Something was added, and the reader is to be called again before the chunk is computed.
    Partial,
    /// Something was added; the chunk is computed now unless other chunks are waiting. For live input.
    Ready,
    /// The chunk is full.
    Full,
    /// The input has ended, and nothing was added.
    End,
}

/// Time that each stage of a [`pipeline`] worked, without waiting for the other stages. The stages work at the same time, so
/// that the total time is less than the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Time of the reading stage.
    pub read: Duration,
    /// Time of the computing stage.
    pub compute: Duration,
    /// Time of the writing stage.
    pub write: Duration,
}

/// What the reader passes on.
enum Message<I, E> {
    Chunk(I),
    End,
    Failed(E),
}

/// Runs all chunks of an input through three stages in order, which work on different chunks at the same time.
///
/// `read` fills a chunk, `compute` turns it into a result, and `write` writes the result. Chunks and results are reused
/// with their former content, so that their memory is allocated only once; a new one is `default()`.
///
/// Returns how long each stage worked, or the error of the earliest chunk. The results before it are written.
///
/// ```
/// use fuzzion::data::{ChunkState, pipeline};
/// let (mut numbers, mut squares) = (1..=3, Vec::new());
/// let read = move |chunk: &mut i32| -> Result<_, ()> {
///     let Some(number) = numbers.next() else { return Ok(ChunkState::End) };
///     *chunk = number;
///     Ok(ChunkState::Full)
/// };
/// let square = |chunk: &mut i32, result: &mut i32| Ok(*result = *chunk * *chunk);
/// let times = pipeline(read, square, |result| Ok(squares.push(*result)))?;
/// assert_eq!(squares, [1, 4, 9]);
/// println!("computed for {:?}", times.compute);
/// # Ok::<(), ()>(())
/// ```
///
/// # Errors
/// Those of the three functions.
pub fn pipeline<I, O, E>(
    read: impl FnMut(&mut I) -> Result<ChunkState, E> + Send + 'static,
    mut compute: impl FnMut(&mut I, &mut O) -> Result<(), E>,
    write: impl FnMut(&mut O) -> Result<(), E> + Send,
) -> Result<StageTimes, E>
where
    I: Default + Send + 'static,
    O: Default + Send,
    E: Send + 'static,
{
    let (chunk_sender, chunks) = sync_channel(QUEUED);
    let (used_chunks, chunk_pool) = channel();
    let read_time = Arc::new(Mutex::new(Duration::ZERO));
    let read = timed(read_time.clone(), read);
    // Not joined if another stage fails, because a read from a pipe may block forever.
    let reading = thread::spawn(move || read_all(read, &chunk_sender, &chunk_pool));
    thread::scope(|scope| {
        let (results, result_receiver) = sync_channel(QUEUED);
        let (result_pool_sender, result_pool) = channel();
        let writing = scope.spawn(move || write_all(write, &result_receiver, &result_pool_sender));
        let mut compute_time = Duration::ZERO;
        let computed = loop {
            match chunks.recv() {
                Ok(Message::Chunk(mut chunk)) => {
                    let mut result = result_pool.try_recv().unwrap_or_default();
                    let started = Instant::now();
                    if let Err(error) = compute(&mut chunk, &mut result) {
                        break Err(error);
                    }
                    compute_time += started.elapsed();
                    let _ = used_chunks.send(chunk); // the reader may have ended
                    if results.send(result).is_err() {
                        break Ok(()); // the error of the writer is returned below
                    }
                }
                Ok(Message::End) => break Ok(()),
                Ok(Message::Failed(error)) => break Err(error),
                // The reader always sends its end, unless it panics.
                Err(_) => match reading.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => unreachable!("invariant: the reader sends `End` or `Failed` last"),
                },
            }
        };
        drop(results);
        // An error of the writer concerns an earlier chunk.
        let write = join(writing)?;
        computed?;
        Ok(StageTimes { read: *lock(&read_time), compute: compute_time, write })
    })
}

/// Measures the time of all calls of `read`. The reading thread may still run when another stage fails.
fn timed<I, R>(total: Arc<Mutex<Duration>>, mut read: impl FnMut(&mut I) -> R) -> impl FnMut(&mut I) -> R {
    move |chunk| {
        let started = Instant::now();
        let state = read(chunk);
        *lock(&total) += started.elapsed();
        state
    }
}

fn lock(time: &Mutex<Duration>) -> MutexGuard<'_, Duration> {
    time.lock().unwrap_or_else(PoisonError::into_inner)
}

fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn read_all<I: Default, E>(
    mut read: impl FnMut(&mut I) -> Result<ChunkState, E>,
    chunks: &SyncSender<Message<I, E>>,
    pool: &Receiver<I>,
) {
    let (mut chunk, mut is_started) = (I::default(), false);
    let last = loop {
        let state = match read(&mut chunk) {
            Ok(ChunkState::End) => break Message::End,
            Err(error) => break Message::Failed(error),
            Ok(state) => state,
        };
        is_started = true;
        match state {
            ChunkState::Partial => continue,
            ChunkState::Ready => match chunks.try_send(Message::Chunk(chunk)) {
                Ok(()) => {}
                Err(TrySendError::Full(Message::Chunk(returned))) => {
                    chunk = returned;
                    continue;
                }
                Err(_) => return, // another stage has failed
            },
            _ => {
                if chunks.send(Message::Chunk(chunk)).is_err() {
                    return;
                }
            }
        }
        (chunk, is_started) = (pool.try_recv().unwrap_or_default(), false);
    };
    // What precedes the end or the error is complete.
    if !is_started || chunks.send(Message::Chunk(chunk)).is_ok() {
        let _ = chunks.send(last);
    }
}

fn write_all<O, E>(
    mut write: impl FnMut(&mut O) -> Result<(), E>,
    results: &Receiver<O>,
    pool: &Sender<O>,
) -> Result<Duration, E> {
    let mut total = Duration::ZERO;
    for mut result in results {
        let started = Instant::now();
        write(&mut result)?;
        total += started.elapsed();
        let _ = pool.send(result); // the calling thread may have ended
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A reader of the numbers from 0, one per chunk, that fails at `fails_at`.
    fn numbers(end: usize, fails_at: usize) -> impl FnMut(&mut usize) -> Result<ChunkState, String> {
        let mut next = 0;
        move |chunk| {
            *chunk = next;
            next += 1;
            match *chunk {
                n if n == fails_at => Err(format!("read {n}")),
                n if n == end => Ok(ChunkState::End),
                _ => Ok(ChunkState::Full),
            }
        }
    }

    fn fail_at(stage: &str, n: usize, fails_at: usize) -> Result<(), String> {
        if n == fails_at { Err(format!("{stage} {n}")) } else { Ok(()) }
    }

    #[test]
    fn results_are_written_in_order_and_the_earliest_error_is_returned() {
        const NEVER: usize = usize::MAX;
        for (read, compute, write, error, written) in [
            (NEVER, NEVER, NEVER, None, 100),
            (50, NEVER, NEVER, Some("read 50"), 50),
            (NEVER, 50, NEVER, Some("compute 50"), 50),
            (NEVER, NEVER, 50, Some("write 50"), 50),
            (50, 49, 48, Some("write 48"), 48),
            (50, 49, NEVER, Some("compute 49"), 49),
        ] {
            let mut results = Vec::new();
            let done = pipeline(
                numbers(100, read),
                |chunk, result: &mut usize| {
                    *result = *chunk;
                    fail_at("compute", *chunk, compute)
                },
                |result| {
                    fail_at("write", *result, write)?;
                    results.push(*result);
                    Ok(())
                },
            );
            assert_eq!(done.err().as_deref(), error);
            assert_eq!(results, (0..written).collect::<Vec<_>>());
        }
    }

    /// A value that counts how many were created.
    struct Counted;

    static CREATED: AtomicUsize = AtomicUsize::new(0);

    impl Default for Counted {
        fn default() -> Self {
            CREATED.fetch_add(1, Ordering::Relaxed);
            Counted
        }
    }

    #[test]
    fn the_number_of_chunks_in_memory_is_bounded() {
        let mut left = 1000;
        let read = move |_: &mut Counted| -> Result<_, ()> {
            left -= 1;
            Ok(if left == 0 { ChunkState::End } else { ChunkState::Full })
        };
        pipeline(read, |_, _: &mut Counted| Ok(()), |_| Ok(())).unwrap();
        assert!(CREATED.load(Ordering::Relaxed) <= 2 * (QUEUED + 3));
    }

    #[test]
    fn the_stages_work_at_the_same_time() {
        // Chunk 0 is written only after chunk 2 was read, and chunk 2 is read only after chunk 0 was computed.
        let (computed, wait_for_computed) = channel();
        let (read_done, wait_for_read) = channel();
        let mut next = 0;
        let read = move |chunk: &mut usize| -> Result<_, ()> {
            if next == 2 {
                wait_for_computed.recv().unwrap();
                read_done.send(()).unwrap();
            }
            *chunk = next;
            next += 1;
            Ok(if next == 4 { ChunkState::End } else { ChunkState::Full })
        };
        let compute = |chunk: &mut usize, result: &mut usize| {
            *result = *chunk;
            let _ = computed.send(());
            Ok(())
        };
        let mut written = 0;
        let count = &mut written;
        let write = move |result: &mut usize| {
            if *result == 0 {
                wait_for_read.recv().unwrap();
            }
            *count += 1;
            Ok(())
        };
        pipeline(read, compute, write).unwrap();
        assert_eq!(written, 3);
    }

    #[test]
    fn the_times_of_the_stages_are_measured() {
        let sleep = || thread::sleep(Duration::from_millis(1));
        let mut left = 5;
        let mut read = move |_: &mut ()| -> Result<_, ()> {
            left -= 1;
            Ok(if left == 0 { ChunkState::End } else { ChunkState::Full })
        };
        let read = move |chunk: &mut ()| {
            sleep();
            read(chunk)
        };
        let compute = |_: &mut (), _: &mut ()| {
            sleep();
            Ok(())
        };
        let write = |_: &mut ()| {
            sleep();
            Ok(())
        };
        let times = pipeline(read, compute, write).unwrap();
        assert!(times.read >= Duration::from_millis(5), "{times:?}");
        assert!(times.compute.min(times.write) >= Duration::from_millis(4), "{times:?}");
    }

    #[test]
    fn a_ready_chunk_is_computed_before_more_input_arrives() {
        let (input, receiver) = channel();
        input.send(1).unwrap();
        let read = move |chunk: &mut Vec<i32>| -> Result<_, ()> {
            let Ok(number) = receiver.recv() else { return Ok(ChunkState::End) };
            chunk.push(number);
            Ok(ChunkState::Ready)
        };
        // The second number is sent only when the first one was computed.
        let mut input = Some(input);
        let mut all = Vec::new();
        let compute = |chunk: &mut Vec<i32>, result: &mut Vec<i32>| {
            result.clear();
            result.append(chunk);
            if let Some(input) = input.take() {
                input.send(2).unwrap();
            }
            Ok(())
        };
        let write = |result: &mut Vec<i32>| {
            all.append(result);
            Ok(())
        };
        pipeline(read, compute, write).unwrap();
        assert_eq!(all, [1, 2]);
    }

    #[test]
    fn partial_input_before_the_end_or_an_error_is_written() {
        for fails in [false, true] {
            let mut next = 0;
            let read = move |chunk: &mut Vec<usize>| {
                next += 1;
                match next {
                    4 if fails => Err("failed"),
                    4 => Ok(ChunkState::End),
                    _ => {
                        chunk.push(next);
                        Ok(ChunkState::Partial)
                    }
                }
            };
            let mut all = Vec::new();
            let compute = |chunk: &mut Vec<usize>, result: &mut Vec<usize>| {
                std::mem::swap(chunk, result);
                Ok(())
            };
            let write = |result: &mut Vec<usize>| {
                all.append(result);
                Ok(())
            };
            let done = pipeline(read, compute, write);
            assert_eq!((all, done.is_err()), (vec![1, 2, 3], fails));
        }
    }

    #[test]
    fn a_reader_that_waits_for_input_does_not_delay_an_error() {
        let (input, receiver) = channel::<()>();
        let mut started = false;
        let read = move |_: &mut ()| {
            if started {
                let _ = receiver.recv(); // until the end of the test
            }
            started = true;
            Ok(ChunkState::Full)
        };
        assert_eq!(pipeline(read, |_, _: &mut ()| Err("failed"), |_| Ok(())), Err("failed"));
        drop(input);
    }

    #[test]
    fn a_panic_of_the_reader_is_not_the_end_of_the_input() {
        let dropped = Arc::new(());
        let held = dropped.clone();
        let panicked = std::panic::catch_unwind(|| {
            let read = move |_: &mut ()| -> Result<ChunkState, ()> {
                let _held = &held;
                panic!("broken reader")
            };
            pipeline(read, |_, _: &mut ()| Ok(()), |_| Ok(()))
        });
        assert!(panicked.is_err());
        assert_eq!(Arc::strong_count(&dropped), 1);
    }
}
