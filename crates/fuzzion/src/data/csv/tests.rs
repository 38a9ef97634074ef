use super::decimal::decimal;
use super::number::leading_number;
use super::*;
use crate::data::{Labels, Precision, ReadTable, Table};
use crate::device::Cpu;
use crate::error::Error;
use crate::progress::Progress;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with one file in it, `data.csv` or as named.
fn file(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn read_as(settings: ReadTable<'_>, content: impl AsRef<[u8]>) -> Result<Table, Error> {
    let (_folder, path) = file("data.csv", content.as_ref());
    settings.read(path)
}

fn read(content: impl AsRef<[u8]>) -> Result<Table, Error> {
    read_as(ReadTable::new(), content)
}

/// The message of a failed reading, with the folder taken off the file's name.
fn message(settings: ReadTable<'_>, content: impl AsRef<[u8]>) -> String {
    let (folder, path) = file("data.csv", content.as_ref());
    let text = settings.read(&path).unwrap_err().to_string();
    text.replace(&format!("{}/", folder.path().display()), "")
}

fn gz(content: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_number_written_by_rust_is_read_to_the_same_bits(
        x in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
    ) {
        for text in [format!("{x}"), format!("{x:e}"), format!("{x:.17e}")] {
            if let Some((value, end)) = leading_number::<f64>(text.as_bytes(), 0) {
                prop_assert_eq!(value.to_bits(), x.to_bits(), "{}", &text);
                prop_assert_eq!(end, text.len());
            }
        }
    }

    #[test]
    fn any_decimal_is_read_to_the_bits_of_str_parse(
        text in "-?[0-9]{0,22}(\\.[0-9]{0,24})?([eE][-+]?[0-9]{1,3})?",
    ) {
        if let Some((value, end)) = leading_number::<f64>(text.as_bytes(), 0) {
            prop_assert_eq!(value.to_bits(), text[..end].parse::<f64>().unwrap().to_bits());
        }
        if let Some((value, end)) = leading_number::<f32>(text.as_bytes(), 0) {
            prop_assert_eq!(value.to_bits(), text[..end].parse::<f32>().unwrap().to_bits());
        }
    }

    #[test]
    fn any_scaled_integer_is_rounded_as_str_parse_rounds_it(w in any::<u64>(), shift in 0u32..64, q in -60i32..60) {
        let w = w >> shift;
        let text = format!("-{w}e{q}");
        if let Some(value) = decimal::<f64>(true, w, q) {
            prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
        }
        if let Some(value) = decimal::<f32>(true, w, q) {
            prop_assert_eq!(value.to_bits(), text.parse::<f32>().unwrap().to_bits());
        }
    }

    #[test]
    fn a_number_next_to_a_midpoint_is_rounded_as_str_parse_rounds_it(x in prop::num::f32::NORMAL, nudge in -2i64..3) {
        // Between two neighbouring f32 lies a decimal of at most 19 digits often enough to try the hard cases.
        let middle = (f64::from(x) + f64::from(f32::from_bits(x.to_bits() + 1))) / 2.0;
        let text = format!("{:e}", f64::from_bits(middle.to_bits().wrapping_add_signed(nudge)));
        if let Some((value, _)) = leading_number::<f32>(text.as_bytes(), 0) {
            prop_assert_eq!(value.to_bits(), text.parse::<f32>().unwrap().to_bits());
        }
    }
}

#[test]
fn the_fast_way_takes_everyday_numbers_and_leaves_the_rest() {
    let fast = |text: &str| leading_number::<f64>(text.as_bytes(), 0);
    for text in [
        "0",
        "-0",
        "0.1",
        "1.",
        ".5",
        "-12.75e3",
        "1e-50",
        "0.000000000000000000000012",
        "18446744073709551615",
    ] {
        let expected = text.parse::<f64>().unwrap().to_bits();
        match fast(text) {
            Some((value, end)) => assert_eq!((value.to_bits(), end), (expected, text.len()), "{text}"),
            None => assert!(text.len() > 19, "{text}"),
        }
    }
    for text in ["", "-", ".", "-.", "x", "+1", "1e", "1e+", "nan", "123456789012345678901"] {
        assert_eq!(fast(text), None, "{text}");
    }
}

#[test]
fn separators_are_found() {
    for (text, columns) in [
        ("1,2\n3,4\n", 2),
        ("1;2;3\n3;4;5\n", 3),
        ("1\t2\n3\t4\n", 2),
        ("1|2\n3|4\n", 2),
        ("  1  2 \n 3\t4  \n", 2),
        ("1\n2\n3\n4\n", 1),
        ("1, 2\n3, 4\n", 2),
        ("petal length\n1\n2\n", 1),
    ] {
        let table = read(text).unwrap();
        assert_eq!(table.columns(), columns, "{text:?}");
        assert_eq!(
            table.get(1, columns - 1).unwrap(),
            if columns == 3 { 5.0 } else { [2.0, 4.0][columns - 1] }
        );
    }
    let forced = read_as(ReadTable::new().separator(Separator::Semicolon), "1;2\n3;4\n").unwrap();
    assert_eq!(forced.columns(), 2);
    assert_eq!("tab".parse::<Separator>().unwrap(), Separator::Tab);
    assert_eq!(
        "dash".parse::<Separator>().unwrap_err().to_string(),
        "no separator is called `dash`; use `comma`, `semicolon`, `tab`, `pipe` or `blank`"
    );
}

#[test]
fn a_header_is_found_forced_and_forbidden() {
    assert_eq!(read("a,b\n1,2\n").unwrap().names(), ["a", "b"]);
    assert_eq!(read("1,2\n3,4\n").unwrap().names(), ["c1", "c2"]);
    assert_eq!(read("x,,x\n1,2,3\n").unwrap().names(), ["x", "c2", "x.2"]);
    assert_eq!(read_as(ReadTable::new().header(true), "2019,2020\n1,2\n").unwrap().names(), ["2019", "2020"]);
    let labelled = ReadTable::new().labels(["c1"]);
    assert_eq!(read_as(labelled, "A,1,2\nB,3,4\n").unwrap().names(), ["c2", "c3"]);
    assert!(message(ReadTable::new().header(false), "a,b\n1,2\n").starts_with("data.csv, line 1, column 1"));
}

#[test]
fn quotes_line_ends_marks_and_missing_values_are_understood() {
    let table =
        read(b"\xef\xbb\xbf\"first, \"\"one\"\"\",b\r\n\r\n\"1\",\"2.5\"\r\n , NA\r\nnan,-inf\r\n?,+1e3")
            .unwrap();
    assert_eq!(table.names(), ["first, \"one\"", "b"]);
    let values = table.to_f64();
    assert_eq!(values[..2], [1.0, 2.5]);
    assert!(values[2].is_nan() && values[3].is_nan() && values[4].is_nan() && values[6].is_nan());
    assert_eq!((values[5], values[7]), (f64::NEG_INFINITY, 1000.0));
}

#[test]
fn a_newline_inside_quotes_does_not_end_the_row() {
    let text = "name,x\n\"a\nb\",1\n\"c \"\"d\"\"\n\",2\n5\" pipe,3\n";
    let table = read_as(ReadTable::new().labels(["name"]), text).unwrap();
    assert_eq!(table.label("name").unwrap().iter().collect::<Vec<_>>(), ["a\nb", "c \"d\"\n", "5\" pipe"]);
    assert_eq!(table.column("x").unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn quoted_newlines_survive_the_borders_of_chunks_and_blocks() {
    let rows = 20_000; // some 260 kB: several blocks of the test's size
    let text: String = (0..rows).map(|i| format!("{i},\"line\n{}\"\n", i % 7)).collect();
    let table = read_as(ReadTable::new().labels(["c2"]), &text).unwrap();
    assert_eq!(table.rows(), rows);
    assert!(table.column("c1").unwrap().iter().enumerate().all(|(i, x)| *x == i as f64));
    assert_eq!(table.label("c2").unwrap().classes().len(), 7);
    let bad = text.replace("19999,", "oops,");
    assert!(message(ReadTable::new().labels(["c2"]), bad).contains("line 39999, column 1 (`c1`): `oops`"));
}

#[test]
fn a_bad_cell_is_named_with_its_file_line_column_and_text() {
    assert_eq!(
        message(ReadTable::new(), "width;height\n1;2\n\n3;1,2x\n"),
        "data.csv, line 4, column 2 (`height`): `1,2x` is not a number; write it like `-1.5e3` with a decimal point, \
         leave it empty if it is missing, or read `height` as labels if it holds text"
    );
    let mut text: String = (0..50_000).map(|i| format!("{i},{}\n", i * 2)).collect();
    text.push_str("1,x\n");
    assert!(
        message(ReadTable::new(), &text).starts_with("data.csv, line 50001, column 2 (`c2`): `x` is not")
    );
}

#[test]
fn a_ragged_line_is_counted() {
    for (text, line, found) in [("1,2\n3\n", 2, 1), ("a,b\n1,2\n3,4,5\n", 3, 3), ("a,b\n1,2\nx\n", 3, 1)] {
        assert_eq!(
            message(ReadTable::new().separator(Separator::Comma), text),
            format!(
                "data.csv, line {line}: {found} fields found, 2 expected; mend the line, quote fields that hold the \
                 separator, or name the separator"
            )
        );
    }
}

#[test]
fn files_without_rows_or_text_are_refused_with_a_sentence() {
    assert_eq!(message(ReadTable::new(), ""), "data.csv holds no rows; it needs at least one");
    assert_eq!(message(ReadTable::new(), "\n \n"), "data.csv holds no rows; it needs at least one");
    assert_eq!(message(ReadTable::new(), "a,b\n"), "data.csv holds no rows; it needs at least one");
    assert_eq!(
        message(ReadTable::new(), b"\x00\x01\x02"),
        "data.csv cannot be read as CSV: it holds bytes that are no text; is it another kind of file?"
    );
    assert_eq!(
        message(ReadTable::new(), b"\xff\xfea\x00"),
        "data.csv cannot be read as CSV: it is UTF-16 text; save it as UTF-8"
    );
    assert_eq!(
        message(ReadTable::new(), "a,b\n1,\"2\n3,4\n"),
        "data.csv cannot be read as CSV: the quote that opens a field in line 2 is never closed; close or double it"
    );
    let text = message(ReadTable::new().labels(["kind"]), "a,b\n1,2\n");
    assert_eq!(text, "no column is called `kind`; there is `a`, `b`");
}

#[test]
fn gzip_is_read_in_one_or_more_members_and_not_when_cut() {
    let packed = [gz(b"a,b\n1,2\n"), gz(b"3,4\n")].concat();
    let (_folder, path) = file("data.csv.gz", &packed);
    assert_eq!(*Table::read(&path).unwrap().to_f64(), [1.0, 2.0, 3.0, 4.0]);
    let long: String = (0..5000).map(|i| format!("{i}\n")).collect();
    let packed = gz(long.as_bytes());
    let (_folder, path) = file("cut.csv.gz", &packed[..packed.len() / 2]);
    let text = Table::read(&path).unwrap_err().to_string();
    assert!(
        text.ends_with("cannot be read as gzip: it ends too early; fetch or compress it again"),
        "{text}"
    );
}

#[test]
fn columns_are_picked_in_the_order_asked_and_others_are_not_looked_at() {
    let settings = ReadTable::new().columns(["c", "a"]).precision(Precision::F32);
    let table = read_as(settings, "a,b,c\n1,x,3\n4,y,6\n").unwrap();
    assert_eq!(*table.to_f32(), [3.0, 1.0, 6.0, 4.0]);
    assert_eq!(table.names(), ["c", "a"]);
    let text = message(ReadTable::new().columns(["d"]), "a,b\n1,2\n");
    assert_eq!(text, "no column is called `d`; there is `a`, `b`");
}

#[test]
fn text_columns_are_kept_when_asked() {
    let table = read_as(ReadTable::new().keep_text(true), "who,x,where\nann,1,here\nbob,2,there\n").unwrap();
    assert_eq!(table.names(), ["x"]);
    assert_eq!(table.labels().iter().map(Labels::name).collect::<Vec<_>>(), ["who", "where"]);
    let words = read_as(ReadTable::new().keep_text(true), "who,where\nann,here\n").unwrap();
    assert_eq!((words.rows(), words.columns(), words.labels().len()), (1, 0, 2));
    assert_eq!(
        message(ReadTable::new().labels(["a"]), "a\nx\n"),
        "data.csv holds no columns of numbers; it needs at least one"
    );
}

#[test]
fn a_text_that_is_read_as_it_comes_is_the_same_table() {
    let long: String = (0..9_000).map(|i| format!("{i},\"a\nb\",{}\n", f64::from(i).sqrt())).collect();
    for text in ["who,x\nann,1\nbob,2", "x\n1\n\n2\n\n\n", "1,2\n3,4\n", &format!("i,who,x\n{long}")] {
        let settings = ReadTable::new().keep_text(true);
        let live = read_as(settings.clone().live(true), text).unwrap();
        // In words, because a missing value does not equal itself.
        assert_eq!(format!("{live:?}"), format!("{:?}", read_as(settings, text).unwrap()));
    }
}

#[test]
fn rows_from_a_pipe_that_falls_silent_are_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (sender, done) = std::sync::mpsc::channel::<()>();
    let to = path.clone();
    let writer = std::thread::spawn(move || {
        let mut pipe = std::fs::File::create(to).unwrap();
        let rows: String = (0..100).map(|i| format!("{i},{i}\n")).collect();
        std::io::Write::write_all(&mut pipe, format!("x,y\n{rows}").as_bytes()).unwrap();
        done.recv().unwrap(); // silent, and open, until a row has been seen
        std::io::Write::write_all(&mut pipe, b"100,101\n").unwrap();
    });
    let mut reader = ReadTable::new().live(true).open(&path).unwrap();
    assert_eq!(reader.next(4).unwrap().unwrap().rows(), 4);
    sender.send(()).unwrap();
    let rest: usize = std::iter::from_fn(|| reader.next(4).unwrap()).map(|piece| piece.rows()).sum();
    assert_eq!(rest, 97);
    writer.join().unwrap();
}

#[test]
fn the_result_is_the_same_to_the_bit_for_any_number_of_threads() {
    let text: String =
        (0..30_000).map(|i| format!("{},{}\n", f64::from(i).sin(), f64::from(i).sqrt())).collect();
    let with = |threads| read_as(ReadTable::new().cpu(Cpu::with_threads(threads).unwrap()), &text).unwrap();
    let one = with(1);
    let expected: Vec<f64> = (0..30_000).flat_map(|i| [f64::from(i).sin(), f64::from(i).sqrt()]).collect();
    assert_eq!(bits(&one.to_f64()), bits(&expected));
    assert!((2..5).all(|threads| with(threads) == one));
}

#[test]
fn pieces_join_to_the_whole_and_labels_keep_their_codes() {
    let rows = 30_000;
    let text: String = (0..rows).map(|i| format!("{i},k{}\n", (i * i) % 11)).collect();
    for (name, content) in [("x.csv", text.as_bytes().to_vec()), ("x.csv.gz", gz(text.as_bytes()))] {
        let (_folder, path) = file(name, &content);
        let settings = ReadTable::new().labels(["c2"]);
        let whole = settings.read(&path).unwrap();
        let mut reader = settings.open(&path).unwrap();
        for pass in 0..2 {
            let (mut values, mut texts, mut class_of_zero) = (Vec::new(), Vec::new(), None);
            while let Some(piece) = reader.next(777).unwrap() {
                assert!(piece.rows() == 777 || values.len() + piece.rows() == rows);
                values.extend_from_slice(&piece.to_f64());
                let labels = piece.label("c2").unwrap();
                texts.extend(labels.iter().map(str::to_owned));
                let zero = labels.classes().iter().position(|c| c == "k0");
                assert_eq!(*class_of_zero.get_or_insert(zero), zero);
            }
            assert_eq!(values, *whole.to_f64(), "pass {pass}");
            assert!(whole.label("c2").unwrap().iter().eq(texts.iter().map(String::as_str)));
            reader.rewind().unwrap();
        }
    }
}

#[test]
fn reading_reports_and_can_be_interrupted() {
    let text: String = (0..100_000).map(|i| format!("{i}\n")).collect();
    let (_folder, path) = file("x.csv", text.as_bytes());
    let stop = |done, total| {
        assert!(done <= total && total == text.len() as u64);
        if done < total { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let result = ReadTable::new().progress(Progress::new(&stop)).read(&path);
    assert!(matches!(result, Err(Error::Interrupted)));
}

fn any_table() -> impl Strategy<Value = Table> {
    (1usize..5, 1usize..40).prop_flat_map(|(columns, rows)| {
        let words = proptest::collection::vec("[ -~\n\r\"äλ,;\t|]{0,6}", rows..=rows);
        (proptest::collection::vec(any::<f64>(), columns * rows), words).prop_map(move |(values, words)| {
            let names = (0..columns).map(|i| format!("column \"{i}\""));
            Table::new(names, values).unwrap().with_labels(Labels::new("kind", words)).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_to_the_bit(table in any_table(), name in "x\\.(csv|tsv|csv\\.gz)") {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        table.write(&path).unwrap();
        let back = ReadTable::new().header(true).labels(["kind"]).separator(
            if path.extension().unwrap() == "tsv" { Separator::Tab } else { Separator::Comma },
        ).read(&path).unwrap();
        prop_assert_eq!(back.names(), table.names());
        prop_assert_eq!(back.labels(), table.labels());
        for (a, b) in back.to_f64().iter().zip(table.to_f64().iter()) {
            prop_assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
        }
    }

    #[test]
    fn single_precision_is_written_and_read_back_to_the_bit(values in proptest::collection::vec(any::<f32>(), 1..50)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        Table::new(["x"], values.clone()).unwrap().write(&path).unwrap();
        let back = ReadTable::new().precision(Precision::F32).read(&path).unwrap();
        for (a, b) in back.to_f32().iter().zip(&values) {
            prop_assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
        }
        prop_assert_eq!(back.rows(), values.len());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in proptest::collection::vec(
        prop_oneof![Just(b','), Just(b'"'), Just(b'\n'), Just(b'\r'), Just(b' '), Just(b'1'), Just(b'.'), Just(b'e'),
                    Just(b'-'), Just(b';'), any::<u8>()], 0..200)) {
        let _ = read(&text);
        let _ = read_as(ReadTable::new().keep_text(true), &text);
    }

    #[test]
    fn a_damaged_gzip_never_panics(at in 0usize..200, byte in any::<u8>(), end in 0usize..400) {
        let text: String = (0..100).map(|i| format!("{i},{}\n", i * 3)).collect();
        let mut packed = gz(text.as_bytes());
        let at = at % packed.len();
        packed[at] = byte;
        packed.truncate(end.max(1));
        let (_folder, path) = file("x.csv.gz", &packed);
        let _ = Table::read(&path);
    }
}

#[test]
fn nearly_every_measured_number_is_read_the_fast_way() {
    let taken = (0..10_000).filter(|i| {
        let text = f64::from(*i).sin().to_string();
        leading_number::<f64>(text.as_bytes(), 0).is_some()
    });
    assert!(taken.count() > 9_900);
}
