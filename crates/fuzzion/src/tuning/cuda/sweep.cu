// One pass over the rows: sums of products, the loss with its slopes, outputs.

// What the formulas of sets read.
extern "C" __global__ void __launch_bounds__(THREADS) prepare_sets(const double* __restrict__ parameters, int count,
                                                                  double* prepared) {
    FOR_EACH(i, count) prepare_set(parameters + i * SET, prepared + i * SET);
}

#if WHOLE
// ΦᵀWΦ, ΦᵀWY and YᵀWY of the training rows, GRAM numbers from each block; added to what is there where `add` says so.
extern "C" __global__ void __launch_bounds__(THREADS, 1) sum_products(const double* __restrict__ rows, int64 count,
                                                                      int64 training, const double* __restrict__ sets,
                                                                      const int* __restrict__ uses,
                                                                      const double* __restrict__ frames, int add,
                                                                      double* partial) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * LINE;
    double* scratch = xs + INPUTS * ROWS;
    double* areas = scratch + THREADS;
    Samples samples = {rows, count, training};
    Rules rules = {sets, uses, frames};
    Patch patch = own_patch();
    double products[WIDTH][4] = {};
    for (int64 first = (int64)blockIdx.x * ROWS; first < training; first += (int64)gridDim.x * ROWS) {
        fill_tile(tile, xs, scratch, rules, samples, first, root_of(samples, first + threadIdx.x % ROWS));
        __syncthreads();
        add_products(products, tile, patch, (int)(training - first < ROWS ? training - first : ROWS));
        __syncthreads();
    }
    join_patches(products, patch, areas, partial + (int64)blockIdx.x * GRAM, add);
}
#endif

#define LOSSES_AT USES
#define THETA_AT (USES + 4)
#define SWEPT (THETA_AT + OUTPUTS * UNKNOWNS)

// The losses of all rows and their slopes, SWEPT numbers from each block. Where `targets` is set, the columns of Φ times the
// targets instead of slopes for θ, and no others.
extern "C" __global__ void __launch_bounds__(THREADS, 1) sum_slopes(
    const double* __restrict__ rows, int64 count, int64 training, const double* __restrict__ sets, const int* __restrict__ uses,
    const double* __restrict__ frames, const double* __restrict__ theta, double factor, int targets, int add,
    double* partial) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * LINE;
    double* scratch = xs + INPUTS * ROWS;
    double* errors = scratch + THREADS;
    double* sums = partial + (int64)blockIdx.x * SWEPT;
    Samples samples = {rows, count, training};
    Rules rules = {sets, uses, frames};
    if (!add)
        for (int i = threadIdx.x; i < SWEPT; i += THREADS) sums[i] = 0.0;
    __syncthreads();
    Losses losses = {};
    for (int64 first = (int64)blockIdx.x * ROWS; first < count; first += (int64)gridDim.x * ROWS) {
        int r = threadIdx.x % ROWS;
        double root = root_of(samples, first + r);
        bool learns = first + r < training;
        fill_tile(tile, xs, scratch, rules, samples, first, root);
        __syncthreads();
        double slopes[OUTPUTS], outputs[OUTPUTS];
        if (!targets) row_errors(tile, xs, scratch, rules, theta, root, learns, slopes, outputs, losses);
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            double error = targets ? tile[(RULES * EACH + o) * LINE + r] : factor * slopes[o];
            __syncthreads();
            if (threadIdx.x < ROWS) errors[r] = learns ? error : 0.0;
            __syncthreads();
            add_columns(tile, xs, rules, errors, sums + THETA_AT + o * UNKNOWNS);
        }
        __syncthreads();
        if (!targets) add_set_slopes(tile, xs, rules, theta, slopes, outputs, learns ? factor : 0.0, sums);
        __syncthreads();
    }
    double all[4] = {losses.loss[0], losses.loss[1], losses.squares[0], losses.squares[1]};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        double sum = over_threads(all[i], scratch);
        if (threadIdx.x == 0) sums[LOSSES_AT + i] += sum;
    }
}

// ŷ of all rows, output by output.
extern "C" __global__ void __launch_bounds__(THREADS, 1) predict_rows(const double* __restrict__ rows, int64 count,
                                                                      const double* __restrict__ sets,
                                                                      const int* __restrict__ uses,
                                                                      const double* __restrict__ frames,
                                                                      const double* __restrict__ theta, double* out) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * LINE;
    double* scratch = xs + INPUTS * ROWS;
    Samples samples = {rows, count, count};
    Rules rules = {sets, uses, frames};
    for (int64 first = (int64)blockIdx.x * ROWS; first < count; first += (int64)gridDim.x * ROWS) {
        int r = threadIdx.x % ROWS;
        fill_tile(tile, xs, scratch, rules, samples, first, 1.0);
        __syncthreads();
        double slopes[OUTPUTS], outputs[OUTPUTS];
        Losses losses = {};
        row_errors(tile, xs, scratch, rules, theta, 1.0, false, slopes, outputs, losses);
        if (threadIdx.x < ROWS && first + r < count)
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) out[o * count + first + r] = outputs[o];
        __syncthreads();
    }
}

// The sums over blocks.
extern "C" __global__ void __launch_bounds__(THREADS) unite(const double* __restrict__ partial, int blocks, int width,
                                                           double* total) {
    __shared__ double scratch[WARPS * 8];
    unite_blocks(partial, blocks, width, total, scratch);
}
