//! Sorting in the emulator.

use super::{TestKey, expected, keys};
use crate::arithmetic::LuArray;
use crate::arithmetic::array::{Element, LANES};
use crate::arithmetic::sort::cuda::{self, GpuOrder, Sorter, TileShape, gather, gather_blocks};
use crate::arithmetic::sort::key::bits;
use crate::device::Cuda;
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::Order;
use crate::progress::Progress;

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    emulated_float_orders_equal_a_stable_comparison_sort,
    emulated_numbers_are_gathered_with_and_without_packing,
];

/// Smallest tile with one thread per digit, so that a few thousand keys fill several tiles.
const SMALL: TileShape = TileShape { threads: 256, keys_per_thread: 2, wide: false };
const DIGITS: usize = 256;

fn order_of<K: TestKey>(shape: TileShape, keys: &[K], cuda: &Cuda) -> Vec<u32> {
    let mut order = cuda.alloc(keys.len()).unwrap();
    let mut sorter = Sorter::<K>::with_shape(cuda, keys.len(), shape).unwrap();
    sorter.run(&cuda.upload(bits(keys)).unwrap(), &mut order).unwrap();
    cuda.download(&order).unwrap()
}

fn sorts<K: TestKey>(shape: TileShape, n: usize) {
    for (seed, order) in Order::ALL.into_iter().enumerate() {
        let keys: Vec<K> = keys(n, seed as u64);
        let Some(cuda) = Cuda::emulated(order) else { return };
        assert!(order_of(shape, &keys, &cuda) == expected(&keys), "{n} keys of seed {seed}");
    }
}

#[test]
fn emulated_integer_orders_equal_a_stable_comparison_sort() {
    for n in [1, 33, 512, 1900] {
        sorts::<u32>(SMALL, n);
    }
    sorts::<u64>(SMALL, 1100);
}

#[test]
fn emulated_float_orders_equal_a_stable_comparison_sort() {
    sorts::<f32>(SMALL, 1500);
    sorts::<f64>(SMALL, 700);
}

#[test]
fn emulated_64_bit_counts_give_the_same_order() {
    sorts::<u32>(TileShape { wide: true, ..SMALL }, 1100);
    sorts::<f64>(TileShape { wide: true, ..SMALL }, 600);
}

#[test]
fn emulated_tiles_of_full_size_give_the_same_order() {
    let keys: Vec<u32> = keys(9000, 4);
    let Some(cuda) = Cuda::emulated(Order::Shuffled(7)) else { return };
    let shape = TileShape { threads: 512, keys_per_thread: 16, wide: false };
    assert!(order_of(shape, &keys, &cuda) == expected(&keys));
    assert!(cuda::order(&keys, &cuda, &Progress::none()).unwrap() == expected(&keys));
}

/// The emulator runs blocks one after another, so a tile always finds the inclusive prefix count in the previous
/// tile. On a GPU it may find only the tiles' own counts.
#[test]
fn an_emulated_tile_adds_the_own_counts_of_preceding_tiles() {
    const OWN_COUNT: u32 = 1 << 30;
    let keys: Vec<u32> = keys(512 * 9 + 100, 4);
    let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
    let mut sorter = Sorter::<u32>::with_shape(&cuda, keys.len(), SMALL).unwrap();
    let (uploaded, mut order) = (cuda.upload(&keys).unwrap(), cuda.alloc(keys.len()).unwrap());
    let (grid, rows) = (SMALL.grid::<u32>(keys.len()), SMALL.rows(keys.len()));
    sorter.count(&uploaded).unwrap();
    sorter.scatter(&uploaded, &mut order, 0, grid).unwrap();
    let found = cuda.download(&sorter.index[0]).unwrap();
    // Restores each tile's own count: the difference between its prefix count and that of the previous tile.
    let mut status = cuda.download(&sorter.status).unwrap();
    for row in (4..rows).rev() {
        for digit in 0..DIGITS {
            let (own, before) = (row * DIGITS + digit, (row - 1) * DIGITS + digit);
            status[own] = OWN_COUNT | (status[own] - status[before]);
        }
    }
    cuda.write(&status, &mut sorter.status).unwrap();
    // Runs the last tile again.
    let mut counters = cuda.download(&sorter.counters).unwrap();
    counters[4 * DIGITS] = (rows - 5) as u32;
    cuda.write(&counters, &mut sorter.counters).unwrap();
    cuda.write(&vec![u32::MAX; keys.len()], &mut sorter.index[0]).unwrap();
    sorter.scatter(&uploaded, &mut order, 0, Grid { blocks: [1, 1, 1], ..grid }).unwrap();
    let again = cuda.download(&sorter.index[0]).unwrap();
    let mut again: Vec<(u32, u32)> =
        again.into_iter().zip(found).filter(|(again, _)| *again != u32::MAX).collect();
    assert!(again.iter().all(|(again, found)| again == found));
    again.sort_unstable();
    assert!(again.iter().map(|(index, _)| *index).eq(512 * 9..512 * 9 + 100));
}

/// Array whose values are their positions.
fn position_values<T: Element + From<u16>>(planes: usize, n: usize) -> Vec<T> {
    (0..n.div_ceil(LANES) * LANES * planes).map(|at| T::from(at as u16)).collect()
}

fn gathers<T: Element + From<u16>>(planes: usize, n: usize, taken: usize) {
    let from = position_values::<T>(planes, n);
    let order: Vec<u32> = keys::<u32>(taken, 8).into_iter().map(|key| key % n as u32).collect();
    let value_count = |numbers: usize| numbers.div_ceil(LANES) * LANES * planes;
    let place = |number: usize, plane: usize| (number / LANES * planes + plane) * LANES + number % LANES;
    let mut expected = vec![T::from(0); value_count(taken)];
    for (at, number) in order.iter().enumerate() {
        (0..planes).for_each(|plane| expected[place(at, plane)] = from[place(*number as usize, plane)]);
    }
    for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
        for pack in [false, true] {
            let order = GpuOrder::upload(&cuda, &order, &Progress::none()).unwrap();
            let to = gather(&cuda, &cuda.upload(&from).unwrap(), planes, &order, pack).unwrap();
            assert!(cuda.download(&to).unwrap() == expected, "{planes} planes, packed: {pack}");
        }
    }
}

#[test]
fn emulated_numbers_are_gathered_with_and_without_packing() {
    gathers::<f32>(1, 100, 100);
    gathers::<f64>(2, 3000, 2049);
    gathers::<f64>(8, 500, 333);
    gathers::<f32>(5, 700, 701);
    gathers::<f64>(48, 40, 50);
}

#[test]
fn numbers_with_very_many_planes_are_gathered_without_packing() {
    assert_eq!(gather_blocks::<f64>(400), 0);
    gathers::<f64>(400, 20, 17);
}

/// The layout assumed by `gathers` is that of the arrays.
#[test]
fn arrays_have_the_plane_layout_that_the_kernels_assume() {
    let array = LuArray::crisp(3, &(0..20).map(f64::from).collect::<Vec<_>>()).unwrap();
    for (number, plane) in (0..20).flat_map(|number| (0..6).map(move |plane| (number, plane))) {
        assert_eq!(array.bounds()[(number / LANES * 6 + plane) * LANES + number % LANES], number as f64);
    }
}
