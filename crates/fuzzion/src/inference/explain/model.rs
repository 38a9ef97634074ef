//! Data of an explanation.

use super::number_format::format_short;
use crate::inference::{Defuzzifier, Dialect, OutputSource};
use crate::macros::named;

/// Explanation of the outputs of one row; its `Display` is a report for the terminal.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
/// assert!(explanation.to_string().contains("if room is cold then valve is open"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Name of the system.
    pub system: String,
    /// Dialect used for inference.
    pub dialect: Dialect,
    /// Inputs and their memberships.
    pub inputs: Vec<ExplainedInput>,
    /// All rules, block by block.
    pub rules: Vec<ExplainedRule>,
    /// Outputs and the contributions to them.
    pub outputs: Vec<ExplainedOutput>,
}

/// An input and the memberships of its value.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
/// let room = &explanation.inputs[0];
/// assert_eq!(room.memberships, [("cold".into(), 0.75), ("warm".into(), 0.25)]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedInput {
    /// Name of the input.
    pub name: String,
    /// Value passed by the caller.
    pub given: f64,
    /// Value used for inference: `given`, clamped to the range if it is locked.
    pub value: f64,
    /// Range of the input: minimum and maximum.
    pub range: (f64, f64),
    /// Whether the input is enabled.
    pub enabled: bool,
    /// Set names and memberships of the value.
    pub memberships: Vec<(String, f64)>,
}

impl ExplainedInput {
    /// Whether the value is outside the range, so that rules may not apply to it.
    pub fn is_outside_range(&self) -> bool {
        self.given < self.range.0 || self.given > self.range.1
    }
}

/// A proposition and its membership.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
/// let proposition = &explanation.rules[0].propositions[0];
/// assert_eq!((proposition.text.as_str(), proposition.membership), ("room is cold", 0.75));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedProposition {
    /// Text, for example `service is very good`.
    pub text: String,
    /// Membership after hedges.
    pub membership: f64,
}

named! {
    /// Whether a rule fired, or the reason why not.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
    /// use fuzzion::inference::explain::RuleStatus;
    /// assert_eq!(explanation.rules[0].status, RuleStatus::Fired);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RuleStatus("rule status") {
        /// The rule fired.
        Fired = "fired",
        /// The firing strength is too small or NaN.
        TooWeak = "too weak",
        /// The activation method of the block selected other rules.
        NotChosen = "not chosen",
        /// The block is disabled.
        Disabled = "disabled",
    }
}

/// A rule and its firing strength.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
/// let rule = &explanation.rules[1];
/// assert_eq!((rule.strength, rule.weight), (0.25, 1.0));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedRule {
    /// Text of the rule.
    pub text: String,
    /// Index of its block.
    pub block: usize,
    /// Propositions of the antecedent, from left to right.
    pub propositions: Vec<ExplainedProposition>,
    /// Weight of the rule.
    pub weight: f64,
    /// Firing strength wᵣ.
    pub strength: f64,
    /// Whether the rule fired.
    pub status: RuleStatus,
}

/// Contribution of one conclusion of a rule to an output.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
/// let contribution = &explanation.outputs[0].contributions[0];
/// assert_eq!((contribution.fraction, contribution.value), (0.75, Some(1.0))); // ¾ of open
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contribution {
    /// Index of the rule, counted across all blocks.
    pub rule: usize,
    /// Name of the activated set.
    pub set: String,
    /// Formula of a consequent that was learned from data, such as `0.35 income + 2`.
    pub formula: Option<String>,
    /// Activation strength after the hedges of the consequent.
    pub strength: f64,
    /// fᵣ; the fractions of an output sum to 1, or are all 0 if the weights or the area are 0.
    pub fraction: f64,
    /// zᵣ: the value of the consequent, or the centroid of the area attributed to the rule.
    pub value: Option<f64>,
    /// pᵣ; the addends of an output sum to [`ExplainedOutput::defuzzified`].
    pub addend: Option<f64>,
}

/// Samples of the aggregated set of an output.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// let tip = Output::new("tip", 0.0, 3.0).set("some", Set::rectangle(1.0, 2.0)?).defuzzifier("Centroid 3".parse()?);
/// let system = System::new("tipper").input(Variable::new("x", 0.0, 1.0)).output(tip);
/// let explanation = system.rule("if x is any then tip is some")?.explain(&[0.0], Dialect::Fuzzylite8)?;
/// let aggregated = explanation.outputs[0].aggregated.as_ref().unwrap();
/// assert_eq!((&aggregated.points[..], &aggregated.memberships[..]), (&[0.5, 1.5, 2.5][..], &[0.0, 1.0, 0.0][..]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AggregatedSet {
    /// Sample points.
    pub points: Vec<f64>,
    /// Memberships at the sample points.
    pub memberships: Vec<f64>,
}

/// An output and the contributions to its value.
///
/// ```
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
/// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
/// # let heating = System::new("heating")
/// #     .input(room)
/// #     .output(valve)
/// #     .rule("if room is cold then valve is open")?
/// #     .rule("if room is warm then valve is shut")?;
/// # let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
/// let valve = &explanation.outputs[0];
/// assert_eq!((valve.value, valve.reason()), (0.75, "weighted average".into()));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedOutput {
    /// Name of the output.
    pub name: String,
    /// Lower and upper bound of the range.
    pub range: (f64, f64),
    /// Defuzzification method.
    pub defuzzifier: Defuzzifier,
    /// Final value.
    pub value: f64,
    /// Origin of the value.
    pub source: OutputSource,
    /// Defuzzified value before scaling, clamping and replacement by a fallback value; NaN if undefined.
    pub defuzzified: f64,
    /// Factor applied to the defuzzified value.
    pub scale: f64,
    /// Whether any rule fired for the output.
    pub fired: bool,
    /// Contributions in order of activation.
    pub contributions: Vec<Contribution>,
    /// Aggregated set, for sampled defuzzifiers.
    pub aggregated: Option<AggregatedSet>,
}

impl ExplainedOutput {
    /// Describes how the value was obtained, for use after text such as `tip = 15, `.
    pub fn reason(&self) -> String {
        let missing = if self.fired { "its defuzzified value is NaN" } else { "no rule for it fired" };
        let samples = self.aggregated.as_ref().map_or(0, |aggregated| aggregated.points.len());
        let reason = match self.source {
            OutputSource::Rules if !self.fired => "sum over no rules".to_owned(),
            OutputSource::Rules if self.defuzzified.is_nan() => missing.to_owned(),
            OutputSource::Rules => match self.defuzzifier {
                Defuzzifier::Centroid { .. } => format!("centroid with {samples} samples"),
                Defuzzifier::Bisector { .. } => format!("bisector with {samples} samples"),
                Defuzzifier::SmallestOfMaximum { .. } => {
                    format!("smallest of maximum with {samples} samples")
                }
                Defuzzifier::LargestOfMaximum { .. } => {
                    format!("largest of maximum with {samples} samples")
                }
                Defuzzifier::MeanOfMaximum { .. } => format!("mean of maximum with {samples} samples"),
                Defuzzifier::WeightedAverage { .. } => "weighted average".to_owned(),
                Defuzzifier::WeightedSum { .. } => "weighted sum".to_owned(),
            },
            OutputSource::Previous => format!("value of the previous row, because {missing}"),
            OutputSource::Default => format!("default value, because {missing}"),
            OutputSource::RangeMidpoint => format!("midpoint of its range, because {missing}"),
            OutputSource::Undefined => format!("undefined, because {missing} and it has no default"),
            OutputSource::Disabled => "value of the previous row, because the output is disabled".to_owned(),
        };
        if self.source != OutputSource::Rules || self.defuzzified.is_nan() {
            return reason;
        }
        let scaled = self.scale * self.defuzzified;
        let factor =
            if self.scale == 1.0 { String::new() } else { format!(" × scale {}", format_short(self.scale)) };
        let defuzzified = format_short(self.defuzzified);
        match (self.value == scaled, factor.is_empty()) {
            (true, true) => reason,
            (true, false) => format!("{reason}: {defuzzified}{factor}"),
            (false, _) => format!("{reason}: {defuzzified}{factor}, clamped to its range"),
        }
    }

    /// Value before scaling, on the axis of the sets of the output.
    pub(in crate::inference) fn unscaled_value(&self) -> f64 {
        self.value / self.scale
    }
}
