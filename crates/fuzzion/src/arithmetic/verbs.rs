//! What is done with whole arrays, on the device that the caller lends.

use super::array::{Array, Element, LuArray, Midpoint, MrArray};
use super::cpu;
use super::engine::{self, Engine};
use super::expr::{Binary, Step, Unary};
use crate::device::{Device, Simd};
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

/// The steps for `len` numbers of the columns.
fn run<A: Engine>(steps: &[Step], columns: &[&A], len: usize, device: &Device) -> Result<A> {
    let mut out = A::zeros(columns[0].depth(), len)?;
    run_into(steps, columns, &mut out, device)?;
    Ok(out)
}

fn run_into<A: Engine>(steps: &[Step], columns: &[&A], out: &mut A, device: &Device) -> Result<()> {
    engine::run(steps, columns, &[], out, device, Progress::none())
}

/// The series c ← a·c + b.
fn axpy<A: Engine>(c: &A, a: &A, b: &A, steps: usize, device: &Device) -> Result<A> {
    let len = common_len(&[c, a, b])?;
    // One number may be the start of many.
    let mut out = if c.count() == len { c.clone() } else { run(&[Step::Variable(0)], &[c], len, device)? };
    engine::axpy(&mut out, a, b, steps, device, Progress::none())?;
    Ok(out)
}

fn dot<A: Engine>(a: &A, b: &A, device: &Device) -> Result<A> {
    common_len(&[a, b])?;
    if a.count() != b.count() {
        return Err(Error::ArrayLengths { first: a.count(), second: b.count() });
    }
    engine::sum(a, Some(b), device, Progress::none())
}

fn unary<A: Engine>(operation: Unary, a: &A, device: &Device) -> Result<A> {
    run(&[Step::Variable(0), Step::Unary(operation)], &[a], a.count(), device)
}

fn binary<A: Engine>(operation: Binary, a: &A, b: &A, device: &Device) -> Result<A> {
    run(&both(operation), &[a, b], common_len(&[a, b])?, device)
}

/// As [`binary`], into numbers that are there already.
fn binary_into<A: Engine>(operation: Binary, a: &A, b: &A, out: &mut A, device: &Device) -> Result<()> {
    let len = common_len(&[a, b, out])?;
    if len != out.count() {
        return Err(Error::ArrayLengths { first: len, second: out.count() });
    }
    run_into(&both(operation), &[a, b], out, device)
}

fn both(operation: Binary) -> [Step; 3] {
    [Step::Variable(0), Step::Variable(1), Step::Binary(operation)]
}

macro_rules! verbs {
    (<$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty, $one:literal) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            verbs! { two add add_into Add "x + y, number by number.", two sub sub_into Sub "x − y, number by number.",
                two mul mul_into Mul "x · y, number by number.", two div div_into Div "x / y, number by number.",
                two min min_into Min "The lesser of x and y, number by number.",
                two max max_into Max "The greater of x and y, number by number.",
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
                let columns = [self, factor, addend];
                run(&steps, &columns, common_len(&columns)?, device)
            }

            /// The series c ← a · c + b of every number, begun with `self` and taken `steps` times.
            ///
            /// # Errors
            /// As [`add`](Self::add).
            pub fn axpy(&self, a: &Self, b: &Self, steps: usize, device: &Device) -> Result<Self> {
                axpy(self, a, b, steps, device)
            }

            /// The sum of all numbers, an array of one; 0 for none. The order of the additions, and so the result to
            /// the bit, depends on the length alone.
            ///
            /// # Errors
            /// Those of the device.
            pub fn sum(&self, device: &Device) -> Result<Self> {
                engine::sum(self, None, device, Progress::none())
            }

            /// The sum of all products with the numbers of `other`, an array of one; added as [`sum`](Self::sum) does,
            /// each product rounded once together with its addition.
            ///
            /// # Errors
            /// As [`add`](Self::add); the arrays must be equally long.
            pub fn dot(&self, other: &Self, device: &Device) -> Result<Self> {
                dot(self, other, device)
            }
        }
    };
    ($(two $two:ident $into:ident $binary:ident $twice:literal,)* $(one $verb:ident $unary:ident $once:literal,)* of $one:literal) => {
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

            #[doc = concat!("As [`", stringify!($two), "`](Self::", stringify!($two), "), into the numbers of `out`,")]
            /// which short arrays feel: no memory is asked for.
            ///
            /// # Errors
            /// As above; `out` must be as long as the longer one.
            pub fn $into(&self, other: &Self, out: &mut Self, device: &Device) -> Result<()> {
                binary_into(Binary::$binary, self, other, out, device)
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
verbs!(<T: Midpoint<R>; R: Element> MrArray<T, R>, "FuzzyMr");

impl<T: Midpoint<R>, R: Element> MrArray<T, R> {
    /// The least radii around the middle of each core, equation (11) of the room's door: as `FuzzyMr::from`.
    pub fn from_lu(array: &LuArray<T>) -> Self {
        let mut out = Self::sized(array.cuts(), array.len());
        cpu::from_bounds(Simd::detect(), array, &mut out);
        out
    }
}

impl<T: Element> LuArray<T> {
    /// Bounds rounded outwards, equation (12) of the room's door: as `FuzzyLu::from`.
    pub fn from_mr<R: Element>(array: &MrArray<T, R>) -> Self
    where
        T: Midpoint<R>,
    {
        let mut out = Self::sized(array.cuts(), array.len());
        cpu::to_bounds(Simd::detect(), array, &mut out);
        out
    }
}
