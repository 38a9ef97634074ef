//! Vertex method: bounds from the vertices of a box on which the formula is proven monotone.
//!
//! If the formula is smooth over a box and its partial derivative with respect to an input has one sign, its minimum
//! is attained with that input at one end. If this holds for every input, the minimum is attained at one vertex,
//! which is evaluated with outward rounding. The bound over a box is the outermost bound of its parts, so branch and
//! bound always bisects the part with the outermost bound, until that bound is attained by a value of the formula or
//! the limit of bisections is reached.

use super::formula::Expr;
use super::gradient::{ValueGradient, offsets};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::rounding::Real;

/// Maximum number of bisections, in total and as long as the bound is infinite.
const MAX_BISECTIONS: usize = 256;
const MAX_BISECTIONS_UNBOUNDED: usize = 16;

/// Relative improvement below which bisection is not worthwhile: a few rounding errors.
fn min_improvement<T: Real>() -> T {
    let two = T::ONE.add_near(T::ONE);
    T::UNIT_ROUNDOFF.mul_near(two).mul_near(two)
}

/// Bounds of a formula over a box; literals are also inputs.
pub(super) fn vertex<T: Real>(
    expr: &Expr,
    variables: &[AlphaCut<T>],
    literals: &[AlphaCut<T>],
) -> AlphaCut<T> {
    let inputs: Vec<AlphaCut<T>> = variables.iter().chain(literals).copied().collect();
    let search = VertexSearch { expr, variables: variables.len() };
    let lower = search.bound(inputs.clone(), Side::Lower);
    let upper = search.bound(inputs, Side::Upper);
    // The search finds no bounds if the formula is undefined on the whole box.
    if lower <= upper { AlphaCut { lower, upper } } else { AlphaCut::UNBOUNDED }
}

/// Whether the formula is proven monotone over a box, per variable.
pub(super) fn monotone<T: Real>(
    expr: &Expr,
    variables: &[AlphaCut<T>],
    literals: &[AlphaCut<T>],
) -> Vec<bool> {
    let inputs: Vec<AlphaCut<T>> = variables.iter().chain(literals).copied().collect();
    let offsets = offsets(&inputs);
    let form = VertexSearch { expr, variables: variables.len() }.value_gradient(&inputs, &offsets);
    let has_one_sign = |part: &AlphaCut<T>| part.lower >= T::ZERO || part.upper <= T::ZERO;
    form.gradient.iter().take(variables.len()).map(|part| form.smooth && has_one_sign(part)).collect()
}

/// Which bound to compute.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Lower,
    Upper,
}

struct VertexSearch<'a> {
    expr: &'a Expr,
    variables: usize,
}

impl VertexSearch<'_> {
    fn direct<T: Real>(&self, inputs: &[AlphaCut<T>]) -> AlphaCut<T> {
        let (variables, literals) = inputs.split_at(self.variables);
        self.expr.run(variables, literals)
    }

    fn value_gradient<'a, T: Real>(
        &self,
        inputs: &[AlphaCut<T>],
        offsets: &'a [AlphaCut<T>],
    ) -> ValueGradient<'a, T> {
        let gradients: Vec<ValueGradient<'a, T>> =
            inputs.iter().enumerate().map(|(i, cut)| ValueGradient::input(*cut, i, offsets)).collect();
        let (variables, literals) = gradients.split_at(self.variables);
        self.expr.run(variables, literals)
    }

    /// Bound of the formula over a box, by branch and bound.
    fn bound<T: Real>(&self, inputs: Vec<AlphaCut<T>>, side: Side) -> T {
        let mut parts = vec![self.part(inputs, side)];
        for bisections in 0..MAX_BISECTIONS {
            let outermost = outermost(&parts, side);
            let Some(widest) = parts[outermost].bisect else { break };
            if bisections >= MAX_BISECTIONS_UNBOUNDED && !parts[outermost].bound.is_finite() {
                break;
            }
            let Part { inputs, .. } = parts.swap_remove(outermost);
            let (whole, midpoint) = (inputs[widest], inputs[widest].midpoint());
            for (lower, upper) in [(whole.lower, midpoint), (midpoint, whole.upper)] {
                let mut half = inputs.clone();
                half[widest] = AlphaCut { lower, upper };
                parts.push(self.part(half, side));
            }
        }
        parts[outermost(&parts, side)].bound
    }

    /// Bound over a box without bisection.
    fn part<T: Real>(&self, mut inputs: Vec<AlphaCut<T>>, side: Side) -> Part<T> {
        let bound_of = |cut: AlphaCut<T>| if side == Side::Lower { cut.lower } else { cut.upper };
        let offsets = offsets(&inputs);
        let form = self.value_gradient(&inputs, &offsets);
        if form.undefined {
            // An undefined part does not contribute to the bound.
            let bound = if side == Side::Lower { T::INFINITY } else { T::NEG_INFINITY };
            return Part { inputs, bound, bisect: None };
        }
        if form.smooth {
            for (input, part) in inputs.iter_mut().zip(&form.gradient) {
                let increasing = part.lower >= T::ZERO;
                if increasing || part.upper <= T::ZERO {
                    let end = if increasing == (side == Side::Lower) { input.lower } else { input.upper };
                    *input = if end.is_finite() { AlphaCut::crisp(end) } else { *input };
                }
            }
        }
        // The value at the center is attained, so bisection can improve the bound at most up to it.
        let improvement = bound_of(form.value).sub_near(bound_of(form.center)).abs();
        if form.smooth && improvement <= min_improvement::<T>().mul_near(bound_of(form.center).abs()) {
            return Part { inputs, bound: bound_of(form.value), bisect: None };
        }
        let can_bisect = |i: &usize| inputs[*i].is_bounded() && inputs[*i].lower < inputs[*i].upper;
        let bisect = (0..inputs.len()).filter(can_bisect).max_by(|a, b| {
            let (a, b) = (inputs[*a].width(), inputs[*b].width());
            a.partial_cmp(&b).expect("invariant: the width of a bounded cut is not NaN")
        });
        let bound = bound_of(form.value.intersection(self.direct(&inputs)));
        Part { inputs, bound, bisect }
    }
}

/// Part of a box.
struct Part<T> {
    /// Inputs in which the formula is monotone are fixed at the end where the bound is attained.
    inputs: Vec<AlphaCut<T>>,
    bound: T,
    /// Input to bisect, if that could improve the bound.
    bisect: Option<usize>,
}

/// Index of the part with the outermost bound; `parts` is not empty.
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
