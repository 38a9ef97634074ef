//! Clusters the rows of a table.

use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::Outputs;
use crate::commands::cluster::plot::{self, RowSample};
use crate::commands::cluster::samples::{Samples, selected_columns};
use crate::commands::cluster::summary::{self, Timing};
use crate::commands::cluster::watch::Watch;
use crate::format::{count_of, display_path};
use fuzzion::Result;
use fuzzion::clustering::Partition;
use fuzzion::data::TableReader;

pub(crate) fn fit<'a>(job: &Job<'a>, reader: TableReader) -> Result<String> {
    let args = job.args;
    let mut outputs = Outputs::create(&args.outputs)?;
    let mut samples = Samples::open(&args.data, reader, &job.reading, &args.rows, |first| {
        selected_columns(first, &args.rows)
    })?;
    let (watch, clusters) = (Watch::start(), args.clusters.unwrap_or_default());
    let (names, streamed) = (samples.names.clone(), samples.is_streamed());
    let partition = job.with_settings(clusters, &names, &watch, streamed, |settings, device| {
        samples.fit(settings, device)
    })?;
    let seconds = watch.seconds();
    let timing = Timing { seconds, ms_per_iteration: watch.ms_per_iteration(seconds) };
    write(job, &mut outputs, &mut samples, &partition, |_| Ok(()))?;
    outputs.write_fit(&partition)?;
    outputs.finish()?;
    if job.json {
        return Ok(summary::json(&partition, &job.device.to_string(), timing).to_string());
    }
    let heading = heading(job, &samples, &partition);
    let notes = job.notes(&samples.ignored, streamed);
    Ok(format!("{heading}\n\n{}{notes}", summary::text(&partition, timing)))
}

/// Writes the outputs of all rows and calls `visit` for each chunk; skipped if nothing needs the rows.
pub(super) fn write(
    job: &Job<'_>,
    outputs: &mut Outputs,
    samples: &mut Samples,
    partition: &Partition,
    mut visit: impl FnMut(&fuzzion::Table) -> Result<()>,
) -> Result<()> {
    if !outputs.need_rows() && job.args.apply.is_none() {
        return Ok(());
    }
    job.bar.set_message("writing".into());
    let mut sample = RowSample::new(samples.names.len());
    samples.for_each_chunk(|chunk| {
        job.check_interrupt()?;
        outputs.write_rows(partition, chunk, job.device)?;
        if outputs.has_plot() {
            sample.add(chunk);
        }
        visit(chunk)
    })?;
    if outputs.has_plot() {
        let subtitle = job.subtitle(partition);
        let chart = plot::clusters(&job.title(), &subtitle, &sample, partition, job.device)?;
        outputs.write_plot(&chart.to_svg())?;
    }
    Ok(())
}

fn heading(job: &Job<'_>, samples: &Samples, partition: &Partition) -> String {
    // Without sample weights the cluster sizes sum to the number of rows.
    let total_size =
        (!samples.is_weighted()).then(|| partition.report.sizes.iter().sum::<f64>().round() as u64);
    let rows = samples.count().or(total_size).map(|n| count_of(n, "row") + ", ").unwrap_or_default();
    let columns = count_of(samples.names.len() as u64, "column");
    let clusters = count_of(partition.clusters() as u64, "cluster");
    format!("{}: {rows}{columns} ({}), {clusters}", display_path(&job.args.data), samples.precision())
}
