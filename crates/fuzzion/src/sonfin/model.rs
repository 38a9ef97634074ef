//! A learned network: what it is.

use super::report::Report;
use super::scale::Scale;
use super::state::State;

/// A network grown from samples; made by [`Sonfin::fit`](super::Sonfin::fit).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// The columns that are inputs.
    pub inputs: Vec<String>,
    /// The columns that were learned.
    pub outputs: Vec<String>,
    /// The classes that are told apart; empty where the targets are numbers.
    pub classes: Vec<String>,
    /// How the fit went.
    pub report: Report,
    pub(super) state: State,
    pub(super) scale: Scale,
}
