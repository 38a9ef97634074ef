//! Evaluation of formulas over single fuzzy numbers.

use super::affine::affine;
use super::algebra::Algebra;
use super::evaluation::Evaluation;
use super::formula::Expr;
use super::vertex::{monotone, vertex};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::number::mr::FuzzyMr;
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::arithmetic::text::literal::Literal;
use crate::sets::expression::error_at;
use std::array;

/// Encoding of single fuzzy numbers: [`FuzzyLu`] or [`FuzzyMr`]. The trait is sealed.
///
/// ```
/// use fuzzion::arithmetic::{ArithmeticError, Evaluation, Expr, FuzzyLu, FuzzyMr, FuzzyNumber};
///
/// fn double<F: FuzzyNumber>(x: F) -> Result<F, ArithmeticError> {
///     Expr::new("2 * x")?.evaluate(&[("x", x)], Evaluation::Direct)
/// }
///
/// assert_eq!(double(FuzzyLu::<f64, 1>::interval(1.0, 2.0)?)?.support().upper, 4.0);
/// assert_eq!(double(FuzzyMr::<f32, 1>::new(1.0, [0.5])?)?.midpoint(), 2.0);
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub trait FuzzyNumber: Algebra {
    /// Element type of the bounds.
    type Bound: Real;
    /// Number of cuts.
    const CUTS: usize;
    /// Value of a literal in this encoding.
    #[doc(hidden)]
    #[allow(private_interfaces)] // sealed
    fn literal(literal: &Literal) -> Result<Self>;
    /// Cut `i`.
    fn bounds(&self, i: usize) -> AlphaCut<Self::Bound>;
    /// Number with the cuts `make(0)`, `make(1)`, …, each intersected with the previous one.
    fn from_bounds(make: impl FnMut(usize) -> AlphaCut<Self::Bound>) -> Self;
}

impl<T: Real, const N: usize> FuzzyNumber for FuzzyLu<T, N> {
    type Bound = T;
    const CUTS: usize = N;
    #[allow(private_interfaces)]
    fn literal(literal: &Literal) -> Result<Self> {
        let mut cuts = [AlphaCut::UNBOUNDED; N];
        literal.fill(&mut cuts)?;
        Ok(Self::from_fn(|i| cuts[i]))
    }
    fn bounds(&self, i: usize) -> AlphaCut<T> {
        self.cut(i)
    }
    fn from_bounds(make: impl FnMut(usize) -> AlphaCut<T>) -> Self {
        Self::nested(make)
    }
}

impl<T: WidensFrom<R>, R: Real, const N: usize> FuzzyNumber for FuzzyMr<T, N, R> {
    type Bound = T;
    const CUTS: usize = N;
    #[allow(private_interfaces)]
    fn literal(literal: &Literal) -> Result<Self> {
        match literal.as_ball(N)? {
            Some((midpoint, radii)) => Self::new(midpoint, array::from_fn(|i| radii[i])),
            None => FuzzyLu::literal(literal).map(Self::from),
        }
    }
    fn bounds(&self, i: usize) -> AlphaCut<T> {
        self.cut(i)
    }
    fn from_bounds(make: impl FnMut(usize) -> AlphaCut<T>) -> Self {
        FuzzyLu::<T, N>::nested(make).into()
    }
}

impl Expr {
    /// Evaluates the formula for named fuzzy numbers of one encoding. Unused names are ignored.
    ///
    /// # Errors
    /// [`SyntaxError`](crate::base::SyntaxError) if a variable has no value, or a literal is invalid in this encoding.
    pub fn evaluate<F: FuzzyNumber>(&self, values: &[(&str, F)], evaluation: Evaluation) -> Result<F> {
        let variables = self.bind(values)?;
        let literals = self.literal_numbers()?;
        let direct = self.run(&variables, &literals);
        let tighter = match evaluation {
            Evaluation::Direct => return Ok(direct),
            Evaluation::Vertex => vertex,
            Evaluation::Affine => affine,
        };
        // Both enclose the exact result, and so does their intersection.
        Ok(F::from_bounds(|i| {
            direct.bounds(i).intersection(tighter(self, &cuts(&variables, i), &cuts(&literals, i)))
        }))
    }

    /// Whether the formula is proven monotone, per variable (in the order of [`Expr::variables`]) and cut. If it is
    /// monotone in all variables, [`Evaluation::Vertex`] is exact up to rounding without bisection.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Expr, FuzzyLu};
    /// let f = Expr::new("x * (1 - x) + y")?;
    /// let x: FuzzyLu<f64, 2> = "tri(0, 0.25, 1)".parse()?; // the maximum at 0.5 is in the support, not in the core
    /// assert_eq!(f.monotone(&[("x", x), ("y", x)])?, [[false, true], [true, true]]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Expr::evaluate`].
    pub fn monotone<F: FuzzyNumber>(&self, values: &[(&str, F)]) -> Result<Vec<Vec<bool>>> {
        let variables = self.bind(values)?;
        let literals: Vec<F> = self.literal_numbers()?;
        let by_cut: Vec<Vec<bool>> =
            (0..F::CUTS).map(|i| monotone(self, &cuts(&variables, i), &cuts(&literals, i))).collect();
        let by_variable = |v: usize| by_cut.iter().map(|cut| cut[v]).collect();
        Ok((0..variables.len()).map(by_variable).collect())
    }

    /// Values of the variables in order.
    pub(super) fn bind<F: Clone>(&self, values: &[(&str, F)]) -> Result<Vec<F>> {
        let value = |name: &String| {
            let found = values.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).ok_or_else(|| {
                let known: Vec<String> = values.iter().map(|(known, _)| format!("`{known}`")).collect();
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                self.error_at(
                    name,
                    format!("the variable `{name}` has no value; variables with values: {known}"),
                )
            })
        };
        self.variables.iter().map(value).collect()
    }

    /// [`SyntaxError`](crate::base::SyntaxError) at the first occurrence of a variable, or at the first character if there is no such
    /// variable.
    pub fn error_at(&self, variable: &str, problem: impl Into<String>) -> ArithmeticError {
        let index = self.variables.iter().position(|known| known == variable);
        error_at(&self.text, index.map_or(0, |index| self.offsets[index]), problem).into()
    }

    fn literal_numbers<F: FuzzyNumber>(&self) -> Result<Vec<F>> {
        let to_number =
            |literal: &Literal| Ok(F::literal(literal).map_err(|error| literal.error(&self.text, error))?);
        self.literals.iter().map(to_number).collect()
    }
}

fn cuts<F: FuzzyNumber>(values: &[F], i: usize) -> Vec<AlphaCut<F::Bound>> {
    values.iter().map(|value| value.bounds(i)).collect()
}
