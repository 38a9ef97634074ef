//! Iris, C = 3, m = 2: values on which scikit-fuzzy, e1071 and others agree.

use super::super::*;
use crate::data::{ReadTable, Table};
use crate::device::Device;

pub(super) fn iris() -> Table {
    ReadTable::new().read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/iris.csv")).unwrap()
}

const CENTERS: [[f64; 4]; 3] = [
    [5.00396596, 3.41408886, 1.48281553, 0.25354632],
    [5.88893236, 2.76106936, 4.36395164, 1.39731504],
    [6.77501122, 3.05238227, 5.64678178, 2.05354666],
];

#[test]
fn iris_has_its_known_centers_objective_and_indices() {
    let device = Device::cpu().unwrap();
    for plain in [true, false] {
        let partition = FuzzyCMeans::new(3)
            .tolerance(1e-11)
            .max_iterations(1000)
            .plain(plain)
            .n_init(3)
            .fit(&iris(), &device)
            .unwrap();
        let mut order = [0, 1, 2];
        let centers = partition.centers.to_f64();
        order.sort_by(|a, b| centers[a * 4].total_cmp(&centers[b * 4]));
        for (expected, k) in CENTERS.iter().zip(order) {
            for (i, expected) in expected.iter().enumerate() {
                // Published to 8 decimal places.
                assert!((centers[k * 4 + i] - expected).abs() < 1e-8, "{plain} {centers:?}");
            }
        }
        let report = &partition.report;
        assert!((report.objective - 60.505710629489).abs() < 1e-8, "{}", report.objective);
        assert!((report.indices.partition_coefficient - 0.78339749).abs() < 1e-8);
        assert!((report.indices.partition_entropy - 0.39549158).abs() < 1e-8);
        assert!((report.indices.xie_beni.unwrap() - 0.1369).abs() < 5e-5);
        assert_eq!(order.map(|k| report.sizes[k]), [50.0, 60.0, 40.0]);
        assert_eq!(report.stop, Stop::Converged);
    }
}
