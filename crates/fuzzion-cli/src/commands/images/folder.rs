//! Processes the images of a folder: read and written in parallel, and given to the operator in stacks of equal size.

use super::job::{ImageStats, Job};
use crate::commands::common::files::create_folder;
use crate::console::{self, Stage};
use fuzzion::data::DataError;
use fuzzion::{Error, Images, Result};
use std::ffi::OsStr;

/// Bounds of the number of images in memory, which is the number of threads within these bounds.
const MAX_IMAGES: usize = 32;
const MIN_IMAGES: usize = 4;

pub(super) fn run(job: &Job<'_>) -> Result<ImageStats> {
    let (from, to) = (&job.args.input, &job.args.output);
    let files = Images::files_in(from)?;
    if files.is_empty() {
        return Err(Error::Data(DataError::NoData { path: from.clone(), what: "images" }));
    }
    let mut stats = ImageStats::default();
    for batch in files.chunks(job.device.host_cpu().threads().clamp(MIN_IMAGES, MAX_IMAGES)) {
        job.report(stats.frames, files.len() as u64)?;
        job.bar.stages().begin(Stage::Read);
        let images =
            job.device.host_cpu().map_chunks(batch.len(), 1, |range| Images::read(&batch[range.start]));
        let mut stacks: Vec<Stack<'_>> = Vec::new();
        for (file, image) in batch.iter().zip(images) {
            match image {
                Ok(image) => Stack::add(&mut stacks, file.file_name().unwrap_or_default(), image),
                Err(error) => skip(&mut stats, error.into())?,
            }
        }
        for stack in stacks {
            if stats.frames == 0 {
                create_folder(to)?;
                stats = ImageStats { skipped: stats.skipped, ..ImageStats::of(&stack.images[0]) };
            }
            let size = (stack.images[0].width(), stack.images[0].height());
            stats.mixed_sizes |= size != (stats.width, stats.height);
            job.bar.stages().begin(Stage::Compute);
            let results = job.apply(&Images::stack(stack.images)?)?;
            job.bar.stages().begin(Stage::Write);
            let write = |i: usize| match results.frame(i) {
                Some(image) => image.write(to.join(stack.names[i])),
                None => Ok(()),
            };
            for written in job.device.host_cpu().map_chunks(stack.names.len(), 1, |range| write(range.start))
            {
                match written {
                    Ok(()) => stats.frames += 1,
                    Err(error) => skip(&mut stats, error.into())?,
                }
            }
        }
    }
    if stats.frames == 0 {
        return Err(Error::Data(DataError::NoData { path: from.clone(), what: "readable images" }));
    }
    Ok(stats)
}

/// Reports and counts an image that cannot be read, or not be stored in its file format; other errors are fatal.
fn skip(stats: &mut ImageStats, error: Error) -> Result<()> {
    if matches!(error, Error::Interrupted | Error::Data(DataError::File { doing: "write", .. })) {
        return Err(error);
    }
    console::print_error(&format!("{}; skipped", error.message()));
    stats.skipped += 1;
    Ok(())
}

/// Consecutive images of equal size, channels and depth.
struct Stack<'a> {
    names: Vec<&'a OsStr>,
    images: Vec<Images>,
}

impl<'a> Stack<'a> {
    fn add(stacks: &mut Vec<Self>, name: &'a OsStr, image: Images) {
        let shape = |image: &Images| (image.width(), image.height(), image.channels(), image.bits());
        match stacks.last_mut() {
            Some(last) if last.images.first().map(shape) == Some(shape(&image)) => {
                last.names.push(name);
                last.images.push(image);
            }
            _ => stacks.push(Stack { names: vec![name], images: vec![image] }),
        }
    }
}
