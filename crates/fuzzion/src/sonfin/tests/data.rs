//! Small data sets for tests.

use crate::data::{Labels, Table};
use crate::random::Random;

/// Two interleaved spiral arms of one turn.
pub(in crate::sonfin::tests) fn spiral(rows: usize) -> Table {
    let mut random = Random::new(3);
    let (mut values, mut kinds) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let (radius_fraction, arm) = (random.between(0.15, 1.0), row % 2);
        let angle = std::f64::consts::TAU * (radius_fraction + 0.5 * arm as f64);
        let noise = 0.03;
        values.push(10.0 * radius_fraction * angle.cos() + noise * random.between(-1.0, 1.0));
        values.push(1000.0 + radius_fraction * angle.sin() + noise * random.between(-1.0, 1.0));
        kinds.push(["left", "right"][arm]);
    }
    Table::new(["x", "y"], values).unwrap().with_labels(Labels::new("kind", kinds)).unwrap()
}

/// Two functions of two inputs with very different units: sin 3a + b², and 1000·a·b.
pub(in crate::sonfin::tests) fn waves(rows: usize) -> Table {
    let mut random = Random::new(5);
    let row = |_| {
        let (a, b) = (random.between(-1.0, 1.0), random.between(0.0, 2.0));
        [a, b, (3.0 * a).sin() + b * b, 1000.0 * a * b]
    };
    Table::new(["a", "b", "wave", "product"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

/// The table with an additional numeric column.
pub(in crate::sonfin::tests) fn with_column(
    table: &Table,
    name: &str,
    value: impl Fn(usize) -> f64,
) -> Table {
    let names: Vec<String> = table.names().iter().cloned().chain([name.to_owned()]).collect();
    let row = |row: usize| {
        let values = (0..table.columns()).map(move |column| table.get(row, column).unwrap());
        values.chain([value(row)]).collect::<Vec<f64>>()
    };
    let values: Vec<f64> = (0..table.rows()).flat_map(row).collect();
    let wider = Table::new(names, values).unwrap();
    table.labels().iter().fold(wider, |table, labels| table.with_labels(labels.clone()).unwrap())
}

/// Some rows of a table.
pub(in crate::sonfin::tests) fn part(table: &Table, rows: std::ops::Range<usize>) -> Table {
    let values: Vec<f64> = rows
        .clone()
        .flat_map(|row| (0..table.columns()).map(move |column| table.get(row, column).unwrap()))
        .collect();
    let cut = Table::new(table.names().to_vec(), values).unwrap();
    let texts = |labels: &Labels| labels.iter().map(str::to_owned).collect::<Vec<_>>()[rows.clone()].to_vec();
    table
        .labels()
        .iter()
        .fold(cut, |cut, labels| cut.with_labels(Labels::new(labels.name(), texts(labels))).unwrap())
}
