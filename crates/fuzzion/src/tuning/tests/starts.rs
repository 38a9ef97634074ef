//! Where rules come from.

use crate::Device;
use crate::data::Table;
use crate::error::Result;
use crate::inference::{Conjunction, Output, RuleBlock, System, Variable};
use crate::random::Random;
use crate::sets::{Set, TNorm};
use crate::tuning::antecedents::Antecedents;
use crate::tuning::{Form, Start, Tuner};

/// Three clouds of 40 rows about (0, 0), (1, 0) and (1, 1).
fn clouds() -> Table {
    let mut random = Random::new(3);
    let row = |i: usize| {
        let (a, b) = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)][i % 3];
        let mut near = |center: f64| center + 0.05 * random.between(-1.0, 1.0);
        [near(a), near(b), i as f64]
    };
    Table::new(["a", "b", "y"], (0..120).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn before(tuner: &Tuner<'_>, table: &Table) -> Antecedents {
    tuner.clone().order(0).iterations(0).fit(table, &["y"], &Device::cpu().unwrap()).unwrap().before
}

#[test]
fn neighbors_of_a_grid_cross_at_one_half_and_the_outer_tops_are_at_the_ends() {
    for form in [Form::Gaussian, Form::TwoSided, Form::Bell, Form::Triangle] {
        let grid = before(&Tuner::grid(&[3, 2]).form(form), &clouds());
        assert_eq!((grid.rules(), grid.sets.len()), (6, 5));
        let membership = |set: usize, x: f64| form.ln_membership(&grid.sets[set].parameters, x).exp();
        for (set, x) in [(0, 0.0), (1, 0.5), (2, 1.0), (3, 0.0), (4, 1.0)] {
            assert_eq!(membership(set, x), 1.0, "{form:?}");
        }
        for (left, right, x) in [(0, 1, 0.25), (1, 2, 0.75), (3, 4, 0.5)] {
            assert!((membership(left, x) - 0.5).abs() < 1e-15, "{form:?}"); // ½ but for the rounding of its width
            assert!((membership(right, x) - 0.5).abs() < 1e-15, "{form:?}");
        }
        // The last input changes fastest.
        assert_eq!(grid.uses, [0, 3, 0, 4, 1, 3, 1, 4, 2, 3, 2, 4]);
    }
}

#[test]
fn triangles_of_a_grid_sum_up_to_one() {
    let grid = before(&Tuner::grid(&[5, 1]).form(Form::Triangle), &clouds());
    for i in 0..=100 {
        let sum: f64 = grid.sets[..5]
            .iter()
            .map(|set| grid.form.ln_membership(&set.parameters, f64::from(i) / 100.0).exp())
            .sum();
        assert!((sum - 1.0).abs() < 1e-14, "{sum}"); // two straight lines, a rounding each
    }
}

#[test]
fn clusters_become_rules_as_wide_as_they_are() {
    for start in [Start::FuzzyCMeans(3), Start::GustafsonKessel(3), Start::Subtractive(0.5)] {
        let found = before(&Tuner::new(start.clone()), &clouds());
        assert_eq!(found.rules(), 3, "{start:?}");
        for (a, b) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)] {
            // The range is about [−0.05, 1.05]: centers of clouds lie at 0.045 and 0.955 of it.
            let at = [0.5 + (a - 0.5) / 1.1, 0.5 + (b - 0.5) / 1.1];
            let near = |rule: usize| {
                (0..2).all(|j| (found.set(rule, j).unwrap().parameters[0] - at[j]).abs() < 0.06)
            };
            assert!((0..3).any(near), "{start:?} {at:?} {found:?}");
        }
        let narrow = if matches!(start, Start::Subtractive(_)) { 0.5 / 8f64.sqrt() + 1e-12 } else { 0.1 };
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
    let rules = |radius| before(&Tuner::new(Start::Subtractive(radius)), &table).rules();
    assert!(rules(0.3) > rules(0.6) && rules(0.6) >= 1, "{} {}", rules(0.3), rules(0.6));
}

fn system(conjunction: TNorm, hot: Set) -> Result<System> {
    System::new("heating")
        .input(Variable::new("a", 0.0, 2.0).set("low", Set::gaussian(0.0, 0.5)?).set("high", hot))
        .input(Variable::new("b", 0.0, 1.0).set("low", Set::gaussian(0.1, 0.4)?))
        .output(Output::new("y", 0.0, 1.0).set("one", Set::constant(1.0)?))
        .block(RuleBlock::new("").conjunction(Conjunction::Norm(conjunction)))
        .rule("if a is low and b is low then y is one")?
        .rule("if a is high then y is one")
}

#[test]
fn the_rules_of_a_system_are_tuned_with_the_sets_it_has() -> Result<()> {
    let mut random = Random::new(8);
    let rows: Vec<f64> =
        (0..50).flat_map(|i| [f64::from(i % 2) * 2.0, random.unit(), random.unit()]).collect();
    let table = Table::new(["a", "b", "y"], rows)?;
    let start = Start::System(Box::new(system(TNorm::AlgebraicProduct, Set::gaussian(2.0, 0.25)?)?));
    let tuned = Tuner::new(start).order(0).iterations(3).fit(&table, &["y"], &Device::cpu()?)?;
    assert_eq!(tuned.before.rules(), 2);
    assert_eq!(tuned.before.set(0, 0).unwrap().parameters[..2], [0.0, 0.25]); // a is scaled by its range, 2
    assert_eq!(tuned.before.set(1, 0).unwrap().parameters[..2], [1.0, 0.125]);
    assert_eq!(tuned.before.set(1, 1), None);
    assert!(tuned.report.rmse <= tuned.report.history[0].rmse);
    Ok(())
}

#[test]
fn systems_that_cannot_be_tuned_are_refused_with_the_reason() -> Result<()> {
    let table = Table::new(["a", "b", "y"], vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.2, 0.7])?;
    let refused = |system: System, columns: &[&str]| {
        let tuner = Tuner::new(Start::System(Box::new(system))).order(0).inputs(columns.iter().copied());
        tuner.fit(&table, &["y"], &Device::cpu().unwrap()).unwrap_err().to_string()
    };
    let gaussian = Set::gaussian(2.0, 0.25)?;
    assert_eq!(
        refused(system(TNorm::Minimum, gaussian.clone())?, &[]),
        "the system `heating` joins `and` by something else than the product, which alone can be tuned"
    );
    assert_eq!(
        refused(system(TNorm::AlgebraicProduct, Set::bell(1.0, 0.5, 2.0)?)?, &[]),
        "the system `heating` has sets of several shapes; only sets of one shape can be tuned"
    );
    assert_eq!(
        refused(system(TNorm::AlgebraicProduct, Set::spike(1.0, 0.5)?)?, &[]),
        "the system `heating` has sets that cannot be tuned; use Gaussian, GaussianProduct, Bell or Triangle"
    );
    assert_eq!(
        refused(system(TNorm::AlgebraicProduct, gaussian.clone())?, &["b", "a"]),
        "the system `heating` has other inputs than were named; name its own, in its order, or none"
    );
    let hedged = system(TNorm::AlgebraicProduct, gaussian)?.rule("if a is very low then y is one")?;
    assert_eq!(
        refused(hedged, &[]),
        "the system `heating` has rules with more than `input is set and …`; hedges, `or`, `not` and outputs cannot be tuned"
    );
    Ok(())
}
