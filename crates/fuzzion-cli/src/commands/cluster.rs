//! `fuzzion cluster`

mod apply;
mod outputs;
mod palette;
mod pictures;
mod plot;
mod samples;
mod settings;
mod summary;
mod sweep;
mod tables;
mod video;
mod watch;

use super::reading::Reading;
use super::words::{counted, shown};
use crate::console::{self, Bar, Console};
use crate::interrupt;
use clap::Parser;
use fuzzion::clustering::FuzzyCMeans;
use fuzzion::data::{Content, ReadTable};
use fuzzion::{Device, Error, Progress, Result};
use outputs::OutputWords;
use samples::RowWords;
use settings::{Fitting, Shape};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use watch::Watch;

/// Find clusters with soft borders in a table, an image or a video
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").required(true).args(["clusters", "sweep", "apply"]),
    after_help = "Reads CSV, TSV (also .gz), NPY, PNG, JPEG, PGM, PPM and Y4M; `-` is standard input. Columns of text are left out. \
Of an image the clusters are those of its colors; a video is clustered frame by frame, each started from the one before.

Examples:
  fuzzion cluster iris.csv --clusters 3 --plot iris.svg       clusters and a picture
  fuzzion cluster iris.csv --sweep 2..10                      how many clusters are there?
  fuzzion cluster big.npy --clusters 16 --model m.json        larger than memory too
  fuzzion cluster --apply m.json new.csv --labels out.csv     new rows to the same clusters
  fuzzion cluster photo.png --clusters 4 --plot seg.png       an image in four colors"
)]
pub(crate) struct Cluster {
    /// The table, image or video, or `-`
    data: PathBuf,
    /// How many clusters to find
    #[arg(long, value_name = "C", help_heading = "Clusters")]
    clusters: Option<usize>,
    /// Try every number of clusters from A to B, both included, and compare them
    #[arg(long, value_name = "A..B", value_parser = range, help_heading = "Clusters")]
    #[arg(conflicts_with_all = ["centers", "memberships", "typicalities", "labels", "model", "volumes"])]
    sweep: Option<RangeInclusive<usize>>,
    /// Assign the rows to the clusters of a saved fit
    #[arg(long, value_name = "MODEL.json", help_heading = "Clusters")]
    #[arg(conflicts_with_all = ["fuzzifier", "metric", "variant", "regularize", "volumes", "noise_distance", "pfcm", "init",
        "n_init", "seed", "max_iter", "tol", "criterion", "plain", "columns", "weights", "standardize", "missing", "centers",
        "model"])]
    apply: Option<PathBuf>,
    #[command(flatten)]
    shape: Shape,
    #[command(flatten)]
    fitting: Fitting,
    #[command(flatten)]
    rows: RowWords,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    outputs: OutputWords,
}

/// `A..B` as the numbers from A to B.
fn range(text: &str) -> std::result::Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").ok_or("write it like 2..12")?;
    let (from, to) = (from.trim().parse(), to.trim_start_matches('=').trim().parse());
    match (from, to) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        (Ok(_), Ok(_)) => Err("the first number must not be greater than the second".into()),
        _ => Err("write it like 2..12".into()),
    }
}

/// A command line that holds nothing else.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    cluster: Cluster,
}

/// What every kind of data is clustered with.
struct Job<'a> {
    words: &'a Cluster,
    device: &'a Device,
    reading: ReadTable<'a>,
    bar: &'a Bar,
    json: bool,
}

impl Cluster {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> Result<ExitCode> {
        if let Some(sentence) = self.complaint(console.json()) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let told = self.tell(device, console)?;
        if !self.outputs.take_standard_output() {
            console.say(&told)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What `fuzzion cluster` with these words says; its files are written.
    pub(crate) fn said(words: &[&str], device: &Device) -> Result<String> {
        let told = Alone::try_parse_from(words).map_err(|e| Error::Malformed {
            path: "fuzzion cluster".into(),
            format: "a command",
            reason: e.to_string(),
        })?;
        told.cluster.tell(device, &Console::new(false, true))
    }

    fn complaint(&self, json: bool) -> Option<String> {
        let fixed = self.sweep.is_some() && self.fitting.file().is_some();
        let typical = self.apply.is_some() || self.shape.has_typicalities();
        let typical = self.outputs.typicalities.is_none() || typical;
        self.shape
            .complaint()
            .or_else(|| self.outputs.complaint(&self.data, json))
            .or_else(|| {
                fixed.then(|| "`--sweep` cannot start from a file of centers; use `--init k-means++`".into())
            })
            .or_else(|| {
                (!typical).then(|| {
                    "`--typicalities` is for `--variant pcm` and `--variant pfcm`; leave it out".into()
                })
            })
    }

    fn tell(&self, device: &Device, console: &Console) -> Result<String> {
        let bar = console.bar("reading");
        let step = |done, total| bar.step(done, total);
        let reading = self.reading.settings(device, Progress::new(&step));
        let job = Job { words: self, device, reading, bar: &bar, json: console.json() };
        match job.reading.clone().keep_text(true).open_any(&self.data)? {
            Content::Table(reader) => match (&self.apply, &self.sweep) {
                (Some(model), _) => apply::table(&job, model, reader),
                (_, Some(range)) => sweep::table(&job, range.clone(), reader),
                _ => tables::fit(&job, reader),
            },
            Content::Image(image) => match (&self.apply, &self.sweep) {
                (Some(model), _) => apply::image(&job, model, &image),
                (_, Some(range)) => sweep::image(&job, range.clone(), &image),
                _ => pictures::fit(&job, &image),
            },
            Content::Video(reader) => match (&self.apply, &self.sweep) {
                (None, None) => video::fit(&job, reader),
                (Some(_), _) => Err(Error::NotTogether { a: "a video", b: "`--apply`" }),
                _ => Err(Error::NotTogether { a: "a video", b: "`--sweep`" }),
            },
        }
    }
}

impl<'a> Job<'a> {
    /// Calls `work` with the settings for `clusters` clusters of the columns `names`; `watch` counts the iterations, and the
    /// bar shows them unless it shows the `reading` of the data.
    fn with_settings<R>(
        &self,
        clusters: usize,
        names: &[String],
        watch: &Watch,
        reading: bool,
        work: impl FnOnce(&FuzzyCMeans<'_>) -> Result<R>,
    ) -> Result<R> {
        let step = |done, total| {
            watch.tick();
            if reading { interrupt::check() } else { self.bar.step(done, total) }
        };
        self.bar.rename("clustering".into());
        let (words, partial) = (self.words, self.words.rows.missing == "partial");
        work(&settings::settings(
            clusters,
            (&words.shape, &words.fitting),
            (words.rows.standardize, partial),
            names,
            &self.reading,
            Progress::new(&step),
        )?)
    }

    /// Fails where Ctrl-C was pressed.
    fn go_on(&self) -> Result<()> {
        if interrupt::check().is_break() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Refuses what only the rows of a table have.
    fn without_columns(&self, what: &'static str) -> Result<()> {
        let rows = &self.words.rows;
        let given = [
            (rows.columns.is_some(), "`--columns`"),
            (rows.weights.is_some(), "`--weights`"),
            (self.words.outputs.typicalities.is_some(), "`--typicalities`"),
        ];
        match given.into_iter().find(|(given, _)| *given) {
            Some((_, flag)) => Err(Error::NotTogether { a: what, b: flag }),
            None => Ok(()),
        }
    }

    /// A line for each thing worth knowing besides the fit, and one for the files that were written.
    fn notes(&self, left_out: &[String], streamed: bool) -> String {
        let mut out = String::new();
        if !left_out.is_empty() && self.words.rows.columns.is_none() {
            let names = samples::listed(left_out);
            let verb = if left_out.len() == 1 { "holds" } else { "hold" };
            out.push_str(&format!("\nleft out: {names}, which {verb} text\n"));
        }
        if streamed {
            let limit = self.words.rows.memory;
            out.push_str(&format!("\nlarger than {limit} GB: read again for every iteration (`--memory`)\n"));
        }
        if self.words.rows.standardize && self.words.shape.is_free_of_units() {
            out.push_str("\n`--standardize` changes nothing here: this metric is free of units\n");
        }
        out + &self.written()
    }

    /// The files that were written.
    fn written(&self) -> String {
        let paths: Vec<String> = self.words.outputs.paths().into_iter().map(shown).collect();
        if paths.is_empty() { String::new() } else { format!("\nwritten: {}\n", paths.join(", ")) }
    }
}

/// How many clusters, for headings.
fn in_clusters(clusters: usize) -> String {
    counted(clusters as u64, "cluster")
}
