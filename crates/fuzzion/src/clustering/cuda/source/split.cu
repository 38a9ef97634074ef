// Splits prepared rows into pairs of FP16 values, and norms into triples; sets `overflow` to 1 if a value overflows.
extern "C" __global__ void split_rows(const float* rows, int64 n, const float* column_scale, uint32* planes, uint32* norms,
                                      uint32* overflow) {
    FOR_EACH(row, n) {
        double norm = 0.0;
        float largest = 0.0f;
        for (int word = 0; word < WORDS; word++)
            for (int quarter = 0; quarter < 4; quarter++) {
                float x[2], scale[2];
                for (int i = 0; i < 2; i++) {
                    int column = word * 8 + 2 * quarter + i;
                    scale[i] = column < COLUMNS ? column_scale[column] : 1.0f;
                    x[i] = column < COLUMNS ? rows[row * COLUMNS + column] * scale[i] : 0.0f;
                    largest = fmaxf(largest, fabsf(x[i]));
                }
                uint32 high = pack_halves(x[0], x[1]), low = low_halves(x[0], x[1], high);
                double first = ((double)first_half(high) + (double)first_half(low)) / (double)scale[0];
                double second = ((double)second_half(high) + (double)second_half(low)) / (double)scale[1];
                norm += first * first + second * second;
                planes[row * (8 * WORDS) + word_index(word, quarter)] = high;
                planes[row * (8 * WORDS) + word_index(WORDS + word, quarter)] = low;
            }
        Triple parts = triple(norm);
        norms[2 * row] = parts.two;
        norms[2 * row + 1] = pack_halves(parts.third, 1.0f);
        if (!(largest < 32000.0f && norm < 32000.0)) *overflow = 1u;
    }
}
