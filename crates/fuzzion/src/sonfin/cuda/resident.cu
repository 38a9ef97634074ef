// Online training with a single launch: a group of GROUP_BLOCKS blocks keeps each network in its shared memory from
// the first sample of a run to the last. Rule k belongs to block k % GROUP_BLOCKS, where it has the
// slot k / GROUP_BLOCKS. For each sample every block computes D of its own rules and their partial sums and sends
// them to the group; from the values of all blocks, each block computes the outputs, makes the structure decision
// and updates its own rules.
//
// Constants: DIMS, OUTPUTS, GROUP_BLOCKS, CLUSTERED, THREADS, ALL_SHARED (all slots are in shared memory), MISSING,
// STAGES, STEP_SETTINGS.

// If STAGES is 1, the first thread of the first block records the clock cycles of each stage.
#if STAGES
#define STAGE(n)                                                                     \
    do {                                                                             \
        const int64 now = clock64();                                                 \
        spent[n] += now - since;                                                     \
        since = now;                                                                 \
    } while (0)
#else
#define STAGE(n)
#endif

#define PADDED(count) (((count) + 3) & ~3)
#define STRIDE PADDED(DIMS)
#define QUADS (STRIDE / 4)
#define ROW (STRIDE + PADDED(OUTPUTS + 1))
#define SLOT (2 * STRIDE + PADDED(OUTPUTS))
#define LANES (QUADS > 16 ? 32 : QUADS > 8 ? 16 : QUADS > 4 ? 8 : 4)    // lanes per rule
#define PER_WARP (32 / LANES)
#define WARPS (THREADS / 32)
#define NO_RULE 0xffffffffu    // smallest D of a block without rules

// Buffers in shared memory. Slots from `shared_slots` on stay in global memory, where only this block accesses
// them.
struct SharedBuffers {
    float* rows;           // 2 x ROW: current and next sample, alternating
    float* y;              // OUTPUTS
    float* e;
    float* partials;       // partial sums of D of each slot
    float* phi;            // φ of the updated slots
    int* updated_slots;    // indices of the updated slots
    float* rules;          // shared_slots x (a, c, w)
};

// Asynchronous copy of 16 bytes from global to shared memory.
__device__ inline void copy_async(float* to, const float* from) {
#ifdef FUZZION_EMULATOR
    *(float4*)to = *(const float4*)from;
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
#endif
}

__device__ inline void wait_copies() {
#ifndef FUZZION_EMULATOR
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// D over every `step`-th quad of inputs of a rule, starting at `first`.
__device__ inline float partial_distance(const float* a, const float* c, const float* x, const int first, const int step) {
    float sum = 0.0f;
#pragma unroll 4
    for (int i = first; i < QUADS; i += step)
        sum = add_squares(((const float4*)a)[i], ((const float4*)c)[i], ((const float4*)x)[i], sum);
    return sum;
}

__device__ inline void update_inputs(float* a, float* c, const float* x, const int first, const int step, const float p,
                                     const float t, const StepSettings& settings) {
#pragma unroll 2
    for (int i = first; i < QUADS; i += step) {
        float4 inverse = ((float4*)a)[i], center = ((float4*)c)[i];
        update_input(inverse, center, ((const float4*)x)[i], p, t, settings);
        ((float4*)a)[i] = inverse;
        ((float4*)c)[i] = center;
    }
}

// Σₗ eₗ·(wₗ − yₗ), computed by LANES lanes.
__device__ inline float output_gradient(const float* w, const SharedBuffers& buf, const int lane) {
    float sum = 0.0f;
#pragma unroll 4
    for (int l = lane; l < OUTPUTS; l += LANES) sum = fmaf(buf.e[l], w[l] - buf.y[l], sum);
    return warp_sum(sum, LANES);
}

// Number of parts of a rule, as a power of two, so that `tasks` rules keep all warps busy.
__device__ inline int log2_parts(const int tasks) {
    if (LANES < 32 || tasks == 0 || 2 * tasks > WARPS) return 0;
    return min(4, 31 - __clz(WARPS / tasks));
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) learn_resident(
    const float* __restrict__ rows,            // n x ROW: inputs, targets and index of the largest target, padded to fours
    const uint32* __restrict__ order,          // rows of all runs, concatenated
    const int* __restrict__ runs,              // networks x (start in `order`, length)
    const float* __restrict__ all_settings,    // networks x STEP_SETTINGS
    const int* __restrict__ replay,            // as `order` if decisions are replayed
    float* __restrict__ a,                     // networks x capacity x STRIDE
    float* __restrict__ c,                     // as a
    float* __restrict__ w,                     // networks x capacity x OUTPUTS
    int* __restrict__ rules,                   // networks
    int* __restrict__ decisions,               // as `order`
    double* __restrict__ losses,               // networks
    uint32* __restrict__ misclassified,        // networks
    uint64* __restrict__ messages,             // networks x 2 x VALUES x GROUP_BLOCKS, zeroed; unused by clusters
    int64* __restrict__ stages,                // 6 if STAGES
    const int capacity, const int shared_slots, const int use_replay) {
    DYNAMIC_SHARED(float, shared);
    const int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5, network = blockIdx.x / GROUP_BLOCKS;
    const int slots = (capacity + GROUP_BLOCKS - 1) / GROUP_BLOCKS;
#if CLUSTERS
    BlockGroup group{(int)blockIdx.x % GROUP_BLOCKS, (uint64*)shared, shared};
    float* const rest = shared + 4 * VALUES * GROUP_BLOCKS;
    for (int i = thread; i < 2 * VALUES * GROUP_BLOCKS; i += THREADS) group.messages[i] = 0;
#else
    BlockGroup group{(int)blockIdx.x % GROUP_BLOCKS, messages + (int64)network * 2 * VALUES * GROUP_BLOCKS, shared};
    float* const rest = shared + PADDED(VALUES * GROUP_BLOCKS);
#endif
    SharedBuffers buf;
    buf.rows = rest;
    buf.y = buf.rows + 2 * ROW;
    buf.e = buf.y + PADDED(OUTPUTS);
    buf.partials = buf.e + PADDED(OUTPUTS);
    buf.phi = buf.partials + PADDED(slots) + 64;    // few slots are split into at most 2·WARPS ≤ 64 parts
    buf.updated_slots = (int*)(buf.phi + PADDED(slots));
    buf.rules = buf.phi + 2 * PADDED(slots);
    const StepSettings settings = load_settings(all_settings, network);
    a += (int64)network * capacity * STRIDE;
    c += (int64)network * capacity * STRIDE;
    w += (int64)network * capacity * OUTPUTS;
    int count = rules[network], own_rules = (count - group.rank + GROUP_BLOCKS - 1) / GROUP_BLOCKS;
    // A compile-time constant if all slots are in shared memory.
    const auto in_shared = [&](const int slot) { return ALL_SHARED || slot < shared_slots; };
    const auto shared_rule = [&](const int slot) { return buf.rules + slot * SLOT; };
    const auto rule_index = [&](const int slot) { return (int64)slot * GROUP_BLOCKS + group.rank; };
    for (int slot = warp; slot < min(own_rules, shared_slots); slot += WARPS) {
        float* to = shared_rule(slot);
        for (int j = lane; j < STRIDE; j += 32) {
            to[j] = a[rule_index(slot) * STRIDE + j];
            to[STRIDE + j] = c[rule_index(slot) * STRIDE + j];
        }
        for (int l = lane; l < OUTPUTS; l += 32) to[2 * STRIDE + l] = w[rule_index(slot) * OUTPUTS + l];
    }
    const int lane_group = lane / LANES, group_lane = lane % LANES;
    const int begin = runs[2 * network], samples = runs[2 * network + 1];
    order += begin;
    replay += use_replay ? begin : 0;
    decisions += begin;
    if (samples > 0)
        for (int i = 4 * thread; i < ROW; i += 4 * THREADS) copy_async(buf.rows + i, rows + (int64)order[0] * ROW + i);
    wait_copies();
    __syncthreads();
    cluster_barrier();    // all blocks of the group have started, and their messages are cleared
    double loss = 0.0;
    unsigned misclassified_count = 0;
    int64 next = samples > 1 ? order[1] : 0;
#if STAGES
    int64 spent[6] = {}, since = clock64();
#endif

    for (int i = 0; i < samples; i++) {
        const int parity = i & 1;
        const unsigned sample = (unsigned)i + 1;
        const float* x = buf.rows + parity * ROW;
        const float* t = x + STRIDE;
        if (i + 1 < samples)
            for (int j = 4 * thread; j < ROW; j += 4 * THREADS)
                copy_async(buf.rows + (parity ^ 1) * ROW + j, rows + next * ROW + j);
        if (i + 2 < samples) next = order[i + 2];    // loaded one sample before its row is needed
        // D of the block's own rules.
        const int part_bits = log2_parts(own_rules), parts = 1 << part_bits, tasks = own_rules << part_bits;
        for (int base = warp * PER_WARP; base < tasks; base += WARPS * PER_WARP) {
            const int task = base + lane_group, slot = task >> part_bits, from = (task & (parts - 1)) * LANES + group_lane;
            float sum = 0.0f;
            if (task < tasks) {
                if (in_shared(slot))
                    sum = partial_distance(shared_rule(slot), shared_rule(slot) + STRIDE, x, from, parts * LANES);
                else
                    sum = partial_distance(a + rule_index(slot) * STRIDE, c + rule_index(slot) * STRIDE, x, from, parts * LANES);
            }
            sum = warp_sum(sum, LANES);
            if (task < tasks && group_lane == 0) buf.partials[task] = sum;
        }
        __syncthreads();
        STAGE(0);
        // Partial sums relative to the smallest D of the block.
        const auto distance_of = [&](const int slot) {
            float sum = buf.partials[slot << part_bits];
            for (int part = 1; part < parts; part++) sum += buf.partials[(slot << part_bits) + part];
            return fminf(sum, MAX_DISTANCE);
        };
        // Distances and exponentials of the first 32 slots are computed once; most networks have no more per block.
        float first = lane < own_rules ? distance_of(lane) : MAX_DISTANCE;
        unsigned min_bits = lane < own_rules ? __float_as_uint(first) : NO_RULE;
        int nearest = lane < own_rules ? lane * GROUP_BLOCKS + group.rank : 0x7fffffff;
        for (int slot = lane + 32; slot < own_rules; slot += 32) {
            const unsigned d = __float_as_uint(distance_of(slot));
            if (d < min_bits) {
                min_bits = d;
                nearest = slot * GROUP_BLOCKS + group.rank;
            }
        }
        warp_nearest(min_bits, nearest);
        const float first_exp = lane < own_rules ? expf(__uint_as_float(min_bits) - first) : 0.0f;
        if (warp == 0) {
            send_value(group, parity, sample, 0, __uint_as_float(min_bits));
            send_value(group, parity, sample, 1, __int_as_float(nearest));
        }
        for (int l = warp - 1; l < OUTPUTS; l += WARPS) {    // -1: Σ exp
            float value = 0.0f;
            for (int slot = lane; slot < own_rules; slot += 32) {
                const float u = slot < 32 ? first_exp : expf(__uint_as_float(min_bits) - distance_of(slot));
                const float consequent = l < 0             ? 1.0f
                                         : in_shared(slot) ? shared_rule(slot)[2 * STRIDE + l]
                                                           : w[rule_index(slot) * OUTPUTS + l];
                value = fmaf(u, consequent, value);
            }
            send_value(group, parity, sample, 3 + l, warp_sum(value, 32));
        }
        STAGE(1);
        receive_values(group, parity, sample, 0, 3 + OUTPUTS);
        // Combine the values of all blocks; every warp of every block computes the same result.
        float block_min = lane < GROUP_BLOCKS ? received_value(group, parity, sample, 0, lane) : 0.0f;
        min_bits = lane < GROUP_BLOCKS ? __float_as_uint(block_min) : NO_RULE;
        nearest = lane < GROUP_BLOCKS ? __float_as_int(received_value(group, parity, sample, 1, lane)) : 0x7fffffff;
        for (int b = lane + 32; b < GROUP_BLOCKS; b += 32) {
            const unsigned d = __float_as_uint(received_value(group, parity, sample, 0, b));
            const int k = __float_as_int(received_value(group, parity, sample, 1, b));
            if (d < min_bits || (d == min_bits && k < nearest)) {
                min_bits = d;
                nearest = k;
            }
        }
        STAGE(2);
        warp_nearest(min_bits, nearest);
        float min_distance = __uint_as_float(min_bits);
        // Σ over the blocks of value `index`, rescaled to the smallest D of all blocks.
        const auto block_scale_of = [&](const float d) {
            return __float_as_uint(d) == NO_RULE ? 0.0f : expf(__uint_as_float(min_bits) - d);
        };
        const float block_scale = lane < GROUP_BLOCKS ? block_scale_of(block_min) : 0.0f;
        const auto combine = [&](const int index) {
            float sum = lane < GROUP_BLOCKS ? block_scale * received_value(group, parity, sample, index, lane) : 0.0f;
            for (int b = lane + 32; b < GROUP_BLOCKS; b += 32)
                sum = fmaf(block_scale_of(received_value(group, parity, sample, 0, b)),
                           received_value(group, parity, sample, index, b), sum);
            return warp_sum(sum, 32);
        };
        float total = combine(2);
        int decision = NONE;
        if (use_replay) decision = replay[i];
        else if (count < settings.max_rules) {
            if (count == 0) decision = FIRST;
            else if (-min_distance <= settings.ln_threshold) decision = nearest;
        }
        float scale = 1.0f;    // scale of the existing sums relative to a new rule with D = 0
        if (decision != NONE) {
            float square = 0.0f;
            if (decision != FIRST && settings.width_rule != 2) {
                // The owner of the nearest rule sends its squared distance.
                const int owner = decision % GROUP_BLOCKS, slot = decision / GROUP_BLOCKS;
                if (owner == group.rank) {
                    float sum = 0.0f;
                    for (int j = lane; j < DIMS; j += 32)
                        sum += in_shared(slot)
                                   ? squared_distance(shared_rule(slot)[j], shared_rule(slot)[STRIDE + j], x[j])
                                   : squared_distance(a[rule_index(slot) * STRIDE + j], c[rule_index(slot) * STRIDE + j], x[j]);
                    square = warp_sum(sum, 32);
                }
                if (warp == 0) send_value(group, parity, sample, VALUES - 1, square);
                receive_values(group, parity, sample, VALUES - 1, VALUES);
                square = received_value(group, parity, sample, VALUES - 1, owner);
            }
            const float width = rule_width(settings, square, min_distance, decision == FIRST);
            const int slot = count / GROUP_BLOCKS;
            __syncthreads();    // all warps have finished reading before the new rule is written
            if (count % GROUP_BLOCKS == group.rank) {
                for (int j = thread; j < STRIDE; j += THREADS) {
                    const float value = j < DIMS ? x[j] : __uint_as_float(0x7fc00000u);    // NaN: padding is ignored
                    if (in_shared(slot)) write_input(shared_rule(slot), shared_rule(slot) + STRIDE, j, value, width);
                    else write_input(a + rule_index(slot) * STRIDE, c + rule_index(slot) * STRIDE, j, value, width);
                }
                for (int l = thread; l < OUTPUTS; l += THREADS) {
                    if (in_shared(slot)) shared_rule(slot)[2 * STRIDE + l] = t[l];
                    else w[rule_index(slot) * OUTPUTS + l] = t[l];
                }
                if (thread < parts) buf.partials[(slot << part_bits) + thread] = 0.0f;
                if (lane == own_rules) first = 0.0f;
                own_rules++;
            }
            __syncthreads();
            count++;
            scale = decision == FIRST ? 0.0f : expf(-min_distance);
            total = decision == FIRST ? 1.0f : fmaf(total, scale, 1.0f);
            min_distance = 0.0f;
        }
        const float inverse = 1.0f / total;
        for (int l = warp; l < OUTPUTS; l += WARPS) {
            float sum = combine(3 + l);
            if (decision != NONE) sum = decision == FIRST ? t[l] : fmaf(sum, scale, t[l]);
            if (lane == 0) {
                buf.y[l] = sum * inverse;
                buf.e[l] = sum * inverse - t[l];
            }
        }
        // Select the block's own rules to update.
        int updated = 0;
        for (int base = 0; base < own_rules; base += 32) {
            const int slot = base + lane;
            const float d = base == 0 ? first : slot < own_rules ? distance_of(slot) : MAX_DISTANCE;
            const float phi = slot < own_rules ? expf(min_distance - d) * inverse : 0.0f;
            const unsigned update_mask = __ballot_sync(FULL_WARP, phi >= MIN_UPDATE_FIRING);
            if (warp == WARPS - 1 && phi >= MIN_UPDATE_FIRING) {
                const int position = updated + __popc(update_mask & ((1u << lane) - 1u));
                buf.updated_slots[position] = slot;
                buf.phi[position] = phi;
            }
            updated += __popc(update_mask);
        }
        const int label = (int)t[OUTPUTS];
        __syncthreads();
        STAGE(3);
        if (settings.cross_entropy) {
            float highest = -MAX_DISTANCE, sum = 0.0f;
            for (int l = 0; l < OUTPUTS; l++) highest = fmaxf(highest, buf.y[l]);
            for (int l = 0; l < OUTPUTS; l++) sum += expf(buf.y[l] - highest);
            if (thread == THREADS - 32) loss += logf(sum) + highest - buf.y[label];
            for (int l = thread; l < OUTPUTS; l += THREADS) buf.e[l] = expf(buf.y[l] - highest) / sum - t[l];
            __syncthreads();
        }
        const int piece_bits = log2_parts(updated), pieces = 1 << piece_bits, update_count = updated << piece_bits;
        for (int base = warp * PER_WARP; base < update_count; base += WARPS * PER_WARP) {
            const int task = base + lane_group, entry = min(task, update_count - 1) >> piece_bits;
            const int slot = buf.updated_slots[entry], from = (task & (pieces - 1)) * LANES + group_lane;
            const float q = buf.phi[entry] *
                            (in_shared(slot) ? output_gradient(shared_rule(slot) + 2 * STRIDE, buf, group_lane)
                                             : output_gradient(w + rule_index(slot) * OUTPUTS, buf, group_lane));
            const float p = -2.0f * settings.rate_m * q, s = 2.0f * settings.rate_s * q;
            if (task >= update_count) continue;
            if (in_shared(slot))
                update_inputs(shared_rule(slot), shared_rule(slot) + STRIDE, x, from, pieces * LANES, p, s, settings);
            else
                update_inputs(a + rule_index(slot) * STRIDE, c + rule_index(slot) * STRIDE, x, from, pieces * LANES, p, s, settings);
        }
        STAGE(4);
        wait_copies();
        __syncthreads();
        for (int entry = warp; entry < updated; entry += WARPS) {
            const int slot = buf.updated_slots[entry];
            const float step = settings.rate_w * buf.phi[entry];
            for (int l = lane; l < OUTPUTS; l += 32) {
                if (in_shared(slot)) shared_rule(slot)[2 * STRIDE + l] -= step * buf.e[l];
                else w[rule_index(slot) * OUTPUTS + l] -= step * buf.e[l];
            }
        }
        if (group.rank == 0 && warp == WARPS - 1) {
            // Statistics.
            float high = -MAX_DISTANCE, squares = 0.0f;
            int best = 0x7fffffff;
            for (int l = lane; l < OUTPUTS; l += 32) {
                if (buf.y[l] > high) {
                    high = buf.y[l];
                    best = l;
                }
                squares = fmaf(buf.e[l], buf.e[l], squares);
            }
            const unsigned bits = __float_as_uint(high), key = bits >> 31 ? ~bits : bits | 0x80000000u;
            const unsigned highest = __reduce_max_sync(FULL_WARP, key);
            best = (int)__reduce_min_sync(FULL_WARP, key == highest ? (unsigned)best : 0x7fffffffu);
            squares = warp_sum(squares, 32);
            if (!settings.cross_entropy) loss += 0.5 * (double)squares;
            misclassified_count += best != label;
            if (lane == 0) decisions[i] = decision;
        }
        STAGE(5);
    }
    __syncthreads();
#if STAGES
    if (blockIdx.x == 0 && thread == 0)
        for (int n = 0; n < 6; n++) stages[n] = spent[n];
#endif
    for (int slot = warp; slot < min(own_rules, shared_slots); slot += WARPS) {
        const float* from = shared_rule(slot);
        for (int j = lane; j < STRIDE; j += 32) {
            a[rule_index(slot) * STRIDE + j] = from[j];
            c[rule_index(slot) * STRIDE + j] = from[STRIDE + j];
        }
        for (int l = lane; l < OUTPUTS; l += 32) w[rule_index(slot) * OUTPUTS + l] = from[2 * STRIDE + l];
    }
    if (group.rank == 0 && thread == THREADS - 32) {
        rules[network] = count;
        losses[network] = loss;
        misclassified[network] = misclassified_count;
    }
    cluster_barrier();    // no block exits while others may still write to its shared memory
}
