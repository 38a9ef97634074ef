//! What is written: begun before the work, so that a place that cannot be written to is said at once, and given its name
//! after it, all together.

use fuzzion::clustering::Partition;
use fuzzion::data::TableWriter;
use fuzzion::data::output::Output;
use fuzzion::{Device, Error, Result, Table};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where results go.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Results")]
pub(super) struct OutputWords {
    /// Write the centers as a table, one row each
    #[arg(long, value_name = "OUT")]
    pub(super) centers: Option<PathBuf>,
    /// Write the memberships of every row as a table; of an image also as pictures, into a folder
    #[arg(long, value_name = "OUT")]
    pub(super) memberships: Option<PathBuf>,
    /// Of the memberships only the K largest of each row, with their clusters
    #[arg(long, value_name = "K", requires = "memberships", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) top: Option<u32>,
    /// With pcm and pfcm: write the typicalities of every row as a table
    #[arg(long, value_name = "OUT")]
    pub(super) typicalities: Option<PathBuf>,
    /// Write the cluster of every row, from 1, as a table; of an image also as an image, of a video as a video
    #[arg(long, value_name = "OUT")]
    pub(super) labels: Option<PathBuf>,
    /// Draw the clusters as SVG; an image (PNG, …) or a video (Y4M) in the colors of its clusters
    #[arg(long, value_name = "OUT")]
    pub(super) plot: Option<PathBuf>,
    /// Write the fit as JSON, for `--apply`
    #[arg(long, value_name = "OUT.json")]
    pub(super) model: Option<PathBuf>,
}

impl OutputWords {
    /// Every place that is written to.
    pub(super) fn paths(&self) -> Vec<&Path> {
        let tables = [&self.centers, &self.memberships, &self.typicalities, &self.labels];
        let all = tables.into_iter().chain([&self.plot, &self.model]);
        all.flatten().map(PathBuf::as_path).collect()
    }

    /// Whether something other than the summary goes to standard output.
    pub(super) fn take_standard_output(&self) -> bool {
        self.paths().contains(&Path::new("-"))
    }

    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self, data: &Path, json: bool) -> Option<String> {
        let paths = self.paths();
        let twice = paths.iter().enumerate().find(|(i, path)| paths[..*i].contains(path));
        if let Some((_, path)) = twice {
            return Some(format!("`{}` is named for two results; give each its own file", path.display()));
        }
        let same = |path: &&&Path| **path != Path::new("-") && is_same(path, data);
        if let Some(path) = paths.iter().find(same) {
            return Some(format!("`{}` holds the data; name another file for the result", path.display()));
        }
        (json && self.take_standard_output())
            .then(|| "`--json` and a result on `-` cannot share standard output; name a file".into())
    }
}

/// Whether `path` names an SVG file; `-` is one too.
pub(super) fn is_svg(path: &Path) -> bool {
    path == Path::new("-") || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"))
}

/// Whether two paths are the same file.
fn is_same(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// What is being written for the rows of a table.
pub(super) struct Outputs {
    centers: Option<TableWriter>,
    memberships: Option<TableWriter>,
    top: Option<u32>,
    typicalities: Option<TableWriter>,
    labels: Option<TableWriter>,
    plot: Option<Output>,
    model: Option<Output>,
}

impl Outputs {
    pub(super) fn create(words: &OutputWords) -> Result<Self> {
        if let Some(path) = words.plot.as_ref().filter(|path| !is_svg(path)) {
            return Err(Error::UnknownFormat {
                path: path.clone(),
                known: "`.svg` for the clusters of a table",
            });
        }
        let table = |path: &Option<PathBuf>| path.as_ref().map(TableWriter::create).transpose();
        let file = |path: &Option<PathBuf>| path.as_ref().map(Output::create).transpose();
        Ok(Outputs {
            centers: table(&words.centers)?,
            memberships: table(&words.memberships)?,
            top: words.top,
            typicalities: table(&words.typicalities)?,
            labels: table(&words.labels)?,
            plot: file(&words.plot)?,
            model: file(&words.model)?,
        })
    }

    /// Whether every row has to be gone through again.
    pub(super) fn want_rows(&self) -> bool {
        let tables = [&self.memberships, &self.typicalities, &self.labels];
        self.plot.is_some() || tables.into_iter().any(Option::is_some)
    }

    pub(super) fn want_plot(&self) -> bool {
        self.plot.is_some()
    }

    /// Writes what belongs to the rows of `piece`.
    pub(super) fn write_rows(&mut self, partition: &Partition, piece: &Table, device: &Device) -> Result<()> {
        if let Some(out) = &mut self.labels {
            out.write(&labels_table(&partition.predict(piece, device)?)?)?;
        }
        if let Some(out) = &mut self.memberships {
            out.write(&memberships(partition, piece, self.top, device)?)?;
        }
        if let Some(out) = &mut self.typicalities {
            out.write(&partition.typicalities(piece, device)?)?;
        }
        Ok(())
    }

    /// Writes what belongs to the fit.
    pub(super) fn write_fit(&mut self, partition: &Partition) -> Result<()> {
        if let Some(out) = &mut self.centers {
            out.write(&partition.centers)?;
        }
        if let Some(out) = &mut self.model {
            let text = partition.to_json()? + "\n";
            out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?;
        }
        Ok(())
    }

    pub(super) fn write_plot(&mut self, svg: &str) -> Result<()> {
        match &mut self.plot {
            Some(out) => out.write_all(svg.as_bytes()).map_err(|cause| out.error(cause)),
            None => Ok(()),
        }
    }

    /// Gives all files their names.
    pub(super) fn finish(self) -> Result<()> {
        [self.centers, self.memberships, self.typicalities, self.labels]
            .into_iter()
            .flatten()
            .try_for_each(TableWriter::finish)?;
        [self.plot, self.model].into_iter().flatten().try_for_each(Output::finish)
    }
}

/// Clusters counted from 1, as everything a user reads counts them.
pub(super) fn labels_table(labels: &[u32]) -> Result<Table> {
    Table::new(["cluster"], labels.iter().map(|label| f64::from(label + 1)).collect::<Vec<_>>())
}

/// All memberships of the rows of `piece`, or the `top` largest with their clusters.
pub(super) fn memberships(
    partition: &Partition,
    piece: &Table,
    top: Option<u32>,
    device: &Device,
) -> Result<Table> {
    let Some(top) = top else { return partition.memberships(piece, device) };
    let found = partition.top_memberships(piece, top as usize, device)?;
    let names = (1..=found.top).flat_map(|k| [format!("top{k}"), format!("membership{k}")]);
    let pairs = found.clusters.iter().zip(&found.memberships);
    Table::new(names, pairs.flat_map(|(cluster, u)| [f64::from(cluster + 1), *u]).collect::<Vec<_>>())
}
