//! Assigns rows and pixels to the clusters of a saved model.

use super::image::{self, SegmentedImage};
use super::table;
use crate::commands::cluster::job::Job;
use crate::commands::cluster::outputs::Outputs;
use crate::commands::cluster::palette::Palette;
use crate::commands::cluster::rows::{TableRows, matching_columns, quoted_names};
use crate::console::Stage;
use crate::format::{align_columns, count_of, display_path};
use fuzzion::clustering::{ClusteringError, Partition};
use fuzzion::data::TableReader;
use fuzzion::{Error, Images, Result};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

pub(crate) fn table<'a>(job: &Job<'a>, model: &Path, reader: TableReader) -> Result<String> {
    let started = Instant::now();
    let args = job.args;
    let partition = Partition::load(model)?;
    let mut outputs = Outputs::create(&args.outputs)?;
    let columns = partition.centers.names().to_vec();
    let mut rows =
        TableRows::open(&args.data, reader, (&job.table_reading, job.device), &args.rows, |first| {
            matching_columns(first, &columns)
        })?;
    let mut sizes = vec![0u64; partition.clusters()];
    job.bar.begin(Stage::Compute, "preparing");
    table::write(job, &mut outputs, &mut rows.place(job.device)?, &partition, |chunk| {
        let labels = partition.labels(chunk, job.device)?;
        labels.iter().for_each(|label| sizes[*label as usize] += 1);
        Ok(())
    })?;
    job.bar.begin(Stage::Write, "writing");
    outputs.finish()?;
    Ok(summary(job, model, &partition, &sizes, "row", started))
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
