//! Settings of a fit and their builder methods.

use crate::base::{SettingError, unknown_name};
use crate::data::Table;
use crate::macros::{named, setters};
use serde::{Deserialize, Serialize};
use std::{fmt, str};

/// Number of values times clusters of all initializations by default, and their maximum number.
const RESTART_COST: u64 = 1 << 20;
const MAX_RESTARTS: u64 = 10;

/// Names of the variants of an enum with parameters: `parameterized! { Enum("description") { pattern = value => "name",
/// … } }` defines `Enum::ALL`, `Enum::name`, `Display` and `FromStr`, which returns `value`. The variants in `given { … }`
/// have a name but cannot be parsed.
macro_rules! parameterized {
    (
        $enum:ident($what:literal) { $($pattern:pat = $value:expr => $name:literal),+ $(,)? }
        $(given { $($given:pat => $given_name:literal),+ $(,)? })?
    ) => {
        impl $enum {
            #[doc = concat!("All values of [`", stringify!($enum), "`] that have a name, with default parameters.")]
            pub const ALL: [$enum; [$($name),+].len()] = [$($value),+];

            /// Name on the command line and in files, without the parameters.
            pub const fn name(&self) -> &'static str {
                match self {
                    $($pattern => $name,)+
                    $($($given => $given_name,)+)?
                }
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl str::FromStr for $enum {
            type Err = SettingError;

            fn from_str(name: &str) -> Result<Self, SettingError> {
                let found = $enum::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| unknown_name($what, name, &[$($name),+]))
            }
        }
    };
}

/// Squared distance between a row and a center. A name is parsed with the default parameters.
///
/// ```
/// use fuzzion::clustering::Metric;
/// assert_eq!("diagonal".parse::<Metric>()?, Metric::Diagonal { variances: None });
/// assert_eq!(Metric::GathGeva.to_string(), "gg");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Metric {
    /// Squared Euclidean distance.
    #[default]
    Euclidean,
    /// Squared differences divided by the column variances.
    Diagonal {
        /// One positive variance per column; defaults to the variances of the data.
        variances: Option<Vec<f64>>,
    },
    /// (x − v)ᵀ S⁻¹ (x − v) with one covariance S for all clusters.
    Mahalanobis {
        /// S, columns × columns in row-major order; defaults to the covariance of the data.
        covariance: Option<Vec<f64>>,
    },
    /// One ellipsoid of fixed volume per cluster, Equation (7).
    #[serde(rename = "gk")]
    GustafsonKessel {
        /// ρ of each cluster; defaults to 1.
        volumes: Option<Vec<f64>>,
        /// Babuska's γ, from 0 (no regularization) to 1 (spheres): shrinks the covariances toward a multiple of the
        /// identity.
        #[serde(default)]
        regularize: f64,
    },
    /// One ellipsoid and prior per cluster, Equation (8).
    #[serde(rename = "gg")]
    GathGeva,
}

parameterized! {
    Metric("metric") {
        Metric::Euclidean = Metric::Euclidean => "euclidean",
        Metric::Diagonal { .. } = Metric::Diagonal { variances: None } => "diagonal",
        Metric::Mahalanobis { .. } = Metric::Mahalanobis { covariance: None } => "mahalanobis",
        Metric::GustafsonKessel { .. } = Metric::GustafsonKessel { volumes: None, regularize: 0.0 } => "gk",
        Metric::GathGeva = Metric::GathGeva => "gg",
    }
}

/// Rule that converts distances to memberships. A name is parsed with the default parameters.
///
/// ```
/// use fuzzion::clustering::Variant;
/// assert_eq!("noise".parse::<Variant>()?, Variant::Noise { distance: None });
/// assert_eq!(Variant::Possibilistic.to_string(), "pcm");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Variant {
    /// Fuzzy c-means, Equation (2).
    #[default]
    #[serde(rename = "fcm")]
    Fuzzy,
    /// Membership 1 in the nearest cluster, 0 elsewhere (k-means).
    Hard,
    /// Typicalities, Equation (9), which need not sum to 1; the widths are estimated by a preceding fuzzy fit.
    #[serde(rename = "pcm")]
    Possibilistic,
    /// Equation (2) with an additional noise cluster for outliers.
    Noise {
        /// δ, the distance of the noise cluster from every row; defaults to √(0.1 × mean squared distance of a fuzzy
        /// fit).
        distance: Option<f64>,
    },
    /// Memberships combined with typicalities, Equation (10).
    #[serde(rename = "pfcm")]
    PossibilisticFuzzy {
        /// a, the weight of memberships. Default: 1.
        membership: f64,
        /// b, the weight of typicalities. Default: 1.
        typicality: f64,
        /// η, the fuzzifier of typicalities. Default: 2.
        typicality_fuzzifier: f64,
    },
}

parameterized! {
    Variant("variant") {
        Variant::Fuzzy = Variant::Fuzzy => "fcm",
        Variant::Hard = Variant::Hard => "hard",
        Variant::Possibilistic = Variant::Possibilistic => "pcm",
        Variant::Noise { .. } = Variant::Noise { distance: None } => "noise",
        Variant::PossibilisticFuzzy { .. } = Variant::PossibilisticFuzzy {
            membership: 1.0,
            typicality: 1.0,
            typicality_fuzzifier: 2.0,
        } => "pfcm",
    }
}

/// Initialization of the centers.
///
/// ```
/// use fuzzion::clustering::InitialCenters;
/// assert_eq!("k-means++".parse::<InitialCenters>()?, InitialCenters::KMeansPlusPlus);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum InitialCenters {
    /// Greedy k-means++: rows drawn one by one, each the best of 2 + ln C rows drawn with probability proportional to the squared
    /// distance to the nearest previous one.
    #[default]
    #[serde(rename = "k-means++")]
    KMeansPlusPlus,
    /// Rows drawn at random.
    Random,
    /// Fits of growing random samples, each initialized by the previous one.
    Sample,
    /// Given centers, one per row.
    Centers(#[serde(with = "table_form")] Table),
    /// Centers computed from given memberships: one column per cluster, one row per row of the data.
    Memberships(#[serde(with = "table_form")] Table),
}

parameterized! {
    InitialCenters("initialization") {
        InitialCenters::KMeansPlusPlus = InitialCenters::KMeansPlusPlus => "k-means++",
        InitialCenters::Random = InitialCenters::Random => "random",
        InitialCenters::Sample = InitialCenters::Sample => "sample",
    }
    given {
        InitialCenters::Centers(_) => "centers",
        InitialCenters::Memberships(_) => "memberships",
    }
}

/// Serialized form of the tables of initial values.
mod table_form {
    use super::{Deserialize, Serialize, Table};
    use serde::de::{Deserializer, Error};
    use serde::ser::Serializer;

    #[derive(Serialize, Deserialize)]
    struct TableForm {
        columns: Vec<String>,
        values: Vec<f64>,
    }

    pub(super) fn serialize<S: Serializer>(table: &Table, serializer: S) -> Result<S::Ok, S::Error> {
        let form = TableForm { columns: table.names().to_vec(), values: table.to_f64().into_owned() };
        form.serialize(serializer)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Table, D::Error> {
        let form = TableForm::deserialize(deserializer)?;
        Table::new(form.columns, form.values).map_err(D::Error::custom)
    }
}

named! {
    /// Convergence criterion.
    ///
    /// ```
    /// use fuzzion::clustering::Criterion;
    /// assert_eq!("moves".parse::<Criterion>()?, Criterion::CenterShift);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Criterion("criterion") {
        /// Largest shift of a center, relative to the spread of the data.
        #[default]
        #[serde(rename = "moves")]
        CenterShift = "moves",
        /// Relative change of the objective.
        Objective = "objective",
        /// Largest change of a membership.
        Memberships = "memberships",
    }
}

named! {
    /// Handling of missing values (NaN).
    ///
    /// ```
    /// use fuzzion::{Device, Table, clustering::{FuzzyCMeans, MissingValues}};
    /// let rows = Table::unnamed(2, vec![1.0, 2.0, 3.0, f64::NAN])?;
    /// let settings = FuzzyCMeans::new(1).missing("partial".parse::<MissingValues>()?);
    /// let centers = settings.fit(&rows, &Device::cpu()?)?.centers;
    /// assert_eq!(*centers.to_f64(), [2.0, 2.0]); // of two values and of one
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum MissingValues("handling of missing values") {
        /// Return an error that reports the first missing value.
        #[default]
        Error = "error",
        /// Compute distances over the columns present in a row, scaled to all columns, and centers over the rows with a
        /// value.
        Partial = "partial",
    }
}

/// Fuzzy c-means and its variants: choose the settings, then call [`FuzzyCMeans::fit`].
///
/// ```
/// use fuzzion::{Device, Table, clustering::FuzzyCMeans};
/// let rows = Table::unnamed(1, vec![0.0, 0.1, 0.2, 9.8, 9.9, 10.0])?;
/// let partition = FuzzyCMeans::new(2).seed(42).fit(&rows, &Device::cpu()?)?;
/// let mut centers = partition.centers.to_f64().to_vec();
/// centers.sort_by(f64::total_cmp);
/// assert!((centers[0] - 0.1).abs() < 0.01 && (centers[1] - 9.9).abs() < 0.01);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// Settings can be read from a file, which may omit those with a default:
///
/// ```
/// use fuzzion::clustering::{FuzzyCMeans, Metric};
/// let settings: FuzzyCMeans = serde_json::from_str(r#"{ "clusters": 3, "metric": "gg" }"#).unwrap();
/// assert_eq!(settings, FuzzyCMeans::new(3).metric(Metric::GathGeva));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "FuzzyCMeans::without_clusters")]
#[non_exhaustive]
pub struct FuzzyCMeans {
    /// C, the number of clusters.
    pub clusters: usize,
    /// m, above 1 and at most 100; larger values give softer clusters. Default: 2.
    pub fuzzifier: f64,
    /// Squared distance between a row and a center.
    pub metric: Metric,
    /// Rule that converts distances to memberships.
    pub variant: Variant,
    /// Initialization of the centers.
    pub initial_centers: InitialCenters,
    /// Number of random initializations; the fit with the lowest objective is returned. Default: `None`, from ten for small
    /// data to one for more than 2¹⁹ values times clusters.
    pub n_init: Option<usize>,
    /// Random seed.
    pub seed: u64,
    /// Maximum number of sweeps over the data. Default: 300.
    pub max_iterations: usize,
    /// Tolerance of the convergence criterion. Default: 1e-5.
    pub tolerance: f64,
    /// Convergence criterion.
    pub criterion: Criterion,
    /// Whether to use plain alternating steps instead of accelerated ones; the fixed points are the same.
    pub plain: bool,
    /// Handling of missing values (NaN).
    pub missing: MissingValues,
}

impl FuzzyCMeans {
    /// Creates settings for `clusters` clusters with fuzzifier 2, the Euclidean metric and k-means++ initialization.
    pub fn new(clusters: usize) -> Self {
        FuzzyCMeans {
            clusters,
            fuzzifier: 2.0,
            metric: Metric::default(),
            variant: Variant::default(),
            initial_centers: InitialCenters::default(),
            n_init: None,
            seed: 0,
            max_iterations: 300,
            tolerance: 1e-5,
            criterion: Criterion::default(),
            plain: false,
            missing: MissingValues::default(),
        }
    }

    /// Number of initializations of a fit with this number of clusters.
    pub(in crate::clustering) fn restarts(&self, rows: u64, columns: usize, clusters: usize) -> usize {
        let is_random = match self.initial_centers {
            InitialCenters::KMeansPlusPlus | InitialCenters::Random | InitialCenters::Sample => true,
            InitialCenters::Centers(_) | InitialCenters::Memberships(_) => false,
        };
        let cost = rows.saturating_mul(columns as u64).saturating_mul(clusters as u64);
        let affordable = (RESTART_COST / cost.max(1)).clamp(1, MAX_RESTARTS) as usize;
        if is_random { self.n_init.unwrap_or(affordable) } else { 1 }
    }

    /// Settings of a file that omits the number of clusters; `fit` rejects 0 clusters, and `sweep` ignores them.
    fn without_clusters() -> Self {
        FuzzyCMeans::new(0)
    }
}

setters! {
    FuzzyCMeans {
        fuzzifier: f64,
        metric: Metric,
        variant: Variant,
        initial_centers: InitialCenters,
        some n_init: usize,
        seed: u64,
        max_iterations: usize,
        tolerance: f64,
        criterion: Criterion,
        plain: bool,
        missing: MissingValues,
    }
}
