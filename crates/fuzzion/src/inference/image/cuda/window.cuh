// What kernels of window operators share: pixels, and what is read beyond a picture's border.
// PIXEL: uint8 or uint16. STEPS: steps of a pixel per unit that systems see. MOST: the largest pixel.
// BORDER: 0 replicates, 1 reflects, 2 is the pixel CONSTANT.

#define REPLICATE 0
#define REFLECT 1
#define CONSTANT_BORDER 2

// Where a place beside a row or column of n is read; -1 for the constant.
__device__ inline int place(const int at, const int n) {
    if (at >= 0 && at < n) return at;
    if (BORDER == CONSTANT_BORDER) return -1;
    if (BORDER == REPLICATE || n == 1) return at < 0 ? 0 : n - 1;
    const int turn = 2 * (n - 1);
    const int there = (at % turn + turn) % turn;
    return there < n ? there : turn - there;
}

// The window round a pixel of a plane.
struct Window {
    const PIXEL* __restrict__ plane;
    int x, y, width, height;

    __device__ inline int operator()(const int dx, const int dy) const {
        const int column = place(x + dx, width), row = place(y + dy, height);
        if (BORDER == CONSTANT_BORDER && (column < 0 || row < 0)) return CONSTANT;
        return plane[(int64)row * width + column];
    }
};

// The window round pixel i of planes that lie one after the other.
__device__ inline Window window_at(const PIXEL* __restrict__ planes, const int64 i, const int width, const int height) {
    // Divisions of 64 bits take several times as long, and few pictures need them.
    const bool narrow = i >> 32 == 0;
    const int64 row = narrow ? (uint32)i / (uint32)width : i / width;
    const int64 plane = narrow ? (uint32)row / (uint32)height : row / height;
    return Window{planes + plane * height * width, (int)(i - row * width), (int)(row - plane * height), width, height};
}
