//! An interval type-2 system: an ordinary one, and upper sets.

use super::plan::IntervalPlan;
use super::reduce::TypeReduction;
use super::row::IntervalInference;
use super::set::{IntervalSet, Kind};
use crate::error::{Error, Result};
use crate::inference::files::Parts;
use crate::inference::text::{listed, shown};
use crate::inference::{
    Activation, Defuzzifier, Dialect, NamedSet, Output, Place, RuleBlock, System, Variable, Weighted,
};
use crate::sets::Set;
use std::collections::HashMap;

/// The most memberships of one output's sets that are kept.
const MAX_SAMPLES: usize = 10_000_000;

/// The upper sets of those that have one, by variable and number.
pub(in crate::inference) type Uppers = HashMap<(Place, usize), Set>;

/// An ordinary system of lower sets, and upper sets for those that have one.
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
/// assert_eq!((row.firing[0].lower, row.firing[0].upper), (0.5, 0.75));
/// assert!((row.outputs[0] - 15.0).abs() < 1e-12); // both bounds are symmetric
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalSystem {
    lower: System,
    uppers: Uppers,
    /// How equation (2) is solved.
    pub type_reduction: TypeReduction,
}

impl IntervalSystem {
    /// A system whose sets are all plain so far.
    pub fn new(lower: System) -> Self {
        IntervalSystem { lower, uppers: Uppers::new(), type_reduction: TypeReduction::default() }
    }

    /// What a text says.
    pub(super) fn of_parts(parts: Parts) -> Result<Self> {
        let type_reduction = parts.type_reduction.unwrap_or_default();
        let system = IntervalSystem { lower: parts.system, uppers: parts.uppers, type_reduction };
        system.check()?;
        Ok(system)
    }

    /// The same with one more set of the variable of that name, or another one in place of its set of that name.
    ///
    /// # Errors
    /// [`Error::System`] where there is no such variable.
    pub fn set(mut self, variable: &str, name: impl Into<String>, set: IntervalSet) -> Result<Self> {
        let output = self.lower.outputs.iter().rposition(|output| output.variable.name == variable);
        let input = || self.lower.inputs.iter().rposition(|input| input.name == variable);
        let Some(place) = output.map(Place::Output).or_else(|| input().map(Place::Input)) else {
            let known = self.lower.inputs.iter().chain(self.lower.outputs.iter().map(|o| &o.variable));
            let known = listed(known.map(|variable| variable.name.as_str()));
            let problem = format!("has no variable {}; it has {known}", shown(variable));
            return Err(Error::System { place: "the system".into(), problem });
        };
        let (lower, upper) = set.into_parts();
        let name = name.into();
        let found = self.lower.variable(place).sets.iter().rposition(|named| named.name == name);
        let index = found.unwrap_or(self.lower.variable(place).sets.len());
        if lower == upper {
            self.uppers.remove(&(place, index));
        } else {
            self.uppers.insert((place, index), upper);
        }
        match (place, found) {
            (Place::Output(i), None) => {
                let old = std::mem::replace(&mut self.lower.outputs[i], Output::new("", 0.0, 0.0));
                self.lower.outputs[i] = old.set(name, lower); // may change its defuzzifier
            }
            (Place::Output(i), Some(set)) => self.lower.outputs[i].variable.sets[set].set = lower,
            (Place::Input(i), None) => self.lower.inputs[i].sets.push(NamedSet { name, set: lower }),
            (Place::Input(i), Some(set)) => self.lower.inputs[i].sets[set].set = lower,
        }
        Ok(self)
    }

    /// The same with one more block; the rules that follow stand in it.
    pub fn block(mut self, block: RuleBlock) -> Self {
        self.lower = self.lower.block(block);
        self
    }

    /// The same with one more rule, as in [`System::rule`].
    ///
    /// # Errors
    /// As [`System::rule`].
    pub fn rule(mut self, text: &str) -> Result<Self> {
        self.lower = self.lower.rule(text)?;
        Ok(self)
    }

    /// The same with equation (2) solved otherwise.
    pub fn type_reduction(mut self, type_reduction: TypeReduction) -> Self {
        self.type_reduction = type_reduction;
        self
    }

    /// The ordinary system of the lower sets.
    pub fn lower(&self) -> &System {
        &self.lower
    }

    /// The ordinary system of the upper sets.
    pub fn upper(&self) -> System {
        let mut upper = self.lower.clone();
        for ((place, set), own) in &self.uppers {
            let variable = match place {
                Place::Input(i) => &mut upper.inputs[*i],
                Place::Output(i) => &mut upper.outputs[*i].variable,
            };
            variable.sets[*set].set.clone_from(own);
        }
        upper
    }

    pub(in crate::inference) fn uppers(&self) -> &Uppers {
        &self.uppers
    }

    /// Refuses a system that cannot be run.
    ///
    /// # Errors
    /// Those of [`System::check`], for lower and upper sets, and [`Error::System`] for what has no meaning between
    /// intervals: activations other than General, negative weights, defuzzifiers other than Centroid and WeightedAverage.
    pub fn check(&self) -> Result<()> {
        self.lower.check()?;
        let upper = self.upper();
        upper.check()?;
        for (i, block) in self.lower.blocks.iter().enumerate() {
            check_block(block, i)?;
        }
        [&self.lower, &upper].into_iter().flat_map(|system| &system.outputs).try_for_each(check_output)
    }

    /// Makes the system ready for many rows.
    ///
    /// # Errors
    /// Those of [`IntervalSystem::check`].
    pub fn compile(&self, dialect: Dialect) -> Result<IntervalPlan> {
        self.check()?;
        Ok(IntervalPlan::of(self.clone(), dialect))
    }

    /// What the system concludes from one row of inputs, with no row before it.
    ///
    /// # Errors
    /// [`Error::RowLength`], and those of [`IntervalSystem::check`].
    pub fn infer_row(&self, inputs: &[f64], dialect: Dialect) -> Result<IntervalInference> {
        self.compile(dialect)?.infer_row(inputs)
    }
}

fn check_block(block: &RuleBlock, i: usize) -> Result<()> {
    let place = match block.name.as_str() {
        "" => format!("rule block {}", i + 1),
        name => format!("rule block {}", shown(name)),
    };
    if block.activation != Activation::General {
        let problem = format!(
            "chooses rules by {}, which cannot compare firing intervals; use General",
            block.activation.name()
        );
        return Err(Error::System { place, problem });
    }
    match block.rules.iter().position(|rule| rule.weight < 0.0) {
        Some(rule) => Err(Error::System {
            place: format!("rule {} of {place}", rule + 1),
            problem: "has a negative weight, which a firing interval cannot have; give it one from 0 to 1"
                .into(),
        }),
        None => Ok(()),
    }
}

fn check_output(output: &Output) -> Result<()> {
    let variable: &Variable = &output.variable;
    let place = format!("output {}", shown(&variable.name));
    let refuse = |place: String, problem: String| Err(Error::System { place, problem });
    let average = match output.defuzzifier {
        Defuzzifier::Centroid { .. } => false,
        Defuzzifier::WeightedAverage { kind } if kind != Weighted::Tsukamoto => true,
        other => {
            let kind = other.kind().filter(|kind| *kind == Weighted::Tsukamoto).map_or("", Weighted::name);
            let name = format!("{} {kind}", other.name());
            let problem = format!(
                "has the defuzzifier {}, which has no type reduction; use Centroid or WeightedAverage",
                name.trim()
            );
            return refuse(place, problem);
        }
    };
    let samples = output.defuzzifier.samples().unwrap_or(Dialect::default().samples());
    if samples.saturating_mul(variable.sets.len()) > MAX_SAMPLES {
        let problem = format!(
            "has {} sets of {samples} samples, more than {MAX_SAMPLES} together; give it fewer",
            variable.sets.len()
        );
        return refuse(place, problem);
    }
    for named in &variable.sets {
        let set_place = || format!("set {} of {place}", shown(&named.name));
        let name = named.set.shape().name();
        match (average, Kind::of(&named.set)) {
            (true, Kind::Value) | (false, Kind::Membership) => {}
            (true, Kind::Membership) if (variable.maximum - variable.minimum).is_finite() => {}
            (true, Kind::Membership) => {
                let problem = "has sets and needs a finite range for their centers; give it one";
                return refuse(place, problem.into());
            }
            (true, Kind::Both) => {
                let problem = "is a Function of `x` and of other variables, which has neither a value nor a center; use one \
                               of `x` alone or one without it";
                return refuse(set_place(), problem.into());
            }
            (false, _) => {
                let problem = format!("is a {name} of the row, which has no centroid; use WeightedAverage");
                return refuse(set_place(), problem);
            }
        }
    }
    Ok(())
}
