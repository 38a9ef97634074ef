//! Emulated kernel launches.

use super::compile::{self, LoadedProgram};
use super::memory::{Arg, GuardedArg, Passed};
use super::{EmulatorError, coverage, source};
use crate::device::cuda::{Grid, Program};
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, PoisonError};

/// Maximum number of threads per block.
const MAX_THREADS: u64 = 1024;

/// Maximum dynamic shared memory per block on sm_90 and sm_100, in bytes.
const MAX_SHARED: u32 = 227 * 1024;

/// Stack size of a thread in bytes; untouched pages cost nothing.
const STACK: u64 = 256 * 1024;

/// Why a launch configuration is invalid on every GPU, if it is.
fn grid_problem(grid: &Grid) -> Option<String> {
    let [x, y, z] = grid.blocks;
    let threads: u64 = grid.threads.iter().map(|&n| u64::from(n)).product();
    if x == 0 || y == 0 || z == 0 || x > i32::MAX as u32 || y > 65_535 || z > 65_535 {
        Some(format!("{:?} blocks are outside 1 to 2147483647, 65535 and 65535", grid.blocks))
    } else if threads == 0 || threads > MAX_THREADS || grid.threads[2] > 64 {
        Some(format!("{:?} threads are outside 1 to {MAX_THREADS} (at most 64 in z)", grid.threads))
    } else if grid.shared > MAX_SHARED {
        Some(format!("{} bytes of shared memory exceed the limit of {MAX_SHARED}", grid.shared))
    } else if grid.cluster > 1 {
        Some("clusters are not emulated".into())
    } else {
        None
    }
}

/// Order in which blocks, and the threads of a block between two barriers, run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Ascending.
    Forward,
    /// Descending.
    Reverse,
    /// Random, shuffled again after every barrier; reproducible for a seed.
    Shuffled(u64),
}

impl Order {
    /// Orders that together reveal a missing barrier.
    pub(crate) const ALL: [Order; 4] =
        [Order::Forward, Order::Reverse, Order::Shuffled(1), Order::Shuffled(2)];
}

/// Same as `Launch` in scheduler.h.
#[repr(C)]
struct RawLaunch {
    call: compile::Call,
    arguments: *mut *mut c_void,
    blocks: [u32; 3],
    threads: [u32; 3],
    shared: u64,
    stack: u64,
    order: u32,
    cooperative: u32,
    seed: u64,
    message: *mut c_char,
    message_bytes: u64,
}

/// A program compiled for the CPU.
#[derive(Clone)]
pub(crate) struct Emulator {
    program: &'static str,
    loaded: Arc<LoadedProgram>,
    stack: u64,
}

impl Emulator {
    /// Compiles `program`, once per process.
    ///
    /// # Errors
    /// [`EmulatorError::NoCompiler`] without a C++ compiler, [`EmulatorError::Compile`] with the compiler log.
    pub(crate) fn new(program: &Program) -> Result<Self, EmulatorError> {
        Emulator::with_flags(program, &[])
    }

    /// Like [`Emulator::new`], with additional compiler flags.
    pub(super) fn with_flags(program: &Program, flags: &[&str]) -> Result<Self, EmulatorError> {
        Ok(Emulator { program: program.name, loaded: compile::load(program, flags)?, stack: STACK })
    }

    /// Sets the stack size of each thread.
    #[must_use]
    pub(crate) fn stack(mut self, bytes: u64) -> Self {
        self.stack = bytes.max(16 * 1024);
        self
    }

    /// Names of the kernels.
    pub(crate) fn kernels(&self) -> Vec<&str> {
        self.loaded.kernels.iter().map(|kernel| kernel.signature.name.as_str()).collect()
    }

    /// Runs the kernel `name` and copies its outputs back.
    ///
    /// # Errors
    /// Every [`EmulatorError`] except those of the compilation; nothing is copied back then.
    pub(crate) fn launch(
        &self,
        name: &str,
        grid: Grid,
        order: Order,
        args: &mut [Arg<'_>],
    ) -> Result<(), EmulatorError> {
        let kernel = self.kernel(name)?;
        kernel.check(&grid, args.iter().map(Arg::passed))?;
        let mut guarded: Vec<GuardedArg> = args.iter().map(GuardedArg::new).collect();
        let mut arguments: Vec<*mut c_void> = guarded.iter_mut().map(GuardedArg::argument).collect();
        // SAFETY: the arguments were checked, and each points to a value or to the address of a copy.
        unsafe { self.call(kernel, grid, order, &mut arguments) }?;
        for (index, (guarded, arg)) in guarded.iter().zip(args).enumerate() {
            guarded.copy_back(arg).map_err(|problem| kernel.argument_error(index, problem))?;
        }
        Ok(())
    }

    pub(super) fn kernel(&self, name: &str) -> Result<&compile::Kernel, EmulatorError> {
        let kernel = self.loaded.kernels.iter().find(|kernel| kernel.signature.name == name);
        kernel.ok_or_else(|| EmulatorError::NoKernel {
            program: self.program,
            kernel: name.to_owned(),
            known: self.kernels().join(", "),
        })
    }

    /// Runs `kernel` with pointers to its arguments.
    ///
    /// # Safety
    /// The arguments match the kernel's parameters ([`compile::Kernel::check`]) and stay allocated meanwhile.
    pub(super) unsafe fn call(
        &self,
        kernel: &compile::Kernel,
        grid: Grid,
        order: Order,
        arguments: &mut [*mut c_void],
    ) -> Result<(), EmulatorError> {
        let mut message: [c_char; 1024] = [0; 1024];
        let (order, seed) = match order {
            Order::Forward => (0, 0),
            Order::Reverse => (1, 0),
            Order::Shuffled(seed) => (2, seed),
        };
        let request = RawLaunch {
            call: kernel.call,
            arguments: arguments.as_mut_ptr(),
            blocks: grid.blocks,
            threads: grid.threads,
            shared: u64::from(grid.shared),
            stack: self.stack,
            order,
            cooperative: u32::from(grid.cooperative),
            seed,
            message: message.as_mut_ptr(),
            message_bytes: message.len() as u64,
        };
        let launch = self.loaded.launch.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: `request` has the layout of `Launch`; the caller checked the arguments; the lock protects the globals
        // of the library. The kernel itself is under test and works on memory between guard zones.
        let status = unsafe { launch((&raw const request).cast()) };
        drop(launch);
        if status == 0 {
            coverage::executed(&self.loaded, &kernel.signature.name);
            return Ok(());
        }
        // SAFETY: a failed launch writes a null-terminated string to `message`.
        let message = unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy();
        let problem = source::quote_lines(&message, &self.loaded.text);
        Err(EmulatorError::Launch { kernel: kernel.signature.name.clone(), problem })
    }
}

impl compile::Kernel {
    /// Checks a launch configuration, and the number, kinds and types of the arguments.
    pub(super) fn check(
        &self,
        grid: &Grid,
        arguments: impl ExactSizeIterator<Item = Passed>,
    ) -> Result<(), EmulatorError> {
        let shape = |problem| EmulatorError::Shape { kernel: self.signature.name.clone(), problem };
        if let Some(problem) = grid_problem(grid) {
            return Err(shape(problem));
        }
        let (takes, given) = (self.parameters.len(), arguments.len());
        if given != takes {
            return Err(shape(format!("takes {takes} arguments, but {given} were given")));
        }
        for (index, (argument, parameter)) in arguments.zip(&self.parameters).enumerate() {
            if let Some(problem) = argument.mismatch(parameter) {
                return Err(self.argument_error(index, problem));
            }
        }
        Ok(())
    }

    pub(super) fn argument_error(&self, index: usize, problem: String) -> EmulatorError {
        let name = self.signature.parameters.get(index).cloned().unwrap_or_default();
        EmulatorError::Argument { kernel: self.signature.name.clone(), index, name, problem }
    }
}

/// The emulator of `program`; without a C++ compiler, prints a message to stderr and returns `None`.
///
/// # Panics
/// If the source does not compile; with `CI=true` also if there is no compiler.
#[allow(clippy::print_stderr, clippy::panic)] // reports to the user who runs the tests
pub(crate) fn emulator_or_skip(program: &Program) -> Option<Emulator> {
    let ci = std::env::var("CI").as_deref() == Ok("true");
    match Emulator::new(program) {
        Ok(emulator) => Some(emulator),
        Err(EmulatorError::NoCompiler { .. }) if ci => panic!("CI requires a C++ compiler"),
        Err(failure @ (EmulatorError::NoCompiler { .. } | EmulatorError::Unsupported)) => {
            eprintln!("skipped: {failure}");
            None
        }
        Err(failure) => panic!("{failure}"),
    }
}
