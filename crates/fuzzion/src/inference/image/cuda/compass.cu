// FIRE's rules on bytes, two pixels to a word: every number here is a half and exact, as are those between.
// REACH: T. ENTRIES: of the table. RUN: rows that a thread goes down. ALIGNED: whether widths are multiples of GROUP.
//
// With q(n) the clamped difference of a neighbor and the center, r = q − q of the opposite neighbor, and the sums of
// three r that the CPU's twin explains. Where 2T is a power of two q is one instruction, ½ + (n − c)/2T saturated to 0 … 1.

#define GROUP 8
#define COUPLES (GROUP / 2)
#define WORDS (GROUP / 4)
#define SATURATES ((REACH & (REACH - 1)) == 0)

#ifndef FUZZION_EMULATOR

// Two halves.
typedef uint32 Pair;

__device__ __forceinline__ Pair from_bits(uint32 bits) { return bits; }
__device__ __forceinline__ uint32 bits_of(Pair x) { return x; }
__device__ __forceinline__ Pair both(float x) {
    Pair y;
    asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(y) : "f"(x));
    return y;
}
#define PAIR_OF_TWO(name, instruction)                                                       \
    __device__ __forceinline__ Pair name(Pair a, Pair b) {                                   \
        Pair y;                                                                              \
        asm(instruction " %0, %1, %2;" : "=r"(y) : "r"(a), "r"(b));                          \
        return y;                                                                            \
    }
#define PAIR_OF_THREE(name, instruction)                                                     \
    __device__ __forceinline__ Pair name(Pair a, Pair b, Pair c) {                           \
        Pair y;                                                                              \
        asm(instruction " %0, %1, %2, %3;" : "=r"(y) : "r"(a), "r"(b), "r"(c));              \
        return y;                                                                            \
    }
PAIR_OF_TWO(plus, "add.rn.f16x2")
PAIR_OF_TWO(minus, "sub.rn.f16x2")
PAIR_OF_TWO(smaller, "min.f16x2")
PAIR_OF_TWO(larger, "max.f16x2")
PAIR_OF_THREE(times_plus, "fma.rn.f16x2")
PAIR_OF_THREE(times_plus_saturated, "fma.rn.sat.f16x2")
__device__ __forceinline__ Pair size(Pair x) {
    Pair y;
    asm("abs.f16x2 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

#else

struct Pair { float first, second; };

// Bits are only ever those of 1024 … 2047.
static inline Pair from_bits(uint32 bits) { return {1024.0f + (bits & 0x3ff), 1024.0f + (bits >> 16 & 0x3ff)}; }
static inline uint32 bits_of(Pair x) {
    return 0x64006400u + (uint32)(x.first - 1024.0f) + ((uint32)(x.second - 1024.0f) << 16);
}
static inline Pair both(float x) { return {x, x}; }
static inline Pair plus(Pair a, Pair b) { return {a.first + b.first, a.second + b.second}; }
static inline Pair minus(Pair a, Pair b) { return {a.first - b.first, a.second - b.second}; }
static inline Pair smaller(Pair a, Pair b) { return {a.first < b.first ? a.first : b.first, a.second < b.second ? a.second : b.second}; }
static inline Pair larger(Pair a, Pair b) { return {a.first > b.first ? a.first : b.first, a.second > b.second ? a.second : b.second}; }
static inline Pair times_plus(Pair a, Pair b, Pair c) { return {a.first * b.first + c.first, a.second * b.second + c.second}; }
static inline Pair times_plus_saturated(Pair a, Pair b, Pair c) { return smaller(larger(times_plus(a, b, c), both(0)), both(1)); }
static inline Pair size(Pair x) { return larger(x, minus(both(0), x)); }

#endif

// A row of GROUP pixels as couples, and the couples that begin at their left neighbors. Each is 1024 + its number.
struct Row {
    Pair even[COUPLES];
    Pair odd[COUPLES + 1];
};

// Bytes a and b of two words as a couple: 0x64 above a byte makes the half 1024 + byte.
#define COUPLE(low, high, a, b)                                                              \
    from_bits(__byte_perm(__byte_perm(low, high, (a) | (b) << 4), 0x64, 0x4140))
#define COUPLE_IN(word, a, b) from_bits(__byte_perm(word, 0x64, 0x4040 | (a) | (b) << 8))

// words: the pixel before the group in the first one's last byte, the group, the pixel after it in the last one's first.
__device__ inline void unpack(const uint32 (&words)[WORDS + 2], Row& row) {
#pragma unroll
    for (int i = 0; i < WORDS; ++i) {
        row.even[2 * i] = COUPLE_IN(words[i + 1], 0, 1);
        row.even[2 * i + 1] = COUPLE_IN(words[i + 1], 2, 3);
        row.odd[2 * i] = COUPLE(words[i], words[i + 1], 3, 4);
        row.odd[2 * i + 1] = COUPLE_IN(words[i + 1], 1, 2);
    }
    row.odd[COUPLES] = COUPLE(words[WORDS], words[WORDS + 1], 3, 4);
}

// Row y of a plane, which may lie outside, from the pixel before x to the one after the group.
__device__ inline void load_row(const Window& at, const int y, uint32 (&words)[WORDS + 2]) {
    const int row_place = place(y, at.height);
    if (BORDER == CONSTANT_BORDER && row_place < 0) {
#pragma unroll
        for (int i = 0; i < WORDS + 2; ++i) words[i] = CONSTANT * 0x01010101u;
        return;
    }
    const uint8* __restrict__ row = at.plane + (int64)row_place * at.width;
#if ALIGNED
    struct alignas(GROUP) Group { uint32 word[WORDS]; };
    const Group group = *reinterpret_cast<const Group*>(row + at.x);
#pragma unroll
    for (int i = 0; i < WORDS; ++i) words[i + 1] = group.word[i];
    const uint32* before = reinterpret_cast<const uint32*>(row + at.x) - 1;
    if (at.x > 0) {
        words[0] = *before;
    } else {
        words[0] = (BORDER == REPLICATE ? words[1] : BORDER == REFLECT ? words[1] >> 8 : (uint32)CONSTANT) << 24;
    }
    if (at.x + GROUP < at.width) {
        words[WORDS + 1] = before[WORDS + 1];
    } else {
        words[WORDS + 1] = BORDER == REPLICATE ? words[WORDS] >> 24 : BORDER == REFLECT ? words[WORDS] >> 16 : (uint32)CONSTANT;
    }
#else
#pragma unroll
    for (int i = 0; i < WORDS + 2; ++i) words[i] = 0;
#pragma unroll
    for (int i = -1; i <= GROUP; ++i) {
        const int column = place(at.x + i, at.width);
        const uint32 pixel = BORDER == CONSTANT_BORDER && column < 0 ? (uint32)CONSTANT : row[column];
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

#if SATURATES
    const Pair scale = both(1.0f / (2 * REACH)), opposite = both(-1.0f / (2 * REACH)), half = both(0.5f);
    const Pair steps = both(2.0f * REACH);
#else
    const Pair most = both(REACH), least = both(-(float)REACH), steps = both(1.0f);
#endif
    const Pair base = both(1024.0f);

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
        load_row(at, y + 2, words); // for the next row, while this one is computed
        uint32 pixels[WORDS];
#pragma unroll
        for (int i = 0; i < COUPLES; ++i) {
#if SATURATES
            const Pair center = times_plus(here.even[i], opposite, half);
#define Q(neighbor) times_plus_saturated(neighbor, scale, center)
#else
#define Q(neighbor) larger(smaller(minus(neighbor, here.even[i]), most), least)
#endif
            const Pair r0 = minus(Q(above.odd[i]), Q(below.odd[i + 1]));
            const Pair r1 = minus(Q(above.even[i]), Q(below.even[i]));
            const Pair r2 = minus(Q(above.odd[i + 1]), Q(below.odd[i]));
            const Pair r3 = minus(Q(here.odd[i + 1]), Q(here.odd[i]));
            const Pair r01 = plus(r0, r1), r23 = plus(r2, r3);
            const Pair d01 = larger(size(plus(r01, r2)), size(plus(r1, r23)));
            const Pair d23 = larger(size(minus(r23, r0)), size(minus(r3, r01)));
            // The low ten bits of 1024 + a number below 1024 are that number.
            const uint32 sums = bits_of(times_plus(larger(d01, d23), steps, base));
            const uint32 couple = table[(sums & 0xffff) - 0x6400] | table[(sums >> 16) - 0x6400] << 8;
            pixels[i / 2] = i % 2 == 0 ? couple : pixels[i / 2] | couple << 16;
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
