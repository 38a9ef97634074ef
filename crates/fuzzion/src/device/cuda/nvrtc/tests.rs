use super::library::{Compiled, Nvrtc, explain};
use super::resources::{self, KernelResources};
use super::search::{self, Candidate, SearchEnvironment};
use super::testing::{compiled_everywhere, nvrtc_or_skip};
use crate::device::cuda::program::Program;
use crate::device::error::DeviceError;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

const TINY: &str = r#"
extern "C" __global__ void __launch_bounds__(64) reverse(const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float all[64];
    all[threadIdx.x] = __fadd_rd(x[threadIdx.x], STEP);
    __syncthreads();
    y[threadIdx.x] = all[63 - threadIdx.x];
}
extern "C" __global__ void each(const float* x, float* y, const int64 n) { FOR_EACH(i, n) y[i] = 2.0f * x[i]; }
"#;

fn tiny() -> Program {
    Program::new("tiny", TINY).constant("STEP", "0.5f")
}

#[test]
fn a_program_compiles_for_every_architecture_and_reports_its_kernels() {
    let Some(all) = compiled_everywhere(&tiny()) else { return };
    for (architecture, mut kernels) in all {
        kernels.sort_by(|a, b| a.kernel.cmp(&b.kernel));
        let [each, reverse] = &kernels[..] else { panic!("{architecture}: {kernels:?}") };
        assert_eq!((each.kernel.as_str(), each.shared), ("each", 0));
        assert_eq!((reverse.kernel.as_str(), reverse.shared), ("reverse", 256));
        assert!(
            kernels.iter().all(|kernel| (4..=32).contains(&kernel.registers)),
            "{architecture}: {kernels:?}"
        );
        assert!(kernels.iter().all(|kernel| kernel.spill_stores == 0 && kernel.stack == 0));
    }
}

#[test]
fn a_cubin_is_an_elf_file_with_the_names_of_its_kernels() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    let Compiled { cubin, .. } = nvrtc.compile(&tiny(), "sm_90a").unwrap();
    assert_eq!(&cubin[..4], b"\x7fELF");
    assert!(cubin.windows(8).any(|bytes| bytes == b"reverse\0"));
}

#[test]
fn several_threads_can_compile_at_the_same_time() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    std::thread::scope(|scope| {
        for step in ["1.0f", "2.0f", "3.0f", "4.0f"] {
            scope.spawn(move || {
                let program = Program::new("tiny", TINY).constant("STEP", step);
                assert_eq!(nvrtc.compile(&program, "sm_80").unwrap().resources().unwrap().len(), 2);
            });
        }
    });
}

#[test]
fn a_broken_program_is_rejected_with_the_line() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    let program =
        Program::new("broken", "extern \"C\" __global__ void k(float* y) {\n    y[0] = nonsense;\n}");
    let line = program.text().lines().count() - 1;
    let error = nvrtc.compile(&program, "sm_90").unwrap_err();
    assert!(matches!(error, DeviceError::Compile { program: "broken", .. }));
    let message = error.to_string();
    assert!(message.starts_with("NVRTC failed to compile broken for sm_90:\n"), "{message}");
    assert!(
        message.contains(&format!("broken.cu({line}): error: identifier \"nonsense\" is undefined")),
        "{message}"
    );
    assert!(message.contains("    y[0] = nonsense;"), "{message}");
}

#[test]
fn options_of_a_program_are_passed_to_the_compiler() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    let multiply_add = "extern \"C\" __global__ void k(float* y) { y[0] = y[1] * y[2] + y[3]; }";
    let fused = nvrtc.compile(&Program::new("fused", multiply_add), "sm_90").unwrap();
    let unfused = Program::new("fused", multiply_add).option("--fmad=false");
    assert_ne!(fused.cubin, nvrtc.compile(&unfused, "sm_90").unwrap().cubin);
    let message = nvrtc.compile(&unfused.option("--nonsense"), "sm_90").unwrap_err().to_string();
    assert!(message.contains("--nonsense"), "{message}");
    let message = nvrtc.compile(&tiny(), "sm_1").unwrap_err().to_string();
    assert!(message.contains("for sm_1:\n") && message.contains("architecture"), "{message}");
}

#[test]
fn too_much_declared_shared_memory_is_explained() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    let source = "extern \"C\" __global__ void greedy(float* y) {
        __shared__ float all[20000];
        all[threadIdx.x] = y[threadIdx.x];
        __syncthreads();
        y[0] = all[63];
    }";
    let message = nvrtc.compile(&Program::new("greedy", source), "sm_90").unwrap_err().to_string();
    assert!(
        message.ends_with("greedy declares 80000 bytes of shared memory; more than 49152 must be dynamic"),
        "{message}"
    );
    // nothing is added to a log with an error; the status is added to other logs
    assert_eq!(explain("x.cu(1): error: no".into(), "NVRTC_ERROR_COMPILATION"), "x.cu(1): error: no");
    assert_eq!(explain(String::new(), "NVRTC_ERROR_INTERNAL_ERROR"), "NVRTC_ERROR_INTERNAL_ERROR");
}

/// Recorded from NVRTC 13.0 and 12.9.
const LOG: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'spill' for 'sm_80'
ptxas info    : Function properties for spill
ptxas         .     224 bytes stack frame, 352 bytes spill stores, 356 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 224 bytes cumulative stack size, 368 bytes cmem[0]
ptxas info    : Compile time = 35.304 ms
ptxas info    : Compiling entry function 'a' for 'sm_90'
ptxas info    : Function properties for a
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 256 bytes smem
ptxas info    : Compile time = 1.965 ms
";

#[test]
fn the_assembler_report_is_parsed() {
    let expected = [
        KernelResources {
            kernel: "spill".into(),
            registers: 32,
            stack: 224,
            spill_stores: 352,
            spill_loads: 356,
            shared: 0,
        },
        KernelResources { kernel: "a".into(), registers: 10, shared: 256, ..KernelResources::default() },
    ];
    assert_eq!(resources::parse(LOG).unwrap(), expected);
    assert_eq!(resources::parse("warning: 3 registers of nothing").unwrap(), []);
}

#[test]
fn an_incomplete_assembler_report_is_an_error() {
    for missing in ["spill stores", "spill loads", "registers", "stack"] {
        let message = resources::parse(&LOG.replace(missing, "?")).unwrap_err();
        assert!(message.starts_with("incomplete report on kernel `spill` in the log:\n"), "{message}");
    }
}

// ---- search in temporary folders ----

fn touch(path: &Path) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "not a library").unwrap();
    path.to_owned()
}

fn files(environment: &SearchEnvironment) -> Vec<PathBuf> {
    search::search(environment).candidates.iter().map(|candidate| candidate.path().to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn toolkits_precede_packages_and_newer_versions_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let at = |path: &str| touch(&root.join(path));
    let expected = [
        at("toolkit/lib64/libnvrtc.so.12"),
        at("usr/local/cuda-13.1/targets/x86_64-linux/lib/libnvrtc.so.13"),
        at("usr/local/cuda-12.9/lib64/libnvrtc.so.12"),
        at("opt/cuda/lib/libnvrtc.so.13"),
        at("venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13"),
        at("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"),
        at("home/.local/lib/python3.10/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"),
        at("usr/lib/python3/dist-packages/nvidia/cu13/lib/libnvrtc.so.13"),
        at("usr/local/lib/python3.9/dist-packages/nvidia/cu13/lib/libnvrtc.so.13"),
        at("home/.pyenv/versions/3.13.0/lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13"),
        at("elsewhere/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13"),
    ];
    at("elsewhere/bin/python3.12");
    fs::create_dir_all(root.join("links")).unwrap();
    std::os::unix::fs::symlink(root.join("elsewhere/bin/python3.12"), root.join("links/python3")).unwrap();
    // none of these is the NVRTC library
    at("toolkit/lib64/libnvrtc-builtins.so.12.9");
    at("toolkit/lib64/libnvrtc.alt.so.12");
    at("toolkit/lib64/libnvrtc_static.a");
    // the same library with another path
    std::os::unix::fs::symlink(root.join("opt/cuda/lib"), root.join("opt/cuda/lib64")).unwrap();
    let name = |path: &str| root.join(path).to_str().unwrap().to_owned();
    let environment = SearchEnvironment {
        variables: HashMap::from([
            ("CUDA_HOME", name("toolkit")),
            ("CUDA_PATH", String::new()),
            ("VIRTUAL_ENV", name("venv")),
            ("HOME", name("home")),
            ("PATH", name("links")),
        ]),
        root: root.clone(),
        loader: false,
    };
    let mut found = files(&environment);
    if let Some(link) = found.iter_mut().find(|path| path.starts_with(root.join("opt/cuda/lib64"))) {
        *link = link.canonicalize().unwrap();
    }
    if cfg!(target_arch = "x86_64") {
        assert_eq!(found, expected);
    }
    let with_loader = SearchEnvironment { loader: true, ..environment };
    let names = search::search(&with_loader).candidates;
    assert_eq!(names[4], Candidate::Name("libnvrtc.so".into()), "the loader is tried after the toolkits");
}

#[cfg(unix)]
#[test]
fn the_environment_variable_overrides_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let library = touch(&root.join("mine/lib/libnvrtc.so.13"));
    touch(&root.join("opt/cuda/lib/libnvrtc.so.12"));
    let with = |value: &Path| SearchEnvironment {
        variables: HashMap::from([("FUZZION_NVRTC", value.to_str().unwrap().to_owned())]),
        root: root.clone(),
        loader: true,
    };
    for value in [library.as_path(), library.parent().unwrap(), &root.join("mine")] {
        assert_eq!(files(&with(value)), std::slice::from_ref(&library), "{}", value.display());
    }
    assert_eq!(files(&with(&root.join("nothing"))), [] as [PathBuf; 0]);
}

#[test]
fn the_version_is_parsed_from_the_file_name() {
    let major = |name: &str| Candidate::Name(name.into()).major();
    assert_eq!(major("libnvrtc.so.13"), Some(13));
    assert_eq!(major("/usr/local/cuda/lib64/libnvrtc.so.12.9.86"), Some(12));
    assert_eq!(major("libnvrtc.so"), None);
    assert_eq!(major("nvrtc64_120_0.dll"), Some(12));
}

#[cfg(unix)]
#[test]
fn the_builtins_of_the_same_version_are_preferred() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let library = touch(&root.join("libnvrtc.so.12"));
    assert_eq!(search::find_builtins(&library, (12, 8)), None);
    let newer = touch(&root.join("libnvrtc-builtins.so.12.9"));
    assert_eq!(search::find_builtins(&library, (12, 8)), Some(newer));
    let own = touch(&root.join("libnvrtc-builtins.so.12.8"));
    assert_eq!(search::find_builtins(&library, (12, 8)), Some(own.clone()));
    fs::create_dir_all(root.join("links")).unwrap();
    let link = root.join("links/libnvrtc.so");
    std::os::unix::fs::symlink(&library, &link).unwrap();
    assert_eq!(search::find_builtins(&link, (12, 8)), Some(own));
    assert_eq!(search::find_builtins(Path::new("libnvrtc.so"), (12, 8)), None);
}

#[cfg(unix)]
#[test]
fn without_nvrtc_the_error_explains_how_to_install_it() {
    let folder = tempfile::tempdir().unwrap();
    let bare = SearchEnvironment { root: folder.path().into(), ..SearchEnvironment::default() };
    assert_eq!(
        Nvrtc::load_from(&bare, None, None).unwrap_err().to_string(),
        "the CUDA run-time compiler NVRTC was not found in any of 3 locations; install a CUDA toolkit or \
         `pip install nvidia-cuda-nvrtc`, or set FUZZION_NVRTC to its path"
    );
    let broken = touch(&folder.path().join("opt/cuda/lib/libnvrtc.so.13"));
    let message = Nvrtc::load_from(&bare, Some(12), None).unwrap_err().to_string();
    assert!(message.contains(&format!("locations ({}: ", broken.display())), "{message}");
}

/// Compiles a fake NVRTC library with version `major`; `None` without a C++ compiler.
#[cfg(target_os = "linux")]
fn fake_nvrtc(folder: &Path, major: i32) -> Option<()> {
    let stubs: String = [
        "CreateProgram",
        "DestroyProgram",
        "CompileProgram",
        "GetCUBINSize",
        "GetCUBIN",
        "GetProgramLogSize",
        "GetProgramLog",
        "GetErrorString",
    ]
    .map(|name| format!("int nvrtc{name}() {{ return 1; }}\n"))
    .concat();
    let queries = format!(
        "int nvrtcVersion(int* a, int* b) {{ *a = {major}; *b = 4; return 0; }}\n\
         int nvrtcGetNumSupportedArchs(int* n) {{ *n = 1; return 0; }}\n\
         int nvrtcGetSupportedArchs(int* a) {{ *a = 90; return 0; }}\n"
    );
    let source = touch(&folder.join("fake_nvrtc.cpp"));
    fs::write(&source, format!("extern \"C\" {{\n{stubs}{queries}}}")).unwrap();
    let library = folder.join(format!("libnvrtc.so.{major}"));
    let compiled =
        std::process::Command::new("c++").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    compiled.ok().filter(|status| status.success()).map(|_| ())
}

#[cfg(target_os = "linux")]
#[test]
fn a_version_not_newer_than_the_driver_is_preferred_and_a_newer_one_is_the_fallback() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let load = |newest| {
        let environment = SearchEnvironment { root: root.clone(), ..SearchEnvironment::default() };
        Nvrtc::load_from(&environment, newest, None).unwrap().version
    };
    let Some(()) = fake_nvrtc(&root.join("usr/local/cuda-14.4/lib64"), 14) else { return };
    assert_eq!(load(Some(13)), (14, 4), "fallback");
    let Some(()) = fake_nvrtc(&root.join("usr/local/cuda-12.4/lib64"), 12) else { return };
    assert_eq!(load(None), (14, 4));
    assert_eq!(load(Some(14)), (14, 4));
    assert_eq!(load(Some(13)), (12, 4));
    // a library without a version in its file name is loaded to query it
    fs::rename(
        root.join("usr/local/cuda-14.4/lib64/libnvrtc.so.14"),
        root.join("usr/local/cuda-14.4/lib64/libnvrtc.so"),
    )
    .unwrap();
    assert_eq!(load(Some(13)), (12, 4));
    assert_eq!(load(None), (14, 4));
}

#[test]
fn an_unsupported_gpu_architecture_is_rejected_by_name() {
    if super::testing::nvrtc_or_skip().is_none() {
        return;
    }
    let ours = Nvrtc::load(None, Some((9, 0))).unwrap();
    assert!(ours.architectures.contains(&90));
    let Err(error) = ours.for_gpu(Some((1, 0))) else { panic!("no NVRTC supports sm_10") };
    assert!(error.ends_with("does not support sm_10"), "{error}");
}
