//! What was learned as a system of the `inference` room, in the user's units.

use super::model::Model;
use super::prototype::Prototypes;
use crate::error::Result;
use crate::inference::{
    Antecedent, Conclusion, Conjunction, Defuzzifier, Output, Rule, RuleBlock, System, Variable, Weighted,
};
use crate::sets::{Set, TNorm};

impl Model {
    /// The system that the network is: Gaussian sets joined by their product, constants averaged by firing strength, one
    /// output for each target or class. The sets and constants of rule k are called `rule_k`.
    ///
    /// Its outputs are [`Model::scores`] to rounding wherever the strength of some rule is a number. An engine multiplies
    /// memberships as they are: where ln μ of every rule is below −745, far from all rules, nothing is left of the product,
    /// and the model, which computes with logarithms, still knows the nearest rule.
    ///
    /// # Errors
    /// Those of [`Set`], where a number was learned that no file holds.
    pub fn to_system(&self) -> Result<System> {
        let prototypes = self.prototypes();
        let rules = prototypes.rules();
        let mut system = System::new("sonfin");
        // The set of rule k for each input, by its number in the variable.
        let mut asked: Vec<Vec<(usize, usize)>> = vec![Vec::new(); rules];
        for (j, name) in self.inputs.iter().enumerate() {
            let (low, span) = (self.scale.low[j], self.scale.span[j]);
            let mut input = Variable::new(name, low, low + span).described_by_column(name);
            for (k, asked) in asked.iter_mut().enumerate() {
                let Some(about) = prototypes.about(k, j) else { continue };
                asked.push((j, input.sets.len()));
                input = input.set(rule_name(k), Set::gaussian(about.center, about.deviation)?);
            }
            system = system.input(input);
        }
        for (l, name) in self.output_names().iter().enumerate() {
            system = system.output(output(name, &prototypes, l, !self.classes.is_empty())?);
        }
        let product = TNorm::AlgebraicProduct;
        let mut block = RuleBlock::new("").conjunction(Conjunction::Norm(product)).implication(product);
        for (k, asked) in asked.into_iter().enumerate() {
            let concluded = |output| Conclusion { output, hedges: Vec::new(), set: k };
            let consequent = (0..prototypes.outputs()).map(concluded).collect();
            block.rules.push(Rule { antecedent: Antecedent::all_of(asked), consequent, weight: 1.0 });
        }
        Ok(system.block(block))
    }
}

fn rule_name(rule: usize) -> String {
    format!("rule_{}", rule + 1)
}

/// An output with the constant of every rule. Its range is that of a class, or of what the rules say.
fn output(name: &str, prototypes: &Prototypes<'_>, l: usize, class: bool) -> Result<Output> {
    let constants: Vec<f64> = (0..prototypes.rules()).map(|k| prototypes.says(k, l)).collect();
    let (least, most) = match class {
        true => (0.0, 1.0),
        false => {
            constants.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)))
        }
    };
    let mut output = Output::new(name, least, most);
    for (k, constant) in constants.into_iter().enumerate() {
        output = output.set(rule_name(k), Set::constant(constant)?);
    }
    output.defuzzifier = Defuzzifier::WeightedAverage { kind: Weighted::TakagiSugeno };
    Ok(output)
}
