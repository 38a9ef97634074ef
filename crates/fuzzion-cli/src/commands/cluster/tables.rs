//! Clusters of the rows of a table.

use super::outputs::Outputs;
use super::plot::{self, Sample};
use super::samples::{Samples, title, wanted};
use super::summary::{self, Timing};
use super::watch::Watch;
use super::{Job, in_clusters};
use crate::commands::words::{counted, shown};
use fuzzion::Result;
use fuzzion::clustering::Partition;
use fuzzion::data::TableReader;

pub(super) fn fit<'a>(job: &Job<'a>, reader: TableReader<'a>) -> Result<String> {
    let words = job.words;
    let mut outputs = Outputs::create(&words.outputs)?;
    let mut samples =
        Samples::open(&words.data, reader, &job.reading, &words.rows, |first| wanted(first, &words.rows))?;
    let (watch, clusters) = (Watch::start(), words.clusters.unwrap_or_default());
    let (names, streamed) = (samples.names.clone(), samples.is_streamed());
    let partition =
        job.with_settings(clusters, &names, &watch, streamed, |settings| samples.fit(settings, job.device))?;
    let seconds = watch.seconds();
    let timing = Timing { seconds, ms_per_iteration: watch.ms_per_iteration(seconds) };
    write(job, &mut outputs, &mut samples, &partition, |_| Ok(()))?;
    outputs.write_fit(&partition)?;
    outputs.finish()?;
    if job.json {
        return Ok(summary::json(&partition, &job.device.to_string(), timing).to_string());
    }
    let heading = heading(job, &samples, &partition);
    let notes = job.notes(&samples.left_out, streamed);
    Ok(format!("{heading}\n\n{}{notes}", summary::text(&partition, timing)))
}

/// Goes through all rows where something is written of them, or `look` has to see them.
pub(super) fn write(
    job: &Job<'_>,
    outputs: &mut Outputs,
    samples: &mut Samples<'_>,
    partition: &Partition,
    mut look: impl FnMut(&fuzzion::Table) -> Result<()>,
) -> Result<()> {
    if !outputs.want_rows() && job.words.apply.is_none() {
        return Ok(());
    }
    job.bar.rename("writing".into());
    let mut sample = Sample::new(samples.names.len());
    samples.pieces(|piece| {
        job.go_on()?;
        outputs.write_rows(partition, piece, job.device)?;
        if outputs.want_plot() {
            sample.add(piece);
        }
        look(piece)
    })?;
    if outputs.want_plot() {
        let subtitle = subtitle(job, partition);
        let chart = plot::clusters(&title(&job.words.data), &subtitle, &sample, partition, job.device)?;
        outputs.write_plot(&chart.to_svg())?;
    }
    Ok(())
}

/// What a picture says below its title.
pub(super) fn subtitle(job: &Job<'_>, partition: &Partition) -> String {
    let clusters = in_clusters(partition.clusters());
    match &job.words.apply {
        Some(model) => format!("{clusters} of {}", title(model)),
        None => format!("{clusters}, {}", job.words.shape.in_words()),
    }
}

fn heading(job: &Job<'_>, samples: &Samples<'_>, partition: &Partition) -> String {
    // Where every row counts once, the sizes of the clusters count the rows.
    let counted_rows =
        (!samples.is_weighted()).then(|| partition.report.sizes.iter().sum::<f64>().round() as u64);
    let rows = samples.count().or(counted_rows).map(|n| counted(n, "row") + " and ").unwrap_or_default();
    let columns = counted(samples.names.len() as u64, "column");
    let clusters = in_clusters(partition.clusters());
    format!("{}: {rows}{columns} ({}) in {clusters}", shown(&job.words.data), samples.precision())
}
