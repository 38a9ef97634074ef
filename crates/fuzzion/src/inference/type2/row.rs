//! Inference of one row in double precision, Equations (1) to (3).

use super::plan::{Center, Consequents, IntervalPlan};
use super::reduce::{WeightedInterval, WeightedPoint};
use crate::inference::reference::{RowState, finite_strength};
use crate::inference::{
    Antecedent, Conjunction, Dialect, Output, OutputSource, Proposition, RuleBlock, Variable, VariableIndex,
};
use crate::sets::{Hedge, Interval, SNorm, Shape, TNorm};

/// Results of an interval type-2 system for one row.
///
/// ```
/// # use fuzzion::inference::type2::{IntervalSet, IntervalSystem};
/// # use fuzzion::inference::{Dialect, Output, System, Variable};
/// # use fuzzion::sets::Set;
/// # let system = System::new("heating").input(Variable::new("room", 10.0, 30.0)).output(Output::new("valve", 0.0, 1.0));
/// # let heating = IntervalSystem::new(system)
/// #     .set("room", "cold", IntervalSet::blurred(&Set::ramp(20.0, 16.0)?, 1.0)?)?
/// #     .set("valve", "open", IntervalSet::constant(0.75, 1.0)?)?
/// #     .rule("if room is cold then valve is open")?;
/// let row = heating.infer_row(&[18.0], Dialect::Fuzzylite8)?;
/// assert_eq!((row.firing_intervals[0].lower, row.firing_intervals[0].upper), (0.25, 0.75));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IntervalInference {
    /// Value of each output, Equation (3).
    pub outputs: Vec<f64>,
    /// Type-reduced interval of each output, Equation (2).
    pub intervals: Vec<Interval>,
    /// Firing interval of every rule, block by block, Equation (1).
    pub firing_intervals: Vec<Interval>,
    /// For each output, whether any rule that concludes it fired.
    pub fired: Vec<bool>,
}

/// A set that a rule concludes.
#[derive(Clone, Copy)]
struct IntervalConclusion {
    set: usize,
    strength: Interval,
    /// Required only for outputs that are defuzzified over samples.
    implication: Option<TNorm>,
    /// Whether `not` negates the set instead of the strength.
    negated: bool,
}

/// Infers rows one after another with reusable buffers.
pub(super) struct IntervalRow<'p> {
    plan: &'p IntervalPlan,
    /// Inputs and outputs of the row, and the dialect's fallback values.
    base: RowState<'p>,
    /// Memberships by input and set.
    memberships: Vec<Vec<Interval>>,
    firing: Vec<Interval>,
    concluded: Vec<Vec<IntervalConclusion>>,
    intervals: Vec<Interval>,
    /// Buffers for aggregated samples, grouped conclusions and type reduction.
    samples: Vec<Interval>,
    groups: Vec<IntervalConclusion>,
    points: Vec<WeightedPoint>,
}

impl<'p> IntervalRow<'p> {
    pub(super) fn new(plan: &'p IntervalPlan) -> Self {
        let system = plan.system.lower();
        let outputs = system.outputs.len();
        let base = RowState {
            system,
            dialect: plan.dialect,
            inputs: vec![f64::NAN; system.inputs.len()],
            outputs: vec![f64::NAN; outputs],
            rules: Vec::new(),
            activated: Vec::new(),
            fired: vec![false; outputs],
            trace: None,
        };
        let none = Interval::point(f64::NAN);
        IntervalRow {
            plan,
            base,
            memberships: system.inputs.iter().map(|input| vec![none; input.sets.len()]).collect(),
            firing: Vec::new(),
            concluded: vec![Vec::new(); outputs],
            intervals: vec![none; outputs],
            samples: Vec::new(),
            groups: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Sets the outputs of the previous row.
    pub(super) fn after(mut self, previous: &[f64]) -> Self {
        self.base.outputs.copy_from_slice(previous);
        self
    }

    /// Clears the outputs of the previous row.
    pub(super) fn reset(&mut self) {
        self.base.outputs.fill(f64::NAN);
    }

    /// Infers the outputs and their intervals for a row with one value per input.
    pub(super) fn infer(&mut self, inputs: impl Iterator<Item = f64>) -> (&[f64], &[Interval]) {
        let system = self.plan.system.lower();
        for ((own, variable), x) in self.base.inputs.iter_mut().zip(&system.inputs).zip(inputs) {
            *own = variable.lock_to_range(x);
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
                if output.variable.enabled { self.reduce(i, output) } else { Interval::point(f64::NAN) };
            let reduced = reduced.map(|end| output.scale * end);
            let (value, source) = self.base.with_fallback(i, output, reduced.midpoint());
            self.intervals[i] = match source {
                OutputSource::Rules => reduced.map(|end| output.variable.lock_to_range(end)),
                _ => Interval::point(value),
            };
            // Functions may read earlier outputs.
            self.base.outputs[i] = self.intervals[i].midpoint();
        }
        (&self.base.outputs, &self.intervals)
    }

    pub(super) fn finish(self) -> IntervalInference {
        let IntervalRow { base, firing, intervals, .. } = self;
        IntervalInference { outputs: base.outputs, intervals, firing_intervals: firing, fired: base.fired }
    }

    fn fuzzify(&mut self) {
        let (lower, upper) = (self.plan.system.lower(), &self.plan.upper);
        for (i, x) in self.base.inputs.iter().enumerate() {
            let sets = lower.inputs[i].sets.iter().zip(&upper.inputs[i].sets);
            for (j, (lower, upper)) in sets.enumerate() {
                let lower = self.base.membership(&lower.set, *x);
                let has_upper = self.plan.has_upper[i][j];
                let upper = if has_upper { self.base.membership(&upper.set, *x) } else { lower };
                self.memberships[i][j] = Interval::new(lower, upper).clamp_to_unit();
            }
        }
    }

    fn block(&mut self, block: &RuleBlock, order: &[usize]) {
        let first = self.firing.len();
        self.firing.extend(block.rules.iter().map(|_| Interval::point(0.0)));
        if !block.enabled {
            return;
        }
        for i in order.iter().copied() {
            let rule = &block.rules[i];
            let membership = match &rule.antecedent {
                Antecedent::Else => self.else_strength(block, first),
                antecedent => self.antecedent(block, antecedent),
            };
            self.firing[first + i] = membership.map(|end| rule.weight * end);
            self.conclude(block, first, i);
        }
    }

    /// Strength of an ELSE rule in a block whose first rule is `first`.
    fn else_strength(&self, block: &RuleBlock, first: usize) -> Interval {
        let others = block.rules.iter().zip(&self.firing[first..]);
        let others = others.filter(|(rule, _)| rule.antecedent != Antecedent::Else);
        let highest = others.fold(Interval::point(0.0), |highest, (_, strength)| {
            highest.combine(*strength, |a, b| SNorm::Maximum.apply(a, b))
        });
        highest.complement()
    }

    /// Equation (1) without the weight.
    fn antecedent(&self, block: &RuleBlock, antecedent: &Antecedent) -> Interval {
        let combined = |parts: &[Antecedent], operator: &dyn Fn(f64, f64) -> f64| {
            let parts = parts.iter().map(|part| self.antecedent(block, part));
            let combined = parts.reduce(|a, b| a.combine(b, operator));
            combined.expect("invariant: `System::check` requires at least two operands")
        };
        match antecedent {
            Antecedent::Is(proposition) => self.proposition(proposition),
            Antecedent::And(all) => {
                let conjunction = block.conjunction;
                match conjunction.expect("invariant: `System::check` requires a conjunction for `and`") {
                    Conjunction::Norm(norm) => combined(all, &|a, b| norm.apply(a, b)),
                    Conjunction::Mean => combined(all, &|a, b| a + b).map(|sum| sum / all.len() as f64),
                }
            }
            Antecedent::Or(any) => {
                let norm =
                    block.disjunction.expect("invariant: `System::check` requires a disjunction for `or`");
                combined(any, &|a, b| norm.apply(a, b))
            }
            Antecedent::Not(part) => self.antecedent(block, part).complement(),
            Antecedent::Else => unreachable!("invariant: `System::check` rejects ELSE inside an antecedent"),
        }
    }

    fn proposition(&self, proposition: &Proposition) -> Interval {
        let variable = self.base.system.variable(proposition.variable);
        if !variable.enabled {
            return Interval::point(0.0);
        }
        let set = proposition.set.map(|set| self.plan.resolved_set(proposition.variable, set));
        let membership = match (proposition.variable, set) {
            (_, None) => Interval::point(f64::NAN), // replaced by the hedge `any`, which is always 1
            (VariableIndex::Input(i), Some(set)) => self.memberships[i][set],
            (VariableIndex::Output(i), Some(set)) => self.activation(i, set),
        };
        membership.apply_hedges(&proposition.hedges)
    }

    /// Aggregated strength of an output's set over the rules so far.
    fn activation(&self, output: usize, set: usize) -> Interval {
        let norm = self.base.system.outputs[output].aggregation.unwrap_or(SNorm::UnboundedSum);
        let same = self.concluded[output].iter().filter(|item| item.set == set).map(|item| item.strength);
        let combined = same.reduce(|a, b| a.combine(b, |a, b| norm.apply(a, b)));
        combined.unwrap_or(Interval::point(0.0)).clamp_to_unit()
    }

    /// Adds the conclusions of rule `i` to their outputs, with hedges applied according to the dialect.
    fn conclude(&mut self, block: &RuleBlock, first: usize, i: usize) {
        let strength = self.firing[first + i];
        let dialect = self.plan.dialect;
        let fires = dialect.fires(strength.upper);
        if !fires && !dialect.activates_without_firing() {
            return;
        }
        let mut accumulated = strength;
        for conclusion in &block.rules[i].consequent {
            let variable: &Variable = &self.base.system.outputs[conclusion.output].variable;
            if !variable.enabled {
                continue;
            }
            let hedges = &conclusion.hedges;
            let (hedged, negated) = match dialect {
                Dialect::Fuzzylite8 | Dialect::Fuzzylite6 => {
                    // In fuzzylite, hedges accumulate over the conclusions of a rule.
                    accumulated = accumulated.apply_hedges(hedges);
                    (accumulated, false)
                }
                Dialect::Matlab => {
                    let other: Vec<Hedge> = hedges.iter().copied().filter(|h| *h != Hedge::Not).collect();
                    (strength.apply_hedges(&other), (hedges.len() - other.len()) % 2 == 1)
                }
                Dialect::Iec => (strength.apply_hedges(hedges), false),
            };
            self.concluded[conclusion.output].push(IntervalConclusion {
                set: self.plan.resolved_set(VariableIndex::Output(conclusion.output), conclusion.set),
                strength: hedged.map(|end| finite_strength(end).max(0.0)),
                implication: block.implication,
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
                let items = pairs.map(|(y, membership)| WeightedInterval {
                    center: Interval::point(*y),
                    strength: *membership,
                });
                self.plan.system.type_reduction.reduce_in(items, &mut self.points)
            }
            Consequents::Centers(centers) => {
                self.group(i, output);
                let (base, plan) = (&self.base, self.plan);
                let items = self.groups.iter().map(|item| WeightedInterval {
                    center: match centers[item.set] {
                        Center::Fixed { negated, .. } if item.negated => negated,
                        Center::Fixed { regular, .. } => regular,
                        Center::RowDependent => center_of_row(base, plan, i, item.set),
                    },
                    strength: item.strength,
                });
                plan.system.type_reduction.reduce_in(items, &mut self.points)
            }
        }
    }

    /// Aggregates the concluded sets at every sample.
    fn aggregate(&mut self, i: usize, output: &Output, sets: &[Vec<Interval>], samples: usize) {
        self.samples.clear();
        self.samples.resize(samples, Interval::point(0.0));
        let norm =
            output.aggregation.expect("invariant: `System::check` requires an aggregation for samples");
        // A strength of 0 has no effect under any of the norms.
        for item in self.concluded[i].iter().filter(|item| item.strength.upper > 0.0) {
            let implication =
                item.implication.expect("invariant: `System::check` requires an implication for samples");
            for (sum, membership) in self.samples.iter_mut().zip(&sets[item.set]) {
                let membership = if item.negated { membership.complement() } else { *membership };
                let implied = item.strength.combine(membership, |w, m| implication.apply(w, m));
                *sum = sum.combine(implied, |a, b| norm.apply(a, b));
            }
        }
    }

    /// Collects the concluded sets; fuzzylite combines conclusions of the same set.
    fn group(&mut self, i: usize, output: &Output) {
        self.groups.clear();
        let norm = output.aggregation.unwrap_or(SNorm::UnboundedSum);
        for item in &self.concluded[i] {
            let same = self.groups.iter_mut().find(|group| group.set == item.set);
            match same.filter(|_| self.base.dialect.groups_equal_sets()) {
                Some(group) => {
                    group.strength =
                        group.strength.combine(item.strength, |a, b| finite_strength(norm.apply(a, b)));
                }
                None => self.groups.push(*item),
            }
        }
    }
}

/// z of a Linear or of a Function of the row.
fn center_of_row(row: &RowState<'_>, plan: &IntervalPlan, output: usize, set: usize) -> Interval {
    let lower = &plan.system.lower().outputs[output].variable.sets[set].set;
    let upper = &plan.upper.outputs[output].variable.sets[set].set;
    match (lower.shape(), upper.shape()) {
        (
            Shape::Linear { coefficients: lower, constant: lower_constant },
            Shape::Linear { coefficients: upper, constant: upper_constant },
        ) => {
            let products = lower.iter().zip(upper).zip(&row.inputs);
            let products = products.map(|((lower, upper), x)| Interval::new(lower * x, upper * x));
            let sum = products.fold(Interval::point(0.0), |sum, item| sum.combine(item, |a, b| a + b));
            sum.combine(Interval::new(*lower_constant, *upper_constant), |a, b| a + b)
        }
        _ => Interval::new(row.membership(lower, f64::NAN), row.membership(upper, f64::NAN)),
    }
}
