// Tensor cores with half-precision operands and single-precision sums, and numbers as pairs of half-precision values.
//
// A number x is the sum hi + lo of two half-precision values, with an error of 2⁻²² relative to x or 2⁻²⁵, whichever
// is larger. The product of two such numbers without lo·lo takes three half-precision products, each exact in the
// tensor core. Fragments are as in the PTX manual: lane l has row l / 4 and columns 2(l % 4), 2(l % 4) + 1 of each 8
// × 8 matrix.

// Two half-precision values in one word, the first in the low bits.
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

// 1/x with an error of 1 to 2 ulps.
__device__ __forceinline__ float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// d += a·b for 16 × 16 times 16 × 8.
__device__ __forceinline__ void mma(float (&d)[4], uint32 a0, uint32 a1, uint32 a2, uint32 a3, uint32 b0, uint32 b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
// d += a·b for 16 × 8 times 8 × 8.
__device__ __forceinline__ void mma(float (&d)[4], uint32 a0, uint32 a1, uint32 b0) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a0), "r"(a1), "r"(b0));
}
// Transposes the 8 × 8 half-precision matrix of a warp.
__device__ __forceinline__ uint32 transpose_8x8(uint32 word) {
    uint32 transposed;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(word));
    return transposed;
}

typedef uint32 shared_address;
__device__ __forceinline__ shared_address address_of(const void* shared) { return (uint32)__cvta_generic_to_shared(shared); }

// Loads four 8 × 8 matrices from shared memory; lane l passes the address of row l % 8 (16 bytes) of matrix l / 8.
__device__ __forceinline__ void load_matrices(uint32 (&x)[4], shared_address row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(uint32 (&x)[4], shared_address row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
}

// Asynchronous copies to shared memory; writes zeros if not `valid`.
__device__ __forceinline__ void copy_async_16(shared_address to, const void* from, bool valid) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(valid ? 16 : 0) : "memory");
}
__device__ __forceinline__ void copy_async_4(shared_address to, const void* from, bool valid) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(valid ? 4 : 0) : "memory");
}
__device__ __forceinline__ void wait_for_async_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#else

// The same in scalar arithmetic for the emulator: half-precision values are rounded to nearest even, fragments
// exchanged by shuffles.
__device__ inline uint32 half_bits(float x) {
    uint32 bits = __float_as_uint(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    if (size >= 0x7f800000u) return sign | (size > 0x7f800000u ? 0x7e00u : 0x7c00u);
    float ulp = size < 0x38800000u ? 5.9604644775390625e-8f : __uint_as_float((size & 0x7f800000u) - (10u << 23));
    float rounded = rintf(__uint_as_float(size) / ulp) * ulp;
    if (rounded >= 65520.0f) return sign | 0x7c00u;
    if (rounded < 6.103515625e-5f) return sign | (uint32)(rounded / 5.9604644775390625e-8f);
    return sign | ((__float_as_uint(rounded) >> 13) - (112u << 10));
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

__device__ inline void mma_8x8(float (&d)[4], uint32 a0, uint32 a1, uint32 b) {
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
__device__ inline void mma(float (&d)[4], uint32 a0, uint32 a1, uint32 a2, uint32 a3, uint32 b0, uint32 b1) {
    mma_8x8(d, a0, a1, b0);
    mma_8x8(d, a2, a3, b1);
}
__device__ inline void mma(float (&d)[4], uint32 a0, uint32 a1, uint32 b0) { mma_8x8(d, a0, a1, b0); }
__device__ inline uint32 transpose_8x8(uint32 word) {
    int lane = threadIdx.x % 32;
    uint32 left = __shfl_sync(FULL_WARP, word, lane % 4 * 8 + lane / 8), right = __shfl_sync(FULL_WARP, word, lane % 4 * 8 + 4 + lane / 8);
    return lane / 4 % 2 ? left >> 16 | (right >> 16 << 16) : (left & 0xffffu) | right << 16;
}

typedef uint64 shared_address;
__device__ inline shared_address address_of(const void* shared) { return (uint64)shared; }
__device__ inline void load_matrices(uint32 (&x)[4], shared_address row) {
    int lane = threadIdx.x % 32;
    for (int matrix = 0; matrix < 4; matrix++) {
        const uint32* from = (const uint32*)__shfl_sync(FULL_WARP, row, matrix * 8 + lane / 4);
        x[matrix] = from[lane % 4];
    }
}
__device__ inline void load_matrices_transposed(uint32 (&x)[4], shared_address row) {
    load_matrices(x, row);
    for (int matrix = 0; matrix < 4; matrix++) x[matrix] = transpose_8x8(x[matrix]);
}
__device__ inline void copy_async_16(shared_address to, const void* from, bool valid) {
    for (int i = 0; i < 4; i++) ((uint32*)to)[i] = valid ? ((const uint32*)from)[i] : 0u;
}
__device__ inline void copy_async_4(shared_address to, const void* from, bool valid) {
    *(uint32*)to = valid ? *(const uint32*)from : 0u;
}
__device__ inline void wait_for_async_copies() {}

#endif
