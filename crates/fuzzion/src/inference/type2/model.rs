//! Interval type-2 systems: a type-1 system of lower sets with upper sets.

use super::reduce::TypeReduction;
use super::set::{IntervalSet, SetKind};
use crate::inference::error::{InferenceError, Result};
use crate::inference::formats::{ParsedSystem, UpperSets};
use crate::inference::syntax::{quoted, quoted_list};
use crate::inference::{
    Activation, Defuzzifier, Dialect, NamedSet, Output, RuleBlock, System, Variable, VariableIndex,
    WeightedKind,
};
use crate::macros::setters;

/// Maximum number of stored memberships of an output's sets.
const MAX_SAMPLES: usize = 10_000_000;

/// A system of lower sets with optional upper sets.
///
/// ```
/// use fuzzion::inference::type2::{IntervalSet, IntervalSystem, TypeReduction};
/// use fuzzion::inference::{Dialect, Output, System, Variable};
/// use fuzzion::sets::Set;
///
/// let tip = Output::new("tip", 0.0, 30.0).set("average", Set::triangle(10.0, 15.0, 20.0)?);
/// let system = System::new("tipper").input(Variable::new("service", 0.0, 10.0)).output(tip);
/// let good = IntervalSet::new(Set::triangle(3.0, 5.0, 7.0)?, Set::triangle(1.0, 5.0, 9.0)?)?;
/// let tipper = IntervalSystem::new(system)
///     .set("service", "good", good)?
///     .rule("if service is good then tip is average")?
///     .type_reduction(TypeReduction::KarnikMendel);
/// let row = tipper.infer_row(&[4.0], Dialect::Matlab)?;
/// assert_eq!((row.firing_intervals[0].lower, row.firing_intervals[0].upper), (0.5, 0.75));
/// assert!((row.outputs[0] - 15.0).abs() < 1e-12); // both sets are symmetric
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalSystem {
    lower: System,
    uppers: UpperSets,
    /// Algorithm for Equation (2).
    pub type_reduction: TypeReduction,
}

setters! {
    IntervalSystem {
        type_reduction: TypeReduction,
    }
}

impl IntervalSystem {
    /// Creates a system without upper sets.
    pub fn new(lower: System) -> Self {
        IntervalSystem { lower, uppers: UpperSets::new(), type_reduction: TypeReduction::default() }
    }

    /// Creates and checks a parsed system.
    pub(super) fn from_parsed(parts: ParsedSystem) -> Result<Self> {
        let type_reduction = parts.type_reduction.unwrap_or_default();
        let system = IntervalSystem { lower: parts.system, uppers: parts.uppers, type_reduction };
        system.check()?;
        Ok(system)
    }

    /// Adds a set to the variable with the given name, or replaces its set of the same name.
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] if there is no such variable.
    pub fn set(mut self, variable: &str, name: impl Into<String>, set: IntervalSet) -> Result<Self> {
        let output = self.lower.outputs.iter().rposition(|output| output.variable.name == variable);
        let input = || self.lower.inputs.iter().rposition(|input| input.name == variable);
        let Some(target) = output.map(VariableIndex::Output).or_else(|| input().map(VariableIndex::Input))
        else {
            let known = self.lower.inputs.iter().chain(self.lower.outputs.iter().map(|o| &o.variable));
            let known = quoted_list(known.map(|variable| variable.name.as_str()));
            let problem = format!("has no variable {}; available variables: {known}", quoted(variable));
            return Err(InferenceError::InvalidSystem { location: "the system".into(), problem });
        };
        let (lower, upper) = set.into_parts();
        let name = name.into();
        let found = self.lower.variable(target).sets.iter().rposition(|named| named.name == name);
        let index = found.unwrap_or(self.lower.variable(target).sets.len());
        if lower == upper {
            self.uppers.remove(&(target, index));
        } else {
            self.uppers.insert((target, index), upper);
        }
        match (target, found) {
            (VariableIndex::Output(i), None) => {
                let old = std::mem::replace(&mut self.lower.outputs[i], Output::new("", 0.0, 0.0));
                self.lower.outputs[i] = old.set(name, lower); // may change its defuzzifier
            }
            (VariableIndex::Output(i), Some(set)) => self.lower.outputs[i].variable.sets[set].set = lower,
            (VariableIndex::Input(i), None) => self.lower.inputs[i].sets.push(NamedSet { name, set: lower }),
            (VariableIndex::Input(i), Some(set)) => self.lower.inputs[i].sets[set].set = lower,
        }
        Ok(self)
    }

    /// Adds a rule block; subsequent rules belong to it.
    pub fn block(mut self, block: RuleBlock) -> Self {
        self.lower = self.lower.block(block);
        self
    }

    /// Adds a rule; see [`System::rule`].
    ///
    /// # Errors
    /// Those of [`System::rule`].
    pub fn rule(mut self, text: &str) -> Result<Self> {
        self.lower = self.lower.rule(text)?;
        Ok(self)
    }

    /// The type-1 system of the lower sets.
    pub fn lower(&self) -> &System {
        &self.lower
    }

    /// The type-1 system of the upper sets.
    ///
    /// ```
    /// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
    /// # let heating = IntervalSystem::new(system)
    /// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
    /// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
    /// #     .rule("if room is cold then valve is open")?;
    /// assert_eq!(heating.lower().inputs[0].sets[0].set.membership(18.0), 0.25);
    /// assert_eq!(heating.upper().inputs[0].sets[0].set.membership(18.0), 0.75);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn upper(&self) -> System {
        let mut upper = self.lower.clone();
        for ((target, set), upper_set) in &self.uppers {
            let variable = match target {
                VariableIndex::Input(i) => &mut upper.inputs[*i],
                VariableIndex::Output(i) => &mut upper.outputs[*i].variable,
            };
            variable.sets[*set].set.clone_from(upper_set);
        }
        upper
    }

    pub(in crate::inference) fn uppers(&self) -> &UpperSets {
        &self.uppers
    }

    /// Checks that the system can be run.
    ///
    /// # Errors
    /// Those of [`System::check`], for lower and upper sets, and [`InferenceError::InvalidSystem`] for features that are undefined for
    /// intervals: activation methods other than General, negative weights, and defuzzifiers other than Centroid and
    /// WeightedAverage.
    pub fn check(&self) -> Result<()> {
        self.lower.check()?;
        let upper = self.upper();
        upper.check()?;
        for (i, block) in self.lower.blocks.iter().enumerate() {
            check_block(block, i)?;
        }
        [&self.lower, &upper].into_iter().flat_map(|system| &system.outputs).try_for_each(check_output)
    }
}

fn check_block(block: &RuleBlock, i: usize) -> Result<()> {
    let location = match block.name.as_str() {
        "" => format!("rule block {}", i + 1),
        name => format!("rule block {}", quoted(name)),
    };
    if block.activation != Activation::General {
        let problem = format!(
            "uses the activation {}, which is not supported for firing intervals; use General",
            block.activation.name()
        );
        return Err(InferenceError::InvalidSystem { location, problem });
    }
    match block.rules.iter().position(|rule| rule.weight < 0.0) {
        Some(rule) => Err(InferenceError::InvalidSystem {
            location: format!("rule {} of {location}", rule + 1),
            problem:
                "has a negative weight, which is not supported for firing intervals; use a weight from 0 to 1"
                    .into(),
        }),
        None => Ok(()),
    }
}

fn check_output(output: &Output) -> Result<()> {
    let variable: &Variable = &output.variable;
    let location = format!("output {}", quoted(&variable.name));
    let error = |location: String, problem: String| Err(InferenceError::InvalidSystem { location, problem });
    let average = match output.defuzzifier {
        Defuzzifier::Centroid { .. } => false,
        Defuzzifier::WeightedAverage { kind } if kind != WeightedKind::Tsukamoto => true,
        other => {
            let kind = other.kind().filter(|kind| *kind == WeightedKind::Tsukamoto);
            let name = format!("{} {}", other.name(), kind.map_or("", WeightedKind::name));
            let problem = format!(
                "uses the defuzzifier {}, which has no type reduction; use Centroid or WeightedAverage",
                name.trim()
            );
            return error(location, problem);
        }
    };
    let samples = output.defuzzifier.samples().unwrap_or(Dialect::default().default_samples());
    if samples.saturating_mul(variable.sets.len()) > MAX_SAMPLES {
        let problem = format!(
            "has {} sets of {samples} samples, more than {MAX_SAMPLES} in total; reduce the number of samples",
            variable.sets.len()
        );
        return error(location, problem);
    }
    for named in &variable.sets {
        let set_place = || format!("set {} of {location}", quoted(&named.name));
        let name = named.set.shape().name();
        match (average, SetKind::of(&named.set)) {
            (true, SetKind::RowValue) | (false, SetKind::Membership) => {}
            (true, SetKind::Membership) if (variable.maximum - variable.minimum).is_finite() => {}
            (true, SetKind::Membership) => {
                let problem = "has an infinite range, but the centers of its sets require a finite one; specify a finite range";
                return error(location, problem.into());
            }
            (true, SetKind::Mixed) => {
                let problem =
                    "is a Function of both `x` and other variables; use only `x`, or only other variables";
                return error(set_place(), problem.into());
            }
            (false, _) => {
                let problem = format!("is a {name} consequent, which has no centroid; use WeightedAverage");
                return error(set_place(), problem);
            }
        }
    }
    Ok(())
}
