//! Which rules of a block conclude, as steps.

use super::compile::Compiler;
use super::step::{One, Slot, Step, Two};
use crate::inference::dialect::Dialect;
use crate::inference::row::order;
use crate::inference::rule::{Activation, Antecedent, Comparison, RuleBlock};
use crate::sets::{Hedge, SNorm};

impl Compiler<'_> {
    /// The steps of a block's rules, and what they conclude.
    pub(super) fn block(&mut self, block: &RuleBlock) {
        if !block.enabled {
            let nothing = self.number(0.0);
            self.note_firing(vec![nothing; block.rules.len()]);
            return;
        }
        let mut known: Vec<Option<Slot>> = vec![None; block.rules.len()];
        match block.activation {
            Activation::General => {
                for i in order(block, false) {
                    let strength = self.strength(block, &mut known, i);
                    self.conclude(block, i, strength, None);
                }
            }
            Activation::Threshold { comparison, threshold } => {
                for i in order(block, false) {
                    let strength = self.strength(block, &mut known, i);
                    let chosen = self.one(One::Compared(comparison, threshold), strength);
                    self.conclude(block, i, strength, Some(chosen));
                }
            }
            Activation::First { rules, threshold } => self.some(block, &mut known, rules, threshold, false),
            Activation::Last { rules, threshold } => self.some(block, &mut known, rules, threshold, true),
            Activation::Highest { rules } => self.ranked(block, &mut known, rules, true),
            Activation::Lowest { rules } => self.ranked(block, &mut known, rules, false),
            Activation::Proportional => self.proportional(block, &mut known),
        }
        self.note_firing(known.into_iter().flatten().collect());
    }

    /// Equation (1) for rule `i`; `known` are the strengths so far.
    fn strength(&mut self, block: &RuleBlock, known: &mut [Option<Slot>], i: usize) -> Slot {
        let rule = &block.rules[i];
        let membership = match &rule.antecedent {
            Antecedent::Else => {
                let rules = block.rules.iter().zip(known.iter());
                let others = rules.filter(|(rule, _)| rule.antecedent != Antecedent::Else);
                let mut most = self.number(0.0);
                for strength in others.filter_map(|(_, strength)| *strength).collect::<Vec<Slot>>() {
                    most = self.two(Two::Or(SNorm::Maximum), most, strength);
                }
                self.one(One::Hedge(Hedge::Not), most)
            }
            antecedent => self.antecedent(block, antecedent),
        };
        let strength = match rule.weight {
            1.0 => membership,
            weight => self.one(One::Times(weight), membership),
        };
        known[i] = Some(strength);
        strength
    }

    fn fires(&mut self, strength: Slot) -> Slot {
        self.one(One::Above(if self.dialect == Dialect::Fuzzylite6 { 1e-6 } else { 0.0 }), strength)
    }

    fn some(
        &mut self,
        block: &RuleBlock,
        known: &mut [Option<Slot>],
        rules: usize,
        threshold: f64,
        last: bool,
    ) {
        let mut left = self.number(rules as f64);
        for i in order(block, last) {
            let strength = self.strength(block, known, i);
            let fires = self.fires(strength);
            let enough = self.one(One::Compared(Comparison::GreaterOrEqual, threshold), strength);
            let any_left = self.one(One::Above(0.0), left);
            let both = self.two(Two::Times, fires, enough);
            let chosen = self.two(Two::Times, both, any_left);
            left = self.two(Two::Minus, left, chosen);
            self.conclude(block, i, strength, Some(chosen));
        }
    }

    fn ranked(&mut self, block: &RuleBlock, known: &mut [Option<Slot>], rules: usize, strongest: bool) {
        order(block, false).into_iter().for_each(|i| {
            self.strength(block, known, i);
        });
        let strengths: Vec<Slot> = known.iter().flatten().copied().collect();
        let firing: Vec<Slot> = strengths.iter().map(|strength| self.fires(*strength)).collect();
        for own in 0..strengths.len() {
            let step = Step::Rank { own, strengths: strengths.clone(), firing: firing.clone(), strongest };
            let rank = self.push(step, false);
            let first = self.one(One::Compared(Comparison::Less, rules as f64), rank);
            let chosen = self.two(Two::Times, firing[own], first);
            self.conclude(block, own, strengths[own], Some(chosen));
        }
    }

    fn proportional(&mut self, block: &RuleBlock, known: &mut [Option<Slot>]) {
        let nothing = self.number(0.0);
        let in_order = order(block, false);
        let mut parts = Vec::new();
        for i in &in_order {
            let strength = self.strength(block, known, *i);
            let fires = self.fires(strength);
            let part = self.push(Step::Choice { mask: fires, then: strength, otherwise: nothing }, false);
            parts.push((strength, fires, part));
        }
        let sum = self.joined(Two::Plus, &parts.iter().map(|(_, _, part)| *part).collect::<Vec<_>>());
        for (i, (strength, fires, part)) in in_order.into_iter().zip(parts) {
            let share = self.two(Two::Over, part, sum);
            let share = self.push(Step::Choice { mask: fires, then: share, otherwise: strength }, false);
            known[i] = Some(share);
            self.conclude(block, i, share, Some(fires));
        }
    }
}
