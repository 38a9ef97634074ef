//! Benchmark of the bus between host and GPU: each direction alone, both at once, and rows streamed from and to
//! pageable memory.

use super::super::{Measurement, median_host_seconds};
use super::cuda::AddPairs;
use fuzzion::device::Cuda;
use fuzzion::internals::device::{Bus, Chunked, StreamInput, StreamOutput, zeros_in_huge_pages};
use fuzzion::{Device, Progress, Result};

/// Number of bytes of a timed copy between pinned memory and the GPU.
const BUS_BYTES: usize = 256 << 20;

/// Number of streamed rows with two input values and one output value: 1 GiB to the GPU, half of it back.
const ROWS: usize = 1 << 27;

pub(crate) fn bench(cuda: &Cuda, device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let mut bus = Bus::new(cuda, BUS_BYTES)?;
    let mut seconds = |upload, download| median_host_seconds(progress, || Ok(bus.copy(upload, download)?));
    let (upload, download) = (seconds(BUS_BYTES, 0)?, seconds(0, BUS_BYTES)?);
    let (both, two_to_one) = (seconds(BUS_BYTES, BUS_BYTES)?, seconds(BUS_BYTES, BUS_BYTES / 2)?);
    drop(bus);
    // Neither direction can be faster than it is alone.
    let line = |name: &str, seconds, (uploaded, downloaded): (usize, usize)| {
        let (uploaded, downloaded) = (uploaded as f64, downloaded as f64);
        let min_seconds =
            (upload * uploaded / BUS_BYTES as f64).max(download * downloaded / BUS_BYTES as f64);
        let bytes = (uploaded + downloaded, "B/s");
        Measurement::with_bound(format!("ceilings/{name}"), device, seconds, bytes, (min_seconds, "bus"))
    };
    let (touched, fresh) = streamed(cuda, progress)?;
    let streamed_bytes = (8 * ROWS, 4 * ROWS);
    Ok(vec![
        line("bus/host-to-device", upload, (BUS_BYTES, 0)),
        line("bus/device-to-host", download, (0, BUS_BYTES)),
        line("bus/both/2:1", two_to_one, (BUS_BYTES, BUS_BYTES / 2)),
        line("bus/both/1:1", both, (BUS_BYTES, BUS_BYTES)),
        line("streamed/2:1/1GiB", touched, streamed_bytes),
        line("streamed/2:1/1GiB/fresh", fresh, streamed_bytes),
    ])
}

/// Seconds of streaming from pageable memory into memory touched before, and into fresh memory.
fn streamed(cuda: &Cuda, progress: &Progress) -> Result<(f64, f64)> {
    let pairs: Vec<f32> = (0..2 * ROWS).map(|i| (i % 1000) as f32).collect();
    let mut sums = vec![f32::NAN; ROWS];
    let kernel = AddPairs::new(cuda)?;
    let touched = median_host_seconds(progress, || stream(cuda, &kernel, &pairs, &mut sums))?;
    drop(sums);
    let fresh = median_host_seconds(progress, || {
        let mut sums = zeros_in_huge_pages(ROWS);
        stream(cuda, &kernel, &pairs, &mut sums)
    })?;
    Ok((touched, fresh))
}

fn stream(cuda: &Cuda, kernel: &AddPairs, pairs: &[f32], sums: &mut [f32]) -> Result<()> {
    let work = Chunked::new(ROWS).input(StreamInput::copied(pairs, 2)).output(StreamOutput::copied(sums, 1));
    Ok(cuda.stream_chunks(work, &Progress::none(), |rows, inputs, outputs| {
        kernel.launch(cuda, inputs.buffer(0)?, outputs.buffer_mut(0)?, rows.len())
    })?)
}
