//! Evaluation methods.

use crate::macros::named;
use serde::{Deserialize, Serialize};

named! {
    /// Evaluation method for formulas with repeated variables. Every method encloses the exact result.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Evaluation("evaluation method") {
        /// Operator by operator, with every occurrence of a variable treated as independent: x − x is twice as wide as x.
        /// Exact if every variable occurs once.
        #[default]
        Direct = "direct",
        /// At the vertices of the cuts; exact up to rounding if bounds of the derivatives prove the formula monotone in
        /// every variable. Otherwise the part of the cut with the outermost bound is bisected, up to 256 times; parts
        /// that are still not proven monotone are bounded by the mean value form.
        Vertex = "vertex",
        /// With affine forms, which track the first-order dependence on the variables. Faster than `Vertex` for many
        /// variables; exact for linear formulas.
        Affine = "affine",
    }
}
