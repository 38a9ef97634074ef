// The fast path for any pixels: a table over one input, or over S of equation (3).
// The text before this one is written for the operator and defines place_in_table(at), which reads the window `at`.

extern "C" __global__ void look_up(
    const PIXEL* __restrict__ planes,
    const PIXEL* __restrict__ table,
    PIXEL* __restrict__ out,
    const int64 n,                        // pixels of all planes
    const int width,
    const int height)
{
    FOR_EACH(i, n) out[i] = table[place_in_table(window_at(planes, i, width, height))];
}
