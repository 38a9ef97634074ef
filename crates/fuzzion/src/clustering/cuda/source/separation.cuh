// Whether two centers are too close for the product form (|x|² − 2x·v + |v|²), which would cancel: their squared distance is less than `min_separation` times
// the larger of their squared norms.
__device__ inline bool are_too_close(const float* centers, int clusters, int columns, int64 pair, float min_separation) {
    const float *a = centers + pair / clusters * columns, *b = centers + pair % clusters * columns;
    if (a >= b) return false;
    float distance = 0.0f, norm_a = 0.0f, norm_b = 0.0f;
    for (int column = 0; column < columns; column++) {
        distance += (a[column] - b[column]) * (a[column] - b[column]);
        norm_a += a[column] * a[column];
        norm_b += b[column] * b[column];
    }
    return !(distance >= min_separation * fmaxf(norm_a, norm_b));
}
