//! Order, variable names and comments of the exported steps.

use crate::inference::export::source::{Identifiers, comment};
use crate::inference::plan::step::{BinaryOp, Slot, Step, Term, UnaryOp};
use crate::inference::plan::{CompiledOutput, Steps};
use crate::inference::{Antecedent, Rule, System};
use crate::sets::TNorm;
use std::collections::HashMap;

pub(super) struct SourceLayout {
    /// The steps that the outputs need: inputs, memberships of inputs, then the others.
    pub(super) order: Vec<Slot>,
    /// Index of the first membership in `order`.
    pub(super) first_membership: usize,
    /// Index of the first other step in `order`.
    pub(super) first_rule: usize,
    /// Variable names of the steps that have one.
    pub(super) labels: Vec<Option<String>>,
    /// Inputs before clamping, for inputs that are clamped to their range.
    pub(super) raw: Vec<bool>,
    /// Number of times each step's expression would be written.
    pub(super) uses: Vec<usize>,
    /// Comments, each written before the first line of the given step or a later one.
    pub(super) comments: Vec<(Slot, String)>,
    /// Products of two memberships by their factors.
    products: HashMap<(Slot, Slot), Slot>,
    /// For each output, the step that defuzzifies it, before defaults and clamping.
    pub(super) cores: Vec<Slot>,
}

impl SourceLayout {
    pub(super) fn new(system: &System, steps: &Steps, names: &mut Identifiers) -> Self {
        let all = &steps.steps;
        let cores = steps.outputs.iter().map(|output| core(all, output)).collect();
        let products = products(all);
        let (live, uses) = live(steps, &products);
        let mut layout = SourceLayout {
            order: Vec::new(),
            first_membership: 0,
            first_rule: 0,
            labels: vec![None; all.len()],
            raw: vec![false; all.len()],
            uses,
            comments: Vec::new(),
            products,
            cores,
        };
        let inputs = layout.label_inputs(system, all, &live, names);
        let fuzzified = layout.label_memberships(system, all, &live, &inputs, names);
        for (rule, slot) in steps.firing.iter().enumerate() {
            let constant = matches!(all[*slot], Step::Constant { .. });
            if live[*slot] && !constant && layout.labels[*slot].is_none() {
                layout.labels[*slot] = Some(names.unique(&format!("rule{}", rule + 1)));
            }
        }
        for (output, slot) in system.outputs.iter().zip(layout.cores.clone()) {
            let constant = matches!(all[slot], Step::Constant { .. });
            if live[slot] && !constant && layout.labels[slot].is_none() {
                layout.labels[slot] = Some(names.unique(&output.variable.name));
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
        layout.add_comments(system, steps, &live);
        layout
    }

    /// The step that computes a term's weight.
    pub(super) fn weight(&self, term: &Term) -> Slot {
        weight(&self.products, term)
    }

    /// Names the inputs; returns their steps, after clamping where it applies.
    fn label_inputs(
        &mut self,
        system: &System,
        all: &[Step],
        live: &[bool],
        names: &mut Identifiers,
    ) -> Vec<Slot> {
        let mut inputs = Vec::new();
        for (i, input) in system.inputs.iter().enumerate() {
            let read = all.iter().position(|step| matches!(step, Step::Input { input } if *input == i));
            let read = read.expect("invariant: every input has a step");
            let clamp = |step: &Step| matches!(step, Step::Unary { op: UnaryOp::Clamp(..), x } if *x == read);
            let slot = all.iter().position(clamp).filter(|_| input.lock_range).unwrap_or(read);
            self.raw[read] = slot != read;
            if live[slot] {
                self.labels[slot] = Some(names.unique(&input.name));
            }
            inputs.push(slot);
        }
        inputs
    }

    /// Names the memberships of inputs; returns their steps.
    fn label_memberships(
        &mut self,
        system: &System,
        all: &[Step],
        live: &[bool],
        inputs: &[Slot],
        names: &mut Identifiers,
    ) -> Vec<Slot> {
        let mut fuzzified = Vec::new();
        for (slot, step) in all.iter().enumerate().filter(|(slot, _)| live[*slot]) {
            let Step::Membership { set, x } = step else { continue };
            let Some(input) = inputs.iter().position(|input| input == x).map(|i| &system.inputs[i]) else {
                continue;
            };
            if let Some(named) = input.sets.iter().find(|named| named.set == *set) {
                self.labels[slot] = Some(names.unique(&format!("{}_{}", input.name, named.name)));
                fuzzified.push(slot);
            }
        }
        fuzzified
    }

    /// Adds a comment for each rule before the lines of its firing strength, and for each output before its lines.
    fn add_comments(&mut self, system: &System, steps: &Steps, live: &[bool]) {
        let mut claimed = vec![false; steps.steps.len()];
        self.order[..self.first_rule].iter().for_each(|slot| claimed[*slot] = true);
        let rules: Vec<&Rule> = system.blocks.iter().flat_map(|block| &block.rules).collect();
        let enabled: Vec<bool> =
            system.blocks.iter().flat_map(|block| block.rules.iter().map(|_| block.enabled)).collect();
        // ELSE rules come last, because their strength depends on the other rules.
        let mut in_order: Vec<usize> = (0..rules.len()).collect();
        in_order.sort_by_key(|rule| rules[*rule].antecedent == Antecedent::Else);
        let mut at = 0;
        for rule in in_order {
            let slot = steps.firing[rule];
            if !live[slot] || !enabled[rule] {
                continue;
            }
            let text = system.rule_text(rules[rule]).expect("invariant: the rules of a plan are checked");
            let first = first_unclaimed(&steps.steps, slot, &mut claimed);
            let strength = match (&self.labels[slot], first) {
                (Some(label), None) => format!(", {label}"),
                _ => String::new(),
            };
            at = at.max(first.unwrap_or(at));
            self.comments.push((at, format!("    // Rule {}{strength}: {}\n", rule + 1, comment(&text))));
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
            self.comments.push((self.cores[i], format!("\n    // {name}: {kind}\n")));
        }
        self.comments.sort_by_key(|(at, _)| *at);
        if let Some((_, first)) = self.comments.first_mut()
            && !first.starts_with('\n')
        {
            first.insert(0, '\n');
        }
    }
}

/// First step of a strength that no earlier rule needs; marks the steps of the strength as claimed.
fn first_unclaimed(steps: &[Step], slot: Slot, claimed: &mut [bool]) -> Option<Slot> {
    let mut pending = vec![slot];
    let mut first = None;
    while let Some(slot) = pending.pop() {
        if claimed[slot] || matches!(steps[slot], Step::Constant { .. }) {
            continue;
        }
        claimed[slot] = true;
        first = Some(first.unwrap_or(slot).min(slot));
        pending.extend(steps[slot].operands());
    }
    first
}

/// The step that computes an output before clamping and defaults.
fn core(steps: &[Step], output: &CompiledOutput) -> Slot {
    let mut slot = match output {
        CompiledOutput::Value(slot) => *slot,
        CompiledOutput::LockPrevious(lock) => lock.value,
    };
    loop {
        slot = match &steps[slot] {
            Step::Select { otherwise, .. } => *otherwise,
            Step::Unary { op: UnaryOp::Clamp(..), x } => *x,
            _ => return slot,
        };
    }
}

/// Steps that multiply two memberships.
fn products(steps: &[Step]) -> HashMap<(Slot, Slot), Slot> {
    let product = |(slot, step): (Slot, &Step)| match step {
        Step::Binary { op: BinaryOp::TNorm(TNorm::AlgebraicProduct), a, b } => Some(((*a, *b), slot)),
        _ => None,
    };
    steps.iter().enumerate().filter_map(product).collect()
}

/// The step that computes a term's weight, including products that the plan computes within the term.
fn weight(products: &HashMap<(Slot, Slot), Slot>, term: &Term) -> Slot {
    match term.second_factor {
        Some(second) => *products
            .get(&(term.weight, second))
            .expect("invariant: a weight with two factors is the product of a step"),
        None => term.weight,
    }
}

/// Operands of a step, with the products of weights as separate steps.
fn operands(products: &HashMap<(Slot, Slot), Slot>, step: &Step) -> Vec<Slot> {
    let Step::Weighted { terms, .. } = step else { return step.operands() };
    let of_term = |term: &Term| {
        let term = Term { weight: weight(products, term), second_factor: None, ..term.clone() };
        term.operands()
    };
    terms.iter().flat_map(of_term).collect()
}

/// Mask of the steps that the outputs need, and the number of times each step's expression would be written.
fn live(steps: &Steps, products: &HashMap<(Slot, Slot), Slot>) -> (Vec<bool>, Vec<usize>) {
    let mut live = vec![false; steps.steps.len()];
    let mut uses = vec![0; steps.steps.len()];
    for output in &steps.outputs {
        let slots = match output {
            CompiledOutput::Value(slot) => vec![*slot],
            CompiledOutput::LockPrevious(lock) => vec![lock.value, lock.missing],
        };
        for slot in slots {
            live[slot] = true;
            uses[slot] += 1;
        }
    }
    for (i, step) in
        steps.steps.iter().enumerate().rev().filter(|(_, step)| !matches!(step, Step::Constant { .. }))
    {
        if live[i] {
            // These steps write their operands more than once or in another place.
            let repeated = matches!(step, Step::Weighted { .. } | Step::Rank { .. });
            for slot in operands(products, step) {
                live[slot] = true;
                uses[slot] += if repeated { 2 } else { 1 };
            }
        }
    }
    (live, uses)
}
