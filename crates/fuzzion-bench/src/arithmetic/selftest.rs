//! Self-test: array operations must be bit-identical to the scalar operations.

use crate::device::Check;
use fuzzion::arithmetic::{Evaluation, Expr, LuArray, MrArray, sorted_order};
use fuzzion::device::Simd;
use fuzzion::internals::Random;
use fuzzion::internals::arithmetic::{CUTS, FORMULAS, LANES, ScalarReference, cuda, dispatch};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Result};

/// Less than one block, and many blocks with a remainder.
const LENGTHS: [usize; 2] = [5, 1003];
/// Number of iteration steps.
const STEPS: usize = 5;
/// More than two chunks of a sum.
const SUM_LENGTH: usize = 2 * cuda::CHUNK * LANES + 77;

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    match device.processor(false) {
        Processor::Cuda(_) => check_device(device, "", &mut checks)?,
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let device = Device::from(cpu.clone().with_simd(simd));
                check_device(&device, &format!("/{}", simd.level().name()), &mut checks)?;
            }
        }
    }
    checks.push(sorting(device)?);
    Ok(checks)
}

fn check_device(device: &Device, suffix: &str, checks: &mut Vec<Check>) -> Result<()> {
    check_encoding::<LuArray<f32>>(device, suffix, checks)?;
    check_encoding::<LuArray<f64>>(device, suffix, checks)?;
    check_encoding::<MrArray<f32>>(device, suffix, checks)?;
    check_encoding::<MrArray<f64>>(device, suffix, checks)?;
    check_encoding::<MrArray<f64, f32>>(device, suffix, checks)
}

fn check_encoding<A: ScalarReference>(device: &Device, suffix: &str, checks: &mut Vec<Check>) -> Result<()> {
    let named = |what: &str| Check::new(format!("arithmetic/{}/{what}{suffix}", A::NAME), 0.0);
    let mut formulas = named("formulas");
    for len in LENGTHS {
        let (x, y, z) = (A::random_numbers(len, 1)?, A::random_numbers(len, 2)?, A::random_numbers(1, 3)?);
        let columns = [A::array(&x), A::array(&y), A::array(&z)];
        for text in FORMULAS {
            let expr = Expr::new(text)?;
            let named = [("x", &columns[0]), ("y", &columns[1]), ("z", &columns[2])];
            let found = expr.apply(&named, CUTS, Evaluation::Direct, device)?.numbers()?;
            for (i, found) in found.iter().enumerate() {
                let expected = A::evaluate(&expr, &[("x", x[i]), ("y", y[i]), ("z", z[0])])?;
                formulas.case(if *found == expected { 0.0 } else { 1.0 });
            }
        }
    }
    checks.push(formulas);
    checks.push(iterations::<A>(device, named("series"))?);
    checks.push(sums::<A>(device, named("sums"))?);
    Ok(())
}

fn iterations<A: ScalarReference>(device: &Device, mut check: Check) -> Result<Check> {
    for len in LENGTHS {
        let (a, b, c) = (A::random_numbers(len, 5)?, A::random_numbers(len, 6)?, A::random_numbers(len, 7)?);
        for operands in [len, 1] {
            let (a, b) = (&a[..operands], &b[..operands]);
            let mut found = A::array(&c);
            dispatch::axpy(&mut found, &A::array(a), &A::array(b), STEPS, device)?;
            for (i, found) in found.numbers()?.iter().enumerate() {
                let expected = A::scalar_axpy(c[i], a[i % operands], b[i % operands], STEPS);
                check.case(if *found == expected { 0.0 } else { 1.0 });
            }
        }
    }
    Ok(check)
}

fn sums<A: ScalarReference>(device: &Device, mut check: Check) -> Result<Check> {
    let (x, y) = (A::random_numbers(SUM_LENGTH, 8)?, A::random_numbers(SUM_LENGTH, 9)?);
    let (first, second) = (A::array(&x), A::array(&y));
    let sum = dispatch::sum(&first, None, device)?.numbers()?;
    check.case(if sum == [A::reference_sum(&x, None)] { 0.0 } else { 1.0 });
    let dot = dispatch::sum(&first, Some(&second), device)?.numbers()?;
    check.case(if dot == [A::reference_sum(&x, Some(&y))] { 0.0 } else { 1.0 });
    Ok(check)
}

/// Sort orders of integer and floating-point keys against a stable comparison sort.
fn sorting(device: &Device) -> Result<Check> {
    let mut check = Check::new("arithmetic/sort", 0.0);
    let mut random = Random::new(10);
    for len in LENGTHS.into_iter().chain([100_003]) {
        let keys: Vec<u64> = (0..len).map(|_| (random.bits() % 5000) << (random.bits() % 50)).collect();
        let small: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
        let floats: Vec<f64> = keys.iter().map(|key| f64::from(*key as u32) - 1e9).collect();
        let mut expected: Vec<u32> = (0..len as u32).collect();
        expected.sort_by_key(|at| keys[*at as usize]);
        check.case(if sorted_order(&keys, device)? == expected { 0.0 } else { 1.0 });
        expected.sort_unstable();
        expected.sort_by_key(|at| small[*at as usize]);
        check.case(if sorted_order(&small, device)? == expected { 0.0 } else { 1.0 });
        check.case(if sorted_order(&floats, device)? == expected { 0.0 } else { 1.0 });
    }
    Ok(check)
}
