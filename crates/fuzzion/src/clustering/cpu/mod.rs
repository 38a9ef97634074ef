//! The CPU's sweeps: chunks of rows whose bounds depend on nothing, joined in order.

mod accumulate;
mod distance;
mod inverse;
mod kernel;
mod load;
mod membership;
mod scratch;
mod statistics;
mod stream;

pub(super) use stream::Stream;

use super::prototypes::{Prototypes, Rule};
use super::rows::{Out, Rows, Samples, largest};
use super::sums::{Sums, Want};
use super::survey::{Ask, Bad, Survey};
use crate::data::Values;
use crate::device::{Cpu, Simd};
use crate::error::{Error, Result};
use kernel::{BLOCK, Kernel, STRIDE};
use scratch::{Kept, Pool, Scratch};

/// Rows whose sums are made in lanes before they go on in double precision.
pub(super) const CHUNK: usize = 2048;
/// Chunks in flight before their sums are joined, and the bytes these may take.
const TOGETHER: usize = 64;
const TOGETHER_BYTES: usize = 64 << 20;

/// The two precisions' kernels under one name.
trait Lanes: Kept {
    const SWEEP: Sweep<Self>;
    const MEMBERSHIPS: Memberships<Self>;
}
type Sweep<T> = fn(Simd, &Kernel<T>, &[T], Option<&[f64]>, Want, &mut Scratch<T>, &mut Sums);
type Memberships<T> = fn(Simd, &Kernel<T>, &[T], &mut Scratch<T>);

impl Lanes for f32 {
    const SWEEP: Sweep<f32> = kernel::sweep_f32;
    const MEMBERSHIPS: Memberships<f32> = kernel::memberships_f32;
}

impl Lanes for f64 {
    const SWEEP: Sweep<f64> = kernel::sweep_f64;
    const MEMBERSHIPS: Memberships<f64> = kernel::memberships_f64;
}

/// Rows in memory.
#[derive(Clone, Copy)]
pub(super) struct Memory<'a> {
    pub(super) values: Values<'a>,
    pub(super) names: &'a [String],
    pub(super) weights: Option<&'a [f64]>,
    pub(super) cpu: &'a Cpu,
}

impl<'a> Memory<'a> {
    pub(super) fn new(samples: Samples<'a>, cpu: &'a Cpu) -> Self {
        Memory { values: samples.values, names: samples.names, weights: samples.weights, cpu }
    }

    fn columns(&self) -> usize {
        self.names.len()
    }

    fn rows(&self) -> usize {
        self.values.len() / self.columns()
    }

    /// Adds the sums of all rows to `totals`, chunk after chunk.
    fn sweep_into(&self, prototypes: &[&Prototypes], want: Want, totals: &mut [Sums]) {
        match self.values {
            Values::F32(x) => self.sweep_values::<f32>(x, prototypes, want, totals),
            Values::F64(x) => self.sweep_values::<f64>(x, prototypes, want, totals),
        }
    }

    fn sweep_values<T: Lanes>(&self, x: &[T], prototypes: &[&Prototypes], want: Want, totals: &mut [Sums]) {
        let (rows, columns) = (self.rows(), self.columns());
        let kernels: Vec<Kernel<T>> = prototypes.iter().map(|prototypes| Kernel::new(prototypes)).collect();
        let pools: Vec<Pool<'_, T>> = kernels.iter().map(Pool::new).collect();
        let together = self.together(totals) * CHUNK;
        for group in (0..rows).step_by(together) {
            let parts = self.cpu.map_chunks((rows - group).min(together), CHUNK, |range| {
                let range = group + range.start..group + range.end;
                let weights = self.weights.map(|weights| &weights[range.clone()]);
                let x = &x[range.start * columns..range.end * columns];
                let one = |pool: &Pool<'_, T>| {
                    let kernel = pool.kernel;
                    let mut sums = Sums::zero(kernel.clusters, columns, kernel.partial, want);
                    pool.lend(|scratch| {
                        T::SWEEP(self.cpu.simd(), kernel, x, weights, want, scratch, &mut sums);
                    });
                    sums
                };
                pools.iter().map(one).collect::<Vec<Sums>>()
            });
            for part in &parts {
                totals.iter_mut().zip(part).for_each(|(total, sums)| total.add(sums));
            }
        }
    }

    /// How many chunks' sums may wait to be joined: enough for all threads, without taking much memory.
    fn together(&self, totals: &[Sums]) -> usize {
        let numbers = |s: &Sums| s.masses.len() + s.moments.len() + s.seen.len() + s.scatter.len();
        let bytes = totals.iter().map(numbers).sum::<usize>() * size_of::<f64>();
        (TOGETHER_BYTES / bytes.max(1)).min(TOGETHER).max(self.cpu.threads())
    }

    fn survey_into(&self, ask: Ask, total: &mut Survey) -> Result<()> {
        let columns = self.columns();
        let rows = self.rows();
        for group in (0..rows).step_by(TOGETHER * CHUNK) {
            let parts = self.cpu.map_chunks((rows - group).min(TOGETHER * CHUNK), CHUNK, |range| {
                let mut part = Survey::new(columns, ask);
                for row in range {
                    let at = (group + row) * columns..(group + row + 1) * columns;
                    let weight = self.weight(group + row);
                    match self.values {
                        Values::F32(x) => part.row(&x[at], weight, ask),
                        Values::F64(x) => part.row(&x[at], weight, ask),
                    }?;
                }
                Ok(part)
            });
            for part in parts {
                let part = part.map_err(|bad: Bad| Error::NotFinite {
                    row: total.rows + bad.row + 1,
                    column: bad.column + 1,
                    name: self.names[bad.column].clone(),
                    value: bad.value,
                })?;
                total.add(&part);
            }
        }
        Ok(())
    }

    fn row(&self, row: usize) -> impl Iterator<Item = f64> + '_ {
        let columns = self.columns();
        (row * columns..(row + 1) * columns).map(|i| self.values.get(i).unwrap_or(f64::NAN))
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// The memberships of every row.
    pub(super) fn degrees(&self, prototypes: &Prototypes, out: Out<'_>) {
        match out {
            Out::Single(out) => self.all(prototypes, out, |u| u as f32),
            Out::Double(out) => self.all(prototypes, out, |u| u),
            Out::Top(top, out) => self.top(prototypes, top, out),
            Out::Labels(out) => self.labels(prototypes, out),
        }
    }

    /// Calls `take(rows of out, membership by row and cluster)` for every block, `width` numbers of `out` a row.
    fn memberships<T: Send>(
        &self,
        prototypes: &Prototypes,
        out: &mut [T],
        width: usize,
        take: impl Fn(&mut [T], &dyn Fn(usize, usize) -> f64) + Sync + Send,
    ) {
        match self.values {
            Values::F32(x) => self.memberships_of::<f32, T>(x, prototypes, out, width, take),
            Values::F64(x) => self.memberships_of::<f64, T>(x, prototypes, out, width, take),
        }
    }

    fn all<T: Send>(&self, prototypes: &Prototypes, out: &mut [T], round: impl Fn(f64) -> T + Sync + Send) {
        let clusters = prototypes.clusters();
        self.memberships(prototypes, out, clusters, |out, membership| {
            for (row, out) in out.chunks_exact_mut(clusters).enumerate() {
                out.iter_mut().enumerate().for_each(|(k, out)| *out = round(membership(row, k)));
            }
        });
    }

    fn top(&self, prototypes: &Prototypes, top: usize, out: &mut [(u32, f64)]) {
        let clusters = prototypes.clusters();
        self.memberships(prototypes, out, top, |out, membership| {
            for (row, out) in out.chunks_exact_mut(top).enumerate() {
                let all: Vec<f64> = (0..clusters).map(|k| membership(row, k)).collect();
                largest(&all, out);
            }
        });
    }

    fn labels(&self, prototypes: &Prototypes, out: &mut [u32]) {
        let clusters = prototypes.clusters();
        self.memberships(prototypes, out, 1, |labels, membership| {
            for (row, label) in labels.iter_mut().enumerate() {
                let better = |best, k| if membership(row, k) > membership(row, best) { k } else { best };
                *label = (1..clusters).fold(0, better) as u32;
            }
        });
    }

    fn memberships_of<R: Lanes, T: Send>(
        &self,
        x: &[R],
        prototypes: &Prototypes,
        out: &mut [T],
        width: usize,
        take: impl Fn(&mut [T], &dyn Fn(usize, usize) -> f64) + Sync + Send,
    ) {
        let (kernel, columns) = (Kernel::<R>::new(prototypes), self.columns());
        let pool = Pool::new(&kernel);
        self.cpu.fill_chunks(out, width, CHUNK, |first, out| {
            pool.lend(|scratch| {
                for (block, out) in out.chunks_mut(BLOCK * width).enumerate() {
                    let start = first + block * BLOCK;
                    let rows = &x[start * columns..(start + out.len() / width) * columns];
                    R::MEMBERSHIPS(self.cpu.simd(), &kernel, rows, scratch);
                    let degrees = &scratch.degrees;
                    take(out, &|row, cluster| degrees[cluster * STRIDE + row].to_f64());
                }
            });
        });
    }

    fn change_of<R: Lanes>(&self, x: &[R], before: &Prototypes, after: &Prototypes) -> f64 {
        let (before, after) = (Kernel::<R>::new(before), Kernel::<R>::new(after));
        let (columns, used) = (self.columns(), before.clusters * STRIDE);
        let pool = Pool::new(&before);
        let changes = self.cpu.map_chunks(x.len() / columns, CHUNK, |range| {
            pool.lend(|scratch| {
                let mut most = 0.0f64;
                for rows in x[range.start * columns..range.end * columns].chunks(BLOCK * columns) {
                    R::MEMBERSHIPS(self.cpu.simd(), &before, rows, scratch);
                    let old = scratch.degrees.to_vec();
                    R::MEMBERSHIPS(self.cpu.simd(), &after, rows, scratch);
                    for (i, (old, new)) in old[..used].iter().zip(scratch.degrees.iter()).enumerate() {
                        if i % STRIDE < rows.len() / columns {
                            most = most.max((old.to_f64() - new.to_f64()).abs());
                        }
                    }
                }
                most
            })
        });
        changes.into_iter().fold(0.0, f64::max)
    }
}

impl Rows for Memory<'_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        let mut total = Survey::new(self.columns(), ask);
        self.survey_into(ask, &mut total)?;
        Ok(total)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        let mut totals = zeros(prototypes, want);
        self.sweep_into(prototypes, want, &mut totals);
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let change = |(before, after): &(&Prototypes, &Prototypes)| match self.values {
            Values::F32(x) => self.change_of::<f32>(x, before, after),
            Values::F64(x) => self.change_of::<f64>(x, before, after),
        };
        Ok(steps.iter().map(change).collect())
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let values = rows.iter().flat_map(|row| self.row(*row as usize)).collect();
        let weights = rows.iter().map(|row| self.weight(*row as usize)).collect();
        Ok((values, weights))
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        let rows = self.rows();
        for first in (0..rows).step_by(CHUNK) {
            let chunk = first..rows.min(first + CHUNK);
            let values: Vec<f64> = chunk.clone().flat_map(|row| self.row(row)).collect();
            let weights: Vec<f64> = chunk.map(|row| self.weight(row)).collect();
            take(&values, &weights);
        }
        Ok(())
    }
}

pub(super) fn zeros(prototypes: &[&Prototypes], want: Want) -> Vec<Sums> {
    let zero = |p: &&Prototypes| Sums::zero(p.clusters(), p.columns(), p.space.partial, want);
    prototypes.iter().map(zero).collect()
}

#[cfg(test)]
mod tests;
