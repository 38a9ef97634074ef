// Operations on one rule, shared by all mappings: Equations (1), (3) and (5). D = −ln μ is never negative, so its
// bit pattern, read as an integer, has the same order.

#define FIRST (-2)
#define NONE (-1)
#define MIN_UPDATE_FIRING (1.0f / 16777216.0f)
#define MAX_DISTANCE 3.0e38f    // limit of overflowing sums; differences of D remain finite

// Settings of the updates; STEP_SETTINGS values per network.
struct StepSettings {
    float ln_threshold, beta, first_width, min_width, rate_w, rate_m, rate_s;
    int max_rules, width_rule;    // 0 distance, 1 thesis, 2 log-firing
    bool plain_gradient, cross_entropy;
};

__device__ inline StepSettings load_settings(const float* __restrict__ all_settings, const int network) {
    const float* v = all_settings + network * STEP_SETTINGS;
    return StepSettings{v[0], v[1], v[2], v[3], v[4], v[5], v[6], (int)v[7], (int)v[8], v[9] != 0.0f, v[10] != 0.0f};
}

// z of one input; 0 if missing.
__device__ inline float z_score(const float a, const float c, const float x) {
#if MISSING
    return x == x ? fmaf(a, x, -c) : 0.0f;
#else
    return fmaf(a, x, -c);
#endif
}

// Adds D of four inputs to `sum`.
__device__ inline float add_squares(const float4 a, const float4 c, const float4 x, float sum) {
    float z = z_score(a.x, c.x, x.x);
    sum = fmaf(z, z, sum);
    z = z_score(a.y, c.y, x.y);
    sum = fmaf(z, z, sum);
    z = z_score(a.z, c.z, x.z);
    sum = fmaf(z, z, sum);
    z = z_score(a.w, c.w, x.w);
    return fmaf(z, z, sum);
}

// Squared distance of x from the center of a rule in one input; 0 if the rule ignores the input.
__device__ inline float squared_distance(const float a, const float c, const float x) {
    const float z = z_score(a, c, x);
    const float difference = a > 0.0f ? z / a : 0.0f;
    return difference * difference;
}

// Updates one input of a rule: Equation (5) with p = −2·η_m·q and t = 2·η_σ·q.
__device__ inline void update_input(float& a, float& c, const float x, const float p, const float t,
                                    const StepSettings& settings) {
    const float z = z_score(a, c, x);
    float shift = p, s;
    if (settings.plain_gradient) {
        const float scale = a * a;
        shift *= scale;
        s = 1.0f / (1.0f - fminf(t * scale * z * z, 0.5f));
    } else {
        s = fmaf(t * z, z, 1.0f);
    }
    shift = fminf(fmaxf(shift, -0.5f), 0.5f);
    s = fminf(fmaxf(s, 0.5f), 2.0f);
    if (s > 1.0f && a * s * settings.min_width > 1.0f) s = 1.0f;
#if MISSING
    if (x != x) s = 1.0f;
#endif
    c = fmaf(shift, z, c) * s;
    a *= s;
}

__device__ inline void update_input(float4& a, float4& c, const float4 x, const float p, const float t,
                                    const StepSettings& settings) {
    update_input(a.x, c.x, x.x, p, t, settings);
    update_input(a.y, c.y, x.y, p, t, settings);
    update_input(a.z, c.z, x.z, p, t, settings);
    update_input(a.w, c.w, x.w, p, t, settings);
}

// Width of a new rule, given the squared distance to the nearest rule and its D: Equation (3).
__device__ inline float rule_width(const StepSettings& settings, const float square, const float d, const bool first) {
    float width = settings.first_width;
    if (!first) {
        if (settings.width_rule == 0) width = settings.beta * sqrtf(square);
        else if (settings.width_rule == 1) width = settings.beta * square;
        else width = settings.beta * d;
    }
    return fmaxf(width, settings.min_width);
}

// Writes input j of a new rule centered at x.
__device__ inline void write_input(float* a, float* c, const int j, const float x, const float width) {
    const float inverse = 1.0f / width;
    a[j] = x == x ? inverse : 0.0f;
    c[j] = x == x ? x * inverse : 0.0f;
}

// Sum over groups of `lanes` lanes of a warp.
__device__ inline float warp_sum(float value, const int lanes) {
    for (int delta = lanes >> 1; delta > 0; delta >>= 1) value += __shfl_xor_sync(FULL_WARP, value, delta);
    return value;
}

// Smallest D of a warp and its rule, the smallest index on a tie. D ≥ 0; 0xffffffff means no rule.
__device__ inline void warp_nearest(unsigned& d, int& rule) {
    const unsigned min_bits = __reduce_min_sync(FULL_WARP, d);
    rule = (int)__reduce_min_sync(FULL_WARP, d == min_bits ? (unsigned)rule : 0x7fffffffu);
    d = min_bits;
}
