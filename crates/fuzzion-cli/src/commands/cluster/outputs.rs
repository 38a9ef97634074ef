//! The output files. They are created before the fit, so that an unwritable path is reported early, and renamed to
//! their final names afterward, all together.

use crate::commands::common::chunks::write_appended;
use crate::commands::common::files::PLOT_FORMAT;
use crate::commands::common::paths::{JSON_AND_STANDARD_OUTPUT, path_conflict, wrong_extension};
use crate::console::{Bar, Stage};
use fuzzion::clustering::Partition;
use fuzzion::data::output::AtomicFile;
use fuzzion::data::{DataError, Records, TableWriter};
use fuzzion::{Device, Error, Result, Samples, Table};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Output options.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Results")]
pub(super) struct OutputArgs {
    /// Write the centers to this CSV or NPY file, one row per cluster
    #[arg(long, value_name = "OUT")]
    pub(super) centers: Option<PathBuf>,
    /// Write the memberships of every row to this CSV or NPY file; for an image, write one image per cluster to this folder
    #[arg(long, value_name = "OUT")]
    pub(super) memberships: Option<PathBuf>,
    /// Write only the K largest memberships of each row, with their clusters
    #[arg(long, value_name = "K", requires = "memberships", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) top: Option<u32>,
    /// Write the typicalities of every row to this CSV or NPY file (pcm and pfcm)
    #[arg(long, value_name = "OUT")]
    pub(super) typicalities: Option<PathBuf>,
    /// Write the cluster labels, starting at 1, to this CSV or NPY file; labels of an image can also be written to an image, those of a video to a video
    #[arg(long, value_name = "OUT")]
    pub(super) labels: Option<PathBuf>,
    /// Copy the columns of a text table before the computed columns in `--labels`, `--memberships` and `--typicalities`
    #[arg(long)]
    pub(super) append: bool,
    /// Plot the clusters to this SVG file; for an image or a video, write a copy recolored with the cluster centers
    #[arg(long, value_name = "OUT")]
    pub(super) plot: Option<PathBuf>,
    /// Write the fitted model to this JSON file, for `--apply`
    #[arg(long, value_name = "OUT.json")]
    pub(super) model: Option<PathBuf>,
}

impl OutputArgs {
    /// All output paths with their options.
    fn entries(&self) -> Vec<(&'static str, &Path)> {
        let all = [
            ("--centers", &self.centers),
            ("--memberships", &self.memberships),
            ("--typicalities", &self.typicalities),
            ("--labels", &self.labels),
            ("--plot", &self.plot),
            ("--model", &self.model),
        ];
        all.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect()
    }

    /// All output paths.
    pub(super) fn paths(&self) -> Vec<&Path> {
        self.entries().into_iter().map(|(_, path)| path).collect()
    }

    /// Whether an output is written to standard output, instead of the summary.
    pub(super) fn uses_standard_output(&self) -> bool {
        self.paths().contains(&Path::new("-"))
    }

    /// The error message for conflicting output paths.
    pub(super) fn usage_error(&self, inputs: &[&Path], json: bool) -> Option<String> {
        if self.append
            && [&self.labels, &self.memberships, &self.typicalities].iter().all(|path| path.is_none())
        {
            return Some("`--append` requires `--labels`, `--memberships` or `--typicalities`".into());
        }
        let in_json = json && self.uses_standard_output();
        path_conflict(inputs, &self.entries())
            .or_else(|| wrong_extension("--model", self.model.as_deref(), &["json"]))
            .or_else(|| in_json.then(|| JSON_AND_STANDARD_OUTPUT.into()))
    }
}

/// Whether `path` is an SVG file or `-`.
pub(super) fn is_svg(path: &Path) -> bool {
    path == Path::new("-") || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"))
}

/// Output files of clustering a table, while they are being written.
pub(super) struct Outputs {
    centers: Option<TableWriter>,
    memberships: Option<TableWriter>,
    top: Option<u32>,
    typicalities: Option<TableWriter>,
    labels: Option<TableWriter>,
    plot: Option<AtomicFile>,
    model: Option<AtomicFile>,
}

impl Outputs {
    pub(super) fn create(args: &OutputArgs) -> Result<Self> {
        if let Some(path) = args.plot.as_ref().filter(|path| !is_svg(path)) {
            return Err(Error::Data(DataError::UnknownFormat { path: path.clone(), known: PLOT_FORMAT }));
        }
        let table = |path: &Option<PathBuf>| path.as_ref().map(TableWriter::create).transpose();
        let file = |path: &Option<PathBuf>| path.as_ref().map(AtomicFile::create).transpose();
        Ok(Outputs {
            centers: table(&args.centers)?,
            memberships: table(&args.memberships)?,
            top: args.top,
            typicalities: table(&args.typicalities)?,
            labels: table(&args.labels)?,
            plot: file(&args.plot)?,
            model: file(&args.model)?,
        })
    }

    /// Whether an output needs another pass over the rows.
    pub(super) fn need_rows(&self) -> bool {
        let tables = [&self.memberships, &self.typicalities, &self.labels];
        self.plot.is_some() || tables.into_iter().any(Option::is_some)
    }

    pub(super) fn has_plot(&self) -> bool {
        self.plot.is_some()
    }

    /// Number of values per row of the largest output.
    pub(super) fn values_per_row(&self, partition: &Partition) -> usize {
        let tables = [&self.memberships, &self.typicalities];
        if tables.into_iter().any(Option::is_some) { partition.clusters() } else { 1 }
    }

    /// Writes the labels, memberships and typicalities of the rows of `chunk`, after their `records` if given.
    pub(super) fn write_rows(
        &mut self,
        partition: &Partition,
        (chunk, records): (&Samples<'_>, Option<&Records>),
        device: &Device,
        bar: &Bar,
    ) -> Result<()> {
        let write = |out: &mut Option<TableWriter>, compute: &dyn Fn() -> Result<Table>| {
            let Some(out) = out else { return Ok(()) };
            bar.begin(Stage::Compute, "writing");
            let table = compute()?;
            bar.begin(Stage::Write, "writing");
            write_appended(out, records, &table)
        };
        write(&mut self.labels, &|| labels_table(&partition.labels(chunk, device)?))?;
        write(&mut self.memberships, &|| memberships(partition, chunk, self.top, device))?;
        write(&mut self.typicalities, &|| Ok(partition.typicalities(chunk, device)?))
    }

    /// Writes the centers and the model.
    pub(super) fn write_fit(&mut self, partition: &Partition) -> Result<()> {
        if let Some(out) = &mut self.centers {
            out.write(&partition.centers)?;
        }
        if let Some(out) = &mut self.model {
            write_text(out, &(partition.to_json()? + "\n"))?;
        }
        Ok(())
    }

    pub(super) fn write_plot(&mut self, svg: &str) -> Result<()> {
        match &mut self.plot {
            Some(out) => write_text(out, svg),
            None => Ok(()),
        }
    }

    /// Renames all files to their final names.
    pub(super) fn finish(self) -> Result<()> {
        [self.centers, self.memberships, self.typicalities, self.labels]
            .into_iter()
            .flatten()
            .try_for_each(TableWriter::finish)?;
        Ok([self.plot, self.model].into_iter().flatten().try_for_each(AtomicFile::finish)?)
    }
}

pub(super) fn write_text(out: &mut AtomicFile, text: &str) -> Result<()> {
    Ok(out.write_all(text.as_bytes()).map_err(|cause| out.error(cause))?)
}

/// The labels as a table, counted from 1 as in all user-visible output.
pub(super) fn labels_table(labels: &[u32]) -> Result<Table> {
    Ok(Table::new(["cluster"], labels.iter().map(|label| f64::from(label + 1)).collect::<Vec<_>>())?)
}

/// All memberships of the rows of `chunk`, or the `top` largest with their clusters.
pub(super) fn memberships(
    partition: &Partition,
    chunk: &Samples<'_>,
    top: Option<u32>,
    device: &Device,
) -> Result<Table> {
    let Some(top) = top else { return Ok(partition.memberships(chunk, device)?) };
    let found = partition.top_memberships(chunk, top as usize, device)?;
    let names = (1..=found.top).flat_map(|k| [format!("top{k}"), format!("membership{k}")]);
    let pairs = found.clusters.iter().zip(&found.memberships);
    Ok(Table::new(names, pairs.flat_map(|(cluster, u)| [f64::from(cluster + 1), *u]).collect::<Vec<_>>())?)
}
