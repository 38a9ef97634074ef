//! Directed rounding against exact rationals.

use super::exact::Exact;
use crate::arithmetic::rounding::{Real, WidensFrom};
use proptest::prelude::*;

/// Float with access to its neighbors and its bits.
pub(super) trait Float: Real {
    fn below(self) -> Self;
    fn above(self) -> Self;
    fn of_bits(bits: u64) -> Self;
}

impl Float for f64 {
    fn below(self) -> f64 {
        self.next_down()
    }
    fn above(self) -> f64 {
        self.next_up()
    }
    fn of_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

impl Float for f32 {
    fn below(self) -> f32 {
        self.next_down()
    }
    fn above(self) -> f32 {
        self.next_up()
    }
    fn of_bits(bits: u64) -> f32 {
        f32::from_bits((bits >> 32) as u32)
    }
}

fn exact<T: Real>(x: T) -> Exact {
    Exact::of(x.to_f64())
}

/// Asserts that `down` is the largest number ≤ the exact value and `up` the smallest ≥ it. `compare` returns the sign
/// of exact − number.
fn assert_tight<T: Float>(down: T, up: T, what: &str, compare: impl Fn(T) -> i32) {
    let largest = T::MAX;
    if down.is_finite() {
        assert!(compare(down) >= 0, "{what}: {down} is above the exact value");
        assert!(
            down == largest || compare(down.above()) < 0,
            "{what}: {down} is not the largest lower bound"
        );
    } else {
        assert!(down == T::NEG_INFINITY && compare(-largest) < 0, "{what}: {down}");
    }
    if up.is_finite() {
        assert!(compare(up) <= 0, "{what}: {up} is below the exact value");
        assert!(up == -largest || compare(up.below()) > 0, "{what}: {up} is not the smallest upper bound");
    } else {
        assert!(up == T::INFINITY && compare(largest) > 0, "{what}: {up}");
    }
}

fn check_two<T: Float>(a: T, b: T) {
    let (x, y) = (exact(a), exact(b));
    let against = |value: Exact| move |number: T| (&value - &exact(number)).sign();
    assert_tight(a.add_down(b), a.add_up(b), &format!("{a:e} + {b:e}"), against(&x + &y));
    assert_tight(a.sub_down(b), a.sub_up(b), &format!("{a:e} - {b:e}"), against(&x - &y));
    assert_tight(a.mul_down(b), a.mul_up(b), &format!("{a:e} * {b:e}"), against(&x * &y));
    if b != T::ZERO {
        let quotient = |number: T| (&x - &(&exact(number) * &y)).sign() * y.sign();
        assert_tight(a.div_down(b), a.div_up(b), &format!("{a:e} / {b:e}"), quotient);
    }
    if a >= T::ZERO {
        let root = |number: T| {
            let n = exact(number);
            if n.sign() < 0 { 1 } else { (&x - &(&n * &n)).sign() }
        };
        assert_tight(a.sqrt_down(), a.sqrt_up(), &format!("√{a:e}"), root);
    }
}

fn check_three<T: Float>(a: T, b: T, c: T) {
    let value = &(&exact(a) * &exact(b)) + &exact(c);
    let compare = |number: T| (&value - &exact(number)).sign();
    assert_tight(a.mul_add_down(b, c), a.mul_add_up(b, c), &format!("{a:e} * {b:e} + {c:e}"), compare);
    // The nearest number is one of the two, and not the farther one.
    let (near, down, up) = (a.mul_add_near(b, c), a.mul_add_down(b, c), a.mul_add_up(b, c));
    assert!(near == down || near == up, "{a:e} * {b:e} + {c:e}: {near} is not a neighbor of the exact value");
    if near.is_finite() && down.is_finite() && up.is_finite() {
        let twice = value.clone().shifted(1);
        let side = (&twice - &(&exact(down) + &exact(up))).sign();
        assert!(
            side == 0 || (side < 0) == (near == down),
            "{a:e} * {b:e} + {c:e}: {near} is not the nearest"
        );
    }
}

/// Finite numbers of every kind: any exponent, significands with few or all bits, neighbors of powers of two, subnormal
/// numbers, the smallest and the largest.
pub(super) fn finite<T: Float>() -> impl Strategy<Value = T> {
    let plain = any::<u64>();
    let few = (any::<u64>(), 0..64u32).prop_map(|(bits, zeros)| bits >> zeros << zeros);
    let middle = (any::<u64>(), 960..1090u64).prop_map(|(bits, e)| {
        let double = f64::from_bits(bits & !(0x7ff << 52) | e << 52);
        if size_of::<T>() == 4 { u64::from((double as f32).to_bits()) << 32 } else { double.to_bits() }
    });
    let small = (any::<u64>(), 2..63u32).prop_map(|(bits, zeros)| (bits & 1 << 63) | (bits << 1 >> zeros));
    let edges = prop::sample::select(vec![
        T::ZERO,
        -T::ZERO,
        T::ONE,
        -T::ONE,
        T::MAX,
        -T::MAX,
        T::MAX.below(),
        T::MIN_NORMAL,
        T::MIN_NORMAL.below(),
        T::ZERO.above(),
        -T::ZERO.above(),
        T::UNIT_ROUNDOFF,
        T::ONE.above(),
        T::ONE.below(),
    ]);
    let bits = prop_oneof![2 => plain, 2 => few, 4 => middle, 2 => small].prop_map(T::of_bits);
    prop_oneof![9 => bits, 1 => edges].prop_filter("finite", |x: &T| x.is_finite())
}

/// Three numbers; in half of the cases, the third is close to minus the product of the others, so that the sum cancels.
fn canceling<T: Float>() -> impl Strategy<Value = (T, T, T)> {
    (finite::<T>(), finite::<T>(), finite::<T>(), 0..4).prop_map(|(a, b, c, kind)| {
        let product = -a.mul_near(b);
        match kind {
            0 if product.is_finite() => (a, b, product),
            1 if product.above().is_finite() => (a, b, product.above()),
            _ => (a, b, c),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20000))]

    #[test]
    fn directed_results_in_double_precision_are_the_tightest(a in finite::<f64>(), b in finite::<f64>()) {
        check_two(a, b);
    }

    #[test]
    fn directed_results_in_single_precision_are_the_tightest(a in finite::<f32>(), b in finite::<f32>()) {
        check_two(a, b);
    }

    #[test]
    fn directed_fused_products_in_double_precision_are_the_tightest((a, b, c) in canceling::<f64>()) {
        check_three(a, b, c);
    }

    #[test]
    fn directed_fused_products_in_single_precision_are_the_tightest((a, b, c) in canceling::<f32>()) {
        check_three(a, b, c);
    }

    #[test]
    fn narrowing_is_the_tightest(a in finite::<f64>()) {
        let (down, up): (f32, f32) = (a.narrow_down(), a.narrow_up());
        assert_tight(down, up, &format!("{a:e}"), |number: f32| (&exact(a) - &exact(number)).sign());
    }
}

/// Numbers on both sides of every threshold at which the double-precision formulas change, and at the ends of the
/// range.
#[test]
fn formulas_agree_at_their_thresholds() {
    let exponents: [i32; 24] = [
        -1074, -1073, -1060, -1022, -1021, -969, -940, -939, -900, -899, -800, -799, -540, -470, -450, -300,
        0, 175, 300, 494, 600, 989, 990, 1022,
    ];
    let power = |e: i32| {
        if e < -1022 { f64::from_bits(1 << (e + 1074)) } else { f64::from_bits(((e + 1023) as u64) << 52) }
    };
    let numbers: Vec<f64> = exponents
        .iter()
        .flat_map(|e| [power(*e).below(), power(*e), power(*e).above(), -power(*e) * 1.7])
        .collect();
    for a in &numbers {
        for b in &numbers {
            check_two(*a, *b);
        }
    }
    for (a, b) in numbers.iter().step_by(3).flat_map(|a| numbers.iter().step_by(2).map(move |b| (a, b))) {
        for c in numbers.iter().step_by(5) {
            check_three(*a, *b, *c);
        }
    }
}

#[test]
fn infinite_operands_give_limits() {
    let inf = f64::INFINITY;
    assert_eq!((inf.add_down(1.0), (-inf).add_up(1.0), inf.mul_down(-2.0)), (inf, -inf, -inf));
    assert_eq!((1.0.div_down(inf), 1.0.div_up(inf), 1.0.div_down(0.0)), (0.0, 0.0, inf));
    assert_eq!((inf.sqrt_down(), inf.sqrt_up()), (inf, inf));
    assert!((f64::NAN.add_down(1.0).is_nan()) && inf.mul_down(0.0).is_nan() && inf.add_down(-inf).is_nan());
    let inf = f32::INFINITY;
    assert_eq!((inf.add_down(1.0), (-inf).add_up(1.0), inf.mul_down(-2.0)), (inf, -inf, -inf));
    assert_eq!((1f32.div_down(inf), 1f32.div_up(inf), 1f32.div_down(0.0)), (0.0, 0.0, inf));
    assert_eq!((inf.mul_add_near(1.0, 1.0), f32::MAX.mul_add_near(2.0, 0.0)), (inf, inf));
}
