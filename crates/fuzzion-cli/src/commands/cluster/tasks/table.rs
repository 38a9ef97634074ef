//! Clusters the rows of a table.

use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::Outputs;
use crate::commands::cluster::placed::PlacedRows;
use crate::commands::cluster::plot::{self, RowSample};
use crate::commands::cluster::rows::{TableRows, selected_columns};
use crate::commands::cluster::scales;
use crate::commands::cluster::summary;
use crate::commands::cluster::timer::IterationTimer;
use crate::console::Stage;
use crate::format::{count_of, display_path};
use fuzzion::clustering::Partition;
use fuzzion::data::TableReader;
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
    write(job, &mut outputs, &mut placed, &partition, |_| Ok(()))?;
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

/// Writes the outputs of all rows and calls `visit` for each chunk; skipped if nothing needs the rows.
pub(super) fn write(
    job: &Job<'_>,
    outputs: &mut Outputs,
    rows: &mut PlacedRows<'_>,
    partition: &Partition,
    mut visit: impl FnMut(&Samples<'_>) -> Result<()>,
) -> Result<()> {
    if !outputs.need_rows() && job.args.apply.is_none() {
        return Ok(());
    }
    let mut sample = RowSample::new(partition.centers.columns());
    rows.for_each_chunk(outputs.values_per_row(partition), |chunk, records| {
        job.check_interrupt()?;
        outputs.write_rows(partition, (chunk, records), job.device, job.bar)?;
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

fn heading(job: &Job<'_>, rows: &TableRows, partition: &Partition) -> String {
    // Without sample weights the cluster sizes sum to the number of rows.
    let total_size = (!rows.is_weighted()).then(|| partition.report.sizes.iter().sum::<f64>().round() as u64);
    let count = rows.count().or(total_size).map(|n| count_of(n, "row") + ", ").unwrap_or_default();
    let columns = count_of(rows.names.len() as u64, "column");
    let clusters = count_of(partition.clusters() as u64, "cluster");
    format!("{}: {count}{columns} ({}), {clusters}", display_path(&job.args.data), rows.precision())
}
