//! Sorting's part of `fuzzion bench`: the paper's sort of 10⁵ and 10⁷ numbers by 32-bit keys, both encodings and
//! precisions, on data that is already where it is sorted.

use super::cuda::{Sorter, There};
use super::key::{Bits, Key, bits};
use super::{cpu, sorted_order};
use crate::arithmetic::LuArray;
use crate::arithmetic::array::{Element, LANES};
use crate::device::measure::{Floor, Measurement, median_host_seconds, median_seconds};
use crate::device::{Ceilings, Cpu, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use crate::random::Random;

const CUTS: [usize; 7] = [1, 2, 4, 8, 12, 16, 24];
/// Numbers per array: the paper's, and for the CPU a tenth of the larger, which leaves its caches as well.
const CUDA_LENGTHS: [usize; 2] = [100_000, 10_000_000];
const CPU_LENGTHS: [usize; 2] = [100_000, 1_000_000];
/// Cuts of the array that is sorted from and to the host's memory.
const HOST_CUTS: usize = 4;

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
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
        bench.there_and_back(n)?;
    }
    Ok(bench.measurements)
}

struct Bench<'a> {
    device: &'a Device,
    ceilings: Ceilings,
    progress: Progress<'a>,
    measurements: Vec<Measurement>,
}

/// Random keys, the same in every run.
fn keys<K: Key>(n: usize) -> Vec<K> {
    let mut random = Random::new(1);
    (0..n).map(|_| bytemuck::pod_read_unaligned(&random.bits().to_ne_bytes()[..size_of::<K>()])).collect()
}

fn values_of(n: usize, planes: usize) -> usize {
    n.div_ceil(LANES) * LANES * planes
}

impl Bench<'_> {
    fn note(&mut self, name: String, seconds: f64, n: usize, bytes: usize) {
        let floor = Floor { bytes: (n * bytes) as f64, ..Floor::default() };
        let amount = (n as f64, "numbers/s");
        self.measurements.push(Measurement::new(name, self.device, seconds, amount, floor, &self.ceilings));
    }

    /// The order of keys alone.
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
                let mut order = cuda.reserve(n)?;
                let mut sorter = Sorter::<K>::new(cuda, n)?;
                median_seconds(&processor, self.progress, || sorter.run(&keys, &mut order))?
            }
        };
        self.note(format!("arithmetic/sort/order/{name}/{n}"), seconds, n, size_of::<K::Bits>() + 4);
        Ok(())
    }

    /// Keys and arrays of the given planes of `T` and of `R`: everything that a sort of numbers moves.
    fn numbers<T: Element, R: Element>(
        &mut self,
        name: &str,
        n: usize,
        cuts: usize,
        first: &[usize],
        second: &[usize],
    ) -> Result<()> {
        let keys = keys::<u32>(n);
        let processor = self.device.processor(false);
        let seconds = match &processor {
            Processor::Cpu(cpu) => {
                let mut arrays = Here::<T>::all(first, n);
                let mut others = Here::<R>::all(second, n);
                median_seconds(&processor, self.progress, || {
                    let order = cpu::order::<u32>(cpu, &keys);
                    arrays.iter_mut().for_each(|array| array.gather(cpu, &order));
                    others.iter_mut().for_each(|array| array.gather(cpu, &order));
                    Ok(())
                })?
            }
            Processor::Cuda(cuda) => {
                let keys = cuda.upload(&keys)?;
                let mut order = cuda.reserve(n)?;
                let mut sorter = Sorter::<u32>::new(cuda, n)?;
                let mut arrays = There::<T>::all(cuda, first, n)?;
                let mut others = There::<R>::all(cuda, second, n)?;
                median_seconds(&processor, self.progress, || {
                    sorter.run(&keys, &mut order)?;
                    arrays.iter_mut().try_for_each(|array| array.gather(&order))?;
                    others.iter_mut().try_for_each(|array| array.gather(&order))
                })?
            }
        };
        let number =
            first.iter().sum::<usize>() * size_of::<T>() + second.iter().sum::<usize>() * size_of::<R>();
        self.note(format!("arithmetic/sort/{name}/{cuts}/{n}"), seconds, n, 2 * number + size_of::<u32>());
        Ok(())
    }

    /// From the host's memory and back to it, by the public verb.
    fn there_and_back(&mut self, n: usize) -> Result<()> {
        let (keys, array) = (keys::<u32>(n), LuArray::<f64>::sized(HOST_CUTS, n));
        let sort = || array.sort_by_key(&keys, self.device).map(drop);
        let seconds = median_host_seconds(self.progress, sort)?;
        let bytes = 2 * 2 * HOST_CUTS * size_of::<f64>() + size_of::<u32>();
        self.note(format!("arithmetic/sort/lu/f64/{HOST_CUTS}/{n}/from-host"), seconds, n, bytes);
        let seconds = median_host_seconds(self.progress, || sorted_order(&keys, self.device).map(drop))?;
        self.note(format!("arithmetic/sort/order/u32/{n}/from-host"), seconds, n, u32::DIGITS as usize + 4);
        Ok(())
    }
}

/// An array in the host's memory and room for it in order.
struct Here<T> {
    planes: usize,
    from: Vec<T>,
    to: Vec<T>,
}

impl<T: Element> Here<T> {
    fn all(planes: &[usize], n: usize) -> Vec<Self> {
        let zeros = |planes: usize| vec![T::ZERO; values_of(n, planes)];
        planes
            .iter()
            .map(|planes| Here { planes: *planes, from: zeros(*planes), to: zeros(*planes) })
            .collect()
    }

    fn gather(&mut self, cpu: &Cpu, order: &[u32]) {
        cpu::gather(cpu, &self.from, self.planes, order, &mut self.to);
    }
}
