//! A self-constructing network: rules are added where no rule covers a row, also while rows arrive.
//!
//! `cargo run --release -p fuzzion-examples --example sonfin`

use fuzzion::sonfin::{Classify, Growth, Sonfin, two_spirals};
use fuzzion::{Device, Result, Table};

pub fn main() -> Result<()> {
    let device = Device::cpu()?;

    // Two interleaved spirals, which no straight line separates.
    let spirals = two_spirals(97)?;
    let model = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(40)).epochs(20).fit(
        &spirals,
        &["arm"],
        &device,
    )?;
    println!("{} rules, {:.1} % errors", model.report.rules, 100.0 * model.report.train_error);
    let (rules, _) = model.rules_by_firing_strength();
    println!("{}", model.rule_text(&rules[0], 2));
    assert!(model.report.train_error < 0.2);

    // A stream: each chunk of rows is learned once and then forgotten.
    let chunk = |from: u32| {
        let row = |i: u32| {
            let x = f64::from(i * 37 % 101) / 100.0;
            [x, (6.0 * x).sin()]
        };
        Table::new(["x", "y"], (from..from + 100).flat_map(row).collect::<Vec<f64>>())
    };
    let mut stream = Sonfin::new().growth(Growth::Gamma(0.4)).begin_stream(&chunk(0)?, &["y"], &device)?;
    for i in 1..20 {
        stream.partial_fit(&chunk(100 * i)?, &device)?;
    }
    let predicted = stream.predict(&chunk(0)?, &device)?.column("y")?;
    let expected = chunk(0)?.column("y")?;
    let error = expected.iter().zip(&predicted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!(
        "{} rules learned a sine from a stream, with an error of at most {error:.2}",
        stream.rule_count()
    );
    assert!(error < 0.2);
    Ok(())
}
