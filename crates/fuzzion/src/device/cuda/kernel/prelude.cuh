// Prepended to every program, since NVRTC has no headers.
// Differences between a GPU and the emulator of the tests are confined to the macros defined here.

typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;
typedef long long int64;

#define FULL_WARP 0xffffffffu

#ifndef FUZZION_EMULATOR
// Dynamic shared memory.
#define DYNAMIC_SHARED(type, name)                                                   \
    extern __shared__ __align__(16) unsigned char fuzzion_dynamic_shared[];          \
    type* const name = reinterpret_cast<type*>(fuzzion_dynamic_shared)
#endif

// A grid-stride loop over 64-bit sample indices.
#define FOR_EACH(i, n)                                                               \
    for (int64 i = (int64)blockIdx.x * blockDim.x + threadIdx.x; i < (n);            \
         i += (int64)gridDim.x * blockDim.x)

// 16 bytes, the widest memory access of a thread.
template <typename T> struct alignas(16) Packet {
    static constexpr int lanes = 16 / (int)sizeof(T);
    T lane[16 / sizeof(T)];
};

#ifndef FUZZION_EMULATOR
// Grid barrier of a cooperative launch. `arrived` is 0 at launch and counts blocks; each thread keeps its own `phase`,
// starting at 0. One release-add and one acquire-spin per block, because NVRTC has no cooperative_groups header.
__device__ inline void grid_barrier(uint32* arrived, uint32& phase) {
    __syncthreads();
    phase += gridDim.x * gridDim.y * gridDim.z;
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
        uint32 seen;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
        } while ((int)(seen - phase) < 0);
    }
    __syncthreads();
}
#endif
