//! The room's kernels, run in the emulator against the textbook.

mod large;

use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::device::cuda::{Grid, Program};
use crate::tuning::cuda::descend::{READING, State};
use crate::tuning::cuda::layout::{self, Layout, THREADS};
use crate::tuning::cuda::sent::interleave;
use crate::tuning::cuda::{slope_of, uses};
use crate::tuning::descent::{Course, Descent, count, least_squares};
use crate::tuning::form::Form;
use crate::tuning::network::Network;
use crate::tuning::problem::{Problem, network, samples};
use crate::tuning::report::Stop;
use crate::tuning::rows::{Loss, Rows, Samples};
use crate::tuning::settings::Step;
use crate::tuning::statistics::Statistics;
use crate::tuning::step::Pace;
use crate::tuning::textbook::Textbook;

/// What the emulated GPU has: two multiprocessors, and as much shared memory as the smallest GPU we serve.
const LIMITS: (usize, usize) = (2, 99 << 10);
const BLOCKS: usize = 2;

const PLAIN: Problem = Problem {
    form: Form::Gaussian,
    order: 0,
    untied: false,
    gap: true,
    outputs: 1,
    inputs: 2,
    rows: 150,
    weighted: false,
    missing: false,
};

/// A problem of every kind, and its loss.
fn cases() -> Vec<(Problem, Loss)> {
    let squares = [
        PLAIN,
        Problem { form: Form::TwoSided, order: 1, outputs: 2, weighted: true, ..PLAIN },
        Problem { form: Form::Bell, order: 2, missing: true, ..PLAIN },
        Problem { form: Form::Triangle, order: 1, rows: 33, ..PLAIN },
    ];
    let softmax = Problem { order: 1, outputs: 3, untied: true, weighted: true, ..PLAIN };
    let squares = squares.into_iter().map(|problem| (problem, Loss::Squares));
    squares.chain([(softmax, Loss::CrossEntropy)]).collect()
}

/// Problems of many unknowns.
const LARGE: [Problem; 2] = [
    Problem { inputs: 3, order: 1, outputs: 2, weighted: true, rows: 400, ..PLAIN },
    Problem { inputs: 3, rows: 300, missing: true, ..PLAIN },
];

fn made(problem: &Problem) -> (Network, Samples) {
    (network(problem, 7), samples(problem, 7))
}

fn layout_of(problem: &Problem, network: &Network, loss: Loss) -> Layout {
    Layout::new(network, problem.weighted, loss, problem.rows, LIMITS).unwrap()
}

/// The same with tiles that hold φ alone.
fn narrow(layout: Layout) -> Layout {
    Layout { whole: false, rows: 32, ..layout }
}

/// Every program in its typical specialisations.
pub(in crate::tuning) fn programs() -> Vec<Program> {
    let mut all = vec![layout::scale()];
    for (problem, loss) in cases() {
        let layout = layout_of(&problem, &made(&problem).0, loss);
        all.extend([layout.sweep(), narrow(layout.clone()).sweep()]);
        if problem.form != Form::Triangle {
            all.push(layout.descend(Step::Adam));
        }
    }
    for problem in LARGE {
        let layout = narrow(layout_of(&problem, &made(&problem).0, Loss::Squares));
        all.extend([layout.fire(), layout.pairs(), layout.cholesky()]);
    }
    all
}

/// What kernels read of a problem.
struct Encoded {
    rows: Vec<f64>,
    sets: Vec<f64>,
    uses: Vec<i32>,
    frames: Vec<f64>,
}

fn encode(
    layout: &Layout,
    network: &Network,
    samples: &Samples,
    emulator: &Emulator,
    order: Order,
) -> Encoded {
    let width = samples.inputs.len() + samples.targets.len() + usize::from(samples.weights.is_some());
    let mut rows = vec![0.0; samples.rows() * width];
    interleave(samples, 0, &mut rows);
    let parameters: Vec<f64> = network.antecedents.sets.iter().flat_map(|set| set.parameters).collect();
    let mut sets = vec![f64::NAN; parameters.len()];
    let mut args = [Arg::slice(&parameters), Arg::value(layout.sets as i32), Arg::slice_mut(&mut sets)];
    emulator.launch("prepare_sets", Grid::new(1, THREADS as u32), order, &mut args).unwrap();
    let frames = network.frames.centers.iter().zip(&network.frames.inverses);
    let frames = frames.flat_map(|(center, inverse)| [*center, *inverse]).collect();
    Encoded { rows, sets, uses: uses(network), frames }
}

fn unite(emulator: &Emulator, order: Order, partial: &[f64], width: usize) -> Vec<f64> {
    let mut total = vec![f64::NAN; width];
    let mut args = [
        Arg::slice(partial),
        Arg::value((partial.len() / width) as i32),
        Arg::value(width as i32),
        Arg::slice_mut(&mut total),
    ];
    emulator.launch("unite", Grid::new(2, THREADS as u32), order, &mut args).unwrap();
    total
}

fn sweep_grid(layout: &Layout) -> Grid {
    Grid::new(BLOCKS as u32, THREADS as u32).shared(layout.sweep_bytes() as u32)
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let unit = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * unit, "{what}, number {i}: {found} for {expected}");
    }
}

/// ΦᵀWY or the slopes, from `sum_slopes`.
fn swept(
    layout: &Layout,
    network: &Network,
    samples: &Samples,
    targets: bool,
    order: Order,
) -> Option<Vec<f64>> {
    let emulator = or_skip(&layout.sweep())?;
    let encoded = encode(layout, network, samples, &emulator, order);
    let weight: f64 = (0..samples.training).map(|row| samples.weight(row)).sum();
    let mut partial = vec![f64::NAN; BLOCKS * layout.swept()];
    let mut args = [
        Arg::slice(&encoded.rows),
        Arg::value(samples.rows() as i64),
        Arg::value(samples.training as i64),
        Arg::slice(&encoded.sets),
        Arg::slice(&encoded.uses),
        Arg::slice(&encoded.frames),
        Arg::slice(&network.theta),
        Arg::value(1.0 / weight),
        Arg::value(i32::from(targets)),
        Arg::value(0i32),
        Arg::slice_mut(&mut partial),
    ];
    emulator.launch("sum_slopes", sweep_grid(layout), order, &mut args).unwrap();
    Some(unite(&emulator, order, &partial, layout.swept()))
}

#[test]
fn emulated_products_are_the_textbooks() {
    for (problem, loss) in cases() {
        let (network, samples) = made(&problem);
        let layout = layout_of(&problem, &network, loss);
        assert!(layout.whole);
        let expected = Textbook(&samples).statistics(&network).unwrap();
        let Some(emulator) = or_skip(&layout.sweep()) else { return };
        for order in Order::ALL {
            let encoded = encode(&layout, &network, &samples, &emulator, order);
            let mut partial = vec![f64::NAN; BLOCKS * layout.gram()];
            let mut args = [
                Arg::slice(&encoded.rows),
                Arg::value(samples.rows() as i64),
                Arg::value(samples.training as i64),
                Arg::slice(&encoded.sets),
                Arg::slice(&encoded.uses),
                Arg::slice(&encoded.frames),
                Arg::value(0i32),
                Arg::slice_mut(&mut partial),
            ];
            emulator.launch("sum_products", sweep_grid(&layout), order, &mut args).unwrap();
            let triangle = unite(&emulator, order, &partial, layout.gram());
            let shape = (layout.unknowns(), layout.outputs);
            let found = Statistics::of_triangle(&triangle, shape, expected.weight, samples.training);
            assert_close(&found.gram, &expected.gram, 1e-12, "ΦᵀWΦ");
            assert_close(&found.cross, &expected.cross, 1e-12, "ΦᵀWY");
            assert_close(&found.squares, &expected.squares, 1e-12, "YᵀWY");
        }
    }
}

#[test]
fn emulated_slopes_and_outputs_are_the_textbooks_with_whole_tiles_and_with_narrow_ones() {
    for (problem, loss) in cases() {
        let (network, samples) = made(&problem);
        let expected = Textbook(&samples).slope(&network, loss).unwrap();
        let outputs = Textbook(&samples).predict(&network).unwrap().concat();
        let cross = Textbook(&samples).statistics(&network).unwrap().cross;
        let whole = layout_of(&problem, &network, loss);
        for layout in [whole.clone(), narrow(whole)] {
            for order in Order::ALL {
                let Some(sums) = swept(&layout, &network, &samples, false, order) else { return };
                let found = slope_of(&layout, &network, expected.weight, &sums);
                assert_close(&found.loss, &expected.loss, 1e-12, "loss");
                assert_close(&found.squares, &expected.squares, 1e-12, "squares");
                assert_close(&found.theta, &expected.theta, 1e-12, "slopes for θ");
                assert_close(
                    found.sets.as_flattened(),
                    expected.sets.as_flattened(),
                    1e-12,
                    "slopes for sets",
                );
                let sums = swept(&layout, &network, &samples, true, order).unwrap();
                assert_close(&sums[layout.theta_at()..], &cross, 1e-12, "ΦᵀWY");
                let emulator = or_skip(&layout.sweep()).unwrap();
                let encoded = encode(&layout, &network, &samples, &emulator, order);
                let mut out = vec![f64::NAN; outputs.len()];
                let mut args = [
                    Arg::slice(&encoded.rows),
                    Arg::value(samples.rows() as i64),
                    Arg::slice(&encoded.sets),
                    Arg::slice(&encoded.uses),
                    Arg::slice(&encoded.frames),
                    Arg::slice(&network.theta),
                    Arg::slice_mut(&mut out),
                ];
                emulator.launch("predict_rows", sweep_grid(&layout), order, &mut args).unwrap();
                assert_close(&out, &outputs, 1e-12, "outputs");
            }
        }
    }
}

/// The descent that `descend_rows` makes of `most` iterations.
fn descended(
    problem: &Problem,
    descent: &Descent,
    course: &Course,
    samples: &Samples,
    most: usize,
    order: Order,
) -> Option<Descent> {
    let layout = layout_of(problem, &descent.network, Loss::Squares);
    let emulator = or_skip(&layout.descend(descent.pace.step))?;
    let weight = |rows: std::ops::Range<usize>| rows.map(|row| samples.weight(row)).sum::<f64>();
    let width = samples.inputs.len() + samples.targets.len() + usize::from(samples.weights.is_some());
    let mut rows = vec![0.0; samples.rows() * width];
    interleave(samples, 0, &mut rows);
    let inputs: Vec<i32> = descent.network.antecedents.sets.iter().map(|set| set.input as i32).collect();
    let uses = uses(&descent.network);
    let mut state = State::new(descent);
    let mut partial = vec![f64::NAN; BLOCKS * layout.exchanged()];
    let mut total = vec![f64::NAN; layout.exchanged()];
    let mut history = vec![0.0; most * READING];
    let (mut arrived, mut result) = (vec![0u32], vec![0i32; 2]);
    let last = descent.history.len() + most > course.iterations;
    let mut args = [
        Arg::slice(&rows),
        Arg::value(samples.rows() as i64),
        Arg::value(samples.training as i64),
        Arg::value(weight(0..samples.training)),
        Arg::value(weight(samples.training..samples.rows())),
        Arg::slice_mut(&mut state.numbers),
        Arg::slice(&inputs),
        Arg::slice(&uses),
        Arg::slice_mut(&mut state.pace),
        Arg::slice_mut(&mut partial),
        Arg::slice_mut(&mut total),
        Arg::slice_mut(&mut history),
        Arg::value(most as i32),
        Arg::value(i32::from(last)),
        Arg::value(course.patience as i32),
        Arg::value(course.rate),
        Arg::value(course.ridge),
        Arg::slice_mut(&mut arrived),
        Arg::slice_mut(&mut result),
    ];
    let grid = Grid::new(BLOCKS as u32, THREADS as u32).shared(layout.descend_bytes() as u32).cooperative();
    emulator.launch("descend_rows", grid, order, &mut args).unwrap();
    drop(args);
    Some(state.into_descent(descent, course, &history[..result[0] as usize * READING], result[1]))
}

#[test]
fn emulated_iterations_in_one_launch_are_the_textbooks_iterations() {
    let runs = [
        (Problem { outputs: 2, weighted: true, untied: true, ..PLAIN }, Step::Adam, 0.02),
        (Problem { order: 1, ..PLAIN }, Step::Jang, 0.05),
        (Problem { form: Form::Bell, ..PLAIN }, Step::Plain, 0.5),
        (Problem { form: Form::TwoSided, rows: 400, ..PLAIN }, Step::Adam, 0.6), // steps too far
    ];
    for (i, (problem, step, rate)) in runs.into_iter().enumerate() {
        let (mut network, mut samples) = made(&problem);
        // Something to learn, which wide steps forget.
        for (o, target) in samples.targets.iter_mut().enumerate() {
            let inputs = samples.inputs[0].iter().zip(&samples.inputs[1]);
            let learned = inputs.map(|(a, b)| (6.0 * a).sin() + (o + 1) as f64 * b * b);
            *target = learned.collect();
        }
        let course = Course {
            iterations: 6,
            solve_every: 1,
            rate,
            ridge: 1e-9,
            readable: false,
            loss: Loss::Squares,
            patience: 4,
        };
        least_squares(&mut Textbook(&samples), &mut network, course.ridge).unwrap();
        let pace = Pace::new(step, rate, count(&network, &course));
        let start = Descent::new(network, pace, false);
        let mut expected = start.clone();
        while expected.stop.is_none() {
            expected.advance(&mut Textbook(&samples), &course).unwrap();
        }
        // The kernel goes on from where it was, too.
        for order in Order::ALL {
            let Some(mut found) = descended(&problem, &start, &course, &samples, 3, order) else { return };
            if found.stop.is_none() {
                found = descended(&problem, &found, &course, &samples, 4, order).unwrap();
            }
            assert_eq!(found.stop, expected.stop, "{i}");
            assert_eq!(found.history.len(), expected.history.len(), "{i}");
            for (a, b) in found.history.iter().zip(&expected.history) {
                assert_close(&a.loss, &b.loss, 1e-9, "loss");
                assert!((a.rate / b.rate - 1.0).abs() < 1e-12, "{i}: {} for {}", a.rate, b.rate);
            }
            let parameters = |network: &Network| -> Vec<f64> {
                network.antecedents.sets.iter().flat_map(|set| set.parameters).collect()
            };
            assert_close(&parameters(&found.best_at), &parameters(&expected.best_at), 1e-7, "best sets");
            assert_close(&found.best_at.theta, &expected.best_at.theta, 1e-6, "best θ");
            assert_close(&parameters(&found.least_at), &parameters(&expected.least_at), 1e-7, "least sets");
        }
        if i == 3 {
            assert!(expected.history.last().unwrap().rate < rate, "no step was too far");
        }
    }
}

#[test]
fn a_singular_problem_is_left_to_the_host() {
    let (mut network, samples) = made(&PLAIN);
    let same = network.antecedents.sets[0].parameters;
    network.antecedents.sets[1].parameters = same; // two rules are the same
    let course = Course {
        iterations: 3,
        solve_every: 1,
        rate: 0.01,
        ridge: 0.0,
        readable: false,
        loss: Loss::Squares,
        patience: 9,
    };
    let pace = Pace::new(Step::Adam, 0.01, count(&network, &course));
    let start = Descent::new(network, pace, false);
    let Some(found) = descended(&PLAIN, &start, &course, &samples, 3, Order::ALL[0]) else { return };
    assert!(found.history.is_empty() && found.stop != Some(Stop::MaxIterations));
}
