//! Kernels and kernel launches.

use super::grid::Grid;
use crate::device::cuda::driver::{WhileDoing, bind};
#[cfg(test)]
use crate::device::cuda::emulator::{EmulatedKernel, LaunchRecord};
use crate::device::cuda::memory::{Buffer, Element};
use crate::device::cuda::stream::Stream;
#[cfg(test)]
use crate::device::error::DeviceError;
use crate::device::error::Result;
use cudarc::driver::{CudaFunction, sys};
use std::ffi::c_void;
use std::mem::size_of;
#[cfg(test)]
use std::panic::Location;

const LAUNCHING: &str = "launching a kernel";

/// A compiled kernel.
#[derive(Clone)]
pub struct Kernel {
    pub(super) function: Function,
}

#[derive(Clone)]
pub(super) enum Function {
    Driver(CudaFunction),
    #[cfg(test)]
    Emulated(EmulatedKernel),
}

impl Kernel {
    /// Starts a launch; arguments follow in the order of the kernel's signature.
    #[cfg_attr(test, track_caller)]
    pub fn launch(&self) -> Launch<'_> {
        Launch {
            kernel: self,
            values: Vec::new(),
            #[cfg(test)]
            record: LaunchRecord::new(Location::caller()),
        }
    }

    fn function(&self) -> &CudaFunction {
        match &self.function {
            Function::Driver(function) => function,
            #[cfg(test)]
            Function::Emulated(_) => unreachable!("invariant: an emulated GPU has no driver"),
        }
    }

    /// Maximum number of resident blocks per multiprocessor (occupancy).
    pub(crate) fn blocks_per_multiprocessor(&self, threads: u32, shared: u32) -> Result<u32> {
        #[cfg(test)]
        if let Function::Emulated(kernel) = &self.function {
            return Ok(kernel.blocks_per_multiprocessor(threads, shared));
        }
        self.function()
            .occupancy_max_active_blocks_per_multiprocessor(threads, shared as usize, None)
            .while_doing("querying the occupancy of a kernel")
    }

    /// Registers and bytes of local memory per thread.
    pub(crate) fn resources(&self) -> Result<(i32, i32)> {
        const DOING: &str = "querying the registers of a kernel";
        Ok((
            self.function().num_regs().while_doing(DOING)?,
            self.function().local_size_bytes().while_doing(DOING)?,
        ))
    }

    /// Allows clusters of 16 blocks, the nonportable cluster size (all GPUs with clusters support 8).
    pub(crate) fn allow_nonportable_clusters(&self) -> Result<()> {
        let limit = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        self.function().set_attribute(limit, 1).while_doing("allowing nonportable cluster sizes")
    }

    /// Maximum number of resident clusters of this launch.
    pub(crate) fn max_active_clusters(&self, grid: Grid) -> Result<u32> {
        let mut attributes = attributes(grid);
        let config = configuration(grid, std::ptr::null_mut(), &mut attributes);
        let mut clusters = 0;
        // SAFETY: `config` and its attributes outlive the call, which writes one int.
        unsafe { sys::cuOccupancyMaxActiveClusters(&mut clusters, self.function().cu_function(), &config) }
            .result()
            .while_doing("querying the active clusters of a kernel")?;
        Ok(u32::try_from(clusters).expect("invariant: a number of clusters is not negative"))
    }

    /// Allows dynamic shared memory up to the limit of the GPU (the default limit is 48 KiB).
    pub(in crate::device::cuda) fn allow_max_shared_memory(&self, max: i32) -> Result<()> {
        const DOING: &str = "setting the shared memory limit";
        let declared = self.function().shared_size_bytes().while_doing(DOING)?;
        let limit = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        self.function().set_attribute(limit, (max - declared).max(0)).while_doing(DOING)
    }
}

/// Builder of a launch. Values are copied; buffers must outlive the work, which they do because their memory is freed
/// in stream order.
pub struct Launch<'a> {
    kernel: &'a Kernel,
    /// Every argument in the first bytes of a word: the driver reads the number of bytes that the kernel declares.
    values: Vec<u64>,
    /// The same arguments with their types.
    #[cfg(test)]
    record: LaunchRecord,
}

impl Launch<'_> {
    /// Adds an array that the kernel reads.
    pub fn input<T: Element>(mut self, buffer: &Buffer<T>) -> Self {
        #[cfg(test)]
        self.record.input::<T>(buffer.emulated());
        self.values.push(buffer.pointer());
        self
    }

    /// Adds an array that the kernel writes.
    pub fn output<T: Element>(self, buffer: &mut Buffer<T>) -> Self {
        self.output_as::<T, T>(buffer)
    }

    /// Adds an array that the kernel writes as elements of type `U`.
    #[allow(clippy::extra_unused_type_parameters)] // `U` is used in tests
    pub fn output_as<T: Element, U: Element>(mut self, buffer: &mut Buffer<T>) -> Self {
        #[cfg(test)]
        self.record.output::<U>(buffer.emulated());
        self.values.push(buffer.pointer());
        self
    }

    /// Adds a scalar argument (not a pointer or a structure).
    pub fn value<T: Element + bytemuck::NoUninit>(mut self, value: T) -> Self {
        const { assert!(size_of::<T>() <= 8) };
        let mut bytes = [0; 8];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        #[cfg(test)]
        self.record.value::<T>(u64::from_ne_bytes(bytes));
        self.values.push(u64::from_ne_bytes(bytes));
        self
    }

    /// Queues the launch.
    ///
    /// # Safety
    /// The arguments match the kernel's signature in order, number and size, and with them and this grid the kernel
    /// stays within its buffers. `stream` is the device's own, or is synchronized with it before a buffer is dropped.
    pub unsafe fn run(mut self, stream: &Stream, grid: Grid) -> Result<()> {
        #[cfg(test)]
        if let Function::Emulated(kernel) = &self.kernel.function {
            if kernel.next_launch_fails() {
                let reason = "CUDA_ERROR_LAUNCH_FAILED (injected)".into();
                return Err(DeviceError::Cuda { doing: LAUNCHING, reason });
            }
            self.record.run(kernel, stream.emulated(), grid);
            return Ok(());
        }
        let mut pointers: Vec<*mut c_void> =
            self.values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
        let mut attributes = attributes(grid);
        let config = configuration(grid, stream.raw().cu_stream(), &mut attributes);
        bind(stream.raw().context())?;
        // SAFETY: `config` and its attributes outlive the call, each pointer refers to 8 bytes of which the driver
        // copies the size of the argument, and the caller guarantees the arguments themselves.
        unsafe {
            sys::cuLaunchKernelEx(
                &config,
                self.kernel.function().cu_function(),
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        }
        .result()
        .while_doing(LAUNCHING)
    }
}

fn attributes(grid: Grid) -> Vec<sys::CUlaunchAttribute> {
    let attribute = |id, value| sys::CUlaunchAttribute { id, pad: [0; 4], value };
    let mut list = Vec::new();
    if grid.cooperative {
        let value = sys::CUlaunchAttributeValue { cooperative: 1 };
        list.push(attribute(sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value));
    }
    if grid.cluster > 1 {
        let dimensions = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: grid.cluster, y: 1, z: 1 };
        let value = sys::CUlaunchAttributeValue { clusterDim: dimensions };
        list.push(attribute(sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value));
    }
    list
}

/// The driver's launch configuration; it points to `attributes`.
fn configuration(
    grid: Grid,
    stream: sys::CUstream,
    attributes: &mut [sys::CUlaunchAttribute],
) -> sys::CUlaunchConfig {
    sys::CUlaunchConfig {
        gridDimX: grid.blocks[0],
        gridDimY: grid.blocks[1],
        gridDimZ: grid.blocks[2],
        blockDimX: grid.threads[0],
        blockDimY: grid.threads[1],
        blockDimZ: grid.threads[2],
        sharedMemBytes: grid.shared,
        hStream: stream,
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as u32,
    }
}
