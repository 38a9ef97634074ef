//! Element-wise operations, iterations and sums of arrays on a device.

use crate::arithmetic::array::dispatch::{self, ComputeArray};
use crate::arithmetic::array::{ArrayShape, Element, LuArray, Midpoint, MrArray};
use crate::arithmetic::cpu;
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::expr::{Binary, PostfixOp, Unary};
use crate::device::{Device, Simd};

/// Common length of arrays that are combined element by element.
pub(in crate::arithmetic) fn common_len<A: ArrayShape>(arrays: &[&A]) -> Result<usize> {
    let (first, others) = arrays.split_first().expect("invariant: an operation has at least one operand");
    let mut len = first.number_count();
    for array in others {
        if array.cut_count() != first.cut_count() {
            return Err(ArithmeticError::ArrayCuts { first: first.cut_count(), second: array.cut_count() });
        }
        match (len, array.number_count()) {
            (a, b) if a == b || b == 1 => {}
            (1, b) => len = b,
            (first, second) => return Err(ArithmeticError::ArrayLengths { first, second }),
        }
    }
    Ok(len)
}

/// Array in host memory or in the memory of a device.
pub(in crate::arithmetic) trait Operand: ArrayShape + Clone {
    /// Runs a program over columns; the result has length `len`.
    fn run(program: &[PostfixOp], columns: &[&Self], len: usize, device: &Device) -> Result<Self>;
    /// [`run`](Self::run) with the result written to an array of its length.
    fn run_into(program: &[PostfixOp], columns: &[&Self], out: &mut Self, device: &Device) -> Result<()>;
    /// The iteration c ← a·c + b, `steps` times, starting from `self`; a and b have its length or length 1.
    fn iterate(self, a: &Self, b: &Self, steps: usize, device: &Device) -> Result<Self>;
    /// Sum of all elements, or dot product with `other`, which has the same length.
    fn total(&self, other: Option<&Self>, device: &Device) -> Result<Self>;
}

impl<A: ComputeArray> Operand for A {
    fn run(program: &[PostfixOp], columns: &[&A], len: usize, device: &Device) -> Result<A> {
        let mut out = A::zeros(columns[0].cut_count(), len)?;
        Self::run_into(program, columns, &mut out, device)?;
        Ok(out)
    }
    fn run_into(program: &[PostfixOp], columns: &[&A], out: &mut A, device: &Device) -> Result<()> {
        dispatch::run(program, columns, &[], out, device)
    }
    fn iterate(mut self, a: &A, b: &A, steps: usize, device: &Device) -> Result<A> {
        dispatch::axpy(&mut self, a, b, steps, device)?;
        Ok(self)
    }
    fn total(&self, other: Option<&A>, device: &Device) -> Result<A> {
        dispatch::sum(self, other, device)
    }
}

/// The iteration c ← a·c + b, `steps` times.
pub(in crate::arithmetic) fn axpy<A: Operand>(
    c: &A,
    a: &A,
    b: &A,
    steps: usize,
    device: &Device,
) -> Result<A> {
    let len = common_len(&[c, a, b])?;
    // A single starting value is broadcast.
    let c = match c.number_count() == len {
        true => c.clone(),
        false => A::run(&[PostfixOp::Variable(0)], &[c], len, device)?,
    };
    c.iterate(a, b, steps, device)
}

pub(in crate::arithmetic) fn dot<A: Operand>(a: &A, b: &A, device: &Device) -> Result<A> {
    common_len(&[a, b])?;
    if a.number_count() != b.number_count() {
        return Err(ArithmeticError::ArrayLengths { first: a.number_count(), second: b.number_count() });
    }
    a.total(Some(b), device)
}

pub(in crate::arithmetic) fn unary<A: Operand>(operation: Unary, a: &A, device: &Device) -> Result<A> {
    A::run(&[PostfixOp::Variable(0), PostfixOp::Unary(operation)], &[a], a.number_count(), device)
}

pub(in crate::arithmetic) fn binary<A: Operand>(
    operation: Binary,
    a: &A,
    b: &A,
    device: &Device,
) -> Result<A> {
    A::run(&binary_program(operation), &[a, b], common_len(&[a, b])?, device)
}

/// [`binary`] with the result written to an existing array.
pub(in crate::arithmetic) fn binary_into<A: Operand>(
    operation: Binary,
    a: &A,
    b: &A,
    out: &mut A,
    device: &Device,
) -> Result<()> {
    let len = common_len(&[a, b, out])?;
    if len != out.number_count() {
        return Err(ArithmeticError::ArrayLengths { first: len, second: out.number_count() });
    }
    A::run_into(&binary_program(operation), &[a, b], out, device)
}

fn binary_program(operation: Binary) -> [PostfixOp; 3] {
    [PostfixOp::Variable(0), PostfixOp::Variable(1), PostfixOp::Binary(operation)]
}

pub(in crate::arithmetic) fn mul_add<A: Operand>(a: &A, b: &A, c: &A, device: &Device) -> Result<A> {
    let program = [PostfixOp::Variable(0), PostfixOp::Variable(1), PostfixOp::Variable(2), PostfixOp::MulAdd];
    let columns = [a, b, c];
    A::run(&program, &columns, common_len(&columns)?, device)
}

/// Operations of all array types.
macro_rules! array_operations {
    (<$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty, $one:literal) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            array_operations! { two add add_into Add "Element-wise x + y.", two sub sub_into Sub "Element-wise x − y.",
                two mul mul_into Mul "Element-wise x · y.", two div div_into Div "Element-wise x / y.",
                two min min_into Min "Element-wise minimum of x and y.",
                two max max_into Max "Element-wise maximum of x and y.",
                one neg Neg "−x.", one recip Recip "1 / x.", one sqr Sqr "x².", one sqrt Sqrt "√x.", one exp Exp "eˣ.",
                one log Log "Natural logarithm.", one abs Abs "|x|.", of $one }

            #[doc = concat!("xⁿ; see [`", $one, "::powi`](crate::arithmetic::", $one, "::powi).")]
            ///
            /// # Errors
            /// Same as [`neg`](Self::neg).
            pub fn powi(&self, n: i32, device: &Device) -> Result<Self> {
                unary(Unary::Powi(n), self, device)
            }

            /// Element-wise `self` · `factor` + `addend`, rounded once.
            ///
            /// # Errors
            /// Same as [`add`](Self::add).
            pub fn mul_add(&self, factor: &Self, addend: &Self, device: &Device) -> Result<Self> {
                mul_add(self, factor, addend, device)
            }

            /// The element-wise iteration c ← a · c + b, `steps` times, starting from `self`.
            ///
            /// # Errors
            /// Same as [`add`](Self::add).
            pub fn axpy(&self, a: &Self, b: &Self, steps: usize, device: &Device) -> Result<Self> {
                axpy(self, a, b, steps, device)
            }

            /// Sum of all elements as an array of length 1; 0 for an empty array. The order of the additions, and
            /// thus the rounded result, depends only on the length.
            ///
            /// # Errors
            /// Device errors.
            pub fn sum(&self, device: &Device) -> Result<Self> {
                self.total(None, device)
            }

            /// Dot product with `other` as an array of length 1; added in the order of [`sum`](Self::sum), with one
            /// rounding per multiply-add.
            ///
            /// # Errors
            /// Same as [`add`](Self::add); the arrays must have equal lengths.
            pub fn dot(&self, other: &Self, device: &Device) -> Result<Self> {
                dot(self, other, device)
            }
        }
    };
    ($(two $two:ident $into:ident $binary:ident $binary_doc:literal,)* $(one $method:ident $unary:ident $unary_doc:literal,)* of $one:literal) => {
        $(
            #[doc = $binary_doc]
            ///
            /// An array of length 1 is broadcast.
            ///
            /// # Errors
            /// [`ArrayLengths`](crate::arithmetic::ArithmeticError::ArrayLengths) or
            /// [`ArrayCuts`](crate::arithmetic::ArithmeticError::ArrayCuts) if the arrays are not compatible, and device errors.
            pub fn $two(&self, other: &Self, device: &Device) -> Result<Self> {
                binary(Binary::$binary, self, other, device)
            }

            #[doc = concat!("[`", stringify!($two), "`](Self::", stringify!($two), ") with the result written to `out`.")]
            ///
            /// Avoids an allocation, which matters for short arrays.
            ///
            /// # Errors
            /// Same as above; `out` must have the length of the result.
            pub fn $into(&self, other: &Self, out: &mut Self, device: &Device) -> Result<()> {
                binary_into(Binary::$binary, self, other, out, device)
            }
        )*
        $(
            #[doc = $unary_doc]
            ///
            /// # Errors
            /// Device errors.
            pub fn $method(&self, device: &Device) -> Result<Self> {
                unary(Unary::$unary, self, device)
            }
        )*
    };
}

pub(in crate::arithmetic) use array_operations;

array_operations!(<T: Element> LuArray<T>, "FuzzyLu");
array_operations!(<T: Midpoint<R>; R: Element> MrArray<T, R>, "FuzzyMr");

impl<T: Midpoint<R>, R: Element> MrArray<T, R> {
    /// Smallest radii around the midpoint of each core, Equation (11); see `FuzzyMr::from`.
    pub fn from_lu(array: &LuArray<T>) -> Self {
        let mut out = Self::zeroed(array.cuts(), array.len());
        cpu::from_bounds(Simd::detect(), array, &mut out);
        out
    }
}

impl<T: Element> LuArray<T> {
    /// Bounds rounded outward, Equation (12); see `FuzzyLu::from`.
    pub fn from_mr<R: Element>(array: &MrArray<T, R>) -> Self
    where
        T: Midpoint<R>,
    {
        let mut out = Self::zeroed(array.cuts(), array.len());
        cpu::to_bounds(Simd::detect(), array, &mut out);
        out
    }
}
