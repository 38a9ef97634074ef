//! Benchmark data sets.

use crate::inference::Dialect;
use crate::tuning::{mackey_glass, truck, truck_controller};

/// Centroid of the clipped triangles, sample by sample, as in the book.
fn textbook(x: f64, phi: f64) -> f64 {
    let triangle = |v: f64, [left, top, right]: [f64; 3]| {
        let up = if left.is_finite() { (v - left) / (top - left) } else { 1.0 };
        let down = if right.is_finite() { (right - v) / (right - top) } else { 1.0 };
        up.min(down).clamp(0.0, 1.0)
    };
    let open = f64::INFINITY;
    let positions =
        [[-open, 10.0, 35.0], [30.0, 40.0, 50.0], [45.0, 50.0, 55.0], [50.0, 60.0, 70.0], [65.0, 90.0, open]];
    let directions = [
        [-open, -45.0, 10.0],
        [-10.0, 25.0, 60.0],
        [50.0, 70.0, 90.0],
        [80.0, 90.0, 100.0],
        [90.0, 110.0, 130.0],
        [120.0, 155.0, 190.0],
        [170.0, 225.0, open],
    ];
    let angles = [
        [-45.0, -30.0, -15.0],
        [-25.0, -15.0, -5.0],
        [-10.0, -5.0, 0.0],
        [-5.0, 0.0, 5.0],
        [0.0, 5.0, 10.0],
        [5.0, 15.0, 25.0],
        [15.0, 30.0, 45.0],
    ];
    // Output set of each rule, as an index into `angles`.
    let rules = ["45566", "24566", "12456", "11355", "01245", "00124", "00112"];
    let (mut moment, mut area) = (0.0, 0.0);
    for i in 0..=900 {
        let y = -45.0 + 0.1 * f64::from(i);
        let mut max = 0.0f64;
        for (direction, row) in directions.iter().zip(rules) {
            for (position, angle) in positions.iter().zip(row.bytes()) {
                let strength = triangle(phi, *direction).min(triangle(x, *position));
                max = max.max(strength.min(triangle(y, angles[usize::from(angle - b'0')])));
            }
        }
        moment += y * max;
        area += max;
    }
    moment / area
}

#[test]
fn truck_outputs_match_the_textbook_centroid() {
    let table = truck(9).unwrap();
    assert_eq!((table.rows(), table.columns()), (81, 3));
    for row in 0..81 {
        let [x, phi, theta] = [0, 1, 2].map(|column| table.get(row, column).unwrap());
        assert_eq!((x, phi), (12.5 * (row / 9) as f64, -90.0 + 45.0 * (row % 9) as f64));
        // Sums of 901 rounded terms below 45.
        assert!((theta - textbook(x, phi)).abs() < 1e-10, "{x} {phi}: {theta}");
    }
}

#[test]
fn truck_outputs_are_antisymmetric() {
    let n = 16;
    let theta = truck(n).unwrap().column("theta").unwrap();
    for (i, theta_here) in theta.iter().enumerate() {
        let mirrored = theta[n * n - 1 - i]; // (100 − x, 180 − φ)
        assert!((theta_here + mirrored).abs() < 1e-10, "{i}: {theta_here} {mirrored}");
    }
    assert!(theta.iter().any(|theta| theta.abs() > 25.0));
}

#[test]
fn truck_controller_is_an_ordinary_system() {
    let controller = truck_controller().unwrap();
    assert_eq!(controller.blocks[0].rules.len(), 35);
    let row = controller.infer_row(&[20.0, 30.0], Dialect::Matlab).unwrap();
    assert!((row.outputs[0] - textbook(20.0, 30.0)).abs() < 1e-10);
}

#[test]
fn a_grid_of_one_point_is_rejected() {
    let message = truck(1).unwrap_err().to_string();
    assert_eq!(message, "truck: `points` is 1, but it must be from 2 to 8192");
}

#[test]
fn mackey_glass_series_satisfies_its_equation() {
    let table = mackey_glass().unwrap();
    assert_eq!((table.rows(), table.columns()), (1000, 5));
    let (now, next) = (table.column("x_now").unwrap(), table.column("x_in_6").unwrap());
    assert_eq!(now[6..], next[..994]);
    // Sixth-order finite differences in time: the error is of the order of the seventh derivative, about 1e-4.
    let slope = |i: usize| {
        let difference = |k: usize| now[i + k] - now[i - k];
        (45.0 * difference(1) - 9.0 * difference(2) + difference(3)) / 60.0
    };
    for i in 20..990 {
        let delayed = now[i - 17];
        let expected = 0.2 * delayed / (1.0 + delayed.powi(10)) - 0.1 * now[i];
        assert!((slope(i) - expected).abs() < 2e-3, "{i}: {} {expected}", slope(i));
    }
    // As widely published for these parameters, the series stays between 0.4 and 1.4.
    assert!(now.iter().all(|x| (0.2..1.4).contains(x)));
}
