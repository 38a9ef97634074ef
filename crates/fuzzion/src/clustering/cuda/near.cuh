// Whether the centers of a pair lie so near each other that distances from norms and products cannot tell them apart: nearer
// than `share` of their own squared distances from the middle.
__device__ inline bool are_near(const float* centers, int clusters, int columns, int64 pair, float share) {
    const float *a = centers + pair / clusters * columns, *b = centers + pair % clusters * columns;
    if (a >= b) return false;
    float apart = 0.0f, size_a = 0.0f, size_b = 0.0f;
    for (int column = 0; column < columns; column++) {
        apart += (a[column] - b[column]) * (a[column] - b[column]);
        size_a += a[column] * a[column];
        size_b += b[column] * b[column];
    }
    return !(apart >= share * fmaxf(size_a, size_b));
}
