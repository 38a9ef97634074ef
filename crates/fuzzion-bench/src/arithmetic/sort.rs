//! Sorting benchmarks: fuzzy numbers by 32-bit keys as in Defour and Marin (2014), in both encodings and precisions,
//! with the data in device memory; also the sort order alone, and sorting from and to host memory.

use crate::device::{Ceilings, Measurement, MinimumWork, median_host_seconds, median_seconds};
use fuzzion::arithmetic::{Element, Key, LuArray, sorted_order};
use fuzzion::device::{Cpu, Cuda};
use fuzzion::internals::Random;
use fuzzion::internals::arithmetic::{Gather, GpuOrder, LANES, PlaneOperation, Sorter, bits, cpu};
use fuzzion::internals::device::{Buffer, Processor};
use fuzzion::{Device, Progress, Result};

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
            bench.numbers::<f32, f32>("lu/f32", n, cuts, &[], &[2 * cuts])?;
            bench.numbers::<f64, f64>("lu/f64", n, cuts, &[], &[2 * cuts])?;
            bench.numbers::<f32, f32>("mr/f32", n, cuts, &[1], &[cuts])?;
            bench.numbers::<f64, f64>("mr/f64", n, cuts, &[1], &[cuts])?;
            bench.numbers::<f64, f32>("mr/mixed", n, cuts, &[1], &[cuts])?;
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

fn value_count(n: usize, planes: usize) -> usize {
    n.div_ceil(LANES) * LANES * planes
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

    /// Sort order of the keys only.
    fn orders<K: Key>(&mut self, name: &str, n: usize) -> Result<()> {
        let keys = keys::<K>(n);
        let processor = self.device.processor(false);
        let seconds = match &processor {
            Processor::Cpu(cpu) => median_seconds(&processor, self.progress, || {
                cpu::order::<K>(cpu, bits(&keys));
                Ok(())
            })?,
            Processor::Cuda(cuda) => {
                let keys = cuda.upload(bits(&keys))?;
                let mut order = cuda.alloc(n)?;
                let mut sorter = Sorter::<K>::new(cuda, n)?;
                median_seconds(&processor, self.progress, || Ok(sorter.run(&keys, &mut order)?))?
            }
        };
        self.record(format!("arithmetic/sort/order/{name}/{n}"), seconds, n, size_of::<K::Bits>() + 4);
        Ok(())
    }

    /// Sorts keys and gathers arrays of `T` and `R` with the given numbers of planes, as sorting an array of fuzzy
    /// numbers does.
    fn numbers<T: Element, R: Element>(
        &mut self,
        name: &str,
        n: usize,
        cuts: usize,
        planes_t: &[usize],
        planes_r: &[usize],
    ) -> Result<()> {
        let keys = keys::<u32>(n);
        let processor = self.device.processor(false);
        let seconds = match &processor {
            Processor::Cpu(cpu) => {
                let mut arrays = HostBuffers::<T>::all(planes_t, n);
                let mut others = HostBuffers::<R>::all(planes_r, n);
                median_seconds(&processor, self.progress, || {
                    let order = cpu::order::<u32>(cpu, &keys);
                    arrays.iter_mut().for_each(|array| array.gather(cpu, &order));
                    others.iter_mut().for_each(|array| array.gather(cpu, &order));
                    Ok(())
                })?
            }
            Processor::Cuda(cuda) => {
                let keys = cuda.upload(&keys)?;
                let arrays = gpu_zeros::<T>(cuda, planes_t, n)?;
                let others = gpu_zeros::<R>(cuda, planes_r, n)?;
                median_seconds(&processor, self.progress, || {
                    let gather = Gather { cuda, order: &GpuOrder::sorted::<u32>(cuda, &keys)? };
                    for (array, planes) in arrays.iter().zip(planes_t) {
                        gather.apply(array, *planes)?;
                    }
                    for (array, planes) in others.iter().zip(planes_r) {
                        gather.apply(array, *planes)?;
                    }
                    Ok(())
                })?
            }
        };
        let number_bytes =
            planes_t.iter().sum::<usize>() * size_of::<T>() + planes_r.iter().sum::<usize>() * size_of::<R>();
        let bytes = 2 * number_bytes + size_of::<u32>();
        self.record(format!("arithmetic/sort/{name}/{cuts}/{n}"), seconds, n, bytes);
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

/// Arrays of `n` numbers in GPU memory with the given numbers of planes.
fn gpu_zeros<T: Element>(cuda: &Cuda, planes: &[usize], n: usize) -> Result<Vec<Buffer<T>>> {
    Ok(planes.iter().map(|planes| cuda.zeros(value_count(n, *planes))).collect::<Result<_, _>>()?)
}

/// Array in host memory with a buffer for the sorted array.
struct HostBuffers<T> {
    planes: usize,
    from: Vec<T>,
    to: Vec<T>,
}

impl<T: Element> HostBuffers<T> {
    fn all(planes: &[usize], n: usize) -> Vec<Self> {
        let zeros = |planes: usize| vec![T::ZERO; value_count(n, planes)];
        planes
            .iter()
            .map(|planes| HostBuffers { planes: *planes, from: zeros(*planes), to: zeros(*planes) })
            .collect()
    }

    fn gather(&mut self, cpu: &Cpu, order: &[u32]) {
        cpu::gather(cpu, &self.from, self.planes, order, &mut self.to);
    }
}
