// Adam on mini-batches: Equation (6). One cooperative launch trains several networks on many batches, each with its own
// group of blocks. A block owns consecutive rules of its network. For each batch it computes the partial outputs of its
// rules, waits for its group, combines the partial outputs of all blocks and updates its rules. Gates belong to all rules:
// their gradients are exchanged after the update, and each block updates its own copy of the gates.
//
// Constants: THREADS, TASK_VALUES, MISSING, STEP_SETTINGS (unused here).

#define FIRST_RATE (1.0f - 0.9f)      // 1 − β
#define SECOND_RATE (1.0f - 0.999f)
#define GATE_RATE_FACTOR 3.0f
#define GATE_PENALTY 3e-4f

// Work of one network; TASK_VALUES values.
struct Task {
    int first_block, blocks, rules;
    int first_row, samples, batch;     // in `order`
    int gated, cross_entropy;
    int first_factor, first_partial;   // in `factors` and `partials`
};

// Factors of one step: the learning rate and the bias corrections 1/(1 − βᵗ).
struct StepFactors {
    float rate, first, second;
};

// Barrier of the blocks of one network, like grid_barrier.
__device__ inline void group_barrier(uint32* arrived, uint32& phase, const int blocks) {
    __syncthreads();
    if (blocks == 1) return;
    phase += blocks;
    if (threadIdx.x == 0) {
#ifdef FUZZION_EMULATOR
        atomicAdd(arrived, 1u);
        while ((int)(*(volatile uint32*)arrived - phase) < 0) __nanosleep(20);
#else
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
        uint32 seen;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
        } while ((int)(seen - phase) < 0);
#endif
    }
    __syncthreads();
}

// Step of one parameter: Equation (6).
__device__ inline float parameter_step(const StepFactors& factors, const float derivative, float& first, float& second) {
    first += FIRST_RATE * (derivative - first);
    second += SECOND_RATE * (derivative * derivative - second);
    return factors.rate * (first * factors.first) / (sqrtf(second * factors.second) + 1e-8f);
}

// State of Adam for the rules of a block; in shared memory, to save registers.
struct BlockAdam {
    float* sets;               // rules x (centers, 1/σ), without the gates
    float *first, *second;     // rules x (centers, ln 1/σ, w)
    float* gradients;          // rules x (centers, ln 1/σ), of batches with several tiles of samples, and for the gates
    float *gates, *gate_partials;    // the block's gates and their moving averages; gradients, blocks x dims
    float unit, max_inverse_width;
    StepFactors factors;
    bool gated;
};

// Gradients and update of the centers and widths.
__device__ __noinline__ void update_sets(const BlockRules& of, const BlockAdam& adam, float (*x)[33]) {
    InputTile tile;
    tile.x = x;
    const StepFactors factors = adam.factors;
    const int d = of.dims, gradient_len = 2 * d + of.outputs;
    load_next(tile, of, 0, 0);
    ROLLED for (int from = 0; from < d; from += TILE_INPUTS)
        ROLLED for (int first_sample = 0; first_sample < of.samples; first_sample += 32) {
            const bool last = first_sample + 32 >= of.samples;
            const int next_input = last ? from + TILE_INPUTS : from;
            use_next(tile);
            if (next_input < d) load_next(tile, of, next_input, last ? 0 : first_sample + 32);
            const int width = min(TILE_INPUTS, d - from), samples = min(32, of.samples - first_sample);
            ROLLED for (int item = threadIdx.x; item < of.rules * width; item += THREADS) {
                const int k = item / width, j = item - k * width;
                const int at = k * of.stride + from + j;
                const float a = of.a[at], c = of.c[at];
                const float* q = of.q + k * of.sample_stride + first_sample;
                float* gradient = adam.gradients + k * 2 * d + from + j;
                float by_center = first_sample > 0 ? gradient[0] : 0.0f, by_width = first_sample > 0 ? gradient[d] : 0.0f;
#pragma unroll 4
                for (int s = 0; s < samples; s++) {
                    const float z = z_score(a, c, tile.x[j][s]), qz = q[s] * z;
                    by_center = fmaf(qz, a, by_center);
                    by_width = fmaf(-qz, z, by_width);
                }
                if (!last) gradient[0] = by_center;
                if (!last || adam.gated) gradient[d] = by_width;
                if (!last) continue;
                float *set = adam.sets + k * 2 * d + from + j, *first = adam.first + k * gradient_len + from + j;
                float* second = adam.second + k * gradient_len + from + j;
                const float center = set[0] - adam.unit * parameter_step(factors, by_center * adam.unit, first[0], second[0]);
                const float u = parameter_step(factors, by_width, first[d], second[d]);
                // second-order approximation of exp(−u); u is much smaller than 1
                const float inverse = fminf(set[d] * (1.0f - u + 0.5f * u * u), adam.max_inverse_width);
                set[0] = center;
                set[d] = inverse;
                if (!adam.gated) {
                    of.a[at] = inverse;
                    of.c[at] = inverse * center;
                }
            }
        }
}

// Gradients and update of the consequents.
__device__ __noinline__ void update_consequents(const BlockRules& of, const BlockAdam& adam) {
    const StepFactors factors = adam.factors;
    const int d = of.dims, outputs = of.outputs;
    ROLLED for (int item = threadIdx.x; item < of.rules * outputs; item += THREADS) {
        const int k = item / outputs, l = item - k * outputs;
        const int at = k * (2 * d + outputs) + 2 * d + l;
        float derivative = 0.0f;
#pragma unroll 4
        for (int s = 0; s < of.samples; s++)
            derivative = fmaf(of.phi[k * of.sample_stride + s], of.e[s * of.output_stride + l], derivative);
        of.w[k * outputs + l] -= parameter_step(factors, derivative, adam.first[at], adam.second[at]);
    }
}

// Update of the block's copy of the gates, then of a and c.
__device__ __noinline__ void update_gates(const BlockRules& of, const BlockAdam& adam, uint32* arrived, uint32& phase) {
    const int d = of.dims;
    float *gates = adam.gates, *gate_partials = adam.gate_partials;
    __syncthreads();    // gradients of all rules are written
    ROLLED for (int j = threadIdx.x; j < d; j += THREADS) {
        float sum = 0.0f;    // ∂/∂ln g is the sum of ∂/∂ln a over the rules
        ROLLED for (int k = 0; k < of.rules; k++) sum += adam.gradients[k * 2 * d + d + j];
        gate_partials[of.rank * d + j] = sum;
    }
    group_barrier(arrived, phase, of.blocks);
    const StepFactors gate_factors{GATE_RATE_FACTOR * adam.factors.rate, adam.factors.first, adam.factors.second};
    ROLLED for (int j = threadIdx.x; j < d; j += THREADS) {
        float sum = 0.0f;
#pragma unroll 4
        for (int b = 0; b < of.blocks; b++) sum += gate_partials[b * d + j];
        const float gate = gates[j], divisor = fabsf(gate) < 1e-6f ? 1e-6f : gate;
        const float derivative = sum / divisor + copysignf(GATE_PENALTY, gate);
        gates[j] = gate - parameter_step(gate_factors, derivative, gates[d + j], gates[2 * d + j]);
    }
    __syncthreads();
    ROLLED for (int item = threadIdx.x; item < of.rules * d; item += THREADS) {
        const int k = item / d, j = item - k * d;
        const float* set = adam.sets + k * 2 * d + j;
        const float a = set[d] * fabsf(gates[j]);
        of.a[k * of.stride + j] = a;
        of.c[k * of.stride + j] = a * set[0];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) learn_batches(
    const float* __restrict__ rows,        // n x row: inputs, targets and index of the largest target, padded to fours
    const uint32* __restrict__ order,      // rows of all networks, concatenated
    const int* __restrict__ tasks,         // for each block its network; then networks x TASK_VALUES
    const float* __restrict__ factors,     // for each network: unit of the centers, largest 1/σ, then batches x StepFactors
    float* a,                              // networks x capacity x stride
    float* c,                              // as a
    float* w,                              // networks x capacity x outputs
    float* sets,                           // networks x capacity x 2·dims
    float* first,                          // networks x capacity x (2·dims + outputs)
    float* second,                         // as first
    float* gradients,                      // as sets
    float* gates,                          // blocks x 3·dims
    float* gate_partials,                  // blocks x dims
    float* partials,                       // for each network: 2 x batch x blocks x (2 + outputs)
    float* scratch,                        // blocks x block_values, if the block's buffers are not in shared memory
    uint32* arrived,                       // networks, zeroed
    double* losses,                        // networks
    uint32* misclassified,                 // networks
    const int dims, const int outputs, const int capacity, const int block_values, const int in_shared) {
    DYNAMIC_SHARED(float, dynamic);
    __shared__ float xs[TILE_INPUTS][33];
    __shared__ float shared[WARPS * TILE_RULES * 32];
    __shared__ double warp_losses[WARPS];
    __shared__ uint32 warp_misclassified[WARPS];
    __shared__ BlockRules of;
    __shared__ BlockAdam adam;
    const int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5, network = tasks[blockIdx.x];
    const int* values = tasks + gridDim.x + network * TASK_VALUES;
    const Task task{values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], values[8], values[9]};
    if (thread == 0) {
        of.dims = dims;
        of.stride = PADDED(dims);
        of.outputs = outputs;
        of.row = of.stride + PADDED(outputs + 1);
        of.rank = blockIdx.x - task.first_block;
        of.blocks = task.blocks;
        of.cross_entropy = task.cross_entropy;
        const int first_rule = (int)((int64)task.rules * of.rank / of.blocks);
        of.rules = (int)((int64)task.rules * (of.rank + 1) / of.blocks) - first_rule;
        const int64 rule = (int64)network * capacity + first_rule;
        of.a = a + rule * of.stride;
        of.c = c + rule * of.stride;
        of.w = w + rule * outputs;
        of.rows = rows;
        of.sample_stride = ((task.batch + 31) & ~31) + 1;
        of.output_stride = outputs | 1;
        of.phi = in_shared ? dynamic : scratch + (int64)blockIdx.x * block_values;
        of.q = of.phi + of.rules * of.sample_stride;
        of.y = of.q + of.rules * of.sample_stride;
        of.e = of.y + task.batch * of.output_stride;
        of.nearest = of.e + task.batch * of.output_stride;
        of.total = of.nearest + task.batch;
        adam.sets = sets + rule * 2 * dims;
        adam.first = first + rule * (2 * dims + outputs);
        adam.second = second + rule * (2 * dims + outputs);
        adam.gradients = gradients + rule * 2 * dims;
        adam.gates = gates + (int64)blockIdx.x * 3 * dims;
        adam.gate_partials = gate_partials + (int64)task.first_block * dims;
        adam.unit = factors[task.first_factor];
        adam.max_inverse_width = factors[task.first_factor + 1];
        adam.gated = task.gated;
    }
    uint32 phase = 0, misclassified_count = 0;
    double loss = 0.0;
    const float* step = factors + task.first_factor + 2;
    for (int from = 0, parity = 0; from < task.samples; from += task.batch, parity ^= 1, step += 3) {
        if (thread == 0) {
            of.order = order + task.first_row + from;
            of.samples = min(task.batch, task.samples - from);
            // Double-buffered: a block may write the partial outputs of a batch while others still read those of the
            // batch before it, but not those of the batch before that.
            of.partials = partials + task.first_partial + (int64)parity * task.batch * task.blocks * (2 + outputs);
            adam.factors = StepFactors{step[0], step[1], step[2]};
        }
        __syncthreads();
        compute_distances(of, xs, shared);
        __syncthreads();
        write_partials(of);
        group_barrier(arrived + network, phase, task.blocks);
        for (int s = warp; s < of.samples; s += WARPS) {
            combine_partials(of, s);
            loss += (double)loss_gradient(of, s);
            if (of.rank == 0) misclassified_count += is_misclassified(of, s);
        }
        __syncthreads();
        compute_firing(of);
        __syncthreads();
        update_sets(of, adam, xs);
        update_consequents(of, adam);
        if (adam.gated) update_gates(of, adam, arrived + network, phase);
        __syncthreads();
    }
    if (lane == 0) {
        warp_losses[warp] = loss;
        warp_misclassified[warp] = misclassified_count;
    }
    __syncthreads();
    if (thread == 0 && of.rank == 0) {
        for (int i = 1; i < WARPS; i++) {
            loss += warp_losses[i];
            misclassified_count += warp_misclassified[i];
        }
        losses[network] = loss;
        misclassified[network] = misclassified_count;
    }
}
