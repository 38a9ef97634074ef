//! Kernel layout of the prototypes.

use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::device::math::Real;

/// Rows processed by all phases together, so that their distances stay in the cache.
pub(super) const BLOCK: usize = 256;
/// Stride between columns or clusters of a block; not a power of two, to avoid cache set conflicts.
pub(super) const STRIDE: usize = BLOCK + 16;
/// Number of centers whose distances are computed together, so that each value of a row is loaded once for all of them.
pub(super) const CENTER_GROUP: usize = 4;
/// Bytes of a cache line and of the longest vectors.
pub(super) const CACHE_LINE: usize = 64;
/// Minimum number of columns for which the product form is faster, although it has to compute |x|².
const MIN_PRODUCT_COLUMNS: usize = 16;

/// Prototypes rounded to the precision of the data; clusters are padded to a multiple of [`CENTER_GROUP`].
pub(super) struct SweepKernel<T> {
    pub(super) clusters: usize,
    pub(super) padded: usize,
    pub(super) columns: usize,
    /// Number of leading columns that are summed along rows in whole vectors; the others are summed in lanes of rows.
    pub(super) vector_columns: usize,
    pub(super) shift: Vec<T>,
    pub(super) scale: Vec<T>,
    /// Empty without whitening.
    pub(super) whitening: Vec<T>,
    pub(super) centers: Vec<T>,
    /// Centers in groups of [`CENTER_GROUP`], interleaved by column.
    pub(super) grouped_centers: Vec<T>,
    pub(super) products: Products<T>,
    /// Factors and offsets of the cluster metrics; empty if there are none.
    pub(super) factors: Vec<T>,
    pub(super) offsets: Vec<T>,
    pub(super) partial: bool,
    pub(super) rule: MembershipRule,
}

impl<T: Real> SweepKernel<T> {
    pub(super) fn new(prototypes: &Prototypes) -> Self {
        let (clusters, columns) = (prototypes.clusters(), prototypes.columns());
        let padded = clusters.next_multiple_of(CENTER_GROUP);
        let round = |x: &[f64]| x.iter().map(|x| T::cast(*x)).collect::<Vec<T>>();
        let mut centers = round(&prototypes.centers);
        centers.resize(padded * columns, T::ZERO);
        let group = |centers: &[T]| {
            let interleaved = |i: usize| centers[i % CENTER_GROUP * columns + i / CENTER_GROUP];
            (0..CENTER_GROUP * columns).map(interleaved).collect::<Vec<T>>()
        };
        let grouped_centers: Vec<T> = centers.chunks_exact(CENTER_GROUP * columns).flat_map(group).collect();
        let metrics = prototypes.cluster_metrics.as_ref();
        let space = &prototypes.space;
        // Masked and whitened rows exist only in column-major order.
        let (lanes, column_major) = (CACHE_LINE / size_of::<T>(), space.partial || space.whitening.is_some());
        let vector_columns = if column_major { 0 } else { columns / lanes * lanes };
        SweepKernel {
            clusters,
            padded,
            columns,
            vector_columns,
            shift: round(&space.shift),
            scale: round(&space.scale),
            whitening: space.whitening.as_deref().map(round).unwrap_or_default(),
            products: Products::new(&grouped_centers, columns),
            grouped_centers,
            centers,
            factors: metrics.map(|s| round(&s.factors)).unwrap_or_default(),
            offsets: metrics.map(|s| round(&s.offsets)).unwrap_or_default(),
            partial: space.partial,
            rule: prototypes.rule.clone(),
        }
    }

    /// Whether the distance phase computes 1/d instead of d.
    pub(super) fn uses_inverse_distances(&self) -> bool {
        matches!(self.rule, MembershipRule::Fuzzy { .. } | MembershipRule::Noise { .. })
    }

    /// Whether the fast path for inverse distances applies: Equation (2) with m = 2 and Euclidean distances.
    pub(super) fn uses_inverse_path(&self) -> bool {
        self.rule == MembershipRule::Fuzzy { fuzzifier: 2.0 } && !self.partial && self.factors.is_empty()
    }
}

/// Precomputed centers for the product form; empty if differences are used.
pub(super) struct Products<T> {
    /// −2v, in the layout of [`SweepKernel::grouped_centers`].
    pub(super) doubled: Vec<T>,
    /// |v|².
    pub(super) norms: Vec<T>,
    pub(super) max_norm: f64,
}

impl<T: Real> Products<T> {
    /// `grouped_centers` are the centers in groups, `columns` each.
    pub(super) fn new(grouped_centers: &[T], columns: usize) -> Self {
        if columns < MIN_PRODUCT_COLUMNS {
            return Products { doubled: Vec::new(), norms: Vec::new(), max_norm: 0.0 };
        }
        let mut norms = vec![0.0; grouped_centers.len() / columns];
        for (norms, centers) in
            norms.chunks_exact_mut(CENTER_GROUP).zip(grouped_centers.chunks_exact(CENTER_GROUP * columns))
        {
            for centers in centers.as_chunks::<CENTER_GROUP>().0 {
                norms.iter_mut().zip(centers).for_each(|(norm, v)| *norm += v.to_f64() * v.to_f64());
            }
        }
        Products {
            doubled: grouped_centers.iter().map(|v| -T::TWO * *v).collect(),
            max_norm: norms.iter().copied().fold(0.0, f64::max),
            norms: norms.into_iter().map(T::cast).collect(),
        }
    }

    pub(super) fn is_enabled(&self) -> bool {
        !self.norms.is_empty()
    }
}
