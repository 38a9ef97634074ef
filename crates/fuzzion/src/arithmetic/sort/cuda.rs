//! Sorting and gathering on a GPU: buffers and kernel launches.
#![allow(unsafe_code)] // kernel launches

use super::key::{Bits, Key};
use crate::arithmetic::array::{Element, LANES};
use crate::arithmetic::cuda::size_u32;
#[cfg(test)]
pub(crate) use crate::arithmetic::sort::tests::emulated::LAUNCHING_TESTS;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid, Kernel, Launch, Program};
use crate::device::error::Result;
use std::marker::PhantomData;

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
pub struct Sorter<'a, K: Key> {
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
    pub fn new(cuda: &'a Cuda, n: usize) -> Result<Self> {
        Self::with_shape(cuda, n, TileShape::of::<K::Bits>(n))
    }

    /// Like [`Sorter::new`], with the given tiles.
    pub(super) fn with_shape(cuda: &'a Cuda, n: usize, shape: TileShape) -> Result<Self> {
        let program = shape.program::<K>();
        Ok(Sorter {
            cuda,
            n,
            shape,
            count: cuda.kernel(&program, "count_digits")?,
            start: cuda.kernel(&program, "start_digits")?,
            scatter: cuda.kernel(&program, "scatter_keys")?,
            keys: [cuda.alloc(n)?, cuda.alloc(n)?],
            index: [cuda.alloc(n)?, cuda.alloc(n)?],
            counters: cuda.alloc(TileShape::counter_words::<K::Bits>())?,
            status: cuda.alloc(shape.status_words::<K::Bits>(n))?,
            key: PhantomData,
        })
    }

    /// Enqueues the computation of the indices that sort `keys` in ascending order.
    pub fn run(&mut self, keys: &Buffer<K::Bits>, order: &mut Buffer<u32>) -> Result<()> {
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

/// Indices that sort the keys in ascending order.
pub(super) fn order<K: Key>(cuda: &Cuda, keys: &[K::Bits]) -> Result<Vec<u32>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut sorter = Sorter::<K>::new(cuda, keys.len())?;
    let mut order = cuda.alloc(keys.len())?;
    sorter.run(&cuda.upload(keys)?, &mut order)?;
    cuda.download(&order)
}

/// Reusable GPU gather for arrays with `planes` planes.
pub(super) struct Gatherer<'a, T> {
    cuda: &'a Cuda,
    planes: usize,
    gather: Kernel,
    packing: Option<Packing<T>>,
}

/// Kernel and buffer for packing an array.
struct Packing<T> {
    pack: Kernel,
    packed: Buffer<T>,
    /// Blocks of numbers per thread block.
    blocks: usize,
}

impl<'a, T: Element> Gatherer<'a, T> {
    /// Prepares gathering from arrays of `numbers` numbers.
    pub(super) fn new(cuda: &'a Cuda, planes: usize, numbers: usize) -> Result<Self> {
        let bytes = numbers.div_ceil(LANES) * LANES * planes * size_of::<T>();
        Self::with_packing(cuda, planes, numbers, planes > 1 && bytes > MAX_CACHED_BYTES)
    }

    /// Like [`Gatherer::new`], with packing if `pack` is set and the numbers do not have too many planes.
    pub(super) fn with_packing(cuda: &'a Cuda, planes: usize, numbers: usize, pack: bool) -> Result<Self> {
        let (blocks, program) = gather_program::<T>(planes);
        let values = numbers.div_ceil(LANES) * LANES * planes;
        let packing = match pack && blocks > 0 {
            true => {
                let pack = cuda.kernel(&program, "pack_numbers")?;
                Some(Packing { pack, packed: cuda.alloc(values)?, blocks })
            }
            false => None,
        };
        let name = if packing.is_some() { "gather_numbers" } else { "gather_planes" };
        Ok(Gatherer { cuda, planes, gather: cuda.kernel(&program, name)?, packing })
    }

    /// Copies number `order[i]` of `from` to number i of `to`; `from` has the size passed to [`new`](Self::new), and all
    /// entries of `order` are valid indices.
    pub(super) fn gather(&mut self, from: &[T], order: &[u32], to: &mut [T]) -> Result<()> {
        assert!(order.iter().all(|number| (*number as usize) < from.len() / self.planes));
        let mut gathered = self.cuda.alloc(to.len())?;
        // SAFETY: the order was checked above, and packing asserts the size of `from`.
        unsafe { self.run(&self.cuda.upload(from)?, &self.cuda.upload(order)?, &mut gathered) }?;
        self.cuda.read(&gathered, to)
    }

    /// Enqueues copying number `order[i]` of `from` to number i of `to`.
    ///
    /// # Safety
    /// `from` has the size passed to [`new`](Self::new), and every entry of `order` is less than its number of
    /// elements.
    pub(super) unsafe fn run(
        &mut self,
        from: &Buffer<T>,
        order: &Buffer<u32>,
        to: &mut Buffer<T>,
    ) -> Result<()> {
        let (stream, n, block) = (self.cuda.stream(), order.len(), self.planes * LANES);
        assert!(to.len() == n.div_ceil(LANES) * block);
        let Some(Packing { pack, packed, blocks }) = &mut self.packing else {
            let gather = self.gather.launch().input(from).input(order).output(to).value(n as i64);
            // SAFETY: the arguments match gather_planes(from, order, to, n); `to` has n numbers; the caller
            // guarantees the rest.
            return unsafe { Ok(gather.run(stream, self.cuda.grid_for(to.len()))?) };
        };
        assert!(from.len() == packed.len());
        let grid = |values: usize| -> Result<Grid> {
            Ok(Grid::new(size_u32((values / block).div_ceil(*blocks).max(1))?, GATHER_THREADS))
        };
        let (numbers, values) = ((from.len() / self.planes) as i64, from.len());
        // SAFETY: the arguments match pack_numbers(from, to, n); both arrays have n numbers.
        unsafe { pack.launch().input(from).output(packed).value(numbers).run(stream, grid(values)?) }?;
        let gather = self.gather.launch().input(packed).input(order).output(to).value(n as i64);
        // SAFETY: the arguments match gather_numbers(from, order, to, n); otherwise as for gather_planes.
        unsafe { gather.run(stream, grid(n.div_ceil(LANES) * block)?) }
    }
}

/// Number of blocks of numbers per thread block (0 if not even one fits), and the program.
pub(super) fn gather_program<T: Element>(planes: usize) -> (usize, Program) {
    let tile = planes * (LANES + 1) * size_of::<T>();
    let blocks = if tile > SHARED_BYTES { 0 } else { (VALUES_PER_BLOCK / (planes * LANES)).max(1) };
    let real = if size_of::<T>() == 4 { "float" } else { "double" };
    let program = Program::new("gather numbers", include_str!("gather.cu"))
        .constant("REAL", real)
        .constant("PLANES", planes)
        .constant("THREADS", GATHER_THREADS)
        .constant("BLOCKS", blocks);
    (blocks, program)
}

/// Copies number `order[i]` of `from` to number i of `to`; all entries of `order` are valid indices.
pub(super) fn gather<T: Element>(
    cuda: &Cuda,
    from: &[T],
    planes: usize,
    order: &[u32],
    to: &mut [T],
) -> Result<()> {
    if order.is_empty() {
        return Ok(());
    }
    Gatherer::new(cuda, planes, from.len() / planes)?.gather(from, order, to)
}

/// Array in GPU memory with a buffer for the sorted array, for benchmarks.
pub struct GpuBuffers<'a, T> {
    gatherer: Gatherer<'a, T>,
    from: Buffer<T>,
    to: Buffer<T>,
}

impl<'a, T: Element> GpuBuffers<'a, T> {
    /// Arrays of `n` numbers with the given numbers of planes.
    pub fn all(cuda: &'a Cuda, planes: &[usize], n: usize) -> Result<Vec<Self>> {
        let array = |planes: &usize| {
            let values = n.div_ceil(LANES) * LANES * planes;
            let gatherer = Gatherer::new(cuda, *planes, n)?;
            Ok(GpuBuffers { gatherer, from: cuda.zeros(values)?, to: cuda.alloc(values)? })
        };
        planes.iter().map(array).collect()
    }

    /// Enqueues gathering in an order computed by [`Sorter`].
    pub fn gather(&mut self, order: &Buffer<u32>) -> Result<()> {
        assert!(self.from.len() == self.to.len());
        // SAFETY: the gatherer was created for this array, and the order is a permutation of its indices.
        unsafe { self.gatherer.run(&self.from, order, &mut self.to) }
    }
}

/// All programs in typical specializations.
pub(crate) fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for n in [1, MIN_KEYS_LARGE_TILE, MIN_KEYS_WIDE] {
        programs.extend([TileShape::of::<u32>(n).program::<u32>(), TileShape::of::<u64>(n).program::<f64>()]);
    }
    for planes in [1, 2, 8, 48] {
        programs.extend([gather_program::<f32>(planes).1, gather_program::<f64>(planes).1]);
    }
    programs
}
