//! Assigns rows and pixels to the clusters of a saved model.

use super::image::{self, SegmentedImage};
use super::table;
use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::Outputs;
use crate::commands::cluster::palette::Palette;
use crate::commands::cluster::placed::{CHUNK_VALUES, STREAM_ROWS};
use crate::commands::cluster::rows::{TableRows, matching_columns, quoted_names};
use crate::commands::common::chunks::require_text;
use crate::commands::common::table_args::with_row_offset;
use crate::console::Stage;
use crate::format::{align_columns, count_of, display_path};
use fuzzion::clustering::{ClusteringError, Partition};
use fuzzion::data::{DataError, Records, TableReader};
use fuzzion::{Error, Images, Result, Samples};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Rows per chunk on a GPU: fewer would take less time than starting the transfers.
const GPU_ROWS: usize = 1 << 20;

pub(crate) fn table<'a>(job: &Job<'a>, model: &Path, reader: TableReader) -> Result<String> {
    let started = Instant::now();
    let args = job.args;
    let partition = Partition::load(model)?;
    let mut outputs = Outputs::create(&args.outputs)?;
    let columns = partition.centers.names().to_vec();
    let mut sizes = vec![0u64; partition.clusters()];
    let mut count = |chunk: &Samples<'_>| -> Result<()> {
        let labels = partition.labels(chunk, job.device)?;
        labels.iter().for_each(|label| sizes[*label as usize] += 1);
        Ok(())
    };
    let width = outputs.values_per_row(&partition);
    // A file with a known number of rows may be mapped to memory, and is copied to a GPU once.
    if args.data.is_file() && reader.rows().is_some() {
        let settings = (&job.table_reading, job.device);
        let mut rows = TableRows::open(&args.data, reader, settings, &args.rows, |first| {
            matching_columns(first, &columns)
        })?;
        job.bar.begin(Stage::Compute, "preparing");
        let mut placed = rows.place(job.device)?;
        table::write(job, &mut outputs, &partition, |work| {
            placed.for_each_chunk(width, |chunk, records| work(chunk, records).and_then(|()| count(chunk)))
        })?;
    } else {
        table::write(job, &mut outputs, &partition, |work| {
            for_each_chunk(job, reader, &columns, width, |chunk, records| {
                work(chunk, records).and_then(|()| count(chunk))
            })
        })?;
    }
    job.bar.begin(Stage::Write, "writing");
    outputs.finish()?;
    Ok(summary(job, model, &partition, &sizes, "row", started))
}

/// Reads the rows chunk by chunk, so that memory use does not depend on their number, and calls `work` with the columns of a
/// model whose columns are `model` and with the text of the rows, if it is copied; its output has `width` values per row.
fn for_each_chunk(
    job: &Job<'_>,
    mut reader: TableReader,
    model: &[String],
    width: usize,
    mut work: impl FnMut(&Samples<'_>, Option<&Records>) -> Result<()>,
) -> Result<()> {
    let data = &job.args.data;
    require_text(&job.table_reading, &mut reader, data)?;
    let limit = if job.device.has_gpu() { GPU_ROWS } else { STREAM_ROWS };
    let rows = (CHUNK_VALUES / width).clamp(1, limit);
    let (mut rows_before, mut names) = (0, None);
    loop {
        job.bar.begin(Stage::Read, "reading");
        let Some(chunk) = reader.next(rows)? else { break };
        let records = reader.records();
        let names = match &mut names {
            Some(names) => names,
            none => none.insert(matching_columns(&chunk, model)?),
        };
        job.bar.begin(Stage::Compute, "clustering");
        let selected = if chunk.names() == *names { &chunk } else { &chunk.select(names.iter())? };
        let result = work(&selected.samples(), records.as_ref());
        result.map_err(|error| with_row_offset(error, rows_before))?;
        rows_before += chunk.rows() as u64;
    }
    match names {
        Some(_) => Ok(()),
        None => Err(Error::Data(DataError::NoData { path: data.clone(), what: "rows" })),
    }
}

pub(crate) fn image(job: &Job<'_>, model: &Path, image: &Images) -> Result<String> {
    let started = Instant::now();
    job.reject_table_options("an image")?;
    let partition = Partition::load(model)?;
    let palette = Palette::of(image)?;
    if partition.centers.names() != palette.names() {
        return Err(Error::Clustering(ClusteringError::ModelColumns {
            model: quoted_names(partition.centers.names()),
            data: quoted_names(palette.names()),
        }));
    }
    image::check_outputs(&job.args.outputs)?;
    job.bar.begin(Stage::Compute, "clustering");
    let segmented = SegmentedImage::of(image, &palette, &partition, job.device)?;
    let mut sizes = vec![0u64; partition.clusters()];
    segmented.labels().for_each(|label| sizes[label as usize] += 1);
    job.bar.begin(Stage::Write, "writing");
    segmented.write(job)?;
    Ok(summary(job, model, &partition, &sizes, "pixel", started))
}

fn summary(
    job: &Job<'_>,
    model: &Path,
    partition: &Partition,
    sizes: &[u64],
    noun: &str,
    started: Instant,
) -> String {
    let (total, clusters) = (sizes.iter().sum::<u64>(), partition.clusters());
    if job.json {
        return json!({
            "model": model.to_string_lossy(), "clusters": clusters, "columns": partition.centers.names(),
            "rows": total, "sizes": sizes,
            "seconds": started.elapsed().as_secs_f64(),
        })
        .to_string();
    }
    let mut lines = vec![["cluster", "size", "fraction"].map(str::to_owned).to_vec()];
    for (k, size) in sizes.iter().enumerate() {
        let fraction = format!("{:.1} %", *size as f64 / total as f64 * 100.0);
        lines.push(vec![(k + 1).to_string(), size.to_string(), fraction]);
    }
    let heading = format!(
        "{}: {} assigned to the {} of {}",
        display_path(&job.args.data),
        count_of(total, noun),
        count_of(clusters as u64, "cluster"),
        display_path(model)
    );
    format!("{heading}\n\n{}{}", align_columns(&lines, &[]), job.written())
}
