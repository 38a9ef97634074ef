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
use super::rows::Rows;
use super::sums::{Sums, Want};
use super::survey::{Ask, Bad, Survey};
use crate::data::Values;
use crate::device::{Cpu, Simd};
use crate::error::{Error, Result};
use kernel::{BLOCK, Kernel, STRIDE};
use scratch::{Kept, Pool, Scratch};

/// Rows whose sums are made in lanes before they go on in double precision.
pub(super) const CHUNK: usize = 2048;
/// Chunks in flight before their sums are joined, which bounds the memory they take.
const TOGETHER: usize = 64;

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

impl Memory<'_> {
    fn columns(&self) -> usize {
        self.names.len()
    }

    /// Adds the sums of all rows to `total`, chunk after chunk.
    fn sweep_into(&self, prototypes: &Prototypes, want: Want, total: &mut Sums) {
        match self.values {
            Values::F32(x) => self.sweep_values::<f32>(x, prototypes, want, total),
            Values::F64(x) => self.sweep_values::<f64>(x, prototypes, want, total),
        }
    }

    fn sweep_values<T: Lanes>(&self, x: &[T], prototypes: &Prototypes, want: Want, total: &mut Sums) {
        let (kernel, columns) = (Kernel::<T>::new(prototypes), self.columns());
        let pool = Pool::new(&kernel);
        let rows = x.len() / columns;
        for group in (0..rows).step_by(TOGETHER * CHUNK) {
            let sums = self.cpu.map_chunks((rows - group).min(TOGETHER * CHUNK), CHUNK, |range| {
                let mut sums = Sums::zero(kernel.clusters, columns, kernel.partial, want);
                let range = group + range.start..group + range.end;
                let weights = self.weights.map(|weights| &weights[range.clone()]);
                let x = &x[range.start * columns..range.end * columns];
                pool.lend(|scratch| T::SWEEP(self.cpu.simd(), &kernel, x, weights, want, scratch, &mut sums));
                sums
            });
            sums.iter().for_each(|sums| total.add(sums));
        }
    }

    fn survey_into(&self, ask: Ask, total: &mut Survey) -> Result<()> {
        let columns = self.columns();
        let rows = self.values.len() / columns;
        let origin: Vec<f64> = total.origin().to_vec();
        for group in (0..rows).step_by(TOGETHER * CHUNK) {
            let parts = self.cpu.map_chunks((rows - group).min(TOGETHER * CHUNK), CHUNK, |range| {
                let mut part = Survey::new(origin.clone(), ask);
                for row in range {
                    let at = (group + row) * columns..(group + row + 1) * columns;
                    let weight = self.weights.map_or(1.0, |weights| weights[group + row]);
                    match self.values {
                        Values::F32(x) => part.row(x[at].iter().map(|x| f64::from(*x)), weight, ask),
                        Values::F64(x) => part.row(x[at].iter().copied(), weight, ask),
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

    /// Calls `take(first_row, out_rows, memberships by clusters)` for every block, `width` numbers of `out` a row.
    pub(super) fn memberships<T: Send>(
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
        let mut total = Survey::new(self.row(0).collect(), ask);
        self.survey_into(ask, &mut total)?;
        Ok(total)
    }

    fn sweep(&mut self, prototypes: &Prototypes, want: Want) -> Result<Sums> {
        let mut total = zero(prototypes, want);
        self.sweep_into(prototypes, want, &mut total);
        Ok(total)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let values = rows.iter().flat_map(|row| self.row(*row as usize)).collect();
        let weights = rows.iter().map(|row| self.weights.map_or(1.0, |w| w[*row as usize])).collect();
        Ok((values, weights))
    }

    fn change(&mut self, before: &Prototypes, after: &Prototypes) -> Result<f64> {
        Ok(match self.values {
            Values::F32(x) => self.change_of::<f32>(x, before, after),
            Values::F64(x) => self.change_of::<f64>(x, before, after),
        })
    }
}

fn zero(prototypes: &Prototypes, want: Want) -> Sums {
    Sums::zero(prototypes.clusters(), prototypes.columns(), prototypes.space.partial, want)
}

#[cfg(test)]
mod tests;
