// Elementwise kernels. REAL is float or double. SET, NORM and HEDGE are the names of device functions; a kernel is
// compiled only if its function is defined.

#ifdef SET
extern "C" __global__ void memberships(
    const REAL* __restrict__ x,           // n
    REAL* __restrict__ out,               // n
    const int64 n)
{
    const int64 packets = n / Packet<REAL>::lanes, whole = packets * Packet<REAL>::lanes;
    const Packet<REAL>* wide_x = reinterpret_cast<const Packet<REAL>*>(x);
    Packet<REAL>* wide_out = reinterpret_cast<Packet<REAL>*>(out);
    FOR_EACH(i, packets + n - whole) {
        if (i < packets) {
            Packet<REAL> packet = wide_x[i];
#pragma unroll
            for (int lane = 0; lane < Packet<REAL>::lanes; ++lane) packet.lane[lane] = SET(packet.lane[lane]);
            wide_out[i] = packet;
        } else {
            out[whole + i - packets] = SET(x[whole + i - packets]);
        }
    }
}
#endif

#ifdef NORM
extern "C" __global__ void norms(
    const REAL* __restrict__ a,           // n
    const REAL* __restrict__ b,           // n
    REAL* __restrict__ out,               // n
    const int64 n)
{
    FOR_EACH(i, n) out[i] = NORM(a[i], b[i]);
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
