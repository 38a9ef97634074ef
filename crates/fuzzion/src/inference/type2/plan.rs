//! Compiled interval type-2 systems.

use super::model::IntervalSystem;
use super::reduce::WeightedInterval;
use super::set::SetKind;
use crate::inference::reference::{evaluation_order, resolve_set};
use crate::inference::{Defuzzifier, Dialect, NamedSet, Output, System, Variable, VariableIndex};
use crate::sets::{Interval, Shape};

/// A compiled interval type-2 system. The centers and samples of its consequents are precomputed.
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
/// let plan = heating.compile(Dialect::Fuzzylite8)?;
/// assert_eq!(plan.infer_row(&[18.0])?.outputs, [0.875]); // the midpoint of 0.75 and 1
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IntervalPlan {
    pub(super) system: IntervalSystem,
    pub(super) upper: System,
    pub(super) dialect: Dialect,
    /// For each set of each input, whether it has an upper set.
    pub(super) has_upper: Vec<Vec<bool>>,
    /// Set that a rule refers to, by variable and set index: inputs, then outputs.
    resolved_sets: Vec<Vec<usize>>,
    /// Evaluation order of the rules of each block.
    pub(super) orders: Vec<Vec<usize>>,
    /// Precomputed consequents of each output.
    pub(super) outputs: Vec<Consequents>,
    /// Whether a row may read the outputs of the previous row.
    pub(super) sequential: bool,
}

/// Precomputed data of an output's sets.
#[derive(Clone, Debug)]
pub(super) enum Consequents {
    /// Memberships of each set at the samples of the range.
    Samples { y: Vec<f64>, sets: Vec<Vec<Interval>> },
    /// z of each set.
    Centers(Vec<Center>),
}

/// z of a set.
#[derive(Clone, Copy, Debug)]
pub(super) enum Center {
    /// The same for every row; `negated` is z of the complement.
    Fixed { regular: Interval, negated: Interval },
    /// z of a Linear or of a Function of the row.
    RowDependent,
}

impl IntervalPlan {
    /// Compiles a checked system.
    pub(super) fn new(system: IntervalSystem, dialect: Dialect) -> Self {
        let upper = system.upper();
        let inputs = system.lower().inputs.iter().enumerate();
        let has_upper = inputs.map(|(i, input)| {
            (0..input.sets.len())
                .map(|j| system.uppers().contains_key(&(VariableIndex::Input(i), j)))
                .collect()
        });
        let outputs = system.lower().outputs.iter().zip(&upper.outputs);
        let outputs = outputs.map(|(lower, upper)| consequents(&system, lower, &upper.variable, dialect));
        let (has_upper, outputs) = (has_upper.collect(), outputs.collect());
        let resolved_sets =
            variables(&upper).map(|v| (0..v.sets.len()).map(|set| resolve_set(v, set, dialect)).collect());
        let (resolved_sets, orders) = (
            resolved_sets.collect(),
            upper.blocks.iter().map(|block| evaluation_order(block, false)).collect(),
        );
        let sequential = reads_outputs(system.lower()) || reads_outputs(&upper);
        IntervalPlan { system, upper, dialect, has_upper, resolved_sets, orders, outputs, sequential }
    }

    /// The set that a rule refers to with index `set`; duplicate names depend on the dialect.
    pub(super) fn resolved_set(&self, variable: VariableIndex, set: usize) -> usize {
        match variable {
            VariableIndex::Input(i) => self.resolved_sets[i][set],
            VariableIndex::Output(i) => self.resolved_sets[self.has_upper.len() + i][set],
        }
    }

    /// The compiled system.
    pub fn system(&self) -> &IntervalSystem {
        &self.system
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }
}

/// Whether an output may keep its previous value or a Function reads an output.
fn reads_outputs(system: &System) -> bool {
    let reads_output = |named: &NamedSet| match named.set.shape() {
        Shape::Function { expression } => {
            let names = expression.variables();
            system.outputs.iter().any(|output| names.contains(&output.variable.name))
        }
        _ => false,
    };
    system.outputs.iter().any(|output| output.lock_previous)
        || variables(system).flat_map(|variable| &variable.sets).any(reads_output)
}

/// All inputs, then all outputs.
fn variables(system: &System) -> impl Iterator<Item = &Variable> {
    system.inputs.iter().chain(system.outputs.iter().map(|output| &output.variable))
}

fn consequents(system: &IntervalSystem, lower: &Output, upper: &Variable, dialect: Dialect) -> Consequents {
    let variable = &lower.variable;
    let y = dialect.sample_points(variable.minimum, variable.maximum, lower.defuzzifier.samples());
    let sampled = |set: usize| -> Vec<Interval> {
        let (lower_set, upper_set) = (&variable.sets[set].set, &upper.sets[set].set);
        y.iter()
            .map(|y| Interval::new(lower_set.membership(*y), upper_set.membership(*y)).clamp_to_unit())
            .collect()
    };
    if let Defuzzifier::Centroid { .. } = lower.defuzzifier {
        return Consequents::Samples { sets: (0..variable.sets.len()).map(sampled).collect(), y };
    }
    let center = |set: usize| {
        let (lower_set, upper_set) = (&variable.sets[set].set, &upper.sets[set].set);
        if let (Shape::Constant { value: lower }, Shape::Constant { value: upper }) =
            (lower_set.shape(), upper_set.shape())
        {
            let regular = Interval::new(*lower, *upper);
            return Center::Fixed { regular, negated: regular };
        }
        if SetKind::of(lower_set) == SetKind::RowValue {
            return Center::RowDependent;
        }
        let sampled = sampled(set);
        let of = |change: fn(Interval) -> Interval| {
            let pairs = y.iter().zip(&sampled);
            let items = pairs.map(|(y, membership)| WeightedInterval {
                center: Interval::point(*y),
                strength: change(*membership),
            });
            system.type_reduction.reduce(&items.collect::<Vec<_>>())
        };
        Center::Fixed { regular: of(|membership| membership), negated: of(Interval::complement) }
    };
    Consequents::Centers((0..variable.sets.len()).map(center).collect())
}
