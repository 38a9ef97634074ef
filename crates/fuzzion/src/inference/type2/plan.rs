//! Systems made ready for many rows.

use super::interval::Interval;
use super::model::IntervalSystem;
use super::reduce::Contribution;
use super::row::{IntervalInference, IntervalRow};
use super::set::Kind;
use crate::data::{Scalar, Table, Values};
use crate::device::{Cpu, Device, Processor};
use crate::error::{Error, Result};
use crate::inference::plan::input_columns;
use crate::inference::row::{order, resolve};
use crate::inference::{Defuzzifier, Dialect, NamedSet, Output, Place, System, Variable};
use crate::progress::Progress;
use crate::sets::Shape;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// There are no kernels: where the choice is ours, the CPU works.
const TOO_SMALL_FOR_GPU: bool = true;
/// Rows that a thread takes at a time.
const CHUNK: usize = 1 << 9;

/// An interval type-2 system ready for many rows: the centers and samples of its consequents are computed once.
#[derive(Clone, Debug)]
pub struct IntervalPlan {
    pub(super) system: IntervalSystem,
    pub(super) upper: System,
    pub(super) dialect: Dialect,
    /// For each set of each input, whether its upper set is another one.
    pub(super) has_upper: Vec<Vec<bool>>,
    /// Which set of a variable is meant where a rule names one: for each input, then for each output.
    pub(super) meant: Vec<Vec<usize>>,
    /// For each block, its rules in the order in which they are looked at.
    pub(super) orders: Vec<Vec<usize>>,
    /// For each output.
    pub(super) outputs: Vec<Consequents>,
    /// Whether a row may read the outputs of the row before.
    sequential: bool,
}

/// What is known of an output's sets before any row.
#[derive(Clone, Debug)]
pub(super) enum Consequents {
    /// The memberships of each set at the samples of the range.
    Samples { y: Vec<f64>, sets: Vec<Vec<Interval>> },
    /// z of each set.
    Centers(Vec<Center>),
}

/// z of a set.
#[derive(Clone, Copy, Debug)]
pub(super) enum Center {
    /// The same in every row, and what it is where `not` turns the set around.
    Fixed { plain: Interval, negated: Interval },
    /// Of a Linear, or a Function of the row.
    OfRow,
}

/// What a plan concludes from a table: a column for each output in all three.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalInferred {
    /// Equation (3).
    pub outputs: Table,
    /// The lower ends of equation (2).
    pub lower: Table,
    /// The upper ends.
    pub upper: Table,
}

impl IntervalPlan {
    /// The plan of a checked system.
    pub(super) fn of(system: IntervalSystem, dialect: Dialect) -> Self {
        let upper = system.upper();
        let inputs = system.lower().inputs.iter().enumerate();
        let has_upper = inputs.map(|(i, input)| {
            (0..input.sets.len()).map(|j| system.uppers().contains_key(&(Place::Input(i), j))).collect()
        });
        let outputs = system.lower().outputs.iter().zip(&upper.outputs);
        let outputs = outputs.map(|(lower, upper)| consequents(&system, lower, &upper.variable, dialect));
        let (has_upper, outputs) = (has_upper.collect(), outputs.collect());
        let meant =
            variables(&upper).map(|v| (0..v.sets.len()).map(|set| resolve(v, set, dialect)).collect());
        let (meant, orders) =
            (meant.collect(), upper.blocks.iter().map(|block| order(block, false)).collect());
        let sequential = reads_outputs(system.lower()) || reads_outputs(&upper);
        IntervalPlan { system, upper, dialect, has_upper, meant, orders, outputs, sequential }
    }

    /// Which set of a variable is meant where a rule names `set`.
    pub(super) fn meant(&self, place: Place, set: usize) -> usize {
        match place {
            Place::Input(i) => self.meant[i][set],
            Place::Output(i) => self.meant[self.has_upper.len() + i][set],
        }
    }

    /// The system it was made of.
    pub fn system(&self) -> &IntervalSystem {
        &self.system
    }

    /// The dialect it follows.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What the system concludes from one row of inputs, with no row before it.
    ///
    /// # Errors
    /// [`Error::RowLength`].
    pub fn infer_row(&self, inputs: &[f64]) -> Result<IntervalInference> {
        self.infer_row_after(inputs, &vec![f64::NAN; self.outputs.len()])
    }

    /// As [`IntervalPlan::infer_row`], after a row whose outputs were `previous`.
    ///
    /// # Errors
    /// [`Error::RowLength`].
    pub fn infer_row_after(&self, inputs: &[f64], previous: &[f64]) -> Result<IntervalInference> {
        let system = self.system.lower();
        let lengths =
            [("input", inputs.len(), system.inputs.len()), ("output", previous.len(), system.outputs.len())];
        if let Some((what, found, expected)) = lengths.into_iter().find(|(_, found, must)| found != must) {
            return Err(Error::RowLength { what, found, expected });
        }
        let mut row = IntervalRow::new(self).after(previous);
        row.infer(inputs.iter().copied());
        Ok(row.finish())
    }

    /// The outputs for every row of a table and the ends of their intervals.
    ///
    /// Inputs are the columns of their names; a table without names (`c1`, `c2`, …) has them in order. Other columns
    /// are not looked at. A missing value gives the dialect's answer for its row.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] where an input has no column, and [`Error::NotOnGpu`] where a GPU is asked for by name.
    pub fn infer(&self, table: &Table, device: &Device) -> Result<IntervalInferred> {
        self.infer_with(table, device, Progress::none())
    }

    /// As [`IntervalPlan::infer`], with a progress callback.
    ///
    /// # Errors
    /// As [`IntervalPlan::infer`], and [`Error::Interrupted`].
    pub fn infer_with(
        &self,
        table: &Table,
        device: &Device,
        progress: Progress<'_>,
    ) -> Result<IntervalInferred> {
        let columns = input_columns(self.system.lower(), table)?;
        match device.processor(TOO_SMALL_FOR_GPU) {
            Processor::Cpu(cpu) => self.on_cpu(table, &columns, cpu, progress),
            Processor::Cuda(_) => Err(Error::NotOnGpu { what: "an interval type-2 system" }),
        }
    }

    fn on_cpu(
        &self,
        table: &Table,
        columns: &[usize],
        cpu: &Cpu,
        progress: Progress<'_>,
    ) -> Result<IntervalInferred> {
        let width = 3 * self.outputs.len();
        let mut values = vec![0.0; table.rows() * width];
        let chunk = if self.sequential { table.rows().max(1) } else { CHUNK };
        let done = AtomicUsize::new(0);
        cpu.run(|| {
            values.par_chunks_mut(chunk * width).enumerate().try_for_each(|(i, out)| {
                let count = out.len() / width;
                match table.slice(i * chunk..i * chunk + count) {
                    Values::F32(x) => self.chunk(x, table.columns(), columns, out),
                    Values::F64(x) => self.chunk(x, table.columns(), columns, out),
                }
                let done = done.fetch_add(count, Ordering::Relaxed) + count;
                progress.report(done as u64, table.rows() as u64)
            })
        })?;
        let part = |first: usize| {
            let rows = values.chunks_exact(width);
            let numbers: Vec<f64> = rows.flat_map(|row| row[first..].iter().step_by(3).copied()).collect();
            let names = self.system.lower().outputs.iter().map(|output| output.variable.name.clone());
            Table::new(names.collect::<Vec<String>>(), numbers)
        };
        Ok(IntervalInferred { outputs: part(0)?, lower: part(1)?, upper: part(2)? })
    }

    /// Rows one after the other, `stride` numbers each, into output and ends of each output.
    fn chunk<S: Scalar>(&self, x: &[S], stride: usize, columns: &[usize], out: &mut [f64]) {
        let mut row = IntervalRow::new(self);
        for (x, out) in x.chunks_exact(stride).zip(out.chunks_exact_mut(3 * self.outputs.len())) {
            if !self.sequential {
                row.forget();
            }
            let (values, ends) = row.infer(columns.iter().map(|column| Scalar::to_f64(x[*column])));
            for (out, (value, end)) in out.chunks_exact_mut(3).zip(values.iter().zip(ends)) {
                out.copy_from_slice(&[*value, end.lower, end.upper]);
            }
        }
    }
}

/// Whether an output keeps the value of the row before, or a Function names an output.
fn reads_outputs(system: &System) -> bool {
    let names_output = |named: &NamedSet| match named.set.shape() {
        Shape::Function { expression } => {
            let names = expression.variables();
            system.outputs.iter().any(|output| names.contains(&output.variable.name))
        }
        _ => false,
    };
    system.outputs.iter().any(|output| output.lock_previous)
        || variables(system).flat_map(|variable| &variable.sets).any(names_output)
}

/// The inputs, then the outputs.
fn variables(system: &System) -> impl Iterator<Item = &Variable> {
    system.inputs.iter().chain(system.outputs.iter().map(|output| &output.variable))
}

fn consequents(system: &IntervalSystem, lower: &Output, upper: &Variable, dialect: Dialect) -> Consequents {
    let variable = &lower.variable;
    let y = dialect.sample_points(variable.minimum, variable.maximum, lower.defuzzifier.samples());
    let sampled = |set: usize| -> Vec<Interval> {
        let (least, most) = (&variable.sets[set].set, &upper.sets[set].set);
        y.iter().map(|y| Interval::new(least.membership(*y), most.membership(*y)).within_unit()).collect()
    };
    if let Defuzzifier::Centroid { .. } = lower.defuzzifier {
        return Consequents::Samples { sets: (0..variable.sets.len()).map(sampled).collect(), y };
    }
    let center = |set: usize| {
        let (least, most) = (&variable.sets[set].set, &upper.sets[set].set);
        if let (Shape::Constant { value: least }, Shape::Constant { value: most }) =
            (least.shape(), most.shape())
        {
            let plain = Interval::new(*least, *most);
            return Center::Fixed { plain, negated: plain };
        }
        if Kind::of(least) == Kind::Value {
            return Center::OfRow;
        }
        let sampled = sampled(set);
        let of = |change: fn(Interval) -> Interval| {
            let pairs = y.iter().zip(&sampled);
            let contributions = pairs.map(|(y, membership)| Contribution {
                center: Interval::exactly(*y),
                strength: change(*membership),
            });
            system.type_reduction.reduce(&contributions.collect::<Vec<_>>())
        };
        Center::Fixed { plain: of(|membership| membership), negated: of(Interval::complement) }
    };
    Consequents::Centers((0..variable.sets.len()).map(center).collect())
}
