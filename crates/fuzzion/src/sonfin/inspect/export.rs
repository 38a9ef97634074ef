//! Conversion of a model to a system of the `inference` module, in the user's units.

use super::prototypes::Prototypes;
use crate::inference::{
    Antecedent, Conclusion, Conjunction, Defuzzifier, Output, Rule, RuleBlock, System, Variable, WeightedKind,
};
use crate::sets::{Set, TNorm};
use crate::sonfin::error::Result;
use crate::sonfin::model::Model;

/// Range of an output with a linear part, in standard deviations of the target.
const RANGE_DEVIATIONS: f64 = 3.0;

impl Model {
    /// Equivalent inference system: Gaussian sets combined by the product, and constant or linear consequents averaged by
    /// firing strength, with one output per target or class. The sets and consequents of rule k are named `rule_k`.
    ///
    /// Its outputs agree with [`Model::scores`] up to rounding wherever at least one rule fires. The system multiplies
    /// memberships directly, so the product underflows to 0 where ln μ of every rule is below −745, far from all
    /// rules; the model computes with logarithms and still uses the nearest rule there.
    ///
    /// ```
    /// use fuzzion::{Device, Table, inference::Dialect, sonfin::Sonfin};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().rate_w(0.0).rate_m(0.0).rate_s(0.0).fit(&rows, &["y"], &device)?;
    /// let middle = model.to_system()?.infer_row(&[0.5], Dialect::default())?.outputs[0];
    /// assert!((middle - 15.0).abs() < 1e-12); // halfway between both rules
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Set`], if a parameter is not finite.
    pub fn to_system(&self) -> Result<System> {
        let prototypes = self.prototypes();
        let rules = prototypes.rules();
        let mut system = System::new("sonfin");
        // Conditions of each rule: indices of the input and of its set.
        let mut conditions: Vec<Vec<(usize, usize)>> = vec![Vec::new(); rules];
        for (j, name) in self.inputs.iter().enumerate() {
            let (low, span) = (self.scale.low[j], self.scale.span[j]);
            let mut input = Variable::new(name, low, low + span).described_by_column(name);
            for (k, conditions) in conditions.iter_mut().enumerate() {
                let Some(gaussian) = prototypes.gaussian(k, j) else { continue }; // the rule ignores the input
                conditions.push((j, input.sets.len()));
                input = input.set(rule_name(k), Set::gaussian(gaussian.center, gaussian.deviation)?);
            }
            system = system.input(input);
        }
        for (l, name) in self.output_names().iter().enumerate() {
            system = system.output(self.output(name, &prototypes, l)?);
        }
        let product = TNorm::AlgebraicProduct;
        let mut block = RuleBlock::new("").conjunction(Conjunction::Norm(product)).implication(product);
        for (k, conditions) in conditions.into_iter().enumerate() {
            let conclusion = |output| Conclusion { output, hedges: Vec::new(), set: k };
            let consequent = (0..prototypes.outputs()).map(conclusion).collect();
            block.rules.push(Rule { antecedent: Antecedent::all_of(conditions), consequent, weight: 1.0 });
        }
        Ok(system.block(block))
    }
}

impl Model {
    /// Output variable with the consequent of every rule. Its range is [0, 1] for a class target, otherwise that of the
    /// constants, or of almost all training rows if there is a linear part.
    fn output(&self, name: &str, prototypes: &Prototypes<'_>, l: usize) -> Result<Output> {
        let (offset, span) = (self.scale.target_offset[l], self.scale.target_span[l]);
        let (min, max) = match (self.classes.is_empty(), self.linear.is_some()) {
            (false, _) => (0.0, 1.0),
            (true, true) => (offset - RANGE_DEVIATIONS * span, offset + RANGE_DEVIATIONS * span),
            (true, false) => {
                let constants = (0..prototypes.rules()).map(|k| prototypes.consequent(k, l));
                constants.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
            }
        };
        let mut output = Output::new(name, min, max);
        for k in 0..prototypes.rules() {
            output = output.set(rule_name(k), prototypes.consequent_set(k, l)?);
        }
        output.defuzzifier = Defuzzifier::WeightedAverage { kind: WeightedKind::TakagiSugeno };
        Ok(output)
    }
}

fn rule_name(rule: usize) -> String {
    format!("rule_{}", rule + 1)
}
