//! Many unknowns: pairs of rules, and a tiled matrix.

use super::{LARGE, assert_close, encode, layout_of, phi_only, problem_data, sweep_grid};
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};
use crate::tuning::cuda::large;
use crate::tuning::cuda::layout::{self, MATRIX_TILE, PAIR_THREADS, THREADS};
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::ScaledSamples;

fn complete(samples: &ScaledSamples) -> ScaledSamples {
    large::select_training_rows(samples, |x| !x.iter().any(|x| x.is_nan()))
}

#[test]
fn emulated_kernels_for_many_unknowns_match_the_textbook() {
    for problem in LARGE {
        let (network, samples) = problem_data(&problem);
        let layout = phi_only(layout_of(&problem, &network, Loss::SquaredError));
        // These kernels skip rows with missing inputs.
        let complete = complete(&samples);
        let expected = Textbook(&complete).normal_equations(&network).unwrap();
        let Some(sweep) = or_skip(&layout.sweep_program()) else { return };
        let (fire, pairs) =
            (or_skip(&layout.firing_program()).unwrap(), or_skip(&layout.pair_program()).unwrap());
        let (scale, cholesky) =
            (or_skip(&layout::scale_program()).unwrap(), or_skip(&layout.cholesky_program()).unwrap());
        let order = Order::ALL[2];
        let encoded = encode(&layout, &network, &samples, &sweep, order);
        let splits = 2;
        let mut sums = vec![0.0; splits * layout.pair_sums_len()];
        // The second chunk is not a whole number of stages.
        for (first, count) in [(0, 96), (96, samples.training - 96)] {
            let stride = count.next_multiple_of(32);
            let mut phi = vec![f64::NAN; stride * layout.rules];
            let mut monomials = vec![f64::NAN; stride * layout.product_basis().len()];
            let mut args = [
                Arg::slice(&encoded.rows),
                Arg::value(first as i64),
                Arg::value(count as i64),
                Arg::slice(&encoded.sets),
                Arg::slice(&encoded.set_indices),
                Arg::value(stride as i64),
                Arg::slice_mut(&mut phi),
                Arg::slice_mut(&mut monomials),
            ];
            fire.launch("firing_strengths", sweep_grid(&layout), order, &mut args).unwrap();
            drop(args);
            let groups = layout.pair_tiles().div_ceil(PAIR_THREADS / 32);
            let (slabs, _) = layout.slabs();
            let grid =
                Grid::new((groups * splits) as u32, PAIR_THREADS as u32).shared(layout.pair_bytes() as u32);
            let grid = Grid { blocks: [grid.blocks[0], slabs as u32, 1], ..grid };
            let mut args = [
                Arg::slice(&phi),
                Arg::slice(&monomials),
                Arg::value(stride as i64),
                Arg::value(splits as i32),
                Arg::value(1i32),
                Arg::slice_mut(&mut sums),
            ];
            pairs.launch("pair_products", grid, order, &mut args).unwrap();
        }
        let (n, side) = (layout.unknowns(), layout.unknowns().next_multiple_of(MATRIX_TILE));
        let mut matrix = vec![0.0; (side + MATRIX_TILE) * side];
        let frames = large::frame_expansions(&layout, &network);
        let mut args = [
            Arg::slice(&sums),
            Arg::value(splits as i32),
            Arg::slice(&frames),
            Arg::slice_mut(&mut matrix),
            Arg::value(side as i64),
        ];
        let grid = Grid::new((layout.pair_tiles() * 64) as u32, PAIR_THREADS as u32)
            .shared(layout.assemble_bytes() as u32);
        pairs.launch("assemble_matrix", grid, order, &mut args).unwrap();
        drop(args);
        let gram: Vec<f64> = (0..n).flat_map(|i| matrix[i * side..][..=i].to_vec()).collect();
        assert_close(&gram, &expected.gram, 1e-12, "ΦᵀWΦ");

        let ridge = 1e-9;
        let mut scales = vec![f64::NAN; side];
        let mut args =
            [Arg::slice(&matrix), Arg::value(n as i32), Arg::value(side as i64), Arg::slice_mut(&mut scales)];
        scale.launch("diagonal_scales", Grid::new(1, THREADS as u32), order, &mut args).unwrap();
        drop(args);
        let mut args = [
            Arg::slice_mut(&mut matrix),
            Arg::value(side as i64),
            Arg::slice(&scales),
            Arg::slice(&expected.cross),
            Arg::value(n as i32),
            Arg::value(problem.outputs as i32),
            Arg::value(ridge),
        ];
        let blocks = ((side + MATRIX_TILE) * side).div_ceil(THREADS) as u32;
        scale.launch("scale_matrix", Grid::new(blocks, THREADS as u32), order, &mut args).unwrap();
        drop(args);
        let mut diagonal = vec![f64::NAN; side * MATRIX_TILE];
        let (mut barrier, mut result) = (vec![0u32], vec![0i32]);
        let mut args = [
            Arg::slice_mut(&mut matrix),
            Arg::value((side / MATRIX_TILE) as i32),
            Arg::value(problem.outputs as i32),
            Arg::slice_mut(&mut diagonal),
            Arg::slice_mut(&mut barrier),
            Arg::slice_mut(&mut result),
        ];
        let grid = Grid::new(2, THREADS as u32).shared(layout::cholesky_bytes() as u32).cooperative();
        cholesky.launch("solve_tiles", grid, order, &mut args).unwrap();
        drop(args);
        assert_eq!(result, [0]);
        let line = |o: usize| &matrix[(side + o) * side..][..n];
        let theta: Vec<f64> = (0..problem.outputs)
            .flat_map(|o| line(o).iter().zip(&scales).map(|(x, scale)| x * scale))
            .collect();
        assert_close(&theta, &solve(&expected, ridge).theta, 1e-8, "θ");
    }
}
