//! Equation (3) for many unknowns: all pairs of rules times the monomials of twice the order on tensor cores, taken to the
//! frames of the rules, and a matrix solved by all multiprocessors together.

use super::super::basis::Basis;
use super::super::cpu::Sweep;
use super::super::network::Network;
use super::super::rows::{Rows as _, Samples};
use super::super::statistics::Statistics;
use super::OnGpu;
use super::layout::{self, Layout, PAIR_THREADS, PART, THREADS, cholesky_bytes};
use crate::device::cuda::{Buffer, Grid};
use crate::device::{Cpu, Cuda};
use crate::error::Result;

/// Bytes of φ that are made before they are multiplied.
const PIECE_BYTES: usize = 512 << 20;
/// Rows that a stage of the products takes.
const STAGE: usize = 32;

impl OnGpu<'_> {
    /// ΦᵀWΦ of the rows without missing inputs as a square matrix, its lower triangle, with room for one more line of parts
    /// below.
    fn large_matrix(&mut self, layout: &Layout, network: &Network) -> Result<(Buffer<f64>, usize)> {
        let cuda = self.cuda();
        let encoded = self.encode(layout, network)?;
        let fire = self.kernel(layout, "fire_rows", None, Layout::fire)?;
        let multiply = self.kernel(layout, "pair_products", None, Layout::pairs)?;
        let groups = layout.jobs().div_ceil(PAIR_THREADS / 32);
        let slabs = layout.slabs().0;
        let splits = (cuda.gpu().multiprocessors as usize).div_ceil(groups * slabs).max(1);
        let most = (PIECE_BYTES / 8 / (layout.rules + layout.wide().len())).next_multiple_of(STAGE);
        let stride = most.min(self.sent.samples.rows().next_multiple_of(STAGE));
        let mut phi = cuda.reserve::<f64>(stride * layout.rules)?;
        let mut monomials = cuda.reserve::<f64>(stride * layout.wide().len())?;
        let mut sums = cuda.zeros::<f64>(splits * layout.pair_sums())?;
        let grid = Grid { blocks: [(groups * splits) as u32, slabs as u32, 1], ..pair_grid(layout) };
        self.sent.each(|piece| {
            for first in (0..piece.training).step_by(stride) {
                let count = (piece.training - first).min(stride);
                let lines = count.next_multiple_of(STAGE);
                let launch = fire
                    .launch()
                    .input(piece.values)
                    .value(first as i64)
                    .value(count as i64)
                    .input(&encoded.sets)
                    .input(&encoded.uses)
                    .value(lines as i64)
                    .output(&mut phi)
                    .output(&mut monomials);
                // SAFETY: arguments as in fire_rows, made for this layout; `count` rows from `first` on are there, and both
                // buffers have room for `lines` ≤ stride numbers of each column.
                unsafe { launch.run(cuda.stream(), self.grid(lines, layout.rows, layout.sweep_bytes())) }?;
                let launch = multiply
                    .launch()
                    .input(&phi)
                    .input(&monomials)
                    .value(lines as i64)
                    .value(splits as i32)
                    .value(1)
                    .output(&mut sums);
                // SAFETY: arguments as in pair_products, made for this layout; the sums were cleared.
                unsafe { launch.run(cuda.stream(), grid) }?;
            }
            Ok(())
        })?;
        drop((phi, monomials));
        let side = layout.unknowns().next_multiple_of(PART);
        let mut matrix = cuda.zeros::<f64>((side + PART) * side)?;
        let frames = cuda.upload(&frames(layout, network))?;
        let place = self.kernel(layout, "place_pairs", None, Layout::pairs)?;
        let launch = place
            .launch()
            .input(&sums)
            .value(splits as i32)
            .input(&frames)
            .output(&mut matrix)
            .value(side as i64);
        let grid =
            Grid::new((layout.jobs() * 64) as u32, PAIR_THREADS as u32).shared(layout.place_bytes() as u32);
        // SAFETY: arguments as in place_pairs, made for this layout; the matrix has room for all unknowns.
        unsafe { launch.run(cuda.stream(), grid) }?;
        Ok((matrix, side))
    }

    /// ΦᵀWY, output by output.
    fn large_cross(&mut self, layout: &Layout, network: &Network) -> Result<Vec<f64>> {
        Ok(self.swept(layout, network, true)?.split_off(layout.theta_at()))
    }

    pub(super) fn large_statistics(&mut self, layout: &Layout, network: &Network) -> Result<Statistics> {
        let (matrix, side) = self.large_matrix(layout, network)?;
        let matrix = self.cuda().download(&matrix)?;
        let n = layout.unknowns();
        let samples = self.sent.samples;
        let square = |y: &Vec<f64>| -> f64 {
            let training = y[..samples.training].iter().enumerate();
            training.map(|(row, y)| samples.weight(row) * y * y).sum()
        };
        let mut gram: Vec<f64> = (0..n).flat_map(|i| matrix[i * side..][..=i].iter().copied()).collect();
        if self.sent.missing {
            let partial = rows_where(samples, |x| x.iter().any(|x| x.is_nan()));
            let rest = Sweep::new(&partial, &Cpu::new()?).statistics(network)?;
            gram.iter_mut().zip(rest.gram).for_each(|(all, rest)| *all += rest);
        }
        Ok(Statistics {
            gram,
            cross: self.large_cross(layout, network)?,
            squares: samples.targets.iter().map(square).collect(),
            weight: self.sent.weight[0],
            rows: samples.training as u64,
            ..Statistics::zero(n, layout.outputs)
        })
    }

    /// θ, or `None` where the matrix is too near singular, inputs are missing, or there are too many outputs for this way.
    pub(super) fn large_consequents(
        &mut self,
        layout: &Layout,
        network: &Network,
        ridge: f64,
    ) -> Result<Option<Vec<f64>>> {
        if layout.outputs > PART || self.sent.missing {
            return Ok(None);
        }
        let cross = self.large_cross(layout, network)?;
        let (mut matrix, side) = self.large_matrix(layout, network)?;
        let cuda = self.cuda();
        let cross = cuda.upload(&cross)?;
        let scales = scale(cuda, layout, &mut matrix, side, &cross, ridge)?;
        let kernel = self.kernel(layout, "solve_parts", None, Layout::cholesky)?;
        let parts = side / PART;
        let mut diagonal = cuda.reserve::<f64>(parts * PART * PART)?;
        let (mut arrived, mut result) = (cuda.zeros::<u32>(1)?, cuda.zeros::<i32>(1)?);
        let launch = kernel
            .launch()
            .output(&mut matrix)
            .value(parts as i32)
            .value(layout.outputs as i32)
            .output(&mut diagonal)
            .output(&mut arrived)
            .output(&mut result);
        let grid = cuda.resident_grid(&kernel, THREADS as u32, cholesky_bytes() as u32)?;
        let blocks = cuda.gpu().multiprocessors.min(grid.blocks[0]);
        // SAFETY: arguments as in solve_parts; the matrix has a line of parts more than `parts`, and the grid is resident and
        // cooperative, so that its blocks may wait for each other, and `arrived` is 0.
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

/// The training rows whose inputs `wanted` agrees with.
pub(in super::super) fn rows_where(samples: &Samples, wanted: impl Fn(&[f64]) -> bool) -> Samples {
    let rows: Vec<usize> = (0..samples.training).filter(|row| wanted(&samples.inputs_of(*row))).collect();
    let taken = |column: &Vec<f64>| -> Vec<f64> { rows.iter().map(|row| column[*row]).collect() };
    Samples {
        inputs: samples.inputs.iter().map(taken).collect(),
        targets: samples.targets.iter().map(taken).collect(),
        weights: samples.weights.as_ref().map(taken),
        training: rows.len(),
    }
}

fn pair_grid(layout: &Layout) -> Grid {
    Grid::new(1, PAIR_THREADS as u32).shared(layout.pair_bytes() as u32)
}

/// Scales the matrix to a diagonal of 1 + ridge, with ΦᵀWY below; by what its rows and columns were multiplied.
fn scale(
    cuda: &Cuda,
    layout: &Layout,
    matrix: &mut Buffer<f64>,
    side: usize,
    cross: &Buffer<f64>,
    ridge: f64,
) -> Result<Buffer<f64>> {
    let mut scales = cuda.reserve::<f64>(side)?;
    let kernel = cuda.kernel(&layout::scale(), "diagonal_scales")?;
    let unknowns = layout.unknowns() as i32;
    let launch = kernel.launch().input(matrix).value(unknowns).value(side as i64).output(&mut scales);
    // SAFETY: arguments as in diagonal_scales; the matrix has `side` columns and more rows, there is a scale for each.
    unsafe { launch.run(cuda.stream(), Grid::new(1, THREADS as u32)) }?;
    let kernel = cuda.kernel(&layout::scale(), "scale_matrix")?;
    let launch = kernel
        .launch()
        .output(matrix)
        .value(side as i64)
        .input(&scales)
        .input(cross)
        .value(unknowns)
        .value(layout.outputs as i32)
        .value(ridge);
    let blocks = ((side + PART) * side).div_ceil(THREADS);
    // SAFETY: arguments as in scale_matrix; the matrix has side + PART rows, `cross` a number for each output and unknown.
    unsafe { launch.run(cuda.stream(), Grid::new(blocks as u32, THREADS as u32)) }?;
    Ok(scales)
}

/// What the monomials of each rule's frame are in the common coordinates v = 2x − 1: for each rule a matrix whose row a has the
/// coefficients of monomial a.
pub(in super::super) fn frames(layout: &Layout, network: &Network) -> Vec<f64> {
    let (basis, frames) = (&layout.basis, &network.frames);
    let rule = |rule: usize| {
        let at = rule * basis.inputs;
        // u = (x − c)·i with x = (v + 1)/2 is u = s·(v − m).
        let slopes: Vec<f64> = frames.inverses[at..][..basis.inputs].iter().map(|i| 0.5 * i).collect();
        let middles: Vec<f64> = frames.centers[at..][..basis.inputs].iter().map(|c| 2.0 * c - 1.0).collect();
        expansion(basis, &slopes, &middles)
    };
    (0..layout.rules).flat_map(rule).collect()
}

/// The coefficients of the monomials of u = s·(v − m) in monomials of v.
fn expansion(basis: &Basis, slopes: &[f64], middles: &[f64]) -> Vec<f64> {
    let n = basis.len();
    let mut rows = vec![0.0; n * n];
    rows[0] = 1.0;
    for t in 1..n {
        // Monomial t is an earlier one times u: each of its terms times s·v, and times −s·m.
        let (parent, input) = basis.from[t];
        for a in 0..n {
            let coefficient = rows[parent * n + a];
            if coefficient == 0.0 {
                continue;
            }
            let mut raised = basis.terms[a].clone();
            raised[input] += 1;
            if let Some(b) = basis.terms.iter().position(|term| *term == raised) {
                rows[t * n + b] += coefficient * slopes[input];
            }
            rows[t * n + a] -= coefficient * slopes[input] * middles[input];
        }
    }
    rows
}
