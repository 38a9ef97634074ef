//! Loading of NVRTC, and compilation.
#![allow(unsafe_code)] // calls into a C library

#[cfg(test)]
use super::resources::KernelResources;
use super::resources::{self, Report};
use super::search::{self, Candidate, SearchEnvironment};
use crate::device::cuda::program::Program;
use crate::device::error::{DeviceError, Result};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// NVRTC program handle.
type Handle = *mut c_void;

/// Number of compilations in progress.
static COMPILING: AtomicUsize = AtomicUsize::new(0);

/// Ends the process, as [`std::process::exit`]. During a compilation the destructors of C libraries are not run, because
/// those of NVRTC would crash the thread that compiles.
pub fn exit(code: i32) -> ! {
    unsafe extern "C" {
        #[link_name = "_exit"]
        fn exit_without_destructors(code: c_int) -> !;
    }
    if COMPILING.load(Ordering::SeqCst) > 0 {
        // SAFETY: the function of the C library may be called at any time and does not return.
        unsafe { exit_without_destructors(code) }
    }
    std::process::exit(code)
}

/// `NVRTC_SUCCESS`.
const SUCCESS: c_int = 0;

/// Maximum static shared memory of a kernel; more must be dynamic.
const MAX_STATIC_SHARED: u32 = 48 * 1024;

/// The loaded compiler.
///
/// NVRTC can be called from several threads at once if each uses its own program, as every call of [`Nvrtc::compile`]
/// does.
#[derive(Debug)]
pub(crate) struct Nvrtc {
    /// CUDA version, (major, minor).
    pub(crate) version: (i32, i32),
    /// Supported architectures, as 10·major + minor.
    pub(super) architectures: Vec<c_int>,
    /// Path of the library; a file name if the system's loader found it.
    pub(crate) path: PathBuf,
    functions: Functions,
    /// Never unloaded, because a thread that compiled may still run the library's destructors when it ends.
    _library: ManuallyDrop<Library>,
    _builtins: Option<ManuallyDrop<Library>>,
}

/// Functions of `nvrtc.h`.
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
    /// Binary for the driver.
    pub(crate) cubin: Vec<u8>,
    /// Log of the compiler and the assembler.
    #[cfg_attr(not(test), allow(dead_code))] // read by the test of all kernels
    pub(crate) log: String,
}

impl Compiled {
    /// Resource usage of each kernel, as reported by the assembler.
    ///
    /// # Errors
    /// The name of a kernel without a complete report, and the log.
    #[cfg(test)]
    pub(crate) fn resources(&self) -> Result<Vec<KernelResources>, String> {
        resources::parse(&self.log)
    }
}

impl Nvrtc {
    /// The first NVRTC found that is not newer than `newest_major` (the driver's major CUDA version), otherwise the
    /// first one found; libraries that do not support the compute capability `gpu` are skipped.
    ///
    /// # Errors
    /// [`DeviceError::NoNvrtc`] if none is found.
    pub(crate) fn load(newest_major: Option<i32>, gpu: Option<(i32, i32)>) -> Result<Self> {
        Nvrtc::load_from(&SearchEnvironment::current(), newest_major, gpu)
    }

    /// Version and path.
    pub(crate) fn description(&self) -> String {
        let (major, minor) = self.version;
        format!("NVRTC {major}.{minor}, {}", self.path.display())
    }

    pub(super) fn load_from(
        environment: &SearchEnvironment,
        newest_major: Option<i32>,
        gpu: Option<(i32, i32)>,
    ) -> Result<Self> {
        let found = search::search(environment);
        let newest = newest_major.unwrap_or(i32::MAX);
        let mut refused = None;
        // The file name usually contains the version: newer libraries are loaded only as a last resort.
        let (suitable, newer): (Vec<&Candidate>, Vec<&Candidate>) = found
            .candidates
            .iter()
            .partition(|candidate| candidate.major().is_none_or(|major| major <= newest));
        let mut fallback = None;
        for candidate in suitable.into_iter().chain(newer) {
            match Nvrtc::open(candidate).and_then(|nvrtc| nvrtc.for_gpu(gpu)) {
                Ok(nvrtc) if nvrtc.version.0 <= newest => return Ok(nvrtc),
                Ok(nvrtc) => fallback = fallback.or(Some(nvrtc)),
                // A file name unknown to the loader is not worth reporting.
                Err(reason) if matches!(candidate, Candidate::File(_)) => refused = refused.or(Some(reason)),
                Err(_) => {}
            }
        }
        fallback.ok_or(DeviceError::NoNvrtc { searched: found.locations, refused })
    }

    /// `self`, or an error if it does not support the GPU.
    pub(super) fn for_gpu(self, gpu: Option<(i32, i32)>) -> Result<Self, String> {
        match gpu {
            Some((major, minor)) if !self.architectures.contains(&(10 * major + minor)) => {
                let (a, b) = self.version;
                Err(format!("{}, version {a}.{b}, does not support sm_{major}{minor}", self.path.display()))
            }
            _ => Ok(self),
        }
    }

    fn open(candidate: &Candidate) -> Result<Self, String> {
        let path = candidate.path();
        let load_error = |e: libloading::Error| {
            // the loader's message is the source of the error
            let reason = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
            format!("{}: {reason}", path.display())
        };
        // SAFETY: loading NVRTC runs only its initializers. The functions have the types declared in nvrtc.h and stay
        // valid because the library stays loaded. `architectures` has the length reported by NVRTC.
        unsafe {
            let library = open_library(path, false).map_err(load_error)?;
            macro_rules! function {
                ($name:literal) => {
                    *library.get(concat!($name, "\0").as_bytes()).map_err(load_error)?
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
            let get_version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int =
                function!("nvrtcVersion");
            let count_architectures: unsafe extern "C" fn(*mut c_int) -> c_int =
                function!("nvrtcGetNumSupportedArchs");
            let get_architectures: unsafe extern "C" fn(*mut c_int) -> c_int =
                function!("nvrtcGetSupportedArchs");
            let failed = |function: &str| format!("{}: `{function}` failed", path.display());
            let mut version = (0, 0);
            if get_version(&raw mut version.0, &raw mut version.1) != SUCCESS {
                return Err(failed("nvrtcVersion"));
            }
            let mut count = 0;
            if count_architectures(&raw mut count) != SUCCESS {
                return Err(failed("nvrtcGetNumSupportedArchs"));
            }
            let count = usize::try_from(count).map_err(|_| failed("nvrtcGetNumSupportedArchs"))?;
            let mut architectures = vec![0; count];
            if get_architectures(architectures.as_mut_ptr()) != SUCCESS {
                return Err(failed("nvrtcGetSupportedArchs"));
            }
            // With global visibility, so that NVRTC later finds it by file name.
            let builtins = search::find_builtins(path, version)
                .map(|builtins| open_library(&builtins, true).map_err(load_error))
                .transpose()?;
            Ok(Nvrtc {
                version,
                architectures,
                path: path.to_owned(),
                functions,
                _library: ManuallyDrop::new(library),
                _builtins: builtins.map(ManuallyDrop::new),
            })
        }
    }

    /// All compiler options of `program`.
    pub(crate) fn options(program: &Program, architecture: &str) -> Vec<String> {
        let mut options = vec![
            format!("--gpu-architecture={architecture}"),
            "--std=c++17".to_owned(),
            // reports registers and spills in the log
            "--ptxas-options=-v".to_owned(),
        ];
        options.extend(program.options().iter().cloned());
        options
    }

    /// Compiles `program` for `architecture` (`sm_90`, `sm_90a`, …).
    ///
    /// # Errors
    /// [`DeviceError::Compile`] with the compiler's log.
    pub(crate) fn compile(&self, program: &Program, architecture: &str) -> Result<Compiled> {
        let compile_error = |log: String| DeviceError::Compile {
            program: program.name,
            architecture: architecture.into(),
            log,
        };
        let options = Nvrtc::options(program, architecture);
        let text = |text: String| {
            CString::new(text).map_err(|_| compile_error("the source contains a zero byte".into()))
        };
        let source = text(program.text())?;
        let name = text(format!("{}.cu", program.name))?;
        let options = options.into_iter().map(text).collect::<Result<Vec<CString>>>()?;
        let (status, log, cubin) =
            self.run(&source, &name, &options).map_err(|e| compile_error(self.status_name(e)))?;
        match cubin {
            Some(cubin) => Ok(Compiled { cubin, log }),
            None => Err(compile_error(explain(log, &self.status_name(status)))),
        }
    }

    /// The status, the log and, on success, the cubin.
    fn run(
        &self,
        source: &CStr,
        name: &CStr,
        options: &[CString],
    ) -> Result<(c_int, String, Option<Vec<u8>>), c_int> {
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let functions = &self.functions;
        let mut program = ProgramGuard::new(functions);
        // SAFETY: the strings are null-terminated and outlive the calls, which do not keep them; there are no
        // headers; the handle is created by the first call and destroyed by `ProgramGuard`; each buffer has the size
        // reported by NVRTC.
        unsafe {
            check((functions.create)(
                &raw mut program.raw,
                source.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            ))?;
            let status = (functions.compile)(program.raw, options.len() as c_int, options.as_ptr());
            let mut size = 0;
            check((functions.log_size)(program.raw, &raw mut size))?;
            let mut log = vec![0_u8; size];
            check((functions.log)(program.raw, log.as_mut_ptr().cast()))?;
            while log.last() == Some(&0) {
                log.pop();
            }
            let log = String::from_utf8_lossy(&log).into_owned();
            if status != SUCCESS {
                return Ok((status, log, None));
            }
            check((functions.cubin_size)(program.raw, &raw mut size))?;
            let mut cubin = vec![0_u8; size];
            check((functions.cubin)(program.raw, cubin.as_mut_ptr().cast()))?;
            Ok((status, log, Some(cubin)))
        }
    }

    /// NVRTC's name of a status.
    fn status_name(&self, status: c_int) -> String {
        // SAFETY: NVRTC returns a constant null-terminated string for every status.
        unsafe { CStr::from_ptr((self.functions.error_string)(status)) }.to_string_lossy().into_owned()
    }
}

/// The log with an explanation: NVRTC does not report kernels that declare too much shared memory.
pub(super) fn explain(log: String, status: &str) -> String {
    let reports = resources::reports(&log);
    let oversized = reports.into_iter().find(|report| report.shared > MAX_STATIC_SHARED);
    match oversized {
        Some(Report { kernel, shared, .. }) => format!(
            "{log}{kernel} declares {shared} bytes of shared memory; more than {MAX_STATIC_SHARED} must be dynamic"
        ),
        None if log.contains("error") => log,
        None => format!("{log}{status}"),
    }
}

fn check(status: c_int) -> Result<(), c_int> {
    if status == SUCCESS { Ok(()) } else { Err(status) }
}

/// An NVRTC program, destroyed when dropped.
struct ProgramGuard<'a> {
    raw: Handle,
    functions: &'a Functions,
}

impl<'a> ProgramGuard<'a> {
    fn new(functions: &'a Functions) -> Self {
        COMPILING.fetch_add(1, Ordering::SeqCst);
        ProgramGuard { raw: ptr::null_mut(), functions }
    }
}

impl Drop for ProgramGuard<'_> {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: the handle was created by `create` and is destroyed only here.
            unsafe { (self.functions.destroy)(&raw mut self.raw) };
        }
        COMPILING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Loads a library; with `global`, other libraries find it by file name.
///
/// # Safety
/// The same as for [`Library::new`].
unsafe fn open_library(path: &Path, global: bool) -> Result<Library, libloading::Error> {
    #[cfg(all(unix, not(fuzzion_portable)))]
    {
        use libloading::os::unix::{Library as Unix, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
        let visibility = if global { RTLD_GLOBAL } else { RTLD_LOCAL };
        // SAFETY: guaranteed by the caller.
        unsafe { Unix::open(Some(path), RTLD_NOW | visibility) }.map(Into::into)
    }
    #[cfg(not(all(unix, not(fuzzion_portable))))]
    {
        let _ = global; // a loaded library is always found by its name
        // SAFETY: guaranteed by the caller.
        unsafe { Library::new(path) }
    }
}
