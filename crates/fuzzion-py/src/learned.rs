//! The methods of learned models.

/// Defines the Python class of a learned model and the methods that all of them have. `$system` creates the equivalent
/// system, `$targets` is the field with the names of the targets, and `$predict` computes the outputs; `$methods` are further
/// methods.
macro_rules! learned_model {
    ($(#[$attribute:meta])* $class:ident($model:ty) {
        system: $system:expr, targets: $targets:ident, outputs: $predict:ident, $($methods:tt)*
    }) => {
        $(#[$attribute])*
        #[pyo3::pyclass(frozen, module = "fuzzion._fuzzion")]
        pub(crate) struct $class {
            model: $model,
            system: std::sync::OnceLock<pyo3::Py<crate::system::System>>,
        }

        impl From<$model> for $class {
            fn from(model: $model) -> Self {
                $class { model, system: std::sync::OnceLock::new() }
            }
        }

        #[pyo3::pymethods]
        impl $class {
            /// The equivalent system, in the units of the data.
            #[getter]
            fn system(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<pyo3::Py<crate::system::System>> {
                crate::system::cached_system(py, &self.system, || ($system)(&self.model))
            }

            #[getter]
            fn inputs(&self) -> Vec<String> {
                self.model.inputs.clone()
            }

            #[getter]
            fn targets(&self) -> Vec<String> {
                self.model.$targets.clone()
            }

            /// Class names in the order of the outputs; empty for regression.
            #[getter]
            fn classes(&self) -> Vec<String> {
                self.model.classes.clone()
            }

            /// The library's report, as JSON.
            #[getter]
            fn report(&self) -> pyo3::PyResult<String> {
                serde_json::to_string(&self.model.report).map_err(crate::error::json_exception)
            }

            /// Messages of the warnings of the fit.
            #[getter]
            fn warnings(&self) -> Vec<String> {
                self.model.report.warnings.iter().map(ToString::to_string).collect()
            }

            /// The outputs of every row: one column for each target or class.
            fn outputs<'py>(
                &self,
                py: pyo3::Python<'py>,
                names: Vec<String>,
                rows: crate::rows::Rows<'_>,
                device: &crate::device::Device,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let rows = rows.borrow(Some(names), None)?;
                let predict = |device: &fuzzion::Device| {
                    rows.with_samples(device, |samples| Ok(self.model.$predict(samples, device)?))
                };
                crate::rows::table_array(py, crate::run::run_on_rows(py, device, None, &rows, predict)?)
            }

            /// The file format of the command line.
            fn to_json(&self) -> pyo3::PyResult<String> {
                self.model.to_json().map_err(crate::error::exception)
            }

            #[staticmethod]
            fn from_json(text: &str) -> pyo3::PyResult<Self> {
                <$model>::from_json(text).map(Into::into).map_err(crate::error::exception)
            }

            fn __reduce__<'py>(
                slf: &pyo3::Bound<'py, Self>,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, pyo3::PyAny>, (String,))> {
                use pyo3::types::PyAnyMethods as _;
                Ok((slf.get_type().getattr("from_json")?, (slf.get().to_json()?,)))
            }

            $($methods)*
        }
    };
}
pub(crate) use learned_model;
