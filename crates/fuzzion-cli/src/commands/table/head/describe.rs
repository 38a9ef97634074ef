//! The output of `fuzzion head` for tables, images and videos.

use super::images::{ImagesHead, VideoHead};
use crate::format::{
    align_columns, count_of, display_path, ellipsize, format_number, json_number, min_mean_max,
};
use fuzzion::data::{Content, ReadTable, Summary, TableReader};
use fuzzion::{Device, Progress, Result, Table};
use serde_json::{Value, json};
use std::path::Path;

/// Maximum number of rows per chunk; larger chunks are not faster.
const MAX_CHUNK_ROWS: usize = 65_536;
/// Maximum number of values per chunk.
const MAX_CHUNK_VALUES: usize = 4 << 20;
/// Maximum number of classes listed for a text column.
const MAX_CLASSES: usize = 8;
/// Maximum number of columns in the text output.
const MAX_COLUMNS: usize = 40;

/// Summarizes the table (with its first `rows` rows), image, folder of images or video at `path`, as text or JSON.
pub(crate) fn head(path: &Path, json: bool, rows: usize, settings: &ReadTable) -> Result<String> {
    let none = Progress::none();
    let progress = settings.device.as_ref().map_or(&none, Device::progress);
    if path.is_dir() {
        let head = ImagesHead::of_folder(path, progress)?;
        return Ok(if json { head.json(path).to_string() } else { head.text(path) });
    }
    Ok(match settings.clone().keep_text(true).open_any(path)? {
        Content::Image(image) => {
            let head = ImagesHead::of(&image);
            if json { head.json(path).to_string() } else { head.text(path) }
        }
        Content::Video(reader) => {
            let head = VideoHead::of(reader, progress)?;
            if json { head.json(path).to_string() } else { head.text(path) }
        }
        Content::Table(reader) => {
            let head = TableHead::of(reader, rows)?;
            if json { head.json(path).to_string() } else { head.text(path) }
        }
    })
}

/// Summary of a table, read once in chunks.
struct TableHead {
    rows: u64,
    precision: String,
    /// All columns, in file order.
    columns: Vec<Column>,
    first_rows: Vec<Vec<Cell>>,
}

struct Column {
    name: String,
    content: ColumnContent,
}

enum ColumnContent {
    /// A numeric column: its index in the table and its summary.
    Numeric(usize, Summary),
    /// A text column: its index among the label columns, number of classes, first classes and number of missing values.
    Text { label: usize, classes: usize, first: Vec<String>, missing: u64 },
}

/// A cell of the first rows.
enum Cell {
    Number(f64),
    /// `None` for a missing value.
    Text(Option<String>),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Number(x) => format_number(*x),
            Cell::Text(text) => text.as_deref().map_or_else(|| "NA".into(), ellipsize),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Number(x) => json_number(*x),
            Cell::Text(text) => json!(text),
        }
    }
}

impl TableHead {
    fn of(mut reader: TableReader, max_rows: usize) -> Result<Self> {
        let precision = reader.precision().to_string();
        let mut head = TableHead { rows: 0, precision, columns: Vec::new(), first_rows: Vec::new() };
        let chunk_rows = (MAX_CHUNK_VALUES / reader.columns().max(1)).clamp(1, MAX_CHUNK_ROWS);
        while let Some(chunk) = reader.next(chunk_rows)? {
            if head.rows == 0 {
                head.columns = columns(&chunk);
            }
            head.rows += chunk.rows() as u64;
            let summaries = chunk.summarize()?;
            for column in &mut head.columns {
                column.add(&chunk, &summaries);
            }
            for row in 0..chunk.rows().min(max_rows - head.first_rows.len()) {
                let cells = head.columns.iter().map(|column| column.cell(&chunk, row)).collect();
                head.first_rows.push(cells);
            }
        }
        if head.columns.is_empty() {
            // A table without rows still has column names.
            let names = reader.names().iter().enumerate();
            head.columns = names.map(|(i, name)| Column::numeric(i, name)).collect();
        }
        Ok(head)
    }

    fn text(&self, path: &Path) -> String {
        let mut out = format!(
            "{}: table, {}, {} ({})\n\n",
            display_path(path),
            count_of(self.rows, "row"),
            count_of(self.columns.len() as u64, "column"),
            self.precision
        );
        let header = ["column", "min", "mean", "max", "missing"].map(str::to_owned).to_vec();
        let columns = &self.columns[..self.columns.len().min(MAX_COLUMNS)];
        let more = match self.columns.len() - columns.len() {
            0 => String::new(),
            more => format!("… and {}; use --json to list all\n", count_of(more as u64, "more column")),
        };
        out.push_str(&column_lines(header, columns));
        out.push_str(&more);
        if !self.first_rows.is_empty() {
            let header: Vec<String> = columns.iter().map(|column| ellipsize(&column.name)).collect();
            let rows =
                self.first_rows.iter().map(|row| row.iter().take(MAX_COLUMNS).map(Cell::text).collect());
            let lines: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
            let is_text = |(i, column): (usize, &Column)| {
                matches!(column.content, ColumnContent::Text { .. }).then_some(i)
            };
            let left: Vec<usize> = columns.iter().enumerate().filter_map(is_text).collect();
            out.push_str(&format!("\nfirst {}\n", count_of(self.first_rows.len() as u64, "row")));
            out.push_str(&align_columns(&lines, &left));
            out.push_str(&more);
        }
        out
    }

    fn json(&self, path: &Path) -> Value {
        let columns = self.columns.iter().map(|Column { name, content }| match content {
            ColumnContent::Numeric(_, s) => {
                let value = |x: f64| if s.count == 0 { Value::Null } else { json_number(x) };
                json!({ "name": name, "type": self.precision, "min": value(s.min), "mean": value(s.mean),
                        "max": value(s.max), "missing": s.missing })
            }
            ColumnContent::Text { classes, first, missing, .. } => {
                json!({ "name": name, "type": "labels", "classes": classes, "first_classes": first,
                        "missing": missing })
            }
        });
        let rows = self.first_rows.iter().map(|row| row.iter().map(Cell::json).collect::<Vec<_>>());
        json!({
            "file": path.to_string_lossy(),
            "kind": "table",
            "rows": self.rows,
            "columns": columns.collect::<Vec<_>>(),
            "first_rows": rows.collect::<Vec<_>>(),
        })
    }
}

impl Column {
    fn numeric(index: usize, name: &str) -> Self {
        Column { name: name.to_owned(), content: ColumnContent::Numeric(index, Summary::default()) }
    }

    /// Adds the values of `chunk`; `summaries` are the summaries of its numeric columns.
    fn add(&mut self, chunk: &Table, summaries: &[Summary]) {
        match &mut self.content {
            ColumnContent::Numeric(index, summary) => *summary = summary.merge(&summaries[*index]),
            ColumnContent::Text { label, classes, first, missing } => {
                // Class numbers persist across chunks, so the last chunk has all classes.
                let labels = &chunk.labels()[*label];
                let all = labels.classes();
                *classes = all.len();
                first.extend(all.iter().take(MAX_CLASSES).skip(first.len()).cloned());
                *missing += labels.missing() as u64;
            }
        }
    }

    fn cell(&self, chunk: &Table, row: usize) -> Cell {
        match &self.content {
            ColumnContent::Numeric(index, _) => Cell::Number(chunk.get(row, *index).unwrap_or(f64::NAN)),
            ColumnContent::Text { label, .. } => {
                Cell::Text(chunk.labels()[*label].get(row).map(str::to_owned))
            }
        }
    }
}

/// The columns of `table` in file order.
fn columns(table: &Table) -> Vec<Column> {
    let mut columns = Vec::with_capacity(table.columns() + table.labels().len());
    let mut numeric = table.names().iter().enumerate().map(|(i, name)| Column::numeric(i, name));
    let mut taken = 0;
    for (label, labels) in table.labels().iter().enumerate() {
        let before = labels.columns_before().min(table.columns());
        columns.extend(numeric.by_ref().take(before.saturating_sub(taken)));
        taken = taken.max(before);
        let content = ColumnContent::Text { label, classes: 0, first: Vec::new(), missing: 0 };
        columns.push(Column { name: labels.name().to_owned(), content });
    }
    columns.extend(numeric);
    columns
}

/// One line per column: the range of numeric columns below `header`, the classes of text columns.
fn column_lines(header: Vec<String>, columns: &[Column]) -> String {
    let has_numeric = columns.iter().any(|column| matches!(column.content, ColumnContent::Numeric(..)));
    let mut lines = if has_numeric { vec![header] } else { Vec::new() };
    for Column { name, content } in columns {
        let mut line = vec![ellipsize(name)];
        if let ColumnContent::Numeric(_, s) = content {
            line.extend(if s.count == 0 { ["-"; 3].map(str::to_owned) } else { min_mean_max(s) });
            line.push(s.missing.to_string());
        }
        lines.push(line);
    }
    let width =
        lines.iter().filter_map(|line| line.first()).map(|name| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (i, line) in align_columns(&lines, &[0]).lines().enumerate() {
        // The header, if present, is the first line.
        let column = i.checked_sub(usize::from(has_numeric)).and_then(|i| columns.get(i));
        match column.and_then(|column| column.content.classes()) {
            Some(classes) => out.push_str(&format!("{line:<width$}  {classes}\n")),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

impl ColumnContent {
    /// Describes the classes of a text column.
    fn classes(&self) -> Option<String> {
        let ColumnContent::Text { classes, first, missing, .. } = self else { return None };
        let names: Vec<String> = first.iter().map(|class| ellipsize(class)).collect();
        let rest = if *classes > first.len() { ", …" } else { "" };
        let noun = if *classes == 1 { "class" } else { "classes" };
        let missing = if *missing == 0 { String::new() } else { format!(", {missing} missing") };
        Some(format!("{classes} {noun} ({}{rest}){missing}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzion::Images;
    use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoWriter};

    fn output_of(name: &str, content: &str, json: bool) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let text = head(&path, json, 2, &ReadTable::new()).unwrap();
        text.replace(&format!("{}/", folder.path().display()), "")
    }

    const IRIS: &str = "length,width,kind\n5.1,3.5,setosa\n7,NA,versicolor\n6.3,3.3,virginica\n";

    #[test]
    fn a_table_is_summarized_with_its_first_rows() {
        assert_eq!(
            output_of("iris.csv", IRIS, false),
            "iris.csv: table, 3 rows, 3 columns (f64)\n\n\
             column  min     mean  max  missing\n\
             length  5.1  6.13333    7        0\n\
             width   3.3      3.4  3.5        1\n\
             kind    3 classes (setosa, versicolor, virginica)\n\n\
             first 2 rows\n\
             length  width  kind\n   5.1    3.5  setosa\n     7    NaN  versicolor\n"
        );
    }

    #[test]
    fn json_output_has_the_same_content() {
        let value: Value = serde_json::from_str(&output_of("iris.csv", IRIS, true)).unwrap();
        assert_eq!(value["rows"], 3);
        assert_eq!(value["columns"][1]["missing"], 1);
        assert_eq!(value["columns"][2]["classes"], 3);
        assert_eq!(value["first_rows"][1], json!([7.0, null, "versicolor"]));
    }

    #[test]
    fn images_and_videos_are_summarized() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        Images::new(2, 1, 1, Pixels::U8(vec![10, 30])).unwrap().write(&path).unwrap();
        let text = head(&path, false, 2, &ReadTable::new()).unwrap();
        assert!(text.ends_with(
            "a.png: image, 2 × 1, 8 bits\n\nchannel     min  mean  max\nbrightness   10    20   30\n"
        ));
        let path = folder.path().join("a.y4m");
        let header = VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1)).unwrap();
        let mut writer = VideoWriter::create(&path, &header).unwrap();
        let frame = Frame { planes: vec![Pixels::U8(vec![10, 30])], parameters: String::new() };
        (0..5).for_each(|_| writer.write(&frame).unwrap());
        writer.finish().unwrap();
        let text = head(&path, false, 2, &ReadTable::new()).unwrap();
        assert!(text.ends_with(
            "a.y4m: video, 5 frames, 2 × 1, mono, 8 bits\n25 frames per second, duration 0.2 s\n\
             brightness: min 10, mean 20, max 30\nparameters: W2 H1 F25:1 Ip A1:1 Cmono\n"
        ));
        let value: Value = serde_json::from_str(&head(&path, true, 2, &ReadTable::new()).unwrap()).unwrap();
        assert_eq!((&value["kind"], &value["frames"]), (&json!("video"), &json!(5)));
    }

    #[test]
    fn columns_are_in_file_order_and_json_is_one_line() {
        let text = "who,x,where,y\nann,1,here,2\n,3,there,4\n";
        assert_eq!(
            output_of("a.csv", text, false),
            "a.csv: table, 2 rows, 4 columns (f64)\n\n\
             column  min  mean  max  missing\n\
             who     1 class (ann), 1 missing\n\
             x         1     2    3        0\n\
             where   2 classes (here, there)\n\
             y         2     3    4        0\n\n\
             first 2 rows\nwho  x  where  y\nann  1  here   2\nNA   3  there  4\n"
        );
        let json = output_of("a.csv", text, true);
        assert_eq!(json.lines().count(), 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        let names: Vec<_> = value["columns"].as_array().unwrap().iter().map(|c| c["name"].clone()).collect();
        assert_eq!(names, ["who", "x", "where", "y"]);
        assert_eq!(value["columns"][0]["missing"], 1);
        assert_eq!(value["first_rows"][1], json!([null, 3.0, "there", 4.0]));
    }

    #[test]
    fn a_wide_table_is_cut_off_and_reports_the_number_of_hidden_columns() {
        let line = vec!["1"; 50].join(",");
        let text = output_of("w.csv", &format!("{line}\n{line}\n"), false);
        assert!(text.contains("c40") && !text.contains("c41"), "{text}");
        assert!(text.contains("… and 10 more columns; use --json to list all\n"), "{text}");
        let value: Value = serde_json::from_str(&output_of("w.csv", &format!("{line}\n"), true)).unwrap();
        assert_eq!(value["columns"].as_array().map(Vec::len), Some(50));
        assert_eq!(value["first_rows"][0].as_array().map(Vec::len), Some(50));
    }

    #[test]
    fn a_video_without_frames_has_no_brightness_range() {
        let text = output_of("v.y4m", "YUV4MPEG2 W2 H1 F25:1 C420\n", true);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["luma"], json!({ "min": null, "mean": null, "max": null }));
        assert_eq!(value["chroma"], "4:2:0");
    }
}
