//! FLD, fuzzylite's table of results: a grid over the inputs and what comes out of it, row by row.
//!
//! A line of names, then lines of numbers, all separated by blanks; the last input changes fastest. Numbers have three
//! decimals unless said otherwise, as in fuzzylite.

use super::dialect::Dialect;
use super::system::System;
use super::text::shown;
use crate::data::Precision;
use crate::data::output::Output;
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::io::Write;
use std::path::Path;

/// How many points a grid has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Points {
    /// That many for every input.
    Each(usize),
    /// As many for every input as make at most that many rows in all.
    All(usize),
}

/// The most decimals; more than tell any two numbers apart only make zeros.
const MAX_DECIMALS: usize = 17;

/// Settings of a table of results.
///
/// ```
/// use fuzzion::inference::{Dialect, Grid, Points, System};
///
/// let dimmer = System::from_fll(
///     "InputVariable: ambient
///        range: 0 1
///        term: dark Ramp 1 0
///      OutputVariable: power
///        defuzzifier: WeightedAverage
///        term: high Ramp 0 2
///      RuleBlock:
///        rule: if ambient is dark then power is high",
/// )?;
/// let mut table = Vec::new();
/// Grid::new(Points::Each(3)).decimals(2).write(&dimmer, Dialect::Fuzzylite8, &mut table)?;
/// assert_eq!(table, b"ambient power\n0.00 2.00\n0.50 1.00\n1.00 nan\n");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Grid<'a> {
    /// How many points there are.
    pub points: Points,
    /// How many digits follow the point, at most 17.
    pub decimals: usize,
    /// Told how many rows are done.
    pub progress: Progress<'a>,
}

/// The most rows of a table: more is a slip, and would fill a disk.
const MAX_ROWS: u64 = 1_000_000_000;

impl<'a> Grid<'a> {
    /// A grid with fuzzylite's three decimals.
    pub fn new(points: Points) -> Self {
        Grid { points, decimals: 3, progress: Progress::none() }
    }

    /// The same with another number of decimals.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = decimals;
        self
    }

    /// The same, telling how many rows are done.
    pub fn progress(mut self, progress: Progress<'a>) -> Self {
        self.progress = progress;
        self
    }

    /// How many rows the table of `system` has.
    ///
    /// # Errors
    /// [`Error::System`] for an input of infinite range, and [`Error::Parameter`] for no points, too many of them, or
    /// too many decimals.
    pub fn rows(&self, system: &System) -> Result<u64> {
        let parameter = |name, value: usize, must| {
            Err(Error::Parameter { algorithm: "a grid", name, value: value as f64, must })
        };
        let (Points::Each(n) | Points::All(n)) = self.points;
        if n == 0 {
            return parameter("points", n, "at least 1");
        }
        if self.decimals > MAX_DECIMALS {
            return parameter("decimals", self.decimals, "at most 17");
        }
        let infinite = |input: &&super::Variable| !(input.maximum - input.minimum).is_finite();
        if let Some(input) = system.inputs.iter().find(infinite) {
            let problem = "has an infinite range, over which there is no grid; give it a finite one";
            return Err(Error::System {
                place: format!("input {}", shown(&input.name)),
                problem: problem.into(),
            });
        }
        let rows =
            u32::try_from(system.inputs.len()).ok().and_then(|d| (self.each(system) as u64).checked_pow(d));
        match rows.filter(|rows| *rows <= MAX_ROWS) {
            Some(rows) => Ok(rows),
            None => parameter("points", n, "so few that there are at most 1000000000 rows"),
        }
    }

    /// Points of every input.
    fn each(&self, system: &System) -> usize {
        match self.points {
            Points::Each(n) => n,
            // Fuzzylite takes the root in floating point, which may round the other way, e.g. of 1000.
            Points::All(n) => {
                let d = system.inputs.len().max(1) as u32;
                let near = (n as f64).powf(1.0 / f64::from(d)) as usize;
                let fits = |k: &usize| k.checked_pow(d).is_some_and(|rows| rows <= n);
                (near.saturating_sub(1)..=near + 1).rev().find(fits).unwrap_or(1).max(1)
            }
        }
    }

    /// Writes the table of what the system concludes, each row after the one before, and says how many rows there are.
    ///
    /// # Errors
    /// Those of [`Grid::rows`], of [`System::check`] and of writing.
    pub fn write(&self, system: &System, dialect: Dialect, out: &mut impl Write) -> Result<u64> {
        let plan = system.compile(dialect, Precision::F64)?;
        let mut memory = plan.memory();
        self.write_with(system, out, |row| Ok(plan.infer_row(row, &mut memory)?.to_vec()))
    }

    /// As [`Grid::write`], into the file at `path`, which appears when it is complete; `-` is standard output.
    ///
    /// # Errors
    /// As [`Grid::write`].
    pub fn save(&self, system: &System, dialect: Dialect, path: impl AsRef<Path>) -> Result<u64> {
        let path = path.as_ref();
        self.rows(system)?; // before a file is begun
        let mut output = Output::create(path)?;
        let written = self.write(system, dialect, &mut output).map_err(|error| match error {
            Error::File { doing, cause, .. } => Error::File { doing, path: path.to_path_buf(), cause },
            other => other,
        })?;
        output.finish()?;
        Ok(written)
    }

    /// Writes the table of what `infer` makes of every row of inputs, and says how many rows there are.
    ///
    /// Rows are written as they come, so that a grid of any size takes no memory.
    ///
    /// # Errors
    /// As [`Grid::write`], and those of `infer`.
    pub fn write_with(
        &self,
        system: &System,
        out: &mut impl Write,
        mut infer: impl FnMut(&[f64]) -> Result<Vec<f64>>,
    ) -> Result<u64> {
        system.check()?;
        let (rows, each) = (self.rows(system)?, self.each(system));
        let fail = |cause| Error::File { doing: "write", path: "-".into(), cause };
        let outputs = system.outputs.iter().map(|output| &output.variable);
        let names: Vec<&str> = system.inputs.iter().chain(outputs).map(|v| v.name.as_str()).collect();
        writeln!(out, "{}", names.iter().map(|name| one_word(name)).collect::<Vec<_>>().join(" "))
            .map_err(fail)?;
        let mut place = vec![0usize; system.inputs.len()];
        for done in 0..rows {
            self.progress.report(done, rows)?;
            let ends = system.inputs.iter().zip(&place);
            let row: Vec<f64> = ends
                .map(|(input, i)| {
                    let step = (input.maximum - input.minimum) / (each - 1).max(1) as f64;
                    input.minimum + *i as f64 * step
                })
                .collect();
            let concluded = infer(&row)?;
            let numbers = row.iter().chain(&concluded).map(|value| fixed(*value, self.decimals));
            writeln!(out, "{}", numbers.collect::<Vec<_>>().join(" ")).map_err(fail)?;
            for i in place.iter_mut().rev() {
                *i += 1;
                if *i < each {
                    break;
                }
                *i = 0;
            }
        }
        self.progress.report(rows, rows)?;
        Ok(rows)
    }
}

fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() { "nan".into() } else { format!("{value:.decimals$}") }
}

/// A name must not look like two.
fn one_word(name: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    name.chars().map(plain).collect()
}
