//! Rules in readable form.

use crate::inference::explain::format_short;
use crate::sonfin::model::Model;

/// A rule is idle if its mean normalized firing strength is below this fraction of 1/(number of rules).
const IDLE_FRACTION: f64 = 0.01;

/// A rule in the user's units.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prototype {
    /// Rule number, from 1.
    pub rule: usize,
    /// Class with the largest consequent; `None` for numeric targets.
    pub label: Option<String>,
    /// Consequents, one per output.
    pub outputs: Vec<f64>,
    /// Mean normalized firing strength over the training rows; `None` if unknown, as for streams.
    pub mean_firing_strength: Option<f64>,
    /// Conditions on the inputs, most discriminating first.
    pub conditions: Vec<InputCondition>,
}

/// Condition on one input: `input is about center ± deviation`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct InputCondition {
    /// Index of the input in [`Model::inputs`].
    pub input: usize,
    /// Center of the Gaussian set.
    pub center: f64,
    /// Standard deviation of the Gaussian set.
    pub deviation: f64,
    /// Standard deviation of all rules' centers divided by `deviation`; larger values discriminate better between
    /// rules.
    pub sharpness: f64,
}

impl Model {
    /// Number of rules.
    pub fn rule_count(&self) -> usize {
        self.network().rules()
    }

    /// All rules in the user's units.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::Sonfin};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().rate_w(0.0).rate_m(0.0).rate_s(0.0).fit(&rows, &["y"], &device)?;
    /// let rule = model.rules().into_iter().find(|rule| rule.outputs == [20.0]).expect("a rule for y = 20");
    /// assert_eq!(rule.conditions[0].center, 1.0);
    /// assert_eq!(model.rule_text(&rule, 1), "if x is about 1.0 ± 0.4 then y = 20"); // β/√2 = 0.35
    /// let (rules, active) = model.rules_by_firing_strength();
    /// assert_eq!((rules.len(), active), (2, 2));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn rules(&self) -> Vec<Prototype> {
        let spreads: Vec<f64> = (0..self.inputs.len()).map(|j| self.spread(j)).collect();
        (0..self.rule_count()).map(|k| self.prototype(k, &spreads)).collect()
    }

    /// All rules by decreasing mean normalized firing strength, and the number of active rules. A rule is idle if
    /// its mean is below a hundredth of the average over all rules, 1/(number of rules), and active otherwise.
    pub fn rules_by_firing_strength(&self) -> (Vec<Prototype>, usize) {
        let mut rules = self.rules();
        rules.sort_by(|a, b| {
            // Unknown for all rules of a stream, which keep their order.
            b.mean_firing_strength.unwrap_or(0.0).total_cmp(&a.mean_firing_strength.unwrap_or(0.0))
        });
        let min_strength = IDLE_FRACTION / rules.len().max(1) as f64;
        let active = rules
            .iter()
            .filter(|rule| rule.mean_firing_strength.is_none_or(|strength| strength >= min_strength))
            .count();
        (rules, active)
    }

    /// A rule as text with its `max_inputs` most discriminating conditions: `if x7 is about 0.31 ± 0.05 and 15 more
    /// then 8`.
    pub fn rule_text(&self, rule: &Prototype, max_inputs: usize) -> String {
        let describe = |condition: &InputCondition| {
            format!(
                "{} is about {}",
                self.inputs[condition.input],
                plus_minus(condition.center, condition.deviation)
            )
        };
        let mut parts: Vec<String> = rule.conditions.iter().take(max_inputs).map(describe).collect();
        if rule.conditions.len() > max_inputs {
            parts.push(format!("{} more", rule.conditions.len() - max_inputs));
        }
        let value = |l: usize| match parts.is_empty() {
            true => self.formula(rule, l, max_inputs),
            false => format_short(rule.outputs[l]),
        };
        let values = |names: &[String]| -> Vec<String> {
            names.iter().enumerate().map(|(l, name)| format!("{name} = {}", value(l))).collect()
        };
        let consequent = match &rule.label {
            // The class depends on the inputs.
            Some(_) if parts.is_empty() && self.linear.is_some() => {
                format!("the class with the largest of {}", values(&self.classes).join(", "))
            }
            Some(label) => label.clone(),
            None => values(&self.outputs).join(", "),
        };
        if parts.is_empty() {
            format!("always {consequent}")
        } else {
            format!("if {} then {consequent}", parts.join(" and "))
        }
    }

    /// Slopes of the linear part that all rules share, in the user's units: for each output, one slope per input. `None` for a
    /// network with constant consequents. The outputs of a [`Prototype`] are the values at its center.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::Sonfin};
    /// let rows: Vec<f64> = (0..50).flat_map(|i| [f64::from(i), 3.0 * f64::from(i)]).collect();
    /// let model = Sonfin::new().fit(&Table::new(["x", "y"], rows)?, &["y"], &Device::cpu()?)?;
    /// assert!((model.slopes().expect("a linear part")[0][0] - 3.0).abs() < 1e-5);
    /// assert_eq!(model.rule_text(&model.rules()[0], 1), "always y = 3·x + 0");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn slopes(&self) -> Option<Vec<Vec<f64>>> {
        let prototypes = self.prototypes();
        (0..prototypes.outputs()).map(|l| prototypes.slopes(l)).collect()
    }

    /// Output l of a rule without conditions as a function of the inputs with the largest effects: `2·a - 1·b + 0.5`.
    fn formula(&self, rule: &Prototype, l: usize, max_inputs: usize) -> String {
        let Some(slopes) = self.prototypes().slopes(l) else { return format_short(rule.outputs[l]) };
        let Ok(Some(mut constant)) = self
            .prototypes()
            .consequent_set(rule.rule - 1, l)
            .map(|set| set.output(&vec![0.0; slopes.len()]))
        else {
            return format_short(rule.outputs[l]);
        };
        let effect = |j: usize| (slopes[j] * self.scale.span[j]).abs();
        let mut order: Vec<usize> = (0..slopes.len()).filter(|j| slopes[*j] != 0.0).collect();
        order.sort_by(|a, b| effect(*b).total_cmp(&effect(*a)));
        let mut text = String::new();
        for j in order.iter().take(max_inputs) {
            let sign = match (slopes[*j] < 0.0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text += &format!("{sign}{}·{}", format_short(slopes[*j].abs()), self.inputs[*j]);
        }
        if order.len() > max_inputs {
            text += &format!(" + {} more", order.len() - max_inputs);
        }
        if constant.abs() < 1e-6 * self.scale.target_span[l] {
            constant = 0.0; // a rounding error of single precision
        }
        let sign = if constant < 0.0 { "-" } else { "+" };
        match text.is_empty() {
            true => format_short(constant),
            false => format!("{text} {sign} {}", format_short(constant.abs())),
        }
    }

    /// Rule k; `spreads` are the standard deviations of the centers along each input.
    pub(in crate::sonfin) fn prototype(&self, k: usize, spreads: &[f64]) -> Prototype {
        let prototypes = self.prototypes();
        let condition = |input: usize| {
            let gaussian = prototypes.gaussian(k, input)?;
            let sharpness = spreads[input] / gaussian.deviation;
            Some(InputCondition { input, center: gaussian.center, deviation: gaussian.deviation, sharpness })
        };
        let mut conditions: Vec<InputCondition> = (0..self.inputs.len()).filter_map(condition).collect();
        conditions.sort_by(|a, b| b.sharpness.total_cmp(&a.sharpness).then(a.input.cmp(&b.input)));
        Prototype {
            rule: k + 1,
            label: self.classes.get(prototypes.class(k)).cloned(),
            outputs: (0..prototypes.outputs()).map(|l| prototypes.consequent(k, l)).collect(),
            mean_firing_strength: self.mean_firing_strengths.get(k).map(|strength| f64::from(*strength)),
            conditions,
        }
    }

    /// Standard deviation of the rules' centers along input j.
    pub(in crate::sonfin) fn spread(&self, j: usize) -> f64 {
        let prototypes = self.prototypes();
        let centers: Vec<f64> = (0..prototypes.rules())
            .filter_map(|k| prototypes.gaussian(k, j))
            .map(|gaussian| gaussian.center)
            .collect();
        let n = centers.len().max(1) as f64;
        let mean = centers.iter().sum::<f64>() / n;
        (centers.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / n).sqrt()
    }
}

/// Formats center and deviation with the digits that are significant for the deviation: `0.31 ± 0.05`, `12.3 ±
/// 1.4`.
fn plus_minus(center: f64, deviation: f64) -> String {
    // Keep a second digit after a leading 1: without it, rounding would change the value by up to a third.
    let scientific = format!("{deviation:.1e}");
    let digits = if scientific.starts_with('1') { 2 } else { 1 };
    let rounded: f64 =
        format!("{deviation:.*e}", digits - 1).parse().expect("invariant: a formatted number can be parsed");
    if !(1e-9..1e9).contains(&rounded) {
        return format!("{} ± {}", format_short(center), format_short(rounded));
    }
    let decimals = (digits as i32 - 1 - rounded.log10().floor() as i32).max(0) as usize;
    let center_text = format!("{center:.decimals$}");
    // Avoid `-0.00`.
    let center_text =
        center_text.strip_prefix('-').filter(|zero| zero.parse() == Ok(0.0)).unwrap_or(&center_text);
    format!("{center_text} ± {rounded:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centers_have_the_digits_that_are_significant_for_the_deviation() {
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
