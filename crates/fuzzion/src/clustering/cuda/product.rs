//! The tensor form of the sweep: how a problem is laid out for it, and what its sums say.

use super::super::prototypes::{Prototypes, Rule};
use super::super::sums::{Sums, Want};
use super::programs::Power;
use crate::device::cuda::Program;

/// Warps of a block, and registers a thread of the smaller form needs besides its sums.
const WARPS: usize = 4;
const OTHER_REGISTERS: usize = 40;
/// Degrees are multiplied by this before they become halves.
const DEGREE_SCALE: f64 = 32768.0;
/// The smallest squared distance of two centers, as a share of their own, at which norms and products still give
/// memberships to 1e-5 for every row: a distance is off by about 2⁻²³ of the norms.
pub(in super::super) const NEAR: f32 = 1.0 / 32.0;

/// What the tensor kernels are specialised by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Form {
    pub(in super::super) clusters: usize,
    pub(in super::super) columns: usize,
    pub(in super::super) weighted: bool,
    noise: bool,
    power: Power,
    /// Whether the sums are spread over a block's warps instead of being held by each.
    pub(in super::super) large: bool,
    /// Tiles of 16 clusters and words of 8 columns, padded as the kernel needs them.
    tiles: usize,
    words: usize,
}

impl Form {
    /// The form for these prototypes; `None` where explicit differences must do.
    pub(in super::super) fn new(prototypes: &Prototypes, weighted: bool, want: Want) -> Option<Self> {
        let (noise, fuzzifier) = match &prototypes.rule {
            Rule::Fuzzy { fuzzifier } => (false, *fuzzifier),
            Rule::Noise { fuzzifier, .. } => (true, *fuzzifier),
            _ => return None,
        };
        let (clusters, columns) = (prototypes.clusters(), prototypes.columns());
        let elsewhere =
            want.scatter || want.statistics || prototypes.shapes.is_some() || prototypes.space.partial;
        if elsewhere || columns < 8 || clusters < 2 || !prototypes.space.single {
            return None;
        }
        let power = Power::of(fuzzifier);
        let form =
            |large, tiles, words| Form { clusters, columns, weighted, noise, power, large, tiles, words };
        let (tiles, words) = (clusters.div_ceil(16), columns.div_ceil(8));
        if tiles <= 4 && words <= 8 && tiles * words <= 16 {
            return Some(form(false, tiles, words));
        }
        let tiles = if tiles <= 4 { 4 } else { tiles.next_multiple_of(8) };
        let words = words.next_multiple_of(4);
        (tiles <= 16 && words <= 16).then(|| form(true, tiles, words))
    }

    /// Words that a thread loads at once; the larger form copies whole rows.
    fn pack(&self) -> usize {
        match (self.large, self.words % 2) {
            (true, _) => 1,
            (false, 0) => 4,
            (false, _) => 2,
        }
    }

    /// Registers decide how many blocks live on a multiprocessor.
    pub(in super::super) fn resident(&self) -> usize {
        let registers = OTHER_REGISTERS + 4 * self.tiles * self.words + 16 * self.tiles + 12 * self.words;
        if self.large { 1 } else { (512 / registers).clamp(1, 8) }
    }

    pub(in super::super) fn threads(&self) -> usize {
        if self.large { 256 } else { 32 * WARPS }
    }

    /// Rows that a block takes at once.
    pub(in super::super) fn rows_at_once(&self) -> usize {
        if self.large { 32 } else { 16 * WARPS }
    }

    pub(in super::super) fn shared_bytes(&self) -> usize {
        let (tiles, words) = (self.tiles, self.words);
        let centers = tiles * words * 512 + tiles * 256;
        if self.large {
            let on_clusters = if tiles < 8 { 4 } else { 8 };
            centers + 2 * 32 * (words * 32 + 16) + 512 + tiles * 2048 + on_clusters * 128
        } else {
            centers + WARPS * self.moments() * 4
        }
    }

    /// Words of a row's halves.
    pub(in super::super) fn row_words(&self) -> usize {
        8 * self.words
    }

    /// Sums of degrees × columns, padding included.
    pub(in super::super) fn moments(&self) -> usize {
        self.tiles * self.words * 128
    }

    /// How many numbers a block leaves.
    pub(in super::super) fn block_sums(&self) -> usize {
        self.moments() + self.tiles * 16 + 1
    }

    /// Constants of every program made for this form.
    pub(in super::super) fn specialise(&self, program: Program) -> Program {
        let flag = |set: bool| if set { "1" } else { "0" };
        let program = if self.large { program } else { program.constant("WARPS", WARPS) };
        program
            .constant("REAL", "float")
            .constant("CLUSTERS", self.clusters)
            .constant("COLUMNS", self.columns)
            .constant("TILES_16", self.tiles)
            .constant("WORDS", self.words)
            .constant("PACK", self.pack())
            .constant("RESIDENT", self.resident())
            .constant("POWER", self.power as u32)
            .constant("WEIGHTED", flag(self.weighted))
            .constant("WITH_NOISE", flag(self.noise))
    }

    /// The joined sums of all blocks as those of the room; `rows` and `weight` are the caller's to add.
    pub(in super::super) fn decode(&self, found: &[f64], column_scale: &[f32]) -> Sums {
        let mut sums = Sums::zero(self.clusters, self.columns, false, Want::default());
        let unscaled = |sum: f64| sum / DEGREE_SCALE;
        for cluster in 0..self.clusters {
            let row = &found[cluster * self.words * 8..][..self.columns];
            let to = &mut sums.moments[cluster * self.columns..][..self.columns];
            for ((to, sum), scale) in to.iter_mut().zip(row).zip(column_scale) {
                *to = unscaled(*sum) / f64::from(*scale);
            }
            sums.masses[cluster] = unscaled(found[self.moments() + cluster]);
        }
        sums.objective = found[self.block_sums() - 1];
        sums
    }
}
