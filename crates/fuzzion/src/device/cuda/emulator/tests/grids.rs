use super::*;

/// Every thread writes its block and thread indices.
pub(super) const INDICES: &str = r#"
extern "C" __global__ void indices(unsigned* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned size = blockDim.x * blockDim.y * blockDim.z;
    unsigned* mine = out + 6 * (block * size + thread);
    mine[0] = blockIdx.x; mine[1] = blockIdx.y; mine[2] = blockIdx.z;
    mine[3] = threadIdx.x; mine[4] = threadIdx.y; mine[5] = threadIdx.z;
}
extern "C" __global__ void add_twice(const float* x, float* y, const int64 n) { FOR_EACH(i, n) y[i] += 2.0f * x[i]; }
"#;

#[test]
fn every_thread_of_every_block_runs_once_in_every_order() {
    let Some(emulator) = emulator_or_skip(&Program::new("indices", INDICES)) else { return };
    let grid = Grid { blocks: [3, 2, 2], threads: [4, 3, 2], ..Grid::new(1, 1) };
    let mut oracle = Vec::new();
    for b in 0..12u32 {
        for t in 0..24u32 {
            oracle.extend([b % 3, b / 3 % 2, b / 6, t % 4, t / 4 % 3, t / 12]);
        }
    }
    for order in Order::ALL {
        let mut out = vec![99u32; oracle.len()];
        emulator.launch("indices", grid, order, &mut [Arg::slice_mut(&mut out)]).unwrap();
        assert_eq!(out, oracle, "{order:?}");
        let (x, mut y) = (vec![3.0f32; 1000], vec![1.0f32; 1000]);
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut y), Arg::value(1000i64)];
        emulator.launch("add_twice", Grid::new(3, 64), order, &mut args).unwrap();
        assert!(y.iter().all(|&y| y == 7.0), "{order:?}");
    }
}

#[test]
fn threads_run_in_the_requested_order() {
    let source = r#"
    extern "C" __global__ void positions(int* next, int* position) {
        position[blockIdx.x * 4 + threadIdx.x] = atomicAdd(next, 1);
    }"#;
    let Some(emulator) = emulator_or_skip(&Program::new("positions", source)) else { return };
    let positions = |order| {
        let (mut next, mut position) = (vec![0i32], vec![0i32; 12]);
        let mut args = [Arg::slice_mut(&mut next), Arg::slice_mut(&mut position)];
        emulator.launch("positions", Grid::new(3, 4), order, &mut args).unwrap();
        assert_eq!(next, [12]);
        position
    };
    assert_eq!(positions(Order::Forward), (0..12).collect::<Vec<_>>());
    assert_eq!(positions(Order::Reverse), (0..12).rev().collect::<Vec<_>>());
    let shuffled = positions(Order::Shuffled(5));
    assert_eq!(shuffled, positions(Order::Shuffled(5)), "the order for a seed is reproducible");
    assert!(
        (6..12).any(|seed| positions(Order::Shuffled(seed)) != shuffled),
        "different seeds give different orders"
    );
}

const COOPERATIVE: &str = r#"
// Each block computes a partial sum, the barrier makes all sums visible, and each block adds them up.
extern "C" __global__ void total(const int* x, int* sums, int* out) {
    __shared__ int partial;
    DYNAMIC_SHARED(int, stored);
    if (threadIdx.x == 0) partial = 0;
    __syncthreads();
    atomicAdd(&partial, x[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    stored[threadIdx.x] = partial + threadIdx.x;
    if (threadIdx.x == 0) sums[blockIdx.x] = partial;
    grid_barrier();
    int all = 0;
    for (int b = 0; b < gridDim.x; b++) all += sums[b];
    // The shared memory of this block must be preserved while other blocks run.
    out[blockIdx.x * blockDim.x + threadIdx.x] = all + partial + stored[threadIdx.x];
}
// A manual grid barrier: each block increments a counter and waits until all blocks have.
extern "C" __global__ void manual_barrier(const int* x, int* sums, int* out) {
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = x[blockIdx.x];
        __threadfence();
        atomicAdd(&sums[gridDim.x], 1);
        while (atomicAdd(&sums[gridDim.x], 0) < gridDim.x) __nanosleep(20);
    }
    __syncthreads();
    int all = 0;
    for (int b = 0; b < gridDim.x; b++) all += sums[b];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}
extern "C" __global__ void one_block_exits(const int* x, int* sums, int* out) {
    if (blockIdx.x == 2) return;
    grid_barrier(sums);
}
"#;

#[test]
fn blocks_of_a_cooperative_launch_synchronize_and_keep_their_shared_memory() {
    let Some(emulator) = emulator_or_skip(&Program::new("cooperative", COOPERATIVE)) else { return };
    let x: Vec<i32> = (0..5 * 40).map(|i| i * i % 31).collect();
    let parts: Vec<i32> = x.chunks(40).map(|part| part.iter().sum()).collect();
    let total: i32 = parts.iter().sum();
    let oracle: Vec<i32> = (0..200).map(|i| total + 2 * parts[i / 40] + (i % 40) as i32).collect();
    let grid = Grid { shared: 160, ..Grid::new(5, 40) };
    for order in Order::ALL {
        let (mut sums, mut out) = (vec![0i32; 5], vec![0i32; 200]);
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut sums), Arg::slice_mut(&mut out)];
        emulator.launch("total", grid.cooperative(), order, &mut args).unwrap();
        assert_eq!(out, oracle, "{order:?}");
        let mut sums = vec![0i32; 6];
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut sums), Arg::slice_mut(&mut out)];
        emulator.launch("manual_barrier", Grid::new(5, 40).cooperative(), order, &mut args).unwrap();
        assert!(out.iter().all(|&y| y == x[..5].iter().sum::<i32>()), "{order:?}");
    }
}

#[test]
fn a_block_that_misses_a_grid_barrier_is_reported() {
    let Some(emulator) = emulator_or_skip(&Program::new("cooperative", COOPERATIVE)) else { return };
    let (x, mut sums, mut out) = ([0i32], [0i32], [0i32]);
    let mut args = [Arg::slice(&x), Arg::slice_mut(&mut sums), Arg::slice_mut(&mut out)];
    let failed = emulator.launch("one_block_exits", Grid::new(4, 8).cooperative(), Order::Forward, &mut args);
    assert_eq!(
        failed.unwrap_err().to_string(),
        "one_block_exits: block (2, 0, 0): has exited, but 3 others wait for it at grid_barrier"
    );
}

#[test]
fn the_portable_fibers_give_the_same_result() {
    let program = Program::new("portable", COOPERATIVE);
    if emulator_or_skip(&program).is_none() {
        return;
    }
    let emulator = Emulator::with_flags(&program, &["-DFUZZION_UCONTEXT"]).unwrap();
    let x = [1i32; 12];
    let (mut sums, mut out) = (vec![0i32; 3], vec![0i32; 12]);
    let mut args = [Arg::slice(&x), Arg::slice_mut(&mut sums), Arg::slice_mut(&mut out)];
    let grid = Grid { shared: 16, ..Grid::new(3, 4) };
    emulator.launch("total", grid.cooperative(), Order::Shuffled(1), &mut args).unwrap();
    assert_eq!(out, [20, 21, 22, 23, 20, 21, 22, 23, 20, 21, 22, 23]); // 12 + 2·4 + thread
}

#[test]
fn the_stack_size_is_configurable_and_an_overflow_is_detected() {
    let source = r#"
    __device__ __noinline__ int recursive(volatile char* above, int n) {
        volatile char here[4096];
        for (int i = 0; i < 4096; i++) here[i] = char(n);
        return n == 0 ? here[0] : recursive(here, n - 1) + here[1] - n + 1;
    }
    extern "C" __global__ void recurse(int* out) { out[threadIdx.x] = recursive(nullptr, N); }"#;
    let Some(fits) = emulator_or_skip(&Program::new("recurse", source).constant("N", 100)) else { return };
    let fits = fits.stack(1 << 20);
    assert_eq!(output_of_one_block(&fits, "recurse", 2, &[0i32; 2]), [100, 100]);
    // 80 KiB on a stack of 64 KiB: the overflow into the next lower stack is detected.
    let Some(small_stack) = emulator_or_skip(&Program::new("recurse", source).constant("N", 18)) else {
        return;
    };
    let mut out = [0i32; 4];
    let failed = small_stack.stack(1 << 16).launch(
        "recurse",
        Grid::new(1, 4),
        Order::Reverse,
        &mut [Arg::slice_mut(&mut out)],
    );
    assert!(failed.unwrap_err().to_string().contains("overflowed its stack of 65536 bytes"));
}
