//! Results of inference over tables.

use super::compiled::{CompiledOutput, Steps};
use super::cpu::{PlanScalar, outputs_of};
use super::model::Plan;
use super::step::Slot;
use crate::data::{DataError, Samples, Table};
use crate::device::math::Real;
use crate::inference::error::{InferenceError, Result};
use crate::inference::{NamedSet, System, Variable};
use crate::macros::setters;
use serde::{Deserialize, Serialize};

/// Optional results to compute along with the outputs; none by default. See [`Plan::infer_with`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct InferOptions {
    /// Firing strength of each rule.
    pub firing_strengths: bool,
    /// Aggregated strength of each set of each output.
    pub set_activations: bool,
    /// Whether any rule that concludes an output fired.
    pub fired: bool,
}

setters! {
    InferOptions {
        firing_strengths: bool,
        set_activations: bool,
        fired: bool,
    }
}

/// Results of running a plan over many rows. See [`Plan::infer_with`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct InferenceTables {
    /// One column per output.
    pub outputs: Table,
    /// One column of firing strengths per rule: `rule1`, `rule2`, …, numbered across all blocks.
    pub firing_strengths: Option<Table>,
    /// One column `output.set` per set of each output: the firing strengths of its rules, combined by the aggregation.
    pub set_activations: Option<Table>,
    /// One column per output: 1 in rows where a rule that concludes it fired, otherwise 0.
    pub fired: Option<Table>,
}

impl Plan {
    /// Converts the results of all rows to tables and resolves outputs that keep their previous value.
    pub(super) fn build_tables<T: PlanScalar>(
        &self,
        options: InferOptions,
        width: usize,
        values: Vec<T>,
        previous: &mut [f64],
    ) -> Result<Option<InferenceTables>> {
        let system = &self.system;
        let names: Vec<String> = system.outputs.iter().map(|output| output.variable.name.clone()).collect();
        if width == names.len() {
            if let Some(last) = values.rchunks_exact(width).next() {
                previous.iter_mut().zip(last).for_each(|(previous, value)| *previous = Real::to_f64(*value));
            }
            let outputs = Table::new(names, values)?;
            return Ok(Some(InferenceTables {
                outputs,
                firing_strengths: None,
                set_activations: None,
                fired: None,
            }));
        }
        let mut outputs = Vec::with_capacity(values.len() / width * names.len());
        let mut column = 0;
        for row in values.chunks_exact(width) {
            column = 0;
            for (output, previous) in self.general.outputs.iter().zip(previous.iter_mut()) {
                let value = row[column];
                column += 1;
                *previous = match output {
                    CompiledOutput::Value(_) => Real::to_f64(value),
                    CompiledOutput::LockPrevious(lock) => {
                        let missing = row[column] != <T as Real>::ZERO;
                        if missing && self.sequential_plan.is_some() {
                            return Ok(None);
                        }
                        column += 1;
                        lock.resolve(Real::to_f64(value), missing, *previous)
                    }
                };
                outputs.push(T::cast(*previous));
            }
        }
        let mut optional = |requested: bool, names: Vec<String>| -> Result<Option<Table>> {
            if !requested || names.is_empty() {
                return Ok(None);
            }
            let range = column..column + names.len();
            column = range.end;
            let values =
                values.chunks_exact(width).flat_map(|row| row[range.clone()].iter().copied()).collect();
            Ok(Some(Table::new(names, values)?))
        };
        let rules = self.general.firing.len();
        let firing_strengths =
            optional(options.firing_strengths, (1..=rules).map(|i| format!("rule{i}")).collect())?;
        let sets = system.outputs.iter().flat_map(|output| {
            let of_output = |set: &NamedSet| format!("{}.{}", output.variable.name, set.name);
            output.variable.sets.iter().map(of_output)
        });
        let set_activations = optional(options.set_activations, sets.collect())?;
        let fired = optional(options.fired, names.clone())?;
        Ok(Some(InferenceTables {
            outputs: Table::new(names, outputs)?,
            firing_strengths,
            set_activations,
            fired,
        }))
    }
}

/// Column index of each input.
pub(in crate::inference) fn input_columns(system: &System, samples: &Samples<'_>) -> Result<Vec<usize>> {
    let names = || system.inputs.iter().map(|input| input.name.as_str());
    let unnamed = samples.names().iter().enumerate().all(|(i, name)| *name == format!("c{}", i + 1));
    if unnamed && !names().any(|name| samples.column_index(name).is_ok()) {
        let (found, expected) = (samples.columns(), names().len());
        if found < expected {
            return Err(InferenceError::RowLength { what: "input", found, expected });
        }
        return Ok((0..expected).collect());
    }
    let column = |name: &str| match samples.label(name) {
        Ok(_) => Err(InferenceError::TextColumn { name: name.into() }),
        Err(_) => Ok(samples.column_index(name)?),
    };
    // In file formats that cannot represent a column's name, the input's description contains it.
    let of = |input: &Variable| match column(&input.name) {
        Err(InferenceError::Data(DataError::UnknownColumn { .. }))
            if samples.column_index(&input.description).is_ok() =>
        {
            column(&input.description)
        }
        found => found,
    };
    system.inputs.iter().map(of).collect()
}

/// Slots of the outputs and of the requested optional results.
pub(super) fn result_slots(steps: &Steps, options: InferOptions) -> Vec<Slot> {
    let mut results = outputs_of(steps);
    if options.firing_strengths {
        results.extend(&steps.firing);
    }
    if options.set_activations {
        results.extend(steps.activated.iter().flatten());
    }
    if options.fired {
        results.extend(&steps.fired);
    }
    results
}
