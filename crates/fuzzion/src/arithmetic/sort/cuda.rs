//! Sorting and gathering on a GPU: buffers and kernel launches.
#![allow(unsafe_code)] // kernel launches

use super::key::{Bits, Key, bits};
use crate::arithmetic::array::{Element, LANES};
use crate::arithmetic::cuda::{GpuArray, PlaneOperation, size_u32};
#[cfg(test)]
pub(crate) use crate::arithmetic::sort::tests::emulated::LAUNCHING_TESTS;
use crate::device::cuda::{Buffer, Grid, Kernel, Launch, Program};
use crate::device::error::Result;
use crate::device::{Cuda, zeros_in_huge_pages};
use crate::progress::Progress;
use rayon::prelude::*;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::thread;

/// As in radix_sort.cu: number of digit values, and number of preceding tiles read at once.
const DIGITS: usize = 256;
const LOOKBACK: usize = 4;
/// Threads per tile.
const THREADS: usize = 512;
/// Thread blocks per multiprocessor for counting digits.
const COUNT_BLOCKS_PER_SM: u32 = 4;
/// Minimum number of keys for large tiles; with fewer keys, more tiles than multiprocessors are faster.
const MIN_KEYS_LARGE_TILE: usize = 1 << 21;
/// Minimum number of keys whose counts can exceed the 30 bits available in a 32-bit status.
const MIN_KEYS_WIDE: usize = 1 << 30;

/// Threads per block for packing and gathering, and approximate number of values per block.
const GATHER_THREADS: u32 = 256;
const VALUES_PER_BLOCK: usize = 2048;
/// Maximum array size in bytes that stays in the L2 cache.
const MAX_CACHED_BYTES: usize = 24 << 20;
/// Shared memory in bytes available without opting in.
const SHARED_BYTES: usize = 48 << 10;

/// Tile size and status width.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileShape {
    pub(super) threads: usize,
    pub(super) keys_per_thread: usize,
    /// Whether counts are 64-bit.
    pub(super) wide: bool,
}

impl TileShape {
    /// Configuration for `n` keys of type `B`: two tiles fit in the registers and shared memory of a multiprocessor.
    fn of<B: Bits>(n: usize) -> Self {
        let large = if B::DIGITS == 4 { 16 } else { 10 };
        TileShape {
            threads: THREADS,
            keys_per_thread: if n < MIN_KEYS_LARGE_TILE { 4 } else { large },
            wide: n >= MIN_KEYS_WIDE,
        }
    }

    pub(super) fn program<K: Key>(&self) -> Program {
        Program::new("sort keys", include_str!("radix_sort.cu"))
            .constant("BITS", K::Bits::NAME)
            .constant("FLOATING", u8::from(K::FLOATING))
            .constant("STATUS", if self.wide { "uint64" } else { "uint32" })
            .constant("THREADS", self.threads)
            .constant("KEYS", self.keys_per_thread)
    }

    pub(super) fn tiles(&self, n: usize) -> usize {
        n.div_ceil(self.threads * self.keys_per_thread)
    }

    /// Status rows per pass.
    pub(super) fn rows(&self, n: usize) -> usize {
        LOOKBACK + self.tiles(n)
    }

    /// 32-bit words for the status of all passes.
    pub(super) fn status_words<B: Bits>(&self, n: usize) -> usize {
        B::DIGITS as usize * self.rows(n) * DIGITS * if self.wide { 2 } else { 1 }
    }

    /// Number of words of `counters` in radix_sort.cu.
    pub(super) fn counter_words<B: Bits>() -> usize {
        B::DIGITS as usize * (DIGITS + 2)
    }

    /// Passes the status of all tiles, whose width depends on the tiles.
    fn pass_status<'l>(&self, launch: Launch<'l>, status: &mut Buffer<u32>) -> Launch<'l> {
        if self.wide { launch.output_as::<u32, u64>(status) } else { launch.output(status) }
    }

    /// Grid for `n` keys; [`sorted_order`](super::sorted_order) checks that n, and so the number of tiles, fits in `u32`.
    pub(super) fn grid<B: Bits>(&self, n: usize) -> Grid {
        let pairs = self.threads * self.keys_per_thread * (size_of::<B>() + size_of::<u32>());
        let ranks = self.threads / 32 * DIGITS * size_of::<u32>();
        Grid::new(self.tiles(n) as u32, self.threads as u32).shared((pairs + ranks) as u32)
    }
}

/// Reusable GPU sorter for a fixed number of keys.
pub(super) struct Sorter<'a, K: Key> {
    cuda: &'a Cuda,
    n: usize,
    shape: TileShape,
    count: Kernel,
    start: Kernel,
    scatter: Kernel,
    keys: [Buffer<K::Bits>; 2],
    pub(super) index: [Buffer<u32>; 2],
    pub(super) counters: Buffer<u32>,
    pub(super) status: Buffer<u32>,
    key: PhantomData<K>,
}

impl<'a, K: Key> Sorter<'a, K> {
    /// Allocates memory for `n` ≥ 1 keys.
    pub(super) fn new(cuda: &'a Cuda, n: usize) -> Result<Self> {
        Self::with_shape(cuda, n, TileShape::of::<K::Bits>(n))
    }

    /// Like [`Sorter::new`], with the given tiles.
    pub(super) fn with_shape(cuda: &'a Cuda, n: usize, shape: TileShape) -> Result<Self> {
        let key = format!("sort {} {} {shape:?}", K::Bits::NAME, K::FLOATING);
        let kernel = |name| cuda.kernel_by_key(key.clone(), name, || shape.program::<K>());
        Ok(Sorter {
            cuda,
            n,
            shape,
            count: kernel("count_digits")?,
            start: kernel("start_digits")?,
            scatter: kernel("scatter_keys")?,
            keys: [cuda.alloc(n)?, cuda.alloc(n)?],
            index: [cuda.alloc(n)?, cuda.alloc(n)?],
            counters: cuda.alloc(TileShape::counter_words::<K::Bits>())?,
            status: cuda.alloc(shape.status_words::<K::Bits>(n))?,
            key: PhantomData,
        })
    }

    /// Enqueues the computation of the indices that sort `keys` in ascending order.
    pub(super) fn run(&mut self, keys: &Buffer<K::Bits>, order: &mut Buffer<u32>) -> Result<()> {
        self.count(keys)?;
        let grid = self.shape.grid::<K::Bits>(self.n);
        (0..K::Bits::DIGITS).try_for_each(|pass| self.scatter(keys, order, pass, grid))
    }

    /// Enqueues counting the digits of all passes.
    pub(super) fn count(&mut self, keys: &Buffer<K::Bits>) -> Result<()> {
        assert!(keys.len() == self.n);
        let (stream, passes) = (self.cuda.stream(), K::Bits::DIGITS);
        let (rows, n) = (self.shape.rows(self.n) as i64, self.n as i64);
        self.cuda.clear(&mut self.counters, stream)?;
        self.cuda.clear(&mut self.status, stream)?;
        let max_blocks = self.cuda.gpu().multiprocessors * COUNT_BLOCKS_PER_SM;
        let blocks = self.cuda.grid_for_packets::<K::Bits>(self.n).blocks[0].min(max_blocks);
        let count = self.count.launch().input(keys).output(&mut self.counters).value(n);
        // SAFETY: the arguments match count_digits(keys, counters, n): n keys, and counters laid out as in
        // radix_sort.cu.
        unsafe { count.run(stream, Grid::new(blocks, THREADS as u32)) }?;
        let start = self.start.launch().output(&mut self.counters);
        let start = self.shape.pass_status(start, &mut self.status);
        // SAFETY: the arguments match start_digits(counters, status, rows, n), with one block of DIGITS threads per
        // pass and `rows` status rows per pass.
        unsafe { start.value(rows).value(n).run(stream, Grid::new(passes, DIGITS as u32)) }
    }

    /// Enqueues a pass of a grid with at most one block per tile.
    pub(super) fn scatter(
        &mut self,
        keys: &Buffer<K::Bits>,
        order: &mut Buffer<u32>,
        pass: u32,
        grid: Grid,
    ) -> Result<()> {
        assert!(keys.len() == self.n && order.len() == self.n);
        let (rows, n) = (self.shape.rows(self.n) as i64, self.n as i64);
        let [keys_a, keys_b] = &mut self.keys;
        let [index_a, index_b] = &mut self.index;
        let scatter = self.scatter.launch().input(keys);
        let scatter = scatter.output(keys_a).output(index_a).output(keys_b).output(index_b).output(order);
        let scatter = self.shape.pass_status(scatter.output(&mut self.counters), &mut self.status);
        // SAFETY: the arguments match scatter_keys(keys, keys_a, index_a, keys_b, index_b, order, counters, status, rows,
        // n, pass); all arrays have length n; the grid has a block for each of the tiles that it processes, with the
        // shared memory of a tile. A block waits only for tiles claimed before its own, whose blocks are already running.
        unsafe { scatter.value(rows).value(n).value(pass as i32).run(self.cuda.stream(), grid) }
    }
}

/// Indices of numbers in GPU memory, all of which are less than `end`.
pub(crate) struct GpuOrder {
    indices: Buffer<u32>,
    end: usize,
}

impl GpuOrder {
    /// Copies indices to the GPU.
    pub(super) fn upload(cuda: &Cuda, order: &[u32], progress: &Progress) -> Result<Self> {
        let end = order.par_iter().max().map_or(0, |largest| *largest as usize + 1);
        Ok(GpuOrder { indices: cuda.upload_large(order, progress)?, end })
    }

    /// Indices that sort the keys in ascending order.
    pub(super) fn sorted<K: Key>(cuda: &Cuda, keys: &Buffer<K::Bits>) -> Result<Self> {
        let mut indices = cuda.alloc(keys.len())?;
        if keys.len() > 0 {
            Sorter::<K>::new(cuda, keys.len())?.run(keys, &mut indices)?;
        }
        Ok(GpuOrder { indices, end: keys.len() })
    }

    /// The indices in host memory.
    pub(super) fn download(&self, cuda: &Cuda, progress: &Progress) -> Result<Vec<u32>> {
        let mut indices = zeros_in_huge_pages(self.indices.len());
        cuda.read_large(&self.indices, &mut indices, progress)?;
        Ok(indices)
    }
}

/// Gathers numbers in a given order.
pub(super) struct Gather<'a> {
    pub(super) cuda: &'a Cuda,
    pub(super) order: &'a GpuOrder,
}

impl PlaneOperation for Gather<'_> {
    fn apply<T: Element>(&self, from: &Buffer<T>, planes: usize) -> Result<Buffer<T>> {
        gather(
            self.cuda,
            from,
            planes,
            self.order,
            planes > 1 && from.len() * size_of::<T>() > MAX_CACHED_BYTES,
        )
    }
}

/// Enqueues gathering: number i of the result is number `order[i]` of `from`. If `pack` is set and the numbers do not
/// have too many planes, they are packed first.
pub(super) fn gather<T: Element>(
    cuda: &Cuda,
    from: &Buffer<T>,
    planes: usize,
    order: &GpuOrder,
    pack: bool,
) -> Result<Buffer<T>> {
    let (stream, n, block) = (cuda.stream(), order.indices.len(), planes * LANES);
    let numbers = from.len() / planes;
    assert!(from.len().is_multiple_of(block) && order.end <= numbers);
    let mut to = cuda.alloc(n.div_ceil(LANES) * block)?;
    if n == 0 {
        return Ok(to);
    }
    let blocks = gather_blocks::<T>(planes);
    let key = format!("gather {} {planes}", size_of::<T>());
    let kernel = |name| cuda.kernel_by_key(key.clone(), name, || gather_program::<T>(planes));
    if !pack || blocks == 0 {
        let gather = kernel("gather_planes")?;
        let launch = gather.launch().input(from).input(&order.indices).output(&mut to).value(n as i64);
        // SAFETY: the arguments match gather_planes(from, order, to, n); `to` has n numbers, and every index is less
        // than the number of numbers of `from`, as checked above.
        unsafe { launch.run(stream, cuda.grid_for(to.len())) }?;
        return Ok(to);
    }
    let (pack, gather) = (kernel("pack_numbers")?, kernel("gather_numbers")?);
    let mut packed: Buffer<T> = cuda.alloc(from.len())?;
    let grid = |values: usize| -> Result<Grid> {
        Ok(Grid::new(size_u32((values / block).div_ceil(blocks))?, GATHER_THREADS))
    };
    let launch = pack.launch().input(from).output(&mut packed).value(numbers as i64);
    // SAFETY: the arguments match pack_numbers(from, to, n); both arrays have n numbers.
    unsafe { launch.run(stream, grid(from.len())?) }?;
    let values = to.len();
    let launch = gather.launch().input(&packed).input(&order.indices).output(&mut to).value(n as i64);
    // SAFETY: the arguments match gather_numbers(from, order, to, n); otherwise as for gather_planes.
    unsafe { launch.run(stream, grid(values)?) }?;
    Ok(to)
}

/// Indices that sort the keys in ascending order.
pub(super) fn order<K: Key>(keys: &[K], cuda: &Cuda, progress: &Progress) -> Result<Vec<u32>> {
    GpuOrder::sorted::<K>(cuda, &cuda.upload_large(bits(keys), progress)?)?.download(cuda, progress)
}

/// Array sorted by `keys`.
pub(super) fn sort_by_key<A: GpuArray, K: Key>(
    array: &A,
    keys: &[K],
    cuda: &Cuda,
    progress: &Progress,
) -> Result<A> {
    let order = GpuOrder::sorted::<K>(cuda, &cuda.upload_large(bits(keys), progress)?)?;
    gather_host(array, &order, cuda, progress)
}

/// Array whose element i is element `order[i]` of `array`; all indices are valid.
pub(super) fn select<A: GpuArray>(array: &A, order: &[u32], cuda: &Cuda, progress: &Progress) -> Result<A> {
    gather_host(array, &GpuOrder::upload(cuda, order, progress)?, cuda, progress)
}

/// Gathers an array from and to host memory.
fn gather_host<A: GpuArray>(array: &A, order: &GpuOrder, cuda: &Cuda, progress: &Progress) -> Result<A> {
    let cuts = array.cut_count();
    thread::scope(|scope| {
        // The memory of a large result is allocated during the upload: page faults take about as long.
        let allocated = scope.spawn(|| {
            A::zeros(cuts, order.indices.len()).expect("invariant: an array has a valid number of cuts")
        });
        let uploaded = array.upload(cuda, progress);
        let gathered = uploaded.and_then(|array| A::map_planes(&array, cuts, &Gather { cuda, order }));
        let mut result = allocated.join().unwrap_or_else(|payload| resume_unwind(payload));
        result.download(&gathered?, cuda, progress)?;
        Ok(result)
    })
}

/// Number of blocks of numbers per thread block; 0 if not even one fits.
pub(super) fn gather_blocks<T: Element>(planes: usize) -> usize {
    let tile = planes * (LANES + 1) * size_of::<T>();
    if tile > SHARED_BYTES { 0 } else { (VALUES_PER_BLOCK / (planes * LANES)).max(1) }
}

pub(super) fn gather_program<T: Element>(planes: usize) -> Program {
    Program::new("gather numbers", include_str!("gather.cu"))
        .constant("REAL", if size_of::<T>() == 4 { "float" } else { "double" })
        .constant("PLANES", planes)
        .constant("THREADS", GATHER_THREADS)
        .constant("BLOCKS", gather_blocks::<T>(planes))
}

/// All programs in typical specializations.
pub(crate) fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for n in [1, MIN_KEYS_LARGE_TILE, MIN_KEYS_WIDE] {
        programs.extend([TileShape::of::<u32>(n).program::<u32>(), TileShape::of::<u64>(n).program::<f64>()]);
    }
    for planes in [1, 2, 8, 48] {
        programs.extend([gather_program::<f32>(planes), gather_program::<f64>(planes)]);
    }
    programs
}
