//! `fuzzion head FILE`: what a table, an image or a video holds.

use fuzzion::data::{Frame, Pixels, ReadTable, Summary, VideoReader};
use fuzzion::{Images, Result, Table};
use serde_json::{Value, json};
use std::path::Path;

/// Rows looked at together; more would not be faster.
const PIECE: usize = 65_536;
/// The most classes of a label column that are named.
const CLASSES: usize = 8;
/// The most characters of a text in a column.
const WIDTH: usize = 24;

/// What `path` holds, as text or as JSON: a table with its first `rows` rows, an image or a folder of them, a video.
pub(crate) fn head(path: &Path, json: bool, rows: usize, settings: &ReadTable<'_>) -> Result<String> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if path.is_dir() || ends(&[".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pnm"]) {
        let about = PicturesHead::of(&Images::read(path)?);
        return Ok(if json { pretty(&about.json(path)) } else { about.text(path) });
    }
    if ends(&[".y4m", ".y4m.gz"]) {
        let about = VideoHead::of(VideoReader::open(path)?)?;
        return Ok(if json { pretty(&about.json(path)) } else { about.text(path) });
    }
    let about = TableHead::of(path, rows, settings)?;
    Ok(if json { pretty(&about.json(path)) } else { about.text(path) })
}

/// A table read once from end to end, in pieces.
struct TableHead {
    rows: u64,
    precision: String,
    names: Vec<String>,
    summaries: Vec<Summary>,
    labels: Vec<(String, Vec<String>)>,
    first: Option<Table>,
    shown: usize,
}

impl TableHead {
    fn of(path: &Path, shown: usize, settings: &ReadTable<'_>) -> Result<Self> {
        let mut reader = settings.clone().keep_text(true).open(path)?;
        let names = reader.names().to_vec();
        let mut head = TableHead {
            rows: 0,
            precision: reader.precision().to_string(),
            summaries: vec![Summary::default(); names.len()],
            names,
            labels: Vec::new(),
            first: None,
            shown,
        };
        while let Some(piece) = reader.next(PIECE.max(shown))? {
            head.rows += piece.rows() as u64;
            let part = piece.summarize()?;
            head.summaries.iter_mut().zip(&part).for_each(|(all, part)| *all = all.merge(part));
            // Classes keep their numbers from piece to piece, so that the last piece knows them all.
            head.labels =
                piece.labels().iter().map(|l| (l.name().to_owned(), l.classes().to_vec())).collect();
            head.first.get_or_insert(piece);
        }
        Ok(head)
    }

    /// The cells of the first rows, numbers first.
    fn first_rows<C>(&self, number: impl Fn(f64) -> C, text: impl Fn(&str) -> C) -> Vec<Vec<C>> {
        let Some(first) = &self.first else { return Vec::new() };
        let row = |row: usize| {
            let numbers = (0..first.columns()).map(|c| number(first.get(row, c).unwrap_or(f64::NAN)));
            let texts = first.labels().iter().map(|l| text(l.get(row).unwrap_or_default()));
            numbers.chain(texts).collect()
        };
        (0..self.shown.min(first.rows())).map(row).collect()
    }

    fn text(&self, path: &Path) -> String {
        let columns = self.names.len() + self.labels.len();
        let mut out = format!(
            "{}: a table of {} and {} ({})\n\n",
            shown(path),
            counted(self.rows, "row"),
            counted(columns as u64, "column"),
            self.precision
        );
        let mut lines = Vec::new();
        if !self.names.is_empty() {
            lines.push(["column", "least", "mean", "greatest", "missing"].map(str::to_owned).to_vec());
        }
        for (name, s) in self.names.iter().zip(&self.summaries) {
            let value = |x: f64| if s.count == 0 { "-".to_owned() } else { short(x) };
            lines.push(vec![clipped(name), value(s.min), value(s.mean), value(s.max), s.missing.to_string()]);
        }
        out.push_str(&aligned(&lines, &[0]));
        for (name, classes) in &self.labels {
            let named: Vec<String> = classes.iter().take(CLASSES).map(|c| clipped(c)).collect();
            let rest = if classes.len() > CLASSES { ", …" } else { "" };
            let kinds = if classes.len() == 1 { "class" } else { "classes" };
            out.push_str(&format!(
                "{}: {} {kinds} ({}{rest})\n",
                clipped(name),
                classes.len(),
                named.join(", ")
            ));
        }
        let rows = self.first_rows(short, clipped);
        if !rows.is_empty() {
            let names = self.names.iter().chain(self.labels.iter().map(|(name, _)| name));
            let header: Vec<String> = names.map(|name| clipped(name)).collect();
            let left: Vec<usize> = (self.names.len()..columns).collect();
            out.push_str(&format!("\nthe first {}\n", counted(rows.len() as u64, "row")));
            out.push_str(&aligned(&[vec![header], rows].concat(), &left));
        }
        out
    }

    fn json(&self, path: &Path) -> Value {
        let numbers = self.names.iter().zip(&self.summaries).map(|(name, s)| {
            let value = |x: f64| if s.count == 0 { Value::Null } else { number(x) };
            json!({ "name": name, "type": self.precision, "min": value(s.min), "mean": value(s.mean),
                    "max": value(s.max), "missing": s.missing })
        });
        let labels = self.labels.iter().map(|(name, classes)| {
            json!({ "name": name, "type": "labels", "classes": classes.len(),
                    "first_classes": classes.iter().take(CLASSES).collect::<Vec<_>>() })
        });
        json!({
            "file": path.to_string_lossy(),
            "kind": "table",
            "rows": self.rows,
            "columns": numbers.chain(labels).collect::<Vec<_>>(),
            "first_rows": self.first_rows(number, |text| json!(text)),
        })
    }
}

/// The ranges of an image or a stack of them.
struct PicturesHead {
    frames: usize,
    width: usize,
    height: usize,
    channels: usize,
    bits: u32,
    ranges: Vec<Summary>,
}

impl PicturesHead {
    fn of(images: &Images) -> Self {
        let channels = images.channels();
        let ranges = (0..channels).map(|channel| match images.pixels() {
            Pixels::U8(v) => Summary::of(v.iter().skip(channel).step_by(channels).map(|x| f64::from(*x))),
            Pixels::U16(v) => Summary::of(v.iter().skip(channel).step_by(channels).map(|x| f64::from(*x))),
        });
        PicturesHead {
            frames: images.frames(),
            width: images.width(),
            height: images.height(),
            channels,
            bits: images.bits(),
            ranges: ranges.collect(),
        }
    }

    fn channel_names(&self) -> &'static [&'static str] {
        if self.channels == 1 { &["brightness"] } else { &["red", "green", "blue", "opacity"] }
    }

    fn text(&self, path: &Path) -> String {
        let what = match self.frames {
            1 => "an image".to_owned(),
            frames => format!("{frames} images"),
        };
        let mut lines = vec![["channel", "least", "mean", "greatest"].map(str::to_owned).to_vec()];
        for (name, s) in self.channel_names().iter().zip(&self.ranges) {
            lines.push(vec![(*name).to_owned(), short(s.min), short(s.mean), short(s.max)]);
        }
        let (width, height) = (self.width, self.height);
        let kind = format!("{what} of {width} × {height}, {} bits", self.bits);
        format!("{}: {kind}\n\n{}", shown(path), aligned(&lines, &[0]))
    }

    fn json(&self, path: &Path) -> Value {
        let channels = self.channel_names().iter().zip(&self.ranges);
        let channels =
            channels.map(|(name, s)| json!({ "name": name, "min": s.min, "mean": s.mean, "max": s.max }));
        json!({
            "file": path.to_string_lossy(), "kind": "images", "frames": self.frames, "width": self.width,
            "height": self.height, "bits": self.bits, "channels": channels.collect::<Vec<_>>(),
        })
    }
}

/// A video read once from end to end.
struct VideoHead {
    reader: VideoReader,
    luma: Summary,
}

impl VideoHead {
    fn of(mut reader: VideoReader) -> Result<Self> {
        let mut luma = Summary::default();
        while let Some(Frame { planes, .. }) = reader.next()? {
            let part = match planes.first() {
                Some(Pixels::U8(v)) => Summary::of(v.iter().map(|x| f64::from(*x))),
                Some(Pixels::U16(v)) => Summary::of(v.iter().map(|x| f64::from(*x))),
                None => Summary::default(),
            };
            luma = luma.merge(&part);
        }
        Ok(VideoHead { reader, luma })
    }

    fn text(&self, path: &Path) -> String {
        let (header, frames) = (self.reader.header(), self.reader.frames());
        let mut out = format!(
            "{}: a video of {} of {} × {}, {:?}, {} bits\n",
            shown(path),
            counted(frames, "frame"),
            header.width(),
            header.height(),
            header.chroma(),
            header.bits()
        );
        if let Some(rate) = header.frames_per_second() {
            let seconds = short(frames as f64 / rate);
            out.push_str(&format!("{} frames per second, {seconds} seconds\n", short(rate)));
        }
        if frames > 0 {
            let s = &self.luma;
            out.push_str(&format!(
                "brightness from {} to {}, mean {}\n",
                short(s.min),
                short(s.max),
                short(s.mean)
            ));
        }
        out.push_str(&format!("parameters: {}\n", header.parameters().join(" ")));
        out
    }

    fn json(&self, path: &Path) -> Value {
        let header = self.reader.header();
        json!({
            "file": path.to_string_lossy(), "kind": "video", "frames": self.reader.frames(),
            "width": header.width(), "height": header.height(), "bits": header.bits(),
            "chroma": format!("{:?}", header.chroma()), "frames_per_second": header.frames_per_second(),
            "luma": { "min": number(self.luma.min), "mean": number(self.luma.mean), "max": number(self.luma.max) },
            "parameters": header.parameters(),
        })
    }
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A number in six digits at most; large and small ones with an exponent.
fn short(x: f64) -> String {
    let rounded = format!("{x:.5e}").parse().unwrap_or(x);
    let plain = x == 0.0 || !x.is_finite() || (1e-4..1e9).contains(&x.abs());
    if x.is_finite() && x.fract() == 0.0 && x.abs() < 1e9 {
        format!("{x}")
    } else if plain {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// A number as JSON; infinite ones, which JSON has not, as text, and missing ones as null.
fn number(x: f64) -> Value {
    if x.is_nan() {
        Value::Null
    } else if x.is_infinite() {
        json!(x.to_string())
    } else {
        json!(x)
    }
}

/// A text on one line and not too long.
fn clipped(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.chars().count() <= WIDTH {
        return clean;
    }
    clean.chars().take(WIDTH - 1).chain(['…']).collect()
}

/// Lines of cells, right-aligned but for the columns `left`.
fn aligned(lines: &[Vec<String>], left: &[usize]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().enumerate().map(|(i, cell)| {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            if left.contains(&i) { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzzion::data::{Chroma, VideoHeader, VideoWriter};

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
             kind: 3 classes (setosa, versicolor, virginica)\n\n\
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
            "a.y4m: a video of 5 frames of 2 × 1, Mono, 8 bits\n25 frames per second, 0.2 seconds\n\
             brightness from 10 to 30, mean 20\nparameters: W2 H1 F25:1 Ip A1:1 Cmono\n"
        ));
        let value: Value = serde_json::from_str(&head(&path, true, 2, &ReadTable::new()).unwrap()).unwrap();
        assert_eq!((&value["kind"], &value["frames"]), (&json!("video"), &json!(5)));
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
