//! A few readable rules for the consumption of cars, with prediction intervals.
//!
//! `cargo run --release -p fuzzion-examples --example sparse_rules`

use fuzzion::data::ReadTable;
use fuzzion::tuning::{InitialRules, Tuner};
use fuzzion::{Device, Result};

pub fn main() -> Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/cars.csv");
    let cars = ReadTable::new().labels(["origin"]).read(path)?; // miles per gallon and seven properties
    let device = Device::cpu()?;

    // At most six rules with at most two conditions each; cross-validation selects how many.
    let tuned = Tuner::new(InitialRules::Tree { max_rules: 6, max_conditions: 2 }).intervals(true).fit(
        &cars,
        &["mpg"],
        &device,
    )?;
    println!("rules  error of cross-validation");
    for point in &tuned.report.path {
        println!(
            "{:5}  {:.2} ± {:.2}{}",
            point.rules,
            point.rmse,
            point.standard_error,
            if point.chosen { "  selected" } else { "" }
        );
    }
    for report in tuned.rule_reports(&cars, &device)? {
        println!("{}", report.text);
    }

    // Intervals that contain 90 % of new targets, calibrated with held-out rows.
    let found = tuned.predict_intervals(&cars, 0.9, &device)?;
    let target = cars.column("mpg")?;
    let (lower, upper) = (found.lower.column("mpg")?, found.upper.column("mpg")?);
    let inside = (0..target.len()).filter(|&i| lower[i] <= target[i] && target[i] <= upper[i]).count();
    println!(
        "{:.0} to {:.0} miles per gallon for the first car; {inside} of {} are inside",
        lower[0],
        upper[0],
        target.len()
    );
    assert!(inside as f64 > 0.85 * target.len() as f64);
    Ok(())
}
