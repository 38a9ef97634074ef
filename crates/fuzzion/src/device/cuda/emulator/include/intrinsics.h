// CUDA intrinsics for arithmetic, bits, memory and atomics.
#pragma once

// ---- bit casts ----
static inline unsigned __float_as_uint(float x) { return fuzzion_emulator::from_bits<unsigned>(fuzzion_emulator::to_bits(x)); }
static inline int __float_as_int(float x) { return int(__float_as_uint(x)); }
static inline float __uint_as_float(unsigned x) { return fuzzion_emulator::from_bits<float>(x); }
static inline float __int_as_float(int x) { return __uint_as_float(unsigned(x)); }
static inline long long __double_as_longlong(double x) { return (long long)(fuzzion_emulator::to_bits(x)); }
static inline double __longlong_as_double(long long x) { return fuzzion_emulator::from_bits<double>(uint64_t(x)); }
static inline int __double2hiint(double x) { return int(fuzzion_emulator::to_bits(x) >> 32); }
static inline int __double2loint(double x) { return int(fuzzion_emulator::to_bits(x)); }
static inline double __hiloint2double(int high, int low) {
    return fuzzion_emulator::from_bits<double>(uint64_t(unsigned(high)) << 32 | unsigned(low));
}

// ---- bits ----
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++) reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
static inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    uint64_t bytes = uint64_t(y) << 32 | x;
    unsigned chosen = 0;
    for (int i = 0; i < 4; i++) chosen |= unsigned(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xff) << (8 * i);
    return chosen;
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((uint64_t(high) << 32 | low) << (shift & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned((uint64_t(high) << 32 | low) >> (shift & 31));
}

// ---- integers ----
static inline int __mulhi(int a, int b) { return int((int64_t(a) * b) >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((uint64_t(a) * b) >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128(a) * b) >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static inline int __mul24(int a, int b) {
    return int(int64_t(int(unsigned(a) << 8) >> 8) * (int(unsigned(b) << 8) >> 8));
}
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
static inline unsigned __usad(unsigned a, unsigned b, unsigned sum) { return (a > b ? a - b : b - a) + sum; }
static inline unsigned __sad(int a, int b, unsigned sum) {
    int64_t difference = int64_t(a) - b;
    return unsigned(difference < 0 ? -difference : difference) + sum;
}

// ---- min and max: as in CUDA, mixed signs compare unsigned, floats ignore a NaN ----
#define FUZZION_MIN_MAX(type, a, b)                                     \
    static inline type min(a x, b y) {                                  \
        const type p = x, q = y;                                        \
        return p < q ? p : q;                                           \
    }                                                                   \
    static inline type max(a x, b y) {                                  \
        const type p = x, q = y;                                        \
        return p > q ? p : q;                                           \
    }
FUZZION_MIN_MAX(int, int, int)
FUZZION_MIN_MAX(unsigned, unsigned, unsigned)
FUZZION_MIN_MAX(unsigned, int, unsigned)
FUZZION_MIN_MAX(unsigned, unsigned, int)
FUZZION_MIN_MAX(long, long, long)
FUZZION_MIN_MAX(unsigned long, unsigned long, unsigned long)
FUZZION_MIN_MAX(unsigned long, long, unsigned long)
FUZZION_MIN_MAX(unsigned long, unsigned long, long)
FUZZION_MIN_MAX(long long, long long, long long)
FUZZION_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
FUZZION_MIN_MAX(unsigned long long, long long, unsigned long long)
FUZZION_MIN_MAX(unsigned long long, unsigned long long, long long)
static inline float min(float x, float y) { return fminf(x, y); }
static inline float max(float x, float y) { return fmaxf(x, y); }
static inline double min(double x, double y) { return fmin(x, y); }
static inline double max(double x, double y) { return fmax(x, y); }
static inline double min(float x, double y) { return fmin(x, y); }
static inline double max(float x, double y) { return fmax(x, y); }
static inline double min(double x, float y) { return fmin(x, y); }
static inline double max(double x, float y) { return fmax(x, y); }

// ---- functions missing in the C library ----
static inline float rsqrtf(float x) { return float(1.0 / std::sqrt(double(x))); }
static inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return float(1.0 / std::cbrt(double(x))); }
static inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
static inline float sinpif(float x) { return float(std::sin(M_PI * std::fmod(double(x), 2.0))); }
static inline float cospif(float x) { return float(std::cos(M_PI * std::fmod(double(x), 2.0))); }
static inline double sinpi(double x) { return std::sin(M_PI * std::fmod(x, 2.0)); }
static inline double cospi(double x) { return std::cos(M_PI * std::fmod(x, 2.0)); }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline float fdividef(float x, float y) { return x / y; }

// Macros, because the C library declares some of these names. The functions are exact here, approximate on a GPU.
namespace fuzzion_emulator {
static inline float fast_exp(float x) { return ::expf(x); }
static inline float fast_exp10(float x) { return ::exp10f(x); }
static inline float fast_log(float x) { return ::logf(x); }
static inline float fast_log2(float x) { return ::log2f(x); }
static inline float fast_log10(float x) { return ::log10f(x); }
static inline float fast_pow(float x, float y) { return ::powf(x, y); }
static inline float fast_sin(float x) { return ::sinf(x); }
static inline float fast_cos(float x) { return ::cosf(x); }
static inline float fast_tan(float x) { return ::tanf(x); }
static inline float fast_divide(float x, float y) { return x / y; }
static inline void fast_sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
}  // namespace fuzzion_emulator
#define __expf fuzzion_emulator::fast_exp
#define __exp10f fuzzion_emulator::fast_exp10
#define __logf fuzzion_emulator::fast_log
#define __log2f fuzzion_emulator::fast_log2
#define __log10f fuzzion_emulator::fast_log10
#define __powf fuzzion_emulator::fast_pow
#define __sinf fuzzion_emulator::fast_sin
#define __cosf fuzzion_emulator::fast_cos
#define __tanf fuzzion_emulator::fast_tan
#define __sincosf fuzzion_emulator::fast_sincos
#define __fdividef fuzzion_emulator::fast_divide

// ---- memory ----
template <class T> static inline T __ldg(const T* p) { return *p; }
template <class T> static inline T __ldca(const T* p) { return *p; }
template <class T> static inline T __ldcg(const T* p) { return *p; }
template <class T> static inline T __ldcs(const T* p) { return *p; }
template <class T> static inline T __ldlu(const T* p) { return *p; }
template <class T> static inline T __ldcv(const T* p) { return *p; }
template <class T> static inline void __stwb(T* p, T value) { *p = value; }
template <class T> static inline void __stcg(T* p, T value) { *p = value; }
template <class T> static inline void __stcs(T* p, T value) { *p = value; }
template <class T> static inline void __stwt(T* p, T value) { *p = value; }
static inline void __threadfence() { asm volatile("" ::: "memory"); }
static inline void __threadfence_block() { asm volatile("" ::: "memory"); }
static inline void __threadfence_system() { asm volatile("" ::: "memory"); }

// ---- atomics: fibers are not preempted, so plain operations are atomic ----
namespace fuzzion_emulator {
template <class T> struct Same { using type = T; };
template <class T> using same = typename Same<T>::type;  // not deduced: the pointer determines T
template <class T> static inline T exchange(T* p, T value) {
    T old = *p;
    *p = value;
    return old;
}
}  // namespace fuzzion_emulator
#define FUZZION_ATOMIC(name, expression)                                                   \
    template <class T> static inline T name(T* p, fuzzion_emulator::same<T> v) {           \
        T old = *p;                                                                        \
        return fuzzion_emulator::exchange(p, T(expression));                               \
    }
FUZZION_ATOMIC(atomicAdd, old + v)
FUZZION_ATOMIC(atomicSub, old - v)
FUZZION_ATOMIC(atomicMin, v < old ? v : old)
FUZZION_ATOMIC(atomicMax, v > old ? v : old)
FUZZION_ATOMIC(atomicAnd, old & v)
FUZZION_ATOMIC(atomicOr, old | v)
FUZZION_ATOMIC(atomicXor, old ^ v)
FUZZION_ATOMIC(atomicExch, v)
FUZZION_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
FUZZION_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)
template <class T>
static inline T atomicCAS(T* p, fuzzion_emulator::same<T> expected, fuzzion_emulator::same<T> value) {
    T old = *p;
    if (old == expected) *p = value;
    return old;
}

// ---- other ----
static inline long long clock64() {
    static long long ticks = 0;
    return ++ticks;
}
#define __trap() fuzzion_emulator::fail("reaches __trap on line %d", __LINE__)
#define __builtin_assume(x) ((x) ? (void)0 : fuzzion_emulator::fail("violates the assumption " #x " on line %d", __LINE__))
