//! Processes a video: frames are read, processed and written at the same time.

use super::job::{ImageStats, Job};
use crate::console::Stage;
use fuzzion::data::{
    ChunkState, DataError, FrameBatch, Pixels, VideoHeader, VideoReader, VideoWriter, pipeline,
};
use fuzzion::device::Cpu;
use fuzzion::{Error, Images, Result};
use std::path::Path;

/// Maximum number of frames and pixels per batch on a GPU.
const MAX_GPU_FRAMES: usize = 64;
const MAX_GPU_PIXELS: usize = 1 << 26;
/// Maximum number of pixels per batch on the CPU; a few batches of this size fit in its cache.
const MAX_CPU_PIXELS: usize = 1 << 21;
/// Values of a plane converted by one thread at a time.
const VALUES_PER_TASK: usize = 1 << 16;

pub(super) fn run(job: &Job<'_>, mut reader: VideoReader) -> Result<ImageStats> {
    let to = &job.args.output;
    let is_y4m = to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
    let is_pipe = std::fs::metadata(to).is_ok_and(|metadata| !metadata.is_file()); // or a device
    if !is_y4m && !is_pipe && to != Path::new("-") {
        return Err(Error::Data(DataError::UnknownFormat { path: to.clone(), known: "`.y4m` for a video" }));
    }
    let header = reader.header().clone();
    let mut writer = VideoWriter::create(to, &header)?;
    let (pixels, total) = (header.width() * header.height(), frame_count(&reader));
    let bits = if header.bits() == 8 { 8 } else { 16 };
    let device = job.operator.device_for(total * pixels as u64, bits, job.device);
    let job = &Job { device: &device, operator: job.operator.clone(), ..*job };
    let max_frames = match job.device.has_gpu() {
        true => (MAX_GPU_PIXELS / pixels).clamp(1, MAX_GPU_FRAMES),
        false => (MAX_CPU_PIXELS / pixels).max(1),
    };
    // Frames of a pipe are processed as they arrive.
    let unfilled = if reader.position().1 == 0 { ChunkState::Ready } else { ChunkState::Partial };
    let read = move |batch: &mut FrameBatch| match reader.read_into(batch) {
        Ok(true) if batch.frames() < max_frames => Ok(unfilled),
        Ok(true) => Ok(ChunkState::Full),
        Ok(false) => Ok(ChunkState::End),
        Err(error) => Err(Error::from(error)),
    };
    let mut frames = 0;
    let process = |batch: &mut FrameBatch, result: &mut FrameBatch| {
        job.report(frames, total)?;
        frames += batch.frames() as u64;
        apply(job, &header, batch, result)
    };
    let write = |result: &mut FrameBatch| {
        writer.write_batch(result)?;
        Ok(writer.flush()?) // so that a viewer at the other end of a pipe receives every frame immediately
    };
    job.bar.stages().end();
    let times = pipeline(read, process, write)?;
    job.bar.stages().add(times);
    job.bar.begin(Stage::Write, "writing");
    if frames == 0 {
        return Err(Error::Data(DataError::NoData { path: job.args.input.clone(), what: "frames" }));
    }
    writer.finish()?;
    Ok(ImageStats { width: header.width(), height: header.height(), bits, frames, ..ImageStats::default() })
}

/// Number of frames according to the file size; 0 if unknown.
fn frame_count(reader: &VideoReader) -> u64 {
    let header = reader.header();
    let values: usize = header.planes().iter().map(|(width, height)| width * height).sum();
    let bytes = if header.bits() == 8 { values } else { 2 * values };
    reader.position().1 / (bytes + "FRAME\n".len()) as u64
}

/// Runs the operator on the brightness of all frames; without `--color` the chroma becomes neutral. Afterward `batch` is
/// empty and has the memory of the former `result`.
fn apply(job: &Job<'_>, header: &VideoHeader, batch: &mut FrameBatch, result: &mut FrameBatch) -> Result<()> {
    std::mem::swap(batch, result);
    let cpu = job.device.host_cpu();
    let mut brightness = result.take_plane(0);
    rescale(cpu, &mut brightness, white(header), u16::MAX); // for the operator, white is 65,535
    let images = Images::new(header.width(), header.height(), 1, brightness)?;
    let mut results = job.apply_reusing(&images, batch.take_plane(0))?.into_pixels();
    rescale(cpu, &mut results, u16::MAX, white(header));
    result.set_plane(0, results);
    batch.set_plane(0, images.into_pixels());
    batch.clear();
    if !job.args.color {
        // The fourth plane is the alpha channel.
        for index in 1..header.planes().len().min(3) {
            let mut chroma = result.take_plane(index);
            make_neutral(&mut chroma, header.bits());
            result.set_plane(index, chroma);
        }
    }
    Ok(())
}

/// Rescales values of 16 bits from the range 0 … `from` to 0 … `to`.
fn rescale(cpu: &Cpu, pixels: &mut Pixels, from: u16, to: u16) {
    if let Pixels::U16(values) = pixels {
        let rescale = |values: &mut [u16]| values.iter_mut().for_each(|v| *v = scaled(*v, from, to));
        cpu.fill_chunks(values, 1, VALUES_PER_TASK, |_, values| rescale(values));
    }
}

/// Maximum value of a plane.
fn white(header: &VideoHeader) -> u16 {
    ((1u32 << header.bits()) - 1) as u16
}

/// Rescales `value` from the range 0 … `from` to 0 … `to`, rounded to nearest.
fn scaled(value: u16, from: u16, to: u16) -> u16 {
    let (value, from, to) = (u64::from(value.min(from)), u64::from(from), u64::from(to));
    ((2 * value * to + from) / (2 * from)) as u16
}

/// Sets a chroma plane to gray.
fn make_neutral(plane: &mut Pixels, bits: u32) {
    match plane {
        Pixels::U8(values) => values.fill(1 << 7),
        Pixels::U16(values) => values.fill(1 << (bits - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_to_16_bits_and_back_is_lossless() {
        for bits in 9..=16 {
            let white = ((1u32 << bits) - 1) as u16;
            for value in 0..=white {
                assert_eq!(scaled(scaled(value, white, u16::MAX), u16::MAX, white), value, "{bits} bits");
            }
        }
        assert_eq!((scaled(1023, 1023, u16::MAX), scaled(0, 1023, u16::MAX)), (65_535, 0));
    }
}
