#!/usr/bin/env bash
# Times arrays of fuzzy numbers beside the interval crate `inari` (version 2) on one thread, in turns, in memory that
# the nearest cache holds. Both are compiled for the machine at hand. Run from anywhere with a Rust toolchain; inari
# comes from crates.io into a temporary folder and is no dependency of this project.
#
#   bash bench/arithmetic_against_inari.sh [ROUNDS]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" <<EOF
[package]
name = "against-inari"
version = "0.0.0"
edition = "2024"
[workspace]
[dependencies]
fuzzion = { path = "$root/crates/fuzzion" }
inari = { version = "2", default-features = false }
EOF
cat > "$folder/src/main.rs" <<'EOF'
use fuzzion::Device;
use fuzzion::arithmetic::{FuzzyLu, LuArray};
use fuzzion::device::Cpu;
use inari::Interval;
use std::hint::black_box;
use std::time::Instant;

const CUTS: usize = 8;
/// 3 arrays of 512 cuts in double precision are 24 KiB.
const NUMBERS: usize = 512 / CUTS;
const STEPS: usize = 1000;

/// Uniform in −2 … 2 (xorshift).
fn random(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1u64 << 51) as f64 - 2.0
}

/// Nested cuts, as rows of lower and upper bounds.
fn numbers(state: &mut u64, positive: bool) -> Vec<([f64; CUTS], [f64; CUTS])> {
    let number = |state: &mut u64| {
        let mut ends: Vec<f64> = (0..2 * CUTS).map(|_| random(state)).collect();
        if positive {
            ends.iter_mut().for_each(|x| *x = x.abs() / 4.0); // a series of factors below 1 does not grow
        }
        ends.sort_by(f64::total_cmp);
        (std::array::from_fn(|i| ends[i]), std::array::from_fn(|i| ends[2 * CUTS - 1 - i]))
    };
    (0..NUMBERS).map(|_| number(state)).collect()
}

fn ours(numbers: &[([f64; CUTS], [f64; CUTS])]) -> LuArray<f64> {
    let number = |(lower, upper): &([f64; CUTS], [f64; CUTS])| FuzzyLu::from_cuts(*lower, *upper).unwrap();
    LuArray::from_numbers(&numbers.iter().map(number).collect::<Vec<_>>())
}

fn theirs(numbers: &[([f64; CUTS], [f64; CUTS])]) -> Vec<Interval> {
    let cuts = |(lower, upper): &([f64; CUTS], [f64; CUTS])| {
        let cut = |i: usize| Interval::try_from((lower[i], upper[i])).unwrap();
        (0..CUTS).map(cut).collect::<Vec<_>>()
    };
    numbers.iter().flat_map(cuts).collect()
}

/// Seconds of one call.
fn seconds(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_secs_f64() / calls as f64
}

fn report(name: &str, per_call: usize, times: &mut [(f64, f64)]) {
    let least = |of: fn(&(f64, f64)) -> f64| times.iter().map(of).fold(f64::MAX, f64::min);
    let rate = |seconds: f64| per_call as f64 / seconds / 1e9;
    let (ours, theirs) = (least(|t| t.0), least(|t| t.1));
    times.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let median = times[times.len() / 2];
    println!(
        "{name}: {:.3} against {:.4} G/s at best, {:.1} times (median of rounds {:.1})",
        rate(ours),
        rate(theirs),
        theirs / ours,
        median.1 / median.0
    );
}

#[inline(never)]
fn add(a: &[Interval], b: &[Interval], c: &mut [Interval]) {
    for i in 0..c.len() {
        c[i] = a[i] + b[i];
    }
}

#[inline(never)]
fn mul(a: &[Interval], b: &[Interval], c: &mut [Interval]) {
    for i in 0..c.len() {
        c[i] = a[i] * b[i];
    }
}

#[inline(never)]
fn axpy(a: &[Interval], b: &[Interval], c: &mut [Interval]) {
    for i in 0..c.len() {
        for _ in 0..STEPS {
            c[i] = a[i] * c[i] + b[i];
        }
    }
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(21, |rounds| rounds.parse().unwrap());
    let device = Device::Cpu(Cpu::with_threads(1).unwrap());
    let state = &mut 88_172_645_463_325_252;
    let (x, y) = (numbers(state, false), numbers(state, false));
    let (a, b, mut c) = (ours(&x), ours(&y), ours(&x));
    let (their_a, their_b, mut their_c) = (theirs(&x), theirs(&y), theirs(&x));
    let mut sums = Vec::new();
    let mut products = Vec::new();
    for _ in 0..rounds {
        sums.push((
            seconds(2000, || black_box(&a).add_into(black_box(&b), black_box(&mut c), &device).unwrap()),
            seconds(2000, || add(black_box(&their_a), black_box(&their_b), black_box(&mut their_c))),
        ));
        products.push((
            seconds(1000, || black_box(&a).mul_into(black_box(&b), black_box(&mut c), &device).unwrap()),
            seconds(1000, || mul(black_box(&their_a), black_box(&their_b), black_box(&mut their_c))),
        ));
    }
    for (i, cut) in their_c.iter().enumerate() {
        let ours = c.cut(i / CUTS, i % CUTS);
        assert_eq!((ours.lower, ours.upper), (cut.inf(), cut.sup()), "both products are the tightest");
    }
    report("cuts added, mixed signs", NUMBERS * CUTS, &mut sums);
    report("cuts multiplied, mixed signs", NUMBERS * CUTS, &mut products);

    let (x, y) = (numbers(state, true), numbers(state, true));
    let (a, b) = (ours(&x), ours(&y));
    let (their_a, their_b) = (theirs(&x), theirs(&y));
    let mut series = Vec::new();
    for _ in 0..rounds {
        let mut their_c = their_b.clone();
        series.push((
            seconds(5, || drop(black_box(black_box(&b).axpy(black_box(&a), &b, STEPS, &device).unwrap()))),
            seconds(1, || axpy(black_box(&their_a), black_box(&their_b), black_box(&mut their_c))),
        ));
    }
    report("steps of a·c + b, 8 cuts, positive", NUMBERS * STEPS, &mut series);
}
EOF
cd "$folder"
RUSTFLAGS="-C target-cpu=native" cargo run --release --quiet -- "$@"
