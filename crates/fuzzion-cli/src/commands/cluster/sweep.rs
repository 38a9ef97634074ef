//! How many clusters are there? A fit for each number, and what the indices say.

use super::Job;
use super::outputs::Outputs;
use super::palette::Palette;
use super::plot;
use super::samples::{Samples, title, wanted};
use super::summary::{self, INDICES, Timing, values};
use super::watch::Watch;
use crate::commands::words::{aligned, digits, shown};
use fuzzion::clustering::{FuzzyCMeans, Partition, Stop};
use fuzzion::data::TableReader;
use fuzzion::{Images, Result};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// Digits of the numbers in the table, which has many.
const DIGITS: usize = 5;

type Range = RangeInclusive<usize>;

pub(super) fn table<'a>(job: &Job<'a>, range: Range, reader: TableReader<'a>) -> Result<String> {
    let words = job.words;
    let outputs = Outputs::create(&words.outputs)?;
    let mut samples =
        Samples::open(&words.data, reader, &job.reading, &words.rows, |first| wanted(first, &words.rows))?;
    let (names, left_out, streamed) =
        (samples.names.clone(), samples.left_out.clone(), samples.is_streamed());
    let notes = job.notes(&left_out, streamed);
    all(job, &names, streamed, outputs, &notes, |settings| samples.sweep(range, settings, job.device))
}

pub(super) fn image(job: &Job<'_>, range: Range, image: &Images) -> Result<String> {
    job.without_columns("an image")?;
    let outputs = Outputs::create(&job.words.outputs)?;
    let palette = Palette::of(image)?;
    let notes = job.notes(&[], false);
    all(job, palette.names(), false, outputs, &notes, |settings| palette.sweep(range, settings, job.device))
}

/// Fits all numbers of clusters together; each is told with the time that all of them took.
fn all(
    job: &Job<'_>,
    names: &[String],
    streamed: bool,
    mut outputs: Outputs,
    notes: &str,
    fit: impl FnOnce(&FuzzyCMeans<'_>) -> Result<Vec<Partition>>,
) -> Result<String> {
    let watch = Watch::start();
    let partitions = job.with_settings(1, names, &watch, streamed, fit)?;
    let seconds = watch.seconds();
    let timing = Timing { seconds, ms_per_iteration: watch.ms_per_iteration(seconds) };
    let preferred = preferred(&partitions);
    let title = title(&job.words.data);
    outputs.write_plot(&plot::sweep(&format!("How many clusters in {title}?"), &partitions, &preferred))?;
    outputs.finish()?;
    if job.json {
        let device = job.device.to_string();
        let fits = partitions.iter().map(|p| summary::json(p, &device, timing));
        // The fits share their passes: the time is that of all.
        let all = json!({ "fits": fits.collect::<Vec<Value>>(), "device": device, "seconds": seconds });
        return Ok(all.to_string());
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
    let all_converged = partitions.iter().all(|p| p.report.stop == Stop::Converged);
    let header = ["clusters", "objective"].into_iter().chain(INDICES.iter().map(|(name, ..)| *name));
    let mut lines: Vec<Vec<String>> = vec![header.map(|name| format!("{name} ")).collect()];
    for p in partitions {
        let mut line = vec![format!("{} ", p.clusters()), digits(p.report.objective, DIGITS) + " "];
        for (i, value) in values(&p.report.indices).into_iter().enumerate() {
            let star = if preferred[i] == Some(p.clusters()) { "*" } else { " " };
            line.push(value.map_or_else(|| "– ".into(), |x| digits(x, DIGITS) + star));
        }
        if !all_converged {
            line.push(if p.report.stop == Stop::Converged { "" } else { "not converged" }.into());
        }
        lines.push(line);
    }
    let mut out = aligned(&lines, &[]);
    out.push_str("\n* the best of its column: ");
    let says = |i: usize| preferred[i].map(|best| format!("{} says {best}", INDICES[i].0));
    out.push_str(&(0..INDICES.len()).filter_map(says).collect::<Vec<_>>().join(", "));
    out.push_str("\npc and pe lean towards few clusters; mpc makes up for that\n");
    for p in partitions {
        for warning in &p.report.warnings {
            out.push_str(&format!("\nwarning, {} clusters: {warning}\n", p.clusters()));
        }
    }
    out
}
