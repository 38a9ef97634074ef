//! Window operators, and how they are set up.

use super::cpu::{self, Lanes};
use super::cuda;
use super::derive::Fast;
use super::pixel::Pixel;
use super::window::Window;
use crate::data::{Images, Pixels, PixelsMut, Precision};
use crate::device::cuda::zeros_in_large_pages;
use crate::device::{Device, Processor};
use crate::error::{Error, Result};
use crate::inference::plan::cpu::Routines;
use crate::inference::plan::step::Step;
use crate::inference::text::{listed, shown};
use crate::inference::{Dialect, Plan, System};
use crate::progress::Progress;
use crate::sets::Set;
use std::fmt;
use std::sync::OnceLock;

/// Fewer pixels than this are done before a GPU has its kernel.
const TOO_SMALL_FOR_GPU: usize = 1 << 22;

/// T of FIRE: how large a difference of brightness is surely an edge.
pub const DEFAULT_THRESHOLD: f64 = 64.0;
/// B of FIRE: how far black and white reach into the greys.
pub const DEFAULT_SPREAD: f64 = 16.0;

/// The systems that are there without a file: name and FLL.
pub const READY: [(&str, &str); 4] = [
    ("fire-edges", include_str!("systems/fire-edges.fll")),
    ("fire-denoise", include_str!("systems/fire-denoise.fll")),
    ("contrast", include_str!("systems/contrast.fll")),
    ("smooth", include_str!("systems/smooth.fll")),
];

/// What a window reads beyond a picture's border.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Border {
    /// The nearest pixel: `a a | a b c | c c`.
    #[default]
    Replicate,
    /// The picture mirrored in its outermost pixels: `c b | a b c | b a`.
    Reflect,
    /// A brightness from 0 to 255, rounded to the picture's depth.
    Constant(f64),
}

/// How a system is run for every pixel; both give the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// From a table, where one can be derived.
    Fast,
    /// The compiled system itself.
    General,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Path::Fast => "fast",
            Path::General => "general",
        })
    }
}

/// A fuzzy system over the window round a pixel, ready to be run over pictures.
///
/// ```
/// use fuzzion::inference::image::{Operator, Path};
/// use fuzzion::inference::{Dialect, Output, System, Variable};
/// use fuzzion::{Device, Progress, data::{Images, Pixels}, sets::Set};
///
/// let negative = System::new("negative")
///     .input(Variable::new("c", 0.0, 255.0))
///     .output(Output::new("pixel", 0.0, 255.0).set("turned", Set::function("255 - c")?))
///     .rule("if c is any then pixel is turned")?;
/// let operator = Operator::new(&negative, Dialect::Fuzzylite8)?;
/// assert_eq!(operator.path_for(8), Path::Fast); // one input: a table of 256 pixels
/// let picture = Images::new(3, 1, 1, Pixels::U8(vec![0, 100, 255]))?;
/// let turned = operator.apply(&picture, &Device::cpu()?, Progress::none())?;
/// assert_eq!(turned.pixels(), &Pixels::U8(vec![255, 155, 0]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Operator {
    plan: Plan,
    /// What gives the pixel alone.
    pub(crate) routines: Routines<f64>,
    pub(crate) window: Window,
    pub(crate) border: Border,
    pub(crate) per_channel: bool,
    wanted: Path,
    /// What was derived for pixels of 8 and of 16 bits, once it was asked for.
    bytes: OnceLock<Option<Fast<u8>>>,
    words: OnceLock<Option<Fast<u16>>>,
}

/// Pixels for which an operator keeps what was derived.
pub(crate) trait Derived: Pixel + Lanes {
    fn kept(operator: &Operator) -> &OnceLock<Option<Fast<Self>>>;
}

impl Derived for u8 {
    fn kept(operator: &Operator) -> &OnceLock<Option<Fast<u8>>> {
        &operator.bytes
    }
}

impl Derived for u16 {
    fn kept(operator: &Operator) -> &OnceLock<Option<Fast<u16>>> {
        &operator.words
    }
}

impl Operator {
    /// The operator of a system whose inputs are named after the window and whose last output is the pixel.
    ///
    /// # Errors
    /// [`Error::System`] for an input that is no part of a window, for parts of two windows, and for outputs that keep
    /// or read what they were before (a pixel has none before it); and those of [`System::check`].
    pub fn new(system: &System, dialect: Dialect) -> Result<Self> {
        let plan = system.compile(dialect, Precision::F64)?;
        let window = Window::of(system)?;
        let keeps = system.outputs.iter().find(|output| output.lock_previous && output.variable.enabled);
        let reads = plan.guarded().steps.iter().any(|step| matches!(step, Step::Previous { .. }));
        let problem = match keeps {
            Some(output) => Some((
                format!("output {}", shown(&output.variable.name)),
                "keeps its previous value, and a pixel has none before it; leave out the lock",
            )),
            None if reads => Some((
                "the system".to_owned(),
                "reads an output before it is concluded, and a pixel has none before it; order the outputs",
            )),
            None => None,
        };
        if let Some((place, problem)) = problem {
            return Err(Error::System { place, problem: problem.into() });
        }
        Ok(Operator {
            routines: cpu::routines_of(&plan),
            plan,
            window,
            border: Border::default(),
            per_channel: false,
            wanted: Path::Fast,
            bytes: OnceLock::new(),
            words: OnceLock::new(),
        })
    }

    /// One of the [`READY`] operators.
    ///
    /// # Errors
    /// [`Error::UnknownOperator`] for another name.
    pub fn named(name: &str) -> Result<Self> {
        let Some((_, text)) = READY.iter().find(|(known, _)| *known == name) else {
            let known = listed(READY.iter().map(|(known, _)| *known));
            return Err(Error::UnknownOperator { name: name.to_owned(), known });
        };
        Operator::new(&System::from_fll(text)?, Dialect::Fuzzylite8)
    }

    /// FIRE's edges: `threshold` is T, `spread` is B.
    ///
    /// # Errors
    /// [`Error::Parameter`] where one of them is not above 0 or beyond 255.
    pub fn edges(threshold: f64, spread: f64) -> Result<Self> {
        for (name, value) in [("threshold", threshold), ("spread", spread)] {
            if !(value > 0.0 && value <= 255.0) {
                let must = "above 0 and at most 255";
                return Err(Error::Parameter { algorithm: "FIRE edges", name, value, must });
            }
        }
        let mut system = System::from_fll(READY[0].1)?;
        for input in &mut system.inputs {
            input.sets[0].set = Set::trapezoid(-255.0, -255.0, -threshold, threshold)?;
            input.sets[1].set = Set::trapezoid(-threshold, threshold, 255.0, 255.0)?;
        }
        let sets = &mut system.outputs[0].variable.sets;
        sets[0].set = Set::triangle(0.0, 0.0, spread)?;
        sets[1].set = Set::triangle(255.0 - spread, 255.0, 255.0)?;
        Operator::new(&system, Dialect::Fuzzylite8)
    }

    /// The same, reading something else beyond the border.
    #[must_use]
    pub fn border(mut self, border: Border) -> Self {
        self.border = border;
        self
    }

    /// The same, taking each channel of a color picture for a picture of its own, or its grey.
    #[must_use]
    pub fn per_channel(mut self, yes: bool) -> Self {
        self.per_channel = yes;
        self
    }

    /// The same along another path; where the fast one cannot be derived the general one is taken.
    #[must_use]
    pub fn path(mut self, path: Path) -> Self {
        self.wanted = path;
        self
    }

    /// The path that pictures of 8 or 16 bits take.
    pub fn path_for(&self, bits: u32) -> Path {
        let derived = if bits == 8 { self.fast::<u8>().is_some() } else { self.fast::<u16>().is_some() };
        if derived { Path::Fast } else { Path::General }
    }

    /// What was derived for such pixels, if the fast path is wanted.
    pub(crate) fn fast<P: Derived>(&self) -> Option<&Fast<P>> {
        match self.wanted {
            Path::Fast => P::kept(self).get_or_init(|| Fast::derive(&self.plan, &self.window)).as_ref(),
            Path::General => None,
        }
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The system it runs.
    pub fn system(&self) -> &System {
        self.plan.system()
    }

    /// The new frames: of one channel, or with as many as there were where each is a picture of its own.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a constant border that is no brightness, what a GPU refuses, [`Error::Interrupted`].
    pub fn apply(&self, images: &Images, device: &Device, progress: Progress<'_>) -> Result<Images> {
        let (width, height, channels) = (images.width(), images.height(), self.channels_of(images));
        let len = images.frames() * width * height * channels;
        let pixels = match images.pixels() {
            Pixels::U8(_) => Pixels::U8(zeros_in_large_pages(len)),
            Pixels::U16(_) => Pixels::U16(zeros_in_large_pages(len)),
        };
        let mut made = Images::new(width, height, channels, pixels)?;
        self.apply_into(images, &mut made, device, progress)?;
        Ok(made)
    }

    /// As [`Operator::apply`], into frames that are there already, as when a video is played.
    ///
    /// # Errors
    /// As [`Operator::apply`], and [`Error::ImageShape`] for frames of another size, number or depth.
    pub fn apply_into(
        &self,
        images: &Images,
        made: &mut Images,
        device: &Device,
        progress: Progress<'_>,
    ) -> Result<()> {
        if let Border::Constant(value) = self.border
            && !(0.0..=255.0).contains(&value)
        {
            let must = "a brightness from 0 to 255";
            return Err(Error::Parameter { algorithm: "a window operator", name: "border", value, must });
        }
        let shape = |images: &Images, channels: usize| {
            (images.width(), images.height(), images.frames(), channels, images.bits())
        };
        if shape(made, made.channels()) != shape(images, self.channels_of(images)) {
            let (frames, shape) = (images.frames(), images.shape_in_words());
            return Err(Error::ImageShape {
                what: "the room for new frames".into(),
                found: format!("{} of {}", made.frames(), made.shape_in_words()),
                must: format!("{frames}, for {shape}, with as many channels as are made"),
            });
        }
        let small = images.pixels().len() < TOO_SMALL_FOR_GPU;
        match (images.pixels(), made.pixels_mut(), device.processor(small)) {
            (Pixels::U8(x), PixelsMut::U8(out), Processor::Cpu(cpu)) => {
                cpu::apply(self, images, x, cpu, progress, out)
            }
            (Pixels::U16(x), PixelsMut::U16(out), Processor::Cpu(cpu)) => {
                cpu::apply(self, images, x, cpu, progress, out)
            }
            (Pixels::U8(x), PixelsMut::U8(out), Processor::Cuda(cuda)) => {
                cuda::apply(self, images, x, cuda, progress, out)
            }
            (Pixels::U16(x), PixelsMut::U16(out), Processor::Cuda(cuda)) => {
                cuda::apply(self, images, x, cuda, progress, out)
            }
            _ => Ok(()), // of one depth, as was seen above
        }
    }

    /// How many channels the new frames have.
    pub(crate) fn channels_of(&self, images: &Images) -> usize {
        if self.per_channel { images.channels() } else { 1 }
    }
}
