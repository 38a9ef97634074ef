//! A video: one thread reads ahead and one writes behind, while all others work on as many frames as have come.

use super::{Done, Job};
use fuzzion::data::{Frame, Pixels, VideoHeader, VideoReader, VideoWriter};
use fuzzion::{Error, Images, Result};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Frames, and pixels of them, that the operator is given at once, at most.
const FRAMES: usize = 64;
const PIXELS: usize = 1 << 26;

pub(super) fn run(job: &Job<'_>, reader: VideoReader) -> Result<Done> {
    let to = &job.words.output;
    let is_y4m = to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
    let is_place = std::fs::metadata(to).is_ok_and(|about| !about.is_file()); // a pipe or a device
    if !is_y4m && !is_place && to != Path::new("-") {
        return Err(Error::UnknownFormat { path: to.clone(), known: "`.y4m` for a video" });
    }
    let header = reader.header().clone();
    let writer = VideoWriter::create(to, &header)?;
    let most = (PIXELS / (header.width() * header.height())).clamp(1, FRAMES);
    let total = frames_of(&reader);
    let (send, frames) = sync_channel(most);
    thread::spawn(move || read(reader, &send)); // not waited for: a pipe may stay silent
    let (made, take) = sync_channel(1);
    let writing = thread::spawn(move || write(writer, &take));
    let worked = work(job, &header, total, most, &frames, &made);
    drop(made);
    // Writing that failed is why nobody takes frames any more.
    let writer = writing.join().unwrap_or(Err(Error::Interrupted))?;
    let frames = worked?;
    if frames == 0 {
        return Err(Error::NoData { path: job.words.input.clone(), what: "frames" });
    }
    writer.finish()?;
    let bits = if header.bits() == 8 { 8 } else { 16 };
    Ok(Done { width: header.width(), height: header.height(), bits, frames, ..Done::default() })
}

/// How many frames a file of this size holds; 0 where that is unknown.
fn frames_of(reader: &VideoReader) -> u64 {
    let header = reader.header();
    let values: usize = header.planes().iter().map(|(width, height)| width * height).sum();
    let bytes = if header.bits() == 8 { values } else { 2 * values };
    reader.position().1 / (bytes + "FRAME\n".len()) as u64
}

fn read(mut reader: VideoReader, send: &SyncSender<Result<Frame>>) {
    while let Some(frame) = reader.next().transpose() {
        let last = frame.is_err();
        if send.send(frame).is_err() || last {
            return; // nobody takes them any more, or there are no more
        }
    }
}

fn write(mut writer: VideoWriter, take: &Receiver<Vec<Frame>>) -> Result<VideoWriter> {
    for frames in take {
        frames.iter().try_for_each(|frame| writer.write(frame))?;
        writer.flush()?; // who looks on sees every frame at once
    }
    Ok(writer)
}

/// Takes frames as they come until there are no more; how many there were.
fn work(
    job: &Job<'_>,
    header: &VideoHeader,
    total: u64,
    most: usize,
    frames: &Receiver<Result<Frame>>,
    made: &SyncSender<Vec<Frame>>,
) -> Result<u64> {
    let mut done = 0;
    while let Ok(first) = frames.recv() {
        let mut failed = None;
        let come = std::iter::once(first).chain(frames.try_iter()).take(most);
        let batch: Vec<Frame> = come.map_while(|frame| frame.map_err(|e| failed = Some(e)).ok()).collect();
        job.report(done, total)?;
        done += batch.len() as u64;
        // What came before a frame that is not whole has been seen to the end of a pipe.
        let gone = !batch.is_empty() && made.send(apply(job, header, batch)?).is_err();
        match failed {
            Some(error) => return Err(error),
            None if gone => break,
            None => {}
        }
    }
    Ok(done)
}

/// The operator on the brightness of all frames; their chroma becomes neutral unless colors are to stay.
fn apply(job: &Job<'_>, header: &VideoHeader, mut frames: Vec<Frame>) -> Result<Vec<Frame>> {
    let values = header.width() * header.height();
    let planes = || frames.iter().map(|frame| &frame.planes[0]);
    let brightness = if header.bits() == 8 {
        let bytes = planes().filter_map(|plane| if let Pixels::U8(v) = plane { Some(&v[..]) } else { None });
        Pixels::U8(bytes.collect::<Vec<_>>().concat())
    } else {
        let words = planes().filter_map(|plane| if let Pixels::U16(v) = plane { Some(v) } else { None });
        let white = white(header);
        // An operator takes 65,535 for white.
        Pixels::U16(words.flatten().map(|v| scaled(*v, white, u16::MAX)).collect())
    };
    let made = job.apply(&Images::new(header.width(), header.height(), 1, brightness)?)?.into_pixels();
    for (i, frame) in frames.iter_mut().enumerate() {
        let part = i * values..(i + 1) * values;
        frame.planes[0] = match &made {
            Pixels::U8(pixels) => Pixels::U8(pixels[part].to_vec()),
            Pixels::U16(pixels) => {
                Pixels::U16(pixels[part].iter().map(|v| scaled(*v, u16::MAX, white(header))).collect())
            }
        };
        if !job.words.color {
            // A fourth plane is opacity.
            frame.planes.iter_mut().take(3).skip(1).for_each(|plane| make_neutral(plane, header.bits()));
        }
    }
    Ok(frames)
}

/// The greatest value of a plane.
fn white(header: &VideoHeader) -> u16 {
    ((1u32 << header.bits()) - 1) as u16
}

/// `value` of `from` as the nearest value of `to`.
fn scaled(value: u16, from: u16, to: u16) -> u16 {
    let (value, from, to) = (u64::from(value.min(from)), u64::from(from), u64::from(to));
    ((2 * value * to + from) / (2 * from)) as u16
}

/// Neither blue nor red.
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
    fn every_value_of_fewer_bits_comes_back_from_sixteen() {
        for bits in 9..=16 {
            let white = ((1u32 << bits) - 1) as u16;
            for value in 0..=white {
                assert_eq!(scaled(scaled(value, white, u16::MAX), u16::MAX, white), value, "{bits} bits");
            }
        }
        assert_eq!((scaled(1023, 1023, u16::MAX), scaled(0, 1023, u16::MAX)), (65_535, 0));
    }
}
