//! Layout of the difference kernel: tiles, shared memory, and offsets of its arrays.

use crate::clustering::prototypes::{MembershipRule, Power, Prototypes};
use crate::clustering::rows::sums::{QualitySums, RequestedSums, Sums};
use crate::data::Precision;
use crate::device::cuda::Program;

/// Threads per block.
pub(in crate::clustering) const THREADS: usize = 256;
/// Largest shared memory per block at which two blocks fit on a multiprocessor.
const MAX_SHARED_FOR_TWO_BLOCKS: usize = 100 << 10;
/// Number of rule parameters at the start of the prototypes.
const HEADER: usize = 8;

/// Specialization parameters of the difference kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::clustering) struct SweepLayout {
    pub(in crate::clustering) clusters: usize,
    pub(in crate::clustering) columns: usize,
    pub(in crate::clustering) precision: Precision,
    pub(in crate::clustering) weighted: bool,
    pub(in crate::clustering) requested: RequestedSums,
    partial: bool,
    cluster_metrics: bool,
    rule: u32,
    power: Power,
    /// Rows per tile.
    pub(in crate::clustering) rows: usize,
}

impl SweepLayout {
    /// Returns the layout for these prototypes on a GPU with `shared` bytes of shared memory per block; `None` if a
    /// tile of four rows does not fit.
    pub(in crate::clustering) fn new(
        prototypes: &Prototypes,
        precision: Precision,
        weighted: bool,
        requested: RequestedSums,
        shared: usize,
    ) -> Option<Self> {
        let mut layout = SweepLayout {
            clusters: prototypes.clusters(),
            columns: prototypes.columns(),
            precision,
            weighted,
            requested,
            partial: prototypes.space.partial,
            cluster_metrics: prototypes.cluster_metrics.is_some(),
            rule: rule_code(&prototypes.rule),
            power: Power::of(prototypes.rule.fuzzifier()),
            rows: 4,
        };
        let tiles = [128, 64, 32, 16, 8, 4].map(|rows| SweepLayout { rows, ..layout.clone() });
        let fits = |largest: usize| tiles.iter().find(|layout| layout.shared_bytes() <= largest);
        layout.rows = fits(MAX_SHARED_FOR_TWO_BLOCKS.min(shared)).or_else(|| fits(shared))?.rows;
        Some(layout)
    }

    /// Reduces the tile size if `rows` rows would leave multiprocessors idle.
    pub(in crate::clustering) fn with_small_tiles(mut self, rows: usize, multiprocessors: usize) -> Self {
        while self.rows > 32 && rows.div_ceil(self.rows) < multiprocessors {
            self.rows /= 2;
        }
        self
    }

    fn padded(&self) -> usize {
        self.clusters.next_multiple_of(4)
    }

    /// Number of quads of columns per row in shared memory: values, presence flags, ones.
    fn quads(&self) -> usize {
        (self.columns * (1 + usize::from(self.partial)) + 1).div_ceil(4)
    }

    fn stride(&self) -> usize {
        (self.quads() | 1) * 4
    }

    fn split(&self) -> usize {
        let tiles = self.padded() / 4 * self.quads();
        let fits = |n: &usize| tiles * n <= THREADS && n * 4 <= self.rows;
        [32, 16, 8, 4, 2].into_iter().find(fits).unwrap_or(1)
    }

    fn slots(&self) -> usize {
        self.rows.div_ceil(32)
    }

    pub(in crate::clustering) fn shared_bytes(&self) -> usize {
        let size = if self.precision == Precision::F32 { 4 } else { 8 };
        let values = self.rows * self.stride() + self.padded() * (self.rows + 4) + THREADS;
        (values * size).max(THREADS * 8) // reused for the final reduction
    }

    fn totals_at(&self) -> usize {
        self.padded() * self.quads() * 4
    }

    fn quality_at(&self) -> usize {
        self.totals_at() + 4
    }

    fn scatter_at(&self) -> usize {
        let quality = if self.requested.quality { self.slots() * 3 * self.padded() } else { 0 };
        self.quality_at() + quality
    }

    /// Number of values written by a block.
    pub(in crate::clustering) fn block_sums(&self) -> usize {
        let scatter = if self.requested.scatter { self.clusters * self.columns * self.columns } else { 0 };
        self.scatter_at() + scatter
    }

    /// Adds the constants of this layout to a program.
    pub(in crate::clustering) fn specialize(&self, program: Program) -> Program {
        let flag = |set: bool| if set { "1" } else { "0" };
        let columns_at = HEADER + 2 * self.padded();
        let centers_at = columns_at + self.columns * self.padded();
        program
            .constant("REAL", self.precision.real())
            .constant("CLUSTERS", self.clusters)
            .constant("COLUMNS", self.columns)
            .constant("ROWS", self.rows)
            .constant("THREADS", THREADS)
            .constant("RULE", self.rule)
            .constant("POWER", self.power as u32)
            .constant("WEIGHTED", flag(self.weighted))
            .constant("PARTIAL", flag(self.partial))
            .constant("CLUSTER_METRICS", flag(self.cluster_metrics))
            .constant("QUALITY", flag(self.requested.quality))
            .constant("SCATTER", flag(self.requested.scatter))
            .constant("PADDED", self.padded())
            .constant("QUADS", self.quads())
            .constant("STRIDE", self.stride())
            .constant("SPLIT", self.split())
            .constant("WIDTHS_AT", HEADER)
            .constant("OFFSETS_AT", HEADER + self.padded())
            .constant("COLUMNS_AT", columns_at)
            .constant("CENTERS_AT", centers_at)
            .constant("FACTORS_AT", centers_at + self.clusters * self.columns)
            .constant("TOTALS_AT", self.totals_at())
            .constant("QUALITY_AT", self.quality_at())
            .constant("SCATTER_AT", self.scatter_at())
            .constant("BLOCK_SUMS", self.block_sums())
    }

    /// Encodes the prototypes as the kernel's input array.
    pub(in crate::clustering) fn encode(&self, prototypes: &Prototypes) -> Vec<f64> {
        let padded = self.padded();
        let mut values = vec![0.0; HEADER + padded * 2 + self.columns * padded];
        let m = prototypes.rule.fuzzifier();
        let header = match &prototypes.rule {
            MembershipRule::Fuzzy { .. } | MembershipRule::Gaussian { .. } | MembershipRule::Hard => {
                [m, 0.0, 0.0, 0.0, 0.0]
            }
            MembershipRule::Noise { distance, .. } => [m, *distance, 0.0, 0.0, 0.0],
            MembershipRule::Possibilistic { .. } => [m, 0.0, m, 0.0, 1.0],
            MembershipRule::Mixed { typicality_fuzzifier, membership, typicality, .. } => {
                [m, 0.0, *typicality_fuzzifier, *membership, *typicality]
            }
        };
        values[..header.len()].copy_from_slice(&header);
        if let MembershipRule::Possibilistic { widths, .. } | MembershipRule::Mixed { widths, .. } =
            &prototypes.rule
        {
            values[HEADER..][..widths.len()].copy_from_slice(widths);
        }
        if let Some(metrics) = &prototypes.cluster_metrics {
            values[HEADER + padded..][..metrics.offsets.len()].copy_from_slice(&metrics.offsets);
        }
        for (at, center) in prototypes.centers.iter().enumerate() {
            let (cluster, column) = (at / self.columns, at % self.columns);
            values[HEADER + 2 * padded + column * padded + cluster] = *center;
        }
        values.extend(&prototypes.centers);
        values.extend(prototypes.cluster_metrics.iter().flat_map(|metrics| &metrics.factors));
        values
    }

    /// Converts the reduced sums of all blocks; the caller sets `rows` and `weight`.
    pub(in crate::clustering) fn decode(&self, values: &[f64]) -> Sums {
        let (clusters, columns, padded) = (self.clusters, self.columns, self.padded());
        let mut sums = Sums::zero(clusters, columns, self.partial, self.requested);
        let ones = columns * (1 + usize::from(self.partial));
        for (cluster, row) in
            values[..self.totals_at()].chunks_exact(self.quads() * 4).take(clusters).enumerate()
        {
            sums.masses[cluster] = row[ones];
            sums.moments[cluster * columns..][..columns].copy_from_slice(&row[..columns]);
            if self.partial {
                sums.column_masses[cluster * columns..][..columns]
                    .copy_from_slice(&row[columns..2 * columns]);
            }
        }
        let totals = &values[self.totals_at()..];
        sums.objective = totals[0];
        if let Some(quality) = &mut sums.quality {
            let slots = &values[self.quality_at()..self.scatter_at()];
            let total = |which: usize, cluster: usize| {
                (0..self.slots()).map(|slot| slots[(slot * 3 + which) * padded + cluster]).sum()
            };
            let totals_of = |which: usize| (0..clusters).map(|cluster| total(which, cluster)).collect();
            *quality = QualitySums {
                memberships: totals_of(0),
                sizes: totals_of(1),
                spreads: totals_of(2),
                squares: totals[1],
                entropy: totals[2],
                distances: totals[3],
            };
        }
        if self.requested.scatter {
            sums.scatter.copy_from_slice(&values[self.scatter_at()..self.block_sums()]);
            mirror(&mut sums.scatter, columns);
        }
        sums
    }
}

/// Copies the lower triangles to the upper ones, which the kernel does not compute.
fn mirror(matrices: &mut [f64], n: usize) {
    for matrix in matrices.chunks_exact_mut(n * n) {
        for i in 0..n {
            for j in 0..i {
                matrix[j * n + i] = matrix[i * n + j];
            }
        }
    }
}

/// Value of `RULE` in the kernels.
fn rule_code(rule: &MembershipRule) -> u32 {
    match rule {
        MembershipRule::Fuzzy { .. } => 0,
        MembershipRule::Gaussian { .. } => 1,
        MembershipRule::Hard => 2,
        MembershipRule::Noise { .. } => 3,
        MembershipRule::Possibilistic { .. } => 4,
        MembershipRule::Mixed { .. } => 5,
    }
}
