// Sums and dot products in the same order as on the CPU: first each lane of a chunk of CHUNK blocks, then the lanes by
// pairwise halving, then the chunks in order.

// The cut of the lane at the given distance; the lanes of a block are adjacent in a warp.
__device__ inline AlphaCut shuffle_down(AlphaCut x, int distance) {
#ifdef RADIUS
    return {__shfl_down_sync(FULL_WARP, x.midpoint, distance), __shfl_down_sync(FULL_WARP, x.radius, distance)};
#else
    return {__shfl_down_sync(FULL_WARP, x.lower, distance), __shfl_down_sync(FULL_WARP, x.upper, distance)};
#endif
}

// Sum of one lane over a chunk; in lane 0 the sum over all lanes. `add` adds the number of a block.
template <class Add> __device__ inline AlphaCut chunk_sum(const int64 chunk, const int64 blocks, Add add) {
    const int64 end = min((chunk + 1) * CHUNK, blocks); // no block for a chunk after the last one
    AlphaCut sum = ZERO;
#pragma unroll 4
    for (int64 block = chunk * CHUNK; block < end; ++block) sum = add(block, sum);
    for (int distance = LANES / 2; distance > 0; distance /= 2) sum = sum + shuffle_down(sum, distance);
    return sum;
}

// Element c of `parts` is the sum of chunk c; blockIdx.y is the cut. The last chunk may be incomplete.
extern "C" __global__ void sum_chunks(COLUMN(a), RESULT(parts), const int64 chunks, const int64 blocks) {
    const int64 thread = (int64)blockIdx.x * blockDim.x + threadIdx.x, chunk = thread / LANES;
    const int lane = (int)(thread % LANES), i = (int)blockIdx.y;
    const AlphaCut sum = chunk_sum(chunk, blocks, [&](int64 block, AlphaCut s) { return s + LOAD(a, block, i, lane); });
    if (lane == 0 && chunk < chunks) STORE(parts, chunk / LANES, i, chunk % LANES, sum);
}

extern "C" __global__ void dot_chunks(COLUMN(a), COLUMN(b), RESULT(parts), const int64 chunks, const int64 blocks) {
    const int64 thread = (int64)blockIdx.x * blockDim.x + threadIdx.x, chunk = thread / LANES;
    const int lane = (int)(thread % LANES), i = (int)blockIdx.y;
    const AlphaCut sum = chunk_sum(chunk, blocks, [&](int64 block, AlphaCut s) {
        return fuzzion::mul_add(LOAD(a, block, i, lane), LOAD(b, block, i, lane), s);
    });
    if (lane == 0 && chunk < chunks) STORE(parts, chunk / LANES, i, chunk % LANES, sum);
}

// Adds the chunk sums `parts` to element 0 of `total`.
extern "C" __global__ void add_chunk_sums(COLUMN(total), COLUMN(parts), RESULT(out), const int64 chunks) {
    FOR_EACH(cut, CUTS) {
        const int i = (int)cut;
        AlphaCut sum = LOAD(total, 0, i, 0);
        for (int64 chunk = 0; chunk < chunks; ++chunk) sum = sum + LOAD(parts, chunk / LANES, i, chunk % LANES);
        STORE(out, 0, i, 0, sum);
    }
}
