//! The room's part of `fuzzion bench`: one iteration of hybrid learning and its three parts, samples per second.

use super::algorithm::descend;
use super::antecedents::{Antecedents, TunedSet};
use super::cpu::Sweep;
use super::cuda::OnGpu;
use super::descent::Course;
use super::form::Form;
use super::network::Network;
use super::rows::{Loss, Rows, Samples};
use super::settings::Step;
use super::solve::solve;
use crate::device::measure::{Floor, Measurement, median_host_seconds};
use crate::device::{Ceilings, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use crate::random::Random;

/// A problem: its name, sets of each input, order of the consequents, rows.
type Shape = (&'static str, &'static [usize], usize, usize);

/// The paper's, the one packages are compared on, and larger ones.
const SHAPES: [Shape; 8] = [
    ("paper", &[5, 7], 0, 16 * 16),
    ("paper", &[5, 7], 0, 32 * 32),
    ("paper", &[5, 7], 0, 64 * 64),
    ("paper", &[5, 7], 0, 128 * 128),
    ("paper", &[5, 7], 0, 256 * 256),
    ("mackey-glass", &[2, 2, 2, 2], 1, 100_000),
    ("paper", &[5, 7], 0, 4_194_304),
    // 2,304 unknowns; a GPU takes more rows.
    ("large", &[2, 2, 2, 2, 2, 2, 2, 2], 1, 4096),
];

/// Rows of the large problem on a GPU.
const ON_GPU: usize = 1_048_576;
/// Iterations of a whole descent, the paper's.
const ITERATIONS: usize = 100;
/// Operations of an exponential, its multiply-adds being two each.
const EXP: f64 = 32.0;
/// ρ of equation (3).
const RIDGE: f64 = 1e-9;

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let setting = Setting { device, progress, ceilings: Ceilings::measure(device, progress)? };
    let mut measurements = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for shape in SHAPES {
                let samples = samples(shape);
                measurements.extend(setting.parts(shape, &mut Sweep::new(&samples, cpu))?);
            }
        }
        Processor::Cuda(cuda) => {
            for (name, sets, order, n) in SHAPES {
                let shape = (name, sets, order, if name == "large" { ON_GPU } else { n });
                let samples = samples(shape);
                let mut rows = OnGpu::new(&samples, cuda)?;
                measurements.extend(setting.parts(shape, &mut rows)?);
                if name != "large" {
                    measurements.push(setting.descent(shape, &mut rows)?);
                }
            }
        }
    }
    Ok(measurements)
}

/// What is timed, and where.
struct Setting<'a> {
    device: &'a Device,
    progress: Progress<'a>,
    ceilings: Ceilings,
}

impl Setting<'_> {
    /// An iteration, and each part of it by itself.
    fn parts(&self, shape: Shape, rows: &mut dyn Rows) -> Result<Vec<Measurement>> {
        let (name, sets, order, n) = shape;
        let mut network = Network::new(grid(sets), order, 1);
        let statistics = rows.statistics(&network)?;
        network.theta = solve(&statistics, RIDGE).theta;
        let times = [
            median_host_seconds(self.progress, || {
                network.theta = rows.consequents(&network, RIDGE)?.theta;
                rows.slope(&network, Loss::Squares).map(drop)
            })?,
            median_host_seconds(self.progress, || rows.statistics(&network).map(drop))?,
            median_host_seconds(self.progress, || {
                std::hint::black_box(solve(&statistics, RIDGE));
                Ok(())
            })?,
            median_host_seconds(self.progress, || rows.slope(&network, Loss::Squares).map(drop))?,
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

    /// A whole descent of [`ITERATIONS`], which a GPU makes in a launch or two.
    fn descent(&self, shape: Shape, rows: &mut dyn Rows) -> Result<Measurement> {
        let (name, sets, order, n) = shape;
        let mut network = Network::new(grid(sets), order, 1);
        network.theta = rows.consequents(&network, RIDGE)?.theta;
        let course = Course {
            iterations: ITERATIONS,
            solve_every: 1,
            rate: Step::Adam.rate(),
            ridge: RIDGE,
            readable: false,
            loss: Loss::Squares,
            patience: ITERATIONS,
        };
        let seconds = median_host_seconds(self.progress, || {
            descend(rows, network.clone(), &course, Step::Adam, false, Progress::none()).map(drop)
        })?;
        let [iteration, ..] = floors(&network, n as f64);
        let times = (ITERATIONS + 1) as f64; // the last one is not followed by a step
        let floor = Floor {
            bytes: times * iteration.bytes,
            operations_f64: times * iteration.operations_f64,
            ..Floor::default()
        };
        let (rules, inputs) = (network.antecedents.rules(), sets.len());
        let name = format!("tuning/{name}/{rules}r/o{order}/{n}x{inputs}/{ITERATIONS} iterations");
        let work = (n as f64 * times, "samples/s");
        Ok(Measurement::new(name, self.device, seconds, work, floor, &self.ceilings))
    }
}

/// The least that an iteration, the sums, the solution and the gradient must do.
fn floors(network: &Network, rows: f64) -> [Floor; 4] {
    let (rules, unknowns) = (network.antecedents.rules() as f64, network.unknowns() as f64);
    let bytes = 8.0 * rows * (network.antecedents.inputs + network.outputs) as f64;
    let floor = |bytes: f64, operations_f64: f64| Floor { bytes, operations_f64, ..Floor::default() };
    let statistics = rows * (rules * EXP + unknowns * (unknowns + 1.0));
    let solution = unknowns * unknowns * (unknowns / 3.0 + 2.0);
    // φ·P and the slopes of θ: a multiply-add each per unknown; q of each rule.
    let gradient = rows * (rules * (EXP + 4.0) + 4.0 * unknowns);
    [
        floor(2.0 * bytes, statistics + solution + gradient),
        floor(bytes, statistics),
        floor(0.0, solution),
        floor(bytes, gradient),
    ]
}

/// Gaussian sets evenly over 0 to 1, which cross at half their height, and a rule for each combination.
fn grid(sets: &[usize]) -> Antecedents {
    let mut all = Vec::new();
    let mut uses = vec![Vec::new()];
    for (input, count) in sets.iter().enumerate() {
        let (first, spacing) = (all.len(), 1.0 / (*count as f64 - 1.0));
        let width = 0.5 * spacing / (2.0 * std::f64::consts::LN_2).sqrt();
        all.extend(
            (0..*count).map(|i| TunedSet { input, parameters: [i as f64 * spacing, width, 0.0, 0.0] }),
        );
        let with = |rule: &Vec<u32>, set: usize| [rule.as_slice(), &[set as u32]].concat();
        uses = uses.iter().flat_map(|rule| (first..first + count).map(move |set| with(rule, set))).collect();
    }
    Antecedents { form: Form::Gaussian, inputs: sets.len(), sets: all, uses: uses.concat() }
}

/// Random inputs and a smooth target of them.
fn samples((_, sets, _, rows): Shape) -> Samples {
    let mut random = Random::new(1);
    let column = |_: &usize| (0..rows).map(|_| random.unit()).collect();
    let inputs: Vec<Vec<f64>> = sets.iter().map(column).collect();
    let target = (0..rows).map(|i| inputs.iter().map(|x| (5.0 * x[i]).sin()).sum()).collect();
    Samples { inputs, targets: vec![target], weights: None, training: rows }
}
