//! Benchmark data sets: truck backer-upper and Mackey-Glass.

use crate::base::SettingError;
use crate::data::{Precision, Table};
use crate::device::Device;
use crate::inference::{Defuzzifier, Dialect, Output, System, Variable};
use crate::sets::Set;
use crate::tuning::error::{Result, TuningError};

/// Number of samples of θ for the centroid: steps of 0.1 degrees, including both ends.
const THETA_SAMPLES: usize = 901;
/// Maximum number of points per axis.
const MAX_POINTS: usize = 8192;

/// Name, left end, top and right end of a triangle; an infinite end is a shoulder.
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
/// Output sets of the rules: one row for each set of φ, one column for each set of x.
const RULES: [[&str; 5]; 7] = [
    ["PS", "PM", "PM", "PB", "PB"],
    ["NS", "PS", "PM", "PB", "PB"],
    ["NM", "NS", "PS", "PM", "PB"],
    ["NM", "NM", "ZE", "PM", "PM"],
    ["NB", "NM", "NS", "PS", "PM"],
    ["NB", "NB", "NM", "NS", "PS"],
    ["NB", "NB", "NM", "NM", "NS"],
];

/// Kosko's truck backer-upper, a controller that backs a truck up to a loading dock: 35 rules for the steering angle θ,
/// given the position x and the direction φ. It requires [`Dialect::Matlab`], which samples θ including both ends.
///
/// Source: B. Kosko, *Neural Networks and Fuzzy Systems*, 1992.
///
/// ```
/// use fuzzion::{inference::Dialect, tuning::truck_controller};
/// let theta = truck_controller()?.infer_row(&[50.0, 90.0], Dialect::Matlab)?.outputs[0];
/// assert!(theta.abs() < 1e-12); // centered and facing the dock: no steering
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// None: all sets and rules are constant.
pub fn truck_controller() -> Result<System> {
    let with_sets = |variable: Variable, sets: &[Triangle]| {
        sets.iter().try_fold(variable, |variable, (name, left, top, right)| {
            Ok::<_, TuningError>(variable.set(*name, Set::triangle(*left, *top, *right)?))
        })
    };
    let mut theta = Output::new("theta", -45.0, 45.0);
    theta.defuzzifier = Defuzzifier::Centroid { samples: Some(THETA_SAMPLES) };
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

/// Outputs of [`truck_controller`] on a grid of `points` × `points` positions and directions, with columns x, phi and
/// theta.
///
/// ```
/// let truck = fuzzion::tuning::truck(3)?;
/// assert_eq!(truck.names(), ["x", "phi", "theta"]);
/// assert!(truck.column("theta")?[4].abs() < 1e-12); // centered and facing the dock: no steering
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`SettingError::OutOfRange`] for fewer than 2 or more than 8192 points.
pub fn truck(points: usize) -> Result<Table> {
    if !(2..=MAX_POINTS).contains(&points) {
        let (value, must) = (points as f64, "from 2 to 8192");
        return Err(SettingError::OutOfRange { algorithm: "truck", name: "points", value, must }.into());
    }
    let coordinate = |i: usize, low: f64, high: f64| low + (high - low) * i as f64 / (points - 1) as f64;
    let grid: Vec<f64> = (0..points * points)
        .flat_map(|i| [coordinate(i / points, 0.0, 100.0), coordinate(i % points, -90.0, 270.0)])
        .collect();
    let grid = Table::new(["x", "phi"], grid)?;
    let plan = truck_controller()?.compile(Dialect::Matlab, Precision::F64)?;
    let theta = plan.infer(&grid, &Device::cpu()?)?.into_f64();
    let rows = grid.to_f64();
    let rows = rows.chunks_exact(2).zip(&theta).flat_map(|(row, theta)| [row[0], row[1], *theta]);
    Ok(Table::new(["x", "phi", "theta"], rows.collect::<Vec<f64>>())?)
}

/// Integration steps per unit of time.
const STEPS_PER_UNIT: usize = 10;
/// τ of the equation.
const DELAY: usize = 17;
/// First t, and number of rows.
const FIRST: usize = 118;
const ROWS: usize = 1000;

/// Mackey-Glass chaotic time series: inputs x(t − 18), x(t − 12), x(t − 6) and x(t), target x(t + 6), for t = 118 …
/// 1117. By convention, the first 500 rows are used for training and the rest for testing.
///
/// dx/dt = 0.2·x(t − 17)/(1 + x(t − 17)¹⁰) − 0.1·x(t), with x(0) = 1.2 and x(t) = 0 for t < 0, integrated by the
/// classical Runge-Kutta method with step 0.1; x(t − 17) is interpolated linearly within a step.
///
/// ```
/// let series = fuzzion::tuning::mackey_glass()?;
/// assert_eq!(series.names(), ["x_18_ago", "x_12_ago", "x_6_ago", "x_now", "x_in_6"]);
/// assert_eq!(series.get(0, 3), series.get(6, 2)); // x(t) in row 0 is x(t − 6) in row 6
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// Sources: M. C. Mackey, L. Glass, *Oscillation and chaos in physiological control systems*, 1977; J.-S. R. Jang,
/// *ANFIS*, 1993, for the choice of rows.
///
/// # Errors
/// None: all parameters are constant.
pub fn mackey_glass() -> Result<Table> {
    let x = series((FIRST + ROWS + 6) * STEPS_PER_UNIT);
    let at = |t: usize| x[t * STEPS_PER_UNIT];
    let row = |t: usize| [at(t - 18), at(t - 12), at(t - 6), at(t), at(t + 6)];
    let rows: Vec<f64> = (FIRST..FIRST + ROWS).flat_map(row).collect();
    Ok(Table::new(["x_18_ago", "x_12_ago", "x_6_ago", "x_now", "x_in_6"], rows)?)
}

/// x at 0, 0.1, 0.2, …, `steps`/10.
fn series(steps: usize) -> Vec<f64> {
    let h = 1.0 / STEPS_PER_UNIT as f64;
    let derivative = |x: f64, delayed: f64| 0.2 * delayed / (1.0 + delayed.powi(10)) - 0.1 * x;
    let mut x = vec![1.2];
    for i in 0..steps {
        let delayed_x = |step: usize| step.checked_sub(DELAY * STEPS_PER_UNIT).map_or(0.0, |step| x[step]);
        let (from, to) = (delayed_x(i), delayed_x(i + 1));
        let (now, middle) = (x[i], 0.5 * (from + to));
        let k1 = derivative(now, from);
        let k2 = derivative(now + 0.5 * h * k1, middle);
        let k3 = derivative(now + 0.5 * h * k2, middle);
        let k4 = derivative(now + h * k3, to);
        x.push(now + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4));
    }
    x
}
