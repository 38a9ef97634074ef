use super::{bits, file, gz, message, read, read_as};
use crate::data::error::DataError;
use crate::data::{Labels, Precision, ReadTable, Separator, Table};
use crate::device::Cpu;
use crate::device::Device;
use proptest::prelude::*;
use std::ops::ControlFlow;

#[test]
fn separators_are_detected() {
    for (text, columns) in [
        ("1,2\n3,4\n", 2),
        ("1;2;3\n3;4;5\n", 3),
        ("1\t2\n3\t4\n", 2),
        ("1|2\n3|4\n", 2),
        ("  1  2 \n 3\t4  \n", 2),
        ("1\n2\n3\n4\n", 1),
        ("1, 2\n3, 4\n", 2),
        ("petal length\n1\n2\n", 1),
        ("\"a\",\"b\"\"|\"\n1,2\n3,4\n", 2), // the pipe is inside of quotes
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
        "unknown separator `dash`; expected comma, semicolon, tab, pipe or blank"
    );
}

#[test]
fn a_header_is_detected_or_set() {
    assert_eq!(read("a,b\n1,2\n").unwrap().names(), ["a", "b"]);
    assert_eq!(read("1,2\n3,4\n").unwrap().names(), ["c1", "c2"]);
    assert_eq!(read("x,,x\n1,2,3\n").unwrap().names(), ["x", "c2", "x.2"]);
    assert_eq!(read_as(ReadTable::new().header(true), "2019,2020\n1,2\n").unwrap().names(), ["2019", "2020"]);
    let labeled = ReadTable::new().labels(["c1"]);
    assert_eq!(read_as(labeled, "A,1,2\nB,3,4\n").unwrap().names(), ["c2", "c3"]);
    assert!(message(ReadTable::new().header(false), "a,b\n1,2\n").starts_with("data.csv, line 1, column 1"));
}

#[test]
fn successive_years_above_other_numbers_are_a_header() {
    assert_eq!(read("2019,2020\n1,2\n").unwrap().names(), ["2019", "2020"]);
    let labeled = ReadTable::new().labels(["country"]);
    assert_eq!(
        read_as(labeled, "country;1990;2000;2010\nA;1;2;3\nB;4;5;6\n").unwrap().names(),
        ["1990", "2000", "2010"]
    );
    // Years below, other numbers, and years without an order are data.
    for text in
        ["2019,2020\n2020,2021\n", "2019,7\n1,2\n", "2019,2020,2023\n1,2,3\n", "2019\n1\n", "2019,2020\n"]
    {
        assert_eq!(read(text).unwrap().names()[0], "c1", "{text:?}");
    }
}

#[test]
fn a_first_line_can_declare_the_separator() {
    let table = read("\u{feff}sep=;\r\na;b\r\n1,5;2\r\n").unwrap();
    assert_eq!((table.names(), &*table.to_f64()), (&["a".to_owned(), "b".into()][..], &[1.5, 2.0][..]));
    let error = message(ReadTable::new(), "SEP=,\na,b\n1,2\nx,3\n");
    assert!(error.starts_with("data.csv, line 4, column 1 (`a`): `x`"), "{error}");
    assert_eq!(read("sep=\n1\n").unwrap().names(), ["sep="]);
    let (_folder, path) = file("x.csv", b"sep=|\na|b\n1|2\n");
    let mut reader = ReadTable::new().open(&path).unwrap();
    for _pass in 0..2 {
        assert_eq!(&*reader.next(10).unwrap().unwrap().to_f64(), &[1.0, 2.0]);
        reader.rewind().unwrap();
    }
}

#[test]
fn tables_with_the_extension_tsv_may_have_other_separators() {
    let columns = |text: &str| {
        let (_folder, path) = file("x.tsv", text.as_bytes());
        ReadTable::new().keep_text(true).read(&path).map(|table| table.columns() + table.labels().len())
    };
    assert_eq!(columns("a,b\n1,2\n").unwrap(), 2);
    assert_eq!(columns("a\tb\n1,5\t2\n").unwrap(), 2);
    assert_eq!(columns("name\nDoe, Jane\nRoe, Richard\n").unwrap(), 1);
    assert_eq!(columns("a\n1\n").unwrap(), 1);
}

#[test]
fn quotes_line_ends_byte_order_marks_and_missing_values_are_parsed() {
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
fn quoted_newlines_can_cross_chunk_and_block_boundaries() {
    let rows = 20_000; // about 260 kB: several blocks of the size used in tests
    let text: String = (0..rows).map(|i| format!("{i},\"line\n{}\"\n", i % 7)).collect();
    let table = read_as(ReadTable::new().labels(["c2"]), &text).unwrap();
    assert_eq!(table.rows(), rows);
    assert!(table.column("c1").unwrap().iter().enumerate().all(|(i, x)| *x == i as f64));
    assert_eq!(table.label("c2").unwrap().classes().len(), 7);
    let bad = text.replace("19999,", "oops,");
    assert!(message(ReadTable::new().labels(["c2"]), bad).contains("line 39999, column 1 (`c1`): `oops`"));
}

#[test]
fn an_invalid_number_is_reported_with_file_line_column_and_text() {
    assert_eq!(
        message(ReadTable::new(), "width;height\n1;2\n\n3;1,2x\n"),
        "data.csv, line 4, column 2 (`height`): `1,2x` is not a number; write a number such as `-1.5e3` with \
         a decimal point, leave the cell empty if the value is missing, or read `height` as labels"
    );
    let mut text: String = (0..50_000).map(|i| format!("{i},{}\n", i * 2)).collect();
    text.push_str("1,x\n");
    assert!(
        message(ReadTable::new(), &text).starts_with("data.csv, line 50001, column 2 (`c2`): `x` is not")
    );
}

#[test]
fn a_line_with_a_wrong_number_of_fields_is_reported() {
    for (text, line, found) in [("1,2\n3\n", 2, 1), ("a,b\n1,2\n3,4,5\n", 3, 3), ("a,b\n1,2\nx\n", 3, 1)] {
        assert_eq!(
            message(ReadTable::new().separator(Separator::Comma), text),
            format!(
                "data.csv, line {line}: expected 2 fields, found {found}; fix the line, quote fields that \
                 contain the separator, write decimal numbers with a point, or specify the separator"
            )
        );
    }
}

#[test]
fn files_without_rows_or_text_are_rejected() {
    assert_eq!(message(ReadTable::new(), ""), "data.csv contains no rows; at least one is required");
    assert_eq!(message(ReadTable::new(), "\n \n"), "data.csv contains no rows; at least one is required");
    assert_eq!(message(ReadTable::new(), "a,b\n"), "data.csv contains no rows; at least one is required");
    assert_eq!(
        message(ReadTable::new(), b"\x00\x01\x02"),
        "data.csv cannot be read as CSV: the file is binary, not text; check its format"
    );
    assert_eq!(
        message(ReadTable::new(), b"\xff\xfea\x00"),
        "data.csv cannot be read as CSV: the file is encoded as UTF-16; save it as UTF-8"
    );
    assert_eq!(
        message(ReadTable::new(), "a,b\n1,\"2\n3,4\n"),
        "data.csv cannot be read as CSV: the quoted field in line 2 is not closed; add the closing quote, or double the quote"
    );
    assert_eq!(
        message(ReadTable::new(), "\na,\"b,c\n1,2,3\n4,5,6\n"),
        "data.csv cannot be read as CSV: the quoted field in line 2 is not closed; add the closing quote, or double the quote"
    );
    let text = message(ReadTable::new().labels(["kind"]), "a,b\n1,2\n");
    assert_eq!(text, "missing column `kind`; available columns: `a`, `b`");
}

#[test]
fn gzip_files_may_have_several_members_but_must_not_be_truncated() {
    let compressed = [gz(b"a,b\n1,2\n"), gz(b"3,4\n")].concat();
    let (_folder, path) = file("data.csv.gz", &compressed);
    assert_eq!(*Table::read(&path).unwrap().to_f64(), [1.0, 2.0, 3.0, 4.0]);
    let long: String = (0..5000).map(|i| format!("{i}\n")).collect();
    let compressed = gz(long.as_bytes());
    let (_folder, path) = file("cut.csv.gz", &compressed[..compressed.len() / 2]);
    let text = Table::read(&path).unwrap_err().to_string();
    assert!(
        text.ends_with("cannot be read as gzip: the file is truncated; download it or compress it again"),
        "{text}"
    );
}

#[test]
fn selected_columns_are_read_in_order_and_others_are_ignored() {
    let settings = ReadTable::new().columns(["c", "a"]).precision(Precision::F32);
    let table = read_as(settings, "a,b,c\n1,x,3\n4,y,6\n").unwrap();
    assert_eq!(*table.to_f32(), [3.0, 1.0, 6.0, 4.0]);
    assert_eq!(table.names(), ["c", "a"]);
    let text = message(ReadTable::new().columns(["d"]), "a,b\n1,2\n");
    assert_eq!(text, "missing column `d`; available columns: `a`, `b`");
}

#[test]
fn text_columns_can_be_read_as_labels() {
    let table = read_as(ReadTable::new().keep_text(true), "who,x,where\nann,1,here\nbob,2,there\n").unwrap();
    assert_eq!(table.names(), ["x"]);
    assert_eq!(table.labels().iter().map(Labels::name).collect::<Vec<_>>(), ["who", "where"]);
    let text_only = read_as(ReadTable::new().keep_text(true), "who,where\nann,here\n").unwrap();
    assert_eq!((text_only.rows(), text_only.columns(), text_only.labels().len()), (1, 0, 2));
    assert_eq!(
        message(ReadTable::new().labels(["a"]), "a\nx\n"),
        "data.csv contains no columns of numbers; at least one is required"
    );
}

#[test]
fn live_reading_gives_the_same_table() {
    let long: String = (0..9_000).map(|i| format!("{i},\"a\nb\",{}\n", f64::from(i).sqrt())).collect();
    for text in ["who,x\nann,1\nbob,2", "x\n1\n\n2\n\n\n", "1,2\n3,4\n", &format!("i,who,x\n{long}")] {
        let settings = ReadTable::new().keep_text(true);
        let live = read_as(settings.clone().live(true), text).unwrap();
        // As text, because a missing value does not equal itself.
        assert_eq!(format!("{live:?}"), format!("{:?}", read_as(settings, text).unwrap()));
    }
}

#[test]
fn rows_of_a_paused_pipe_are_returned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (sender, done) = std::sync::mpsc::channel::<()>();
    let to = path.clone();
    let writer = std::thread::spawn(move || {
        let mut pipe = std::fs::File::create(to).unwrap();
        let rows: String = (0..100).map(|i| format!("{i},{i}\n")).collect();
        std::io::Write::write_all(&mut pipe, format!("x,y\n{rows}").as_bytes()).unwrap();
        done.recv().unwrap(); // paused until the first rows are read
        std::io::Write::write_all(&mut pipe, b"100,101\n").unwrap();
    });
    let mut reader = ReadTable::new().live(true).open(&path).unwrap();
    assert_eq!(reader.next(4).unwrap().unwrap().rows(), 4);
    sender.send(()).unwrap();
    let rest: usize = std::iter::from_fn(|| reader.next(4).unwrap()).map(|chunk| chunk.rows()).sum();
    assert_eq!(rest, 97);
    writer.join().unwrap();
}

#[test]
fn the_result_is_bit_identical_for_any_number_of_threads() {
    let text: String =
        (0..30_000).map(|i| format!("{},{}\n", f64::from(i).sin(), f64::from(i).sqrt())).collect();
    let with = |threads| {
        read_as(ReadTable::new().device(&Cpu::with_threads(threads).unwrap().into()), &text).unwrap()
    };
    let one = with(1);
    let expected: Vec<f64> = (0..30_000).flat_map(|i| [f64::from(i).sin(), f64::from(i).sqrt()]).collect();
    assert_eq!(bits(&one.to_f64()), bits(&expected));
    assert!((2..5).all(|threads| with(threads) == one));
}

#[test]
fn chunks_concatenate_to_the_whole_table_and_labels_keep_their_codes() {
    let rows = 30_000;
    let text: String = (0..rows).map(|i| format!("{i},k{}\n", (i * i) % 11)).collect();
    for (name, content) in [("x.csv", text.as_bytes().to_vec()), ("x.csv.gz", gz(text.as_bytes()))] {
        let (_folder, path) = file(name, &content);
        let settings = ReadTable::new().labels(["c2"]);
        let whole = settings.read(&path).unwrap();
        let mut reader = settings.open(&path).unwrap();
        for pass in 0..2 {
            let (mut values, mut texts, mut class_of_zero) = (Vec::new(), Vec::new(), None);
            while let Some(chunk) = reader.next(777).unwrap() {
                assert!(chunk.rows() == 777 || values.len() + chunk.rows() == rows);
                values.extend_from_slice(&chunk.to_f64());
                let labels = chunk.label("c2").unwrap();
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
fn reading_reports_progress_and_can_be_interrupted() {
    let text: String = (0..100_000).map(|i| format!("{i}\n")).collect();
    let (_folder, path) = file("x.csv", text.as_bytes());
    let bytes = text.len() as u64;
    let stop = move |done, total| {
        assert!(done <= total && total == bytes);
        if done < total { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let result = ReadTable::new().device(&Device::cpu().unwrap().with_progress(stop)).read(&path);
    assert!(matches!(result, Err(DataError::Interrupted)));
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
    fn written_tables_are_read_back_bit_identically(table in any_table(), name in "x\\.(csv|tsv|csv\\.gz)") {
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
    fn single_precision_is_read_back_bit_identically(values in proptest::collection::vec(any::<f32>(), 1..50)) {
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
    fn the_reader_never_panics(text in proptest::collection::vec(
        prop_oneof![Just(b','), Just(b'"'), Just(b'\n'), Just(b'\r'), Just(b' '), Just(b'1'), Just(b'.'), Just(b'e'),
                    Just(b'-'), Just(b';'), any::<u8>()], 0..200)) {
        let _ = read(&text);
        let _ = read_as(ReadTable::new().keep_text(true), &text);
    }

    #[test]
    fn a_damaged_gzip_never_panics(at in 0usize..200, byte in any::<u8>(), end in 0usize..400) {
        let text: String = (0..100).map(|i| format!("{i},{}\n", i * 3)).collect();
        let mut compressed = gz(text.as_bytes());
        let at = at % compressed.len();
        compressed[at] = byte;
        compressed.truncate(end.max(1));
        let (_folder, path) = file("x.csv.gz", &compressed);
        let _ = Table::read(&path);
    }
}

#[test]
fn blocks_with_reused_memory_contain_all_rows_in_order() {
    let settings = || ReadTable::new().keep_text(true);
    let two: String = (0..40_000).map(|i| format!("{i},{}\n", f64::from(i).sqrt())).collect();
    let with_text: String = (0..40_000).map(|i| format!("{i},t{}\n", i % 7)).collect();
    // Blank lines are missing values in a single column, unless they end the file.
    let single: String =
        (0..60_000).map(|i| if i % 1000 > 900 { "\n".into() } else { format!("{i}\n") }).collect();
    for content in [format!("x,y\n{two}"), two, format!("x,y\n{with_text}"), format!("x\n{single}5\n\n\n")] {
        let (_folder, path) = file("data.csv", content.as_bytes());
        let expected = settings().read(&path).unwrap();
        let mut reader = settings().open(&path).unwrap();
        for _ in 0..2 {
            let (mut chunk, mut values, mut labels, mut chunks) = (None, Vec::new(), Vec::new(), 0);
            loop {
                reader.next_into(&mut chunk, 1).unwrap();
                let Some(rows) = &chunk else { break };
                values.extend_from_slice(&rows.to_f64());
                labels.extend(
                    rows.labels().iter().flat_map(|l| l.iter().map(str::to_owned).collect::<Vec<_>>()),
                );
                chunks += 1;
            }
            assert_eq!(bits(&values), bits(&expected.to_f64()));
            let all = expected.labels().iter().flat_map(|l| l.iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(labels, all.collect::<Vec<_>>());
            assert!(chunks > 1, "the file has several blocks");
            reader.rewind().unwrap();
        }
    }
}

#[test]
fn rows_left_by_a_chunk_come_before_the_next_block() {
    let content: String = (0..40_000).map(|i| format!("{i}\n")).collect();
    let (_folder, path) = file("data.csv", content.as_bytes());
    let mut reader = ReadTable::new().header(false).open(&path).unwrap();
    let mut values = reader.next(3).unwrap().unwrap().into_f64();
    let mut chunk = None;
    loop {
        reader.next_into(&mut chunk, 1).unwrap();
        let Some(rows) = &chunk else { break };
        values.extend_from_slice(&rows.to_f64());
    }
    assert_eq!(values, (0..40_000).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn repeated_names_of_many_columns_are_numbered() {
    let columns = 30_000;
    let text = format!("{}\n{}\n", vec!["x"; columns].join(","), vec!["1"; columns].join(","));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.csv");
    std::fs::write(&path, text).unwrap();
    let names = (1..=columns).map(|i| if i == 1 { "x".to_owned() } else { format!("x.{i}") });
    let table = ReadTable::new().columns(names.clone()).read(&path).unwrap();
    assert!(table.names().iter().cloned().eq(names));
}
