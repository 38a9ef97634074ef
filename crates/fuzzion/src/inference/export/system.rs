//! Export of systems and plans.

use super::language::Language;
use super::source::convert_to_cuda;
use super::writer::Writer;
use crate::data::Precision;
use crate::inference::error::{InferenceError, Result};
use crate::inference::plan::Plan;
use crate::inference::syntax::quoted;
use crate::inference::{Dialect, System};

impl System {
    /// Exports the system as one source file that has no dependencies and does not allocate.
    ///
    /// The file defines a function `NAME_infer(inputs, outputs)` in C, `infer(inputs)` in Rust, and a device function and
    /// a kernel that processes many rows in CUDA. Outputs that may keep their previous value add a state parameter. If
    /// the file is compiled without contraction of multiplications and additions (`-ffp-contract=off`), its results
    /// equal those of [`System::infer_row`] up to rounding.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, Language, Output, System, Variable};
    /// use fuzzion::{data::Precision, sets::Set};
    ///
    /// let heating = System::new("heating")
    ///     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
    ///     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(1.0)?))
    ///     .rule("if room is cold then valve is open")?;
    /// let text = heating.export(Language::C, Dialect::Fuzzylite8, Precision::F64)?;
    /// assert!(text.contains("void heating_infer(const double *inputs, double *outputs)"));
    /// assert!(text.contains("const double room_cold = ramp(room, 20.0, 16.0);"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`System::check`], and [`InferenceError::Export`] if the language or the precision does not support the system.
    pub fn export(&self, language: Language, dialect: Dialect, precision: Precision) -> Result<String> {
        self.compile(dialect, precision)?.export(language)
    }
}

impl Plan {
    /// Like [`System::export`], in the plan's dialect and precision. Centroids are exact if the plan's are.
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
    /// use fuzzion::{data::Precision, inference::Language};
    /// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// assert!(plan.export(Language::Rust)?.contains("pub fn infer(inputs: &[f64; 1]) -> [f64; 1]"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::Export`] if the language or the precision does not support the system.
    pub fn export(&self, language: Language) -> Result<String> {
        let (system, precision) = (self.system(), self.precision());
        let error = |problem: String| Err(InferenceError::Export { language: language.name(), problem });
        if precision == Precision::F32 {
            if language != Language::Cuda {
                return error("only double precision is supported; use f64, or export to `cuda`".into());
            }
            let outputs = system.outputs.iter().map(|output| &output.variable);
            let out_of_range = system.inputs.iter().chain(outputs).find_map(|variable| {
                let named = variable.sets.iter().find(|named| !named.set.fits_f32())?;
                Some(format!("set {} of {}", quoted(&named.name), quoted(&variable.name)))
            });
            if let Some(set) = out_of_range {
                return error(format!("{set} has parameters outside the range of single precision; use f64"));
            }
        }
        let text = Writer::new(self, language).file();
        Ok(match language {
            Language::Cuda => convert_to_cuda(&text, precision),
            Language::C | Language::Rust => text,
        })
    }
}
