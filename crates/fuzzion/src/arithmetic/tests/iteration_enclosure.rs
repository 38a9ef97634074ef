//! Iterations of midpoint-radius numbers against exact values.

use super::arrays::{Number, cpus};
use super::exact::Exact;
use super::oracle::Random;
use crate::arithmetic::array::ArrayShape;
use crate::arithmetic::cpu;
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::arithmetic::{FuzzyMr, MrArray};
use crate::progress::Progress;
use proptest::prelude::*;

const CUTS: usize = 2;

/// Exact number in cut `i`: an endpoint or the midpoint.
fn point<T: WidensFrom<R>, R: Real>(
    number: &FuzzyMr<T, CUTS, R>,
    i: usize,
    random: &mut Random,
) -> Option<Exact> {
    let radius = number.radii()[i];
    let side = Exact::of([-1.0, 0.0, 1.0][random.below(3) as usize]);
    let distance = radius.is_finite().then(|| Exact::of(radius.to_f64()))?;
    Some(&Exact::of(number.midpoint().to_f64()) + &(&distance * &side))
}

/// Iterates one number, and c ← a·c + b of exact points in its cuts, with new points in every step.
macro_rules! check_iteration {
    ($t:ty, $r:ty, $seed:expr) => {{
        let random = &mut Random($seed);
        let (kind, steps) = (random.below(4), 1 + random.below(6) as usize);
        let [a, b, c] = [(); 3].map(|()| <FuzzyMr<$t, CUTS, $r> as Number>::random(random, kind));
        let [array_a, array_b] = [a, b].map(|number| MrArray::from_numbers(&[number]));
        for cpu in cpus() {
            let mut array = MrArray::from_numbers(&[c]);
            cpu::axpy(&mut array, &array_a, &array_b, steps, &cpu, &Progress::none()).unwrap();
            prop_assert_eq!(array.number_count(), 1);
            let result: FuzzyMr<$t, CUTS, $r> = array.number(0).unwrap();
            for i in 0..CUTS {
                let Some(mut exact) = point(&c, i, random) else { continue };
                let known = (0..steps).all(|_| match (point(&a, i, random), point(&b, i, random)) {
                    (Some(a), Some(b)) => {
                        exact = &(&a * &exact) + &b;
                        true
                    }
                    _ => false,
                });
                let radius = f64::from(result.radii()[i]);
                if known && radius.is_finite() {
                    let distance = &exact - &Exact::of(f64::from(result.midpoint()));
                    let distance = if distance.sign() < 0 { -&distance } else { distance };
                    prop_assert!(distance <= Exact::of(radius), "{:?}: {:?}", (a, b, c, steps, i), result);
                }
            }
        }
    }};
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_iteration_in_double_precision_encloses_the_exact_one(seed in any::<u64>()) {
        check_iteration!(f64, f64, seed);
    }

    #[test]
    fn an_iteration_in_single_precision_encloses_the_exact_one(seed in any::<u64>()) {
        check_iteration!(f32, f32, seed);
    }

    #[test]
    fn an_iteration_with_double_midpoint_and_single_radii_encloses_the_exact_one(seed in any::<u64>()) {
        check_iteration!(f64, f32, seed);
    }
}

#[test]
fn an_iteration_whose_midpoint_overflows_is_unbounded() {
    let number = |x: f32| FuzzyMr::<f32, 2>::new(x, [1.0, 0.0]).unwrap();
    let [a, b] = [number(1e30), number(0.0)].map(|number| MrArray::from_numbers(&[number]));
    for cpu in cpus() {
        let mut c = MrArray::from_numbers(&[number(1.0)]);
        cpu::axpy(&mut c, &a, &b, 5, &cpu, &Progress::none()).unwrap();
        assert_eq!(c.number::<2>(0).unwrap(), FuzzyMr::unbounded());
    }
}
