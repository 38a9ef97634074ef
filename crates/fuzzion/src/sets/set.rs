//! A fuzzy set: a checked shape and its height.

use super::{Shape, check, cpu, cuda};
use crate::device::{Cpu, Device, Processor, Simd};
use crate::error::Result;
use std::sync::OnceLock;

/// Memberships alone never pay for the way to a GPU and back: where the choice is ours, the CPU computes them.
const TOO_SMALL_FOR_GPU: bool = true;

/// What one x uses, so that it rounds as a thousand do; looking at the machine once is enough.
static BEST: OnceLock<Simd> = OnceLock::new();

/// A fuzzy set of numbers: a [`Shape`] whose parameters were checked, and the height of its top.
///
/// ```
/// use fuzzion::sets::Set;
///
/// let warm = Set::triangle(15.0, 22.0, 29.0)?;
/// assert_eq!(warm.membership(18.5), 0.5); // halfway up
/// assert_eq!(warm.clone().with_height(0.8)?.membership(22.0), 0.8);
/// assert_eq!(Set::from_parameters("Triangle", &[15.0, 22.0, 29.0])?, warm);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    shape: Shape,
    height: f64,
    /// Whether single precision holds the parameters.
    fits_f32: bool,
}

impl Set {
    /// A set of height 1.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) where a parameter is NaN, infinite without a limit, larger than
    /// 1e290, a width between 0 and 1e-290, or an edge would end before it starts.
    pub fn new(shape: Shape) -> Result<Self> {
        check::check(&shape)?;
        Ok(Set { fits_f32: check::fits_f32(&shape, 1.0), shape, height: 1.0 })
    }

    /// The set that files write as a shape's name and its numbers, the height last if it is not 1.
    ///
    /// # Errors
    /// [`Error::UnknownShape`](crate::Error::UnknownShape), [`Error::ParameterCount`](crate::Error::ParameterCount),
    /// and those of [`Set::new`].
    pub fn from_parameters(name: &str, parameters: &[f64]) -> Result<Self> {
        let (shape, height) = Shape::from_parameters(name, parameters)?;
        Set::new(shape)?.with_height(height.unwrap_or(1.0))
    }

    /// The same shape with another height.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a negative or infinite height, and for any but 1 where the
    /// shape is a Takagi-Sugeno consequent.
    pub fn with_height(self, height: f64) -> Result<Self> {
        check::check_height(&self.shape, height)?;
        Ok(Set { fits_f32: check::fits_f32(&self.shape, height), height, ..self })
    }

    /// The shape and its parameters.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What every membership is multiplied by.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Whether single precision holds the parameters; where it does not, memberships take the way through double.
    pub(crate) fn fits_f32(&self) -> bool {
        self.fits_f32
    }

    /// μ(x), to the bit what [`Set::memberships`] of this machine's CPU gives.
    ///
    /// A Linear sees x as its only input and a Function as its variable `x`; what else they need is NaN.
    pub fn membership(&self, x: f64) -> f64 {
        let mut y = [0.0];
        cpu::memberships_f64(*BEST.get_or_init(Simd::detect), self, &[x], &mut y);
        y[0]
    }

    /// μ(x) of every x.
    ///
    /// ```
    /// use fuzzion::{Device, sets::Set};
    /// let ramp = Set::ramp(0.0, 4.0)?;
    /// assert_eq!(ramp.memberships(&[-1.0, 1.0, 9.0], &Device::cpu()?)?, [0.0, 0.25, 1.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// What a GPU refuses; a CPU refuses nothing.
    pub fn memberships(&self, x: &[f64], device: &Device) -> Result<Vec<f64>> {
        match device.processor(TOO_SMALL_FOR_GPU) {
            Processor::Cpu(cpu) => Ok(self.on_cpu(x, cpu)),
            Processor::Cuda(cuda) => cuda::memberships(cuda, self, x),
        }
    }

    /// μ(x) of every x in single precision, parameters included.
    ///
    /// A set whose places exceed 1e30 there, or whose widths are not 0 and fall below 1e-30, is computed in double
    /// precision and rounded.
    ///
    /// # Errors
    /// As [`Set::memberships`].
    pub fn memberships_f32(&self, x: &[f32], device: &Device) -> Result<Vec<f32>> {
        match device.processor(TOO_SMALL_FOR_GPU) {
            Processor::Cpu(cpu) => Ok(self.on_cpu_f32(x, cpu)),
            Processor::Cuda(cuda) => cuda::memberships(cuda, self, x),
        }
    }

    pub(super) fn on_cpu(&self, x: &[f64], cpu: &Cpu) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        self.fill(x, &mut out, cpu);
        out
    }

    pub(super) fn on_cpu_f32(&self, x: &[f32], cpu: &Cpu) -> Vec<f32> {
        let mut out = vec![0.0; x.len()];
        self.fill_f32(x, &mut out, cpu);
        out
    }

    /// μ(x) of every x into `out`, on all threads.
    pub(super) fn fill(&self, x: &[f64], out: &mut [f64], cpu: &Cpu) {
        cpu::fill(x, out, cpu, |simd, x, out| cpu::memberships_f64(simd, self, x, out));
    }

    /// As [`Set::fill`], in single precision.
    pub(super) fn fill_f32(&self, x: &[f32], out: &mut [f32], cpu: &Cpu) {
        cpu::fill(x, out, cpu, |simd, x, out| cpu::memberships_f32(simd, self, x, out));
    }

    /// As [`Set::memberships`], on the calling thread and into `out`; for blocks inside other rooms' kernels.
    #[allow(dead_code)] // the rooms above call it
    pub(crate) fn memberships_into(&self, simd: Simd, x: &[f64], out: &mut [f64]) {
        cpu::memberships_f64(simd, self, x, out);
    }

    /// As [`Set::memberships_f32`], on the calling thread and into `out`.
    #[allow(dead_code)] // the rooms above call it
    pub(crate) fn memberships_into_f32(&self, simd: Simd, x: &[f32], out: &mut [f32]) {
        cpu::memberships_f32(simd, self, x, out);
    }

    /// What a Takagi-Sugeno consequent gives for a row of inputs; `None` for every other shape.
    ///
    /// A Function takes the inputs in the order of
    /// [`Expression::variables`](super::expression::Expression::variables). A missing input is NaN.
    pub fn output(&self, inputs: &[f64]) -> Option<f64> {
        match &self.shape {
            Shape::Constant { value } => Some(*value),
            Shape::Linear { coefficients, constant } => {
                let input = |i: usize| inputs.get(i).copied().unwrap_or(f64::NAN);
                let terms = coefficients.iter().enumerate().map(|(i, c)| c * input(i));
                Some(terms.sum::<f64>() + constant)
            }
            Shape::Function { expression } => Some(expression.evaluate(inputs)),
            _ => None,
        }
    }
}
