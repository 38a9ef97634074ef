//! Sets evenly over each input, and a rule for each combination.

use super::{check_size, set};
use crate::error::{Error, Result};
use crate::tuning::antecedents::Antecedents;
use crate::tuning::form::Form;

/// Neighbors cross at ½, and the outer sets have their tops at the ends of the range; triangles then sum up to 1.
pub(super) fn antecedents(counts: &[usize], form: Form, inputs: usize, order: usize) -> Result<Antecedents> {
    let counts = match counts {
        [one] => vec![*one; inputs],
        _ if counts.len() == inputs => counts.to_vec(),
        _ => return Err(Error::SetCounts { given: counts.len(), inputs }),
    };
    if counts.contains(&0) {
        let must = "at least 1 for every input";
        return Err(Error::Parameter { algorithm: "tuning", name: "sets", value: 0.0, must });
    }
    let rules = counts.iter().fold(1u128, |rules, count| rules.saturating_mul(*count as u128));
    check_size(rules, inputs, order)?;
    let mut sets = Vec::new();
    let mut first = Vec::new();
    for (input, count) in counts.iter().enumerate() {
        first.push(sets.len());
        if *count == 1 {
            sets.push(set(form, input, 0.5, 0.5));
        }
        let spacing = 1.0 / (*count as f64 - 1.0);
        let centers = (0..*count).filter(|_| *count > 1).map(|i| i as f64 * spacing);
        sets.extend(centers.map(|center| set(form, input, center, 0.5 * spacing)));
    }
    let mut uses = vec![0; rules as usize * inputs];
    for (rule, uses) in uses.chunks_exact_mut(inputs).enumerate() {
        let mut left = rule; // the last input changes fastest
        for input in (0..inputs).rev() {
            uses[input] = (first[input] + left % counts[input]) as u32;
            left /= counts[input];
        }
    }
    Ok(Antecedents { form, inputs, sets, uses })
}
