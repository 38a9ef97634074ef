//! Reference inference of one row in double precision, against which compiled plans are tested.

use super::result::{ActivatedSet, Inference, OutputSource, RuleFiring};
use crate::inference::error::{InferenceError, Result};
use crate::inference::{
    Activation, Antecedent, Conjunction, Dialect, NamedSet, Output, Proposition, Rule, RuleBlock, System,
    Variable, VariableIndex,
};
use crate::sets::{Hedge, SNorm, Set, Shape, complement};

impl System {
    /// Infers the outputs of one row of inputs, as if it were the first row of a table; see [`System`] for an
    /// example.
    ///
    /// # Errors
    /// [`InferenceError::RowLength`], and the errors of [`System::check`].
    pub fn infer_row(&self, inputs: &[f64], dialect: Dialect) -> Result<Inference> {
        self.infer_row_after(inputs, &vec![f64::NAN; self.outputs.len()], dialect)
    }

    /// Infers the outputs of one row of inputs, given the outputs of the previous row.
    ///
    /// `previous` provides the values for outputs with `lock_previous` and for Functions that refer to a later output.
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
    /// # let mut heating = heating;
    /// heating.outputs[0].lock_previous = true;
    /// assert_eq!(heating.infer_row_after(&[f64::NAN], &[0.5], Dialect::Fuzzylite8)?.outputs, [0.5]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`System::infer_row`].
    pub fn infer_row_after(&self, inputs: &[f64], previous: &[f64], dialect: Dialect) -> Result<Inference> {
        let mut row = RowState::fire(self, inputs, previous, dialect, false)?;
        for (i, output) in self.outputs.iter().enumerate() {
            // Functions of later outputs may refer to this value.
            row.outputs[i] = row.output_value(i, output).0;
        }
        Ok(Inference { outputs: row.outputs, rules: row.rules, activated: row.activated, fired: row.fired })
    }
}

/// Intermediate results of the inference of one row.
pub(in crate::inference) struct RowState<'a> {
    pub(in crate::inference) system: &'a System,
    pub(in crate::inference) dialect: Dialect,
    pub(in crate::inference) inputs: Vec<f64>,
    /// Outputs computed so far; the others are still those of the previous row.
    pub(in crate::inference) outputs: Vec<f64>,
    pub(in crate::inference) rules: Vec<RuleFiring>,
    pub(in crate::inference) activated: Vec<Vec<ActivatedSet>>,
    pub(in crate::inference) fired: Vec<bool>,
    /// Memberships of the propositions of every rule when it was evaluated; recorded only for explanations.
    pub(in crate::inference) trace: Option<Vec<Vec<f64>>>,
}

impl<'a> RowState<'a> {
    /// Evaluates all rules of a row; the outputs are still those of the previous row.
    pub(in crate::inference) fn fire(
        system: &'a System,
        inputs: &[f64],
        previous: &[f64],
        dialect: Dialect,
        traced: bool,
    ) -> Result<Self> {
        system.check()?;
        let lengths =
            [("input", inputs.len(), system.inputs.len()), ("output", previous.len(), system.outputs.len())];
        if let Some((what, found, expected)) = lengths.into_iter().find(|(_, found, must)| found != must) {
            return Err(InferenceError::RowLength { what, found, expected });
        }
        let rule_count = system.blocks.iter().map(|block| block.rules.len()).sum();
        let mut row = RowState {
            system,
            dialect,
            inputs: system
                .inputs
                .iter()
                .zip(inputs)
                .map(|(variable, x)| variable.lock_to_range(*x))
                .collect(),
            outputs: previous.to_vec(),
            rules: Vec::new(),
            activated: vec![Vec::new(); system.outputs.len()],
            fired: vec![false; system.outputs.len()],
            trace: traced.then(|| vec![Vec::new(); rule_count]),
        };
        system.blocks.iter().for_each(|block| row.block(block));
        Ok(row)
    }

    fn block(&mut self, block: &RuleBlock) {
        let first = self.rules.len();
        self.rules.extend(block.rules.iter().map(|_| RuleFiring { strength: 0.0, fired: false }));
        if !block.enabled {
            return;
        }
        match block.activation {
            Activation::General => {
                for i in evaluation_order(block, false) {
                    self.strength(block, first, i);
                    self.activate(block, first, i);
                }
            }
            Activation::Threshold { comparison, threshold } => {
                for i in evaluation_order(block, false) {
                    if comparison.holds(self.strength(block, first, i), threshold) {
                        self.activate(block, first, i);
                    }
                }
            }
            Activation::First { rules, threshold } => {
                self.activate_first(block, first, rules, threshold, false)
            }
            Activation::Last { rules, threshold } => {
                self.activate_first(block, first, rules, threshold, true)
            }
            Activation::Highest { rules } => self.activate_ranked(block, first, rules, |strength| -strength),
            Activation::Lowest { rules } => self.activate_ranked(block, first, rules, |strength| strength),
            Activation::Proportional => {
                let firing = self.all_firing(block, first);
                let sum: f64 = firing.iter().map(|i| self.rules[first + i].strength).sum();
                for i in firing {
                    self.rules[first + i].strength /= sum;
                    self.activate(block, first, i);
                }
            }
        }
    }

    fn activate_first(
        &mut self,
        block: &RuleBlock,
        first: usize,
        rules: usize,
        threshold: f64,
        reversed: bool,
    ) {
        let mut remaining = rules;
        for i in evaluation_order(block, reversed) {
            let strength = self.strength(block, first, i);
            if remaining > 0 && self.dialect.fires(strength) && strength >= threshold {
                self.activate(block, first, i);
                remaining -= 1;
            }
        }
    }

    fn activate_ranked(&mut self, block: &RuleBlock, first: usize, rules: usize, rank: fn(f64) -> f64) {
        let mut firing = self.all_firing(block, first);
        firing.sort_unstable(); // ties in rule order
        firing.sort_by(|a, b| {
            rank(self.rules[first + a].strength).total_cmp(&rank(self.rules[first + b].strength))
        });
        firing.into_iter().take(rules).for_each(|i| self.activate(block, first, i));
    }

    /// Computes all strengths of a block and returns the indices of the firing rules, in evaluation order.
    fn all_firing(&mut self, block: &RuleBlock, first: usize) -> Vec<usize> {
        let mut firing = evaluation_order(block, false);
        firing.retain(|i| {
            let strength = self.strength(block, first, *i);
            self.dialect.fires(strength)
        });
        firing
    }

    /// Firing strength of rule `i` of a block whose first rule has index `first`, Equation (1).
    fn strength(&mut self, block: &RuleBlock, first: usize, i: usize) -> f64 {
        let rule = &block.rules[i];
        if self.trace.is_some() {
            let memberships: Vec<f64> =
                rule.antecedent.propositions().into_iter().map(|p| self.proposition(p)).collect();
            if let Some(trace) = &mut self.trace {
                trace[first + i] = memberships;
            }
        }
        let membership = match &rule.antecedent {
            Antecedent::Else => {
                let others = block.rules.iter().zip(&self.rules[first..]);
                let others = others.filter(|(rule, _)| rule.antecedent != Antecedent::Else);
                complement(others.fold(0.0, |max, (_, r)| SNorm::Maximum.apply(max, r.strength)))
            }
            antecedent => self.antecedent(block, antecedent),
        };
        let strength = rule.weight * membership;
        self.rules[first + i].strength = strength;
        strength
    }

    fn antecedent(&self, block: &RuleBlock, antecedent: &Antecedent) -> f64 {
        let parts = |parts: &[Antecedent]| -> Vec<f64> {
            parts.iter().map(|part| self.antecedent(block, part)).collect()
        };
        let combined = |parts: Vec<f64>, norm: &dyn Fn(f64, f64) -> f64| {
            let combined = parts.into_iter().reduce(norm);
            combined.expect("invariant: `System::check` requires two operands of `and` and `or`")
        };
        match antecedent {
            Antecedent::Is(proposition) => self.proposition(proposition),
            Antecedent::And(all) => {
                let conjunction =
                    block.conjunction.expect("invariant: `System::check` requires a conjunction for `and`");
                match conjunction {
                    Conjunction::Norm(norm) => combined(parts(all), &|a, b| norm.apply(a, b)),
                    Conjunction::Mean => parts(all).iter().sum::<f64>() / all.len() as f64,
                }
            }
            Antecedent::Or(any) => {
                let norm =
                    block.disjunction.expect("invariant: `System::check` requires a disjunction for `or`");
                combined(parts(any), &|a, b| norm.apply(a, b))
            }
            Antecedent::Not(part) => complement(self.antecedent(block, part)),
            Antecedent::Else => {
                unreachable!("invariant: `System::check` rejects `else` inside an antecedent")
            }
        }
    }

    fn proposition(&self, proposition: &Proposition) -> f64 {
        let variable = self.system.variable(proposition.variable);
        if !variable.enabled {
            return 0.0;
        }
        let set = proposition.set.map(|set| resolve_set(variable, set, self.dialect));
        let membership = match (proposition.variable, set) {
            (_, None) => f64::NAN, // the hedge `any` returns 1
            (VariableIndex::Input(i), Some(set)) => self.membership(&variable.sets[set].set, self.inputs[i]),
            (VariableIndex::Output(i), Some(set)) => self.activation(i, set),
        };
        apply_hedges(&proposition.hedges, membership)
    }

    /// Combined strength with which the rules so far activated a set.
    fn activation(&self, output: usize, set: usize) -> f64 {
        let norm = self.system.outputs[output].aggregation.unwrap_or(SNorm::UnboundedSum);
        let same = self.activated[output].iter().filter(|activated| activated.set == set);
        same.map(|activated| activated.strength).reduce(|a, b| norm.apply(a, b)).unwrap_or(0.0)
    }

    /// μ(x) of a set; Constant, Linear and Function are evaluated on the current row.
    pub(in crate::inference) fn membership(&self, set: &Set, x: f64) -> f64 {
        match set.shape() {
            Shape::Function { expression } => {
                let value = |name: &String| if name == "x" { x } else { self.value_of(name) };
                expression.evaluate(&expression.variables().iter().map(value).collect::<Vec<f64>>())
            }
            Shape::Constant { .. } | Shape::Linear { .. } => {
                set.output(&self.inputs).expect("invariant: a Constant or Linear has an output")
            }
            _ => set.membership(x),
        }
    }

    /// Value of the variable with the given name; the last one if the name is not unique.
    fn value_of(&self, name: &str) -> f64 {
        let output = self.system.outputs.iter().rposition(|output| output.variable.name == name);
        let input = || self.system.inputs.iter().rposition(|input| input.name == name);
        let value = output.map(|i| self.outputs[i]).or_else(|| input().map(|i| self.inputs[i]));
        value.expect("invariant: `System::check` rejects a Function of an unknown variable")
    }

    /// Activates the sets of the consequent of rule `i`.
    fn activate(&mut self, block: &RuleBlock, first: usize, i: usize) {
        let rule: &Rule = &block.rules[i];
        let strength = self.rules[first + i].strength;
        let fires = self.dialect.fires(strength);
        self.rules[first + i].fired = fires;
        if !fires && !self.dialect.activates_without_firing() {
            return;
        }
        let mut carried_strength = strength;
        for conclusion in &rule.consequent {
            let variable = &self.system.outputs[conclusion.output].variable;
            if !variable.enabled {
                continue;
            }
            let hedges = &conclusion.hedges;
            let (hedged_strength, negated) = match self.dialect {
                Dialect::Fuzzylite8 | Dialect::Fuzzylite6 => {
                    // Fuzzylite applies hedges cumulatively over the conclusions of a rule.
                    carried_strength = apply_hedges(hedges, carried_strength);
                    (carried_strength, false)
                }
                Dialect::Matlab => {
                    // MATLAB has only `not` here, which negates the set; other hedges apply to the strength.
                    let other: Vec<Hedge> = hedges.iter().copied().filter(|h| *h != Hedge::Not).collect();
                    (apply_hedges(&other, strength), (hedges.len() - other.len()) % 2 == 1)
                }
                Dialect::Iec => (apply_hedges(hedges, strength), false),
            };
            let activated = ActivatedSet {
                rule: first + i,
                set: resolve_set(variable, conclusion.set, self.dialect),
                strength: finite_strength(hedged_strength),
                implication: block.implication,
                negated,
            };
            self.activated[conclusion.output].push(activated);
            self.fired[conclusion.output] |= fires;
        }
    }

    /// Value of an output and its origin.
    pub(in crate::inference) fn output_value(&self, i: usize, output: &Output) -> (f64, OutputSource) {
        let value = if output.variable.enabled { output.scale * self.defuzzify(i, output) } else { f64::NAN };
        self.with_fallback(i, output, value)
    }

    /// `value`, or the fallback value of the output if `value` is missing.
    pub(in crate::inference) fn with_fallback(
        &self,
        i: usize,
        output: &Output,
        value: f64,
    ) -> (f64, OutputSource) {
        let previous = self.outputs[i];
        let variable = &output.variable;
        if !variable.enabled {
            return (previous, OutputSource::Disabled);
        }
        // Fuzzylite 6 keeps a NaN that results from rules that fired.
        let missing = match self.dialect {
            Dialect::Fuzzylite6 => !self.fired[i],
            // Rules may also fire without contributing to any sample.
            Dialect::Matlab => value.is_nan() && (output.defuzzifier.is_sampled() || !self.fired[i]),
            _ => value.is_nan(),
        };
        let reuse_previous = output.lock_previous && !previous.is_nan();
        let (value, source) = match (self.dialect, output.default) {
            _ if !missing => (value, OutputSource::Rules),
            (Dialect::Matlab, _) => {
                (variable.minimum / 2.0 + variable.maximum / 2.0, OutputSource::RangeMidpoint)
            }
            _ if reuse_previous => (previous, OutputSource::Previous),
            (_, Some(default)) => (default, OutputSource::Default),
            (_, None) => (f64::NAN, OutputSource::Undefined),
        };
        (variable.lock_to_range(value), source)
    }
}

/// Indices of the rules of a block in evaluation order, ELSE rules last.
pub(in crate::inference) fn evaluation_order(block: &RuleBlock, reversed: bool) -> Vec<usize> {
    let is_else = |i: &usize| block.rules[*i].antecedent == Antecedent::Else;
    let mut order: Vec<usize> = (0..block.rules.len()).collect();
    if reversed {
        order.reverse();
    }
    let (last, mut first): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_else);
    first.extend(last);
    first
}

/// Applies hedges to a membership, the last hedge first.
fn apply_hedges(hedges: &[Hedge], membership: f64) -> f64 {
    hedges.iter().rev().fold(membership, |m, hedge| hedge.apply(m))
}

/// Replaces NaN and −∞ by 0 and ∞ by 1.
pub(in crate::inference) fn finite_strength(strength: f64) -> f64 {
    if strength == f64::INFINITY {
        1.0
    } else if strength.is_finite() {
        strength
    } else {
        0.0
    }
}

/// Index of the set that a dialect selects among sets with equal names.
pub(in crate::inference) fn resolve_set(variable: &Variable, set: usize, dialect: Dialect) -> usize {
    let same = |other: &NamedSet| other.name == variable.sets[set].name;
    let found = match dialect {
        Dialect::Fuzzylite8 => variable.sets.iter().rposition(same),
        Dialect::Fuzzylite6 => variable.sets.iter().position(same),
        Dialect::Matlab | Dialect::Iec => return set,
    };
    found.expect("invariant: at least the set itself has its name")
}
