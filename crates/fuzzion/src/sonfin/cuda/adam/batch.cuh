// One batch of Adam: firing strengths, outputs and gradients of the rules of a block.
//
// Constants: THREADS, MISSING (always 1).

#define PADDED(count) (((count) + 3) & ~3)
#define WARPS (THREADS / 32)
#define TILE_INPUTS 64
#define TILE_RULES 4
#define TILE_LOADS (32 * TILE_INPUTS / THREADS)    // per thread
#define LN_MIN_UPDATE_FIRING (-16.635532f)
#define ROLLED _Pragma("unroll 1")    // before loops where unrolling would only lengthen the compilation

// The part of a network that belongs to this block, and its buffers for one batch; in shared memory, to save registers.
struct BlockRules {
    int dims, stride, outputs, row;        // shape; a rule takes `stride` inputs, a sample `row` values
    int rules;                             // of this block
    int rank, blocks;                      // this block and the number of blocks in its group
    bool cross_entropy;
    float *a, *c, *w;                      // rules x stride (a and c), rules x outputs
    const float* rows;                     // all samples
    const uint32* order;                   // samples of the batch
    int samples;                           // number of samples of the batch
    int sample_stride, output_stride;      // odd, against bank conflicts
    float *phi, *q;                        // rules x sample_stride
    float *y, *e;                          // samples x output_stride
    float *nearest, *total;                // smallest D and Σ exp of each sample
    float* partials;                       // samples x blocks x (smallest D, Σ exp, weighted sums of the consequents)
};

// Inputs of 32 samples, of which the next tile is loaded while the current one is used.
struct InputTile {
    float (*x)[33];    // TILE_INPUTS x samples, in shared memory
    float next[TILE_LOADS];
};

__device__ inline void load_next(InputTile& tile, const BlockRules& of, const int first_input, const int first_sample) {
#pragma unroll
    for (int i = 0; i < TILE_LOADS; i++) {
        const int item = i * THREADS + threadIdx.x, input = first_input + item % TILE_INPUTS;
        const int sample = first_sample + item / TILE_INPUTS;
        const bool present = input < of.dims && sample < of.samples;
        tile.next[i] = present ? of.rows[(int64)of.order[sample] * of.row + input] : 0.0f;
    }
}

// Replaces the tile in shared memory; called by all threads.
__device__ inline void use_next(InputTile& tile) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE_LOADS; i++) {
        const int item = i * THREADS + threadIdx.x;
        tile.x[item % TILE_INPUTS][item / TILE_INPUTS] = tile.next[i];
    }
    __syncthreads();
}

// Relative firing strength; 0 below the threshold.
__device__ inline float strength(const float exponent) { return exponent > LN_MIN_UPDATE_FIRING ? expf(exponent) : 0.0f; }

__device__ inline float warp_min_distance(const float d) {
    return __uint_as_float(__reduce_min_sync(FULL_WARP, __float_as_uint(d)));
}

__device__ inline float warp_max(float value) {
    for (int delta = 16; delta > 0; delta >>= 1) value = fmaxf(value, __shfl_xor_sync(FULL_WARP, value, delta));
    return value;
}

// D of all rules and samples, written to `phi`: Equation (1). A warp computes four rules for 32 samples, one per lane; if
// there are fewer rules than warps, several warps share the inputs of a rule. `shared` holds WARPS x TILE_RULES x 32 values.
__device__ __noinline__ void compute_distances(const BlockRules& of, float (*x)[33], float* shared) {
    InputTile tile;
    tile.x = x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int rule_tiles = (of.rules + TILE_RULES - 1) / TILE_RULES;
    int parts = 1;
    while (2 * parts * rule_tiles <= WARPS && 8 * parts <= of.stride) parts *= 2;
    const int part = warp % parts;
    float(*partial)[TILE_RULES][32] = (float(*)[TILE_RULES][32])shared;
    for (int first_sample = 0; first_sample < of.samples; first_sample += 32)
        for (int first_tile = 0; first_tile < rule_tiles; first_tile += WARPS / parts) {
            const int first_rule = (first_tile + warp / parts) * TILE_RULES;
            float sums[TILE_RULES] = {};
            load_next(tile, of, 0, first_sample);
            for (int from = 0; from < of.dims; from += TILE_INPUTS) {
                use_next(tile);
                if (from + TILE_INPUTS < of.dims) load_next(tile, of, from + TILE_INPUTS, first_sample);
                const int end = first_rule < of.rules ? min(TILE_INPUTS, of.stride - from) : 0;
                for (int j = 4 * part; j < end; j += 4 * parts) {
                    const float4 x = make_float4(tile.x[j][lane], tile.x[j + 1][lane], tile.x[j + 2][lane], tile.x[j + 3][lane]);
#pragma unroll
                    for (int r = 0; r < TILE_RULES; r++) {
                        const int at = min(first_rule + r, of.rules - 1) * of.stride + from + j;
                        sums[r] = add_squares(*(const float4*)(of.a + at), *(const float4*)(of.c + at), x, sums[r]);
                    }
                }
            }
            if (parts > 1) {
#pragma unroll
                for (int r = 0; r < TILE_RULES; r++) partial[warp][r][lane] = sums[r];
                __syncthreads();
                if (part == 0)
                    for (int i = 1; i < parts; i++)
#pragma unroll
                        for (int r = 0; r < TILE_RULES; r++) sums[r] += partial[warp + i][r][lane];
            }
            if (part == 0)
#pragma unroll
                for (int r = 0; r < TILE_RULES; r++)
                    if (first_rule + r < of.rules)
                        of.phi[(first_rule + r) * of.sample_stride + first_sample + lane] = fminf(sums[r], MAX_DISTANCE);
        }
}

// Smallest D, Σ exp and weighted sums of the consequents over the rules of this block, for the other blocks. One warp per
// sample.
__device__ __noinline__ void write_partials(const BlockRules& of) {
    const int lane = threadIdx.x & 31;
    ROLLED for (int s = threadIdx.x >> 5; s < of.samples; s += WARPS) {
        float nearest = MAX_DISTANCE, sum = 0.0f;
        ROLLED for (int k = lane; k < of.rules; k += 32) nearest = fminf(nearest, of.phi[k * of.sample_stride + s]);
        nearest = warp_min_distance(nearest);
        ROLLED for (int k = lane; k < of.rules; k += 32) {
            const float u = strength(nearest - of.phi[k * of.sample_stride + s]);
            of.q[k * of.sample_stride + s] = u;
            sum += u;
        }
        sum = warp_sum(sum, 32);
        __syncwarp();
        float* to = of.partials + ((int64)s * of.blocks + of.rank) * (2 + of.outputs);
        if (lane == 0) to[0] = nearest, to[1] = sum;
        ROLLED for (int l = lane; l < of.outputs; l += 32) {
            float y = 0.0f;
#pragma unroll 4
            for (int k = 0; k < of.rules; k++) y = fmaf(of.q[k * of.sample_stride + s], of.w[k * of.outputs + l], y);
            to[2 + l] = y;
        }
    }
}

// Outputs of a sample from the partial sums of all blocks: Equation (2); called by one warp. Rules below 2⁻²⁴ of the
// strongest rule of their block are left out, and blocks below 2⁻²⁴ of the strongest block.
__device__ __noinline__ void combine_partials(const BlockRules& of, const int s) {
    const int lane = threadIdx.x & 31, width = 2 + of.outputs;
    const float* from = of.partials + (int64)s * of.blocks * width;
    float nearest = MAX_DISTANCE, total;
    ROLLED for (int b = lane; b < of.blocks; b += 32) nearest = fminf(nearest, from[b * width]);
    nearest = warp_min_distance(nearest);
    ROLLED for (int first = 0; first < of.outputs; first += 32) {
        const int l = min(first + lane, of.outputs - 1);
        float y = 0.0f;
        total = 0.0f;
        ROLLED for (int base = 0; base < of.blocks; base += 32) {
            const int b = base + lane, count = min(32, of.blocks - base);
            const float scale = b < of.blocks ? strength(nearest - from[b * width]) : 0.0f;
            total += warp_sum(b < of.blocks ? scale * from[b * width + 1] : 0.0f, 32);
#pragma unroll 8
            for (int i = 0; i < count; i++)
                y = fmaf(__shfl_sync(FULL_WARP, scale, i), from[(base + i) * width + 2 + l], y);
        }
        if (first + lane < of.outputs) of.y[s * of.output_stride + l] = y / total;
    }
    if (lane == 0) of.nearest[s] = nearest, of.total[s] = total;
    __syncwarp();
}

// Loss of a sample and its gradient with respect to the outputs, divided by the batch size; called by one warp.
__device__ __noinline__ float loss_gradient(const BlockRules& of, const int s) {
    const int lane = threadIdx.x & 31;
    const float* y = of.y + s * of.output_stride;
    const float* t = of.rows + (int64)of.order[s] * of.row + of.stride;
    float *e = of.e + s * of.output_stride, loss = 0.0f;
    const float scale = 1.0f / (float)of.samples;
    if (of.cross_entropy) {
        float max_y = -MAX_DISTANCE, sum = 0.0f;
        ROLLED for (int l = lane; l < of.outputs; l += 32) max_y = fmaxf(max_y, y[l]);
        max_y = warp_max(max_y);
        ROLLED for (int l = lane; l < of.outputs; l += 32) sum += expf(y[l] - max_y);
        sum = warp_sum(sum, 32);
        const float ln_sum = logf(sum);
        ROLLED for (int l = lane; l < of.outputs; l += 32) {
            e[l] = (expf(y[l] - max_y) / sum - t[l]) * scale;
            loss = fmaf(t[l], ln_sum - (y[l] - max_y), loss);
        }
    } else {
        ROLLED for (int l = lane; l < of.outputs; l += 32) {
            const float error = y[l] - t[l];
            e[l] = error * scale;
            loss = fmaf(0.5f * error, error, loss);
        }
    }
    return warp_sum(loss, 32);
}

// Whether the largest output of a sample, the first one on a tie, is not its largest target; called by one warp.
__device__ __noinline__ bool is_misclassified(const BlockRules& of, const int s) {
    const int lane = threadIdx.x & 31;
    const float* y = of.y + s * of.output_stride;
    float max_y = -MAX_DISTANCE;
    ROLLED for (int l = lane; l < of.outputs; l += 32) max_y = fmaxf(max_y, y[l]);
    max_y = warp_max(max_y);
    unsigned best = 0xffffffffu;
    ROLLED for (int l = lane; l < of.outputs; l += 32)
        if (y[l] == max_y) best = min(best, (unsigned)l);
    best = __reduce_min_sync(FULL_WARP, best);
    return best != (unsigned)of.rows[(int64)of.order[s] * of.row + of.stride + of.outputs];
}

// φ, and q, twice the derivative with respect to ln μ: Equation (4). One warp per rule.
__device__ __noinline__ void compute_firing(const BlockRules& of) {
    const int lane = threadIdx.x & 31;
    ROLLED for (int k = threadIdx.x >> 5; k < of.rules; k += WARPS)
        ROLLED for (int s = lane; s < of.samples; s += 32) {
            const int at = k * of.sample_stride + s;
            const float phi = strength(of.nearest[s] - of.phi[at]) / of.total[s];
            float sum = 0.0f;
            if (phi > 0.0f)
#pragma unroll 4
                for (int l = 0; l < of.outputs; l++)
                    sum = fmaf(of.e[s * of.output_stride + l], of.w[k * of.outputs + l] - of.y[s * of.output_stride + l], sum);
            of.phi[at] = phi;
            of.q[at] = 2.0f * phi * sum;
        }
}
