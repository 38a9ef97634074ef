//! Results of inference over tables.

use super::compiled::{CompiledOutput, Steps};
use super::cpu::{PlanScalar, outputs_of};
use super::model::Plan;
use super::step::Slot;
use crate::data::{
    DataError, MissingInputs, Samples, Scalar, Table, check_values, has_indicator, input_column,
};
use crate::device::math::Real;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::quoted;
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

/// Kinds of results: outputs, firing strengths, set activations and fired flags, in this order.
pub(super) const KINDS: usize = 4;

/// Values of each kind of result, row by row. Each kind has its own memory, which becomes a table without a copy.
pub(super) type ResultValues<T> = [Vec<T>; KINDS];

impl InferenceTables {
    /// The memory of the tables, for `rows` rows of `widths` results. Its former content is to be overwritten.
    pub(super) fn buffers<T: PlanScalar + Scalar>(
        tables: Option<Self>,
        widths: [usize; KINDS],
        rows: usize,
    ) -> ResultValues<T> {
        let tables = tables.map(|t| [Some(t.outputs), t.firing_strengths, t.set_activations, t.fired]);
        let mut buffers =
            tables.unwrap_or_default().map(|table| table.map_or_else(Vec::new, Table::into_buffer));
        for (buffer, width) in buffers.iter_mut().zip(widths) {
            match buffer.is_empty() {
                true => *buffer = vec![<T as Real>::ZERO; rows * width], // zeroed by the system in parallel
                false => buffer.resize(rows * width, <T as Real>::ZERO),
            }
        }
        buffers
    }
}

impl Plan {
    /// Converts the results of all rows to tables and resolves outputs that keep their previous value.
    pub(super) fn build_tables<T: PlanScalar>(
        &self,
        options: InferOptions,
        [outputs, firing_strengths, set_activations, fired]: ResultValues<T>,
        previous: &mut [f64],
    ) -> Result<Option<InferenceTables>> {
        let system = &self.system;
        let names: Vec<String> = system.outputs.iter().map(|output| output.variable.name.clone()).collect();
        let Some(outputs) = self.resolve_outputs(outputs, previous) else { return Ok(None) };
        let optional = |requested: bool, names: Vec<String>, values: Vec<T>| -> Result<Option<Table>> {
            if !requested || names.is_empty() {
                return Ok(None);
            }
            Ok(Some(Table::new(names, values)?))
        };
        let rules = (1..=self.general.firing.len()).map(|i| format!("rule{i}")).collect();
        let sets = system.outputs.iter().flat_map(|output| {
            let of_output = |set: &NamedSet| format!("{}.{}", output.variable.name, set.name);
            output.variable.sets.iter().map(of_output)
        });
        Ok(Some(InferenceTables {
            firing_strengths: optional(options.firing_strengths, rules, firing_strengths)?,
            set_activations: optional(options.set_activations, sets.collect(), set_activations)?,
            fired: optional(options.fired, names.clone(), fired)?,
            outputs: Table::new(names, outputs)?,
        }))
    }

    /// The outputs of all rows, and those of the last row in `previous`. `None` if rows must be inferred one by one.
    fn resolve_outputs<T: PlanScalar>(&self, values: Vec<T>, previous: &mut [f64]) -> Option<Vec<T>> {
        let outputs = &self.general.outputs;
        if outputs.iter().all(|output| matches!(output, CompiledOutput::Value(_))) {
            if let Some(last) = values.rchunks_exact(outputs.len().max(1)).next() {
                previous.iter_mut().zip(last).for_each(|(previous, value)| *previous = Real::to_f64(*value));
            }
            return Some(values);
        }
        let width = outputs_of(&self.general).len();
        let mut resolved = Vec::with_capacity(values.len() / width * outputs.len());
        for row in values.chunks_exact(width) {
            let mut column = 0;
            for (output, previous) in outputs.iter().zip(previous.iter_mut()) {
                let value = row[column];
                column += 1;
                *previous = match output {
                    CompiledOutput::Value(_) => Real::to_f64(value),
                    CompiledOutput::LockPrevious(lock) => {
                        let missing = row[column] != <T as Real>::ZERO;
                        if missing && self.sequential_plan.is_some() {
                            return None;
                        }
                        column += 1;
                        lock.resolve(Real::to_f64(value), missing, *previous)
                    }
                };
                resolved.push(T::cast(*previous));
            }
        }
        Some(resolved)
    }
}

/// Column index of each input.
pub(in crate::inference) fn input_columns(system: &System, samples: &Samples<'_>) -> Result<Vec<usize>> {
    let names = || system.inputs.iter().map(|input| input.name.as_str());
    let unnamed = samples.names().iter().enumerate().all(|(i, name)| *name == format!("c{}", i + 1));
    let is_named = |name: &str| samples.column_index(name).is_ok() || samples.label(name).is_ok();
    if unnamed && !names().any(is_named) {
        let (found, expected) = (samples.columns(), names().len());
        if found != expected {
            return Err(InferenceError::RowLength { what: "input", found, expected });
        }
        return Ok((0..expected).collect());
    }
    let column = |name: &str| match samples.label(name) {
        Ok(labels) => {
            let text = (0..samples.rows()).find_map(|row| labels.get(row)).unwrap_or_default();
            Err(InferenceError::TextColumn { name: name.into(), text: quoted(text) })
        }
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

impl System {
    /// `table` with a numeric column for each input whose column is `column=value`: 1 in the rows whose text in `column` is
    /// `value`, 0 in others, NaN if the text is missing. `None` if the table has no such text column. Systems learned from text
    /// have such inputs.
    ///
    /// ```
    /// use fuzzion::{Table, data::Labels, inference::{System, Variable}};
    /// let table = Table::new(["age"], vec![3.0, 9.0])?.with_labels(Labels::new("kind", ["oak", "elm"]))?;
    /// let system = System::new("trees").input(Variable::new("kind=elm", 0.0, 1.0)).input(Variable::new("kind=oak", 0.0, 1.0));
    /// let table = system.with_text_inputs(&table)?.unwrap();
    /// assert_eq!(table.column("kind=oak")?, [1.0, 0.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownValue`] for a text that is not a value of an input.
    pub fn with_text_inputs(&self, table: &Table) -> Result<Option<Table>> {
        let samples = table.samples();
        let names: Vec<String> = self.inputs.iter().map(|input| input.column().to_owned()).collect();
        let is_text = |name: &&String| samples.rows() > 0 && has_indicator(&samples, name);
        let texts: Vec<String> = names.iter().filter(is_text).cloned().collect();
        if texts.is_empty() {
            return Ok(None);
        }
        check_values(&samples, &texts, None)?;
        let column = |name: &String| input_column(&samples, name, MissingInputs::Drop);
        let added = texts.iter().map(column).collect::<Result<Vec<Vec<f64>>, DataError>>()?;
        let values = table.to_f64();
        let rows =
            values.chunks(table.columns().max(1)).map(<[f64]>::to_vec).chain(std::iter::repeat(Vec::new()));
        let row = |(row, mut values): (usize, Vec<f64>)| {
            values.extend(added.iter().map(|column| column[row]));
            values
        };
        let values: Vec<f64> = rows.take(table.rows()).enumerate().flat_map(row).collect();
        Ok(Some(Table::new(table.names().iter().cloned().chain(texts), values)?))
    }
}

/// Slots of each kind of result that is requested.
fn slots_by_kind(steps: &Steps, options: InferOptions) -> [Vec<Slot>; KINDS] {
    let requested = |requested: bool, slots: Vec<Slot>| if requested { slots } else { Vec::new() };
    [
        outputs_of(steps),
        requested(options.firing_strengths, steps.firing.clone()),
        requested(options.set_activations, steps.activated.iter().flatten().copied().collect()),
        requested(options.fired, steps.fired.clone()),
    ]
}

/// Slots of the outputs and of the requested optional results.
pub(super) fn result_slots(steps: &Steps, options: InferOptions) -> Vec<Slot> {
    slots_by_kind(steps, options).concat()
}

/// Number of results of each kind.
pub(super) fn result_widths(steps: &Steps, options: InferOptions) -> [usize; KINDS] {
    slots_by_kind(steps, options).map(|slots| slots.len())
}
