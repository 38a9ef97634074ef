//! One row, in double precision: equations (1) to (3).

use super::interval::Interval;
use super::plan::{Center, Consequents, IntervalPlan};
use super::reduce::{Contribution, Point};
use crate::inference::row::{Row, whole};
use crate::inference::{
    Antecedent, Conjunction, Dialect, Output, Place, Proposition, RuleBlock, Source, Variable,
};
use crate::sets::{Hedge, SNorm, Shape, TNorm};

/// What an interval type-2 system concludes from one row.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalInference {
    /// A number for each output, equation (3).
    pub outputs: Vec<f64>,
    /// The type-reduced interval of each output, equation (2).
    pub ends: Vec<Interval>,
    /// The firing interval of every rule, block after block, equation (1).
    pub firing: Vec<Interval>,
    /// For each output whether any rule about it fired.
    pub fired: Vec<bool>,
}

/// A set that a rule concluded.
#[derive(Clone, Copy)]
struct Concluded {
    set: usize,
    strength: Interval,
    implication: TNorm,
    /// Whether `not` turns the set around instead of the strength.
    negated: bool,
}

/// Rows one after the other in the same memory.
pub(super) struct IntervalRow<'p> {
    plan: &'p IntervalPlan,
    /// Inputs, outputs so far, and what the dialect says where there is no number.
    base: Row<'p>,
    /// For each set of each input.
    memberships: Vec<Vec<Interval>>,
    firing: Vec<Interval>,
    concluded: Vec<Vec<Concluded>>,
    ends: Vec<Interval>,
    /// Room for sums over samples, for groups of conclusions, and for type reduction.
    samples: Vec<Interval>,
    groups: Vec<Concluded>,
    points: Vec<Point>,
}

impl<'p> IntervalRow<'p> {
    pub(super) fn new(plan: &'p IntervalPlan) -> Self {
        let system = plan.system.lower();
        let outputs = system.outputs.len();
        let base = Row {
            system,
            dialect: plan.dialect,
            inputs: vec![f64::NAN; system.inputs.len()],
            outputs: vec![f64::NAN; outputs],
            rules: Vec::new(),
            activated: Vec::new(),
            fired: vec![false; outputs],
            trace: None,
        };
        let none = Interval::exactly(f64::NAN);
        IntervalRow {
            plan,
            base,
            memberships: system.inputs.iter().map(|input| vec![none; input.sets.len()]).collect(),
            firing: Vec::new(),
            concluded: vec![Vec::new(); outputs],
            ends: vec![none; outputs],
            samples: Vec::new(),
            groups: Vec::new(),
            points: Vec::new(),
        }
    }

    /// The row before had these outputs.
    pub(super) fn after(mut self, previous: &[f64]) -> Self {
        self.base.outputs.copy_from_slice(previous);
        self
    }

    /// No row was before.
    pub(super) fn forget(&mut self) {
        self.base.outputs.fill(f64::NAN);
    }

    /// The outputs and their intervals for a row of as many inputs as there are, after the row that was inferred before.
    pub(super) fn infer(&mut self, inputs: impl Iterator<Item = f64>) -> (&[f64], &[Interval]) {
        let system = self.plan.system.lower();
        for ((own, variable), x) in self.base.inputs.iter_mut().zip(&system.inputs).zip(inputs) {
            *own = variable.locked(x);
        }
        self.base.fired.fill(false);
        self.firing.clear();
        self.concluded.iter_mut().for_each(Vec::clear);
        self.fuzzify();
        for (block, order) in system.blocks.iter().zip(&self.plan.orders) {
            self.block(block, order);
        }
        for (i, output) in system.outputs.iter().enumerate() {
            let reduced =
                if output.variable.enabled { self.reduce(i, output) } else { Interval::exactly(f64::NAN) };
            let reduced = reduced.map(|end| output.scale * end);
            let (value, source) = self.base.settled(i, output, reduced.middle());
            self.ends[i] = match source {
                Source::Rules => reduced.map(|end| output.variable.locked(end)),
                _ => Interval::exactly(value),
            };
            // A Function may name the outputs before its own.
            self.base.outputs[i] = self.ends[i].middle();
        }
        (&self.base.outputs, &self.ends)
    }

    pub(super) fn finish(self) -> IntervalInference {
        let IntervalRow { base, firing, ends, .. } = self;
        IntervalInference { outputs: base.outputs, ends, firing, fired: base.fired }
    }

    fn fuzzify(&mut self) {
        let (lower, upper) = (self.plan.system.lower(), &self.plan.upper);
        for (i, x) in self.base.inputs.iter().enumerate() {
            let sets = lower.inputs[i].sets.iter().zip(&upper.inputs[i].sets);
            for (j, (least, most)) in sets.enumerate() {
                let least = self.base.membership(&least.set, *x);
                let own = self.plan.has_upper[i][j];
                let most = if own { self.base.membership(&most.set, *x) } else { least };
                self.memberships[i][j] = Interval::new(least, most).within_unit();
            }
        }
    }

    fn block(&mut self, block: &RuleBlock, order: &[usize]) {
        let first = self.firing.len();
        self.firing.extend(block.rules.iter().map(|_| Interval::exactly(0.0)));
        if !block.enabled {
            return;
        }
        for i in order.iter().copied() {
            let rule = &block.rules[i];
            let membership = match &rule.antecedent {
                Antecedent::Else => self.unfired(block, first),
                antecedent => self.antecedent(block, antecedent),
            };
            self.firing[first + i] = membership.map(|end| rule.weight * end);
            self.conclude(block, first, i);
        }
    }

    /// What is left for an ELSE rule of a block whose first rule is `first`.
    fn unfired(&self, block: &RuleBlock, first: usize) -> Interval {
        let others = block.rules.iter().zip(&self.firing[first..]);
        let others = others.filter(|(rule, _)| rule.antecedent != Antecedent::Else);
        let most = others.fold(Interval::exactly(0.0), |most, (_, strength)| {
            most.join(*strength, |a, b| SNorm::Maximum.apply(a, b))
        });
        most.complement()
    }

    /// Equation (1) without the weight.
    fn antecedent(&self, block: &RuleBlock, antecedent: &Antecedent) -> Interval {
        let nothing = Interval::exactly(f64::NAN); // refused by the check
        let joined = |parts: &[Antecedent], join: &dyn Fn(f64, f64) -> f64| {
            let parts = parts.iter().map(|part| self.antecedent(block, part));
            parts.reduce(|a, b| a.join(b, join)).unwrap_or(nothing)
        };
        match antecedent {
            Antecedent::Is(proposition) => self.proposition(proposition),
            Antecedent::And(all) => match block.conjunction {
                Some(Conjunction::Norm(norm)) => joined(all, &|a, b| norm.apply(a, b)),
                Some(Conjunction::Mean) => joined(all, &|a, b| a + b).map(|sum| sum / all.len() as f64),
                None => nothing,
            },
            Antecedent::Or(any) => match block.disjunction {
                Some(norm) => joined(any, &|a, b| norm.apply(a, b)),
                None => nothing,
            },
            Antecedent::Not(part) => self.antecedent(block, part).complement(),
            Antecedent::Else => nothing,
        }
    }

    fn proposition(&self, proposition: &Proposition) -> Interval {
        let variable = self.base.system.variable(proposition.variable);
        if !variable.enabled {
            return Interval::exactly(0.0);
        }
        let set = proposition.set.map(|set| self.plan.meant(proposition.variable, set));
        let membership = match (proposition.variable, set) {
            (_, None) => Interval::exactly(f64::NAN), // `any` makes 1 of it
            (Place::Input(i), Some(set)) => self.memberships[i][set],
            (Place::Output(i), Some(set)) => self.so_far(i, set),
        };
        membership.bent(&proposition.hedges)
    }

    /// The strength with which an output's set was concluded so far, of all rules together.
    fn so_far(&self, output: usize, set: usize) -> Interval {
        let norm = self.base.system.outputs[output].aggregation.unwrap_or(SNorm::UnboundedSum);
        let same = self.concluded[output].iter().filter(|one| one.set == set).map(|one| one.strength);
        let joined = same.reduce(|a, b| a.join(b, |a, b| norm.apply(a, b)));
        joined.unwrap_or(Interval::exactly(0.0)).within_unit()
    }

    /// Hands the conclusions of rule `i` to their outputs, hedges as the dialect takes them.
    fn conclude(&mut self, block: &RuleBlock, first: usize, i: usize) {
        let strength = self.firing[first + i];
        let dialect = self.plan.dialect;
        let fires = dialect.fires(strength.upper);
        if !fires && !dialect.concludes_without_firing() {
            return;
        }
        let mut carried = strength;
        for conclusion in &block.rules[i].consequent {
            let variable: &Variable = &self.base.system.outputs[conclusion.output].variable;
            if !variable.enabled {
                continue;
            }
            let hedges = &conclusion.hedges;
            let (bent, negated) = match dialect {
                Dialect::Fuzzylite8 | Dialect::Fuzzylite6 => {
                    carried = carried.bent(hedges); // the next conclusion starts from here
                    (carried, false)
                }
                Dialect::Matlab => {
                    let other: Vec<Hedge> = hedges.iter().copied().filter(|h| *h != Hedge::Not).collect();
                    (strength.bent(&other), (hedges.len() - other.len()) % 2 == 1)
                }
                Dialect::Iec => (strength.bent(hedges), false),
            };
            self.concluded[conclusion.output].push(Concluded {
                set: self.plan.meant(Place::Output(conclusion.output), conclusion.set),
                strength: bent.map(|end| whole(end).max(0.0)),
                implication: block.implication.unwrap_or(TNorm::Minimum), // asked for where it counts
                negated,
            });
            self.base.fired[conclusion.output] |= fires;
        }
    }

    /// Equation (2) for output `i`.
    fn reduce(&mut self, i: usize, output: &Output) -> Interval {
        match &self.plan.outputs[i] {
            Consequents::Samples { y, sets } => {
                self.aggregate(i, output, sets, y.len());
                let pairs = y.iter().zip(&self.samples);
                let contributions = pairs.map(|(y, membership)| Contribution {
                    center: Interval::exactly(*y),
                    strength: *membership,
                });
                self.plan.system.type_reduction.reduce_in(contributions, &mut self.points)
            }
            Consequents::Centers(centers) => {
                self.group(i, output);
                let (base, plan) = (&self.base, self.plan);
                let contributions = self.groups.iter().map(|one| Contribution {
                    center: match centers[one.set] {
                        Center::Fixed { negated, .. } if one.negated => negated,
                        Center::Fixed { plain, .. } => plain,
                        Center::OfRow => center_of_row(base, plan, i, one.set),
                    },
                    strength: one.strength,
                });
                plan.system.type_reduction.reduce_in(contributions, &mut self.points)
            }
        }
    }

    /// The memberships of the concluded sets together at every sample.
    fn aggregate(&mut self, i: usize, output: &Output, sets: &[Vec<Interval>], samples: usize) {
        self.samples.clear();
        self.samples.resize(samples, Interval::exactly(0.0));
        let norm = output.aggregation.unwrap_or(SNorm::Maximum); // the check asks for it
        // A strength of 0 adds nothing under any of the norms.
        for one in self.concluded[i].iter().filter(|one| one.strength.upper > 0.0) {
            for (sum, membership) in self.samples.iter_mut().zip(&sets[one.set]) {
                let membership = if one.negated { membership.complement() } else { *membership };
                let implied = one.strength.join(membership, |w, m| one.implication.apply(w, m));
                *sum = sum.join(implied, |a, b| norm.apply(a, b));
            }
        }
    }

    /// The concluded sets; fuzzylite joins those of the same set.
    fn group(&mut self, i: usize, output: &Output) {
        self.groups.clear();
        let norm = output.aggregation.unwrap_or(SNorm::UnboundedSum);
        for one in &self.concluded[i] {
            let same = self.groups.iter_mut().find(|group| group.set == one.set);
            match same.filter(|_| self.base.joins_sets()) {
                Some(group) => {
                    group.strength = group.strength.join(one.strength, |a, b| whole(norm.apply(a, b)));
                }
                None => self.groups.push(*one),
            }
        }
    }
}

/// z of a Linear, or of a Function of the row.
fn center_of_row(row: &Row<'_>, plan: &IntervalPlan, output: usize, set: usize) -> Interval {
    let lower = &plan.system.lower().outputs[output].variable.sets[set].set;
    let upper = &plan.upper.outputs[output].variable.sets[set].set;
    match (lower.shape(), upper.shape()) {
        (
            Shape::Linear { coefficients: least, constant: least0 },
            Shape::Linear { coefficients: most, constant: most0 },
        ) => {
            let products = least.iter().zip(most).zip(&row.inputs);
            let products = products.map(|((least, most), x)| Interval::new(least * x, most * x));
            let sum = products.fold(Interval::exactly(0.0), |sum, one| sum.join(one, |a, b| a + b));
            sum.join(Interval::new(*least0, *most0), |a, b| a + b)
        }
        _ => Interval::new(row.membership(lower, f64::NAN), row.membership(upper, f64::NAN)),
    }
}
