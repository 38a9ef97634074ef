//! From what is concluded about an output to its number, as steps.

use super::compile::{Compiler, Concluded, LEAST_WEIGHT};
use super::sampled::{Sampled, SampledSet};
use super::step::{Consequent, One, Slot, Step, Term, Two, WeightedEnd};
use super::{Carried, Finish};
use crate::inference::defuzzifier::{Defuzzifier, Weighted};
use crate::inference::dialect::Dialect;
use crate::inference::variable::Output;
use crate::sets::lines::Line;
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm, complement};

impl Compiler<'_> {
    /// An output's number, and what takes its place where there is none.
    pub(super) fn finish(&mut self, i: usize, output: &Output) -> Finish {
        let variable = &output.variable;
        if !variable.enabled {
            // It stays what it was, which at the beginning is nothing.
            return Finish::Done(self.number(f64::NAN));
        }
        let mut value = self.defuzzify(i, output);
        if output.scale != 1.0 {
            value = self.one(One::Times(output.scale), value);
        }
        let missing = match self.dialect {
            Dialect::Fuzzylite6 => {
                let fired = self.any_fired(i);
                self.one(One::Hedge(Hedge::Not), fired)
            }
            Dialect::Matlab => {
                let (fired, nan) = (self.any_fired(i), self.one(One::IsNan, value));
                // Also where rules fired and no sample shows it: there is no area.
                if output.defuzzifier.is_sampled() {
                    nan
                } else {
                    let unfired = self.one(One::Hedge(Hedge::Not), fired);
                    self.two(Two::Times, unfired, nan)
                }
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
                    let joined = self.together(norm, groups[at], one);
                    groups[at] = Concluded { strength: self.whole(joined.strength), ..joined };
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
