// Operations with a rounding mode.
#pragma once

namespace fuzzion_emulator {

// Sets the rounding mode during its lifetime.
struct Rounding {
    int before;
    explicit Rounding(int mode) : before(fegetround()) { fesetround(mode); }
    ~Rounding() { fesetround(before); }
};

// Operands and result are volatile, so that nothing is computed earlier, later or at compile time.
#define FUZZION_BINARY(name, operation)                                                    \
    template <class T> T name(int mode, T a, T b) {       \
        Rounding rounding(mode);                                                           \
        volatile T x = a, y = b;                                                           \
        volatile T result = x operation y;                                                 \
        return result;                                                                     \
    }
FUZZION_BINARY(add, +)
FUZZION_BINARY(subtract, -)
FUZZION_BINARY(multiply, *)
FUZZION_BINARY(divide, /)
template <class T> T root(int mode, T a) {
    Rounding rounding(mode);
    volatile T x = a;
    volatile T result = std::sqrt(T(x));
    return result;
}
template <class T> T fused(int mode, T a, T b, T c) {
    Rounding rounding(mode);
    volatile T x = a, y = b, z = c;
    volatile T result = std::fma(T(x), T(y), T(z));
    return result;
}
// The C++ conversion of an integer or a double uses the rounding mode.
template <class To, class From> To convert(int mode, From a) {
    Rounding rounding(mode);
    volatile From x = a;
    volatile To result = To(From(x));
    return result;
}
// Saturating conversion to an integer. A NaN becomes 0 if both types have 32 bits, otherwise the integer with only its
// highest bit set (PTX, `cvt`).
template <class To, class From> To to_integer(int mode, From a) {
    if (a != a) return sizeof(From) == 4 && sizeof(To) == 4 ? To(0) : To(uint64_t(1) << (8 * sizeof(To) - 1));
    Rounding rounding(mode);
    volatile From x = a;
    volatile From whole = std::nearbyint(From(x));
    const From end = std::ldexp(From(1), int(8 * sizeof(To)) - (std::is_signed<To>::value ? 1 : 0));
    const To largest = std::is_signed<To>::value ? To(~(uint64_t(1) << (8 * sizeof(To) - 1))) : To(~uint64_t(0));
    if (whole >= end) return largest;
    if (std::is_signed<To>::value ? whole < -end : whole < From(0)) return std::is_signed<To>::value ? To(-largest - 1) : To(0);
    return To(whole);
}

#define FUZZION_TYPE(type)                                   \
    template type add(int, type, type);                      \
    template type subtract(int, type, type);                 \
    template type multiply(int, type, type);                 \
    template type divide(int, type, type);                   \
    template type root(int, type);                           \
    template type fused(int, type, type, type);              \
    template type convert<type, long long>(int, long long);  \
    template type convert<type, unsigned long long>(int, unsigned long long); \
    template int to_integer<int, type>(int, type);           \
    template unsigned to_integer<unsigned, type>(int, type); \
    template long long to_integer<long long, type>(int, type); \
    template unsigned long long to_integer<unsigned long long, type>(int, type);
FUZZION_TYPE(float)
FUZZION_TYPE(double)
template float convert<float, int>(int, int);
template float convert<float, unsigned>(int, unsigned);
template float convert<float, double>(int, double);

}  // namespace fuzzion_emulator
