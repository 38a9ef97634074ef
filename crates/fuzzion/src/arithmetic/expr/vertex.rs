//! The vertex method: bounds from the corners of a box, where the formula is proven monotone.
//!
//! Over a box in which the formula is smooth and its derivative by an input has one sign, its least value is met where
//! that input is at one end. With every input at an end, what is left is one point, evaluated with outward rounding.
//! The bound of a box is the outermost of the bounds of its parts. So it is always the outermost part that is halved,
//! until its bound is that of one of the formula's values, or the parts are spent.

use super::Expr;
use super::slope::{Slope, reach};
use crate::arithmetic::cut::Cut;
use crate::arithmetic::rounding::Real;

/// How many times a part of a box is halved at most; and as long as there is no bound at all.
const HALVINGS: usize = 256;
const HALVINGS_WITHOUT_BOUND: usize = 16;

/// A gain of a few roundings of a number is none.
fn rounding<T: Real>() -> T {
    let two = T::ONE.add_near(T::ONE);
    T::UNIT.mul_near(two).mul_near(two)
}

/// The bounds of a formula over a box; literals are inputs too.
pub(super) fn vertex<T: Real>(expr: &Expr, variables: &[Cut<T>], literals: &[Cut<T>]) -> Cut<T> {
    let inputs: Vec<Cut<T>> = variables.iter().chain(literals).copied().collect();
    let search = Search { expr, variables: variables.len() };
    let lower = search.bound(inputs.clone(), Side::Lower);
    let upper = search.bound(inputs, Side::Upper);
    if lower <= upper { Cut { lower, upper } } else { Cut::UNBOUNDED } // nothing of it is defined
}

/// In which variables the formula is proven monotone over a box.
pub(super) fn monotone<T: Real>(expr: &Expr, variables: &[Cut<T>], literals: &[Cut<T>]) -> Vec<bool> {
    let inputs: Vec<Cut<T>> = variables.iter().chain(literals).copied().collect();
    let reach = reach(&inputs);
    let slope = Search { expr, variables: variables.len() }.slope(&inputs, &reach);
    let of_one_sign = |part: &Cut<T>| part.lower >= T::ZERO || part.upper <= T::ZERO;
    slope.gradient.iter().take(variables.len()).map(|part| slope.smooth && of_one_sign(part)).collect()
}

/// Which bound is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Lower,
    Upper,
}

struct Search<'a> {
    expr: &'a Expr,
    variables: usize,
}

impl Search<'_> {
    fn direct<T: Real>(&self, inputs: &[Cut<T>]) -> Cut<T> {
        let (variables, literals) = inputs.split_at(self.variables);
        self.expr.run(variables, literals)
    }

    fn slope<'a, T: Real>(&self, inputs: &[Cut<T>], reach: &'a [Cut<T>]) -> Slope<'a, T> {
        let slopes: Vec<Slope<'a, T>> =
            inputs.iter().enumerate().map(|(i, cut)| Slope::input(*cut, i, reach)).collect();
        let (variables, literals) = slopes.split_at(self.variables);
        self.expr.run(variables, literals)
    }

    /// A bound of the formula over a box.
    fn bound<T: Real>(&self, inputs: Vec<Cut<T>>, side: Side) -> T {
        let mut parts = vec![self.part(inputs, side)];
        for halved in 0..HALVINGS {
            let outermost = outermost(&parts, side);
            let Some(widest) = parts[outermost].halve else { break };
            if halved >= HALVINGS_WITHOUT_BOUND && !parts[outermost].bound.is_finite() {
                break;
            }
            let Part { inputs, .. } = parts.swap_remove(outermost);
            let (whole, middle) = (inputs[widest], inputs[widest].middle());
            for (lower, upper) in [(whole.lower, middle), (middle, whole.upper)] {
                let mut half = inputs.clone();
                half[widest] = Cut { lower, upper };
                parts.push(self.part(half, side));
            }
        }
        parts[outermost(&parts, side)].bound
    }

    /// What is known of a box as it is.
    fn part<T: Real>(&self, mut inputs: Vec<Cut<T>>, side: Side) -> Part<T> {
        let of = |cut: Cut<T>| if side == Side::Lower { cut.lower } else { cut.upper };
        let reach = reach(&inputs);
        let slope = self.slope(&inputs, &reach);
        if slope.nowhere {
            // It has no part in the bound.
            let bound = if side == Side::Lower { T::INFINITY } else { T::NEG_INFINITY };
            return Part { inputs, bound, halve: None };
        }
        if slope.smooth {
            for (input, part) in inputs.iter_mut().zip(&slope.gradient) {
                let rises = part.lower >= T::ZERO;
                if rises || part.upper <= T::ZERO {
                    let end = if rises == (side == Side::Lower) { input.lower } else { input.upper };
                    *input = if end.is_finite() { Cut::exactly(end) } else { *input };
                }
            }
        }
        // The value in the middle is one of the formula's: halving could gain no more than what is between.
        let gain = of(slope.value).sub_near(of(slope.center)).abs();
        if slope.smooth && gain <= rounding::<T>().mul_near(of(slope.center).abs()) {
            return Part { inputs, bound: of(slope.value), halve: None };
        }
        let halvable = |i: &usize| inputs[*i].is_bounded() && inputs[*i].lower < inputs[*i].upper;
        let halve = (0..inputs.len()).filter(halvable).max_by(|a, b| {
            let (a, b) = (inputs[*a].width(), inputs[*b].width());
            a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
        });
        let bound = of(slope.value.intersection(self.direct(&inputs)));
        Part { inputs, bound, halve }
    }
}

/// A part of a box.
struct Part<T> {
    /// Those by which the formula rises or falls all over it are at the end where the bound is met.
    inputs: Vec<Cut<T>>,
    bound: T,
    /// The input to halve, where that could gain something.
    halve: Option<usize>,
}

/// The part with the outermost bound; there is one at least.
fn outermost<T: Real>(parts: &[Part<T>], side: Side) -> usize {
    let mut outermost = 0;
    for (i, part) in parts.iter().enumerate() {
        let bound = parts[outermost].bound;
        if if side == Side::Lower { part.bound < bound } else { part.bound > bound } {
            outermost = i;
        }
    }
    outermost
}
