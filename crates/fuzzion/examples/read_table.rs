//! Reads a table and says how long that took: `cargo run --release --example read_table -- FILE [THREADS [RUNS]]`.
#![allow(clippy::print_stdout)] // an example speaks

use fuzzion::data::ReadTable;
use fuzzion::device::Cpu;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("name a table to read")?;
    let cpu = match words.next() {
        Some(threads) => Cpu::with_threads(threads.parse()?)?,
        None => Cpu::new()?,
    };
    let runs: usize = words.next().map_or(Ok(1), |runs| runs.parse())?;
    for _ in 0..runs {
        let start = Instant::now();
        let table = ReadTable::new().cpu(cpu.clone()).read(&file)?;
        println!(
            "{} rows × {} columns in {:.3} s",
            table.rows(),
            table.columns(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
