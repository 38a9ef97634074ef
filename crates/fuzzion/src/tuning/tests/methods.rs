//! Recursive least squares, Levenberg-Marquardt, and sums of several machines.

use crate::Device;
use crate::data::Table;
use crate::error::Result;
use crate::random::Random;
use crate::tuning::{Method, Recursive, Start, Stop, Tuned, Tuner};

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

fn predictions(tuned: &Tuned, table: &Table) -> Vec<f64> {
    tuned.predict(table, &Device::cpu().unwrap()).unwrap().column("y").unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn recursive_least_squares_that_forgets_nothing_is_least_squares() -> Result<()> {
    let (table, device) = (samples(200, 1), Device::cpu()?);
    let batch = Tuner::grid(&[3, 2]).iterations(0).fit(&table, &["y"], &device)?;
    let stream = Tuner::grid(&[3, 2]).method(Method::Recursive(1.0)).fit(&table, &["y"], &device)?;
    // Its start weighs 1e-8 for each unknown beside sums of squares of about 10, and P loses eight digits on its way.
    let difference = largest_difference(&predictions(&batch, &table), &predictions(&stream, &table));
    assert!(difference < 1e-5, "{difference}");
    Ok(())
}

#[test]
fn a_stream_goes_on_where_the_sums_of_its_past_ended() -> Result<()> {
    let (table, device) = (samples(240, 2), Device::cpu()?);
    let (past, rest) = (part(&table, 0..120), part(&table, 120..240));
    let tuned = Tuner::grid(&[3, 2]).iterations(3).fit(&past, &["y"], &device)?;
    let mut sums = tuned.statistics(&past, None, &device)?;
    let mut stream = Recursive::after(&tuned, &sums, 1.0)?;
    stream.partial_fit(&rest)?;
    sums.merge(&tuned.statistics(&rest, None, &device)?)?;
    let all = tuned.refit(&sums, 1e-12)?;
    let difference = largest_difference(&predictions(&stream.tuned()?, &table), &predictions(&all, &table));
    assert!(difference < 1e-7, "{difference}"); // the same numbers by another way, condition about 1e5
    Ok(())
}

#[test]
fn a_stream_that_forgets_follows_a_change_and_one_that_does_not_averages() -> Result<()> {
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
    let after = |forgetting| -> Result<f64> {
        let mut stream = Recursive::new(&tuned, forgetting)?;
        stream.partial_fit(&rows(1.0, 4)?)?;
        stream.partial_fit(&rows(-1.0, 5)?)?;
        Ok(predictions(&stream.tuned()?, &Table::new(["a"], vec![1.0])?)[0])
    };
    let (forgets, remembers) = (after(0.95)?, after(1.0)?);
    assert!((forgets + 1.0).abs() < 1e-3, "{forgets}"); // 0.95³⁰⁰ = 2e-7 of the old world is left
    assert!(remembers.abs() < 0.2, "{remembers}"); // half of the rows say 1, half say −1
    Ok(())
}

#[test]
fn a_stream_refuses_rows_without_its_target_and_learns_nothing() -> Result<()> {
    let (table, device) = (samples(60, 6), Device::cpu()?);
    let tuned = Tuner::grid(&[2, 2]).iterations(0).fit(&table, &["y"], &device)?;
    let mut stream = Recursive::new(&tuned, 0.99)?;
    let before = predictions(&stream.tuned()?, &table);
    let error = stream.partial_fit(&table.select(["a", "b"])?).unwrap_err();
    assert_eq!(error.to_string(), "no column is called `y`; there is `a`, `b`");
    assert_eq!(predictions(&stream.tuned()?, &table), before);
    let error = Recursive::new(&tuned, 1.5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "recursive least squares: `forgetting factor` is 1.5, but it must be above 0 and at most 1"
    );
    Ok(())
}

#[test]
fn levenberg_marquardt_finds_the_network_that_made_the_rows() -> Result<()> {
    // A hill on a plain: two Gaussians with constants, which two Gaussians with constants can be exactly.
    let gaussian = |x: f64, c: f64, w: f64| (-0.5 * ((x - c) / w) * ((x - c) / w)).exp();
    let row = |i: i32| {
        let x = f64::from(i) / 50.0;
        let (a, b) = (gaussian(x, 0.1, 0.3), gaussian(x, 0.8, 0.2));
        [x, (2.0 * a - b) / (a + b)]
    };
    let table = Table::new(["x", "y"], (0..=50).flat_map(row).collect::<Vec<f64>>())?;
    let tuner = Tuner::grid(&[2]).order(0).method(Method::LevenbergMarquardt).iterations(200);
    let report = tuner.fit(&table, &["y"], &Device::cpu()?)?.report;
    assert!(report.rmse < 1e-9, "{}", report.rmse); // an exact minimum: what is left is rounding, not a tolerance of ours
    assert!(report.history.windows(2).all(|pair| pair[1].rmse < pair[0].rmse));
    assert_eq!(report.stop, Stop::Converged);
    Ok(())
}

#[test]
fn levenberg_marquardt_refuses_what_is_too_large() -> Result<()> {
    let tuner = Tuner::grid(&[20, 20]).method(Method::LevenbergMarquardt).ridge(1e-6).untied(true);
    let error = tuner.fit(&samples(50, 7), &["y"], &Device::cpu()?).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Levenberg-Marquardt would move 2800 parameters at once, more than 1024; use the hybrid method or fewer rules"
    );
    Ok(())
}

#[test]
fn merged_sums_of_parts_give_the_consequents_of_all_rows() -> Result<()> {
    let (table, device) = (samples(200, 8), Device::cpu()?);
    let tuned = Tuner::new(Start::Grid(vec![3, 2])).iterations(4).fit(&table, &["y"], &device)?;
    let mut sums = tuned.statistics(&part(&table, 0..70), None, &device)?;
    sums.merge(&tuned.statistics(&part(&table, 70..200), None, &device)?)?;
    let refitted = tuned.refit(&sums, 1e-9)?;
    let difference = largest_difference(&predictions(&tuned, &table), &predictions(&refitted, &table));
    assert!(difference < 1e-9, "{difference}"); // sums in another order
    assert!((refitted.report.rmse - tuned.report.rmse).abs() < 1e-7 * tuned.report.rmse);
    let other = Tuner::grid(&[2, 2]).iterations(0).fit(&table, &["y"], &device)?;
    assert!(other.refit(&sums, 1e-9).is_err());
    Ok(())
}
