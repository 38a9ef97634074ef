//! One row, in double precision, step by step: what every faster way is compared with.

use super::dialect::Dialect;
use super::rule::{Activation, Antecedent, Conjunction, Place, Proposition, Rule, RuleBlock};
use super::system::System;
use super::variable::{NamedSet, Output, Variable};
use crate::error::{Error, Result};
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm, complement};

/// How far a rule applied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Firing {
    /// wᵣ of equation (1); NaN where an input it asks about is.
    pub strength: f64,
    /// Whether it fired: its strength was enough, and its block's activation chose it.
    pub fired: bool,
}

/// A set that a rule concluded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activated {
    /// The rule, counted over all blocks.
    pub rule: usize,
    /// The output's set.
    pub set: usize,
    /// The strength it was concluded with, after the consequent's hedges; never NaN.
    pub strength: f64,
    /// T of equation (2), of the rule's block.
    pub implication: Option<TNorm>,
    /// Whether the hedges `not` bend the set instead of the strength, an odd number of times.
    pub(super) negated: bool,
}

/// What a system concludes from one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Inference {
    /// A number for each output.
    pub outputs: Vec<f64>,
    /// Every rule, block after block; those of a block that is not enabled have strength 0.
    pub rules: Vec<Firing>,
    /// For each output what was concluded about it, in that order.
    pub activated: Vec<Vec<Activated>>,
    /// For each output whether any rule about it fired.
    pub fired: Vec<bool>,
}

impl System {
    /// What the system concludes from one row of inputs, with no row before it.
    ///
    /// # Errors
    /// [`Error::RowLength`], and those of [`System::check`].
    pub fn infer_row(&self, inputs: &[f64], dialect: Dialect) -> Result<Inference> {
        self.infer_row_after(inputs, &vec![f64::NAN; self.outputs.len()], dialect)
    }

    /// As [`System::infer_row`], after a row whose outputs were `previous`.
    ///
    /// An output that locks its previous value takes it from there, and a Function that names an output which comes
    /// later reads it there.
    ///
    /// # Errors
    /// As [`System::infer_row`].
    pub fn infer_row_after(&self, inputs: &[f64], previous: &[f64], dialect: Dialect) -> Result<Inference> {
        let mut row = Row::fired(self, inputs, previous, dialect, false)?;
        for (i, output) in self.outputs.iter().enumerate() {
            // A Function may name the outputs before its own.
            row.outputs[i] = row.value(i, output).0;
        }
        Ok(Inference { outputs: row.outputs, rules: row.rules, activated: row.activated, fired: row.fired })
    }
}

/// A row on its way from inputs to outputs.
pub(super) struct Row<'a> {
    pub(super) system: &'a System,
    pub(super) dialect: Dialect,
    pub(super) inputs: Vec<f64>,
    /// This row's outputs as far as they are known, the previous row's after them.
    pub(super) outputs: Vec<f64>,
    pub(super) rules: Vec<Firing>,
    pub(super) activated: Vec<Vec<Activated>>,
    pub(super) fired: Vec<bool>,
    /// The memberships of every rule's propositions, as they were when it was looked at; for explanations alone.
    pub(super) trace: Option<Vec<Vec<f64>>>,
}

/// Where an output's number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// From what the rules concluded.
    Rules,
    /// From the row before: there was no number, and the output locks its previous value.
    Previous,
    /// From the output's default: there was no number.
    Default,
    /// The middle of the range: there was no number, and the dialect is MATLAB's.
    Middle,
    /// From nowhere: there was no number, and the output has no default.
    Nowhere,
    /// From the row before, since the output is not enabled.
    Disabled,
}

impl<'a> Row<'a> {
    /// A row whose rules have been looked at and whose outputs are still those of the row before.
    pub(super) fn fired(
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
            return Err(Error::RowLength { what, found, expected });
        }
        let rules = system.blocks.iter().map(|block| block.rules.len()).sum();
        let mut row = Row {
            system,
            dialect,
            inputs: system.inputs.iter().zip(inputs).map(|(variable, x)| variable.locked(*x)).collect(),
            outputs: previous.to_vec(),
            rules: Vec::new(),
            activated: vec![Vec::new(); system.outputs.len()],
            fired: vec![false; system.outputs.len()],
            trace: traced.then(|| vec![Vec::new(); rules]),
        };
        system.blocks.iter().for_each(|block| row.block(block));
        Ok(row)
    }

    fn block(&mut self, block: &RuleBlock) {
        let first = self.rules.len();
        self.rules.extend(block.rules.iter().map(|_| Firing { strength: 0.0, fired: false }));
        if !block.enabled {
            return;
        }
        match block.activation {
            Activation::General => {
                for i in order(block, false) {
                    self.strength(block, first, i);
                    self.conclude(block, first, i);
                }
            }
            Activation::Threshold { comparison, threshold } => {
                for i in order(block, false) {
                    if comparison.holds(self.strength(block, first, i), threshold) {
                        self.conclude(block, first, i);
                    }
                }
            }
            Activation::First { rules, threshold } => self.some(block, first, rules, threshold, false),
            Activation::Last { rules, threshold } => self.some(block, first, rules, threshold, true),
            Activation::Highest { rules } => self.ranked(block, first, rules, |strength| -strength),
            Activation::Lowest { rules } => self.ranked(block, first, rules, |strength| strength),
            Activation::Proportional => {
                let firing = self.all_firing(block, first);
                let sum: f64 = firing.iter().map(|i| self.rules[first + i].strength).sum();
                for i in firing {
                    self.rules[first + i].strength /= sum;
                    self.conclude(block, first, i);
                }
            }
        }
    }

    fn some(&mut self, block: &RuleBlock, first: usize, rules: usize, threshold: f64, reversed: bool) {
        let mut left = rules;
        for i in order(block, reversed) {
            let strength = self.strength(block, first, i);
            if left > 0 && self.dialect.fires(strength) && strength >= threshold {
                self.conclude(block, first, i);
                left -= 1;
            }
        }
    }

    fn ranked(&mut self, block: &RuleBlock, first: usize, rules: usize, rank: fn(f64) -> f64) {
        let mut firing = self.all_firing(block, first);
        firing.sort_unstable(); // the earlier of equals first
        firing.sort_by(|a, b| {
            rank(self.rules[first + a].strength).total_cmp(&rank(self.rules[first + b].strength))
        });
        firing.into_iter().take(rules).for_each(|i| self.conclude(block, first, i));
    }

    /// Computes all strengths of a block; the rules that fire, in order.
    fn all_firing(&mut self, block: &RuleBlock, first: usize) -> Vec<usize> {
        let mut firing = order(block, false);
        firing.retain(|i| {
            let strength = self.strength(block, first, *i);
            self.dialect.fires(strength)
        });
        firing
    }

    /// Equation (1) for rule `i` of a block whose first rule is `first`.
    fn strength(&mut self, block: &RuleBlock, first: usize, i: usize) -> f64 {
        let rule = &block.rules[i];
        if self.trace.is_some() {
            let asked: Vec<f64> =
                rule.antecedent.propositions().into_iter().map(|asked| self.proposition(asked)).collect();
            if let Some(trace) = &mut self.trace {
                trace[first + i] = asked;
            }
        }
        let membership = match &rule.antecedent {
            Antecedent::Else => {
                let others = block.rules.iter().zip(&self.rules[first..]);
                let others = others.filter(|(rule, _)| rule.antecedent != Antecedent::Else);
                complement(others.fold(0.0, |most, (_, r)| SNorm::Maximum.apply(most, r.strength)))
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
        let joined = |parts: Vec<f64>, join: &dyn Fn(f64, f64) -> f64| {
            parts.into_iter().reduce(join).unwrap_or(f64::NAN)
        };
        match antecedent {
            Antecedent::Is(proposition) => self.proposition(proposition),
            Antecedent::And(all) => match block.conjunction {
                Some(Conjunction::Norm(norm)) => joined(parts(all), &|a, b| norm.apply(a, b)),
                Some(Conjunction::Mean) => parts(all).iter().sum::<f64>() / all.len() as f64,
                None => f64::NAN, // refused by the check
            },
            Antecedent::Or(any) => match block.disjunction {
                Some(norm) => joined(parts(any), &|a, b| norm.apply(a, b)),
                None => f64::NAN, // refused by the check
            },
            Antecedent::Not(part) => complement(self.antecedent(block, part)),
            Antecedent::Else => f64::NAN, // refused by the check
        }
    }

    fn proposition(&self, proposition: &Proposition) -> f64 {
        let variable = self.system.variable(proposition.variable);
        if !variable.enabled {
            return 0.0;
        }
        let set = proposition.set.map(|set| resolve(variable, set, self.dialect));
        let membership = match (proposition.variable, set) {
            (_, None) => f64::NAN, // `any` makes 1 of it
            (Place::Input(i), Some(set)) => self.membership(&variable.sets[set].set, self.inputs[i]),
            (Place::Output(i), Some(set)) => self.concluded(i, set),
        };
        bent(&proposition.hedges, membership)
    }

    /// The strength with which a set was concluded so far, of all rules together.
    fn concluded(&self, output: usize, set: usize) -> f64 {
        let norm = self.system.outputs[output].aggregation.unwrap_or(SNorm::UnboundedSum);
        let same = self.activated[output].iter().filter(|activated| activated.set == set);
        same.map(|activated| activated.strength).reduce(|a, b| norm.apply(a, b)).unwrap_or(0.0)
    }

    /// μ(x) of a set; the consequents among the shapes read the row.
    pub(super) fn membership(&self, set: &Set, x: f64) -> f64 {
        match set.shape() {
            Shape::Function { expression } => {
                let value = |name: &String| if name == "x" { x } else { self.named(name) };
                expression.evaluate(&expression.variables().iter().map(value).collect::<Vec<f64>>())
            }
            Shape::Constant { .. } | Shape::Linear { .. } => set.output(&self.inputs).unwrap_or(f64::NAN),
            _ => set.membership(x),
        }
    }

    /// The value of the variable of that name, the last of several.
    fn named(&self, name: &str) -> f64 {
        let output = self.system.outputs.iter().rposition(|output| output.variable.name == name);
        let input = || self.system.inputs.iter().rposition(|input| input.name == name);
        output.map(|i| self.outputs[i]).or_else(|| input().map(|i| self.inputs[i])).unwrap_or(f64::NAN)
    }

    /// Hands a rule's conclusions to their outputs.
    fn conclude(&mut self, block: &RuleBlock, first: usize, i: usize) {
        let rule: &Rule = &block.rules[i];
        let strength = self.rules[first + i].strength;
        let fires = self.dialect.fires(strength);
        self.rules[first + i].fired = fires;
        if !fires && !self.dialect.concludes_without_firing() {
            return;
        }
        let mut carried = strength;
        for conclusion in &rule.consequent {
            let variable = &self.system.outputs[conclusion.output].variable;
            if !variable.enabled {
                continue;
            }
            let hedges = &conclusion.hedges;
            let (bent_strength, negated) = match self.dialect {
                Dialect::Fuzzylite8 | Dialect::Fuzzylite6 => {
                    carried = bent(hedges, carried); // the next conclusion starts from here
                    (carried, false)
                }
                Dialect::Matlab => {
                    // `not` turns the set around; MATLAB has no other hedge here, and the strength takes them.
                    let other: Vec<Hedge> = hedges.iter().copied().filter(|h| *h != Hedge::Not).collect();
                    (bent(&other, strength), (hedges.len() - other.len()) % 2 == 1)
                }
                Dialect::Iec => (bent(hedges, strength), false),
            };
            let activated = Activated {
                rule: first + i,
                set: resolve(variable, conclusion.set, self.dialect),
                strength: whole(bent_strength),
                implication: block.implication,
                negated,
            };
            self.activated[conclusion.output].push(activated);
            self.fired[conclusion.output] |= fires;
        }
    }

    /// An output's number, or what takes its place where there is none.
    pub(super) fn value(&self, i: usize, output: &Output) -> (f64, Source) {
        let value = if output.variable.enabled { output.scale * self.defuzzify(i, output) } else { f64::NAN };
        self.settled(i, output, value)
    }

    /// `value`, what an output's rules amount to, or what takes its place where it is none.
    pub(super) fn settled(&self, i: usize, output: &Output, value: f64) -> (f64, Source) {
        let previous = self.outputs[i];
        let variable = &output.variable;
        if !variable.enabled {
            return (previous, Source::Disabled);
        }
        // Fuzzylite 6 keeps a NaN that came out of rules that fired.
        let missing = match self.dialect {
            Dialect::Fuzzylite6 => !self.fired[i],
            // Also where rules fired and no sample shows it: there is no area.
            Dialect::Matlab => value.is_nan() && (output.defuzzifier.is_sampled() || !self.fired[i]),
            _ => value.is_nan(),
        };
        let kept = output.lock_previous && !previous.is_nan();
        let (value, source) = match (self.dialect, output.default) {
            _ if !missing => (value, Source::Rules),
            (Dialect::Matlab, _) => (variable.minimum / 2.0 + variable.maximum / 2.0, Source::Middle),
            _ if kept => (previous, Source::Previous),
            (_, Some(default)) => (default, Source::Default),
            (_, None) => (f64::NAN, Source::Nowhere),
        };
        (variable.locked(value), source)
    }
}

/// The rules of a block in the order in which they are looked at, ELSE rules last.
pub(super) fn order(block: &RuleBlock, reversed: bool) -> Vec<usize> {
    let is_else = |i: &usize| block.rules[*i].antecedent == Antecedent::Else;
    let mut order: Vec<usize> = (0..block.rules.len()).collect();
    if reversed {
        order.reverse();
    }
    let (last, mut first): (Vec<usize>, Vec<usize>) = order.into_iter().partition(is_else);
    first.extend(last);
    first
}

/// The hedges of a proposition, the one next to the set first.
fn bent(hedges: &[Hedge], membership: f64) -> f64 {
    hedges.iter().rev().fold(membership, |m, hedge| hedge.apply(m))
}

/// A strength to conclude with: NaN and −∞ count as 0, ∞ as 1.
pub(super) fn whole(strength: f64) -> f64 {
    if strength == f64::INFINITY {
        1.0
    } else if strength.is_finite() {
        strength
    } else {
        0.0
    }
}

/// Which of the sets of the same name a dialect means.
pub(super) fn resolve(variable: &Variable, set: usize, dialect: Dialect) -> usize {
    let same = |other: &NamedSet| other.name == variable.sets[set].name;
    let found = match dialect {
        Dialect::Fuzzylite8 => variable.sets.iter().rposition(same),
        Dialect::Fuzzylite6 => variable.sets.iter().position(same),
        Dialect::Matlab | Dialect::Iec => None,
    };
    found.unwrap_or(set)
}
