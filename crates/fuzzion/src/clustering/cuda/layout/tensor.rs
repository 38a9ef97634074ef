//! Layout of the product kernels on tensor cores: problem sizes, constants, and decoding of the sums.

use crate::clustering::prototypes::{MembershipRule, Power, Prototypes};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::device::cuda::Program;

/// Warps of a block, and registers per thread of the small kernel in addition to its sums.
const WARPS: usize = 4;
const BASE_REGISTERS: usize = 40;
/// Scale factor of the degrees before rounding to FP16.
const DEGREE_SCALE: f64 = 32768.0;

/// Smallest ratio of the squared distance of two centers to their squared norms at which the product form computes
/// the memberships of every row to within 1e-5: the error of a distance is about 2⁻²³ of the norms.
pub(in crate::clustering) const MIN_SEPARATION: f32 = 1.0 / 32.0;

/// Specialization parameters of the tensor-core kernels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::clustering) struct TensorLayout {
    pub(in crate::clustering) clusters: usize,
    pub(in crate::clustering) columns: usize,
    pub(in crate::clustering) weighted: bool,
    noise: bool,
    power: Power,
    /// Whether the sums are distributed over the warps of a block instead of being duplicated in each warp.
    pub(in crate::clustering) large: bool,
    /// Number of tiles of 16 clusters and of words of 8 columns, padded as required by the kernel.
    tiles: usize,
    words: usize,
}

impl TensorLayout {
    /// Returns the layout for these prototypes; `None` if differences must be used.
    pub(in crate::clustering) fn new(
        prototypes: &Prototypes,
        weighted: bool,
        requested: RequestedSums,
    ) -> Option<Self> {
        let (noise, fuzzifier) = match &prototypes.rule {
            MembershipRule::Fuzzy { fuzzifier } => (false, *fuzzifier),
            MembershipRule::Noise { fuzzifier, .. } => (true, *fuzzifier),
            _ => return None,
        };
        let (clusters, columns) = (prototypes.clusters(), prototypes.columns());
        let unsupported = requested.scatter
            || requested.quality
            || prototypes.cluster_metrics.is_some()
            || prototypes.space.partial;
        if unsupported || columns < 8 || clusters < 2 || !prototypes.space.single {
            return None;
        }
        let power = Power::of(fuzzifier);
        let layout = |large, tiles, words| TensorLayout {
            clusters,
            columns,
            weighted,
            noise,
            power,
            large,
            tiles,
            words,
        };
        let (tiles, words) = (clusters.div_ceil(16), columns.div_ceil(8));
        if tiles <= 4 && words <= 8 && tiles * words <= 16 {
            return Some(layout(false, tiles, words));
        }
        let tiles = if tiles <= 4 { 4 } else { tiles.next_multiple_of(8) };
        let words = words.next_multiple_of(4);
        (tiles <= 16 && words <= 16).then(|| layout(true, tiles, words))
    }

    /// Words loaded at once by a thread; the large kernel copies whole rows.
    fn pack(&self) -> usize {
        match (self.large, self.words % 2) {
            (true, _) => 1,
            (false, 0) => 4,
            (false, _) => 2,
        }
    }

    /// Number of resident blocks per multiprocessor, limited by registers.
    pub(in crate::clustering) fn blocks_per_multiprocessor(&self) -> usize {
        let registers = BASE_REGISTERS + 4 * self.tiles * self.words + 16 * self.tiles + 12 * self.words;
        if self.large { 1 } else { (512 / registers).clamp(1, 8) }
    }

    pub(in crate::clustering) fn threads(&self) -> usize {
        if self.large { 256 } else { 32 * WARPS }
    }

    /// Rows processed at once by a block.
    pub(in crate::clustering) fn rows_per_block(&self) -> usize {
        if self.large { 32 } else { 16 * WARPS }
    }

    pub(in crate::clustering) fn shared_bytes(&self) -> usize {
        let (tiles, words) = (self.tiles, self.words);
        let centers = tiles * words * 512 + tiles * 256;
        if self.large {
            let warps_on_clusters = if tiles < 8 { 4 } else { 8 };
            centers + 2 * 32 * (words * 32 + 16) + 512 + tiles * 2048 + warps_on_clusters * 128
        } else {
            centers + WARPS * self.moments() * 4
        }
    }

    /// 32-bit words of a split row.
    pub(in crate::clustering) fn row_words(&self) -> usize {
        8 * self.words
    }

    /// Number of sums of degrees × columns, including padding.
    pub(in crate::clustering) fn moments(&self) -> usize {
        self.tiles * self.words * 128
    }

    /// Number of values written by a block.
    pub(in crate::clustering) fn block_sums(&self) -> usize {
        self.moments() + self.tiles * 16 + 2
    }

    /// Whether the reduced sums of all blocks report a row that is near more than one center.
    pub(in crate::clustering) fn has_row_near_several(&self, values: &[f64]) -> bool {
        values[self.block_sums() - 1] != 0.0
    }

    /// Adds the constants of this layout to a program.
    pub(in crate::clustering) fn specialize(&self, program: Program) -> Program {
        let flag = |set: bool| if set { "1" } else { "0" };
        let program = if self.large { program } else { program.constant("WARPS", WARPS) };
        program
            .constant("REAL", "float")
            .constant("CLUSTERS", self.clusters)
            .constant("COLUMNS", self.columns)
            .constant("TILES_16", self.tiles)
            .constant("WORDS", self.words)
            .constant("PACK", self.pack())
            .constant("BLOCKS_PER_MULTIPROCESSOR", self.blocks_per_multiprocessor())
            .constant("POWER", self.power as u32)
            .constant("WEIGHTED", flag(self.weighted))
            .constant("WITH_NOISE", flag(self.noise))
    }

    /// Converts the reduced sums of all blocks; the caller sets `rows` and `weight`.
    pub(in crate::clustering) fn decode(&self, values: &[f64], column_scale: &[f32]) -> Sums {
        let mut sums = Sums::zero(self.clusters, self.columns, false, RequestedSums::default());
        let unscale = |sum: f64| sum / DEGREE_SCALE;
        for cluster in 0..self.clusters {
            let row = &values[cluster * self.words * 8..][..self.columns];
            let to = &mut sums.moments[cluster * self.columns..][..self.columns];
            for ((to, sum), scale) in to.iter_mut().zip(row).zip(column_scale) {
                *to = unscale(*sum) / f64::from(*scale);
            }
            sums.masses[cluster] = unscale(values[self.moments() + cluster]);
        }
        sums.objective = values[self.block_sums() - 2];
        sums
    }
}
