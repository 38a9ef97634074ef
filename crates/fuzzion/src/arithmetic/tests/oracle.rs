//! Operations on random fuzzy numbers against the exact values at random points of their cuts.
//!
//! Compiled into the tests of the module and into `examples/enclosure.rs`; it uses the public interface only.

use super::exact::Exact;
use crate::arithmetic::{FuzzyLu, FuzzyMr};
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Sub};

/// Number of cuts of the random numbers.
const CUTS: usize = 2;

/// Random number generator (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Random number of any kind: every exponent, integer, near 1, moderate, subnormal, huge, 0, infinite.
    pub(crate) fn number(&mut self, single: bool) -> f64 {
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        let (bits, largest) = (self.bits(), if single { f64::from(f32::MAX) } else { f64::MAX });
        let small = if single { 2f64.powi(-149) } else { f64::from_bits(1) };
        let size = match self.below(16) {
            0..=2 if single => f64::from(f32::from_bits(bits as u32)).abs(),
            0..=2 => f64::from_bits(bits).abs(),
            3..=5 => self.below(20) as f64,
            6..=8 => 1.0 + (self.unit() - 0.5) * 2f64.powi(-(self.below(60) as i32)),
            9..=12 => self.unit() * 2f64.powi(self.below(40) as i32 - 20),
            13 => small * self.below(1 << 20) as f64,
            14 => largest * (0.5 + self.unit() / 2.0),
            _ if bits % 4 == 0 => f64::INFINITY,
            _ => 0.0,
        };
        let value = sign * if size.is_nan() { 0.0 } else { size };
        if single { f64::from(value as f32) } else { value }
    }
}

/// Fuzzy number type under test.
pub(crate) trait FuzzyNumber:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn random(random: &mut Random) -> Self;
    /// Bounds of cut `i`; `None` for an infinite bound.
    fn bounds(&self, i: usize) -> [Option<Exact>; 2];
    /// A floating-point number in every cut.
    fn center(&self) -> f64;
    /// Random floating-point number in cut `i`.
    fn point(&self, i: usize, random: &mut Random) -> f64;
    /// Whether all components are numbers in order, and the cuts are nested.
    fn is_valid(&self) -> bool;
    fn apply(self, operation: Operation, others: [Self; 2]) -> Self;
}

/// Operation under test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    MulAdd,
    Recip,
    Sqr,
    Cube,
    InverseSquare,
    Sqrt,
    Exp,
    Log,
    Abs,
    Min,
    Max,
    /// Conversion to the other encoding and back.
    Convert,
}

pub(crate) const OPERATIONS: [Operation; 16] = [
    Operation::Add,
    Operation::Sub,
    Operation::Mul,
    Operation::Div,
    Operation::MulAdd,
    Operation::Recip,
    Operation::Sqr,
    Operation::Cube,
    Operation::InverseSquare,
    Operation::Sqrt,
    Operation::Exp,
    Operation::Log,
    Operation::Abs,
    Operation::Min,
    Operation::Max,
    Operation::Convert,
];

/// Random value within two bounds; one of the bounds in half of the cases.
fn value_between(lower: f64, upper: f64, random: &mut Random) -> f64 {
    let (l, u) = (lower.max(-f64::MAX), upper.min(f64::MAX));
    match random.below(4) {
        0 if lower.is_finite() => lower,
        1 if upper.is_finite() => upper,
        _ => {
            let t = random.unit();
            (l * (1.0 - t) + u * t).clamp(l, u)
        }
    }
}

macro_rules! fuzzy {
    ($fuzzy:ty, $other:ty, $t:ty, $random:item, $bounds:item, $center:item, $sound:item) => {
        impl FuzzyNumber for $fuzzy {
            $random
            $bounds
            $center
            $sound

            fn point(&self, i: usize, random: &mut Random) -> f64 {
                let cut = self.cut(i);
                let point = value_between(cut.lower.into(), cut.upper.into(), random);
                let cast = point as $t; // may leave the cut, unlike its endpoint
                let inside = cut.lower <= cast && cast <= cut.upper && cast.is_finite();
                let end = if cut.lower.is_finite() { cut.lower } else { cut.upper };
                let value = if inside { cast } else if end.is_finite() { end } else { 0.0 };
                // The bounds of a midpoint and radius are rounded outward, so an endpoint may be outside the exact cut.
                let [lower, upper] = self.bounds(i);
                let exact = Exact::of(value.into());
                let outside = lower.is_some_and(|l| exact < l) || upper.is_some_and(|u| exact > u);
                if outside { self.center() } else { value.into() }
            }

            fn apply(self, operation: Operation, [b, c]: [Self; 2]) -> Self {
                match operation {
                    Operation::Add => self + b,
                    Operation::Sub => self - b,
                    Operation::Mul => self * b,
                    Operation::Div => self / b,
                    Operation::MulAdd => self.mul_add(&b, &c),
                    Operation::Recip => self.recip(),
                    Operation::Sqr => self.sqr(),
                    Operation::Cube => self.powi(3),
                    Operation::InverseSquare => self.powi(-2),
                    Operation::Sqrt => self.sqrt(),
                    Operation::Exp => self.exp(),
                    Operation::Log => self.log(),
                    Operation::Abs => self.abs(),
                    Operation::Min => self.min(&b),
                    Operation::Max => self.max(&b),
                    Operation::Convert => Self::from(<$other>::from(self)),
                }
            }
        }
    };
}

macro_rules! lower_upper {
    ($t:ty) => {
        fuzzy!(
            FuzzyLu<$t, CUTS>,
            FuzzyMr<$t, CUTS>,
            $t,
            fn random(random: &mut Random) -> Self {
                let mut ends: [$t; 4] = [0; 4].map(|_| random.number(size_of::<$t>() == 4) as $t);
                if random.below(8) == 0 {
                    ends = [ends[0]; 4]; // a crisp number
                }
                ends.sort_by(|a, b| a.total_cmp(b));
                let number = FuzzyLu::from_cuts([ends[0], ends[1]], [ends[3], ends[2]]);
                number.unwrap_or_else(|_| FuzzyLu::crisp(1.0)) // [∞, ∞] is invalid
            },
            fn bounds(&self, i: usize) -> [Option<Exact>; 2] {
                let exact = |bound: $t| bound.is_finite().then(|| Exact::of(bound.into()));
                [exact(self.lower()[i]), exact(self.upper()[i])]
            },
            fn center(&self) -> f64 {
                self.core().midpoint().into()
            },
            fn is_valid(&self) -> bool {
                let positive_zero = |x: &$t| *x != 0.0 || x.is_sign_positive();
                FuzzyLu::from_cuts(*self.lower(), *self.upper()).is_ok()
                    && self.lower().iter().chain(self.upper()).all(positive_zero)
            }
        );
    };
}

macro_rules! midpoint_radius {
    ($t:ty, $r:ty) => {
        fuzzy!(
            FuzzyMr<$t, CUTS, $r>,
            FuzzyLu<$t, CUTS>,
            $t,
            fn random(random: &mut Random) -> Self {
                let midpoint = random.number(size_of::<$t>() == 4) as $t;
                let mut radii: [$r; 2] = [0; 2].map(|_| random.number(size_of::<$r>() == 4).abs() as $r);
                if random.below(4) == 0 {
                    radii = radii.map(|_| (midpoint.abs() * random.unit() as $t) as $r); // as large as the midpoint
                }
                radii.sort_by(|a, b| b.total_cmp(a));
                FuzzyMr::new(midpoint, radii).unwrap_or_else(|_| FuzzyMr::crisp(1.0)) // infinite midpoint
            },
            fn bounds(&self, i: usize) -> [Option<Exact>; 2] {
                let (m, r) = (Exact::of(self.midpoint().into()), self.radii()[i]);
                let exact = |sign: f64| {
                    r.is_finite().then(|| &m + &(&Exact::of(r.into()) * &Exact::of(sign)))
                };
                [exact(-1.0), exact(1.0)]
            },
            fn center(&self) -> f64 {
                self.midpoint().into()
            },
            fn is_valid(&self) -> bool {
                FuzzyMr::new(self.midpoint(), *self.radii()).is_ok()
            }
        );
    };
}

lower_upper!(f32);
lower_upper!(f64);
midpoint_radius!(f32, f32);
midpoint_radius!(f64, f64);
midpoint_radius!(f64, f32);

/// Lower bound of ln 2 = Σ 1/(n·2ⁿ), within 2⁻²³⁰.
fn ln_2() -> Exact {
    (1..240)
        .fold(Exact::of(0.0), |sum, n| &sum + &Exact::of(1.0).shifted(-n).div_down(&Exact::of(n as f64), 260))
}

/// Bounds of eˣ for finite x with a relative distance of about 2⁻¹⁸⁰: 2ᵏ·eʳ, with eʳ by its Taylor series.
fn exp(x: f64) -> [Exact; 2] {
    thread_local!(static LN_2: Exact = ln_2());
    const BITS: i64 = 220;
    let one = Exact::of(1.0);
    let k = (x.clamp(-1e4, 1e4) / std::f64::consts::LN_2).round(); // beyond, every bound is infinite or 0
    let r = LN_2.with(|ln_2| &Exact::of(x.clamp(-1e4, 1e4)) - &(ln_2 * &Exact::of(k))).div_down(&one, BITS);
    let (mut sum, mut term) = (one.clone(), one.clone());
    for n in 1..45 {
        term = (&term * &r).div_down(&Exact::of(f64::from(n)), BITS); // 0.35⁴⁵/45! < 2⁻²⁵⁰
        sum = &sum + &term;
    }
    let slack = one.shifted(-190); // 45 roundings, and the errors of r and k·ln 2
    [(&sum - &slack).shifted(k as i64), (&sum + &slack).shifted(k as i64)]
}

/// Whether the exact value of `operation` at the points can be ≥ `bound`, within the precision of this check.
fn may_be_above(operation: Operation, [x, y, z]: [f64; 3], bound: &Exact) -> bool {
    let [a, b, c] = [x, y, z].map(Exact::of);
    let one = Exact::of(1.0);
    let quotient_is_above = |a: &Exact, b: &Exact| (a - &(bound * b)).sign() * b.sign() >= 0;
    match operation {
        Operation::Add => &a + &b >= *bound,
        Operation::Sub => &a - &b >= *bound,
        Operation::Mul => &a * &b >= *bound,
        Operation::Div => quotient_is_above(&a, &b),
        Operation::MulAdd => &(&a * &b) + &c >= *bound,
        Operation::Recip => quotient_is_above(&one, &a),
        Operation::Sqr => &a * &a >= *bound,
        Operation::Cube => &(&a * &a) * &a >= *bound,
        Operation::InverseSquare => quotient_is_above(&one, &(&a * &a)),
        Operation::Sqrt => bound.sign() <= 0 || a >= bound * bound,
        Operation::Exp => exp(x)[1] >= *bound,
        // ln x ≥ b if x ≥ eᵇ; a bound with more bits than f64 is rounded in favor of the result.
        Operation::Log => a >= exp(bound.to_f64().next_down())[0],
        Operation::Abs => Exact::of(x.abs()) >= *bound,
        Operation::Min => Exact::of(x.min(y)) >= *bound,
        Operation::Max => Exact::of(x.max(y)) >= *bound,
        Operation::Convert => a >= *bound,
    }
}

/// Whether the exact value can be ≤ `bound`, within the precision of this check.
fn may_be_below(operation: Operation, points: [f64; 3], bound: &Exact) -> bool {
    let [x, y, z] = points;
    match operation {
        Operation::Exp => exp(x)[0] <= *bound,
        Operation::Log => Exact::of(x) <= exp(bound.to_f64().next_up())[1],
        Operation::Sqrt => bound.sign() >= 0 && Exact::of(x) <= bound * bound,
        // Odd operations: −(x ∘ y) ≥ −bound.
        Operation::Add => may_be_above(operation, [-x, -y, z], &-bound),
        Operation::Sub => may_be_above(operation, [-x, -y, z], &-bound),
        Operation::Mul | Operation::Div => may_be_above(operation, [-x, y, z], &-bound),
        Operation::MulAdd => may_be_above(operation, [-x, y, -z], &-bound),
        Operation::Recip | Operation::Cube | Operation::Convert => {
            may_be_above(operation, [-x, y, z], &-bound)
        }
        Operation::Sqr => &Exact::of(x) * &Exact::of(x) <= *bound,
        Operation::InverseSquare => {
            let square = &Exact::of(x) * &Exact::of(x);
            Exact::of(1.0) <= bound * &square
        }
        Operation::Abs => Exact::of(x.abs()) <= *bound,
        Operation::Min => Exact::of(x.min(y)) <= *bound,
        Operation::Max => Exact::of(x.max(y)) <= *bound,
    }
}

/// Whether the operation is defined at the points.
fn is_defined(operation: Operation, [x, y, _]: [f64; 3]) -> bool {
    match operation {
        Operation::Div => y != 0.0,
        Operation::Recip | Operation::InverseSquare => x != 0.0,
        Operation::Sqrt => x >= 0.0,
        Operation::Log => x > 0.0,
        _ => true,
    }
}

/// Checks an operation on random operands; the error describes a result that is invalid or does not
/// enclose the exact value.
pub(crate) fn check_once<F: FuzzyNumber>(operation: Operation, random: &mut Random) -> Result<(), String> {
    let operands = [(); 3].map(|()| F::random(random));
    let [a, b, c] = operands;
    let result = a.apply(operation, [b, c]);
    if !result.is_valid() {
        return Err(format!("{operation:?} of {operands:?} is not valid: {result:?}"));
    }
    for i in 0..CUTS {
        let points = operands.map(|operand| operand.point(i, random));
        if !is_defined(operation, points) {
            continue;
        }
        let [lower, upper] = result.bounds(i);
        let enclosed = lower.is_none_or(|bound| may_be_above(operation, points, &bound))
            && upper.is_none_or(|bound| may_be_below(operation, points, &bound));
        if !enclosed {
            return Err(format!("{operation:?} of {operands:?} at {points:?}, cut {i}: not in {result:?}"));
        }
    }
    Ok(())
}
