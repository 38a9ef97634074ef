//! Measures the time to read a table: `cargo run --release --example read_table -- FILE [THREADS [RUNS]]`.
#![allow(clippy::print_stdout)] // prints its results

use fuzzion::Device;
use fuzzion::data::ReadTable;
use fuzzion::device::Cpu;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected the path of a table")?;
    let device: Device = match arguments.next() {
        Some(threads) => Cpu::with_threads(threads.parse()?)?.into(),
        None => Device::cpu()?,
    };
    let runs: usize = arguments.next().map_or(Ok(1), |runs| runs.parse())?;
    for _ in 0..runs {
        let start = Instant::now();
        let table = ReadTable::new().device(&device).read(&file)?;
        println!(
            "{} rows × {} columns in {:.3} s",
            table.rows(),
            table.columns(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
