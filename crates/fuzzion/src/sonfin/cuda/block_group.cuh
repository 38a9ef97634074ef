// Values sent by a block: its smallest D, the rule of that D, Σ exp, the weighted sum of the consequents for each
// output, and a squared distance.
#define VALUES (4 + OUTPUTS)

// Exchange between the GROUP_BLOCKS blocks that train one network: once per sample, each block sends VALUES values
// to all blocks of the group.
//
// A value is sent as a message of 8 bytes that contains the value and the sample number, so that the receiver needs
// no barrier. In a cluster, messages are written to the shared memory of every block; otherwise to global memory,
// from where each block copies them to its own shared memory: one trip through the L2 cache, whereas a barrier takes
// three. Messages are double-buffered: before a block overwrites a message, it has received newer messages from all other
// blocks, so all of them have read the old one.

#ifdef FUZZION_EMULATOR
#define CLUSTERS 0
#define WAIT() __nanosleep(20)
#else
#define CLUSTERS (CLUSTERED && __CUDA_ARCH__ >= 900)
#define WAIT()
#endif

struct BlockGroup {
    int rank;
    uint64* messages;    // 2 x VALUES x GROUP_BLOCKS; in shared memory of a cluster, otherwise in global memory
    float* inbox;        // VALUES x GROUP_BLOCKS received values in shared memory
};

__device__ inline void cluster_barrier() {
#if CLUSTERS
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#endif
}

__device__ inline float wait_for_message(const volatile uint64* message, const unsigned sample) {
    uint64 current = *message;
    while ((unsigned)(current >> 32) != sample) {
        WAIT();
        current = *message;
    }
    return __uint_as_float((unsigned)current);
}

// Sends a value to all blocks; called by a whole warp with the same index and value.
__device__ inline void send_value(const BlockGroup& group, const int parity, const unsigned sample, const int index,
                                  const float value) {
    const int lane = threadIdx.x & 31;
#if GROUP_BLOCKS == 1
    if (lane == 0) group.inbox[index] = value;
#else
    uint64* message = group.messages + (parity * VALUES + index) * GROUP_BLOCKS + group.rank;
    const uint64 packed = (uint64)sample << 32 | __float_as_uint(value);
#if CLUSTERS
    if (lane < GROUP_BLOCKS) {
        const unsigned local_address = (unsigned)__cvta_generic_to_shared(message);
        asm volatile("{\n.reg .u32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                     "st.shared::cluster.u64 [there], %2;\n}" ::"r"(local_address), "r"(lane), "l"(packed) : "memory");
    }
#else
    if (lane == 0) *(volatile uint64*)message = packed;
#endif
#endif
}

// Waits for values first..end of all blocks; called by all threads.
__device__ inline void receive_values(const BlockGroup& group, const int parity, const unsigned sample, const int first,
                                      const int end) {
#if !CLUSTERS
#if GROUP_BLOCKS > 1
    for (int i = first * GROUP_BLOCKS + threadIdx.x; i < end * GROUP_BLOCKS; i += THREADS)
        group.inbox[i] = wait_for_message(group.messages + parity * VALUES * GROUP_BLOCKS + i, sample);
#endif
    __syncthreads();
#endif
}

// A value received from block `rank`; in a cluster, waits for it.
__device__ inline float received_value(const BlockGroup& group, const int parity, const unsigned sample, const int index,
                                       const int rank) {
#if CLUSTERS
    return wait_for_message(group.messages + (parity * VALUES + index) * GROUP_BLOCKS + rank, sample);
#else
    return group.inbox[index * GROUP_BLOCKS + rank];
#endif
}
