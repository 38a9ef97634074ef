//! Merging of near-equal sets of rules from clusters.

use crate::Device;
use crate::data::Table;
use crate::random::Random;
use crate::tuning::network::antecedents::{Antecedents, NO_SET, ScaledSet};
use crate::tuning::network::form::Form;
use crate::tuning::training::shrinkage::merge::merged;
use crate::tuning::{InitialRules, TunedSystem, Tuner};

/// Gaussian sets of two inputs, one pair for each rule.
fn rules(sets: &[[(f64, f64); 2]]) -> Antecedents {
    let of_rule = |rule: &[(f64, f64); 2]| {
        [0, 1].map(|input| {
            let (center, width) = rule[input];
            ScaledSet { input, parameters: [center, width, 0.0, 0.0] }
        })
    };
    let scaled: Vec<ScaledSet> = sets.iter().flat_map(of_rule).collect();
    let set_indices = (0..scaled.len() as u32).collect();
    Antecedents { form: Form::Gaussian, inputs: 2, sets: scaled, set_indices }
}

fn centers(antecedents: &Antecedents, input: usize) -> Vec<f64> {
    let of_input = antecedents.sets.iter().filter(|set| set.input == input);
    of_input.map(|set| set.parameters[0]).collect()
}

#[test]
fn the_most_similar_sets_become_their_mean() {
    let merged = merged(
        &rules(&[
            [(0.10, 0.1), (0.1, 0.1)],
            [(0.12, 0.1), (0.5, 0.1)],
            [(0.11, 0.1), (0.9, 0.1)],
            [(0.80, 0.1), (0.3, 0.1)],
        ]),
        0.8,
    )
    .unwrap();
    let first = centers(&merged, 0);
    assert_eq!(first.len(), 2);
    // The mean of three sets, although two of them are merged first.
    assert!((first[0] - 0.11).abs() < 1e-12 && first[1] == 0.8);
    assert_eq!(centers(&merged, 1).len(), 4);
    assert_eq!(merged.set_indices.len(), 8);
    assert_eq!([0, 2, 4].map(|at| merged.set_indices[at]), [merged.set_indices[0]; 3]);
}

#[test]
fn conditions_that_hold_for_all_values_are_removed() {
    let wide = (0.5, 5.0);
    let of_input = |merged: &Antecedents, input: usize| -> Vec<bool> {
        merged.set_indices.chunks(2).map(|rule| rule[input] != NO_SET).collect()
    };
    let merged = merged(&rules(&[[(0.2, 0.1), wide], [(0.7, 0.1), (0.9, 0.1)], [wide, wide]]), 0.8).unwrap();
    assert_eq!(of_input(&merged, 0), [true, true, true]); // a rule keeps its conditions if none remained
    assert_eq!(of_input(&merged, 1), [false, true, true]);
    assert_eq!(merged.sets.len(), 5);
}

#[test]
fn equal_rules_become_one() {
    let merged = merged(
        &rules(&[[(0.2, 0.1), (0.5, 0.1)], [(0.8, 0.1), (0.5, 0.1)], [(0.21, 0.1), (0.51, 0.1)]]),
        0.8,
    );
    let merged = merged.unwrap();
    assert_eq!((merged.rules(), merged.sets.len()), (2, 3));
}

#[test]
fn merging_ends_with_distinguishable_sets() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let set = |random: &mut Random| (random.between(0.0, 1.0), random.between(0.05, 0.6));
        let sets: Vec<[(f64, f64); 2]> = (0..8).map(|_| [set(&mut random), set(&mut random)]).collect();
        let before = rules(&sets);
        let after = merged(&before, 0.8).unwrap_or_else(|| before.clone());
        assert!(after.rules() <= before.rules() && after.sets.len() <= before.sets.len());
        for (at, index) in after.set_indices.iter().enumerate().filter(|(_, index)| **index != NO_SET) {
            assert_eq!(after.sets[*index as usize].input, at % 2);
        }
        // By quadrature with other points.
        let membership = |set: &ScaledSet, x: f64| after.form.ln_membership(&set.parameters, x).exp();
        for (i, a) in after.sets.iter().enumerate() {
            for b in after.sets[..i].iter().filter(|b| b.input == a.input) {
                let points = (0..1000).map(|i| (f64::from(i) + 0.5) / 1000.0);
                let pairs = points.map(|x| (membership(a, x), membership(b, x)));
                let (min, max) =
                    pairs.fold((0.0, 0.0), |sums, (a, b)| (sums.0 + a.min(b), sums.1 + a.max(b)));
                assert!(min / max < 0.81, "{a:?} {b:?}");
            }
        }
    }
}

/// Rows whose target depends on `x`, but not on `noise`.
fn rows() -> Table {
    let mut random = Random::new(3);
    let row = |_| {
        let (x, noise) = (random.between(0.0, 10.0), random.between(-1.0, 1.0));
        [x, noise, x.sin() + 0.01 * random.between(-1.0, 1.0)]
    };
    Table::new(["x", "noise", "y"], (0..400).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn fit(tuner: &Tuner, rows: &Table) -> TunedSystem {
    tuner.fit(rows, &["y"], &Device::cpu().unwrap()).unwrap()
}

#[test]
fn rules_from_clusters_share_sets_if_the_fit_is_as_good() {
    let rows = rows();
    let [tied, untied] = [false, true]
        .map(|untied| fit(&Tuner::new(InitialRules::FuzzyCMeans(8)).iterations(0).untied(untied), &rows));
    let sets =
        |tuned: &TunedSystem| tuned.system.inputs.iter().map(|input| input.sets.len()).collect::<Vec<_>>();
    assert_eq!(sets(&untied), [8, 8]);
    assert!(sets(&tied)[1] < 8, "{:?}", sets(&tied));
    assert!(tied.report.rmse < 1.02 * untied.report.rmse, "{} {}", tied.report.rmse, untied.report.rmse);
    // The report describes the result.
    let predicted = tied.predict(&rows, &Device::cpu().unwrap()).unwrap();
    let y = rows.column("y").unwrap();
    let squares = predicted.to_f64().iter().zip(&y).map(|(p, y)| (p - y) * (p - y)).sum::<f64>();
    assert!(((squares / 400.0).sqrt() / tied.report.rmse - 1.0).abs() < 1e-6);
}
