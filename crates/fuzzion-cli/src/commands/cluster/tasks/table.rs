//! Clusters the rows of a table.

use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::Outputs;
use crate::commands::cluster::plot::{self, RowSample};
use crate::commands::cluster::rows::{TableRows, selected_columns};
use crate::commands::cluster::scales;
use crate::commands::cluster::summary;
use crate::commands::cluster::timer::IterationTimer;
use crate::console::Stage;
use crate::format::{count_of, display_path};
use fuzzion::clustering::Partition;
use fuzzion::data::{Records, TableReader};
use fuzzion::{Result, Samples};

pub(crate) fn fit<'a>(job: &Job<'a>, reader: TableReader) -> Result<String> {
    let args = job.args;
    let mut outputs = Outputs::create(&args.outputs)?;
    let mut rows =
        TableRows::open(&args.data, reader, (&job.table_reading, job.device), &args.rows, |first| {
            selected_columns(first, &args.rows)
        })?;
    let (timer, clusters) = (IterationTimer::start(), args.cluster_count());
    let (names, streamed) = (rows.names.clone(), rows.is_streamed());
    job.bar.begin(Stage::Compute, "preparing");
    let warning = scales::warning(job, &mut rows)?;
    let mut placed = rows.place(&rows.device_for(clusters, job.device))?;
    let partition = job
        .with_settings(clusters, &names, &timer, streamed, |settings, device| placed.fit(settings, device))?;
    let timing = timer.timing(partition.report.iterations);
    if outputs.need_rows() {
        let width = outputs.values_per_row(&partition);
        write(job, &mut outputs, &partition, |work| placed.for_each_chunk(width, work))?;
    }
    job.bar.begin(Stage::Write, "writing");
    outputs.write_fit(&partition)?;
    outputs.finish()?;
    if job.json {
        return Ok(summary::with_warning(summary::json(&partition, timing), warning).to_string());
    }
    let heading = heading(job, &rows, &partition);
    let notes = job.notes(&rows.ignored, streamed, warning.as_deref());
    Ok(format!("{heading}\n\n{}{notes}", summary::text(&partition, timing)))
}

/// A function of the rows of a chunk and their text, if it is copied.
pub(super) type ChunkFn<'a> = &'a mut dyn FnMut(&Samples<'_>, Option<&Records>) -> Result<()>;

/// Writes the outputs of all rows; `for_each_chunk` calls a function for each chunk.
pub(super) fn write(
    job: &Job<'_>,
    outputs: &mut Outputs,
    partition: &Partition,
    for_each_chunk: impl FnOnce(ChunkFn<'_>) -> Result<()>,
) -> Result<()> {
    let mut sample = RowSample::new(partition.centers.columns());
    for_each_chunk(&mut |chunk, records| {
        job.check_interrupt()?;
        outputs.write_rows(partition, (chunk, records), job.device, job.bar)?;
        if outputs.has_plot() {
            sample.add(chunk);
        }
        Ok(())
    })?;
    if outputs.has_plot() {
        let subtitle = job.subtitle(partition);
        let chart = plot::clusters(&job.title(), &subtitle, &sample, partition, job.device)?;
        outputs.write_plot(&chart.to_svg())?;
    }
    Ok(())
}

fn heading(job: &Job<'_>, rows: &TableRows, partition: &Partition) -> String {
    // Without sample weights the cluster sizes sum to the number of rows.
    let total_size = (!rows.is_weighted()).then(|| partition.report.sizes.iter().sum::<f64>().round() as u64);
    let count = rows.count().or(total_size).map(|n| count_of(n, "row") + ", ").unwrap_or_default();
    let columns = count_of(rows.names.len() as u64, "column");
    let clusters = count_of(partition.clusters() as u64, "cluster");
    format!("{}: {count}{columns} ({}), {clusters}", display_path(&job.args.data), rows.precision())
}
