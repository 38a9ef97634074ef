//! The bus between host and GPU: each direction alone, both at once, and rows streamed from and to ordinary memory.

use super::cuda::AddPairs;
use crate::device::cuda::{Bus, Chunked, Input, Output, zeros_in_large_pages};
use crate::device::measure::{Measurement, median_host_seconds};
use crate::device::{Cuda, Device};
use crate::error::Result;
use crate::progress::Progress;

/// Bytes of a timed copy between pinned memory and the GPU.
const BUS_BYTES: usize = 256 << 20;

/// Streamed rows of two numbers in and one out: 1 GiB there, half of it back.
const ROWS: usize = 1 << 27;

pub(super) fn bench(cuda: &Cuda, device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let mut bus = Bus::new(cuda, BUS_BYTES)?;
    let mut seconds = |there, back| median_host_seconds(progress, || bus.carry(there, back));
    let (there, back) = (seconds(BUS_BYTES, 0)?, seconds(0, BUS_BYTES)?);
    let (both, halved) = (seconds(BUS_BYTES, BUS_BYTES)?, seconds(BUS_BYTES, BUS_BYTES / 2)?);
    drop(bus);
    // Neither direction can be quicker than it is alone.
    let line = |name: &str, seconds, (bytes_there, bytes_back): (usize, usize)| {
        let (share_there, share_back) = (bytes_there as f64, bytes_back as f64);
        let least = (there * share_there / BUS_BYTES as f64).max(back * share_back / BUS_BYTES as f64);
        let bytes = (share_there + share_back, "B/s");
        Measurement::against(format!("ceilings/{name}"), device, seconds, bytes, (least, "bus"))
    };
    let (touched, fresh) = streamed(cuda, progress)?;
    let streamed_bytes = (8 * ROWS, 4 * ROWS);
    Ok(vec![
        line("bus/there", there, (BUS_BYTES, 0)),
        line("bus/back", back, (0, BUS_BYTES)),
        line("bus/both/2:1", halved, (BUS_BYTES, BUS_BYTES / 2)),
        line("bus/both/1:1", both, (BUS_BYTES, BUS_BYTES)),
        line("streamed/2:1/1GiB", touched, streamed_bytes),
        line("streamed/2:1/1GiB/fresh", fresh, streamed_bytes),
    ])
}

/// Seconds of streaming from ordinary memory into memory that was touched before, and into fresh memory.
fn streamed(cuda: &Cuda, progress: Progress<'_>) -> Result<(f64, f64)> {
    let pairs: Vec<f32> = (0..2 * ROWS).map(|i| (i % 1000) as f32).collect();
    let mut sums = vec![f32::NAN; ROWS];
    let kernel = AddPairs::new(cuda)?;
    let touched = median_host_seconds(progress, || stream(cuda, &kernel, &pairs, &mut sums))?;
    drop(sums);
    let fresh = median_host_seconds(progress, || {
        let mut sums = zeros_in_large_pages(ROWS);
        stream(cuda, &kernel, &pairs, &mut sums)
    })?;
    Ok((touched, fresh))
}

fn stream(cuda: &Cuda, kernel: &AddPairs, pairs: &[f32], sums: &mut [f32]) -> Result<()> {
    let work = Chunked::new(ROWS).input(Input::copied(pairs, 2)).output(Output::copied(sums, 1));
    cuda.stream_chunks(work, Progress::none(), |rows, inputs, outputs| {
        kernel.launch(cuda, inputs.buffer(0)?, outputs.buffer_mut(0)?, rows.len())
    })
}
