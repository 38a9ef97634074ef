//! Conclusions of rules where they apply, and their text with the digits that the data support.

use crate::inference::explain::format_short;
use serde::{Deserialize, Deserializer, Serialize};

/// Maximum numbers of significant digits of values and slopes.
const VALUE_DIGITS: i32 = 4;
const SLOPE_DIGITS: i32 = 3;
/// Changes of the output below this fraction of its range are not printed.
const NEGLIGIBLE: f64 = 1e-3;
/// Slopes within this number of standard errors of 0 are not printed.
const MIN_STANDARD_ERRORS: f64 = 2.0;
/// Maximum number of slopes in the text of a rule.
const MAX_SLOPES: usize = 5;
/// Smaller slopes are printed per 10, 100, … units of the input.
const MIN_SLOPE: f64 = 0.01;
/// Inputs with a smaller range have slopes per 0.1, 0.01, … units.
const MIN_UNIT_RANGE: f64 = 0.1;
/// Classes with a smaller value are not printed.
const MIN_CLASS_VALUE: f64 = 0.05;
/// Maximum number of classes in the text of a rule.
const MAX_CLASSES: usize = 3;

/// Conclusion of a rule about one output, at the core of the rule.
///
/// The core is the mean of the rows, weighted by the firing strength of the rule. The standard errors are those of a
/// weighted mean and of a regression with one input, from the residuals of the rows in which the rule fires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleConclusion {
    /// Target, or class of a classifier.
    pub output: String,
    /// Consequent at the core; a probability for classifiers trained with cross-entropy.
    pub value: f64,
    /// Standard error of the value; infinite, `null` in JSON, if the rule never fires.
    #[serde(deserialize_with = "null_as_infinite")]
    pub standard_error: f64,
    /// Slopes at the core, one for each input; empty for constants.
    pub slopes: Vec<RuleSlope>,
}

/// Change of an output per unit of an input, at the core of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleSlope {
    /// Name of the input.
    pub input: String,
    /// Partial derivative of the consequent.
    pub value: f64,
    /// Standard error; infinite, `null` in JSON, if the input does not vary in the rows of the rule.
    #[serde(deserialize_with = "null_as_infinite")]
    pub standard_error: f64,
    /// Standard deviation of the input in the rows of the rule.
    pub deviation: f64,
}

/// JSON represents numbers that are not finite as `null`.
fn null_as_infinite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

/// Ranges of the inputs and of the outputs, for rounding.
pub(super) struct Ranges<'a> {
    pub(super) inputs: &'a [f64],
    pub(super) output: f64,
}

/// `price is about 1.2 (+0.35 per income, -0.01 per age)`
pub(super) fn of_target(conclusion: &RuleConclusion, ranges: &Ranges<'_>) -> String {
    let value = value_text(conclusion.value, conclusion.standard_error, ranges.output);
    let slopes = slope_texts(conclusion, ranges);
    let slopes = if slopes.is_empty() { String::new() } else { format!(" ({})", slopes.join(", ")) };
    format!("{} is about {value}{slopes}", conclusion.output)
}

/// `price = 0.35 income - 0.01 age + 1.2`: the only rule of a linear model, whose core is at `core`.
pub(super) fn of_linear_model(conclusion: &RuleConclusion, core: &[f64], ranges: &Ranges<'_>) -> String {
    let (mut text, mut constant) = (String::new(), conclusion.value);
    for (j, slope) in conclusion.slopes.iter().enumerate().filter(|(_, slope)| is_significant(slope)) {
        let negligible = NEGLIGIBLE * ranges.output / ranges.inputs[j];
        let rounded = round(slope.value, slope.standard_error, negligible, SLOPE_DIGITS);
        let factor = if rounded.abs() == 1.0 { String::new() } else { format!("{} ", number(rounded.abs())) };
        if rounded != 0.0 {
            text.push_str(&format!("{}{factor}{}", sign(rounded, &text), slope.input));
        }
        constant -= rounded * core[j];
    }
    let constant = round(constant, conclusion.standard_error, NEGLIGIBLE * ranges.output, VALUE_DIGITS);
    if constant != 0.0 || text.is_empty() {
        text.push_str(&format!("{}{}", sign(constant, &text), number(constant.abs())));
    }
    format!("{} = {text}", conclusion.output)
}

/// `species is virginica (0.95, +0.2 per petal_width), versicolor (0.05)`: the classes in decreasing order of their
/// values, which are bounded to [0, 1].
pub(super) fn of_classes(target: &str, conclusions: &[RuleConclusion], ranges: &Ranges<'_>) -> String {
    let mut order: Vec<&RuleConclusion> = conclusions.iter().collect();
    order.sort_by(|a, b| b.value.total_cmp(&a.value));
    // The second of two classes has the remaining probability.
    let count = if order.len() == 2 { 1 } else { MAX_CLASSES };
    let is_printed = |(i, class): &(usize, &&RuleConclusion)| *i == 0 || class.value >= MIN_CLASS_VALUE;
    let texts = order.iter().enumerate().filter(is_printed).take(count).map(|(i, class)| {
        let value = format!("{:.2}", class.value.clamp(0.0, 1.0));
        let slopes = if i == 0 { slope_texts(class, ranges) } else { Vec::new() };
        let inside = std::iter::once(value).chain(slopes).collect::<Vec<_>>().join(", ");
        format!("{} ({inside})", class.output)
    });
    format!("{target} is {}", texts.collect::<Vec<_>>().join(", "))
}

/// `+0.35 per income` for each slope that differs from 0, at most [`MAX_SLOPES`] with the largest effects.
fn slope_texts(conclusion: &RuleConclusion, ranges: &Ranges<'_>) -> Vec<String> {
    let effect = |slope: &RuleSlope| (slope.value * slope.deviation).abs();
    let slopes = conclusion.slopes.iter().enumerate().filter(|(_, slope)| is_significant(slope));
    let mut texts: Vec<(f64, usize, String)> = slopes
        .filter_map(|(j, slope)| {
            Some((effect(slope), j, slope_text(slope, ranges.inputs[j], ranges.output)?))
        })
        .collect();
    texts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let left_out = texts.len().saturating_sub(MAX_SLOPES);
    texts.truncate(MAX_SLOPES);
    texts.sort_by_key(|(_, j, _)| *j);
    let more = (left_out > 0).then(|| format!("{left_out} smaller slopes"));
    texts.into_iter().map(|(.., text)| text).chain(more).collect()
}

fn is_significant(slope: &RuleSlope) -> bool {
    slope.value.abs() >= MIN_STANDARD_ERRORS * slope.standard_error
}

/// A slope per unit, or per power of ten units if that is easier to read; `None` if it rounds to 0.
fn slope_text(slope: &RuleSlope, input_range: f64, output_range: f64) -> Option<String> {
    let largest = exponent(input_range);
    let step_exponent = if input_range < MIN_UNIT_RANGE {
        largest
    } else if slope.value.abs() < MIN_SLOPE {
        (0..=largest.max(0)).find(|e| (slope.value * power(*e)).abs() >= 0.1).unwrap_or(largest.max(0))
    } else {
        0
    };
    let step = power(step_exponent);
    let negligible = NEGLIGIBLE * output_range * step / input_range;
    let rounded = round(slope.value * step, slope.standard_error * step, negligible, SLOPE_DIGITS);
    let sign = if rounded < 0.0 { '-' } else { '+' };
    let units = if step_exponent == 0 { String::new() } else { format!("{} ", number(step)) };
    (rounded != 0.0).then(|| format!("{sign}{} per {units}{}", number(rounded.abs()), slope.input))
}

fn value_text(value: f64, standard_error: f64, range: f64) -> String {
    number(round(value, standard_error, NEGLIGIBLE * range, VALUE_DIGITS))
}

/// Sign before a term that follows `text`.
fn sign(x: f64, text: &str) -> &'static str {
    match (text.is_empty(), x < 0.0) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    }
}

/// `x` rounded to the first digit of its standard error, to that of `negligible` and to `digits` significant digits,
/// whichever is coarsest; to one digit without a finite standard error.
fn round(x: f64, standard_error: f64, negligible: f64, digits: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let digits = if standard_error.is_finite() { digits } else { 1 };
    let finite = |x: f64| (x > 0.0 && x.is_finite()).then(|| exponent(x));
    let units = [finite(standard_error), finite(negligible), Some(exponent(x) - digits + 1)];
    let unit = units.into_iter().flatten().max().expect("invariant: one of the units is always present");
    // Parsing a decimal number avoids the rounding error of a product with a power of ten.
    let multiple = if unit >= 0 { (x / power(unit)).round() } else { (x * power(-unit)).round() };
    format!("{multiple}e{unit}").parse().expect("invariant: a formatted number parses")
}

/// A number without an exponent where it is short.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-4..1e9).contains(&x.abs()) { format!("{}", x + 0.0) } else { format_short(x) }
}

/// Decimal exponent of the first digit.
fn exponent(x: f64) -> i32 {
    x.abs().log10().floor() as i32
}

fn power(exponent: i32) -> f64 {
    10f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conclusion(value: f64, standard_error: f64, slopes: &[(&str, f64, f64)]) -> RuleConclusion {
        let slope = |(input, value, standard_error): &(&str, f64, f64)| RuleSlope {
            input: (*input).to_owned(),
            value: *value,
            standard_error: *standard_error,
            deviation: 1.0,
        };
        RuleConclusion {
            output: "y".into(),
            value,
            standard_error,
            slopes: slopes.iter().map(slope).collect(),
        }
    }

    #[test]
    fn values_and_slopes_have_the_digits_of_their_standard_errors() {
        let ranges = Ranges { inputs: &[13.0, 7.0, 49.0, 1.0], output: 5.0 };
        let slopes = [("income", 0.3512, 0.011), ("rooms", 0.14961, 0.0021), ("age", -0.0103, 0.001)];
        let text = of_target(&conclusion(1.2345, 0.03, &slopes), &ranges);
        assert_eq!(text, "y is about 1.23 (+0.35 per income, +0.15 per rooms, -0.01 per age)");
        // Within two standard errors of 0, or without variation.
        let slopes = [("income", 0.35, 0.2), ("rooms", 0.1, f64::INFINITY)];
        assert_eq!(of_target(&conclusion(-23.456, 4.0, &slopes), &ranges), "y is about -23");
        assert_eq!(of_target(&conclusion(7.0, f64::INFINITY, &[]), &ranges), "y is about 7");
    }

    #[test]
    fn rounding_errors_of_an_exact_fit_are_not_printed() {
        let ranges = Ranges { inputs: &[10.0, 10.0, 10.0], output: 30.0 };
        let slopes = [("a", 2.000_000_01, 1e-9), ("b", -0.999_999_99, 1e-9), ("c", 3e-8, 1e-9)];
        let exact = conclusion(5.0 + 1.434e-8, 1e-9, &slopes);
        assert_eq!(of_linear_model(&exact, &[5.0, 5.0, 5.0], &ranges), "y = 2 a - b");
        assert_eq!(of_target(&exact, &ranges), "y is about 5 (+2 per a, -1 per b)");
        assert_eq!(of_linear_model(&conclusion(1e-12, 1e-14, &[]), &[], &ranges), "y = 0");
        assert_eq!(of_linear_model(&conclusion(-8.0, 0.1, &slopes), &[0.0; 3], &ranges), "y = 2 a - b - 8");
    }

    #[test]
    fn slopes_of_inputs_with_large_or_small_units_are_per_power_of_ten() {
        let ranges = Ranges { inputs: &[500.0, 0.02], output: 3.0 };
        let slopes = [("area", 0.000_512, 1e-6), ("rate", 41.3, 0.4)];
        let text = of_target(&conclusion(2.0, 0.01, &slopes), &ranges);
        assert_eq!(text, "y is about 2 (+0.0512 per 100 area, +0.413 per 0.01 rate)");
    }

    #[test]
    fn only_the_largest_slopes_are_printed() {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let slopes: Vec<(&str, f64, f64)> =
            names.iter().enumerate().map(|(i, name)| (*name, 1.0 + i as f64, 0.1)).collect();
        let text = of_target(&conclusion(1.0, 0.1, &slopes), &Ranges { inputs: &[1.0; 7], output: 10.0 });
        assert_eq!(text, "y is about 1 (+3 per c, +4 per d, +5 per e, +6 per f, +7 per g, 2 smaller slopes)");
    }

    #[test]
    fn classes_are_printed_in_the_order_of_their_values() {
        let class =
            |name: &str, value| RuleConclusion { output: name.into(), ..conclusion(value, 0.01, &[]) };
        let ranges = Ranges { inputs: &[], output: 1.0 };
        let three = [class("p", 0.04), class("q", 1.03), class("r", 0.21)];
        assert_eq!(of_classes("kind", &three, &ranges), "kind is q (1.00), r (0.21)");
        assert_eq!(of_classes("kind", &three[..2], &ranges), "kind is q (1.00)");
    }
}
