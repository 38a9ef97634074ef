//! `fuzzion head FILE`: what a table, an image or a video holds.

use super::pictures::{PicturesHead, VideoHead};
use crate::commands::words::{aligned, clipped, counted, number, range, short, shown};
use fuzzion::data::{Content, ReadTable, Summary, TableReader};
use fuzzion::{Result, Table};
use serde_json::{Value, json};
use std::path::Path;

/// Rows looked at together; more would not be faster.
const PIECE: usize = 65_536;
/// The most numbers held together, however many columns there are.
const NUMBERS: usize = 4 << 20;
/// The most classes of a label column that are named.
const CLASSES: usize = 8;
/// The most columns shown as text.
const COLUMNS: usize = 40;

/// What `path` holds, as text or as JSON: a table with its first `rows` rows, an image or a folder of them, a video.
pub(crate) fn head(path: &Path, json: bool, rows: usize, settings: &ReadTable<'_>) -> Result<String> {
    if path.is_dir() {
        let about = PicturesHead::of_folder(path, settings.progress)?;
        return Ok(if json { about.json(path).to_string() } else { about.text(path) });
    }
    Ok(match settings.clone().keep_text(true).open_any(path)? {
        Content::Image(image) => {
            let about = PicturesHead::of(&image);
            if json { about.json(path).to_string() } else { about.text(path) }
        }
        Content::Video(reader) => {
            let about = VideoHead::of(reader, settings.progress)?;
            if json { about.json(path).to_string() } else { about.text(path) }
        }
        Content::Table(reader) => {
            let about = TableHead::of(reader, rows)?;
            if json { about.json(path).to_string() } else { about.text(path) }
        }
    })
}

/// A table read once from end to end, in pieces.
struct TableHead {
    rows: u64,
    precision: String,
    /// All columns in the order of the file.
    columns: Vec<Column>,
    first_rows: Vec<Vec<Cell>>,
}

struct Column {
    name: String,
    holds: Holds,
}

enum Holds {
    /// The numbers of this column of the table.
    Numbers(usize, Summary),
    /// The texts of this label column: how many classes, the first of them, and how many are missing.
    Texts { label: usize, classes: usize, first: Vec<String>, missing: u64 },
}

/// A cell of the first rows.
enum Cell {
    Number(f64),
    /// `None` where it is missing.
    Text(Option<String>),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Number(x) => short(*x),
            Cell::Text(text) => text.as_deref().map_or_else(|| "NA".into(), clipped),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Number(x) => number(*x),
            Cell::Text(text) => json!(text),
        }
    }
}

impl TableHead {
    fn of(mut reader: TableReader<'_>, shown: usize) -> Result<Self> {
        let precision = reader.precision().to_string();
        let mut head = TableHead { rows: 0, precision, columns: Vec::new(), first_rows: Vec::new() };
        let piece_rows = (NUMBERS / reader.columns().max(1)).clamp(1, PIECE);
        while let Some(piece) = reader.next(piece_rows)? {
            if head.rows == 0 {
                head.columns = columns(&piece);
            }
            head.rows += piece.rows() as u64;
            let part = piece.summarize()?;
            for column in &mut head.columns {
                column.add(&piece, &part);
            }
            for row in 0..piece.rows().min(shown - head.first_rows.len()) {
                let cells = head.columns.iter().map(|column| column.cell(&piece, row)).collect();
                head.first_rows.push(cells);
            }
        }
        if head.columns.is_empty() {
            // A header alone still names its columns.
            let empty = reader.names().iter().enumerate();
            head.columns = empty.map(|(i, name)| Column::numbers(i, name)).collect();
        }
        Ok(head)
    }

    fn text(&self, path: &Path) -> String {
        let mut out = format!(
            "{}: a table of {} and {} ({})\n\n",
            shown(path),
            counted(self.rows, "row"),
            counted(self.columns.len() as u64, "column"),
            self.precision
        );
        let header = ["column", "least", "mean", "greatest", "missing"].map(str::to_owned).to_vec();
        let columns = &self.columns[..self.columns.len().min(COLUMNS)];
        let more = match self.columns.len() - columns.len() {
            0 => String::new(),
            more => format!("… and {more} more; --json lists all\n"),
        };
        out.push_str(&described(header, columns));
        out.push_str(&more);
        if !self.first_rows.is_empty() {
            let header: Vec<String> = columns.iter().map(|column| clipped(&column.name)).collect();
            let rows = self.first_rows.iter().map(|row| row.iter().take(COLUMNS).map(Cell::text).collect());
            let lines: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
            let is_text =
                |(i, column): (usize, &Column)| matches!(column.holds, Holds::Texts { .. }).then_some(i);
            let left: Vec<usize> = columns.iter().enumerate().filter_map(is_text).collect();
            out.push_str(&format!("\nthe first {}\n", counted(self.first_rows.len() as u64, "row")));
            out.push_str(&aligned(&lines, &left));
            out.push_str(&more);
        }
        out
    }

    fn json(&self, path: &Path) -> Value {
        let columns = self.columns.iter().map(|Column { name, holds }| match holds {
            Holds::Numbers(_, s) => {
                let value = |x: f64| if s.count == 0 { Value::Null } else { number(x) };
                json!({ "name": name, "type": self.precision, "min": value(s.min), "mean": value(s.mean),
                        "max": value(s.max), "missing": s.missing })
            }
            Holds::Texts { classes, first, missing, .. } => {
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
    fn numbers(place: usize, name: &str) -> Self {
        Column { name: name.to_owned(), holds: Holds::Numbers(place, Summary::default()) }
    }

    /// Adds what `piece` holds, its numbers summed up in `part`.
    fn add(&mut self, piece: &Table, part: &[Summary]) {
        match &mut self.holds {
            Holds::Numbers(place, summary) => *summary = summary.merge(&part[*place]),
            Holds::Texts { label, classes, first, missing } => {
                // Classes keep their numbers from piece to piece: the last piece knows them all.
                let labels = &piece.labels()[*label];
                let known = labels.classes();
                *classes = known.len();
                first.extend(known.iter().take(CLASSES).skip(first.len()).cloned());
                *missing += labels.missing() as u64;
            }
        }
    }

    fn cell(&self, piece: &Table, row: usize) -> Cell {
        match &self.holds {
            Holds::Numbers(place, _) => Cell::Number(piece.get(row, *place).unwrap_or(f64::NAN)),
            Holds::Texts { label, .. } => Cell::Text(piece.labels()[*label].get(row).map(str::to_owned)),
        }
    }
}

/// The columns of `table` in the order of its file.
fn columns(table: &Table) -> Vec<Column> {
    let mut columns = Vec::with_capacity(table.columns() + table.labels().len());
    let mut numbers = table.names().iter().enumerate().map(|(i, name)| Column::numbers(i, name));
    let mut taken = 0;
    for (label, labels) in table.labels().iter().enumerate() {
        let before = labels.before().min(table.columns());
        columns.extend(numbers.by_ref().take(before.saturating_sub(taken)));
        taken = taken.max(before);
        let holds = Holds::Texts { label, classes: 0, first: Vec::new(), missing: 0 };
        columns.push(Column { name: labels.name().to_owned(), holds });
    }
    columns.extend(numbers);
    columns
}

/// A line for each of `columns`: numbers under `header`, texts in words.
fn described(header: Vec<String>, columns: &[Column]) -> String {
    let any = columns.iter().any(|column| matches!(column.holds, Holds::Numbers(..)));
    let mut lines = if any { vec![header] } else { Vec::new() };
    for Column { name, holds } in columns {
        let mut line = vec![clipped(name)];
        if let Holds::Numbers(_, s) = holds {
            line.extend(if s.count == 0 { ["-"; 3].map(str::to_owned) } else { range(s) });
            line.push(s.missing.to_string());
        }
        lines.push(line);
    }
    let width =
        lines.iter().filter_map(|line| line.first()).map(|name| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (i, line) in aligned(&lines, &[0]).lines().enumerate() {
        // The header, where there is one, stands before the first column.
        let column = i.checked_sub(usize::from(any)).and_then(|i| columns.get(i));
        match column.and_then(|column| column.holds.classes()) {
            Some(classes) => out.push_str(&format!("{line:<width$}  {classes}\n")),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

impl Holds {
    /// What there is to say about texts.
    fn classes(&self) -> Option<String> {
        let Holds::Texts { classes, first, missing, .. } = self else { return None };
        let named: Vec<String> = first.iter().map(|class| clipped(class)).collect();
        let rest = if *classes > first.len() { ", …" } else { "" };
        let kinds = if *classes == 1 { "class" } else { "classes" };
        let missing = if *missing == 0 { String::new() } else { format!(", {missing} missing") };
        Some(format!("{classes} {kinds} ({}{rest}){missing}", named.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::words::{WIDTH, range, short};
    use fuzzion::Images;
    use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoWriter};

    fn said(name: &str, content: &str, json: bool) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let text = head(&path, json, 2, &ReadTable::new()).unwrap();
        text.replace(&format!("{}/", folder.path().display()), "")
    }

    const IRIS: &str = "length,width,kind\n5.1,3.5,setosa\n7,NA,versicolor\n6.3,3.3,virginica\n";

    #[test]
    fn a_table_is_described_and_its_first_rows_are_shown() {
        assert_eq!(
            said("iris.csv", IRIS, false),
            "iris.csv: a table of 3 rows and 3 columns (f64)\n\n\
             column  least     mean  greatest  missing\n\
             length    5.1  6.13333         7        0\n\
             width     3.3      3.4       3.5        1\n\
             kind    3 classes (setosa, versicolor, virginica)\n\n\
             the first 2 rows\n\
             length  width  kind\n   5.1    3.5  setosa\n     7    NaN  versicolor\n"
        );
    }

    #[test]
    fn json_says_the_same() {
        let value: Value = serde_json::from_str(&said("iris.csv", IRIS, true)).unwrap();
        assert_eq!(value["rows"], 3);
        assert_eq!(value["columns"][1]["missing"], 1);
        assert_eq!(value["columns"][2]["classes"], 3);
        assert_eq!(value["first_rows"][1], json!([7.0, null, "versicolor"]));
    }

    #[test]
    fn an_image_and_a_video_are_described() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        Images::new(2, 1, 1, Pixels::U8(vec![10, 30])).unwrap().write(&path).unwrap();
        let text = head(&path, false, 2, &ReadTable::new()).unwrap();
        assert!(text.ends_with(
            "a.png: an image of 2 × 1, 8 bits\n\nchannel     least  mean  greatest\nbrightness     10    20        30\n"
        ));
        let path = folder.path().join("a.y4m");
        let header = VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1)).unwrap();
        let mut writer = VideoWriter::create(&path, &header).unwrap();
        let frame = Frame { planes: vec![Pixels::U8(vec![10, 30])], parameters: String::new() };
        (0..5).for_each(|_| writer.write(&frame).unwrap());
        writer.finish().unwrap();
        let text = head(&path, false, 2, &ReadTable::new()).unwrap();
        assert!(text.ends_with(
            "a.y4m: a video of 5 frames of 2 × 1, mono, 8 bits\n25 frames per second, 0.2 seconds\n\
             brightness from 10 to 30, mean 20\nparameters: W2 H1 F25:1 Ip A1:1 Cmono\n"
        ));
        let value: Value = serde_json::from_str(&head(&path, true, 2, &ReadTable::new()).unwrap()).unwrap();
        assert_eq!((&value["kind"], &value["frames"]), (&json!("video"), &json!(5)));
    }

    #[test]
    fn columns_are_shown_in_the_order_of_the_file_and_json_is_one_line() {
        let text = "who,x,where,y\nann,1,here,2\n,3,there,4\n";
        assert_eq!(
            said("a.csv", text, false),
            "a.csv: a table of 2 rows and 4 columns (f64)\n\n\
             column  least  mean  greatest  missing\n\
             who     1 class (ann), 1 missing\n\
             x           1     2         3        0\n\
             where   2 classes (here, there)\n\
             y           2     3         4        0\n\n\
             the first 2 rows\nwho  x  where  y\nann  1  here   2\nNA   3  there  4\n"
        );
        let json = said("a.csv", text, true);
        assert_eq!(json.lines().count(), 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        let names: Vec<_> = value["columns"].as_array().unwrap().iter().map(|c| c["name"].clone()).collect();
        assert_eq!(names, ["who", "x", "where", "y"]);
        assert_eq!(value["columns"][0]["missing"], 1);
        assert_eq!(value["first_rows"][1], json!([null, 3.0, "there", 4.0]));
    }

    #[test]
    fn a_wide_table_shows_its_first_columns_and_says_how_many_there_are_more() {
        let line = vec!["1"; 50].join(",");
        let text = said("w.csv", &format!("{line}\n{line}\n"), false);
        assert!(text.contains("c40") && !text.contains("c41"), "{text}");
        assert!(text.contains("… and 10 more; --json lists all\n"), "{text}");
        let value: Value = serde_json::from_str(&said("w.csv", &format!("{line}\n"), true)).unwrap();
        assert_eq!(value["columns"].as_array().map(Vec::len), Some(50));
        assert_eq!(value["first_rows"][0].as_array().map(Vec::len), Some(50));
    }

    #[test]
    fn a_mean_is_shown_between_the_least_and_the_greatest() {
        assert_eq!(range(&Summary::of([12345678.0, 12345679.0])), ["12345678", "12345678.5", "12345679"]);
        assert_eq!(range(&Summary::of([1e300, 1.2345678e300])), ["1e300", "1.11728e300", "1.23457e300"]);
    }

    #[test]
    fn a_video_without_frames_has_no_brightness() {
        let text = said("v.y4m", "YUV4MPEG2 W2 H1 F25:1 C420\n", true);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["luma"], json!({ "min": null, "mean": null, "max": null }));
        assert_eq!(value["chroma"], "4:2:0");
    }

    #[test]
    fn numbers_are_short_and_long_texts_are_clipped() {
        let cases = [
            (0.0, "0"),
            (1234567.0, "1234567"),
            (0.123456789, "0.123457"),
            (1.5e-9, "1.5e-9"),
            (-2e12, "-2e12"),
        ];
        cases.into_iter().for_each(|(x, text)| assert_eq!(short(x), text));
        assert_eq!(clipped("a\nb"), "a b");
        assert_eq!(clipped(&"x".repeat(30)).chars().count(), WIDTH);
    }
}
