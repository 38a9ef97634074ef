// Which number comes first, second, third: a stable radix sort of (key, index), eight bits a pass, the least significant
// first. The keys are read once to count the digits of all passes; a pass then reads and writes every pair once.
// Constants: BITS (uint32 or uint64, a key), FLOATING (1 where the bits are those of a float), STATUS (uint32, or uint64
// from 2^30 keys on), THREADS (at least DIGITS) and KEYS (per thread) of a tile.
//
// Source: A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.

#define DIGITS 256
#define PASSES ((int)sizeof(BITS))
#define WARPS (THREADS / 32)
#define TILE (THREADS * KEYS)
// Tiles before this one that are looked at in one go.
#define LOOK 4
// Of the counts of a block, for threads that would else wait for each other at the same counter.
#define COPIES 4

// What a tile has made known of a digit: nothing yet, its own keys, or all keys up to its own. The value is in the same
// word, so that no order between two memory accesses matters.
#define OWN ((STATUS)1 << (8 * sizeof(STATUS) - 2))
#define ALL ((STATUS)2 << (8 * sizeof(STATUS) - 2))
#define VALUE (OWN - 1)

// `counters` is: counts of PASSES x DIGITS, then for each pass the tiles taken, then for each pass whether it is needed.
#define TAKEN (PASSES * DIGITS)
#define NEEDED (TAKEN + PASSES)

// Bits that compare as the keys do: floats in their total order, every NaN last.
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

// The sum of the values of the digits before this one. The first DIGITS threads hold one each; the whole block calls it.
__device__ __forceinline__ uint32 sum_before(const uint32 value) {
    __shared__ uint32 sums[DIGITS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32 sum = value;
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const uint32 other = __shfl_up_sync(FULL_WARP, sum, apart);
        if (lane >= apart) sum += other;
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

// How many keys have each digit, for all passes. Sums of integers do not depend on their order.
extern "C" __global__ void count_digits(
    const BITS* __restrict__ keys,      // n
    uint32* __restrict__ counters,      // zero
    const int64 n)
{
    __shared__ uint32 own[PASSES * DIGITS * COPIES];
    for (int i = threadIdx.x; i < PASSES * DIGITS * COPIES; i += blockDim.x) own[i] = 0;
    __syncthreads();
    uint32* copy = own + threadIdx.x % COPIES;
    const auto count = [&](const BITS key) {
        const BITS bits = ordered(key);
#pragma unroll
        for (int pass = 0; pass < PASSES; ++pass)
            atomicAdd(copy + (pass * DIGITS + digit_of(bits, pass)) * COPIES, 1u);
    };
    const int64 packets = n / Packet<BITS>::lanes, whole = packets * Packet<BITS>::lanes;
    const Packet<BITS>* wide = reinterpret_cast<const Packet<BITS>*>(keys);
    FOR_EACH(i, packets + n - whole) {
        if (i < packets) {
            const Packet<BITS> packet = wide[i];
#pragma unroll
            for (int lane = 0; lane < Packet<BITS>::lanes; ++lane) count(packet.lane[lane]);
        } else {
            count(keys[whole + i - packets]);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < PASSES * DIGITS; i += blockDim.x) {
        uint32 sum = 0;
        for (int c = 0; c < COPIES; ++c) sum += own[i * COPIES + c];
        if (sum > 0) atomicAdd(counters + i, sum);
    }
}

// Where the keys of each digit start, written where the first tile looks for what came before it; and whether a pass is
// needed: not where all keys have the same digit. A block of DIGITS threads for each pass.
extern "C" __global__ void start_digits(
    uint32* __restrict__ counters,
    STATUS* __restrict__ status,        // PASSES x rows x DIGITS
    const int64 rows,                   // LOOK + tiles
    const int64 n)
{
    const int pass = blockIdx.x, digit = threadIdx.x;
    const uint32 count = counters[pass * DIGITS + digit];
    const uint32 start = sum_before(count);
    status[(pass * rows + LOOK - 1) * DIGITS + digit] = ALL | start;
    const int same = __syncthreads_or(count == n);
    if (digit == 0) counters[NEEDED + pass] = !same;
}

// The lanes of the warp that hold the same digit.
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

// One pass: every pair goes to its place by one digit. Tiles are taken in order, so that a tile waits only for tiles that
// were taken before it, in whatever order blocks run.
extern "C" __global__ void __launch_bounds__(THREADS, 2) scatter_keys(
    const BITS* keys,                   // n, as given
    BITS* keys_a, uint32* index_a,      // n each: what the first, third, fifth pass that is needed writes,
    BITS* keys_b, uint32* index_b,      // n each: and the second, fourth
    uint32* order,                      // n: what the last one writes
    uint32* counters,
    STATUS* status,                     // PASSES x rows x DIGITS
    const int64 rows,                   // LOOK + tiles
    const int64 n,
    const int pass)
{
    DYNAMIC_SHARED(BITS, sorted_keys);                                  // TILE
    uint32* sorted_index = reinterpret_cast<uint32*>(sorted_keys + TILE);   // TILE
    uint32* ranks = sorted_index + TILE;                                // WARPS x DIGITS
    __shared__ uint32 place[DIGITS];
    __shared__ uint32 taken;

    int done = 0, left = 0;
#pragma unroll
    for (int other = 0; other < PASSES; ++other) {
        if (other < pass) done += counters[NEEDED + other];
        if (other > pass) left += counters[NEEDED + other];
    }
    // Where no pass is needed, the last one still writes the order.
    if (!counters[NEEDED + pass] && !(pass == PASSES - 1 && done == 0)) return;
    const bool first = done == 0, last = left == 0, even = done % 2 == 0;
    const BITS* from = first ? keys : even ? keys_b : keys_a;
    const uint32* from_index = even ? index_b : index_a;
    BITS* to = even ? keys_a : keys_b;
    uint32* to_index = last ? order : even ? index_a : index_b;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32* own_ranks = ranks + warp * DIGITS;
    for (int d = lane; d < DIGITS; d += 32) own_ranks[d] = 0;
    if (threadIdx.x == 0) taken = atomicAdd(counters + TAKEN + pass, 1u);
    __syncthreads();
    const int64 tile = taken, start_key = tile * TILE;
    const int count = (int)min((int64)TILE, n - start_key);

    // A warp's keys lie side by side. What the last tile lacks are keys that come last and are not written.
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

    // The rank of a key among the warp's keys of the same digit; two to a word, for registers are scarce.
    uint32 ranks_of_two[(KEYS + 1) / 2] = {};
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        const uint32 digit = digit_of(key[i], pass), peers = peers_of(digit);
        const int leader = __ffs(peers) - 1;
        uint32 before = 0;
        if (lane == leader) {
            before = own_ranks[digit];
            own_ranks[digit] = before + __popc(peers);
        }
        before = __shfl_sync(FULL_WARP, before, leader);
        ranks_of_two[i / 2] |= (before + __popc(peers & ((1u << lane) - 1))) << 16 * (i % 2);
        __syncwarp();
    }
    __syncthreads();

    // From here on thread d also speaks for digit d. Its keys are made known at once: others wait for them.
    const bool speaks = threadIdx.x < DIGITS;
    volatile STATUS* known = status + (pass * rows + LOOK + tile) * DIGITS + threadIdx.x;
    uint32 own = 0;
    if (speaks) {
#pragma unroll 4
        for (int w = 0; w < WARPS; ++w) own += ranks[w * DIGITS + threadIdx.x];
        *known = OWN | own;
    }
    const uint32 start = sum_before(own);
    if (speaks) {
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
        ranks_of_two[i / 2] += own_ranks[digit_of(key[i], pass)] << 16 * (i % 2);
        sorted_keys[ranks_of_two[i / 2] >> 16 * (i % 2) & 0xffff] = key[i];
    }
#pragma unroll
    for (int i = 0; i < KEYS; ++i) {
        uint32 index = (uint32)(start_key + slot + 32 * i);
        if (!first && slot + 32 * i < count) index = from_index[start_key + slot + 32 * i];
        sorted_index[ranks_of_two[i / 2] >> 16 * (i % 2) & 0xffff] = index;
    }

    // Keys of the digit in all tiles before, and of all lower digits, which the row before the first tile holds.
    if (speaks) {
        STATUS before = 0;
        const volatile STATUS* look = known - DIGITS;
        bool found = false;
        while (!found) {
            STATUS seen[LOOK];
#pragma unroll
            for (int j = 0; j < LOOK; ++j) seen[j] = look[-j * DIGITS];
            bool waits = false;
#pragma unroll
            for (int j = 0; j < LOOK; ++j) {
                waits = waits || seen[j] < OWN;
                if (!found && !waits) {
                    before += seen[j] & VALUE;
                    found = seen[j] >= ALL;
                    look -= DIGITS;
                }
            }
            if (!found && waits) __nanosleep(20);
        }
        *known = ALL | (before + own);
        // A slot of the digit is `start` or more, so that this may wrap around.
        place[threadIdx.x] = (uint32)before - start;
    }
    __syncthreads();

#pragma unroll 4
    for (int i = 0; i < KEYS; ++i) {
        const int at = i * THREADS + threadIdx.x;
        if (at < count) {
            const BITS sorted = sorted_keys[at];
            const uint32 to_place = place[digit_of(sorted, pass)] + at;
            if (!last) to[to_place] = sorted;
            to_index[to_place] = sorted_index[at];
        }
    }
}
