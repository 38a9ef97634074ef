//! Sorting kernels in the emulator.

use super::{TestKey, expected, keys};
use crate::arithmetic::LuArray;
use crate::arithmetic::array::{Element, LANES};
use crate::arithmetic::sort::cuda::{GATHER_THREADS, TileShape, gather_program};
use crate::arithmetic::sort::key::{Bits, bits};
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::device::cuda::{Grid, Program};

/// Smallest tile with one thread per digit, so that a few thousand keys fill several tiles.
const SMALL: TileShape = TileShape { threads: 256, keys_per_thread: 2, wide: false };
const DIGITS: usize = 256;

/// Arrays shared by the kernels.
struct State<B> {
    counters: Vec<u32>,
    status: Vec<u32>,
    keys: [Vec<B>; 2],
    index: [Vec<u32>; 2],
    order: Vec<u32>,
}

/// One sort in the emulator, kernel by kernel.
struct Sort<'a, K: TestKey> {
    emulator: Emulator,
    shape: TileShape,
    keys: &'a [K],
    order: Order,
    state: State<K::Bits>,
}

impl<'a, K: TestKey> Sort<'a, K> {
    fn new(shape: TileShape, keys: &'a [K], order: Order) -> Option<Self> {
        let n = keys.len();
        let state = State {
            counters: vec![0; TileShape::counter_words::<K::Bits>()],
            status: vec![0; shape.status_words::<K::Bits>(n)],
            keys: [vec![K::Bits::default(); n], vec![K::Bits::default(); n]],
            index: [vec![0; n], vec![0; n]],
            order: vec![u32::MAX; n],
        };
        Some(Sort { emulator: or_skip(&shape.program::<K>())?, shape, keys, order, state })
    }

    fn rows(&self) -> usize {
        self.shape.rows(self.keys.len())
    }

    fn count(&mut self) {
        let mut args = [
            Arg::slice(bits(self.keys)),
            Arg::slice_mut(&mut self.state.counters),
            Arg::value(self.keys.len() as i64),
        ];
        self.emulator.launch("count_digits", Grid::new(3, 64), self.order, &mut args).unwrap();
    }

    fn start(&mut self) {
        let (rows, n) = (self.rows() as i64, self.keys.len() as i64);
        let state = &mut self.state;
        let mut args = [
            Arg::slice_mut(&mut state.counters),
            status(self.shape, &mut state.status),
            Arg::value(rows),
            Arg::value(n),
        ];
        let grid = Grid::new(K::Bits::DIGITS, DIGITS as u32);
        self.emulator.launch("start_digits", grid, self.order, &mut args).unwrap();
    }

    fn scatter(&mut self, pass: u32, grid: Grid) {
        let (rows, n) = (self.rows() as i64, self.keys.len() as i64);
        let state = &mut self.state;
        let [keys_a, keys_b] = &mut state.keys;
        let [index_a, index_b] = &mut state.index;
        let mut args = [
            Arg::slice(bits(self.keys)),
            Arg::slice_mut(keys_a),
            Arg::slice_mut(index_a),
            Arg::slice_mut(keys_b),
            Arg::slice_mut(index_b),
            Arg::slice_mut(&mut state.order),
            Arg::slice_mut(&mut state.counters),
            status(self.shape, &mut state.status),
            Arg::value(rows),
            Arg::value(n),
            Arg::value(pass as i32),
        ];
        self.emulator.launch("scatter_keys", grid, self.order, &mut args).unwrap();
    }

    fn whole_grid(&self) -> Grid {
        self.shape.grid::<K::Bits>(self.keys.len())
    }
}

fn status(shape: TileShape, words: &mut [u32]) -> Arg<'_> {
    if shape.wide {
        Arg::slice_mut(bytemuck::cast_slice_mut::<u32, u64>(words))
    } else {
        Arg::slice_mut(words)
    }
}

fn sorts<K: TestKey>(shape: TileShape, n: usize) {
    for (seed, order) in Order::ALL.into_iter().enumerate() {
        let keys: Vec<K> = keys(n, seed as u64);
        let Some(mut sort) = Sort::new(shape, &keys, order) else { return };
        sort.count();
        sort.start();
        let grid = sort.whole_grid();
        (0..K::Bits::DIGITS).for_each(|pass| sort.scatter(pass, grid));
        assert!(sort.state.order == expected(&keys), "{n} keys of seed {seed}");
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
    let shape = TileShape { threads: 512, keys_per_thread: 16, wide: false };
    let Some(mut sort) = Sort::new(shape, &keys, Order::Shuffled(7)) else { return };
    sort.count();
    sort.start();
    let grid = sort.whole_grid();
    (0..4).for_each(|pass| sort.scatter(pass, grid));
    assert!(sort.state.order == expected(&keys));
}

/// The emulator runs blocks one after another, so a tile always finds the inclusive prefix count in the previous
/// tile. On a GPU it may find only the tiles' own counts.
#[test]
fn an_emulated_tile_adds_the_own_counts_of_preceding_tiles() {
    const OWN_COUNT: u32 = 1 << 30;
    let keys: Vec<u32> = keys(512 * 9 + 100, 4);
    let Some(mut sort) = Sort::new(SMALL, &keys, Order::Forward) else { return };
    sort.count();
    sort.start();
    let grid = sort.whole_grid();
    sort.scatter(0, grid);
    let (rows, found) = (sort.rows(), sort.state.index[0].clone());
    // Restores each tile's own count: the difference between its prefix count and that of the previous tile.
    for row in (4..rows).rev() {
        for digit in 0..DIGITS {
            let (own, before) = (row * DIGITS + digit, (row - 1) * DIGITS + digit);
            sort.state.status[own] = OWN_COUNT | (sort.state.status[own] - sort.state.status[before]);
        }
    }
    // Runs the last tile again.
    sort.state.counters[4 * DIGITS] = (rows - 5) as u32;
    sort.state.index[0].fill(u32::MAX);
    sort.scatter(0, Grid { blocks: [1, 1, 1], ..grid });
    let mut again: Vec<(u32, u32)> =
        sort.state.index[0].iter().copied().zip(found).filter(|(again, _)| *again != u32::MAX).collect();
    assert!(again.iter().all(|(again, found)| again == found));
    again.sort_unstable();
    assert!(again.iter().map(|(index, _)| *index).eq(512 * 9..512 * 9 + 100));
}

/// Array whose values are their positions.
fn position_values<T: Element + From<u16>>(planes: usize, n: usize) -> Vec<T> {
    (0..n.div_ceil(LANES) * LANES * planes).map(|at| T::from(at as u16)).collect()
}

fn gathers<T: Element + From<u16>>(planes: usize, n: usize, taken: usize) {
    let (blocks, program): (usize, Program) = gather_program::<T>(planes);
    let Some(emulator) = or_skip(&program) else { return };
    let from = position_values::<T>(planes, n);
    let order: Vec<u32> = keys::<u32>(taken, 8).into_iter().map(|key| key % n as u32).collect();
    let value_count = |numbers: usize| numbers.div_ceil(LANES) * LANES * planes;
    let place = |number: usize, plane: usize| (number / LANES * planes + plane) * LANES + number % LANES;
    let mut expected = vec![T::from(0); value_count(taken)];
    for (at, number) in order.iter().enumerate() {
        (0..planes).for_each(|plane| expected[place(at, plane)] = from[place(*number as usize, plane)]);
    }
    let n = n as i64;
    for running in Order::ALL {
        let mut to = vec![T::from(7); value_count(taken)];
        let mut args =
            [Arg::slice(&from), Arg::slice(&order), Arg::slice_mut(&mut to), Arg::value(taken as i64)];
        emulator.launch("gather_planes", Grid::new(2, 96), running, &mut args).unwrap();
        assert!(to == expected, "{planes} planes");
        if blocks == 0 {
            continue;
        }
        let grid = |numbers: usize| Grid::new(numbers.div_ceil(LANES * blocks) as u32, GATHER_THREADS);
        let mut packed = vec![T::from(7); from.len()];
        let mut args = [Arg::slice(&from), Arg::slice_mut(&mut packed), Arg::value(n)];
        emulator.launch("pack_numbers", grid(n as usize), running, &mut args).unwrap();
        let mut to = vec![T::from(7); value_count(taken)];
        let mut args =
            [Arg::slice(&packed), Arg::slice(&order), Arg::slice_mut(&mut to), Arg::value(taken as i64)];
        emulator.launch("gather_numbers", grid(taken), running, &mut args).unwrap();
        assert!(to == expected, "{planes} planes, packed");
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
    assert_eq!(gather_program::<f64>(400).0, 0);
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
