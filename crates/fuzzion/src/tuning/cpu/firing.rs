//! Equation (1) and the columns of Φ: lanes are rows.

use super::super::antecedents::ANY;
use super::kernel::{Kernel, Part, STRIDE};
use super::scratch::Scratch;
use super::sets::add_minus_ln;
use crate::device::math::{Real, exp_of_minus_f64};

/// Firing strengths of a row that add up to less are made again from logarithms.
const FAINT: f64 = 1e-100;

/// Makes the columns of Φ, every row multiplied by its factor.
#[inline(always)]
pub(super) fn part<const FMA: bool>(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) {
    if !(kernel.factors && products::<FMA>(kernel, scratch, part)) {
        exponents::<FMA>(kernel, scratch, part);
        strengths::<FMA>(kernel, scratch, part);
    }
    normalize(kernel, scratch, part);
    for rule in 0..kernel.rules {
        monomials(kernel, scratch, part, rule);
    }
}

/// The firing strengths as products of the memberships of sets that rules share, so that exponentials are taken of sets
/// only, each input's relative to the largest of that input. False where a product may have got lost.
#[inline(always)]
fn products<const FMA: bool>(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) -> bool {
    shared::<FMA>(kernel, scratch, part);
    let sets = &kernel.network.antecedents.sets;
    for input in 0..kernel.network.antecedents.inputs {
        let of_input = || (0..kernel.shared.len()).filter(|slot| sets[kernel.shared[*slot]].input == input);
        let least = &mut scratch.row[part.of(0)];
        least.fill(f64::INFINITY);
        for slot in of_input() {
            let exponent = &scratch.shared[part.of(slot)];
            least.iter_mut().zip(exponent).for_each(|(least, t)| *least = t.least(*least));
        }
        for slot in of_input() {
            exp::<FMA>(&mut scratch.shared[part.of(slot)], least);
        }
    }
    let sums = &mut scratch.row[part.of(0)];
    sums.fill(0.0);
    for rule in 0..kernel.rules {
        let column = &mut scratch.columns[part.of(rule * kernel.terms)];
        let mut factors = kernel.uses(rule).map(|set| &scratch.shared[part.of(kernel.slots[set] as usize)]);
        match (factors.next(), factors.next()) {
            (Some(a), Some(b)) => {
                for i in 0..part.n {
                    column[i] = a[i] * b[i];
                }
            }
            (Some(a), None) => column.copy_from_slice(a),
            (None, _) => column.fill(1.0),
        }
        for factor in factors {
            column.iter_mut().zip(factor).for_each(|(column, factor)| *column *= factor);
        }
        sums.iter_mut().zip(column).for_each(|(sum, strength)| *sum += *strength);
    }
    let mut faint = false;
    for sum in sums.iter() {
        faint |= *sum < FAINT;
    }
    !faint
}

/// −ln μ of the sets that several rules use.
#[inline(always)]
fn shared<const FMA: bool>(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) {
    for (slot, set) in kernel.shared.iter().enumerate() {
        let sum = &mut scratch.shared[part.of(slot)];
        sum.fill(0.0);
        add_set::<FMA>(kernel, *set, part, &scratch.x, &scratch.seen, &mut scratch.slopes, sum);
    }
}

/// −ln μ of every rule in the first of its columns, and the least of them in `row`.
#[inline(always)]
fn exponents<const FMA: bool>(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) {
    shared::<FMA>(kernel, scratch, part);
    let least = &mut scratch.row[part.of(0)];
    least.fill(f64::INFINITY);
    for rule in 0..kernel.rules {
        let sum = &mut scratch.columns[part.of(rule * kernel.terms)];
        sum.fill(0.0);
        for set in kernel.uses(rule) {
            match kernel.slots[set] {
                ANY => add_set::<FMA>(kernel, set, part, &scratch.x, &scratch.seen, &mut scratch.slopes, sum),
                slot => {
                    let shared = &scratch.shared[part.of(slot as usize)];
                    sum.iter_mut().zip(shared).for_each(|(sum, term)| *sum += term);
                }
            }
        }
        least.iter_mut().zip(sum).for_each(|(least, sum)| *least = sum.least(*least));
    }
}

/// Adds −ln μ of one set.
#[inline(always)]
fn add_set<const FMA: bool>(
    kernel: &Kernel<'_>,
    set: usize,
    part: Part,
    x: &[f64],
    seen: &[f64],
    spare: &mut [f64],
    sum: &mut [f64],
) {
    let (form, set) = (kernel.network.antecedents.form, &kernel.network.antecedents.sets[set]);
    let x = kernel.inputs_of(set, part, x, seen, spare);
    add_minus_ln::<FMA>(form, &set.parameters, x, sum);
}

/// exp of every rule's logarithm relative to the largest, in place, and their sum in `row`.
#[inline(always)]
fn strengths<const FMA: bool>(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) {
    let sums = &mut scratch.slopes[..part.n];
    sums.fill(0.0);
    for rule in 0..kernel.rules {
        let column = &mut scratch.columns[part.of(rule * kernel.terms)];
        exp::<FMA>(column, &scratch.row[part.of(0)]);
        sums.iter_mut().zip(column).for_each(|(sum, strength)| *sum += *strength);
    }
    scratch.row[part.of(0)].copy_from_slice(sums);
}

/// e^(least − t) of every t, in place.
#[inline(always)]
fn exp<const FMA: bool>(exponents: &mut [f64], least: &[f64]) {
    for i in 0..exponents.len().min(least.len()) {
        let t = exponents[i] - least[i];
        let exp = exp_of_minus_f64::<FMA>(t);
        // Also 0 where all are infinitely far: t is NaN there.
        exponents[i] = if t <= f64::EXP_RANGE { exp } else { 0.0 };
    }
}

/// φ of every rule, times the factor of the row, in the first of its columns.
#[inline(always)]
fn normalize(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) {
    let (row, factor) = (&mut scratch.row[part.of(0)], &scratch.factor[part.of(0)]);
    for i in 0..part.n {
        row[i] = if row[i] > 0.0 { factor[i] / row[i] } else { 0.0 };
    }
    for rule in 0..kernel.rules {
        let column = &mut scratch.columns[part.of(rule * kernel.terms)];
        column.iter_mut().zip(&*row).for_each(|(phi, scale)| *phi *= scale);
    }
}

/// The other columns of a rule: each an earlier one times an input in the rule's frame.
#[inline(always)]
fn monomials(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part, rule: usize) {
    let (inputs, frames) = (kernel.network.antecedents.inputs, &kernel.network.frames);
    let columns = &mut scratch.columns[rule * kernel.terms * STRIDE..][..kernel.terms * STRIDE];
    for (term, (parent, input)) in kernel.network.basis.from.iter().enumerate().skip(1) {
        let (center, inverse) =
            (frames.centers[rule * inputs + input], frames.inverses[rule * inputs + input]);
        let (before, column) = columns.split_at_mut(term * STRIDE);
        let (parent, column) = (&before[part.of(*parent)], &mut column[part.of(0)]);
        let x = &scratch.x[part.of(*input)];
        for i in 0..part.n {
            column[i] = parent[i] * ((x[i] - center) * inverse);
        }
        if kernel.missing[*input] {
            let seen = &scratch.seen[part.of(*input)];
            column.iter_mut().zip(seen).for_each(|(column, seen)| *column *= seen);
        }
    }
}
