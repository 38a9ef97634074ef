//! Running a program over any kind of number.

use super::affine::affine;
use super::vertex::{monotone, vertex};
use super::{Binary, Expr, Method, Step, Unary};
use crate::arithmetic::cut::Cut;
use crate::arithmetic::literal::Literal;
use crate::arithmetic::lu::FuzzyLu;
use crate::arithmetic::mr::FuzzyMr;
use crate::arithmetic::rounding::{Holds, Real};
use crate::error::{Error, Result};
use crate::sets::expression::error_at;
use std::array;

/// What a program's steps can be done with.
pub trait Algebra: Clone {
    /// A function of one number.
    #[allow(private_interfaces)] // the trait is out of reach
    fn unary(&self, operation: Unary) -> Self;
    /// A function of two numbers.
    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self;
    /// x · y + z, rounded once where the type can.
    fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        self.binary(Binary::Mul, factor).binary(Binary::Add, addend)
    }
}

/// An encoding of fuzzy numbers: [`FuzzyLu`] or [`FuzzyMr`].
///
/// The trait is sealed by living in a private module.
pub trait Fuzzy: Algebra {
    /// The type of its bounds.
    type Bound: Real;
    /// How many cuts it has.
    const CUTS: usize;
    /// What a literal is in this encoding.
    #[allow(private_interfaces)]
    fn literal(literal: &Literal) -> Result<Self>;
    /// Cut `i`.
    fn bounds(&self, i: usize) -> Cut<Self::Bound>;
    /// The number with the cuts that `make` makes, clipped to be nested.
    fn from_bounds(make: impl FnMut(usize) -> Cut<Self::Bound>) -> Self;
}

impl<T: Real, const N: usize> Fuzzy for FuzzyLu<T, N> {
    type Bound = T;
    const CUTS: usize = N;
    #[allow(private_interfaces)]
    fn literal(literal: &Literal) -> Result<Self> {
        let mut cuts = [Cut::UNBOUNDED; N];
        literal.fill(&mut cuts)?;
        Ok(Self::from_fn(|i| cuts[i]))
    }
    fn bounds(&self, i: usize) -> Cut<T> {
        self.cut(i)
    }
    fn from_bounds(make: impl FnMut(usize) -> Cut<T>) -> Self {
        Self::nested(make)
    }
}

impl<T: Holds<R>, R: Real, const N: usize> Fuzzy for FuzzyMr<T, N, R> {
    type Bound = T;
    const CUTS: usize = N;
    #[allow(private_interfaces)]
    fn literal(literal: &Literal) -> Result<Self> {
        match literal.ball(N)? {
            Some((midpoint, radii)) => Self::new(midpoint, array::from_fn(|i| radii[i])),
            None => FuzzyLu::literal(literal).map(Self::from),
        }
    }
    fn bounds(&self, i: usize) -> Cut<T> {
        self.cut(i)
    }
    fn from_bounds(make: impl FnMut(usize) -> Cut<T>) -> Self {
        FuzzyLu::<T, N>::nested(make).into()
    }
}

/// The steps by the type's own methods; cuts are called by value, fuzzy numbers by reference.
macro_rules! algebra {
    (<$($parameter:ident: $bound:path),*> $(const $n:ident)? $type:ty, $neg:ident $add:ident $sub:ident $mul:ident $div:ident, $($ref:tt)?) => {
        impl<$($parameter: $bound,)* $(const $n: usize)?> Algebra for $type {
            #[allow(private_interfaces)]
            fn unary(&self, operation: Unary) -> Self {
                match operation {
                    Unary::Neg => self.$neg(),
                    Unary::Recip => self.recip(),
                    Unary::Sqr => self.sqr(),
                    Unary::Sqrt => self.sqrt(),
                    Unary::Exp => self.exp(),
                    Unary::Log => self.log(),
                    Unary::Abs => self.abs(),
                    Unary::Powi(n) => self.powi(n),
                }
            }

            #[allow(private_interfaces)]
            fn binary(&self, operation: Binary, other: &Self) -> Self {
                let other = $($ref)? *other;
                match operation {
                    Binary::Add => self.$add(other),
                    Binary::Sub => self.$sub(other),
                    Binary::Mul => self.$mul(other),
                    Binary::Div => self.$div(other),
                    Binary::Min => self.min(other),
                    Binary::Max => self.max(other),
                }
            }

            fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
                <$type>::mul_add(self, factor, addend)
            }
        }
    };
}

algebra!(<T: Real> Cut<T>, neg add sub mul div,);
algebra!(<T: Real> const N FuzzyLu<T, N>, negated sum difference product quotient, &);
algebra!(<T: Holds<R>, R: Real> const N FuzzyMr<T, N, R>, negated sum difference product quotient, &);

impl Expr {
    /// The value for named numbers, each an encoding of fuzzy numbers. Names that do not appear are ignored.
    ///
    /// # Errors
    /// [`Error::Expression`] at a variable that has no value, or at a fuzzy number that is
    /// none in this encoding.
    pub fn evaluate<F: Fuzzy>(&self, values: &[(&str, F)], method: Method) -> Result<F> {
        let variables = self.bind(values)?;
        let literals = self.literal_numbers()?;
        let direct = self.run(&variables, &literals);
        let better = match method {
            Method::Direct => return Ok(direct),
            Method::Vertex => vertex,
            Method::Affine => affine,
        };
        // Both enclose, and so does what they have in common.
        Ok(F::from_bounds(|i| {
            direct.bounds(i).intersection(better(self, &cuts(&variables, i), &cuts(&literals, i)))
        }))
    }

    /// In which variables (in the order of [`Expr::variables`]) the formula is proven monotone, for each cut: where it
    /// is in all of them, [`Method::Vertex`] is exact up to rounding without halving.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Expr, FuzzyLu};
    /// let f = Expr::new("x * (1 - x) + y")?;
    /// let x: FuzzyLu<f64, 2> = "tri(0, 0.25, 1)".parse()?; // the top, 0.5, is in the support, not in the core
    /// assert_eq!(f.monotone(&[("x", x), ("y", x)])?, [[false, true], [true, true]]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Expr::evaluate`].
    pub fn monotone<F: Fuzzy>(&self, values: &[(&str, F)]) -> Result<Vec<Vec<bool>>> {
        let variables = self.bind(values)?;
        let literals: Vec<F> = self.literal_numbers()?;
        let of_cut: Vec<Vec<bool>> =
            (0..F::CUTS).map(|i| monotone(self, &cuts(&variables, i), &cuts(&literals, i))).collect();
        let of_variable = |v: usize| of_cut.iter().map(|cut| cut[v]).collect();
        Ok((0..variables.len()).map(of_variable).collect())
    }

    /// The values of the variables in order.
    pub(super) fn bind<F: Clone>(&self, values: &[(&str, F)]) -> Result<Vec<F>> {
        let value = |name: &String| {
            let found = values.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).ok_or_else(|| {
                let known: Vec<String> = values.iter().map(|(known, _)| format!("`{known}`")).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                self.error_at(name, format!("the variable `{name}` has no value; those that have: {known}"))
            })
        };
        self.variables.iter().map(value).collect()
    }

    /// An [`Error::Expression`] with a caret under the first appearance of a variable, or
    /// under the first character where no variable is called so.
    pub fn error_at(&self, variable: &str, problem: impl Into<String>) -> Error {
        let place = self.variables.iter().position(|known| known == variable);
        error_at(&self.text, place.map_or(0, |place| self.places[place]), problem)
    }

    fn literal_numbers<F: Fuzzy>(&self) -> Result<Vec<F>> {
        let make = |literal: &Literal| F::literal(literal).map_err(|error| literal.error(&self.text, error));
        self.literals.iter().map(make).collect()
    }

    /// The steps, one after another.
    pub(super) fn run<A: Algebra>(&self, variables: &[A], literals: &[A]) -> A {
        let mut stack: Vec<A> = Vec::new();
        for step in &self.program {
            let value = match *step {
                Step::Literal(index) => literals[index].clone(),
                Step::Variable(index) => variables[index].clone(),
                Step::Unary(operation) => match stack.pop() {
                    Some(a) => a.unary(operation),
                    None => continue, // no program is short of numbers
                },
                Step::Binary(operation) => match (stack.pop(), stack.pop()) {
                    (Some(b), Some(a)) => a.binary(operation, &b),
                    _ => continue,
                },
                Step::MulAdd => match (stack.pop(), stack.pop(), stack.pop()) {
                    (Some(c), Some(b), Some(a)) => a.mul_add(&b, &c),
                    _ => continue,
                },
            };
            stack.push(value);
        }
        stack.swap_remove(0) // nor empty
    }
}

fn cuts<F: Fuzzy>(values: &[F], i: usize) -> Vec<Cut<F::Bound>> {
    values.iter().map(|value| value.bounds(i)).collect()
}
