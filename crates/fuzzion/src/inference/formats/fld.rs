//! FLD, the FuzzyLite Dataset: outputs over a grid of input values.
//!
//! A header line of names is followed by one line of space-separated values per grid point; the last input varies
//! fastest. Values have three decimal places by default, as in fuzzylite.

use crate::base::SettingError;
use crate::data::output::AtomicFile;
use crate::data::{DataError, Precision};
use crate::device::Device;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::quoted;
use crate::inference::{Dialect, System, Variable};
use crate::macros::setters;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

/// Number of points of a grid.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// use fuzzion::inference::{GridPoints, InputGrid};
/// assert_eq!(InputGrid::new(GridPoints::PerInput(5)).row_count(&heating)?, 5);
/// assert_eq!(InputGrid::new(GridPoints::Total(100)).row_count(&heating)?, 100); // of one input
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GridPoints {
    /// Number of points per input.
    PerInput(usize),
    /// Maximum number of rows; every input has the same number of points.
    Total(usize),
}

/// Maximum number of decimal places.
const MAX_DECIMALS: usize = 17;

/// Settings of an FLD table.
///
/// ```
/// use fuzzion::Device;
/// use fuzzion::inference::{Dialect, GridPoints, InputGrid, System};
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
/// let grid = InputGrid::new(GridPoints::PerInput(3)).decimals(2);
/// grid.write(&dimmer, Dialect::Fuzzylite8, &Device::cpu()?, &mut table)?;
/// assert_eq!(table, b"ambient power\n0.00 2.00\n0.50 1.00\n1.00 nan\n");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputGrid {
    /// Number of points.
    pub points: GridPoints,
    /// Number of decimal places, at most 17.
    #[serde(default = "default_decimals")]
    pub decimals: usize,
}

/// Maximum number of rows; prevents a mistyped number of points from filling the disk.
const MAX_ROWS: u64 = 1_000_000_000;

/// As in fuzzylite.
fn default_decimals() -> usize {
    3
}

setters! {
    InputGrid {
        decimals: usize,
    }
}

impl InputGrid {
    /// Creates a grid with three decimal places, as in fuzzylite.
    pub fn new(points: GridPoints) -> Self {
        InputGrid { points, decimals: default_decimals() }
    }

    /// Number of rows of the table for `system`.
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] for an input with an infinite range, and [`SettingError::OutOfRange`] if the number of points or of
    /// decimal places is out of range.
    pub fn row_count(&self, system: &System) -> Result<u64> {
        let parameter = |name, value: usize, must| {
            Err(SettingError::OutOfRange { algorithm: "a grid", name, value: value as f64, must }.into())
        };
        let (GridPoints::PerInput(n) | GridPoints::Total(n)) = self.points;
        if n == 0 {
            return parameter("points", n, "at least 1");
        }
        if self.decimals > MAX_DECIMALS {
            return parameter("decimals", self.decimals, "at most 17");
        }
        let infinite = |input: &&Variable| !(input.maximum - input.minimum).is_finite();
        if let Some(input) = system.inputs.iter().find(infinite) {
            let problem = "has an infinite range, but a grid needs a finite one; set the range";
            return Err(InferenceError::InvalidSystem {
                location: format!("input {}", quoted(&input.name)),
                problem: problem.into(),
            });
        }
        let rows = u32::try_from(system.inputs.len())
            .ok()
            .and_then(|d| (self.points_per_input(system) as u64).checked_pow(d));
        match rows.filter(|rows| *rows <= MAX_ROWS) {
            Some(rows) => Ok(rows),
            None => parameter("points", n, "small enough for at most 1000000000 rows"),
        }
    }

    fn points_per_input(&self, system: &System) -> usize {
        match self.points {
            GridPoints::PerInput(n) => n,
            GridPoints::Total(n) if system.inputs.len() <= 1 => n,
            // Fuzzylite truncates a floating-point root, which can be one too small, for example for 1000.
            GridPoints::Total(n) => {
                let d = system.inputs.len() as u32;
                let root = (n as f64).powf(1.0 / f64::from(d)) as usize;
                let fits = |k: &usize| k.checked_pow(d).is_some_and(|rows| rows <= n);
                let nearest = (root.saturating_sub(1)..=root + 1).rev().find(fits);
                nearest.expect("invariant: the floating-point root is off by at most 1")
            }
        }
    }

    /// Infers all rows in order, writes the table and returns the number of rows.
    ///
    /// # Errors
    /// The errors of [`InputGrid::row_count`] and [`System::check`], and [`DataError::File`].
    pub fn write(
        &self,
        system: &System,
        dialect: Dialect,
        device: &Device,
        out: &mut impl Write,
    ) -> Result<u64> {
        let plan = system.compile(dialect, Precision::F64)?;
        let mut state = plan.state();
        self.write_with(system, device, out, |row| Ok(plan.infer_row(row, &mut state)?.to_vec()))
    }

    /// Like [`InputGrid::write`], but writes atomically to the file at `path`; `-` is standard output.
    ///
    /// # Errors
    /// Same as [`InputGrid::write`].
    pub fn save(
        &self,
        system: &System,
        dialect: Dialect,
        device: &Device,
        path: impl AsRef<Path>,
    ) -> Result<u64> {
        let path = path.as_ref();
        self.row_count(system)?; // fails before the file is created
        let mut output = AtomicFile::create(path)?;
        let written = self.write(system, dialect, device, &mut output).map_err(|error| match error {
            InferenceError::Data(DataError::File { doing, cause, .. }) => {
                DataError::File { doing, path: path.to_path_buf(), cause }.into()
            }
            other => other,
        })?;
        output.finish()?;
        Ok(written)
    }

    /// Like [`InputGrid::write`], with outputs computed by `infer`.
    ///
    /// Rows are written as they are computed, so that memory use does not depend on the size of the grid.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// use fuzzion::{Device, inference::{GridPoints, InputGrid}};
    /// let mut table = Vec::new();
    /// let grid = InputGrid::new(GridPoints::PerInput(3)).decimals(0);
    /// grid.write_with(&heating, &Device::cpu()?, &mut table, |row| Ok(vec![2.0 * row[0]]))?;
    /// assert_eq!(table, b"room valve\n10 20\n20 40\n30 60\n");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`InputGrid::write`] and of `infer`.
    pub fn write_with(
        &self,
        system: &System,
        device: &Device,
        out: &mut impl Write,
        mut infer: impl FnMut(&[f64]) -> Result<Vec<f64>>,
    ) -> Result<u64> {
        system.check()?;
        let (rows, points) = (self.row_count(system)?, self.points_per_input(system));
        let fail = |cause| DataError::File { doing: "write", path: "-".into(), cause };
        let outputs = system.outputs.iter().map(|output| &output.variable);
        let names: Vec<&str> = system.inputs.iter().chain(outputs).map(|v| v.name.as_str()).collect();
        writeln!(out, "{}", names.iter().map(|name| without_whitespace(name)).collect::<Vec<_>>().join(" "))
            .map_err(fail)?;
        let mut indices = vec![0usize; system.inputs.len()];
        for done in 0..rows {
            device.progress().report(done, rows)?;
            let inputs = system.inputs.iter().zip(&indices);
            let row: Vec<f64> = inputs
                .map(|(input, i)| {
                    let step = (input.maximum - input.minimum) / (points - 1).max(1) as f64;
                    input.minimum + *i as f64 * step
                })
                .collect();
            let outputs = infer(&row)?;
            let cells = row.iter().chain(&outputs).map(|value| fixed_point(*value, self.decimals));
            writeln!(out, "{}", cells.collect::<Vec<_>>().join(" ")).map_err(fail)?;
            for i in indices.iter_mut().rev() {
                *i += 1;
                if *i < points {
                    break;
                }
                *i = 0;
            }
        }
        device.progress().report(rows, rows)?;
        Ok(rows)
    }
}

fn fixed_point(value: f64, decimals: usize) -> String {
    if value.is_nan() { "nan".into() } else { format!("{value:.decimals$}") }
}

/// Replaces whitespace, which separates the names of the header.
fn without_whitespace(name: &str) -> String {
    let replaced = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    name.chars().map(replaced).collect()
}
