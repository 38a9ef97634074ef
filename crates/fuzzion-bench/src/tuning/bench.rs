//! Tuning benchmarks: one iteration of hybrid training and its three parts, in samples per second.

use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds};
use fuzzion::internals::Random;
use fuzzion::internals::device::Processor;
use fuzzion::internals::tuning::{
    Antecedents, Backend, CpuBackend, CudaBackend, DescentSettings, Loss, Network, ScaledSamples, ScaledSet,
    gradient_descent, solve,
};
use fuzzion::tuning::{Form, StepRule};
use fuzzion::{Device, Progress, Result};

/// A problem: name, number of sets per input, order of the consequents, number of rows.
type Shape = (&'static str, &'static [usize], usize, usize);

/// The problem of Ferreira and Cruz (2012), the one used to compare packages, and larger ones.
const SHAPES: [Shape; 8] = [
    ("paper", &[5, 7], 0, 16 * 16),
    ("paper", &[5, 7], 0, 32 * 32),
    ("paper", &[5, 7], 0, 64 * 64),
    ("paper", &[5, 7], 0, 128 * 128),
    ("paper", &[5, 7], 0, 256 * 256),
    ("mackey-glass", &[2, 2, 2, 2], 1, 100_000),
    ("paper", &[5, 7], 0, 4_194_304),
    // 2,304 unknowns; a GPU uses more rows.
    ("large", &[2, 2, 2, 2, 2, 2, 2, 2], 1, 4096),
];

/// Number of rows of the large problem on a GPU.
const LARGE_ROWS_ON_GPU: usize = 1_048_576;
/// Iterations of a complete descent, as in Ferreira and Cruz (2012).
const ITERATIONS: usize = 100;
/// Operations per exponential, counting a multiply-add as two.
const EXP_OPERATIONS: f64 = 32.0;
/// Ridge ρ of Equation (3).
const RIDGE: f64 = 1e-9;

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let context = BenchContext { device, progress, ceilings: Ceilings::measure(device, progress)? };
    let mut measurements = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for shape in SHAPES {
                let samples = samples(shape);
                measurements.extend(context.parts(shape, &mut CpuBackend::new(&samples, cpu))?);
            }
        }
        Processor::Cuda(cuda) => {
            for (name, sets, order, n) in SHAPES {
                let shape = (name, sets, order, if name == "large" { LARGE_ROWS_ON_GPU } else { n });
                let samples = samples(shape);
                let mut backend = CudaBackend::new(&samples, cuda, device.host_cpu())?;
                measurements.extend(context.parts(shape, &mut backend)?);
                if name != "large" {
                    measurements.push(context.descent(shape, &mut backend)?);
                }
            }
        }
    }
    Ok(measurements)
}

/// Device, progress callback and measured ceilings.
struct BenchContext<'a> {
    device: &'a Device,
    progress: &'a Progress,
    ceilings: Ceilings,
}

impl BenchContext<'_> {
    /// Times one iteration and each of its parts.
    fn parts(&self, shape: Shape, backend: &mut dyn Backend) -> Result<Vec<Measurement>> {
        let (name, sets, order, n) = shape;
        let mut network = Network::new(grid(sets), order, 1);
        let normal_equations = backend.normal_equations(&network)?;
        network.theta = solve(&normal_equations, RIDGE).theta;
        let times = [
            median_host_seconds(self.progress, || {
                network.theta = backend.solve_consequents(&network, RIDGE)?.theta;
                Ok(backend.loss_and_gradient(&network, Loss::SquaredError).map(drop)?)
            })?,
            median_host_seconds(self.progress, || Ok(backend.normal_equations(&network).map(drop)?))?,
            median_host_seconds(self.progress, || {
                std::hint::black_box(solve(&normal_equations, RIDGE));
                Ok(())
            })?,
            median_host_seconds(self.progress, || {
                Ok(backend.loss_and_gradient(&network, Loss::SquaredError).map(drop)?)
            })?,
        ];
        let floors = floors(&network, n as f64);
        let (rules, inputs) = (network.antecedents.rules(), sets.len());
        let names = ["", "/statistics", "/least-squares", "/gradient"];
        let measured = names.into_iter().zip(times).zip(floors).map(|((part, seconds), floor)| {
            let name = format!("tuning/{name}/{rules}r/o{order}/{n}x{inputs}{part}");
            Measurement::new(name, self.device, seconds, (n as f64, "samples/s"), floor, &self.ceilings)
        });
        Ok(measured.collect())
    }

    /// Times a complete descent of [`ITERATIONS`], which takes a GPU one or two launches.
    fn descent(&self, shape: Shape, backend: &mut dyn Backend) -> Result<Measurement> {
        let (name, sets, order, n) = shape;
        let mut network = Network::new(grid(sets), order, 1);
        network.theta = backend.solve_consequents(&network, RIDGE)?.theta;
        let settings = DescentSettings {
            iterations: ITERATIONS,
            solve_every: 1,
            rate: StepRule::Adam.default_rate(),
            ridge: RIDGE,
            readable: false,
            loss: Loss::SquaredError,
            patience: ITERATIONS,
        };
        let seconds = median_host_seconds(self.progress, || {
            Ok(gradient_descent(
                backend,
                network.clone(),
                &settings,
                StepRule::Adam,
                false,
                &Progress::none(),
            )
            .map(drop)?)
        })?;
        let [iteration, ..] = floors(&network, n as f64);
        let times = (ITERATIONS + 1) as f64; // the last evaluation is not followed by a step
        let floor = MinimumWork {
            bytes: times * iteration.bytes,
            operations_f64: times * iteration.operations_f64,
            ..MinimumWork::default()
        };
        let (rules, inputs) = (network.antecedents.rules(), sets.len());
        let name = format!("tuning/{name}/{rules}r/o{order}/{n}x{inputs}/{ITERATIONS} iterations");
        let work = (n as f64 * times, "samples/s");
        Ok(Measurement::new(name, self.device, seconds, work, floor, &self.ceilings))
    }
}

/// Minimum work of an iteration, the normal equations, the solution and the gradient.
fn floors(network: &Network, rows: f64) -> [MinimumWork; 4] {
    let (rules, unknowns) = (network.antecedents.rules() as f64, network.unknowns() as f64);
    let bytes = 8.0 * rows * (network.antecedents.inputs + network.outputs) as f64;
    let floor =
        |bytes: f64, operations_f64: f64| MinimumWork { bytes, operations_f64, ..MinimumWork::default() };
    let normal_equations = rows * (rules * EXP_OPERATIONS + unknowns * (unknowns + 1.0));
    let solution = unknowns * unknowns * (unknowns / 3.0 + 2.0);
    // φ·P and the gradient of θ take one multiply-add each per unknown, q a few operations per rule.
    let gradient = rows * (rules * (EXP_OPERATIONS + 4.0) + 4.0 * unknowns);
    [
        floor(2.0 * bytes, normal_equations + solution + gradient),
        floor(bytes, normal_equations),
        floor(0.0, solution),
        floor(bytes, gradient),
    ]
}

/// Uniform grid of Gaussian sets over [0, 1] that cross at ½, with one rule per combination.
fn grid(sets: &[usize]) -> Antecedents {
    let mut all = Vec::new();
    let mut set_indices = vec![Vec::new()];
    for (input, count) in sets.iter().enumerate() {
        let (first, spacing) = (all.len(), 1.0 / (*count as f64 - 1.0));
        let width = 0.5 * spacing / (2.0 * std::f64::consts::LN_2).sqrt();
        all.extend(
            (0..*count).map(|i| ScaledSet { input, parameters: [i as f64 * spacing, width, 0.0, 0.0] }),
        );
        let with = |rule: &Vec<u32>, set: usize| [rule.as_slice(), &[set as u32]].concat();
        set_indices = set_indices
            .iter()
            .flat_map(|rule| (first..first + count).map(move |set| with(rule, set)))
            .collect();
    }
    Antecedents { form: Form::Gaussian, inputs: sets.len(), sets: all, set_indices: set_indices.concat() }
}

/// Random inputs and a smooth target.
fn samples((_, sets, _, rows): Shape) -> ScaledSamples {
    let mut random = Random::new(1);
    let column = |_: &usize| (0..rows).map(|_| random.unit()).collect();
    let inputs: Vec<Vec<f64>> = sets.iter().map(column).collect();
    let target = (0..rows).map(|i| inputs.iter().map(|x| (5.0 * x[i]).sin()).sum()).collect();
    ScaledSamples { inputs, targets: vec![target], weights: None, training: rows }
}
