//! The room's part of `fuzzion selftest`: every form of sets on every vector level, against the textbook.

use super::algorithm::descend;
use super::cpu::Sweep;
use super::cuda::OnGpu;
use super::descent::{Course, least_squares};
use super::form::Form;
use super::problem::{FORMS, Problem, network, samples};
use super::rows::{Loss, Rows, Samples};
use super::settings::Step;
use super::textbook::Textbook;
use crate::device::{Check, Cuda, Device, Processor, Simd};
use crate::error::Result;
use crate::progress::Progress;

/// Sums relative to the largest of their kind: a few thousand terms of size 1 with some tens of roundings each.
const BOUND: f64 = 1e-12;

/// Rows of a piece where they do not stay on a GPU: the training rows end within one.
const PIECE_ROWS: usize = 100;

/// Losses over ten iterations, relative: what rounding becomes of on the way.
const DESCENT_BOUND: f64 = 1e-6;

/// Rows, inputs, order, outputs: few rows, odd ones, more than a block and more than a chunk, many columns.
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
                        compare(&mut check, &problem, &samples, &mut Sweep::new(&samples, &cpu))?;
                    }
                    checks.push(check);
                }
            }
        }
        Processor::Cuda(cuda) => {
            for (name, problem) in problems() {
                let mut check = Check::new(format!("tuning/{name}/CUDA"), BOUND);
                for shape in SHAPES {
                    let (problem, samples) = shaped(problem, shape);
                    compare(&mut check, &problem, &samples, &mut OnGpu::new(&samples, cuda)?)?;
                }
                checks.push(check);
            }
            let mut check = Check::new("tuning/gaussian/in pieces/CUDA", BOUND);
            for shape in SHAPES {
                let (problem, samples) = shaped(Problem { weighted: true, ..Problem::default() }, shape);
                compare(&mut check, &problem, &samples, &mut OnGpu::in_pieces(&samples, cuda, PIECE_ROWS)?)?;
            }
            checks.push(check);
            for step in [Step::Plain, Step::Jang, Step::Adam] {
                checks.push(descent(step, cuda)?);
            }
        }
    }
    Ok(checks)
}

/// Every form with tied and untied sets, the latter with a rule that does not look at all inputs; one with weights and
/// missing inputs.
fn problems() -> Vec<(String, Problem)> {
    let forms = FORMS.into_iter().flat_map(|form| [(form, false), (form, true)]);
    let mut problems: Vec<(String, Problem)> = forms
        .map(|(form, untied)| {
            let sharing = if untied { "untied" } else { "tied" };
            (format!("{}/{sharing}", name(form)), Problem { form, untied, gap: untied, ..Problem::default() })
        })
        .collect();
    let partial = Problem { weighted: true, missing: true, gap: true, ..Problem::default() };
    problems.push(("gaussian/partial".to_owned(), partial));
    problems
}

fn name(form: Form) -> &'static str {
    match form {
        Form::Gaussian => "gaussian",
        Form::TwoSided => "two-sided",
        Form::Bell => "bell",
        Form::Triangle => "triangle",
    }
}

fn shaped(
    problem: Problem,
    (rows, inputs, order, outputs): (usize, usize, usize, usize),
) -> (Problem, Samples) {
    let problem = Problem { rows, inputs, order, outputs, ..problem };
    (problem, samples(&problem, 3))
}

/// All that a back end does, beside the textbook.
fn compare(check: &mut Check, problem: &Problem, samples: &Samples, rows: &mut dyn Rows) -> Result<()> {
    let (network, mut textbook) = (network(problem, 5), Textbook(samples));
    let (found, expected) = (rows.statistics(&network)?, textbook.statistics(&network)?);
    numbers(check, &found.gram, &expected.gram);
    numbers(check, &found.cross, &expected.cross);
    numbers(check, &found.squares, &expected.squares);
    check.case((found.weight - expected.weight).abs());
    for loss in [Loss::Squares, Loss::CrossEntropy] {
        let (found, expected) = (rows.slope(&network, loss)?, textbook.slope(&network, loss)?);
        numbers(check, &found.loss, &expected.loss);
        numbers(check, &found.squares, &expected.squares);
        numbers(check, &found.weight, &expected.weight);
        numbers(check, &found.theta, &expected.theta);
        numbers(check, found.sets.as_flattened(), expected.sets.as_flattened());
    }
    let (found, expected) = (rows.predict(&network)?, textbook.predict(&network)?);
    found.iter().zip(&expected).for_each(|(found, expected)| numbers(check, found, expected));
    Ok(())
}

/// Iterations that a GPU makes at once, and consequents of many unknowns, beside the textbook's.
fn descent(step: Step, cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new(format!("tuning/descent/{step:?}/CUDA"), DESCENT_BOUND);
    for (order, inputs, rows) in [(0, 2, 700), (1, 2, 5000), (1, 3, 900)] {
        let problem = Problem { order, inputs, rows, ..Problem::default() };
        let samples = samples(&problem, 3);
        let course = Course {
            iterations: 10,
            solve_every: 1,
            rate: step.rate(),
            ridge: 1e-9,
            readable: false,
            loss: Loss::Squares,
            patience: 10,
        };
        let run = |rows: &mut dyn Rows| {
            let mut network = network(&problem, 5);
            let ill_conditioned = least_squares(rows, &mut network, course.ridge)?;
            descend(rows, network, &course, step, ill_conditioned, Progress::none())
        };
        let (found, expected) = (run(&mut OnGpu::new(&samples, cuda)?)?, run(&mut Textbook(&samples))?);
        check.case(found.history.len().abs_diff(expected.history.len()) as f64);
        for (found, expected) in found.history.iter().zip(&expected.history) {
            check.case((found.loss[0] / expected.loss[0] - 1.0).abs());
            check.case((found.loss[1] / expected.loss[1] - 1.0).abs());
        }
    }
    Ok(check)
}

fn numbers(check: &mut Check, found: &[f64], expected: &[f64]) {
    check.case(found.len().abs_diff(expected.len()) as f64);
    let largest = expected.iter().fold(1e-3f64, |largest, x| largest.max(x.abs()));
    found.iter().zip(expected).for_each(|(a, b)| check.case((a - b).abs() / largest));
}
