//! Uniform grid of sets, with one rule per combination.

use super::sets::{check_size, set_at};
use crate::tuning::error::{Result, TuningError};
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::network::form::Form;
use crate::tuning::settings::out_of_range;

/// Grid whose neighboring sets cross at ½ and whose outer sets peak at the ends of the range; triangles sum to 1.
pub(super) fn antecedents(counts: &[usize], form: Form, inputs: usize, order: usize) -> Result<Antecedents> {
    let counts = match counts {
        [one] => vec![*one; inputs],
        _ if counts.len() == inputs => counts.to_vec(),
        _ => return Err(TuningError::SetCount { given: counts.len(), inputs }),
    };
    if counts.contains(&0) {
        return Err(out_of_range("sets", 0.0, "at least 1 for every input").into());
    }
    let rules = counts.iter().fold(1u128, |rules, count| rules.saturating_mul(*count as u128));
    check_size(rules, inputs, order)?;
    let mut sets = Vec::new();
    let mut first = Vec::new();
    for (input, count) in counts.iter().enumerate() {
        first.push(sets.len());
        if *count == 1 {
            sets.push(set_at(form, input, 0.5, 0.5));
        }
        let spacing = 1.0 / (*count as f64 - 1.0);
        let centers = (0..*count).filter(|_| *count > 1).map(|i| i as f64 * spacing);
        sets.extend(centers.map(|center| set_at(form, input, center, 0.5 * spacing)));
    }
    let mut set_indices = vec![0; rules as usize * inputs];
    for (rule, set_indices) in set_indices.chunks_exact_mut(inputs).enumerate() {
        let mut remaining = rule; // the last input varies fastest
        for input in (0..inputs).rev() {
            set_indices[input] = (first[input] + remaining % counts[input]) as u32;
            remaining /= counts[input];
        }
    }
    Ok(Antecedents { form, inputs, sets, set_indices })
}
