//! A classic benchmark data set.

use crate::base::SettingError;
use crate::data::{Labels, Table};
use crate::sonfin::error::Result;
use std::f64::consts::PI;

/// Two interleaved spirals of three turns with `points` samples each: columns x and y, and the label `arm`, which
/// is `first` or `second`. The original problem has 97 points per spiral.
///
/// ```
/// let spirals = fuzzion::sonfin::two_spirals(97)?;
/// assert_eq!((spirals.rows(), spirals.label("arm")?.get(1)), (194, Some("second")));
/// assert_eq!(spirals.column("y")?[0], 6.5); // the first arm starts at the outer end, at the top
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// Source: K. J. Lang, M. J. Witbrock, *Learning to tell two spirals apart*, 1988.
///
/// # Errors
/// [`SettingError::OutOfRange`] for fewer than 2 or more than 10,000,000 points.
pub fn two_spirals(points: usize) -> Result<Table> {
    if !(2..=10_000_000).contains(&points) {
        let (algorithm, name, value) = ("two spirals", "points", points as f64);
        return Err(SettingError::OutOfRange { algorithm, name, value, must: "from 2 to 10,000,000" }.into());
    }
    let mut values = Vec::with_capacity(4 * points);
    for point in 0..points {
        let i = 96.0 * point as f64 / (points - 1) as f64;
        let (radius, angle) = (6.5 * (104.0 - i) / 104.0, i * PI / 16.0);
        let (x, y) = (radius * angle.sin(), radius * angle.cos());
        values.extend([x, y, 0.0 - x, 0.0 - y]); // not -0
    }
    let arms = (0..2 * points).map(|row| ["first", "second"][row % 2]);
    Ok(Table::new(["x", "y"], values)?.with_labels(Labels::new("arm", arms))?)
}
