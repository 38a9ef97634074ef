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

impl MembershipOutput<'_> {
    /// Writes the memberships of rows from index `first`, in row-major order.
    pub(in crate::clustering) fn write(&mut self, first: usize, clusters: usize, memberships: &[f64]) {
        match self {
            MembershipOutput::Single(out) => {
                let out = &mut out[first * clusters..][..memberships.len()];
                out.iter_mut().zip(memberships).for_each(|(to, u)| *to = *u as f32);
            }
            MembershipOutput::Double(out) => {
                out[first * clusters..][..memberships.len()].copy_from_slice(memberships)
            }
            MembershipOutput::Top(top, out) => {
                let rows = out[first * *top..].chunks_exact_mut(*top).zip(memberships.chunks_exact(clusters));
                rows.for_each(|(out, row)| top_memberships(row, out));
            }
            MembershipOutput::Labels(out) => {
                let rows = out[first..].iter_mut().zip(memberships.chunks_exact(clusters));
                rows.for_each(|(out, row)| *out = argmax(row));
            }
        }
    }
}

/// Largest memberships of a row with their clusters, in descending order; ties go to the first.
pub(in crate::clustering) fn top_memberships(row: &[f64], out: &mut [(u32, f64)]) {
    let mut all: Vec<(u32, f64)> = row.iter().enumerate().map(|(k, u)| (k as u32, *u)).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable, so ties go to the first
    out.copy_from_slice(&all[..out.len()]);
}

/// Index of the largest value; ties go to the first.
pub(in crate::clustering) fn argmax(row: &[f64]) -> u32 {
    (1..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best }) as u32
}
