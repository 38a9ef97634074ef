//! Rules learned from data: a grid of sets, trained by least squares and gradient descent.
//!
//! `cargo run --release -p fuzzion-examples --example tuning`

use fuzzion::tuning::{Tuner, inspect, truck};
use fuzzion::{Device, Result, Table};

pub fn main() -> Result<()> {
    let device = Device::cpu()?;
    // Steering angles theta that back a truck up to a dock, for positions x and angles phi (Kosko, 1992).
    let rows = truck(16)?;

    let tuned = Tuner::grid(&[3, 5]).order(0).iterations(50).fit(&rows, &["theta"], &device)?;
    let (first, last) = (tuned.report.history[0].rmse, tuned.report.rmse);
    println!("root mean square error: {first:.2}° with even sets, {last:.2}° with trained sets");
    assert!(last < first);

    for rule in inspect::rules(&tuned.system)?.iter().take(3) {
        println!("{rule}");
    }
    for input in tuned.permutation_importance(&rows, 0, &device)? {
        println!("without {}, the error grows by {:.1}", input.input, input.importance);
    }

    let new = Table::new(["x", "phi"], vec![20.0, 30.0])?;
    let theta = tuned.predict(&new, &device)?.column("theta")?[0];
    println!("at x = 20 and phi = 30°: turn the wheel by {theta:.1}°");
    assert!(theta.abs() <= 60.0);
    Ok(())
}
