//! Evaluation methods.

use crate::arithmetic::error::Result;
use crate::base::SettingError;
use std::fmt;
use std::str::FromStr;

/// Evaluation method for formulas with repeated variables. Every method encloses the exact result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evaluation {
    /// Operator by operator, with every occurrence of a variable treated as independent: x − x is twice as wide as x.
    /// Exact if every variable occurs once.
    #[default]
    Direct,
    /// At the vertices of the cuts; exact up to rounding if bounds of the derivatives prove the formula monotone in
    /// every variable. Otherwise the part of the cut with the outermost bound is bisected, up to 256 times; parts
    /// that are still not proven monotone are bounded by the mean value form.
    Vertex,
    /// With affine forms, which track the first-order dependence on the variables. Faster than `Vertex` for many
    /// variables; exact for linear formulas.
    Affine,
}

const EVALUATIONS: [(&str, Evaluation); 3] =
    [("direct", Evaluation::Direct), ("vertex", Evaluation::Vertex), ("affine", Evaluation::Affine)];

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = EVALUATIONS.iter().find(|(_, evaluation)| evaluation == self);
        let (name, _) = found.expect("invariant: every evaluation method has a name");
        f.write_str(name)
    }
}

impl FromStr for Evaluation {
    type Err = SettingError;
    fn from_str(text: &str) -> Result<Self, SettingError> {
        let known = EVALUATIONS.iter().find(|(name, _)| *name == text);
        known.map(|(_, evaluation)| *evaluation).ok_or_else(|| SettingError::UnknownName {
            what: "evaluation method",
            name: text.into(),
            known: "direct, vertex, affine".into(),
        })
    }
}
