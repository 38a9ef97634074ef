// Numbers in another order: number order[i] becomes number i. Blocks of LANES numbers hold PLANES planes, as in array.rs.
// Constants: REAL (float or double), PLANES, THREADS, BLOCKS (blocks of numbers per block of threads, or 0).
//
// A number is spread over its planes, and one of its values takes a whole sector of memory to read. So an array that no
// cache holds is packed first, the values of a number side by side: more to copy in order, far less at random.

#define LANES 16
#define BLOCK (PLANES * LANES)
// Values between two planes in shared memory: planes of one lane then lie in different banks.
#define PADDED (LANES + 1)

// Value `e` of a tile, counted as arrays have it (block, plane, lane), and counted number by number.
__device__ __forceinline__ int by_plane(const int e) { return e / LANES * PADDED + e % LANES; }
__device__ __forceinline__ int by_number(const int e) {
    const int number = e / PLANES, plane = e % PLANES;
    return (number / LANES * PLANES + plane) * PADDED + number % LANES;
}

// For arrays that a cache holds, or of one plane.
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

// Numbers of so many planes that no block fits into shared memory are gathered as above.
#if BLOCKS > 0

// A thread reads all its values before it puts any down, so that many accesses are under way.
#define ROUNDS ((BLOCKS * BLOCK + THREADS - 1) / THREADS)

// The values of each number side by side.
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

// From packed numbers.
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
