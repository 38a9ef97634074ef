//! Affine forms: first-order dependence on the inputs plus an error bound.
//!
//! x = c + Σᵢ tᵢ·εᵢ + e·ε with every ε in [−1, 1]. The noise symbol εᵢ is the position of input i within its cut,
//! shared by all numbers that depend on it. Coefficients are computed as intervals: the form stores their midpoints,
//! and their radii are added to e.
//!
//! Source: J. Stolfi, L. H. de Figueiredo, *Self-Validated Numerical Methods and Applications*, 1997.

use super::algebra::Algebra;
use super::formula::Expr;
use super::postfix::{Binary, Unary};
use crate::arithmetic::number::cut::{AlphaCut, Sign};
use crate::arithmetic::rounding::Real;

/// Bounds of a formula over a box; literals are also inputs.
pub(super) fn affine<T: Real>(
    expr: &Expr,
    variables: &[AlphaCut<T>],
    literals: &[AlphaCut<T>],
) -> AlphaCut<T> {
    let count = variables.len() + literals.len();
    let inputs: Vec<AffineForm<T>> = variables
        .iter()
        .chain(literals)
        .enumerate()
        .map(|(i, cut)| AffineForm::input(*cut, i, count))
        .collect();
    let (variables, literals) = inputs.split_at(variables.len());
    expr.run(variables, literals).range
}

/// Affine form with an enclosure of its range.
#[derive(Clone, Debug)]
struct AffineForm<T> {
    center: T,
    terms: Vec<T>,
    /// At least 0; infinite if the form has no information.
    error: T,
    range: AlphaCut<T>,
}

/// Midpoint of a cut and its radius.
fn midpoint_and_radius<T: Real>(cut: AlphaCut<T>) -> (T, T) {
    let midpoint = cut.midpoint();
    (midpoint, cut.upper.sub_up(midpoint).greater(midpoint.sub_up(cut.lower)))
}

fn crisp<T: Real>(value: T) -> AlphaCut<T> {
    AlphaCut::crisp(value)
}

impl<T: Real> AffineForm<T> {
    fn input(cut: AlphaCut<T>, index: usize, count: usize) -> Self {
        if !cut.is_bounded() {
            return Self::from_range(cut, count);
        }
        let (center, radius) = midpoint_and_radius(cut);
        let terms = (0..count).map(|i| if i == index { radius } else { T::ZERO }).collect();
        AffineForm { center, terms, error: T::ZERO, range: cut }
    }

    /// Form with a known range but no dependence on the inputs.
    fn from_range(range: AlphaCut<T>, count: usize) -> Self {
        let (center, error) =
            if range.is_bounded() { midpoint_and_radius(range) } else { (T::ZERO, T::INFINITY) };
        AffineForm { center, terms: vec![T::ZERO; count], error, range }
    }

    /// Form from enclosures of its coefficients, an error bound and a known range.
    fn new(
        center: AlphaCut<T>,
        terms: impl Iterator<Item = AlphaCut<T>>,
        error: T,
        range: AlphaCut<T>,
    ) -> Self {
        let (center, mut error) =
            (midpoint_and_radius(center).0, error.add_up(midpoint_and_radius(center).1));
        let take_midpoint = |cut: AlphaCut<T>| {
            let (midpoint, radius) = midpoint_and_radius(cut);
            error = error.add_up(radius);
            midpoint
        };
        let terms: Vec<T> = terms.map(take_midpoint).collect();
        if !error.is_finite() {
            return Self::from_range(range, terms.len());
        }
        let mut form = AffineForm { center, terms, error, range };
        let radius = form.radius();
        let enclosure = AlphaCut::new(form.center.sub_down(radius), form.center.add_up(radius));
        form.range = range.intersection(enclosure);
        form
    }

    /// Σ |tᵢ| + e.
    fn radius(&self) -> T {
        self.terms.iter().fold(self.error, |sum, term| sum.add_up(term.abs()))
    }

    /// slope·a + offset, where `offset` encloses f(a) − slope·a.
    fn linear(&self, slope: T, offset: AlphaCut<T>, range: AlphaCut<T>) -> Self {
        let slope = crisp(slope);
        let error = slope.abs().mul(crisp(self.error)).upper;
        let terms = self.terms.iter().map(|term| slope.mul(crisp(*term)));
        Self::new(slope.mul(crisp(self.center)).add(offset), terms, error, range)
    }

    /// Linearization of f for a monotone f(x) − slope·x, which is between its values at the ends of the range.
    fn linearized(&self, slope: T, f: impl Fn(AlphaCut<T>) -> AlphaCut<T>, range: AlphaCut<T>) -> Self {
        let at = |x: T| f(crisp(x)).sub(crisp(slope).mul(crisp(x)));
        let offset = at(self.range.lower).hull(at(self.range.upper));
        if offset.is_bounded() {
            self.linear(slope, offset, range)
        } else {
            Self::from_range(range, self.terms.len())
        }
    }

    fn add_scaled(&self, other: &Self, sign: T, range: AlphaCut<T>) -> Self {
        let term = |(a, b): (&T, &T)| crisp(*a).add(crisp(sign).mul(crisp(*b)));
        let center = term((&self.center, &other.center));
        Self::new(
            center,
            self.terms.iter().zip(&other.terms).map(term),
            self.error.add_up(other.error),
            range,
        )
    }

    /// (a + A)(b + B) = ab + aB + bA + AB; `quadratic` encloses AB.
    fn product(&self, other: &Self, quadratic: AlphaCut<T>, range: AlphaCut<T>) -> Self {
        let (a, b) = (crisp(self.center), crisp(other.center));
        let terms = self.terms.iter().zip(&other.terms);
        let terms = terms.map(|(s, t)| a.mul(crisp(*t)).add(b.mul(crisp(*s))));
        let error = a.abs().mul(crisp(other.error)).add(b.abs().mul(crisp(self.error))).upper;
        if !(error.is_finite() && quadratic.is_bounded()) {
            return Self::from_range(range, self.terms.len());
        }
        Self::new(a.mul(b).add(quadratic), terms, error, range)
    }

    fn mul(&self, other: &Self, range: AlphaCut<T>) -> Self {
        let square = self.radius().mul_up(other.radius());
        let quadratic = if square.is_finite() { AlphaCut::new(-square, square) } else { AlphaCut::UNBOUNDED };
        self.product(other, quadratic, range)
    }

    /// Square; A² is not negative.
    fn sqr(&self, range: AlphaCut<T>) -> Self {
        let square = self.radius().mul_up(self.radius());
        self.product(self, AlphaCut { lower: T::ZERO, upper: square }, range)
    }

    fn recip(&self, range: AlphaCut<T>) -> Self {
        if self.range.upper < T::ZERO {
            return self.unary(Unary::Neg).recip(range.neg()).unary(Unary::Neg);
        }
        if self.range.lower <= T::ZERO {
            return Self::from_range(range, self.terms.len());
        }
        // −1/x² ≤ −1/u² on the range, so 1/x + x/u² is decreasing.
        let slope = -T::ONE.div_down(self.range.upper.mul_up(self.range.upper));
        self.linearized(slope, |x| crisp(T::ONE).div(x), range)
    }

    fn abs(&self, range: AlphaCut<T>) -> Self {
        let (lower, upper) = (self.range.lower, self.range.upper);
        match self.range.sign() {
            Sign::Positive => self.clone(),
            Sign::Negative => self.unary(Unary::Neg),
            Sign::Mixed if self.range.is_bounded() => {
                // |x| − s·x with |s| ≤ 1 decreases to 0 at x = 0 and increases from there.
                let slope = upper.add_near(lower).div_near(upper.sub_near(lower));
                let slope = slope.lesser(T::ONE).greater(-T::ONE);
                let at = |x: T| crisp(x.abs()).sub(crisp(slope).mul(crisp(x))).upper;
                let top = at(lower).greater(at(upper));
                self.linear(slope, AlphaCut { lower: T::ZERO, upper: top }, range)
            }
            Sign::Mixed => Self::from_range(range, self.terms.len()),
        }
    }

    fn powi(&self, n: i32, range: AlphaCut<T>) -> Self {
        let mut result = AffineForm::from_range(crisp(T::ONE), self.terms.len());
        let (mut square, mut remaining) = (self.clone(), n.unsigned_abs());
        while remaining > 0 {
            if remaining % 2 == 1 {
                result = result.binary(Binary::Mul, &square);
            }
            remaining /= 2;
            if remaining > 0 {
                square = square.unary(Unary::Sqr);
            }
        }
        result = if n < 0 { result.unary(Unary::Recip) } else { result };
        result.range = result.range.intersection(range);
        result
    }
}

impl<T: Real> Algebra for AffineForm<T> {
    #[allow(private_interfaces)]
    fn unary(&self, operation: Unary) -> Self {
        let range = self.range.unary(operation);
        let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
        let bounded = self.range.is_bounded();
        match operation {
            Unary::Neg => AffineForm {
                center: -self.center,
                terms: self.terms.iter().map(|term| -*term).collect(),
                error: self.error,
                range,
            },
            Unary::Recip => self.recip(range),
            Unary::Sqr => self.sqr(range),
            Unary::Abs => self.abs(range),
            Unary::Powi(n) => self.powi(n, range),
            // With the minimum slope on the range, rounded down, f(x) − slope·x is increasing.
            Unary::Exp if bounded => self.linearized(self.range.lower.exp_bounds().0, AlphaCut::exp, range),
            Unary::Log if bounded && self.range.lower > T::ZERO => {
                self.linearized(T::ONE.div_down(self.range.upper), AlphaCut::log, range)
            }
            Unary::Sqrt if bounded && self.range.lower >= T::ZERO && self.range.upper > T::ZERO => {
                self.linearized(half.div_down(self.range.upper.sqrt_up()), AlphaCut::sqrt, range)
            }
            Unary::Exp | Unary::Log | Unary::Sqrt => Self::from_range(range, self.terms.len()),
        }
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        let range = self.range.binary(operation, &other.range);
        let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
        match operation {
            Binary::Add => self.add_scaled(other, T::ONE, range),
            Binary::Sub => self.add_scaled(other, -T::ONE, range),
            Binary::Mul => self.mul(other, range),
            Binary::Div => {
                let recip = other.unary(Unary::Recip);
                self.mul(&recip, range)
            }
            // (a + b ∓ |a − b|)/2
            Binary::Min | Binary::Max => {
                let (sum, distance) =
                    (self.binary(Binary::Add, other), self.binary(Binary::Sub, other).unary(Unary::Abs));
                let sign = if operation == Binary::Min { -T::ONE } else { T::ONE };
                let twice = sum.add_scaled(&distance, sign, AlphaCut::UNBOUNDED);
                twice.linear(half, AlphaCut::crisp(T::ZERO), range)
            }
        }
    }
}
