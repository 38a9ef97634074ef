//! The order of numbers by one number for each.

use super::model::{check_count, sorted_order};
use crate::arithmetic::array::Array;
use crate::arithmetic::compare::order_of_bounds;
use crate::arithmetic::defuzzify::{Defuzzifier, defuzzified};
use crate::device::{Cpu, Device};
use crate::error::Result;
use rayon::prelude::*;
use std::mem::take;

/// Numbers that one task defuzzifies.
const CHUNK: usize = 4096;

/// The places of the numbers, by value and then by bounds; what has no value comes last.
pub(super) fn value_order<A: Array>(array: &A, by: Defuzzifier, device: &Device) -> Result<Vec<u32>> {
    check_count(array.count())?;
    let cpu = match device {
        Device::Cpu(cpu) | Device::Best(cpu, _) => cpu.clone(),
        _ => Cpu::new()?,
    };
    let mut values = vec![0.0; array.count()];
    cpu.fill_chunks(&mut values, 1, CHUNK, |first, values| {
        for (i, value) in values.iter_mut().enumerate() {
            let cut = |cut| array.bounds_of(first + i, cut);
            *value = defuzzified(array.depth(), cut, by).unwrap_or(f64::INFINITY);
        }
    });
    let mut order = sorted_order(&values, device)?;
    cpu.run(|| order_ties(array, &values, &mut order));
    Ok(order)
}

/// Puts numbers of equal value in the order of their bounds.
fn order_ties<A: Array>(array: &A, values: &[f64], order: &mut [u32]) {
    let same = |a: &u32, b: &u32| values[*a as usize].to_bits() == values[*b as usize].to_bits();
    let mut ties = Vec::new();
    let mut rest = order;
    while let Some(first) = rest.first().copied() {
        let length = rest.iter().take_while(|other| same(&first, other)).count();
        let (tie, behind) = take(&mut rest).split_at_mut(length);
        if length > 1 {
            ties.push(tie);
        }
        rest = behind;
    }
    ties.into_par_iter().for_each(|tie| {
        tie.par_sort_by(|a, b| {
            let cuts = |number: &u32| {
                let number = *number as usize;
                move |cut| array.bounds_of(number, cut)
            };
            order_of_bounds(array.depth(), cuts(a), cuts(b))
        });
    });
}
