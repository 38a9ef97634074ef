//! Random systems for property tests.

use super::super::{
    Activation, Antecedent, Comparison, Conclusion, Conjunction, Defuzzifier, NamedSet, Output, Proposition,
    Rule, RuleBlock, System, Variable, VariableIndex, WeightedKind,
};
use crate::sets::{Hedge, SNorm, Set, TNorm};

/// Reproducible generator of random systems, created from a seed.
pub(super) struct SystemGenerator(pub(super) u64);

impl SystemGenerator {
    fn next(&mut self) -> u64 {
        // Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Random integer below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Random number in [−10, 10), rounded to quarters half of the time.
    fn number(&mut self) -> f64 {
        let x = (self.next() >> 11) as f64 / (1u64 << 53) as f64 * 20.0 - 10.0;
        if self.one_in(2) { x } else { (x * 4.0).round() / 4.0 }
    }

    fn ascending(&mut self, n: usize) -> Vec<f64> {
        let mut numbers: Vec<f64> = (0..n).map(|_| self.number()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers
    }

    fn set(&mut self, inputs: &[String]) -> Set {
        let p = self.ascending(6);
        let width = self.number().abs() + 0.125;
        let set = match self.below(24) {
            0 => Set::triangle(p[0], p[1], p[2]),
            1 => Set::trapezoid(f64::NEG_INFINITY, p[0], p[1], p[2]),
            2 => Set::trapezoid(p[0], p[1], p[2], f64::INFINITY),
            3 => Set::rectangle(p[0], p[1]),
            4 => Set::discrete(&[(p[0], 0.25), (p[1], 1.0), (p[2], 0.0)]),
            5 => Set::semi_ellipse(p[0], p[1]),
            6 => Set::bell(p[0], width, 2.5),
            7 => Set::cosine(p[0], width),
            8 => Set::gaussian(p[0], width),
            9 => Set::gaussian_product(p[0], width, p[1], 0.5),
            10 => Set::pi_shape(p[0], p[1], p[2], p[3]),
            11 => Set::sigmoid_difference(p[0], 2.0, 3.0, p[1]),
            12 => Set::sigmoid_product(p[0], 2.0, -3.0, p[1]),
            13 => Set::spike(p[0], width),
            14 => Set::arc(p[0], p[1]),
            15 => Set::binary(p[0], f64::NEG_INFINITY),
            16 => Set::concave(p[1], p[0]),
            17 => Set::ramp(p[0], p[1]),
            18 => Set::sigmoid(p[0], width),
            19 => Set::s_shape(p[0], p[1]),
            20 => Set::z_shape(p[0], p[1]),
            21 => return Set::constant(p[0]).unwrap(),
            22 => return Set::linear(&vec![width; inputs.len()], p[0]).unwrap(),
            _ => return Set::function(&format!("{} ^ 2 - x * {width}", inputs[0])).unwrap(),
        };
        let set = set.unwrap();
        if self.one_in(4) { set.with_height(0.75).unwrap() } else { set }
    }

    /// Random name; with `odd`, possibly one that is invalid in rules.
    fn name(&mut self, stem: &str, i: usize, odd: bool) -> String {
        match self.below(8) {
            0 if odd => format!("{stem} {i}"),
            1 if odd => ["not", "and", "is", "very", ""][self.below(5)].to_owned(),
            2 if odd => format!("{stem}\"é\n{i}"),
            3 if odd => stem.to_owned(),
            _ => format!("{stem}{i}"),
        }
    }

    fn variable(&mut self, stem: &str, i: usize, inputs: &[String], odd: bool) -> Variable {
        let range = self.ascending(2);
        let mut variable = Variable::new(self.name(stem, i, odd), range[0], range[1]);
        variable.enabled = !self.one_in(8);
        variable.lock_range = self.one_in(4);
        if self.one_in(3) {
            variable.description = "description: 1/2 or more".into();
        }
        for k in 0..1 + self.below(3) {
            let named = NamedSet { name: self.name("s", k, odd), set: self.set(inputs) };
            variable.sets.push(named);
        }
        variable
    }

    fn hedges(&mut self) -> Vec<Hedge> {
        (0..self.below(6).saturating_sub(3)).map(|_| self.pick(&Hedge::ALL[1..])).collect()
    }

    fn antecedent(&mut self, system: &System, depth: usize) -> Antecedent {
        let parts = |generator: &mut SystemGenerator| {
            (0..2 + generator.below(2)).map(|_| generator.antecedent(system, depth + 1)).collect::<Vec<_>>()
        };
        match self.below(if depth < 4 { 6 } else { 3 }) {
            3 => Antecedent::And(parts(self)),
            4 => Antecedent::Or(parts(self)),
            5 => Antecedent::Not(Box::new(self.antecedent(system, depth + 1))),
            _ => {
                let variable = if self.one_in(6) {
                    VariableIndex::Output(self.below(system.outputs.len()))
                } else {
                    VariableIndex::Input(self.below(system.inputs.len()))
                };
                let set = self.below(system.variable(variable).sets.len());
                let mut hedges = self.hedges();
                let any = self.one_in(10);
                hedges.extend(any.then_some(Hedge::Any));
                Antecedent::Is(Proposition { variable, hedges, set: (!any).then_some(set) })
            }
        }
    }

    fn rule(&mut self, system: &System) -> Rule {
        let antecedent = if self.one_in(8) { Antecedent::Else } else { self.antecedent(system, 0) };
        let consequent = (0..1 + self.below(2)).map(|_| {
            let output = self.below(system.outputs.len());
            let set = self.below(system.outputs[output].variable.sets.len());
            Conclusion { output, hedges: self.hedges(), set }
        });
        let consequent = consequent.collect();
        Rule { antecedent, consequent, weight: if self.one_in(3) { self.number() } else { 1.0 } }
    }

    fn block(&mut self, system: &System, i: usize) -> RuleBlock {
        let conjunction =
            if self.one_in(5) { Conjunction::Mean } else { Conjunction::Norm(self.pick(&TNorm::ALL)) };
        let threshold = self.number();
        let rules = self.below(4);
        let activation = match self.below(10) {
            0 => Activation::First { rules, threshold },
            1 => Activation::Last { rules, threshold },
            2 => Activation::Highest { rules },
            3 => Activation::Lowest { rules },
            4 => Activation::Proportional,
            5 => Activation::Threshold { comparison: self.pick(&Comparison::ALL), threshold },
            6 => Activation::Threshold { comparison: Comparison::Less, threshold: f64::INFINITY },
            _ => Activation::General,
        };
        let mut block = RuleBlock::new(format!("block{i}")).conjunction(conjunction).activation(activation);
        block = block.disjunction(self.pick(&SNorm::ALL)).implication(self.pick(&TNorm::ALL));
        block.enabled = !self.one_in(6);
        block.rules = (0..1 + self.below(4)).map(|_| self.rule(system)).collect();
        block
    }

    /// Random valid system; with `odd`, some names are invalid in rules.
    pub(super) fn system(&mut self, odd: bool) -> System {
        let mut system = System::new("random system");
        let inputs = 1 + self.below(3);
        // Functions refer to the first input, so its name must be valid and unique.
        let names: Vec<String> = (0..inputs).map(|i| format!("p{i}")).collect();
        for i in 0..inputs {
            let mut variable = self.variable("in", i, &names, odd && i > 0);
            if i == 0 {
                variable.name.clone_from(&names[0]);
            }
            system.inputs.push(variable);
        }
        for i in 0..1 + self.below(2) {
            let kind = self.pick(&[WeightedKind::Automatic, WeightedKind::TakagiSugeno]);
            let samples = self.pick(&[None, Some(7)]);
            let defuzzifier = match self.pick(&Defuzzifier::ALL) {
                Defuzzifier::WeightedAverage { .. } => Defuzzifier::WeightedAverage { kind },
                Defuzzifier::WeightedSum { .. } => Defuzzifier::WeightedSum { kind },
                sampled => sampled.with_samples(samples),
            };
            let mut output = Output::new("", 0.0, 1.0).defuzzifier(defuzzifier);
            output.variable = self.variable("out", i, &names, odd);
            output.aggregation = Some(self.pick(&SNorm::ALL)).filter(|_| defuzzifier.is_sampled() || i > 0);
            output.default = self.pick(&[None, Some(0.5), Some(f64::INFINITY)]);
            output.lock_previous = self.one_in(3);
            output.scale = self.pick(&[1.0, 1.0, 1.0, 2.0, -0.5]);
            system.outputs.push(output);
        }
        for i in 0..1 + self.below(2) {
            let block = self.block(&system, i);
            system.blocks.push(block);
        }
        system
    }
}
