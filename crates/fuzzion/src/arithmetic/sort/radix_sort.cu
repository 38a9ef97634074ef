// Argsort: a stable least significant digit radix sort of (key, index) with eight bits per pass. The keys are read
// once to count the digits of all passes; a pass then reads and writes every pair once. Constants: BITS (uint32 or
// uint64, the key type), FLOATING (1 if keys are floats), STATUS (uint32, or uint64 from 2^30 keys on), THREADS (at
// least DIGITS) and KEYS (per thread) of a tile.
//
// Source: A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.

#define DIGITS 256
#define PASSES ((int)sizeof(BITS))
#define WARPS (THREADS / 32)
#define TILE (THREADS * KEYS)
// Preceding tiles read at once.
#define LOOKBACK 4
// Copies of the counters of a block, to reduce contention.
#define COUNTER_COPIES 4

// Status of a digit in a tile: not yet published, count of the tile itself (OWN_COUNT), or inclusive prefix count of
// all tiles up to it (PREFIX_COUNT). Flag and value share one word, so no memory ordering is needed.
#define OWN_COUNT ((STATUS)1 << (8 * sizeof(STATUS) - 2))
#define PREFIX_COUNT ((STATUS)2 << (8 * sizeof(STATUS) - 2))
#define COUNT_MASK (OWN_COUNT - 1)

// Layout of `counters`: PASSES x DIGITS counts, then the number of claimed tiles per pass, then whether each pass is
// needed.
#define CLAIMED (PASSES * DIGITS)
#define NEEDED (CLAIMED + PASSES)

// Maps key bits to an integer with the same order: floats in total order, every NaN last.
__device__ __forceinline__ BITS ordered(const BITS key) {
#if FLOATING
    const BITS sign = (BITS)1 << (8 * sizeof(BITS) - 1);
    const BITS infinity = (BITS)(sizeof(BITS) == 4 ? 0x7f800000ull : 0x7ff0000000000000ull);
    if ((key & ~sign) > infinity) return ~(BITS)0;
    return key & sign ? ~key : key | sign;
#else
    return key;
#endif
}

__device__ __forceinline__ uint32 digit_of(const BITS key, const int pass) {
    return (uint32)(key >> (8 * pass)) % DIGITS;
}

// Exclusive prefix sum over the digits. The first DIGITS threads have one value each; the whole block must call it.
__device__ __forceinline__ uint32 exclusive_prefix_sum(const uint32 value) {
    __shared__ uint32 sums[DIGITS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32 sum = value;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const uint32 other = __shfl_up_sync(FULL_WARP, sum, distance);
        if (lane >= distance) sum += other;
    }
    if (lane == 31 && warp < DIGITS / 32) sums[warp] = sum;
    __syncthreads();
    uint32 before = sum - value;
#pragma unroll
    for (int w = 0; w < DIGITS / 32; ++w) {
        if (w < warp) before += sums[w];
    }
    return before;
}

// Counts the digits of all passes. Integer sums do not depend on their order.
extern "C" __global__ void count_digits(
    const BITS* __restrict__ keys,      // n
    uint32* __restrict__ counters,      // zero
    const int64 n)
{
    __shared__ uint32 own[PASSES * DIGITS * COUNTER_COPIES];
    for (int i = threadIdx.x; i < PASSES * DIGITS * COUNTER_COPIES; i += blockDim.x) own[i] = 0;
    __syncthreads();
    uint32* copy = own + threadIdx.x % COUNTER_COPIES;
    const auto count = [&](const BITS key) {
        const BITS bits = ordered(key);
#pragma unroll
        for (int pass = 0; pass < PASSES; ++pass)
            atomicAdd(copy + (pass * DIGITS + digit_of(bits, pass)) * COUNTER_COPIES, 1u);
    };
    const int64 packets = n / Packet<BITS>::lanes, vectorized = packets * Packet<BITS>::lanes;
    const Packet<BITS>* wide_keys = reinterpret_cast<const Packet<BITS>*>(keys);
    FOR_EACH(i, packets + n - vectorized) {
        if (i < packets) {
            const Packet<BITS> packet = wide_keys[i];
#pragma unroll
            for (int lane = 0; lane < Packet<BITS>::lanes; ++lane) count(packet.lane[lane]);
        } else {
            count(keys[vectorized + i - packets]);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += blockDim.x) {
        uint32 sum = 0;
        for (int c = 0; c < COUNTER_COPIES; ++c) sum += own[i * COUNTER_COPIES + c];
        if (sum > 0) atomicAdd(counters + i, sum);
    }
}

// Start positions of each digit, stored as the status of the row before the first tile, and whether each pass is
// needed: not if all keys share the digit. One block of DIGITS threads per pass.
extern "C" __global__ void start_digits(
    uint32* __restrict__ counters,
    STATUS* __restrict__ status,        // PASSES x rows x DIGITS
    const int64 rows,                   // LOOKBACK + tiles
    const int64 n)
{
    const int pass = blockIdx.x, digit = threadIdx.x;
    const uint32 count = counters[pass * DIGITS + digit];
    const uint32 start = exclusive_prefix_sum(count);
    status[(pass * rows + LOOKBACK - 1) * DIGITS + digit] = PREFIX_COUNT | start;
    const int same = __syncthreads_or(count == n);
    if (digit == 0) counters[NEEDED + pass] = !same;
}

// Mask of the lanes of the warp with the same digit.
__device__ __forceinline__ uint32 peers_of(const uint32 digit) {
    uint32 peers = FULL_WARP;
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        const bool one = digit >> bit & 1;
        const uint32 ones = __ballot_sync(FULL_WARP, one);
        peers &= one ? ones : ~ones;
    }
    return peers;
}

// One pass: moves every pair to its position by one digit. Tiles are claimed in order, so a tile waits only for tiles
// claimed before it, regardless of the order in which blocks run.
extern "C" __global__ void __launch_bounds__(THREADS, 2) scatter_keys(
    const BITS* keys,                   // n, as given
    BITS* keys_a, uint32* index_a,      // n each: output of the first, third, ... needed pass
    BITS* keys_b, uint32* index_b,      // n each: output of the second, fourth, ... needed pass
    uint32* order,                      // n: output of the last pass
    uint32* counters,
    STATUS* status,                     // PASSES x rows x DIGITS
    const int64 rows,                   // LOOKBACK + tiles
    const int64 n,
    const int pass)
{
    DYNAMIC_SHARED(BITS, sorted_keys);                                  // TILE
    uint32* sorted_index = reinterpret_cast<uint32*>(sorted_keys + TILE);   // TILE
    uint32* ranks = sorted_index + TILE;                                // WARPS x DIGITS
    __shared__ uint32 digit_offset[DIGITS];
    __shared__ uint32 claimed;

    int done = 0, left = 0;
#pragma unroll
    for (int other = 0; other < PASSES; ++other) {
        if (other < pass) done += counters[NEEDED + other];
        if (other > pass) left += counters[NEEDED + other];
    }
    // If no pass is needed, the last one still writes the order.
    if (!counters[NEEDED + pass] && !(pass == PASSES - 1 && done == 0)) return;
    const bool first = done == 0, last = left == 0, even = done % 2 == 0;
    const BITS* from = first ? keys : even ? keys_b : keys_a;
    const uint32* from_index = even ? index_b : index_a;
    BITS* to = even ? keys_a : keys_b;
    uint32* to_index = last ? order : even ? index_a : index_b;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32* warp_ranks = ranks + warp * DIGITS;
    for (int d = lane; d < DIGITS; d += 32) warp_ranks[d] = 0;
    if (threadIdx.x == 0) claimed = atomicAdd(counters + CLAIMED + pass, 1u);
    __syncthreads();
    const int64 tile = claimed, start_key = tile * TILE;
    const int count = (int)min((int64)TILE, n - start_key);

    // The keys of a warp are contiguous. The last tile is padded with maximum keys, which are not written.
    BITS key[KEYS];
    const int slot = warp * 32 * KEYS + lane;
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        key[i] = ~(BITS)0;
        if (slot + 32 * i < count) key[i] = from[start_key + slot + 32 * i];
    }
    if (first) {
#pragma unroll
        for (int i = 0; i < KEYS; ++i) {
            if (slot + 32 * i < count) key[i] = ordered(key[i]);
        }
    }

    // Rank of a key among the warp's keys with the same digit, packed two per word to save registers.
    uint32 packed_ranks[(KEYS + 1) / 2] = {};
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        const uint32 digit = digit_of(key[i], pass), peers = peers_of(digit);
        const int leader = __ffs(peers) - 1;
        uint32 before = 0;
        if (lane == leader) {
            before = warp_ranks[digit];
            warp_ranks[digit] = before + __popc(peers);
        }
        before = __shfl_sync(FULL_WARP, before, leader);
        packed_ranks[i / 2] |= (before + __popc(peers & ((1u << lane) - 1))) << 16 * (i % 2);
        __syncwarp();
    }
    __syncthreads();

    // From here on, thread d < DIGITS also handles digit d. It publishes the tile's count immediately, because later
    // tiles wait.
    const bool has_digit = threadIdx.x < DIGITS;
    volatile STATUS* published = status + (pass * rows + LOOKBACK + tile) * DIGITS + threadIdx.x;
    uint32 own = 0;
    if (has_digit) {
#pragma unroll 4
        for (int w = 0; w < WARPS; ++w) own += ranks[w * DIGITS + threadIdx.x];
        *published = OWN_COUNT | own;
    }
    const uint32 start = exclusive_prefix_sum(own);
    if (has_digit) {
        uint32 at = start;
#pragma unroll 4
        for (int w = 0; w < WARPS; ++w) {
            const uint32 here = ranks[w * DIGITS + threadIdx.x];
            ranks[w * DIGITS + threadIdx.x] = at;
            at += here;
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        packed_ranks[i / 2] += warp_ranks[digit_of(key[i], pass)] << 16 * (i % 2);
        sorted_keys[packed_ranks[i / 2] >> 16 * (i % 2) & 0xffff] = key[i];
    }
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        uint32 index = (uint32)(start_key + slot + 32 * i);
        if (!first && slot + 32 * i < count) index = from_index[start_key + slot + 32 * i];
        sorted_index[packed_ranks[i / 2] >> 16 * (i % 2) & 0xffff] = index;
    }

    // Number of keys with this digit in all preceding tiles, plus the number of keys with lower digits, which is
    // stored in the row before tile 0.
    if (has_digit) {
        STATUS before = 0;
        const volatile STATUS* cursor = published - DIGITS;
        bool found = false;
        while (!found) {
            STATUS statuses[LOOKBACK];
#pragma unroll
            for (int j = 0; j < LOOKBACK; ++j) statuses[j] = cursor[-j * DIGITS];
            bool pending = false;
#pragma unroll
            for (int j = 0; j < LOOKBACK; ++j) {
                pending = pending || statuses[j] < OWN_COUNT;
                if (!found && !pending) {
                    before += statuses[j] & COUNT_MASK;
                    found = statuses[j] >= PREFIX_COUNT;
                    cursor -= DIGITS;
                }
            }
            if (!found && pending) __nanosleep(20);
        }
        *published = PREFIX_COUNT | (before + own);
        // The position within the tile is at least `start`, so wraparound is harmless.
        digit_offset[threadIdx.x] = (uint32)before - start;
    }
    __syncthreads();

#pragma unroll 4
    for (int i = 0; i < KEYS; ++i) {
        const int at = i * THREADS + threadIdx.x;
        if (at < count) {
            const BITS sorted = sorted_keys[at];
            const uint32 position = digit_offset[digit_of(sorted, pass)] + at;
            if (!last) to[position] = sorted;
            to_index[position] = sorted_index[at];
        }
    }
}
