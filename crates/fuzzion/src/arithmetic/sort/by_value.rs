//! Sort order by defuzzified value.

use super::order::{check_count, sorted_order};
use crate::arithmetic::array::FuzzyArray;
use crate::arithmetic::error::Result;
use crate::arithmetic::number::compare::order_of_bounds;
use crate::arithmetic::number::defuzzify::{NumberDefuzzifier, defuzzified};
use crate::device::Device;
use rayon::prelude::*;
use std::mem::take;

/// Numbers per defuzzification task.
const CHUNK: usize = 4096;

/// Indices sorted by value, then by bounds; numbers without a value are last.
pub(super) fn value_order<A: FuzzyArray>(
    array: &A,
    by: NumberDefuzzifier,
    device: &Device,
) -> Result<Vec<u32>> {
    check_count(array.number_count())?;
    let mut values = vec![0.0; array.number_count()];
    device.host_cpu().fill_chunks(&mut values, 1, CHUNK, |first, values| {
        for (i, value) in values.iter_mut().enumerate() {
            let cut = |cut| array.cut_at(first + i, cut);
            *value = defuzzified(array.cut_count(), cut, by).unwrap_or(f64::INFINITY);
        }
    });
    let mut order = sorted_order(&values, device)?;
    device.host_cpu().run(|| order_ties(array, &values, &mut order));
    Ok(order)
}

/// Sorts numbers of equal value by their bounds.
fn order_ties<A: FuzzyArray>(array: &A, values: &[f64], order: &mut [u32]) {
    let same = |a: &u32, b: &u32| values[*a as usize].to_bits() == values[*b as usize].to_bits();
    let mut ties = Vec::new();
    let mut rest = order;
    while let Some(first) = rest.first().copied() {
        let length = rest.iter().take_while(|other| same(&first, other)).count();
        let (tie, others) = take(&mut rest).split_at_mut(length);
        if length > 1 {
            ties.push(tie);
        }
        rest = others;
    }
    ties.into_par_iter().for_each(|tie| {
        tie.par_sort_by(|a, b| {
            let cuts = |number: &u32| {
                let number = *number as usize;
                move |cut| array.cut_at(number, cut)
            };
            order_of_bounds(array.cut_count(), cuts(a), cuts(b))
        });
    });
}
