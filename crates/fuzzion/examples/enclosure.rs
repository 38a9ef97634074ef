//! Tries every operation of every kind of fuzzy number on random operands against exact values, and counts violations.
//!
//! `cargo run --release --example enclosure -- [TRIES [SEED]]`: so many tries of each (default 1000000) from that seed
//! (default 1). Prints the first violation of each kind; ends with code 1 if there was any.
#![allow(clippy::print_stdout)] // it is all it does

mod arithmetic {
    pub(crate) use fuzzion::arithmetic::{FuzzyLu, FuzzyMr};
}

#[path = "../src/arithmetic/tests/exact.rs"]
mod exact;
#[path = "../src/arithmetic/tests/oracle.rs"]
mod oracle;

use arithmetic::{FuzzyLu, FuzzyMr};
use oracle::{Fuzzy, OPERATIONS, Random, try_once};
use std::process::ExitCode;

/// The violations of each operation, and the first of them.
fn count<F: Fuzzy>(tries: u64, seed: u64) -> Vec<(u64, Option<String>)> {
    let one = |operation| {
        let mut random = Random(seed);
        let mut wrong = (0..tries).filter_map(|_| try_once::<F>(operation, &mut random).err());
        let first = wrong.next();
        (u64::from(first.is_some()) + wrong.count() as u64, first)
    };
    OPERATIONS.into_iter().map(one).collect()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (tries, seed) = match (arguments.next().unwrap_or(Ok(1_000_000)), arguments.next().unwrap_or(Ok(1))) {
        (Ok(tries), Ok(seed)) => (tries, seed),
        _ => {
            println!("the number of tries and the seed are whole numbers");
            return ExitCode::FAILURE;
        }
    };
    type Count = fn(u64, u64) -> Vec<(u64, Option<String>)>;
    let kinds: [(&str, Count); 5] = [
        ("LU f32", count::<FuzzyLu<f32, 2>>),
        ("LU f64", count::<FuzzyLu<f64, 2>>),
        ("MR f32", count::<FuzzyMr<f32, 2>>),
        ("MR f64", count::<FuzzyMr<f64, 2>>),
        ("MR f64, f32 radii", count::<FuzzyMr<f64, 2, f32>>),
    ];
    println!("violations in {tries} tries of each operation, seed {seed}");
    println!("{:14}{}", "", kinds.map(|(name, _)| format!("{name:>18}")).concat());
    let counts: Vec<_> = std::thread::scope(|scope| {
        let running = kinds.map(|(_, count)| scope.spawn(move || count(tries, seed)));
        running.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let mut total = 0;
    for (at, operation) in OPERATIONS.iter().enumerate() {
        // A thread that panicked has no counts.
        let of_kind =
            |counts: &Vec<(u64, Option<String>)>| counts.get(at).map_or(1, |(violations, _)| *violations);
        let row: Vec<u64> = counts.iter().map(of_kind).collect();
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
