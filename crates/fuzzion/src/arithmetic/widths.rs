//! How much wider midpoints and radii make a result than bounds do: the table that the paper left as future work.
//!
//! Operands are positive and symmetric: radius ρ around 1, the radii of the N cuts falling in equal steps to ρ/N.

use super::array::{Array, LuArray, MrArray};
use super::cut::Cut;
use crate::device::Device;
use crate::error::Result;
use serde::Serialize;

/// A calculation done in both encodings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Widening {
    /// What was calculated.
    pub name: String,
    /// The radius of the operands' supports, relative to their midpoints.
    pub spread: f64,
    /// Cuts of a number.
    pub cuts: usize,
    /// How many times as wide the support is with midpoint and radii.
    pub support: f64,
    /// The same, the mean of all cuts.
    pub mean: f64,
}

/// A number of radius `radius` around `midpoint`, in both encodings.
struct Pair {
    lu: LuArray<f64>,
    mr: MrArray<f64>,
}

impl Pair {
    fn new(cuts: usize, midpoint: f64, radius: f64) -> Result<Self> {
        let of_cut = |i: usize| radius * (cuts - i) as f64 / cuts as f64;
        let mut lu = LuArray::zeros(cuts, 1)?;
        lu.set_cuts(0, |i| Cut { lower: midpoint - of_cut(i), upper: midpoint + of_cut(i) });
        let mr = MrArray::from_lu(&lu);
        Ok(Pair { lu, mr })
    }

    fn widening(&self, name: impl Into<String>, spread: f64) -> Widening {
        let cuts = self.lu.cuts();
        let ratio = |i: usize| self.mr.cut(0, i).width() / self.lu.cut(0, i).width();
        let mean = (0..cuts).map(ratio).sum::<f64>() / cuts as f64;
        Widening { name: name.into(), spread, cuts, support: ratio(0), mean }
    }
}

/// Both encodings through the same verb.
macro_rules! both {
    ($x:expr, $verb:ident, $y:expr, $device:expr) => {
        Pair { lu: $x.lu.$verb(&$y.lu, $device)?, mr: $x.mr.$verb(&$y.mr, $device)? }
    };
}

/// The table: one operation at several spreads, a product of many factors, and c ← a·c + b of the paper, 1000 times.
///
/// ```
/// let table = fuzzion::arithmetic::widenings(&"cpu".parse()?)?;
/// let product = table.iter().find(|row| row.name == "product" && row.spread == 0.5).expect("in the table");
/// assert!((product.support - 1.25).abs() < 1e-12); // 1 + ρ/2
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// Those of the device.
pub fn widenings(device: &Device) -> Result<Vec<Widening>> {
    const SPREADS: [f64; 4] = [0.1, 0.3, 0.5, 0.9];
    const CUTS: usize = 4;
    const FACTORS: usize = 32;
    const STEPS: usize = 1000;
    let mut table = Vec::new();
    for spread in SPREADS {
        let x = Pair::new(CUTS, 1.0, spread)?;
        table.push(both!(x, add, x, device).widening("sum", spread));
        table.push(both!(x, sub, x, device).widening("difference", spread));
        table.push(both!(x, mul, x, device).widening("product", spread));
        table.push(both!(x, div, x, device).widening("quotient", spread));
        let mut product = Pair::new(CUTS, 1.0, spread)?;
        for _ in 1..FACTORS {
            product = both!(product, mul, x, device);
        }
        table.push(product.widening(format!("product of {FACTORS}"), spread));
    }
    for cuts in [1, 2, 4, 8, 12, 16, 24] {
        let (a, b) = (Pair::new(cuts, 0.7, 0.05)?, Pair::new(cuts, 0.3, 0.1)?);
        let end =
            Pair { lu: a.lu.axpy(&a.lu, &b.lu, STEPS, device)?, mr: a.mr.axpy(&a.mr, &b.mr, STEPS, device)? };
        table.push(end.widening(format!("a·c + b, {STEPS} times"), 0.05 / 0.7));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'a>(table: &'a [Widening], name: &str, spread: f64) -> &'a Widening {
        table.iter().find(|row| row.name == name && row.spread == spread).unwrap()
    }

    #[test]
    fn the_table_is_what_theory_says() {
        let table = widenings(&Device::cpu().unwrap()).unwrap();
        for spread in [0.1, 0.3, 0.5, 0.9] {
            // Of like operands; rounding adds a few units in the last place.
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
        // Numbers published with the formulas: 2.00 for 32 factors, and means of 1.167 and 1.087 for the series.
        assert!((find(&table, "product of 32", 0.3).support - 2.0).abs() < 0.005);
        let series: Vec<&Widening> = table.iter().filter(|row| row.name.starts_with("a·c + b")).collect();
        assert!((series.first().unwrap().mean - 1.167).abs() < 0.0005, "{series:?}");
        assert!((series.last().unwrap().mean - 1.087).abs() < 0.0005, "{series:?}");
    }
}
