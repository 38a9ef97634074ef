//! The centroid of clipped sets by table lookup, independent of the number of samples.
//!
//! With minimum implication and maximum aggregation, sets k with strengths wₖ have the membership maxₖ min(wₖ, μₖ(s)) at
//! sample s. By the inclusion-exclusion principle, this maximum is a signed sum of minima over the subsets K of the sets (plus for
//! an odd number of sets, minus for an even one), and
//!
//! min over K of min(wₖ, μₖ(s)) = min(W, M(s)) with W = min over K of wₖ, M(s) = min over K of μₖ(s) (1)
//!
//! so the area and the moment are sums over K of functions of one variable W:
//!
//! Σₛ min(W, M(s)) = Σ over M(s) ≤ W of M(s) + W·(number of samples with M(s) > W) (2)
//!
//! This is linear in W between adjacent values of M, so each K needs one table of lines, looked up by W. Subsets without
//! a common overlap need no table: n triangles in a row need 2n − 1 tables, regardless of the number of samples.

mod exact;
mod lookup;
mod table;
mod tables;

pub(crate) use lookup::TableLookup;
pub(crate) use tables::CentroidTables;
