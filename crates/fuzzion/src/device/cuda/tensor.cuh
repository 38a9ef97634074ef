// Tensor cores with operands of half precision and sums of single precision, and numbers as pairs of halves.
//
// A number x is hi + lo, both halves: 22 bits of it, or 2⁻²⁵ where that is more. The product of two such numbers without
// lo·lo is three products of halves, each exact in the tensor core. Fragments are as the PTX manual draws them: lane l
// holds row l / 4 and columns 2(l % 4), 2(l % 4) + 1 of each 8 × 8 piece.

// Two halves in one word, the first in the low bits.
#ifndef FUZZION_EMULATOR

__device__ __forceinline__ uint32 pack_halves(float first, float second) {
    uint32 word;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
    return word;
}
__device__ __forceinline__ float first_half(uint32 word) {
    float x;
    asm("{.reg .b16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, a;}" : "=f"(x) : "r"(word));
    return x;
}
__device__ __forceinline__ float second_half(uint32 word) {
    float x;
    asm("{.reg .b16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, b;}" : "=f"(x) : "r"(word));
    return x;
}

// 1/x to the last bit or two.
__device__ __forceinline__ float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// d += a·b for 16 × 16 times 16 × 8.
__device__ __forceinline__ void multiply_add(float (&d)[4], uint32 a0, uint32 a1, uint32 a2, uint32 a3, uint32 b0, uint32 b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
// d += a·b for 16 × 8 times 8 × 8.
__device__ __forceinline__ void multiply_add(float (&d)[4], uint32 a0, uint32 a1, uint32 b0) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a0), "r"(a1), "r"(b0));
}
// The 8 × 8 halves that a warp holds, turned.
__device__ __forceinline__ uint32 turned(uint32 word) {
    uint32 other;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(other) : "r"(word));
    return other;
}

typedef uint32 shared_address;
__device__ __forceinline__ shared_address address_of(const void* shared) { return (uint32)__cvta_generic_to_shared(shared); }

// Four 8 × 8 pieces from shared memory; lane l names row l % 8 of piece l / 8, which is 16 bytes.
__device__ __forceinline__ void load_pieces(uint32 (&x)[4], shared_address row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
}
__device__ __forceinline__ void load_pieces_turned(uint32 (&x)[4], shared_address row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
}

// Copies that run beside the computation; what is not there becomes 0.
__device__ __forceinline__ void start_copy16(shared_address to, const void* from, bool there) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ __forceinline__ void start_copy4(shared_address to, const void* from, bool there) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(there ? 4 : 0) : "memory");
}
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#else

// The same in plain arithmetic: halves by rounding to nearest even, fragments by shuffles.
__device__ inline uint32 half_bits(float x) {
    uint32 bits = __float_as_uint(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    if (size >= 0x7f800000u) return sign | (size > 0x7f800000u ? 0x7e00u : 0x7c00u);
    float step = size < 0x38800000u ? 5.9604644775390625e-8f : __uint_as_float((size & 0x7f800000u) - (10u << 23));
    float whole = rintf(__uint_as_float(size) / step) * step;
    if (whole >= 65520.0f) return sign | 0x7c00u;
    if (whole < 6.103515625e-5f) return sign | (uint32)(whole / 5.9604644775390625e-8f);
    return sign | ((__float_as_uint(whole) >> 13) - (112u << 10));
}
__device__ inline float half_value(uint32 bits) {
    float sign = bits & 0x8000u ? -1.0f : 1.0f;
    uint32 exponent = bits >> 10 & 31u, fraction = bits & 1023u;
    if (exponent == 31u) return sign * __uint_as_float(fraction ? 0x7fc00000u : 0x7f800000u);
    if (exponent == 0u) return sign * ((float)fraction * 5.9604644775390625e-8f);
    return sign * __uint_as_float((exponent + 112u) << 23 | fraction << 13);
}
__device__ inline uint32 pack_halves(float first, float second) { return half_bits(first) | half_bits(second) << 16; }
__device__ inline float first_half(uint32 word) { return half_value(word & 0xffffu); }
__device__ inline float second_half(uint32 word) { return half_value(word >> 16); }
__device__ inline float reciprocal(float x) { return 1.0f / x; }

__device__ inline void add_piece(float (&d)[4], uint32 a0, uint32 a1, uint32 b) {
    int lane = threadIdx.x % 32;
    for (int pair = 0; pair < 4; pair++) {
        uint32 upper = __shfl_sync(FULL_WARP, a0, lane / 4 * 4 + pair), lower = __shfl_sync(FULL_WARP, a1, lane / 4 * 4 + pair);
        uint32 left = __shfl_sync(FULL_WARP, b, lane % 4 * 8 + pair), right = __shfl_sync(FULL_WARP, b, lane % 4 * 8 + 4 + pair);
        d[0] += first_half(upper) * first_half(left) + second_half(upper) * second_half(left);
        d[1] += first_half(upper) * first_half(right) + second_half(upper) * second_half(right);
        d[2] += first_half(lower) * first_half(left) + second_half(lower) * second_half(left);
        d[3] += first_half(lower) * first_half(right) + second_half(lower) * second_half(right);
    }
}
__device__ inline void multiply_add(float (&d)[4], uint32 a0, uint32 a1, uint32 a2, uint32 a3, uint32 b0, uint32 b1) {
    add_piece(d, a0, a1, b0);
    add_piece(d, a2, a3, b1);
}
__device__ inline void multiply_add(float (&d)[4], uint32 a0, uint32 a1, uint32 b0) { add_piece(d, a0, a1, b0); }
__device__ inline uint32 turned(uint32 word) {
    int lane = threadIdx.x % 32;
    uint32 left = __shfl_sync(FULL_WARP, word, lane % 4 * 8 + lane / 8), right = __shfl_sync(FULL_WARP, word, lane % 4 * 8 + 4 + lane / 8);
    return lane / 4 % 2 ? left >> 16 | (right >> 16 << 16) : (left & 0xffffu) | right << 16;
}

typedef uint64 shared_address;
__device__ inline shared_address address_of(const void* shared) { return (uint64)shared; }
__device__ inline void load_pieces(uint32 (&x)[4], shared_address row) {
    int lane = threadIdx.x % 32;
    for (int piece = 0; piece < 4; piece++) {
        const uint32* from = (const uint32*)__shfl_sync(FULL_WARP, row, piece * 8 + lane / 4);
        x[piece] = from[lane % 4];
    }
}
__device__ inline void load_pieces_turned(uint32 (&x)[4], shared_address row) {
    load_pieces(x, row);
    for (int piece = 0; piece < 4; piece++) x[piece] = turned(x[piece]);
}
__device__ inline void start_copy16(shared_address to, const void* from, bool there) {
    for (int i = 0; i < 4; i++) ((uint32*)to)[i] = there ? ((const uint32*)from)[i] : 0u;
}
__device__ inline void start_copy4(shared_address to, const void* from, bool there) {
    *(uint32*)to = there ? *(const uint32*)from : 0u;
}
__device__ inline void wait_for_copies() {}

#endif
