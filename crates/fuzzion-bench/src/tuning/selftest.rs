//! Tuning checks of `fuzzion selftest`: every form of sets at every SIMD level or on a GPU, compared with the textbook
//! implementation.

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::device::{Cpu, Cuda, Simd};
use fuzzion::internals::device::Processor;
use fuzzion::internals::tuning::{
    Backend, CpuBackend, CudaBackend, DescentSettings, Loss, Problem, ScaledSamples, Textbook,
    fit_consequents, gradient_descent, network, samples,
};
use fuzzion::tuning::{Form, StepRule};
use fuzzion::{Device, Progress, Result};

/// Maximum error relative to the largest expected value: the values are sums of a few thousand terms of magnitude 1,
/// each with a few tens of rounding errors.
const BOUND: f64 = 1e-12;

/// Rows per chunk when the rows are streamed to the GPU; the training rows end within a chunk.
const CHUNK_ROWS: usize = 100;

/// Maximum relative difference of losses over ten iterations, which accumulate rounding errors.
const DESCENT_BOUND: f64 = 1e-6;

/// Rows, inputs, order, outputs: few rows, an odd number of rows, more rows than a block, many columns, more rows than
/// a chunk.
const SHAPES: [(usize, usize, usize, usize); 5] =
    [(2, 1, 0, 1), (37, 2, 1, 1), (513, 2, 0, 2), (130, 3, 2, 3), (2600, 2, 1, 1)];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let cpu = cpu.clone().with_simd(simd);
                for (name, problem) in problems() {
                    let mut check = Check::new(format!("tuning/{name}/{}", simd.level().name()), BOUND);
                    for shape in SHAPES {
                        let (problem, samples) = shaped(problem, shape);
                        compare(&mut check, &problem, &samples, &mut CpuBackend::new(&samples, &cpu))?;
                    }
                    checks.push(check);
                }
            }
        }
        Processor::Cuda(cuda) => {
            let mut parts: Vec<Part<'_>> = Vec::new();
            for (name, problem) in problems() {
                parts.push(Box::new(move || {
                    let mut check = Check::new(format!("tuning/{name}/CUDA"), BOUND);
                    for shape in SHAPES {
                        let (problem, samples) = shaped(problem, shape);
                        let mut backend = CudaBackend::new(&samples, cuda, device.host_cpu())?;
                        compare(&mut check, &problem, &samples, &mut backend)?;
                    }
                    Ok(vec![check])
                }));
            }
            parts.push(Box::new(|| {
                let mut check = Check::new("tuning/gaussian/in chunks/CUDA", BOUND);
                for shape in SHAPES {
                    let (problem, samples) = shaped(Problem { weighted: true, ..Problem::default() }, shape);
                    let mut backend = CudaBackend::streamed(&samples, cuda, device.host_cpu(), CHUNK_ROWS)?;
                    compare(&mut check, &problem, &samples, &mut backend)?;
                }
                Ok(vec![check])
            }));
            for step in [StepRule::Plain, StepRule::Jang, StepRule::Adam] {
                parts.push(Box::new(move || Ok(vec![descent(step, cuda, device.host_cpu())?])));
            }
            checks.extend(concurrent::run(&parts)?);
        }
    }
    Ok(checks)
}

/// Every form with tied and untied sets, the latter with a rule that does not use all inputs, and one problem with
/// weights and missing inputs.
fn problems() -> Vec<(String, Problem)> {
    let forms = Form::ALL.into_iter().flat_map(|form| [(form, false), (form, true)]);
    let mut problems: Vec<(String, Problem)> = forms
        .map(|(form, untied)| {
            let sharing = if untied { "untied" } else { "tied" };
            (
                format!("{form}/{sharing}"),
                Problem { form, untied, unused_input: untied, ..Problem::default() },
            )
        })
        .collect();
    let partial = Problem { weighted: true, missing: true, unused_input: true, ..Problem::default() };
    problems.push(("gaussian/partial".to_owned(), partial));
    problems
}

fn shaped(
    problem: Problem,
    (rows, inputs, order, outputs): (usize, usize, usize, usize),
) -> (Problem, ScaledSamples) {
    let problem = Problem { rows, inputs, order, outputs, ..problem };
    (problem, samples(&problem, 3))
}

/// Compares all operations of a back end with the textbook implementation.
fn compare(
    check: &mut Check,
    problem: &Problem,
    samples: &ScaledSamples,
    backend: &mut dyn Backend,
) -> Result<()> {
    let (network, mut textbook) = (network(problem, 5), Textbook(samples));
    let (found, expected) = (backend.normal_equations(&network)?, textbook.normal_equations(&network)?);
    compare_values(check, &found.gram, &expected.gram);
    compare_values(check, &found.cross, &expected.cross);
    compare_values(check, &found.squares, &expected.squares);
    check.case((found.weight - expected.weight).abs());
    for loss in [Loss::SquaredError, Loss::CrossEntropy] {
        let (found, expected) =
            (backend.loss_and_gradient(&network, loss)?, textbook.loss_and_gradient(&network, loss)?);
        compare_values(check, &found.loss, &expected.loss);
        compare_values(check, &found.squares, &expected.squares);
        compare_values(check, &found.weight, &expected.weight);
        compare_values(check, &found.theta, &expected.theta);
        compare_values(check, found.sets.as_flattened(), expected.sets.as_flattened());
    }
    let (found, expected) = (backend.predict(&network)?, textbook.predict(&network)?);
    found.iter().zip(&expected).for_each(|(found, expected)| compare_values(check, found, expected));
    Ok(())
}

/// Compares iterations in one GPU launch, including least-squares problems with many unknowns, with the textbook
/// implementation.
fn descent(step: StepRule, cuda: &Cuda, cpu: &Cpu) -> Result<Check> {
    let mut check = Check::new(format!("tuning/descent/{step:?}/CUDA"), DESCENT_BOUND);
    for (order, inputs, rows) in [(0, 2, 700), (1, 2, 5000), (1, 3, 900)] {
        let problem = Problem { order, inputs, rows, ..Problem::default() };
        let samples = samples(&problem, 3);
        let settings = DescentSettings {
            iterations: 10,
            solve_every: 1,
            rate: step.default_rate(),
            ridge: 1e-9,
            readable: false,
            loss: Loss::SquaredError,
            patience: 10,
        };
        let run = |backend: &mut dyn Backend| {
            let mut network = network(&problem, 5);
            let ill_conditioned = fit_consequents(backend, &mut network, settings.ridge)?;
            gradient_descent(backend, network, &settings, step, ill_conditioned, &Progress::none())
        };
        let mut backend = CudaBackend::new(&samples, cuda, cpu)?;
        let (found, expected) = (run(&mut backend)?, run(&mut Textbook(&samples))?);
        check.case(found.history.len().abs_diff(expected.history.len()) as f64);
        for (found, expected) in found.history.iter().zip(&expected.history) {
            check.case((found.loss[0] / expected.loss[0] - 1.0).abs());
            check.case((found.loss[1] / expected.loss[1] - 1.0).abs());
        }
    }
    Ok(check)
}

fn compare_values(check: &mut Check, found: &[f64], expected: &[f64]) {
    check.case(found.len().abs_diff(expected.len()) as f64);
    let largest = expected.iter().fold(1e-3f64, |largest, x| largest.max(x.abs()));
    found.iter().zip(expected).for_each(|(a, b)| check.case((a - b).abs() / largest));
}
