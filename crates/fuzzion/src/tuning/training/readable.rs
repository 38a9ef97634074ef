//! Readability constraint: the sets of each input stay ordered, and neighboring sets overlap neither too little nor
//! too much.

use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::network::form::{Form, Parameters};

/// Allowed memberships at the crossing of neighboring sets: below this range, the sets leave a gap; above it, they nearly
/// coincide.
pub(in crate::tuning) const CROSSING: (f64, f64) = (0.2, 0.8);
/// Fractions of a step that are tried, in this order, until the constraint holds.
const STEP_FRACTIONS: [f64; 3] = [1.0, 0.5, 0.25];
/// Bisection steps to find a crossing.
const BISECTIONS: usize = 40;

/// Indices of the sets of each input, ordered by center.
pub(in crate::tuning) fn sets_by_center(antecedents: &Antecedents) -> Vec<Vec<usize>> {
    let center = |set: &usize| antecedents.form.frame(&antecedents.sets[*set].parameters).0;
    let of = |input: usize| {
        let mut sets: Vec<usize> =
            (0..antecedents.sets.len()).filter(|set| antecedents.sets[*set].input == input).collect();
        sets.sort_by(|a, b| center(a).total_cmp(&center(b)));
        sets
    };
    (0..antecedents.inputs).map(of).collect()
}

/// Whether two neighboring sets are ordered and overlap within the allowed range.
pub(in crate::tuning) fn is_readable_pair(form: Form, left: &Parameters, right: &Parameters) -> bool {
    let (from, to) = (facing_core_edge(form, left, true), facing_core_edge(form, right, false));
    from < to && {
        let crossing = crossing(form, left, right, (from, to));
        (CROSSING.0..=CROSSING.1).contains(&crossing)
    }
}

/// Edge of the core that faces the right or the left neighbor.
fn facing_core_edge(form: Form, p: &Parameters, right: bool) -> f64 {
    match form {
        Form::Gaussian | Form::Bell => p[0],
        Form::TwoSided => p[if right { 2 } else { 0 }],
        Form::Triangle => p[1],
        Form::Trapezoid => p[if right { 2 } else { 1 }],
    }
}

/// Membership at the crossing of the right side of one set and the left side of the next, by bisection.
fn crossing(form: Form, left: &Parameters, right: &Parameters, (mut from, mut to): (f64, f64)) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (from + to);
        if form.ln_membership(left, middle) > form.ln_membership(right, middle) {
            from = middle;
        } else {
            to = middle;
        }
    }
    form.ln_membership(left, 0.5 * (from + to)).exp()
}

/// Limits the step from `before`, which is readable, to `after` so that the sets stay readable.
pub(in crate::tuning) fn limit_step(before: &Antecedents, after: &mut Antecedents) {
    let form = after.form;
    for order in sets_by_center(before) {
        let moved: Vec<Parameters> = order.iter().map(|set| after.sets[*set].parameters).collect();
        order.iter().for_each(|set| after.sets[*set] = before.sets[*set]);
        for (at, set) in order.iter().enumerate() {
            for i in 0..form.parameter_count() {
                let old = after.sets[*set].parameters;
                let step = moved[at][i] - old[i];
                let candidates = STEP_FRACTIONS.iter().map(|fraction| {
                    let mut new = old;
                    new[i] += fraction * step;
                    new
                });
                let is_readable = |new: &Parameters| {
                    let neighbor = |at: usize| &after.sets[order[at]].parameters;
                    let left = at == 0 || is_readable_pair(form, neighbor(at - 1), new);
                    let right = at + 1 == order.len() || is_readable_pair(form, new, neighbor(at + 1));
                    left && right && (form != Form::TwoSided || new[0] <= new[2])
                };
                after.sets[*set].parameters =
                    candidates.into_iter().find(|new| is_readable(new)).unwrap_or(old);
            }
        }
    }
}
