//! Plans on an emulated GPU against the CPU.

use super::super::{Activation, Defuzzifier, Dialect, Output, RuleBlock, System, Variable, WeightedKind};
use super::plan::{grid, near, rows, table};
use super::tipper;
use crate::data::Scalar;
use crate::device::cuda::Element;
use crate::device::cuda::emulator::Order;
use crate::device::{Cuda, Device};
use crate::inference::plan::cpu::PlanScalar;
use crate::progress::Progress;
use crate::sets::{SNorm, Set, TNorm};

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[|| emulated::<f64>(&tipper(), Dialect::Matlab, 1e-12)];

/// More rows than a grid of persistent blocks has threads on the emulated GPU.
const MANY_ROWS: usize = 3100;

fn emulated<T: Scalar + PlanScalar + Element>(system: &System, dialect: Dialect, tolerance: f64) {
    let plan = system.compile(dialect, T::PRECISION).unwrap();
    let rows = rows(system);
    let expected = plan.infer(&table(&rows), &Device::cpu().unwrap()).unwrap();
    let width = system.inputs.len();
    for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
        // Not a multiple of the rows per thread.
        let n = MANY_ROWS + rows.len() - 1;
        let mut out = vec![T::MISSING; n * expected.columns()];
        let fill = |range: std::ops::Range<usize>, x: &mut [T]| {
            for (x, i) in x.chunks_mut(width).zip(range) {
                x.iter_mut().zip(&rows[i % rows.len()]).for_each(|(x, value)| *x = T::from_f64(*value));
            }
        };
        plan.kernel::<T>(&cuda).unwrap().stream(&cuda, n, &Progress::none(), fill, &mut out).unwrap();
        for (i, got) in out.iter().enumerate() {
            let (row, column) = (i / expected.columns() % rows.len(), i % expected.columns());
            let want = expected.get(row, column).unwrap();
            let got = Scalar::to_f64(*got);
            assert!(
                near(got, want, tolerance * want.abs().max(1.0)),
                "{:?}: {got}, expected {want}",
                rows[row]
            );
        }
    }
}

#[test]
fn emulated_plans_match_the_cpu() {
    for dialect in [Dialect::Fuzzylite8, Dialect::Matlab] {
        emulated::<f64>(&tipper(), dialect, 1e-12);
        emulated::<f32>(&tipper(), dialect, 1e-5);
    }
}

#[test]
fn emulated_defuzzifiers_norms_and_activations_match_the_cpu() {
    let y = || Output::new("y", 0.0, 1.0);
    let samples = Some(31);
    let systems = [
        grid(
            RuleBlock::new("").implication(TNorm::AlgebraicProduct),
            y().defuzzifier(Defuzzifier::Centroid { samples }),
        ),
        grid(
            RuleBlock::new("")
                .implication(TNorm::EinsteinProduct)
                .activation(Activation::Highest { rules: 3 }),
            y().aggregation(Some(SNorm::AlgebraicSum)).defuzzifier(Defuzzifier::Bisector { samples }),
        ),
        grid(
            RuleBlock::new("").activation(Activation::First { rules: 2, threshold: 0.125 }),
            y().defuzzifier(Defuzzifier::MeanOfMaximum { samples }),
        ),
        grid(
            RuleBlock::new("").activation(Activation::Proportional),
            y().aggregation(Some(SNorm::UnboundedSum)).defuzzifier(Defuzzifier::LargestOfMaximum { samples }),
        ),
        grid(RuleBlock::new(""), y().defuzzifier(Defuzzifier::SmallestOfMaximum { samples })),
    ];
    for system in &systems {
        emulated::<f64>(system, Dialect::Fuzzylite8, 1e-12);
        emulated::<f64>(system, Dialect::Matlab, 1e-12);
    }
}

#[test]
fn emulated_consequents_match_the_cpu() {
    let input = |name: &str| {
        Variable::new(name, -1.0, 1.0)
            .set("n", Set::gaussian(-1.0, 0.5).unwrap())
            .set("p", Set::bell(1.0, 0.5, 2.5).unwrap())
            .lock_range(true)
    };
    let output = |defuzzifier: Defuzzifier| {
        Output::new("y", 0.0, 4.0)
            .set("number", Set::constant(0.5).unwrap())
            .set("plane", Set::linear(&[0.25, -0.5], 0.75).unwrap())
            .set("formula", Set::function("0.25 * log(a + 1.5) ^ 2 + 0.125 * x").unwrap())
            .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
            .set("s", Set::s_shape(0.0, 3.0).unwrap())
            .defuzzifier(defuzzifier)
            .aggregation(Some(SNorm::Maximum))
            .default(0.125)
    };
    for defuzzifier in [
        Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic },
        Defuzzifier::Centroid { samples: Some(20) },
    ] {
        let system = System::new("mixed").input(input("a")).input(input("b")).output(output(defuzzifier));
        let rules = [
            "if a is n then y is number and y is very plane",
            "if a is p and b is n then y is formula",
            "if a is not n then y is sigmoid with 0.5",
            "if b is n then y is s with 0.75",
            "else y is plane",
        ];
        let system = rules.iter().fold(system, |system, rule| system.rule(rule).unwrap());
        emulated::<f64>(&system, Dialect::Fuzzylite8, 1e-12);
        emulated::<f64>(&system, Dialect::Fuzzylite6, 1e-12);
    }
}
