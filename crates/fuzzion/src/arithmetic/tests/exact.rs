//! Exact numbers n · 2ᵉ, which include every finite f32 and f64.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// n · 2ᵉ.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    n: BigInt,
    e: i64,
}

impl Exact {
    /// Exact value of a finite f64.
    pub(crate) fn of(value: f64) -> Self {
        assert!(value.is_finite(), "{value} is not finite");
        let bits = value.to_bits();
        let (stored, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
        let (n, e) = if stored == 0 { (fraction, -1074) } else { (fraction | 1 << 52, stored - 1075) };
        let n = BigInt::from(n);
        Exact { n: if value.is_sign_negative() { -n } else { n }, e }
    }

    /// Multiplies by 2ⁿ.
    pub(crate) fn shifted(self, n: i64) -> Self {
        Exact { n: self.n, e: self.e + n }
    }

    /// n for the exponent e, which must not be above the number's own.
    fn at(&self, e: i64) -> BigInt {
        &self.n << (self.e - e) as usize
    }

    pub(crate) fn sign(&self) -> i32 {
        match self.n.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// An f64 neighbor of the number, which must be within range.
    pub(crate) fn to_f64(&self) -> f64 {
        let extra = self.n.bits() as i64 - 60;
        let (n, e) =
            if extra > 0 { (&self.n >> extra as usize, self.e + extra) } else { (self.n.clone(), self.e) };
        let n = i64::try_from(n).expect("invariant: at most 60 bits remain") as f64;
        // In two steps, so that neither power leaves the range.
        let half = (e / 2).clamp(-1000, 1000);
        n * 2f64.powi(half as i32) * 2f64.powi((e - half).clamp(-1000, 1000) as i32)
    }

    /// Quotient rounded down to a multiple of 2⁻ᵇⁱᵗˢ.
    pub(crate) fn div_down(&self, divisor: &Exact, bits: i64) -> Exact {
        let shift = self.e - divisor.e + bits;
        let (a, b) = (&self.n << shift.max(0) as usize, &divisor.n << (-shift).max(0) as usize);
        let quotient = &a / &b; // truncates toward 0
        let above = match b.sign() {
            Sign::Minus => &quotient * &b < a,
            _ => &quotient * &b > a,
        };
        let quotient = if above { quotient - 1 } else { quotient };
        Exact { n: quotient, e: -bits }
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let e = self.e.min(other.e);
        self.at(e).partial_cmp(&other.at(e))
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: &Exact) -> Exact {
        let e = self.e.min(other.e);
        Exact { n: self.at(e) + other.at(e), e }
    }
}

impl Neg for &Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        Exact { n: -&self.n, e: self.e }
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: &Exact) -> Exact {
        self + &-other
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: &Exact) -> Exact {
        Exact { n: &self.n * &other.n, e: self.e + other.e }
    }
}
