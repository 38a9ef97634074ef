//! List of the back ends of this machine, as printed by `fuzzion devices`.

use super::Cpu;
#[cfg(feature = "cuda")]
use super::cuda::{Cuda, KernelCache, driver, nvrtc::Nvrtc};
use crate::device::error::DeviceError;
use serde::Serialize;

/// One back end of this machine.
///
/// ```
/// for info in fuzzion::device::list() {
///     let reason = info.reason.unwrap_or_default(); // empty for usable devices
///     assert_eq!(info.usable, reason.is_empty(), "{}: {reason}", info.device);
/// }
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Name that selects the device, such as `cuda:0`.
    pub device: String,
    /// Name of the processor.
    pub name: Option<String>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Number of threads (CPU) or multiprocessors (GPU).
    pub units: Option<usize>,
    /// SIMD instruction set of a CPU.
    pub simd: Option<&'static str>,
    /// Compute capability of a GPU.
    pub compute_capability: Option<String>,
    /// Version and path of NVRTC, the compiler of the GPU kernels.
    pub compiler: Option<String>,
    /// Whether the device can be used.
    pub usable: bool,
    /// Why the device cannot be used, and how to fix that.
    pub reason: Option<String>,
}

/// The compiler of the GPU kernels and the folder in which compiled kernels are stored; neither needs a GPU.
///
/// ```
/// let tools = fuzzion::device::kernel_tools();
/// match tools.compiler {
///     Ok(compiler) => println!("{compiler}"), // NVRTC 12.9, /usr/local/cuda/lib64/libnvrtc.so.12
///     Err(reason) => println!("{reason}"),
/// }
/// ```
#[cfg(feature = "cuda")]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelTools {
    /// Version and path of NVRTC, or why it cannot be used and how to get it.
    pub compiler: std::result::Result<String, String>,
    /// The folder of the compiled kernels, or why kernels cannot be stored and how to fix that.
    pub cache: std::result::Result<std::path::PathBuf, String>,
}

/// The tools for compiling GPU kernels on this machine. Creates the folder of the compiled kernels.
///
/// ```
/// match fuzzion::device::kernel_tools().cache {
///     Ok(folder) => assert!(folder.is_dir()),
///     Err(reason) => println!("{reason}"),
/// }
/// ```
#[cfg(feature = "cuda")]
pub fn kernel_tools() -> KernelTools {
    let compiler = Nvrtc::load(None, None).map(|nvrtc| nvrtc.description()).map_err(|e| e.to_string());
    KernelTools { compiler, cache: KernelCache::new().check() }
}

/// All back ends of this machine, the CPU first.
///
/// ```
/// let devices = fuzzion::device::list();
/// assert!(devices[0].device == "cpu" && devices[0].usable);
/// assert!(devices[1].device.starts_with("cuda")); // not usable if there is no GPU
/// ```
pub fn list() -> Vec<DeviceInfo> {
    let mut devices = vec![cpu()];
    #[cfg(feature = "cuda")]
    match driver::count() {
        Err(error) => devices.push(DeviceInfo { device: "cuda".into(), ..unusable(&error) }),
        Ok(count) => devices.extend((0..count).map(gpu)),
    }
    #[cfg(not(feature = "cuda"))]
    devices.push(DeviceInfo { device: "cuda".into(), ..unusable(&DeviceError::NoCudaSupport) });
    devices
}

fn cpu() -> DeviceInfo {
    let found = Cpu::new();
    let (usable, reason) = (found.is_ok(), found.as_ref().err().map(ToString::to_string));
    DeviceInfo {
        device: "cpu".into(),
        name: proc_field("/proc/cpuinfo", "model name"),
        memory: proc_field("/proc/meminfo", "MemTotal")
            .and_then(|text| text.strip_suffix(" kB")?.parse::<u64>().ok())
            .map(|kilobytes| kilobytes * 1024),
        units: found.as_ref().ok().map(Cpu::threads),
        simd: found.as_ref().ok().map(|cpu| cpu.simd().level().name()),
        compute_capability: None,
        compiler: None,
        usable,
        reason,
    }
}

#[cfg(feature = "cuda")]
fn gpu(index: usize) -> DeviceInfo {
    let device = format!("cuda:{index}");
    let gpu = match driver::gpu(index) {
        Err(error) => return DeviceInfo { device, ..unusable(&error) },
        Ok(gpu) => gpu,
    };
    // Whether a GPU is usable is known only after opening it.
    let opened = Cuda::new(index);
    DeviceInfo {
        device,
        name: Some(gpu.name),
        memory: Some(gpu.memory),
        units: Some(gpu.multiprocessors as usize),
        simd: None,
        compute_capability: Some(format!("{}.{}", gpu.capability.0, gpu.capability.1)),
        compiler: opened.as_ref().ok().map(Cuda::compiler),
        usable: opened.is_ok(),
        reason: opened.err().map(|error| error.to_string()),
    }
}

fn unusable(error: &DeviceError) -> DeviceInfo {
    DeviceInfo {
        device: String::new(),
        name: None,
        memory: None,
        units: None,
        simd: None,
        compute_capability: None,
        compiler: None,
        usable: false,
        reason: Some(error.to_string()),
    }
}

/// The first value of `field` in a `/proc` file; `None` on systems other than Linux.
fn proc_field(path: &str, field: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let value =
        |line: &str| line.strip_prefix(field)?.trim_start().strip_prefix(':').map(|v| v.trim().to_owned());
    text.lines().find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_first_and_usable_and_unusable_devices_have_a_reason() {
        let devices = list();
        assert_eq!(devices[0].device, "cpu");
        assert!(devices[0].usable && devices[0].reason.is_none() && devices[0].simd.is_some());
        assert!(devices.len() > 1, "CUDA is listed even if it is unavailable");
        assert!(devices.iter().all(|d| d.usable == d.reason.is_none()));
    }
}
