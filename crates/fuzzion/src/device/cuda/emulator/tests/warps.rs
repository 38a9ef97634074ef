use super::*;

pub(super) const SHUFFLES: &str = r#"
extern "C" __global__ void shuffles(int* out) {
    const int t = threadIdx.x, lane = t % 32;
    int* mine = out + 8 * t;
    mine[0] = __shfl_sync(FULL_WARP, t, 3);
    mine[1] = __shfl_sync(FULL_WARP, t, lane + 1, 8);
    mine[2] = __shfl_up_sync(FULL_WARP, t, 2);
    mine[3] = __shfl_down_sync(FULL_WARP, t, 5);
    mine[4] = __shfl_down_sync(FULL_WARP, t, 3, 16);
    mine[5] = __shfl_xor_sync(FULL_WARP, t, 17);
    mine[6] = __shfl_xor_sync(FULL_WARP, t, 4, 4);
    mine[7] = __shfl_up_sync(FULL_WARP, t, 1, 4);
}
extern "C" __global__ void types(double* out) {
    const int t = threadIdx.x;
    double sum = __shfl_xor_sync(FULL_WARP, t + 0.5, 1);
    sum += __shfl_xor_sync(FULL_WARP, t + 0.25f, 1);
    sum += __shfl_xor_sync(FULL_WARP, (int64)t << 40, 1);
    sum += __shfl_xor_sync(FULL_WARP, (unsigned)t, 1);
    out[t] = sum;
}
extern "C" __global__ void votes(unsigned* out) {
    const int t = threadIdx.x, lane = t % 32;
    unsigned* mine = out + 8 * t;
    mine[0] = __ballot_sync(FULL_WARP, t % 5 == 0);
    mine[1] = __any_sync(FULL_WARP, lane == 9) + 2 * __any_sync(FULL_WARP, 0);
    mine[2] = __all_sync(FULL_WARP, t < 64) + 2 * __all_sync(FULL_WARP, lane != 9);
    mine[3] = __match_any_sync(FULL_WARP, lane % 3);
    mine[4] = __reduce_add_sync(FULL_WARP, (unsigned)lane);
    mine[5] = (unsigned)__reduce_min_sync(FULL_WARP, -lane);
    mine[6] = __reduce_or_sync(FULL_WARP, 1u << lane) & __reduce_max_sync(FULL_WARP, (unsigned)t);
    mine[7] = __activemask();
    __syncwarp(); // no lane exits before every lane has read the mask
}
// Two halves of a warp that diverge, each with its own mask.
extern "C" __global__ void halves(unsigned* out) {
    const unsigned t = threadIdx.x;
    if (t < 16) {
        for (int i = 0; i < 3; i++) out[t] += __shfl_sync(0x0000ffffu, t, i);
    } else {
        out[t] = __ballot_sync(0xffff0000u, t % 2);
    }
    __syncwarp();
}
// Exited and nonexistent lanes do not participate.
extern "C" __global__ void exited(float* out) {
    const int t = threadIdx.x;
    if (t >= 20) return;
    out[2 * t] = __shfl_down_sync(FULL_WARP, (float)t, 1);
    out[2 * t + 1] = (float)__popc(__ballot_sync(FULL_WARP, 1)) + (float)__popc(__activemask()) / 100.0f;
}
// A neighbor's value through shared memory, with and without a warp barrier.
extern "C" __global__ void neighbor(int* out) {
    __shared__ int slot[32];
    slot[threadIdx.x] = threadIdx.x;
#if WITH_BARRIER
    __syncwarp();
#endif
    out[threadIdx.x] = slot[threadIdx.x ^ 1];
}
"#;

fn emulator() -> Option<Emulator> {
    emulator_or_skip(&Program::new("warps", SHUFFLES).constant("WITH_BARRIER", 1))
}

#[test]
fn shuffles_read_from_the_source_lane() {
    let Some(emulator) = emulator() else { return };
    let out = output_of_one_block(&emulator, "shuffles", 64, &[0i32; 512]);
    for (t, got) in out.chunks(8).enumerate() {
        let (warp, lane) = (t / 32 * 32, t % 32);
        let expected = [
            warp + 3,
            warp + lane / 8 * 8 + (lane + 1) % 8,
            if lane >= 2 { t - 2 } else { t },
            if lane + 5 < 32 { t + 5 } else { t },
            if lane % 16 + 3 < 16 { t + 3 } else { t },
            warp + (lane ^ 17),
            if lane & 4 != 0 { t - 4 } else { t }, // a group may read from an earlier group, not from a later one
            if lane % 4 >= 1 { t - 1 } else { t },
        ];
        assert_eq!(got, expected.map(|x| x as i32), "thread {t}");
    }
}

#[test]
fn shuffles_support_every_type() {
    let Some(emulator) = emulator() else { return };
    let out = output_of_one_block(&emulator, "types", 32, &[0f64; 32]);
    for (t, got) in out.iter().enumerate() {
        let other = (t ^ 1) as f64;
        assert_eq!(*got, 3.0 * other + 0.75 + other * 2f64.powi(40));
    }
}

#[test]
fn votes_and_reductions_include_all_lanes_of_a_warp() {
    let Some(emulator) = emulator() else { return };
    let out = output_of_one_block(&emulator, "votes", 96, &[0u32; 768]);
    for (t, got) in out.chunks(8).enumerate() {
        let lanes =
            |holds: &dyn Fn(usize) -> bool| (0..32).filter(|&i| holds(i)).map(|i| 1u32 << i).sum::<u32>();
        let warp = t / 32 * 32;
        let expected = [
            lanes(&|i| (warp + i).is_multiple_of(5)),
            1,
            u32::from(t < 64),
            lanes(&|i| i % 3 == t % 32 % 3),
            31 * 32 / 2,
            (-31i32) as u32,
            warp as u32 + 31,
            u32::MAX,
        ];
        assert_eq!(got, expected, "thread {t}");
    }
}

#[test]
fn parts_of_a_warp_with_separate_masks_can_diverge() {
    let Some(emulator) = emulator() else { return };
    let out = output_of_one_block(&emulator, "halves", 32, &[0u32; 32]);
    assert_eq!(out[..16], [3; 16]);
    assert_eq!(out[16..], [0xaaaa_0000; 16]);
}

#[test]
fn exited_and_nonexistent_lanes_do_not_participate() {
    let Some(emulator) = emulator() else { return };
    for (threads, active) in [(32, 20), (20, 20), (12, 12)] {
        let mut out = vec![0.0f32; 64];
        let mut args = [Arg::slice_mut(&mut out)];
        emulator.launch("exited", Grid::new(1, threads), Order::Reverse, &mut args).unwrap();
        for t in 0..active {
            let [shuffled, counted] = [out[2 * t], out[2 * t + 1]];
            assert!(
                if t + 1 < active { shuffled == (t + 1) as f32 } else { shuffled.is_nan() },
                "{t}: {shuffled}"
            );
            assert_eq!(counted.floor(), active as f32);
        }
    }
}

#[test]
fn a_missing_warp_barrier_gives_a_wrong_result_in_every_order() {
    let Some(emulator) = emulator() else { return };
    let oracle: Vec<i32> = (0..32).map(|t| t ^ 1).collect();
    assert_eq!(output_of_one_block(&emulator, "neighbor", 32, &[0i32; 32]), oracle);
    let Some(without) = emulator_or_skip(&Program::new("warps", SHUFFLES).constant("WITH_BARRIER", 0)) else {
        return;
    };
    for order in Order::ALL {
        let mut out = vec![0i32; 32];
        without.launch("neighbor", Grid::new(1, 32), order, &mut [Arg::slice_mut(&mut out)]).unwrap();
        assert_ne!(out, oracle, "{order:?}");
    }
}
