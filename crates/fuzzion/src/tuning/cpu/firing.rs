//! Firing strengths, Equation (1), and the columns of Φ. SIMD lanes are rows.

use super::context::{KernelContext, STRIDE, Subblock};
use super::scratch::Scratch;
use super::sets::{add_neg_ln_membership, inputs_of};
use crate::device::math::{Real, exp_neg_f64};
use crate::tuning::network::antecedents::NO_SET;

/// If the firing strengths of a row sum to less than this, they are recomputed from logarithms.
const MIN_STRENGTH_SUM: f64 = 1e-100;

/// Computes the columns of Φ, with every row multiplied by its factor.
#[inline(always)]
pub(super) fn design_columns<const FMA: bool>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    subblock: Subblock,
) {
    if !(context.all_sets_shared && products::<FMA>(context, scratch, subblock)) {
        log_strengths::<FMA>(context, scratch, subblock);
        strengths::<FMA>(context, scratch, subblock);
    }
    normalize(context, scratch, subblock);
    for rule in 0..context.rules {
        monomials(context, scratch, subblock, rule);
    }
}

/// Firing strengths as products of shared memberships, which needs only one exponential per set. Memberships are
/// relative to the largest one of the same input. Returns false if a product may have underflowed.
#[inline(always)]
fn products<const FMA: bool>(context: &KernelContext<'_>, scratch: &mut Scratch, subblock: Subblock) -> bool {
    shared_log_memberships::<FMA>(context, scratch, subblock);
    let sets = &context.network.antecedents.sets;
    for input in 0..context.network.antecedents.inputs {
        let of_input = || (0..context.shared.len()).filter(|slot| sets[context.shared[*slot]].input == input);
        let min = &mut scratch.row_values[subblock.column(0)];
        min.fill(f64::INFINITY);
        for slot in of_input() {
            let exponent = &scratch.shared[subblock.column(slot)];
            min.iter_mut().zip(exponent).for_each(|(min, t)| *min = t.simd_min(*min));
        }
        for slot in of_input() {
            exp::<FMA>(&mut scratch.shared[subblock.column(slot)], min);
        }
    }
    let sums = &mut scratch.row_values[subblock.column(0)];
    sums.fill(0.0);
    for rule in 0..context.rules {
        let column = &mut scratch.columns[subblock.column(rule * context.terms)];
        let mut factors = context
            .sets_of_rule(rule)
            .map(|set| &scratch.shared[subblock.column(context.shared_slots[set] as usize)]);
        match (factors.next(), factors.next()) {
            (Some(a), Some(b)) => {
                column.iter_mut().zip(a).zip(b).for_each(|((column, a), b)| *column = a * b);
            }
            (Some(a), None) => column.copy_from_slice(a),
            (None, _) => column.fill(1.0),
        }
        for factor in factors {
            column.iter_mut().zip(factor).for_each(|(column, factor)| *column *= factor);
        }
        sums.iter_mut().zip(column).for_each(|(sum, strength)| *sum += *strength);
    }
    let mut underflow = false;
    for sum in sums.iter() {
        underflow |= *sum < MIN_STRENGTH_SUM;
    }
    !underflow
}

/// −ln μ of the shared sets.
#[inline(always)]
fn shared_log_memberships<const FMA: bool>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    subblock: Subblock,
) {
    for (slot, set) in context.shared.iter().enumerate() {
        let sum = &mut scratch.shared[subblock.column(slot)];
        sum.fill(0.0);
        add_log_membership::<FMA>(
            context,
            *set,
            subblock,
            &scratch.x,
            &scratch.present,
            &mut scratch.temporary,
            sum,
        );
    }
}

/// −ln μ of every rule in its first column, and the minimum over the rules in `row_values`.
#[inline(always)]
fn log_strengths<const FMA: bool>(context: &KernelContext<'_>, scratch: &mut Scratch, subblock: Subblock) {
    shared_log_memberships::<FMA>(context, scratch, subblock);
    let min = &mut scratch.row_values[subblock.column(0)];
    min.fill(f64::INFINITY);
    for rule in 0..context.rules {
        let sum = &mut scratch.columns[subblock.column(rule * context.terms)];
        sum.fill(0.0);
        for set in context.sets_of_rule(rule) {
            match context.shared_slots[set] {
                NO_SET => add_log_membership::<FMA>(
                    context,
                    set,
                    subblock,
                    &scratch.x,
                    &scratch.present,
                    &mut scratch.temporary,
                    sum,
                ),
                slot => {
                    let shared = &scratch.shared[subblock.column(slot as usize)];
                    sum.iter_mut().zip(shared).for_each(|(sum, term)| *sum += term);
                }
            }
        }
        min.iter_mut().zip(sum).for_each(|(min, sum)| *min = sum.simd_min(*min));
    }
}

/// Adds −ln μ of one set.
#[inline(always)]
fn add_log_membership<const FMA: bool>(
    context: &KernelContext<'_>,
    set: usize,
    subblock: Subblock,
    x: &[f64],
    present: &[f64],
    spare: &mut [f64],
    sum: &mut [f64],
) {
    let (form, set) = (context.network.antecedents.form, &context.network.antecedents.sets[set]);
    let x = inputs_of(context, set, subblock, x, present, spare);
    add_neg_ln_membership::<FMA>(form, &set.parameters, x, sum);
}

/// Firing strengths relative to the largest, in place, and their sums in `row_values`.
#[inline(always)]
fn strengths<const FMA: bool>(context: &KernelContext<'_>, scratch: &mut Scratch, subblock: Subblock) {
    let sums = &mut scratch.temporary[..subblock.n];
    sums.fill(0.0);
    for rule in 0..context.rules {
        let column = &mut scratch.columns[subblock.column(rule * context.terms)];
        exp::<FMA>(column, &scratch.row_values[subblock.column(0)]);
        sums.iter_mut().zip(column).for_each(|(sum, strength)| *sum += *strength);
    }
    scratch.row_values[subblock.column(0)].copy_from_slice(sums);
}

/// e^(min − t) for every t, in place.
#[inline(always)]
fn exp<const FMA: bool>(exponents: &mut [f64], min: &[f64]) {
    for i in 0..exponents.len().min(min.len()) {
        let t = exponents[i] - min[i];
        let exp = exp_neg_f64::<FMA>(t);
        // Also 0 if t is NaN, because all terms are infinite.
        exponents[i] = if t <= f64::MAX_EXP_NEG { exp } else { 0.0 };
    }
}

/// φ of every rule, times the row's factor, in the first column of the rule.
#[inline(always)]
fn normalize(context: &KernelContext<'_>, scratch: &mut Scratch, subblock: Subblock) {
    let (row, factor) =
        (&mut scratch.row_values[subblock.column(0)], &scratch.row_factors[subblock.column(0)]);
    for i in 0..subblock.n {
        row[i] = if row[i] > 0.0 { factor[i] / row[i] } else { 0.0 };
    }
    for rule in 0..context.rules {
        let column = &mut scratch.columns[subblock.column(rule * context.terms)];
        column.iter_mut().zip(&*row).for_each(|(phi, scale)| *phi *= scale);
    }
}

/// Remaining columns of a rule: each is an earlier column times an input in the local frame.
#[inline(always)]
fn monomials(context: &KernelContext<'_>, scratch: &mut Scratch, subblock: Subblock, rule: usize) {
    let (inputs, frames) = (context.network.antecedents.inputs, &context.network.frames);
    let columns = &mut scratch.columns[rule * context.terms * STRIDE..][..context.terms * STRIDE];
    for (term, (parent, input)) in context.network.basis.parents.iter().enumerate().skip(1) {
        let (center, inverse) =
            (frames.centers[rule * inputs + input], frames.inverse_widths[rule * inputs + input]);
        let (before, column) = columns.split_at_mut(term * STRIDE);
        let (parent, column) = (&before[subblock.column(*parent)], &mut column[subblock.column(0)]);
        let x = &scratch.x[subblock.column(*input)];
        for i in 0..subblock.n {
            column[i] = parent[i] * ((x[i] - center) * inverse);
        }
        if context.missing[*input] {
            let present = &scratch.present[subblock.column(*input)];
            column.iter_mut().zip(present).for_each(|(column, present)| *column *= present);
        }
    }
}
