//! Steps for the activation methods: which rules of a block fire, and how strongly.

use super::Compiler;
use crate::inference::plan::step::{BinaryOp, Slot, Step, UnaryOp};
use crate::inference::reference::evaluation_order;
use crate::inference::{Activation, Antecedent, Comparison, Dialect, RuleBlock};
use crate::sets::{Hedge, SNorm};

impl Compiler<'_> {
    /// Compiles the rules of a block and their conclusions.
    pub(super) fn rule_block(&mut self, block: &RuleBlock) {
        if !block.enabled {
            let zero = self.constant(0.0);
            self.record_firing(vec![zero; block.rules.len()]);
            return;
        }
        let mut strengths: Vec<Option<Slot>> = vec![None; block.rules.len()];
        match block.activation {
            Activation::General => {
                for i in evaluation_order(block, false) {
                    let strength = self.strength(block, &mut strengths, i);
                    self.conclude(block, i, strength, None);
                }
            }
            Activation::Threshold { comparison, threshold } => {
                for i in evaluation_order(block, false) {
                    let strength = self.strength(block, &mut strengths, i);
                    let chosen = self.unary(UnaryOp::Compare(comparison, threshold), strength);
                    self.conclude(block, i, strength, Some(chosen));
                }
            }
            Activation::First { rules, threshold } => {
                self.first_or_last(block, &mut strengths, rules, threshold, false)
            }
            Activation::Last { rules, threshold } => {
                self.first_or_last(block, &mut strengths, rules, threshold, true)
            }
            Activation::Highest { rules } => self.ranked(block, &mut strengths, rules, true),
            Activation::Lowest { rules } => self.ranked(block, &mut strengths, rules, false),
            Activation::Proportional => self.proportional(block, &mut strengths),
        }
        self.record_firing(strengths.into_iter().flatten().collect());
    }

    /// Equation (1) for rule `i`; `strengths` are those of the rules compiled so far.
    fn strength(&mut self, block: &RuleBlock, strengths: &mut [Option<Slot>], i: usize) -> Slot {
        let rule = &block.rules[i];
        let membership = match &rule.antecedent {
            Antecedent::Else => {
                let rules = block.rules.iter().zip(strengths.iter());
                let others = rules.filter(|(rule, _)| rule.antecedent != Antecedent::Else);
                let mut highest = self.constant(0.0);
                for strength in others.filter_map(|(_, strength)| *strength).collect::<Vec<Slot>>() {
                    highest = self.binary(BinaryOp::SNorm(SNorm::Maximum), highest, strength);
                }
                self.unary(UnaryOp::Hedge(Hedge::Not), highest)
            }
            antecedent => self.antecedent(block, antecedent),
        };
        let strength = match rule.weight {
            1.0 => membership,
            weight => self.unary(UnaryOp::Scale(weight), membership),
        };
        strengths[i] = Some(strength);
        strength
    }

    fn fires(&mut self, strength: Slot) -> Slot {
        self.unary(
            UnaryOp::GreaterThan(if self.dialect == Dialect::Fuzzylite6 { 1e-6 } else { 0.0 }),
            strength,
        )
    }

    fn first_or_last(
        &mut self,
        block: &RuleBlock,
        strengths: &mut [Option<Slot>],
        rules: usize,
        threshold: f64,
        last: bool,
    ) {
        let mut remaining = self.constant(rules as f64);
        for i in evaluation_order(block, last) {
            let strength = self.strength(block, strengths, i);
            let fires = self.fires(strength);
            let reaches_threshold =
                self.unary(UnaryOp::Compare(Comparison::GreaterOrEqual, threshold), strength);
            let any_remaining = self.unary(UnaryOp::GreaterThan(0.0), remaining);
            let both = self.binary(BinaryOp::Multiply, fires, reaches_threshold);
            let chosen = self.binary(BinaryOp::Multiply, both, any_remaining);
            remaining = self.binary(BinaryOp::Subtract, remaining, chosen);
            self.conclude(block, i, strength, Some(chosen));
        }
    }

    fn ranked(&mut self, block: &RuleBlock, strengths: &mut [Option<Slot>], rules: usize, strongest: bool) {
        evaluation_order(block, false).into_iter().for_each(|i| {
            self.strength(block, strengths, i);
        });
        let strengths: Vec<Slot> = strengths.iter().flatten().copied().collect();
        let firing: Vec<Slot> = strengths.iter().map(|strength| self.fires(*strength)).collect();
        for own in 0..strengths.len() {
            let step = Step::Rank { own, strengths: strengths.clone(), firing: firing.clone(), strongest };
            let rank = self.push(step, false);
            let first = self.unary(UnaryOp::Compare(Comparison::Less, rules as f64), rank);
            let chosen = self.binary(BinaryOp::Multiply, firing[own], first);
            self.conclude(block, own, strengths[own], Some(chosen));
        }
    }

    fn proportional(&mut self, block: &RuleBlock, strengths: &mut [Option<Slot>]) {
        let zero = self.constant(0.0);
        let in_order = evaluation_order(block, false);
        let mut fired = Vec::new();
        for i in &in_order {
            let strength = self.strength(block, strengths, *i);
            let fires = self.fires(strength);
            let counted = self.push(Step::Select { mask: fires, then: strength, otherwise: zero }, false);
            fired.push((strength, fires, counted));
        }
        let sum =
            self.reduce(BinaryOp::Add, &fired.iter().map(|(_, _, counted)| *counted).collect::<Vec<_>>());
        for (i, (strength, fires, counted)) in in_order.into_iter().zip(fired) {
            let fraction = self.binary(BinaryOp::Divide, counted, sum);
            let fraction =
                self.push(Step::Select { mask: fires, then: fraction, otherwise: strength }, false);
            strengths[i] = Some(fraction);
            self.conclude(block, i, fraction, Some(fires));
        }
    }
}
