// SAID: words of a block, namely the nearest D, its rule, Σ exp, what its rules say to each output, and a distance.
#define SAID (4 + OUTPUTS)

// How the TEAM blocks that share one network tell each other what they found, once for each sample: each block says some
// words, and every block hears the words of all.
//
// Between blocks a word travels as a letter: 8 bytes with the number and the sample it is about, so that who waits for it
// needs no barrier. In a cluster letters go into the shared memory of every block, elsewhere into global memory, from where
// a block copies them to its own: one way through the second-level cache, where a barrier takes three. Boxes are two, taken
// in turn: who writes into a box again has heard from all others in between, so that all have read it.

#ifdef FUZZION_EMULATOR
#define CLUSTERS 0
#define WAIT() __nanosleep(20)
#else
#define CLUSTERS (CLUSTERED && __CUDA_ARCH__ >= 900)
#define WAIT()
#endif

struct Team {
    int rank;
    uint64* mail;    // 2 x SAID x TEAM letters, of this team: in shared memory of a cluster, else in global memory
    float* box;      // SAID x TEAM numbers in shared memory
};

__device__ inline void cluster_barrier() {
#if CLUSTERS
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#endif
}

__device__ inline float opened(const volatile uint64* letter, const unsigned sample) {
    uint64 seen = *letter;
    while ((unsigned)(seen >> 32) != sample) {
        WAIT();
        seen = *letter;
    }
    return __uint_as_float((unsigned)seen);
}

// Called by a whole warp with the same word and value: says it to all.
__device__ inline void tell(const Team& team, const int turn, const unsigned sample, const int word, const float value) {
    const int lane = threadIdx.x & 31;
#if TEAM == 1
    if (lane == 0) team.box[word] = value;
#else
    uint64* letter = team.mail + (turn * SAID + word) * TEAM + team.rank;
    const uint64 text = (uint64)sample << 32 | __float_as_uint(value);
#if CLUSTERS
    if (lane < TEAM) {
        const unsigned here = (unsigned)__cvta_generic_to_shared(letter);
        asm volatile("{\n.reg .u32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                     "st.shared::cluster.u64 [there], %2;\n}" ::"r"(here), "r"(lane), "l"(text) : "memory");
    }
#else
    if (lane == 0) *(volatile uint64*)letter = text;
#endif
#endif
}

// Waits for words first..end of all blocks, called by all threads.
__device__ inline void hear(const Team& team, const int turn, const unsigned sample, const int first, const int end) {
#if !CLUSTERS
#if TEAM > 1
    for (int at = first * TEAM + threadIdx.x; at < end * TEAM; at += THREADS)
        team.box[at] = opened(team.mail + turn * SAID * TEAM + at, sample);
#endif
    __syncthreads();
#endif
}

// A word of block `rank`, heard; what a cluster says is waited for here.
__device__ inline float said(const Team& team, const int turn, const unsigned sample, const int word, const int rank) {
#if CLUSTERS
    return opened(team.mail + (turn * SAID + word) * TEAM + rank, sample);
#else
    return team.box[word * TEAM + rank];
#endif
}
