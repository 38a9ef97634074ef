//! Arithmetic benchmarks: the two of Defour and Marin (2014), which are the iteration c ← a·c + b in registers and
//! sorting, and formulas that read their operands from memory and write their results to memory.

use super::sort;
use crate::device::{Ceilings, Measurement, MinimumWork, median_seconds};
use fuzzion::arithmetic::{AlphaCut, DeviceArray, Evaluation, Expr, LuArray, MrArray, Real};
use fuzzion::internals::arithmetic::cpu;
use fuzzion::internals::arithmetic::cuda;
use fuzzion::internals::arithmetic::{FuzzyArray, ScalarReference};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Progress, Result};
use std::borrow::Cow;

const CUTS: [usize; 7] = [1, 2, 4, 8, 12, 16, 24];
/// As in Defour and Marin (2014): 960 blocks of 128 threads, one number each, 1000 steps.
const CUDA_NUMBERS: usize = 960 * 128;
const CUDA_STEPS: usize = 1000;
/// With 8 cuts, these numbers fit in the L1 cache of a core.
const CPU_NUMBERS: usize = 128;
const CPU_STEPS: usize = 1000;
/// Cuts per column of a formula on a GPU; the columns exceed its caches.
const CUDA_CUTS: usize = 1 << 23;
/// Numbers per column on a CPU; the columns fit in the cache of a core.
const CPU_ROWS: usize = 64;
/// Repetitions on a CPU.
const CPU_ROUNDS: usize = 4000;

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let ceilings = Ceilings::measure(device, progress)?;
    let mut bench = Bench { device, ceilings, progress, measurements: Vec::new() };
    for cuts in CUTS {
        bench.encodings(cuts)?;
    }
    let mut measurements = bench.measurements;
    measurements.extend(sort::bench(device, progress)?);
    Ok(measurements)
}

struct Bench<'a> {
    device: &'a Device,
    ceilings: Ceilings,
    progress: &'a Progress,
    measurements: Vec<Measurement>,
}

/// Memory traffic and operations of an encoding per number.
struct Costs {
    name: &'static str,
    bytes: usize,
    /// Multiply-adds per iteration step: in the precision of the midpoint or bounds, and in the precision of the radii.
    fused: [usize; 2],
    /// Whether each of the two is single precision.
    single: [bool; 2],
}

impl Bench<'_> {
    fn encodings(&mut self, cuts: usize) -> Result<()> {
        let (lu, mr) = ([2 * cuts, 0], [1, 2 * cuts + 2]);
        let costs = |name, bytes, fused, single| Costs { name, bytes, fused, single };
        self.encoding::<LuArray<f32>>(cuts, &costs("lu/f32", 8 * cuts, lu, [true; 2]))?;
        self.encoding::<LuArray<f64>>(cuts, &costs("lu/f64", 16 * cuts, lu, [false; 2]))?;
        self.encoding::<MrArray<f32>>(cuts, &costs("mr/f32", 4 + 4 * cuts, mr, [true; 2]))?;
        self.encoding::<MrArray<f64>>(cuts, &costs("mr/f64", 8 + 8 * cuts, mr, [false; 2]))?;
        self.encoding::<MrArray<f64, f32>>(cuts, &costs("mr/mixed", 8 + 4 * cuts, mr, [false, true]))
    }

    fn encoding<A: ScalarReference>(&mut self, cuts: usize, costs: &Costs) -> Result<()> {
        self.iteration::<A>(cuts, costs, true)?;
        self.iteration::<A>(cuts, costs, false)?;
        self.formula::<A>(cuts, costs, "x + y")?;
        self.formula::<A>(cuts, costs, "x * y")
    }

    /// c ← a·c + b of positive numbers as in Defour and Marin (2014); a and b are single numbers (`one`) or arrays.
    fn iteration<A: ScalarReference>(&mut self, cuts: usize, costs: &Costs, one: bool) -> Result<()> {
        let processor = self.device.processor(false);
        let (numbers, steps) = match &processor {
            Processor::Cpu(_) => (CPU_NUMBERS, CPU_STEPS),
            Processor::Cuda(_) => (CUDA_NUMBERS, CUDA_STEPS),
        };
        let operands = if one { 1 } else { numbers };
        let (a, b) =
            (equal_numbers::<A>(cuts, operands, 0.7, 0.05)?, equal_numbers::<A>(cuts, operands, 0.3, 0.1)?);
        let mut c = equal_numbers::<A>(cuts, numbers, 0.7, 0.05)?;
        let mut note = None;
        let seconds = match &processor {
            Processor::Cpu(cpu) => median_seconds(&processor, self.progress, || {
                Ok(cpu::axpy(&mut c, &a, &b, steps, cpu, &Progress::none())?)
            })?,
            Processor::Cuda(cuda) => {
                note = Some(cuda::AxpyKernel::new::<A>(cuda, cuts, one)?.resources()?);
                let [a, b, c] = [&a, &b, &c].map(|array| DeviceArray::new(Cow::Borrowed(array), self.device));
                let (a, b, c) = (a?, b?, c?);
                median_seconds(&processor, self.progress, || {
                    Ok(c.axpy(&a, &b, steps, self.device).map(drop)?)
                })?
            }
        };
        let done = (numbers * steps) as f64;
        let mut minimum_work = MinimumWork::default();
        for (fused, single) in costs.fused.iter().zip(costs.single) {
            // A fused multiply-add is two operations.
            let operations = 2.0 * *fused as f64 * done;
            if single {
                minimum_work.operations_f32 += operations;
            } else {
                minimum_work.operations_f64 += operations;
            }
        }
        let which = if one { "one" } else { "each" };
        let name = format!("arithmetic/axpy/{}/{cuts}/{which}", costs.name);
        let mut measurement =
            Measurement::new(name, self.device, seconds, (done, "steps/s"), minimum_work, &self.ceilings);
        measurement.note = note;
        self.measurements.push(measurement);
        Ok(())
    }

    /// Formula over numbers of mixed signs, from memory to memory; on a CPU, in the cache of a core.
    fn formula<A: ScalarReference>(&mut self, cuts: usize, costs: &Costs, text: &str) -> Result<()> {
        let expr = Expr::new(text)?;
        let processor = self.device.processor(false);
        let (rows, rounds) = match &processor {
            Processor::Cpu(_) => (CPU_ROWS, CPU_ROUNDS),
            Processor::Cuda(_) => (CUDA_CUTS / cuts, 1),
        };
        let (x, y) = (mixed_sign_numbers::<A>(cuts, rows, 1)?, mixed_sign_numbers::<A>(cuts, rows, 5)?);
        let mut out = A::zeros(cuts, rows)?;
        let seconds = match &processor {
            Processor::Cpu(cpu) => median_seconds(&processor, self.progress, || {
                Ok((0..rounds).try_for_each(|_| {
                    cpu::run(expr.program(), &[&x, &y], &[], &mut out, cpu, &Progress::none())
                })?)
            })?,
            Processor::Cuda(_) => {
                let [x, y] = [&x, &y].map(|array| DeviceArray::new(Cow::Borrowed(array), self.device));
                let (x, y) = (x?, y?);
                let columns = [("x", &x), ("y", &y)];
                median_seconds(&processor, self.progress, || {
                    Ok(expr.apply(&columns, cuts, Evaluation::Direct, self.device).map(drop)?)
                })?
            }
        };
        let done = (rows * rounds) as f64;
        // In a core's cache, memory is not the limit; a sum or a product takes two operations per cut.
        let mut minimum_work = MinimumWork::default();
        match &processor {
            Processor::Cuda(_) => minimum_work.bytes = 3.0 * costs.bytes as f64 * done,
            Processor::Cpu(_) if costs.single[0] => minimum_work.operations_f32 = 2.0 * cuts as f64 * done,
            Processor::Cpu(_) => minimum_work.operations_f64 = 2.0 * cuts as f64 * done,
        }
        let name = format!("arithmetic/{text}/{}/{cuts}", costs.name).replace(' ', "");
        self.measurements.push(Measurement::new(
            name,
            self.device,
            seconds,
            (done, "numbers/s"),
            minimum_work,
            &self.ceilings,
        ));
        Ok(())
    }
}

fn cut<A: FuzzyArray>(midpoint: f64, radius: f64) -> AlphaCut<A::Bound> {
    AlphaCut {
        lower: A::Bound::from_f64_down(midpoint - radius),
        upper: A::Bound::from_f64_up(midpoint + radius),
    }
}

fn equal_numbers<A: FuzzyArray>(cuts: usize, len: usize, midpoint: f64, radius: f64) -> Result<A> {
    let mut array = A::zeros(cuts, len)?;
    for number in 0..len {
        array.set_cuts(number, |i| cut::<A>(midpoint, radius * (cuts - i) as f64 / cuts as f64));
    }
    Ok(array)
}

/// Array of numbers on both sides of 0, some of which straddle it.
fn mixed_sign_numbers<A: FuzzyArray>(cuts: usize, len: usize, seed: usize) -> Result<A> {
    let mut array = A::zeros(cuts, len)?;
    for number in 0..len {
        let midpoint = ((number * 7 + seed) % 23) as f64 - 11.0;
        array.set_cuts(number, |i| cut::<A>(midpoint, 3.0 * (cuts - i) as f64 / cuts as f64));
    }
    Ok(array)
}
