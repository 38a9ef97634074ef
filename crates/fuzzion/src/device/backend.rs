//! Selection of the processor.

use super::cpu::Cpu;
use super::cuda::{Cuda, driver};
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The processor that runs an operation.
///
/// ```
/// use fuzzion::Device;
/// let device: Device = "cpu".parse()?;
/// assert_eq!(device.to_string(), "cpu");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Device {
    /// The CPU.
    Cpu(Cpu),
    /// One NVIDIA GPU.
    Cuda(Cuda),
    /// Several NVIDIA GPUs that split the rows of a problem; operations without multi-GPU support use the first one.
    Cudas(Gpus),
    /// The GPU, or the CPU for problems too small to gain from the GPU.
    Best(Cpu, Cuda),
}

/// One or more NVIDIA GPUs, created by parsing `cuda:N,M` or `cuda:all`.
#[derive(Clone, Debug)]
pub struct Gpus(Vec<Cuda>);

impl Device {
    /// The CPU with `FUZZION_THREADS` threads, by default one per core.
    ///
    /// # Errors
    /// As [`Cpu::new`].
    pub fn cpu() -> Result<Self> {
        Ok(Device::Cpu(Cpu::new()?))
    }

    /// The GPU with the given index.
    ///
    /// # Errors
    /// As [`Cuda::new`].
    pub fn cuda(index: usize) -> Result<Self> {
        Ok(Device::Cuda(Cuda::new(index)?))
    }

    /// The first GPU if it is usable and the problem is large enough to gain from it, otherwise the CPU.
    ///
    /// # Errors
    /// As [`Cpu::new`].
    pub fn best() -> Result<Self> {
        Ok(Device::best_with(Cpu::new()?))
    }

    /// The device `name` (`cpu`, `cuda`, `cuda:N`, `cuda:N,M,…`, `cuda:all` or `best`), with `cpu` as its CPU.
    ///
    /// # Errors
    /// [`Error::UnknownDevice`], or as [`Cuda::new`].
    pub fn named(name: &str, cpu: Cpu) -> Result<Self> {
        match name {
            "cpu" => Ok(Device::Cpu(cpu)),
            "best" => Ok(Device::best_with(cpu)),
            _ => Device::cuda_named(name),
        }
    }

    fn cuda_named(name: &str) -> Result<Self> {
        let unknown = || Error::UnknownDevice(name.to_owned());
        // Only digits: `parse` would accept `+1` too.
        let index = |digits: &str| match digits.bytes().all(|b| b.is_ascii_digit()) {
            true => digits.parse::<usize>().map_err(|_| unknown()),
            false => Err(unknown()),
        };
        match name.split_once(':') {
            None if name == "cuda" => Device::cuda(0),
            Some(("cuda", "all")) => match driver::count()? {
                0 | 1 => Device::cuda(0),
                count => Ok(Device::Cudas(Gpus((0..count).map(Cuda::new).collect::<Result<_>>()?))),
            },
            Some(("cuda", list)) if list.contains(',') => {
                let indices: Vec<usize> = list.split(',').map(index).collect::<Result<_>>()?;
                Ok(Device::Cudas(Gpus(indices.into_iter().map(Cuda::new).collect::<Result<_>>()?)))
            }
            Some(("cuda", digits)) if !digits.is_empty() => Device::cuda(index(digits)?),
            _ => Err(unknown()),
        }
    }

    fn best_with(cpu: Cpu) -> Self {
        match Cuda::new(0) {
            Ok(cuda) => Device::Best(cpu, cuda),
            Err(_) => Device::Cpu(cpu),
        }
    }

    /// The processor for a problem. `too_small_for_gpu` matters only for [`Device::Best`]: a device chosen explicitly
    /// is always used.
    pub(crate) fn processor(&self, too_small_for_gpu: bool) -> Processor<'_> {
        match self {
            Device::Cpu(cpu) => Processor::Cpu(cpu),
            Device::Best(cpu, _) if too_small_for_gpu => Processor::Cpu(cpu),
            Device::Cuda(cuda) | Device::Best(_, cuda) => Processor::Cuda(cuda),
            Device::Cudas(gpus) => Processor::Cuda(&gpus.0[0]), // a list split at commas is not empty
        }
    }

    /// The GPUs of [`Device::Cudas`].
    pub(crate) fn gpus(&self) -> Option<&[Cuda]> {
        match self {
            Device::Cudas(gpus) => Some(&gpus.0),
            _ => None,
        }
    }
}

/// The processor chosen for one operation.
pub(crate) enum Processor<'a> {
    Cpu(&'a Cpu),
    Cuda(&'a Cuda),
}

impl FromStr for Device {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if name.starts_with("cuda") {
            return Device::cuda_named(name); // independent of the CPU settings
        }
        Device::named(name, Cpu::new()?)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu(_) => f.write_str("cpu"),
            Device::Cuda(cuda) => write!(f, "cuda:{}", cuda.index()),
            Device::Cudas(gpus) => {
                let indices: Vec<String> = gpus.0.iter().map(|cuda| cuda.index().to_string()).collect();
                write!(f, "cuda:{}", indices.join(","))
            }
            Device::Best(..) => f.write_str("best"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_device_names_are_rejected_with_a_list_of_valid_names() {
        for name in [
            "",
            "gpu",
            "CPU",
            "cuda:",
            "cuda:x",
            "cuda:-1",
            "cuda:+1",
            "cuda:0,",
            "cuda:,",
            "cpu:0",
            "cuda:99999999999999999999",
        ] {
            let error = name.parse::<Device>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "unknown device `{name}`; expected `cpu`, `cuda`, `cuda:N`, `cuda:N,M`, `cuda:all` or `best`"
                )
            );
        }
    }

    #[test]
    fn best_is_always_a_usable_device() {
        Device::best().unwrap();
    }

    #[test]
    fn every_device_parses_from_its_display_name() {
        for name in ["cpu", "cuda:0", "cuda:0,0", "best"] {
            match name.parse::<Device>() {
                Ok(Device::Cpu(_)) if name == "best" => {} // no usable GPU
                Ok(device) => assert_eq!(device.to_string(), name),
                Err(error) => assert!(name.starts_with("cuda:"), "{error}"),
            }
        }
    }
}
