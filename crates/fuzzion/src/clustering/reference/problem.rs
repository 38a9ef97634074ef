//! Random problems with every membership rule and metric.

use crate::clustering::prototypes::space::Space;
use crate::clustering::prototypes::{ClusterMetrics, MembershipRule, Prototypes};
use crate::clustering::rows::sums::RequestedSums;
use crate::data::Precision;
use crate::random::Random;

/// Kind of test problem.
#[derive(Clone, Copy)]
pub struct Problem {
    rule: fn(usize) -> MembershipRule,
    adaptive: bool,
    partial: bool,
}

pub fn problems() -> [(&'static str, Problem); 14] {
    fn widths(clusters: usize) -> Vec<f64> {
        (0..clusters).map(|k| 0.2 + 0.1 * k as f64).collect()
    }
    let plain = |rule| Problem { rule, adaptive: false, partial: false };
    [
        ("fcm/m2", plain(|_| MembershipRule::Fuzzy { fuzzifier: 2.0 })),
        ("fcm/m3", plain(|_| MembershipRule::Fuzzy { fuzzifier: 3.0 })),
        ("fcm/m1.5", plain(|_| MembershipRule::Fuzzy { fuzzifier: 1.5 })),
        ("fcm/m1.25", plain(|_| MembershipRule::Fuzzy { fuzzifier: 1.25 })),
        ("fcm/m1.7", plain(|_| MembershipRule::Fuzzy { fuzzifier: 1.7 })),
        ("fcm/m1.1", plain(|_| MembershipRule::Fuzzy { fuzzifier: 1.1 })),
        ("hard", plain(|_| MembershipRule::Hard)),
        ("noise", plain(|_| MembershipRule::Noise { fuzzifier: 1.8, distance: 0.3 })),
        ("possibilistic/m2", plain(|c| MembershipRule::Possibilistic { fuzzifier: 2.0, widths: widths(c) })),
        (
            "possibilistic/m1.6",
            plain(|c| MembershipRule::Possibilistic { fuzzifier: 1.6, widths: widths(c) }),
        ),
        (
            "possibilistic-fuzzy",
            plain(|c| MembershipRule::Mixed {
                fuzzifier: 2.0,
                typicality_fuzzifier: 1.7,
                membership: 0.75,
                typicality: 2.0,
                widths: widths(c),
            }),
        ),
        (
            "gustafson-kessel",
            Problem { rule: |_| MembershipRule::Fuzzy { fuzzifier: 2.0 }, adaptive: true, partial: false },
        ),
        (
            "gath-geva",
            Problem { rule: |_| MembershipRule::Gaussian { fuzzifier: 2.0 }, adaptive: true, partial: false },
        ),
        (
            "partial",
            Problem { rule: |_| MembershipRule::Fuzzy { fuzzifier: 2.0 }, adaptive: false, partial: true },
        ),
    ]
}

type ProblemData = (Prototypes, Vec<f64>, Option<Vec<f64>>, RequestedSums);

/// Creates the prototypes, rows, weights and requested sums of a problem with these clusters, rows and columns.
pub fn problem(kind: Problem, (c, n, f): (usize, usize, usize), precision: Precision) -> ProblemData {
    let mut random = Random::new(11 + (c * 1000 + f) as u64);
    // Multiples of 1/64 are exact in single precision, so both sides start from the same values.
    let grid = |random: &mut Random| (random.bits() % 128) as f64 / 64.0;
    let mut x: Vec<f64> = (0..n * f).map(|_| grid(&mut random)).collect();
    let centers: Vec<f64> = (0..c * f).map(|_| grid(&mut random) - 1.0).collect();
    let weights: Vec<f64> = (0..n).map(|i| ((i * 7) % 5) as f64 * 0.5).collect();
    if kind.partial {
        x.iter_mut().step_by(7).for_each(|x| *x = f64::NAN);
    } else if n > c {
        // Put a row on the first center.
        x[..f].iter_mut().zip(&centers).for_each(|(x, v)| *x = v + 1.0);
    }
    let mut space = Space::euclidean(&vec![1.0; f], 1.0, precision);
    space.partial = kind.partial;
    let mut prototypes = Prototypes::new(space, centers, (kind.rule)(c));
    prototypes.cluster_metrics = kind.adaptive.then(|| cluster_metrics(c, f, &mut random));
    (prototypes, x, Some(weights).filter(|_| n > 3), RequestedSums { scatter: !kind.partial, quality: true })
}

/// Diagonally dominant triangular matrices.
fn cluster_metrics(c: usize, f: usize, random: &mut Random) -> ClusterMetrics {
    let sixteenth = |random: &mut Random| (random.bits() % 8) as f64 / (16.0 * f as f64);
    let mut factors = vec![0.0; c * f * f];
    for (at, entry) in factors.iter_mut().enumerate() {
        let (row, column) = (at / f % f, at % f);
        if column <= row {
            *entry = sixteenth(random) + if row == column { 0.75 } else { 0.0 };
        }
    }
    let offsets = (0..c).map(|k| 0.25 * k as f64).collect();
    ClusterMetrics { factors, offsets, covariances: vec![0.0; c * f * f] }
}
