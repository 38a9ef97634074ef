//! Compares numbers of clusters by their validity indices.

use super::recommendation::Recommendation;
use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::Outputs;
use crate::commands::cluster::palette::Palette;
use crate::commands::cluster::plot;
use crate::commands::cluster::rows::{TableRows, selected_columns};
use crate::commands::cluster::scales;
use crate::commands::cluster::summary::{self, INDICES, index_values};
use crate::commands::cluster::timer::IterationTimer;
use crate::console::Stage;
use crate::format::{align_columns, count_of, display_path, format_digits};
use fuzzion::Device;
use fuzzion::clustering::{ClusteringError, FuzzyCMeans, Partition, Stop};
use fuzzion::data::TableReader;
use fuzzion::inference::InferenceError;
use fuzzion::{Error, Images, Result};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::path::Path;

/// Significant digits of the values in the table.
const DIGITS: usize = 5;

type Range = RangeInclusive<usize>;

pub(crate) fn table<'a>(job: &Job<'a>, range: Range, reader: TableReader) -> Result<String> {
    let args = job.args;
    let outputs = Outputs::create(&args.outputs)?;
    let mut rows =
        TableRows::open(&args.data, reader, (&job.table_reading, job.device), &args.rows, |first| {
            selected_columns(first, &args.rows)
        })?;
    let (names, ignored, streamed) = (rows.names.clone(), rows.ignored.clone(), rows.is_streamed());
    let warning = scales::warning(job, &mut rows)?;
    let notes = job.notes(&ignored, streamed, warning.as_deref());
    run(job, &names, streamed, outputs, (&notes, warning), |settings, device| {
        let mut placed = rows.place(&rows.device_for(range.clone().sum(), device))?;
        placed.sweep(range.clone(), settings, device).map_err(|error| too_few_rows(error, &range, &args.data))
    })
}

/// The error for a sweep with more clusters than rows.
fn too_few_rows(error: Error, range: &Range, file: &Path) -> Error {
    let Error::Clustering(ClusteringError::TooFewRows { rows, .. }) = error else { return error };
    let (low, high, file) = (range.start(), range.end(), display_path(file));
    let advice = match *low as u64 <= rows {
        true => format!("use `--sweep {low}..{rows}`"),
        false => "compare smaller numbers".into(),
    };
    let found = count_of(rows, "row");
    let problem = format!("needs {high} rows, but {file} has {found}; {advice}");
    Error::Inference(InferenceError::InvalidSystem { location: format!("`--sweep {low}..{high}`"), problem })
}

pub(crate) fn image(job: &Job<'_>, range: Range, image: &Images) -> Result<String> {
    job.reject_table_options("an image")?;
    let outputs = Outputs::create(&job.args.outputs)?;
    let palette = Palette::of(image)?;
    let notes = job.notes(&[], false, None);
    run(job, palette.names(), false, outputs, (&notes, None), |settings, device| {
        palette.sweep(range, settings, device)
    })
}

/// Fits every number of clusters in shared passes, and reports each fit and the total time.
fn run(
    job: &Job<'_>,
    names: &[String],
    streamed: bool,
    mut outputs: Outputs,
    (notes, warning): (&str, Option<String>),
    fit: impl FnOnce(&FuzzyCMeans, &Device) -> Result<Vec<Partition>>,
) -> Result<String> {
    let timer = IterationTimer::start();
    let partitions = job.with_settings(1, names, &timer, streamed, fit)?;
    let timing = timer.timing(0);
    job.bar.begin(Stage::Write, "writing");
    let best = best_counts(&partitions);
    let recommendation = Recommendation::new(&partitions, &best);
    let title = format!("Number of clusters in {}", job.title());
    outputs.write_plot(&plot::sweep(&title, &partitions, &best))?;
    outputs.finish()?;
    if job.json {
        let fit = |partition: &Partition| {
            let mut fit = summary::json(partition, timing);
            fit["device"] = json!(job.device.used());
            fit
        };
        let fits = partitions.iter().map(fit);
        // The fits share their passes over the rows, so only the total time is known.
        return Ok(json!({
            "fits": fits.collect::<Vec<Value>>(),
            "recommended_clusters": recommendation.map(|recommendation| recommendation.clusters),
            "warnings": Vec::from_iter(warning),
            "seconds": timing.seconds,
        })
        .to_string());
    }
    let data = display_path(&job.args.data);
    Ok(format!(
        "{data}: comparison of cluster counts\n\n{}{notes}",
        text(&partitions, &best, recommendation.as_ref())
    ))
}

/// The best number of clusters according to each index.
fn best_counts(partitions: &[Partition]) -> [Option<usize>; 6] {
    std::array::from_fn(|i| {
        let sign = if INDICES[i].2 { 1.0 } else { -1.0 };
        let scores = partitions
            .iter()
            .filter_map(|p| Some((p.clusters(), sign * index_values(&p.report.indices)[i]?)));
        // On a tie, the first one wins, because fewer clusters are simpler.
        let best = scores.fold(None, |best: Option<(usize, f64)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        });
        best.map(|(clusters, _)| clusters)
    })
}

fn text(
    partitions: &[Partition],
    best: &[Option<usize>; 6],
    recommendation: Option<&Recommendation>,
) -> String {
    let all_converged = partitions.iter().all(|p| p.report.stop == Stop::Converged);
    let header = ["clusters", "objective"].into_iter().chain(INDICES.iter().map(|(name, ..)| *name));
    let mut lines: Vec<Vec<String>> = vec![header.map(|name| format!("{name} ")).collect()];
    for p in partitions {
        let mut line = vec![format!("{} ", p.clusters()), format_digits(p.report.objective, DIGITS) + " "];
        for (i, value) in index_values(&p.report.indices).into_iter().enumerate() {
            let star = if best[i] == Some(p.clusters()) { "*" } else { " " };
            line.push(value.map_or_else(|| "– ".into(), |x| format_digits(x, DIGITS) + star));
        }
        if !all_converged {
            line.push(if p.report.stop == Stop::Converged { "" } else { "not converged" }.into());
        }
        lines.push(line);
    }
    let mut out = align_columns(&lines, &[]);
    out.push_str("\n* best number of clusters: ");
    let entry = |i: usize| best[i].map(|best| format!("{} {best}", INDICES[i].0));
    out.push_str(&(0..INDICES.len()).filter_map(entry).collect::<Vec<_>>().join(", "));
    out.push_str("\npc and pe favor few clusters; mpc corrects for this\n");
    if let Some(recommendation) = recommendation {
        out.push_str(&format!("\n{recommendation}\n"));
    }
    for p in partitions {
        for warning in &p.report.warnings {
            out.push_str(&format!("\nwarning ({}): {warning}\n", count_of(p.clusters() as u64, "cluster")));
        }
    }
    out
}
