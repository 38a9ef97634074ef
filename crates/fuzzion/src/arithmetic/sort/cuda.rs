//! Sorting and gathering on a GPU: buffers and launches.
#![allow(unsafe_code)] // launches

use super::key::{Bits, Key};
use crate::arithmetic::array::{Element, LANES};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid, Kernel, Program};
use crate::error::Result;
use std::marker::PhantomData;

/// As in order.cu: values of a digit, and tiles looked at in one go.
const DIGITS: usize = 256;
const LOOK: usize = 4;
/// Threads of a tile.
const THREADS: usize = 512;
/// Blocks of threads per multiprocessor that count digits.
const COUNTERS: u32 = 4;
/// From so many keys on a tile is large; before, more tiles than multiprocessors are worth more.
const MANY: usize = 1 << 21;
/// Keys from which counts take more than the 30 bits that a status of 32 has for them.
const WIDE: usize = 1 << 30;

/// Threads of a block that packs or gathers, and about how many values it takes.
pub(super) const GATHERERS: u32 = 256;
const VALUES: usize = 2048;
/// Bytes of an array that second-level caches hold beside the rest.
const CACHED: usize = 24 << 20;
/// Bytes of shared memory that need not be asked for.
const SHARED: usize = 48 << 10;

/// The shape of a tile and of its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) threads: usize,
    pub(super) keys_per_thread: usize,
    /// Whether counts take 64 bits.
    pub(super) wide: bool,
}

impl Shape {
    /// What suits `n` keys of type `B`: registers and shared memory for two tiles on a multiprocessor.
    fn of<B: Bits>(n: usize) -> Self {
        let large = if B::DIGITS == 4 { 16 } else { 10 };
        Shape { threads: THREADS, keys_per_thread: if n < MANY { 4 } else { large }, wide: n >= WIDE }
    }

    pub(super) fn program<K: Key>(&self) -> Program {
        Program::new("sort keys", include_str!("order.cu"))
            .constant("BITS", K::Bits::NAME)
            .constant("FLOATING", u8::from(K::FLOATING))
            .constant("STATUS", if self.wide { "uint64" } else { "uint32" })
            .constant("THREADS", self.threads)
            .constant("KEYS", self.keys_per_thread)
    }

    pub(super) fn tiles(&self, n: usize) -> usize {
        n.div_ceil(self.threads * self.keys_per_thread)
    }

    /// Rows of statuses of a pass.
    pub(super) fn rows(&self, n: usize) -> usize {
        LOOK + self.tiles(n)
    }

    /// Words of 32 bits that the statuses of all passes take.
    pub(super) fn status_words<B: Bits>(&self, n: usize) -> usize {
        B::DIGITS as usize * self.rows(n) * DIGITS * if self.wide { 2 } else { 1 }
    }

    /// Words of `counters` in order.cu.
    pub(super) fn counter_words<B: Bits>() -> usize {
        B::DIGITS as usize * (DIGITS + 2)
    }

    pub(super) fn grid<B: Bits>(&self, n: usize) -> Grid {
        let pairs = self.threads * self.keys_per_thread * (size_of::<B>() + size_of::<u32>());
        let ranks = self.threads / 32 * DIGITS * size_of::<u32>();
        Grid::new(self.tiles(n) as u32, self.threads as u32).shared((pairs + ranks) as u32)
    }
}

/// Sorts up to so many keys again and again, on the GPU.
pub(super) struct Sorter<'a, K: Key> {
    cuda: &'a Cuda,
    n: usize,
    shape: Shape,
    count: Kernel,
    start: Kernel,
    scatter: Kernel,
    keys: [Buffer<K::Bits>; 2],
    index: [Buffer<u32>; 2],
    counters: Buffer<u32>,
    status: Buffer<u32>,
    key: PhantomData<K>,
}

impl<'a, K: Key> Sorter<'a, K> {
    /// With memory for `n` keys, at least one.
    pub(super) fn new(cuda: &'a Cuda, n: usize) -> Result<Self> {
        let shape = Shape::of::<K::Bits>(n);
        let program = shape.program::<K>();
        Ok(Sorter {
            cuda,
            n,
            shape,
            count: cuda.kernel(&program, "count_digits")?,
            start: cuda.kernel(&program, "start_digits")?,
            scatter: cuda.kernel(&program, "scatter_keys")?,
            keys: [cuda.reserve(n)?, cuda.reserve(n)?],
            index: [cuda.reserve(n)?, cuda.reserve(n)?],
            counters: cuda.reserve(Shape::counter_words::<K::Bits>())?,
            status: cuda.reserve(shape.status_words::<K::Bits>(n))?,
            key: PhantomData,
        })
    }

    /// Queues the work that writes the places of `keys`, the least key first, to `order`.
    pub(super) fn run(&mut self, keys: &Buffer<K::Bits>, order: &mut Buffer<u32>) -> Result<()> {
        assert!(keys.len() == self.n && order.len() == self.n);
        let (stream, passes) = (self.cuda.stream(), K::Bits::DIGITS);
        let (rows, n) = (self.shape.rows(self.n) as i64, self.n as i64);
        self.cuda.clear(&mut self.counters, stream)?;
        self.cuda.clear(&mut self.status, stream)?;
        let most = self.cuda.gpu().multiprocessors * COUNTERS;
        let blocks = self.cuda.grid_for_packets::<K::Bits>(self.n).blocks[0].min(most);
        let count = self.count.launch().input(keys).output(&mut self.counters).value(n);
        // SAFETY: arguments as in count_digits(keys, counters, n): n keys, and counters as order.cu lays them out.
        unsafe { count.run(stream, Grid::new(blocks, THREADS as u32)) }?;
        let start = self.start.launch().output(&mut self.counters).output(&mut self.status);
        // SAFETY: arguments as in start_digits(counters, status, rows, n), one block of DIGITS threads per pass, and
        // statuses of `rows` rows for each pass.
        unsafe { start.value(rows).value(n).run(stream, Grid::new(passes, DIGITS as u32)) }?;
        let [keys_a, keys_b] = &mut self.keys;
        let [index_a, index_b] = &mut self.index;
        for pass in 0..passes as i32 {
            let scatter = self.scatter.launch().input(keys);
            let scatter = scatter.output(keys_a).output(index_a).output(keys_b).output(index_b).output(order);
            let scatter = scatter.output(&mut self.counters).output(&mut self.status);
            // SAFETY: arguments as in scatter_keys(keys, keys_a, index_a, keys_b, index_b, order, counters, status,
            // rows, n, pass), all arrays of n, in a grid of one block per tile with its shared memory. A block waits
            // only for tiles taken before its own, whose blocks are running.
            unsafe {
                scatter.value(rows).value(n).value(pass).run(stream, self.shape.grid::<K::Bits>(self.n))
            }?;
        }
        Ok(())
    }
}

/// The places of the keys, the least key first.
pub(super) fn order<K: Key>(cuda: &Cuda, keys: &[K::Bits]) -> Result<Vec<u32>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut sorter = Sorter::<K>::new(cuda, keys.len())?;
    let mut order = cuda.reserve(keys.len())?;
    sorter.run(&cuda.upload(keys)?, &mut order)?;
    cuda.download(&order)
}

/// Puts arrays of `planes` planes into another order, again and again, on the GPU.
pub(super) struct Gatherer<'a, T> {
    cuda: &'a Cuda,
    planes: usize,
    gather: Kernel,
    packing: Option<Packing<T>>,
}

/// How an array is packed, and its packed values.
struct Packing<T> {
    pack: Kernel,
    packed: Buffer<T>,
    /// Blocks of numbers per block of threads.
    blocks: usize,
}

impl<'a, T: Element> Gatherer<'a, T> {
    /// For arrays of `numbers` numbers.
    pub(super) fn new(cuda: &'a Cuda, planes: usize, numbers: usize) -> Result<Self> {
        let (blocks, program) = gather_program::<T>(planes);
        let values = numbers.div_ceil(LANES) * LANES * planes;
        let packing = match planes > 1 && blocks > 0 && values * size_of::<T>() > CACHED {
            true => {
                let pack = cuda.kernel(&program, "pack_numbers")?;
                Some(Packing { pack, packed: cuda.reserve(values)?, blocks })
            }
            false => None,
        };
        let name = if packing.is_some() { "gather_numbers" } else { "gather_planes" };
        Ok(Gatherer { cuda, planes, gather: cuda.kernel(&program, name)?, packing })
    }

    /// Queues the work that makes number `order[i]` of `from` number i of `to`.
    ///
    /// # Safety
    /// `from` is of the size this is for, and `order` names numbers of it.
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
            // SAFETY: arguments as in gather_planes(from, order, to, n); `to` has n numbers, and the caller vouches for
            // the rest.
            return unsafe { gather.run(stream, self.cuda.grid_for(to.len())) };
        };
        assert!(from.len() == packed.len());
        let grid = |values: usize| Grid::new((values / block).div_ceil(*blocks).max(1) as u32, GATHERERS);
        let (numbers, values) = ((from.len() / self.planes) as i64, from.len());
        // SAFETY: arguments as in pack_numbers(from, to, n), both of n numbers.
        unsafe { pack.launch().input(from).output(packed).value(numbers).run(stream, grid(values)) }?;
        let gather = self.gather.launch().input(packed).input(order).output(to).value(n as i64);
        // SAFETY: arguments as in gather_numbers(from, order, to, n); as for gather_planes.
        unsafe { gather.run(stream, grid(n.div_ceil(LANES) * block)) }
    }
}

/// Blocks of numbers per block of threads, none where not even one fits, and the text for it.
pub(super) fn gather_program<T: Element>(planes: usize) -> (usize, Program) {
    let tile = planes * (LANES + 1) * size_of::<T>();
    let blocks = if tile > SHARED { 0 } else { (VALUES / (planes * LANES)).max(1) };
    let real = if size_of::<T>() == 4 { "float" } else { "double" };
    let program = Program::new("gather numbers", include_str!("gather.cu"))
        .constant("REAL", real)
        .constant("PLANES", planes)
        .constant("THREADS", GATHERERS)
        .constant("BLOCKS", blocks);
    (blocks, program)
}

/// Number `order[i]` of `from` becomes number i of `to`; `order` names numbers of `from`.
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
    assert!(order.iter().all(|number| (*number as usize) < from.len() / planes));
    let mut gatherer = Gatherer::new(cuda, planes, from.len() / planes)?;
    let mut gathered = cuda.reserve(to.len())?;
    // SAFETY: it was made for arrays of this size, and the order was looked through.
    unsafe { gatherer.run(&cuda.upload(from)?, &cuda.upload(order)?, &mut gathered) }?;
    cuda.read(&gathered, to)
}

/// An array on the GPU and room for it in order, to be timed.
pub(super) struct There<'a, T> {
    gatherer: Gatherer<'a, T>,
    from: Buffer<T>,
    to: Buffer<T>,
}

impl<'a, T: Element> There<'a, T> {
    /// Arrays of `n` numbers with these planes.
    pub(super) fn all(cuda: &'a Cuda, planes: &[usize], n: usize) -> Result<Vec<Self>> {
        let array = |planes: &usize| {
            let values = n.div_ceil(LANES) * LANES * planes;
            let gatherer = Gatherer::new(cuda, *planes, n)?;
            Ok(There { gatherer, from: cuda.zeros(values)?, to: cuda.reserve(values)? })
        };
        planes.iter().map(array).collect()
    }

    /// Queues the work that puts the numbers into this order, which [`Sorter`] has written.
    pub(super) fn gather(&mut self, order: &Buffer<u32>) -> Result<()> {
        assert!(self.from.len() == self.to.len());
        // SAFETY: the gatherer was made for this array, which has a number for each place of the order.
        unsafe { self.gatherer.run(&self.from, order, &mut self.to) }
    }
}

/// Every program in its typical specialisations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for n in [1, MANY, WIDE] {
        programs.extend([Shape::of::<u32>(n).program::<u32>(), Shape::of::<u64>(n).program::<f64>()]);
    }
    for planes in [1, 2, 8, 48] {
        programs.extend([gather_program::<f32>(planes).1, gather_program::<f64>(planes).1]);
    }
    programs
}
