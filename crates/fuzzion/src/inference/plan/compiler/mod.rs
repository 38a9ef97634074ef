//! Compiles a system into steps. Everything that depends only on the system and the dialect is resolved here, once.

mod activation;
mod defuzzify;
mod rules;

use super::compiled::{CompiledOutput, Steps};
use super::step::{BinaryOp, Slot, Step, UnaryOp};
use crate::data::Precision;
use crate::inference::{Dialect, System};
use crate::sets::{SNorm, Set, Shape, TNorm};
use std::collections::HashMap;

/// The product of two single-precision numbers of at least this size is a normal number. Subnormal numbers are about a
/// hundred times slower on many CPUs.
const FLUSH_BELOW: f64 = 1.0 / (1u64 << 63) as f64;
/// Total weight above which flushed products are below the rounding error.
const MIN_TOTAL_WEIGHT: f64 = 1.0 / (1u64 << 39) as f64;

/// Options of the compiler.
#[derive(Clone, Copy)]
pub(super) struct CompileOptions {
    /// Whether centroids are computed in closed form.
    pub(super) exact: bool,
    /// Whether outputs that formulas read may keep their previous value.
    pub(super) lock_previous: bool,
}

/// A set that a rule concludes for an output.
#[derive(Clone, Copy)]
struct CompiledConclusion {
    set: usize,
    negated: bool,
    implication: Option<TNorm>,
    /// 0 in rows where the rule is not active.
    strength: Slot,
    /// Mask of the rows where the rule is active, `None` for all rows.
    present: Option<Slot>,
}

struct Compiler<'a> {
    system: &'a System,
    dialect: Dialect,
    /// Whether all inputs are finite and no strength can be NaN for another reason.
    finite_inputs: bool,
    steps: Vec<Step>,
    /// Whether the value of each step is guaranteed to be in [0, 1] or NaN.
    unit: Vec<bool>,
    /// Existing steps by their debug representation.
    existing: HashMap<String, Slot>,
    inputs: Vec<Slot>,
    concluded: Vec<Vec<CompiledConclusion>>,
    /// For each output, the firing masks of the rules that conclude it.
    fired: Vec<Vec<Slot>>,
    /// Outputs of this row that are already computed.
    computed: Vec<Option<Slot>>,
    firing: Vec<Slot>,
    /// Whether formulas read outputs of the previous row.
    sequential: bool,
    /// Whether factors of products are flushed to zero to avoid subnormal numbers.
    flush: bool,
    /// Whether centroids are computed in closed form.
    exact: bool,
    /// Steps whose value is NaN in rows that flushing may have changed.
    fallback_flags: Vec<Slot>,
    /// Whether a norm or hedge is applied to values outside [0, 1], which can result in NaN.
    may_create_nan: bool,
}

/// Steps of a checked system for arbitrary rows.
pub(super) fn general(system: &System, dialect: Dialect, options: CompileOptions) -> Steps {
    Compiler::new(system, dialect, options, false).run()
}

/// Steps for rows with finite inputs, or `None` if strengths can be NaN for another reason.
///
/// In single precision they flush products of tiny memberships to 0 and return NaN where that affects the result.
pub(super) fn finite(
    system: &System,
    dialect: Dialect,
    precision: Precision,
    options: CompileOptions,
) -> Option<Steps> {
    let mut compiler = Compiler::new(system, dialect, options, true);
    compiler.flush =
        precision == Precision::F32 && !system.outputs.iter().any(|o| o.defuzzifier.is_sampled());
    let steps = compiler.run();
    (nan_only_from_inputs(system) && !compiler.may_create_nan).then_some(steps)
}

/// Whether strengths can be NaN only if an input is.
fn nan_only_from_inputs(system: &System) -> bool {
    let ordinary = |set: &Set| {
        !matches!(set.shape(), Shape::Function { .. } | Shape::Linear { .. } | Shape::Constant { .. })
    };
    let finite = system.blocks.iter().flat_map(|block| &block.rules).all(|rule| rule.weight.is_finite());
    finite && system.inputs.iter().flat_map(|input| &input.sets).all(|named| ordinary(&named.set))
}

/// Whether a formula reads an output that is not yet computed or that may keep its previous value.
pub(super) fn reads_previous(system: &System, options: CompileOptions) -> bool {
    let reads = |set: &Set, computed: usize| match set.shape() {
        Shape::Function { expression } => expression.variables().iter().any(|name| {
            let output = system.outputs.iter().rposition(|output| output.variable.name == *name);
            output.is_some_and(|i| i >= computed || options.lock_previous && system.outputs[i].lock_previous)
        }),
        _ => false,
    };
    let inputs = system.inputs.iter().flat_map(|input| &input.sets).any(|named| reads(&named.set, 0));
    let outputs = system.outputs.iter().enumerate();
    inputs || outputs.into_iter().any(|(i, o)| o.variable.sets.iter().any(|named| reads(&named.set, i)))
}

impl<'a> Compiler<'a> {
    fn new(system: &'a System, dialect: Dialect, options: CompileOptions, finite_inputs: bool) -> Self {
        let outputs = system.outputs.len();
        Compiler {
            system,
            dialect,
            finite_inputs,
            steps: Vec::new(),
            unit: Vec::new(),
            existing: HashMap::new(),
            inputs: Vec::new(),
            concluded: vec![Vec::new(); outputs],
            fired: vec![Vec::new(); outputs],
            computed: vec![None; outputs],
            firing: Vec::new(),
            sequential: reads_previous(system, options),
            flush: false,
            exact: options.exact,
            fallback_flags: Vec::new(),
            may_create_nan: false,
        }
    }

    fn run(&mut self) -> Steps {
        let system = self.system;
        for (i, input) in system.inputs.iter().enumerate() {
            let mut slot = self.push(Step::Input { input: i }, false);
            if input.lock_range {
                slot = self.unary(UnaryOp::Clamp(input.minimum, input.maximum), slot);
            }
            self.inputs.push(slot);
        }
        system.blocks.iter().for_each(|block| self.rule_block(block));
        let mut outputs = Vec::new();
        for (i, output) in system.outputs.iter().enumerate() {
            let compiled = self.output(i, output);
            self.computed[i] = match &compiled {
                CompiledOutput::Value(slot) => Some(*slot),
                // Plans that reach this branch assume that the output has a value in every row.
                CompiledOutput::LockPrevious(lock) => Some(match lock.range {
                    Some((minimum, maximum)) => self.unary(UnaryOp::Clamp(minimum, maximum), lock.value),
                    None => lock.value,
                }),
            };
            outputs.push(compiled);
        }
        let fired = (0..system.outputs.len()).map(|i| self.any_fired(i)).collect();
        let activated = (0..system.outputs.len())
            .map(|i| {
                (0..system.outputs[i].variable.sets.len()).map(|set| self.set_activation(i, set)).collect()
            })
            .collect();
        Steps {
            outputs,
            firing: std::mem::take(&mut self.firing),
            activated,
            fired,
            fallback_flags: std::mem::take(&mut self.fallback_flags),
            steps: std::mem::take(&mut self.steps),
        }
    }

    /// Adds a step, or returns the slot of an identical existing step.
    fn push(&mut self, step: Step, unit: bool) -> Slot {
        let key = format!("{step:?}");
        if let Some(slot) = self.existing.get(&key) {
            return *slot;
        }
        self.steps.push(step);
        self.unit.push(unit);
        self.existing.insert(key, self.steps.len() - 1);
        self.steps.len() - 1
    }

    fn constant(&mut self, value: f64) -> Slot {
        self.push(Step::Constant { value }, (0.0..=1.0).contains(&value))
    }

    fn unary(&mut self, op: UnaryOp, x: Slot) -> Slot {
        self.may_create_nan |= matches!(op, UnaryOp::Hedge(_)) && !self.unit[x];
        let unit = match op {
            UnaryOp::Hedge(_) | UnaryOp::NonNegative | UnaryOp::ReplaceNonFinite | UnaryOp::FlushBelow(_) => {
                self.unit[x]
            }
            UnaryOp::Scale(factor) => self.unit[x] && (0.0..=1.0).contains(&factor),
            UnaryOp::DivideBy(n) => self.unit[x] && n >= 1.0,
            UnaryOp::GreaterThan(_) | UnaryOp::Compare(..) | UnaryOp::IsNan => true,
            UnaryOp::Clamp(..) => false,
        };
        self.push(Step::Unary { op, x }, unit)
    }

    fn binary(&mut self, op: BinaryOp, a: Slot, b: Slot) -> Slot {
        let op = match op {
            BinaryOp::TNorm(TNorm::Minimum) if self.finite_inputs => BinaryOp::Min,
            BinaryOp::SNorm(SNorm::Maximum) if self.finite_inputs => BinaryOp::Max,
            other => other,
        };
        let bounded = match op {
            BinaryOp::TNorm(_) | BinaryOp::Min | BinaryOp::Max | BinaryOp::Multiply => true,
            BinaryOp::SNorm(norm) => norm != SNorm::UnboundedSum,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Divide => false,
        };
        let (a, b) = match op {
            BinaryOp::TNorm(TNorm::AlgebraicProduct) if self.flush => {
                (self.flush_tiny(a), self.flush_tiny(b))
            }
            _ => (a, b),
        };
        let units = self.unit[a] && self.unit[b];
        self.may_create_nan |=
            matches!(op, BinaryOp::TNorm(_) | BinaryOp::SNorm(_) | BinaryOp::Min | BinaryOp::Max)
                && bounded
                && !units;
        let unit = bounded && units;
        self.push(Step::Binary { op, a, b }, unit)
    }

    /// The value with tiny numbers flushed to 0.
    fn flush_tiny(&mut self, membership: Slot) -> Slot {
        match self.steps[membership] {
            Step::Constant { .. } | Step::Unary { op: UnaryOp::FlushBelow(_), .. } => membership,
            _ => self.unary(UnaryOp::FlushBelow(FLUSH_BELOW), membership),
        }
    }

    /// The strength with NaN replaced by 0.
    fn replace_non_finite(&mut self, strength: Slot) -> Slot {
        match self.unit[strength] {
            _ if self.finite_inputs => strength,
            true => self.unary(UnaryOp::NonNegative, strength),
            false => self.unary(UnaryOp::ReplaceNonFinite, strength),
        }
    }

    /// Left fold of at least one part.
    fn reduce(&mut self, op: BinaryOp, parts: &[Slot]) -> Slot {
        let joined = parts.iter().copied().reduce(|a, b| self.binary(op, a, b));
        joined.expect("invariant: there is at least one part to combine")
    }

    /// μ(x) of a set; Takagi-Sugeno consequents read the row instead.
    fn membership(&mut self, set: &Set, x: Slot) -> Slot {
        match set.shape() {
            Shape::Constant { value } => self.constant(*value),
            Shape::Linear { coefficients, constant } => self.linear(coefficients, *constant),
            Shape::Function { expression } => {
                let names = expression.variables().to_vec();
                let arguments = names
                    .iter()
                    .map(|name| if name == "x" { x } else { self.variable_value(name) })
                    .collect();
                self.push(Step::Function { expression: expression.clone(), arguments }, false)
            }
            shape => {
                let at_most_1 = match shape {
                    Shape::Discrete { points } => points.iter().all(|(_, y)| (0.0..=1.0).contains(y)),
                    _ => true,
                };
                self.push(Step::Membership { set: set.clone(), x }, at_most_1 && set.height() <= 1.0)
            }
        }
    }

    fn linear(&mut self, coefficients: &[f64], constant: f64) -> Slot {
        let inputs = self.inputs.clone();
        self.push(Step::Linear { coefficients: coefficients.to_vec(), constant, inputs }, false)
    }

    /// Value of the variable with this name; the last one if several have it.
    fn variable_value(&mut self, name: &str) -> Slot {
        let output = self.system.outputs.iter().rposition(|output| output.variable.name == name);
        let input = self.system.inputs.iter().rposition(|input| input.name == name);
        match (output, input) {
            (Some(i), _) => {
                self.computed[i].unwrap_or_else(|| self.push(Step::Previous { output: i }, false))
            }
            (None, Some(i)) => self.inputs[i],
            (None, None) => unreachable!("invariant: `System::check` rejects unknown variables in formulas"),
        }
    }

    /// Records the firing strengths of the next rules.
    fn record_firing(&mut self, strengths: Vec<Slot>) {
        self.firing.extend(strengths);
    }

    fn any_fired(&mut self, output: usize) -> Slot {
        match self.fired[output].clone().as_slice() {
            [] => self.constant(0.0),
            masks => self.reduce(BinaryOp::Max, masks),
        }
    }
}
