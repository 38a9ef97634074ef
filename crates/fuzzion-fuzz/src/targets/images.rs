//! Images and video: what can be read is the same after writing and reading it.

use super::{Input, Outcome, ensure, must};
use crate::mutate::correct_png_checksums;
use fuzzion::Images;
use fuzzion::data::{DataError, FrameBatch, VideoReader};
use fuzzion::internals::Random;
use std::fs;

/// Larger images are not written.
const MAX_PIXELS: usize = 1 << 20;

pub(crate) fn check(input: &Input<'_>, _: &mut Random) -> Result<Outcome, String> {
    let image = match Images::read(input.path) {
        Ok(image) => image,
        Err(error) => return Outcome::rejected(error),
    };
    let pixels = image.width() * image.height() * image.channels();
    ensure(image.pixels().len() == pixels, || {
        format!("an image of {pixels} values has {} values", image.pixels().len())
    })?;
    if pixels <= MAX_PIXELS {
        let path = input.path.with_file_name("written.png");
        must("cannot write PNG", image.write(&path))?;
        let again = must("cannot read the written PNG", Images::read(&path))?;
        ensure(again == image, || "the image differs after writing PNG and reading it".into())?;
    }
    Ok(Outcome::Accepted)
}

/// Damage of the contents of chunks is found only if their checksums are correct.
pub(crate) fn check_png(input: &Input<'_>, random: &mut Random) -> Result<Outcome, String> {
    let mut bytes = input.bytes.to_vec();
    correct_png_checksums(&mut bytes);
    fs::write(input.path, bytes).map_err(|error| format!("cannot write the input: {error}"))?;
    check(input, random)
}

pub(crate) fn check_video(input: &Input<'_>, _: &mut Random) -> Result<Outcome, String> {
    let read = || -> Result<u64, DataError> {
        let mut video = VideoReader::open(input.path)?;
        let mut batch = FrameBatch::default();
        while video.read_into(&mut batch)? {
            batch.clear();
        }
        Ok(video.frames())
    };
    match read() {
        Ok(_) => Ok(Outcome::Accepted),
        Err(error) => Outcome::rejected(error),
    }
}
