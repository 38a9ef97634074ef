//! What `fuzzion devices` prints: every back end, usable or not, and why not.

use super::cuda::driver;
use super::{Cpu, Cuda};
use crate::error::Error;
use serde::Serialize;

/// One back end of this machine.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The word that selects it.
    pub device: String,
    /// The processor's name.
    pub name: Option<String>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Threads (CPU) or multiprocessors (GPU).
    pub units: Option<usize>,
    /// Vector instructions of a CPU.
    pub simd: Option<&'static str>,
    /// Compute capability of a GPU.
    pub compute_capability: Option<String>,
    /// What compiles a GPU's kernels, and where it lies.
    pub compiler: Option<String>,
    /// Whether work can be done on it.
    pub usable: bool,
    /// Why not, and how to mend it.
    pub reason: Option<String>,
}

/// Every back end of this machine, the CPU first; never fails, never prints.
pub fn list() -> Vec<DeviceInfo> {
    let mut devices = vec![cpu()];
    match driver::count() {
        Err(error) => devices.push(DeviceInfo { device: "cuda".into(), ..unusable(&error) }),
        Ok(count) => devices.extend((0..count).map(gpu)),
    }
    devices
}

fn cpu() -> DeviceInfo {
    let found = Cpu::new();
    let (usable, reason) = (found.is_ok(), found.as_ref().err().map(Error::to_string));
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

fn gpu(index: usize) -> DeviceInfo {
    let device = format!("cuda:{index}");
    let gpu = match driver::gpu(index) {
        Err(error) => return DeviceInfo { device, ..unusable(&error) },
        Ok(gpu) => gpu,
    };
    // Opening it is the only honest answer to whether it can be used.
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

fn unusable(error: &Error) -> DeviceInfo {
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

/// The first `field : value` of one of Linux's text files; `None` on other systems.
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
    fn the_cpu_comes_first_and_is_usable_and_what_is_not_usable_says_why() {
        let devices = list();
        assert_eq!(devices[0].device, "cpu");
        assert!(devices[0].usable && devices[0].reason.is_none() && devices[0].simd.is_some());
        assert!(devices.len() > 1, "CUDA is listed even where it is absent");
        assert!(devices.iter().all(|d| d.usable == d.reason.is_none()));
    }
}
