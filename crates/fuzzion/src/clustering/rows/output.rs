//! Destinations of memberships.

/// Destination of memberships: all of them, one column per cluster, or a reduction.
pub(in crate::clustering) enum MembershipOutput<'a> {
    Single(&'a mut [f32]),
    Double(&'a mut [f64]),
    /// The largest memberships of each row with their clusters, in descending order; ties go to the first.
    Top(usize, &'a mut [(u32, f64)]),
    /// The cluster of the largest membership; ties go to the first.
    Labels(&'a mut [u32]),
}

#[cfg(feature = "cuda")]
impl MembershipOutput<'_> {
    /// Number of values per row.
    pub(in crate::clustering) fn width(&self, clusters: usize) -> usize {
        match self {
            MembershipOutput::Single(_) | MembershipOutput::Double(_) => clusters,
            MembershipOutput::Top(top, _) => *top,
            MembershipOutput::Labels(_) => 1,
        }
    }

    /// Splits the output after `rows` rows.
    pub(in crate::clustering) fn split_at(self, rows: usize, clusters: usize) -> (Self, Self) {
        use MembershipOutput::{Double, Labels, Single, Top};
        let at = rows * self.width(clusters);
        macro_rules! split {
            ($out:ident, $wrap:expr) => {{
                let (a, b) = $out.split_at_mut(at);
                ($wrap(a), $wrap(b))
            }};
        }
        match self {
            Single(out) => split!(out, Single),
            Double(out) => split!(out, Double),
            Top(top, out) => split!(out, |out| Top(top, out)),
            Labels(out) => split!(out, Labels),
        }
    }
}

/// Largest memberships of a row with their clusters, in descending order; ties go to the first.
pub(in crate::clustering) fn top_memberships(row: &[f64], out: &mut [(u32, f64)]) {
    let mut all: Vec<(u32, f64)> = row.iter().enumerate().map(|(k, u)| (k as u32, *u)).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable, so ties go to the first
    out.copy_from_slice(&all[..out.len()]);
}
