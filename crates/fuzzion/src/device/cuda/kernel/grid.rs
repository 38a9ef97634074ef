//! Launch configurations.

/// Default number of threads per block.
pub(crate) const THREADS: u32 = 256;

/// Launch configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of blocks in x, y, z.
    pub blocks: [u32; 3],
    /// Number of threads per block in x, y, z.
    pub threads: [u32; 3],
    /// Dynamic shared memory per block in bytes.
    pub(crate) shared: u32,
    /// Whether the launch is cooperative: all blocks are resident and may use `grid_barrier`.
    pub(crate) cooperative: bool,
    /// Number of blocks per thread block cluster in x; 1 for no clusters.
    pub(crate) cluster: u32,
}

impl Grid {
    /// `blocks` blocks of `threads` threads.
    pub fn new(blocks: u32, threads: u32) -> Self {
        Grid { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared: 0, cooperative: false, cluster: 1 }
    }

    /// Sets the dynamic shared memory per block.
    #[must_use]
    pub(crate) fn shared(self, bytes: u32) -> Self {
        Grid { shared: bytes, ..self }
    }

    /// Makes the launch cooperative.
    #[must_use]
    pub(crate) fn cooperative(self) -> Self {
        Grid { cooperative: true, ..self }
    }
}
