// Gathering of numbers: number order[i] becomes number i. Blocks of LANES numbers have PLANES planes, as in `array`.
// Constants: REAL (float or double), PLANES, THREADS, BLOCKS (blocks of numbers per thread block, or 0).
//
// The values of a number are distributed over its planes, and reading one value transfers a whole memory sector.
// Arrays that exceed the cache are therefore packed first, so that the values of a number are contiguous: more
// sequential traffic, but far less random traffic.

#define LANES 16
#define BLOCK (PLANES * LANES)
// Plane stride in shared memory; avoids bank conflicts between the planes of one lane.
#define PADDED (LANES + 1)

// Position in the tile of value `e`, counted in array order (block, plane, lane) or number by number.
__device__ __forceinline__ int by_plane(const int e) { return e / LANES * PADDED + e % LANES; }
__device__ __forceinline__ int by_number(const int e) {
    const int number = e / PLANES, plane = e % PLANES;
    return (number / LANES * PLANES + plane) * PADDED + number % LANES;
}

// For arrays that fit in the cache or have one plane.
extern "C" __global__ void gather_planes(
    const REAL* __restrict__ from,      // blocks x PLANES x LANES
    const uint32* __restrict__ order,   // n
    REAL* __restrict__ to,              // blocks x PLANES x LANES
    const int64 n)
{
    FOR_EACH(e, (n + LANES - 1) / LANES * BLOCK) {
        const int64 block = e / BLOCK;
        const int plane = (int)(e - block * BLOCK) / LANES, lane = (int)(e % LANES);
        REAL value = 0;
        if (block * LANES + lane < n) {
            const uint32 number = order[block * LANES + lane];
            value = from[(int64)(number / LANES) * BLOCK + plane * LANES + number % LANES];
        }
        to[e] = value;
    }
}

// Not available if not even one block of numbers fits into shared memory.
#if BLOCKS > 0

// A thread loads all its values before it stores any, so that many loads are in flight.
#define ROUNDS ((BLOCKS * BLOCK + THREADS - 1) / THREADS)

// Makes the values of each number contiguous.
extern "C" __global__ void __launch_bounds__(THREADS) pack_numbers(
    const REAL* __restrict__ from,      // blocks x PLANES x LANES
    REAL* __restrict__ to,              // blocks x LANES x PLANES
    const int64 n)
{
    __shared__ REAL tile[BLOCKS * PLANES * PADDED];
    const int64 block = (int64)blockIdx.x * BLOCKS, start = block * BLOCK;
    const int values = (int)min((int64)BLOCKS, (n + LANES - 1) / LANES - block) * BLOCK;
    REAL value[ROUNDS];
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        const int e = round * THREADS + threadIdx.x;
        value[round] = e < values ? from[start + e] : (REAL)0;
    }
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        const int e = round * THREADS + threadIdx.x;
        if (e < values) tile[by_plane(e)] = value[round];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < values; e += THREADS) to[start + e] = tile[by_number(e)];
}

// Gathers packed numbers.
extern "C" __global__ void __launch_bounds__(THREADS) gather_numbers(
    const REAL* __restrict__ from,      // blocks x LANES x PLANES
    const uint32* __restrict__ order,   // n
    REAL* __restrict__ to,              // blocks x PLANES x LANES
    const int64 n)
{
    __shared__ REAL tile[BLOCKS * PLANES * PADDED];
    const int64 block = (int64)blockIdx.x * BLOCKS, start = block * BLOCK;
    const int values = (int)min((int64)BLOCKS, (n + LANES - 1) / LANES - block) * BLOCK;
    const int64 numbers = min((int64)BLOCKS * LANES, n - block * LANES);
    REAL value[ROUNDS];
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        const int e = round * THREADS + threadIdx.x, number = e / PLANES;
        value[round] = 0;
        if (number < numbers) value[round] = from[(int64)order[block * LANES + number] * PLANES + e % PLANES];
    }
#pragma unroll
    for (int round = 0; round < ROUNDS; ++round) {
        const int e = round * THREADS + threadIdx.x;
        if (e < values) tile[by_number(e)] = value[round];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < values; e += THREADS) to[start + e] = tile[by_plane(e)];
}

#endif
