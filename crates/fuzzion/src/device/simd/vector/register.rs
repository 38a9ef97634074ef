//! Macros that define a vector of one register.

/// Implements an operator with one instruction.
macro_rules! operator {
    ($name:ident, $trait:ident, $method:ident, $instruction:path) => {
        impl $trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                // SAFETY: as in `splat` of `register!`.
                unsafe { $name($instruction(self.0, b.0)) }
            }
        }
    };
}
pub(super) use operator;

/// Defines a vector of one register from its instructions and additional methods.
macro_rules! register {
    ($name:ident([$real:ty; $lanes:literal] in $register:ty),
     $splat:path, $load:path, $store:path, $add:path, $sub:path, $mul:path, $div:path, $fma:path, $min:path, $max:path,
     { $($more:tt)* }) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        operator!($name, Add, add, $add);
        operator!($name, Sub, sub, $sub);
        operator!($name, Mul, mul, $mul);
        operator!($name, Div, div, $div);

        impl Vector<$real, $lanes> for $name {
            #[inline(always)]
            fn splat(x: $real) -> Self {
                // SAFETY: only bodies of `vectors!` and their callees use this type, on CPUs with its instructions.
                unsafe { $name($splat(x)) }
            }
            #[inline(always)]
            fn load(from: &[$real; $lanes]) -> Self {
                // SAFETY: as in `splat`; the array has one element per lane.
                unsafe { $name($load(from.as_ptr())) }
            }
            #[inline(always)]
            fn store(self, to: &mut [$real; $lanes]) {
                // SAFETY: as in `splat`; the array has one element per lane.
                unsafe { $store(to.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($fma(self.0, b.0, c.0)) }
            }
            #[inline(always)]
            fn simd_min(self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($min(self.0, b.0)) }
            }
            #[inline(always)]
            fn simd_max(self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($max(self.0, b.0)) }
            }
            $($more)*
        }
    };
}
pub(super) use register;
