//! Computes explanations.

use super::model::{
    AggregatedSet, Contribution, ExplainedInput, ExplainedOutput, ExplainedProposition, ExplainedRule,
    Explanation, RuleStatus,
};
use super::number_format::format_short;
use crate::data::{Samples, check_values, host_samples, indicator_value};
use crate::inference::error::Result;
use crate::inference::plan::input_columns;
use crate::inference::reference::{ActivatedSet, RowState};
use crate::inference::syntax::Labels;
use crate::inference::{Defuzzifier, Dialect, NamedSet, Output, Proposition, System, Variable, WeightedKind};
use crate::sets::{SNorm, Shape};

/// Names of the consequents of learned systems, before the number of the rule.
const GENERATED_NAMES: [&str; 3] = ["formula_", "value_", "rule_"];

impl System {
    /// Explains the outputs of one row of inputs, as if it were the first row of a table.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// let explanation = heating.explain(&[17.0], Dialect::Fuzzylite8)?;
    /// assert_eq!(explanation.outputs[0].value, 0.75); // ¾ cold
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`System::infer_row`].
    pub fn explain(&self, inputs: &[f64], dialect: Dialect) -> Result<Explanation> {
        self.explain_after(inputs, &vec![f64::NAN; self.outputs.len()], dialect)
    }

    /// Explains the outputs of one row of inputs, given the outputs of the previous row.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// # let mut heating = heating;
    /// heating.outputs[0].lock_previous = true;
    /// let explanation = heating.explain_after(&[f64::NAN], &[0.5], Dialect::Fuzzylite8)?;
    /// assert_eq!(explanation.outputs[0].value, 0.5); // kept, because no rule fired
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`System::infer_row_after`].
    pub fn explain_after(&self, inputs: &[f64], previous: &[f64], dialect: Dialect) -> Result<Explanation> {
        let mut row = RowState::fire(self, inputs, previous, dialect, true)?;
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for (i, output) in self.outputs.iter().enumerate() {
            // In output order, because a Function may refer to earlier outputs.
            let explained = row.explained_output(i, output);
            row.outputs[i] = explained.value;
            outputs.push(explained);
        }
        Ok(Explanation {
            system: self.name.clone(),
            dialect,
            inputs: row.explained_inputs(inputs),
            rules: row.explained_rules(),
            outputs,
        })
    }
}

impl System {
    /// Explains the outputs of row `row` of a table, whose columns are matched to the inputs as in inference: by name, or by
    /// position if the columns have no names. An input `column=value` is 1 if the text in `column` is `value`, otherwise 0.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// let table = fuzzion::Table::new(["hour", "room"], vec![6.0, 17.0, 7.0, 18.0])?;
    /// let explanation = heating.explain_table_row(&table, 1, Dialect::Fuzzylite8)?;
    /// assert_eq!(explanation.outputs[0].value, 0.5);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`System::infer_row`], [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn) for a missing input,
    /// [`DataError::UnknownValue`](crate::data::DataError::UnknownValue) for a text that is not a value of an input, and
    /// [`InferenceError::RowLength`](crate::inference::InferenceError::RowLength) for a row that does not exist.
    pub fn explain_table_row<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        row: usize,
        dialect: Dialect,
    ) -> Result<Explanation> {
        let samples = host_samples(samples)?;
        let indicator = |input: &Variable| indicator_value(&samples, input.column(), row);
        let indicators: Vec<Option<f64>> = self.inputs.iter().map(indicator).collect();
        let values: Vec<f64> = if indicators.iter().any(Option::is_some) {
            let value = |(input, indicator): (&Variable, Option<f64>)| match indicator {
                Some(value) => Ok(value),
                None => Ok(samples.column(input.column())?[row]),
            };
            let names: Vec<String> = self.inputs.iter().map(|input| input.column().to_owned()).collect();
            check_values(&samples, &names, Some(row))?;
            self.inputs.iter().zip(indicators).map(value).collect::<Result<_>>()?
        } else {
            let columns = input_columns(self, &samples)?;
            columns.into_iter().filter_map(|column| samples.get(row, column)).collect()
        };
        self.explain(&values, dialect)
    }

    /// The formula of a consequent that was learned from data, whose name, such as `formula_2`, has no meaning.
    fn learned_value(&self, named: &NamedSet) -> Option<String> {
        let number = GENERATED_NAMES.iter().find_map(|prefix| named.name.strip_prefix(prefix))?;
        let is_generated = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        match named.set.shape() {
            _ if !is_generated => None,
            Shape::Constant { value } => Some(format_short(*value)),
            Shape::Linear { .. } | Shape::Function { .. } => Some(self.set_text(&named.set)),
            _ => None,
        }
    }
}

impl RowState<'_> {
    fn explained_inputs(&self, given: &[f64]) -> Vec<ExplainedInput> {
        let inputs = self.system.inputs.iter().zip(given).zip(&self.inputs);
        inputs
            .map(|((variable, given), value)| ExplainedInput {
                name: variable.name.clone(),
                given: *given,
                value: *value,
                range: (variable.minimum, variable.maximum),
                enabled: variable.enabled,
                memberships: variable
                    .sets
                    .iter()
                    .map(|named| (named.name.clone(), self.membership(&named.set, *value)))
                    .collect(),
            })
            .collect()
    }

    fn explained_rules(&self) -> Vec<ExplainedRule> {
        let labels = Labels::from_system(self.system);
        let blocks = self.system.blocks.iter().enumerate();
        let rules =
            blocks.flat_map(|(b, block)| block.rules.iter().map(move |rule| (b, block.enabled, rule)));
        let traces = self.trace.as_ref().expect("invariant: an explanation records a trace");
        rules
            .zip(&self.rules)
            .zip(traces)
            .map(|(((block, enabled, rule), firing), memberships)| {
                let propositions = rule.antecedent.propositions().into_iter().zip(memberships);
                let status = match firing.fired {
                    _ if !enabled => RuleStatus::Disabled,
                    true => RuleStatus::Fired,
                    false if self.dialect.fires(firing.strength) => RuleStatus::NotChosen,
                    false => RuleStatus::TooWeak,
                };
                let explained = |(proposition, membership): (&Proposition, &f64)| ExplainedProposition {
                    text: labels.proposition(proposition),
                    membership: *membership,
                };
                ExplainedRule {
                    text: labels.rule_with(rule, |conclusion| {
                        let named = &self.system.outputs[conclusion.output].variable.sets[conclusion.set];
                        conclusion.hedges.is_empty().then(|| self.system.learned_value(named)).flatten()
                    }),
                    block,
                    propositions: propositions.map(explained).collect(),
                    weight: rule.weight,
                    strength: firing.strength,
                    status,
                }
            })
            .collect()
    }

    fn explained_output(&self, i: usize, output: &Output) -> ExplainedOutput {
        let (value, source) = self.output_value(i, output);
        let variable = &output.variable;
        let activated = &self.activated[i];
        let (contributions, aggregated) = match output.defuzzifier.kind() {
            Some(kind) => (self.weighted_contributions(activated, output, kind), None),
            None => {
                let samples = output.defuzzifier.samples();
                let points = self.dialect.sample_points(variable.minimum, variable.maximum, samples);
                let memberships = self.aggregated(activated, output, &points);
                let aggregated = AggregatedSet { points, memberships };
                (self.area_contributions(activated, output, &aggregated), Some(aggregated))
            }
        };
        ExplainedOutput {
            name: variable.name.clone(),
            range: (variable.minimum, variable.maximum),
            defuzzifier: output.defuzzifier,
            value,
            source,
            defuzzified: self.defuzzify(i, output),
            scale: output.scale,
            fired: self.fired[i],
            contributions,
            aggregated,
        }
    }

    /// Contributions to a weighted output, Equation (1).
    fn weighted_contributions(
        &self,
        activated: &[ActivatedSet],
        output: &Output,
        kind: WeightedKind,
    ) -> Vec<Contribution> {
        let groups = self.grouped_strengths(activated, output.aggregation);
        let weights: f64 = groups.iter().map(|(_, w)| w).sum();
        let is_sum = matches!(output.defuzzifier, Defuzzifier::WeightedSum { .. });
        let contribution = |(i, item): (usize, &ActivatedSet)| {
            // Without grouping, there is one group per conclusion.
            let (group_strength, own) = if self.dialect.groups_equal_sets() {
                let same = || activated.iter().filter(|other| other.set == item.set);
                let total: f64 = same().map(|other| other.strength).sum();
                let own = if total == 0.0 { 1.0 / same().count() as f64 } else { item.strength / total };
                let group = groups.iter().find(|(set, _)| *set == item.set);
                (group.expect("invariant: every activated set is in a group").1, own)
            } else {
                (groups[i].1, 1.0)
            };
            let z = self.consequent_value(output, item.set, group_strength, kind);
            let w = group_strength * own;
            let fraction = if weights == 0.0 { 0.0 } else { w / weights };
            let addend = if is_sum { w * z } else { fraction * z };
            self.contribution(item, output, fraction, Some(z), Some(addend))
        };
        activated.iter().enumerate().map(contribution).collect()
    }

    /// Contributions to a sampled output, Equation (2).
    fn area_contributions(
        &self,
        activated: &[ActivatedSet],
        output: &Output,
        aggregated: &AggregatedSet,
    ) -> Vec<Contribution> {
        let area: f64 = aggregated.memberships.iter().sum();
        // Σ aᵣ(y) and Σ y·aᵣ(y) of every activated set.
        let mut sums = vec![(0.0, 0.0); activated.len()];
        let is_maximum = output.aggregation == Some(SNorm::Maximum);
        for (y, membership) in aggregated.points.iter().zip(&aggregated.memberships) {
            let implied: Vec<f64> = activated.iter().map(|item| self.implied(item, output, *y)).collect();
            let portion = |own: f64| if is_maximum { f64::from(u8::from(own == *membership)) } else { own };
            let total: f64 = implied.iter().map(|own| portion(*own)).sum();
            if *membership == 0.0 || total == 0.0 {
                continue;
            }
            for (sum, own) in sums.iter_mut().zip(implied) {
                let attributed = membership * portion(own) / total;
                sum.0 += attributed;
                sum.1 += y * attributed;
            }
        }
        let is_centroid = matches!(output.defuzzifier, Defuzzifier::Centroid { .. });
        let contribution = |(item, (own, moment)): (&ActivatedSet, (f64, f64))| {
            let fraction = if area == 0.0 { 0.0 } else { own / area };
            let center = (is_centroid && own != 0.0).then(|| moment / own);
            self.contribution(item, output, fraction, center, is_centroid.then_some(moment / area))
        };
        activated.iter().zip(sums).map(contribution).collect()
    }

    fn contribution(
        &self,
        item: &ActivatedSet,
        output: &Output,
        fraction: f64,
        value: Option<f64>,
        addend: Option<f64>,
    ) -> Contribution {
        let named = &output.variable.sets[item.set];
        let (set, formula) = (named.name.clone(), self.system.learned_value(named));
        Contribution { rule: item.rule, set, formula, strength: item.strength, fraction, value, addend }
    }
}
