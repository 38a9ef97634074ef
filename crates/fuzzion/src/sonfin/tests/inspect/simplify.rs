//! Simplification of models.

use crate::Device;
use crate::sonfin::tests::data::spiral;
use crate::sonfin::{Classify, Growth, Model, Sonfin};

fn fitted_model() -> (Model, Device) {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(30)).epochs(10);
    (sonfin.fit(&spiral(300), &["kind"], &device).unwrap(), device)
}

/// Adds a copy of rule 0 with centers shifted by a thousandth of their width, and a rule far from all rows.
fn add_idle_and_duplicate_rules(model: &mut Model) {
    let network = &mut model.state.best.as_mut().unwrap().network;
    let (a, c, w) = (network.a[..2].to_vec(), network.c[..2].to_vec(), network.w[..2].to_vec());
    network.a.extend(&a);
    network.c.extend(c.iter().map(|c| c + 1e-3));
    network.w.extend(&w);
    network.add(&[40.0, 40.0], &[0.3, 0.3], 0.1);
}

#[test]
fn an_idle_rule_is_pruned_and_a_duplicate_is_merged() {
    let (mut model, device) = fitted_model();
    let rules = model.report.rules;
    add_idle_and_duplicate_rules(&mut model);
    let report = model.simplify(&spiral(300), 0.0, &device).unwrap();
    assert!(report.pruned >= 1 && report.merged >= 1, "{report:?}");
    assert!(report.rules <= rules && model.report.rules == report.rules, "{report:?}");
    assert_eq!(report.rules + report.pruned + report.merged, rules + 2);
}

#[test]
fn the_error_increase_is_bounded_and_a_larger_bound_gives_fewer_rules() {
    let mut before = usize::MAX;
    for allowed in [0.0, 0.05, 1.0] {
        let (mut model, device) = fitted_model();
        let error = model.error(&spiral(300), &device).unwrap();
        let report = model.simplify(&spiral(300), allowed, &device).unwrap();
        assert!(report.error <= error + allowed, "{report:?}");
        assert_eq!(report.error, model.error(&spiral(300), &device).unwrap());
        assert!(report.rules <= before, "{report:?}");
        before = report.rules;
    }
}

#[test]
fn a_negative_error_bound_is_rejected() {
    let (mut model, device) = fitted_model();
    assert_eq!(
        model.simplify(&spiral(300), -1.0, &device).unwrap_err().to_string(),
        "sonfin: `allowed error` is -1, but it must be at least 0"
    );
}
