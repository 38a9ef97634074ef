//! What is done with whole arrays, on the device that the caller lends.

use super::array::{Array, Element, LuArray};
use super::cpu::{self, Batch};
use super::expr::{Binary, Step, Unary};
use crate::device::{Device, Processor};
use crate::error::{Error, Result};
use crate::progress::Progress;

/// The length of what comes of these arrays.
fn common_len<A: Array>(arrays: &[&A]) -> Result<usize> {
    let Some((first, others)) = arrays.split_first() else { return Ok(0) };
    let mut len = first.count();
    for array in others {
        if array.depth() != first.depth() {
            return Err(Error::ArrayCuts { first: first.depth(), second: array.depth() });
        }
        match (len, array.count()) {
            (a, b) if a == b || b == 1 => {}
            (1, b) => len = b,
            (first, second) => return Err(Error::ArrayLengths { first, second }),
        }
    }
    Ok(len)
}

/// The steps for every number of the columns.
fn run<A: Batch>(steps: &[Step], columns: &[&A], device: &Device) -> Result<A> {
    let len = common_len(columns)?;
    let mut out = A::zeros(columns[0].depth(), len)?;
    match device.processor(true) {
        Processor::Cpu(cpu) => cpu::run(steps, columns, &[], &mut out, cpu, Progress::none())?,
        Processor::Cuda(_) => not_on_gpu()?,
    }
    Ok(out)
}

fn not_on_gpu() -> Result<()> {
    Err(Error::NotOnGpu { what: "arithmetic on arrays" })
}

fn unary<A: Batch>(operation: Unary, a: &A, device: &Device) -> Result<A> {
    run(&[Step::Variable(0), Step::Unary(operation)], &[a], device)
}

fn binary<A: Batch>(operation: Binary, a: &A, b: &A, device: &Device) -> Result<A> {
    run(&[Step::Variable(0), Step::Variable(1), Step::Binary(operation)], &[a, b], device)
}

macro_rules! verbs {
    (<$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty, $one:literal) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            verbs! { two add Add "x + y, number by number.", two sub Sub "x − y, number by number.",
                two mul Mul "x · y, number by number.", two div Div "x / y, number by number.",
                two min Min "The lesser of x and y, number by number.",
                two max Max "The greater of x and y, number by number.",
                one neg Neg "−x.", one recip Recip "1 / x.", one sqr Sqr "x².", one sqrt Sqrt "√x.", one exp Exp "eˣ.",
                one log Log "The natural logarithm.", one abs Abs "|x|.", of $one }

            #[doc = concat!("xⁿ, each number as [`", $one, "::powi`](super::", $one, "::powi) does it.")]
            ///
            /// # Errors
            /// As [`neg`](Self::neg).
            pub fn powi(&self, n: i32, device: &Device) -> Result<Self> {
                unary(Unary::Powi(n), self, device)
            }

            /// x · y + z, rounded once: `self` · `factor` + `addend`, number by number.
            ///
            /// # Errors
            /// As [`add`](Self::add).
            pub fn mul_add(&self, factor: &Self, addend: &Self, device: &Device) -> Result<Self> {
                let steps = [Step::Variable(0), Step::Variable(1), Step::Variable(2), Step::MulAdd];
                run(&steps, &[self, factor, addend], device)
            }
        }
    };
    ($(two $two:ident $binary:ident $twice:literal,)* $(one $verb:ident $unary:ident $once:literal,)* of $one:literal) => {
        $(
            #[doc = $twice]
            ///
            /// An array of one number goes with every number of the other.
            ///
            /// # Errors
            /// [`Error::ArrayLengths`] and [`Error::ArrayCuts`] where the arrays do not go together.
            pub fn $two(&self, other: &Self, device: &Device) -> Result<Self> {
                binary(Binary::$binary, self, other, device)
            }
        )*
        $(
            #[doc = $once]
            ///
            /// # Errors
            /// Those of the device.
            pub fn $verb(&self, device: &Device) -> Result<Self> {
                unary(Unary::$unary, self, device)
            }
        )*
    };
}

verbs!(<T: Element> LuArray<T>, "FuzzyLu");
