//! Tests of unusual and malformed text files.

use super::{file, gz};
use crate::data::error::DataError;
use crate::data::{Labels, ReadTable, Separator, Table};
use proptest::prelude::*;

fn read(settings: ReadTable, content: impl AsRef<[u8]>) -> Result<Table, DataError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    std::fs::write(&path, content).unwrap();
    settings.read(path)
}

/// Error message with the folder removed from the path.
fn message(settings: ReadTable, content: impl AsRef<[u8]>) -> String {
    let text = read(settings, content).unwrap_err().to_string();
    let (start, end) = (text.find("x.csv").unwrap_or(0), text.len());
    text[start..end].to_owned()
}

fn keep_text() -> ReadTable {
    ReadTable::new().keep_text(true)
}

#[test]
fn text_that_is_not_utf8_is_rejected_with_its_position() {
    let text = b"kind,x\nm\xfcller,1\nm\xe4ller,2\n";
    assert_eq!(message(keep_text(), text), "x.csv, line 2, column 1: invalid UTF-8; save the file as UTF-8");
    let text = b"\n\nx,gr\xf6\xdfe\n1,2\n";
    assert_eq!(message(keep_text(), text), "x.csv, line 3, column 2: invalid UTF-8; save the file as UTF-8");
}

#[test]
fn thousands_separators_are_explained() {
    for number in ["1,234.5", "12'345", "-1 234 567", "1,234"] {
        let error = message(ReadTable::new(), format!("a,b\n1,2\n3,\"{number}\"\n"));
        assert!(error.contains("write a number such as `-1500.5` without thousands separators"), "{error}");
    }
    for text in ["1,23", "1234,567", "1,2345", "one", "1,234x"] {
        let error = message(ReadTable::new(), format!("a,b\n1,2\n3,\"{text}\"\n"));
        assert!(error.contains("with a decimal point"), "{error}");
    }
}

#[test]
fn decimal_commas_are_detected_if_the_separator_is_not_a_comma() {
    let table = read(ReadTable::new(), "a;b\n1,5;2,25\n-3;1e3\n;-0,125e-2\n").unwrap();
    let values = table.to_f64();
    assert_eq!(values[..4], [1.5, 2.25, -3.0, 1000.0]);
    assert!(values[4].is_nan() && values[5] == -0.125e-2);
    let forced = ReadTable::new().separator(Separator::Comma).decimal_comma(true);
    assert_eq!(*read(forced, "\"1,5\",2\n").unwrap().to_f64(), [1.5, 2.0]);
    assert!(
        message(ReadTable::new().header(false).decimal_comma(false), "1,5;2,25\n")
            .contains("`1,5` is not a number")
    );
}

#[test]
fn a_point_in_a_number_with_a_decimal_comma_is_an_error() {
    let mut text: String = (0..200).map(|i| format!("{i},5;1\n")).collect();
    text.push_str("1.234,5;1\n");
    assert_eq!(
        message(ReadTable::new(), text),
        "x.csv, line 201, column 1 (`c1`): `1.234,5` is not a number; write a number such as `-1,5e3` with a \
         decimal comma, as in the other cells, leave the cell empty if the value is missing, or read `c1` as labels"
    );
}

proptest! {
    #[test]
    fn a_number_with_a_decimal_comma_equals_the_number_with_a_point(values in proptest::collection::vec(any::<f64>(), 1..20)) {
        let text: String = values.iter().map(|x| format!("{};0,5\n", x.to_string().replace('.', ","))).collect();
        let table = read(ReadTable::new(), text).unwrap();
        for (a, b) in table.column("c1").unwrap().iter().zip(&values) {
            prop_assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
        }
    }
}

#[test]
fn one_invalid_number_is_an_error_but_mostly_text_is_a_label_column() {
    for bad in [1, 2, 50, 150] {
        let cell = |i: i32| if i == bad { "oops".to_owned() } else { i.to_string() };
        let text: String = (1..200).map(|i| format!("{},{i}\n", cell(i))).collect();
        let text = message(keep_text().header(false), text);
        assert!(
            text.starts_with(&format!("x.csv, line {bad}, column 1 (`c1`): `oops` is not a number")),
            "{text}"
        );
    }
    let table = read(keep_text(), "a,b\nx,1\ny,2\n3,3\n,4\n").unwrap();
    assert_eq!(table.label("a").unwrap().classes(), ["x", "y", "3"]);
}

#[test]
fn missing_labels_are_not_classes_and_are_written_as_missing() {
    let text = "kind,x\noak,1\n,2\nNA,3\n\"NA\",4\n\"\",5\n";
    let table = read(ReadTable::new().labels(["kind"]), text).unwrap();
    let kind = table.label("kind").unwrap();
    assert_eq!(kind.classes(), ["oak", "NA"]);
    assert_eq!(kind.codes(), [0, Labels::MISSING, Labels::MISSING, 1, Labels::MISSING]);
    assert_eq!((kind.get(1), kind.missing()), (None, 3));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("y.csv");
    table.write(&path).unwrap();
    let back = ReadTable::new().labels(["kind"]).read(&path).unwrap();
    assert_eq!(back.label("kind").unwrap().codes(), kind.codes());
}

#[test]
fn blank_lines_of_a_single_column_are_missing_values_except_at_the_end() {
    let table = read(ReadTable::new(), "x\n1\n\n \r\n4\n\n\n").unwrap();
    let values = table.to_f64();
    assert_eq!((values.len(), values[0], values[3]), (4, 1.0, 4.0));
    assert!(values[1].is_nan() && values[2].is_nan());
    // Blank lines that span several blocks, and the line number of an error after them.
    let blanks = "\n".repeat(300_000);
    let table = read(ReadTable::new(), format!("x\n1\n{blanks}2\n{blanks}")).unwrap();
    assert_eq!((table.rows(), table.get(300_001, 0)), (300_002, Some(2.0)));
    assert!(message(ReadTable::new(), format!("x\n1\n{blanks}y\n")).starts_with("x.csv, line 300003,"));
}

#[test]
fn lines_that_end_with_a_carriage_return_only_are_rejected() {
    assert_eq!(
        message(ReadTable::new(), "a,b\r1,2\r3,4\r"),
        "x.csv cannot be read as CSV: the lines end with a carriage return only; convert them with `tr '\\r' '\\n'`"
    );
}

#[test]
fn a_wide_first_line_does_not_allocate_memory_for_short_lines() {
    // 2000 columns and 200,000 lines of one field would need 3 GB if each line were allocated with all columns.
    let text = format!("{}1\n{}", "1,".repeat(1999), "1\n".repeat(200_000));
    let text = message(ReadTable::new().separator(Separator::Comma), text);
    assert!(text.starts_with("x.csv, line 2: expected 2000 fields, found 1"), "{text}");
    let wide = ",".repeat(1_000_000);
    assert!(message(ReadTable::new(), wide).contains("the table has more than 1000000 columns"));
}

#[test]
fn trailing_bytes_after_a_gzip_file_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv.gz");
    Table::unnamed(1, vec![1.0, 2.0]).unwrap().write(&path).unwrap();
    let compressed = std::fs::read(&path).unwrap();
    for after in [&b"\0\0\0"[..], b"garbage that is longer than a gzip header"] {
        std::fs::write(&path, [&compressed, after].concat()).unwrap();
        let text = Table::read(&path).unwrap_err().to_string();
        let expected =
            "the compressed data is followed by other bytes; remove them, or compress the file again";
        assert!(text.ends_with(expected), "{text}");
    }
}

#[test]
fn a_long_field_is_truncated_with_an_ellipsis_in_messages() {
    let text = message(ReadTable::new(), format!("1,2\n3,{}\n", "y".repeat(100)));
    assert!(text.contains(&format!("`{}…` is not", "y".repeat(40))), "{text}");
}

#[test]
fn a_million_distinct_labels_have_distinct_codes() {
    let rows = 1_000_000;
    let text: String = (0..rows).map(|i| format!("id{i},1\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids.csv");
    std::fs::write(&path, text).unwrap();
    let mut reader = keep_text().open(&path).unwrap();
    let mut seen = 0;
    while let Some(chunk) = reader.next(65_536).unwrap() {
        let ids = &chunk.labels()[0];
        assert!(ids.codes().iter().zip(seen..).all(|(code, row)| *code == row));
        assert_eq!(ids.get(ids.rows() - 1), Some(format!("id{}", seen as usize + ids.rows() - 1).as_str()));
        seen += ids.rows() as u32;
    }
    assert_eq!(seen, rows);
}

#[test]
fn an_endless_line_is_refused_before_it_fills_the_memory() {
    let mut text = b"x\n1\n".to_vec();
    text.resize(140 << 20, b'1');
    let (_folder, path) = file("data.csv.gz", &gz(&text));
    let printed = ReadTable::new().read(path).unwrap_err().to_string();
    assert!(printed.contains("line 3 is longer than 64 MiB"), "{printed}");
}
