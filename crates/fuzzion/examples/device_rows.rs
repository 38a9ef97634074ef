//! Rows in the memory of a GPU: upload, fuzzy c-means, memberships, labels, inference and clusters of its results, with
//! the time of each step.
//!
//! `cargo run --release --example device_rows -- [rows] [device]`, by default 10 million rows of 32 columns and 64
//! clusters on the first GPU, or on the CPU if there is none.
#![allow(clippy::print_stdout)] // prints its results

use fuzzion::clustering::{FuzzyCMeans, InitialCenters};
use fuzzion::data::Precision;
use fuzzion::inference::{Defuzzifier, Dialect, Output, System, Variable};
use fuzzion::sets::Set;
use fuzzion::{Device, Result, Samples, Table};
use std::time::Instant;

const CLUSTERS: usize = 64;
const COLUMNS: usize = 32;
/// Untimed runs, which compile kernels and allocate memory, and timed runs, of which the median is printed.
const WARM_UP: usize = 1;
const RUNS: usize = 5;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let rows = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let device = match arguments.next() {
        Some(name) => name.parse()?,
        None => Device::cuda(0).or_else(|_| Device::cpu())?,
    };
    println!("{device}, {} CPU threads", device.threads());
    clusters(rows, &device)?;
    inference(6 * rows, &device)
}

/// Uniform numbers in [0, 1).
fn uniform(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    }
}

fn clusters(rows: usize, device: &Device) -> Result<()> {
    println!("\n{rows} rows × {COLUMNS} columns in single precision, {CLUSTERS} clusters");
    let mut random = uniform(1);
    let centers: Vec<f32> = (0..CLUSTERS * COLUMNS).map(|_| 20.0 * random()).collect();
    let mut values = Vec::with_capacity(rows * COLUMNS);
    for row in 0..rows {
        let center = &centers[row % CLUSTERS * COLUMNS..][..COLUMNS];
        values.extend(center.iter().map(|center| center + random() + random() - 1.0));
    }
    let host = Samples::new(COLUMNS, &values)?;
    median("upload", || host.to_device(device))?;
    let on_device = host.to_device(device)?;
    let initial = InitialCenters::Centers(Table::unnamed(COLUMNS, centers)?);
    let fit = |iterations: usize| {
        let settings = FuzzyCMeans::new(CLUSTERS).initial_centers(initial.clone());
        settings.plain(true).tolerance(0.0).max_iterations(iterations).fit(&on_device, device)
    };
    let short = median("fit of 10 iterations", || fit(10))?;
    let long = median("fit of 110 iterations", || fit(110))?;
    println!("{:>10.3} ms  one more iteration", (long - short) / 100.0);
    let partition = fit(10)?;
    median("memberships in device memory", || partition.memberships_on_device(&on_device, device))?;
    median("labels", || partition.labels(&on_device, device))?;
    assert_eq!(
        partition.labels(&on_device, device)?[..1000],
        partition.labels(host.part(0..1000), &Device::cpu()?)?
    );
    Ok(())
}

fn inference(rows: usize, device: &Device) -> Result<()> {
    let names = ["low", "middle", "high"];
    let triangles = |variable: Variable| -> Result<Variable> {
        names.iter().enumerate().try_fold(variable, |variable, (i, name)| {
            let top = 0.5 * i as f64;
            Ok(variable.set(*name, Set::triangle(top - 0.5, top, top + 0.5)?))
        })
    };
    let mut output = Output::new("y", 0.0, 1.0).defuzzifier(Defuzzifier::Centroid { samples: Some(100) });
    output.variable = triangles(output.variable)?;
    let mut system = System::new("mamdani")
        .input(triangles(Variable::new("a", 0.0, 1.0))?)
        .input(triangles(Variable::new("b", 0.0, 1.0))?)
        .output(output);
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate() {
            system = system.rule(&format!("if a is {a} and b is {b} then y is {}", names[(i + j) / 2]))?;
        }
    }
    let plan = system.compile(Dialect::Fuzzylite8, Precision::F32)?;
    println!("\n{rows} rows × 2 inputs in single precision, Mamdani system with 9 rules and 100 samples");
    let mut random = uniform(2);
    let table = Table::new(["a", "b"], (0..2 * rows).map(|_| random()).collect::<Vec<f32>>())?;
    let on_device = table.samples().to_device(device)?;
    let time = median("inference in device memory", || plan.infer_on_device(&on_device, device))?;
    println!("{:>10.2} billion rows per second", rows as f64 / time / 1e6);
    median("inference from and to host memory", || plan.infer(&table, device))?;
    let results = plan.infer_on_device(&on_device, device)?;
    median("download", || results.to_host())?;
    let settings = FuzzyCMeans::new(4).max_iterations(20);
    median("clusters of the results in device memory", || settings.fit(&results, device))?;

    let expected = plan.infer(table.samples().part(0..1000), &Device::cpu()?)?;
    let found = results.to_host()?;
    let close = |row: usize| {
        (found.get(row, 0).unwrap_or(f64::NAN) - expected.get(row, 0).unwrap_or(0.0)).abs() < 1e-5
    };
    assert!((0..1000).all(close));
    arrays_of_other_libraries(&results, device)
}

/// Passes the address of an array to `CudaArrayView`, as a program would do with the array of another library.
#[cfg(feature = "cuda")]
#[allow(unsafe_code)]
fn arrays_of_other_libraries(results: &fuzzion::data::DeviceSamples<'_>, device: &Device) -> Result<()> {
    use fuzzion::{data::DeviceSamples, device::CudaArrayView};
    let Some((_, address)) = results.cuda_address() else { return Ok(()) };
    let settings = FuzzyCMeans::new(4).max_iterations(20);
    let expected = settings.fit(results, device)?;
    // An array that starts at a multiple of 16 bytes is used in place, another one is copied.
    for skipped in [0, 4, 1] {
        let len = results.rows() - skipped;
        // SAFETY: the values are complete, in the memory of this GPU, and outlive the view.
        let view = unsafe { CudaArrayView::<f32>::new(address + 4 * skipped as u64, len) };
        let found = settings.fit(&DeviceSamples::from_cuda(view, 1, device)?, device)?;
        let (found, expected) = (found.report.objective, expected.report.objective);
        println!("objective {found} of {len} rows of an array view, {expected} of all rows");
        assert!((found - expected).abs() <= 1e-3 * expected);
    }
    Ok(())
}

#[cfg(not(feature = "cuda"))]
fn arrays_of_other_libraries(_: &fuzzion::data::DeviceSamples<'_>, _: &Device) -> Result<()> {
    Ok(())
}

/// Prints and returns the median time of `work` in milliseconds.
fn median<R, E: Into<fuzzion::Error>>(what: &str, mut work: impl FnMut() -> Result<R, E>) -> Result<f64> {
    let mut times = Vec::new();
    for run in 0..WARM_UP + RUNS {
        let start = Instant::now();
        let result = work().map_err(Into::into)?;
        let time = start.elapsed();
        drop(result);
        if run >= WARM_UP {
            times.push(time.as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    println!("{:>10.3} ms  {what}", times[RUNS / 2]);
    Ok(times[RUNS / 2])
}
