//! Counting rows in the cells of a grid.

use super::column::Scale;
use super::source::Plotted;

/// Cells of a grid over two sources, row by row, starting with the lowest y.
pub(super) struct Cells {
    /// Numbers of rows.
    pub(super) counts: Vec<f64>,
    /// Mean of the numbers by which the cells are colored, or the most frequent category; NaN without rows.
    pub(super) colors: Vec<f64>,
    /// Mean of the largest memberships; 1 unless the color is the cluster.
    pub(super) memberships: Vec<f64>,
}

impl Cells {
    /// Counts the rows with finite values in `n` × `n` cells.
    pub(super) fn new(x: (&[f64], Scale), y: (&[f64], Scale), color: Option<&Plotted<'_>>, n: usize) -> Self {
        let rows = x.0.iter().zip(y.0).enumerate();
        let rows =
            rows.filter_map(|(row, (at_x, at_y))| Some((row, y.1.cell(*at_y)? * n + x.1.cell(*at_x)?)));
        let mut counts = vec![0.0; n * n];
        let Some(color) = color else {
            rows.for_each(|(_, cell)| counts[cell] += 1.0);
            return Cells { counts, colors: vec![f64::NAN; n * n], memberships: vec![1.0; n * n] };
        };
        let categories = color.categories.unwrap_or(1);
        // For each cell and category: the number of rows with a color, and the sum of the numbers.
        let (mut frequencies, mut sums) = (vec![0.0; n * n * categories], vec![0.0; n * n]);
        let mut memberships = vec![0.0; n * n];
        for (row, cell) in rows {
            counts[cell] += 1.0;
            memberships[cell] += color.memberships.map_or(1.0, |memberships| memberships[row]);
            let value = color.values[row];
            if !value.is_finite() {
                continue;
            }
            let category = if color.categories.is_some() { (value as usize).min(categories - 1) } else { 0 };
            frequencies[cell * categories + category] += 1.0;
            sums[cell] += value;
        }
        memberships.iter_mut().zip(&counts).for_each(|(sum, count)| *sum /= count.max(1.0));
        let colors = frequencies.chunks_exact(categories).zip(&sums).map(|(frequencies, sum)| {
            match color.categories {
                None => sum / frequencies[0],
                Some(_) => most_frequent(frequencies).unwrap_or(f64::NAN),
            }
        });
        Cells { colors: colors.collect(), counts, memberships }
    }
}

/// The category with the most rows; the first of several.
fn most_frequent(frequencies: &[f64]) -> Option<f64> {
    let largest = frequencies.iter().copied().fold(0.0, f64::max);
    let position = frequencies.iter().position(|count| *count == largest && largest > 0.0)?;
    Some(position as f64)
}
