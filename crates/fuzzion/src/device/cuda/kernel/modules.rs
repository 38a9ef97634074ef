//! Modules built from programs, each only once, on demand or in advance by background threads.

use crate::device::error::Result;
use crate::device::program::Program;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

/// The result for one program; the first thread builds it, others wait.
type Slot<M> = Arc<OnceLock<Result<M>>>;

type Build<M> = dyn Fn(&Program) -> Result<M> + Send + Sync;

/// The modules of a device.
///
/// When they are dropped, the queue is emptied, and every background thread ends after its current program. This is
/// awaited, because NVRTC can crash if the process exits during a compilation.
pub(in crate::device::cuda) struct Modules<M: 'static>(Arc<Shared<M>>);

struct Shared<M> {
    build: Box<Build<M>>,
    max_threads: usize,
    state: Mutex<State<M>>,
}

struct State<M> {
    slots: HashMap<Program, Slot<M>>,
    /// Programs to build in the background.
    queue: VecDeque<(Program, Slot<M>)>,
    /// Number of background threads that take programs from the queue.
    threads: usize,
    handles: Vec<JoinHandle<()>>,
}

impl<M: Clone + Send + Sync> Modules<M> {
    /// Modules built by `build`, in the background on at most `max_threads` threads.
    pub(in crate::device::cuda) fn new(
        max_threads: usize,
        build: impl Fn(&Program) -> Result<M> + Send + Sync + 'static,
    ) -> Self {
        let state = State { slots: HashMap::new(), queue: VecDeque::new(), threads: 0, handles: Vec::new() };
        Modules(Arc::new(Shared { build: Box::new(build), max_threads, state: Mutex::new(state) }))
    }

    /// The module of `program`. Waits for a thread that is already building it.
    ///
    /// # Errors
    /// Those of `build`; the next call builds again, since the reason may have been temporary.
    pub(super) fn get(&self, program: &Program) -> Result<M> {
        let slot = self.0.state().slots.get(program).cloned();
        let slot = slot.unwrap_or_else(|| self.0.state().slots.entry(program.clone()).or_default().clone());
        let module = slot.get_or_init(|| (self.0.build)(program)).clone();
        if module.is_err() {
            let mut state = self.0.state();
            if state.slots.get(program).is_some_and(|current| Arc::ptr_eq(current, &slot)) {
                state.slots.remove(program);
            }
        }
        module
    }

    /// Starts building the programs that are neither built nor being built and for which `is_needed` holds. Errors are
    /// reported by [`Modules::get`].
    pub(super) fn prefetch(&self, mut programs: Vec<Program>, is_needed: impl Fn(&Program) -> bool) {
        {
            let state = self.0.state();
            programs.retain(|program| !state.slots.contains_key(program));
        }
        programs.retain(is_needed); // reads files, so without the lock
        let mut state = self.0.state();
        for program in programs {
            if !state.slots.contains_key(&program) {
                let slot = Slot::default();
                state.slots.insert(program.clone(), slot.clone());
                state.queue.push_back((program, slot));
            }
        }
        state.handles.retain(|handle| !handle.is_finished());
        let wanted = state.queue.len().min(self.0.max_threads.saturating_sub(state.threads));
        for _ in 0..wanted {
            let shared = Arc::clone(&self.0);
            let thread = thread::Builder::new().name("kernel compiler".into());
            // Without a thread, the program is built when it is needed.
            if let Ok(handle) = thread.spawn(move || shared.build_queued()) {
                state.threads += 1;
                state.handles.push(handle);
            }
        }
    }
}

impl<M> Shared<M> {
    fn state(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next program of the queue. If there is none, the calling thread no longer counts as a background thread.
    fn next(&self) -> Option<(Program, Slot<M>)> {
        let mut state = self.state();
        let next = state.queue.pop_front();
        if next.is_none() {
            state.threads -= 1;
        }
        next
    }

    fn build_queued(&self) {
        while let Some((program, slot)) = self.next() {
            slot.get_or_init(|| (self.build)(&program));
        }
    }
}

impl<M> Drop for Modules<M> {
    fn drop(&mut self) {
        let handles = {
            let mut state = self.0.state();
            state.queue.clear();
            std::mem::take(&mut state.handles)
        };
        for handle in handles {
            let _ = handle.join(); // a panic was reported by the thread itself
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::error::DeviceError;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    fn programs(count: usize) -> Vec<Program> {
        (0..count).map(|i| Program::new("test", "").constant("NUMBER", i)).collect()
    }

    fn failure() -> DeviceError {
        DeviceError::Cuda { doing: "testing", reason: "on purpose".into() }
    }

    /// Modules that are the text of their program, and the number of builds.
    fn counted() -> (Modules<String>, Arc<AtomicUsize>) {
        let builds = Arc::new(AtomicUsize::new(0));
        let counter = builds.clone();
        let build = move |program: &Program| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(program.text())
        };
        (Modules::new(3, build), builds)
    }

    #[test]
    fn threads_that_ask_for_the_same_program_build_it_once() {
        let (modules, builds) = counted();
        let (program, start) = (&programs(1)[0], Barrier::new(8));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    assert_eq!(modules.get(program).unwrap(), program.text());
                });
            }
        });
        assert_eq!(builds.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn prefetched_programs_are_built_once() {
        let (modules, builds) = counted();
        let all = programs(20);
        modules.prefetch(all.clone(), |_| true);
        modules.prefetch(all.clone(), |_| true);
        for program in all.iter().rev().chain(&all) {
            assert_eq!(modules.get(program).unwrap(), program.text());
        }
        assert_eq!(builds.load(Ordering::Relaxed), 20);
    }

    #[test]
    fn programs_are_built_concurrently_on_a_limited_number_of_threads() {
        let (arrived, arrivals) = mpsc::channel();
        let (release, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let modules = Modules::new(2, move |_| {
            arrived.send(thread::current().id()).unwrap();
            let _ = gate.lock().unwrap().recv();
            Ok(())
        });
        let all = programs(5);
        modules.prefetch(all.clone(), |_| true);
        // Both threads are building before either may finish.
        let mut ids = vec![arrivals.recv().unwrap(), arrivals.recv().unwrap()];
        assert_ne!(ids[0], ids[1]);
        assert!(modules.0.state().threads == 2 && arrivals.try_recv().is_err());
        (0..5).for_each(|_| release.send(()).unwrap());
        ids.extend(arrivals.iter().take(3));
        assert!(ids[2..].iter().all(|id| ids[..2].contains(id) || *id == thread::current().id()));
        all.iter().for_each(|program| modules.get(program).unwrap());
    }

    #[test]
    fn no_thread_is_started_for_programs_that_need_no_build() {
        let (modules, builds) = counted();
        let all = programs(3);
        modules.get(&all[0]).unwrap();
        modules.prefetch(all.clone(), |program| *program == all[0]);
        modules.prefetch(Vec::new(), |_| true);
        let state = modules.0.state();
        assert!(state.threads == 0 && state.queue.is_empty() && state.slots.len() == 1);
        assert_eq!(builds.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_error_is_reported_to_every_caller_and_the_next_one_builds_again() {
        let builds = Arc::new(AtomicUsize::new(0));
        let counter = builds.clone();
        let modules = Modules::new(1, move |_| match counter.fetch_add(1, Ordering::Relaxed) {
            0 => Err(failure()),
            _ => Ok(()),
        });
        let all = programs(1);
        modules.prefetch(all.clone(), |_| true);
        assert_eq!(modules.get(&all[0]).unwrap_err().to_string(), failure().to_string());
        modules.get(&all[0]).unwrap();
        assert_eq!(builds.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn dropping_the_modules_empties_the_queue_and_waits_for_the_current_program() {
        let (arrived, arrivals) = mpsc::channel();
        let (release, gate) = mpsc::channel::<()>();
        let (gate, finished) = (Mutex::new(gate), Arc::new(AtomicUsize::new(0)));
        let counter = finished.clone();
        let modules = Modules::new(1, move |_| {
            arrived.send(()).unwrap();
            let _ = gate.lock().unwrap().recv();
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        modules.prefetch(programs(5), |_| true);
        arrivals.recv().unwrap();
        let shared = Arc::downgrade(&modules.0);
        thread::scope(|scope| {
            scope.spawn(|| {
                while shared.upgrade().is_some_and(|shared| !shared.state().queue.is_empty()) {
                    thread::yield_now();
                }
                release.send(()).unwrap();
            });
            drop(modules);
            assert_eq!(finished.load(Ordering::Relaxed), 1);
        });
        assert!(shared.upgrade().is_none() && arrivals.try_recv().is_err());
    }
}
