//! Self-test of this module for `fuzzion selftest`: compares every kind of training at every SIMD level and with
//! every mapping with the textbook implementation.

mod adam;

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::device::{Cuda, Simd};
use fuzzion::internals::device::Processor;
use fuzzion::internals::sonfin::{
    CpuLearner, CudaLearner, KernelLayout, Learner, Network, Problem, ScaledSamples, StepSettings, Textbook,
    TrainingRun, network, order, samples, step_settings,
};
use fuzzion::sonfin::{Loss, Mapping, WidthRule};
use fuzzion::{Device, Result};

/// Bound relative to the largest value of each kind: about a hundred steps with about twenty roundings of 6e-8
/// each.
const BOUND: f64 = 2e-5;

/// Inputs and rules: small and odd sizes, more than one vector, more inputs than one check interval.
const SHAPES: [(usize, usize); 5] = [(1, 1), (3, 17), (16, 100), (65, 33), (617, 40)];

/// Networks with the most inputs or rules, which do not fit in shared memory; the first two have more inputs than
/// `rule-per-block` supports.
const LARGE_SHAPES: [(usize, usize); 3] = [(8192, 4096), (8192, 9), (5, 4096)];
/// As [`BOUND`], for 8,192 inputs: D, the sum of this many squares, is about 109; its single-precision error of
/// about 4e-5 is the relative error of e⁻ᴰ in each of [`LARGE_ROWS`] steps.
const LARGE_BOUND: f64 = 1e-4;
/// Samples for large networks, on which the textbook implementation is slow.
const LARGE_ROWS: usize = 4;

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let cpu = cpu.clone().with_simd(simd);
                for (training_cases, shapes) in
                    [(&training_cases()[..], &SHAPES[..]), (&[large()], &LARGE_SHAPES[1..])]
                {
                    checks.extend(compare_all(
                        simd.level().name(),
                        training_cases,
                        shapes,
                        |samples, networks| Ok(Box::new(CpuLearner::new(samples, networks, &cpu))),
                    )?);
                }
                checks.extend(adam::checks(simd.level().name(), |samples, networks| {
                    Ok(Box::new(CpuLearner::new(samples, networks, &cpu)))
                })?);
            }
        }
        Processor::Cuda(cuda) => {
            let gpu = cuda.gpu();
            let layouts = layouts(gpu.multiprocessors as usize, gpu.capability.0 >= 9);
            let mut parts: Vec<Part<'_>> = Vec::new();
            for (i, (name, layout)) in layouts.into_iter().enumerate() {
                // Kernels are compiled for each shape: all cases with the first layout of each mapping, all shapes
                // with the very first layout.
                let all = training_cases();
                let training_cases = if i < 3 { &all[..] } else { &all[5..6] };
                let shapes = if i == 0 { &SHAPES[..] } else { &SHAPES[3..] };
                let mut compared: Vec<_> = training_cases.iter().map(|case| (*case, shapes)).collect();
                // One layout per mapping that uses the whole GPU.
                if [1, 2, 4].contains(&i) {
                    compared.push((
                        large(),
                        if layout == KernelLayout::RulePerBlock {
                            &LARGE_SHAPES[2..]
                        } else {
                            &LARGE_SHAPES[..]
                        },
                    ));
                }
                for (training_case, shapes) in compared {
                    let name = name.clone();
                    parts.push(Box::new(move || {
                        compare_all(&name, &[training_case], shapes, |samples, networks| {
                            Ok(Box::new(CudaLearner::with_layout(samples, networks, cuda, layout)?))
                        })
                    }));
                }
            }
            parts.push(Box::new(|| Ok(vec![concurrent_networks(cuda)?])));
            for blocks in [gpu.multiprocessors as usize, 7] {
                parts.push(Box::new(move || {
                    adam::checks(&format!("{blocks} blocks"), |samples, networks| {
                        let learner = CudaLearner::new(samples, networks, cuda, Mapping::Auto)?;
                        Ok(Box::new(learner.with_adam_blocks(blocks)))
                    })
                }));
            }
            checks.extend(concurrent::run(&parts)?);
        }
    }
    Ok(checks)
}

/// One layout of each mapping, then further layouts.
fn layouts(processors: usize, clusters: bool) -> Vec<(String, KernelLayout)> {
    let resident = |blocks_per_network, clustered| KernelLayout::Resident {
        blocks_per_network,
        clustered,
        threads: 512,
    };
    let atm = |threads, threads_per_rule, rules_per_thread| KernelLayout::Atm {
        threads,
        threads_per_rule,
        rules_per_thread,
        fast_exp: false,
    };
    let mut all = vec![resident(processors.min(33), false), atm(512, 16, 1), KernelLayout::RulePerBlock];
    all.extend([resident(1, false), resident(processors, false), atm(256, 128, 2)]);
    if clusters {
        all.extend([2, 8, 16].map(|blocks_per_network| resident(blocks_per_network, true)));
    }
    let name = |layout: KernelLayout| format!("{}, {}", layout.mapping().name(), layout.name());
    all.into_iter().map(|layout| (name(layout), layout)).collect()
}

/// Checks that networks trained concurrently are identical to networks trained alone.
fn concurrent_networks(cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new("sonfin/concurrent networks".to_owned(), 0.0);
    let problem = Problem { rows: 60, ..Problem::default() };
    let samples = samples(&problem);
    let networks = [network(&problem, &samples), Network::empty(problem.dims, problem.outputs)];
    let orders: Vec<Vec<u32>> = (0..150).map(|n| order(40 + n % 20, n as u64)).collect();
    let start: Vec<Network> = (0..orders.len()).map(|n| networks[n % 2].clone()).collect();
    let growing = StepSettings { ln_threshold: -1.0, max_rules: 40, ..step_settings() };
    let run = |n: usize| TrainingRun { order: &orders[n], settings: growing, replay: None };
    let mut concurrent = CudaLearner::new(&samples, &start, cuda, Mapping::Auto)?;
    let stats = concurrent.learn(&(0..orders.len()).map(run).collect::<Vec<_>>())?;
    for n in [0, 1, 77, orders.len() - 1] {
        let mut single_learner = CudaLearner::with_layout(
            &samples,
            &start[n..=n],
            cuda,
            KernelLayout::Resident { blocks_per_network: 1, clustered: false, threads: 512 },
        )?;
        let single_stats = single_learner.learn(&[run(n)])?;
        check.case(if single_stats[0].decisions == stats[n].decisions { 0.0 } else { f64::INFINITY });
        let (single_learner, concurrent) = (single_learner.network(0)?, concurrent.network(n)?);
        check.case(if single_learner == concurrent { 0.0 } else { f64::INFINITY });
    }
    Ok(check)
}

/// Compares the learners created by `learner` with the textbook implementation in all these cases.
fn compare_all<F>(
    back_end: &str,
    training_cases: &[TrainingCase],
    shapes: &[(usize, usize)],
    learner: F,
) -> Result<Vec<Check>>
where
    F: for<'a> Fn(&'a ScaledSamples, &[Network]) -> Result<Box<dyn Learner + 'a>>,
{
    let mut checks = Vec::new();
    for TrainingCase { name, problem, settings, bound } in training_cases.iter().copied() {
        let mut check = Check::new(format!("sonfin/{name}/{back_end}"), bound);
        for (dims, rules) in shapes.iter().copied() {
            // Growing networks start without rules.
            let rules = if settings.ln_threshold.is_finite() { 0 } else { rules };
            let problem = Problem { dims, rules, ..problem };
            let samples = samples(&problem);
            let start = [network(&problem, &samples)];
            let mut textbook = Textbook::new(&samples, &start);
            let mut learner = learner(&samples, &start)?;
            compare(&mut check, &order(problem.rows, 3), settings, &mut textbook, learner.as_mut())?;
        }
        checks.push(check);
    }
    Ok(checks)
}

/// A training case and its error bound.
#[derive(Clone, Copy)]
struct TrainingCase {
    name: &'static str,
    problem: Problem,
    settings: StepSettings,
    bound: f64,
}

fn training_cases() -> Vec<TrainingCase> {
    let problem = Problem { rows: 60, ..Problem::default() };
    let growing = |width_rule, beta| StepSettings { width_rule, beta, ln_threshold: -1.5, ..step_settings() };
    let training_cases = [
        ("squares", problem, step_settings()),
        ("cross-entropy", problem, StepSettings { loss: Loss::CrossEntropy, ..step_settings() }),
        (
            "plain gradient",
            problem,
            StepSettings { plain_gradient: true, rate_m: 1e-3, rate_s: 1e-3, ..step_settings() },
        ),
        ("many outputs", Problem { outputs: 26, ..problem }, step_settings()),
        ("missing inputs", Problem { missing: true, ..problem }, step_settings()),
        ("growth by distance", problem, growing(WidthRule::Distance, 0.6)),
        ("growth by squared distance", problem, growing(WidthRule::Thesis, 0.6)),
        ("growth by log-firing", Problem { missing: true, ..problem }, growing(WidthRule::LogFiring, 0.05)),
    ];
    let case = |(name, problem, settings)| TrainingCase { name, problem, settings, bound: BOUND };
    training_cases.map(case).to_vec()
}

/// Case for [`LARGE_SHAPES`].
fn large() -> TrainingCase {
    let problem = Problem { rows: LARGE_ROWS, ..Problem::default() };
    TrainingCase { name: "large networks", problem, settings: step_settings(), bound: LARGE_BOUND }
}

/// Compares one run that replays the decisions of the textbook implementation, and the outputs after it.
fn compare(
    check: &mut Check,
    order: &[u32],
    settings: StepSettings,
    textbook: &mut Textbook<'_>,
    learner: &mut dyn Learner,
) -> Result<()> {
    let expected = textbook.learn(&[TrainingRun { order, settings, replay: None }])?;
    let replay = Some(expected[0].decisions.as_slice());
    let found = learner.learn(&[TrainingRun { order, settings, replay }])?;
    check.case((found[0].loss / expected[0].loss - 1.0).abs());
    check.case(if found[0].decisions == expected[0].decisions { 0.0 } else { f64::INFINITY });
    compare_values(check, &learner.outputs(0, order)?, &textbook.outputs(0, order)?);
    let (found, expected) = (learner.network(0)?, textbook.network(0)?);
    compare_values(check, &found.a, &expected.a);
    compare_values(check, &found.c, &expected.c);
    compare_values(check, &found.w, &expected.w);
    Ok(())
}

fn compare_values(check: &mut Check, found: &[f32], expected: &[f32]) {
    check.case(found.len().abs_diff(expected.len()) as f64);
    let max_abs = expected.iter().fold(1e-3f64, |max_abs, x| max_abs.max(f64::from(x.abs())));
    let difference = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).abs() / max_abs;
    found.iter().zip(expected).map(difference).for_each(|difference| check.case(difference));
}
