//! The self-test passes on this machine's CPU, at every SIMD level; comparison of the learners.

mod learners;

use fuzzion::Device;
use fuzzion_bench::{selftest_modules, selftest_of};

#[test]
fn every_kernel_matches_its_oracle_on_the_cpu() {
    let device = Device::cpu().unwrap();
    for module in selftest_modules() {
        let checks = selftest_of(&[module], &device).unwrap();
        assert!(!checks.is_empty(), "{module}");
        for check in &checks {
            assert!(check.passed && check.cases > 0, "{check:?}");
        }
        match module {
            "clustering" => assert!(checks.iter().all(|check| check.cases > 100), "{checks:?}"),
            "sets" => assert!(checks.iter().any(|check| check.kernel.starts_with("sets/Gaussian/tiny/"))),
            _ => {}
        }
    }
}
