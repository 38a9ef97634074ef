//! The room's part of `fuzzion selftest`: every kind of learning on every vector level and in every mapping, against the
//! textbook.

use super::cpu::OnCpu;
use super::cuda::OnGpu;
use super::cuda::layout::Layout;
use super::learner::{Course, Learner, Lesson, Loss, WidthRule};
use super::network::Network;
use super::problem::{Problem, course, network, order, samples};
use super::samples::Samples;
use super::settings::Mapping;
use super::textbook::Textbook;
use crate::device::{Check, Cuda, Device, Processor, Simd};
use crate::error::Result;

/// Parameters and outputs relative to the largest of their kind: some hundred steps with some twenty roundings of 6e-8 each.
const BOUND: f64 = 2e-5;

/// Dims, rules: few, odd ones, more than a vector, more inputs than are looked at at once.
const SHAPES: [(usize, usize); 5] = [(1, 1), (3, 17), (16, 100), (65, 33), (617, 40)];

/// The widest and the longest networks, of which nothing or not all stays on chip; the first have more inputs than
/// `rule-per-block` takes.
const LARGE: [(usize, usize); 3] = [(8192, 4096), (8192, 9), (5, 4096)];
/// As [`BOUND`], for 8,192 inputs: D, a sum of as many squares, is about 109 here, single precision sums it up to an error
/// of some 4e-5, and that is the relative error of e⁻ᴰ in each of [`FEW`] steps.
const LARGE_BOUND: f64 = 1e-4;
/// Samples of such a network: each takes the textbook as long as many of a small one.
const FEW: usize = 4;

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let cpu = cpu.clone().with_simd(simd);
                for (kinds, shapes) in [(&kinds()[..], &SHAPES[..]), (&[large()], &LARGE[1..])] {
                    checks.extend(compare_all(simd.level().name(), kinds, shapes, |samples, networks| {
                        Ok(Box::new(OnCpu::new(samples, networks, &cpu)))
                    })?);
                }
            }
        }
        Processor::Cuda(cuda) => {
            let gpu = cuda.gpu();
            let layouts = layouts(gpu.multiprocessors as usize, gpu.capability.0 >= 9);
            for (i, (name, layout)) in layouts.into_iter().enumerate() {
                // Kernels are compiled for each shape: all kinds in the first layout of a mapping, all shapes in the first of all.
                let all = kinds();
                let kinds = if i < 3 { &all[..] } else { &all[5..6] };
                let shapes = if i == 0 { &SHAPES[..] } else { &SHAPES[3..] };
                let large = [large()];
                let mut compared = vec![(kinds, shapes)];
                // In each mapping one of those that use all of the GPU.
                if [1, 2, 4].contains(&i) {
                    compared.push((&large, if layout == Layout::Blocks { &LARGE[2..] } else { &LARGE[..] }));
                }
                for (kinds, shapes) in compared {
                    checks.extend(compare_all(&name, kinds, shapes, |samples, networks| {
                        Ok(Box::new(OnGpu::laid_out(samples, networks, cuda, layout)?))
                    })?);
                }
            }
            checks.push(together(cuda)?);
        }
    }
    Ok(checks)
}

/// One layout of every mapping, then others.
fn layouts(processors: usize, clusters: bool) -> Vec<(String, Layout)> {
    let resident = |team, clustered| Layout::Resident { team, clustered, threads: 512 };
    let tasks = |threads, wide, deep| Layout::Tasks { threads, wide, deep, quick: false };
    let mut all = vec![resident(processors.min(33), false), tasks(512, 16, 1), Layout::Blocks];
    all.extend([resident(1, false), resident(processors, false), tasks(256, 128, 2)]);
    if clusters {
        all.extend([2, 8, 16].map(|team| resident(team, true)));
    }
    let name = |layout: Layout| format!("{}, {}", layout.mapping().name(), layout.name());
    all.into_iter().map(|layout| (name(layout), layout)).collect()
}

/// Networks that learn at once are each as if alone.
fn together(cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new("sonfin/networks at once".to_owned(), 0.0);
    let problem = Problem { rows: 60, ..Problem::default() };
    let samples = samples(&problem);
    let networks = [network(&problem, &samples), Network::empty(problem.dims, problem.outputs)];
    let orders: Vec<Vec<u32>> = (0..150).map(|n| order(40 + n % 20, n as u64)).collect();
    let start: Vec<Network> = (0..orders.len()).map(|n| networks[n % 2].clone()).collect();
    let grows = Course { ln_threshold: -1.0, most_rules: 40, ..course() };
    let lesson = |n: usize| Lesson { order: &orders[n], course: grows, replay: None };
    let mut many = OnGpu::new(&samples, &start, cuda, Mapping::Auto)?;
    let tallies = many.learn(&(0..orders.len()).map(lesson).collect::<Vec<_>>())?;
    for n in [0, 1, 77, orders.len() - 1] {
        let mut one = OnGpu::laid_out(
            &samples,
            &start[n..=n],
            cuda,
            Layout::Resident { team: 1, clustered: false, threads: 512 },
        )?;
        let alone = one.learn(&[lesson(n)])?;
        check.case(if alone[0].grown == tallies[n].grown { 0.0 } else { f64::INFINITY });
        let (one, many) = (one.network(0)?, many.network(n)?);
        check.case(if one == many { 0.0 } else { f64::INFINITY });
    }
    Ok(check)
}

/// Every one of these kinds of learning by the learners that `learner` makes.
fn compare_all<F>(
    place: &str,
    kinds: &[Learning],
    shapes: &[(usize, usize)],
    learner: F,
) -> Result<Vec<Check>>
where
    F: for<'a> Fn(&'a Samples, &[Network]) -> Result<Box<dyn Learner + 'a>>,
{
    let mut checks = Vec::new();
    for Learning { name, problem, course, bound } in kinds.iter().copied() {
        let mut check = Check::new(format!("sonfin/{name}/{place}"), bound);
        for (dims, rules) in shapes.iter().copied() {
            // From no rules where they grow.
            let rules = if course.ln_threshold.is_finite() { 0 } else { rules };
            let problem = Problem { dims, rules, ..problem };
            let samples = samples(&problem);
            let start = [network(&problem, &samples)];
            let mut textbook = Textbook::new(&samples, &start);
            let mut learner = learner(&samples, &start)?;
            compare(&mut check, &order(problem.rows, 3), course, &mut textbook, learner.as_mut())?;
        }
        checks.push(check);
    }
    Ok(checks)
}

/// What is learned, and how well.
#[derive(Clone, Copy)]
struct Learning {
    name: &'static str,
    problem: Problem,
    course: Course,
    bound: f64,
}

fn kinds() -> Vec<Learning> {
    let problem = Problem { rows: 60, ..Problem::default() };
    let grows = |width_rule, beta| Course { width_rule, beta, ln_threshold: -1.5, ..course() };
    let kinds = [
        ("squares", problem, course()),
        ("cross-entropy", problem, Course { loss: Loss::CrossEntropy, ..course() }),
        ("plain steps", problem, Course { plain: true, rate_m: 1e-3, rate_s: 1e-3, ..course() }),
        ("many outputs", Problem { outputs: 26, ..problem }, course()),
        ("missing inputs", Problem { missing: true, ..problem }, course()),
        ("growth by distance", problem, grows(WidthRule::Distance, 0.6)),
        ("growth by its square", problem, grows(WidthRule::Thesis, 0.6)),
        ("growth by log-firing", Problem { missing: true, ..problem }, grows(WidthRule::LogFiring, 0.05)),
    ];
    let learning = |(name, problem, course)| Learning { name, problem, course, bound: BOUND };
    kinds.map(learning).to_vec()
}

/// What is learned by [`LARGE`] networks.
fn large() -> Learning {
    let problem = Problem { rows: FEW, ..Problem::default() };
    Learning { name: "large networks", problem, course: course(), bound: LARGE_BOUND }
}

/// One lesson, with the textbook's decisions, and the outputs after it.
fn compare(
    check: &mut Check,
    order: &[u32],
    course: Course,
    textbook: &mut Textbook<'_>,
    learner: &mut dyn Learner,
) -> Result<()> {
    let expected = textbook.learn(&[Lesson { order, course, replay: None }])?;
    let replay = Some(expected[0].grown.as_slice());
    let found = learner.learn(&[Lesson { order, course, replay }])?;
    check.case((found[0].loss / expected[0].loss - 1.0).abs());
    check.case(if found[0].grown == expected[0].grown { 0.0 } else { f64::INFINITY });
    numbers(check, &learner.outputs(0, order)?, &textbook.outputs(0, order)?);
    let (found, expected) = (learner.network(0)?, textbook.network(0)?);
    numbers(check, &found.a, &expected.a);
    numbers(check, &found.c, &expected.c);
    numbers(check, &found.w, &expected.w);
    Ok(())
}

fn numbers(check: &mut Check, found: &[f32], expected: &[f32]) {
    check.case(found.len().abs_diff(expected.len()) as f64);
    let largest = expected.iter().fold(1e-3f64, |largest, x| largest.max(f64::from(x.abs())));
    let apart = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).abs() / largest;
    found.iter().zip(expected).map(apart).for_each(|apart| check.case(apart));
}
