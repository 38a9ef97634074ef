// Elementwise kernels over device functions that the program's constants name.
// REAL: float or double. Each kernel exists where its function is named: SET, TNORM, SNORM or HEDGE.

#ifdef SET
extern "C" __global__ void memberships(
    const REAL* __restrict__ x,           // n
    REAL* __restrict__ out,               // n
    const int64 n)
{
    FOR_EACH(i, n) out[i] = SET(x[i]);
}
#endif

#ifdef TNORM
extern "C" __global__ void tnorms(
    const REAL* __restrict__ a,           // n
    const REAL* __restrict__ b,           // n
    REAL* __restrict__ out,               // n
    const int64 n)
{
    FOR_EACH(i, n) out[i] = TNORM(a[i], b[i]);
}
#endif

#ifdef SNORM
extern "C" __global__ void snorms(
    const REAL* __restrict__ a,           // n
    const REAL* __restrict__ b,           // n
    REAL* __restrict__ out,               // n
    const int64 n)
{
    FOR_EACH(i, n) out[i] = SNORM(a[i], b[i]);
}
#endif

#ifdef HEDGE
extern "C" __global__ void hedges(
    const REAL* __restrict__ m,           // n
    REAL* __restrict__ out,               // n
    const int64 n)
{
    FOR_EACH(i, n) out[i] = HEDGE(m[i]);
}
#endif
