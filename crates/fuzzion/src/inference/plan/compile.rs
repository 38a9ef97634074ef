//! From a system to steps: every question that the dialect and the system answer is answered here, once.

use super::sampled::{Sampled, SampledSet};
use super::step::{Consequent, One, Slot, Step, Term, Two, WeightedEnd};
use super::{Carried, Finish, Mode, Steps};
use crate::data::Precision;
use crate::inference::defuzzifier::{Defuzzifier, Weighted};
use crate::inference::dialect::Dialect;
use crate::inference::row::resolve;
use crate::inference::rule::{Antecedent, Conjunction, Place, Proposition, RuleBlock};
use crate::inference::system::System;
use crate::inference::variable::Output;
use crate::sets::lines::Line;
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm, complement};
use std::collections::HashMap;

/// In single precision a product of two numbers of at least this size is a normal number: numbers below the normal ones
/// take a hundred times as long on many CPUs.
const FLUSH_BELOW: f64 = 1.0 / (1u64 << 63) as f64;
/// Where all weights together reach this, what is flushed is lost in their rounding.
const LEAST_WEIGHT: f64 = 1.0 / (1u64 << 39) as f64;

/// A set that a rule concludes about an output.
#[derive(Clone, Copy)]
struct Concluded {
    set: usize,
    negated: bool,
    implication: Option<TNorm>,
    /// 0 where the rule does not conclude.
    strength: Slot,
    /// Where the rule concludes, if not everywhere.
    present: Option<Slot>,
}

pub(super) struct Compiler<'a> {
    pub(super) system: &'a System,
    pub(super) dialect: Dialect,
    /// Whether all inputs are finite, and nothing else can make a NaN of a strength.
    clean: bool,
    steps: Vec<Step>,
    /// Whether a number is within 0 … 1 (or NaN).
    unit: Vec<bool>,
    /// Steps already there, by what they say.
    known: HashMap<String, Slot>,
    inputs: Vec<Slot>,
    concluded: Vec<Vec<Concluded>>,
    /// For each output the masks of the rules about it that fired.
    fired: Vec<Vec<Slot>>,
    /// The outputs of this row as far as they are finished.
    finished: Vec<Option<Slot>>,
    firing: Vec<Slot>,
    /// Whether Functions read outputs of the row before.
    pub(super) sequential: bool,
    /// Whether products are kept from numbers below the normal ones.
    flush: bool,
    /// Whether centroids are found in closed form.
    exact: bool,
    /// The numbers that are NaN in rows which flushing may have changed.
    doubts: Vec<Slot>,
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
    fn whole(&mut self, strength: Slot) -> Slot {
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
                        let sum = self.joined(Two::Plus, &parts);
                        self.one(One::DividedBy(parts.len() as f64), sum)
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
        let same = self.concluded[output].iter().filter(|concluded| concluded.set == set);
        let strengths: Vec<Slot> = same.map(|concluded| concluded.strength).collect();
        match strengths.as_slice() {
            [] => self.number(0.0),
            strengths => self.joined(Two::Or(norm), strengths),
        }
    }

    /// μ(x) of a set; the consequents among the shapes read the row.
    fn membership(&mut self, set: &Set, x: Slot) -> Slot {
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

    fn linear(&mut self, set: &Set) -> Slot {
        let Shape::Linear { coefficients, constant } = set.shape() else { return self.number(f64::NAN) };
        let inputs = self.inputs.clone();
        let step = Step::Linear { coefficients: coefficients.clone(), constant: *constant, inputs };
        self.push(step, false)
    }

    /// The value of the variable of that name, the last of several.
    fn named(&mut self, name: &str) -> Slot {
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

    fn any_fired(&mut self, output: usize) -> Slot {
        match self.fired[output].clone().as_slice() {
            [] => self.number(0.0),
            masks => self.joined(Two::Most, masks),
        }
    }

    /// An output's number, and what takes its place where there is none.
    fn finish(&mut self, i: usize, output: &Output) -> Finish {
        let variable = &output.variable;
        if !variable.enabled {
            // It stays what it was, which at the beginning is nothing.
            return Finish::Done(self.number(f64::NAN));
        }
        let value = self.defuzzify(i, output);
        let missing = match self.dialect {
            Dialect::Fuzzylite6 => {
                let fired = self.any_fired(i);
                self.one(One::Hedge(Hedge::Not), fired)
            }
            Dialect::Matlab => {
                let (fired, nan) = (self.any_fired(i), self.one(One::IsNan, value));
                let unfired = self.one(One::Hedge(Hedge::Not), fired);
                self.two(Two::Times, unfired, nan)
            }
            _ => self.one(One::IsNan, value),
        };
        let range = variable.lock_range.then_some((variable.minimum, variable.maximum));
        let lock = |compiler: &mut Self, slot: Slot| match range {
            Some((minimum, maximum)) => compiler.one(One::Locked(minimum, maximum), slot),
            None => slot,
        };
        let default = output.default.unwrap_or(f64::NAN);
        let instead = match self.dialect {
            Dialect::Matlab => self.number(variable.minimum / 2.0 + variable.maximum / 2.0),
            _ if output.lock_previous && !self.sequential => {
                return Finish::Carried(Carried { value, missing, default, range });
            }
            _ if output.lock_previous => {
                let previous = self.push(Step::Previous { output: i }, false);
                let none = self.one(One::IsNan, previous);
                let default = self.number(default);
                self.push(Step::Choice { mask: none, then: default, otherwise: previous }, false)
            }
            _ if default.is_nan() && !matches!(self.dialect, Dialect::Fuzzylite6) => {
                return Finish::Done(lock(self, value)); // NaN instead of NaN
            }
            _ => self.number(default),
        };
        let value = self.push(Step::Choice { mask: missing, then: instead, otherwise: value }, false);
        Finish::Done(lock(self, value))
    }

    fn defuzzify(&mut self, i: usize, output: &Output) -> Slot {
        match output.defuzzifier {
            Defuzzifier::WeightedAverage { kind } => self.weighted(i, output, kind, WeightedEnd::Average),
            Defuzzifier::WeightedSum { kind } => {
                let plain = self.dialect == Dialect::Matlab;
                let end = if plain { WeightedEnd::PlainSum } else { WeightedEnd::Sum };
                self.weighted(i, output, kind, end)
            }
            _ => self.sampled(i, output),
        }
    }

    fn weighted(&mut self, i: usize, output: &Output, kind: Weighted, end: WeightedEnd) -> Slot {
        let norm = output.aggregation.unwrap_or(SNorm::UnboundedSum);
        let groups_sets = matches!(self.dialect, Dialect::Fuzzylite8 | Dialect::Fuzzylite6);
        let mut groups: Vec<Concluded> = Vec::new();
        for one in self.concluded[i].clone() {
            match groups.iter().position(|group| groups_sets && group.set == one.set) {
                Some(at) => {
                    let group = groups[at];
                    let joined = self.two(Two::Or(norm), group.strength, one.strength);
                    groups[at].strength = self.whole(joined);
                    groups[at].present = match (group.present, one.present) {
                        (Some(a), Some(b)) => Some(self.two(Two::Most, a, b)),
                        _ => None,
                    };
                }
                None => groups.push(one),
            }
        }
        let terms = groups.into_iter().map(|group| {
            let set = &output.variable.sets[group.set].set;
            let z = self.consequent(set, group.strength, kind);
            // Where the strength is 0 a finite number vanishes by itself.
            let vanishes = matches!(z, Consequent::Number(z) if z.is_finite());
            let (weight, times) = match self.steps[group.strength] {
                Step::Two { two: Two::And(TNorm::AlgebraicProduct), a, b } => (a, Some(b)),
                _ => (group.strength, None),
            };
            Term { weight, times, z, present: group.present.filter(|_| !vanishes) }
        });
        let terms = terms.collect();
        let flushed = self.steps.iter().any(|step| matches!(step, Step::One { one: One::Flushed(_), .. }));
        let least = if flushed { LEAST_WEIGHT } else { f64::NEG_INFINITY };
        let value = self.push(Step::Weighted { terms, end, least }, false);
        if flushed {
            self.doubts.push(value);
        }
        value
    }

    fn consequent(&mut self, set: &Set, strength: Slot, kind: Weighted) -> Consequent {
        let monotone = set.is_monotone();
        match kind {
            Weighted::Tsukamoto if !monotone => Consequent::Number(f64::NAN),
            Weighted::Automatic | Weighted::Tsukamoto if monotone => {
                Consequent::Value(self.push(Step::Tsukamoto { set: set.clone(), strength }, false))
            }
            _ => match set.shape() {
                Shape::Constant { value } => Consequent::Number(*value),
                Shape::Linear { coefficients, constant } => Consequent::Plane {
                    coefficients: coefficients.clone(),
                    constant: *constant,
                    inputs: self.inputs.clone(),
                },
                _ => Consequent::Value(self.membership(set, strength)),
            },
        }
    }

    fn sampled(&mut self, i: usize, output: &Output) -> Slot {
        let (variable, defuzzifier) = (&output.variable, output.defuzzifier);
        let y = self.dialect.sample_points(variable.minimum, variable.maximum, defuzzifier.samples());
        let aggregation = output.aggregation.unwrap_or(SNorm::Maximum); // the check asks for one
        let mut sets: Vec<((usize, bool), SampledSet)> = Vec::new();
        let mut rows = Vec::new();
        let mut terms: Vec<(usize, TNorm)> = Vec::new();
        let mut strengths: Vec<Slot> = Vec::new();
        let positive = self.concluded[i].iter().all(|one| self.unit[one.strength]);
        for one in self.concluded[i].clone() {
            let key = (one.set, one.negated);
            let at = sets.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                let set = self.sampled_set(&variable.sets[one.set].set, one.negated, &y, &mut rows);
                sets.push((key, set));
                sets.len() - 1
            });
            let term = (at, one.implication.unwrap_or(TNorm::Minimum)); // the check asks for one
            // Monotone implications of the same set: the strongest one is the largest everywhere; products add up.
            let join = match (aggregation, term.1) {
                (SNorm::Maximum, _) => Some(Two::Most),
                (SNorm::UnboundedSum, TNorm::AlgebraicProduct) => Some(Two::Plus),
                _ => None,
            };
            match (terms.iter().position(|known| *known == term), join) {
                (Some(at), Some(join)) => strengths[at] = self.two(join, strengths[at], one.strength),
                _ => {
                    terms.push(term);
                    strengths.push(one.strength);
                }
            }
        }
        let lines = |((set, negated), _): &((usize, bool), SampledSet)| {
            let lines = variable.sets[*set].set.lines(variable.minimum, variable.maximum)?;
            let turned = |m: f64| if *negated { complement(m) } else { m };
            Some(lines.iter().map(|l| Line { start: turned(l.start), end: turned(l.end), ..*l }).collect())
        };
        let exact = match defuzzifier {
            Defuzzifier::Centroid { .. } if self.exact => sets.iter().map(lines).collect(),
            _ => None,
        };
        let sets = sets.into_iter().map(|(_, set)| set).collect();
        let matlab = self.dialect == Dialect::Matlab;
        let sampled = Box::new(Sampled { y, sets, terms, aggregation, defuzzifier, exact, positive, matlab });
        self.push(Step::Defuzzify { sampled, strengths, rows }, false)
    }

    fn sampled_set(&mut self, set: &Set, negated: bool, y: &[f64], rows: &mut Vec<Slot>) -> SampledSet {
        let mut row = |slot: Slot| {
            rows.iter().position(|known| *known == slot).unwrap_or_else(|| {
                rows.push(slot);
                rows.len() - 1
            })
        };
        match set.shape() {
            Shape::Linear { .. } => SampledSet::OfRow { row: row(self.linear(set)), negated },
            Shape::Function { expression } if expression.variables().iter().any(|name| name != "x") => {
                let names = expression.variables().to_vec();
                let argument = |name: &String| (name != "x").then(|| row(self.named(name)));
                let arguments = names.iter().map(argument).collect();
                SampledSet::Formula { expression: expression.clone(), arguments, negated }
            }
            _ => {
                let of = |y: &f64| if negated { complement(set.membership(*y)) } else { set.membership(*y) };
                let memberships: Vec<f64> = y.iter().map(of).collect();
                match set.shape() {
                    // A formula without a value somewhere; what is no number is no constant of a kernel.
                    Shape::Function { expression } if memberships.iter().any(|m| !m.is_finite()) => {
                        let arguments = vec![None; expression.variables().len()];
                        SampledSet::Formula { expression: expression.clone(), arguments, negated }
                    }
                    _ => SampledSet::Fixed(memberships),
                }
            }
        }
    }
}
