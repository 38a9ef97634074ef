//! The one place where processors are chosen: the CPU with its threads and vector instructions, NVIDIA GPUs
//! through CUDA. A [`Device`] is a value that the caller picks once and lends to each verb.

pub(crate) mod ceilings;
mod check;
mod cpu;
pub(crate) mod cuda;
mod list;
pub(crate) mod math;
pub(crate) mod measure;
mod simd;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use ceilings::Ceilings;
pub use check::Check;
pub use cpu::Cpu;
pub use cuda::Cuda;
pub use list::{DeviceInfo, list};
pub use measure::Measurement;
pub(crate) use simd::{
    Aligned, Double, ENTRIES, Narrow, Nearest, PLANE, Plane, Rounded, Vector, Vectors, copy_past_caches,
    look_up, mul_add_f32, mul_add_f64, rounded, simd, vectors,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use simd::{
    InRegisters, NearestF32, NearestF64, RoundedVectors, load_64, permutes, permuting, store_64,
};
pub use simd::{Simd, SimdLevel};

use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The processor that does the work: picked once, lent to each verb.
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
    /// Several NVIDIA GPUs that share the rows of a problem; where a room cannot, the first of them works alone.
    Cudas(Gpus),
    /// A usable GPU that was not asked for by name, and the CPU for problems too small to gain from it.
    Best(Cpu, Cuda),
}

/// Several NVIDIA GPUs, at least one: made by parsing `cuda:N,M` or `cuda:all`.
#[derive(Clone, Debug)]
pub struct Gpus(Vec<Cuda>);

impl Device {
    /// The CPU with all its cores, or as many threads as `FUZZION_THREADS` says.
    ///
    /// # Errors
    /// As [`Cpu::new`].
    pub fn cpu() -> Result<Self> {
        Ok(Device::Cpu(Cpu::new()?))
    }

    /// The GPU numbered `index`.
    ///
    /// # Errors
    /// As [`Cuda::new`].
    pub fn cuda(index: usize) -> Result<Self> {
        Ok(Device::Cuda(Cuda::new(index)?))
    }

    /// The first GPU where one is usable and the problem is large enough to gain from it, else the CPU.
    ///
    /// # Errors
    /// As [`Cpu::new`].
    pub fn best() -> Result<Self> {
        Ok(Device::best_with(Cpu::new()?))
    }

    /// The device called `name` (`cpu`, `cuda`, `cuda:N`, `cuda:N,M,…`, `cuda:all` or `best`), with `cpu` as its CPU.
    ///
    /// # Errors
    /// [`Error::UnknownDevice`], or as [`Cuda::new`].
    pub fn named(name: &str, cpu: Cpu) -> Result<Self> {
        match name {
            "cpu" => Ok(Device::Cpu(cpu)),
            "best" => Ok(Device::best_with(cpu)),
            _ => Device::gpu_named(name),
        }
    }

    fn gpu_named(name: &str) -> Result<Self> {
        let unknown = || Error::UnknownDevice(name.to_owned());
        // Digits alone: `parse` would take `+1` too.
        let number = |digits: &str| match digits.bytes().all(|b| b.is_ascii_digit()) {
            true => digits.parse::<usize>().map_err(|_| unknown()),
            false => Err(unknown()),
        };
        match name.split_once(':') {
            None if name == "cuda" => Device::cuda(0),
            Some(("cuda", "all")) => match cuda::driver::count()? {
                0 | 1 => Device::cuda(0),
                count => Ok(Device::Cudas(Gpus((0..count).map(Cuda::new).collect::<Result<_>>()?))),
            },
            Some(("cuda", numbers)) if numbers.contains(',') => {
                let numbers: Vec<usize> = numbers.split(',').map(number).collect::<Result<_>>()?;
                Ok(Device::Cudas(Gpus(numbers.into_iter().map(Cuda::new).collect::<Result<_>>()?)))
            }
            Some(("cuda", digits)) if !digits.is_empty() => Device::cuda(number(digits)?),
            _ => Err(unknown()),
        }
    }

    fn best_with(cpu: Cpu) -> Self {
        match Cuda::new(0) {
            Ok(cuda) => Device::Best(cpu, cuda),
            Err(_) => Device::Cpu(cpu),
        }
    }

    /// Which processor takes a problem: a room says whether it is too small to gain from a GPU, and only where
    /// the caller left the choice to us does that count.
    pub(crate) fn processor(&self, too_small_for_gpu: bool) -> Processor<'_> {
        match self {
            Device::Cpu(cpu) => Processor::Cpu(cpu),
            Device::Best(cpu, _) if too_small_for_gpu => Processor::Cpu(cpu),
            Device::Cuda(cuda) | Device::Best(_, cuda) => Processor::Cuda(cuda),
            Device::Cudas(gpus) => Processor::Cuda(&gpus.0[0]), // a list split at commas is never empty
        }
    }

    /// The GPUs that may share a problem, where the caller named several.
    pub(crate) fn several(&self) -> Option<&[Cuda]> {
        match self {
            Device::Cudas(gpus) => Some(&gpus.0),
            _ => None,
        }
    }
}

/// What a verb matches on, once.
pub(crate) enum Processor<'a> {
    Cpu(&'a Cpu),
    Cuda(&'a Cuda),
}

impl FromStr for Device {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if name.starts_with("cuda") {
            return Device::gpu_named(name); // whatever the CPU's settings are
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
                let numbers: Vec<String> = gpus.0.iter().map(|cuda| cuda.index().to_string()).collect();
                write!(f, "cuda:{}", numbers.join(","))
            }
            Device::Best(..) => f.write_str("best"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_no_device_are_refused_with_the_words_that_do() {
        for word in [
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
            let error = word.parse::<Device>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "no device is called `{word}`; use `cpu`, `cuda`, `cuda:N`, `cuda:N,M`, `cuda:all` or `best`"
                )
            );
        }
    }

    #[test]
    fn best_is_always_a_usable_device() {
        Device::best().unwrap();
    }

    #[test]
    fn every_device_parses_from_the_word_it_displays_as() {
        for word in ["cpu", "cuda:0", "cuda:0,0", "best"] {
            match word.parse::<Device>() {
                Ok(Device::Cpu(_)) if word == "best" => {} // no GPU here
                Ok(device) => assert_eq!(device.to_string(), word),
                Err(error) => assert!(word.starts_with("cuda:"), "{error}"),
            }
        }
    }
}
