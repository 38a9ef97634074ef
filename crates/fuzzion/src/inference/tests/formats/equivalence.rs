//! Equivalence of one system in several formats.

use crate::inference::{Dialect, System};

const MAMDANI: [&str; 4] = [
    include_str!("../../../../examples/systems/tipper.fll"),
    include_str!("../../../../examples/systems/tipper.fis"),
    include_str!("../../../../examples/systems/tipper.fcl"),
    include_str!("../../../../examples/systems/tipper.json"),
];
const SUGENO: [&str; 3] = [
    include_str!("../../../../examples/systems/sugeno.fll"),
    include_str!("../../../../examples/systems/sugeno.fis"),
    include_str!("../../../../examples/systems/sugeno.fcl"),
];

/// Outputs of `system` on a grid of 11 × 11 points.
fn outputs(system: &System, dialect: Dialect) -> Vec<Vec<f64>> {
    let at = |input: usize, i: usize| {
        let variable = &system.inputs[input];
        variable.minimum + (variable.maximum - variable.minimum) * i as f64 / 10.0
    };
    let row = |n: usize| system.infer_row(&[at(0, n / 11), at(1, n % 11)], dialect).unwrap().outputs;
    (0..121).map(row).collect()
}

#[test]
fn fll_fis_fcl_and_json_versions_of_a_system_have_bit_identical_outputs() {
    let [fll, fis, fcl, json] = MAMDANI;
    let mamdani =
        [System::from_fll(fll), System::from_fis(fis), System::from_fcl(fcl), System::from_json(json)];
    let [fll, fis, fcl] = SUGENO;
    let sugeno = [System::from_fll(fll), System::from_fis(fis), System::from_fcl(fcl)];
    for systems in [Vec::from(mamdani), Vec::from(sugeno)] {
        for dialect in Dialect::ALL {
            let tables: Vec<Vec<Vec<f64>>> =
                systems.iter().map(|system| outputs(system.as_ref().unwrap(), dialect)).collect();
            // Outputs are NaN if no rule fires.
            assert!(
                tables[0].iter().flatten().filter(|value| value.is_finite()).count() > 100,
                "{dialect:?}"
            );
            let bits =
                |table: &[Vec<f64>]| -> Vec<u64> { table.iter().flatten().map(|v| v.to_bits()).collect() };
            for table in &tables[1..] {
                assert_eq!(bits(table), bits(&tables[0]), "{dialect:?}");
            }
        }
    }
}
