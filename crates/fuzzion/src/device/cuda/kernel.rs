//! Kernels and their launches.

use super::Cuda;
use super::failure::While;
use super::memory::{Buffer, Element, bind};
use super::stream::Stream;
use crate::error::{Error, Result};
use cudarc::driver::{CudaFunction, sys};
use std::ffi::c_void;
use std::mem::size_of;

/// Threads per block where nothing speaks for another number.
pub(crate) const THREADS: u32 = 256;

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Blocks in x, y, z.
    pub(crate) blocks: [u32; 3],
    /// Threads per block in x, y, z.
    pub(crate) threads: [u32; 3],
    /// Bytes of dynamic shared memory per block.
    pub(crate) shared: u32,
    /// All blocks are resident at once and may wait for each other (`grid_barrier`).
    pub(crate) cooperative: bool,
    /// Blocks per cluster in x; 1 for none.
    pub(crate) cluster: u32,
}

impl Grid {
    /// `blocks` blocks of `threads` threads.
    pub(crate) fn new(blocks: u32, threads: u32) -> Self {
        Grid { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared: 0, cooperative: false, cluster: 1 }
    }

    /// Dynamic shared memory per block.
    #[must_use]
    pub(crate) fn shared(self, bytes: u32) -> Self {
        Grid { shared: bytes, ..self }
    }

    /// A launch whose blocks may wait for each other.
    #[must_use]
    pub(crate) fn cooperative(self) -> Self {
        Grid { cooperative: true, ..self }
    }
}

/// A compiled kernel, ready to launch.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub(super) function: CudaFunction,
}

impl Kernel {
    /// Starts a launch; arguments follow in the order of the kernel's signature.
    pub(crate) fn launch(&self) -> Launch<'_> {
        Launch { kernel: self, values: Vec::new() }
    }

    /// How many blocks of this shape one multiprocessor holds at once.
    pub(crate) fn blocks_per_multiprocessor(&self, threads: u32, shared: u32) -> Result<u32> {
        self.function
            .occupancy_max_active_blocks_per_multiprocessor(threads, shared as usize, None)
            .while_("asking for a kernel's occupancy")
    }

    /// Registers of a thread, and bytes of memory that it uses because they did not suffice.
    pub(crate) fn resources(&self) -> Result<(i32, i32)> {
        const DOING: &str = "asking for a kernel's registers";
        Ok((self.function.num_regs().while_(DOING)?, self.function.local_size_bytes().while_(DOING)?))
    }

    /// Lets a cluster have 16 blocks, which not every GPU of its kind can hold (8 is what all can).
    pub(crate) fn allow_wide_clusters(&self) -> Result<()> {
        let limit = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        self.function.set_attribute(limit, 1).while_("asking for wide clusters")
    }

    /// How many clusters of this launch the GPU holds at once.
    pub(crate) fn clusters_at_once(&self, grid: Grid) -> Result<u32> {
        let mut attributes = attributes(grid);
        let config = configuration(grid, std::ptr::null_mut(), &mut attributes);
        let mut clusters = 0;
        // SAFETY: `config` and its attributes live through the call, which writes one number.
        unsafe { sys::cuOccupancyMaxActiveClusters(&mut clusters, self.function.cu_function(), &config) }
            .result()
            .while_("asking for a kernel's clusters")?;
        Ok(clusters.max(0) as u32)
    }

    /// Lets a launch take all the shared memory the GPU has (without asking it is 48 KiB).
    pub(super) fn allow_shared(&self, most: i32) -> Result<()> {
        const DOING: &str = "asking for shared memory";
        let declared = self.function.shared_size_bytes().while_(DOING)?;
        let limit = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        self.function.set_attribute(limit, (most - declared).max(0)).while_(DOING)
    }
}

/// A launch being put together. Values are copied in; buffers must outlive the work, which they do because their
/// memory is given back in stream order.
pub(crate) struct Launch<'a> {
    kernel: &'a Kernel,
    /// Every argument at the beginning of 8 bytes: the driver reads as many of them as the kernel declares.
    values: Vec<u64>,
}

impl Launch<'_> {
    /// An array the kernel reads.
    pub(crate) fn input<T: Element>(mut self, buffer: &Buffer<T>) -> Self {
        self.values.push(buffer.pointer());
        self
    }

    /// An array the kernel writes.
    pub(crate) fn output<T: Element>(mut self, buffer: &mut Buffer<T>) -> Self {
        self.values.push(buffer.pointer());
        self
    }

    /// A number (pointers and structures have no business here).
    pub(crate) fn value<T: Element + bytemuck::NoUninit>(mut self, value: T) -> Self {
        const { assert!(size_of::<T>() <= 8) };
        let mut bytes = [0; 8];
        bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
        self.values.push(u64::from_ne_bytes(bytes));
        self
    }

    /// Queues the launch.
    ///
    /// # Safety
    /// The arguments match the kernel's signature in order, number and width, and with them and this grid the
    /// kernel stays inside its buffers. `stream` is the device's own, or is joined to it before a buffer is dropped.
    pub(crate) unsafe fn run(mut self, stream: &Stream, grid: Grid) -> Result<()> {
        let mut pointers: Vec<*mut c_void> =
            self.values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
        let mut attributes = attributes(grid);
        let config = configuration(grid, stream.raw().cu_stream(), &mut attributes);
        bind(stream.raw().context());
        // SAFETY: `config` and its attributes live through the call, each pointer leads to 8 bytes of which the
        // driver copies the argument's width, and the caller vouches for the arguments themselves.
        unsafe {
            sys::cuLaunchKernelEx(
                &config,
                self.kernel.function.cu_function(),
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        }
        .result()
        .while_("launching a kernel")
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

/// A launch as the driver reads it; it points to `attributes`.
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

impl Cuda {
    /// A grid with a thread for each of `n` pieces of work: a grid that fills the GPU once and strides over the
    /// rest copies 7 % slower on an H200.
    pub(crate) fn grid_for(&self, n: usize) -> Grid {
        // Past 2³¹ blocks the stride of FOR_EACH takes over.
        let blocks = n.div_ceil(THREADS as usize).clamp(1, i32::MAX as usize);
        Grid::new(blocks as u32, THREADS)
    }

    /// A grid with a thread for each 16 bytes of `n` numbers and for each number left over (`Packet` in the kernel).
    pub(crate) fn grid_for_packets<T>(&self, n: usize) -> Grid {
        let lanes = const { 16 / size_of::<T>() };
        self.grid_for(n / lanes + n % lanes)
    }

    /// The largest cooperative grid of blocks with `threads` threads and `shared` bytes.
    ///
    /// # Errors
    /// [`Error::Cuda`] where not even one block fits.
    pub(crate) fn resident_grid(&self, kernel: &Kernel, threads: u32, shared: u32) -> Result<Grid> {
        let blocks = kernel.blocks_per_multiprocessor(threads, shared)? * self.gpu().multiprocessors;
        if blocks == 0 {
            let reason = format!("a block of {threads} threads and {shared} bytes does not fit");
            return Err(Error::Cuda { doing: "sizing a resident grid", reason });
        }
        Ok(Grid::new(blocks, threads).shared(shared).cooperative())
    }
}
