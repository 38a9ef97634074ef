//! Reading of tables.

use crate::commands::table::head::describe;
use crate::commands::tour::guide::Guide;
use crate::page::Section;
use fuzzion::data::{Labels, ReadTable};
use fuzzion::plot::Chart;
use fuzzion::sets::Set;
use fuzzion::{Result, Table};

/// Number of rows of the sample table.
const ROWS: usize = 500;

pub(crate) fn tables(guide: &Guide<'_>) -> Result<Section> {
    let path = guide.path("day.csv");
    let table = sample_day()?;
    table.write(&path)?;
    let output = describe::head(&path, false, 4, &ReadTable::new())?;
    let hour = table.column("hour")?;
    let temperature = table.column("temperature")?;
    let chart = Chart::new("").x_label("hour").y_label("°C").line("temperature", &hour, &temperature);
    Ok(Section::new("Tables")
        .text(
            "Fuzzion reads tables from CSV (with automatic detection of separator, header, quotes and missing values) and NPY, \
             images from PNG, JPEG and PGM, and videos from Y4M. Errors report the line and column. This sample table is stored \
             next to this page:",
        )
        .command(format!("fuzzion head {}", path.display()))
        .output(output)
        .figure(chart.size(840.0, 260.0).to_svg(), "A summer day with two missing values."))
}

/// A summer day: temperature and humidity by hour, with two missing values, and the best-fitting set.
fn sample_day() -> Result<Table> {
    let sets = [
        ("mild", Set::triangle(5.0, 15.0, 22.0)?),
        ("warm", Set::gaussian(22.0, 3.5)?),
        ("hot", Set::s_shape(22.0, 35.0)?),
    ];
    let mut values = Vec::with_capacity(3 * ROWS);
    let mut best = Vec::with_capacity(ROWS);
    for i in 0..ROWS {
        let hour = 24.0 * i as f64 / ROWS as f64;
        let phase = (hour - 15.0) / 24.0 * std::f64::consts::TAU;
        let variation = (hour * 7.3).sin() * 0.8 + (hour * 31.0).sin() * 0.4;
        let temperature = ((21.0 + 8.0 * phase.cos() + variation) * 100.0).round() / 100.0;
        let humidity = ((58.0 - 2.1 * (temperature - 21.0)) * 10.0).round() / 10.0;
        let is_missing = i == 77 || i == 300;
        values.extend([
            (hour * 1000.0).round() / 1000.0,
            if is_missing { f64::NAN } else { temperature },
            humidity,
        ]);
        let membership = |set: &Set| set.membership(temperature);
        let name = sets
            .iter()
            .max_by(|a, b| membership(&a.1).total_cmp(&membership(&b.1)))
            .map_or("", |(name, _)| name);
        best.push(name);
    }
    Ok(Table::new(["hour", "temperature", "humidity"], values)?.with_labels(Labels::new("set", best))?)
}
