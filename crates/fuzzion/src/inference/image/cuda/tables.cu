// The fast path for all pixel types: a table over one input, or over S of Equation (3).
// The code before this file is generated for the operator and defines table_index(at), which reads the window `at`.
// CENTER_ONLY: whether the index is the center pixel, so that no window is needed.

extern "C" __global__ void look_up(
    const PIXEL* __restrict__ planes,
    const PIXEL* __restrict__ table,
    PIXEL* __restrict__ out,
    const int64 n,                        // pixels of all planes
    const int width,
    const int height)
{
#if CENTER_ONLY
#if MAX_PIXEL < 256
    __shared__ PIXEL entries[MAX_PIXEL + 1];
    for (int i = threadIdx.x; i <= MAX_PIXEL; i += blockDim.x) entries[i] = table[i];
    __syncthreads();
#else
    const PIXEL* __restrict__ entries = table;
#endif
    const int64 packets = n / Packet<PIXEL>::lanes;
    FOR_EACH(i, packets + n - packets * Packet<PIXEL>::lanes) {
        if (i < packets) {
            Packet<PIXEL> packet = reinterpret_cast<const Packet<PIXEL>*>(planes)[i];
#pragma unroll
            for (int lane = 0; lane < Packet<PIXEL>::lanes; ++lane) packet.lane[lane] = entries[packet.lane[lane]];
            reinterpret_cast<Packet<PIXEL>*>(out)[i] = packet;
        } else {
            const int64 at = packets * Packet<PIXEL>::lanes + i - packets;
            out[at] = entries[planes[at]];
        }
    }
#else
    FOR_EACH(i, n) out[i] = table[table_index(window_at(planes, i, width, height))];
#endif
}
