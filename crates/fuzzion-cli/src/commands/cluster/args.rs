//! The arguments of `fuzzion cluster`.

use super::outputs::OutputArgs;
use super::rows::RowArgs;
use super::settings::{ClusterArgs, FitArgs};
use crate::commands::common::table_args::TableArgs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Cluster the rows of a table, the colors of an image or the frames of a video
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("task").required(true).args(["clusters", "sweep", "apply"]),
    after_help = "Reads CSV, TSV (also .gz), NPY, PNG, JPEG, PGM, PPM and Y4M; `-` is standard input. Text columns are ignored. \
Images are clustered by color. Videos are clustered frame by frame, each fit starting from the centers of the previous frame.

Examples:
  fuzzion cluster iris.csv --clusters 3 --plot iris.svg       find 3 clusters and plot them
  fuzzion cluster iris.csv --sweep 2..10                      compare 2 to 10 clusters
  fuzzion cluster big.npy --clusters 16 --model m.json        also works for data larger than memory
  fuzzion cluster --apply m.json new.csv --labels out.csv     assign new rows to saved clusters
  fuzzion cluster iris.csv --clusters 3 --labels out.csv --append   copy iris.csv with a column of clusters
  fuzzion cluster photo.png --clusters 4 --plot seg.png       reduce an image to four colors"
)]
pub(crate) struct Cluster {
    /// Table, image or video, or `-` for standard input
    pub(super) data: PathBuf,
    /// Number of clusters
    #[arg(long, value_name = "C", help_heading = "Clusters")]
    pub(super) clusters: Option<usize>,
    /// Fit and compare every number of clusters from A to B, inclusive
    #[arg(long, value_name = "A..B", value_parser = parse_range, help_heading = "Clusters")]
    #[arg(conflicts_with_all = ["centers", "memberships", "typicalities", "labels", "model", "volumes"])]
    pub(super) sweep: Option<RangeInclusive<usize>>,
    /// Assign the rows to the clusters of a saved model
    #[arg(long, value_name = "MODEL.json", help_heading = "Clusters")]
    #[arg(conflicts_with_all = ["fuzzifier", "metric", "variant", "regularize", "volumes", "distance", "pfcm", "init",
        "n_init", "seed", "max_iter", "tolerance", "criterion", "plain", "columns", "weights", "standardize", "missing", "centers",
        "model"])]
    pub(super) apply: Option<PathBuf>,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
    #[command(flatten)]
    pub(super) fit: FitArgs,
    #[command(flatten)]
    pub(super) rows: RowArgs,
    #[command(flatten)]
    pub(super) reading: TableArgs,
    #[command(flatten)]
    pub(super) outputs: OutputArgs,
}

impl Cluster {
    /// The value of `--clusters`.
    pub(super) fn cluster_count(&self) -> usize {
        self.clusters.expect("invariant: `--clusters` is given unless `--sweep` or `--apply` is")
    }
}

/// Maximum number of clusters of a sweep, whose fits are all in memory.
const MAX_SWEEP: usize = 1000;

/// Parses `A..B` as an inclusive range.
fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    const EXPECTED: &str = "expected a range such as 2..12";
    let (from, to) = text.split_once("..").ok_or(EXPECTED)?;
    let (from, to) = (from.trim().parse(), to.trim_start_matches('=').trim().parse());
    match (from, to) {
        (Ok(0), Ok(_)) => Err("the number of clusters must be at least 1".into()),
        (Ok(_), Ok(to)) if to > MAX_SWEEP => Err(format!("a sweep compares at most {MAX_SWEEP} clusters")),
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        (Ok(_), Ok(_)) => Err("the start of the range must not be greater than its end".into()),
        _ => Err(EXPECTED.into()),
    }
}
