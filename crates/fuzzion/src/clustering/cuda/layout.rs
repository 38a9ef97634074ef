//! How a problem is laid out for the kernel with explicit differences: tiles, shared memory, and where its numbers stand.

use super::super::prototypes::{Prototypes, Rule};
use super::super::sums::{Statistics, Sums, Want};
use super::programs::{Power, rule_code};
use crate::data::Precision;
use crate::device::cuda::Program;

/// Threads of a block.
pub(in super::super) const THREADS: usize = 256;
/// Shared memory that lets two blocks live on a multiprocessor.
const TWO_BLOCKS: usize = 100 << 10;
/// The rule's numbers at the front of the prototypes.
const HEADER: usize = 8;

/// What the kernel is specialised by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Layout {
    pub(in super::super) clusters: usize,
    pub(in super::super) columns: usize,
    pub(in super::super) precision: Precision,
    pub(in super::super) weighted: bool,
    pub(in super::super) want: Want,
    partial: bool,
    shaped: bool,
    mapped: bool,
    rule: u32,
    power: Power,
    /// Rows of a tile.
    pub(in super::super) rows: usize,
}

impl Layout {
    /// The layout for these prototypes on a GPU with so much shared memory per block; `None` where a tile of four rows
    /// would not fit.
    pub(in super::super) fn new(
        prototypes: &Prototypes,
        precision: Precision,
        weighted: bool,
        want: Want,
        shared: usize,
    ) -> Option<Self> {
        let mut layout = Layout {
            clusters: prototypes.clusters(),
            columns: prototypes.columns(),
            precision,
            weighted,
            want,
            partial: prototypes.space.partial,
            shaped: prototypes.shapes.is_some(),
            mapped: prototypes.space.map.is_some(),
            rule: rule_code(&prototypes.rule),
            power: Power::of(prototypes.rule.fuzzifier()),
            rows: 4,
        };
        let tiles = [128, 64, 32, 16, 8, 4].map(|rows| Layout { rows, ..layout.clone() });
        let fits = |most: usize| tiles.iter().find(|layout| layout.shared_bytes() <= most);
        layout.rows = fits(TWO_BLOCKS.min(shared)).or_else(|| fits(shared))?.rows;
        Some(layout)
    }

    /// The same with smaller tiles where so few rows would leave multiprocessors idle.
    pub(in super::super) fn smaller(mut self, rows: usize, multiprocessors: usize) -> Self {
        while self.rows > 32 && rows.div_ceil(self.rows) < multiprocessors {
            self.rows /= 2;
        }
        self
    }

    fn padded(&self) -> usize {
        self.clusters.next_multiple_of(4)
    }

    /// Columns of a row in shared memory in fours: values, which are present, ones.
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

    pub(in super::super) fn shared_bytes(&self) -> usize {
        let size = if self.precision == Precision::F32 { 4 } else { 8 };
        let numbers = self.rows * self.stride() + self.padded() * (self.rows + 4) + THREADS;
        (numbers * size).max(THREADS * 8) // at the end the sums are joined there
    }

    fn totals_at(&self) -> usize {
        self.padded() * self.quads() * 4
    }

    fn statistics_at(&self) -> usize {
        self.totals_at() + 4
    }

    fn scatter_at(&self) -> usize {
        let statistics = if self.want.statistics { self.slots() * 3 * self.padded() } else { 0 };
        self.statistics_at() + statistics
    }

    /// How many numbers a block leaves.
    pub(in super::super) fn block_sums(&self) -> usize {
        let scatter = if self.want.scatter { self.clusters * self.columns * self.columns } else { 0 };
        self.scatter_at() + scatter
    }

    /// Constants of every program made for this layout.
    pub(in super::super) fn specialise(&self, program: Program) -> Program {
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
            .constant("SHAPED", flag(self.shaped))
            .constant("MAPPED", flag(self.mapped))
            .constant("STATISTICS", flag(self.want.statistics))
            .constant("SCATTER", flag(self.want.scatter))
            .constant("PADDED", self.padded())
            .constant("QUADS", self.quads())
            .constant("STRIDE", self.stride())
            .constant("SPLIT", self.split())
            .constant("WIDTHS_AT", HEADER)
            .constant("OFFSETS_AT", HEADER + self.padded())
            .constant("COLUMNS_AT", columns_at)
            .constant("CENTERS_AT", centers_at)
            .constant("MAPS_AT", centers_at + self.clusters * self.columns)
            .constant("TOTALS_AT", self.totals_at())
            .constant("STATISTICS_AT", self.statistics_at())
            .constant("SCATTER_AT", self.scatter_at())
            .constant("BLOCK_SUMS", self.block_sums())
    }

    /// The prototypes as the kernel's one array.
    pub(in super::super) fn encode(&self, prototypes: &Prototypes) -> Vec<f64> {
        let padded = self.padded();
        let mut numbers = vec![0.0; HEADER + padded * 2 + self.columns * padded];
        let m = prototypes.rule.fuzzifier();
        let header = match &prototypes.rule {
            Rule::Fuzzy { .. } | Rule::Gaussian { .. } | Rule::Hard => [m, 0.0, 0.0, 0.0, 0.0],
            Rule::Noise { distance, .. } => [m, *distance, 0.0, 0.0, 0.0],
            Rule::Possibilistic { .. } => [m, 0.0, m, 0.0, 1.0],
            Rule::Mixed { typicality_fuzzifier, membership, typicality, .. } => {
                [m, 0.0, *typicality_fuzzifier, *membership, *typicality]
            }
        };
        numbers[..header.len()].copy_from_slice(&header);
        if let Rule::Possibilistic { widths, .. } | Rule::Mixed { widths, .. } = &prototypes.rule {
            numbers[HEADER..][..widths.len()].copy_from_slice(widths);
        }
        if let Some(shapes) = &prototypes.shapes {
            numbers[HEADER + padded..][..shapes.offsets.len()].copy_from_slice(&shapes.offsets);
        }
        for (at, center) in prototypes.centers.iter().enumerate() {
            let (cluster, column) = (at / self.columns, at % self.columns);
            numbers[HEADER + 2 * padded + column * padded + cluster] = *center;
        }
        numbers.extend(&prototypes.centers);
        numbers.extend(prototypes.shapes.iter().flat_map(|shapes| &shapes.maps));
        numbers
    }

    /// The joined sums of all blocks as those of the room; `rows` and `weight` are the caller's to add.
    pub(in super::super) fn decode(&self, found: &[f64]) -> Sums {
        let (clusters, columns, padded) = (self.clusters, self.columns, self.padded());
        let mut sums = Sums::zero(clusters, columns, self.partial, self.want);
        let ones = columns * (1 + usize::from(self.partial));
        for (cluster, row) in
            found[..self.totals_at()].chunks_exact(self.quads() * 4).take(clusters).enumerate()
        {
            sums.masses[cluster] = row[ones];
            sums.moments[cluster * columns..][..columns].copy_from_slice(&row[..columns]);
            if self.partial {
                sums.seen[cluster * columns..][..columns].copy_from_slice(&row[columns..2 * columns]);
            }
        }
        let totals = &found[self.totals_at()..];
        sums.objective = totals[0];
        if let Some(statistics) = &mut sums.statistics {
            let slots = &found[self.statistics_at()..self.scatter_at()];
            let total = |which: usize, cluster: usize| {
                (0..self.slots()).map(|slot| slots[(slot * 3 + which) * padded + cluster]).sum()
            };
            let all = |which: usize| (0..clusters).map(|cluster| total(which, cluster)).collect();
            *statistics = Statistics {
                memberships: all(0),
                sizes: all(1),
                spreads: all(2),
                squares: totals[1],
                entropy: totals[2],
                distances: totals[3],
            };
        }
        if self.want.scatter {
            sums.scatter.copy_from_slice(&found[self.scatter_at()..self.block_sums()]);
            mirror(&mut sums.scatter, columns);
        }
        sums
    }
}

/// The kernel makes one half of each symmetric matrix.
fn mirror(matrices: &mut [f64], n: usize) {
    for matrix in matrices.chunks_exact_mut(n * n) {
        for i in 0..n {
            for j in 0..i {
                matrix[j * n + i] = matrix[i * n + j];
            }
        }
    }
}
