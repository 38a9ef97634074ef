// c <- a * c + b, over and over in registers.
//
// A thread takes TOGETHER numbers. Where a and b are each one number for all of c (ONE), neighbouring instructions then share
// two of their three operands, of which the registers deliver only two in the time of an instruction.

constexpr int unrolled = UNROLL;        // steps between two tests for the end
constexpr int apart = LANES / TOGETHER; // lanes between the numbers of a thread
#if ONE
#define OF(k) 0
#else
#define OF(k) k
#endif
constexpr int operands = ONE ? 1 : TOGETHER;

#ifndef RADIUS

// One cut per thread: its bounds depend on those of the same cut alone. `next(c, k)` is a step of number k.
template <class Next> __device__ __forceinline__ void series(Part (&c)[TOGETHER], const int steps, Next next) {
#pragma unroll unrolled
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) c[k] = next(c[k], k);
    }
}

extern "C" __global__ void axpy_series(COLUMN(a), COLUMN(b), COLUMN(c), RESULT(out), const int64 numbers, const int steps,
                                       const int one_a, const int one_b) {
    using fuzzion::real;
    const REAL zero = 0, infinity = real<REAL>::infinity();
    const int64 planes = (numbers + LANES - 1) / LANES * CUTS;
    FOR_EACH(t, planes * apart) {
        // Planes of a cut follow each other, block after block.
        const int64 plane = t / apart;
        const int first = (int)(t % apart);
        Part x[operands], z[operands], y[TOGETHER];
#pragma unroll
        for (int k = 0; k < operands; ++k) {
            x[k] = ONE || one_a ? LOAD(a, 0, plane % CUTS, 0) : LOAD(a, 0, plane, first + k * apart);
            z[k] = ONE || one_b ? LOAD(b, 0, plane % CUTS, 0) : LOAD(b, 0, plane, first + k * apart);
        }
        bool rising = true, falling = true, careful = false, positive = true, negative = true;
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            const Part a = x[OF(k)], b = z[OF(k)];
            y[k] = LOAD(c, 0, plane, first + k * apart);
            const bool scales = a.lower >= zero && a.upper > zero && a.upper < infinity;
            rising = rising && scales && y[k].lower >= zero && b.lower >= zero;
            falling = falling && scales && y[k].upper <= zero && b.upper <= zero;
            careful = careful || a.lower == zero || a.upper == zero || a.lower == -infinity || a.upper == infinity;
            positive = positive && a.lower > zero;
            negative = negative && a.upper < zero;
        }
        if (falling) { // -c <- a * -c + -b
#pragma unroll
            for (int k = 0; k < TOGETHER; ++k) y[k] = -y[k];
#pragma unroll
            for (int k = 0; k < operands; ++k) z[k] = -z[k];
        }
        if (rising || falling) {
            // What is not below 0 stays so: the two products that matter are known before the first step.
#pragma unroll unrolled
            for (int step = 0; step < steps; ++step) {
#pragma unroll
                for (int k = 0; k < TOGETHER; ++k) {
                    y[k].lower = real<REAL>::fma_down(x[OF(k)].lower, y[k].lower, z[OF(k)].lower);
                }
#pragma unroll
                for (int k = 0; k < TOGETHER; ++k) {
                    y[k].upper = real<REAL>::fma_up(x[OF(k)].upper, y[k].upper, z[OF(k)].upper);
                }
            }
        } else if (careful) { // 0 may meet an infinite bound
            series(y, steps, [&](Part c, int k) { return fuzzion::mul_add(x[OF(k)], c, z[OF(k)]); });
        } else if (positive) {
            series(y, steps, [&](Part c, int k) {
                const Part a = x[OF(k)], b = z[OF(k)];
                return Part{real<REAL>::fma_down(c.lower < zero ? a.upper : a.lower, c.lower, b.lower),
                            real<REAL>::fma_up(c.upper < zero ? a.lower : a.upper, c.upper, b.upper)};
            });
        } else if (negative) {
            series(y, steps, [&](Part c, int k) {
                const Part a = x[OF(k)], b = z[OF(k)];
                return Part{real<REAL>::fma_down(c.upper < zero ? a.upper : a.lower, c.upper, b.lower),
                            real<REAL>::fma_up(c.lower < zero ? a.lower : a.upper, c.lower, b.upper)};
            });
        } else { // right for every sign, as the least and the greatest product are among these
            series(y, steps, [&](Part c, int k) {
                const Part a = x[OF(k)], b = z[OF(k)];
                const REAL lower = real<REAL>::lesser(real<REAL>::fma_down(a.lower, c.upper, b.lower),
                                                      real<REAL>::fma_down(a.upper, c.lower, b.lower));
                const REAL upper = real<REAL>::greater(real<REAL>::fma_up(a.upper, c.upper, b.upper),
                                                       real<REAL>::fma_up(a.lower, c.lower, b.upper));
                return Part{lower, upper};
            });
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            const Part c = falling ? -y[k] : y[k];
            const int lane = first + k * apart;
            const bool there = plane / CUTS * LANES + lane < numbers; // the last block is filled up with zeros
            STORE(out, 0, plane, lane, there ? fuzzion::tidy(c.lower, c.upper) : ZERO);
        }
    }
}

#else

// GROUP cuts of a number per thread. All rounding errors of its midpoint go to one radius e, which is added at the end: a
// step costs two instructions per cut.
struct Factor {
    REAL midpoint;
    RADIUS radii[GROUP];
    RADIUS reach[GROUP]; // |midpoint| + radius
    RADIUS most;         // the same of the support, which bounds those of all cuts
};
struct Number {
    REAL midpoint;
    RADIUS radii[GROUP];
    RADIUS size;  // |midpoint|
    RADIUS error; // e, not yet part of the radii
};

// CAREFUL: 0 may meet an infinite radius.
template <bool CAREFUL> __device__ __forceinline__ RADIUS radius_up(RADIUS a, RADIUS b, RADIUS c) {
    return CAREFUL ? fuzzion::real<RADIUS>::fused_up(a, b, c) : fuzzion::real<RADIUS>::fma_up(a, b, c);
}

template <bool CAREFUL>
__device__ __forceinline__ void series(Number (&c)[TOGETHER], const Factor (&a)[operands], const Number (&b)[operands],
                                       const int steps) {
    using fuzzion::real;
    const RADIUS unit = (RADIUS)real<REAL>::unit(), normal = real<RADIUS>::normal();
#pragma unroll unrolled
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int j = 0; j < GROUP; ++j) {
            RADIUS spread[TOGETHER];
#pragma unroll
            for (int k = 0; k < TOGETHER; ++k) {
                spread[k] = radius_up<CAREFUL>(a[OF(k)].radii[j], c[k].size, b[OF(k)].radii[j]);
            }
#pragma unroll
            for (int k = 0; k < TOGETHER; ++k) c[k].radii[j] = radius_up<CAREFUL>(a[OF(k)].reach[j], c[k].radii[j], spread[k]);
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            c[k].midpoint = real<REAL>::fma_near(a[OF(k)].midpoint, c[k].midpoint, b[OF(k)].midpoint);
            c[k].size = fuzzion::narrow_up<RADIUS>(real<REAL>::size(c[k].midpoint));
            c[k].error = radius_up<CAREFUL>(a[OF(k)].most, c[k].error, real<RADIUS>::fma_up(unit, c[k].size, normal));
        }
    }
}

#define CUT(j) (first + (j) < CUTS ? first + (j) : CUTS - 1)

extern "C" __global__ void axpy_series(COLUMN(a), COLUMN(b), COLUMN(c), RESULT(out), const int64 numbers, const int steps,
                                       const int one_a, const int one_b) {
    using fuzzion::real;
    constexpr int groups = (CUTS + GROUP - 1) / GROUP;
    const int64 blocks = (numbers + LANES - 1) / LANES;
    FOR_EACH(t, blocks * groups * apart) {
        const int64 rest = t / apart, block = rest / groups;
        const int first_lane = (int)(t % apart), first = (int)(rest % groups) * GROUP;
        Factor x[operands];
        Number z[operands], y[TOGETHER];
        bool careful = false;
#pragma unroll
        for (int k = 0; k < operands; ++k) {
            const int64 at_a = ONE || one_a ? 0 : block, at_b = ONE || one_b ? 0 : block;
            const int lane = first_lane + k * apart, lane_a = ONE || one_a ? 0 : lane, lane_b = ONE || one_b ? 0 : lane;
            x[k].midpoint = a_midpoints[at_a * LANES + lane_a];
            z[k].midpoint = b_midpoints[at_b * LANES + lane_b];
            const RADIUS size = fuzzion::narrow_up<RADIUS>(real<REAL>::size(x[k].midpoint));
            x[k].most = real<RADIUS>::add_up(size, a_radii[at_a * CUTS * LANES + lane_a]);
            const RADIUS least = real<RADIUS>::add_up(size, a_radii[(at_a * CUTS + CUTS - 1) * LANES + lane_a]);
            careful = careful || x[k].most == real<RADIUS>::infinity() || least == RADIUS(0);
#pragma unroll
            for (int j = 0; j < GROUP; ++j) {
                x[k].radii[j] = a_radii[(at_a * CUTS + CUT(j)) * LANES + lane_a];
                z[k].radii[j] = b_radii[(at_b * CUTS + CUT(j)) * LANES + lane_b];
                x[k].reach[j] = real<RADIUS>::add_up(size, x[k].radii[j]);
            }
        }
        const auto start = [&] {
#pragma unroll
            for (int k = 0; k < TOGETHER; ++k) {
                const int lane = first_lane + k * apart;
                y[k].midpoint = c_midpoints[block * LANES + lane];
                y[k].size = fuzzion::narrow_up<RADIUS>(real<REAL>::size(y[k].midpoint));
                y[k].error = RADIUS(0);
#pragma unroll
                for (int j = 0; j < GROUP; ++j) y[k].radii[j] = c_radii[(block * CUTS + CUT(j)) * LANES + lane];
            }
        };
        start();
        if (!careful) {
            series<false>(y, x, z, steps);
            // The size of a known midpoint may be beyond a narrower type: where that has met 0, NaN is left of it.
            if (sizeof(RADIUS) < sizeof(REAL)) {
#pragma unroll
                for (int k = 0; k < TOGETHER; ++k) {
#pragma unroll
                    for (int j = 0; j < GROUP; ++j) careful = careful || y[k].radii[j] != y[k].radii[j];
                }
                if (careful) start();
            }
        }
        if (careful) series<true>(y, x, z, steps);
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            const int lane = first_lane + k * apart;
            const bool there = block * LANES + lane < numbers; // the last block is filled up with zeros
            const bool known = real<REAL>::finite(y[k].midpoint);
            if (first == 0) out_midpoints[block * LANES + lane] = there && known ? real<REAL>::clean(y[k].midpoint) : REAL(0);
#pragma unroll
            for (int j = 0; j < GROUP; ++j) {
                const RADIUS radius = real<RADIUS>::add_up(y[k].radii[j], y[k].error);
                if (first + j < CUTS) {
                    const RADIUS reached = known ? radius : real<RADIUS>::infinity();
                    out_radii[(block * CUTS + first + j) * LANES + lane] = there ? reached : RADIUS(0);
                }
            }
        }
    }
}

#endif
