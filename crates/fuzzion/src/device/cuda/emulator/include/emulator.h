// Runs CUDA C++ on a CPU for tests: each CUDA thread is a fiber, blocks run one after another.
// A program is compiled between `#include "emulator.h"` and the table of its kernels, and linked with the runtime.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <math.h>
#include <stdlib.h>
#include <type_traits>
#include <utility>

#include "vectors.h"

#include "launch.h"

#include "collectives.h"

#include "intrinsics.h"

#include "rounding.h"

#include "packed.h"

// ---- CUDA keywords ----
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
// All shared variables are in one section, so that it can be poisoned before each block and swapped between blocks.
#define __shared__ static __attribute__((section("fuzzion_shared")))
#define DYNAMIC_SHARED(type, name) type* const name = reinterpret_cast<type*>(fuzzion_emulator::dynamic_shared)

// ---- kernel table ----
namespace fuzzion_emulator {

enum Kind : uint32_t { VALUE = 0, READ = 1, WRITE = 2 };
enum Class : uint32_t { OTHER = 0, INTEGER = 1, FLOAT = 2 };

// Kernel parameter; `size` is the size of the value, or of the pointer's element type.
struct Parameter {
    uint32_t kind, type, size;
};

// Kernel; `call` is null if the preprocessor excluded it.
struct Kernel {
    const char* name;
    void (*call)(void** arguments);
    const Parameter* parameters;
    uint32_t count;
};

template <class T> constexpr uint32_t class_of() {
    return std::is_floating_point<T>::value ? FLOAT : std::is_integral<T>::value ? INTEGER : OTHER;
}
template <class T> struct SizeOf { static constexpr uint32_t value = sizeof(T); };
template <> struct SizeOf<void> { static constexpr uint32_t value = 1; };
template <> struct SizeOf<const void> { static constexpr uint32_t value = 1; };

template <class T> struct Describe {
    static constexpr Parameter value{VALUE, class_of<T>(), SizeOf<T>::value};
};
template <class T> struct Describe<T*> {
    static constexpr Parameter value{std::is_const<T>::value ? READ : WRITE, class_of<T>(), SizeOf<T>::value};
};

template <class F> struct Entry {
    template <F> static Kernel of(const char* name) { return Kernel{name, nullptr, nullptr, 0}; }
};
template <class... A> struct Entry<void (*)(A...)> {
    template <void (*kernel)(A...), size_t... I> static void spread(void** arguments, std::index_sequence<I...>) {
        kernel(*static_cast<std::remove_reference_t<A>*>(arguments[I])...);
    }
    template <void (*kernel)(A...)> static void call(void** arguments) {
        spread<kernel>(arguments, std::index_sequence_for<A...>());
    }
    template <void (*kernel)(A...)> static Kernel of(const char* name) {
        static const Parameter parameters[] = {Describe<std::remove_cv_t<std::remove_reference_t<A>>>::value...,
                                               Parameter{}};
        return Kernel{name, call<kernel>, parameters, sizeof...(A)};
    }
};
template <auto kernel> Kernel entry(const char* name) {
    return Entry<decltype(kernel)>::template of<kernel>(name);
}

}  // namespace fuzzion_emulator

#define FUZZION_KERNEL(kernel, name) fuzzion_emulator::entry<kernel>(name)
