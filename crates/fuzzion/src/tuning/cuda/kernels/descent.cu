// Several iterations of a small problem in one launch: least squares, loss, gradient and step, as in descent.rs.

#define LOSS_OFFSET (SETS * SET_STRIDE)  // gradients of all sets, then the squared errors of training and validation
#define EXCHANGE_LEN (LOSS_OFFSET + 2)

// A loop of few iterations over the threads of a block. Unrolled, the many such loops of `gradient_descent` would double
// its compile time.
#define FOR_EACH_THREAD(i, n) _Pragma("unroll 1") for (int i = threadIdx.x; i < (n); i += THREADS)

// State of the step rule and of the descent, identical in all blocks.
struct StepState {
    double rate, last_loss, min_loss, best_loss;
    int steps, iterations_since_best;
    uint32 recent_increases, observed;
};

// xⁿ by repeated squaring; the library function takes long to compile.
__device__ inline double power(double x, int n) {
    double result = 1.0;
#pragma unroll 1
    for (; n > 0; n /= 2, x *= x)
        if (n % 2 == 1) result *= x;
    return result;
}

// Clamps parameters to valid ranges.
__device__ inline void clamp_parameters(double* p) {
    if (FORM < 3) p[1] = fmax(p[1], MIN_WIDTH);
    if (FORM == 1) {
        p[3] = fmax(p[3], MIN_WIDTH);
        if (p[0] > p[2]) p[0] = p[2] = 0.5 * (p[0] + p[2]);
    }
    if (FORM == 2) p[2] = fmin(fmax(p[2], MIN_BELL_EXPONENT), MAX_BELL_EXPONENT);
}

// Jang's rule: adapts the rate to the last four losses.
__device__ inline void observe_loss(StepState& step_state, double loss) {
    if (STEP_RULE == 1 && step_state.last_loss < 1.0 / 0.0) {
        step_state.recent_increases = step_state.recent_increases << 1 | (loss >= step_state.last_loss ? 1u : 0u);
        step_state.observed++;
        uint32 pattern = step_state.recent_increases & 15u;
        double factor = step_state.observed < 4 ? 1.0 : pattern == 0u ? JANG_UP : pattern == 10u ? JANG_DOWN : 1.0;
        if (factor != 1.0) {
            step_state.rate *= factor;
            step_state.observed = 0;
        }
    }
    step_state.last_loss = loss;
}

// `state` contains the sets to evaluate next, those with the lowest training loss, the best ones, Adam's two moments
// (SETS · SET_STRIDE values each), then θ of the first three. `step_states` is a StepState, in and out. `history`
// receives four values per completed iteration: mean squared errors of training and validation, rate, unused. `result`
// receives the number of completed iterations and the stop code: 0 all iterations completed, 1 converged, 2
// validation, 3 singular matrix (that iteration is not counted).
extern "C" __global__ void __launch_bounds__(THREADS, 1) gradient_descent(
    const double* __restrict__ rows, int64 count, int64 training, double weight, double validation_weight, double* state,
    const int* __restrict__ set_inputs, const int* __restrict__ rule_set_indices, double* step_states, double* partial,
    double* total, double* history, int max_iterations, int is_last_call, int patience, double initial_rate, double ridge,
    uint32* barrier, int* result) {
    DYNAMIC_SHARED(double, memory);
    double* tile = memory;
    double* xs = tile + COLUMNS * TILE_STRIDE;
    double* matrix = xs + INPUTS * TILE_ROWS;
    double* slice_sums = matrix + COLUMNS * MATRIX_STRIDE;
    double* scratch = slice_sums + SLICES * GRAM_LEN;
    double* sets = scratch + THREADS;
    double* min_loss_sets = sets + SETS * SET_STRIDE;
    double* prepared = min_loss_sets + SETS * SET_STRIDE;
    double* first_moment = prepared + SETS * SET_STRIDE;
    double* second_moment = first_moment + SETS * SET_STRIDE;
    double* frames = second_moment + SETS * SET_STRIDE;
    double* theta = frames + RULES * INPUTS * 2;
    double* sums = theta + OUTPUTS * UNKNOWNS;
    int* set_indices = (int*)(sums + SET_GRADIENT_LEN);
    double* thetas = state + 5 * SETS * SET_STRIDE;
    SampleRows samples = {rows, count, training};
    Antecedents antecedents = {prepared, set_indices, frames};
    Patch patch = own_patch();
    StepState step_state = {step_states[0],      step_states[1],      step_states[2],         step_states[3],
                            (int)step_states[4], (int)step_states[5], (uint32)step_states[6], (uint32)step_states[7]};
    uint32 phase = 0;
    FOR_EACH_THREAD(i, RULES * INPUTS) set_indices[i] = rule_set_indices[i];
    FOR_EACH_THREAD(i, SETS * SET_STRIDE) {
        sets[i] = state[i];
        min_loss_sets[i] = state[SETS * SET_STRIDE + i];
        first_moment[i] = state[3 * SETS * SET_STRIDE + i];
        second_moment[i] = state[4 * SETS * SET_STRIDE + i];
    }
    bool is_writer = blockIdx.x == 0;
    int completed = 0, stop_code = 0;
    bool single_tile = (count + TILE_ROWS - 1) / TILE_ROWS <= gridDim.x;  // the tile of the products is reused for the gradient
    while (completed < max_iterations && stop_code == 0) {
        __syncthreads();
        FOR_EACH_THREAD(i, SETS) prepare_set(sets + i * SET_STRIDE, prepared + i * SET_STRIDE);
        if (TERMS > 1)
            FOR_EACH_THREAD(i, RULES * INPUTS) {
                frames[i * 2] = 0.5, frames[i * 2 + 1] = 2.0;
                if (set_indices[i] >= 0) frame_of(sets + set_indices[i] * SET_STRIDE, frames[i * 2], frames[i * 2 + 1]);
            }
        FOR_EACH_THREAD(i, SET_GRADIENT_LEN) sums[i] = 0.0;
        __syncthreads();
        // Equation (3).
        double products[PATCH_GROUPS][4] = {};
        for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < count; first += (int64)gridDim.x * TILE_ROWS) {
            fill_tile(tile, xs, scratch, antecedents, samples, first, sqrt_weight(samples, first + threadIdx.x % TILE_ROWS));
            __syncthreads();
            add_products(products, tile, patch, (int)(training - first < TILE_ROWS ? training - first : TILE_ROWS));
            if (!single_tile) __syncthreads();
        }
        sum_patches(products, patch, slice_sums, partial + (int64)blockIdx.x * GRAM_LEN, false);
        grid_barrier(barrier, phase);
        sum_over_blocks(partial, gridDim.x, GRAM_LEN, total, scratch);
        grid_barrier(barrier, phase);
        scaled_matrix(total, ridge, matrix, scratch);
        if (!solve_matrix(matrix, scratch, theta)) {
            stop_code = 3;
            break;
        }
        // Equation (4).
        Losses losses = {};
        for (int64 first = (int64)blockIdx.x * TILE_ROWS; first < count; first += (int64)gridDim.x * TILE_ROWS) {
            int64 row = first + threadIdx.x % TILE_ROWS;
            double root_weight = sqrt_weight(samples, row);
            if (!single_tile) {
                __syncthreads();
                fill_tile(tile, xs, scratch, antecedents, samples, first, root_weight);
                __syncthreads();
            }
            double output_gradients[OUTPUTS], outputs[OUTPUTS];
            row_outputs(tile, xs, scratch, antecedents, theta, root_weight, row < training, output_gradients, outputs, losses);
            add_set_gradients(tile, xs, antecedents, theta, output_gradients, outputs, row < training ? 1.0 / weight : 0.0, sums);
        }
        double block_squares[2] = {block_sum(losses.squares[0], scratch), block_sum(losses.squares[1], scratch)};
        __syncthreads();
        double* block_sums = partial + (int64)blockIdx.x * EXCHANGE_LEN;
        FOR_EACH_THREAD(i, LOSS_OFFSET)
            block_sums[i] = sum_over_rules(sums, set_indices, set_inputs, i / SET_STRIDE, i % SET_STRIDE) *
                            gradient_factor(prepared + i / SET_STRIDE * SET_STRIDE, i % SET_STRIDE);
        if (threadIdx.x == 0) block_sums[LOSS_OFFSET] = block_squares[0], block_sums[LOSS_OFFSET + 1] = block_squares[1];
        grid_barrier(barrier, phase);
        sum_over_blocks(partial, gridDim.x, EXCHANGE_LEN, total, scratch);
        grid_barrier(barrier, phase);
        // Record the loss and update the best parameters.
        double loss = total[LOSS_OFFSET] / weight, validation = total[LOSS_OFFSET + 1] / validation_weight;
        bool has_validation = validation_weight > 0.0;
        double selection_loss = has_validation ? validation : loss;
        if (is_writer && threadIdx.x == 0) {
            history[completed * 4] = loss;
            history[completed * 4 + 1] = validation;
            history[completed * 4 + 2] = step_state.rate;
        }
        completed++;
        bool is_min = loss < step_state.min_loss, is_best = selection_loss < step_state.best_loss;
        if (is_min) {
            step_state.min_loss = loss;
            FOR_EACH_THREAD(i, SETS * SET_STRIDE) {
                min_loss_sets[i] = sets[i];
                if (is_writer) state[SETS * SET_STRIDE + i] = sets[i];
            }
        }
        step_state.iterations_since_best = is_best ? 0 : step_state.iterations_since_best + 1;
        if (is_best) step_state.best_loss = selection_loss;
        if (is_writer)
            FOR_EACH_THREAD(i, OUTPUTS * UNKNOWNS) {
                thetas[i] = theta[i];
                if (is_min) thetas[OUTPUTS * UNKNOWNS + i] = theta[i];
                if (is_best) thetas[2 * OUTPUTS * UNKNOWNS + i] = theta[i];
            }
        if (is_writer && is_best)
            FOR_EACH_THREAD(i, SETS * SET_STRIDE) state[2 * SETS * SET_STRIDE + i] = sets[i];
        if (completed == max_iterations && is_last_call) break;
        if (has_validation && step_state.iterations_since_best >= patience) stop_code = 2;
        else if (loss <= EXACT_LOSS) stop_code = 1;
        if (stop_code != 0) break;
        __syncthreads();
        if (!(loss <= MAX_LOSS_RATIO * step_state.min_loss)) {
            step_state.rate *= RATE_DECAY;
            step_state.steps = 0, step_state.recent_increases = 0, step_state.observed = 0, step_state.last_loss = 1.0 / 0.0;
            FOR_EACH_THREAD(i, SETS * SET_STRIDE)
                sets[i] = min_loss_sets[i], first_moment[i] = second_moment[i] = 0.0;
            if (is_writer)
                FOR_EACH_THREAD(i, OUTPUTS * UNKNOWNS) thetas[i] = thetas[OUTPUTS * UNKNOWNS + i];
            if (step_state.rate < MIN_RATE_RATIO * initial_rate) stop_code = 1;
            continue;
        }
        observe_loss(step_state, loss);
        double norm = 0.0, largest = 0.0;
#pragma unroll 2
        for (int i = threadIdx.x % 32; i < LOSS_OFFSET; i += 32) {
            norm += total[i] * total[i];
            largest = fmax(largest, fabs(total[i]));
        }
        for (int step = 16; step > 0; step /= 2) {
            norm += __shfl_xor_sync(FULL_WARP, norm, step);
            largest = fmax(largest, __shfl_xor_sync(FULL_WARP, largest, step));
        }
        if (norm == 0.0) {
            stop_code = 1;
            break;
        }
        step_state.steps++;
        double bias_correction_1 = 1.0 - power(BETA_1, step_state.steps);
        double bias_correction_2 = 1.0 - power(BETA_2, step_state.steps);
        FOR_EACH_THREAD(i, SETS * SET_STRIDE) {
            double gradient = total[i];
            if (STEP_RULE == 0) sets[i] -= step_state.rate * gradient;
            if (STEP_RULE == 1) sets[i] -= step_state.rate * gradient / sqrt(norm);
            if (STEP_RULE == 2) {
                if (fabs(gradient) < GRADIENT_NOISE * largest) gradient = 0.0;
                double m = first_moment[i] = BETA_1 * first_moment[i] + (1.0 - BETA_1) * gradient;
                double v = second_moment[i] = BETA_2 * second_moment[i] + (1.0 - BETA_2) * gradient * gradient;
                sets[i] -= step_state.rate * (m / bias_correction_1) / (sqrt(v / bias_correction_2) + ADAM_EPSILON);
            }
        }
        __syncthreads();
        FOR_EACH_THREAD(i, SETS) clamp_parameters(sets + i * SET_STRIDE);
    }
    __syncthreads();
    if (!is_writer) return;
    FOR_EACH_THREAD(i, SETS * SET_STRIDE) {
        state[i] = sets[i];
        state[3 * SETS * SET_STRIDE + i] = first_moment[i];
        state[4 * SETS * SET_STRIDE + i] = second_moment[i];
    }
    if (threadIdx.x == 0) {
        step_states[0] = step_state.rate, step_states[1] = step_state.last_loss;
        step_states[2] = step_state.min_loss, step_states[3] = step_state.best_loss;
        step_states[4] = step_state.steps, step_states[5] = step_state.iterations_since_best;
        step_states[6] = step_state.recent_increases & 15u, step_states[7] = step_state.observed;
        result[0] = completed;
        result[1] = stop_code;
    }
}
