//! Sums, means, minima and maxima of a formula over the rows of a table.

use super::args::Calc;
use super::encoding::Encoding;
use super::task::Task;
use fuzzion::arithmetic::{AlphaCut, Evaluation, Expr};
use fuzzion::inference::InferenceError;
use fuzzion::{Device, Error, Result};

/// A function of the values of all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Aggregate {
    Sum,
    Mean,
    Min,
    Max,
}

/// The aggregate of the rows so far.
pub(super) struct Aggregated<A> {
    aggregate: Aggregate,
    /// Sum of the rows, or their minimum or maximum; `None` before the first row.
    value: Option<A>,
}

impl<A: Encoding> Aggregated<A> {
    pub(super) fn new(aggregate: Aggregate) -> Self {
        Aggregated { aggregate, value: None }
    }

    /// Adds the values of `rows` rows.
    pub(super) fn add(&mut self, values: &A, rows: usize, task: &Task, device: &Device) -> Result<()> {
        let (next, combine) = match self.aggregate {
            Aggregate::Sum | Aggregate::Mean => (values.sum(device)?, "a + b"),
            Aggregate::Min => (extreme(values, rows, task.cuts, f64::min)?, "min(a, b)"),
            Aggregate::Max => (extreme(values, rows, task.cuts, f64::max)?, "max(a, b)"),
        };
        self.value = Some(match self.value.take() {
            None => next,
            Some(before) => task.combine(combine, &before, &next, device)?,
        });
        Ok(())
    }

    /// The aggregate of all `rows` rows.
    pub(super) fn finish(self, rows: u64, task: &Task, device: &Device) -> Result<A> {
        let value = self.value.expect("invariant: there is at least one row");
        match self.aggregate {
            Aggregate::Mean => {
                task.combine("a / b", &value, &A::parse(task.cuts, &[rows.to_string()])?, device)
            }
            _ => Ok(value),
        }
    }
}

/// Minimum or maximum of fuzzy numbers: that of the bounds of each cut.
fn extreme<A: Encoding>(values: &A, rows: usize, cuts: usize, choose: fn(f64, f64) -> f64) -> Result<A> {
    let bound = |cut: usize, end: fn(AlphaCut<f64>) -> f64| {
        (0..rows).map(|row| end(values.cut(row, cut))).reduce(choose).expect("invariant: a chunk has rows")
    };
    let text = |cut: usize| format!("[{:e},{:e}]", bound(cut, |cut| cut.lower), bound(cut, |cut| cut.upper));
    let texts: Vec<String> = (0..cuts).map(text).collect();
    A::parse(cuts, &[format!("cuts({})", texts.join(","))])
}

impl Task {
    /// Evaluates a formula of two numbers `a` and `b`.
    fn combine<A: Encoding>(&self, formula: &str, a: &A, b: &A, device: &Device) -> Result<A> {
        A::apply(&Expr::new(formula)?, &[("a", a), ("b", b)], self.cuts, Evaluation::Direct, device)
    }

    /// Fails unless the formula has a variable whose values are a column of the table.
    pub(super) fn require_column(&self, args: &Calc) -> Result<()> {
        if self.unbound().next().is_some() {
            return Ok(());
        }
        Err(Error::Inference(InferenceError::InvalidSystem {
            location: format!("`{}`", args.formula),
            problem:
                "has no column of the table, whose rows `--aggregate` combines; use the name of a column"
                    .into(),
        }))
    }
}
