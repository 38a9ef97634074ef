//! Fewer rules that say nearly the same.

use super::generated::spiral;
use crate::Device;
use crate::sonfin::{Classify, Growth, Model, Sonfin};

fn fitted() -> (Model, Device) {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(30)).epochs(10);
    (sonfin.fit(&spiral(300), &["kind"], &device).unwrap(), device)
}

/// Adds rule 0 again with centers a thousandth of their width away, and a rule far from all rows.
fn with_idle_and_double(model: &mut Model) {
    let network = &mut model.state.best.as_mut().unwrap().network;
    let (a, c, w) = (network.a[..2].to_vec(), network.c[..2].to_vec(), network.w[..2].to_vec());
    network.a.extend(&a);
    network.c.extend(c.iter().map(|c| c + 1e-3));
    network.w.extend(&w);
    network.add(&[40.0, 40.0], &[0.3, 0.3], 0.1);
}

#[test]
fn an_idle_rule_is_left_out_and_a_double_one_is_merged() {
    let (mut model, device) = fitted();
    let rules = model.report.rules;
    with_idle_and_double(&mut model);
    let found = model.simplify(&spiral(300), 0.0, &device).unwrap();
    assert!(found.pruned >= 1 && found.merged >= 1, "{found:?}");
    assert!(found.rules <= rules && model.report.rules == found.rules, "{found:?}");
    assert_eq!(found.rules + found.pruned + found.merged, rules + 2);
}

#[test]
fn the_error_grows_by_no_more_than_is_allowed_and_more_allows_fewer_rules() {
    let mut before = usize::MAX;
    for allowed in [0.0, 0.05, 1.0] {
        let (mut model, device) = fitted();
        let error = model.error(&spiral(300), &device).unwrap();
        let found = model.simplify(&spiral(300), allowed, &device).unwrap();
        assert!(found.error <= error + allowed, "{found:?}");
        assert_eq!(found.error, model.error(&spiral(300), &device).unwrap());
        assert!(found.rules <= before, "{found:?}");
        before = found.rules;
    }
}

#[test]
fn a_negative_allowance_is_refused() {
    let (mut model, device) = fitted();
    assert_eq!(
        model.simplify(&spiral(300), -1.0, &device).unwrap_err().to_string(),
        "sonfin: `allowed error` is -1, but it must be at least 0"
    );
}
