//! Rows in memory on the CPU.

use super::kernel;
use super::layout::{BLOCK, STRIDE, SweepKernel};
use super::scratch::{Scratch, ScratchPool, ThreadScratch};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::output::{MembershipOutput, top_memberships};
use crate::clustering::rows::summary::{DataSummary, InvalidValue, SummaryOptions};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::data::{Samples, Values};
use crate::device::{Cpu, Simd};

/// Number of rows whose sums are accumulated in vector lanes before they are added in double precision.
pub(in crate::clustering) const CHUNK: usize = 2048;
/// Chunks processed before their sums are merged, and their maximum memory in bytes.
const MAX_PENDING_CHUNKS: usize = 64;
const MAX_PENDING_BYTES: usize = 64 << 20;

/// Kernels of the two precisions.
trait KernelReal: ThreadScratch {
    const SWEEP: Sweep<Self>;
    const MEMBERSHIPS: Memberships<Self>;
}

type Sweep<T> = fn(Simd, &SweepKernel<T>, &[T], Option<&[f64]>, RequestedSums, &mut Scratch<T>, &mut Sums);

type Memberships<T> = fn(Simd, &SweepKernel<T>, &[T], &mut Scratch<T>);

impl KernelReal for f32 {
    const SWEEP: Sweep<f32> = kernel::sweep_f32;
    const MEMBERSHIPS: Memberships<f32> = kernel::memberships_f32;
}

impl KernelReal for f64 {
    const SWEEP: Sweep<f64> = kernel::sweep_f64;
    const MEMBERSHIPS: Memberships<f64> = kernel::memberships_f64;
}

/// Rows in memory on the CPU.
#[derive(Clone, Copy)]
pub struct CpuRows<'a> {
    samples: &'a Samples<'a>,
    cpu: &'a Cpu,
}

impl<'a> CpuRows<'a> {
    pub fn new(samples: &'a Samples<'a>, cpu: &'a Cpu) -> Self {
        CpuRows { samples, cpu }
    }

    fn columns(&self) -> usize {
        self.samples.columns()
    }

    pub(super) fn rows(&self) -> usize {
        self.samples.rows()
    }

    /// Adds the sums of all rows to `totals`, chunk by chunk.
    pub(super) fn sweep_into(
        &self,
        prototypes: &[&Prototypes],
        requested: RequestedSums,
        totals: &mut [Sums],
    ) {
        match self.samples.values() {
            Values::F32(x) => self.sweep_values::<f32>(x, prototypes, requested, totals),
            Values::F64(x) => self.sweep_values::<f64>(x, prototypes, requested, totals),
        }
    }

    fn sweep_values<T: KernelReal>(
        &self,
        x: &[T],
        prototypes: &[&Prototypes],
        requested: RequestedSums,
        totals: &mut [Sums],
    ) {
        let (rows, columns) = (self.rows(), self.columns());
        let kernels: Vec<SweepKernel<T>> =
            prototypes.iter().map(|prototypes| SweepKernel::new(prototypes)).collect();
        let pools: Vec<ScratchPool<'_, T>> = kernels.iter().map(ScratchPool::new).collect();
        let group_rows = self.max_pending_chunks(totals) * CHUNK;
        for group in (0..rows).step_by(group_rows) {
            let parts = self.cpu.map_chunks((rows - group).min(group_rows), CHUNK, |range| {
                let range = group + range.start..group + range.end;
                let weights = self.samples.weights().map(|weights| &weights[range.clone()]);
                let x = &x[range.start * columns..range.end * columns];
                let one = |pool: &ScratchPool<'_, T>| {
                    let kernel = pool.kernel;
                    let mut sums = Sums::zero(kernel.clusters, columns, kernel.partial, requested);
                    pool.with_scratch(|scratch| {
                        T::SWEEP(self.cpu.simd(), kernel, x, weights, requested, scratch, &mut sums);
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

    /// Number of chunks whose sums may be pending: enough for all threads, in limited memory.
    fn max_pending_chunks(&self, totals: &[Sums]) -> usize {
        let values = |s: &Sums| s.masses.len() + s.moments.len() + s.column_masses.len() + s.scatter.len();
        let bytes = totals.iter().map(values).sum::<usize>() * size_of::<f64>();
        (MAX_PENDING_BYTES / bytes.max(1)).min(MAX_PENDING_CHUNKS).max(self.cpu.threads())
    }

    pub(super) fn summarize_into(&self, options: SummaryOptions, total: &mut DataSummary) -> Result<()> {
        let columns = self.columns();
        let rows = self.rows();
        for group in (0..rows).step_by(MAX_PENDING_CHUNKS * CHUNK) {
            let parts = self.cpu.map_chunks((rows - group).min(MAX_PENDING_CHUNKS * CHUNK), CHUNK, |range| {
                let mut part = DataSummary::new(columns, options);
                for row in range {
                    let at = (group + row) * columns..(group + row + 1) * columns;
                    let weight = self.weight(group + row);
                    match self.samples.values() {
                        Values::F32(x) => part.add_row(&x[at], weight, options),
                        Values::F64(x) => part.add_row(&x[at], weight, options),
                    }?;
                }
                Ok(part)
            });
            for part in parts {
                let part = part.map_err(|invalid: InvalidValue| {
                    InvalidValue { row: total.rows + invalid.row, ..invalid }.error(self.samples.names())
                })?;
                total.merge(&part);
            }
        }
        Ok(())
    }

    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = f64> + '_ {
        let columns = self.columns();
        (row * columns..(row + 1) * columns)
            .map(|i| self.samples.values().get(i).expect("invariant: the row exists"))
    }

    pub(in crate::clustering) fn weight(&self, row: usize) -> f64 {
        self.samples.weights().map_or(1.0, |weights| weights[row])
    }

    /// Computes the memberships of every row.
    pub(in crate::clustering) fn memberships(&self, prototypes: &Prototypes, out: MembershipOutput<'_>) {
        match out {
            MembershipOutput::Single(out) => self.all_memberships(prototypes, out, |u| u as f32),
            MembershipOutput::Double(out) => self.all_memberships(prototypes, out, |u| u),
            MembershipOutput::Top(top, out) => self.top_memberships(prototypes, top, out),
            MembershipOutput::Labels(out) => self.labels(prototypes, out),
        }
    }

    /// Calls `take(rows of out, membership by row and cluster)` for every block, with `width` values of `out` per row.
    fn for_each_block<T: Send>(
        &self,
        prototypes: &Prototypes,
        out: &mut [T],
        width: usize,
        take: impl Fn(&mut [T], &dyn Fn(usize, usize) -> f64) + Sync + Send,
    ) {
        match self.samples.values() {
            Values::F32(x) => self.for_each_block_of::<f32, T>(x, prototypes, out, width, take),
            Values::F64(x) => self.for_each_block_of::<f64, T>(x, prototypes, out, width, take),
        }
    }

    fn all_memberships<T: Send>(
        &self,
        prototypes: &Prototypes,
        out: &mut [T],
        round: impl Fn(f64) -> T + Sync + Send,
    ) {
        let clusters = prototypes.clusters();
        self.for_each_block(prototypes, out, clusters, |out, membership| {
            for (row, out) in out.chunks_exact_mut(clusters).enumerate() {
                out.iter_mut().enumerate().for_each(|(k, out)| *out = round(membership(row, k)));
            }
        });
    }

    fn top_memberships(&self, prototypes: &Prototypes, top: usize, out: &mut [(u32, f64)]) {
        let clusters = prototypes.clusters();
        self.for_each_block(prototypes, out, top, |out, membership| {
            for (row, out) in out.chunks_exact_mut(top).enumerate() {
                let all: Vec<f64> = (0..clusters).map(|k| membership(row, k)).collect();
                top_memberships(&all, out);
            }
        });
    }

    fn labels(&self, prototypes: &Prototypes, out: &mut [u32]) {
        let clusters = prototypes.clusters();
        self.for_each_block(prototypes, out, 1, |labels, membership| {
            for (row, label) in labels.iter_mut().enumerate() {
                let larger = |best, k| if membership(row, k) > membership(row, best) { k } else { best };
                *label = (1..clusters).fold(0, larger) as u32;
            }
        });
    }

    fn for_each_block_of<R: KernelReal, T: Send>(
        &self,
        x: &[R],
        prototypes: &Prototypes,
        out: &mut [T],
        width: usize,
        take: impl Fn(&mut [T], &dyn Fn(usize, usize) -> f64) + Sync + Send,
    ) {
        let (kernel, columns) = (SweepKernel::<R>::new(prototypes), self.columns());
        let pool = ScratchPool::new(&kernel);
        self.cpu.fill_chunks(out, width, CHUNK, |first, out| {
            pool.with_scratch(|scratch| {
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

    fn change_of<R: KernelReal>(&self, x: &[R], before: &Prototypes, after: &Prototypes) -> f64 {
        let (before, after) = (SweepKernel::<R>::new(before), SweepKernel::<R>::new(after));
        let (columns, values_used) = (self.columns(), before.clusters * STRIDE);
        let pool = ScratchPool::new(&before);
        let changes = self.cpu.map_chunks(x.len() / columns, CHUNK, |range| {
            pool.with_scratch(|scratch| {
                let mut largest = 0.0f64;
                for rows in x[range.start * columns..range.end * columns].chunks(BLOCK * columns) {
                    R::MEMBERSHIPS(self.cpu.simd(), &before, rows, scratch);
                    let old = scratch.degrees.to_vec();
                    R::MEMBERSHIPS(self.cpu.simd(), &after, rows, scratch);
                    for (i, (old, new)) in old[..values_used].iter().zip(scratch.degrees.iter()).enumerate() {
                        if i % STRIDE < rows.len() / columns {
                            largest = largest.max((old.to_f64() - new.to_f64()).abs());
                        }
                    }
                }
                largest
            })
        });
        changes.into_iter().fold(0.0, f64::max)
    }
}

impl RowBackend for CpuRows<'_> {
    fn summarize(&mut self, options: SummaryOptions) -> Result<DataSummary> {
        let mut total = DataSummary::new(self.columns(), options);
        self.summarize_into(options, &mut total)?;
        Ok(total)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], requested: RequestedSums) -> Result<Vec<Sums>> {
        let mut totals = zero_sums(prototypes, requested);
        self.sweep_into(prototypes, requested, &mut totals);
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let change = |(before, after): &(&Prototypes, &Prototypes)| match self.samples.values() {
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

pub(in crate::clustering) fn zero_sums(prototypes: &[&Prototypes], requested: RequestedSums) -> Vec<Sums> {
    let zero = |p: &&Prototypes| Sums::zero(p.clusters(), p.columns(), p.space.partial, requested);
    prototypes.iter().map(zero).collect()
}
