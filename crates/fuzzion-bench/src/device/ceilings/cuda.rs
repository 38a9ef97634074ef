//! Ceilings of the GPU, and checks of the memory pool, pinned copies, graphs, grid barriers and chunked streaming.
#![allow(unsafe_code)] // launches

use super::super::{Check, median_seconds};
use super::chain::{SCALE, SHIFT, Timed, chain};
use fuzzion::device::{Cuda, DeviceError};
use fuzzion::internals::device::{
    Buffer, Chunked, Element, Grid, Kernel, Processor, Program, StreamInput, StreamOutput,
};
use fuzzion::{Progress, Result};

/// Length of the arrays of the copy: 4 GiB, many times the L2 cache.
const COPY_LENGTH: usize = 1 << 30;

/// Same as `CHAINS` in kernels.cu.
const CHAINS: usize = 16;

/// Number of steps of a timed chain; numbers of blocks per multiprocessor and of threads per block.
const STEPS: i32 = 8192;
const BLOCKS: u32 = 8;
const THREADS: u32 = 256;

/// On a GPU with little memory, each of the two arrays of the copy takes 1/`MEMORY_DIVISOR` of the free memory.
const MEMORY_DIVISOR: u64 = 4;

pub(crate) fn program(real: &'static str) -> Program {
    Program::new("ceilings", include_str!("kernels.cu")).constant("REAL", real)
}

pub(crate) fn measure(cuda: &Cuda, processor: &Processor<'_>, progress: &Progress) -> Result<Timed> {
    let n = COPY_LENGTH.min((cuda.memory()?.0 / MEMORY_DIVISOR / 4) as usize);
    let from = cuda.zeros::<f32>(n)?;
    let mut to = cuda.zeros::<f32>(n)?;
    let seconds = median_seconds(processor, progress, || copy(cuda, &from, &mut to))?;
    let grid = Grid::new(cuda.gpu().multiprocessors * BLOCKS, THREADS);
    let threads = (grid.blocks[0] * THREADS) as usize;
    let operations = (2 * CHAINS * threads) as f64 * f64::from(STEPS);
    let mut sums = cuda.zeros::<f32>(threads)?;
    let single = median_seconds(processor, progress, || Ok(chains(cuda, grid, &mut sums, 1.0, STEPS)?))?;
    let mut sums = cuda.zeros::<f64>(threads)?;
    let double = median_seconds(processor, progress, || Ok(chains(cuda, grid, &mut sums, 1.0, STEPS)?))?;
    Ok(Timed {
        copy: ((2 * n * size_of::<f32>()) as f64, seconds),
        multiply_add_f32: (operations, single),
        multiply_add_f64: (operations, double),
    })
}

fn copy(cuda: &Cuda, from: &Buffer<f32>, to: &mut Buffer<f32>) -> Result<()> {
    let n = from.len().min(to.len());
    let launch = cuda.kernel(&program("float"), "copy_values")?;
    // SAFETY: the arguments match copy_values(from, to, n); both have n elements.
    unsafe {
        Ok(launch
            .launch()
            .input(from)
            .output(to)
            .value(n as i64)
            .run(cuda.stream(), cuda.grid_for_packets::<f32>(n))?)
    }
}

/// The smallest kernel that reads twice as much as it writes.
pub(crate) struct AddPairs(Kernel);

impl AddPairs {
    pub(crate) fn new(cuda: &Cuda) -> Result<Self> {
        Ok(AddPairs(cuda.kernel(&program("float"), "add_pairs")?))
    }

    /// Computes the sums of `n` pairs.
    pub(crate) fn launch(
        &self,
        cuda: &Cuda,
        pairs: &Buffer<f32>,
        sums: &mut Buffer<f32>,
        n: usize,
    ) -> Result<(), DeviceError> {
        assert!(pairs.len() >= 2 * n && sums.len() >= n);
        let launch = self.0.launch().input(pairs).output(sums).value(n as i64);
        // SAFETY: the arguments match add_pairs(pairs, sums, n), which accesses 2n elements of `pairs` and n of `sums`.
        unsafe { launch.run(cuda.stream(), cuda.grid_for(n)) }
    }
}

/// Element type of the chains.
pub(crate) trait ChainReal: Element {
    const NAME: &'static str;
    fn rounded(value: f64) -> Self;
}

impl ChainReal for f32 {
    const NAME: &'static str = "float";
    fn rounded(value: f64) -> f32 {
        value as f32
    }
}

impl ChainReal for f64 {
    const NAME: &'static str = "double";
    fn rounded(value: f64) -> f64 {
        value
    }
}

/// Computes [`CHAINS`] chains of `steps` steps per thread.
pub(crate) fn chains<T: ChainReal>(
    cuda: &Cuda,
    grid: Grid,
    sums: &mut Buffer<T>,
    start: T,
    steps: i32,
) -> Result<(), DeviceError> {
    assert!(sums.len() >= (grid.blocks[0] * grid.threads[0]) as usize);
    let kernel = cuda.kernel(&program(T::NAME), "multiply_add")?;
    let launch = kernel
        .launch()
        .output(sums)
        .value(start)
        .value(T::rounded(SCALE))
        .value(T::rounded(SHIFT))
        .value(steps);
    // SAFETY: the arguments match multiply_add(sums, start, scale, shift, steps); `sums` has one element per thread of
    // the grid.
    unsafe { launch.run(cuda.stream(), grid) }
}

/// Compares the kernels with the host for arrays of these lengths.
pub(crate) fn checks(cuda: &Cuda, lengths: &[usize]) -> Result<Vec<Check>> {
    Ok(vec![
        copy_check(cuda, lengths)?,
        chains_check(cuda)?,
        graph_check(cuda, lengths)?,
        barrier_check(cuda, lengths)?,
        chunks_check(cuda)?,
    ])
}

fn values(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i as f32 * 0.37).sin()).collect()
}

fn copy_check(cuda: &Cuda, lengths: &[usize]) -> Result<Check> {
    let mut check = Check::new("device/copy/f32", 0.0);
    for &n in lengths {
        let host = values(n);
        let from = cuda.upload(&host)?;
        let mut to = cuda.upload(&vec![f32::NAN; n])?;
        copy(cuda, &from, &mut to)?;
        let found = cuda.download(&to)?;
        check.compare(found.into_iter().map(f64::from), host.into_iter().map(f64::from));
    }
    Ok(check)
}

fn chains_check(cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new("device/multiply-add", 1e-6);
    for (blocks, steps) in [(1, 0), (3, 1), (2, 100)] {
        let grid = Grid::new(blocks, 64);
        let threads = blocks as usize * 64;
        let expected = CHAINS as f64 * chain(0.7f32.into(), steps);
        let mut sums = cuda.zeros::<f32>(threads)?;
        chains(cuda, grid, &mut sums, 0.7, steps as i32)?;
        check.compare(
            cuda.download(&sums)?.into_iter().map(f64::from),
            std::iter::repeat_n(expected, threads),
        );
        let mut sums = cuda.zeros::<f64>(threads)?;
        chains(cuda, grid, &mut sums, 0.7f32.into(), steps as i32)?;
        check.compare(cuda.download(&sums)?.into_iter(), std::iter::repeat_n(expected, threads));
    }
    Ok(check)
}

/// Captures one launch in a graph and replays it.
fn graph_check(cuda: &Cuda, lengths: &[usize]) -> Result<Check> {
    const REPLAYS: usize = 10;
    let mut check = Check::new("device/graph", 0.0);
    for n in lengths.iter().copied().filter(|n| *n > 0) {
        let mut counts = cuda.zeros::<f32>(n)?;
        let kernel = cuda.kernel(&program("float"), "increment")?;
        cuda.stream().synchronize()?; // the graph is captured on a separate stream
        let graph = cuda.capture(|stream| {
            let launch = kernel.launch().output(&mut counts).value(n as i64);
            // SAFETY: the arguments match increment(values, n).
            unsafe { launch.run(stream, cuda.grid_for(n)) }
        })?;
        for _ in 0..REPLAYS {
            // SAFETY: `counts` and `kernel` are still alive.
            unsafe { graph.replay() }?;
        }
        check.compare(
            cuda.download(&counts)?.into_iter().map(f64::from),
            std::iter::repeat_n(REPLAYS as f64, n),
        );
    }
    Ok(check)
}

/// Sum by a cooperative grid with a grid barrier. The values are integers, so the sum is exact.
fn barrier_check(cuda: &Cuda, lengths: &[usize]) -> Result<Check> {
    let mut check = Check::new("device/grid-barrier", 0.0);
    let kernel = cuda.kernel(&program("double"), "grid_sum")?;
    let grid = cuda.cooperative_grid(&kernel, THREADS, THREADS * size_of::<f64>() as u32)?;
    for &n in lengths {
        let host: Vec<f64> = (0..n).map(|i| (i % 1000) as f64).collect();
        let input = cuda.upload(&host)?;
        let mut partial = cuda.zeros::<f64>(grid.blocks[0] as usize)?;
        let mut sum = cuda.upload(&[f64::NAN])?;
        let mut arrived = cuda.zeros::<u32>(1)?;
        let launch = kernel.launch().input(&input).output(&mut partial).output(&mut sum).output(&mut arrived);
        // SAFETY: the arguments match grid_sum(values, partial, sum, arrived, n); one partial sum per block, one shared
        // value per thread, and the grid is small enough for a cooperative launch.
        unsafe { launch.value(n as i64).run(cuda.stream(), grid) }?;
        check.compare(cuda.download(&sum)?.into_iter(), std::iter::once(host.iter().sum()));
    }
    Ok(check)
}

/// Streams rows in chunks of many sizes with arrays of several types: f32 values that are incremented, f64 values
/// that are copied, and the bytes of the f32 values.
fn chunks_check(cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new("device/chunks", 0.0);
    let increment = cuda.kernel(&program("float"), "increment")?;
    let copy = cuda.kernel(&program("float"), "copy_values")?;
    let copy_wide = cuda.kernel(&program("double"), "copy_values")?;
    for (rows, chunk_rows) in [(0, 4), (1, 4), (9, 4), (1000, 1), (100_003, 1024), (100_003, 200_000)] {
        let (width, bytes) = (3, size_of::<f32>());
        let host = values(rows * width);
        let wide: Vec<f64> = (0..rows).map(|i| i as f64).collect();
        let mut found = vec![f32::NAN; host.len()];
        let mut found_wide = vec![f64::NAN; rows];
        let mut found_bytes = vec![0u8; rows * width * bytes];
        let work = Chunked::new(rows)
            .chunk_rows(chunk_rows)
            .input(StreamInput::copied(&host, width))
            .input(StreamInput::copied(&wide, 1))
            .output(StreamOutput::copied(&mut found, width))
            .output(StreamOutput::copied(&mut found_wide, 1))
            .output(StreamOutput::copied(&mut found_bytes, width * bytes));
        cuda.stream_chunks(work, &Progress::none(), |range, inputs, outputs| {
            let (n, n_wide) = (range.len() * width, range.len());
            let (stream, from) = (cuda.stream(), inputs.buffer::<f32>(0)?);
            let grid = cuda.grid_for_packets::<f32>(n);
            // SAFETY: the arguments match copy_values(from, to, n) and increment(values, n), compiled for the types of
            // the buffers, which are large enough for a chunk; the last one has the same number of bytes as the first.
            unsafe {
                let to = outputs.buffer_mut::<f32>(0)?;
                copy.launch().input(from).output(to).value(n as i64).run(stream, grid)?;
                increment.launch().output(to).value(n as i64).run(stream, cuda.grid_for(n))?;
                let (from_wide, to) = (inputs.buffer::<f64>(1)?, outputs.buffer_mut::<f64>(1)?);
                let launch = copy_wide.launch().input(from_wide).output(to).value(n_wide as i64);
                launch.run(stream, cuda.grid_for_packets::<f64>(n_wide))?;
                let to = outputs.buffer_mut::<u8>(2)?;
                let launch = copy.launch().input(from).output_as::<u8, f32>(to);
                launch.value(n as i64).run(stream, grid)
            }
        })?;
        let found_bytes = found_bytes.chunks_exact(bytes).map(bytemuck::pod_read_unaligned::<f32>);
        check.compare(found_bytes.map(f64::from), host.iter().copied().map(f64::from));
        check.compare(found_wide.into_iter(), wide.into_iter());
        check.compare(found.into_iter().map(f64::from), host.into_iter().map(|x| f64::from(x + 1.0)));
    }
    Ok(check)
}
