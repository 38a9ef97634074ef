//! Sorted arrays.

use super::{expected, keys};
use crate::arithmetic::array::LANES;
use crate::arithmetic::{FuzzyLu, FuzzyMr, LuArray, MrArray, NumberDefuzzifier};
use crate::device::cuda::emulator::Order;
use crate::device::testing::gpu_or_skip;
use crate::device::{Cuda, Device};

const DEFUZZIFIERS: [NumberDefuzzifier; 4] = [
    NumberDefuzzifier::Centroid,
    NumberDefuzzifier::MeanOfMaxima,
    NumberDefuzzifier::Yager,
    NumberDefuzzifier::PossibilisticMean,
];

/// Numbers with many equal cores, some duplicates, and some without a defuzzified value.
fn numbers<const N: usize>(n: usize) -> Vec<FuzzyLu<f64, N>> {
    let bits: Vec<u32> = keys(n, 4);
    let number = |bits: u32| {
        let (core, left, right) = (f64::from(bits % 7) - 3.0, bits >> 8 & 7, bits >> 16 & 7);
        match bits >> 24 & 15 {
            0 => FuzzyLu::unbounded(),
            1 => FuzzyLu::crisp(core),
            _ => FuzzyLu::triangular(core - f64::from(left), core, core + f64::from(right)).unwrap(),
        }
    };
    bits.into_iter().map(number).collect()
}

fn devices() -> Vec<Device> {
    [Some(Device::cpu().unwrap()), gpu_or_skip()].into_iter().flatten().collect()
}

fn emulated() -> Option<Device> {
    Some(Device::with_emulated_gpus(vec![Cuda::emulated(Order::Shuffled(3))?]))
}

fn lu_numbers_follow_their_keys<const N: usize>(n: usize, device: &Device) {
    let (numbers, keys) = (numbers::<N>(n), keys::<u32>(n, 9));
    let sorted = LuArray::from_numbers(&numbers).sort_by_key(&keys, device).unwrap();
    assert_eq!((sorted.len(), sorted.cuts()), (n, N));
    for (at, from) in expected(&keys).into_iter().enumerate() {
        assert!(sorted.number(at).unwrap() == numbers[from as usize], "number {at} of {n} on {device}");
    }
    // The last block is padded with zeros, as in every array.
    let filled = sorted
        .bounds()
        .chunks(LANES)
        .skip(n / LANES * 2 * N)
        .all(|plane| plane[n % LANES..].iter().all(|x| *x == 0.0));
    assert!(filled);
}

#[test]
fn numbers_follow_their_keys_in_the_emulator() {
    let Some(device) = emulated() else { return };
    for n in [0, 1, 17, 700] {
        lu_numbers_follow_their_keys::<1>(n, &device);
        lu_numbers_follow_their_keys::<4>(n, &device);
    }
}

#[test]
fn numbers_follow_their_keys() {
    for device in devices() {
        for n in [0, 1, 15, 16, 17, 70_000] {
            lu_numbers_follow_their_keys::<1>(n, &device);
            lu_numbers_follow_their_keys::<4>(n, &device);
        }
        lu_numbers_follow_their_keys::<24>(2_000, &device);
    }
}

#[test]
fn an_array_that_exceeds_the_gpu_caches_is_sorted_as_on_the_cpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let cpu = Device::cpu().unwrap();
    // 64 MB, which is packed first.
    let (array, keys) = (LuArray::from_numbers(&numbers::<4>(1_000_003)), keys::<u32>(1_000_003, 12));
    let [on_gpu, on_cpu] = [gpu, cpu].map(|device| array.sort_by_key(&keys, &device).unwrap());
    assert!(on_gpu.bounds() == on_cpu.bounds());
}

#[test]
fn midpoints_and_radii_follow_their_keys_in_every_precision() {
    let n = 1234;
    let keys: Vec<f64> = keys(n, 8);
    let numbers: Vec<FuzzyMr<f64, 3, f32>> = numbers::<3>(n).into_iter().map(FuzzyMr::from).collect();
    let double: Vec<FuzzyMr<f64, 3>> = self::numbers::<3>(n).into_iter().map(FuzzyMr::from).collect();
    for device in devices() {
        let mixed = MrArray::from_numbers(&numbers).sort_by_key(&keys, &device).unwrap();
        let sorted = MrArray::from_numbers(&double).sort_by_key(&keys, &device).unwrap();
        for (at, from) in expected(&keys).into_iter().enumerate() {
            assert!(mixed.number(at).unwrap() == numbers[from as usize], "number {at} on {device}");
            assert!(sorted.number(at).unwrap() == double[from as usize], "number {at} on {device}");
        }
    }
}

#[test]
fn sorting_by_value_is_the_total_order_of_the_numbers() {
    let numbers = numbers::<3>(3000);
    let array = LuArray::from_numbers(&numbers);
    for (device, by) in devices().into_iter().flat_map(|device| DEFUZZIFIERS.map(|by| (device.clone(), by))) {
        let mut expected = numbers.clone();
        expected.sort_by(|a, b| a.compare_by(b, by));
        let sorted = array.sort_by_value(by, &device).unwrap();
        for (at, expected) in expected.iter().enumerate() {
            assert!(sorted.number(at).unwrap() == *expected, "number {at} by {by} on {device}");
        }
    }
}

#[test]
fn midpoint_radius_numbers_are_ranked_by_their_bounds() {
    let numbers: Vec<FuzzyMr<f64, 3>> = numbers::<3>(500).into_iter().map(FuzzyMr::from).collect();
    let array = MrArray::from_numbers(&numbers);
    let order = array.value_order(NumberDefuzzifier::Centroid, &Device::cpu().unwrap()).unwrap();
    let bounds = |at: u32| FuzzyLu::from(numbers[at as usize]);
    assert!(order.windows(2).all(|pair| {
        let order = bounds(pair[0]).compare_by(&bounds(pair[1]), NumberDefuzzifier::Centroid);
        order.is_lt() || order.is_eq() && pair[0] < pair[1]
    }));
}

#[test]
fn a_selection_may_repeat_and_omit_numbers() {
    let numbers = numbers::<2>(40);
    let array = LuArray::from_numbers(&numbers);
    for device in devices().into_iter().chain(emulated()) {
        let selected = array.select(&[39, 3, 3], &device).unwrap();
        let found: Vec<FuzzyLu<f64, 2>> = (0..3).map(|i| selected.number(i).unwrap()).collect();
        assert_eq!(found, [numbers[39], numbers[3], numbers[3]]);
    }
}

#[test]
fn invalid_keys_and_orders_are_rejected_with_one_sentence() {
    let array = LuArray::from_numbers(&numbers::<2>(3));
    let cpu = Device::cpu().unwrap();
    assert_eq!(
        array.sort_by_key(&[1.0f32, 2.0], &cpu).unwrap_err().to_string(),
        "2 sort keys were given for an array of 3 numbers; give one key per number"
    );
    assert_eq!(
        array.select(&[0, 3], &cpu).unwrap_err().to_string(),
        "entry 1 of the order is 3, which is out of range for an array of 3 numbers; indices start at 0"
    );
}
