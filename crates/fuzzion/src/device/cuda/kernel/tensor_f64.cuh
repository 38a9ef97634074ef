// Double-precision matrix products on tensor cores: d += a·b with a 16 × 4 and b 4 × 8. The fragments of lane l are
// rows l / 4 and l / 4 + 8, column l % 4 of a; row l % 4, column l / 4 of b (so that a matrix times its own transpose
// loads both in the same way); rows l / 4 (d0, d1) and l / 4 + 8 (d2, d3), columns 2(l % 4) and 2(l % 4) + 1 of d.

#ifndef FUZZION_EMULATOR
__device__ __forceinline__ void mma(double (&d)[4], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3]) : "d"(a0), "d"(a1), "d"(b));
#else
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a0), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[2]), "+d"(d[3]) : "d"(a1), "d"(b));
#endif
}
#else
__device__ inline void mma(double (&d)[4], double a0, double a1, double b) {
    int lane = threadIdx.x % 32;
    for (int k = 0; k < 4; k++) {
        double high = __shfl_sync(FULL_WARP, a0, lane / 4 * 4 + k), low = __shfl_sync(FULL_WARP, a1, lane / 4 * 4 + k);
        for (int e = 0; e < 2; e++) {
            double right = __shfl_sync(FULL_WARP, b, (lane % 4 * 2 + e) * 4 + k);
            d[e] = fma(high, right, d[e]);
            d[2 + e] = fma(low, right, d[2 + e]);
        }
    }
}
#endif
