// Networks that learn on-line, each held by a team of TEAM blocks in their shared memory, from the first sample of a lesson to
// the last without coming back. Rule k belongs to block k % TEAM, as its rule k / TEAM (its slot). For each sample every block
// finds D of its own rules, sums what they say, and tells the team; with what all told, each block decides and moves its own.
//
// Constants: DIMS, OUTPUTS, TEAM, CLUSTERED, THREADS, WHOLE (all slots are on chip), MISSING, STAGES, COURSE.

// Where STAGES is 1, the clocks that the first thread of the first block spends in each stage are kept.
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
#define LANES (QUADS > 16 ? 32 : QUADS > 8 ? 16 : QUADS > 4 ? 8 : 4)    // that share a rule
#define PER_WARP (32 / LANES)
#define WARPS (THREADS / 32)
#define NOBODY 0xffffffffu    // the nearest D of a block without rules

// Where a block keeps things. Slots from `on_chip` on stay in global memory, where the block alone reads and writes them.
struct Places {
    float* rows;     // 2 x ROW: this sample and the next, in turn
    float* y;        // OUTPUTS
    float* e;
    float* parts;    // D of each slot, in parts
    float* phi;      // of the slots that move
    int* list;       // which these are
    float* rules;    // on_chip x (a, c, w)
};

// 16 bytes from global to shared memory, while others go on.
__device__ inline void fetch(float* to, const float* from) {
#ifdef FUZZION_EMULATOR
    *(float4*)to = *(const float4*)from;
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
#endif
}

__device__ inline void fetched() {
#ifndef FUZZION_EMULATOR
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// D over every `step`-th four inputs of a rule from `at` on.
__device__ inline float far(const float* a, const float* c, const float* x, const int at, const int step) {
    float sum = 0.0f;
#pragma unroll 4
    for (int i = at; i < QUADS; i += step)
        sum = apart(((const float4*)a)[i], ((const float4*)c)[i], ((const float4*)x)[i], sum);
    return sum;
}

__device__ inline void shift(float* a, float* c, const float* x, const int at, const int step, const float p, const float t,
                             const Course& course) {
#pragma unroll 2
    for (int i = at; i < QUADS; i += step) {
        float4 own = ((float4*)a)[i], center = ((float4*)c)[i];
        move(own, center, ((const float4*)x)[i], p, t, course);
        ((float4*)a)[i] = own;
        ((float4*)c)[i] = center;
    }
}

// Σₗ eₗ·(wₗ − yₗ), by the LANES lanes of a group.
__device__ inline float pull(const float* w, const Places& at, const int lane) {
    float sum = 0.0f;
#pragma unroll 4
    for (int l = lane; l < OUTPUTS; l += LANES) sum = fmaf(at.e[l], w[l] - at.y[l], sum);
    return sum_of(sum, LANES);
}

// Into how many parts a rule is cut, as a power of two, so that `tasks` rules keep all warps busy.
__device__ inline int cuts_of(const int tasks) {
    if (LANES < 32 || tasks == 0 || 2 * tasks > WARPS) return 0;
    return min(4, 31 - __clz(WARPS / tasks));
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) learn_resident(
    const float* __restrict__ rows,       // n x ROW: inputs, targets and the largest target, padded to fours
    const uint32* __restrict__ order,     // the rows of all lessons, one after another
    const int* __restrict__ lessons,      // networks x (first in `order`, how many)
    const float* __restrict__ courses,    // networks x COURSE
    const int* __restrict__ replay,       // as `order`, where decisions are replayed
    float* __restrict__ a,                // networks x most x STRIDE
    float* __restrict__ c,                // as a
    float* __restrict__ w,                // networks x most x OUTPUTS
    int* __restrict__ rules,              // networks
    int* __restrict__ grown,              // as `order`
    double* __restrict__ losses,          // networks
    uint32* __restrict__ wrongs,          // networks
    uint64* __restrict__ mail,            // networks x 2 x SAID x TEAM, 0 at the launch; none for a cluster
    int64* __restrict__ stages,           // 6 where STAGES
    const int most, const int on_chip, const int replays) {
    DYNAMIC_SHARED(float, shared);
    const int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5, network = blockIdx.x / TEAM;
    const int slots = (most + TEAM - 1) / TEAM;
#if CLUSTERS
    Team team{(int)blockIdx.x % TEAM, (uint64*)shared, shared};
    float* const free = shared + 4 * SAID * TEAM;
    for (int i = thread; i < 2 * SAID * TEAM; i += THREADS) team.mail[i] = 0;
#else
    Team team{(int)blockIdx.x % TEAM, mail + (int64)network * 2 * SAID * TEAM, shared};
    float* const free = shared + PADDED(SAID * TEAM);
#endif
    Places at;
    at.rows = free;
    at.y = at.rows + 2 * ROW;
    at.e = at.y + PADDED(OUTPUTS);
    at.parts = at.e + PADDED(OUTPUTS);
    at.phi = at.parts + PADDED(slots) + 64;    // few slots are cut into at most 2·WARPS ≤ 64 parts
    at.list = (int*)(at.phi + PADDED(slots));
    at.rules = at.phi + 2 * PADDED(slots);
    const Course course = course_of(courses, network);
    a += (int64)network * most * STRIDE;
    c += (int64)network * most * STRIDE;
    w += (int64)network * most * OUTPUTS;
    int count = rules[network], own = (count - team.rank + TEAM - 1) / TEAM;
    // Which slots are on chip is known where all are.
    const auto here = [&](const int slot) { return WHOLE || slot < on_chip; };
    const auto rule_at = [&](const int slot) { return at.rules + slot * SLOT; };
    const auto k_of = [&](const int slot) { return (int64)slot * TEAM + team.rank; };
    for (int slot = warp; slot < min(own, on_chip); slot += WARPS) {
        float* to = rule_at(slot);
        for (int j = lane; j < STRIDE; j += 32) {
            to[j] = a[k_of(slot) * STRIDE + j];
            to[STRIDE + j] = c[k_of(slot) * STRIDE + j];
        }
        for (int l = lane; l < OUTPUTS; l += 32) to[2 * STRIDE + l] = w[k_of(slot) * OUTPUTS + l];
    }
    const int group = lane / LANES, in_group = lane % LANES;
    const int begin = lessons[2 * network], samples = lessons[2 * network + 1];
    order += begin;
    replay += replays ? begin : 0;
    grown += begin;
    if (samples > 0)
        for (int i = 4 * thread; i < ROW; i += 4 * THREADS) fetch(at.rows + i, rows + (int64)order[0] * ROW + i);
    fetched();
    __syncthreads();
    cluster_barrier();    // all blocks of the team have begun, and their boxes are empty
    double loss = 0.0;
    unsigned wrong = 0;
    int64 next = samples > 1 ? order[1] : 0;
#if STAGES
    int64 spent[6] = {}, since = clock64();
#endif

    for (int i = 0; i < samples; i++) {
        const int turn = i & 1;
        const unsigned sample = (unsigned)i + 1;
        const float* x = at.rows + turn * ROW;
        const float* t = x + STRIDE;
        if (i + 1 < samples)
            for (int j = 4 * thread; j < ROW; j += 4 * THREADS) fetch(at.rows + (turn ^ 1) * ROW + j, rows + next * ROW + j);
        if (i + 2 < samples) next = order[i + 2];    // asked for a whole sample before its row is
        // D of the own rules.
        const int cuts = cuts_of(own), parts = 1 << cuts, tasks = own << cuts;
        for (int base = warp * PER_WARP; base < tasks; base += WARPS * PER_WARP) {
            const int task = base + group, slot = task >> cuts, from = (task & (parts - 1)) * LANES + in_group;
            float sum = 0.0f;
            if (task < tasks) {
                if (here(slot)) sum = far(rule_at(slot), rule_at(slot) + STRIDE, x, from, parts * LANES);
                else sum = far(a + k_of(slot) * STRIDE, c + k_of(slot) * STRIDE, x, from, parts * LANES);
            }
            sum = sum_of(sum, LANES);
            if (task < tasks && in_group == 0) at.parts[task] = sum;
        }
        __syncthreads();
        STAGE(0);
        // What they say together, as if their nearest were D = 0.
        const auto far_of = [&](const int slot) {
            float sum = at.parts[slot << cuts];
            for (int part = 1; part < parts; part++) sum += at.parts[(slot << cuts) + part];
            return fminf(sum, FARTHEST);
        };
        // The first 32 slots, and most networks have no more in a block, are looked up and raised to e once.
        float first = lane < own ? far_of(lane) : FARTHEST;
        unsigned near = lane < own ? __float_as_uint(first) : NOBODY;
        int nearest = lane < own ? lane * TEAM + team.rank : 0x7fffffff;
        for (int slot = lane + 32; slot < own; slot += 32) {
            const unsigned d = __float_as_uint(far_of(slot));
            if (d < near) {
                near = d;
                nearest = slot * TEAM + team.rank;
            }
        }
        nearest_of(near, nearest);
        const float u_first = lane < own ? expf(__uint_as_float(near) - first) : 0.0f;
        if (warp == 0) {
            tell(team, turn, sample, 0, __uint_as_float(near));
            tell(team, turn, sample, 1, __int_as_float(nearest));
        }
        for (int l = warp - 1; l < OUTPUTS; l += WARPS) {    // -1: what all say together, Σ exp
            float value = 0.0f;
            for (int slot = lane; slot < own; slot += 32) {
                const float u = slot < 32 ? u_first : expf(__uint_as_float(near) - far_of(slot));
                const float says = l < 0 ? 1.0f : here(slot) ? rule_at(slot)[2 * STRIDE + l] : w[k_of(slot) * OUTPUTS + l];
                value = fmaf(u, says, value);
            }
            tell(team, turn, sample, 3 + l, sum_of(value, 32));
        }
        STAGE(1);
        hear(team, turn, sample, 0, 3 + OUTPUTS);
        // The whole network: every warp of every block finds the same.
        float theirs = lane < TEAM ? said(team, turn, sample, 0, lane) : 0.0f;
        near = lane < TEAM ? __float_as_uint(theirs) : NOBODY;
        nearest = lane < TEAM ? __float_as_int(said(team, turn, sample, 1, lane)) : 0x7fffffff;
        for (int b = lane + 32; b < TEAM; b += 32) {
            const unsigned d = __float_as_uint(said(team, turn, sample, 0, b));
            const int k = __float_as_int(said(team, turn, sample, 1, b));
            if (d < near || (d == near && k < nearest)) {
                near = d;
                nearest = k;
            }
        }
        STAGE(2);
        nearest_of(near, nearest);
        float least = __uint_as_float(near);
        // Σ over the blocks of word `word`, each in proportion to its nearest rule.
        const auto share_of = [&](const float d) { return __float_as_uint(d) == NOBODY ? 0.0f : expf(__uint_as_float(near) - d); };
        const float share = lane < TEAM ? share_of(theirs) : 0.0f;
        const auto together = [&](const int word) {
            float sum = lane < TEAM ? share * said(team, turn, sample, word, lane) : 0.0f;
            for (int b = lane + 32; b < TEAM; b += 32)
                sum = fmaf(share_of(said(team, turn, sample, 0, b)), said(team, turn, sample, word, b), sum);
            return sum_of(sum, 32);
        };
        float total = together(2);
        int decision = NONE;
        if (replays) decision = replay[i];
        else if (count < course.most_rules) {
            if (count == 0) decision = FIRST;
            else if (-least <= course.ln_threshold) decision = nearest;
        }
        float scale = 1.0f;    // of what the others say, beside the new rule with D = 0
        if (decision != NONE) {
            float square = 0.0f;
            if (decision != FIRST && course.width_rule != 2) {
                // The block that has the nearest rule tells how far it is.
                const int holder = decision % TEAM, slot = decision / TEAM;
                if (holder == team.rank) {
                    float sum = 0.0f;
                    for (int j = lane; j < DIMS; j += 32)
                        sum += here(slot) ? distance_square(rule_at(slot)[j], rule_at(slot)[STRIDE + j], x[j])
                                          : distance_square(a[k_of(slot) * STRIDE + j], c[k_of(slot) * STRIDE + j], x[j]);
                    square = sum_of(sum, 32);
                }
                if (warp == 0) tell(team, turn, sample, SAID - 1, square);
                hear(team, turn, sample, SAID - 1, SAID);
                square = said(team, turn, sample, SAID - 1, holder);
            }
            const float size = width_of(course, square, least, decision == FIRST);
            const int slot = count / TEAM;
            __syncthreads();    // the distance may have been that of the rule whose place this is in another turn
            if (count % TEAM == team.rank) {
                for (int j = thread; j < STRIDE; j += THREADS) {
                    const float value = j < DIMS ? x[j] : __uint_as_float(0x7fc00000u);    // padding asks for nothing
                    if (here(slot)) found(rule_at(slot), rule_at(slot) + STRIDE, j, value, size);
                    else found(a + k_of(slot) * STRIDE, c + k_of(slot) * STRIDE, j, value, size);
                }
                for (int l = thread; l < OUTPUTS; l += THREADS) {
                    if (here(slot)) rule_at(slot)[2 * STRIDE + l] = t[l];
                    else w[k_of(slot) * OUTPUTS + l] = t[l];
                }
                if (thread < parts) at.parts[(slot << cuts) + thread] = 0.0f;
                if (lane == own) first = 0.0f;
                own++;
            }
            __syncthreads();
            count++;
            scale = decision == FIRST ? 0.0f : expf(-least);
            total = decision == FIRST ? 1.0f : fmaf(total, scale, 1.0f);
            least = 0.0f;
        }
        const float inverse = 1.0f / total;
        for (int l = warp; l < OUTPUTS; l += WARPS) {
            float sum = together(3 + l);
            if (decision != NONE) sum = decision == FIRST ? t[l] : fmaf(sum, scale, t[l]);
            if (lane == 0) {
                at.y[l] = sum * inverse;
                at.e[l] = sum * inverse - t[l];
            }
        }
        // The own rules that move.
        int moved = 0;
        for (int base = 0; base < own; base += 32) {
            const int slot = base + lane;
            const float d = base == 0 ? first : slot < own ? far_of(slot) : FARTHEST;
            const float phi = slot < own ? expf(least - d) * inverse : 0.0f;
            const unsigned moves = __ballot_sync(FULL_WARP, phi >= UNMOVED);
            if (warp == WARPS - 1 && phi >= UNMOVED) {
                const int place = moved + __popc(moves & ((1u << lane) - 1u));
                at.list[place] = slot;
                at.phi[place] = phi;
            }
            moved += __popc(moves);
        }
        const int label = (int)t[OUTPUTS];
        __syncthreads();
        STAGE(3);
        if (course.cross_entropy) {
            float highest = -FARTHEST, sum = 0.0f;
            for (int l = 0; l < OUTPUTS; l++) highest = fmaxf(highest, at.y[l]);
            for (int l = 0; l < OUTPUTS; l++) sum += expf(at.y[l] - highest);
            if (thread == THREADS - 32) loss += logf(sum) + highest - at.y[label];
            for (int l = thread; l < OUTPUTS; l += THREADS) at.e[l] = expf(at.y[l] - highest) / sum - t[l];
            __syncthreads();
        }
        const int halvings = cuts_of(moved), pieces = 1 << halvings, moves = moved << halvings;
        for (int base = warp * PER_WARP; base < moves; base += WARPS * PER_WARP) {
            const int task = base + group, entry = min(task, moves - 1) >> halvings;
            const int slot = at.list[entry], from = (task & (pieces - 1)) * LANES + in_group;
            const float q = at.phi[entry] * (here(slot) ? pull(rule_at(slot) + 2 * STRIDE, at, in_group)
                                                        : pull(w + k_of(slot) * OUTPUTS, at, in_group));
            const float p = -2.0f * course.rate_m * q, s = 2.0f * course.rate_s * q;
            if (task >= moves) continue;
            if (here(slot)) shift(rule_at(slot), rule_at(slot) + STRIDE, x, from, pieces * LANES, p, s, course);
            else shift(a + k_of(slot) * STRIDE, c + k_of(slot) * STRIDE, x, from, pieces * LANES, p, s, course);
        }
        STAGE(4);
        fetched();
        __syncthreads();
        for (int entry = warp; entry < moved; entry += WARPS) {
            const int slot = at.list[entry];
            const float step = course.rate_w * at.phi[entry];
            for (int l = lane; l < OUTPUTS; l += 32) {
                if (here(slot)) rule_at(slot)[2 * STRIDE + l] -= step * at.e[l];
                else w[k_of(slot) * OUTPUTS + l] -= step * at.e[l];
            }
        }
        if (team.rank == 0 && warp == WARPS - 1) {
            // How it went.
            float high = -FARTHEST, squares = 0.0f;
            int which = 0x7fffffff;
            for (int l = lane; l < OUTPUTS; l += 32) {
                if (at.y[l] > high) {
                    high = at.y[l];
                    which = l;
                }
                squares = fmaf(at.e[l], at.e[l], squares);
            }
            const unsigned bits = __float_as_uint(high), key = bits >> 31 ? ~bits : bits | 0x80000000u;
            const unsigned highest = __reduce_max_sync(FULL_WARP, key);
            which = (int)__reduce_min_sync(FULL_WARP, key == highest ? (unsigned)which : 0x7fffffffu);
            squares = sum_of(squares, 32);
            if (!course.cross_entropy) loss += 0.5 * (double)squares;
            wrong += which != label;
            if (lane == 0) grown[i] = decision;
        }
        STAGE(5);
    }
    __syncthreads();
#if STAGES
    if (blockIdx.x == 0 && thread == 0)
        for (int n = 0; n < 6; n++) stages[n] = spent[n];
#endif
    for (int slot = warp; slot < min(own, on_chip); slot += WARPS) {
        const float* from = rule_at(slot);
        for (int j = lane; j < STRIDE; j += 32) {
            a[k_of(slot) * STRIDE + j] = from[j];
            c[k_of(slot) * STRIDE + j] = from[STRIDE + j];
        }
        for (int l = lane; l < OUTPUTS; l += 32) w[k_of(slot) * OUTPUTS + l] = from[2 * STRIDE + l];
    }
    if (team.rank == 0 && thread == THREADS - 32) {
        rules[network] = count;
        losses[network] = loss;
        wrongs[network] = wrong;
    }
    cluster_barrier();    // nobody leaves while another may still write into its memory
}
