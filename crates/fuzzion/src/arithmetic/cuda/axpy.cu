// The iteration c <- a * c + b, in registers.
//
// A thread processes NUMBERS_PER_THREAD numbers. If a and b are both broadcast (BROADCAST), consecutive instructions
// share two of their three operands; the register file delivers only two operands per instruction cycle.

constexpr int unrolled_steps = UNROLL;                  // unrolled steps per loop test
constexpr int lane_stride = LANES / NUMBERS_PER_THREAD; // lane distance between the numbers of a thread
#if BROADCAST
#define OPERAND(k) 0
#else
#define OPERAND(k) k
#endif
constexpr int operands = BROADCAST ? 1 : NUMBERS_PER_THREAD;

#ifndef RADIUS

// One cut per thread: its bounds depend only on the bounds of the same cut. `next(c, k)` is one step of number k.
template <class Next> __device__ __forceinline__ void iterate(AlphaCut (&c)[NUMBERS_PER_THREAD], const int steps, Next next) {
#pragma unroll unrolled_steps
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int k = 0; k < NUMBERS_PER_THREAD; ++k) c[k] = next(c[k], k);
    }
}

extern "C" __global__ void iterate_axpy(COLUMN(a), COLUMN(b), COLUMN(c), RESULT(out), const int64 numbers, const int steps,
                                       const int broadcast_a, const int broadcast_b) {
    using fuzzion::real;
    const REAL zero = 0, infinity = real<REAL>::infinity();
    const int64 planes = (numbers + LANES - 1) / LANES * CUTS;
    FOR_EACH(t, planes * lane_stride) {
        // All planes are contiguous, block after block.
        const int64 plane = t / lane_stride;
        const int first = (int)(t % lane_stride);
        AlphaCut x[operands], z[operands], y[NUMBERS_PER_THREAD];
#pragma unroll
        for (int k = 0; k < operands; ++k) {
            x[k] = BROADCAST || broadcast_a ? LOAD(a, 0, plane % CUTS, 0) : LOAD(a, 0, plane, first + k * lane_stride);
            z[k] = BROADCAST || broadcast_b ? LOAD(b, 0, plane % CUTS, 0) : LOAD(b, 0, plane, first + k * lane_stride);
        }
        bool nonnegative = true, nonpositive = true, guarded = false, positive = true, negative = true;
#pragma unroll
        for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
            const AlphaCut a = x[OPERAND(k)], b = z[OPERAND(k)];
            y[k] = LOAD(c, 0, plane, first + k * lane_stride);
            const bool scales = a.lower >= zero && a.upper > zero && a.upper < infinity;
            nonnegative = nonnegative && scales && y[k].lower >= zero && b.lower >= zero;
            nonpositive = nonpositive && scales && y[k].upper <= zero && b.upper <= zero;
            guarded = guarded || a.lower == zero || a.upper == zero || a.lower == -infinity || a.upper == infinity;
            positive = positive && a.lower > zero;
            negative = negative && a.upper < zero;
        }
        if (nonpositive) { // -c <- a * -c + -b
#pragma unroll
            for (int k = 0; k < NUMBERS_PER_THREAD; ++k) y[k] = -y[k];
#pragma unroll
            for (int k = 0; k < operands; ++k) z[k] = -z[k];
        }
        if (nonnegative || nonpositive) {
            // c stays nonnegative, so the two relevant products are known before the first step.
#pragma unroll unrolled_steps
            for (int step = 0; step < steps; ++step) {
#pragma unroll
                for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
                    y[k].lower = real<REAL>::fma_down(x[OPERAND(k)].lower, y[k].lower, z[OPERAND(k)].lower);
                }
#pragma unroll
                for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
                    y[k].upper = real<REAL>::fma_up(x[OPERAND(k)].upper, y[k].upper, z[OPERAND(k)].upper);
                }
            }
        } else if (guarded) { // 0 can be multiplied by an infinite bound
            iterate(y, steps, [&](AlphaCut c, int k) { return fuzzion::mul_add(x[OPERAND(k)], c, z[OPERAND(k)]); });
        } else if (positive) {
            iterate(y, steps, [&](AlphaCut c, int k) {
                const AlphaCut a = x[OPERAND(k)], b = z[OPERAND(k)];
                return AlphaCut{real<REAL>::fma_down(c.lower < zero ? a.upper : a.lower, c.lower, b.lower),
                            real<REAL>::fma_up(c.upper < zero ? a.lower : a.upper, c.upper, b.upper)};
            });
        } else if (negative) {
            iterate(y, steps, [&](AlphaCut c, int k) {
                const AlphaCut a = x[OPERAND(k)], b = z[OPERAND(k)];
                return AlphaCut{real<REAL>::fma_down(c.upper < zero ? a.upper : a.lower, c.upper, b.lower),
                            real<REAL>::fma_up(c.lower < zero ? a.lower : a.upper, c.lower, b.upper)};
            });
        } else { // valid for every sign: the smallest and the largest product are among these
            iterate(y, steps, [&](AlphaCut c, int k) {
                const AlphaCut a = x[OPERAND(k)], b = z[OPERAND(k)];
                const REAL lower = real<REAL>::lesser(real<REAL>::fma_down(a.lower, c.upper, b.lower),
                                                      real<REAL>::fma_down(a.upper, c.lower, b.lower));
                const REAL upper = real<REAL>::greater(real<REAL>::fma_up(a.upper, c.upper, b.upper),
                                                       real<REAL>::fma_up(a.lower, c.lower, b.upper));
                return AlphaCut{lower, upper};
            });
        }
#pragma unroll
        for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
            const AlphaCut c = nonpositive ? -y[k] : y[k];
            const int lane = first + k * lane_stride;
            const bool in_range = plane / CUTS * LANES + lane < numbers; // the last block is padded with zeros
            STORE(out, 0, plane, lane, in_range ? fuzzion::make_cut(c.lower, c.upper) : ZERO);
        }
    }
}

#else

// A thread processes CUTS_PER_THREAD cuts of each of its numbers. All rounding errors of the midpoint accumulate in one
// radius e, which is added at the end, so a step costs two instructions per cut.
struct Factor {
    REAL midpoint;
    RADIUS radii[CUTS_PER_THREAD];
    RADIUS magnitude[CUTS_PER_THREAD]; // |midpoint| + radius
    RADIUS support_magnitude;          // |midpoint| + radius of the support, the maximum over all cuts
};
struct Number {
    REAL midpoint;
    RADIUS radii[CUTS_PER_THREAD];
    RADIUS abs_midpoint; // |midpoint| rounded up
    RADIUS error;        // e, not yet included in the radii
};

// GUARDED: 0 can be multiplied by an infinite radius.
template <bool GUARDED> __device__ __forceinline__ RADIUS radius_up(RADIUS a, RADIUS b, RADIUS c) {
    return GUARDED ? fuzzion::real<RADIUS>::fused_up(a, b, c) : fuzzion::real<RADIUS>::fma_up(a, b, c);
}

template <bool GUARDED>
__device__ __forceinline__ void iterate(Number (&c)[NUMBERS_PER_THREAD], const Factor (&a)[operands], const Number (&b)[operands],
                                       const int steps) {
    using fuzzion::real;
    const RADIUS unit = (RADIUS)real<REAL>::unit_roundoff(), normal = real<RADIUS>::min_normal();
#pragma unroll unrolled_steps
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int j = 0; j < CUTS_PER_THREAD; ++j) {
            RADIUS inner[NUMBERS_PER_THREAD];
#pragma unroll
            for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
                inner[k] = radius_up<GUARDED>(a[OPERAND(k)].radii[j], c[k].abs_midpoint, b[OPERAND(k)].radii[j]);
            }
#pragma unroll
            for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
                c[k].radii[j] = radius_up<GUARDED>(a[OPERAND(k)].magnitude[j], c[k].radii[j], inner[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
            c[k].midpoint = real<REAL>::fma_near(a[OPERAND(k)].midpoint, c[k].midpoint, b[OPERAND(k)].midpoint);
            c[k].abs_midpoint = fuzzion::narrow_up<RADIUS>(real<REAL>::abs(c[k].midpoint));
            const RADIUS rounding = real<RADIUS>::fma_up(unit, c[k].abs_midpoint, normal);
            c[k].error = radius_up<GUARDED>(a[OPERAND(k)].support_magnitude, c[k].error, rounding);
        }
    }
}

#define CUT(j) (first + (j) < CUTS ? first + (j) : CUTS - 1)

extern "C" __global__ void iterate_axpy(COLUMN(a), COLUMN(b), COLUMN(c), RESULT(out), const int64 numbers, const int steps,
                                       const int broadcast_a, const int broadcast_b) {
    using fuzzion::real;
    constexpr int groups = (CUTS + CUTS_PER_THREAD - 1) / CUTS_PER_THREAD;
    const int64 blocks = (numbers + LANES - 1) / LANES;
    FOR_EACH(t, blocks * groups * lane_stride) {
        const int64 group = t / lane_stride, block = group / groups;
        const int first_lane = (int)(t % lane_stride), first = (int)(group % groups) * CUTS_PER_THREAD;
        Factor x[operands];
        Number z[operands], y[NUMBERS_PER_THREAD];
        bool guarded = false;
#pragma unroll
        for (int k = 0; k < operands; ++k) {
            const int64 block_a = BROADCAST || broadcast_a ? 0 : block, block_b = BROADCAST || broadcast_b ? 0 : block;
            const int lane = first_lane + k * lane_stride;
            const int lane_a = BROADCAST || broadcast_a ? 0 : lane, lane_b = BROADCAST || broadcast_b ? 0 : lane;
            x[k].midpoint = a_midpoints[block_a * LANES + lane_a];
            z[k].midpoint = b_midpoints[block_b * LANES + lane_b];
            const RADIUS abs_midpoint = fuzzion::narrow_up<RADIUS>(real<REAL>::abs(x[k].midpoint));
            x[k].support_magnitude = real<RADIUS>::add_up(abs_midpoint, a_radii[block_a * CUTS * LANES + lane_a]);
            const RADIUS core_magnitude =
                real<RADIUS>::add_up(abs_midpoint, a_radii[(block_a * CUTS + CUTS - 1) * LANES + lane_a]);
            guarded = guarded || x[k].support_magnitude == real<RADIUS>::infinity() || core_magnitude == RADIUS(0);
#pragma unroll
            for (int j = 0; j < CUTS_PER_THREAD; ++j) {
                x[k].radii[j] = a_radii[(block_a * CUTS + CUT(j)) * LANES + lane_a];
                z[k].radii[j] = b_radii[(block_b * CUTS + CUT(j)) * LANES + lane_b];
                x[k].magnitude[j] = real<RADIUS>::add_up(abs_midpoint, x[k].radii[j]);
            }
        }
        const auto start = [&] {
#pragma unroll
            for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
                const int lane = first_lane + k * lane_stride;
                y[k].midpoint = c_midpoints[block * LANES + lane];
                y[k].abs_midpoint = fuzzion::narrow_up<RADIUS>(real<REAL>::abs(y[k].midpoint));
                y[k].error = RADIUS(0);
#pragma unroll
                for (int j = 0; j < CUTS_PER_THREAD; ++j) y[k].radii[j] = c_radii[(block * CUTS + CUT(j)) * LANES + lane];
            }
        };
        start();
        if (!guarded) {
            iterate<false>(y, x, z, steps);
            // |midpoint| can overflow a narrower radius type; multiplied by 0, it gives NaN.
            if (sizeof(RADIUS) < sizeof(REAL)) {
#pragma unroll
                for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
#pragma unroll
                    for (int j = 0; j < CUTS_PER_THREAD; ++j) guarded = guarded || y[k].radii[j] != y[k].radii[j];
                }
                if (guarded) start();
            }
        }
        if (guarded) iterate<true>(y, x, z, steps);
#pragma unroll
        for (int k = 0; k < NUMBERS_PER_THREAD; ++k) {
            const int lane = first_lane + k * lane_stride;
            const bool in_range = block * LANES + lane < numbers; // the last block is padded with zeros
            const bool finite = real<REAL>::finite(y[k].midpoint);
            if (first == 0) {
                out_midpoints[block * LANES + lane] =
                    in_range && finite ? real<REAL>::canonical_zero(y[k].midpoint) : REAL(0);
            }
#pragma unroll
            for (int j = 0; j < CUTS_PER_THREAD; ++j) {
                const RADIUS radius = real<RADIUS>::add_up(y[k].radii[j], y[k].error);
                if (first + j < CUTS) {
                    const RADIUS stored_radius = finite ? radius : real<RADIUS>::infinity();
                    out_radii[(block * CUTS + first + j) * LANES + lane] = in_range ? stored_radius : RADIUS(0);
                }
            }
        }
    }
}

#endif
