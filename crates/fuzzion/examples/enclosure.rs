//! Checks every operation of every fuzzy number type on random operands against exact values, and counts violations.
//!
//! `cargo run --release --example enclosure -- [TRIALS [SEED]]`: number of trials per operation (default 1000000) and
//! random seed (default 1). Prints the first violation of each operation; exits with code 1 if there are any.
#![allow(clippy::print_stdout)] // prints its results

mod arithmetic {
    pub(crate) use fuzzion::arithmetic::{FuzzyLu, FuzzyMr};
}

#[path = "../src/arithmetic/tests/exact.rs"]
mod exact;
#[path = "../src/arithmetic/tests/oracle.rs"]
mod oracle;

use arithmetic::{FuzzyLu, FuzzyMr};
use oracle::{FuzzyNumber, OPERATIONS, Random, check_once};
use std::process::ExitCode;

/// Number of violations of each operation, and the first one.
fn count<F: FuzzyNumber>(trials: u64, seed: u64) -> Vec<(u64, Option<String>)> {
    let count_operation = |operation| {
        let mut random = Random(seed);
        let mut violations = (0..trials).filter_map(|_| check_once::<F>(operation, &mut random).err());
        let first = violations.next();
        (u64::from(first.is_some()) + violations.count() as u64, first)
    };
    OPERATIONS.into_iter().map(count_operation).collect()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (trials, seed) = match (arguments.next().unwrap_or(Ok(1_000_000)), arguments.next().unwrap_or(Ok(1)))
    {
        (Ok(trials), Ok(seed)) => (trials, seed),
        _ => {
            println!("expected integers for TRIALS and SEED");
            return ExitCode::FAILURE;
        }
    };
    type Count = fn(u64, u64) -> Vec<(u64, Option<String>)>;
    let types: [(&str, Count); 5] = [
        ("LU f32", count::<FuzzyLu<f32, 2>>),
        ("LU f64", count::<FuzzyLu<f64, 2>>),
        ("MR f32", count::<FuzzyMr<f32, 2>>),
        ("MR f64", count::<FuzzyMr<f64, 2>>),
        ("MR f64, f32 radii", count::<FuzzyMr<f64, 2, f32>>),
    ];
    println!("violations in {trials} trials per operation, seed {seed}");
    println!("{:14}{}", "", types.map(|(name, _)| format!("{name:>18}")).concat());
    let counts: Vec<Vec<(u64, Option<String>)>> = std::thread::scope(|scope| {
        let running = types.map(|(_, count)| scope.spawn(move || count(trials, seed)));
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().expect("invariant: operations and their checks do not panic")
        };
        running.into_iter().map(join).collect()
    });
    let mut total = 0;
    for (index, operation) in OPERATIONS.iter().enumerate() {
        let row: Vec<u64> = counts.iter().map(|counts| counts[index].0).collect();
        let cells: String = row.iter().map(|violations| format!("{violations:>18}")).collect();
        println!("{:14}{cells}", format!("{operation:?}"));
        total += row.iter().sum::<u64>();
    }
    for first in counts.iter().flatten().filter_map(|(_, first)| first.as_ref()) {
        println!("{first}");
    }
    println!("{total} violations");
    if total == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
