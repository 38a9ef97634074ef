//! CPU kernels, compared with the textbook.

use crate::device::Device;

#[test]
fn every_rule_at_every_simd_level_matches_the_textbook() {
    let checks = crate::clustering::selftest::checks(&Device::cpu().unwrap()).unwrap();
    let failed: Vec<String> = checks.iter().filter(|c| !c.passed).map(|c| format!("{c:?}")).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(checks.iter().all(|c| c.cases > 100));
}
