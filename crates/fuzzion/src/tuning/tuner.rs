//! Settings, and the verbs that fit.

use super::form::Form;
use super::settings::{Classify, Method, Missing, Start, Step};
use crate::progress::Progress;

/// A Takagi-Sugeno-Kang system to be learned: settings, then `fit`.
#[derive(Clone, Debug)]
pub struct Tuner<'a> {
    /// Where the rules come from.
    pub start: Start,
    /// The columns that are inputs; all but the targets if empty.
    pub inputs: Vec<String>,
    /// The shape of the sets; Gaussian if not set.
    pub form: Form,
    /// The degree of the consequents; 1 if not set.
    pub order: usize,
    /// Whether each rule has sets of its own, which fits better, instead of sharing them, which reads better.
    pub untied: bool,
    /// How it learns.
    pub method: Method,
    /// How far a gradient moves the sets.
    pub step: Step,
    /// The rate of the step; what suits the step rule if not set.
    pub rate: Option<f64>,
    /// The most iterations, 100 if not set; 0 is least squares alone.
    pub iterations: usize,
    /// Least squares is solved in every so-manieth iteration; 1 if not set.
    pub solve_every: usize,
    /// The share of the rows that is kept back to tell when to stop; 0 if not set.
    pub validation: f64,
    /// Iterations without a better validation error before it stops, 20 if not set.
    pub patience: usize,
    /// ρ of equation (3); 1e-9 if not set.
    pub ridge: f64,
    /// Whether sets are kept in order and overlapping, so that rules stay readable.
    pub readable: bool,
    /// How classes are learned, where the target is a class.
    pub classify: Option<Classify>,
    /// What happens to missing inputs.
    pub missing: Missing,
    /// What random choices repeat for.
    pub seed: u64,
    /// Who is told how many iterations are done, of how many.
    pub progress: Progress<'a>,
}
