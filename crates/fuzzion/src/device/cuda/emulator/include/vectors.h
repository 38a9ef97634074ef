// CUDA vector types with their alignments.
#pragma once

#define FUZZION_VECTOR2(name, type, align)                                                     \
    struct __attribute__((aligned(align))) name { type x, y; };                                \
    static inline name make_##name(type x, type y) { return name{x, y}; }
#define FUZZION_VECTOR3(name, type)                                                            \
    struct name { type x, y, z; };                                                             \
    static inline name make_##name(type x, type y, type z) { return name{x, y, z}; }
#define FUZZION_VECTOR4(name, type, align)                                                     \
    struct __attribute__((aligned(align))) name { type x, y, z, w; };                          \
    static inline name make_##name(type x, type y, type z, type w) { return name{x, y, z, w}; }
#define FUZZION_VECTORS(name, type, bytes)                                                     \
    FUZZION_VECTOR2(name##2, type, 2 * bytes)                                                  \
    FUZZION_VECTOR3(name##3, type)                                                             \
    FUZZION_VECTOR4(name##4, type, (4 * bytes < 16 ? 4 * bytes : 16))

FUZZION_VECTORS(char, signed char, 1)
FUZZION_VECTORS(uchar, unsigned char, 1)
FUZZION_VECTORS(short, short, 2)
FUZZION_VECTORS(ushort, unsigned short, 2)
FUZZION_VECTORS(int, int, 4)
FUZZION_VECTORS(uint, unsigned int, 4)
FUZZION_VECTORS(longlong, long long, 8)
FUZZION_VECTORS(ulonglong, unsigned long long, 8)
FUZZION_VECTORS(float, float, 4)
FUZZION_VECTORS(double, double, 8)

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};
