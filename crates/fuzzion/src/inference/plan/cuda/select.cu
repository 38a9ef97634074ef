// Copies the columns that a system reads. SOURCE, REAL: float or double.

extern "C" __global__ void select_columns(
    const SOURCE* __restrict__ rows,      // (first + n) × columns
    const int64 first,
    const int64 n,
    const int columns,
    const uint32* __restrict__ selected,  // count
    const int count,
    REAL* __restrict__ out)               // n × count
{
    FOR_EACH(i, n * count) {
        const int64 row = i / count;
        out[i] = REAL(rows[(first + row) * columns + selected[i - row * count]]);
    }
}
