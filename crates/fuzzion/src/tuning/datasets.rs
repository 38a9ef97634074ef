//! The two data sets that systems like these have been tried on since 1992.

use crate::data::{Precision, Table};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::inference::{Defuzzifier, Dialect, Output, System, Variable};
use crate::sets::Set;

/// Where θ is sampled: every tenth of a degree, both ends included.
const SAMPLES: usize = 901;
/// The most points along an axis.
const MOST_POINTS: usize = 8192;

/// A name and the left end, the top and the right end of a triangle; an infinite end is a shoulder.
type Triangle = (&'static str, f64, f64, f64);

const OPEN: f64 = f64::INFINITY;
const X: [Triangle; 5] = [
    ("LE", -OPEN, 10.0, 35.0),
    ("LC", 30.0, 40.0, 50.0),
    ("CE", 45.0, 50.0, 55.0),
    ("RC", 50.0, 60.0, 70.0),
    ("RI", 65.0, 90.0, OPEN),
];
const PHI: [Triangle; 7] = [
    ("RB", -OPEN, -45.0, 10.0),
    ("RU", -10.0, 25.0, 60.0),
    ("RV", 50.0, 70.0, 90.0),
    ("VE", 80.0, 90.0, 100.0),
    ("LV", 90.0, 110.0, 130.0),
    ("LU", 120.0, 155.0, 190.0),
    ("LB", 170.0, 225.0, OPEN),
];
const THETA: [Triangle; 7] = [
    ("NB", -45.0, -30.0, -15.0),
    ("NM", -25.0, -15.0, -5.0),
    ("NS", -10.0, -5.0, 0.0),
    ("ZE", -5.0, 0.0, 5.0),
    ("PS", 0.0, 5.0, 10.0),
    ("PM", 5.0, 15.0, 25.0),
    ("PB", 15.0, 30.0, 45.0),
];
/// What to conclude: a row for each set of φ, in it a word for each set of x.
const RULES: [[&str; 5]; 7] = [
    ["PS", "PM", "PM", "PB", "PB"],
    ["NS", "PS", "PM", "PB", "PB"],
    ["NM", "NS", "PS", "PM", "PB"],
    ["NM", "NM", "ZE", "PM", "PM"],
    ["NB", "NM", "NS", "PS", "PM"],
    ["NB", "NB", "NM", "NS", "PS"],
    ["NB", "NB", "NM", "NM", "NS"],
];

/// The controller that backs a truck up to a loading dock: 35 rules for the angle θ of its wheels, by its place x and
/// its direction φ. Its numbers are those of [`Dialect::Matlab`], which samples θ with both ends.
///
/// Source: B. Kosko, *Neural Networks and Fuzzy Systems*, 1992.
///
/// # Errors
/// None, since its sets and rules are fixed.
pub fn truck_teacher() -> Result<System> {
    let with_sets = |variable: Variable, sets: &[Triangle]| {
        sets.iter().try_fold(variable, |variable, (name, left, top, right)| {
            Ok::<_, Error>(variable.set(*name, Set::triangle(*left, *top, *right)?))
        })
    };
    let mut theta = Output::new("theta", -45.0, 45.0);
    theta.defuzzifier = Defuzzifier::Centroid { samples: Some(SAMPLES) };
    theta.variable = with_sets(theta.variable, &THETA)?;
    let mut system = System::new("truck")
        .input(with_sets(Variable::new("x", 0.0, 100.0), &X)?)
        .input(with_sets(Variable::new("phi", -90.0, 270.0), &PHI)?)
        .output(theta);
    for ((phi, ..), row) in PHI.iter().zip(RULES) {
        for ((x, ..), theta) in X.iter().zip(row) {
            system = system.rule(&format!("if phi is {phi} and x is {x} then theta is {theta}"))?;
        }
    }
    Ok(system)
}

/// What [`truck_teacher`] does on a grid of `points` × `points` places and directions: columns x, phi and theta.
///
/// ```
/// let truck = fuzzion::tuning::truck(3)?;
/// assert_eq!(truck.names(), ["x", "phi", "theta"]);
/// assert!(truck.column("theta")?[4].abs() < 1e-12); // in the middle, straight towards the dock: go on
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] for fewer than 2 or more than 8192 points.
pub fn truck(points: usize) -> Result<Table> {
    if !(2..=MOST_POINTS).contains(&points) {
        let (value, must) = (points as f64, "from 2 to 8192");
        return Err(Error::Parameter { algorithm: "truck", name: "points", value, must });
    }
    let place = |i: usize, low: f64, high: f64| low + (high - low) * i as f64 / (points - 1) as f64;
    let grid: Vec<f64> = (0..points * points)
        .flat_map(|i| [place(i / points, 0.0, 100.0), place(i % points, -90.0, 270.0)])
        .collect();
    let grid = Table::new(["x", "phi"], grid)?;
    let plan = truck_teacher()?.compile(Dialect::Matlab, Precision::F64)?;
    let theta = plan.infer(&grid, &Device::cpu()?)?.into_f64();
    let rows = grid.to_f64();
    let rows = rows.chunks_exact(2).zip(&theta).flat_map(|(row, theta)| [row[0], row[1], *theta]);
    Table::new(["x", "phi", "theta"], rows.collect::<Vec<f64>>())
}

/// Steps of the integration in one unit of time.
const PER_UNIT: usize = 10;
/// τ of the equation.
const DELAY: usize = 17;
/// t of the first row and how many rows there are.
const FIRST: usize = 118;
const ROWS: usize = 1000;

/// A chaotic series to predict: x(t − 18), x(t − 12), x(t − 6) and x(t), from which x(t + 6) is to be told, for t = 118 …
/// 1117. By custom the first 500 rows are learned from and the others predicted.
///
/// dx/dt = 0.2·x(t − 17)/(1 + x(t − 17)¹⁰) − 0.1·x(t), x(0) = 1.2 and x(t) = 0 before, by Runge and Kutta's steps of 0.1
/// with x(t − 17) straight between two steps.
///
/// ```
/// let series = fuzzion::tuning::mackey_glass()?;
/// assert_eq!(series.names(), ["x_18_ago", "x_12_ago", "x_6_ago", "x_now", "x_in_6"]);
/// assert_eq!(series.get(0, 3), series.get(6, 2)); // what is now was now 6 ago
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// Sources: M. C. Mackey, L. Glass, *Oscillation and chaos in physiological control systems*, 1977; J.-S. R. Jang,
/// *ANFIS*, 1993, for the rows.
///
/// # Errors
/// None, since everything is fixed.
pub fn mackey_glass() -> Result<Table> {
    let x = series((FIRST + ROWS + 6) * PER_UNIT);
    let at = |t: usize| x[t * PER_UNIT];
    let row = |t: usize| [at(t - 18), at(t - 12), at(t - 6), at(t), at(t + 6)];
    let rows: Vec<f64> = (FIRST..FIRST + ROWS).flat_map(row).collect();
    Table::new(["x_18_ago", "x_12_ago", "x_6_ago", "x_now", "x_in_6"], rows)
}

/// x at 0, 0.1, 0.2, …, so many steps.
fn series(steps: usize) -> Vec<f64> {
    let h = 1.0 / PER_UNIT as f64;
    let slope = |x: f64, delayed: f64| 0.2 * delayed / (1.0 + delayed.powi(10)) - 0.1 * x;
    let mut x = vec![1.2];
    for i in 0..steps {
        let before = |step: usize| step.checked_sub(DELAY * PER_UNIT).map_or(0.0, |step| x[step]);
        let (from, to) = (before(i), before(i + 1));
        let (now, middle) = (x[i], 0.5 * (from + to));
        let k1 = slope(now, from);
        let k2 = slope(now + 0.5 * h * k1, middle);
        let k3 = slope(now + 0.5 * h * k2, middle);
        let k4 = slope(now + h * k3, to);
        x.push(now + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4));
    }
    x
}
