//! Fuzzy systems.

use crate::cuda::CudaArray;
use crate::device::Device;
use crate::error::exception;
use crate::rows::{BorrowedRows, Rows, table_array};
use crate::run::{run, run_on_rows};
use fuzzion::data::Precision;
use fuzzion::inference::image::BUILT_IN;
use fuzzion::inference::type2::{IntervalPlan, IntervalSystem, IntervalTables};
use fuzzion::inference::{
    Activation, Conjunction, Defuzzifier, Dialect, InferenceError, Language, Plan, SystemFormat,
};
use fuzzion::sets::{SNorm, Set, TNorm};
use fuzzion::{Error, Result, SettingError};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A fuzzy system with its dialect.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct System {
    kind: Kind,
    dialect: Dialect,
}

enum Kind {
    Type1(Box<Type1>),
    Interval(Box<Interval>),
}

struct Type1 {
    system: fuzzion::inference::System,
    single: OnceLock<Plan>,
    double: OnceLock<Plan>,
}

struct Interval {
    system: IntervalSystem,
    plan: OnceLock<IntervalPlan>,
}

impl System {
    pub(crate) fn type1(system: fuzzion::inference::System, dialect: Dialect) -> Self {
        let type1 = Type1 { system, single: OnceLock::new(), double: OnceLock::new() };
        System { kind: Kind::Type1(Box::new(type1)), dialect }
    }

    fn interval(system: IntervalSystem, dialect: Dialect) -> Self {
        System { kind: Kind::Interval(Box::new(Interval { system, plan: OnceLock::new() })), dialect }
    }

    /// The system; for an interval type-2 system, the one with the lower sets.
    fn system(&self) -> &fuzzion::inference::System {
        match &self.kind {
            Kind::Type1(type1) => &type1.system,
            Kind::Interval(interval) => interval.system.lower(),
        }
    }

    /// The system, and for an interval type-2 system the one with the upper sets.
    pub(crate) fn bounding_systems(
        &self,
    ) -> (&fuzzion::inference::System, Option<fuzzion::inference::System>) {
        let upper = match &self.kind {
            Kind::Type1(_) => None,
            Kind::Interval(interval) => Some(interval.system.upper()),
        };
        (self.system(), upper)
    }

    fn require_type1(&self) -> Result<&Type1> {
        match &self.kind {
            Kind::Type1(type1) => Ok(type1),
            Kind::Interval(interval) => {
                let location = format!("the system `{}`", interval.system.lower().name);
                Err(InferenceError::IntervalSystem { location }.into())
            }
        }
    }

    /// The type-1 system, for operations that need one.
    pub(crate) fn type1_system(&self) -> Result<(&fuzzion::inference::System, Dialect)> {
        Ok((&self.require_type1()?.system, self.dialect))
    }

    fn plan(&self, precision: Precision) -> Result<&Plan> {
        let Type1 { system, single, double } = self.require_type1()?;
        let cell = if precision == Precision::F32 { single } else { double };
        compiled(cell, || Ok(system.compile(self.dialect, precision)?))
    }

    fn intervals(&self, rows: &BorrowedRows<'_>, device: &fuzzion::Device) -> Result<IntervalTables> {
        let Kind::Interval(interval) = &self.kind else {
            let problem =
                "is not an interval type-2 system, so its outputs have no bounds; use `infer` instead";
            let (location, problem) = ("the system".to_owned(), problem.to_owned());
            return Err(InferenceError::InvalidSystem { location, problem }.into());
        };
        let plan = compiled(&interval.plan, || Ok(interval.system.compile(self.dialect)?))?;
        rows.with_samples(device, |samples| Ok(plan.infer(samples, device)?))
    }
}

/// The system of a learned model, created when it is first needed and then kept with its compiled plans.
pub(crate) fn cached_system(
    py: Python<'_>,
    cell: &OnceLock<Py<System>>,
    create: impl FnOnce() -> Result<fuzzion::inference::System>,
) -> PyResult<Py<System>> {
    let system = match cell.get() {
        Some(system) => system,
        None => {
            let system = System::type1(create().map_err(exception)?, Dialect::default());
            let system = Py::new(py, system)?;
            cell.get_or_init(|| system)
        }
    };
    Ok(system.clone_ref(py))
}

/// The plan in `cell`, compiled when it is first needed.
fn compiled<P>(cell: &OnceLock<P>, compile: impl FnOnce() -> Result<P>) -> Result<&P> {
    match cell.get() {
        Some(plan) => Ok(plan),
        None => {
            let plan = compile()?;
            Ok(cell.get_or_init(|| plan))
        }
    }
}

#[pymethods]
impl System {
    /// Loads a system file, or a function block of an `.fcl` file.
    #[staticmethod]
    #[pyo3(signature = (path, block=None))]
    fn load(py: Python<'_>, path: PathBuf, block: Option<&str>) -> PyResult<Self> {
        let loaded = match block {
            Some(block) => fuzzion::inference::System::load_block(&path, block),
            None => fuzzion::inference::System::load(&path),
        };
        match loaded {
            Ok(loaded) => {
                for warning in &loaded.warnings {
                    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(warning.as_str())?, 2)?;
                }
                Ok(System::type1(loaded.system, loaded.dialect))
            }
            Err(InferenceError::IntervalSystem { .. }) => {
                let loaded = IntervalSystem::load(&path).map_err(exception)?;
                Ok(System::interval(loaded.system, loaded.dialect))
            }
            Err(error) => Err(exception(error)),
        }
    }

    /// Parses a system in the format `fll`, `fis`, `fcl` or `json`, by default with the dialect of the format.
    #[staticmethod]
    #[pyo3(signature = (text, format, dialect=None))]
    fn parse(text: &str, format: &str, dialect: Option<&str>) -> PyResult<Self> {
        let parse = || -> Result<System> {
            let format: SystemFormat = format.parse()?;
            let dialect = dialect.map_or(Ok(format.dialect()), str::parse)?;
            let parsed = match format {
                SystemFormat::Fll => fuzzion::inference::System::from_fll(text),
                SystemFormat::Fis => fuzzion::inference::System::from_fis(text),
                SystemFormat::Fcl => fuzzion::inference::System::from_fcl(text),
                _ => fuzzion::inference::System::from_json(text),
            };
            match (parsed, format) {
                (Err(InferenceError::IntervalSystem { .. }), SystemFormat::Fll) => {
                    Ok(System::interval(IntervalSystem::from_fll(text)?, dialect))
                }
                (Err(InferenceError::IntervalSystem { .. }), _) => {
                    Ok(System::interval(IntervalSystem::from_json(text)?, dialect))
                }
                (parsed, _) => Ok(System::type1(parsed?, dialect)),
            }
        };
        parse().map_err(exception)
    }

    /// The same system with another dialect.
    fn with_dialect(&self, dialect: &str) -> PyResult<Self> {
        let dialect: Dialect = dialect.parse().map_err(|error: SettingError| exception(error))?;
        Ok(match &self.kind {
            Kind::Type1(type1) => System::type1(type1.system.clone(), dialect),
            Kind::Interval(interval) => System::interval(interval.system.clone(), dialect),
        })
    }

    /// Name of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.dialect.name()
    }

    /// Whether this is an interval type-2 system.
    #[getter]
    fn is_interval(&self) -> bool {
        matches!(self.kind, Kind::Interval(_))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.system().name
    }

    /// Names of the inputs.
    #[getter]
    fn inputs(&self) -> Vec<&str> {
        self.system().inputs.iter().map(|input| input.name.as_str()).collect()
    }

    /// Descriptions of the inputs, which contain the column name if a file format cannot represent it.
    #[getter]
    fn input_descriptions(&self) -> Vec<&str> {
        self.system().inputs.iter().map(|input| input.description.as_str()).collect()
    }

    /// Names of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<&str> {
        self.system().outputs.iter().map(|output| output.variable.name.as_str()).collect()
    }

    /// Texts of the rules.
    #[getter]
    fn rules(&self) -> PyResult<Vec<String>> {
        let system = self.system();
        let rules = system.blocks.iter().flat_map(|block| &block.rules);
        rules.map(|rule| system.rule_text(rule).map_err(exception)).collect()
    }

    /// Texts of the rules with the rounded values or formulas of their consequents.
    #[getter]
    fn formulas(&self) -> PyResult<Vec<String>> {
        fuzzion::tuning::inspect::rules(self.system()).map_err(exception)
    }

    /// The outputs of every row, whose columns are the inputs.
    #[pyo3(signature = (rows, device, *, progress=None))]
    fn infer<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        device: &Device,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = rows.borrow(None, None)?;
        let infer = |device: &fuzzion::Device| match &self.kind {
            Kind::Interval(_) => Ok(self.intervals(&rows, device)?.outputs),
            Kind::Type1(_) => {
                let plan = self.plan(rows.precision())?;
                rows.with_samples(device, |samples| Ok(plan.infer(samples, device)?))
            }
        };
        table_array(py, run_on_rows(py, device, progress, &rows, infer)?)
    }

    /// Like `infer`, in the memory of the device.
    fn infer_on_device(&self, py: Python<'_>, rows: Rows<'_>, device: &Device) -> PyResult<CudaArray> {
        let rows = rows.borrow(None, None)?;
        let infer = |device: &fuzzion::Device| {
            let plan = self.plan(rows.precision())?;
            rows.with_samples(device, |samples| Ok(plan.infer_on_device(samples, device)?))
        };
        run::<_, Error>(py, device, None, infer).map(Into::into)
    }

    /// The lower and upper bounds of the outputs of an interval type-2 system.
    fn infer_bounds<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        device: &Device,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let rows = rows.borrow(None, None)?;
        let tables = run(py, device, None, |device| self.intervals(&rows, device))?;
        Ok((table_array(py, tables.lower)?, table_array(py, tables.upper)?))
    }

    /// The explanation of one row: the report, and the memberships, firing strengths and outputs in it.
    fn explain<'py>(&self, py: Python<'py>, inputs: Vec<f64>) -> PyResult<Bound<'py, PyDict>> {
        let (system, dialect) = self.type1_system().map_err(exception)?;
        let explanation = system.explain(&inputs, dialect).map_err(exception)?;
        let result = PyDict::new(py);
        result.set_item("text", explanation.to_string())?;
        let memberships = PyDict::new(py);
        for input in &explanation.inputs {
            let sets = PyDict::new(py);
            input.memberships.iter().try_for_each(|(name, membership)| sets.set_item(name, membership))?;
            memberships.set_item(&input.name, sets)?;
        }
        result.set_item("memberships", memberships)?;
        let rules: Vec<(&str, f64)> =
            explanation.rules.iter().map(|rule| (rule.text.as_str(), rule.strength)).collect();
        result.set_item("firing_strengths", rules)?;
        let outputs = PyDict::new(py);
        explanation.outputs.iter().try_for_each(|output| outputs.set_item(&output.name, output.value))?;
        result.set_item("outputs", outputs)?;
        Ok(result)
    }

    fn to_fll(&self) -> PyResult<String> {
        match &self.kind {
            Kind::Type1(type1) => type1.system.to_fll(),
            Kind::Interval(interval) => interval.system.to_fll(),
        }
        .map_err(exception)
    }

    fn to_fis(&self) -> PyResult<String> {
        let (system, _) = self.type1_system().map_err(exception)?;
        system.to_fis().map_err(exception)
    }

    fn to_json(&self) -> PyResult<String> {
        match &self.kind {
            Kind::Type1(type1) => type1.system.to_json_with(self.dialect),
            Kind::Interval(interval) => interval.system.to_json_with(self.dialect),
        }
        .map_err(exception)
    }

    /// Source code in `c`, `rust` or `cuda`, in the precision `f32` or `f64`.
    fn export(&self, language: &str, precision: &str) -> PyResult<String> {
        let export = || -> Result<String> {
            let (system, dialect) = self.type1_system()?;
            Ok(system.export(language.parse::<Language>()?, dialect, precision.parse::<Precision>()?)?)
        };
        export().map_err(exception)
    }

    /// Saves the system; the extension of the path selects the format.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        match &self.kind {
            Kind::Type1(type1) => type1.system.save(path, self.dialect),
            Kind::Interval(interval) => interval.system.save(path, self.dialect),
        }
        .map_err(exception)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let system = slf.get();
        let args = [system.to_json()?.as_str(), "json", system.dialect()].map(str::to_owned);
        Ok((slf.get_type().getattr("parse")?, PyTuple::new(slf.py(), args)?))
    }
}

/// The dialect with which files of this format are read; `None` if they store it or the format is unknown.
#[pyfunction]
pub(crate) fn dialect_of_format(format: &str) -> Option<&'static str> {
    let format: SystemFormat = format.parse().ok()?;
    (format != SystemFormat::Json).then(|| format.dialect().name())
}

/// Checks the parameters of a set.
#[pyfunction]
pub(crate) fn check_set(
    shape: &str,
    parameters: Vec<f64>,
    expression: Option<&str>,
    height: f64,
) -> PyResult<()> {
    let set = match expression {
        Some(expression) => Set::function(expression),
        None => Set::from_parameters(shape, &parameters),
    };
    set.and_then(|set| set.with_height(height)).map(drop).map_err(exception)
}

/// Checks a setting of a system: the name of a norm, an activation or a defuzzifier.
#[pyfunction]
pub(crate) fn check_setting(name: &str, value: &str) -> PyResult<()> {
    let checked: Result<()> = match name {
        "conjunction" => value.parse::<Conjunction>().map(drop).map_err(Into::into),
        "implication" => value.parse::<TNorm>().map(drop).map_err(Into::into),
        "disjunction" | "aggregation" => value.parse::<SNorm>().map(drop).map_err(Into::into),
        "activation" => value.parse::<Activation>().map(drop).map_err(Into::into),
        _ => value.parse::<Defuzzifier>().map(drop).map_err(Into::into),
    };
    checked.map_err(|error| match error {
        // The position in a text of one or two words is obvious.
        Error::Inference(InferenceError::Syntax { problem, .. }) => PyValueError::new_err(problem),
        other => exception(other),
    })
}

/// Names and FLL texts of the built-in window operators.
#[pyfunction]
pub(crate) fn built_in_systems() -> Vec<(&'static str, &'static str)> {
    BUILT_IN.to_vec()
}
