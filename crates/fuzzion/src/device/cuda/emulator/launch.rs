//! Launches kernels.

use super::compile::{self, Loaded};
use super::memory::{Arg, Placed};
use super::{Failure, text};
use crate::device::cuda::{Grid, Program};
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, PoisonError};

/// The most threads of a block.
const MAX_THREADS: u64 = 1024;

/// The most dynamic shared memory of a block on sm_90 and sm_100, in bytes.
const MAX_SHARED: u32 = 227 * 1024;

/// Bytes of a thread's stack; pages that are not touched cost nothing.
const STACK: u64 = 256 * 1024;

/// Why no GPU would take a launch of this shape, if none would.
fn problem(grid: &Grid) -> Option<String> {
    let [x, y, z] = grid.blocks;
    let threads: u64 = grid.threads.iter().map(|&n| u64::from(n)).product();
    if x == 0 || y == 0 || z == 0 || x > i32::MAX as u32 || y > 65_535 || z > 65_535 {
        Some(format!("{:?} blocks are not 1 to 2147483647, 65535 and 65535", grid.blocks))
    } else if threads == 0 || threads > MAX_THREADS || grid.threads[2] > 64 {
        Some(format!("{:?} threads are not 1 to {MAX_THREADS} (and up to 64 in z)", grid.threads))
    } else if grid.shared > MAX_SHARED {
        Some(format!("{} bytes of shared memory are more than {MAX_SHARED}", grid.shared))
    } else if grid.cluster > 1 {
        Some("clusters are not emulated".into())
    } else {
        None
    }
}

/// In which order blocks, and the threads of a block between two barriers, take their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first first.
    Forwards,
    /// The last first.
    Backwards,
    /// At random, anew after every barrier; the same for the same seed.
    Shuffled(u64),
}

impl Order {
    /// Orders that between them show a missing barrier.
    pub(crate) const ALL: [Order; 4] =
        [Order::Forwards, Order::Backwards, Order::Shuffled(1), Order::Shuffled(2)];
}

/// As `Launch` in scheduler.h.
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
    loaded: Arc<Loaded>,
    stack: u64,
}

impl Emulator {
    /// Compiles `program`, unless this process has done so.
    ///
    /// # Errors
    /// [`Failure::NoCompiler`] where no C++ compiler is found, [`Failure::Compile`] with the compiler's words.
    pub(crate) fn new(program: &Program) -> Result<Self, Failure> {
        Emulator::with_flags(program, &[])
    }

    /// As [`Emulator::new`], with more flags for the compiler.
    pub(super) fn with_flags(program: &Program, flags: &[&str]) -> Result<Self, Failure> {
        Ok(Emulator { program: program.name, loaded: compile::load(program, flags)?, stack: STACK })
    }

    /// Gives each thread a stack of `bytes` bytes.
    #[must_use]
    pub(crate) fn stack(mut self, bytes: u64) -> Self {
        self.stack = bytes.max(16 * 1024);
        self
    }

    /// The names of its kernels.
    pub(crate) fn kernels(&self) -> Vec<&str> {
        self.loaded.kernels.iter().map(|kernel| kernel.signature.name.as_str()).collect()
    }

    /// Runs the kernel called `name` and takes back what it wrote.
    ///
    /// # Errors
    /// Every [`Failure`] but those of compiling; nothing is taken back then.
    pub(crate) fn launch(
        &self,
        name: &str,
        grid: Grid,
        order: Order,
        args: &mut [Arg<'_>],
    ) -> Result<(), Failure> {
        let Some(kernel) = self.loaded.kernels.iter().find(|kernel| kernel.signature.name == name) else {
            let (kernel, known) = (name.to_owned(), self.kernels().join(", "));
            return Err(Failure::NoKernel { program: self.program, kernel, known });
        };
        let shape = |problem| Failure::Shape { kernel: name.to_owned(), problem };
        let argument = |index: usize, problem| {
            let name_of = kernel.signature.parameters.get(index).cloned().unwrap_or_default();
            Failure::Argument { kernel: name.to_owned(), index, name: name_of, problem }
        };
        if let Some(problem) = problem(&grid) {
            return Err(shape(problem));
        }
        if args.len() != kernel.parameters.len() {
            let takes = kernel.parameters.len();
            return Err(shape(format!("takes {takes} arguments, but {} are given", args.len())));
        }
        for (index, (arg, parameter)) in args.iter().zip(&kernel.parameters).enumerate() {
            if let Some(problem) = arg.mismatch(parameter) {
                return Err(argument(index, problem));
            }
        }
        let mut placed: Vec<Placed> = args.iter().map(Placed::new).collect();
        self.call(kernel.call, grid, order, &mut placed)
            .map_err(|problem| Failure::Launch { kernel: name.to_owned(), problem })?;
        for (index, (placed, arg)) in placed.iter().zip(args).enumerate() {
            placed.take_back(arg).map_err(|problem| argument(index, problem))?;
        }
        Ok(())
    }

    fn call(
        &self,
        call: compile::Call,
        grid: Grid,
        order: Order,
        placed: &mut [Placed],
    ) -> Result<(), String> {
        let mut arguments: Vec<*mut c_void> = placed.iter_mut().map(Placed::argument).collect();
        let mut message: [c_char; 1024] = [0; 1024];
        let (order, seed) = match order {
            Order::Forwards => (0, 0),
            Order::Backwards => (1, 0),
            Order::Shuffled(seed) => (2, seed),
        };
        let asked = RawLaunch {
            call,
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
        // SAFETY: `asked` has the layout of `Launch`; the arguments match the kernel's parameters in number, kind
        // and width (`Arg::mismatch`); the lock keeps other launches out of the library's globals. What the
        // kernel itself does is what the test is about: it works on copies between guard zones.
        let status = unsafe { launch((&raw const asked).cast()) };
        drop(launch);
        if status == 0 {
            return Ok(());
        }
        // SAFETY: a launch that failed has put a text with a final zero into `message`.
        let message = unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy();
        Err(text::quote_lines(&message, &self.loaded.text))
    }
}

/// The emulator of `program`, or nothing, and a word on stderr, where there is no C++ compiler.
///
/// # Panics
/// When the text does not compile; with `CI=true` also when there is no compiler.
#[allow(clippy::print_stderr, clippy::panic)] // speaks to whoever runs the tests
pub(crate) fn or_skip(program: &Program) -> Option<Emulator> {
    let ci = std::env::var("CI").as_deref() == Ok("true");
    match Emulator::new(program) {
        Ok(emulator) => Some(emulator),
        Err(Failure::NoCompiler { .. }) if ci => panic!("CI must have a C++ compiler"),
        Err(failure @ (Failure::NoCompiler { .. } | Failure::Unsupported)) => {
            eprintln!("skipped: {failure}");
            None
        }
        Err(failure) => panic!("{failure}"),
    }
}
