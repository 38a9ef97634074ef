//! Results of inference.

use crate::sets::{TNorm, complement};

/// Firing strength of a rule, and whether it fired.
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
/// # let row = heating.infer_row(&[17.0], Dialect::Fuzzylite8)?;
/// assert_eq!((row.rules[0].strength, row.rules[0].fired), (0.75, true));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleFiring {
    /// Firing strength wᵣ, Equation (1); NaN if an input of the antecedent is NaN.
    pub strength: f64,
    /// Whether the rule fired: its strength was sufficient and the activation method selected it.
    pub fired: bool,
}

/// A set activated by a rule.
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
/// # let row = heating.infer_row(&[17.0], Dialect::Fuzzylite8)?;
/// let open = row.activated[0][0];
/// assert_eq!((open.rule, open.set, open.strength), (0, 1, 0.75));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ActivatedSet {
    /// Index of the rule, counted across all blocks.
    pub rule: usize,
    /// Index of the set of the output.
    pub set: usize,
    /// Activation strength after the hedges of the consequent; never NaN.
    pub strength: f64,
    /// Implication of the block, T in Equation (2).
    pub implication: Option<TNorm>,
    /// Whether an odd number of `not` hedges negates the set instead of the strength (MATLAB).
    pub(in crate::inference) negated: bool,
}

impl ActivatedSet {
    /// T(wᵣ, μᵣ(y)) of Equation (2) for the membership μᵣ(y) of y in the set; `None` without an implication.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, Output, System, Variable};
    /// use fuzzion::sets::Set;
    /// let tip = Output::new("tip", 0.0, 30.0).set("some", Set::triangle(0.0, 15.0, 30.0)?);
    /// let system = System::new("").input(Variable::new("x", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0)?)).output(tip);
    /// let row = system.rule("if x is on then tip is some")?.infer_row(&[0.5], Dialect::Fuzzylite8)?;
    /// let clipped = [0.25, 0.75].map(|membership| row.activated[0][0].implied(membership));
    /// assert_eq!(clipped, [Some(0.25), Some(0.5)]); // minimum
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn implied(&self, membership: f64) -> Option<f64> {
        let membership = if self.negated { complement(membership) } else { membership };
        Some(self.implication?.apply(self.strength, membership))
    }
}

/// Result of inference for one row.
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
/// let row = heating.infer_row(&[17.0], Dialect::Fuzzylite8)?;
/// assert_eq!((&row.outputs[..], &row.fired[..]), (&[0.75][..], &[true][..]));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inference {
    /// Output values.
    pub outputs: Vec<f64>,
    /// Firing strength and status of every rule, block by block; rules of disabled blocks have strength 0.
    pub rules: Vec<RuleFiring>,
    /// Activated sets of each output, in order of activation.
    pub activated: Vec<Vec<ActivatedSet>>,
    /// Whether any rule fired, for each output.
    pub fired: Vec<bool>,
}

/// Origin of an output value.
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
/// use fuzzion::inference::OutputSource;
/// let explanation = heating.explain(&[f64::NAN], Dialect::Fuzzylite8)?;
/// assert_eq!(explanation.outputs[0].source, OutputSource::Undefined);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputSource {
    /// Defuzzified value of the activated sets.
    Rules,
    /// Value of the previous row; there is no defuzzified value and `lock_previous` is set.
    Previous,
    /// Default value of the output; there is no defuzzified value.
    Default,
    /// Midpoint of the range; there is no defuzzified value and the dialect is MATLAB.
    RangeMidpoint,
    /// NaN; there is no defuzzified value and no default.
    Undefined,
    /// Value of the previous row; the output is disabled.
    Disabled,
}
