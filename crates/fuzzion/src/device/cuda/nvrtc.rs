//! NVRTC, CUDA's run-time compiler: found where toolkits and Python packages put it, loaded by its absolute path.
//!
//! It needs no GPU and no driver. Its second library, `libnvrtc-builtins`, is asked for by bare name at the first
//! compilation, so it is opened beforehand from the folder where the first one lies.
#![allow(unsafe_code)] // calls into a C library

mod resources;
mod search;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub(crate) use resources::KernelResources;

use super::program::Program;
use crate::error::{Error, Result};
use libloading::Library;
use search::{Candidate, Surroundings};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

/// NVRTC's own handle of a program.
type Handle = *mut c_void;

/// `NVRTC_SUCCESS`.
const SUCCESS: c_int = 0;

/// The most shared memory that a kernel may declare; what is more must be dynamic.
const MAX_STATIC_SHARED: u32 = 48 * 1024;

/// The loaded compiler.
///
/// NVRTC may be called from several threads at once as long as each has a program of its own, and here every
/// call to [`Nvrtc::compile`] has.
#[derive(Debug)]
pub(crate) struct Nvrtc {
    /// The major and minor version of CUDA it belongs to.
    pub(crate) version: (i32, i32),
    /// The architectures it compiles for, as 10·major + minor.
    architectures: Vec<c_int>,
    /// Where it was found; a bare name where the system's loader found it.
    pub(crate) path: PathBuf,
    functions: Functions,
    _library: Library,
    _builtins: Option<Library>,
}

/// What is called, from `nvrtc.h`.
#[derive(Clone, Copy, Debug)]
struct Functions {
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    destroy: unsafe extern "C" fn(*mut Handle) -> c_int,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> c_int,
    cubin_size: unsafe extern "C" fn(Handle, *mut usize) -> c_int,
    cubin: unsafe extern "C" fn(Handle, *mut c_char) -> c_int,
    log_size: unsafe extern "C" fn(Handle, *mut usize) -> c_int,
    log: unsafe extern "C" fn(Handle, *mut c_char) -> c_int,
    error_string: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// A program compiled for one architecture.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// What the driver loads.
    pub(crate) cubin: Vec<u8>,
    /// What the compiler and the assembler had to say.
    #[cfg_attr(not(test), allow(dead_code))] // read by the test of all kernels
    pub(crate) log: String,
}

impl Compiled {
    #[cfg_attr(not(test), allow(dead_code))] // asked by the test of all kernels
    /// What each kernel takes of a multiprocessor, as the assembler reports it.
    pub(crate) fn resources(&self) -> Vec<KernelResources> {
        resources::parse(&self.log)
    }
}

impl Nvrtc {
    /// The first NVRTC found that is no newer than `newest_major` (the driver's major CUDA version), else the
    /// first found; one that does not know the compute capability `gpu` does not count.
    ///
    /// # Errors
    /// [`Error::NoNvrtc`] when there is none.
    pub(crate) fn load(newest_major: Option<i32>, gpu: Option<(i32, i32)>) -> Result<Self> {
        Nvrtc::load_from(&Surroundings::here(), newest_major, gpu)
    }

    fn load_from(
        surroundings: &Surroundings,
        newest_major: Option<i32>,
        gpu: Option<(i32, i32)>,
    ) -> Result<Self> {
        let found = search::search(surroundings);
        let newest = newest_major.unwrap_or(i32::MAX);
        let mut refused = None;
        // The file's name usually tells the version: those that look too new are opened only when nothing else is.
        let (fitting, newer): (Vec<&Candidate>, Vec<&Candidate>) = found
            .candidates
            .iter()
            .partition(|candidate| candidate.major().is_none_or(|major| major <= newest));
        let mut second_best = None;
        for candidate in fitting.into_iter().chain(newer) {
            match Nvrtc::open(candidate).and_then(|nvrtc| nvrtc.for_gpu(gpu)) {
                Ok(nvrtc) if nvrtc.version.0 <= newest => return Ok(nvrtc),
                Ok(nvrtc) => second_best = second_best.or(Some(nvrtc)),
                // A bare name that the loader does not know is no news.
                Err(reason) if matches!(candidate, Candidate::File(_)) => refused = refused.or(Some(reason)),
                Err(_) => {}
            }
        }
        second_best.ok_or(Error::NoNvrtc { searched: found.places, refused })
    }

    /// Itself, unless it cannot compile for the GPU.
    fn for_gpu(self, gpu: Option<(i32, i32)>) -> Result<Self, String> {
        match gpu {
            Some((major, minor)) if !self.architectures.contains(&(10 * major + minor)) => {
                let (a, b) = self.version;
                Err(format!(
                    "{}, version {a}.{b}, does not compile for sm_{major}{minor}",
                    self.path.display()
                ))
            }
            _ => Ok(self),
        }
    }

    fn open(candidate: &Candidate) -> Result<Self, String> {
        let path = candidate.path();
        let refuse = |e: libloading::Error| {
            // what the loader itself says is the error's source
            let reason = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
            format!("{}: {reason}", path.display())
        };
        // SAFETY: loading NVRTC runs only its own initialisers, and the functions have the types that nvrtc.h
        // gives them. They stay valid because `Nvrtc` keeps the library open.
        unsafe {
            let library = open_library(path, false).map_err(refuse)?;
            macro_rules! function {
                ($name:literal) => {
                    *library.get(concat!($name, "\0").as_bytes()).map_err(refuse)?
                };
            }
            let functions = Functions {
                create: function!("nvrtcCreateProgram"),
                destroy: function!("nvrtcDestroyProgram"),
                compile: function!("nvrtcCompileProgram"),
                cubin_size: function!("nvrtcGetCUBINSize"),
                cubin: function!("nvrtcGetCUBIN"),
                log_size: function!("nvrtcGetProgramLogSize"),
                log: function!("nvrtcGetProgramLog"),
                error_string: function!("nvrtcGetErrorString"),
            };
            let ask_version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int =
                function!("nvrtcVersion");
            let count_architectures: unsafe extern "C" fn(*mut c_int) -> c_int =
                function!("nvrtcGetNumSupportedArchs");
            let ask_architectures: unsafe extern "C" fn(*mut c_int) -> c_int =
                function!("nvrtcGetSupportedArchs");
            let mut count = 0;
            let mut architectures = Vec::new();
            if count_architectures(&raw mut count) == SUCCESS {
                architectures.resize(usize::try_from(count).unwrap_or(0), 0);
                if ask_architectures(architectures.as_mut_ptr()) != SUCCESS {
                    architectures.clear();
                }
            }
            let mut version = (0, 0);
            if ask_version(&raw mut version.0, &raw mut version.1) != SUCCESS {
                return Err(format!("{}: does not tell its version", path.display()));
            }
            // Global, by absolute path: a later request for its bare name is then met by it.
            let builtins = search::builtins_beside(path, version)
                .map(|builtins| open_library(&builtins, true).map_err(refuse))
                .transpose()?;
            Ok(Nvrtc {
                version,
                architectures,
                path: path.to_owned(),
                functions,
                _library: library,
                _builtins: builtins,
            })
        }
    }

    /// Every option that `program` is compiled with.
    pub(crate) fn options(program: &Program, architecture: &str) -> Vec<String> {
        let mut options = vec![
            format!("--gpu-architecture={architecture}"),
            "--std=c++17".to_owned(),
            // the assembler's report of registers and spills, in the log
            "--ptxas-options=-v".to_owned(),
        ];
        options.extend(program.options().iter().cloned());
        options
    }

    /// Compiles `program` for `architecture` (`sm_90`, `sm_90a`, …).
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's log.
    pub(crate) fn compile(&self, program: &Program, architecture: &str) -> Result<Compiled> {
        let refuse =
            |log: String| Error::Compile { program: program.name, architecture: architecture.into(), log };
        let options = Nvrtc::options(program, architecture);
        let text = |text: String| CString::new(text).map_err(|_| refuse("the text holds a zero byte".into()));
        let source = text(program.text())?;
        let name = text(format!("{}.cu", program.name))?;
        let options = options.into_iter().map(text).collect::<Result<Vec<CString>>>()?;
        let (status, log, cubin) = self.run(&source, &name, &options).map_err(|e| refuse(self.say(e)))?;
        match cubin {
            Some(cubin) => Ok(Compiled { cubin, log }),
            None => Err(refuse(explain(log, &self.say(status)))),
        }
    }

    /// NVRTC's status, its log and, where it succeeded, the cubin.
    fn run(
        &self,
        source: &CStr,
        name: &CStr,
        options: &[CString],
    ) -> Result<(c_int, String, Option<Vec<u8>>), c_int> {
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let functions = &self.functions;
        let mut open = Open { raw: ptr::null_mut(), functions };
        // SAFETY: the strings end with a zero and outlive the calls, which do not keep them; there are no headers;
        // the handle is made by the first call and freed by `Open`; each buffer has the size NVRTC asked for.
        unsafe {
            check((functions.create)(
                &raw mut open.raw,
                source.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            ))?;
            let status = (functions.compile)(open.raw, options.len() as c_int, options.as_ptr());
            let mut size = 0;
            check((functions.log_size)(open.raw, &raw mut size))?;
            let mut log = vec![0_u8; size];
            check((functions.log)(open.raw, log.as_mut_ptr().cast()))?;
            while log.last() == Some(&0) {
                log.pop();
            }
            let log = String::from_utf8_lossy(&log).into_owned();
            if status != SUCCESS {
                return Ok((status, log, None));
            }
            check((functions.cubin_size)(open.raw, &raw mut size))?;
            let mut cubin = vec![0_u8; size];
            check((functions.cubin)(open.raw, cubin.as_mut_ptr().cast()))?;
            Ok((status, log, Some(cubin)))
        }
    }

    /// NVRTC's name for a status.
    fn say(&self, status: c_int) -> String {
        // SAFETY: NVRTC has a constant text, which ends with a zero, for every status.
        unsafe { CStr::from_ptr((self.functions.error_string)(status)) }.to_string_lossy().into_owned()
    }
}

/// A log that says why: NVRTC keeps silent about kernels that declare too much shared memory.
fn explain(log: String, status: &str) -> String {
    let greedy = resources::parse(&log).into_iter().find(|kernel| kernel.shared > MAX_STATIC_SHARED);
    match greedy {
        Some(KernelResources { kernel, shared, .. }) => format!(
            "{log}{kernel} declares {shared} bytes of shared memory; more than {MAX_STATIC_SHARED} must be dynamic"
        ),
        None if log.contains("error") => log,
        None => format!("{log}{status}"),
    }
}

fn check(status: c_int) -> Result<(), c_int> {
    if status == SUCCESS { Ok(()) } else { Err(status) }
}

/// A program of NVRTC's, freed when dropped.
struct Open<'a> {
    raw: Handle,
    functions: &'a Functions,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the handle was made by `create` and is freed here only.
            unsafe { (self.functions.destroy)(&raw mut self.raw) };
        }
    }
}

/// Opens a library; `global` lets other libraries find it by its bare name.
///
/// # Safety
/// As [`Library::new`].
unsafe fn open_library(path: &Path, global: bool) -> Result<Library, libloading::Error> {
    #[cfg(unix)]
    {
        use libloading::os::unix::{Library as Unix, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
        let visibility = if global { RTLD_GLOBAL } else { RTLD_LOCAL };
        // SAFETY: the caller's.
        unsafe { Unix::open(Some(path), RTLD_NOW | visibility) }.map(Into::into)
    }
    #[cfg(not(unix))]
    {
        let _ = global; // a loaded library is found by its name anyway
        // SAFETY: the caller's.
        unsafe { Library::new(path) }
    }
}
