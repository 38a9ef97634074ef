//! Plans on an emulated GPU against the CPU.

use super::super::{Activation, Defuzzifier, Dialect, Output, RuleBlock, System, Variable, WeightedKind};
use super::plan::{grid, near, rows, table};
use super::tipper;
use crate::data::{Precision, Samples, Scalar};
use crate::device::cuda::Element;
use crate::device::cuda::emulator::Order;
use crate::device::{Cuda, Device};
use crate::inference::plan::cpu::PlanScalar;
use crate::inference::{InferOptions, InferenceTables};
use crate::progress::Progress;
use crate::sets::{SNorm, Set, TNorm};

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    || emulated::<f64>(&tipper(), Dialect::Matlab, 1e-12),
    emulated_results_of_rows_in_gpu_memory_stay_there,
];

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
fn emulated_results_of_rows_in_gpu_memory_stay_there() {
    let system = tipper();
    let rows = rows(&system);
    let values: Vec<f64> = rows.iter().flatten().copied().collect();
    let single: Vec<f32> = values.iter().map(|x| *x as f32).collect();
    let inputs: Vec<String> = system.inputs.iter().map(|input| input.name.clone()).collect();
    // Columns in another order, and one that the system does not read.
    let reordered: Vec<f64> = rows.iter().flat_map(|row| [row[1], 7.0, row[0]]).collect();
    let names = vec![inputs[1].clone(), "other".to_owned(), inputs[0].clone()];
    let double = Samples::new(2, &values).unwrap();
    for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
        let device = Device::with_emulated_gpus(vec![cuda]);
        for precision in [Precision::F64, Precision::F32] {
            let plan = system.compile(Dialect::Fuzzylite8, precision).unwrap();
            for samples in [
                double.clone(),
                Samples::new(2, &single).unwrap(),
                Samples::new(3, &reordered).unwrap().with_names(names.clone()).unwrap(),
            ] {
                let expected = plan.infer(&samples, &device).unwrap();
                let placed = samples.to_device(&device).unwrap();
                let on_device = plan.infer_on_device(&placed, &device).unwrap();
                assert!(!on_device.has_host_copy());
                assert_eq!(format!("{:?}", on_device.to_host().unwrap()), format!("{expected:?}"));
                assert_eq!(format!("{:?}", plan.infer(&placed, &device).unwrap()), format!("{expected:?}"));
                let part = Samples::from(&placed).part(3..8);
                let found = plan.infer_on_device(part, &device).unwrap().to_host().unwrap();
                assert_eq!(format!("{:?}", found.values()), format!("{:?}", expected.slice(3..8)));
                assert!(plan.infer_on_device(&placed, &Device::cpu().unwrap()).is_err());
            }
        }
    }
    // Without a GPU, and for a system whose outputs keep their previous value, the results are in host memory.
    let mut locked = system.clone();
    locked.outputs[0].lock_previous = true;
    let cpu = Device::cpu().unwrap();
    for system in [system, locked] {
        let plan = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
        let expected = plan.infer(&double, &cpu).unwrap();
        let found = plan.infer_on_device(&double, &cpu).unwrap().to_host().unwrap();
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        let Some(device) = Cuda::emulated(Order::Forward).map(|cuda| Device::with_emulated_gpus(vec![cuda]))
        else {
            return;
        };
        let placed = double.to_device(&device).unwrap();
        let found = plan.infer_on_device(&placed, &device).unwrap().to_host().unwrap();
        let expected = plan.infer(&double, &device).unwrap();
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    }
}

#[test]
fn two_emulated_gpus_give_the_results_of_one() {
    let device = |gpus: Vec<Order>| {
        Some(Device::with_emulated_gpus(gpus.into_iter().map(Cuda::emulated).collect::<Option<_>>()?))
    };
    let (Some(one), Some(two)) =
        (device(vec![Order::Forward]), device(vec![Order::Forward, Order::Shuffled(2)]))
    else {
        return;
    };
    let inputs = table(&rows(&tipper()));
    for precision in [Precision::F32, Precision::F64] {
        let plan = tipper().compile(Dialect::Fuzzylite8, precision).unwrap();
        for options in [InferOptions::default(), InferOptions::default().firing_strengths(true).fired(true)] {
            let infer = |samples: Samples<'_>, device| plan.infer_with(samples, options, device).unwrap();
            for rows in [0, 1, inputs.rows()] {
                let samples = inputs.samples().part(0..rows);
                let (a, b) = (infer(samples.clone(), &one), infer(samples, &two));
                let tables =
                    |tables: InferenceTables| [Some(tables.outputs), tables.firing_strengths, tables.fired];
                assert_eq!(format!("{:?}", tables(a)), format!("{:?}", tables(b)), "{rows} rows");
            }
        }
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
