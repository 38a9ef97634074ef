// Kernels that measure the ceilings of the GPU, and minimal kernels that test the device infrastructure.
// Constants: REAL (float or double).

// Copies 16 bytes per thread at a time; the remaining values are copied one by one in the same loop, because a second
// loop costs 9 %.
extern "C" __global__ void copy_values(
    const REAL* __restrict__ from,     // n
    REAL* __restrict__ to,             // n
    const int64 n)
{
    const int64 packets = n / Packet<REAL>::lanes, packed_values = packets * Packet<REAL>::lanes;
    const Packet<REAL>* wide_from = reinterpret_cast<const Packet<REAL>*>(from);
    Packet<REAL>* wide_to = reinterpret_cast<Packet<REAL>*>(to);
    FOR_EACH(i, packets + n - packed_values) {
        if (i < packets) wide_to[i] = wide_from[i];
        else to[packed_values + i - packets] = from[packed_values + i - packets];
    }
}

// CHAINS independent chains of x <- x * scale + shift per thread; their sum is written so that none is optimized away.
#define CHAINS 16

extern "C" __global__ void multiply_add(
    REAL* __restrict__ sums,           // one per thread
    const REAL start, const REAL scale, const REAL shift, const int steps)
{
    REAL x[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) x[c] = start;
#pragma unroll 8
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) x[c] = x[c] * scale + shift;
    }
    REAL sum = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) sum += x[c];
    sums[(int64)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Adds 1 to every value; replayed from a graph.
extern "C" __global__ void increment(REAL* __restrict__ values, const int64 n)
{
    FOR_EACH(i, n) values[i] += 1;
}

// Minimal kernel that reads twice as much as it writes.
extern "C" __global__ void add_pairs(
    const REAL* __restrict__ pairs,    // n x 2
    REAL* __restrict__ sums,           // n
    const int64 n)
{
    FOR_EACH(i, n) sums[i] = pairs[2 * i] + pairs[2 * i + 1];
}

// Sum of `values` in a fixed order by a cooperative grid: each block computes a partial sum, then, after the grid
// barrier, the first block adds the partial sums.
extern "C" __global__ void grid_sum(
    const REAL* __restrict__ values,   // n
    REAL* __restrict__ partial,        // one per block
    REAL* __restrict__ sum,            // 1
    uint32* __restrict__ arrived,      // 1, initially 0
    const int64 n)
{
    DYNAMIC_SHARED(REAL, thread_sums); // one per thread
    uint32 phase = 0;
    REAL thread_sum = 0;
    FOR_EACH(i, n) thread_sum += values[i];
    thread_sums[threadIdx.x] = thread_sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        REAL block_sum = 0;
        for (int t = 0; t < (int)blockDim.x; ++t) block_sum += thread_sums[t];
        partial[blockIdx.x] = block_sum;
    }
    grid_barrier(arrived, phase);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        REAL total = 0;
        for (int b = 0; b < (int)gridDim.x; ++b) total += partial[b];
        *sum = total;
    }
}
