//! A system as source text: one file that needs nothing and computes the engine's numbers.
//!
//! The text is written from a plan's guarded steps, in which every question of the dialect is answered already. Each
//! step becomes a line; what the lines call (shapes, norms, and in C and Rust elementary functions of our own) is taken
//! from `runtime/`, as far as it is needed. Elementary functions err by two units in the last place at most; sine, cosine
//! and tangent keep that up to |x| = 1e15, and are NaN beyond.

mod cuda;
mod expression;
mod file;
mod fragments;
mod layout;
mod names;
mod sampled;
mod syntax;
mod write;

use super::dialect::Dialect;
use super::plan::Plan;
use super::system::System;
use super::text::shown;
use crate::data::Precision;
use crate::error::{Error, Result};
use write::Writer;

/// What a system can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Rust that needs `core` alone.
    Rust,
    /// C99 that needs no library.
    C,
    /// CUDA C++ for nvcc and NVRTC, with a kernel over rows.
    Cuda,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 3] = [Language::Rust, Language::C, Language::Cuda];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Cuda => "cuda",
        }
    }

    /// The language of that word.
    pub fn from_name(name: &str) -> Option<Self> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }
}

impl System {
    /// The system as one source file that depends on nothing and allocates nothing.
    ///
    /// In C it is a function `NAME_infer(inputs, outputs)`, in Rust `infer(inputs)`, in CUDA a device function and a
    /// kernel over rows; an output that may keep the value of the row before adds a state. Compiled without contraction
    /// of multiplications and additions (`-ffp-contract=off`) the numbers are those of [`System::infer_row`] but for
    /// rounding.
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
    /// Those of [`System::check`], and [`Error::Export`] where the language or the precision cannot hold the system.
    pub fn export(&self, language: Language, dialect: Dialect, precision: Precision) -> Result<String> {
        self.compile(dialect, precision)?.export(language)
    }
}

impl Plan {
    /// The plan's system as [`System::export`] writes it, in the plan's dialect and precision; its centroids are exact
    /// where the plan's are.
    ///
    /// # Errors
    /// [`Error::Export`] where the language or the precision cannot hold the system.
    pub fn export(&self, language: Language) -> Result<String> {
        let (system, precision) = (self.system(), self.precision());
        let refuse = |problem: String| Err(Error::Export { language: language.name(), problem });
        if precision == Precision::F32 {
            if language != Language::Cuda {
                return refuse("numbers are of double precision there; ask for f64".into());
            }
            let outputs = system.outputs.iter().map(|output| &output.variable);
            let too_wide = system.inputs.iter().chain(outputs).find_map(|variable| {
                let wide = variable.sets.iter().find(|named| !named.set.fits_f32())?;
                Some(format!("set {} of {}", shown(&wide.name), shown(&variable.name)))
            });
            if let Some(set) = too_wide {
                return refuse(format!("{set} has numbers that single precision does not hold; ask for f64"));
            }
        }
        let text = Writer::new(self, language).file();
        Ok(match language {
            Language::Cuda => cuda::converted(&text, precision),
            Language::C | Language::Rust => text,
        })
    }
}
