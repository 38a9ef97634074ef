//! The outputs of many rows: each block of rules is read once for several of them.
//!
//! z = a·x − c and the sum of its squares are two multiply-adds, as many as the product of matrices
//! ln μ = −Σ x²a² + 2·Σ x·c·a − Σ c² has, and unlike there nothing cancels.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f32 here

use super::super::samples::Samples;
use super::answer::{Answer, answer, least};
use super::rules::Rules;
use super::sample::Sample;
use crate::device::{Cpu, Vector, vectors};

/// Rows whose sums run at once.
const TILE: usize = 8;
/// Tiles of a piece of work.
const CHUNK: usize = 8 * TILE;

/// The outputs of these rows, row by row.
pub(super) fn outputs(rules: &Rules, samples: &Samples, rows: &[u32], cpu: &Cpu) -> Vec<f32> {
    let outputs = rules.outputs;
    let mut all = vec![0.0; rows.len() * outputs];
    cpu.fill_chunks(&mut all, outputs, CHUNK, |first, out| {
        let mut tile: Vec<Sample> = (0..TILE).map(|_| Sample::new(rules.dims)).collect();
        let mut said = Answer { y: vec![0.0; outputs], ..Answer::default() };
        let places = rules.blocks.len() * rules.lanes;
        let mut sums = vec![0.0; TILE * places];
        for (i, out) in out.chunks_mut(TILE * outputs).enumerate() {
            let rows = &rows[first + i * TILE..][..out.len() / outputs];
            for (sample, row) in tile.iter_mut().zip(rows) {
                sample.take(samples.inputs_of(*row as usize));
            }
            tile_sums(cpu.simd(), rules, &tile, &mut sums);
            for (sums, out) in sums.chunks_mut(places.max(1)).zip(out.chunks_mut(outputs)) {
                sums[rules.count..].fill(f32::INFINITY);
                answer(cpu.simd(), sums, least(cpu.simd(), sums), &rules.w, &mut said);
                out.copy_from_slice(&said.y);
            }
        }
    });
    all
}

vectors! {
    /// −ln μ of all places for each sample of a tile.
    fn tile_sums(rules: &Rules, tile: &[Sample], sums: &mut [f32]) = tile_sums_body::<f32>;
}

#[inline(always)]
fn tile_sums_body<T, V: Vector<f32, L>, const FMA: bool, const L: usize>(
    rules: &Rules,
    tile: &[Sample],
    sums: &mut [f32],
) {
    if tile.iter().any(|sample| sample.missing) {
        tile_squares::<V, true, L>(rules, tile, sums);
    } else {
        tile_squares::<V, false, L>(rules, tile, sums);
    }
}

#[inline(always)]
fn tile_squares<V: Vector<f32, L>, const MISSING: bool, const L: usize>(
    rules: &Rules,
    tile: &[Sample],
    sums: &mut [f32],
) {
    let Some(tile) = tile.first_chunk::<TILE>() else { return };
    let dims = tile[0].x.len();
    let x: [&[f32]; TILE] = std::array::from_fn(|i| &tile[i].x[..dims]);
    let present: [&[f32]; TILE] = std::array::from_fn(|i| &tile[i].present[..dims]);
    let places = rules.blocks.len() * L;
    for (b, block) in rules.blocks.iter().enumerate() {
        let planes = block.as_chunks::<L>().0.as_chunks::<2>().0;
        let mut squares = [V::splat(0.0); TILE];
        for (j, [a, minus_c]) in planes[..dims].iter().enumerate() {
            let (a, minus_c) = (V::load(a), V::load(minus_c));
            for i in 0..TILE {
                let mut z = a.mul_add(V::splat(x[i][j]), minus_c);
                if MISSING {
                    z = z * V::splat(present[i][j]);
                }
                squares[i] = z.mul_add(z, squares[i]);
            }
        }
        for (i, square) in squares.into_iter().enumerate() {
            let at = (i * places + b * L) / L;
            square.least(V::splat(f32::MAX)).store(&mut sums.as_chunks_mut::<L>().0[at]);
        }
    }
}
