//! What every fit keeps, whatever its settings.

use crate::Device;
use crate::data::Table;
use crate::device::{Cpu, Simd};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::random::Random;
use crate::tuning::{Form, Method, Missing, Start, Step, Stop, Tuned, Tuner, Warning, truck};
use std::ops::ControlFlow;

/// y = sin 3a + b², with noise.
fn samples(rows: usize, noise: f64) -> Table {
    let mut random = Random::new(5);
    let row = |_| {
        let (a, b) = (random.between(-1.0, 3.0), random.between(0.0, 2.0));
        [a, b, (3.0 * a).sin() + b * b + noise * random.between(-1.0, 1.0)]
    };
    Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn fit(tuner: &Tuner<'_>, table: &Table) -> Tuned {
    tuner.fit(table, &["y"], &Device::cpu().unwrap()).unwrap()
}

#[test]
fn no_step_rule_and_no_form_ends_worse_than_least_squares() {
    let table = samples(150, 0.1);
    for form in [Form::Gaussian, Form::TwoSided, Form::Bell] {
        for step in [Step::Plain, Step::Jang, Step::Adam] {
            // A rate far too large: the steps overshoot, and must be taken back.
            for rate in [step.rate(), 100.0 * step.rate()] {
                let tuner = Tuner::grid(&[3, 2]).form(form).step(step).rate(rate).iterations(15);
                let report = fit(&tuner, &table).report;
                assert!(report.rmse <= report.history[0].rmse * (1.0 + 1e-12), "{form:?} {step:?} {rate}");
                let least = report.history.iter().map(|point| point.rmse).fold(f64::INFINITY, f64::min);
                // Predicted again and summed in another order: rounding of 150 terms.
                assert!((report.rmse - least).abs() <= 1e-12 * least, "{form:?} {step:?} {rate}");
            }
        }
    }
}

#[test]
fn every_step_rule_learns_something() {
    let table = samples(150, 0.0);
    for step in [Step::Plain, Step::Jang, Step::Adam] {
        let report = fit(&Tuner::grid(&[3, 2]).step(step).iterations(30), &table).report;
        assert!(report.rmse < 0.9 * report.history[0].rmse, "{step:?}: {report:?}");
    }
}

#[test]
fn an_error_that_grows_halves_the_rate_and_goes_back() {
    let report = fit(&Tuner::grid(&[3, 2]).rate(1.0).iterations(10), &samples(150, 0.0)).report;
    let back = report.history.windows(2).filter(|pair| pair[1].rate == 0.5 * pair[0].rate).count();
    assert!(back > 0, "{report:?}");
    for pair in report.history.windows(2).filter(|pair| pair[1].rate < pair[0].rate) {
        assert!(pair[1].rmse < pair[0].rmse, "the point after a step too far is the best one: {pair:?}");
    }
}

#[test]
fn tied_sets_and_their_copies_start_alike() {
    let table = samples(120, 0.1);
    let tied = fit(&Tuner::grid(&[3, 2]).iterations(1), &table);
    let untied = fit(&Tuner::grid(&[3, 2]).untied(true).iterations(1), &table);
    let apart = |i: usize| (tied.report.history[i].rmse / untied.report.history[i].rmse - 1.0).abs();
    assert!(apart(0) < 1e-9, "{}", apart(0)); // the same sums, in the order of either
    assert!(apart(1) > 1e-4, "{}", apart(1)); // each copy goes its own way
}

#[test]
fn no_iterations_are_least_squares_alone() {
    let tuned = fit(&Tuner::grid(&[3, 2]).iterations(0), &samples(100, 0.1));
    assert_eq!((tuned.report.iterations, tuned.report.history.len()), (0, 1));
    assert_eq!(tuned.network.antecedents, tuned.before);
}

#[test]
fn a_polynomial_of_the_order_is_learned_exactly() {
    // y = 1 + 2a − 3b + ab: of order 2 in both inputs, so that one step of least squares finds it.
    let mut random = Random::new(9);
    let row = |_| {
        let (a, b) = (random.between(-5.0, 5.0), random.between(10.0, 20.0));
        [a, b, 1.0 + 2.0 * a - 3.0 * b + a * b]
    };
    let table = Table::new(["a", "b", "y"], (0..200).flat_map(row).collect::<Vec<f64>>()).unwrap();
    let report = fit(&Tuner::grid(&[2, 2]).order(2).ridge(1e-14), &table).report;
    assert!(report.rmse < 1e-5, "{}", report.rmse); // targets span 200, the normal equations square the condition
}

#[test]
fn rows_kept_back_end_a_fit_that_no_longer_gains() {
    let tuner = Tuner::grid(&[5, 5])
        .order(0)
        .untied(true)
        .validation(0.3)
        .patience(3)
        .rate(0.05)
        .iterations(200)
        .seed(3);
    let report = fit(&tuner, &samples(120, 1.0)).report;
    assert_eq!(report.stop, Stop::Validation);
    assert!(report.iterations < 200);
    let errors: Vec<f64> = report.history.iter().map(|point| point.validation_rmse.unwrap()).collect();
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let kept = report.validation_rmse.unwrap();
    assert!((kept - least).abs() <= 1e-12 * least, "{kept} {least}"); // summed in another order
    assert_eq!(errors.iter().position(|e| *e == least), Some(errors.len() - 4)); // three without gain, then the end
}

#[test]
fn a_seed_repeats_a_fit_to_the_bit() {
    let table = samples(100, 0.5);
    let fit = |seed| fit(&Tuner::new(Start::FuzzyCMeans(4)).validation(0.2).seed(seed).iterations(5), &table);
    assert_eq!(fit(1).network, fit(1).network);
    assert_ne!(fit(1).network, fit(2).network);
}

#[test]
fn a_weight_counts_as_so_many_equal_rows() {
    let table = samples(80, 0.3);
    let device = Device::cpu().unwrap();
    let weights: Vec<f64> = (0..80).map(|i| f64::from(i % 3)).collect();
    let values = table.to_f64();
    let repeated: Vec<f64> = (0..80).flat_map(|i| values[3 * i..3 * i + 3].repeat(i % 3)).collect();
    let repeated = Table::new(["a", "b", "y"], repeated).unwrap();
    let tuner = Tuner::grid(&[2, 2]).iterations(5);
    let weighted = tuner.fit_weighted(&table, &["y"], &weights, &device).unwrap();
    let plain = tuner.fit(&repeated, &["y"], &device).unwrap();
    // The same sums but for their order, through five steps.
    for (a, b) in weighted.report.history.iter().zip(&plain.report.history) {
        assert!((a.rmse - b.rmse).abs() < 1e-7 * b.rmse, "{} {}", a.rmse, b.rmse);
    }
}

#[test]
fn several_targets_share_their_rules() {
    let table = samples(100, 0.0);
    let values = table.to_f64();
    let two: Vec<f64> =
        values.chunks_exact(3).flat_map(|row| [row[0], row[1], row[2], -2.0 * row[2]]).collect();
    let two = Table::new(["a", "b", "y", "z"], two).unwrap();
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[3, 2]).iterations(5).fit(&two, &["y", "z"], &device).unwrap();
    let found = tuned.predict(&two, &device).unwrap();
    for (y, z) in found.column("y").unwrap().iter().zip(found.column("z").unwrap()) {
        assert!((z + 2.0 * y).abs() < 1e-6, "{y} {z}"); // linear in the targets, but for the ridge
    }
    assert_eq!(tuned.report.unknowns, 2 * 6 * 3);
}

#[test]
fn consequents_solved_now_and_then_follow_the_sets_all_the_same() {
    let report = fit(&Tuner::grid(&[3, 2]).solve_every(5).iterations(20), &samples(150, 0.0)).report;
    assert!(report.rmse < report.history[0].rmse);
}

#[test]
fn the_units_of_the_columns_do_not_matter() {
    let table = samples(120, 0.2);
    let values = table.to_f64();
    let other = |row: &[f64]| [1e6 + 1e3 * row[0], 1e-3 * row[1], 5.0 - 100.0 * row[2]];
    let other =
        Table::new(["a", "b", "y"], values.chunks_exact(3).flat_map(other).collect::<Vec<_>>()).unwrap();
    let (here, there) = (fit(&Tuner::grid(&[2, 3]), &table), fit(&Tuner::grid(&[2, 3]), &other));
    // Scaling rounds (1e6 beside 1e3 costs three digits of sixteen), and a hundred steps carry it on.
    assert!((100.0 * here.report.rmse - there.report.rmse).abs() < 1e-4 * there.report.rmse);
}

#[test]
fn a_missing_input_is_refused_or_dropped() -> Result<()> {
    let mut values = samples(100, 0.0).into_f64();
    values[3 * 7] = f64::NAN;
    let table = Table::new(["a", "b", "y"], values)?;
    let device = Device::cpu()?;
    let refused = Tuner::grid(&[2, 2]).fit(&table, &["y"], &device).unwrap_err();
    assert!(refused.to_string().starts_with("row 8, column 1 (`a`) is NaN"), "{refused}");
    let tuned = Tuner::grid(&[2, 2]).missing(Missing::Drop).iterations(3).fit(&table, &["y"], &device)?;
    assert!(tuned.predict(&table, &device)?.column("y")?.iter().all(|y| y.is_finite()));
    Ok(())
}

#[test]
fn triangles_are_fitted_by_least_squares_and_rows_outside_them_are_told() -> Result<()> {
    let table = samples(100, 0.0);
    let report = fit(&Tuner::grid(&[4, 3]).form(Form::Triangle).order(0).iterations(0), &table).report;
    assert!(report.rmse < 0.5 && report.warnings.is_empty(), "{report:?}");
    let narrow = Tuner::new(Start::Subtractive(0.2)).form(Form::Triangle).order(0).iterations(0).ridge(1e-6);
    assert!(fit(&narrow, &table).report.warnings.iter().any(|w| matches!(w, Warning::Uncovered(_))));
    Ok(())
}

#[test]
fn who_watches_may_interrupt() {
    let stop = |done: u64, _| if done >= 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let tuner = Tuner::grid(&[2, 2]).progress(Progress::new(&stop));
    let error = tuner.fit(&samples(50, 0.0), &["y"], &Device::cpu().unwrap()).unwrap_err();
    assert!(matches!(error, Error::Interrupted));
}

#[test]
fn gradient_steps_alone_improve_on_their_start() {
    let report =
        fit(&Tuner::grid(&[3, 2]).method(Method::Gradient).iterations(60), &samples(150, 0.0)).report;
    assert!(report.rmse < 0.95 * report.history[0].rmse, "{} {}", report.rmse, report.history[0].rmse);
}

#[test]
fn symmetric_data_lead_the_same_way_on_every_vector_level() {
    // The slopes of the middle sets are rounding alone, which differs from level to level.
    let rows = truck(24).unwrap();
    let history = |simd| {
        let device = Device::Cpu(Cpu::with_threads(1).unwrap().with_simd(simd));
        let tuned = Tuner::grid(&[5, 7]).order(0).iterations(10).fit(&rows, &["theta"], &device).unwrap();
        tuned.report.history
    };
    let levels = Simd::all();
    let expected = history(levels[0]);
    for simd in levels {
        for (found, expected) in history(simd).iter().zip(&expected) {
            assert!(
                (found.rmse / expected.rmse - 1.0).abs() < 1e-9,
                "{simd:?}: {} for {}",
                found.rmse,
                expected.rmse
            );
        }
    }
}
