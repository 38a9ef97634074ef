//! Arrays of fuzzy numbers on a GPU, streamed through it block by block.
#![allow(unsafe_code)] // launches

mod planes;
pub(crate) mod text;

pub(crate) use planes::Planes;

use super::array::LANES;
use super::expr::Step;
use crate::device::Cuda;
use crate::device::cuda::{Chunked, Grid, Kernel, Launch};
use crate::error::Result;
use crate::progress::Progress;
use text::Formula;

/// Blocks of a chunk whose numbers are added up before the next chunk's: part of what a sum is, see [`super::cpu`].
pub(crate) const CHUNK: usize = 256;

/// Steps of one launch of a series; more are taken in several.
const MOST_STEPS: usize = 1 << 20;

/// The kernel of a formula over columns.
pub(crate) struct Evaluate {
    kernel: Kernel,
}

impl Evaluate {
    /// For numbers with so many cuts; `single` says of the columns of variables and then of literals which are one number
    /// for all rows.
    pub(in crate::arithmetic) fn new<A: Planes>(
        cuda: &Cuda,
        cuts: usize,
        steps: &[Step],
        variables: usize,
        single: &[bool],
    ) -> Result<Self> {
        let program = text::evaluate(A::TYPES, cuts, &[Formula { steps, variables, single }]);
        Ok(Evaluate { kernel: cuda.kernel(&program, "evaluate_0")? })
    }

    /// The formula of columns that lie on the GPU.
    pub(crate) fn launch<A: Planes>(
        &self,
        cuda: &Cuda,
        columns: &[&A::Buffers],
        out: &mut A::Buffers,
        numbers: usize,
    ) -> Result<()> {
        let launch = columns.iter().fold(self.kernel.launch(), |launch, column| A::read(launch, column));
        self.run(cuda, A::write(launch, out), numbers)
    }

    fn run(&self, cuda: &Cuda, launch: Launch<'_>, numbers: usize) -> Result<()> {
        let grid = cuda.grid_for(numbers.div_ceil(LANES) * LANES);
        // SAFETY: arguments as in `evaluate_0`, which was printed for as many columns; it touches the blocks of `numbers`
        // numbers, of columns that are single the first.
        unsafe { launch.value(numbers as i64).run(cuda.stream(), grid) }
    }
}

/// A formula over columns as one kernel. Columns of one number stay on the GPU; so do the literals.
pub(super) fn run<A: Planes>(
    steps: &[Step],
    columns: &[&A],
    literals: &[A],
    out: &mut A,
    cuda: &Cuda,
    progress: Progress<'_>,
) -> Result<()> {
    let (numbers, cuts) = (out.count(), out.depth());
    let operands: Vec<&A> = columns.iter().copied().chain(literals).collect();
    let single: Vec<bool> = operands.iter().map(|column| column.count() == 1 && numbers != 1).collect();
    let kernel = Evaluate::new::<A>(cuda, cuts, steps, columns.len(), &single)?;
    let resident: Vec<Option<A::Buffers>> = operands
        .iter()
        .zip(&single)
        .map(|(column, single)| single.then(|| column.upload(cuda)).transpose())
        .collect::<Result<_>>()?;
    let mut work = Chunked::new(numbers.div_ceil(LANES));
    for (column, _) in operands.iter().zip(&single).filter(|(_, single)| !**single) {
        work = column.sent(work);
    }
    cuda.stream_chunks(out.received(work), progress, |blocks, inputs, outputs| {
        let here = (numbers - blocks.start * LANES).min(blocks.len() * LANES);
        let (mut launch, mut lane) = (kernel.kernel.launch(), 0);
        for buffers in &resident {
            launch = match buffers {
                Some(buffers) => A::read(launch, buffers),
                None => A::read_lanes(launch, inputs, &mut lane)?,
            };
        }
        kernel.run(cuda, A::write_lanes(launch, outputs)?, here)
    })
}

/// The kernel of c ← a·c + b.
pub(crate) struct Axpy {
    kernel: Kernel,
    load: text::Load,
    cuts: usize,
}

impl Axpy {
    /// For numbers with so many cuts; `one` says that a and b are each one number for all.
    pub(crate) fn new<A: Planes>(cuda: &Cuda, cuts: usize, one: bool) -> Result<Self> {
        let kernel = cuda.kernel(&text::axpy(A::TYPES, cuts, one), "axpy_series")?;
        Ok(Axpy { kernel, load: text::load(A::TYPES, cuts, one), cuts })
    }

    /// What a thread takes, in words.
    pub(crate) fn resources(&self) -> Result<String> {
        let (registers, spilled) = self.kernel.resources()?;
        Ok(format!("{registers} registers, {spilled} bytes spilled"))
    }

    /// A thread for each part of the work.
    pub(crate) fn grid(&self, cuda: &Cuda, numbers: usize) -> Grid {
        let blocks = numbers.div_ceil(LANES);
        cuda.grid_for(blocks * (LANES / self.load.together) * self.cuts.div_ceil(self.load.cuts))
    }

    /// `steps` steps of `numbers` numbers that lie on the GPU.
    pub(crate) fn launch<A: Planes>(
        &self,
        cuda: &Cuda,
        [a, b, c]: [&A::Buffers; 3],
        out: &mut A::Buffers,
        numbers: usize,
        steps: usize,
    ) -> Result<()> {
        let launch = A::write(A::read(A::read(A::read(self.kernel.launch(), a), b), c), out);
        let launch = launch.value(numbers as i64).value(steps as i32).value(0i32).value(0i32);
        // SAFETY: as in [`axpy`].
        unsafe { launch.run(cuda.stream(), self.grid(cuda, numbers)) }
    }
}

/// c ← a·c + b, `steps` times.
pub(super) fn axpy<A: Planes>(
    c: &mut A,
    a: &A,
    b: &A,
    steps: usize,
    cuda: &Cuda,
    progress: Progress<'_>,
) -> Result<()> {
    let (numbers, cuts) = (c.count(), c.depth());
    let (one_a, one_b) = (a.count() == 1 && numbers != 1, b.count() == 1 && numbers != 1);
    let axpy = Axpy::new::<A>(cuda, cuts, one_a && one_b)?;
    let of_one = |array: &A, one: bool| one.then(|| array.upload(cuda)).transpose();
    let resident = [of_one(a, one_a)?, of_one(b, one_b)?];
    let mut left = steps;
    while left > 0 {
        let now = left.min(MOST_STEPS);
        left -= now;
        let start = c.clone();
        let mut work = Chunked::new(numbers.div_ceil(LANES));
        if !one_a {
            work = a.sent(work);
        }
        if !one_b {
            work = b.sent(work);
        }
        work = start.sent(work);
        cuda.stream_chunks(c.received(work), progress, |blocks, inputs, outputs| {
            let here = (numbers - blocks.start * LANES).min(blocks.len() * LANES);
            let (mut launch, mut lane) = (axpy.kernel.launch(), 0);
            for buffers in &resident {
                launch = match buffers {
                    Some(buffers) => A::read(launch, buffers),
                    None => A::read_lanes(launch, inputs, &mut lane)?,
                };
            }
            let launch = A::write_lanes(A::read_lanes(launch, inputs, &mut lane)?, outputs)?;
            let launch =
                launch.value(here as i64).value(now as i32).value(i32::from(one_a)).value(i32::from(one_b));
            // SAFETY: arguments as in `axpy_series`, compiled for this encoding and these cuts; it touches the blocks of
            // `here` numbers, and of a and b the first number where there is only one.
            unsafe { launch.run(cuda.stream(), axpy.grid(cuda, here)) }
        })?;
    }
    Ok(())
}

/// The sum of all numbers, or of the products with those of `other`, in the order of [`super::cpu`].
pub(super) fn sum<A: Planes>(a: &A, other: Option<&A>, cuda: &Cuda, progress: Progress<'_>) -> Result<A> {
    let (blocks, cuts) = (a.count().div_ceil(LANES), a.depth());
    let program = text::sums(A::TYPES, cuts, CHUNK);
    let name = if other.is_some() { "dot_chunks" } else { "sum_chunks" };
    let (add, join) = (cuda.kernel(&program, name)?, cuda.kernel(&program, "join_chunks")?);
    let mut total = A::zeros(cuts, 1)?.upload(cuda)?;
    let mut next = A::zeros(cuts, 1)?.upload(cuda)?;
    let mut parts: Option<(usize, A::Buffers)> = None;
    let mut work = a.sent_in_chunks(Chunked::new(blocks.div_ceil(CHUNK)), CHUNK);
    if let Some(other) = other {
        work = other.sent_in_chunks(work, CHUNK);
    }
    cuda.stream_chunks(work, progress, |chunks, inputs, _| {
        let count = chunks.len();
        let parts = match &mut parts {
            Some((room, parts)) if *room >= count => parts,
            place => &mut place.insert((count, A::zeros(cuts, count)?.upload(cuda)?)).1,
        };
        let mut lane = 0;
        let mut launch = A::read_lanes(add.launch(), inputs, &mut lane)?;
        if other.is_some() {
            launch = A::read_lanes(launch, inputs, &mut lane)?;
        }
        const THREADS: usize = 64;
        let mut grid = Grid::new((count * LANES).div_ceil(THREADS) as u32, THREADS as u32);
        grid.blocks[1] = cuts as u32;
        // SAFETY: arguments as in `sum_chunks` and `dot_chunks`; the inputs hold `count` chunks, `parts` as many numbers.
        unsafe { A::write(launch, parts).value(count as i64).run(cuda.stream(), grid) }?;
        let launch = A::read(A::read(join.launch(), &total), parts);
        // SAFETY: arguments as in `join_chunks`; `total` and `next` hold a number, `parts` holds `count`.
        unsafe { A::write(launch, &mut next).value(count as i64).run(cuda.stream(), cuda.grid_for(cuts)) }?;
        std::mem::swap(&mut total, &mut next);
        Ok(())
    })?;
    A::download(&total, cuts, 1, cuda)
}

/// The programs of every kind, for the tests.
#[cfg(test)]
pub(crate) fn programs() -> Result<Vec<crate::device::cuda::Program>> {
    use super::expr::Expr;
    let mut programs = Vec::new();
    let everything = Expr::new(
        "fma(x, y, z) + x * y / z - exp(-x) * log(y) + sqrt(z) ^ 3 - min(recip(x), max(sqr(y), abs(z)))",
    )?;
    for types in planes::TYPES {
        for cuts in [1, 4, 24, 40] {
            programs.extend([text::axpy(types, cuts, false), text::axpy(types, cuts, true)]);
            programs.push(text::sums(types, cuts, CHUNK));
        }
        let formula = Formula { steps: everything.steps(), variables: 3, single: &[false, true, false] };
        programs.push(text::evaluate(types, 8, &[formula]));
    }
    Ok(programs)
}
