// FIRE's rules for 8-bit pixels, two pixels per 32-bit word: all values are half-precision numbers and exact.
// THRESHOLD: T. ENTRIES: size of the table. RUN: rows per thread. ALIGNED: whether the width is a multiple of GROUP.
//
// q(n) is the clamped difference of a neighbor and the center, r = q − q of the opposite neighbor; cpu/compass.rs explains
// the sums of three r. If 2T is a power of two, q is one instruction: ½ + (n − c)/2T saturated to [0, 1].

#define GROUP 8
#define PAIRS (GROUP / 2)
#define WORDS (GROUP / 4)
#define USE_SATURATION ((THRESHOLD & (THRESHOLD - 1)) == 0)

#ifndef FUZZION_EMULATOR

// Two half-precision numbers.
typedef uint32 Pair;

__device__ __forceinline__ Pair from_bits(uint32 bits) { return bits; }
__device__ __forceinline__ uint32 bits_of(Pair x) { return x; }
__device__ __forceinline__ Pair broadcast(float x) {
    Pair y;
    asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(y) : "f"(x));
    return y;
}
#define PAIR_BINARY_OP(name, instruction)                                                    \
    __device__ __forceinline__ Pair name(Pair a, Pair b) {                                   \
        Pair y;                                                                              \
        asm(instruction " %0, %1, %2;" : "=r"(y) : "r"(a), "r"(b));                          \
        return y;                                                                            \
    }
#define PAIR_TERNARY_OP(name, instruction)                                                   \
    __device__ __forceinline__ Pair name(Pair a, Pair b, Pair c) {                           \
        Pair y;                                                                              \
        asm(instruction " %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "r"(c));              \
        return y;                                                                            \
    }
PAIR_BINARY_OP(pair_add, "add.rn.f16x2")
PAIR_BINARY_OP(pair_sub, "sub.rn.f16x2")
PAIR_BINARY_OP(pair_min, "min.f16x2")
PAIR_BINARY_OP(pair_max, "max.f16x2")
PAIR_TERNARY_OP(pair_fma, "fma.rn.f16x2")
PAIR_TERNARY_OP(pair_fma_saturated, "fma.rn.sat.f16x2")
__device__ __forceinline__ Pair pair_abs(Pair x) {
    Pair y;
    asm("abs.f16x2 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

#else

struct Pair { float first, second; };

// The bits always represent numbers from 1024 to 2047.
static inline Pair from_bits(uint32 bits) { return {1024.0f + (bits & 0x3ff), 1024.0f + (bits >> 16 & 0x3ff)}; }
static inline uint32 bits_of(Pair x) {
    return 0x64006400u + (uint32)(x.first - 1024.0f) + ((uint32)(x.second - 1024.0f) << 16);
}
static inline Pair broadcast(float x) { return {x, x}; }
static inline Pair pair_add(Pair a, Pair b) { return {a.first + b.first, a.second + b.second}; }
static inline Pair pair_sub(Pair a, Pair b) { return {a.first - b.first, a.second - b.second}; }
static inline Pair pair_min(Pair a, Pair b) { return {a.first < b.first ? a.first : b.first, a.second < b.second ? a.second : b.second}; }
static inline Pair pair_max(Pair a, Pair b) { return {a.first > b.first ? a.first : b.first, a.second > b.second ? a.second : b.second}; }
static inline Pair pair_fma(Pair a, Pair b, Pair c) { return {a.first * b.first + c.first, a.second * b.second + c.second}; }
static inline Pair pair_fma_saturated(Pair a, Pair b, Pair c) { return pair_min(pair_max(pair_fma(a, b, c), broadcast(0)), broadcast(1)); }
static inline Pair pair_abs(Pair x) { return pair_max(x, pair_sub(broadcast(0), x)); }

#endif

// A row of GROUP pixels as pairs, and the pairs that start at their left neighbors. Each number is 1024 + pixel.
struct Row {
    Pair even[PAIRS];
    Pair odd[PAIRS + 1];
};

// Bytes a and b of two words as a pair: 0x64 as the high byte makes the half-precision number 1024 + byte.
#define PAIR(low, high, a, b)                                                                \
    from_bits(__byte_perm(__byte_perm(low, high, (a) | (b) << 4), 0x64, 0x4140))
#define PAIR_IN_WORD(word, a, b) from_bits(__byte_perm(word, 0x64, 0x4040 | (a) | (b) << 8))

// words: the previous pixel in the last byte of the first word, the group, the next pixel in the first byte of the last word.
__device__ inline void unpack(const uint32 (&words)[WORDS + 2], Row& row) {
#pragma unroll
    for (int i = 0; i < WORDS; ++i) {
        row.even[2 * i] = PAIR_IN_WORD(words[i + 1], 0, 1);
        row.even[2 * i + 1] = PAIR_IN_WORD(words[i + 1], 2, 3);
        row.odd[2 * i] = PAIR(words[i], words[i + 1], 3, 4);
        row.odd[2 * i + 1] = PAIR_IN_WORD(words[i + 1], 1, 2);
    }
    row.odd[PAIRS] = PAIR(words[WORDS], words[WORDS + 1], 3, 4);
}

// Loads row y of a plane, which may be outside, from the pixel before x to the pixel after the group.
__device__ inline void load_row(const Window& at, const int y, uint32 (&words)[WORDS + 2]) {
    const int row_index = border_index(y, at.height);
    if (BORDER == CONSTANT_BORDER && row_index < 0) {
#pragma unroll
        for (int i = 0; i < WORDS + 2; ++i) words[i] = BORDER_PIXEL * 0x01010101u;
        return;
    }
    const uint8* __restrict__ row = at.plane + (int64)row_index * at.width;
#if ALIGNED
    struct alignas(GROUP) Group { uint32 word[WORDS]; };
    const Group group = *reinterpret_cast<const Group*>(row + at.x);
#pragma unroll
    for (int i = 0; i < WORDS; ++i) words[i + 1] = group.word[i];
    const uint32* before = reinterpret_cast<const uint32*>(row + at.x) - 1;
    if (at.x > 0) {
        words[0] = *before;
    } else {
        words[0] = (BORDER == REPLICATE ? words[1] : BORDER == REFLECT ? words[1] >> 8 : (uint32)BORDER_PIXEL) << 24;
    }
    if (at.x + GROUP < at.width) {
        words[WORDS + 1] = before[WORDS + 1];
    } else {
        words[WORDS + 1] = BORDER == REPLICATE ? words[WORDS] >> 24 : BORDER == REFLECT ? words[WORDS] >> 16 : (uint32)BORDER_PIXEL;
    }
#else
#pragma unroll
    for (int i = 0; i < WORDS + 2; ++i) words[i] = 0;
#pragma unroll
    for (int i = -1; i <= GROUP; ++i) {
        const int column = border_index(at.x + i, at.width);
        const uint32 pixel = BORDER == CONSTANT_BORDER && column < 0 ? (uint32)BORDER_PIXEL : row[column];
        words[(i + 4) / 4] |= pixel << (i + 4) % 4 * 8;
    }
#endif
}

extern "C" __global__ void __launch_bounds__(128) compass(
    const PIXEL* __restrict__ planes,
    const PIXEL* __restrict__ entries,    // the table over S − nT
    PIXEL* __restrict__ out,
    const int64 n,                        // planes
    const int width,
    const int height)
{
    __shared__ uint8 table[ENTRIES];
    for (int i = threadIdx.x; i < ENTRIES; i += blockDim.x) table[i] = entries[i];
    __syncthreads();
    const uint32 groups = (width + GROUP - 1) / GROUP, runs = (height + RUN - 1) / RUN;
    const int64 id = (int64)blockIdx.x * blockDim.x + threadIdx.x;
    const int64 plane = id / ((int64)groups * runs);
    if (plane >= n) return;
    const uint32 rest = (uint32)(id - plane * groups * runs);
    const uint32 run = rest / groups;
    const int64 start = plane * height * width;
    const Window at = {planes + start, (int)(rest - run * groups) * GROUP, (int)run * RUN, width, height};
    const int end = at.y + RUN < height ? at.y + RUN : height;

#if USE_SATURATION
    const Pair scale = broadcast(1.0f / (2 * THRESHOLD)), negative_scale = broadcast(-1.0f / (2 * THRESHOLD)), half = broadcast(0.5f);
    const Pair sum_scale = broadcast(2.0f * THRESHOLD);
#else
    const Pair upper = broadcast(THRESHOLD), lower = broadcast(-(float)THRESHOLD), sum_scale = broadcast(1.0f);
#endif
    const Pair base = broadcast(1024.0f);

    Row above, here, below;
    uint32 words[WORDS + 2];
    load_row(at, at.y - 1, words);
    unpack(words, above);
    load_row(at, at.y, words);
    unpack(words, here);
    load_row(at, at.y + 1, words);
#pragma unroll
    for (int r = 0; r < RUN; ++r) {
        const int y = at.y + r;
        if (y >= end) break;
        unpack(words, below);
        load_row(at, y + 2, words); // prefetch for the next row
        uint32 pixels[WORDS];
#pragma unroll
        for (int i = 0; i < PAIRS; ++i) {
#if USE_SATURATION
            const Pair center = pair_fma(here.even[i], negative_scale, half);
#define Q(neighbor) pair_fma_saturated(neighbor, scale, center)
#else
#define Q(neighbor) pair_max(pair_min(pair_sub(neighbor, here.even[i]), upper), lower)
#endif
            const Pair r0 = pair_sub(Q(above.odd[i]), Q(below.odd[i + 1]));
            const Pair r1 = pair_sub(Q(above.even[i]), Q(below.even[i]));
            const Pair r2 = pair_sub(Q(above.odd[i + 1]), Q(below.odd[i]));
            const Pair r3 = pair_sub(Q(here.odd[i + 1]), Q(here.odd[i]));
            const Pair r01 = pair_add(r0, r1), r23 = pair_add(r2, r3);
            const Pair d01 = pair_max(pair_abs(pair_add(r01, r2)), pair_abs(pair_add(r1, r23)));
            const Pair d23 = pair_max(pair_abs(pair_sub(r23, r0)), pair_abs(pair_sub(r3, r01)));
            // For n < 1024, the low ten bits of the half-precision number 1024 + n are n.
            const uint32 sums = bits_of(pair_fma(pair_max(d01, d23), sum_scale, base));
            const uint32 pair = table[(sums & 0xffff) - 0x6400] | table[(sums >> 16) - 0x6400] << 8;
            pixels[i / 2] = i % 2 == 0 ? pair : pixels[i / 2] | pair << 16;
        }
        uint8* to = out + start + (int64)y * width + at.x;
#if ALIGNED
        struct alignas(GROUP) Group { uint32 word[WORDS]; } group;
#pragma unroll
        for (int i = 0; i < WORDS; ++i) group.word[i] = pixels[i];
        *reinterpret_cast<Group*>(to) = group;
#else
#pragma unroll
        for (int i = 0; i < GROUP; ++i) {
            if (at.x + i < width) to[i] = (uint8)(pixels[i / 4] >> i % 4 * 8);
        }
#endif
        above = here;
        here = below;
    }
}
