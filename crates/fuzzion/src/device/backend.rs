//! Selection of the processor.

use super::cpu::Cpu;
#[cfg(feature = "cuda")]
use super::cuda::{Cuda, driver};
use crate::device::error::{DeviceError, Result};
use crate::progress::Progress;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
#[cfg(feature = "cuda")]
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// The processors that run an operation, and the progress callback of the operation.
///
/// Every device contains a CPU, which runs the parts of an operation that have no GPU kernel, with the number of
/// threads chosen by the caller.
///
/// ```
/// use fuzzion::Device;
/// let device: Device = "cpu".parse()?;
/// assert_eq!(device.to_string(), "cpu");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Device {
    cpu: Cpu,
    pub(super) gpus: Gpus,
    progress: Progress,
}

/// The GPUs of a device.
#[derive(Clone, Debug)]
pub(super) enum Gpus {
    /// Only the CPU.
    None,
    /// One or more GPUs that share the rows, frames or independent parts of a problem.
    #[cfg(feature = "cuda")]
    Required(Vec<Cuda>),
    /// A GPU for problems that are large enough to benefit from it.
    #[cfg(feature = "cuda")]
    IfLarge(Arc<OptionalGpu>),
}

/// The GPU of the device `best`, opened when a problem is large enough for it.
#[cfg(feature = "cuda")]
#[derive(Debug, Default)]
struct OptionalGpu {
    /// `None` if it is not usable.
    cuda: OnceLock<Option<Cuda>>,
    /// Whether the CPU was selected for a problem.
    cpu_used: AtomicBool,
}

#[cfg(feature = "cuda")]
impl OptionalGpu {
    fn opened(&self) -> Option<&Cuda> {
        self.cuda.get()?.as_ref()
    }

    /// The GPU if a problem is `large`.
    fn open_if(&self, large: bool) -> Option<&Cuda> {
        let cuda = if large { self.cuda.get_or_init(|| Cuda::new(0).ok()).as_ref() } else { None };
        if cuda.is_none() {
            self.cpu_used.store(true, Ordering::Relaxed);
        }
        cuda
    }
}

impl Device {
    /// The CPU with `FUZZION_THREADS` threads, by default one per core.
    ///
    /// ```
    /// use fuzzion::Device;
    /// assert_eq!(Device::cpu()?.to_string(), "cpu");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Cpu::new`].
    pub fn cpu() -> Result<Self> {
        Ok(Cpu::new()?.into())
    }

    /// The GPU with the given index.
    ///
    /// ```
    /// use fuzzion::Device;
    /// match Device::cuda(0) {
    ///     Ok(device) => assert_eq!(device.to_string(), "cuda:0"),
    ///     Err(error) => println!("{error}"), // for example if no NVIDIA driver is installed
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of [`Device::named`].
    pub fn cuda(index: usize) -> Result<Self> {
        Device::named(&format!("cuda:{index}"), Cpu::new()?)
    }

    /// The first GPU if it is usable and the problem is large enough to benefit from it, otherwise the CPU.
    /// [`device::policy`](crate::device::policy) lists the sizes. The GPU is opened when it is first needed.
    ///
    /// ```
    /// use fuzzion::Device;
    /// let device = Device::best()?; // never fails because of a missing GPU
    /// assert!(["best", "cpu"].contains(&device.to_string().as_str())); // `cpu` without the feature `cuda`
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Cpu::new`].
    pub fn best() -> Result<Self> {
        Ok(Device::best_with(Cpu::new()?))
    }

    /// The device `name` (`cpu`, `cuda`, `cuda:N`, `cuda:N,M,…`, `cuda:all` or `best`), with `cpu` as its CPU.
    ///
    /// Several GPUs share the rows of clustering, tuning and inference, the frames of window operators, if these are in host
    /// memory, and the trials of a search; other operations use the first GPU.
    ///
    /// ```
    /// use fuzzion::{Device, device::Cpu};
    /// let device = Device::named("cpu", Cpu::with_threads(2)?)?;
    /// assert_eq!(device.threads(), 2);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::UnknownDevice`], [`DeviceError::NoCudaSupport`] in a build without the feature `cuda`, and the errors of
    /// opening a GPU.
    pub fn named(name: &str, cpu: Cpu) -> Result<Self> {
        match name {
            "cpu" => Ok(cpu.into()),
            "best" => Ok(Device::best_with(cpu)),
            _ => Device::gpus_named(name, cpu),
        }
    }

    #[cfg(feature = "cuda")]
    fn gpus_named(name: &str, cpu: Cpu) -> Result<Self> {
        let unknown = || DeviceError::UnknownDevice(name.to_owned());
        // Only digits: `parse` would accept `+1` too.
        let index = |digits: &str| match digits.bytes().all(|b| b.is_ascii_digit()) {
            true => digits.parse::<usize>().map_err(|_| unknown()),
            false => Err(unknown()),
        };
        match name.split_once(':') {
            None if name == "cuda" => Device::with_gpus(cpu, [0]),
            Some(("cuda", "all")) => Device::with_gpus(cpu, 0..driver::count()?.max(1)),
            Some(("cuda", list)) if !list.is_empty() => {
                let indices: Vec<usize> = list.split(',').map(index).collect::<Result<_>>()?;
                Device::with_gpus(cpu, indices)
            }
            _ => Err(unknown()),
        }
    }

    #[cfg(not(feature = "cuda"))]
    fn gpus_named(name: &str, _: Cpu) -> Result<Self> {
        match name == "cuda" || name.starts_with("cuda:") {
            true => Err(DeviceError::NoCudaSupport),
            false => Err(DeviceError::UnknownDevice(name.to_owned())),
        }
    }

    #[cfg(feature = "cuda")]
    fn with_gpus(cpu: Cpu, indices: impl IntoIterator<Item = usize>) -> Result<Self> {
        let gpus = indices.into_iter().map(Cuda::new).collect::<Result<_>>()?;
        Ok(Device { cpu, gpus: Gpus::Required(gpus), progress: Progress::none() })
    }

    /// A device of emulated GPUs, of which there is at least one.
    #[cfg(all(test, feature = "cuda"))]
    pub(crate) fn with_emulated_gpus(gpus: Vec<Cuda>) -> Self {
        let cpu = Cpu::new().expect("invariant: a CPU device can be created in tests");
        Device { cpu, gpus: Gpus::Required(gpus), progress: Progress::none() }
    }

    fn best_with(cpu: Cpu) -> Self {
        #[cfg(feature = "cuda")]
        return Device { cpu, gpus: Gpus::IfLarge(Arc::default()), progress: Progress::none() };
        #[cfg(not(feature = "cuda"))]
        cpu.into()
    }

    /// The same device with a progress callback, which receives the amount of work done and the total (0 if unknown).
    /// Returning `Break` ends the operation with [`DeviceError::Interrupted`].
    ///
    /// ```
    /// use fuzzion::{Device, Table, clustering::FuzzyCMeans};
    /// use std::ops::ControlFlow;
    /// let device = Device::cpu()?.with_progress(|_iterations, _max_iterations| ControlFlow::Break(()));
    /// let rows = Table::unnamed(1, vec![0.0, 0.1, 9.9, 10.0])?;
    /// assert!(FuzzyCMeans::new(2).fit(&rows, &device).is_err()); // interrupted
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn with_progress(
        &self,
        callback: impl Fn(u64, u64) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Self {
        Device { progress: Progress::new(callback), ..self.clone() }
    }

    /// The same device without a progress callback.
    #[must_use]
    #[doc(hidden)]
    pub fn without_progress(&self) -> Self {
        Device { progress: Progress::none(), ..self.clone() }
    }

    /// The CPU of this device alone, with the same progress callback.
    #[must_use]
    pub(crate) fn cpu_only(&self) -> Self {
        Device { gpus: Gpus::None, ..self.clone() }
    }

    /// Number of CPU threads.
    pub fn threads(&self) -> usize {
        self.cpu.threads()
    }

    /// The CPU of this device.
    ///
    /// ```
    /// use fuzzion::{Device, device::Cpu};
    /// let device = Device::named("best", Cpu::with_threads(2)?)?;
    /// assert_eq!(device.host_cpu().threads(), 2);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn host_cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// The progress callback.
    ///
    /// ```
    /// use fuzzion::Device;
    /// use std::ops::ControlFlow;
    /// let device = Device::cpu()?.with_progress(|done, total| match done < total {
    ///     true => ControlFlow::Continue(()),
    ///     false => ControlFlow::Break(()),
    /// });
    /// assert!(device.progress().report(1, 2).is_ok() && device.progress().report(2, 2).is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// For the device `best`, the CPU if `prefers_cpu` or no GPU is usable, otherwise the GPU; other devices are unchanged.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
    pub(crate) fn resolve(&self, prefers_cpu: bool) -> Self {
        #[cfg(feature = "cuda")]
        if let Gpus::IfLarge(gpu) = &self.gpus {
            let gpus =
                gpu.open_if(!prefers_cpu).map_or(Gpus::None, |cuda| Gpus::Required(vec![cuda.clone()]));
            return Device { gpus, ..self.clone() };
        }
        self.clone()
    }

    /// Whether a GPU was selected by name, or the device `best` has selected one.
    ///
    /// ```
    /// use fuzzion::Device;
    /// assert!(!Device::cpu()?.has_gpu());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn has_gpu(&self) -> bool {
        match &self.gpus {
            Gpus::None => false,
            #[cfg(feature = "cuda")]
            Gpus::Required(_) => true,
            #[cfg(feature = "cuda")]
            Gpus::IfLarge(gpu) => gpu.opened().is_some(),
        }
    }

    /// Names of the processors selected so far: for the device `best`, `cpu`, `cuda:0`, or both; otherwise the name of
    /// the device.
    ///
    /// ```
    /// use fuzzion::Device;
    /// assert_eq!(Device::best()?.used(), "cpu"); // no problem was large enough for the GPU
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn used(&self) -> String {
        match &self.gpus {
            #[cfg(feature = "cuda")]
            Gpus::IfLarge(gpu) => match (gpu.opened(), gpu.cpu_used.load(Ordering::Relaxed)) {
                (None, _) => "cpu".into(),
                (Some(cuda), false) => format!("cuda:{}", cuda.index()),
                (Some(cuda), true) => format!("cpu and cuda:{}", cuda.index()),
            },
            _ => self.to_string(),
        }
    }

    /// The processor for a problem. `too_small_for_gpu` matters only for the device `best`: a device chosen explicitly
    /// is always used.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
    #[doc(hidden)]
    pub fn processor(&self, too_small_for_gpu: bool) -> Processor<'_> {
        match &self.gpus {
            #[cfg(feature = "cuda")]
            Gpus::IfLarge(gpu) => match gpu.open_if(!too_small_for_gpu) {
                Some(cuda) => Processor::Cuda(cuda),
                None => Processor::Cpu(&self.cpu),
            },
            #[cfg(feature = "cuda")]
            Gpus::Required(gpus) => {
                Processor::Cuda(gpus.first().expect("invariant: a GPU device has at least one GPU"))
            }
            _ => Processor::Cpu(&self.cpu),
        }
    }

    /// Whether this device uses exactly the GPUs with these indices.
    #[cfg(feature = "cuda")]
    pub(crate) fn has_gpus(&self, indices: &[usize]) -> bool {
        match &self.gpus {
            Gpus::None => false,
            Gpus::Required(gpus) => gpus.iter().map(Cuda::index).eq(indices.iter().copied()),
            Gpus::IfLarge(gpu) => gpu.opened().is_some_and(|cuda| *indices == [cuda.index()]),
        }
    }

    /// All GPUs of this device, of which `first` is the one that [`Device::processor`] has returned.
    #[cfg(feature = "cuda")]
    pub(crate) fn gpus_with<'a>(&'a self, first: &'a Cuda) -> &'a [Cuda] {
        self.multiple_gpus().unwrap_or(std::slice::from_ref(first))
    }

    /// All GPUs, if there are several.
    #[cfg(feature = "cuda")]
    pub(crate) fn multiple_gpus(&self) -> Option<&[Cuda]> {
        match &self.gpus {
            Gpus::Required(gpus) if gpus.len() > 1 => Some(gpus),
            _ => None,
        }
    }
}

impl From<Cpu> for Device {
    fn from(cpu: Cpu) -> Self {
        Device { cpu, gpus: Gpus::None, progress: Progress::none() }
    }
}

/// The processor chosen for one operation.
pub enum Processor<'a> {
    Cpu(&'a Cpu),
    #[cfg(feature = "cuda")]
    Cuda(&'a Cuda),
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(name: &str) -> Result<Self> {
        Device::named(name, Cpu::new()?)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.gpus {
            Gpus::None => f.write_str("cpu"),
            #[cfg(feature = "cuda")]
            Gpus::Required(gpus) => {
                let indices: Vec<String> = gpus.iter().map(|cuda| cuda.index().to_string()).collect();
                write!(f, "cuda:{}", indices.join(","))
            }
            #[cfg(feature = "cuda")]
            Gpus::IfLarge(_) => f.write_str("best"),
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
                Ok(device) if name == "best" && device.to_string() == "cpu" => {} // no usable GPU
                Ok(device) => assert_eq!(device.to_string(), name),
                Err(error) => assert!(name.starts_with("cuda:"), "{error}"),
            }
        }
    }
}
