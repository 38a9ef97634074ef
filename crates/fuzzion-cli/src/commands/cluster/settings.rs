//! Options of the clustering algorithm, and the library settings for them.

use super::args::Cluster;
use crate::commands::common::names::names;
use fuzzion::Result;
use fuzzion::clustering::{Criterion, FuzzyCMeans, InitialCenters, Metric, Variant};
use fuzzion::data::ReadTable;
use std::path::{Path, PathBuf};

/// Options of the clustering model.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Clusters")]
pub(super) struct ClusterArgs {
    /// Fuzzifier m > 1: values near 1 give crisp clusters, larger values more overlap
    #[arg(long, default_value_t = 2.0, value_name = "M")]
    fuzzifier: f64,
    /// Distance metric: euclidean, diagonal (column variances), mahalanobis (covariance of the data), gk (Gustafson-Kessel,
    /// one covariance per cluster) or gg (Gath-Geva, covariance and prior per cluster)
    #[arg(long, default_value_t, value_name = "METRIC")]
    #[arg(value_parser = names::<Metric>(Metric::ALL.map(|value| value.name())), hide_possible_values = true)]
    metric: Metric,
    /// Clustering variant: fcm (fuzzy c-means), hard (k-means), pcm (possibilistic), noise (with a noise cluster) or pfcm
    /// (possibilistic-fuzzy)
    #[arg(long, default_value_t, value_name = "VARIANT")]
    #[arg(value_parser = names::<Variant>(Variant::ALL.map(|value| value.name())), hide_possible_values = true)]
    variant: Variant,
    /// Shrinkage of the gk covariances toward spheres, from 0 (none) to 1
    #[arg(long, value_name = "γ")]
    regularize: Option<f64>,
    /// Cluster volumes for gk [default: 1 for all]
    #[arg(long, value_name = "ρ,…", value_delimiter = ',')]
    volumes: Option<Vec<f64>>,
    /// Distance of the noise cluster [default: estimated from the data]
    #[arg(id = "distance", long = "noise-distance", value_name = "δ")]
    noise_distance: Option<f64>,
    /// Weights of memberships and typicalities in pfcm, and the fuzzifier of the typicalities [default: 1,1,2]
    #[arg(long, value_name = "A,B,η", value_delimiter = ',', num_args = 1)]
    pfcm: Option<Vec<f64>>,
}

/// Options of the iteration.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Fitting")]
pub(super) struct FitArgs {
    /// Initial centers: k-means++ (rows far apart), random (random rows), sample (fits to samples of increasing size), or a table file
    #[arg(long, default_value = "k-means++", value_name = "METHOD|FILE", value_parser = method_or_file)]
    init: String,
    /// Number of initializations; the fit with the lowest objective is kept [default: 10 for small tables, fewer for larger ones]
    #[arg(long, value_name = "K")]
    n_init: Option<usize>,
    /// Random seed
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Maximum number of iterations
    #[arg(long, default_value_t = 300, value_name = "N")]
    max_iter: usize,
    /// Tolerance of the convergence criterion
    #[arg(id = "tolerance", long = "tol", default_value_t = 1e-5, value_name = "ε")]
    tol: f64,
    /// Convergence criterion: moves (movement of the centers relative to the spread of the data), objective (relative change)
    /// or memberships (largest change)
    #[arg(long, default_value_t, value_name = "NAME")]
    #[arg(value_parser = names::<Criterion>(Criterion::ALL.map(|value| value.name())), hide_possible_values = true)]
    criterion: Criterion,
    /// Use the textbook iteration instead of the accelerated one; both converge to the same solutions
    #[arg(long)]
    plain: bool,
}

impl ClusterArgs {
    /// The error message for invalid combinations of these options.
    pub(super) fn usage_error(&self) -> Option<String> {
        let requires = |given: bool, flag: &str, required: &str, present: bool| {
            (given && !present).then(|| format!("`{flag}` requires `{required}`"))
        };
        let gk = matches!(self.metric, Metric::GustafsonKessel { .. });
        let noise = matches!(self.variant, Variant::Noise { .. });
        let pfcm = matches!(self.variant, Variant::PossibilisticFuzzy { .. });
        requires(self.regularize.is_some(), "--regularize", "--metric gk", gk)
            .or_else(|| requires(self.volumes.is_some(), "--volumes", "--metric gk", gk))
            .or_else(|| requires(self.noise_distance.is_some(), "--noise-distance", "--variant noise", noise))
            .or_else(|| requires(self.pfcm.is_some(), "--pfcm", "--variant pfcm", pfcm))
            .or_else(|| match &self.pfcm {
                Some(values) if values.len() != 3 => {
                    Some(format!("`--pfcm` takes 3 values such as `1,1,2`, found {}", values.len()))
                }
                _ => None,
            })
    }

    /// Whether the variant has typicalities.
    pub(super) fn has_typicalities(&self) -> bool {
        matches!(self.variant, Variant::Possibilistic | Variant::PossibilisticFuzzy { .. })
    }

    /// Whether the metric adapts to the scales of the columns, so that standardizing has no effect.
    pub(super) fn is_scale_invariant(&self) -> bool {
        self.metric != Metric::Euclidean
    }

    fn metric(&self, standardize: bool) -> Metric {
        match &self.metric {
            Metric::Euclidean if standardize => Metric::Diagonal { variances: None },
            Metric::GustafsonKessel { .. } => Metric::GustafsonKessel {
                volumes: self.volumes.clone(),
                regularize: self.regularize.unwrap_or(0.0), // not requested
            },
            metric => metric.clone(),
        }
    }

    fn variant(&self) -> Variant {
        match (self.variant, self.pfcm.as_deref()) {
            (Variant::Noise { .. }, _) => Variant::Noise { distance: self.noise_distance },
            (Variant::PossibilisticFuzzy { .. }, Some(&[membership, typicality, typicality_fuzzifier])) => {
                Variant::PossibilisticFuzzy { membership, typicality, typicality_fuzzifier }
            }
            (variant, _) => variant,
        }
    }

    /// Name of the method, for titles.
    pub(super) fn method_name(&self) -> String {
        let name = match (&self.variant, &self.metric) {
            (Variant::Hard, _) => return "hard c-means".into(),
            (Variant::Possibilistic, _) => "possibilistic c-means",
            (Variant::Noise { .. }, _) => "noise clustering",
            (Variant::PossibilisticFuzzy { .. }, _) => "possibilistic-fuzzy c-means",
            (_, Metric::GustafsonKessel { .. }) => "Gustafson-Kessel",
            (_, Metric::GathGeva) => "Gath-Geva",
            _ => "fuzzy c-means",
        };
        format!("{name}, fuzzifier {}", self.fuzzifier)
    }
}

impl FitArgs {
    /// The file of initial centers, if `--init` is a file.
    pub(super) fn file(&self) -> Option<PathBuf> {
        self.init.parse::<InitialCenters>().is_err().then(|| PathBuf::from(&self.init))
    }

    /// The initial centers; the columns of a file are matched to `names` by name, else by position.
    fn initial_centers(&self, names: &[String], reading: &ReadTable) -> Result<InitialCenters> {
        let Some(file) = self.file() else { return Ok(self.init.parse()?) };
        let table = reading.clone().keep_text(true).read(file)?;
        let named = names.iter().all(|name| table.names().contains(name));
        Ok(InitialCenters::Centers(if named { table.select(names)? } else { table }))
    }
}

impl Cluster {
    /// The library settings for `clusters` clusters of the columns `names`.
    pub(super) fn settings(
        &self,
        clusters: usize,
        names: &[String],
        reading: &ReadTable,
    ) -> Result<FuzzyCMeans> {
        let (cluster, fit) = (&self.cluster, &self.fit);
        let mut settings = FuzzyCMeans::new(clusters)
            .fuzzifier(cluster.fuzzifier)
            .metric(cluster.metric(self.rows.standardize))
            .variant(cluster.variant())
            .initial_centers(fit.initial_centers(names, reading)?)
            .seed(fit.seed)
            .max_iterations(fit.max_iter)
            .tolerance(fit.tol)
            .criterion(fit.criterion)
            .plain(fit.plain)
            .missing(self.rows.missing);
        settings.n_init = fit.n_init;
        Ok(settings)
    }
}

/// Rejects text that is neither a method nor a path.
fn method_or_file(text: &str) -> std::result::Result<String, String> {
    let path = Path::new(text);
    match text.parse::<InitialCenters>() {
        Err(error) if path.extension().is_none() && !path.exists() => {
            Err(format!("{error}, or the path of a table"))
        }
        _ => Ok(text.to_owned()),
    }
}
