//! Compilation of programs for one GPU, with the disk cache.

use super::cache::KernelCache;
use crate::device::cuda::nvrtc::Nvrtc;
use crate::device::error::{DeviceError, Result};
use crate::device::program::Program;
use crate::progress::Progress;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Maximum number of concurrent compilations; each takes some hundred megabytes of memory.
const MAX_THREADS: usize = 16;

/// Number of threads for concurrent compilations.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

/// Numbers of programs that were compiled and that were already in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheCounts {
    pub(crate) compiled: usize,
    pub(crate) cached: usize,
}

/// NVRTC and the disk cache for GPUs of one architecture.
#[derive(Debug)]
pub(in crate::device::cuda) struct Compiler {
    pub(super) nvrtc: Nvrtc,
    cache: KernelCache,
    /// Such as `sm_90`.
    architecture: String,
}

impl Compiler {
    /// A compiler for GPUs of the given compute capability.
    pub(in crate::device::cuda) fn new(nvrtc: Nvrtc, cache: KernelCache, capability: (i32, i32)) -> Self {
        Compiler { nvrtc, cache, architecture: format!("sm_{}{}", capability.0, capability.1) }
    }

    /// The cached binary of `program`; `None` if it must be compiled.
    pub(super) fn cached(&self, program: &Program) -> Option<Vec<u8>> {
        self.cache.get(&self.key(program))
    }

    /// Compiles `program` and adds the binary to the cache.
    ///
    /// # Errors
    /// [`DeviceError::Compile`].
    pub(super) fn compile(&self, program: &Program) -> Result<Vec<u8>> {
        let cubin = self.nvrtc.compile(program, &self.architecture)?.cubin;
        self.cache.put(&self.key(program), &cubin);
        Ok(cubin)
    }

    /// Compiles the programs that are not in the cache, concurrently.
    ///
    /// # Errors
    /// The first compile error, and [`DeviceError::Interrupted`].
    pub(super) fn fill_cache(&self, programs: Vec<Program>, progress: &Progress) -> Result<CacheCounts> {
        let distinct: HashSet<Program> = programs.into_iter().collect();
        let missing: Vec<&Program> =
            distinct.iter().filter(|program| self.cached(program).is_none()).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let failure: Mutex<Option<DeviceError>> = Mutex::new(None);
        let failure = || failure.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = |program: &Program| -> Result<()> {
            progress.report(done.load(Ordering::Relaxed) as u64, missing.len() as u64)?;
            self.compile(program)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            Ok(progress.report(done as u64, missing.len() as u64)?)
        };
        let worker = || {
            while failure().is_none()
                && let Some(program) = missing.get(next.fetch_add(1, Ordering::Relaxed))
            {
                if let Err(error) = compile(program) {
                    failure().get_or_insert(error);
                }
            }
        };
        thread::scope(|scope| {
            (0..threads().min(missing.len())).for_each(|_| drop(scope.spawn(worker)));
        });
        let failure = failure().take();
        let counts = CacheCounts { compiled: missing.len(), cached: distinct.len() - missing.len() };
        failure.map_or(Ok(counts), Err)
    }

    fn key(&self, program: &Program) -> String {
        let (major, minor) = self.nvrtc.version;
        let options = Nvrtc::options(program, &self.architecture).join(" ");
        format!("NVRTC {major}.{minor} {options}\n{}", program.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    fn program(number: usize) -> Program {
        Program::new("test", "extern \"C\" __global__ void number(int* to) { *to = NUMBER; }")
            .constant("NUMBER", number)
    }

    /// A compiler for sm_90 with an empty cache in a temporary folder.
    fn compiler() -> Option<(Compiler, tempfile::TempDir)> {
        crate::device::cuda::nvrtc::testing::nvrtc_or_skip()?;
        let folder = tempfile::tempdir().unwrap();
        Some((
            Compiler::new(Nvrtc::load(None, None).unwrap(), KernelCache::at(folder.path()), (9, 0)),
            folder,
        ))
    }

    #[test]
    fn only_programs_that_are_not_cached_are_compiled() {
        let Some((compiler, _folder)) = compiler() else { return };
        let reported = Arc::new(Mutex::new(Vec::new()));
        let log = reported.clone();
        let progress = Progress::new(move |done, total| {
            log.lock().unwrap().push((done, total));
            ControlFlow::Continue(())
        });
        let cubin = compiler.compile(&program(0)).unwrap();
        let all = vec![program(0), program(1), program(2), program(1)];
        let counts = compiler.fill_cache(all.clone(), &progress).unwrap();
        assert_eq!(counts, CacheCounts { compiled: 2, cached: 1 });
        assert_eq!(reported.lock().unwrap().iter().max(), Some(&(2, 2)));
        let counts = compiler.fill_cache(all, &Progress::none()).unwrap();
        assert_eq!(counts, CacheCounts { compiled: 0, cached: 3 });
        assert_eq!(compiler.cached(&program(0)), Some(cubin));
        assert_ne!(compiler.cached(&program(1)), compiler.cached(&program(2)));
    }

    #[test]
    fn errors_and_interruption_end_the_compilation() {
        let Some((compiler, _folder)) = compiler() else { return };
        let broken = Program::new("broken", "not C++");
        let error = compiler.fill_cache(vec![program(1), broken], &Progress::none()).unwrap_err();
        assert!(matches!(error, DeviceError::Compile { program: "broken", .. }), "{error}");
        let stop = Progress::new(|_, _| ControlFlow::Break(()));
        let error = compiler.fill_cache(vec![program(2)], &stop).unwrap_err();
        assert!(matches!(error, DeviceError::Interrupted), "{error}");
        assert_eq!(compiler.cached(&program(2)), None);
    }

    #[test]
    fn concurrent_compilations_are_identical_to_sequential_ones() {
        let Some((compiler, _folder)) = compiler() else { return };
        let all: Vec<Program> = (0..4).map(program).collect();
        compiler.fill_cache(all.clone(), &Progress::none()).unwrap();
        for program in &all {
            assert_eq!(compiler.cached(program), Some(compiler.compile(program).unwrap()));
        }
    }
}
