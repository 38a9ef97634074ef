// Common code of the window operators: pixel access and borders.
// PIXEL: uint8 or uint16. SCALE: pixel values per unit of brightness. MAX_PIXEL: largest pixel value.
// BORDER: 0 replicates, 1 reflects, 2 reads the constant BORDER_PIXEL.

#define REPLICATE 0
#define REFLECT 1
#define CONSTANT_BORDER 2

// Index to read for position `at` in a row or column of length n; -1 for the constant.
__device__ inline int border_index(const int at, const int n) {
    if (at >= 0 && at < n) return at;
    if (BORDER == CONSTANT_BORDER) return -1;
    if (BORDER == REPLICATE || n == 1) return at < 0 ? 0 : n - 1;
    const int period = 2 * (n - 1);
    const int index = (at % period + period) % period;
    return index < n ? index : period - index;
}

// The window around a pixel of a plane.
struct Window {
    const PIXEL* __restrict__ plane;
    int x, y, width, height;

    __device__ inline int operator()(const int dx, const int dy) const {
        const int column = border_index(x + dx, width), row = border_index(y + dy, height);
        if (BORDER == CONSTANT_BORDER && (column < 0 || row < 0)) return BORDER_PIXEL;
        return plane[(int64)row * width + column];
    }
};

// The window around pixel i of consecutive planes.
__device__ inline Window window_at(const PIXEL* __restrict__ planes, const int64 i, const int width, const int height) {
    // 64-bit divisions are several times slower, and few images need them.
    const bool narrow = i >> 32 == 0;
    const int64 row = narrow ? (uint32)i / (uint32)width : i / width;
    const int64 plane = narrow ? (uint32)row / (uint32)height : row / height;
    return Window{planes + plane * height * width, (int)(i - row * width), (int)(row - plane * height), width, height};
}
