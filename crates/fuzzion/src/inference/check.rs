//! Which systems can be run.

use super::defuzzifier::Weighted;
use super::rule::{Activation, Antecedent, Conclusion, Place, Proposition, Rule, RuleBlock};
use super::rule_text::is_readable;
use super::system::System;
use super::text::{listed, shown};
use super::variable::{Output, Variable};
use crate::error::{Error, Result};
use crate::sets::{Hedge, Set, Shape};

/// The most samples of an output's range.
const MAX_SAMPLES: usize = 1_000_000;

fn refuse<T>(place: impl Into<String>, problem: impl Into<String>) -> Result<T> {
    Err(Error::System { place: place.into(), problem: problem.into() })
}

fn require(holds: bool, place: &str, problem: &str) -> Result<()> {
    if holds { Ok(()) } else { refuse(place, problem) }
}

impl System {
    /// Refuses a system that cannot be run.
    ///
    /// # Errors
    /// [`Error::System`] says what is missing or does not fit, and where.
    pub fn check(&self) -> Result<()> {
        require(!self.inputs.is_empty(), "the system", "has no input; give it one")?;
        require(!self.outputs.is_empty(), "the system", "has no output; give it one")?;
        require(!self.blocks.is_empty(), "the system", "has no rules; give it a block of them")?;
        for input in &self.inputs {
            self.check_variable(input, &format!("input {}", shown(&input.name)))?;
        }
        for output in &self.outputs {
            self.check_output(output, &format!("output {}", shown(&output.variable.name)))?;
        }
        for (i, block) in self.blocks.iter().enumerate() {
            let place = match block.name.as_str() {
                "" => format!("rule block {}", i + 1),
                name => format!("rule block {}", shown(name)),
            };
            self.check_block(block, &place)?;
        }
        Ok(())
    }

    fn check_variable(&self, variable: &Variable, place: &str) -> Result<()> {
        let numbers = !variable.minimum.is_nan() && !variable.maximum.is_nan();
        require(numbers, place, "has a range whose ends must be numbers; give it two, or `-inf` and `inf`")?;
        let ordered = variable.minimum <= variable.maximum;
        require(ordered, place, "has a range that ends before it starts; write the smaller end first")?;
        variable.sets.iter().try_for_each(|named| {
            self.check_set(&named.set, &format!("set {} of {place}", shown(&named.name)))
        })
    }

    /// A consequent must find its inputs.
    fn check_set(&self, set: &Set, place: &str) -> Result<()> {
        match set.shape() {
            Shape::Linear { coefficients, .. } if coefficients.len() != self.inputs.len() => {
                let (inputs, found) = (self.inputs.len(), coefficients.len());
                let problem = format!(
                    "has {found} coefficients for {inputs} inputs; give one for each input and a constant"
                );
                refuse(place, problem)
            }
            Shape::Function { expression } => {
                let names = || {
                    let outputs = self.outputs.iter().map(|output| &output.variable);
                    self.inputs.iter().chain(outputs).map(|variable| variable.name.as_str())
                };
                let mut used = expression.variables().iter();
                if let Some(unknown) = used.find(|v| *v != "x" && !names().any(|name| name == v.as_str())) {
                    let problem = format!(
                        "uses {}, which is no variable; use `x` or one of {}",
                        shown(unknown),
                        listed(names())
                    );
                    return refuse(place, problem);
                }
                let ambiguous = expression.variables().iter().any(|v| v == "x") && names().any(|n| n == "x");
                let problem = "uses `x`, which is its own argument and a variable too; rename the variable";
                require(!ambiguous, place, problem)
            }
            _ => Ok(()),
        }
    }

    fn check_output(&self, output: &Output, place: &str) -> Result<()> {
        self.check_variable(&output.variable, place)?;
        let scaled = output.scale.is_finite() && output.scale != 0.0;
        require(scaled, place, "has a scale that is 0 or not finite; give it another, or leave it out")?;
        if !output.defuzzifier.is_sampled() {
            return Ok(());
        }
        let finite = (output.variable.maximum - output.variable.minimum).is_finite();
        require(finite, place, "needs a finite range for its defuzzifier; give it one")?;
        require(
            output.aggregation.is_some(),
            place,
            "needs an aggregation for its defuzzifier; give it one",
        )?;
        let counted = output.defuzzifier.samples().is_none_or(|n| (1..=MAX_SAMPLES).contains(&n));
        require(counted, place, "must take between 1 and 1000000 samples")
    }

    fn check_block(&self, block: &RuleBlock, place: &str) -> Result<()> {
        require(!block.rules.is_empty(), place, "has no rules; give it one or leave it out")?;
        if let Activation::First { threshold, .. }
        | Activation::Last { threshold, .. }
        | Activation::Threshold { threshold, .. } = block.activation
        {
            require(!threshold.is_nan(), place, "has a threshold that is no number; give it one")?;
        }
        for (i, rule) in block.rules.iter().enumerate() {
            let place = format!("rule {} of {place}", i + 1);
            self.check_rule(rule, &place)?;
            self.check_norms(block, &rule.antecedent, &place)?;
            let sampled = |c: &Conclusion| self.outputs[c.output].defuzzifier.is_sampled();
            let implied = block.implication.is_some() || !rule.consequent.iter().any(sampled);
            require(implied, &place, "needs an implication for its output; give its block one")?;
        }
        Ok(())
    }

    fn check_norms(&self, block: &RuleBlock, antecedent: &Antecedent, place: &str) -> Result<()> {
        match antecedent {
            Antecedent::Is(_) | Antecedent::Else => Ok(()),
            Antecedent::Not(part) => self.check_norms(block, part, place),
            Antecedent::And(parts) => {
                let problem = "joins by `and`, but its block has no conjunction; give it one";
                require(block.conjunction.is_some(), place, problem)?;
                parts.iter().try_for_each(|part| self.check_norms(block, part, place))
            }
            Antecedent::Or(parts) => {
                let problem = "joins by `or`, but its block has no disjunction; give it one";
                require(block.disjunction.is_some(), place, problem)?;
                parts.iter().try_for_each(|part| self.check_norms(block, part, place))
            }
        }
    }

    /// Refuses a rule about variables or sets that there are not.
    pub(super) fn check_rule(&self, rule: &Rule, place: &str) -> Result<()> {
        require(rule.weight.is_finite(), place, "has a weight that is not finite; give it one from 0 to 1")?;
        require(!rule.consequent.is_empty(), place, "concludes nothing; give it a consequent")?;
        if rule.antecedent != Antecedent::Else {
            let problem = "nests its antecedent too deep; make two rules of it";
            require(is_readable(&rule.antecedent), place, problem)?;
            self.check_antecedent(&rule.antecedent, place)?;
        }
        rule.consequent.iter().try_for_each(|conclusion| self.check_conclusion(conclusion, place))
    }

    fn check_antecedent(&self, antecedent: &Antecedent, place: &str) -> Result<()> {
        match antecedent {
            Antecedent::Is(proposition) => self.check_proposition(proposition, place),
            Antecedent::And(parts) | Antecedent::Or(parts) => {
                require(
                    parts.len() > 1,
                    place,
                    "joins fewer than two propositions; leave out the `and` or `or`",
                )?;
                parts.iter().try_for_each(|part| self.check_antecedent(part, place))
            }
            Antecedent::Not(part) => self.check_antecedent(part, place),
            Antecedent::Else => refuse(place, "uses `else` inside an antecedent; let it stand alone"),
        }
    }

    fn check_proposition(&self, proposition: &Proposition, place: &str) -> Result<()> {
        let variable = match proposition.variable {
            Place::Input(i) => self.inputs.get(i),
            Place::Output(i) => self.outputs.get(i).map(|output| &output.variable),
        };
        let Some(variable) = variable else {
            return refuse(place, "is about a variable that there is not; name one of the system's");
        };
        let any = proposition.hedges.last() == Some(&Hedge::Any);
        let known = proposition.set.map_or(any, |set| set < variable.sets.len());
        let problem = format!("is about a set that {} has not; name one of its sets", shown(&variable.name));
        require(known, place, &problem)
    }

    fn check_conclusion(&self, conclusion: &Conclusion, place: &str) -> Result<()> {
        let Some(output) = self.outputs.get(conclusion.output) else {
            return refuse(place, "concludes about an output that there is not; name one of the system's");
        };
        let name = shown(&output.variable.name);
        let Some(named) = output.variable.sets.get(conclusion.set) else {
            return refuse(place, format!("concludes a set that {name} has not; name one of its sets"));
        };
        let tsukamoto = output.defuzzifier.kind() == Some(Weighted::Tsukamoto);
        if tsukamoto && !named.set.is_monotone() {
            let (set, shape) = (shown(&named.name), named.set.shape().name());
            let problem = format!(
                "concludes {set} of {name}, a {shape}, which has no Tsukamoto value; use Ramp, Sigmoid, Concave, SShape, ZShape or Arc"
            );
            return refuse(place, problem);
        }
        Ok(())
    }
}
