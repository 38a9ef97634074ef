//! How many clusters are there? A fit for each number, and what the indices say.

use super::Job;
use super::outputs::Outputs;
use super::palette::Palette;
use super::plot;
use super::samples::{Samples, title, wanted};
use super::summary::{self, INDICES, Timing, values};
use super::watch::Watch;
use crate::commands::words::{aligned, short, shown};
use fuzzion::clustering::{FuzzyCMeans, Partition, Stop};
use fuzzion::data::TableReader;
use fuzzion::{Images, Result};
use serde_json::Value;
use std::ops::RangeInclusive;

type Range = RangeInclusive<usize>;

pub(super) fn table<'a>(job: &Job<'a>, range: Range, reader: TableReader<'a>) -> Result<String> {
    let words = job.words;
    let outputs = Outputs::create(&words.outputs)?;
    let mut samples =
        Samples::open(&words.data, reader, &job.reading, &words.rows, |first| wanted(first, &words.rows))?;
    let (names, left_out, streamed) =
        (samples.names.clone(), samples.left_out.clone(), samples.is_streamed());
    let notes = job.notes(&left_out, streamed);
    all(job, range, &names, streamed, outputs, &notes, |settings| samples.fit(settings, job.device))
}

pub(super) fn image(job: &Job<'_>, range: Range, image: &Images) -> Result<String> {
    job.without_columns("an image")?;
    let outputs = Outputs::create(&job.words.outputs)?;
    let palette = Palette::of(image)?;
    let notes = job.notes(&[], false);
    all(job, range, palette.names(), false, outputs, &notes, |settings| palette.fit(settings, job.device))
}

fn all(
    job: &Job<'_>,
    range: Range,
    names: &[String],
    streamed: bool,
    mut outputs: Outputs,
    notes: &str,
    mut fit: impl FnMut(&FuzzyCMeans<'_>) -> Result<Partition>,
) -> Result<String> {
    let (mut partitions, mut timings) = (Vec::new(), Vec::new());
    for clusters in range {
        let watch = Watch::start();
        partitions.push(job.with_settings(clusters, names, &watch, streamed, &mut fit)?);
        let seconds = watch.seconds();
        timings.push(Timing { seconds, ms_per_iteration: watch.ms_per_iteration(seconds) });
    }
    let preferred = preferred(&partitions);
    let title = title(&job.words.data);
    outputs.write_plot(&plot::sweep(&format!("How many clusters in {title}?"), &partitions, &preferred))?;
    outputs.finish()?;
    if job.json {
        let device = job.device.to_string();
        let fits = partitions.iter().zip(timings).map(|(p, timing)| summary::json(p, &device, timing));
        return Ok(Value::Array(fits.collect()).to_string());
    }
    Ok(format!("{}: how many clusters?\n\n{}{notes}", shown(&job.words.data), text(&partitions, &preferred)))
}

/// The number of clusters that each index likes best.
fn preferred(partitions: &[Partition]) -> [Option<usize>; 6] {
    std::array::from_fn(|i| {
        let sign = if INDICES[i].2 { 1.0 } else { -1.0 };
        let all =
            partitions.iter().filter_map(|p| Some((p.clusters(), sign * values(&p.report.indices)[i]?)));
        // The first of equals: fewer clusters are simpler.
        let best = all.fold(None, |best: Option<(usize, f64)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        });
        best.map(|(clusters, _)| clusters)
    })
}

fn text(partitions: &[Partition], preferred: &[Option<usize>; 6]) -> String {
    let header = ["clusters", "objective"].into_iter().chain(INDICES.iter().map(|(name, ..)| *name));
    let mut lines: Vec<Vec<String>> = vec![header.chain(["stop"]).map(str::to_owned).collect()];
    for p in partitions {
        let mut line = vec![p.clusters().to_string(), short(p.report.objective)];
        for (i, value) in values(&p.report.indices).into_iter().enumerate() {
            let star = if preferred[i] == Some(p.clusters()) { "*" } else { " " };
            line.push(value.map_or_else(|| "– ".into(), |x| short(x) + star));
        }
        line.push(if p.report.stop == Stop::Converged { "converged" } else { "not yet" }.into());
        lines.push(line);
    }
    let mut out = aligned(&lines, &[lines[0].len() - 1]);
    out.push_str("\n* the best of its column. ");
    let says = |i: usize| preferred[i].map(|best| format!("{} says {best}", INDICES[i].0));
    out.push_str(&(0..INDICES.len()).filter_map(says).collect::<Vec<_>>().join(", "));
    out.push_str("; pc and pe lean towards few clusters, which mpc makes up for\n");
    for p in partitions {
        for warning in &p.report.warnings {
            out.push_str(&format!("\nwarning, {} clusters: {warning}\n", p.clusters()));
        }
    }
    out
}
