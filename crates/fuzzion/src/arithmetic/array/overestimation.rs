//! Overestimation of the midpoint-radius encoding relative to the lower-upper encoding.
//!
//! The operands are positive and symmetric: radius ρ around 1 at the support, decreasing in equal steps to ρ/N at the
//! core.

use crate::arithmetic::array::{FuzzyArray, LuArray, MrArray};
use crate::arithmetic::error::Result;
use crate::arithmetic::number::cut::AlphaCut;
use crate::device::Device;
use serde::{Deserialize, Serialize};

/// Overestimation of one computation, performed in both encodings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Overestimation {
    /// Name of the computation.
    pub name: String,
    /// Radius of the operands' supports relative to their midpoints, ρ.
    pub spread: f64,
    /// Number of cuts.
    pub cuts: usize,
    /// Ratio of the widths of the support, midpoint-radius to lower-upper.
    pub support: f64,
    /// Mean of that ratio over all cuts.
    pub mean: f64,
}

/// The same number in both encodings.
struct BothEncodings {
    lu: LuArray<f64>,
    mr: MrArray<f64>,
}

impl BothEncodings {
    fn new(cuts: usize, midpoint: f64, radius: f64) -> Result<Self> {
        let radius_of_cut = |i: usize| radius * (cuts - i) as f64 / cuts as f64;
        let mut lu = LuArray::zeros(cuts, 1)?;
        lu.set_cuts(0, |i| AlphaCut {
            lower: midpoint - radius_of_cut(i),
            upper: midpoint + radius_of_cut(i),
        });
        let mr = MrArray::from_lu(&lu);
        Ok(BothEncodings { lu, mr })
    }

    fn overestimation(&self, name: impl Into<String>, spread: f64) -> Overestimation {
        let cuts = self.lu.cuts();
        let ratio = |i: usize| self.mr.cut(0, i).width() / self.lu.cut(0, i).width();
        let mean = (0..cuts).map(ratio).sum::<f64>() / cuts as f64;
        Overestimation { name: name.into(), spread, cuts, support: ratio(0), mean }
    }
}

/// Applies the same method in both encodings.
macro_rules! apply_both {
    ($x:expr, $method:ident, $y:expr, $device:expr) => {
        BothEncodings { lu: $x.lu.$method(&$y.lu, $device)?, mr: $x.mr.$method(&$y.mr, $device)? }
    };
}

/// Table of overestimations: single operations at several relative radii, a product of 32 factors, and 1000 steps of
/// c ← a·c + b as in Defour and Marin (2014).
///
/// ```
/// let table = fuzzion::arithmetic::overestimation_table(&"cpu".parse()?)?;
/// let product = table.iter().find(|row| row.name == "product" && row.spread == 0.5).expect("in the table");
/// assert!((product.support - 1.25).abs() < 1e-12); // 1 + ρ/2
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// Device errors.
pub fn overestimation_table(device: &Device) -> Result<Vec<Overestimation>> {
    const RELATIVE_RADII: [f64; 4] = [0.1, 0.3, 0.5, 0.9];
    const CUTS: usize = 4;
    const FACTORS: usize = 32;
    const STEPS: usize = 1000;
    let mut table = Vec::new();
    for spread in RELATIVE_RADII {
        let x = BothEncodings::new(CUTS, 1.0, spread)?;
        table.push(apply_both!(x, add, x, device).overestimation("sum", spread));
        table.push(apply_both!(x, sub, x, device).overestimation("difference", spread));
        table.push(apply_both!(x, mul, x, device).overestimation("product", spread));
        table.push(apply_both!(x, div, x, device).overestimation("quotient", spread));
        let mut product = BothEncodings::new(CUTS, 1.0, spread)?;
        for _ in 1..FACTORS {
            product = apply_both!(product, mul, x, device);
        }
        table.push(product.overestimation(format!("product of {FACTORS}"), spread));
    }
    for cuts in [1, 2, 4, 8, 12, 16, 24] {
        let (a, b) = (BothEncodings::new(cuts, 0.7, 0.05)?, BothEncodings::new(cuts, 0.3, 0.1)?);
        let end = BothEncodings {
            lu: a.lu.axpy(&a.lu, &b.lu, STEPS, device)?,
            mr: a.mr.axpy(&a.mr, &b.mr, STEPS, device)?,
        };
        table.push(end.overestimation(format!("a·c + b, {STEPS} times"), 0.05 / 0.7));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(table: &'a [Overestimation], name: &str, spread: f64) -> &'a Overestimation {
        table.iter().find(|row| row.name == name && row.spread == spread).unwrap()
    }

    #[test]
    fn overestimations_equal_their_theoretical_values() {
        let table = overestimation_table(&Device::cpu().unwrap()).unwrap();
        for spread in [0.1, 0.3, 0.5, 0.9] {
            // Exact ratios for identical operands; rounding adds a few ulps.
            for (name, expected) in [
                ("sum", 1.0),
                ("difference", 1.0),
                ("product", 1.0 + spread / 2.0),
                ("quotient", 1.0 + spread),
            ] {
                let row = find(&table, name, spread);
                assert!((row.support - expected).abs() < 1e-9, "{row:?}");
                assert!(row.mean <= row.support + 1e-9 && row.mean >= 1.0 - 1e-9, "{row:?}");
            }
        }
        // Published values: 2.00 for 32 factors, and means of 1.167 and 1.087 for the iteration.
        assert!((find(&table, "product of 32", 0.3).support - 2.0).abs() < 0.005);
        let iterations: Vec<&Overestimation> =
            table.iter().filter(|row| row.name.starts_with("a·c + b")).collect();
        assert!((iterations.first().unwrap().mean - 1.167).abs() < 0.0005, "{iterations:?}");
        assert!((iterations.last().unwrap().mean - 1.087).abs() < 0.0005, "{iterations:?}");
    }
}
