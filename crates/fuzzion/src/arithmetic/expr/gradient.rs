//! Enclosures of values and gradients over a box by automatic differentiation.
//!
//! A smooth f over a box X with center c satisfies
//!
//! f(X) ⊆ f(c) + Σᵢ f′ᵢ(X)·(Xᵢ − cᵢ), the mean value form
//!
//! Its overestimation shrinks quadratically with the width of the box, that of direct evaluation only linearly; their
//! intersection also encloses f(X). The derivative of a quotient, (a′ − (a/b)·b′)/b, improves with the enclosure of the
//! quotient itself: for x/x, both converge to rounding accuracy.

use super::algebra::Algebra;
use super::postfix::{Binary, Unary};
use crate::arithmetic::number::cut::{AlphaCut, Sign};
use crate::arithmetic::rounding::Real;

/// Maximum number of refinements of a quotient and its derivatives.
const MAX_REFINEMENTS: usize = 64;

/// Enclosure of a function and its gradient over a box of inputs.
#[derive(Clone, Debug)]
pub(super) struct ValueGradient<'a, T> {
    pub(super) value: AlphaCut<T>,
    /// Value at the center of the box.
    pub(super) center: AlphaCut<T>,
    /// Xᵢ − cᵢ for each input.
    offsets: &'a [AlphaCut<T>],
    /// Enclosure of the partial derivative with respect to each input.
    pub(super) gradient: Vec<AlphaCut<T>>,
    /// Whether the function is defined and continuous on the whole box; otherwise the gradient proves nothing.
    pub(super) smooth: bool,
    /// Whether the function is undefined on the whole box.
    pub(super) undefined: bool,
}

fn zero<T: Real>() -> AlphaCut<T> {
    AlphaCut::crisp(T::ZERO)
}

/// Xᵢ − cᵢ for each input of a box.
pub(super) fn offsets<T: Real>(inputs: &[AlphaCut<T>]) -> Vec<AlphaCut<T>> {
    inputs.iter().map(|input| input.sub(AlphaCut::crisp(input.midpoint()))).collect()
}

impl<'a, T: Real> ValueGradient<'a, T> {
    /// Input `index` of a box with the given [`offsets`].
    pub(super) fn input(value: AlphaCut<T>, index: usize, offsets: &'a [AlphaCut<T>]) -> Self {
        let one_at = |i: usize| if i == index { AlphaCut::crisp(T::ONE) } else { zero() };
        let gradient = (0..offsets.len()).map(one_at).collect();
        ValueGradient {
            value,
            center: AlphaCut::crisp(value.midpoint()),
            offsets,
            gradient,
            smooth: true,
            undefined: false,
        }
    }

    /// f(a) with the chain rule: `derivative` maps a′ to f′(a)·a′. Independence of an input is preserved.
    fn chain(
        &self,
        operation: Unary,
        defined: bool,
        derivative: impl Fn(AlphaCut<T>) -> AlphaCut<T>,
    ) -> Self {
        let apply_rule = |part: &AlphaCut<T>| if *part == zero() { *part } else { derivative(*part) };
        let value = self.value.unary(operation);
        ValueGradient {
            value,
            center: self.center.unary(operation),
            offsets: self.offsets,
            gradient: self.gradient.iter().map(apply_rule).collect(),
            smooth: self.smooth && defined && value.is_bounded(),
            undefined: self.undefined,
        }
        .with_mean_value_form()
    }

    /// f(a, b) with the chain rule: `derivative` maps (a′, b′) to the derivative of f(a, b).
    fn chain2(
        &self,
        other: &Self,
        (value, center): (AlphaCut<T>, AlphaCut<T>),
        defined: bool,
        derivative: impl Fn(AlphaCut<T>, AlphaCut<T>) -> AlphaCut<T>,
    ) -> Self {
        let both = self.gradient.iter().zip(&other.gradient);
        let apply_rule = |(a, b): (&AlphaCut<T>, &AlphaCut<T>)| {
            if *a == zero() && *b == zero() { *a } else { derivative(*a, *b) }
        };
        ValueGradient {
            value,
            center,
            offsets: self.offsets,
            gradient: both.map(apply_rule).collect(),
            smooth: self.smooth && other.smooth && defined && value.is_bounded(),
            undefined: self.undefined || other.undefined,
        }
        .with_mean_value_form()
    }

    /// Intersects the value with the mean value form.
    fn with_mean_value_form(mut self) -> Self {
        if self.smooth {
            let parts = self.gradient.iter().zip(self.offsets).filter(|(part, _)| **part != zero());
            let form = parts.fold(self.center, |sum, (part, offset)| sum.add(part.mul(*offset)));
            self.value = self.value.intersection(form);
        }
        self
    }

    /// a / b, whose value and derivatives are refined alternately as long as the width halves.
    fn quotient(&self, other: &Self) -> Self {
        let y = other.value;
        let center = self.center.div(other.center);
        let with = |value: AlphaCut<T>| {
            let derivative = |a: AlphaCut<T>, b: AlphaCut<T>| a.sub(value.mul(b)).div(y);
            self.chain2(other, (value, center), !y.contains(T::ZERO), derivative)
        };
        let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
        let mut value = self.value.div(y);
        let mut form = with(value);
        for _ in 0..MAX_REFINEMENTS {
            if !form.smooth || form.value.width() > value.width().mul_near(half) {
                break;
            }
            value = form.value;
            form = with(value);
        }
        form
    }
}

impl<T: Real> Algebra for ValueGradient<'_, T> {
    #[allow(private_interfaces)]
    fn unary(&self, operation: Unary) -> Self {
        let x = self.value;
        let value = x.unary(operation);
        let one = AlphaCut::crisp(T::ONE);
        let has_zero = x.contains(T::ZERO);
        let outside_domain = match operation {
            Unary::Sqrt => x.upper < T::ZERO,
            Unary::Log => x.upper <= T::ZERO,
            _ => false,
        };
        let form = match operation {
            Unary::Neg => self.chain(operation, true, AlphaCut::neg),
            Unary::Recip => self.chain(operation, !has_zero, |d| value.sqr().mul(d).neg()),
            Unary::Sqr => self.chain(operation, true, |d| x.add(x).mul(d)),
            Unary::Sqrt => self.chain(operation, x.lower >= T::ZERO, |d| d.div(value.add(value))),
            Unary::Exp => self.chain(operation, true, |d| value.mul(d)),
            Unary::Log => self.chain(operation, x.lower > T::ZERO, |d| d.div(x)),
            Unary::Abs => {
                let side = match x.sign() {
                    Sign::Positive => one,
                    Sign::Negative => one.neg(),
                    Sign::Mixed => one.hull(one.neg()),
                };
                self.chain(operation, true, |d| side.mul(d))
            }
            Unary::Powi(0) => self.chain(operation, true, |_| zero()),
            Unary::Powi(n) => {
                let factor = AlphaCut::new(T::from_f64_down(f64::from(n)), T::from_f64_up(f64::from(n)));
                let derivative = factor.mul(x.powi(n.saturating_sub(1)));
                self.chain(operation, n > 0 || !has_zero, |d| derivative.mul(d))
            }
        };
        ValueGradient { undefined: form.undefined || outside_domain, ..form }
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        let (x, y) = (self.value, other.value);
        let value = (x.binary(operation, &y), self.center.binary(operation, &other.center));
        let either = |first: bool, second: bool| {
            move |a: AlphaCut<T>, b: AlphaCut<T>| match (first, second) {
                (true, _) => a,
                (_, true) => b,
                _ => a.hull(b),
            }
        };
        match operation {
            Binary::Add => self.chain2(other, value, true, AlphaCut::add),
            Binary::Sub => self.chain2(other, value, true, AlphaCut::sub),
            Binary::Mul => self.chain2(other, value, true, |a, b| a.mul(y).add(x.mul(b))),
            Binary::Div => self.quotient(other),
            Binary::Min => self.chain2(other, value, true, either(x.upper <= y.lower, y.upper <= x.lower)),
            Binary::Max => self.chain2(other, value, true, either(x.lower >= y.upper, y.lower >= x.upper)),
        }
    }
}
