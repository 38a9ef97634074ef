//! Initial rules.

use crate::Device;
use crate::data::Table;
use crate::inference::{Conjunction, Output, RuleBlock, System, Variable};
use crate::random::Random;
use crate::sets::{Set, TNorm};
use crate::tuning::error::Result;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::{Form, InitialRules, Tuner};

/// Three clusters of 40 rows around (0, 0), (1, 0) and (1, 1).
fn clusters() -> Table {
    let mut random = Random::new(3);
    let row = |i: usize| {
        let (a, b) = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)][i % 3];
        let mut near = |center: f64| center + 0.05 * random.between(-1.0, 1.0);
        [near(a), near(b), i as f64]
    };
    Table::new(["a", "b", "y"], (0..120).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn initial(tuner: &Tuner, table: &Table) -> Antecedents {
    tuner
        .clone()
        .order(0)
        .iterations(0)
        .fit(table, &["y"], &Device::cpu().unwrap())
        .unwrap()
        .initial_antecedents
}

#[test]
fn grid_neighbors_cross_at_one_half_and_outer_sets_peak_at_the_ends() {
    for form in Form::ALL {
        let grid = initial(&Tuner::grid(&[3, 2]).form(form), &clusters());
        assert_eq!((grid.rules(), grid.sets.len()), (6, 5));
        let membership = |set: usize, x: f64| form.ln_membership(&grid.sets[set].parameters, x).exp();
        for (set, x) in [(0, 0.0), (1, 0.5), (2, 1.0), (3, 0.0), (4, 1.0)] {
            assert_eq!(membership(set, x), 1.0, "{form:?}");
        }
        for (left, right, x) in [(0, 1, 0.25), (1, 2, 0.75), (3, 4, 0.5)] {
            assert!((membership(left, x) - 0.5).abs() < 1e-15, "{form:?}"); // exact except for the rounding of the width
            assert!((membership(right, x) - 0.5).abs() < 1e-15, "{form:?}");
        }
        // The last input varies fastest.
        assert_eq!(grid.set_indices, [0, 3, 0, 4, 1, 3, 1, 4, 2, 3, 2, 4]);
    }
}

#[test]
fn grid_triangles_sum_to_one() {
    let grid = initial(&Tuner::grid(&[5, 1]).form(Form::Triangle), &clusters());
    for i in 0..=100 {
        let sum: f64 = grid.sets[..5]
            .iter()
            .map(|set| grid.form.ln_membership(&set.parameters, f64::from(i) / 100.0).exp())
            .sum();
        assert!((sum - 1.0).abs() < 1e-14, "{sum}"); // two linear functions, one rounding each
    }
}

#[test]
fn clusters_become_rules_with_matching_widths() {
    for start in
        [InitialRules::FuzzyCMeans(3), InitialRules::GustafsonKessel(3), InitialRules::Subtractive(0.5)]
    {
        let found = initial(&Tuner::new(start.clone()), &clusters());
        assert_eq!(found.rules(), 3, "{start:?}");
        for (a, b) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)] {
            // The range is about [−0.05, 1.05], so the scaled cluster centers are at 0.045 and 0.955.
            let at = [0.5 + (a - 0.5) / 1.1, 0.5 + (b - 0.5) / 1.1];
            let near = |rule: usize| {
                (0..2).all(|j| (found.set(rule, j).unwrap().parameters[0] - at[j]).abs() < 0.06)
            };
            assert!((0..3).any(near), "{start:?} {at:?} {found:?}");
        }
        let narrow =
            if matches!(start, InitialRules::Subtractive(_)) { 0.5 / 8f64.sqrt() + 1e-12 } else { 0.1 };
        assert!(
            found.sets.iter().all(|set| (0.02..=narrow).contains(&set.parameters[1])),
            "{start:?} {found:?}"
        );
    }
}

#[test]
fn a_smaller_radius_finds_more_rules() {
    let mut random = Random::new(4);
    let rows: Vec<f64> = (0..200).flat_map(|i| [random.unit(), random.unit(), f64::from(i)]).collect();
    let table = Table::new(["a", "b", "y"], rows).unwrap();
    let rules = |radius| initial(&Tuner::new(InitialRules::Subtractive(radius)), &table).rules();
    assert!(rules(0.3) > rules(0.6) && rules(0.6) >= 1, "{} {}", rules(0.3), rules(0.6));
}

fn system(conjunction: TNorm, hot: Set) -> Result<System> {
    Ok(System::new("heating")
        .input(Variable::new("a", 0.0, 2.0).set("low", Set::gaussian(0.0, 0.5)?).set("high", hot))
        .input(Variable::new("b", 0.0, 1.0).set("low", Set::gaussian(0.1, 0.4)?))
        .output(Output::new("y", 0.0, 1.0).set("one", Set::constant(1.0)?))
        .block(RuleBlock::new("").conjunction(Conjunction::Norm(conjunction)))
        .rule("if a is low and b is low then y is one")?
        .rule("if a is high then y is one")?)
}

#[test]
fn the_sets_of_an_initial_system_are_reused() -> Result<()> {
    let mut random = Random::new(8);
    let rows: Vec<f64> =
        (0..50).flat_map(|i| [f64::from(i % 2) * 2.0, random.unit(), random.unit()]).collect();
    let table = Table::new(["a", "b", "y"], rows)?;
    let start = InitialRules::System(Box::new(system(TNorm::AlgebraicProduct, Set::gaussian(2.0, 0.25)?)?));
    let tuned = Tuner::new(start).order(0).iterations(3).ridge(1e-9).fit(&table, &["y"], &Device::cpu()?)?;
    assert_eq!(tuned.initial_antecedents.rules(), 2);
    assert_eq!(tuned.initial_antecedents.set(0, 0).unwrap().parameters[..2], [0.0, 0.25]); // `a` is scaled by its range, 2
    assert_eq!(tuned.initial_antecedents.set(1, 0).unwrap().parameters[..2], [1.0, 0.125]);
    assert_eq!(tuned.initial_antecedents.set(1, 1), None);
    assert!(tuned.report.rmse <= tuned.report.history[0].rmse);
    Ok(())
}

#[test]
fn systems_that_cannot_be_tuned_are_rejected_with_the_reason() -> Result<()> {
    let table = Table::new(["a", "b", "y"], vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.2, 0.7])?;
    let message = |system: System, columns: &[&str]| {
        let tuner =
            Tuner::new(InitialRules::System(Box::new(system))).order(0).inputs(columns.iter().copied());
        tuner.fit(&table, &["y"], &Device::cpu().unwrap()).unwrap_err().to_string()
    };
    let gaussian = Set::gaussian(2.0, 0.25)?;
    assert_eq!(
        message(system(TNorm::Minimum, gaussian.clone())?, &[]),
        "the system `heating` does not use the algebraic product for `and`; change its conjunction to the product"
    );
    assert_eq!(
        message(system(TNorm::AlgebraicProduct, Set::bell(1.0, 0.5, 2.0)?)?, &[]),
        "the system `heating` has input sets of several shapes; use one shape for all of them"
    );
    assert_eq!(
        message(system(TNorm::AlgebraicProduct, Set::spike(1.0, 0.5)?)?, &[]),
        "the system `heating` has input sets of an unsupported shape; use Gaussian, GaussianProduct, Bell, Triangle or Trapezoid"
    );
    assert_eq!(
        message(system(TNorm::AlgebraicProduct, gaussian.clone())?, &["b", "a"]),
        "the system `heating` has other inputs than the training columns; select the columns of its inputs, in the same order"
    );
    let hedged = system(TNorm::AlgebraicProduct, gaussian)?.rule("if a is very low then y is one")?;
    assert_eq!(
        message(hedged, &[]),
        "the system `heating` has rules that are not of the form `input is set and …`; remove hedges, `or`, `not` and outputs from antecedents"
    );
    Ok(())
}
