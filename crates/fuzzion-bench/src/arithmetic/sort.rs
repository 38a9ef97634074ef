//! Sorting benchmarks: fuzzy numbers by 32-bit keys as in Defour and Marin (2014), in both encodings and precisions,
//! with the data in device memory; also the sort order alone, and sorting from and to host memory.

use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds, median_seconds};
use fuzzion::arithmetic::{DeviceArray, DeviceKeys, Key, LuArray, MrArray, sorted_order};
use fuzzion::internals::Random;
use fuzzion::internals::arithmetic::ScalarReference;
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Progress, Result};
use std::borrow::Cow;

const CUTS: [usize; 7] = [1, 2, 4, 8, 12, 16, 24];
/// Array lengths: on a GPU those of Defour and Marin (2014); on a CPU the larger one is a tenth of theirs, which also
/// exceeds the caches.
const CUDA_LENGTHS: [usize; 2] = [100_000, 10_000_000];
const CPU_LENGTHS: [usize; 2] = [100_000, 1_000_000];
/// Cuts of the array sorted from and to host memory.
const HOST_CUTS: usize = 4;

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut bench = Bench { device, ceilings, progress, measurements: Vec::new() };
    let lengths = match device.processor(false) {
        Processor::Cpu(_) => CPU_LENGTHS,
        Processor::Cuda(_) => CUDA_LENGTHS,
    };
    for n in lengths {
        bench.orders::<u32>("u32", n)?;
        bench.orders::<f64>("f64", n)?;
        for cuts in CUTS {
            bench.numbers::<LuArray<f32>>(n, cuts, 8 * cuts)?;
            bench.numbers::<LuArray<f64>>(n, cuts, 16 * cuts)?;
            bench.numbers::<MrArray<f32>>(n, cuts, 4 + 4 * cuts)?;
            bench.numbers::<MrArray<f64>>(n, cuts, 8 + 8 * cuts)?;
            bench.numbers::<MrArray<f64, f32>>(n, cuts, 8 + 4 * cuts)?;
        }
        bench.host_to_host(n)?;
    }
    Ok(bench.measurements)
}

struct Bench<'a> {
    device: &'a Device,
    ceilings: Ceilings,
    progress: &'a Progress,
    measurements: Vec<Measurement>,
}

/// Reproducible random keys.
fn keys<K: Key>(n: usize) -> Vec<K> {
    let mut random = Random::new(1);
    (0..n).map(|_| bytemuck::pod_read_unaligned(&random.bits().to_ne_bytes()[..size_of::<K>()])).collect()
}

impl Bench<'_> {
    fn record(&mut self, name: String, seconds: f64, n: usize, bytes: usize) {
        let minimum_work = MinimumWork { bytes: (n * bytes) as f64, ..MinimumWork::default() };
        let amount = (n as f64, "numbers/s");
        self.measurements.push(Measurement::new(
            name,
            self.device,
            seconds,
            amount,
            minimum_work,
            &self.ceilings,
        ));
    }

    /// Sort order of keys in device memory.
    fn orders<K: Key>(&mut self, name: &str, n: usize) -> Result<()> {
        let keys = keys::<K>(n);
        let keys = DeviceKeys::new(&keys, self.device)?;
        let sort = || Ok(keys.sorted_order(self.device).map(drop)?);
        let seconds = median_seconds(&self.device.processor(false), self.progress, sort)?;
        self.record(format!("arithmetic/sort/order/{name}/{n}"), seconds, n, size_of::<K>() + 4);
        Ok(())
    }

    /// Sorting of numbers in device memory by keys in device memory.
    fn numbers<A: ScalarReference>(&mut self, n: usize, cuts: usize, number_bytes: usize) -> Result<()> {
        let (keys, array) = (keys::<u32>(n), A::zeros(cuts, n)?);
        let keys = DeviceKeys::new(&keys, self.device)?;
        let array = DeviceArray::<A>::new(Cow::Owned(array), self.device)?;
        let sort = || Ok(array.sort_by_key(&keys, self.device).map(drop)?);
        let seconds = median_seconds(&self.device.processor(false), self.progress, sort)?;
        let bytes = 2 * number_bytes + size_of::<u32>();
        self.record(format!("arithmetic/sort/{}/{cuts}/{n}", A::NAME), seconds, n, bytes);
        Ok(())
    }

    /// Sorting through the public API, from and to host memory.
    fn host_to_host(&mut self, n: usize) -> Result<()> {
        let (keys, array) = (keys::<u32>(n), LuArray::<f64>::zeroed(HOST_CUTS, n));
        let sort = || Ok(array.sort_by_key(&keys, self.device).map(drop)?);
        let seconds = median_host_seconds(self.progress, sort)?;
        let bytes = 2 * 2 * HOST_CUTS * size_of::<f64>() + size_of::<u32>();
        self.record(format!("arithmetic/sort/lu/f64/{HOST_CUTS}/{n}/from-host"), seconds, n, bytes);
        let seconds = median_host_seconds(self.progress, || Ok(sorted_order(&keys, self.device).map(drop)?))?;
        self.record(format!("arithmetic/sort/order/u32/{n}/from-host"), seconds, n, size_of::<u32>() + 4);
        Ok(())
    }
}
