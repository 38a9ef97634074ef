//! Arrays in the memory of a device against arrays in host memory.

use crate::arithmetic::array::LANES;
use crate::arithmetic::array::scalar_reference::{CUTS, ScalarReference};
use crate::arithmetic::cuda::CHUNK;
use crate::arithmetic::error::Result;
use crate::arithmetic::{
    Column, DeviceArray, DeviceKeys, DeviceOrder, Evaluation, Expr, LuArray, MrArray, sorted_order,
};
use crate::device::cuda::emulator::Order;
use crate::device::storage::Storage;
use crate::device::testing::gpu_or_skip;
use crate::device::{Cuda, Device};
use proptest::prelude::*;

fn emulated(index: usize) -> Option<Device> {
    Some(Device::with_emulated_gpus(vec![Cuda::emulated_with_index(Order::Shuffled(5), index)?]))
}

fn cpu() -> Device {
    Device::cpu().unwrap()
}

fn random<A: ScalarReference>(len: usize, seed: u64) -> A {
    A::array(&A::random_numbers(len, seed).unwrap())
}

/// Asserts that the array is in the memory of the device and equals `expected`.
#[track_caller]
fn assert_same<A: ScalarReference>(
    found: Result<DeviceArray<'_, A>>,
    expected: Result<A>,
    on_gpu: bool,
    what: &str,
) {
    let (found, expected) = (found.unwrap(), expected.unwrap());
    assert_eq!(found.is_on_gpu(), on_gpu, "{what}");
    assert_eq!(found.to_host().unwrap().numbers().unwrap(), expected.numbers().unwrap(), "{what}");
}

macro_rules! operations_agree {
    ($array:ty, $device:expr, two $($two:ident)*, one $($one:ident)*) => {{
        let device: &Device = $device;
        let on_gpu = device.has_gpu();
        for (x_len, y_len) in LENGTHS {
            let (x, y) = (random::<$array>(x_len, 1), random::<$array>(y_len, 2));
            let (dx, dy) = (x.to_device(device).unwrap(), y.to_device(device).unwrap());
            assert_eq!((dx.len(), dx.cuts(), dx.is_empty()), (x_len, CUTS, x_len == 0));
            $(
                let what = format!("{} of {x_len} and {y_len} on {device}", stringify!($two));
                assert_same(dx.$two(&dy, device), x.$two(&y, &cpu()), on_gpu, &what);
            )*
            $(
                let what = format!("{} of {x_len} on {device}", stringify!($one));
                assert_same(dx.$one(device), x.$one(&cpu()), on_gpu, &what);
            )*
        }
    }};
}

macro_rules! all_operations_agree {
    ($array:ty, $device:expr) => {
        operations_agree!($array, $device, two add sub mul div min max, one neg recip sqr sqrt exp log abs sum)
    };
}

const LENGTHS: [(usize, usize); 6] = [(0, 0), (1, 1), (16, 16), (37, 37), (37, 1), (1, 37)];

/// All operations, where compiling kernels takes no time or a GPU is tested anyway.
#[test]
fn operations_on_device_arrays_equal_those_on_host_arrays() {
    for device in [Some(cpu()), gpu_or_skip()].into_iter().flatten() {
        all_operations_agree!(LuArray<f32>, &device);
        all_operations_agree!(LuArray<f64>, &device);
        all_operations_agree!(MrArray<f64, f32>, &device);
    }
}

#[test]
fn emulated_operations_equal_those_of_host_arrays() {
    let Some(device) = emulated(0) else { return };
    operations_agree!(LuArray<f64>, &device, two mul, one sqrt);
    operations_agree!(MrArray<f64, f32>, &device, two mul, one sqrt);
}

/// All combinations of broadcast operands, and more than one chunk of a sum.
fn sums_and_iterations_agree<A: ScalarReference>(
    device: &Device,
    axpy: impl Fn([&A; 3], &Device) -> Result<(A, A)>,
    sums: impl Fn([&A; 2], &Device) -> Result<[(A, A); 2]>,
) {
    let numbers = |len, seed| random::<A>(len, seed);
    for lens in [[0; 3], [1; 3], [37; 3], [37, 1, 37], [37, 37, 1], [37, 1, 1], [1, 37, 37], [1, 37, 1]] {
        let [c, a, b] = [0, 1, 2].map(|i| numbers(lens[i], i as u64));
        let (found, expected) = axpy([&c, &a, &b], device).unwrap();
        assert_eq!(found.numbers().unwrap(), expected.numbers().unwrap(), "{lens:?} on {device}");
    }
    for len in [0, 1, 17, CHUNK * LANES + 5] {
        for (found, expected) in sums([&numbers(len, 1), &numbers(len, 2)], device).unwrap() {
            assert_eq!(found.numbers().unwrap(), expected.numbers().unwrap(), "{len} numbers on {device}");
        }
    }
}

macro_rules! sums_and_iterations_agree {
    ($array:ty, $device:expr) => {
        sums_and_iterations_agree::<$array>(
            $device,
            |[c, a, b], device| {
                let [dc, da, db] = [c.to_device(device)?, a.to_device(device)?, b.to_device(device)?];
                Ok((dc.axpy(&da, &db, 3, device)?.to_host()?, c.axpy(a, b, 3, &cpu())?))
            },
            |[x, y], device| {
                let (dx, dy) = (x.to_device(device)?, y.to_device(device)?);
                Ok([
                    (dx.sum(device)?.to_host()?, x.sum(&cpu())?),
                    (dx.dot(&dy, device)?.to_host()?, x.dot(y, &cpu())?),
                ])
            },
        )
    };
}

#[test]
pub(super) fn emulated_sums_and_iterations_equal_those_of_host_arrays() {
    let Some(device) = emulated(0) else { return };
    sums_and_iterations_agree!(LuArray<f64>, &device);
    sums_and_iterations_agree!(MrArray<f64, f32>, &device);
}

#[test]
fn sums_and_iterations_equal_those_of_host_arrays() {
    for device in [Some(cpu()), gpu_or_skip()].into_iter().flatten() {
        sums_and_iterations_agree!(LuArray<f32>, &device);
        sums_and_iterations_agree!(MrArray<f64>, &device);
    }
}

#[test]
fn an_iteration_of_no_steps_returns_its_start() {
    for device in [Some(cpu()), emulated(0), gpu_or_skip()].into_iter().flatten() {
        let x = random::<LuArray<f64>>(20, 3);
        let start = x.to_device(&device).unwrap();
        assert_same(start.axpy(&start, &start, 0, &device), Ok(x.clone()), device.has_gpu(), "0 steps");
    }
}

#[test]
fn results_are_written_to_existing_arrays() {
    for device in [Some(cpu()), emulated(0)].into_iter().flatten() {
        let (x, y) = (random::<LuArray<f64>>(20, 3), random::<LuArray<f64>>(20, 4));
        let (dx, mut out) = (x.to_device(&device).unwrap(), y.to_device(&device).unwrap());
        dx.mul_into(&dx, &mut out, &device).unwrap();
        assert_same(Ok(out.clone()), x.mul(&x, &cpu()), device.has_gpu(), "x²");
        let short = random::<LuArray<f64>>(1, 5);
        let error = dx.mul_into(&dx, &mut short.to_device(&device).unwrap(), &device).unwrap_err();
        assert!(error.to_string().contains("lengths 20 and 1"), "{error}");
    }
}

#[test]
fn formulas_with_literals_and_broadcast_columns_equal_those_over_host_arrays() {
    fn applied<A: Column>(x: &A, y: &A, evaluation: Evaluation, device: &Device) -> Result<A> {
        Expr::new("fma(x, y, 2) - 3")?.apply(&[("x", x), ("y", y)], CUTS, evaluation, device)
    }
    let (x, y) = (random::<LuArray<f64>>(40, 1), random::<LuArray<f64>>(1, 2));
    for device in [Some(cpu()), emulated(0), gpu_or_skip()].into_iter().flatten() {
        let (dx, dy) = (x.to_device(&device).unwrap(), y.to_device(&device).unwrap());
        let on_gpu = device.has_gpu();
        let direct = applied(&dx, &dy, Evaluation::Direct, &device);
        assert_same(direct, applied(&x, &y, Evaluation::Direct, &cpu()), on_gpu, "direct");
        let vertex = applied(&dx, &dy, Evaluation::Vertex, &device);
        match on_gpu {
            false => assert_same(vertex, applied(&x, &y, Evaluation::Vertex, &cpu()), on_gpu, "vertex"),
            true => assert_eq!(
                vertex.unwrap_err().to_string(),
                "the evaluation `vertex` or `affine` of numbers in GPU memory is not yet supported on a GPU; use the \
                 device `cpu`"
            ),
        }
    }
}

#[test]
fn arrays_of_two_devices_cannot_be_combined() {
    let (Some(first), Some(second)) = (emulated(0), emulated(1)) else { return };
    let x = random::<LuArray<f64>>(20, 1);
    let (a, b) = (x.to_device(&first).unwrap(), x.to_device(&second).unwrap());
    let message = |memory: &str, device: &str| {
        format!(
            "the numbers are in the memory of `{memory}`, but the operation runs on `{device}`; use the same device for \
             both"
        )
    };
    assert_eq!(a.add(&b, &first).unwrap_err().to_string(), message("cuda:1", "cuda:0"));
    assert_eq!(b.add(&a, &first).unwrap_err().to_string(), message("cuda:1", "cuda:0"));
    assert_eq!(a.sum(&second).unwrap_err().to_string(), message("cuda:0", "cuda:1"));
    assert_eq!(a.axpy(&a, &a, 3, &cpu()).unwrap_err().to_string(), message("cuda:0", "cpu"));
    let keys = DeviceKeys::new(&[1u32; 20], &second).unwrap();
    assert_eq!(a.sort_by_key(&keys, &first).unwrap_err().to_string(), message("cuda:1", "cuda:0"));
    let order = DeviceOrder::new(&[0], &second).unwrap();
    assert_eq!(a.select(&order, &first).unwrap_err().to_string(), message("cuda:1", "cuda:0"));
}

#[test]
fn arrays_of_a_gpu_that_was_opened_twice_can_be_combined() {
    let (Some(first), Some(second)) = (emulated(0), emulated(0)) else { return };
    let x = random::<LuArray<f64>>(20, 1);
    let (a, b) = (x.to_device(&first).unwrap(), x.to_device(&second).unwrap());
    assert_same(a.mul(&b, &second), x.mul(&x, &cpu()), true, "two handles");
}

#[test]
fn operands_in_host_memory_are_copied_to_the_gpu_of_the_operation() {
    let Some(device) = emulated(0) else { return };
    let (x, y) = (random::<LuArray<f64>>(20, 1), random::<LuArray<f64>>(1, 2));
    let (dx, host) = (x.to_device(&device).unwrap(), y.to_device(&cpu()).unwrap());
    assert_same(dx.mul(&host, &device), x.mul(&y, &cpu()), true, "one operand in host memory");
    assert_same(host.mul(&host, &device), y.mul(&y, &cpu()), true, "all operands in host memory");
}

#[test]
fn arrays_of_different_shapes_are_rejected() {
    for device in [Some(cpu()), emulated(0)].into_iter().flatten() {
        let array = |cuts, len| LuArray::<f64>::zeroed(cuts, len).into_device(&device).unwrap();
        let error = |result: Result<DeviceArray<'_, _>>| result.unwrap_err().to_string();
        assert_eq!(
            error(array(2, 3).add(&array(3, 3), &device)),
            "cannot combine fuzzy numbers with 2 and 3 alpha-cuts; the numbers of alpha-cuts must match"
        );
        assert_eq!(
            error(array(2, 3).axpy(&array(2, 4), &array(2, 1), 2, &device)),
            "cannot combine arrays of lengths 3 and 4; lengths must match, or one of them must be 1"
        );
        assert!(error(array(2, 3).dot(&array(2, 1), &device)).contains("lengths 3 and 1"));
        assert_eq!(
            error(array(2, 3).sort_by_key(&DeviceKeys::new(&[1.0, 2.0], &device).unwrap(), &device)),
            "2 sort keys were given for an array of 3 numbers; give one key per number"
        );
        assert_eq!(
            error(array(2, 3).select(&DeviceOrder::new(&[0, 3, 1], &device).unwrap(), &device)),
            "the largest index of the order is 3, which is out of range for an array of 3 numbers; indices start at 0"
        );
    }
}

#[test]
fn numbers_of_any_number_of_cuts_stay_in_gpu_memory_between_operations() {
    let Some(device) = emulated(0) else { return };
    for cuts in [1, 7] {
        let texts: Vec<String> = (0..40).map(|i| format!("tri({i}, {}, {})", i + 1, i + 3)).collect();
        let x = LuArray::<f32>::parse(cuts, &texts).unwrap();
        let dx = x.to_device(&device).unwrap();
        let found = dx.mul(&dx, &device).unwrap().to_host().unwrap();
        assert!(found.bounds() == x.mul(&x, &cpu()).unwrap().bounds(), "{cuts} cuts");
    }
}

#[test]
fn an_array_on_the_cpu_is_not_copied() {
    let x = random::<LuArray<f64>>(20, 1);
    let on_cpu = x.to_device(&cpu()).unwrap();
    let Storage::Host(host) = &on_cpu.storage else { panic!("{on_cpu:?}") };
    assert!(std::ptr::eq(host.as_ref(), &raw const x));
    assert_eq!(format!("{on_cpu:?}"), "DeviceArray of 20 numbers with 3 cuts in the memory of cpu");
}

/// A sequence of operations on a device and on the CPU, from and to host memory.
fn chains_agree(len: usize, seed: u64, keys: &[u32], device: &Device) -> Result<()> {
    let [a, b, c] = [1, 2, 3].map(|i| random::<LuArray<f64>>(len, seed + i));
    let [da, db, dc] = [a.to_device(device)?, b.to_device(device)?, c.to_device(device)?];
    let keys_on_device = DeviceKeys::new(keys, device)?;
    let chain = da.mul(&db, device)?.add(&dc, device)?.sort_by_key(&keys_on_device, device)?;
    let expected = a.mul(&b, &cpu())?.add(&c, &cpu())?.sort_by_key(keys, &cpu())?;
    assert_eq!(chain.is_on_gpu(), device.has_gpu());
    assert_eq!(chain.to_host()?.bounds(), expected.bounds());
    let order = keys_on_device.sorted_order(device)?;
    assert_eq!(order.to_host()?, sorted_order(keys, &cpu())?);
    assert_eq!(dc.select(&order, device)?.to_host()?.bounds(), c.sort_by_key(keys, &cpu())?.bounds());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn sequences_of_operations_equal_those_on_host_arrays(
        keys in prop::collection::vec(0u32..50, 0..90),
        seed in 0u64..1 << 40,
    ) {
        for device in [Some(cpu()), emulated(0)].into_iter().flatten() {
            chains_agree(keys.len(), seed, &keys, &device).unwrap();
        }
    }

    #[test]
    fn selections_equal_those_of_host_arrays(
        (len, order) in (1usize..70).prop_flat_map(|len| {
            (Just(len), prop::collection::vec(0..len as u32, 0..90))
        }),
    ) {
        let x = MrArray::<f64, f32>::from_numbers(&<MrArray<f64, f32>>::random_numbers(len, 7).unwrap());
        for device in [Some(cpu()), emulated(0)].into_iter().flatten() {
            let on_device = DeviceOrder::new(&order, &device).unwrap();
            let found = x.to_device(&device).unwrap().select(&on_device, &device);
            assert_same(found, x.select(&order, &cpu()), device.has_gpu(), "selection");
        }
    }
}
