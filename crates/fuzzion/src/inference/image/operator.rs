//! Window operators and their settings.

use super::cpu::{PixelKernels, routines_of};
use super::fast_path::FastPath;
use super::window::{Border, Pixel, Window};
use crate::base::SettingError;
use crate::data::Precision;
#[cfg(feature = "cuda")]
use crate::device::cuda::PerGpu;
use crate::inference::error::{InferenceError, Result};
use crate::inference::plan::cpu::Routines;
use crate::inference::plan::step::Step;
use crate::inference::syntax::{quoted, quoted_list};
use crate::inference::{Dialect, Plan, System};
use crate::macros::named;
use crate::sets::Set;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// T of FIRE: brightness difference that is certainly an edge.
pub const DEFAULT_THRESHOLD: f64 = 64.0;
/// B of FIRE: width of the output sets black and white.
pub const DEFAULT_SPREAD: f64 = 16.0;

/// Built-in systems: name and FLL source.
///
/// ```
/// use fuzzion::inference::{System, image::BUILT_IN};
/// for (name, text) in BUILT_IN {
///     assert_eq!(System::from_fll(text)?.outputs.last().unwrap().variable.name, "pixel", "{name}");
/// }
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub const BUILT_IN: [(&str, &str); 4] = [
    ("fire-edges", include_str!("systems/fire-edges.fll")),
    ("fire-denoise", include_str!("systems/fire-denoise.fll")),
    ("contrast", include_str!("systems/contrast.fll")),
    ("smooth", include_str!("systems/smooth.fll")),
];

named! {
    /// How a system is evaluated for every pixel. Both modes have identical results.
    ///
    /// ```
    /// use fuzzion::inference::image::Execution;
    /// assert_eq!("general".parse(), Ok(Execution::General));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Execution("execution mode") {
        /// By table lookup, if a table can be derived from the rules.
        Fast = "fast",
        /// With the compiled system.
        General = "general",
    }
}

/// A fuzzy system over the window around a pixel, compiled for images.
///
/// ```
/// use fuzzion::inference::image::{Operator, Execution};
/// use fuzzion::inference::{Dialect, Output, System, Variable};
/// use fuzzion::{Device, Progress, data::{Images, Pixels}, sets::Set};
///
/// let negative = System::new("negative")
///     .input(Variable::new("c", 0.0, 255.0))
///     .output(Output::new("pixel", 0.0, 255.0).set("inverted", Set::function("255 - c")?))
///     .rule("if c is any then pixel is inverted")?;
/// let operator = Operator::new(&negative, Dialect::Fuzzylite8)?;
/// assert_eq!(operator.execution_for(8), Execution::Fast); // one input: a table of 256 pixels
/// let image = Images::new(3, 1, 1, Pixels::U8(vec![0, 100, 255]))?;
/// let inverted = operator.apply(&image, &Device::cpu()?)?;
/// assert_eq!(inverted.pixels(), &Pixels::U8(vec![255, 155, 0]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Operator {
    plan: Plan,
    /// Routines that compute only the pixel.
    pub(crate) routines: Routines<f64>,
    pub(crate) window: Window,
    pub(crate) border: Border,
    pub(crate) per_channel: bool,
    requested: Execution,
    /// Fast paths for 8-bit and 16-bit pixels, derived on first use.
    fast_u8: OnceLock<Option<FastPath<u8>>>,
    fast_u16: OnceLock<Option<FastPath<u16>>>,
    /// Kernels for images of one size.
    #[cfg(feature = "cuda")]
    pub(crate) kernels: PerGpu,
}

/// Pixel types for which an operator caches a fast path.
pub(crate) trait FastPixel: Pixel + PixelKernels {
    fn fast_path(operator: &Operator) -> &OnceLock<Option<FastPath<Self>>>;
}

impl FastPixel for u8 {
    fn fast_path(operator: &Operator) -> &OnceLock<Option<FastPath<u8>>> {
        &operator.fast_u8
    }
}

impl FastPixel for u16 {
    fn fast_path(operator: &Operator) -> &OnceLock<Option<FastPath<u16>>> {
        &operator.fast_u16
    }
}

impl Operator {
    /// Creates the operator of a system whose inputs are named after window pixels and whose last output is the new pixel.
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] for an input that is not a window pixel, for inputs of different windows, and for outputs that
    /// depend on a previous row (pixels have none); and those of [`System::check`].
    pub fn new(system: &System, dialect: Dialect) -> Result<Self> {
        let plan = system.compile(dialect, Precision::F64)?;
        let window = Window::new(system)?;
        let locked = system.outputs.iter().find(|output| output.lock_previous && output.variable.enabled);
        let reads = plan.general_steps().steps.iter().any(|step| matches!(step, Step::Previous { .. }));
        let problem = match locked {
            Some(output) => Some((
                format!("output {}", quoted(&output.variable.name)),
                "keeps its previous value, but a pixel has no previous value; remove `lock-previous`",
            )),
            None if reads => Some((
                "the system".to_owned(),
                "reads an output before it is computed, but a pixel has no previous value; reorder the outputs",
            )),
            None => None,
        };
        if let Some((location, problem)) = problem {
            return Err(InferenceError::InvalidSystem { location, problem: problem.into() });
        }
        Ok(Operator {
            routines: routines_of(&plan),
            plan,
            window,
            border: Border::default(),
            per_channel: false,
            requested: Execution::Fast,
            fast_u8: OnceLock::new(),
            fast_u16: OnceLock::new(),
            #[cfg(feature = "cuda")]
            kernels: PerGpu::default(),
        })
    }

    /// Creates one of the [`BUILT_IN`] operators.
    ///
    /// ```
    /// use fuzzion::inference::image::Operator;
    /// assert_eq!(Operator::named("fire-edges")?.system().inputs.len(), 8);
    /// assert!(Operator::named("sobel").is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::UnknownOperator`] for an unknown name.
    pub fn named(name: &str) -> Result<Self> {
        let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) else {
            let known = quoted_list(BUILT_IN.iter().map(|(known, _)| *known));
            return Err(InferenceError::UnknownOperator { name: name.to_owned(), known });
        };
        Operator::new(&System::from_fll(text)?, Dialect::Fuzzylite8)
    }

    /// Creates the FIRE edge detector; `threshold` is T, `spread` is B.
    ///
    /// ```
    /// # use fuzzion::inference::image::{DEFAULT_SPREAD, DEFAULT_THRESHOLD, Operator};
    /// let edges = Operator::edges(DEFAULT_THRESHOLD, DEFAULT_SPREAD)?;
    /// assert_eq!(edges.system(), Operator::named("fire-edges")?.system());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`] if `threshold` or `spread` is not in (0, 255].
    pub fn edges(threshold: f64, spread: f64) -> Result<Self> {
        for (name, value) in [("threshold", threshold), ("spread", spread)] {
            if !(value > 0.0 && value <= 255.0) {
                let must = "above 0 and at most 255";
                return Err(SettingError::OutOfRange { algorithm: "FIRE edges", name, value, must }.into());
            }
        }
        let mut system = System::from_fll(BUILT_IN[0].1)?;
        for input in &mut system.inputs {
            input.sets[0].set = Set::trapezoid(-255.0, -255.0, -threshold, threshold)?;
            input.sets[1].set = Set::trapezoid(-threshold, threshold, 255.0, 255.0)?;
        }
        let sets = &mut system.outputs[0].variable.sets;
        sets[0].set = Set::triangle(0.0, 0.0, spread)?;
        sets[1].set = Set::triangle(255.0 - spread, 255.0, 255.0)?;
        Operator::new(&system, Dialect::Fuzzylite8)
    }

    /// Sets the pixels beyond the border.
    #[must_use]
    pub fn border(mut self, border: Border) -> Self {
        self.border = border;
        self.without_kernels()
    }

    /// The operator after a change of settings on which kernels depend.
    #[cfg_attr(not(feature = "cuda"), allow(unused_mut))]
    fn without_kernels(mut self) -> Self {
        #[cfg(feature = "cuda")]
        {
            self.kernels = PerGpu::default();
        }
        self
    }

    /// Sets whether the channels of a color image are processed separately instead of as gray.
    ///
    /// ```
    /// # use fuzzion::{Device, data::{Images, Pixels}, inference::image::Operator};
    /// let image = Images::new(1, 1, 3, Pixels::U8(vec![1, 2, 3]))?;
    /// let operator = Operator::named("fire-denoise")?;
    /// assert_eq!(operator.apply(&image, &Device::cpu()?)?.channels(), 1);
    /// assert_eq!(operator.per_channel(true).apply(&image, &Device::cpu()?)?.channels(), 3);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[must_use]
    pub fn per_channel(mut self, per_channel: bool) -> Self {
        self.per_channel = per_channel;
        self
    }

    /// Sets the execution mode. If no fast path can be derived, the general mode is used.
    #[must_use]
    pub fn execution(mut self, execution: Execution) -> Self {
        self.requested = execution;
        self.without_kernels()
    }

    /// The execution mode for images of 8 or 16 bits.
    pub fn execution_for(&self, bits: u32) -> Execution {
        let derived = if bits == 8 { self.fast::<u8>().is_some() } else { self.fast::<u16>().is_some() };
        if derived { Execution::Fast } else { Execution::General }
    }

    /// The fast path for this pixel type, if it exists and is requested.
    pub(crate) fn fast<P: FastPixel>(&self) -> Option<&FastPath<P>> {
        match self.requested {
            Execution::Fast => {
                P::fast_path(self).get_or_init(|| FastPath::derive(&self.plan, &self.window)).as_ref()
            }
            Execution::General => None,
        }
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The operator's system.
    pub fn system(&self) -> &System {
        self.plan.system()
    }

    /// Number of channels of the result of images with `channels` channels.
    pub(crate) fn out_channels(&self, channels: usize) -> usize {
        if self.per_channel { channels } else { 1 }
    }
}
