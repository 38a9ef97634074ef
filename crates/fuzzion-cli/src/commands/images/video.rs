//! Processes a video: one thread reads ahead and one writes, while all others process the frames available.

use super::job::{ImageStats, Job};
use fuzzion::data::DataError;
use fuzzion::data::{Frame, Pixels, VideoHeader, VideoReader, VideoWriter};
use fuzzion::{Error, Images, Result};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Maximum number of frames per batch.
const MAX_FRAMES: usize = 64;
/// Maximum number of pixels per batch.
const MAX_PIXELS: usize = 1 << 26;

pub(super) fn run(job: &Job<'_>, reader: VideoReader) -> Result<ImageStats> {
    let to = &job.args.output;
    let is_y4m = to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
    let is_pipe = std::fs::metadata(to).is_ok_and(|metadata| !metadata.is_file()); // or a device
    if !is_y4m && !is_pipe && to != Path::new("-") {
        return Err(Error::Data(DataError::UnknownFormat { path: to.clone(), known: "`.y4m` for a video" }));
    }
    let header = reader.header().clone();
    let writer = VideoWriter::create(to, &header)?;
    let max_batch = (MAX_PIXELS / (header.width() * header.height())).clamp(1, MAX_FRAMES);
    let total = frame_count(&reader);
    let (input_sender, input) = sync_channel(max_batch);
    thread::spawn(move || read(reader, &input_sender)); // not joined, because a pipe may block forever
    let (output, output_receiver) = sync_channel(1);
    let writing = thread::spawn(move || write(writer, &output_receiver));
    let processed = process(job, &header, total, max_batch, &input, &output);
    drop(output);
    // A failed write takes precedence, because it is the reason why the output channel was closed.
    let writer = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let frames = processed?;
    if frames == 0 {
        return Err(Error::Data(DataError::NoData { path: job.args.input.clone(), what: "frames" }));
    }
    writer.finish()?;
    let bits = if header.bits() == 8 { 8 } else { 16 };
    Ok(ImageStats { width: header.width(), height: header.height(), bits, frames, ..ImageStats::default() })
}

/// Number of frames according to the file size; 0 if unknown.
fn frame_count(reader: &VideoReader) -> u64 {
    let header = reader.header();
    let values: usize = header.planes().iter().map(|(width, height)| width * height).sum();
    let bytes = if header.bits() == 8 { values } else { 2 * values };
    reader.position().1 / (bytes + "FRAME\n".len()) as u64
}

fn read(mut reader: VideoReader, output: &SyncSender<Result<Frame>>) {
    while let Some(frame) = reader.next().transpose() {
        let last = frame.is_err();
        if output.send(frame.map_err(Error::from)).is_err() || last {
            return; // the receiver is gone, or reading failed
        }
    }
}

fn write(mut writer: VideoWriter, input: &Receiver<Vec<Frame>>) -> Result<VideoWriter> {
    for frames in input {
        frames.iter().try_for_each(|frame| writer.write(frame))?;
        writer.flush()?; // so that a viewer at the other end of a pipe receives every frame immediately
    }
    Ok(writer)
}

/// Processes frames as they arrive, in batches. Returns their number.
fn process(
    job: &Job<'_>,
    header: &VideoHeader,
    total: u64,
    max_batch: usize,
    input: &Receiver<Result<Frame>>,
    output: &SyncSender<Vec<Frame>>,
) -> Result<u64> {
    let mut done = 0;
    while let Ok(first) = input.recv() {
        let mut failed = None;
        let available = std::iter::once(first).chain(input.try_iter()).take(max_batch);
        let batch: Vec<Frame> =
            available.map_while(|frame| frame.map_err(|e| failed = Some(e)).ok()).collect();
        job.report(done, total)?;
        done += batch.len() as u64;
        // The frames before an incomplete one are still written.
        let is_closed = !batch.is_empty() && output.send(apply(job, header, batch)?).is_err();
        match failed {
            Some(error) => return Err(error),
            None if is_closed => break,
            None => {}
        }
    }
    Ok(done)
}

/// Runs the operator on the brightness of all frames; without `--color` the chroma becomes neutral.
fn apply(job: &Job<'_>, header: &VideoHeader, mut frames: Vec<Frame>) -> Result<Vec<Frame>> {
    let pixels_per_frame = header.width() * header.height();
    let planes = || frames.iter().map(|frame| &frame.planes[0]);
    let brightness = if header.bits() == 8 {
        let bytes = planes().filter_map(|plane| if let Pixels::U8(v) = plane { Some(&v[..]) } else { None });
        Pixels::U8(bytes.collect::<Vec<_>>().concat())
    } else {
        let values = planes().filter_map(|plane| if let Pixels::U16(v) = plane { Some(v) } else { None });
        let white = white(header);
        // For the operator, white is 65,535.
        Pixels::U16(values.flatten().map(|v| scaled(*v, white, u16::MAX)).collect())
    };
    let results = job.apply(&Images::new(header.width(), header.height(), 1, brightness)?)?.into_pixels();
    for (i, frame) in frames.iter_mut().enumerate() {
        let range = i * pixels_per_frame..(i + 1) * pixels_per_frame;
        frame.planes[0] = match &results {
            Pixels::U8(pixels) => Pixels::U8(pixels[range].to_vec()),
            Pixels::U16(pixels) => {
                Pixels::U16(pixels[range].iter().map(|v| scaled(*v, u16::MAX, white(header))).collect())
            }
        };
        if !job.args.color {
            // The fourth plane is the alpha channel.
            frame.planes.iter_mut().take(3).skip(1).for_each(|plane| make_neutral(plane, header.bits()));
        }
    }
    Ok(frames)
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
