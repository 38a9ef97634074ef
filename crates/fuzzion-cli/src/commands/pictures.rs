//! Window operators on pictures: the words and the ways that `edges` and `image` have in common.

mod folder;
mod video;

use super::words::{counted, shown};
use crate::console::{self, Bar, Console};
use crate::interrupt;
use fuzzion::data::Footage;
use fuzzion::device::Cpu;
use fuzzion::inference::image::{self, Border, Operator, invert, thin};
use fuzzion::{Device, Error, Images, Progress, Result};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Where pictures come from and go to, and how they are looked at.
#[derive(clap::Args, Clone)]
pub(crate) struct PictureWords {
    /// The picture, the folder of pictures or the video, or `-`
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// What to write: a picture, a folder (made if it does not exist) or a video, or `-`
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// What lies beyond the border: replicate (the nearest pixel), reflect (the picture mirrored) or a brightness from 0 to 255
    #[arg(long, value_name = "WORD|N", default_value = "replicate", value_parser = border)]
    border: Border,
    /// Each color by itself; of a video the brightness alone, and its colors stay (default: grey)
    #[arg(long)]
    color: bool,
    /// The system itself for every pixel, in two stages as in the paper, even where a table says the same faster
    #[arg(long)]
    general: bool,
}

fn border(text: &str) -> std::result::Result<Border, String> {
    match text {
        "replicate" => Ok(Border::Replicate),
        "reflect" => Ok(Border::Reflect),
        number => match number.parse() {
            Ok(value) if (0.0..=255.0).contains(&value) => Ok(Border::Constant(value)),
            _ => Err("use replicate, reflect or a brightness from 0 to 255".into()),
        },
    }
}

/// What happens to the new pictures before they are written.
#[derive(Clone, Copy, Default)]
pub(super) struct After {
    pub(super) thin: bool,
    pub(super) invert: bool,
}

/// What every kind of picture is worked on with.
struct Job<'a> {
    words: &'a PictureWords,
    operator: Operator,
    after: After,
    device: &'a Device,
    /// Reads, writes and thins, wherever the operator runs.
    cpu: Cpu,
    bar: &'a Bar,
    begun: Instant,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    width: usize,
    height: usize,
    /// Whether pictures of a folder have other sizes.
    several: bool,
    /// Of the pixels as the operator saw them, 8 or 16.
    bits: u32,
    frames: u64,
    /// Files of a folder that could not be read.
    skipped: u64,
}

/// Does what `words` say with the operator that `make` makes, once they have been found possible.
pub(super) fn run(
    words: &PictureWords,
    make: impl FnOnce() -> Result<Operator>,
    after: After,
    device: &Device,
    console: &Console,
) -> Result<ExitCode> {
    if let Some(sentence) = words.complaint(console.json()) {
        console::complain(&sentence);
        return Ok(ExitCode::from(2));
    }
    let to_console = words.output == Path::new("-");
    match tell(words, make()?, after, device, console) {
        // A reader that has gone (`fuzzion edges … - | head`) has seen what it wanted.
        Err(Error::File { cause, .. }) if to_console && cause.kind() == ErrorKind::BrokenPipe => {
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Err(error),
        Ok((told, done)) => {
            if !to_console {
                console.say(&told)?;
            }
            Ok(if done.skipped == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

/// What a command with these words says; its files are written.
pub(super) fn said(
    words: &PictureWords,
    operator: Operator,
    after: After,
    device: &Device,
) -> Result<String> {
    Ok(tell(words, operator, after, device, &Console::new(false, true))?.0)
}

fn tell(
    words: &PictureWords,
    operator: Operator,
    after: After,
    device: &Device,
    console: &Console,
) -> Result<(String, Done)> {
    let path = if words.general { image::Path::General } else { image::Path::Fast };
    let operator = operator.border(words.border).per_channel(words.color).path(path);
    let cpu = match device {
        Device::Cpu(cpu) | Device::Best(cpu, _) => cpu.clone(),
        _ => Cpu::new()?,
    };
    let (bar, begun) = (console.bar("reading"), Instant::now());
    let job = Job { words, operator, after, device, cpu, bar: &bar, begun };
    let done = if words.input.is_dir() { folder::run(&job)? } else { job.file()? };
    let seconds = begun.elapsed().as_secs_f64();
    let (path, rate) = (job.operator.path_for(done.bits), done.frames as f64 / seconds);
    drop(bar);
    if console.json() {
        let size = |size: usize| if done.several { json!(null) } else { json!(size) };
        let mut told = json!({
            "width": size(done.width), "height": size(done.height), "frames": done.frames, "seconds": seconds,
            "frames_per_second": rate, "device": device.to_string(), "path": path.to_string(),
        });
        if words.input.is_dir() {
            told["skipped"] = json!(done.skipped);
        }
        return Ok((told.to_string(), done));
    }
    let (from, to) = (shown(&words.input), shown(&words.output));
    let frames = counted(done.frames, "frame");
    let size = match done.several {
        true => "several sizes".to_owned(),
        false => format!("{} × {}", done.width, done.height),
    };
    let (seconds, rate) = (console::seconds(seconds), console::with_prefix(rate));
    let mut told = format!(
        "{from}: {frames} of {size} in {seconds}, {rate}frames/s on {device} ({path} path)\n\nwritten: {to}\n"
    );
    if done.skipped > 0 {
        told.push_str(&format!("skipped: {}\n", counted(done.skipped, "file")));
    }
    Ok((told, done))
}

impl PictureWords {
    /// What cannot be done, in a sentence.
    fn complaint(&self, json: bool) -> Option<String> {
        let (from, to) = (shown(&self.input), shown(&self.output));
        let to_console = self.output == Path::new("-");
        if json && to_console {
            return Some(
                "`--json` and pictures on `-` cannot share standard output; name a file for them".into(),
            );
        }
        if !to_console && is_same(&self.input, &self.output) {
            return Some(format!("`{to}` is what is read; name another place for the result"));
        }
        let names_file = self.output.is_file() || is_picture_name(&self.output);
        match (self.input.is_dir(), self.output.is_dir()) {
            (true, _) if to_console => Some(format!(
                "`{from}` is a folder, which cannot go to standard output; name a folder for it"
            )),
            (true, false) if names_file => {
                Some(format!("`{from}` is a folder, and `{to}` is a file; name a folder to write into"))
            }
            (false, true) => Some(format!("`{to}` is a folder, and `{from}` is none; name a file in it")),
            _ => None,
        }
    }
}

/// Whether a name ends as those of pictures and videos do.
fn is_picture_name(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|e| ["png", "jpg", "jpeg", "pgm", "ppm", "pnm", "y4m"].contains(&e.as_str()))
}

/// Whether two paths are the same file or folder.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((std::fs::canonicalize(a), std::fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

impl Job<'_> {
    /// One picture, or a video.
    fn file(&self) -> Result<Done> {
        let image = match Footage::open(&self.words.input)? {
            Footage::Video(reader) => return video::run(self, reader),
            Footage::Image(image) => image,
        };
        let made = self.apply(&image)?;
        made.write(&self.words.output)?;
        Ok(Done { frames: 1, ..Done::of(&image) })
    }

    /// The new pictures.
    fn apply(&self, images: &Images) -> Result<Images> {
        let step = |_, _| interrupt::check();
        let mut made = self.operator.apply(images, self.device, Progress::new(&step))?;
        let After { thin: is_thin, invert: is_inverted } = self.after;
        if is_thin {
            self.cpu.run(|| thin(&mut made));
        }
        if is_inverted {
            invert(&mut made);
        }
        Ok(made)
    }

    /// Shows how far the work is, in frames (a `total` of 0 is unknown), and fails where Ctrl-C was pressed.
    fn report(&self, frames: u64, total: u64) -> Result<()> {
        let rate = frames as f64 / self.begun.elapsed().as_secs_f64();
        self.bar.rename(format!("{}frames/s", console::with_prefix(rate)));
        let total = if total == 0 { frames } else { total };
        if self.bar.step(frames, total).is_break() { Err(Error::Interrupted) } else { Ok(()) }
    }
}

impl Done {
    /// The size and depth of `images`.
    fn of(images: &Images) -> Self {
        Done { width: images.width(), height: images.height(), bits: images.bits(), ..Done::default() }
    }
}
