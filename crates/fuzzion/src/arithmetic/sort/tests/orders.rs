//! Sort orders of keys.

use super::{TestKey, expected, keys};
use crate::arithmetic::sort::order::check_count;
use crate::arithmetic::sorted_order;
use crate::device::testing::gpu_or_skip;
use crate::device::{Cpu, Device};
use proptest::prelude::*;

/// Empty, one, a few, and enough for several chunks or tiles.
const LENGTHS: [usize; 6] = [0, 1, 2, 300, 4097, 150_001];

fn sorts_on<K: TestKey>(device: &Device) {
    for (i, n) in LENGTHS.into_iter().enumerate() {
        for seed in 0..4 {
            let keys: Vec<K> = keys(n, seed + 4 * i as u64);
            let found = sorted_order(&keys, device).unwrap();
            assert!(found == expected(&keys), "{n} keys of seed {seed} on {device}");
        }
    }
}

#[test]
fn orders_equal_a_stable_comparison_sort() {
    let cpu = Device::cpu().unwrap();
    sorts_on::<u32>(&cpu);
    sorts_on::<u64>(&cpu);
    sorts_on::<f32>(&cpu);
    sorts_on::<f64>(&cpu);
}

#[test]
fn gpu_orders_equal_a_stable_comparison_sort() {
    let Some(gpu) = gpu_or_skip() else { return };
    sorts_on::<u32>(&gpu);
    sorts_on::<u64>(&gpu);
    sorts_on::<f32>(&gpu);
    sorts_on::<f64>(&gpu);
}

#[test]
fn a_gpu_sorts_many_keys_like_the_cpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let cpu = Device::cpu().unwrap();
    for seed in 0..4 {
        // Long enough for large tiles, and not a multiple of their size.
        let wide: Vec<f64> = keys(5_000_011, seed);
        let narrow: Vec<u32> = keys(7_000_003, seed);
        assert!(sorted_order(&wide, &gpu).unwrap() == sorted_order(&wide, &cpu).unwrap(), "seed {seed}");
        assert!(sorted_order(&narrow, &gpu).unwrap() == sorted_order(&narrow, &cpu).unwrap(), "seed {seed}");
    }
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    let keys: Vec<f32> = keys(200_003, 5);
    let order = |threads| sorted_order(&keys, &Device::from(Cpu::with_threads(threads).unwrap())).unwrap();
    assert!((2..5).all(|threads| order(threads) == order(1)));
}

#[test]
fn more_keys_than_u32_can_index_are_rejected() {
    assert!(check_count(u32::MAX as usize).is_ok());
    assert_eq!(
        check_count(u32::MAX as usize + 1).unwrap_err().to_string(),
        "cannot sort 4294967296 keys at once; sort at most 4294967295 at a time"
    );
}

proptest! {
    #[test]
    fn any_keys_are_sorted_stably(
        integers in prop::collection::vec(any::<u32>(), 0..200),
        floats in prop::collection::vec(prop::num::f64::ANY, 0..200),
    ) {
        let cpu = Device::cpu().unwrap();
        prop_assert_eq!(sorted_order(&integers, &cpu).unwrap(), expected(&integers));
        prop_assert_eq!(sorted_order(&floats, &cpu).unwrap(), expected(&floats));
    }
}
