//! Every kernel against the textbook.

use crate::device::Device;

#[test]
fn every_rule_on_every_vector_level_agrees_with_the_textbook() {
    let checks = super::super::selftest::checks(&Device::cpu().unwrap()).unwrap();
    let failed: Vec<String> = checks.iter().filter(|c| !c.passed).map(|c| format!("{c:?}")).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(checks.iter().all(|c| c.cases > 100));
}
