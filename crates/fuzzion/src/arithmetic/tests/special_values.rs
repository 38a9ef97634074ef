//! Cases computed by hand: signs, zeros, infinities, error messages.

use crate::arithmetic::{FuzzyLu, FuzzyMr};

const INF: f64 = f64::INFINITY;

type Interval = FuzzyLu<f64, 1>;

fn interval(lower: f64, upper: f64) -> Interval {
    Interval::interval(lower, upper).unwrap()
}

fn ends(x: Interval) -> (f64, f64) {
    (x.lower()[0], x.upper()[0])
}

#[test]
fn a_divisor_that_contains_zero_gives_an_unbounded_quotient() {
    assert_eq!(ends(interval(1.0, 2.0) / interval(-1.0, 4.0)), (-INF, INF));
    assert_eq!(ends(interval(1.0, 2.0) / interval(0.0, 4.0)), (0.25, INF));
    assert_eq!(ends(interval(1.0, 2.0) / interval(-4.0, 0.0)), (-INF, -0.25));
    assert_eq!(ends(interval(-2.0, -1.0) / interval(-0.0, 4.0)), (-INF, -0.25));
    assert_eq!(ends(interval(0.0, 2.0) / interval(0.0, 4.0)), (0.0, INF));
    assert_eq!(ends(interval(1.0, 2.0) / 0.0), (-INF, INF));
    assert_eq!(ends(interval(0.0, 0.0) / interval(0.0, 4.0)), (-INF, INF));
    let mr = FuzzyMr::<f64, 2>::new(1.5, [2.5, 0.5]).unwrap(); // [−1, 4] and [1, 2]
    let quotient = 1.0 / mr;
    assert_eq!(quotient.radii()[0], INF);
    assert!(quotient.radii()[1].is_finite());
    assert_eq!(1.0 / FuzzyMr::<f64, 2>::new(0.0, [1.0, 0.0]).unwrap(), FuzzyMr::unbounded());
}

#[test]
fn overflow_and_infinite_bounds_give_unbounded_results() {
    let huge = interval(1e308, 1.5e308);
    assert_eq!(ends(huge + huge), (f64::MAX, INF));
    assert_eq!(ends(huge * huge), (f64::MAX, INF));
    assert_eq!(ends(interval(-INF, INF) * 0.0), (0.0, 0.0));
    assert_eq!(ends(interval(0.0, INF) * interval(-INF, 0.0)), (-INF, 0.0));
    assert_eq!(ends(interval(1.0, INF) - interval(1.0, INF)), (-INF, INF));
    assert_eq!(ends(interval(1.0, 1.0) / interval(1.0, INF)), (0.0, 1.0));
    let ball = FuzzyMr::<f64, 1>::new(1e308, [1.0]).unwrap();
    assert_eq!(ball + ball, FuzzyMr::unbounded());
    assert_eq!(ball * ball, FuzzyMr::unbounded());
    assert_eq!(FuzzyMr::<f64, 1>::unbounded() * 0.0, FuzzyMr::crisp(0.0));
    assert_eq!(Interval::crisp(f64::NAN), Interval::unbounded());
    assert_eq!(ends(Interval::crisp(INF)), (f64::MAX, INF));
    assert_eq!(ends(Interval::crisp(-INF)), (-INF, -f64::MAX));
}

#[test]
fn functions_are_restricted_to_their_domain() {
    assert_eq!(ends(interval(-1.0, 4.0).sqrt()), (0.0, 2.0));
    assert_eq!(ends(interval(-2.0, -1.0).sqrt()), (-INF, INF));
    assert_eq!(ends(interval(-1.0, 1.0).log()), (-INF, 0.0));
    assert_eq!(ends(interval(-1.0, 0.0).log()), (-INF, INF));
    // The core is outside the domain, the support is not: the core gets the bounds of the support.
    let partly = FuzzyLu::<f64, 2>::from_cuts([-2.0, -2.0], [4.0, -1.0]).unwrap().sqrt();
    assert_eq!((partly.lower(), partly.upper()), (&[0.0, 0.0], &[2.0, 2.0]));
    let root = FuzzyMr::<f64, 3>::new(4.0, [5.0, 4.0, 0.0]).unwrap().sqrt();
    assert_eq!((root.midpoint(), root.radii()[0], root.radii()[2]), (2.0, 2.0, 0.0));
    assert_eq!(ends(interval(-3.0, 2.0).sqr()), (0.0, 9.0));
    assert_eq!(ends(interval(-3.0, 2.0).powi(3)), (-27.0, 8.0));
    assert_eq!(ends(interval(-3.0, 2.0).powi(0)), (1.0, 1.0));
    assert_eq!(ends(interval(2.0, 4.0).powi(-2)), (0.0625, 0.25));
    assert_eq!(ends(interval(1.0, 2.0).powi(i32::MIN)), (0.0, 1.0));
    assert_eq!(ends(interval(-3.0, 2.0).abs()), (0.0, 3.0));
    assert_eq!(ends(interval(-3.0, 2.0).max(&interval(-4.0, 1.0))), (-3.0, 2.0));
    assert_eq!(ends(interval(0.0, 0.0).exp()), (1.0, 1.0));
}

#[test]
fn crisp_numbers_can_be_either_operand() {
    let x = interval(1.0, 2.0);
    assert_eq!(ends(x + 1.0), ends(1.0 + x));
    assert_eq!((ends(x - 1.0), ends(1.0 - x)), ((0.0, 1.0), (-1.0, 0.0)));
    assert_eq!((ends(x * -2.0), ends(-2.0 * x)), ((-4.0, -2.0), (-4.0, -2.0)));
    assert_eq!((ends(x / 2.0), ends(2.0 / x)), ((0.5, 1.0), (1.0, 2.0)));
    assert_eq!(ends(-x), (-2.0, -1.0));
    let ball = FuzzyMr::<f64, 2, f32>::new(2.0, [1.0, 0.5]).unwrap();
    assert_eq!((1.0 + ball).midpoint(), 3.0);
    assert_eq!(((2.0 * ball).radii(), (ball / 2.0).radii()), (&[2.0, 1.0], &[0.5, 0.25]));
    let single = FuzzyLu::<f32, 1>::interval(1.0, 2.0).unwrap();
    assert_eq!((1.0 - single).lower(), &[-1.0]);
}

#[test]
fn inner_cuts_have_their_own_sign_if_the_support_straddles_zero() {
    let mixed = FuzzyLu::<f64, 3>::from_cuts([-1.0, 1.0, 2.0], [4.0, 3.0, 2.0]).unwrap();
    let product = mixed * mixed;
    assert_eq!((product.lower(), product.upper()), (&[-4.0, 1.0, 4.0], &[16.0, 9.0, 4.0]));
    let fused = mixed.mul_add(&mixed, &mixed);
    assert_eq!((fused.lower(), fused.upper()), (&[-5.0, 2.0, 6.0], &[20.0, 12.0, 6.0]));
}

#[test]
fn twenty_four_cuts_are_computed_like_one() {
    let many = FuzzyLu::<f32, 24>::interval(1.0, 3.0).unwrap();
    let quotient = many * many / many; // [1, 9] / [1, 3]; 1/3 rounded to nearest in f32 is too large
    assert_eq!((quotient.lower()[23], quotient.upper()[23]), ((1.0f32 / 3.0).next_down(), 9.0));
    let ball = FuzzyMr::<f64, 24>::new(2.0, std::array::from_fn(|i| (23 - i) as f64 / 32.0)).unwrap();
    assert_eq!((ball + ball).radii()[0], 46.0 / 32.0);
    assert_eq!(FuzzyLu::from(ball).lower()[23], 2.0);
}

#[test]
fn conversions_enclose_and_preserve_symmetric_numbers() {
    let symmetric = FuzzyLu::<f64, 3>::from_cuts([1.0, 1.5, 2.0], [3.0, 2.5, 2.0]).unwrap();
    assert_eq!(FuzzyLu::from(FuzzyMr::<f64, 3>::from(symmetric)), symmetric);
    let skew = FuzzyLu::<f64, 2>::from_cuts([1.0, 2.0], [5.0, 2.0]).unwrap();
    let ball = FuzzyMr::<f64, 2>::from(skew);
    assert_eq!((ball.midpoint(), ball.radii()), (2.0, &[3.0, 0.0]));
    assert_eq!(ball.overestimation(&skew), [1.5, 1.0]);
    assert_eq!(FuzzyMr::<f64, 1>::from(interval(0.0, INF)), FuzzyMr::unbounded());
}

#[test]
fn midpoint_radius_overestimates_as_documented() {
    for radius in [0.25, 0.5, 1.0, 1.75] {
        let ball = FuzzyMr::<f64, 1>::new(2.0, [radius]).unwrap();
        let (cuts, rho) = (FuzzyLu::from(ball), radius / 2.0);
        assert_eq!((ball + ball).overestimation(&(cuts + cuts)), [1.0]);
        assert_eq!((ball * ball).overestimation(&(cuts * cuts)), [1.0 + rho / 2.0]);
        // The bounds of the quotients are rounded; their widths are near 1.
        assert!(((ball / ball).overestimation(&(cuts / cuts))[0] - (1.0 + rho)).abs() < 1e-14);
    }
}

#[test]
fn a_divisor_below_the_range_of_the_radii_is_not_zero() {
    let tiny = FuzzyMr::<f64, 1, f32>::crisp(2f64.powi(-200));
    assert_eq!(
        (1.0 / tiny, 3.0 / tiny),
        (FuzzyMr::crisp(2f64.powi(200)), FuzzyMr::crisp(3.0 * 2f64.powi(200)))
    );
}

#[test]
fn invalid_bounds_and_radii_are_rejected_with_one_sentence() {
    let cuts = |lower, upper| FuzzyLu::<f64, 2>::from_cuts(lower, upper).unwrap_err().to_string();
    assert_eq!(
        cuts([3.0, 1.0], [2.0, 1.5]),
        "alpha-cut 0 is [3, 2], but its lower bound must not exceed its upper bound; swap them"
    );
    let finite = "its bounds must be numbers, not both infinite with the same sign";
    assert_eq!(cuts([1.0, f64::NAN], [2.0, 1.5]), format!("alpha-cut 1 is [NaN, 1.5], but {finite}"));
    assert_eq!(cuts([INF, INF], [INF, INF]), format!("alpha-cut 0 is [inf, inf], but {finite}"));
    assert_eq!(
        cuts([1.0, 0.5], [2.0, 1.5]),
        "alpha-cut 1 is [0.5, 1.5], but it must be within the previous alpha-cut"
    );
    let radii = |midpoint, radii| FuzzyMr::<f64, 2>::new(midpoint, radii).unwrap_err().to_string();
    let start = |cut, midpoint: &str, radius: &str| {
        format!("alpha-cut {cut} has midpoint {midpoint} and radius {radius}, but ")
    };
    assert_eq!(radii(INF, [1.0, 0.0]), start(0, "inf", "1") + "the midpoint must be finite");
    assert_eq!(radii(1.0, [1.0, -1.0]), start(1, "1", "-1") + "the radius must be at least 0");
    assert_eq!(radii(1.0, [f64::NAN, 1.0]), start(0, "1", "NaN") + "the radius must be at least 0");
    assert_eq!(radii(1.0, [1.0, 2.0]), start(1, "1", "2") + "the radius must not exceed the previous one");
}
