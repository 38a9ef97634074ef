//! Words for what is to be found, and the library's settings they stand for.

use fuzzion::clustering::{Criterion, FuzzyCMeans, Metric, Missing, Start, Variant};
use fuzzion::data::ReadTable;
use fuzzion::{Progress, Result};
use std::path::PathBuf;

/// What a cluster is.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Clusters")]
pub(super) struct Shape {
    /// How much clusters overlap: near 1 hardly, 2 the usual choice, more blurs them
    #[arg(long, default_value_t = 2.0, value_name = "M", allow_negative_numbers = true)]
    fuzzifier: f64,
    /// How distances are measured: euclidean, diagonal (by each column's spread), mahalanobis (by the data's covariance),
    /// gk (an ellipsoid for each cluster, Gustafson-Kessel) or gg (and a prior, Gath-Geva)
    #[arg(long, default_value = "euclidean", value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["euclidean", "diagonal", "mahalanobis", "gk", "gg"])]
    metric: String,
    /// How distances become memberships: fcm, hard (k-means), pcm (typicalities), noise (far rows belong nowhere) or pfcm
    /// (memberships and typicalities)
    #[arg(long, default_value = "fcm", value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["fcm", "hard", "pcm", "noise", "pfcm"])]
    variant: String,
    /// With gk: how far covariances are drawn towards spheres, from 0 (exact) to 1
    #[arg(long, value_name = "γ", allow_negative_numbers = true)]
    regularize: Option<f64>,
    /// With gk: the volume of each cluster (default: all 1)
    #[arg(long, value_name = "ρ,…", value_delimiter = ',', allow_negative_numbers = true)]
    volumes: Option<Vec<f64>>,
    /// With noise: the distance at which a row belongs nowhere (default: from the data)
    #[arg(long, value_name = "δ", allow_negative_numbers = true)]
    noise_distance: Option<f64>,
    /// With pfcm: the weights of memberships and typicalities, and the fuzzifier of the latter
    #[arg(long, value_name = "A,B,η", value_delimiter = ',', num_args = 1, allow_negative_numbers = true)]
    pfcm: Option<Vec<f64>>,
}

/// How they are looked for.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Fitting")]
pub(super) struct Fitting {
    /// Where to start: k-means++ (rows far apart), random (rows), sample (a fit of growing samples), or a table of centers
    #[arg(long, default_value = "k-means++", value_name = "WORD|FILE")]
    init: String,
    /// How many starts to try; the lowest objective counts
    #[arg(long, default_value_t = 1, value_name = "K")]
    n_init: usize,
    /// What random choices repeat for
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// The most iterations
    #[arg(long, default_value_t = 300, value_name = "N")]
    max_iter: usize,
    /// How small the criterion must become
    #[arg(long, default_value_t = 1e-5, value_name = "ε", allow_negative_numbers = true)]
    tol: f64,
    /// What must become small: moves (of the centers, over the data's spread), objective (its relative change) or
    /// memberships (their largest change)
    #[arg(long, default_value = "moves", value_name = "WORD", hide_possible_values = true)]
    #[arg(value_parser = ["moves", "objective", "memberships"])]
    criterion: String,
    /// Take the textbook's steps instead of the accelerated ones, which end in the same places
    #[arg(long)]
    plain: bool,
}

impl Shape {
    /// What is wrong with these words together, in one sentence.
    pub(super) fn complaint(&self) -> Option<String> {
        let only = |given: bool, flag: &str, word: &str, is: bool| {
            (given && !is).then(|| format!("`{flag}` is for `{word}`; give both or leave it out"))
        };
        let gk = self.metric == "gk";
        only(self.regularize.is_some(), "--regularize", "--metric gk", gk)
            .or_else(|| only(self.volumes.is_some(), "--volumes", "--metric gk", gk))
            .or_else(|| {
                let noise = self.variant == "noise";
                only(self.noise_distance.is_some(), "--noise-distance", "--variant noise", noise)
            })
            .or_else(|| only(self.pfcm.is_some(), "--pfcm", "--variant pfcm", self.variant == "pfcm"))
            .or_else(|| match &self.pfcm {
                Some(numbers) if numbers.len() != 3 => {
                    let found = numbers.len();
                    Some(format!("`--pfcm` takes three numbers as in `1,1,2`, but {found} were given"))
                }
                _ => None,
            })
    }

    /// Whether rows have typicalities.
    pub(super) fn has_typicalities(&self) -> bool {
        ["pcm", "pfcm"].contains(&self.variant.as_str())
    }

    /// Whether a metric is told only by its columns' own scales, so that standardizing changes nothing.
    pub(super) fn is_free_of_units(&self) -> bool {
        self.metric != "euclidean"
    }

    fn metric(&self, standardize: bool) -> Metric {
        match self.metric.as_str() {
            "euclidean" if !standardize => Metric::Euclidean,
            "euclidean" | "diagonal" => Metric::Diagonal { variances: None },
            "mahalanobis" => Metric::Mahalanobis { covariance: None },
            "gg" => Metric::GathGeva,
            _ => Metric::GustafsonKessel {
                volumes: self.volumes.clone(),
                regularize: self.regularize.unwrap_or(0.0),
            },
        }
    }

    fn variant(&self) -> Variant {
        match (self.variant.as_str(), self.pfcm.as_deref()) {
            ("hard", _) => Variant::Hard,
            ("pcm", _) => Variant::Possibilistic,
            ("noise", _) => Variant::Noise { distance: self.noise_distance },
            ("pfcm", Some([membership, typicality, typicality_fuzzifier])) => Variant::PossibilisticFuzzy {
                membership: *membership,
                typicality: *typicality,
                typicality_fuzzifier: *typicality_fuzzifier,
            },
            ("pfcm", _) => {
                Variant::PossibilisticFuzzy { membership: 1.0, typicality: 1.0, typicality_fuzzifier: 2.0 }
            }
            _ => Variant::Fuzzy,
        }
    }

    /// The variant in words, for titles.
    pub(super) fn in_words(&self) -> String {
        let kind = match self.variant.as_str() {
            "hard" => return "hard c-means".into(),
            "pcm" => "possibilistic c-means",
            "noise" => "noise clustering",
            "pfcm" => "possibilistic-fuzzy c-means",
            _ => match self.metric.as_str() {
                "gk" => "Gustafson-Kessel",
                "gg" => "Gath-Geva",
                _ => "fuzzy c-means",
            },
        };
        format!("{kind}, fuzzifier {}", self.fuzzifier)
    }
}

impl Fitting {
    /// The file of starting centers, where one is named.
    pub(super) fn file(&self) -> Option<PathBuf> {
        (!["k-means++", "random", "sample"].contains(&self.init.as_str())).then(|| PathBuf::from(&self.init))
    }

    /// The starting place; centers in a file have the columns `names`, or as many in their order.
    fn start(&self, names: &[String], reading: &ReadTable<'_>) -> Result<Start> {
        let Some(file) = self.file() else {
            return Ok(match self.init.as_str() {
                "random" => Start::Random,
                "sample" => Start::Sample,
                _ => Start::KMeansPlusPlus,
            });
        };
        let table = reading.clone().keep_text(true).read(file)?;
        let named = names.iter().all(|name| table.names().contains(name));
        Ok(Start::Centers(if named { table.select(names)? } else { table }))
    }
}

/// The library's settings for columns called `names`.
pub(super) fn settings<'a>(
    clusters: usize,
    (shape, fitting): (&Shape, &Fitting),
    (standardize, partial): (bool, bool),
    names: &[String],
    reading: &ReadTable<'_>,
    progress: Progress<'a>,
) -> Result<FuzzyCMeans<'a>> {
    let criterion = match fitting.criterion.as_str() {
        "objective" => Criterion::Objective,
        "memberships" => Criterion::Memberships,
        _ => Criterion::CenterMove,
    };
    Ok(FuzzyCMeans::new(clusters)
        .fuzzifier(shape.fuzzifier)
        .metric(shape.metric(standardize))
        .variant(shape.variant())
        .start(fitting.start(names, reading)?)
        .n_init(fitting.n_init)
        .seed(fitting.seed)
        .max_iterations(fitting.max_iter)
        .tolerance(fitting.tol)
        .criterion(criterion)
        .plain(fitting.plain)
        .missing(if partial { Missing::Partial } else { Missing::Error })
        .progress(progress))
}
