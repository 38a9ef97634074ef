//! Bounds of a value and of its derivatives over a box, by the rules of differentiation.

use super::evaluate::Algebra;
use super::{Binary, Unary};
use crate::arithmetic::cut::{Cut, Sign};
use crate::arithmetic::rounding::Real;

/// What is known of a number over a box of the inputs.
#[derive(Clone, Debug)]
pub(super) struct Slope<T> {
    pub(super) value: Cut<T>,
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

impl<T: Real> Slope<T> {
    /// Input number `index` of `count`.
    pub(super) fn input(value: Cut<T>, index: usize, count: usize) -> Self {
        let gradient = (0..count).map(|i| if i == index { Cut::exactly(T::ONE) } else { zero() }).collect();
        Slope { value, gradient, smooth: true, nowhere: false }
    }

    /// f(a) from its value, and f′(a) as what the gradient is to be turned into. What does not depend on an input keeps
    /// on not depending on it.
    fn chain(&self, value: Cut<T>, defined: bool, derivative: impl Fn(Cut<T>) -> Cut<T>) -> Self {
        let turn = |part: &Cut<T>| if *part == zero() { *part } else { derivative(*part) };
        let smooth = self.smooth && defined && value.is_bounded();
        Slope { value, gradient: self.gradient.iter().map(turn).collect(), smooth, nowhere: self.nowhere }
    }

    /// f(a, b) from its value and what becomes of the parts of the gradients.
    fn join(
        &self,
        other: &Self,
        value: Cut<T>,
        defined: bool,
        derivative: impl Fn(Cut<T>, Cut<T>) -> Cut<T>,
    ) -> Self {
        let both = self.gradient.iter().zip(&other.gradient);
        let turn =
            |(a, b): (&Cut<T>, &Cut<T>)| if *a == zero() && *b == zero() { *a } else { derivative(*a, *b) };
        let smooth = self.smooth && other.smooth && defined && value.is_bounded();
        let nowhere = self.nowhere || other.nowhere;
        Slope { value, gradient: both.map(turn).collect(), smooth, nowhere }
    }
}

impl<T: Real> Algebra for Slope<T> {
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
            Unary::Neg => self.chain(value, true, Cut::neg),
            Unary::Recip => self.chain(value, !has_zero, |d| value.sqr().mul(d).neg()),
            Unary::Sqr => self.chain(value, true, |d| x.add(x).mul(d)),
            Unary::Sqrt => self.chain(value, x.lower >= T::ZERO, |d| d.div(value.add(value))),
            Unary::Exp => self.chain(value, true, |d| value.mul(d)),
            Unary::Log => self.chain(value, x.lower > T::ZERO, |d| d.div(x)),
            Unary::Abs => {
                let side = match x.sign() {
                    Sign::Positive => one,
                    Sign::Negative => one.neg(),
                    Sign::Mixed => one.hull(one.neg()),
                };
                self.chain(value, true, |d| side.mul(d))
            }
            Unary::Powi(0) => self.chain(value, true, |_| zero()),
            Unary::Powi(n) => {
                let factor = Cut::new(T::from_f64_down(f64::from(n)), T::from_f64_up(f64::from(n)));
                let derivative = factor.mul(x.powi(n.saturating_sub(1)));
                self.chain(value, n > 0 || !has_zero, |d| derivative.mul(d))
            }
        };
        Slope { nowhere: slope.nowhere || outside, ..slope }
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        let (x, y) = (self.value, other.value);
        let value = x.binary(operation, &y);
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
            Binary::Div => self.join(other, value, !y.contains(T::ZERO), |a, b| a.sub(value.mul(b)).div(y)),
            Binary::Min => self.join(other, value, true, either(x.upper <= y.lower, y.upper <= x.lower)),
            Binary::Max => self.join(other, value, true, either(x.lower >= y.upper, y.lower >= x.upper)),
        }
    }
}
