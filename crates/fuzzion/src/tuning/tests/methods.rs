//! Recursive least squares, Levenberg-Marquardt, and merged normal equations.

use crate::Device;
use crate::data::Table;
use crate::random::Random;
use crate::tuning::error::Result;
use crate::tuning::{InitialRules, RecursiveLeastSquares, Stop, TrainingMethod, TunedSystem, Tuner};

fn samples(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let row = |_| {
        let (a, b) = (random.unit(), random.unit());
        [a, b, (4.0 * a).sin() - b + 0.1 * random.between(-1.0, 1.0)]
    };
    Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn part(table: &Table, rows: std::ops::Range<usize>) -> Table {
    let columns = table.columns();
    let values = table.to_f64()[rows.start * columns..rows.end * columns].to_vec();
    Table::new(table.names(), values).unwrap()
}

fn predictions(tuned: &TunedSystem, table: &Table) -> Vec<f64> {
    tuned.predict(table, &Device::cpu().unwrap()).unwrap().column("y").unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn recursive_least_squares_without_forgetting_equals_batch_least_squares() -> Result<()> {
    let (table, device) = (samples(200, 1), Device::cpu()?);
    let batch = Tuner::grid(&[3, 2]).iterations(0).fit(&table, &["y"], &device)?;
    let stream = Tuner::grid(&[3, 2]).method(TrainingMethod::RecursiveLeastSquares(1.0)).fit(
        &table,
        &["y"],
        &device,
    )?;
    // The prior weighs 1e-8 for each unknown, compared with sums of squares of about 10, and P loses eight digits.
    let difference = largest_difference(&predictions(&batch, &table), &predictions(&stream, &table));
    assert!(difference < 1e-5, "{difference}");
    Ok(())
}

#[test]
fn recursive_updates_continue_from_normal_equations() -> Result<()> {
    let (table, device) = (samples(240, 2), Device::cpu()?);
    let (past, rest) = (part(&table, 0..120), part(&table, 120..240));
    let tuned = Tuner::grid(&[3, 2]).iterations(3).fit(&past, &["y"], &device)?;
    let mut sums = tuned.normal_equations(&past, &device)?;
    let mut stream = RecursiveLeastSquares::from_normal_equations(&tuned, &sums, 1.0)?;
    stream.partial_fit(&rest)?;
    sums.merge(&tuned.normal_equations(&rest, &device)?)?;
    let all = tuned.refit(&sums, 1e-12)?;
    let difference =
        largest_difference(&predictions(&stream.tuned_system()?, &table), &predictions(&all, &table));
    assert!(difference < 1e-7, "{difference}"); // the same values computed differently, condition about 1e5
    Ok(())
}

#[test]
fn forgetting_follows_a_change_and_no_forgetting_averages() -> Result<()> {
    let device = Device::cpu()?;
    let rows = |slope: f64, seed| {
        let mut random = Random::new(seed);
        let row = |_| {
            let a = random.unit();
            [a, slope * a]
        };
        Table::new(["a", "y"], (0..300).flat_map(row).collect::<Vec<f64>>())
    };
    let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows(1.0, 3)?, &["y"], &device)?;
    let final_prediction = |forgetting| -> Result<f64> {
        let mut stream = RecursiveLeastSquares::new(&tuned, forgetting)?;
        stream.partial_fit(&rows(1.0, 4)?)?;
        stream.partial_fit(&rows(-1.0, 5)?)?;
        Ok(predictions(&stream.tuned_system()?, &Table::new(["a"], vec![1.0])?)[0])
    };
    let (with_forgetting, without_forgetting) = (final_prediction(0.95)?, final_prediction(1.0)?);
    assert!((with_forgetting + 1.0).abs() < 1e-3, "{with_forgetting}"); // the weight of the old rows is 0.95³⁰⁰ = 2e-7
    assert!(without_forgetting.abs() < 0.2, "{without_forgetting}"); // half of the rows have the value 1, half −1
    Ok(())
}

#[test]
fn rows_without_the_target_are_rejected_and_change_nothing() -> Result<()> {
    let (table, device) = (samples(60, 6), Device::cpu()?);
    let tuned = Tuner::grid(&[2, 2]).iterations(0).fit(&table, &["y"], &device)?;
    let mut stream = RecursiveLeastSquares::new(&tuned, 0.99)?;
    let before = predictions(&stream.tuned_system()?, &table);
    let error = stream.partial_fit(&table.select(["a", "b"])?).unwrap_err();
    assert_eq!(error.to_string(), "missing column `y`; available columns: `a`, `b`");
    assert_eq!(predictions(&stream.tuned_system()?, &table), before);
    let error = RecursiveLeastSquares::new(&tuned, 1.5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "recursive least squares: `forgetting` is 1.5, but it must be above 0 and at most 1"
    );
    Ok(())
}

#[test]
fn levenberg_marquardt_recovers_the_generating_network() -> Result<()> {
    // Two Gaussians with constant consequents, which the fitted system can represent exactly.
    let gaussian = |x: f64, c: f64, w: f64| (-0.5 * ((x - c) / w) * ((x - c) / w)).exp();
    let row = |i: i32| {
        let x = f64::from(i) / 50.0;
        let (a, b) = (gaussian(x, 0.1, 0.3), gaussian(x, 0.8, 0.2));
        [x, (2.0 * a - b) / (a + b)]
    };
    let table = Table::new(["x", "y"], (0..=50).flat_map(row).collect::<Vec<f64>>())?;
    let tuner = Tuner::grid(&[2]).order(0).method(TrainingMethod::LevenbergMarquardt).iterations(200);
    let report = tuner.fit(&table, &["y"], &Device::cpu()?)?.report;
    assert!(report.rmse < 1e-9, "{}", report.rmse); // exact minimum: only rounding errors remain
    assert!(report.history.windows(2).all(|pair| pair[1].rmse < pair[0].rmse));
    assert_eq!(report.stop, Stop::Converged);
    Ok(())
}

#[test]
fn levenberg_marquardt_rejects_too_many_parameters() -> Result<()> {
    let tuner = Tuner::grid(&[20, 20]).method(TrainingMethod::LevenbergMarquardt).ridge(1e-6).untied(true);
    let error = tuner.fit(&samples(50, 7), &["y"], &Device::cpu()?).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Levenberg-Marquardt is limited to 1024 parameters, but this system has 2800; use the hybrid method or fewer rules"
    );
    Ok(())
}

#[test]
fn merged_normal_equations_give_the_consequents_of_all_rows() -> Result<()> {
    let (table, device) = (samples(200, 8), Device::cpu()?);
    let tuned = Tuner::new(InitialRules::Grid(vec![3, 2])).iterations(4).fit(&table, &["y"], &device)?;
    let mut sums = tuned.normal_equations(&part(&table, 0..70), &device)?;
    sums.merge(&tuned.normal_equations(&part(&table, 70..200), &device)?)?;
    let refitted = tuned.refit(&sums, 1e-9)?;
    let difference = largest_difference(&predictions(&tuned, &table), &predictions(&refitted, &table));
    assert!(difference < 1e-9, "{difference}"); // sums in a different order
    assert!((refitted.report.rmse - tuned.report.rmse).abs() < 1e-7 * tuned.report.rmse);
    let other = Tuner::grid(&[2, 2]).iterations(0).fit(&table, &["y"], &device)?;
    assert!(other.refit(&sums, 1e-9).is_err());
    Ok(())
}
