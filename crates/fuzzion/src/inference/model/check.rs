//! Validation of systems.

use super::block::{Activation, RuleBlock};
use super::defuzzifier::WeightedKind;
use super::rule::{Antecedent, Conclusion, Proposition, Rule, VariableIndex};
use super::system::System;
use super::variable::{Output, Variable};
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::{is_parsable, quoted, quoted_list};
use crate::sets::{Hedge, Set, Shape};

/// Maximum number of samples of an output range.
const MAX_SAMPLES: usize = 1_000_000;

fn fail<T>(location: impl Into<String>, problem: impl Into<String>) -> Result<T> {
    Err(InferenceError::InvalidSystem { location: location.into(), problem: problem.into() })
}

/// Location of a component for messages: its name, or its number if it has no name.
pub(super) fn location_of(kind: &str, index: usize, name: &str) -> String {
    if name.is_empty() { format!("{kind} {}", index + 1) } else { format!("{kind} {}", quoted(name)) }
}

fn require(condition: bool, location: &str, problem: &str) -> Result<()> {
    if condition { Ok(()) } else { fail(location, problem) }
}

impl System {
    /// Checks that the system is complete and consistent.
    ///
    /// ```
    /// use fuzzion::inference::System;
    /// let error = System::new("empty").check().unwrap_err().to_string();
    /// assert_eq!(error, "the system has no inputs; add at least one");
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::InvalidSystem`] with the first problem and its location.
    pub fn check(&self) -> Result<()> {
        require(!self.inputs.is_empty(), "the system", "has no inputs; add at least one")?;
        require(!self.outputs.is_empty(), "the system", "has no outputs; add at least one")?;
        require(!self.blocks.is_empty(), "the system", "has no rule blocks; add at least one")?;
        for (i, input) in self.inputs.iter().enumerate() {
            self.check_variable(input, &location_of("input", i, &input.name))?;
        }
        for (i, output) in self.outputs.iter().enumerate() {
            self.check_output(output, &location_of("output", i, &output.variable.name))?;
        }
        for (i, block) in self.blocks.iter().enumerate() {
            self.check_block(block, &location_of("rule block", i, &block.name))?;
        }
        Ok(())
    }

    fn check_variable(&self, variable: &Variable, location: &str) -> Result<()> {
        let is_number = !variable.minimum.is_nan() && !variable.maximum.is_nan();
        require(is_number, location, "has a NaN range bound; use numbers, `-inf` or `inf`")?;
        let ordered = variable.minimum <= variable.maximum;
        require(ordered, location, "has a range whose minimum exceeds its maximum; swap the bounds")?;
        variable.sets.iter().enumerate().try_for_each(|(i, named)| {
            self.check_set(&named.set, &format!("{} of {location}", location_of("set", i, &named.name)))
        })
    }

    /// Checks the number of coefficients of a Linear set and the variables of a Function set.
    fn check_set(&self, set: &Set, location: &str) -> Result<()> {
        match set.shape() {
            Shape::Linear { coefficients, .. } if coefficients.len() != self.inputs.len() => {
                let (inputs, found) = (self.inputs.len(), coefficients.len());
                let plural = if found == 1 { "" } else { "s" };
                let problem = format!(
                    "has {found} coefficient{plural}, but the system has {inputs} inputs; specify one per input and a constant"
                );
                fail(location, problem)
            }
            Shape::Function { expression } => {
                let names = || {
                    let outputs = self.outputs.iter().map(|output| &output.variable);
                    self.inputs.iter().chain(outputs).map(|variable| variable.name.as_str())
                };
                let mut used = expression.variables().iter();
                if let Some(unknown) = used.find(|v| *v != "x" && !names().any(|name| name == v.as_str())) {
                    let problem = format!(
                        "uses the unknown variable {}; use `x` or one of {}",
                        quoted(unknown),
                        quoted_list(names())
                    );
                    return fail(location, problem);
                }
                let ambiguous = expression.variables().iter().any(|v| v == "x") && names().any(|n| n == "x");
                let problem =
                    "uses `x`, which is both its argument and the name of a variable; rename the variable";
                require(!ambiguous, location, problem)
            }
            _ => Ok(()),
        }
    }

    fn check_output(&self, output: &Output, location: &str) -> Result<()> {
        self.check_variable(&output.variable, location)?;
        let valid_scale = output.scale.is_finite() && output.scale != 0.0;
        require(valid_scale, location, "has a scale that is 0 or not finite; use a finite nonzero scale")?;
        if !output.defuzzifier.is_sampled() {
            return Ok(());
        }
        let finite = (output.variable.maximum - output.variable.minimum).is_finite();
        require(finite, location, "needs a finite range for its defuzzifier; set the range")?;
        require(
            output.aggregation.is_some(),
            location,
            "needs an aggregation for its defuzzifier; set one, such as Maximum",
        )?;
        let valid_count = output.defuzzifier.samples().is_none_or(|n| (1..=MAX_SAMPLES).contains(&n));
        require(valid_count, location, "must use between 1 and 1000000 samples")
    }

    fn check_block(&self, block: &RuleBlock, location: &str) -> Result<()> {
        require(!block.rules.is_empty(), location, "has no rules; add a rule or remove the block")?;
        if let Activation::First { threshold, .. }
        | Activation::Last { threshold, .. }
        | Activation::Threshold { threshold, .. } = block.activation
        {
            require(!threshold.is_nan(), location, "has a NaN threshold; use a number")?;
        }
        for (i, rule) in block.rules.iter().enumerate() {
            let location = format!("rule {} of {location}", i + 1);
            self.check_rule(rule, &location)?;
            self.check_operators(block, &rule.antecedent, &location)?;
            let sampled = |c: &Conclusion| self.outputs[c.output].defuzzifier.is_sampled();
            let has_implication = block.implication.is_some() || !rule.consequent.iter().any(sampled);
            require(
                has_implication,
                &location,
                "needs an implication for its output; set one for its rule block",
            )?;
        }
        Ok(())
    }

    fn check_operators(&self, block: &RuleBlock, antecedent: &Antecedent, location: &str) -> Result<()> {
        match antecedent {
            Antecedent::Is(_) | Antecedent::Else => Ok(()),
            Antecedent::Not(part) => self.check_operators(block, part, location),
            Antecedent::And(parts) => {
                let problem = "uses `and`, but its block has no conjunction; set one";
                require(block.conjunction.is_some(), location, problem)?;
                parts.iter().try_for_each(|part| self.check_operators(block, part, location))
            }
            Antecedent::Or(parts) => {
                let problem = "uses `or`, but its block has no disjunction; set one";
                require(block.disjunction.is_some(), location, problem)?;
                parts.iter().try_for_each(|part| self.check_operators(block, part, location))
            }
        }
    }

    /// Checks that the variables and sets of a rule exist.
    pub(in crate::inference) fn check_rule(&self, rule: &Rule, location: &str) -> Result<()> {
        require(
            rule.weight.is_finite(),
            location,
            "has a weight that is not finite; use a weight from 0 to 1",
        )?;
        require(!rule.consequent.is_empty(), location, "has no consequent; add one")?;
        if rule.antecedent != Antecedent::Else {
            let problem = "has an antecedent that is nested too deeply; split it into two rules";
            require(is_parsable(&rule.antecedent), location, problem)?;
            self.check_antecedent(&rule.antecedent, location)?;
        }
        rule.consequent.iter().try_for_each(|conclusion| self.check_conclusion(conclusion, location))
    }

    fn check_antecedent(&self, antecedent: &Antecedent, location: &str) -> Result<()> {
        match antecedent {
            Antecedent::Is(proposition) => self.check_proposition(proposition, location),
            Antecedent::And(parts) | Antecedent::Or(parts) => {
                require(
                    parts.len() > 1,
                    location,
                    "has an `and` or `or` with fewer than two operands; remove it",
                )?;
                parts.iter().try_for_each(|part| self.check_antecedent(part, location))
            }
            Antecedent::Not(part) => self.check_antecedent(part, location),
            Antecedent::Else => {
                fail(location, "uses `else` inside an antecedent; use it only as the whole antecedent")
            }
        }
    }

    fn check_proposition(&self, proposition: &Proposition, location: &str) -> Result<()> {
        let variable = match proposition.variable {
            VariableIndex::Input(i) => self.inputs.get(i),
            VariableIndex::Output(i) => self.outputs.get(i).map(|output| &output.variable),
        };
        let Some(variable) = variable else {
            return fail(location, "refers to a variable that does not exist; use a variable of the system");
        };
        let any = proposition.hedges.last() == Some(&Hedge::Any);
        let exists = proposition.set.map_or(any, |set| set < variable.sets.len());
        let problem =
            format!("refers to a set that {} does not have; use one of its sets", quoted(&variable.name));
        require(exists, location, &problem)
    }

    fn check_conclusion(&self, conclusion: &Conclusion, location: &str) -> Result<()> {
        let Some(output) = self.outputs.get(conclusion.output) else {
            return fail(location, "refers to an output that does not exist; use an output of the system");
        };
        let name = quoted(&output.variable.name);
        let Some(named) = output.variable.sets.get(conclusion.set) else {
            return fail(location, format!("refers to a set that {name} does not have; use one of its sets"));
        };
        let tsukamoto = output.defuzzifier.kind() == Some(WeightedKind::Tsukamoto);
        if tsukamoto && !named.set.is_monotone() {
            let (set, shape) = (quoted(&named.name), named.set.shape().name());
            let problem = format!(
                "uses the {shape} set {set} of {name}, which has no Tsukamoto value; use Ramp, Sigmoid, Concave, SShape, ZShape or Arc"
            );
            return fail(location, problem);
        }
        Ok(())
    }
}
