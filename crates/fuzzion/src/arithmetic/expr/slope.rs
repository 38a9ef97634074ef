//! Bounds of a value and of its derivatives over a box, by the rules of differentiation.
//!
//! A smooth f differs from its value at the middle c of a box X by no more than its derivatives say:
//!
//! f(X) ⊆ f(c) + Σᵢ f′ᵢ(X)·(Xᵢ − cᵢ), the mean-value form
//!
//! Its width shrinks with the square of the box's where that of the operators shrinks with the box's, and what both have
//! in common encloses too. The derivative of a quotient, (a′ − (a/b)·b′)/b, profits from better bounds of the quotient
//! itself: for x/x both become as narrow as rounding lets them.

use super::evaluate::Algebra;
use super::{Binary, Unary};
use crate::arithmetic::cut::{Cut, Sign};
use crate::arithmetic::rounding::Real;

/// The most times that bounds of a quotient and of its derivatives better each other.
const ROUNDS: usize = 64;

/// What is known of a number over a box of the inputs.
#[derive(Clone, Debug)]
pub(super) struct Slope<'a, T> {
    pub(super) value: Cut<T>,
    /// Its value in the middle of the box.
    pub(super) center: Cut<T>,
    /// How far each input reaches from its middle.
    reach: &'a [Cut<T>],
    /// Bounds of the derivative by each input.
    pub(super) gradient: Vec<Cut<T>>,
    /// Whether it is defined and continuous all over the box; only then do derivatives tell where it rises.
    pub(super) smooth: bool,
    /// Whether it is defined nowhere in the box.
    pub(super) nowhere: bool,
}

fn zero<T: Real>() -> Cut<T> {
    Cut::exactly(T::ZERO)
}

/// How far each input of a box reaches from its middle.
pub(super) fn reach<T: Real>(inputs: &[Cut<T>]) -> Vec<Cut<T>> {
    inputs.iter().map(|input| input.sub(Cut::exactly(input.middle()))).collect()
}

impl<'a, T: Real> Slope<'a, T> {
    /// Input number `index` of the box whose [`reach`] this is.
    pub(super) fn input(value: Cut<T>, index: usize, reach: &'a [Cut<T>]) -> Self {
        let one_at = |i: usize| if i == index { Cut::exactly(T::ONE) } else { zero() };
        let gradient = (0..reach.len()).map(one_at).collect();
        Slope { value, center: Cut::exactly(value.middle()), reach, gradient, smooth: true, nowhere: false }
    }

    /// f(a) from its value, and f′(a) as what the gradient is to be turned into. What does not depend on an input keeps
    /// on not depending on it.
    fn chain(&self, operation: Unary, defined: bool, derivative: impl Fn(Cut<T>) -> Cut<T>) -> Self {
        let turn = |part: &Cut<T>| if *part == zero() { *part } else { derivative(*part) };
        let value = self.value.unary(operation);
        Slope {
            value,
            center: self.center.unary(operation),
            reach: self.reach,
            gradient: self.gradient.iter().map(turn).collect(),
            smooth: self.smooth && defined && value.is_bounded(),
            nowhere: self.nowhere,
        }
        .centered()
    }

    /// f(a, b) from its value and what becomes of the parts of the gradients.
    fn join(
        &self,
        other: &Self,
        (value, center): (Cut<T>, Cut<T>),
        defined: bool,
        derivative: impl Fn(Cut<T>, Cut<T>) -> Cut<T>,
    ) -> Self {
        let both = self.gradient.iter().zip(&other.gradient);
        let turn =
            |(a, b): (&Cut<T>, &Cut<T>)| if *a == zero() && *b == zero() { *a } else { derivative(*a, *b) };
        Slope {
            value,
            center,
            reach: self.reach,
            gradient: both.map(turn).collect(),
            smooth: self.smooth && other.smooth && defined && value.is_bounded(),
            nowhere: self.nowhere || other.nowhere,
        }
        .centered()
    }

    /// The same with what the mean-value form knows of the value.
    fn centered(mut self) -> Self {
        if self.smooth {
            let parts = self.gradient.iter().zip(self.reach).filter(|(part, _)| **part != zero());
            let form = parts.fold(self.center, |sum, (part, reach)| sum.add(part.mul(*reach)));
            self.value = self.value.intersection(form);
        }
        self
    }

    /// a / b, whose value and derivatives better each other as long as it pays.
    fn quotient(&self, other: &Self) -> Self {
        let y = other.value;
        let center = self.center.div(other.center);
        let with = |value: Cut<T>| {
            let derivative = |a: Cut<T>, b: Cut<T>| a.sub(value.mul(b)).div(y);
            self.join(other, (value, center), !y.contains(T::ZERO), derivative)
        };
        let half = T::ONE.div_near(T::ONE.add_near(T::ONE));
        let mut value = self.value.div(y);
        let mut slope = with(value);
        for _ in 0..ROUNDS {
            if !slope.smooth || slope.value.width() > value.width().mul_near(half) {
                break;
            }
            value = slope.value;
            slope = with(value);
        }
        slope
    }
}

impl<T: Real> Algebra for Slope<'_, T> {
    #[allow(private_interfaces)]
    fn unary(&self, operation: Unary) -> Self {
        let x = self.value;
        let value = x.unary(operation);
        let one = Cut::exactly(T::ONE);
        let has_zero = x.contains(T::ZERO);
        let outside = match operation {
            Unary::Sqrt => x.upper < T::ZERO,
            Unary::Log => x.upper <= T::ZERO,
            _ => false,
        };
        let slope = match operation {
            Unary::Neg => self.chain(operation, true, Cut::neg),
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
                let factor = Cut::new(T::from_f64_down(f64::from(n)), T::from_f64_up(f64::from(n)));
                let derivative = factor.mul(x.powi(n.saturating_sub(1)));
                self.chain(operation, n > 0 || !has_zero, |d| derivative.mul(d))
            }
        };
        Slope { nowhere: slope.nowhere || outside, ..slope }
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        let (x, y) = (self.value, other.value);
        let value = (x.binary(operation, &y), self.center.binary(operation, &other.center));
        let either = |first: bool, second: bool| {
            move |a: Cut<T>, b: Cut<T>| match (first, second) {
                (true, _) => a,
                (_, true) => b,
                _ => a.hull(b),
            }
        };
        match operation {
            Binary::Add => self.join(other, value, true, Cut::add),
            Binary::Sub => self.join(other, value, true, Cut::sub),
            Binary::Mul => self.join(other, value, true, |a, b| a.mul(y).add(x.mul(b))),
            Binary::Div => self.quotient(other),
            Binary::Min => self.join(other, value, true, either(x.upper <= y.lower, y.upper <= x.lower)),
            Binary::Max => self.join(other, value, true, either(x.lower >= y.upper, y.lower >= x.upper)),
        }
    }
}
