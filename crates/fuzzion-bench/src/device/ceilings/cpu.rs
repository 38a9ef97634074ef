//! Ceilings of the CPU: a copy between two arrays larger than the caches, and chains of multiply-adds in registers.

use super::super::{Check, median_seconds};
use super::chain::{SCALE, SHIFT, Timed, chain};
use fuzzion::device::{Cpu, Simd};
use fuzzion::internals::device::{Processor, mul_add_f32, mul_add_f64};
use fuzzion::{Progress, Result, simd};
use rayon::prelude::*;

/// Length of the arrays of the copy: 512 MiB, several times the largest last-level caches.
const COPY_LENGTH: usize = 64 << 20;

/// Number of values that a thread copies at a time.
const COPY_CHUNK: usize = 1 << 16;

/// Number of independent chains, enough to hide the latency of a multiply-add.
const CHAINS: usize = 10;

/// Number of steps of a timed chain, and of tasks per thread.
const STEPS: usize = 2_000_000;
const TASKS: usize = 4;

const LANES_F32: usize = 16;
const LANES_F64: usize = 8;

simd! { fn chains_f32(x: &mut [[f32; LANES_F32]; CHAINS], steps: usize) = chains_f32_body; }
simd! { fn chains_f64(x: &mut [[f64; LANES_F64]; CHAINS], steps: usize) = chains_f64_body; }

macro_rules! chains_body {
    ($name:ident, $type:ty, $lanes:ident, $mul_add:ident) => {
        #[inline(always)]
        fn $name<const FMA: bool>(x: &mut [[$type; $lanes]; CHAINS], steps: usize) {
            let mut chains = *x;
            // Hidden from the optimizer, which could otherwise compute the result at compile time.
            let (scale, shift) = std::hint::black_box((SCALE as $type, SHIFT as $type));
            for _ in 0..steps {
                for chain in &mut chains {
                    for lane in chain {
                        *lane = $mul_add::<FMA>(*lane, scale, shift);
                    }
                }
            }
            *x = chains;
        }
    };
}
chains_body!(chains_f32_body, f32, LANES_F32, mul_add_f32);
chains_body!(chains_f64_body, f64, LANES_F64, mul_add_f64);

/// Copies with all threads of the device.
fn copy(cpu: &Cpu, from: &[f64], to: &mut [f64]) {
    cpu.run(|| {
        to.par_chunks_mut(COPY_CHUNK)
            .zip(from.par_chunks(COPY_CHUNK))
            .for_each(|(to, from)| to.copy_from_slice(from));
    });
}

pub(crate) fn measure(cpu: &Cpu, processor: &Processor<'_>, progress: &Progress) -> Result<Timed> {
    let from: Vec<f64> = (0..COPY_LENGTH).map(|i| i as f64).collect();
    let mut to = vec![0.0; COPY_LENGTH];
    let seconds = median_seconds(processor, progress, || {
        copy(cpu, &from, &mut to);
        Ok(())
    })?;
    let copied = (2 * COPY_LENGTH * size_of::<f64>()) as f64;
    let tasks = TASKS * cpu.threads();
    let simd = cpu.simd();
    let single = median_seconds(processor, progress, || {
        cpu.map_chunks(tasks, 1, |task| {
            let mut x = [[task.start as f32; LANES_F32]; CHAINS];
            chains_f32(simd, &mut x, STEPS);
            std::hint::black_box(x);
        });
        Ok(())
    })?;
    let double = median_seconds(processor, progress, || {
        cpu.map_chunks(tasks, 1, |task| {
            let mut x = [[task.start as f64; LANES_F64]; CHAINS];
            chains_f64(simd, &mut x, STEPS);
            std::hint::black_box(x);
        });
        Ok(())
    })?;
    let operations = |lanes: usize| (2 * lanes * CHAINS * STEPS * tasks) as f64;
    Ok(Timed {
        copy: (copied, seconds),
        multiply_add_f32: (operations(LANES_F32), single),
        multiply_add_f64: (operations(LANES_F64), double),
    })
}

pub(crate) fn checks(cpu: &Cpu) -> Vec<Check> {
    let mut list = vec![copy_check(cpu)];
    for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
        let mut single = Check::new(format!("device/multiply-add/f32/{}", simd.level().name()), 1e-6);
        let mut double = Check::new(format!("device/multiply-add/f64/{}", simd.level().name()), 1e-15);
        for steps in [0, 1, 7, 100] {
            for start in [-3.0, 0.0, 0.7] {
                let mut x = [[start as f32; LANES_F32]; CHAINS];
                chains_f32(simd, &mut x, steps);
                let expected = chain(f64::from(start as f32), steps);
                single.compare(
                    x.as_flattened().iter().map(|x| f64::from(*x)),
                    std::iter::repeat_n(expected, LANES_F32 * CHAINS),
                );
                let mut x = [[start; LANES_F64]; CHAINS];
                chains_f64(simd, &mut x, steps);
                double.compare(
                    x.as_flattened().iter().copied(),
                    std::iter::repeat_n(chain(start, steps), LANES_F64 * CHAINS),
                );
            }
        }
        list.extend([single, double]);
    }
    list
}

fn copy_check(cpu: &Cpu) -> Check {
    let mut check = Check::new("device/copy", 0.0);
    for n in [0, 1, COPY_CHUNK - 1, COPY_CHUNK, 3 * COPY_CHUNK + 7] {
        let from: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut to = vec![f64::NAN; n];
        copy(cpu, &from, &mut to);
        check.compare(to.into_iter(), from.into_iter());
    }
    check
}
