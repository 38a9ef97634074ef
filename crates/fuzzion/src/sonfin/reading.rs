//! Rules as people read them.

use super::model::Model;
use crate::inference::explain::brief;

/// The part of an even share below which a rule is idle.
const IDLE: f64 = 0.01;

/// A rule in the user's units: the case it stands for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prototype {
    /// Its number, from 1.
    pub rule: usize,
    /// The class it stands for, that of its largest output; `None` where the targets are numbers.
    pub label: Option<String>,
    /// What it says for each output.
    pub outputs: Vec<f64>,
    /// Its part of the say, over the rows of the fit; `None` where these are not known, as of a stream.
    pub share: Option<f64>,
    /// What it asks of its inputs, those that tell it apart from other rules first.
    pub asks: Vec<Ask>,
}

/// `input is about center ± deviation`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ask {
    /// The input, by its number in [`Model::inputs`].
    pub input: usize,
    /// Where the rule applies fully.
    pub center: f64,
    /// The standard deviation of its Gaussian set.
    pub deviation: f64,
    /// The spread of all rules' centers over this deviation: how much the input tells this rule from others.
    pub sharpness: f64,
}

impl Model {
    /// How many rules there are.
    pub fn rule_count(&self) -> usize {
        self.network().rules()
    }

    /// Every rule in the user's units.
    pub fn rules(&self) -> Vec<Prototype> {
        let spreads: Vec<f64> = (0..self.inputs.len()).map(|j| self.spread(j)).collect();
        (0..self.rule_count()).map(|k| self.prototype(k, &spreads)).collect()
    }

    /// Every rule, those with the largest part of the say first, and how many of these are worth reading: not those that have
    /// less than a hundredth of what each had if all had the same.
    pub fn rules_by_share(&self) -> (Vec<Prototype>, usize) {
        let mut rules = self.rules();
        rules.sort_by(|a, b| b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0)));
        let least = IDLE / rules.len().max(1) as f64;
        let heard = rules.iter().filter(|rule| rule.share.is_none_or(|share| share >= least)).count();
        (rules, heard)
    }

    /// A rule as a sentence with the `most` inputs that tell it apart: `if x7 is about 0.31 ± 0.05 and 15 more then 8`.
    pub fn rule_text(&self, rule: &Prototype, most: usize) -> String {
        let about = |ask: &Ask| {
            format!("{} is about {}", self.inputs[ask.input], plus_minus(ask.center, ask.deviation))
        };
        let mut parts: Vec<String> = rule.asks.iter().take(most).map(about).collect();
        if rule.asks.len() > most {
            parts.push(format!("{} more", rule.asks.len() - most));
        }
        let says = match &rule.label {
            Some(label) => label.clone(),
            None => {
                let says =
                    self.outputs.iter().zip(&rule.outputs).map(|(name, y)| format!("{name} = {}", brief(*y)));
                says.collect::<Vec<_>>().join(", ")
            }
        };
        if parts.is_empty() {
            format!("always {says}")
        } else {
            format!("if {} then {says}", parts.join(" and "))
        }
    }

    /// Rule k; `spreads` are those of the inputs.
    pub(super) fn prototype(&self, k: usize, spreads: &[f64]) -> Prototype {
        let prototypes = self.prototypes();
        let ask = |input: usize| {
            let about = prototypes.about(k, input)?;
            let sharpness = spreads[input] / about.deviation;
            Some(Ask { input, center: about.center, deviation: about.deviation, sharpness })
        };
        let mut asks: Vec<Ask> = (0..self.inputs.len()).filter_map(ask).collect();
        asks.sort_by(|a, b| b.sharpness.total_cmp(&a.sharpness).then(a.input.cmp(&b.input)));
        Prototype {
            rule: k + 1,
            label: self.classes.get(prototypes.class(k)).cloned(),
            outputs: (0..prototypes.outputs()).map(|l| prototypes.says(k, l)).collect(),
            share: self.shares.get(k).map(|share| f64::from(*share)),
            asks,
        }
    }

    /// The standard deviation of the rules' centers along input j.
    pub(super) fn spread(&self, j: usize) -> f64 {
        let prototypes = self.prototypes();
        let centers: Vec<f64> = (0..prototypes.rules())
            .filter_map(|k| prototypes.about(k, j))
            .map(|about| about.center)
            .collect();
        let n = centers.len().max(1) as f64;
        let mean = centers.iter().sum::<f64>() / n;
        (centers.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / n).sqrt()
    }
}

/// A place and how far around it, in the digits that the second leaves meaningful: `0.31 ± 0.05`, `12.3 ± 1.4`.
fn plus_minus(center: f64, deviation: f64) -> String {
    // A leading 1 keeps a second digit: rounding it would change it by up to a third.
    let scientific = format!("{deviation:.1e}");
    let digits = if scientific.starts_with('1') { 2 } else { 1 };
    let around: f64 = format!("{deviation:.*e}", digits - 1).parse().unwrap_or(deviation);
    if !(1e-9..1e9).contains(&around) {
        return format!("{} ± {}", brief(center), brief(around));
    }
    let decimals = (digits as i32 - 1 - around.log10().floor() as i32).max(0) as usize;
    let place = format!("{center:.decimals$}");
    // A place that rounds to 0 from below is 0.
    let place = place.strip_prefix('-').filter(|zero| zero.parse() == Ok(0.0)).unwrap_or(&place);
    format!("{place} ± {around:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_in_the_digits_that_their_width_leaves_meaningful() {
        for (center, deviation, text) in [
            (0.3127, 0.0512, "0.31 ± 0.05"),
            (12.345, 1.43, "12.3 ± 1.4"),
            (12.345, 14.3, "12 ± 14"),
            (1234.5, 87.0, "1234 ± 90"),
            (-0.5, 0.096, "-0.5 ± 0.1"),
            (-0.004, 0.1, "0.00 ± 0.10"),
            (3.0, 2.0e12, "3 ± 2e12"),
        ] {
            assert_eq!(plus_minus(center, deviation), text);
        }
    }
}
