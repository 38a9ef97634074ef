//! Which steps are written, in which order, under which names, and what is said between them.

use super::names::{Names, comment};
use crate::inference::plan::step::{One, Slot, Step, Term, Two};
use crate::inference::plan::{Finish, Steps};
use crate::inference::rule::{Antecedent, Rule};
use crate::inference::system::System;
use crate::sets::TNorm;
use std::collections::HashMap;

pub(super) struct Layout {
    /// The steps that some output needs: inputs, then memberships of inputs, then the others.
    pub(super) order: Vec<Slot>,
    /// Where memberships begin in that order.
    pub(super) first_membership: usize,
    /// Where the others begin in that order.
    pub(super) first_rule: usize,
    /// The names of steps that have one.
    pub(super) labels: Vec<Option<String>>,
    /// Inputs that get their name only when they are locked.
    pub(super) raw: Vec<bool>,
    /// How often a step's text would be written.
    pub(super) uses: Vec<usize>,
    /// What stands before the first line of a step that is not before this one.
    pub(super) remarks: Vec<(Slot, String)>,
    /// The products of two memberships, by both.
    products: HashMap<(Slot, Slot), Slot>,
    /// The step that gives the number of an output, before defaults and locks.
    pub(super) cores: Vec<Slot>,
}

impl Layout {
    pub(super) fn new(system: &System, steps: &Steps, names: &mut Names) -> Self {
        let all = &steps.steps;
        let cores = steps.outputs.iter().map(|finish| core(all, finish)).collect();
        let products = products(all);
        let (live, uses) = live(steps, &products);
        let mut layout = Layout {
            order: Vec::new(),
            first_membership: 0,
            first_rule: 0,
            labels: vec![None; all.len()],
            raw: vec![false; all.len()],
            uses,
            remarks: Vec::new(),
            products,
            cores,
        };
        let inputs = layout.label_inputs(system, all, &live, names);
        let fuzzified = layout.label_memberships(system, all, &live, &inputs, names);
        for (rule, slot) in steps.firing.iter().enumerate() {
            let number = matches!(all[*slot], Step::Number { .. });
            if live[*slot] && !number && layout.labels[*slot].is_none() {
                layout.labels[*slot] = Some(names.give(&format!("rule{}", rule + 1)));
            }
        }
        for (output, slot) in system.outputs.iter().zip(layout.cores.clone()) {
            let number = matches!(all[slot], Step::Number { .. });
            if live[slot] && !number && layout.labels[slot].is_none() {
                layout.labels[slot] = Some(names.give(&output.variable.name));
            }
        }
        let early: Vec<bool> = (0..all.len())
            .map(|slot| inputs.contains(&slot) || fuzzified.contains(&slot) || layout.raw[slot])
            .collect();
        let written = |slot: &Slot| live[*slot];
        let mut order: Vec<Slot> = (0..all.len()).filter(|slot| layout.raw[*slot]).filter(written).collect();
        order.extend(inputs.iter().copied().filter(written));
        layout.first_membership = order.len();
        order.extend(fuzzified.iter().copied());
        layout.first_rule = order.len();
        order.extend((0..all.len()).filter(|slot| live[*slot] && !early[*slot]));
        layout.order = order;
        layout.add_remarks(system, steps, &live);
        layout
    }

    /// The step that is a term's weight.
    pub(super) fn weight(&self, term: &Term) -> Slot {
        weight(&self.products, term)
    }

    /// The steps that hold the inputs; those of locked ones are locked.
    fn label_inputs(&mut self, system: &System, all: &[Step], live: &[bool], names: &mut Names) -> Vec<Slot> {
        let mut inputs = Vec::new();
        for (i, input) in system.inputs.iter().enumerate() {
            let read = all.iter().position(|step| matches!(step, Step::Input { input } if *input == i));
            let Some(read) = read else { continue };
            let lock = |step: &Step| matches!(step, Step::One { one: One::Locked(..), of } if *of == read);
            let slot = all.iter().position(lock).filter(|_| input.lock_range).unwrap_or(read);
            self.raw[read] = slot != read;
            if live[slot] {
                self.labels[slot] = Some(names.give(&input.name));
            }
            inputs.push(slot);
        }
        inputs
    }

    /// The steps that hold memberships of inputs.
    fn label_memberships(
        &mut self,
        system: &System,
        all: &[Step],
        live: &[bool],
        inputs: &[Slot],
        names: &mut Names,
    ) -> Vec<Slot> {
        let mut fuzzified = Vec::new();
        for (slot, step) in all.iter().enumerate().filter(|(slot, _)| live[*slot]) {
            let Step::Membership { set, x } = step else { continue };
            let Some(input) = inputs.iter().position(|input| input == x).map(|i| &system.inputs[i]) else {
                continue;
            };
            if let Some(named) = input.sets.iter().find(|named| named.set == *set) {
                self.labels[slot] = Some(names.give(&format!("{}_{}", input.name, named.name)));
                fuzzified.push(slot);
            }
        }
        fuzzified
    }

    /// Each rule before the lines that work out its strength, each output before its own.
    fn add_remarks(&mut self, system: &System, steps: &Steps, live: &[bool]) {
        let mut claimed = vec![false; steps.steps.len()];
        self.order[..self.first_rule].iter().for_each(|slot| claimed[*slot] = true);
        let rules: Vec<&Rule> = system.blocks.iter().flat_map(|block| &block.rules).collect();
        let enabled: Vec<bool> =
            system.blocks.iter().flat_map(|block| block.rules.iter().map(|_| block.enabled)).collect();
        // ELSE rules last: their strength needs that of the others.
        let mut in_order: Vec<usize> = (0..rules.len()).collect();
        in_order.sort_by_key(|rule| rules[*rule].antecedent == Antecedent::Else);
        let mut at = 0;
        for rule in in_order {
            let slot = steps.firing[rule];
            let Ok(text) = system.rule_text(rules[rule]) else { continue };
            if !live[slot] || !enabled[rule] {
                continue;
            }
            let first = first_unclaimed(&steps.steps, slot, &mut claimed);
            let strength = match (&self.labels[slot], first) {
                (Some(label), None) => format!(", {label}"),
                _ => String::new(),
            };
            at = at.max(first.unwrap_or(at));
            self.remarks.push((at, format!("    // Rule {}{strength}: {}\n", rule + 1, comment(&text))));
            if first.is_some() {
                at = at.max(slot + 1);
            }
        }
        for (i, output) in system.outputs.iter().enumerate() {
            let name = comment(&output.variable.name);
            let kind = match &steps.steps[self.cores[i]] {
                Step::Defuzzify { sampled, .. } if sampled.exact.is_some() => "exact Centroid".into(),
                Step::Defuzzify { sampled, .. } => {
                    format!("{} over {} samples", output.defuzzifier.name(), sampled.y.len())
                }
                _ => output.defuzzifier.name().to_owned(),
            };
            self.remarks.push((self.cores[i], format!("\n    // {name}: {kind}\n")));
        }
        self.remarks.sort_by_key(|(at, _)| *at);
        if let Some((_, first)) = self.remarks.first_mut()
            && !first.starts_with('\n')
        {
            first.insert(0, '\n');
        }
    }
}

/// The first step that a strength needs and no rule before it did; they are claimed.
fn first_unclaimed(steps: &[Step], slot: Slot, claimed: &mut [bool]) -> Option<Slot> {
    let mut open = vec![slot];
    let mut first = None;
    while let Some(slot) = open.pop() {
        if claimed[slot] || matches!(steps[slot], Step::Number { .. }) {
            continue;
        }
        claimed[slot] = true;
        first = Some(first.unwrap_or(slot).min(slot));
        open.extend(steps[slot].needs());
    }
    first
}

/// What gives an output's number before it is locked or replaced.
fn core(steps: &[Step], finish: &Finish) -> Slot {
    let mut slot = match finish {
        Finish::Done(slot) => *slot,
        Finish::Carried(carried) => carried.value,
    };
    loop {
        slot = match &steps[slot] {
            Step::Choice { otherwise, .. } => *otherwise,
            Step::One { one: One::Locked(..), of } => *of,
            _ => return slot,
        };
    }
}

/// The steps that multiply two memberships.
fn products(steps: &[Step]) -> HashMap<(Slot, Slot), Slot> {
    let product = |(slot, step): (Slot, &Step)| match step {
        Step::Two { two: Two::And(TNorm::AlgebraicProduct), a, b } => Some(((*a, *b), slot)),
        _ => None,
    };
    steps.iter().enumerate().filter_map(product).collect()
}

/// The step that is a term's weight, where a plan multiplies by itself.
fn weight(products: &HashMap<(Slot, Slot), Slot>, term: &Term) -> Slot {
    let product = term.times.and_then(|times| products.get(&(term.weight, times)));
    product.copied().unwrap_or(term.weight)
}

/// What a step needs, with products as steps of their own.
fn needs(products: &HashMap<(Slot, Slot), Slot>, step: &Step) -> Vec<Slot> {
    let Step::Weighted { terms, .. } = step else { return step.needs() };
    let of_term = |term: &Term| {
        let others = Term { weight: weight(products, term), times: None, ..term.clone() };
        others.needs()
    };
    terms.iter().flat_map(of_term).collect()
}

/// Which steps some output needs, and how often a step's text would be written.
fn live(steps: &Steps, products: &HashMap<(Slot, Slot), Slot>) -> (Vec<bool>, Vec<usize>) {
    let mut live = vec![false; steps.steps.len()];
    let mut uses = vec![0; steps.steps.len()];
    for finish in &steps.outputs {
        let slots = match finish {
            Finish::Done(slot) => vec![*slot],
            Finish::Carried(carried) => vec![carried.value, carried.missing],
        };
        for slot in slots {
            live[slot] = true;
            uses[slot] += 1;
        }
    }
    for (i, step) in
        steps.steps.iter().enumerate().rev().filter(|(_, step)| !matches!(step, Step::Number { .. }))
    {
        if live[i] {
            // These write what they need more than once, or somewhere else.
            let often = matches!(step, Step::Weighted { .. } | Step::Rank { .. });
            for slot in needs(products, step) {
                live[slot] = true;
                uses[slot] += if often { 2 } else { 1 };
            }
        }
    }
    (live, uses)
}
