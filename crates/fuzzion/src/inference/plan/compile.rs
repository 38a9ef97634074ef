//! From a system to steps: every question that the dialect and the system answer is answered here, once.

use super::step::{One, Slot, Step, Two};
use super::{Finish, Mode, Steps};
use crate::data::Precision;
use crate::inference::dialect::Dialect;
use crate::inference::row::resolve;
use crate::inference::rule::{Antecedent, Conjunction, Place, Proposition, RuleBlock};
use crate::inference::system::System;
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm};
use std::collections::HashMap;

/// In single precision a product of two numbers of at least this size is a normal number: numbers below the normal ones
/// take a hundred times as long on many CPUs.
const FLUSH_BELOW: f64 = 1.0 / (1u64 << 63) as f64;
/// Where all weights together reach this, what is flushed is lost in their rounding.
pub(super) const LEAST_WEIGHT: f64 = 1.0 / (1u64 << 39) as f64;

/// A set that a rule concludes about an output.
#[derive(Clone, Copy)]
pub(super) struct Concluded {
    pub(super) set: usize,
    pub(super) negated: bool,
    pub(super) implication: Option<TNorm>,
    /// 0 where the rule does not conclude.
    pub(super) strength: Slot,
    /// Where the rule concludes, if not everywhere.
    pub(super) present: Option<Slot>,
}

pub(super) struct Compiler<'a> {
    pub(super) system: &'a System,
    pub(super) dialect: Dialect,
    /// Whether all inputs are finite, and nothing else can make a NaN of a strength.
    pub(super) clean: bool,
    pub(super) steps: Vec<Step>,
    /// Whether a number is within 0 … 1 (or NaN).
    pub(super) unit: Vec<bool>,
    /// Steps already there, by what they say.
    known: HashMap<String, Slot>,
    pub(super) inputs: Vec<Slot>,
    pub(super) concluded: Vec<Vec<Concluded>>,
    /// For each output the masks of the rules about it that fired.
    fired: Vec<Vec<Slot>>,
    /// The outputs of this row as far as they are finished.
    finished: Vec<Option<Slot>>,
    firing: Vec<Slot>,
    /// Whether Functions read outputs of the row before.
    pub(super) sequential: bool,
    /// Whether products are kept from numbers below the normal ones.
    pub(super) flush: bool,
    /// Whether centroids are found in closed form.
    pub(super) exact: bool,
    /// The numbers that are NaN in rows which flushing may have changed.
    pub(super) doubts: Vec<Slot>,
    /// Whether a norm or hedge met a number outside 0 … 1, of which it may make a NaN.
    doubtful: bool,
}

/// The steps of a checked system, for any rows.
pub(super) fn guarded(system: &System, dialect: Dialect, mode: Mode) -> Steps {
    Compiler::new(system, dialect, mode, false).run()
}

/// The steps for rows of finite inputs, where nothing else can make a NaN.
///
/// In single precision they take products of tiny memberships for 0, and say so where that matters.
pub(super) fn clean(system: &System, dialect: Dialect, precision: Precision, mode: Mode) -> Option<Steps> {
    let mut compiler = Compiler::new(system, dialect, mode, true);
    compiler.flush =
        precision == Precision::F32 && !system.outputs.iter().any(|o| o.defuzzifier.is_sampled());
    let steps = compiler.run();
    (may_be_clean(system) && !compiler.doubtful).then_some(steps)
}

/// Whether strengths can be NaN only where an input is.
fn may_be_clean(system: &System) -> bool {
    let ordinary = |set: &Set| {
        !matches!(set.shape(), Shape::Function { .. } | Shape::Linear { .. } | Shape::Constant { .. })
    };
    let finite = system.blocks.iter().flat_map(|block| &block.rules).all(|rule| rule.weight.is_finite());
    finite && system.inputs.iter().flat_map(|input| &input.sets).all(|named| ordinary(&named.set))
}

/// Whether a Function names an output that is not finished before it is read, or that may keep its previous value.
pub(super) fn reads_previous(system: &System, mode: Mode) -> bool {
    let reads = |set: &Set, finished: usize| match set.shape() {
        Shape::Function { expression } => expression.variables().iter().any(|name| {
            let output = system.outputs.iter().rposition(|output| output.variable.name == *name);
            output.is_some_and(|i| i >= finished || mode.kept && system.outputs[i].lock_previous)
        }),
        _ => false,
    };
    let inputs = system.inputs.iter().flat_map(|input| &input.sets).any(|named| reads(&named.set, 0));
    let outputs = system.outputs.iter().enumerate();
    inputs || outputs.into_iter().any(|(i, o)| o.variable.sets.iter().any(|named| reads(&named.set, i)))
}

impl<'a> Compiler<'a> {
    fn new(system: &'a System, dialect: Dialect, mode: Mode, clean: bool) -> Self {
        let outputs = system.outputs.len();
        Compiler {
            system,
            dialect,
            clean,
            steps: Vec::new(),
            unit: Vec::new(),
            known: HashMap::new(),
            inputs: Vec::new(),
            concluded: vec![Vec::new(); outputs],
            fired: vec![Vec::new(); outputs],
            finished: vec![None; outputs],
            firing: Vec::new(),
            sequential: reads_previous(system, mode),
            flush: false,
            exact: mode.exact,
            doubts: Vec::new(),
            doubtful: false,
        }
    }

    fn run(&mut self) -> Steps {
        let system = self.system;
        for (i, input) in system.inputs.iter().enumerate() {
            let mut slot = self.push(Step::Input { input: i }, false);
            if input.lock_range {
                slot = self.one(One::Locked(input.minimum, input.maximum), slot);
            }
            self.inputs.push(slot);
        }
        system.blocks.iter().for_each(|block| self.block(block));
        let mut outputs = Vec::new();
        for (i, output) in system.outputs.iter().enumerate() {
            let finish = self.finish(i, output);
            self.finished[i] = match &finish {
                Finish::Done(slot) => Some(*slot),
                // Read only where it is taken to be there.
                Finish::Carried(carried) => Some(match carried.range {
                    Some((minimum, maximum)) => self.one(One::Locked(minimum, maximum), carried.value),
                    None => carried.value,
                }),
            };
            outputs.push(finish);
        }
        let fired = (0..system.outputs.len()).map(|i| self.any_fired(i)).collect();
        let activated = (0..system.outputs.len())
            .map(|i| (0..system.outputs[i].variable.sets.len()).map(|set| self.strength_of(i, set)).collect())
            .collect();
        Steps {
            outputs,
            firing: std::mem::take(&mut self.firing),
            activated,
            fired,
            doubts: std::mem::take(&mut self.doubts),
            steps: std::mem::take(&mut self.steps),
        }
    }

    /// A step's number; a step that is there already is not made again.
    pub(super) fn push(&mut self, step: Step, unit: bool) -> Slot {
        let key = format!("{step:?}");
        if let Some(slot) = self.known.get(&key) {
            return *slot;
        }
        self.steps.push(step);
        self.unit.push(unit);
        self.known.insert(key, self.steps.len() - 1);
        self.steps.len() - 1
    }

    pub(super) fn number(&mut self, value: f64) -> Slot {
        self.push(Step::Number { value }, (0.0..=1.0).contains(&value))
    }

    pub(super) fn one(&mut self, one: One, of: Slot) -> Slot {
        self.doubtful |= matches!(one, One::Hedge(_)) && !self.unit[of];
        let unit = match one {
            One::Hedge(_) | One::Positive | One::Whole | One::Flushed(_) => self.unit[of],
            One::Times(factor) => self.unit[of] && (0.0..=1.0).contains(&factor),
            One::DividedBy(n) => self.unit[of] && n >= 1.0,
            One::Above(_) | One::Compared(..) | One::IsNan => true,
            One::Locked(..) => false,
        };
        self.push(Step::One { one, of }, unit)
    }

    pub(super) fn two(&mut self, two: Two, a: Slot, b: Slot) -> Slot {
        let two = match two {
            Two::And(TNorm::Minimum) if self.clean => Two::Least,
            Two::Or(SNorm::Maximum) if self.clean => Two::Most,
            other => other,
        };
        let bounded = match two {
            Two::And(_) | Two::Least | Two::Most | Two::Times => true,
            Two::Or(norm) => norm != SNorm::UnboundedSum,
            Two::Plus | Two::Minus | Two::Over => false,
        };
        let (a, b) = match two {
            Two::And(TNorm::AlgebraicProduct) if self.flush => (self.flushed(a), self.flushed(b)),
            _ => (a, b),
        };
        let units = self.unit[a] && self.unit[b];
        self.doubtful |=
            matches!(two, Two::And(_) | Two::Or(_) | Two::Least | Two::Most) && bounded && !units;
        let unit = bounded && units;
        self.push(Step::Two { two, a, b }, unit)
    }

    /// The number, 0 where it is tiny.
    fn flushed(&mut self, membership: Slot) -> Slot {
        match self.steps[membership] {
            Step::Number { .. } | Step::One { one: One::Flushed(_), .. } => membership,
            _ => self.one(One::Flushed(FLUSH_BELOW), membership),
        }
    }

    /// The number, NaN counting as 0.
    pub(super) fn whole(&mut self, strength: Slot) -> Slot {
        match self.unit[strength] {
            _ if self.clean => strength,
            true => self.one(One::Positive, strength),
            false => self.one(One::Whole, strength),
        }
    }

    fn both(&mut self, a: Option<Slot>, b: Option<Slot>) -> Option<Slot> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.two(Two::Times, a, b)),
            _ => a.or(b),
        }
    }

    fn bent(&mut self, hedges: &[Hedge], mut membership: Slot) -> Slot {
        for hedge in hedges.iter().rev() {
            membership = match hedge {
                Hedge::Any => self.number(1.0),
                _ => self.one(One::Hedge(*hedge), membership),
            };
        }
        membership
    }

    pub(super) fn antecedent(&mut self, block: &RuleBlock, antecedent: &Antecedent) -> Slot {
        match antecedent {
            Antecedent::Is(proposition) => self.proposition(proposition),
            Antecedent::And(all) => {
                let parts: Vec<Slot> = all.iter().map(|part| self.antecedent(block, part)).collect();
                match block.conjunction {
                    Some(Conjunction::Mean) => {
                        let units = parts.iter().all(|part| self.unit[*part]);
                        let sum = self.joined(Two::Plus, &parts);
                        let mean = self.one(One::DividedBy(parts.len() as f64), sum);
                        self.unit[mean] |= units; // though the sum is not
                        mean
                    }
                    Some(Conjunction::Norm(norm)) => self.joined(Two::And(norm), &parts),
                    None => self.number(f64::NAN), // refused by the check
                }
            }
            Antecedent::Or(any) => {
                let parts: Vec<Slot> = any.iter().map(|part| self.antecedent(block, part)).collect();
                match block.disjunction {
                    Some(norm) => self.joined(Two::Or(norm), &parts),
                    None => self.number(f64::NAN), // refused by the check
                }
            }
            Antecedent::Not(part) => {
                let part = self.antecedent(block, part);
                self.one(One::Hedge(Hedge::Not), part)
            }
            Antecedent::Else => self.number(f64::NAN), // refused by the check
        }
    }

    /// The parts joined from the left; NaN of none.
    pub(super) fn joined(&mut self, two: Two, parts: &[Slot]) -> Slot {
        let joined = parts.iter().copied().reduce(|a, b| self.two(two, a, b));
        joined.unwrap_or_else(|| self.number(f64::NAN))
    }

    fn proposition(&mut self, proposition: &Proposition) -> Slot {
        let variable = self.system.variable(proposition.variable);
        if !variable.enabled {
            return self.number(0.0);
        }
        let set = proposition.set.map(|set| resolve(variable, set, self.dialect));
        let membership = match (proposition.variable, set) {
            (_, None) => self.number(f64::NAN), // `any` makes 1 of it
            (Place::Input(i), Some(set)) => self.membership(&variable.sets[set].set, self.inputs[i]),
            (Place::Output(i), Some(set)) => self.strength_of(i, set),
        };
        self.bent(&proposition.hedges, membership)
    }

    /// The strength with which a set was concluded so far, of all rules together.
    fn strength_of(&mut self, output: usize, set: usize) -> Slot {
        let norm = self.system.outputs[output].aggregation.unwrap_or(SNorm::UnboundedSum);
        let same = self.concluded[output].iter().copied().filter(|concluded| concluded.set == set);
        let joined = same.collect::<Vec<_>>().into_iter().reduce(|a, b| self.together(norm, a, b));
        joined.map_or_else(|| self.number(0.0), |joined| joined.strength)
    }

    /// Two conclusions about the same set as one.
    pub(super) fn together(&mut self, norm: SNorm, a: Concluded, b: Concluded) -> Concluded {
        let mut strength = self.two(Two::Or(norm), a.strength, b.strength);
        // A strength of 0 stands for none, and changes none within 0 … 1; larger ones some norms would cut.
        if !(self.unit[a.strength] && self.unit[b.strength]) {
            for (present, other) in [(a.present, b.strength), (b.present, a.strength)] {
                if let Some(mask) = present {
                    strength = self.push(Step::Choice { mask, then: strength, otherwise: other }, false);
                }
            }
        }
        let present = match (a.present, b.present) {
            (Some(a), Some(b)) => Some(self.two(Two::Most, a, b)),
            _ => None,
        };
        Concluded { strength, present, ..a }
    }

    /// μ(x) of a set; the consequents among the shapes read the row.
    pub(super) fn membership(&mut self, set: &Set, x: Slot) -> Slot {
        match set.shape() {
            Shape::Constant { value } => self.number(*value),
            Shape::Linear { .. } => self.linear(set),
            Shape::Function { expression } => {
                let names = expression.variables().to_vec();
                let arguments =
                    names.iter().map(|name| if name == "x" { x } else { self.named(name) }).collect();
                self.push(Step::Function { expression: expression.clone(), arguments }, false)
            }
            shape => {
                let low = match shape {
                    Shape::Discrete { points } => points.iter().all(|(_, y)| (0.0..=1.0).contains(y)),
                    _ => true,
                };
                self.push(Step::Membership { set: set.clone(), x }, low && set.height() <= 1.0)
            }
        }
    }

    pub(super) fn linear(&mut self, set: &Set) -> Slot {
        let Shape::Linear { coefficients, constant } = set.shape() else { return self.number(f64::NAN) };
        let inputs = self.inputs.clone();
        let step = Step::Linear { coefficients: coefficients.clone(), constant: *constant, inputs };
        self.push(step, false)
    }

    /// The value of the variable of that name, the last of several.
    pub(super) fn named(&mut self, name: &str) -> Slot {
        let output = self.system.outputs.iter().rposition(|output| output.variable.name == name);
        let input = self.system.inputs.iter().rposition(|input| input.name == name);
        match (output, input) {
            (Some(i), _) => {
                self.finished[i].unwrap_or_else(|| self.push(Step::Previous { output: i }, false))
            }
            (None, Some(i)) => self.inputs[i],
            (None, None) => self.number(f64::NAN),
        }
    }

    /// Hands a rule's conclusions to their outputs, where it is chosen.
    pub(super) fn conclude(&mut self, block: &RuleBlock, rule: usize, strength: Slot, chosen: Option<Slot>) {
        let above = if self.dialect == Dialect::Fuzzylite6 { 1e-6 } else { 0.0 };
        let fires = self.one(One::Above(above), strength);
        let fired = self.both(Some(fires), chosen);
        let present = if self.dialect.concludes_without_firing() { chosen } else { fired };
        let mut carried = strength;
        for conclusion in &block.rules[rule].consequent {
            let variable = &self.system.outputs[conclusion.output].variable;
            if !variable.enabled {
                continue;
            }
            let mut negated = false;
            let bent = match self.dialect {
                Dialect::Fuzzylite8 | Dialect::Fuzzylite6 => {
                    carried = self.bent(&conclusion.hedges, carried);
                    carried
                }
                Dialect::Matlab => {
                    let not = |hedge: &&Hedge| **hedge == Hedge::Not;
                    negated = conclusion.hedges.iter().filter(not).count() % 2 == 1;
                    let other: Vec<Hedge> =
                        conclusion.hedges.iter().copied().filter(|hedge| *hedge != Hedge::Not).collect();
                    self.bent(&other, strength)
                }
                Dialect::Iec => self.bent(&conclusion.hedges, strength),
            };
            let whole = self.whole(bent);
            // A strength of 0 is none; only where it was bent, or must be more than a little, is the mask needed.
            let masked = match present {
                Some(mask) if mask != fires || bent != strength || above > 0.0 || !self.unit[bent] => {
                    let nothing = self.number(0.0);
                    let unit = self.unit[whole];
                    self.push(Step::Choice { mask, then: whole, otherwise: nothing }, unit)
                }
                _ => whole,
            };
            self.concluded[conclusion.output].push(Concluded {
                set: resolve(variable, conclusion.set, self.dialect),
                negated,
                implication: block.implication,
                strength: masked,
                present,
            });
            self.fired[conclusion.output].extend(fired);
        }
    }

    /// Notes the firing strengths of the next rules.
    pub(super) fn note_firing(&mut self, strengths: Vec<Slot>) {
        self.firing.extend(strengths);
    }

    pub(super) fn any_fired(&mut self, output: usize) -> Slot {
        match self.fired[output].clone().as_slice() {
            [] => self.number(0.0),
            masks => self.joined(Two::Most, masks),
        }
    }
}
