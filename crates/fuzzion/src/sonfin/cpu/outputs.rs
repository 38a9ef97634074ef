//! The outputs of many rows: each block of rules is read once for several of them.
//!
//! z = a·x − c and the sum of its squares are two multiply-adds, as many as the product of matrices
//! ln μ = −Σ x²a² + 2·Σ x·c·a − Σ c² has, and unlike there nothing cancels.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::super::samples::Samples;
use super::answer::{Answer, answer, least};
use super::rules::Rules;
use crate::device::{Cpu, Vector, vectors};

/// Rows whose sums run at once.
const TILE: usize = 8;
/// Tiles for which a block is read once.
const TILES: usize = 8;

/// The inputs of a few rows side by side, 0 where missing.
struct Tile {
    x: Vec<[f32; TILE]>,
    /// 1, or 0 where missing; empty where none is.
    present: Vec<[f32; TILE]>,
}

impl Tile {
    /// These rows, and the last of them again where there are too few.
    fn new(samples: &Samples, rows: &[u32]) -> Self {
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

/// The outputs of these rows, row by row.
pub(super) fn outputs(rules: &Rules, samples: &Samples, rows: &[u32], cpu: &Cpu) -> Vec<f32> {
    let outputs = rules.outputs;
    let places = rules.blocks.len() * rules.lanes;
    let mut all = vec![0.0; rows.len() * outputs];
    if places == 0 {
        return all; // no rule says anything
    }
    cpu.fill_chunks(&mut all, outputs, TILE * TILES, |first, out| {
        let rows = &rows[first..][..out.len() / outputs];
        let tiles: Vec<Tile> = rows.chunks(TILE).map(|rows| Tile::new(samples, rows)).collect();
        let mut sums = vec![0.0; tiles.len() * TILE * places];
        tile_sums(cpu.simd(), rules, &tiles, &mut sums);
        let mut said = Answer { y: vec![0.0; outputs], ..Answer::default() };
        for (sums, out) in sums.chunks_mut(places).zip(out.chunks_mut(outputs)) {
            sums[rules.count..].fill(f32::INFINITY);
            answer(cpu.simd(), sums, least(cpu.simd(), sums), &rules.w, &mut said);
            out.copy_from_slice(&said.y);
        }
    });
    all
}

vectors! {
    /// −ln μ of all places for each row of the tiles.
    fn tile_sums(rules: &Rules, tiles: &[Tile], sums: &mut [f32]) = tile_sums_body::<f32>;
}

#[inline(always)]
fn tile_sums_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    rules: &Rules,
    tiles: &[Tile],
    sums: &mut [f32],
) {
    let blocks = rules.blocks.len();
    let sums = sums.as_chunks_mut::<L>().0;
    for (b, block) in rules.blocks.iter().enumerate() {
        let planes = block.as_chunks::<L>().0.as_chunks::<2>().0;
        for (tile, sums) in tiles.iter().zip(sums.chunks_mut(TILE * blocks)) {
            let squares = if tile.present.is_empty() {
                squares::<V, false, L>(planes, tile)
            } else {
                squares::<V, true, L>(planes, tile)
            };
            for (i, square) in squares.into_iter().enumerate() {
                square.least(V::splat(f32::MAX)).store(&mut sums[i * blocks + b]);
            }
        }
    }
}

#[inline(always)]
fn squares<V: Vector<f32, L>, const MISSING: bool, const L: usize>(
    planes: &[[[f32; L]; 2]],
    tile: &Tile,
) -> [V; TILE] {
    let mut squares = [V::splat(0.0); TILE];
    // Where nothing is missing, what stands in for `present` is not looked at.
    let present = if MISSING { &tile.present } else { &tile.x };
    for (([a, minus_c], x), present) in planes.iter().zip(&tile.x).zip(present) {
        let (a, minus_c) = (V::load(a), V::load(minus_c));
        for i in 0..TILE {
            let mut z = a.mul_add(V::splat(x[i]), minus_c);
            if MISSING {
                z = z * V::splat(present[i]);
            }
            squares[i] = z.mul_add(z, squares[i]);
        }
    }
    squares
}
