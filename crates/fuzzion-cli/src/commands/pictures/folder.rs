//! All pictures of a folder: read and written by all threads, and given to the operator as stacks of one size.

use super::{Done, Job};
use crate::console;
use fuzzion::{Error, Images, Result};
use std::ffi::OsStr;

/// Pictures in memory at a time: as many as there are threads, within bounds.
const MOST: usize = 32;
const LEAST: usize = 4;

pub(super) fn run(job: &Job<'_>) -> Result<Done> {
    let (from, to) = (&job.words.input, &job.words.output);
    let files = Images::files_in(from)?;
    if files.is_empty() {
        return Err(Error::NoData { path: from.clone(), what: "images" });
    }
    let refused = |cause| Error::File { doing: "make the folder", path: to.clone(), cause };
    let mut done = Done::default();
    for part in files.chunks(job.cpu.threads().clamp(LEAST, MOST)) {
        job.report(done.frames, files.len() as u64)?;
        let read = job.cpu.map_chunks(part.len(), 1, |range| Images::read(&part[range.start]));
        let mut stacks: Vec<Stack<'_>> = Vec::new();
        for (file, image) in part.iter().zip(read) {
            match image {
                Ok(image) => Stack::add(&mut stacks, file.file_name().unwrap_or_default(), image),
                Err(error) => skip(&mut done, error)?,
            }
        }
        for stack in stacks {
            if done.frames == 0 {
                std::fs::create_dir_all(to).map_err(refused)?;
                done = Done { skipped: done.skipped, ..Done::of(&stack.images[0]) };
            }
            let size = (stack.images[0].width(), stack.images[0].height());
            done.several |= size != (done.width, done.height);
            let made = job.apply(&Images::stack(stack.images)?)?;
            let write = |i: usize| match made.frame(i) {
                Some(image) => image.write(to.join(stack.names[i])),
                None => Ok(()),
            };
            for written in job.cpu.map_chunks(stack.names.len(), 1, |range| write(range.start)) {
                match written {
                    Ok(()) => done.frames += 1,
                    Err(error) => skip(&mut done, error)?,
                }
            }
        }
    }
    if done.frames == 0 {
        return Err(Error::NoData { path: from.clone(), what: "images that can be read" });
    }
    Ok(done)
}

/// Counts and names a picture that cannot be read, or not be held by the format of its name; fails where going on makes no
/// sense.
fn skip(done: &mut Done, error: Error) -> Result<()> {
    if matches!(error, Error::Interrupted | Error::File { doing: "write", .. }) {
        return Err(error);
    }
    console::complain(&format!("{error}; skipped"));
    done.skipped += 1;
    Ok(())
}

/// Pictures of one size, channels and bits, which follow each other.
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
