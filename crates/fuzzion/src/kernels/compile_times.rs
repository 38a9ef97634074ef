//! Compile time of every program.
#![allow(clippy::print_stdout)] // reports to the user who runs it

use super::distinct_programs;
use crate::device::cuda::nvrtc::testing::nvrtc_or_skip;
use std::time::Instant;

#[test]
#[ignore = "reports compile times: cargo test -p fuzzion --lib compile_times -- --ignored --nocapture"]
fn compile_times_of_all_programs() {
    let Some(nvrtc) = nvrtc_or_skip() else { return };
    let mut times = Vec::new();
    for program in distinct_programs() {
        let start = Instant::now();
        let compiled = nvrtc.compile(&program, "sm_90").unwrap();
        times.push((start.elapsed().as_secs_f64(), program, compiled.cubin.len()));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let total: f64 = times.iter().map(|(seconds, ..)| seconds).sum();
    println!("{} programs, {total:.1} s", times.len());
    for (seconds, program, bytes) in times {
        println!("{seconds:8.3} s {bytes:9} bytes  {} {}", program.name, program.constants_text());
    }
}
