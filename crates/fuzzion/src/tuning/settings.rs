//! What a fit goes by.

pub use crate::data::{Classify, Missing};
use crate::inference::System;

/// Where rules come from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Start {
    /// So many sets for each input, evenly over its range, and a rule for each combination; one number serves all inputs.
    Grid(Vec<usize>),
    /// A rule for each center of fuzzy c-means.
    FuzzyCMeans(usize),
    /// A rule for each center of Gustafson-Kessel clustering, as wide as its cluster.
    GustafsonKessel(usize),
    /// Subtractive clustering finds how many rules there are; a smaller radius, in (0, 1], gives more of them (S. L. Chiu,
    /// 1994).
    Subtractive(f64),
    /// The rules and sets of a Takagi-Sugeno system.
    System(Box<System>),
}

/// How a system learns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Least squares for consequents, a gradient step for sets, in turns.
    #[default]
    Hybrid,
    /// Gradient steps for both, after a least-squares start.
    Gradient,
    /// Recursive least squares, row by row: the sets stay. With a forgetting factor in (0, 1], 1 forgets nothing.
    Recursive(f64),
    /// Levenberg-Marquardt steps for all parameters at once: for small problems.
    LevenbergMarquardt,
}

/// How far a gradient moves the sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The gradient of the mean error times the rate.
    Plain,
    /// As far as the rate in the direction of the gradient; a tenth more after four steps down, a tenth less after two
    /// swings up and down (J.-S. R. Jang, 1993).
    Jang,
    /// Adam, β = (0.9, 0.999) (D. P. Kingma, J. Ba, 2015).
    #[default]
    Adam,
}
