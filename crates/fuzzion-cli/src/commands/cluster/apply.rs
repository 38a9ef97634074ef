//! Rows and pixels assigned to the clusters of a saved fit.

use super::outputs::Outputs;
use super::palette::Palette;
use super::pictures::{self, Painted};
use super::samples::{Samples, listed, matching};
use super::{Job, in_clusters, tables};
use crate::commands::words::{aligned, counted, shown};
use fuzzion::clustering::Partition;
use fuzzion::data::TableReader;
use fuzzion::{Error, Images, Result};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

pub(super) fn table<'a>(job: &Job<'a>, model: &Path, reader: TableReader<'a>) -> Result<String> {
    let begun = Instant::now();
    let words = job.words;
    let partition = Partition::load(model)?;
    let mut outputs = Outputs::create(&words.outputs)?;
    let columns = partition.centers.names().to_vec();
    let mut samples =
        Samples::open(&words.data, reader, &job.reading, &words.rows, |first| matching(first, &columns))?;
    let mut sizes = vec![0u64; partition.clusters()];
    tables::write(job, &mut outputs, &mut samples, &partition, |piece| {
        let labels = partition.predict(piece, job.device)?;
        labels.iter().for_each(|label| sizes[*label as usize] += 1);
        Ok(())
    })?;
    outputs.finish()?;
    Ok(told(job, model, &partition, &sizes, "row", begun))
}

pub(super) fn image(job: &Job<'_>, model: &Path, image: &Images) -> Result<String> {
    let begun = Instant::now();
    job.without_columns("an image")?;
    let partition = Partition::load(model)?;
    let palette = Palette::of(image)?;
    if partition.centers.names() != palette.names() {
        return Err(Error::ModelColumns {
            model: listed(partition.centers.names()),
            data: listed(palette.names()),
        });
    }
    pictures::check(&job.words.outputs)?;
    let painted = Painted::of(image, &palette, &partition, job.device)?;
    let mut sizes = vec![0u64; partition.clusters()];
    painted.labels().for_each(|label| sizes[label as usize] += 1);
    painted.write(job)?;
    Ok(told(job, model, &partition, &sizes, "pixel", begun))
}

fn told(
    job: &Job<'_>,
    model: &Path,
    partition: &Partition,
    sizes: &[u64],
    what: &str,
    begun: Instant,
) -> String {
    let (total, clusters) = (sizes.iter().sum::<u64>(), partition.clusters());
    if job.json {
        return json!({
            "model": model.to_string_lossy(), "clusters": clusters, "columns": partition.centers.names(),
            "rows": total, "sizes": sizes, "device": job.device.to_string(),
            "seconds": begun.elapsed().as_secs_f64(),
        })
        .to_string();
    }
    let mut lines = vec![["cluster", "size", "share"].map(str::to_owned).to_vec()];
    for (k, size) in sizes.iter().enumerate() {
        let share = format!("{:.1} %", *size as f64 / total as f64 * 100.0);
        lines.push(vec![(k + 1).to_string(), size.to_string(), share]);
    }
    let heading = format!(
        "{}: {} in the {} of {}",
        shown(&job.words.data),
        counted(total, what),
        in_clusters(clusters),
        shown(model)
    );
    format!("{heading}\n\n{}{}", aligned(&lines, &[]), job.written())
}
