//! `+ − * /` for both encodings, between fuzzy numbers and with crisp numbers on either side.

use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::number::mr::FuzzyMr;
use crate::arithmetic::rounding::{Real, WidensFrom};
use std::ops::{Add, Div, Mul, Neg, Sub};

impl<T: Real, const N: usize> Neg for FuzzyLu<T, N> {
    type Output = Self;
    fn neg(self) -> Self {
        self.negated()
    }
}

impl<T: WidensFrom<R>, R: Real, const N: usize> Neg for FuzzyMr<T, N, R> {
    type Output = Self;
    fn neg(self) -> Self {
        self.negated()
    }
}

macro_rules! operator {
    ($operator:ident, $method:ident, $of:ident) => {
        impl<T: Real, const N: usize> $operator for FuzzyLu<T, N> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.$of(&other)
            }
        }

        impl<T: Real, const N: usize> $operator<T> for FuzzyLu<T, N> {
            type Output = Self;
            fn $method(self, other: T) -> Self {
                self.$of(&other.into())
            }
        }

        impl<T: WidensFrom<R>, R: Real, const N: usize> $operator for FuzzyMr<T, N, R> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.$of(&other)
            }
        }

        impl<T: WidensFrom<R>, R: Real, const N: usize> $operator<T> for FuzzyMr<T, N, R> {
            type Output = Self;
            fn $method(self, other: T) -> Self {
                self.$of(&other.into())
            }
        }

        operator!($operator, $method, $of, f32);
        operator!($operator, $method, $of, f64);
    };
    ($operator:ident, $method:ident, $of:ident, $plain:ty) => {
        impl<const N: usize> $operator<FuzzyLu<$plain, N>> for $plain {
            type Output = FuzzyLu<$plain, N>;
            fn $method(self, other: Self::Output) -> Self::Output {
                FuzzyLu::crisp(self).$of(&other)
            }
        }

        impl<R: Real, const N: usize> $operator<FuzzyMr<$plain, N, R>> for $plain
        where
            $plain: WidensFrom<R>,
        {
            type Output = FuzzyMr<$plain, N, R>;
            fn $method(self, other: Self::Output) -> Self::Output {
                FuzzyMr::crisp(self).$of(&other)
            }
        }
    };
}

operator!(Add, add, sum);
operator!(Sub, sub, difference);
operator!(Mul, mul, product);
operator!(Div, div, quotient);
