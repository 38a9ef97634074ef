//! The ceilings' kernels against the host, on every back end this machine has.

use super::*;

#[test]
fn every_cpu_kernel_agrees_with_the_host() {
    for threads in [1, 2, 3] {
        let device = Device::Cpu(crate::device::Cpu::with_threads(threads).unwrap());
        for check in checks(&device).unwrap() {
            assert!(check.passed && check.cases > 0, "{check:?}");
        }
    }
}
