//! Runs a window operator on an image, a folder of images or a video.

use super::args::ImageArgs;
use super::job::{ImageStats, Job, PostProcessing};
use super::{folder, video};
use crate::console::{self, Console, Stage};
use crate::format::{count_of, display_path, format_rate, format_seconds};
use fuzzion::data::ImageOrVideo;
use fuzzion::inference::image::{Execution, Operator};
use fuzzion::{Device, Result};
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

/// Minimum number of frames for which the summary contains a rate.
const MIN_FRAMES_OF_RATE: u64 = 10;

/// Checks `args`, then runs the operator created by `create` and prints the summary.
pub(super) fn run(
    args: &ImageArgs,
    create: impl FnOnce() -> Result<Operator>,
    post_processing: PostProcessing,
    device: &Device,
    console: &Console,
) -> Result<ExitCode> {
    if let Some(message) = args.usage_error(console.json()) {
        console::print_error(&message);
        return Ok(ExitCode::from(2));
    }
    let (summary, stats) = execute(args, create()?, post_processing, device, console)?;
    if !args.uses_standard_output() {
        console.print_summary_of_files(&summary, device)?;
    }
    Ok(if stats.skipped == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the operator quietly and returns the printed output.
pub(super) fn output_of(
    args: &ImageArgs,
    operator: Operator,
    post_processing: PostProcessing,
    device: &Device,
) -> Result<String> {
    Ok(execute(args, operator, post_processing, device, &Console::new(false, true))?.0)
}

/// Processes the input, writes the output and returns the summary.
fn execute(
    args: &ImageArgs,
    operator: Operator,
    post_processing: PostProcessing,
    device: &Device,
    console: &Console,
) -> Result<(String, ImageStats)> {
    let execution = if args.general { Execution::General } else { Execution::Fast };
    let operator = operator.border(args.border).per_channel(args.color).execution(execution);
    let (bar, started) = (console.bar("reading"), Instant::now());
    bar.begin(Stage::Read, "reading");
    let job = Job { args, operator, post_processing, device, bar: &bar, started };
    let stats = if args.input.is_dir() { folder::run(&job)? } else { run_file(&job)? };
    let seconds = started.elapsed().as_secs_f64();
    let (execution, rate) = (job.operator.execution_for(stats.bits), stats.frames as f64 / seconds);
    drop(bar);
    if console.json() {
        let size = |size: usize| if stats.mixed_sizes { json!(null) } else { json!(size) };
        let mut summary = json!({
            "width": size(stats.width), "height": size(stats.height), "frames": stats.frames, "seconds": seconds,
            "frames_per_second": rate, "path": execution.to_string(),
        });
        if args.input.is_dir() {
            summary["skipped"] = json!(stats.skipped);
        }
        return Ok((summary.to_string(), stats));
    }
    let (from, to) = (display_path(&args.input), display_path(&args.output));
    let frames = count_of(stats.frames, "frame");
    let size = match stats.mixed_sizes {
        true => "various sizes".to_owned(),
        false => format!("{} × {}", stats.width, stats.height),
    };
    let rate = format_rate(stats.frames, MIN_FRAMES_OF_RATE, "frames", seconds);
    let rate = rate.map_or_else(String::new, |rate| format!(", {rate}"));
    let mut summary = format!(
        "{from}: {frames} of {size} in {}{rate} on {} ({execution} path)\n\nwrote {to}\n",
        format_seconds(seconds),
        device.used()
    );
    if stats.skipped > 0 {
        summary.push_str(&format!("skipped {}\n", count_of(stats.skipped, "file")));
    }
    Ok((summary, stats))
}

/// Processes a single image or a video.
fn run_file(job: &Job<'_>) -> Result<ImageStats> {
    let image = match ImageOrVideo::open(&job.args.input)? {
        ImageOrVideo::Video(reader) => return video::run(job, reader),
        ImageOrVideo::Image(image) => image,
    };
    job.bar.begin(Stage::Compute, "processing");
    let results = job.apply(&image)?;
    job.bar.begin(Stage::Write, "writing");
    results.write(&job.args.output)?;
    Ok(ImageStats { frames: 1, ..ImageStats::of(&image) })
}
