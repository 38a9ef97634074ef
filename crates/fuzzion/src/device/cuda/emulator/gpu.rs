//! A GPU whose memory is host memory and whose kernels run in the emulator.
#![allow(clippy::panic, clippy::print_stderr)] // fails the test, or reports to the user who runs it

use super::guarded::GuardedMemory;
use super::launch::{Emulator, Order, emulator_or_skip};
use super::memory::{ElementType, Passed};
use super::{EmulatorError, coverage};
use crate::device::cuda::driver::Gpu;
use crate::device::cuda::memory::Element;
use crate::device::cuda::{Grid, Program};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Limits of a multiprocessor, as on sm_89: threads, blocks and bytes of shared memory, of which every block takes
/// some in addition to its own.
const THREADS_PER_MULTIPROCESSOR: u32 = 1536;
const BLOCKS_PER_MULTIPROCESSOR: u32 = 24;
const SHARED_PER_MULTIPROCESSOR: u32 = 100 << 10;
const RESERVED_SHARED: u32 = 1 << 10;

/// An emulated GPU.
pub(crate) struct EmulatedGpu {
    order: Order,
    gpu: Gpu,
    /// Length in bytes of each array in memory, by address.
    arrays: Mutex<BTreeMap<u64, usize>>,
    prefetched: Mutex<Vec<Program>>,
    /// Programs of which a kernel was loaded.
    used: Mutex<Vec<Program>>,
    faults: Faults,
}

/// Failures to inject into the launches and allocations of an emulated GPU.
#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) launches: Fault,
    pub(crate) allocations: Fault,
}

/// A failure of one operation and of all that follow it.
#[derive(Default)]
pub(crate) struct Fault {
    /// Number of operations that succeed, plus 1; 0 if none fails.
    remaining: AtomicUsize,
    occurred: AtomicBool,
}

impl Fault {
    /// Lets every operation fail after the next `count` ones.
    pub(crate) fn inject_after(&self, count: usize) {
        self.occurred.store(false, Ordering::Relaxed);
        self.remaining.store(count + 1, Ordering::Relaxed);
    }

    /// Lets no further operation fail, and returns whether one has failed.
    pub(crate) fn remove(&self) -> bool {
        self.remaining.store(0, Ordering::Relaxed);
        self.occurred.load(Ordering::Relaxed)
    }

    /// Counts an operation, and returns whether it fails.
    fn next_fails(&self) -> bool {
        let counted = |remaining: usize| (remaining > 1).then(|| remaining - 1);
        let fails = self.remaining.fetch_update(Ordering::Relaxed, Ordering::Relaxed, counted) == Err(1);
        self.occurred.fetch_or(fails, Ordering::Relaxed);
        fails
    }
}

impl EmulatedGpu {
    /// A small GPU that runs blocks and threads in the given order. It is an sm_89: unlike later ones it has no
    /// clusters, which are not emulated. Returns `None`, with a message, if there is no C++ compiler.
    pub(crate) fn new(order: Order, shared_per_block: i32) -> Option<Arc<Self>> {
        emulator_or_skip(&Program::new("compiler test", "extern \"C\" __global__ void nothing() {}"))?;
        let gpu = Gpu {
            name: "emulated GPU".into(),
            memory: 4 << 30,
            capability: (8, 9),
            multiprocessors: 2,
            shared_per_block,
        };
        Some(Arc::new(EmulatedGpu {
            order,
            gpu,
            arrays: Mutex::default(),
            prefetched: Mutex::default(),
            used: Mutex::default(),
            faults: Faults::default(),
        }))
    }

    pub(crate) fn faults(&self) -> &Faults {
        &self.faults
    }

    pub(crate) fn description(&self) -> &Gpu {
        &self.gpu
    }

    fn arrays(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.arrays.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Free memory in bytes.
    pub(crate) fn free(&self) -> u64 {
        self.gpu.memory - self.arrays().values().map(|len| *len as u64).sum::<u64>()
    }

    /// An array of `bytes` bytes that read as NaN; `None` if it does not fit.
    pub(crate) fn alloc(self: &Arc<Self>, bytes: usize) -> Option<Arc<DeviceArray>> {
        if bytes as u64 > self.free() || self.faults.allocations.next_fails() {
            return None;
        }
        let memory = GuardedMemory::new(bytes);
        self.arrays().insert(memory.start() as u64, bytes);
        Some(Arc::new(DeviceArray { memory, gpu: Arc::clone(self) }))
    }

    /// Records the programs; they are compiled on first use.
    pub(crate) fn prefetch(&self, programs: Vec<Program>) {
        self.prefetched.lock().unwrap_or_else(PoisonError::into_inner).extend(programs);
    }

    /// The names of the programs that were used without having been prefetched, and of those that were prefetched but
    /// not used.
    pub(crate) fn prefetch_mismatch(&self) -> [Vec<&'static str>; 2] {
        let prefetched = self.prefetched.lock().unwrap_or_else(PoisonError::into_inner);
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = |from: &[Program], of: &[Program]| {
            of.iter().filter(|program| !from.contains(program)).map(|program| program.name).collect()
        };
        [missing(&prefetched, &used), missing(&used, &prefetched)]
    }

    /// The kernel `name` of `program`.
    ///
    /// # Panics
    /// If there is no such kernel, or the program does not compile.
    pub(crate) fn kernel(self: &Arc<Self>, program: &Program, name: &str) -> EmulatedKernel {
        let found =
            Emulator::new(program).and_then(|emulator| emulator.kernel(name).map(drop).map(|()| emulator));
        let emulator = found.unwrap_or_else(|failure| panic!("{failure}"));
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !used.contains(program) {
            used.push(program.clone());
        }
        EmulatedKernel { emulator, name: name.to_owned(), gpu: Arc::clone(self) }
    }

    /// Maximum number of resident blocks per multiprocessor.
    fn occupancy(&self, threads: u32, shared: u32) -> u32 {
        if threads == 0 || threads > 1024 || i64::from(shared) > i64::from(self.gpu.shared_per_block) {
            return 0;
        }
        let by_shared = SHARED_PER_MULTIPROCESSOR / (shared + RESERVED_SHARED);
        (THREADS_PER_MULTIPROCESSOR / threads).min(by_shared).min(BLOCKS_PER_MULTIPROCESSOR)
    }

    /// Checks that the `bytes` bytes at `address` are part of an array.
    fn check_range(&self, address: u64, bytes: usize) {
        let inside = match self.arrays().range(..=address).next_back() {
            Some((start, len)) => address + bytes as u64 <= start + *len as u64,
            None => false,
        };
        assert!(inside, "a copy of {bytes} bytes exceeds the memory allocated on the GPU");
    }
}

/// An array in the memory of an emulated GPU.
pub(crate) struct DeviceArray {
    pub(crate) memory: GuardedMemory,
    gpu: Arc<EmulatedGpu>,
}

impl Drop for DeviceArray {
    fn drop(&mut self) {
        self.gpu.arrays().remove(&(self.memory.start() as u64));
        // A launch checks only its own arguments; this finds writes of launches without this array.
        if let Some(violation) = self.memory.violation().filter(|_| !std::thread::panicking()) {
            panic!("an array of {} bytes {violation}", self.memory.len());
        }
    }
}

/// A compiled kernel.
#[derive(Clone)]
pub(crate) struct EmulatedKernel {
    emulator: Emulator,
    name: String,
    gpu: Arc<EmulatedGpu>,
}

impl EmulatedKernel {
    /// Whether a failure of the next launch is injected.
    pub(crate) fn next_launch_fails(&self) -> bool {
        self.gpu.faults.launches.next_fails()
    }

    pub(crate) fn blocks_per_multiprocessor(&self, threads: u32, shared: u32) -> u32 {
        self.gpu.occupancy(threads, shared)
    }
}

/// Arguments of a launch, and the place in the source where it is built.
pub(crate) struct LaunchRecord {
    arguments: Vec<Argument>,
    from: &'static Location<'static>,
}

struct Argument {
    passed: Passed,
    /// The value, or the address of the array.
    word: u64,
    /// The array of a pointer on an emulated GPU; weak, as a captured launch does not keep its arrays allocated.
    array: Option<Weak<DeviceArray>>,
}

impl LaunchRecord {
    pub(crate) fn new(from: &'static Location<'static>) -> Self {
        LaunchRecord { arguments: Vec::new(), from }
    }

    pub(crate) fn input<T: Element>(&mut self, array: Option<&Arc<DeviceArray>>) {
        self.push(Passed::Read(ElementType::of::<T>()), array.map_or(0, |a| a.memory.start() as u64), array);
    }

    pub(crate) fn output<T: Element>(&mut self, array: Option<&Arc<DeviceArray>>) {
        self.push(Passed::Write(ElementType::of::<T>()), array.map_or(0, |a| a.memory.start() as u64), array);
    }

    pub(crate) fn value<T: Element>(&mut self, word: u64) {
        self.push(Passed::Value(ElementType::of::<T>()), word, None);
    }

    fn push(&mut self, passed: Passed, word: u64, array: Option<&Arc<DeviceArray>>) {
        self.arguments.push(Argument { passed, word, array: array.map(Arc::downgrade) });
    }

    /// Launches the kernel on `stream`, now or when the graph that it is captured in is replayed.
    ///
    /// # Panics
    /// If the arguments do not match the kernel, or the launch fails.
    pub(crate) fn run(self, kernel: &EmulatedKernel, stream: &EmulatedStream, grid: Grid) {
        let kernel = kernel.clone();
        let checked = kernel.check(grid, &self.arguments);
        checked.unwrap_or_else(|failure| panic!("{}: {failure}", self.from));
        stream.execute(move || {
            let done = kernel.launch(grid, &self.arguments);
            done.unwrap_or_else(|failure| panic!("{}: {failure}", self.from));
            coverage::launched(self.from);
        });
    }
}

impl EmulatedKernel {
    /// Checks the grid against the GPU, and the arguments against the kernel's signature.
    fn check(&self, grid: Grid, arguments: &[Argument]) -> Result<(), EmulatorError> {
        let shape = |problem| Err(EmulatorError::Shape { kernel: self.name.clone(), problem });
        let [threads, blocks] = [grid.threads, grid.blocks].map(|n| n.iter().product::<u32>());
        let resident = self.gpu.occupancy(threads, grid.shared) * self.gpu.gpu.multiprocessors;
        if grid.shared > self.gpu.gpu.shared_per_block as u32 {
            let limit = self.gpu.gpu.shared_per_block;
            return shape(format!("{} bytes of shared memory exceed the limit of {limit}", grid.shared));
        }
        if grid.cooperative && blocks > resident {
            return shape(format!("{blocks} blocks of a cooperative launch exceed the limit of {resident}"));
        }
        self.emulator.kernel(&self.name)?.check(&grid, arguments.iter().map(|argument| argument.passed))
    }

    fn launch(&self, grid: Grid, arguments: &[Argument]) -> Result<(), EmulatorError> {
        let kernel = self.emulator.kernel(&self.name)?;
        let mut arrays = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let array = argument.array.as_ref().map(|array| {
                let freed = || kernel.argument_error(index, "was freed before the launch".into());
                array.upgrade().ok_or_else(freed)
            });
            arrays.push(array.transpose()?);
        }
        let address =
            |index: usize| arrays[index].as_ref().map(|array: &Arc<DeviceArray>| array.memory.start());
        // An array may be passed as an input and as an output.
        let is_output = |index: usize| {
            let same = |other: &usize| address(*other) == address(index);
            (0..arguments.len()).filter(same).any(|other| matches!(arguments[other].passed, Passed::Write(_)))
        };
        let before = |index: usize| {
            let array = arrays[index].as_ref().filter(|_| !is_output(index));
            array.map(|array| array.memory.values().to_vec())
        };
        let before: Vec<Option<Vec<u8>>> = (0..arguments.len()).map(before).collect();
        let mut words: Vec<u64> = arguments.iter().map(|argument| argument.word).collect();
        let mut pointers: Vec<*mut c_void> = words.iter_mut().map(|word| (&raw mut *word).cast()).collect();
        // SAFETY: `check` compared the arguments with the signature; each pointer refers to a word that begins with a
        // value of the parameter's size or is the address of an array, and `arrays` keeps the arrays allocated.
        unsafe { self.emulator.call(kernel, grid, self.gpu.order, &mut pointers) }?;
        for (index, (array, before)) in arrays.iter().zip(before).enumerate() {
            let Some(array) = array else { continue };
            if let Some(violation) = array.memory.violation() {
                return Err(kernel.argument_error(index, violation));
            }
            if before.is_some_and(|before| before != array.memory.values()) {
                return Err(kernel.argument_error(index, "was written, but is read-only".into()));
            }
        }
        Ok(())
    }
}

/// Work captured in a graph.
pub(crate) type RecordedWork = Vec<Box<dyn Fn() + Send + Sync>>;

/// A stream, which executes work immediately or captures it.
#[derive(Clone)]
pub(crate) struct EmulatedStream {
    gpu: Arc<EmulatedGpu>,
    captured: Option<Arc<Mutex<RecordedWork>>>,
}

impl EmulatedStream {
    pub(crate) fn new(gpu: Arc<EmulatedGpu>) -> Self {
        EmulatedStream { gpu, captured: None }
    }

    /// A stream that captures its work.
    pub(crate) fn capturing(gpu: Arc<EmulatedGpu>) -> Self {
        EmulatedStream { gpu, captured: Some(Arc::default()) }
    }

    /// The captured work.
    pub(crate) fn end_capture(&self) -> RecordedWork {
        let captured = self.captured.as_ref().expect("invariant: the stream captures its work");
        std::mem::take(&mut *captured.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Executes or captures `work`.
    pub(crate) fn execute(&self, work: impl Fn() + Send + Sync + 'static) {
        match &self.captured {
            Some(captured) => captured.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(work)),
            None => work(),
        }
    }

    /// Waits for nothing, as all work is complete.
    ///
    /// # Panics
    /// During a capture, as on a GPU.
    pub(crate) fn synchronize(&self) {
        assert!(self.captured.is_none(), "a stream was synchronized during a capture");
    }

    /// Copies `bytes` bytes of host memory to the device address `to`.
    ///
    /// # Safety
    /// `from` points to that many bytes, and the bytes at `to` are not used by another thread.
    pub(crate) unsafe fn upload(&self, from: *const u8, to: u64, bytes: usize) {
        self.gpu.check_range(to, bytes);
        // SAFETY: the range at `to` is allocated; the rest is guaranteed by the caller.
        unsafe { std::ptr::copy_nonoverlapping(from, to as *mut u8, bytes) };
    }

    /// Copies `bytes` bytes from the device address `from` to host memory.
    ///
    /// # Safety
    /// `to` points to that many bytes, and the bytes at `from` are not used by another thread.
    pub(crate) unsafe fn download(&self, from: u64, to: *mut u8, bytes: usize) {
        self.gpu.check_range(from, bytes);
        // SAFETY: the range at `from` is allocated; the rest is guaranteed by the caller.
        unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to, bytes) };
    }
}
