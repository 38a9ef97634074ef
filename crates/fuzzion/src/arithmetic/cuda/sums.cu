// Sums and dot products, in the order that the CPU keeps: chunks of CHUNK blocks, each of them lane by lane, then lanes by
// halves; then the chunks one after the other.

// Joins the lanes of a block, which are neighbours in a warp.
__device__ inline Part other_lane(Part x, int distance) {
#ifdef RADIUS
    return {__shfl_down_sync(FULL_WARP, x.midpoint, distance), __shfl_down_sync(FULL_WARP, x.radius, distance)};
#else
    return {__shfl_down_sync(FULL_WARP, x.lower, distance), __shfl_down_sync(FULL_WARP, x.upper, distance)};
#endif
}

// What lane `lane` of a chunk amounts to, and in lane 0 all of them; `add` adds a number of a block.
template <class Add> __device__ inline Part joined(const bool there, const int64 chunk, Add add) {
    Part sum = ZERO;
    if (there) {
#pragma unroll 4
        for (int64 block = chunk * CHUNK; block < (chunk + 1) * CHUNK; ++block) sum = add(block, sum);
    }
    for (int distance = LANES / 2; distance > 0; distance /= 2) sum = sum + other_lane(sum, distance);
    return sum;
}

// Number c of `parts` is what chunk c amounts to; blockIdx.y is the cut. All chunks are whole.
extern "C" __global__ void sum_chunks(COLUMN(a), RESULT(parts), const int64 chunks) {
    const int64 thread = (int64)blockIdx.x * blockDim.x + threadIdx.x, chunk = thread / LANES;
    const int lane = (int)(thread % LANES), i = (int)blockIdx.y;
    const Part sum = joined(chunk < chunks, chunk, [&](int64 block, Part s) { return s + LOAD(a, block, i, lane); });
    if (lane == 0 && chunk < chunks) STORE(parts, chunk / LANES, i, chunk % LANES, sum);
}

extern "C" __global__ void dot_chunks(COLUMN(a), COLUMN(b), RESULT(parts), const int64 chunks) {
    const int64 thread = (int64)blockIdx.x * blockDim.x + threadIdx.x, chunk = thread / LANES;
    const int lane = (int)(thread % LANES), i = (int)blockIdx.y;
    const Part sum = joined(chunk < chunks, chunk, [&](int64 block, Part s) {
        return fuzzion::mul_add(LOAD(a, block, i, lane), LOAD(b, block, i, lane), s);
    });
    if (lane == 0 && chunk < chunks) STORE(parts, chunk / LANES, i, chunk % LANES, sum);
}

// Adds parts to number 0 of `total`.
extern "C" __global__ void join_chunks(COLUMN(total), COLUMN(parts), RESULT(out), const int64 chunks) {
    FOR_EACH(cut, CUTS) {
        const int i = (int)cut;
        Part sum = LOAD(total, 0, i, 0);
        for (int64 chunk = 0; chunk < chunks; ++chunk) sum = sum + LOAD(parts, chunk / LANES, i, chunk % LANES);
        STORE(out, 0, i, 0, sum);
    }
}
