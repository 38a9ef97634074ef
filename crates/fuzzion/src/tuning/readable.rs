//! Sets that can be read: those of an input stay in order, and neighbors overlap neither too little nor too much.

use super::antecedents::Antecedents;
use super::form::{Form, Parameters};

/// Neighbors cross at a membership in here: less leaves a hole between two words, more makes them say the same.
pub(super) const CROSSING: (f64, f64) = (0.2, 0.8);
/// A parameter whose step breaks the order is tried at these shares of it.
const SHARES: [f64; 3] = [1.0, 0.5, 0.25];
/// Halvings that find a crossing to the last digit that matters here.
const HALVINGS: usize = 40;

/// The sets of each input from left to right, as places in `sets`.
pub(super) fn in_order(antecedents: &Antecedents) -> Vec<Vec<usize>> {
    let center = |set: &usize| antecedents.form.frame(&antecedents.sets[*set].parameters).0;
    let of = |input: usize| {
        let mut sets: Vec<usize> =
            (0..antecedents.sets.len()).filter(|set| antecedents.sets[*set].input == input).collect();
        sets.sort_by(|a, b| center(a).total_cmp(&center(b)));
        sets
    };
    (0..antecedents.inputs).map(of).collect()
}

/// Whether two neighbors are in order and overlap as they should.
pub(super) fn agree(form: Form, left: &Parameters, right: &Parameters) -> bool {
    let (from, to) = (top(form, left, true), top(form, right, false));
    from < to && {
        let crossing = crossing(form, left, right, (from, to));
        (CROSSING.0..=CROSSING.1).contains(&crossing)
    }
}

/// The end of the top of a set that faces a neighbor.
fn top(form: Form, p: &Parameters, right: bool) -> f64 {
    match form {
        Form::Gaussian | Form::Bell => p[0],
        Form::TwoSided => p[if right { 2 } else { 0 }],
        Form::Triangle => p[1],
    }
}

/// The membership at which the right side of one set meets the left side of the next.
fn crossing(form: Form, left: &Parameters, right: &Parameters, (mut from, mut to): (f64, f64)) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if form.ln_membership(left, middle) > form.ln_membership(right, middle) {
            from = middle;
        } else {
            to = middle;
        }
    }
    form.ln_membership(left, 0.5 * (from + to)).exp()
}

/// Takes of every move since `before`, which can be read, as much as leaves the sets so.
pub(super) fn keep(before: &Antecedents, after: &mut Antecedents) {
    let form = after.form;
    for order in in_order(before) {
        let moved: Vec<Parameters> = order.iter().map(|set| after.sets[*set].parameters).collect();
        order.iter().for_each(|set| after.sets[*set] = before.sets[*set]);
        for (at, set) in order.iter().enumerate() {
            for i in 0..form.count() {
                let old = after.sets[*set].parameters;
                let step = moved[at][i] - old[i];
                let tried = SHARES.iter().map(|share| {
                    let mut new = old;
                    new[i] += share * step;
                    new
                });
                let fits = |new: &Parameters| {
                    let neighbor = |at: usize| &after.sets[order[at]].parameters;
                    let left = at == 0 || agree(form, neighbor(at - 1), new);
                    let right = at + 1 == order.len() || agree(form, new, neighbor(at + 1));
                    left && right && (form != Form::TwoSided || new[0] <= new[2])
                };
                after.sets[*set].parameters = tried.into_iter().find(|new| fits(new)).unwrap_or(old);
            }
        }
    }
}
