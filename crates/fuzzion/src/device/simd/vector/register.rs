//! Macros that define a vector of one register.

/// Implements an operator with one instruction.
macro_rules! operator {
    ($name:ident<P: $proof:ident>, $trait:ident, $method:ident, $instruction:path) => {
        impl<P: $proof> $trait for $name<P> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                // SAFETY: as in `splat` of `register!`.
                unsafe { $name($instruction(self.0, b.0), PhantomData) }
            }
        }
    };
}
pub(super) use operator;

/// Defines a vector of one register from its instructions and additional methods. Its type parameter proves that the
/// CPU has the instructions.
macro_rules! register {
    ($name:ident<P: $proof:ident>([$real:ty; $lanes:literal] in $register:ty),
     $splat:path, $load:path, $store:path, $add:path, $sub:path, $mul:path, $div:path, $fma:path, $min:path, $max:path,
     { $($more:tt)* }) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $name<P>($register, PhantomData<P>);

        operator!($name<P: $proof>, Add, add, $add);
        operator!($name<P: $proof>, Sub, sub, $sub);
        operator!($name<P: $proof>, Mul, mul, $mul);
        operator!($name<P: $proof>, Div, div, $div);

        impl<P: $proof> Vector<$real, $lanes> for $name<P> {
            #[inline(always)]
            fn splat(x: $real) -> Self {
                // SAFETY: `P` proves that the CPU has the instructions of this type.
                unsafe { $name($splat(x), PhantomData) }
            }
            #[inline(always)]
            fn load(from: &[$real; $lanes]) -> Self {
                // SAFETY: as in `splat`; the array has one element per lane.
                unsafe { $name($load(from.as_ptr()), PhantomData) }
            }
            #[inline(always)]
            fn store(self, to: &mut [$real; $lanes]) {
                // SAFETY: as in `splat`; the array has one element per lane.
                unsafe { $store(to.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($fma(self.0, b.0, c.0), PhantomData) }
            }
            #[inline(always)]
            fn simd_min(self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($min(self.0, b.0), PhantomData) }
            }
            #[inline(always)]
            fn simd_max(self, b: Self) -> Self {
                // SAFETY: as in `splat`.
                unsafe { $name($max(self.0, b.0), PhantomData) }
            }
            $($more)*
        }
    };
}
pub(super) use register;
