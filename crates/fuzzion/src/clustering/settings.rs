//! The choices a fit is made of.

use crate::data::Table;

/// How far a row is from a center.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Metric {
    /// Squared Euclidean distance.
    #[default]
    Euclidean,
    /// Squared differences divided by the variance of their column; those of the data where none are given.
    Diagonal {
        /// One positive number per column.
        variances: Option<Vec<f64>>,
    },
    /// (x − v)ᵀ S⁻¹ (x − v) with one covariance S for all clusters; that of the data where none is given.
    Mahalanobis {
        /// Columns × columns, row by row.
        covariance: Option<Vec<f64>>,
    },
    /// Each cluster its own ellipsoid of a fixed volume, equation (7).
    GustafsonKessel {
        /// ρ of each cluster; 1 where none are given.
        volumes: Option<Vec<f64>>,
        /// Babuska's γ from 0 (exact) to 1 (spheres): how far covariances are drawn towards that of the data's size.
        regularize: f64,
    },
    /// Each cluster its own ellipsoid and prior, equation (8).
    GathGeva,
}

/// How distances become memberships.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Variant {
    /// Fuzzy c-means, equation (2).
    #[default]
    Fuzzy,
    /// Each row belongs to its nearest center (k-means).
    Hard,
    /// Typicalities that need not sum to 1, equation (9); widths come from a fuzzy fit.
    Possibilistic,
    /// One more cluster takes what is far from all others.
    Noise {
        /// Its distance δ from every row; √(0.1 × the mean squared distance of a fuzzy fit) where none is given.
        distance: Option<f64>,
    },
    /// Memberships and typicalities together, equation (10).
    PossibilisticFuzzy {
        /// a, the weight of memberships.
        membership: f64,
        /// b, the weight of typicalities.
        typicality: f64,
        /// η, the fuzzifier of typicalities.
        typicality_fuzzifier: f64,
    },
}

/// Where the iteration starts.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Start {
    /// Rows far from each other: each is drawn with a chance that grows with its squared distance to those before.
    #[default]
    KMeansPlusPlus,
    /// Rows drawn at random.
    Random,
    /// A fit of growing random samples; then the exact passes.
    Sample,
    /// These centers, one row each.
    Centers(Table),
    /// These memberships, one column per cluster and one row per row of the data.
    Memberships(Table),
}

/// What must become small for the iteration to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// The largest move of a center, relative to the spread of the data.
    #[default]
    CenterMove,
    /// The change of the objective, relative to itself.
    Objective,
    /// The largest change of a membership.
    Memberships,
}

/// What happens to missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// They are an error that names the first one.
    #[default]
    Error,
    /// Distances are taken over the columns a row has and scaled up; centers are means over the rows that have them.
    Partial,
}
