//! Steps for the antecedents and conclusions of rules.

use super::{CompiledConclusion, Compiler};
use crate::inference::plan::step::{BinaryOp, Slot, Step, UnaryOp};
use crate::inference::reference::resolve_set;
use crate::inference::{Antecedent, Conjunction, Dialect, Proposition, RuleBlock, VariableIndex};
use crate::sets::{Hedge, SNorm};

impl Compiler<'_> {
    fn mask_and(&mut self, a: Option<Slot>, b: Option<Slot>) -> Option<Slot> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.binary(BinaryOp::Multiply, a, b)),
            _ => a.or(b),
        }
    }

    fn apply_hedges(&mut self, hedges: &[Hedge], mut membership: Slot) -> Slot {
        for hedge in hedges.iter().rev() {
            membership = match hedge {
                Hedge::Any => self.constant(1.0),
                _ => self.unary(UnaryOp::Hedge(*hedge), membership),
            };
        }
        membership
    }

    pub(super) fn antecedent(&mut self, block: &RuleBlock, antecedent: &Antecedent) -> Slot {
        match antecedent {
            Antecedent::Is(proposition) => self.proposition(proposition),
            Antecedent::And(all) => {
                let parts: Vec<Slot> = all.iter().map(|part| self.antecedent(block, part)).collect();
                let conjunction = block.conjunction;
                match conjunction.expect("invariant: `System::check` requires a conjunction for `and`") {
                    Conjunction::Mean => {
                        let units = parts.iter().all(|part| self.unit[*part]);
                        let sum = self.reduce(BinaryOp::Add, &parts);
                        let mean = self.unary(UnaryOp::DivideBy(parts.len() as f64), sum);
                        self.unit[mean] |= units; // the sum may exceed 1, but the mean cannot
                        mean
                    }
                    Conjunction::Norm(norm) => self.reduce(BinaryOp::TNorm(norm), &parts),
                }
            }
            Antecedent::Or(any) => {
                let parts: Vec<Slot> = any.iter().map(|part| self.antecedent(block, part)).collect();
                let norm =
                    block.disjunction.expect("invariant: `System::check` requires a disjunction for `or`");
                self.reduce(BinaryOp::SNorm(norm), &parts)
            }
            Antecedent::Not(part) => {
                let part = self.antecedent(block, part);
                self.unary(UnaryOp::Hedge(Hedge::Not), part)
            }
            Antecedent::Else => unreachable!("invariant: `System::check` rejects ELSE inside an antecedent"),
        }
    }

    fn proposition(&mut self, proposition: &Proposition) -> Slot {
        let variable = self.system.variable(proposition.variable);
        if !variable.enabled {
            return self.constant(0.0);
        }
        let set = proposition.set.map(|set| resolve_set(variable, set, self.dialect));
        let membership = match (proposition.variable, set) {
            (_, None) => self.constant(f64::NAN), // replaced by the hedge `any`, which is always 1
            (VariableIndex::Input(i), Some(set)) => self.membership(&variable.sets[set].set, self.inputs[i]),
            (VariableIndex::Output(i), Some(set)) => self.set_activation(i, set),
        };
        self.apply_hedges(&proposition.hedges, membership)
    }

    /// Aggregated strength of a set over all rules compiled so far.
    pub(super) fn set_activation(&mut self, output: usize, set: usize) -> Slot {
        let norm = self.system.outputs[output].aggregation.unwrap_or(SNorm::UnboundedSum);
        let same = self.concluded[output].iter().copied().filter(|concluded| concluded.set == set);
        let joined = same.collect::<Vec<_>>().into_iter().reduce(|a, b| self.combine(norm, a, b));
        joined.map_or_else(|| self.constant(0.0), |joined| joined.strength)
    }

    /// Combines two conclusions of the same set.
    pub(super) fn combine(
        &mut self,
        norm: SNorm,
        a: CompiledConclusion,
        b: CompiledConclusion,
    ) -> CompiledConclusion {
        let mut strength = self.binary(BinaryOp::SNorm(norm), a.strength, b.strength);
        // Aggregating with 0 (no conclusion) changes nothing in [0, 1], but some norms would cap larger strengths.
        if !(self.unit[a.strength] && self.unit[b.strength]) {
            for (present, other) in [(a.present, b.strength), (b.present, a.strength)] {
                if let Some(mask) = present {
                    strength = self.push(Step::Select { mask, then: strength, otherwise: other }, false);
                }
            }
        }
        let present = match (a.present, b.present) {
            (Some(a), Some(b)) => Some(self.binary(BinaryOp::Max, a, b)),
            _ => None,
        };
        CompiledConclusion { strength, present, ..a }
    }

    /// Adds a rule's conclusions to their outputs. `chosen` is the mask of rows where the activation method selects it.
    pub(super) fn conclude(&mut self, block: &RuleBlock, rule: usize, strength: Slot, chosen: Option<Slot>) {
        let threshold = if self.dialect == Dialect::Fuzzylite6 { 1e-6 } else { 0.0 };
        let fires = self.unary(UnaryOp::GreaterThan(threshold), strength);
        let fired = self.mask_and(Some(fires), chosen);
        let present = if self.dialect.activates_without_firing() { chosen } else { fired };
        let mut accumulated = strength;
        for conclusion in &block.rules[rule].consequent {
            let variable = &self.system.outputs[conclusion.output].variable;
            if !variable.enabled {
                continue;
            }
            let mut negated = false;
            let hedged = match self.dialect {
                Dialect::Fuzzylite8 | Dialect::Fuzzylite6 => {
                    // In fuzzylite, hedges accumulate over the conclusions of a rule.
                    accumulated = self.apply_hedges(&conclusion.hedges, accumulated);
                    accumulated
                }
                Dialect::Matlab => {
                    let not = |hedge: &&Hedge| **hedge == Hedge::Not;
                    negated = conclusion.hedges.iter().filter(not).count() % 2 == 1;
                    let other: Vec<Hedge> =
                        conclusion.hedges.iter().copied().filter(|hedge| *hedge != Hedge::Not).collect();
                    self.apply_hedges(&other, strength)
                }
                Dialect::Iec => self.apply_hedges(&conclusion.hedges, strength),
            };
            let finite = self.replace_non_finite(hedged);
            // A strength of 0 has no effect, so the mask is needed only for hedged strengths and nonzero thresholds.
            let masked = match present {
                Some(mask)
                    if mask != fires || hedged != strength || threshold > 0.0 || !self.unit[hedged] =>
                {
                    let zero = self.constant(0.0);
                    let unit = self.unit[finite];
                    self.push(Step::Select { mask, then: finite, otherwise: zero }, unit)
                }
                _ => finite,
            };
            self.concluded[conclusion.output].push(CompiledConclusion {
                set: resolve_set(variable, conclusion.set, self.dialect),
                negated,
                implication: block.implication,
                strength: masked,
                present,
            });
            self.fired[conclusion.output].extend(fired);
        }
    }
}
