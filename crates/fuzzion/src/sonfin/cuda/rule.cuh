// What all mappings do with one rule: equations (1), (3) and (5). D = −ln μ throughout, which is never negative, so that
// its bits order as it does.

#define FIRST (-2)
#define NONE (-1)
#define UNMOVED (1.0f / 16777216.0f)
#define FARTHEST 3.0e38f    // where sums overflow: differences of D stay numbers

// The numbers of a course, COURSE of them for each network.
struct Course {
    float ln_threshold, beta, first_width, least_width, rate_w, rate_m, rate_s;
    int most_rules, width_rule;    // 0 distance, 1 thesis, 2 log-firing
    bool plain, cross_entropy;
};

__device__ inline Course course_of(const float* __restrict__ courses, const int network) {
    const float* n = courses + network * COURSE;
    return Course{n[0], n[1], n[2], n[3], n[4], n[5], n[6], (int)n[7], (int)n[8], n[9] != 0.0f, n[10] != 0.0f};
}

// z of one input: 0 where it is missing.
__device__ inline float offset(const float a, const float c, const float x) {
#if MISSING
    return x == x ? fmaf(a, x, -c) : 0.0f;
#else
    return fmaf(a, x, -c);
#endif
}

// D of four inputs, added to `sum`.
__device__ inline float apart(const float4 a, const float4 c, const float4 x, float sum) {
    float z = offset(a.x, c.x, x.x);
    sum = fmaf(z, z, sum);
    z = offset(a.y, c.y, x.y);
    sum = fmaf(z, z, sum);
    z = offset(a.z, c.z, x.z);
    sum = fmaf(z, z, sum);
    z = offset(a.w, c.w, x.w);
    return fmaf(z, z, sum);
}

// The square of the distance of x from the center of a rule in one input; 0 where the rule does not ask for it.
__device__ inline float distance_square(const float a, const float c, const float x) {
    const float z = offset(a, c, x);
    const float apart = a > 0.0f ? z / a : 0.0f;
    return apart * apart;
}

// Moves a rule in one input: equation (5) with p = −2·η_m·q and t = 2·η_σ·q.
__device__ inline void move(float& a, float& c, const float x, const float p, const float t, const Course& course) {
    const float z = offset(a, c, x);
    float own = p, s;
    if (course.plain) {
        const float scale = a * a;
        own *= scale;
        s = 1.0f / (1.0f - fminf(t * scale * z * z, 0.5f));
    } else {
        s = fmaf(t * z, z, 1.0f);
    }
    own = fminf(fmaxf(own, -0.5f), 0.5f);
    s = fminf(fmaxf(s, 0.5f), 2.0f);
    if (s > 1.0f && a * s * course.least_width > 1.0f) s = 1.0f;
#if MISSING
    if (x != x) s = 1.0f;
#endif
    c = fmaf(own, z, c) * s;
    a *= s;
}

__device__ inline void move(float4& a, float4& c, const float4 x, const float p, const float t, const Course& course) {
    move(a.x, c.x, x.x, p, t, course);
    move(a.y, c.y, x.y, p, t, course);
    move(a.z, c.z, x.z, p, t, course);
    move(a.w, c.w, x.w, p, t, course);
}

// The width of a rule added where the nearest one is `square` away (its square) and has D: equation (3).
__device__ inline float width_of(const Course& course, const float square, const float d, const bool first) {
    float width = course.first_width;
    if (!first) {
        if (course.width_rule == 0) width = course.beta * sqrtf(square);
        else if (course.width_rule == 1) width = course.beta * square;
        else width = course.beta * d;
    }
    return fmaxf(width, course.least_width);
}

// Writes input j of a rule around x.
__device__ inline void found(float* a, float* c, const int j, const float x, const float width) {
    const float inverse = 1.0f / width;
    a[j] = x == x ? inverse : 0.0f;
    c[j] = x == x ? x * inverse : 0.0f;
}

// The sum over groups of `lanes` lanes of a warp.
__device__ inline float sum_of(float value, const int lanes) {
    for (int other = lanes >> 1; other > 0; other >>= 1) value += __shfl_xor_sync(FULL_WARP, value, other);
    return value;
}

// The least D of a warp, the first index of equals with it. D ≥ 0, and 0xffffffff stands for no rule.
__device__ inline void nearest_of(unsigned& d, int& rule) {
    const unsigned least = __reduce_min_sync(FULL_WARP, d);
    rule = (int)__reduce_min_sync(FULL_WARP, d == least ? (unsigned)rule : 0x7fffffffu);
    d = least;
}
