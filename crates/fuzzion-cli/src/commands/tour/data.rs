//! Data in and out.

use super::Guide;
use crate::commands::head::describe;
use crate::page::Section;
use fuzzion::data::{Labels, ReadTable};
use fuzzion::plot::Chart;
use fuzzion::sets::Set;
use fuzzion::{Result, Table};

/// Rows of the sample table.
const ROWS: usize = 500;

pub(super) fn tables(guide: &Guide<'_>) -> Result<Section> {
    let path = guide.folder.join("day.csv");
    let table = a_day()?;
    table.write(&path)?;
    let told = describe::head(&path, false, 4, &ReadTable::new())?;
    let hour = table.column("hour")?;
    let temperature = table.column("temperature")?;
    let chart = Chart::new("").x_label("hour").y_label("°C").line("temperature", &hour, &temperature);
    Ok(Section::new("Tables")
        .text(
            "Tables come from CSV (separator, header, quotes and gaps are found) and NPY; pictures from PNG, JPEG and \
             PGM; video from Y4M. A table that cannot be read is one sentence with the line and the column. This one \
             lies beside this page:",
        )
        .command(format!("fuzzion head {}", path.display()))
        .output(told)
        .figure(chart.size(840.0, 260.0).to_svg(), "A summer's day; two values are missing."))
}

/// A summer's day: temperature and humidity through the hours, with gaps, and the word that fits best.
fn a_day() -> Result<Table> {
    let words = [
        ("mild", Set::triangle(5.0, 15.0, 22.0)?),
        ("warm", Set::gaussian(22.0, 3.5)?),
        ("hot", Set::s_shape(22.0, 35.0)?),
    ];
    let mut values = Vec::with_capacity(3 * ROWS);
    let mut best = Vec::with_capacity(ROWS);
    for i in 0..ROWS {
        let hour = 24.0 * i as f64 / ROWS as f64;
        let phase = (hour - 15.0) / 24.0 * std::f64::consts::TAU;
        let flutter = (hour * 7.3).sin() * 0.8 + (hour * 31.0).sin() * 0.4;
        let temperature = ((21.0 + 8.0 * phase.cos() + flutter) * 100.0).round() / 100.0;
        let humidity = ((58.0 - 2.1 * (temperature - 21.0)) * 10.0).round() / 10.0;
        let missing = i == 77 || i == 300;
        values.extend([
            (hour * 1000.0).round() / 1000.0,
            if missing { f64::NAN } else { temperature },
            humidity,
        ]);
        let fits = |set: &Set| set.membership(temperature);
        let word = words.iter().max_by(|a, b| fits(&a.1).total_cmp(&fits(&b.1))).map_or("", |(word, _)| word);
        best.push(word);
    }
    Table::new(["hour", "temperature", "humidity"], values)?.with_labels(Labels::new("word", best))
}
