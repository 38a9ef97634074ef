//! Affine forms: what a number is to first order in the inputs, and a bound of all the rest.
//!
//! x = c + Σᵢ tᵢ·εᵢ + e·ε, every ε somewhere in [−1, 1]; εᵢ is the place of input i within its cut, shared by all
//! numbers that depend on it. Coefficients are computed as cuts: their middle is kept, their radius goes to e.
//!
//! Source: J. Stolfi, L. H. de Figueiredo, *Self-Validated Numerical Methods and Applications*, 1997.

use super::evaluate::Algebra;
use super::{Binary, Expr, Unary};
use crate::arithmetic::cut::{Cut, Sign};
use crate::arithmetic::rounding::Real;

/// The bounds of a formula over a box; literals are inputs too.
pub(super) fn affine<T: Real>(expr: &Expr, variables: &[Cut<T>], literals: &[Cut<T>]) -> Cut<T> {
    let count = variables.len() + literals.len();
    let inputs: Vec<Affine<T>> =
        variables.iter().chain(literals).enumerate().map(|(i, cut)| Affine::input(*cut, i, count)).collect();
    let (variables, literals) = inputs.split_at(variables.len());
    expr.run(variables, literals).range
}

/// A number to first order, and its bounds by all that is known.
#[derive(Clone, Debug)]
struct Affine<T> {
    center: T,
    terms: Vec<T>,
    /// Not negative; infinite where the form says nothing.
    error: T,
    range: Cut<T>,
}

/// The middle of a cut and how far its ends are from it.
fn ball<T: Real>(cut: Cut<T>) -> (T, T) {
    let middle = cut.middle();
    (middle, cut.upper.sub_up(middle).greater(middle.sub_up(cut.lower)))
}

fn exactly<T: Real>(value: T) -> Cut<T> {
    Cut::exactly(value)
}

impl<T: Real> Affine<T> {
    fn input(cut: Cut<T>, index: usize, count: usize) -> Self {
        if !cut.is_bounded() {
            return Self::unknown(cut, count);
        }
        let (center, radius) = ball(cut);
        let terms = (0..count).map(|i| if i == index { radius } else { T::ZERO }).collect();
        Affine { center, terms, error: T::ZERO, range: cut }
    }

    /// A number of which only bounds are known.
    fn unknown(range: Cut<T>, count: usize) -> Self {
        let (center, error) = if range.is_bounded() { ball(range) } else { (T::ZERO, T::INFINITY) };
        Affine { center, terms: vec![T::ZERO; count], error, range }
    }

    /// A form from the bounds of its coefficients and of its error; `range` is known besides.
    fn form(center: Cut<T>, terms: impl Iterator<Item = Cut<T>>, error: T, range: Cut<T>) -> Self {
        let (center, mut error) = (ball(center).0, error.add_up(ball(center).1));
        let keep = |cut: Cut<T>| {
            let (middle, radius) = ball(cut);
            error = error.add_up(radius);
            middle
        };
        let terms: Vec<T> = terms.map(keep).collect();
        if !error.is_finite() {
            return Self::unknown(range, terms.len());
        }
        let mut form = Affine { center, terms, error, range };
        let radius = form.radius();
        let reach = Cut::new(form.center.sub_down(radius), form.center.add_up(radius));
        form.range = range.intersection(reach);
        form
    }

    /// Σ |tᵢ| + e.
    fn radius(&self) -> T {
        self.terms.iter().fold(self.error, |sum, term| sum.add_up(term.abs()))
    }

    /// a·slope + offset, where the offset's cut holds what f leaves above the line: a bound of f(a) − slope·a.
    fn linear(&self, slope: T, offset: Cut<T>, range: Cut<T>) -> Self {
        let slope = exactly(slope);
        let error = slope.abs().mul(exactly(self.error)).upper;
        let terms = self.terms.iter().map(|term| slope.mul(exactly(*term)));
        Self::form(slope.mul(exactly(self.center)).add(offset), terms, error, range)
    }

    /// A monotone f(x) − slope·x is between its values at the ends of the range.
    fn monotone(&self, slope: T, f: impl Fn(Cut<T>) -> Cut<T>, range: Cut<T>) -> Self {
        let at = |x: T| f(exactly(x)).sub(exactly(slope).mul(exactly(x)));
        let offset = at(self.range.lower).hull(at(self.range.upper));
        if offset.is_bounded() {
            self.linear(slope, offset, range)
        } else {
            Self::unknown(range, self.terms.len())
        }
    }

    fn join(&self, other: &Self, sign: T, range: Cut<T>) -> Self {
        let term = |(a, b): (&T, &T)| exactly(*a).add(exactly(sign).mul(exactly(*b)));
        let center = term((&self.center, &other.center));
        Self::form(
            center,
            self.terms.iter().zip(&other.terms).map(term),
            self.error.add_up(other.error),
            range,
        )
    }

    /// (a + A)(b + B) = ab + aB + bA + AB; `quadratic` bounds the last.
    fn product(&self, other: &Self, quadratic: Cut<T>, range: Cut<T>) -> Self {
        let (a, b) = (exactly(self.center), exactly(other.center));
        let terms = self.terms.iter().zip(&other.terms);
        let terms = terms.map(|(s, t)| a.mul(exactly(*t)).add(b.mul(exactly(*s))));
        let error = a.abs().mul(exactly(other.error)).add(b.abs().mul(exactly(self.error))).upper;
        if !(error.is_finite() && quadratic.is_bounded()) {
            return Self::unknown(range, self.terms.len());
        }
        Self::form(a.mul(b).add(quadratic), terms, error, range)
    }

    fn mul(&self, other: &Self, range: Cut<T>) -> Self {
        let square = self.radius().mul_up(other.radius());
        let quadratic = if square.is_finite() { Cut::new(-square, square) } else { Cut::UNBOUNDED };
        self.product(other, quadratic, range)
    }

    /// A² is not negative.
    fn sqr(&self, range: Cut<T>) -> Self {
        let square = self.radius().mul_up(self.radius());
        self.product(self, Cut { lower: T::ZERO, upper: square }, range)
    }

    fn recip(&self, range: Cut<T>) -> Self {
        if self.range.upper < T::ZERO {
            return self.unary(Unary::Neg).recip(range.neg()).unary(Unary::Neg);
        }
        if self.range.lower <= T::ZERO {
            return Self::unknown(range, self.terms.len());
        }
        // −1/x² is not above −1/u²: 1/x + x/u² falls.
        let slope = -T::ONE.div_down(self.range.upper.mul_up(self.range.upper));
        self.monotone(slope, |x| exactly(T::ONE).div(x), range)
    }

    fn abs(&self, range: Cut<T>) -> Self {
        let (lower, upper) = (self.range.lower, self.range.upper);
        match self.range.sign() {
            Sign::Positive => self.clone(),
            Sign::Negative => self.unary(Unary::Neg),
            Sign::Mixed if self.range.is_bounded() => {
                // |x| − s·x with |s| ≤ 1 falls to 0 at 0 and rises from there.
                let slope = upper.add_near(lower).div_near(upper.sub_near(lower));
                let slope = slope.lesser(T::ONE).greater(-T::ONE);
                let at = |x: T| exactly(x.abs()).sub(exactly(slope).mul(exactly(x))).upper;
                let top = at(lower).greater(at(upper));
                self.linear(slope, Cut { lower: T::ZERO, upper: top }, range)
            }
            Sign::Mixed => Self::unknown(range, self.terms.len()),
        }
    }

    fn powi(&self, n: i32, range: Cut<T>) -> Self {
        let mut result = Affine::unknown(exactly(T::ONE), self.terms.len());
        let (mut square, mut left) = (self.clone(), n.unsigned_abs());
        while left > 0 {
            if left % 2 == 1 {
                result = result.binary(Binary::Mul, &square);
            }
            left /= 2;
            if left > 0 {
                square = square.unary(Unary::Sqr);
            }
        }
        result = if n < 0 { result.unary(Unary::Recip) } else { result };
        result.range = result.range.intersection(range);
        result
    }
}

impl<T: Real> Algebra for Affine<T> {
    #[allow(private_interfaces)]
    fn unary(&self, operation: Unary) -> Self {
        let range = self.range.unary(operation);
        let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
        let bounded = self.range.is_bounded();
        match operation {
            Unary::Neg => Affine {
                center: -self.center,
                terms: self.terms.iter().map(|term| -*term).collect(),
                error: self.error,
                range,
            },
            Unary::Recip => self.recip(range),
            Unary::Sqr => self.sqr(range),
            Unary::Abs => self.abs(range),
            Unary::Powi(n) => self.powi(n, range),
            // The slope at the end where it is least, rounded down: f(x) − slope·x rises.
            Unary::Exp if bounded => self.monotone(self.range.lower.exp_bounds().0, Cut::exp, range),
            Unary::Log if bounded && self.range.lower > T::ZERO => {
                self.monotone(T::ONE.div_down(self.range.upper), Cut::log, range)
            }
            Unary::Sqrt if bounded && self.range.lower >= T::ZERO && self.range.upper > T::ZERO => {
                self.monotone(half.div_down(self.range.upper.sqrt_up()), Cut::sqrt, range)
            }
            Unary::Exp | Unary::Log | Unary::Sqrt => Self::unknown(range, self.terms.len()),
        }
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        let range = self.range.binary(operation, &other.range);
        let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
        match operation {
            Binary::Add => self.join(other, T::ONE, range),
            Binary::Sub => self.join(other, -T::ONE, range),
            Binary::Mul => self.mul(other, range),
            Binary::Div => {
                let recip = other.unary(Unary::Recip);
                self.mul(&recip, range)
            }
            // (a + b ∓ |a − b|)/2
            Binary::Min | Binary::Max => {
                let (sum, apart) =
                    (self.binary(Binary::Add, other), self.binary(Binary::Sub, other).unary(Unary::Abs));
                let sign = if operation == Binary::Min { -T::ONE } else { T::ONE };
                let twice = sum.join(&apart, sign, Cut::UNBOUNDED);
                twice.linear(half, Cut::exactly(T::ZERO), range)
            }
        }
    }
}
