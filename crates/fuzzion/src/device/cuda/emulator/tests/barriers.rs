use super::*;

/// Sums 64 numbers in shared memory; MISSING removes the barrier between two steps.
pub(super) const SUM: &str = r#"
extern "C" __global__ void sum(const float* __restrict__ x, float* __restrict__ out) {
    __shared__ float partial[64];
    const int t = threadIdx.x;
    partial[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
#if !MISSING
        __syncthreads();
#endif
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}
"#;

fn sums(missing: i32) -> Option<Vec<Vec<f32>>> {
    let emulator = emulator_or_skip(&Program::new("sum", SUM).constant("MISSING", missing))?;
    let x: Vec<f32> = (0..192).map(|i| (i % 7) as f32).collect();
    let all = Order::ALL.map(|order| {
        let mut out = vec![0.0f32; 3];
        emulator
            .launch("sum", Grid::new(3, 64), order, &mut [Arg::slice(&x), Arg::slice_mut(&mut out)])
            .unwrap();
        out
    });
    Some(all.to_vec())
}

#[test]
fn a_sum_with_barriers_is_correct_in_every_order() {
    let Some(all) = sums(0) else { return };
    let oracle: Vec<f32> = (0..3).map(|block| (0..64).map(|t| ((block * 64 + t) % 7) as f32).sum()).collect(); // small integers: exact
    assert!(all.iter().all(|out| *out == oracle), "{all:?}");
}

#[test]
fn a_missing_barrier_makes_the_result_depend_on_the_order() {
    let Some(all) = sums(1) else { return };
    assert!(all.iter().any(|out| *out != all[0]), "{all:?}");
}

#[test]
fn a_missing_barrier_at_the_end_of_a_loop_is_detected() {
    let source = r#"
    extern "C" __global__ void shift(int* out) {
        __shared__ int slot[32];
        const int t = threadIdx.x;
        int mine = t;
        for (int step = 0; step < 3; step++) {
            slot[t] = mine;
            __syncthreads();
            mine = slot[(t + 1) % 32];
            // a thread may overwrite a slot that others have not read
        }
        out[t] = mine;
    }"#;
    let Some(emulator) = emulator_or_skip(&Program::new("loop", source)) else { return };
    let results = Order::ALL.map(|order| {
        let mut out = vec![0i32; 32];
        emulator.launch("shift", Grid::new(1, 32), order, &mut [Arg::slice_mut(&mut out)]).unwrap();
        out
    });
    assert!(results.iter().any(|out| *out != results[0]));
}

#[test]
fn uninitialized_shared_memory_reads_as_nan_in_every_block() {
    let source = r#"
    extern "C" __global__ void unwritten(float* out, double* wide) {
        __shared__ float first[40];
        __shared__ double second[3];
        DYNAMIC_SHARED(float, third);
        const int b = blockIdx.x;
        out[2 * b] = first[7];
        out[2 * b + 1] = third[3];
        wide[b] = second[2];
        first[7] = third[3] = 1.0f; // must not reach the next block
        second[2] = 1.0;
    }"#;
    let Some(emulator) = emulator_or_skip(&Program::new("unwritten", source)) else { return };
    let (mut out, mut wide) = (vec![0.0f32; 6], vec![0.0f64; 3]);
    let grid = Grid::new(3, 1).shared(16);
    let mut args = [Arg::slice_mut(&mut out), Arg::slice_mut(&mut wide)];
    emulator.launch("unwritten", grid, Order::Forward, &mut args).unwrap();
    assert!(out.iter().all(|x| x.is_nan()), "{out:?}");
    assert!(wide.iter().all(|x| x.is_nan()), "{wide:?}");
}

#[test]
fn barriers_that_vote_count_the_predicates_of_the_block() {
    let source = r#"
    extern "C" __global__ void vote(int* out) {
        const int t = threadIdx.x;
        out[4 * t] = __syncthreads_count(t % 3 == 0);
        out[4 * t + 1] = __syncthreads_and(t < 40);
        out[4 * t + 2] = __syncthreads_and(t < 39);
        out[4 * t + 3] = 2 * __syncthreads_or(t == 17) + __syncthreads_or(t == 40);
    }"#;
    let Some(emulator) = emulator_or_skip(&Program::new("vote", source)) else { return };
    let out = output_of_one_block(&emulator, "vote", 40, &[0i32; 160]);
    assert!(out.chunks(4).all(|votes| votes == [14, 1, 0, 2]), "{out:?}");
}

const DIVERGENT: &str = r#"
extern "C" __global__ void exits(int* out) {
    if (threadIdx.x == 5) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
extern "C" __global__ void elsewhere(int* out) {
    if (threadIdx.x < 3) __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}
extern "C" __global__ void another_kind(int* out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x < 3) __syncthreads_or(1); else __syncthreads_count(1);
}
extern "C" __global__ void in_a_warp(int* out) {
    out[threadIdx.x] = 1;
    if (threadIdx.x == 40) __syncthreads();
    else if (threadIdx.x < 32) __syncthreads();
    else __shfl_sync(FULL_WARP, 1, 0);
}
extern "C" __global__ void not_in_the_mask(int* out) {
    out[threadIdx.x] = 1;
    __shfl_sync(0x7, 1, 0);
}
extern "C" __global__ void never(int* out) {
    while (atomicAdd(out, 0) == 0) __nanosleep(20);
}
extern "C" __global__ void across(int* out) { grid_barrier(out); }
"#;

#[test]
fn divergence_is_reported_with_two_threads_and_their_lines() {
    let Some(emulator) = emulator_or_skip(&Program::new("divergent", DIVERGENT)) else { return };
    let reports = |kernel, threads, parts: &[&str]| {
        let message = failure(&emulator, kernel, threads);
        for part in parts {
            assert!(message.contains(part), "`{part}` is missing in: {message}");
        }
    };
    reports(
        "exits",
        32,
        &[
            "exits: block (0, 0, 0): thread (0, 0, 0) waits at __syncthreads on line ",
            " (`__syncthreads();`), but thread (5, 0, 0) has exited",
        ],
    );
    reports("elsewhere", 8, &["thread (0, 0, 0) waits at __syncthreads", "but thread (3, 0, 0) waits"]);
    reports(
        "another_kind",
        8,
        &["__syncthreads_or on line", "but thread (3, 0, 0) waits at __syncthreads_count"],
    );
    reports(
        "in_a_warp",
        64,
        &[
            "thread (32, 0, 0) waits at __shfl_sync(0xffffffff) on line",
            "but thread (40, 0, 0) waits at __syncthreads",
        ],
    );
    reports(
        "not_in_the_mask",
        8,
        &["thread (3, 0, 0) calls __shfl_sync(0x00000007)", "lane 3 is not in the mask"],
    );
    reports("never", 1, &["thread (0, 0, 0) loops in __nanosleep forever"]);
    reports("across", 8, &["calls grid_barrier", "the launch is not cooperative"]);
}

#[test]
fn a_launch_after_a_failed_one_succeeds() {
    let source =
        format!("{DIVERGENT}\nextern \"C\" __global__ void succeeds(int* out) {{ out[threadIdx.x] = 7; }}");
    let Some(emulator) = emulator_or_skip(&Program::new("after_failure", source)) else { return };
    failure(&emulator, "exits", 32);
    assert_eq!(output_of_one_block(&emulator, "succeeds", 8, &[0i32; 8]), [7; 8]);
}
