//! Equation (3) for many unknowns. Tensor cores multiply all pairs of rules with the monomials up to twice the order; the
//! results are transformed to the local frames of the rules, and all multiprocessors solve the matrix together.

use super::device_samples::RowPart;
use super::gpu::CudaBackend;
use super::layout::{self, KernelLayout, MATRIX_TILE, PAIR_THREADS, THREADS, cholesky_bytes};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid};
use crate::tuning::cpu::CpuBackend;
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::network::basis::MonomialBasis;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::backend::Backend as _;
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::{ScaledSamples, select_rows};
use std::ops::Range;

/// Bytes of φ and monomials per chunk.
const CHUNK_BYTES: usize = 512 << 20;
/// Rows per stage of `pair_products`.
const STAGE: usize = 32;

impl CudaBackend<'_> {
    /// Lower triangle of ΦᵀWΦ over the rows without missing inputs, as a square matrix with space for one more row of
    /// tiles below.
    fn large_matrix(&mut self, layout: &KernelLayout, network: &Network) -> Result<(Buffer<f64>, usize)> {
        let cuda = self.cuda();
        let encoded = self.encode(layout, network)?;
        let firing = self.kernel(layout, "firing_strengths", None, KernelLayout::firing_program)?;
        let multiply = self.kernel(layout, "pair_products", None, KernelLayout::pair_program)?;
        let groups = layout.pair_tiles().div_ceil(PAIR_THREADS / 32);
        let slabs = layout.slabs().0;
        let splits = (cuda.gpu().multiprocessors as usize).div_ceil(groups * slabs).max(1);
        let max_stride =
            (CHUNK_BYTES / 8 / (layout.rules + layout.product_basis().len())).next_multiple_of(STAGE);
        let stride = max_stride.min(self.device_samples.part.rows().next_multiple_of(STAGE));
        let mut phi = cuda.alloc::<f64>(stride * layout.rules)?;
        let mut monomials = cuda.alloc::<f64>(stride * layout.product_basis().len())?;
        let mut sums = cuda.zeros::<f64>(splits * layout.pair_sums_len())?;
        let grid = Grid { blocks: [(groups * splits) as u32, slabs as u32, 1], ..pair_grid(layout) };
        self.device_samples.for_each_chunk(|chunk| {
            for first in (0..chunk.training).step_by(stride) {
                let count = (chunk.training - first).min(stride);
                let lines = count.next_multiple_of(STAGE);
                let launch = firing
                    .launch()
                    .input(chunk.values)
                    .value(first as i64)
                    .value(count as i64)
                    .input(&encoded.sets)
                    .input(&encoded.set_indices)
                    .value(lines as i64)
                    .output(&mut phi)
                    .output(&mut monomials);
                // SAFETY: the arguments match firing_strengths, compiled for this layout; rows `first`..`first +
                // count` exist, and both buffers have space for `lines` ≤ stride values per column.
                unsafe { launch.run(cuda.stream(), self.grid(lines, layout.rows, layout.sweep_bytes())) }?;
                let launch = multiply
                    .launch()
                    .input(&phi)
                    .input(&monomials)
                    .value(lines as i64)
                    .value(splits as i32)
                    .value(1)
                    .output(&mut sums);
                // SAFETY: the arguments match pair_products, compiled for this layout; `sums` was zeroed.
                unsafe { launch.run(cuda.stream(), grid) }?;
            }
            Ok(())
        })?;
        drop((phi, monomials));
        let side = layout.unknowns().next_multiple_of(MATRIX_TILE);
        let mut matrix = cuda.zeros::<f64>((side + MATRIX_TILE) * side)?;
        let frames = cuda.upload(&frame_expansions(layout, network))?;
        let assemble = self.kernel(layout, "assemble_matrix", None, KernelLayout::pair_program)?;
        let launch = assemble
            .launch()
            .input(&sums)
            .value(splits as i32)
            .input(&frames)
            .output(&mut matrix)
            .value(side as i64);
        let grid = Grid::new((layout.pair_tiles() * 64) as u32, PAIR_THREADS as u32)
            .shared(layout.assemble_bytes() as u32);
        // SAFETY: the arguments match assemble_matrix, compiled for this layout; the matrix has space for all
        // unknowns.
        unsafe { launch.run(cuda.stream(), grid) }?;
        Ok((matrix, side))
    }

    /// ΦᵀWY, by output.
    fn large_cross(&mut self, layout: &KernelLayout, network: &Network) -> Result<Vec<f64>> {
        Ok(self.gradient_sums(layout, network, true)?.split_off(layout.theta_offset()))
    }

    pub(super) fn large_normal_equations(
        &mut self,
        layout: &KernelLayout,
        network: &Network,
    ) -> Result<NormalEquations> {
        let (matrix, side) = self.large_matrix(layout, network)?;
        let matrix = self.cuda().download(&matrix)?;
        let n = layout.unknowns();
        let RowPart { samples, training, .. } = self.device_samples.part.clone();
        let square =
            |y: &Vec<f64>| -> f64 { training.clone().map(|row| samples.weight(row) * y[row] * y[row]).sum() };
        let mut gram: Vec<f64> = (0..n).flat_map(|i| matrix[i * side..][..=i].iter().copied()).collect();
        if self.device_samples.missing {
            let partial = rows_with(samples, training.clone(), |x| x.iter().any(|x| x.is_nan()));
            let rest = CpuBackend::new(&partial, self.cpu).normal_equations(network)?;
            gram.iter_mut().zip(rest.gram).for_each(|(all, rest)| *all += rest);
        }
        Ok(NormalEquations {
            gram,
            cross: self.large_cross(layout, network)?,
            squares: samples.targets.iter().map(square).collect(),
            weight: self.device_samples.weight[0],
            rows: training.len() as u64,
            ..NormalEquations::zero(n, layout.outputs)
        })
    }

    /// θ, or `None` if the matrix is nearly singular, inputs are missing, or there are too many outputs.
    pub(in crate::tuning) fn large_consequents(
        &mut self,
        layout: &KernelLayout,
        network: &Network,
        ridge: f64,
    ) -> Result<Option<Vec<f64>>> {
        if layout.outputs > MATRIX_TILE || self.device_samples.missing {
            return Ok(None);
        }
        let cross = self.large_cross(layout, network)?;
        let (matrix, side) = self.large_matrix(layout, network)?;
        self.solve_matrix(layout, (matrix, side), &cross, ridge)
    }

    /// θ of normal equations on the host, or `None` if the matrix is nearly singular, or if the unknowns are few or the
    /// outputs many, so that the host solves them.
    pub(super) fn solve_equations(
        &mut self,
        network: &Network,
        equations: &NormalEquations,
        ridge: f64,
    ) -> Result<Option<Vec<f64>>> {
        let layout = self.layout(network, Loss::SquaredError)?;
        if layout.full_phi || layout.outputs > MATRIX_TILE {
            return Ok(None);
        }
        let side = layout.unknowns().next_multiple_of(MATRIX_TILE);
        let mut matrix = vec![0.0; (side + MATRIX_TILE) * side];
        for (i, line) in matrix.chunks_exact_mut(side).take(layout.unknowns()).enumerate() {
            line[..=i].copy_from_slice(&equations.gram[i * (i + 1) / 2..][..=i]);
        }
        let matrix = self.cuda().upload(&matrix)?;
        self.solve_matrix(&layout, (matrix, side), &equations.cross, ridge)
    }

    /// θ for the lower triangle of ΦᵀWΦ and for ΦᵀWY, or `None` if the matrix is nearly singular.
    fn solve_matrix(
        &mut self,
        layout: &KernelLayout,
        (mut matrix, side): (Buffer<f64>, usize),
        cross: &[f64],
        ridge: f64,
    ) -> Result<Option<Vec<f64>>> {
        let cuda = self.cuda();
        let cross = cuda.upload(cross)?;
        let scales = scale(cuda, layout, &mut matrix, side, &cross, ridge)?;
        let kernel = self.kernel(layout, "solve_tiles", None, KernelLayout::cholesky_program)?;
        let tiles = side / MATRIX_TILE;
        let mut diagonal = cuda.alloc::<f64>(tiles * MATRIX_TILE * MATRIX_TILE)?;
        let (mut barrier, mut result) = (cuda.zeros::<u32>(1)?, cuda.zeros::<i32>(1)?);
        let launch = kernel
            .launch()
            .output(&mut matrix)
            .value(tiles as i32)
            .value(layout.outputs as i32)
            .output(&mut diagonal)
            .output(&mut barrier)
            .output(&mut result);
        let grid = cuda.cooperative_grid(&kernel, THREADS as u32, cholesky_bytes() as u32)?;
        let blocks = cuda.gpu().multiprocessors.min(grid.blocks[0]);
        // SAFETY: the arguments match solve_tiles; the matrix has one more row of tiles than `tiles`. The grid is
        // resident and cooperative, so its blocks can synchronize, and `barrier` is 0.
        unsafe { launch.run(cuda.stream(), Grid { blocks: [blocks, 1, 1], ..grid }) }?;
        if cuda.download(&result)?[0] != 0 {
            return Ok(None);
        }
        let mut lines = vec![0.0; layout.outputs * side];
        cuda.read_from(&matrix, side * side, &mut lines)?;
        let (n, scales) = (layout.unknowns(), cuda.download(&scales)?);
        let theta =
            lines.chunks(side).flat_map(|line| line[..n].iter().zip(&scales).map(|(x, scale)| x * scale));
        Ok(Some(theta.collect()))
    }
}

/// Those of `rows` whose inputs satisfy `predicate`, as training rows.
pub(in crate::tuning) fn rows_with(
    samples: &ScaledSamples,
    rows: Range<usize>,
    predicate: impl Fn(&[f64]) -> bool,
) -> ScaledSamples {
    let rows: Vec<usize> = rows.filter(|row| predicate(&samples.inputs_of(*row))).collect();
    select_rows(samples, &rows, rows.len())
}

fn pair_grid(layout: &KernelLayout) -> Grid {
    Grid::new(1, PAIR_THREADS as u32).shared(layout.pair_bytes() as u32)
}

/// Scales the matrix to a diagonal of 1 + ridge and appends ΦᵀWY below. Returns the scale of each row and column.
fn scale(
    cuda: &Cuda,
    layout: &KernelLayout,
    matrix: &mut Buffer<f64>,
    side: usize,
    cross: &Buffer<f64>,
    ridge: f64,
) -> Result<Buffer<f64>> {
    let mut scales = cuda.alloc::<f64>(side)?;
    let kernel = cuda.kernel(&layout::scale_program(), "diagonal_scales")?;
    let unknowns = layout.unknowns() as i32;
    let launch = kernel.launch().input(matrix).value(unknowns).value(side as i64).output(&mut scales);
    // SAFETY: the arguments match diagonal_scales; the matrix has `side` columns and at least `side` rows, and
    // `scales` has `side` entries.
    unsafe { launch.run(cuda.stream(), Grid::new(1, THREADS as u32)) }?;
    let kernel = cuda.kernel(&layout::scale_program(), "scale_matrix")?;
    let launch = kernel
        .launch()
        .output(matrix)
        .value(side as i64)
        .input(&scales)
        .input(cross)
        .value(unknowns)
        .value(layout.outputs as i32)
        .value(ridge);
    let blocks = ((side + MATRIX_TILE) * side).div_ceil(THREADS);
    // SAFETY: the arguments match scale_matrix; the matrix has side + MATRIX_TILE rows, and `cross` has a value for
    // each output and unknown.
    unsafe { launch.run(cuda.stream(), Grid::new(blocks as u32, THREADS as u32)) }?;
    Ok(scales)
}

/// For each rule, the matrix that expresses the monomials of its local frame in the common coordinates v = 2x − 1: row
/// a contains the coefficients of monomial a.
fn frame_expansions(layout: &KernelLayout, network: &Network) -> Vec<f64> {
    let (basis, frames) = (&layout.basis, &network.frames);
    let rule = |rule: usize| {
        let at = rule * basis.inputs;
        // u = (x − c)·i with x = (v + 1)/2 is u = s·(v − m).
        let slopes: Vec<f64> = frames.inverse_widths[at..][..basis.inputs].iter().map(|i| 0.5 * i).collect();
        let middles: Vec<f64> = frames.centers[at..][..basis.inputs].iter().map(|c| 2.0 * c - 1.0).collect();
        expansion(basis, &slopes, &middles)
    };
    (0..layout.rules).flat_map(rule).collect()
}

/// Coefficients of the monomials of u = s·(v − m) in the monomials of v.
fn expansion(basis: &MonomialBasis, slopes: &[f64], middles: &[f64]) -> Vec<f64> {
    let n = basis.len();
    let mut rows = vec![0.0; n * n];
    rows[0] = 1.0;
    for t in 1..n {
        // Monomial t is its parent times u: each term of the parent times s·v, and times −s·m.
        let (parent, input) = basis.parents[t];
        for a in 0..n {
            let coefficient = rows[parent * n + a];
            if coefficient == 0.0 {
                continue;
            }
            let mut raised = basis.exponents[a].clone();
            raised[input] += 1;
            let b = basis.exponents.iter().position(|term| *term == raised);
            let b = b.expect("invariant: a monomial of lower degree than the order can be raised");
            rows[t * n + b] += coefficient * slopes[input];
            rows[t * n + a] -= coefficient * slopes[input] * middles[input];
        }
    }
    rows
}
