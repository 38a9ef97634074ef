//! Properties of every fit.

use crate::Device;
use crate::data::Table;
use crate::device::{Cpu, Simd};
use crate::random::Random;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::{
    Classify, Form, InitialRules, MissingInputs, StepRule, Stop, TrainingMethod, TunedSystem, Tuner,
    TuningWarning, truck,
};
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

fn fit(tuner: &Tuner, table: &Table) -> TunedSystem {
    tuner.fit(table, &["y"], &Device::cpu().unwrap()).unwrap()
}

#[test]
fn no_step_rule_or_form_ends_worse_than_least_squares() {
    let table = samples(150, 0.1);
    for form in [Form::Gaussian, Form::TwoSided, Form::Bell] {
        for step in [StepRule::Plain, StepRule::Jang, StepRule::Adam] {
            // A rate that is far too large: steps overshoot and must be rejected.
            for rate in [step.default_rate(), 100.0 * step.default_rate()] {
                let tuner = Tuner::grid(&[3, 2]).form(form).step(step).rate(rate).iterations(15);
                let report = fit(&tuner, &table).report;
                assert!(report.rmse <= report.history[0].rmse * (1.0 + 1e-12), "{form:?} {step:?} {rate}");
                let lowest = report.history.iter().map(|point| point.rmse).fold(f64::INFINITY, f64::min);
                // Predictions summed in a different order: rounding of 150 terms.
                assert!((report.rmse - lowest).abs() <= 1e-12 * lowest, "{form:?} {step:?} {rate}");
            }
        }
    }
}

#[test]
fn every_step_rule_reduces_the_error() {
    let table = samples(150, 0.0);
    for step in [StepRule::Plain, StepRule::Jang, StepRule::Adam] {
        let report = fit(&Tuner::grid(&[3, 2]).step(step).iterations(30), &table).report;
        assert!(report.rmse < 0.9 * report.history[0].rmse, "{step:?}: {report:?}");
    }
}

#[test]
fn an_increasing_error_halves_the_rate_and_restores_the_best_network() {
    let report = fit(&Tuner::grid(&[3, 2]).rate(1.0).iterations(10), &samples(150, 0.0)).report;
    let rejected = report.history.windows(2).filter(|pair| pair[1].rate == 0.5 * pair[0].rate).count();
    assert!(rejected > 0, "{report:?}");
    for pair in report.history.windows(2).filter(|pair| pair[1].rate < pair[0].rate) {
        assert!(pair[1].rmse < pair[0].rmse, "the point after a rejected step is the best one: {pair:?}");
    }
}

#[test]
fn tied_and_untied_sets_start_with_the_same_error() {
    let table = samples(120, 0.1);
    let tied = fit(&Tuner::grid(&[3, 2]).iterations(1), &table);
    let untied = fit(&Tuner::grid(&[3, 2]).untied(true).iterations(1), &table);
    let difference = |i: usize| (tied.report.history[i].rmse / untied.report.history[i].rmse - 1.0).abs();
    assert!(difference(0) < 1e-9, "{}", difference(0)); // the same sums in a different order
    assert!(difference(1) > 1e-4, "{}", difference(1)); // the copies move independently
}

#[test]
fn zero_iterations_perform_least_squares_only() {
    let tuned = fit(&Tuner::grid(&[3, 2]).iterations(0), &samples(100, 0.1));
    assert_eq!((tuned.report.iterations, tuned.report.history.len()), (0, 1));
    assert_eq!(tuned.network.antecedents, tuned.initial_antecedents);
}

#[test]
fn a_polynomial_of_matching_order_is_fitted_exactly() {
    // y = 1 + 2a − 3b + ab has degree 2, so a single least-squares solution fits it.
    let mut random = Random::new(9);
    let row = |_| {
        let (a, b) = (random.between(-5.0, 5.0), random.between(10.0, 20.0));
        [a, b, 1.0 + 2.0 * a - 3.0 * b + a * b]
    };
    let table = Table::new(["a", "b", "y"], (0..200).flat_map(row).collect::<Vec<f64>>()).unwrap();
    let report = fit(&Tuner::grid(&[2, 2]).order(2).ridge(1e-14), &table).report;
    assert!(report.rmse < 1e-5, "{}", report.rmse); // targets span 200; the normal equations square the condition number
}

#[test]
fn training_stops_when_the_validation_error_no_longer_improves() {
    let tuner = Tuner::grid(&[5, 5])
        .order(0)
        .untied(true)
        .validation(0.3)
        .patience(3)
        .rate(0.05)
        .iterations(200)
        .ridge(1e-9)
        .seed(3);
    let report = fit(&tuner, &samples(120, 1.0)).report;
    assert_eq!(report.stop, Stop::Validation);
    assert!(report.iterations < 200);
    let errors: Vec<f64> = report.history.iter().map(|point| point.validation_rmse.unwrap()).collect();
    let lowest = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let reported = report.validation_rmse.unwrap();
    assert!((reported - lowest).abs() <= 1e-12 * lowest, "{reported} {lowest}"); // summed in a different order
    assert_eq!(errors.iter().position(|e| *e == lowest), Some(errors.len() - 4)); // three iterations without improvement, then stop
}

#[test]
fn the_same_seed_gives_bit_identical_fits() {
    let table = samples(100, 0.5);
    let fit = |seed| {
        fit(&Tuner::new(InitialRules::FuzzyCMeans(4)).validation(0.2).seed(seed).iterations(5), &table)
    };
    assert_eq!(fit(1).network, fit(1).network);
    assert_ne!(fit(1).network, fit(2).network);
}

#[test]
fn integer_weights_equal_repeated_rows() {
    let table = samples(80, 0.3);
    let device = Device::cpu().unwrap();
    let weights: Vec<f64> = (0..80).map(|i| f64::from(i % 3)).collect();
    let values = table.to_f64();
    let repeated: Vec<f64> = (0..80).flat_map(|i| values[3 * i..3 * i + 3].repeat(i % 3)).collect();
    let repeated = Table::new(["a", "b", "y"], repeated).unwrap();
    let tuner = Tuner::grid(&[2, 2]).iterations(5);
    let weighted = tuner.fit(table.samples().with_weights(&weights).unwrap(), &["y"], &device).unwrap();
    let plain = tuner.fit(&repeated, &["y"], &device).unwrap();
    // The same sums in a different order, over five steps.
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
        assert!((z + 2.0 * y).abs() < 1e-6, "{y} {z}"); // linear in the targets, except for the ridge
    }
    assert_eq!(tuned.report.unknowns, 2 * 6 * 3);
}

#[test]
fn solving_every_few_iterations_still_reduces_the_error() {
    let report = fit(&Tuner::grid(&[3, 2]).solve_every(5).iterations(20), &samples(150, 0.0)).report;
    assert!(report.rmse < report.history[0].rmse);
}

#[test]
fn fits_do_not_depend_on_the_units_of_the_columns() {
    let table = samples(120, 0.2);
    let values = table.to_f64();
    let other = |row: &[f64]| [1e6 + 1e3 * row[0], 1e-3 * row[1], 5.0 - 100.0 * row[2]];
    let other =
        Table::new(["a", "b", "y"], values.chunks_exact(3).flat_map(other).collect::<Vec<_>>()).unwrap();
    let (original, converted) = (fit(&Tuner::grid(&[2, 3]), &table), fit(&Tuner::grid(&[2, 3]), &other));
    // Scaling introduces rounding errors (1e6 relative to 1e3 costs three of sixteen digits), which grow over 100
    // steps.
    assert!((100.0 * original.report.rmse - converted.report.rmse).abs() < 1e-4 * converted.report.rmse);
}

#[test]
fn missing_inputs_are_rejected_or_dropped() -> Result<()> {
    let mut values = samples(100, 0.0).into_f64();
    values[3 * 7] = f64::NAN;
    let table = Table::new(["a", "b", "y"], values)?;
    let device = Device::cpu()?;
    let error = Tuner::grid(&[2, 2]).fit(&table, &["y"], &device).unwrap_err();
    assert!(error.to_string().starts_with("row 8, column `a` is missing (NaN)"), "{error}");
    let tuned =
        Tuner::grid(&[2, 2]).missing(MissingInputs::Drop).iterations(3).fit(&table, &["y"], &device)?;
    assert!(tuned.predict(&table, &device)?.column("y")?.iter().all(|y| y.is_finite()));
    Ok(())
}

#[test]
fn triangles_support_least_squares_and_uncovered_rows_are_reported() -> Result<()> {
    let table = samples(100, 0.0);
    let report = fit(&Tuner::grid(&[4, 3]).form(Form::Triangle).order(0).iterations(0), &table).report;
    assert!(report.rmse < 0.5 && report.warnings.is_empty(), "{report:?}");
    let narrow =
        Tuner::new(InitialRules::Subtractive(0.2)).form(Form::Triangle).order(0).iterations(0).ridge(1e-6);
    assert!(fit(&narrow, &table).report.warnings.iter().any(|w| matches!(w, TuningWarning::Uncovered(_))));
    Ok(())
}

#[test]
fn the_progress_callback_can_interrupt_training() {
    let stop = |done: u64, _| if done >= 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let device = Device::cpu().unwrap().with_progress(stop);
    let error = Tuner::grid(&[2, 2]).fit(&samples(50, 0.0), &["y"], &device).unwrap_err();
    assert!(matches!(error, TuningError::Interrupted));
}

#[test]
fn gradient_training_improves_on_least_squares() {
    let report =
        fit(&Tuner::grid(&[3, 2]).method(TrainingMethod::Gradient).iterations(60), &samples(150, 0.0)).report;
    assert!(report.rmse < 0.95 * report.history[0].rmse, "{} {}", report.rmse, report.history[0].rmse);
}

#[test]
fn symmetric_data_give_the_same_history_on_every_simd_level() {
    // The gradients of the middle sets are pure rounding errors, which differ between SIMD levels.
    let rows = truck(24).unwrap();
    let history = |simd| {
        let device = Device::from(Cpu::with_threads(1).unwrap().with_simd(simd));
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

#[test]
fn rules_that_almost_never_fire_are_reported() {
    let row = |i: u32| [f64::from(i), f64::from(i + i % 2), f64::from(i % 7)]; // both inputs increase together
    let table = Table::new(["a", "b", "y"], (0..100).flat_map(row).collect::<Vec<_>>()).unwrap();
    let warnings = |sets: usize| {
        let tuner = Tuner::grid(&[sets]).iterations(0).ridge(1e-6);
        tuner.fit(&table, &["y"], &Device::cpu().unwrap()).unwrap().report.warnings
    };
    let is_idle = |warning: &TuningWarning| matches!(warning, TuningWarning::Idle(_));
    assert!(warnings(6).iter().any(is_idle) && !warnings(2).iter().any(is_idle));
    // 36 rules with three consequents each, for 100 rows.
    let expected = TuningWarning::TooManyParameters { parameters: 108, rows: 100 };
    assert!(warnings(6).contains(&expected) && !warnings(2).contains(&expected));
}

#[test]
fn classes_with_few_rows_are_reported() {
    let rows: Vec<f64> = (0..60).flat_map(|i| [f64::from(i % 10), f64::from(u8::from(i >= 55))]).collect();
    let table = Table::new(["x", "class"], rows).unwrap();
    let tuner = Tuner::grid(&[2]).iterations(0).classify(Classify::OneHot);
    let warnings = tuner.fit(&table, &["class"], &Device::cpu().unwrap()).unwrap().report.warnings;
    assert!(warnings.contains(&TuningWarning::RareClasses(1)), "{warnings:?}");
    assert!(warnings[0].to_string().starts_with("1 class has fewer than 10 training rows"), "{warnings:?}");
}

#[test]
fn constant_columns_are_ignored_with_a_warning() {
    let row = |i: u32| [f64::from(i), 3.0, f64::from(i % 7), f64::from(2 * i + i % 7)];
    let table = Table::new(["a", "same", "b", "y"], (0..60).flat_map(row).collect::<Vec<_>>()).unwrap();
    let device = Device::cpu().unwrap();
    let others = table.select(["a", "b", "y"]).unwrap();
    for tuner in [Tuner::grid(&[2]).iterations(2), Tuner::tree(3), Tuner::grid(&[2]).order(0).iterations(0)] {
        let tuned = tuner.fit(&table, &["y"], &device).unwrap();
        assert_eq!(tuned.inputs, ["a", "b"]);
        assert_eq!(tuned.report.warnings[0], TuningWarning::Constant(vec!["same".into()]));
        let text = tuned.report.warnings[0].to_string();
        assert_eq!(text, "`same` has the same value in every row and is ignored");
        let expected = tuner.fit(&others, &["y"], &device).unwrap().predict(&others, &device).unwrap();
        assert_eq!(tuned.predict(&table, &device).unwrap(), expected);
    }
    let flat = table.select(["same", "y"]).unwrap();
    let message = Tuner::grid(&[2]).fit(&flat, &["y"], &device).unwrap_err().to_string();
    assert_eq!(message, "the input `same` has the same value in every row; remove it from the inputs");
}
