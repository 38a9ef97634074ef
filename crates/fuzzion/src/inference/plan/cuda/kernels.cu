// Runs one system over many rows. The code before this file is generated for the system. It defines steps(x, results,
// reals, counts), which computes RESULTS values for each of ROWS rows of INPUTS inputs, and the tables that it reads.
// REAL: float or double. REALS, COUNTS: lengths of the tables to copy to shared memory, 0 to leave them in global memory.

// Loads N values with accesses as wide as N allows.
template <int N> __device__ inline void load(const REAL* __restrict__ from, REAL (&to)[N]) {
    if (N % Packet<REAL>::lanes == 0) {
        const Packet<REAL>* packets = reinterpret_cast<const Packet<REAL>*>(from);
#pragma unroll
        for (int i = 0; i < N / Packet<REAL>::lanes; ++i) {
            const Packet<REAL> packet = packets[i];
#pragma unroll
            for (int lane = 0; lane < Packet<REAL>::lanes; ++lane) to[i * Packet<REAL>::lanes + lane] = packet.lane[lane];
        }
    } else {
#pragma unroll
        for (int i = 0; i < N; ++i) to[i] = from[i];
    }
}

// Stores N values with accesses as wide as N allows.
template <int N> __device__ inline void store(const REAL (&from)[N], REAL* __restrict__ to) {
    if (N % Packet<REAL>::lanes == 0) {
        Packet<REAL>* packets = reinterpret_cast<Packet<REAL>*>(to);
#pragma unroll
        for (int i = 0; i < N / Packet<REAL>::lanes; ++i) {
            Packet<REAL> packet;
#pragma unroll
            for (int lane = 0; lane < Packet<REAL>::lanes; ++lane) packet.lane[lane] = from[i * Packet<REAL>::lanes + lane];
            packets[i] = packet;
        }
    } else {
#pragma unroll
        for (int i = 0; i < N; ++i) to[i] = from[i];
    }
}

extern "C" __global__ void infer(
    const REAL* __restrict__ x,           // n × INPUTS
    REAL* __restrict__ out,               // n × RESULTS
    const int64 n)
{
#if REALS > 0
    __shared__ __align__(16) REAL reals[REALS];
    __shared__ uint16 counts[COUNTS];
    for (int i = threadIdx.x; i < REALS; i += blockDim.x) reals[i] = table_reals[i];
    for (int i = threadIdx.x; i < COUNTS; i += blockDim.x) counts[i] = table_counts[i];
    __syncthreads();
#else
    const REAL* const reals = table_reals;
    const uint16* const counts = table_counts;
#endif
    const int64 groups = n / ROWS;
    FOR_EACH(i, groups + (groups * ROWS < n)) {
        REAL in[ROWS * INPUTS], results[ROWS * RESULTS];
        if (i < groups) {
            load(x + i * ROWS * INPUTS, in);
        } else {
            for (int k = 0; k < ROWS * INPUTS; ++k) {
                const int64 at = i * ROWS * INPUTS + k;
                in[k] = at < n * INPUTS ? x[at] : REAL(0);
            }
        }
        steps(in, results, reals, counts);
        if (i < groups) {
            store(results, out + i * ROWS * RESULTS);
        } else {
            for (int k = 0; k < ROWS * RESULTS; ++k) {
                const int64 at = i * ROWS * RESULTS + k;
                if (at < n * RESULTS) out[at] = results[k];
            }
        }
    }
}
