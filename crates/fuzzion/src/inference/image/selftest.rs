//! The part of `fuzzion selftest` for pictures: every ready operator along both paths, pixel by pixel against the oracle.

use super::model::{Operator, Path, READY};
use super::pixel::{Pixel, rounded, seen};
use super::window::Window;
use crate::data::{Images, Pixels};
use crate::device::{Check, Device, Processor, Simd};
use crate::error::Result;
use crate::inference::Dialect;
use crate::progress::Progress;
use crate::random::Random;

/// A pixel, a row, a column, more than a stripe of rows longer than a vector, and whole words.
const SIZES: [(usize, usize); 5] = [(1, 1), (19, 1), (1, 5), (37, 35), (40, 21)];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for (name, _) in READY {
        let operator = Operator::named(name)?;
        for path in [Path::Fast, Path::General] {
            let operator = operator.clone().path(path);
            if operator.path_for(8) != path {
                continue;
            }
            let mut on = |place: String, device: &Device| -> Result<()> {
                let mut check = Check::new(format!("image/{name}/{path}{place}"), 0.0);
                SIZES.into_iter().try_for_each(|size| compare(&mut check, &operator, size, device))?;
                checks.push(check);
                Ok(())
            };
            match device.processor(false) {
                Processor::Cuda(_) => on(String::new(), device)?,
                Processor::Cpu(cpu) => {
                    for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                        let device = Device::Cpu(cpu.clone().with_simd(simd));
                        on(format!("/{}", simd.level().name()), &device)?;
                    }
                }
            }
        }
    }
    Ok(checks)
}

/// Counts every pixel of a random picture of both depths.
fn compare(
    check: &mut Check,
    operator: &Operator,
    (width, height): (usize, usize),
    device: &Device,
) -> Result<()> {
    let mut random = Random::new((width * height) as u64);
    let mut words =
        || (0..width * height).map(|_| random.between(0.0, 65_536.0) as u16).collect::<Vec<u16>>();
    let (words, bytes): (_, Vec<u8>) = (words(), words().iter().map(|word| (word >> 8) as u8).collect());
    let images = Images::new(width, height, 1, Pixels::U8(bytes.clone()))?;
    let found = operator.apply(&images, device, Progress::none())?;
    if let Pixels::U8(found) = found.pixels() {
        pixels(check, operator, width, &bytes, found)?;
    }
    // A table for 16 bits takes long to make; one picture is enough of them.
    if height == 1 {
        let images = Images::new(width, height, 1, Pixels::U16(words.clone()))?;
        let found = operator.apply(&images, device, Progress::none())?;
        if let Pixels::U16(found) = found.pixels() {
            pixels(check, operator, width, &words, found)?;
        }
    }
    Ok(())
}

fn pixels<P: Pixel>(
    check: &mut Check,
    operator: &Operator,
    width: usize,
    from: &[P],
    found: &[P],
) -> Result<()> {
    let system = operator.system();
    let window = Window::of(system)?;
    let height = from.len() / width;
    for (i, (center, found)) in from.iter().zip(found).enumerate() {
        let near = |at: usize, by: isize, n: usize| (at as isize + by).clamp(0, n as isize - 1) as usize;
        let inputs = window.taps.iter().map(|tap| {
            let read = from[near(i / width, tap.dy, height) * width + near(i % width, tap.dx, width)];
            let less = if tap.difference { center.number() as i32 } else { 0 };
            seen::<P>(read.number() as i32 - less)
        });
        let outputs = system.infer_row(&inputs.collect::<Vec<f64>>(), Dialect::Fuzzylite8)?.outputs;
        let expected = rounded(outputs.last().copied().unwrap_or(f64::NAN)).unwrap_or(*center);
        check.case((f64::from(found.number()) - f64::from(expected.number())).abs());
    }
    Ok(())
}
