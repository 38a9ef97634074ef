//! Membership, defuzzification, comparison and distance against sampled values.

use crate::arithmetic::{Distance, FuzzyLu, FuzzyMr, LuArray, MrArray, NumberDefuzzifier, Relation};
use proptest::prelude::*;
use std::cmp::Ordering;

const N: usize = 5;
type Number = FuzzyLu<f64, N>;

fn number() -> impl Strategy<Value = Number> {
    prop::array::uniform10(-10.0..10.0f64).prop_map(|mut ends| {
        ends.sort_by(f64::total_cmp);
        let lower = std::array::from_fn(|i| ends[i]);
        let upper = std::array::from_fn(|i| ends[2 * N - 1 - i]);
        Number::from_cuts(lower, upper).unwrap()
    })
}

/// Sample points from −10 to 10.
fn samples() -> impl Iterator<Item = f64> + Clone {
    (0..4000).map(|i| -10.0 + (f64::from(i) + 0.5) / 200.0)
}

/// sup min(μ_a(x), μ_b(y)) over sampled x ≤ y.
fn sampled_possibility(a: &Number, b: &Number) -> f64 {
    let mut best_a = 0.0f64;
    let mut best = 0.0f64;
    for x in samples() {
        best_a = best_a.max(a.membership(x)); // over all x up to y
        best = best.max(best_a.min(b.membership(x)));
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_centroid_agrees_with_sampled_memberships(x in number()) {
        prop_assume!(x.support().width() > 0.5);
        let (mut moment, mut area) = (0.0, 0.0);
        for at in samples() {
            moment += at * x.membership(at);
            area += x.membership(at);
        }
        let centroid = x.defuzzify(NumberDefuzzifier::Centroid).unwrap();
        // A sample distance of 1/200 misses up to one step at each of ten corners; the area is at least a quarter.
        prop_assert!((centroid - moment / area).abs() < 0.2, "{centroid}, sampled {}", moment / area);
    }

    #[test]
    fn an_array_is_defuzzified_like_its_elements(x in number(), y in number()) {
        let numbers = [x, y, Number::unbounded(), Number::gaussian(5.0, 0.5).unwrap()];
        let balls = numbers.map(FuzzyMr::<f64, N, f32>::from);
        let (lu, mr) = (LuArray::from_numbers(&numbers), MrArray::from_numbers(&balls));
        for by in [NumberDefuzzifier::Centroid, NumberDefuzzifier::MeanOfMaxima, NumberDefuzzifier::Yager, NumberDefuzzifier::PossibilisticMean] {
            prop_assert_eq!(lu.defuzzify(by), numbers.map(|x| x.defuzzify(by)));
            prop_assert_eq!(mr.defuzzify(by), balls.map(|x| FuzzyLu::from(x).defuzzify(by)));
        }
    }

    #[test]
    fn indices_are_means_of_the_midpoints_of_the_cuts(x in number()) {
        let midpoint = |alpha: f64| {
            let at = alpha * (N - 1) as f64;
            let (i, t) = ((at as usize).min(N - 2), at - (at as usize).min(N - 2) as f64);
            let mid = |i: usize| (x.lower()[i] + x.upper()[i]) / 2.0;
            mid(i) * (1.0 - t) + mid(i + 1) * t
        };
        let levels = (0..4000).map(|i| (f64::from(i) + 0.5) / 4000.0);
        let yager: f64 = levels.clone().map(midpoint).sum::<f64>() / 4000.0;
        let weighted: f64 = levels.map(|alpha| 2.0 * alpha * midpoint(alpha)).sum::<f64>() / 4000.0;
        // The midpoint rule is exact for linear functions, with an error of 1e-6 for parabolas.
        prop_assert!((x.defuzzify(NumberDefuzzifier::Yager).unwrap() - yager).abs() < 1e-5);
        prop_assert!((x.defuzzify(NumberDefuzzifier::PossibilisticMean).unwrap() - weighted).abs() < 1e-5);
    }

    #[test]
    fn possibility_is_the_supremum_over_samples(a in number(), b in number()) {
        let possibility = a.possibility(Relation::LessOrEqual, &b);
        let sampled = sampled_possibility(&a, &b);
        prop_assert!(sampled <= possibility + 1e-9, "{possibility}, sampled {sampled}");
        // A sample distance of 1/200 may miss the top of a steep side, but not the previous level.
        prop_assert!(possibility - sampled < 0.3, "{possibility}, sampled {sampled}");
        let equal = a.possibility(Relation::Equal, &b);
        let sampled = samples().map(|x| a.membership(x).min(b.membership(x))).fold(0.0, f64::max);
        prop_assert!(sampled <= equal + 1e-9, "{equal}, sampled {sampled}");
    }

    #[test]
    fn necessity_implies_possibility_and_one_order_is_always_possible(a in number(), b in number()) {
        for relation in [Relation::Less, Relation::LessOrEqual, Relation::Equal] {
            prop_assert!(a.necessity(relation, &b) <= a.possibility(relation, &b));
        }
        let both = a.possibility(Relation::LessOrEqual, &b).max(b.possibility(Relation::LessOrEqual, &a));
        prop_assert_eq!(both, 1.0);
        prop_assert_eq!(a.possibility(Relation::Equal, &a), 1.0);
    }

    #[test]
    fn distances_are_metrics(a in number(), b in number(), c in number()) {
        for distance in [Distance::Hausdorff, Distance::Manhattan, Distance::Euclidean] {
            let d = |x: &Number, y: &Number| x.distance(y, distance);
            prop_assert_eq!(d(&a, &a), 0.0);
            prop_assert!(d(&a, &b) > 0.0 || a == b);
            prop_assert_eq!(d(&a, &b), d(&b, &a));
            // Rounding errors of sums of twenty numbers up to 20.
            prop_assert!(d(&a, &c) <= d(&a, &b) + d(&b, &c) + 1e-12);
        }
    }

    #[test]
    fn ranking_is_a_total_order(a in number(), b in number(), c in number()) {
        let order = |x: &Number, y: &Number| x.compare_by(y, NumberDefuzzifier::Yager);
        prop_assert_eq!(order(&a, &b), order(&b, &a).reverse());
        prop_assert_eq!(order(&a, &b) == Ordering::Equal, a == b);
        if order(&a, &b).is_le() && order(&b, &c).is_le() {
            prop_assert!(order(&a, &c).is_le());
        }
    }
}

#[test]
fn values_computed_by_hand_are_returned() {
    let triangle = FuzzyLu::<f64, 3>::triangular(1.0, 2.0, 6.0).unwrap();
    assert_eq!(triangle.defuzzify(NumberDefuzzifier::Centroid), Some(3.0));
    assert_eq!(triangle.defuzzify(NumberDefuzzifier::Yager), Some(2.75)); // midpoints from 3.5 to 2
    assert_eq!(triangle.defuzzify(NumberDefuzzifier::PossibilisticMean), Some(2.5)); // ∫ 2α(3.5 − 1.5α) dα
    let interval = FuzzyLu::<f64, 1>::interval(1.0, 3.0).unwrap();
    for defuzzifier in
        [NumberDefuzzifier::Centroid, NumberDefuzzifier::Yager, NumberDefuzzifier::PossibilisticMean]
    {
        assert_eq!(interval.defuzzify(defuzzifier), Some(2.0));
    }
    assert_eq!((interval.membership(1.0), interval.membership(0.9)), (1.0, 0.0));
    assert_eq!(FuzzyLu::<f64, 3>::crisp(7.0).defuzzify(NumberDefuzzifier::Centroid), Some(7.0));
    assert_eq!(FuzzyLu::<f64, 3>::unbounded().defuzzify(NumberDefuzzifier::Centroid), None);
    let gaussian = FuzzyLu::<f64, 9>::gaussian(5.0, 0.5).unwrap();
    assert!((gaussian.defuzzify(NumberDefuzzifier::Centroid).unwrap() - 5.0).abs() < 1e-14);
    assert_eq!(gaussian.membership(1e9), 0.0);
    let half = FuzzyLu::<f64, 3>::from_cuts([1.0, 2.0, 3.0], [f64::INFINITY, 4.0, 3.0]).unwrap();
    let inner = FuzzyLu::<f64, 3>::from_cuts(
        [f64::NEG_INFINITY, f64::NEG_INFINITY, 3.0],
        [f64::INFINITY, f64::INFINITY, 3.0],
    )
    .unwrap();
    for undefined in [half, inner] {
        assert_eq!(undefined.defuzzify(NumberDefuzzifier::Centroid), None);
        assert_eq!(undefined.defuzzify(NumberDefuzzifier::Yager), None);
        assert_eq!(undefined.defuzzify(NumberDefuzzifier::MeanOfMaxima), Some(3.0));
    }
    let huge = FuzzyLu::<f64, 2>::triangular(-f64::MAX, 0.0, f64::MAX).unwrap();
    assert_eq!(huge.defuzzify(NumberDefuzzifier::Centroid), Some(0.0));
    assert_eq!(huge.membership(f64::MAX / 2.0), 0.5);
    assert_eq!(huge.distance(&FuzzyLu::unbounded(), Distance::Euclidean), f64::INFINITY);
    assert_eq!(FuzzyLu::<f64, 2>::unbounded().distance(&FuzzyLu::unbounded(), Distance::Manhattan), 0.0);
    let (two, three) = (FuzzyLu::<f64, 2>::crisp(2.0), FuzzyLu::crisp(3.0));
    assert_eq!((two.necessity(Relation::Less, &three), two.possibility(Relation::Less, &two)), (1.0, 0.0));
    assert_eq!((two.necessity(Relation::Equal, &two), two.possibility(Relation::Equal, &three)), (1.0, 0.0));
    assert_eq!(two.distance(&three, Distance::Euclidean), 1.0);
}

#[test]
fn defuzzifiers_parse_from_their_names() {
    for name in ["centroid", "mean-of-maxima", "yager", "possibilistic-mean"] {
        assert_eq!(name.parse::<NumberDefuzzifier>().unwrap().to_string(), name);
    }
    assert_eq!(
        "middle".parse::<NumberDefuzzifier>().unwrap_err().to_string(),
        "unknown defuzzification method `middle`; expected centroid, mean-of-maxima, yager or possibilistic-mean"
    );
}
