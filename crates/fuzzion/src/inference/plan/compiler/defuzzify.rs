//! Steps that compute an output's value from the conclusions of its rules.

use super::{CompiledConclusion, Compiler, MIN_TOTAL_WEIGHT};
use crate::inference::plan::compiled::{CompiledOutput, LockPrevious};
use crate::inference::plan::sampled::{Sampled, SampledSet};
use crate::inference::plan::step::{BinaryOp, Consequent, Slot, Step, Term, UnaryOp, WeightedResult};
use crate::inference::{Defuzzifier, Dialect, Output, WeightedKind};
use crate::sets::Segment;
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm, complement};

impl Compiler<'_> {
    /// Compiles an output's value and its replacement for rows without a value.
    pub(super) fn output(&mut self, i: usize, output: &Output) -> CompiledOutput {
        let variable = &output.variable;
        if !variable.enabled {
            // A disabled output keeps its initial value, which is NaN.
            return CompiledOutput::Value(self.constant(f64::NAN));
        }
        let mut value = self.defuzzify(i, output);
        if output.scale != 1.0 {
            value = self.unary(UnaryOp::Scale(output.scale), value);
        }
        let missing = match self.dialect {
            Dialect::Fuzzylite6 => {
                let fired = self.any_fired(i);
                self.unary(UnaryOp::Hedge(Hedge::Not), fired)
            }
            Dialect::Matlab => {
                let (fired, nan) = (self.any_fired(i), self.unary(UnaryOp::IsNan, value));
                // NaN also if rules fired but the area over all samples is 0.
                if output.defuzzifier.is_sampled() {
                    nan
                } else {
                    let unfired = self.unary(UnaryOp::Hedge(Hedge::Not), fired);
                    self.binary(BinaryOp::Multiply, unfired, nan)
                }
            }
            _ => self.unary(UnaryOp::IsNan, value),
        };
        let range = variable.lock_range.then_some((variable.minimum, variable.maximum));
        let clamp = |compiler: &mut Self, slot: Slot| match range {
            Some((minimum, maximum)) => compiler.unary(UnaryOp::Clamp(minimum, maximum), slot),
            None => slot,
        };
        let default = output.default.unwrap_or(f64::NAN);
        let replacement = match self.dialect {
            Dialect::Matlab => self.constant(variable.minimum / 2.0 + variable.maximum / 2.0),
            _ if output.lock_previous && !self.sequential => {
                return CompiledOutput::LockPrevious(LockPrevious { value, missing, default, range });
            }
            _ if output.lock_previous => {
                let previous = self.push(Step::Previous { output: i }, false);
                let none = self.unary(UnaryOp::IsNan, previous);
                let default = self.constant(default);
                self.push(Step::Select { mask: none, then: default, otherwise: previous }, false)
            }
            _ if default.is_nan() && !matches!(self.dialect, Dialect::Fuzzylite6) => {
                return CompiledOutput::Value(clamp(self, value)); // NaN would be replaced by NaN
            }
            _ => self.constant(default),
        };
        let value = self.push(Step::Select { mask: missing, then: replacement, otherwise: value }, false);
        CompiledOutput::Value(clamp(self, value))
    }

    fn defuzzify(&mut self, i: usize, output: &Output) -> Slot {
        match output.defuzzifier {
            Defuzzifier::WeightedAverage { kind } => self.weighted(i, output, kind, WeightedResult::Average),
            Defuzzifier::WeightedSum { kind } => {
                let matlab = self.dialect == Dialect::Matlab;
                let form = if matlab { WeightedResult::PlainSum } else { WeightedResult::Sum };
                self.weighted(i, output, kind, form)
            }
            _ => self.sampled(i, output),
        }
    }

    fn weighted(&mut self, i: usize, output: &Output, kind: WeightedKind, form: WeightedResult) -> Slot {
        let norm = output.aggregation.unwrap_or(SNorm::UnboundedSum);
        let mut groups: Vec<CompiledConclusion> = Vec::new();
        for conclusion in self.concluded[i].clone() {
            match groups
                .iter()
                .position(|group| self.dialect.groups_equal_sets() && group.set == conclusion.set)
            {
                Some(at) => {
                    let joined = self.combine(norm, groups[at], conclusion);
                    groups[at] =
                        CompiledConclusion { strength: self.replace_non_finite(joined.strength), ..joined };
                }
                None => groups.push(conclusion),
            }
        }
        let terms = groups.into_iter().map(|group| {
            let set = &output.variable.sets[group.set].set;
            let z = self.consequent(set, group.strength, kind);
            // A finite constant needs no mask: its product with a strength of 0 is 0.
            let is_finite_constant = matches!(z, Consequent::Constant(z) if z.is_finite());
            let (weight, second_factor) = match self.steps[group.strength] {
                Step::Binary { op: BinaryOp::TNorm(TNorm::AlgebraicProduct), a, b } => (a, Some(b)),
                _ => (group.strength, None),
            };
            Term { weight, second_factor, z, present: group.present.filter(|_| !is_finite_constant) }
        });
        let terms = terms.collect();
        let flushed =
            self.steps.iter().any(|step| matches!(step, Step::Unary { op: UnaryOp::FlushBelow(_), .. }));
        let min_weight = if flushed { MIN_TOTAL_WEIGHT } else { f64::NEG_INFINITY };
        let value = self.push(Step::Weighted { terms, form, min_weight }, false);
        if flushed {
            self.fallback_flags.push(value);
        }
        value
    }

    fn consequent(&mut self, set: &Set, strength: Slot, kind: WeightedKind) -> Consequent {
        let monotone = set.is_monotone();
        match kind {
            WeightedKind::Tsukamoto if !monotone => Consequent::Constant(f64::NAN),
            WeightedKind::Automatic | WeightedKind::Tsukamoto if monotone => {
                Consequent::Step(self.push(Step::Tsukamoto { set: set.clone(), strength }, false))
            }
            _ => match set.shape() {
                Shape::Constant { value } => Consequent::Constant(*value),
                Shape::Linear { coefficients, constant } => Consequent::Linear {
                    coefficients: coefficients.clone(),
                    constant: *constant,
                    inputs: self.inputs.clone(),
                },
                _ => Consequent::Step(self.membership(set, strength)),
            },
        }
    }

    fn sampled(&mut self, i: usize, output: &Output) -> Slot {
        let (variable, defuzzifier) = (&output.variable, output.defuzzifier);
        let y = self.dialect.sample_points(variable.minimum, variable.maximum, defuzzifier.samples());
        let aggregation = output.aggregation;
        let aggregation =
            aggregation.expect("invariant: `System::check` requires an aggregation for samples");
        let mut sets: Vec<((usize, bool), SampledSet)> = Vec::new();
        let mut row_values = Vec::new();
        let mut terms: Vec<(usize, TNorm)> = Vec::new();
        let mut strengths: Vec<Slot> = Vec::new();
        let positive = self.concluded[i].iter().all(|conclusion| self.unit[conclusion.strength]);
        for conclusion in self.concluded[i].clone() {
            let key = (conclusion.set, conclusion.negated);
            let at = sets.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                let set = self.sampled_set(
                    &variable.sets[conclusion.set].set,
                    conclusion.negated,
                    &y,
                    &mut row_values,
                );
                sets.push((key, set));
                sets.len() - 1
            });
            let implication = conclusion.implication;
            let implication =
                implication.expect("invariant: `System::check` requires an implication for samples");
            let term = (at, implication);
            // Implications are monotone, so for one set the maximum of the strengths suffices; products add up.
            let join = match (aggregation, implication) {
                (SNorm::Maximum, _) => Some(BinaryOp::Max),
                (SNorm::UnboundedSum, TNorm::AlgebraicProduct) => Some(BinaryOp::Add),
                _ => None,
            };
            match (terms.iter().position(|known| *known == term), join) {
                (Some(at), Some(join)) => {
                    strengths[at] = self.binary(join, strengths[at], conclusion.strength)
                }
                _ => {
                    terms.push(term);
                    strengths.push(conclusion.strength);
                }
            }
        }
        let lines = |((set, negated), _): &((usize, bool), SampledSet)| {
            let lines = variable.sets[*set].set.segments(variable.minimum, variable.maximum)?;
            let maybe_negated = |m: f64| if *negated { complement(m) } else { m };
            Some(
                lines
                    .iter()
                    .map(|l| Segment { start: maybe_negated(l.start), end: maybe_negated(l.end), ..*l })
                    .collect(),
            )
        };
        let exact = match defuzzifier {
            Defuzzifier::Centroid { .. } if self.exact => sets.iter().map(lines).collect(),
            _ => None,
        };
        let sets = sets.into_iter().map(|(_, set)| set).collect();
        let (fired_only, matlab) =
            (!self.dialect.activates_without_firing(), self.dialect == Dialect::Matlab);
        let sampled = Box::new(Sampled {
            y,
            sets,
            terms,
            aggregation,
            defuzzifier,
            exact,
            positive,
            fired_only,
            matlab,
        });
        self.push(Step::Defuzzify { sampled, strengths, row_values }, false)
    }

    fn sampled_set(&mut self, set: &Set, negated: bool, y: &[f64], row_values: &mut Vec<Slot>) -> SampledSet {
        let mut row_value = |slot: Slot| {
            row_values.iter().position(|known| *known == slot).unwrap_or_else(|| {
                row_values.push(slot);
                row_values.len() - 1
            })
        };
        match set.shape() {
            Shape::Linear { coefficients, constant } => {
                SampledSet::RowConstant { index: row_value(self.linear(coefficients, *constant)), negated }
            }
            Shape::Function { expression } if expression.variables().iter().any(|name| name != "x") => {
                let names = expression.variables().to_vec();
                let argument = |name: &String| (name != "x").then(|| row_value(self.variable_value(name)));
                let arguments = names.iter().map(argument).collect();
                SampledSet::Formula { expression: expression.clone(), arguments, negated }
            }
            _ => {
                let of = |y: &f64| if negated { complement(set.membership(*y)) } else { set.membership(*y) };
                let memberships: Vec<f64> = y.iter().map(of).collect();
                match set.shape() {
                    // Kernel constants must be finite, so a formula with undefined values is evaluated per row.
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
