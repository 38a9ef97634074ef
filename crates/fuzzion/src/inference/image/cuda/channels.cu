// Images in GPU memory: conversion between interleaved channels and planes, and gray values.
// The color planes of a frame follow one another; opacity is stored separately.

// Frame of pixel i. 64-bit divisions are several times slower, and few images need them.
__device__ inline int64 frame_of(const int64 i, const int64 size) {
    return (i | size) >> 32 == 0 ? (uint32)i / (uint32)size : i / size;
}

// Copies one channel of n interleaved pixels, of which the first has index `first` in the stack, to its planes: plane
// `offset` of every `step` planes. A plane has `size` pixels.
extern "C" __global__ void read_channel(
    const PIXEL* __restrict__ interleaved,
    PIXEL* __restrict__ planes,
    const int64 first,
    const int64 n,
    const int64 size,
    const int channels,
    const int channel,
    const int step,
    const int offset)
{
    FOR_EACH(i, n) {
        const int64 frame = frame_of(first + i, size);
        planes[(frame * step + offset - frame) * size + first + i] = interleaved[i * channels + channel];
    }
}

// Copies one channel from its planes to n interleaved pixels.
extern "C" __global__ void write_channel(
    const PIXEL* __restrict__ planes,
    PIXEL* __restrict__ interleaved,
    const int64 first,
    const int64 n,
    const int64 size,
    const int channels,
    const int channel,
    const int step,
    const int offset)
{
    FOR_EACH(i, n) {
        const int64 frame = frame_of(first + i, size);
        interleaved[i * channels + channel] = planes[(frame * step + offset - frame) * size + first + i];
    }
}

// Equation (2) for n pixels, of which three planes each are red, green and blue.
extern "C" __global__ void to_gray(
    const PIXEL* __restrict__ colors,
    PIXEL* __restrict__ gray,
    const int64 n,
    const int64 size)
{
    FOR_EACH(i, n) {
        const PIXEL* const red = colors + frame_of(i, size) * 2 * size + i;
        gray[i] = (PIXEL)((299u * red[0] + 587u * red[size] + 114u * red[2 * size] + 500u) / 1000u);
    }
}
