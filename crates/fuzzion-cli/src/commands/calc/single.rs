//! A single result as a text table and as JSON.

use super::args::Calc;
use super::encoding::Encoding;
use super::plot::alpha;
use super::task::Task;
use crate::format::{align_columns, format_number, json_number};
use fuzzion::arithmetic::{AlphaCut, Evaluation, LuArray, format_cuts};
use fuzzion::{Device, Result};
use serde_json::{Value, json};

/// A result; for other encodings than `lu` also the result of the same calculation with `lu` in f64.
pub(super) struct Evaluated<A> {
    task: Task,
    result: A,
    reference: Option<LuArray<f64>>,
}

impl Calc {
    /// Evaluates the formula and returns the result as text.
    pub(super) fn single<A: Encoding>(&self, device: &Device, quiet: bool) -> Result<String> {
        Ok(self.evaluate::<A>(device)?.text(quiet))
    }

    /// Evaluates the formula and returns the result as JSON.
    pub(super) fn single_json<A: Encoding>(&self, device: &Device) -> Result<Value> {
        Ok(self.evaluate::<A>(device)?.json(self))
    }

    /// Evaluates the formula and writes the plot, if requested.
    fn evaluate<A: Encoding>(&self, device: &Device) -> Result<Evaluated<A>> {
        let task = Task::new(self)?;
        if let Some(name) = task.unbound().next() {
            let problem = format!(
                "the variable `{name}` has no value; set it with `--let {name}=…` or use a table with `--data`"
            );
            return Err(task.expr.error_at(name, problem).into());
        }
        let result = task.single::<A>(device)?;
        let reference = (A::NAME != "lu").then(|| task.single::<LuArray<f64>>(device)).transpose()?;
        if let Some(path) = &self.plot {
            task.plot::<A>(&result, path)?;
        }
        Ok(Evaluated { task, result, reference })
    }
}

impl Task {
    fn single<A: Encoding>(&self, device: &Device) -> Result<A> {
        let columns = self.constants::<A>()?;
        let columns: Vec<(&str, &A)> = columns.iter().map(|(name, column)| (*name, column)).collect();
        self.apply(&columns, device)
    }
}

impl<A: Encoding> Evaluated<A> {
    /// The result of a task on the rows of a table.
    pub(super) fn new(task: Task, result: A, reference: Option<LuArray<f64>>) -> Self {
        Evaluated { task, result, reference }
    }

    /// The result as a table of its cuts; with `quiet` as one number.
    pub(super) fn text(&self, quiet: bool) -> String {
        if quiet {
            return self.result.text(0);
        }
        let cuts = self.cuts();
        let bounds = format_cuts(&cuts, |cut| self.decimal_places(cut));
        let widths = self.relative_widths();
        let mut lines = vec![vec!["alpha".to_owned(), "lower".to_owned(), "upper".to_owned()]];
        lines[0].extend(widths.as_ref().map(|_| "relative width".to_owned()));
        for (i, [lower, upper]) in bounds.into_iter().enumerate() {
            let mut line = vec![format_number(alpha(i, cuts.len())), lower, upper];
            line.extend(widths.as_ref().map(|widths| format_number(widths[i])));
            lines.push(line);
        }
        let mut text = align_columns(&lines, &[]);
        let centroid = self.result.centroids()[0];
        let centroid = centroid.map_or("undefined: a cut is unbounded".to_owned(), format_number);
        text.push_str(&format!("\ncentroid {centroid}\n"));
        if cuts.iter().any(|cut| !cut.is_bounded()) {
            text.push_str(
                "inf: unbounded because of a shape with infinite support, a divisor that contains 0, an argument outside the \
                 domain of a function, or an overflow\n",
            );
        }
        text
    }

    /// The result as JSON.
    pub(super) fn json(&self, args: &Calc) -> Value {
        let cuts = self.cuts();
        let cut = |(i, cut): (usize, &AlphaCut<f64>)| json!({ "alpha": alpha(i, cuts.len()), "lower": json_number(cut.lower), "upper": json_number(cut.upper) });
        let mut value = json!({
            "expression": args.formula,
            "cuts": cuts.iter().enumerate().map(cut).collect::<Vec<_>>(),
            "encoding": A::NAME,
            "precision": A::PRECISION,
            "method": args.method.to_string(),
            "centroid": self.result.centroids()[0],
            "text": self.result.text(0),
        });
        if let Some(widths) = self.relative_widths() {
            value["width_over_lu"] = widths.into_iter().map(json_number).collect();
        }
        value
    }

    fn cuts(&self) -> Vec<AlphaCut<f64>> {
        (0..self.task.cuts).map(|i| self.result.cut(0, i)).collect()
    }

    /// Number of decimal places of the exact bounds of a cut, if they are known to be decimal numbers.
    fn decimal_places(&self, cut: usize) -> Option<usize> {
        let task = &self.task;
        let values: Vec<(&str, &str)> =
            task.lets.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let is_direct = A::NAME == "lu" && task.method == Evaluation::Direct;
        task.expr.decimal_places(&values, cut, task.cuts).filter(|_| is_direct)
    }

    /// Width of each cut relative to the width with lower and upper bounds in double precision.
    fn relative_widths(&self) -> Option<Vec<f64>> {
        let reference = self.reference.as_ref()?;
        let ratio = |(i, cut): (usize, AlphaCut<f64>)| {
            let (width, reference) = (cut.upper - cut.lower, reference.cut(0, i));
            let reference = reference.upper - reference.lower;
            if width == reference { 1.0 } else { width / reference }
        };
        Some(self.cuts().into_iter().enumerate().map(ratio).collect())
    }
}
