//! From a row to its reasons.

use super::model::{
    Aggregated, Contribution, ExplainedInput, ExplainedOutput, ExplainedProposition, ExplainedRule,
    Explanation, Standing,
};
use crate::error::Result;
use crate::inference::row::{Activated, Row};
use crate::inference::rule_text::Labels;
use crate::inference::{Defuzzifier, Dialect, Output, Proposition, System, Weighted};
use crate::sets::SNorm;

impl System {
    /// Why the system concludes what it does from one row, with no row before it.
    ///
    /// # Errors
    /// Those of [`System::infer_row`].
    pub fn explain(&self, inputs: &[f64], dialect: Dialect) -> Result<Explanation> {
        self.explain_after(inputs, &vec![f64::NAN; self.outputs.len()], dialect)
    }

    /// As [`System::explain`], after a row whose outputs were `previous`.
    ///
    /// # Errors
    /// Those of [`System::infer_row_after`].
    pub fn explain_after(&self, inputs: &[f64], previous: &[f64], dialect: Dialect) -> Result<Explanation> {
        let mut row = Row::fired(self, inputs, previous, dialect, true)?;
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for (i, output) in self.outputs.iter().enumerate() {
            // Before the outputs after it are known, as a Function sees them.
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

impl Row<'_> {
    fn explained_inputs(&self, given: &[f64]) -> Vec<ExplainedInput> {
        let inputs = self.system.inputs.iter().zip(given).zip(&self.inputs);
        inputs
            .map(|((variable, given), value)| ExplainedInput {
                name: variable.name.clone(),
                given: *given,
                value: *value,
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
        let labels = Labels::of(self.system);
        let blocks = self.system.blocks.iter().enumerate();
        let rules =
            blocks.flat_map(|(b, block)| block.rules.iter().map(move |rule| (b, block.enabled, rule)));
        let traces = self.trace.iter().flatten();
        rules
            .zip(&self.rules)
            .zip(traces)
            .map(|(((block, enabled, rule), firing), memberships)| {
                let propositions = rule.antecedent.propositions().into_iter().zip(memberships);
                let standing = match firing.fired {
                    _ if !enabled => Standing::Disabled,
                    true => Standing::Fired,
                    false if self.dialect.fires(firing.strength) => Standing::NotChosen,
                    false => Standing::TooWeak,
                };
                let explained = |(asked, membership): (&Proposition, &f64)| ExplainedProposition {
                    text: labels.proposition(asked),
                    membership: *membership,
                };
                ExplainedRule {
                    text: labels.rule(rule),
                    block,
                    propositions: propositions.map(explained).collect(),
                    weight: rule.weight,
                    strength: firing.strength,
                    standing,
                }
            })
            .collect()
    }

    fn explained_output(&self, i: usize, output: &Output) -> ExplainedOutput {
        let (value, source) = self.value(i, output);
        let variable = &output.variable;
        let activated = &self.activated[i];
        let (contributions, aggregated) = match output.defuzzifier.kind() {
            Some(kind) => (self.weighted_parts(activated, output, kind), None),
            None => {
                let samples = output.defuzzifier.samples();
                let places = self.dialect.sample_points(variable.minimum, variable.maximum, samples);
                let memberships = self.aggregated(activated, output, &places);
                let aggregated = Aggregated { places, memberships };
                (self.area_parts(activated, output, &aggregated), Some(aggregated))
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

    /// Equation (1) of explanations.
    fn weighted_parts(&self, activated: &[Activated], output: &Output, kind: Weighted) -> Vec<Contribution> {
        let groups = self.grouped(activated, output.aggregation);
        let weights: f64 = groups.iter().map(|(_, w)| w).sum();
        let is_sum = matches!(output.defuzzifier, Defuzzifier::WeightedSum { .. });
        let part = |(i, one): (usize, &Activated)| {
            // Without joining, the groups are the conclusions themselves.
            let (joined, own) = if self.joins_sets() {
                let same = || activated.iter().filter(|other| other.set == one.set);
                let all: f64 = same().map(|other| other.strength).sum();
                let own = if all == 0.0 { 1.0 / same().count() as f64 } else { one.strength / all };
                (groups.iter().find(|(set, _)| *set == one.set).map_or(0.0, |(_, w)| *w), own)
            } else {
                (groups[i].1, 1.0)
            };
            let z = self.consequent_value(output, one.set, joined, kind);
            let w = joined * own;
            let share = if weights == 0.0 { 0.0 } else { w / weights };
            let part = if is_sum { w * z } else { share * z };
            self.contribution(one, output, share, Some(z), Some(part))
        };
        activated.iter().enumerate().map(part).collect()
    }

    /// Equation (2) of explanations.
    fn area_parts(&self, activated: &[Activated], output: &Output, all: &Aggregated) -> Vec<Contribution> {
        let area: f64 = all.memberships.iter().sum();
        // Σ aᵣ(y) and Σ y·aᵣ(y) of every conclusion.
        let mut sums = vec![(0.0, 0.0); activated.len()];
        let highest = output.aggregation == Some(SNorm::Maximum);
        for (y, membership) in all.places.iter().zip(&all.memberships) {
            let implied: Vec<f64> = activated.iter().map(|one| self.implied(one, output, *y)).collect();
            let counts = |own: f64| if highest { f64::from(u8::from(own == *membership)) } else { own };
            let total: f64 = implied.iter().map(|own| counts(*own)).sum();
            if *membership == 0.0 || total == 0.0 {
                continue;
            }
            for (sum, own) in sums.iter_mut().zip(implied) {
                let supplied = membership * counts(own) / total;
                sum.0 += supplied;
                sum.1 += y * supplied;
            }
        }
        let is_centroid = matches!(output.defuzzifier, Defuzzifier::Centroid { .. });
        let part = |(one, (own, moment)): (&Activated, (f64, f64))| {
            let share = if area == 0.0 { 0.0 } else { own / area };
            let center = (is_centroid && own != 0.0).then(|| moment / own);
            self.contribution(one, output, share, center, is_centroid.then_some(moment / area))
        };
        activated.iter().zip(sums).map(part).collect()
    }

    fn contribution(
        &self,
        one: &Activated,
        output: &Output,
        share: f64,
        value: Option<f64>,
        part: Option<f64>,
    ) -> Contribution {
        let set = output.variable.sets[one.set].name.clone();
        Contribution { rule: one.rule, set, strength: one.strength, share, value, part }
    }
}
