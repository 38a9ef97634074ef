//! Image checks of `fuzzion selftest`: every built-in operator in both execution modes against the reference, pixel by pixel.

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::data::Pixels;
use fuzzion::device::Simd;
use fuzzion::inference::Dialect;
use fuzzion::inference::image::{BUILT_IN, Execution, Operator};
use fuzzion::internals::Random;
use fuzzion::internals::device::Processor;
use fuzzion::internals::image::{Pixel, Window, round_to_pixel, to_brightness};
use fuzzion::{Device, Images, Result};

/// One pixel, one row, one column, more than one stripe of rows longer than a vector, and whole 64-bit words.
const SIZES: [(usize, usize); 5] = [(1, 1), (19, 1), (1, 5), (37, 35), (40, 21)];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (name, _) in BUILT_IN {
        let operator = Operator::named(name)?;
        for execution in [Execution::Fast, Execution::General] {
            let operator = operator.clone().execution(execution);
            if operator.execution_for(8) != execution {
                continue;
            }
            let mut on = |suffix: String, device: Device| {
                let operator = operator.clone();
                parts.push(Box::new(move || {
                    let mut check = Check::new(format!("image/{name}/{execution}{suffix}"), 0.0);
                    SIZES.into_iter().try_for_each(|size| compare(&mut check, &operator, size, &device))?;
                    Ok(vec![check])
                }));
            };
            match device.processor(false) {
                Processor::Cuda(_) => on(String::new(), device.clone()),
                Processor::Cpu(cpu) => {
                    for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                        on(format!("/{}", simd.level().name()), Device::from(cpu.clone().with_simd(simd)));
                    }
                }
            }
        }
    }
    match device.processor(false) {
        Processor::Cuda(_) => concurrent::run(&parts),
        Processor::Cpu(_) => {
            parts.iter().map(|part| part()).collect::<Result<Vec<_>>>().map(|all| all.concat())
        }
    }
}

/// Compares every pixel of random images of both bit depths.
fn compare(
    check: &mut Check,
    operator: &Operator,
    (width, height): (usize, usize),
    device: &Device,
) -> Result<()> {
    let mut random = Random::new((width * height) as u64);
    let mut random_words =
        || (0..width * height).map(|_| random.between(0.0, 65_536.0) as u16).collect::<Vec<u16>>();
    let (words, bytes): (_, Vec<u8>) =
        (random_words(), random_words().iter().map(|word| (word >> 8) as u8).collect());
    let images = Images::new(width, height, 1, Pixels::U8(bytes.clone()))?;
    let found = operator.apply(&images, device)?;
    let Pixels::U8(found) = found.pixels() else {
        unreachable!("invariant: the result has the bit depth of the input")
    };
    compare_pixels(check, operator, width, &bytes, found)?;
    // Tables for 16 bits take long to compute, so only one-row images are checked.
    if height == 1 {
        let images = Images::new(width, height, 1, Pixels::U16(words.clone()))?;
        let found = operator.apply(&images, device)?;
        let Pixels::U16(found) = found.pixels() else {
            unreachable!("invariant: the result has the bit depth of the input")
        };
        compare_pixels(check, operator, width, &words, found)?;
    }
    Ok(())
}

fn compare_pixels<P: Pixel>(
    check: &mut Check,
    operator: &Operator,
    width: usize,
    from: &[P],
    found: &[P],
) -> Result<()> {
    let system = operator.system();
    let window = Window::new(system)?;
    let height = from.len() / width;
    for (i, (center, found)) in from.iter().zip(found).enumerate() {
        let clamped =
            |at: usize, offset: isize, n: usize| (at as isize + offset).clamp(0, n as isize - 1) as usize;
        let inputs = window.taps.iter().map(|tap| {
            let read = from[clamped(i / width, tap.dy, height) * width + clamped(i % width, tap.dx, width)];
            let subtracted = if tap.difference { center.value() as i32 } else { 0 };
            to_brightness::<P>(read.value() as i32 - subtracted)
        });
        let outputs = system.infer_row(&inputs.collect::<Vec<f64>>(), Dialect::Fuzzylite8)?.outputs;
        let output = outputs.last().expect("invariant: `System::check` requires an output");
        let expected = round_to_pixel(*output).unwrap_or(*center); // NaN leaves the pixel unchanged
        check.case((f64::from(found.value()) - f64::from(expected.value())).abs());
    }
    Ok(())
}
