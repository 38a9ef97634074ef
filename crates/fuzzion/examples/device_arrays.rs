//! Arrays of fuzzy numbers in the memory of a GPU: upload, c ← a·c + b, sorting, download, with the time of each step.
//!
//! `cargo run --release --example device_arrays -- [numbers] [device]`, by default 10 million numbers of 4 alpha-cuts on
//! the first GPU, or on the CPU if there is none.
#![allow(clippy::print_stdout)] // prints its results

use fuzzion::arithmetic::{ArithmeticError, DeviceKeys, LuArray};
use fuzzion::{Device, Result};
use std::time::Instant;

const CUTS: usize = 4;
const STEPS: usize = 1000;
/// Untimed runs, which compile kernels and allocate memory, and timed runs, of which the median is printed.
const WARM_UP: usize = 2;
const RUNS: usize = 7;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let numbers = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let device = match arguments.next() {
        Some(name) => name.parse()?,
        None => Device::cuda(0).or_else(|_| Device::cpu())?,
    };
    println!("{numbers} numbers of {CUTS} alpha-cuts on {device}, {} CPU threads", device.threads());
    arrays::<f32>("f32", numbers, &device)?;
    arrays::<f64>("f64", numbers, &device)
}

/// Types of the bounds, with a conversion from `f32`.
trait Bound: fuzzion::arithmetic::Element + From<f32> {}
impl<T: fuzzion::arithmetic::Element + From<f32>> Bound for T {}

fn arrays<T: Bound>(name: &str, numbers: usize, device: &Device) -> Result<()> {
    let value = |i: usize| T::from((i * 7919 % 10_007) as f32 / 10_007.0);
    let array = LuArray::crisp(CUTS, &(0..numbers).map(value).collect::<Vec<T>>())?;
    let [a, b] = ["tri(0.6, 0.7, 0.8)", "tri(0.2, 0.3, 0.4)"].map(|text| LuArray::<T>::parse(CUTS, &[text]));
    let keys: Vec<u32> = (0..numbers as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();

    println!("\n{name}, {:.0} MB", (numbers * CUTS * 2 * size_of::<T>()) as f64 / 1e6);
    median("upload", || array.to_device(device))?;
    let on_device = array.to_device(device)?;
    let (a, b) = (a?.into_device(device)?, b?.into_device(device)?);
    let keys_on_device = DeviceKeys::new(&keys, device)?;
    // An operation on a GPU returns before it is complete; copying a number to host memory waits for it.
    let one = LuArray::<T>::crisp(CUTS, &[T::from(1.0)])?.into_device(device)?;
    let wait = || one.to_host().map(drop);
    median("c <- a c + b, 1000 steps, in device memory", || {
        let result = on_device.axpy(&a, &b, STEPS, device)?;
        wait().map(|()| result)
    })?;
    median("sort_by_key in device memory", || {
        let result = on_device.sort_by_key(&keys_on_device, device)?;
        wait().map(|()| result)
    })?;
    median("x * x + x in device memory", || {
        let result = on_device.mul(&on_device, device)?.add(&on_device, device)?;
        wait().map(|()| result)
    })?;
    median("sum in device memory", || on_device.sum(device)?.to_host())?;
    median("download", || on_device.to_host())?;
    median("sort_by_key from and to host memory", || array.sort_by_key(&keys, device))?;

    // The results of a sequence of operations are those of the CPU.
    let some = LuArray::crisp(CUTS, &(0..1000).map(value).collect::<Vec<T>>())?;
    let cpu = Device::cpu()?;
    let on_gpu = some
        .to_device(device)?
        .axpy(&a, &b, 10, device)?
        .sort_by_key(&DeviceKeys::new(&keys[..1000], device)?, device)?;
    let (a, b) = (a.to_host()?, b.to_host()?);
    let (found, expected) =
        (on_gpu.to_host()?, some.axpy(&a, &b, 10, &cpu)?.sort_by_key(&keys[..1000], &cpu)?);
    assert!((0..1000).all(|i| found.text(i) == expected.text(i)));
    Ok(())
}

/// Prints the median time of `work` in milliseconds.
fn median<R>(what: &str, mut work: impl FnMut() -> Result<R, ArithmeticError>) -> Result<()> {
    let mut times = Vec::new();
    for run in 0..WARM_UP + RUNS {
        let start = Instant::now();
        let result = work()?;
        let time = start.elapsed();
        drop(result);
        if run >= WARM_UP {
            times.push(time);
        }
    }
    times.sort();
    println!("{:>10.3} ms  {what}", times[RUNS / 2].as_secs_f64() * 1e3);
    Ok(())
}
