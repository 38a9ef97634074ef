//! Compilation of a program with the system's C++ compiler.

use super::EmulatorError;
use super::source::{self, Signature};
use crate::device::cuda::program::Program;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{fs, io};

/// The runtime and the headers.
const FILES: [(&str, &str); 14] = [
    ("runtime.cpp", include_str!("include/runtime.cpp")),
    ("emulator.h", include_str!("include/emulator.h")),
    ("launch.h", include_str!("include/launch.h")),
    ("vectors.h", include_str!("include/vectors.h")),
    ("fibers.h", include_str!("include/fibers.h")),
    ("scheduler.h", include_str!("include/scheduler.h")),
    ("operations.h", include_str!("include/operations.h")),
    ("run.h", include_str!("include/run.h")),
    ("sanitizer.h", include_str!("include/sanitizer.h")),
    ("collectives.h", include_str!("include/collectives.h")),
    ("intrinsics.h", include_str!("include/intrinsics.h")),
    ("rounding.h", include_str!("include/rounding.h")),
    ("rounded.h", include_str!("include/rounded.h")),
    ("packed.h", include_str!("include/packed.h")),
];

/// Floating-point operations must not be reordered, fused or folded; undefined behavior is checked.
const FLAGS: [&str; 10] = [
    "-O1",
    "-std=c++17",
    "-fPIC",
    "-frounding-math",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fsanitize=bounds,shift-exponent,integer-divide-by-zero,alignment",
    "-fvisibility=hidden",
    "-w",
    "-DFUZZION_EMULATOR",
];

/// Same as `Parameter` in emulator.h.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) kind: u32,
    pub(super) class: u32,
    pub(super) size: u32,
}

/// Same as `Kernel` in emulator.h.
#[repr(C)]
struct RawKernel {
    name: *const c_char,
    call: Option<Call>,
    parameters: *const Parameter,
    count: u32,
}

/// Calls a kernel with pointers to its arguments.
pub(super) type Call = unsafe extern "C" fn(*mut *mut c_void);

/// A kernel of a loaded program.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) signature: Signature,
    pub(super) call: Call,
    pub(super) parameters: Vec<Parameter>,
}

/// A compiled and loaded program.
pub(super) struct LoadedProgram {
    pub(super) text: String,
    pub(super) kernels: Vec<Kernel>,
    /// `fuzzion_emulator_launch`, which uses global state: one launch at a time.
    pub(super) launch: Mutex<unsafe extern "C" fn(*const c_void) -> c_int>,
    _library: libloading::Library,
}

/// The result for one source; the first thread compiles, others wait.
type Slot = Arc<OnceLock<Result<Arc<LoadedProgram>, EmulatorError>>>;

/// `program`, compiled once per process; a library of the same source from an earlier process is reused.
pub(super) fn load(program: &Program, extra: &[&str]) -> Result<Arc<LoadedProgram>, EmulatorError> {
    static CACHE: OnceLock<Mutex<HashMap<String, Slot>>> = OnceLock::new();
    let key = format!("{extra:?}\n{}", program.text());
    let slot = {
        let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cache.entry(key).or_default())
    };
    slot.get_or_init(|| {
        let library = library(program, extra, &compilers(std::env::var("CXX").ok()))?;
        open(&library, program.text()).map(Arc::new)
    })
    .clone()
}

/// Compilers in order of preference.
pub(super) fn compilers(chosen: Option<String>) -> Vec<String> {
    match chosen {
        Some(chosen) if !chosen.trim().is_empty() => vec![chosen],
        _ => ["c++", "g++", "clang++"].map(String::from).to_vec(),
    }
}

/// Path of the shared library of `program`, compiled unless it exists.
pub(super) fn library(
    program: &Program,
    extra: &[&str],
    compilers: &[String],
) -> Result<PathBuf, EmulatorError> {
    if !cfg!(target_os = "linux") {
        return Err(EmulatorError::Unsupported);
    }
    let source = translation_unit(&program.text());
    let stem: String = program.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let name = format!("{stem}-{}", hash((&source, FILES, FLAGS, extra, compilers)));
    let folder = folder()?;
    let finished = folder.join(format!("{name}.so"));
    if !finished.exists() {
        let build = folder.join(format!("{name}.{}", std::process::id()));
        let mut results =
            compilers.iter().map(|compiler| compile(program.name, &source, extra, compiler, &build));
        let built = results
            .find(|result| !matches!(result, Err(EmulatorError::NoCompiler { .. })))
            .unwrap_or_else(|| Err(EmulatorError::NoCompiler { tried: compilers.join(", ") }))
            // Renamed only when complete, since other processes look for the final name.
            .and_then(|built| fs::rename(&built, &finished).map_err(|e| system("rename", &built, &e)));
        let _ = fs::remove_dir_all(&build);
        built?;
    }
    Ok(finished)
}

fn hash(content: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The folder of compiled libraries, next to the test executable in the target folder.
fn folder() -> Result<PathBuf, EmulatorError> {
    let exe = std::env::current_exe().map_err(|e| system("find", Path::new("the test executable"), &e))?;
    let folder = exe.parent().and_then(Path::parent).unwrap_or(Path::new(".")).join("emulator");
    fs::create_dir_all(&folder).map_err(|e| system("create", &folder, &e))?;
    Ok(folder)
}

/// The C++ translation unit: the program between the emulator and a table of its kernels.
///
/// The program is in an anonymous namespace to avoid name collisions. For a kernel excluded by `#if`, the constant of
/// the same name in the enclosing namespace is found instead, which excludes it from the table. Kernels are renamed,
/// because a kernel called `index` would otherwise conflict with the C library.
fn translation_unit(text: &str) -> String {
    let names: Vec<String> = source::kernels(text).into_iter().map(|kernel| kernel.name).collect();
    let lines = |line: fn(&str) -> String| names.iter().map(|name| line(name)).collect::<String>();
    let absent = lines(|name| format!("constexpr int fuzzion_kernel_{name} = 0;\n"));
    let renamed = lines(|name| format!("#define {name} fuzzion_kernel_{name}\n"));
    let entries = lines(|name| format!("FUZZION_KERNEL(fuzzion_kernel_{name}, \"{name}\"),\n"));
    format!(
        "#include \"emulator.h\"\nnamespace fuzzion_absent {{\n{absent}namespace program {{\nnamespace {{\n{renamed}\
         #line 1 \"program.cu\"\n{text}\n#line 1 \"table.cpp\"\n}}\n\
         extern \"C\" __attribute__((visibility(\"default\"))) const fuzzion_emulator::Kernel* \
         fuzzion_emulator_kernels() {{\n\
         static const fuzzion_emulator::Kernel table[] = {{\n{entries}fuzzion_emulator::Kernel{{}}}};\n\
         return table;\n}}\n}}\n}}\n"
    )
}

/// Path of the shared library of a program, in the folder `build`.
fn compile(
    program: &'static str,
    source: &str,
    extra: &[&str],
    compiler: &str,
    build: &Path,
) -> Result<PathBuf, EmulatorError> {
    let runtime = runtime(extra, compiler)?;
    write(build, "unit.cpp", source)?;
    // Compiled and linked separately: a combined call would link the sanitizer's library.
    let include = format!("-I{}", runtime.display());
    run(program, compiler, &[&FLAGS, extra, &[&include, "-c", "unit.cpp", "-o", "unit.o"]].concat(), build)?;
    let object = runtime.join("runtime.o").display().to_string();
    run(program, compiler, &["-shared", "unit.o", &object, "-o", "unit.so"], build)?;
    Ok(build.join("unit.so"))
}

/// The folder with the compiled runtime and the precompiled headers, compiled unless it exists. Without them, every program
/// would take ten times as long to compile.
fn runtime(extra: &[&str], compiler: &str) -> Result<PathBuf, EmulatorError> {
    static COMPILING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
    let name = format!("runtime-{}", hash((FILES, FLAGS, extra, compiler)));
    let finished = folder()?.join(&name);
    if finished.exists() {
        return Ok(finished);
    }
    let build = folder()?.join(format!("{name}.{}", std::process::id()));
    for (name, text) in FILES {
        write(&build, name, text)?;
    }
    for arguments in
        [["-c", "runtime.cpp", "-o", "runtime.o"], ["-xc++-header", "emulator.h", "-o", "emulator.h.gch"]]
    {
        run("runtime", compiler, &[&FLAGS, extra, &arguments].concat(), &build)?;
    }
    let renamed = fs::rename(&build, &finished);
    // Another process may have been faster.
    let _ = fs::remove_dir_all(&build);
    if finished.exists() {
        Ok(finished)
    } else {
        renamed.map(|()| finished).map_err(|e| system("rename", &build, &e))
    }
}

/// Writes a file into a folder, which is created.
fn write(folder: &Path, name: &str, text: &str) -> Result<(), EmulatorError> {
    let path = folder.join(name);
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|e| system("write", &path, &e))
}

fn run(
    program: &'static str,
    compiler: &str,
    arguments: &[&str],
    folder: &Path,
) -> Result<(), EmulatorError> {
    // CXX may contain flags after the compiler's name.
    let mut flags = compiler.split_whitespace();
    let name = flags.next().unwrap_or(compiler);
    match Command::new(name).args(flags).args(arguments).current_dir(folder).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            Err(EmulatorError::Compile { program, log: String::from_utf8_lossy(&output.stderr).into_owned() })
        }
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => {
            Err(EmulatorError::NoCompiler { tried: name.to_owned() })
        }
        Err(e) => Err(system("run", Path::new(name), &e)),
    }
}

fn open(library: &Path, text: String) -> Result<LoadedProgram, EmulatorError> {
    let load_error = |e: libloading::Error| {
        // the loader's message is the source of the error
        let reason = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
        EmulatorError::System { doing: format!("load {}", library.display()), reason }
    };
    let signatures = source::kernels(&text);
    // SAFETY: the library was built by `compile`: loading it runs only C++ initializers, and both symbols have the
    // types declared in emulator.h, run.h and `translation_unit`. The table ends with a kernel without a name; its
    // names, parameters and functions live as long as the library, which `LoadedProgram` keeps loaded.
    unsafe {
        let opened = libloading::Library::new(library).map_err(load_error)?;
        let launch = *opened
            .get::<unsafe extern "C" fn(*const c_void) -> c_int>(b"fuzzion_emulator_launch\0")
            .map_err(load_error)?;
        let table = opened
            .get::<unsafe extern "C" fn() -> *const RawKernel>(b"fuzzion_emulator_kernels\0")
            .map_err(load_error)?;
        let mut kernels = Vec::new();
        let mut raw = table();
        while !(*raw).name.is_null() {
            let name = CStr::from_ptr((*raw).name).to_string_lossy();
            let signature = signatures.iter().find(|signature| signature.name == name);
            if let (Some(call), Some(signature)) = ((*raw).call, signature) {
                let parameters =
                    std::slice::from_raw_parts((*raw).parameters, (*raw).count as usize).to_vec();
                kernels.push(Kernel { signature: signature.clone(), call, parameters });
            }
            raw = raw.add(1);
        }
        Ok(LoadedProgram { text, kernels, launch: Mutex::new(launch), _library: opened })
    }
}

fn system(verb: &str, path: &Path, error: &io::Error) -> EmulatorError {
    EmulatorError::System { doing: format!("{verb} {}", path.display()), reason: error.to_string() }
}
