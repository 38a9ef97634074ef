//! Outputs of many rows: each block of rules is read once for several rows.
//!
//! z = a·x − c and the sum of squares take two multiply-adds, the same as the matrix product
//! ln μ = −Σ x²a² + 2·Σ x·c·a − Σ c², but without cancellation.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` passes the number type, which is always f32 here

use super::passes::{ForwardPass, forward, minimum};
use super::rule_blocks::RuleBlocks;
use crate::device::{Cpu, Vector, vectors};
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Rows per tile; their sums are accumulated concurrently.
const TILE: usize = 8;
/// Tiles processed for each read of a block.
const TILES: usize = 8;

/// Inputs of a few rows, interleaved; 0 if missing.
struct Tile {
    x: Vec<[f32; TILE]>,
    /// 1, or 0 if missing; empty if nothing is missing.
    present: Vec<[f32; TILE]>,
}

impl Tile {
    /// Loads these rows; repeats the last one to fill the tile.
    fn new(samples: &ScaledSamples, rows: &[u32]) -> Self {
        let mut x = vec![[0.0; TILE]; samples.dims];
        for i in 0..TILE {
            let row = rows[i.min(rows.len() - 1)] as usize;
            x.iter_mut().zip(samples.inputs_of(row)).for_each(|(tile, x)| tile[i] = *x);
        }
        let mut present = Vec::new();
        if x.as_flattened().iter().any(|x| x.is_nan()) {
            present.extend(x.iter().map(|tile| tile.map(|x| if x.is_nan() { 0.0 } else { 1.0 })));
            x.as_flattened_mut().iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = 0.0);
        }
        Tile { x, present }
    }
}

/// Outputs of these rows, row by row.
pub(super) fn outputs(rules: &RuleBlocks, samples: &ScaledSamples, rows: &[u32], cpu: &Cpu) -> Vec<f32> {
    let outputs = rules.outputs;
    let slots = rules.blocks.len() * rules.lanes;
    let mut all = vec![0.0; rows.len() * outputs];
    if slots == 0 {
        return all; // no rules
    }
    cpu.fill_chunks(&mut all, outputs, TILE * TILES, |first, out| {
        let rows = &rows[first..][..out.len() / outputs];
        let tiles: Vec<Tile> = rows.chunks(TILE).map(|rows| Tile::new(samples, rows)).collect();
        let mut sums = vec![0.0; tiles.len() * TILE * slots];
        tile_sums(cpu.simd(), rules, &tiles, &mut sums);
        let mut pass = ForwardPass { y: vec![0.0; outputs], ..ForwardPass::default() };
        for (sums, out) in sums.chunks_mut(slots).zip(out.chunks_mut(outputs)) {
            sums[rules.count..].fill(f32::INFINITY);
            forward(cpu.simd(), sums, minimum(cpu.simd(), sums), &rules.w, &mut pass);
            out.copy_from_slice(&pass.y);
        }
    });
    all
}

vectors! {
    /// −ln μ of all slots for each row of the tiles.
    fn tile_sums(rules: &RuleBlocks, tiles: &[Tile], sums: &mut [f32]) = tile_sums_body::<f32>;
}

#[inline(always)]
fn tile_sums_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    rules: &RuleBlocks,
    tiles: &[Tile],
    sums: &mut [f32],
) {
    let blocks = rules.blocks.len();
    let sums = sums.as_chunks_mut::<L>().0;
    for (b, block) in rules.blocks.iter().enumerate() {
        let planes = block.as_chunks::<L>().0.as_chunks::<2>().0;
        for (tile, sums) in tiles.iter().zip(sums.chunks_mut(TILE * blocks)) {
            let squared_distances = if tile.present.is_empty() {
                squared_distances::<V, false, L>(planes, tile)
            } else {
                squared_distances::<V, true, L>(planes, tile)
            };
            for (i, square) in squared_distances.into_iter().enumerate() {
                square.simd_min(V::splat(f32::MAX)).store(&mut sums[i * blocks + b]);
            }
        }
    }
}

#[inline(always)]
fn squared_distances<V: Vector<f32, L>, const MISSING: bool, const L: usize>(
    planes: &[[[f32; L]; 2]],
    tile: &Tile,
) -> [V; TILE] {
    let mut squared_distances = [V::splat(0.0); TILE];
    // If nothing is missing, `present` is a dummy that is never read.
    let present = if MISSING { &tile.present } else { &tile.x };
    for (([a, minus_c], x), present) in planes.iter().zip(&tile.x).zip(present) {
        let (a, minus_c) = (V::load(a), V::load(minus_c));
        for i in 0..TILE {
            let mut z = a.mul_add(V::splat(x[i]), minus_c);
            if MISSING {
                z = z * V::splat(present[i]);
            }
            squared_distances[i] = z.mul_add(z, squared_distances[i]);
        }
    }
    squared_distances
}
