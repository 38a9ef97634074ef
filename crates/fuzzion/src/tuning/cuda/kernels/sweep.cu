// Kernels that sweep over the rows: normal equations, loss and gradient, outputs.

// Precomputes the values used by the membership functions.
extern "C" __global__ void __launch_bounds__(THREADS) prepare_sets(const double* __restrict__ parameters, int count,
                                                                  double* prepared) {
    FOR_EACH(i, count) prepare_set(parameters + i * SET_STRIDE, prepared + i * SET_STRIDE);
}

#if FULL_PHI
// ΦᵀWΦ, ΦᵀWY and YᵀWY of the training rows, GRAM_LEN values per block, added to the previous contents if `add`.
extern "C" __global__ void __launch_bounds__(THREADS, 1) sum_products(const double* __restrict__ rows, int64 count,
                                                                      int64 training, const double* __restrict__ sets,
                                                                      const int* __restrict__ set_indices,
                                                                      const double* __restrict__ frames, int add,
                                                                      double* partial) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * TILE_STRIDE;
    double* scratch = xs + INPUTS * TILE_ROWS;
    double* slice_sums = scratch + THREADS;
    SampleRows samples = {rows, count, training};
    Antecedents antecedents = {sets, set_indices, frames};
    Patch patch = own_patch();
    double products[PATCH_GROUPS][4] = {};
    for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < training; first += (int64)gridDim.x * TILE_ROWS) {
        fill_tile(tile, xs, scratch, antecedents, samples, first, sqrt_weight(samples, first + threadIdx.x % TILE_ROWS));
        __syncthreads();
        add_products(products, tile, patch, (int)(training - first < TILE_ROWS ? training - first : TILE_ROWS));
        __syncthreads();
    }
    sum_patches(products, patch, slice_sums, partial + (int64)blockIdx.x * GRAM_LEN, add);
}
#endif

#define LOSS_OFFSET SET_GRADIENT_LEN
#define THETA_OFFSET (SET_GRADIENT_LEN + 4)
#define GRADIENT_LEN (THETA_OFFSET + OUTPUTS * UNKNOWNS)

// Losses of all rows and their gradients, GRADIENT_LEN values per block. If `use_targets`, only ΦᵀWY, in place of the
// gradient of θ.
extern "C" __global__ void __launch_bounds__(THREADS, 1) sum_gradients(
    const double* __restrict__ rows, int64 count, int64 training, const double* __restrict__ sets,
    const int* __restrict__ set_indices, const double* __restrict__ frames, const double* __restrict__ theta, double factor, int use_targets, int add,
    double* partial) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * TILE_STRIDE;
    double* scratch = xs + INPUTS * TILE_ROWS;
    double* errors = scratch + THREADS;
    double* sums = partial + (int64)blockIdx.x * GRADIENT_LEN;
    SampleRows samples = {rows, count, training};
    Antecedents antecedents = {sets, set_indices, frames};
    if (!add)
        for (int i = threadIdx.x; i < GRADIENT_LEN; i += THREADS) sums[i] = 0.0;
    __syncthreads();
    Losses losses = {};
    for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < count; first += (int64)gridDim.x * TILE_ROWS) {
        int r = threadIdx.x % TILE_ROWS;
        double root_weight = sqrt_weight(samples, first + r);
        bool is_training = first + r < training;
        fill_tile(tile, xs, scratch, antecedents, samples, first, root_weight);
        __syncthreads();
        double output_gradients[OUTPUTS], outputs[OUTPUTS];
        if (!use_targets)
            row_outputs(tile, xs, scratch, antecedents, theta, root_weight, is_training, output_gradients, outputs, losses);
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            double error = use_targets ? tile[(RULES * RULE_COLUMNS + o) * TILE_STRIDE + r] : factor * output_gradients[o];
            __syncthreads();
            if (threadIdx.x < TILE_ROWS) errors[r] = is_training ? error : 0.0;
            __syncthreads();
            add_theta_gradient(tile, xs, antecedents, errors, sums + THETA_OFFSET + o * UNKNOWNS);
        }
        __syncthreads();
        if (!use_targets)
            add_set_gradients(tile, xs, antecedents, theta, output_gradients, outputs, is_training ? factor : 0.0, sums);
        __syncthreads();
    }
    double all[4] = {losses.loss[0], losses.loss[1], losses.squares[0], losses.squares[1]};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        double sum = block_sum(all[i], scratch);
        if (threadIdx.x == 0) sums[LOSS_OFFSET + i] += sum;
    }
}

// ŷ of all rows, by output.
extern "C" __global__ void __launch_bounds__(THREADS, 1) predict_rows(const double* __restrict__ rows, int64 count,
                                                                      const double* __restrict__ sets,
                                                                      const int* __restrict__ set_indices,
                                                                      const double* __restrict__ frames,
                                                                      const double* __restrict__ theta, double* out) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * TILE_STRIDE;
    double* scratch = xs + INPUTS * TILE_ROWS;
    SampleRows samples = {rows, count, count};
    Antecedents antecedents = {sets, set_indices, frames};
    for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < count; first += (int64)gridDim.x * TILE_ROWS) {
        int r = threadIdx.x % TILE_ROWS;
        fill_tile(tile, xs, scratch, antecedents, samples, first, 1.0);
        __syncthreads();
        double output_gradients[OUTPUTS], outputs[OUTPUTS];
        Losses losses = {};
        row_outputs(tile, xs, scratch, antecedents, theta, 1.0, false, output_gradients, outputs, losses);
        if (threadIdx.x < TILE_ROWS && first + r < count)
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) out[o * count + first + r] = outputs[o];
        __syncthreads();
    }
}

// Sums over blocks.
extern "C" __global__ void __launch_bounds__(THREADS) sum_blocks(const double* __restrict__ partial, int blocks, int width,
                                                           double* total) {
    __shared__ double scratch[WARPS * 8];
    sum_over_blocks(partial, blocks, width, total, scratch);
}
