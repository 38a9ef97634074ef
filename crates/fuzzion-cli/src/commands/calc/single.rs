//! One result: as a table for people, or as JSON.

use super::{Calc, Encoding, Task};
use crate::commands::words::{aligned, number, short};
use fuzzion::arithmetic::{Cut, LuArray};
use fuzzion::{Device, Progress, Result};
use serde_json::{Value, json};

/// Digits of the largest bound.
const DIGITS: usize = 7;

/// A result, and the cuts of the same calculation with lower and upper bounds where it was made otherwise.
struct Outcome<A> {
    task: Task,
    result: A,
    reference: Option<LuArray<f64>>,
}

/// The level of a cut.
pub(super) fn alpha(i: usize, cuts: usize) -> f64 {
    if cuts == 1 { 0.0 } else { i as f64 / (cuts - 1) as f64 }
}

impl Calc {
    /// What people read.
    pub(super) fn single<A: Encoding>(
        &self,
        device: &Device,
        progress: Progress<'_>,
        quiet: bool,
    ) -> Result<String> {
        let outcome = self.outcome::<A>(device, progress)?;
        if quiet {
            return Ok(outcome.result.text(0));
        }
        let cuts = outcome.cuts();
        let bounds = shown(&cuts);
        let excess = outcome.overestimation();
        let mut lines = vec![vec!["alpha".to_owned(), "lower".to_owned(), "upper".to_owned()]];
        lines[0].extend(excess.as_ref().map(|_| "width over lu".to_owned()));
        for (i, [lower, upper]) in bounds.into_iter().enumerate() {
            let mut line = vec![short(alpha(i, cuts.len())), lower, upper];
            line.extend(excess.as_ref().map(|excess| short(excess[i])));
            lines.push(line);
        }
        let mut text = aligned(&lines, &[]);
        let centroid = outcome.result.centroids()[0];
        let centroid = centroid.map_or("none: even the core is unbounded".to_owned(), short);
        text.push_str(&format!("\ncentroid {centroid}\n"));
        if cuts.iter().any(|cut| !cut.is_bounded()) {
            text.push_str("inf: no bound is known there; a shape never ends, a divisor reaches 0, or a number is too large\n");
        }
        Ok(text)
    }

    pub(super) fn single_json<A: Encoding>(&self, device: &Device, progress: Progress<'_>) -> Result<Value> {
        let outcome = self.outcome::<A>(device, progress)?;
        let cuts = outcome.cuts();
        let cut = |(i, cut): (usize, &Cut<f64>)| json!({ "alpha": alpha(i, cuts.len()), "lower": number(cut.lower), "upper": number(cut.upper) });
        let mut told = json!({
            "expression": self.formula,
            "cuts": cuts.iter().enumerate().map(cut).collect::<Vec<_>>(),
            "encoding": A::NAME,
            "precision": A::PRECISION,
            "method": self.method.to_string(),
            "centroid": outcome.result.centroids()[0],
            "text": outcome.result.text(0),
        });
        if let Some(excess) = outcome.overestimation() {
            told["width_over_lu"] = excess.into_iter().map(number).collect();
        }
        Ok(told)
    }

    /// Calculates, and draws where that is asked for.
    fn outcome<A: Encoding>(&self, device: &Device, progress: Progress<'_>) -> Result<Outcome<A>> {
        let task = self.task()?;
        if let Some(name) = task.unbound().next() {
            let problem = format!(
                "the variable `{name}` has no value; give one with `--let {name}=…`, or a table with `--data`"
            );
            return Err(task.expr.error_at(name, problem));
        }
        let result = task.single::<A>(device, progress)?;
        let reference =
            (A::NAME != "lu").then(|| task.single::<LuArray<f64>>(device, progress)).transpose()?;
        if let Some(path) = &self.plot {
            task.plot::<A>(&result, path)?;
        }
        Ok(Outcome { task, result, reference })
    }
}

impl Task {
    fn single<A: Encoding>(&self, device: &Device, progress: Progress<'_>) -> Result<A> {
        let columns = self.columns::<A>()?;
        let columns: Vec<(&str, &A)> = columns.iter().map(|(name, column)| (*name, column)).collect();
        A::apply(self, &columns, device, progress)
    }
}

impl<A: Encoding> Outcome<A> {
    fn cuts(&self) -> Vec<Cut<f64>> {
        (0..self.task.cuts).map(|i| self.result.cut(0, i)).collect()
    }

    /// How many times as wide each cut is as with lower and upper bounds in double precision.
    fn overestimation(&self) -> Option<Vec<f64>> {
        let reference = self.reference.as_ref()?;
        let excess = |(i, cut): (usize, Cut<f64>)| {
            let (mine, other) = (cut.upper - cut.lower, reference.cut(0, i));
            let other = other.upper - other.lower;
            if mine == other { 1.0 } else { mine / other }
        };
        Some(self.cuts().into_iter().enumerate().map(excess).collect())
    }
}

/// The bounds of all cuts, rounded outwards and as short as they can be without hiding a digit.
fn shown(cuts: &[Cut<f64>]) -> Vec<[String; 2]> {
    let bounds = cuts.iter().flat_map(|cut| [cut.lower, cut.upper]);
    let largest =
        bounds.filter(|bound| bound.is_finite()).fold(0.0, |most: f64, bound| most.max(bound.abs()));
    if largest != 0.0 && !(1e-4..1e9).contains(&largest) {
        return cuts.iter().map(|cut| cut.digits(DIGITS)).collect();
    }
    let before = if largest == 0.0 { 0 } else { largest.log10().floor() as i32 };
    let places = usize::try_from(DIGITS as i32 - 1 - before).unwrap_or(0);
    let mut shown: Vec<[String; 2]> = cuts.iter().map(|cut| cut.places(places)).collect();
    // Zeros at the end of all of them say nothing.
    let has_point = |text: &String| text.contains('.');
    let zeros = |text: &String| text.len() - text.trim_end_matches('0').len();
    let spare = shown.iter().flatten().filter(|text| has_point(text)).map(zeros).min().unwrap_or(0);
    for text in shown.iter_mut().flatten().filter(|text| has_point(text)) {
        text.truncate(text.len() - spare);
        text.truncate(text.trim_end_matches('.').len());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_shown_outwards_in_seven_digits_without_idle_zeros() {
        let shown = |lower: f64, upper: f64| shown(&[Cut { lower, upper }])[0].clone();
        assert_eq!(shown(1.0, 30.0), ["1", "30"]);
        assert_eq!(shown(1.5, 30.0), ["1.5", "30.0"]);
        assert_eq!(shown(-1.0 / 3.0, 200.0 / 3.0), ["-0.33334", "66.66667"]);
        assert_eq!(shown(0.0, 0.0), ["0", "0"]);
        assert_eq!(shown(f64::NEG_INFINITY, 2.0), ["-inf", "2"]);
        // 2¹⁰⁰⁰ is 1.0715086…·10³⁰¹.
        assert_eq!(shown(1e-12 / 3.0, 2f64.powi(1000)), ["3.333333e-13", "1.071509e301"]);
    }
}
