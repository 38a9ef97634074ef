use super::output::AtomicFile;
use super::*;
use crate::base::message;
use crate::data::error::DataError;
use proptest::prelude::*;
use std::io::Write;

fn table() -> Table {
    Table::new(["a", "b"], vec![1.0, 2.0, f64::NAN, 4.0, 5.0, 9.0]).unwrap()
}

#[test]
fn a_table_gives_access_to_rows_columns_and_cells() {
    let table = table();
    assert_eq!((table.rows(), table.columns(), table.precision()), (3, 2, Precision::F64));
    assert_eq!(table.column("b").unwrap(), [2.0, 4.0, 9.0]);
    assert_eq!(table.row(2), Values::F64(&[5.0, 9.0]));
    assert_eq!(table.slice(1..99).len(), 4);
    assert!(table.row(3).is_empty() && table.slice(7..9).is_empty());
    assert_eq!((table.get(0, 1), table.get(0, 2), table.get(3, 0)), (Some(2.0), None, None));
    assert_eq!(table.to_f32()[5], 9.0);
}

#[test]
fn incomplete_rows_and_label_columns_are_rejected() {
    assert_eq!(
        Table::new(["a", "b"], vec![1.0f32; 3]).unwrap_err().to_string(),
        "3 values cannot fill 2 columns evenly; the number of values must be a multiple of the number of columns"
    );
    assert!(Table::unnamed(0, Vec::<f64>::new()).is_err());
    assert_eq!(
        table().with_labels(Labels::new("kind", ["x"])).unwrap_err().to_string(),
        "label column `kind` has 1 row, but the table has 3; give one label per row"
    );
}

#[test]
fn all_columns_of_a_text_file_can_be_read_as_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    std::fs::write(&path, "a,b\n1.50,x\n,\"y, z\"\n").unwrap();
    let table = ReadTable::new().all_text(true).read(&path).unwrap();
    assert_eq!((table.rows(), table.columns()), (2, 0));
    assert_eq!(table.label("a").unwrap().iter().collect::<Vec<_>>(), ["1.50", ""]);
    assert_eq!(table.label("b").unwrap().get(1), Some("y, z"));
}

#[test]
fn numeric_and_label_columns_are_selected_by_name() {
    let table = table().with_labels(Labels::new("kind", ["x", "y", "x"])).unwrap();
    let selected = table.select(["b", "kind", "a"]).unwrap();
    assert_eq!(selected.names(), ["b", "a"]);
    assert_eq!(selected.column("b").unwrap(), [2.0, 4.0, 9.0]);
    assert_eq!(selected.label("kind").unwrap().codes(), [0, 1, 0]);
    assert_eq!(
        table.select(["c"]).unwrap_err().to_string(),
        "missing column `c`; available columns: `a`, `b`, `kind`"
    );
    assert_eq!(table.label("a").unwrap_err().to_string(), "missing column `a`; available columns: `kind`");
}

#[test]
fn the_first_value_that_is_not_finite_is_reported() {
    assert_eq!(
        table().require_finite().unwrap_err().to_string(),
        "row 2, column `a` is missing (NaN), but every value must be finite; fill in or drop missing values, or \
         drop the column"
    );
    let mut values = vec![0.0f32; 100_000];
    values[70_001] = f32::INFINITY;
    values[90_000] = f32::NAN;
    let Err(DataError::NotFinite { row, column, value, .. }) =
        Table::unnamed(2, values).unwrap().require_finite()
    else {
        panic!("an infinite value was accepted");
    };
    assert_eq!((row, column, value), (35_001, 2, f64::INFINITY));
    assert!(Table::unnamed(1, vec![1.0f32]).unwrap().require_finite().is_ok());
}

#[test]
fn a_summary_ignores_missing_values() {
    let [a, b] = table().summarize().unwrap()[..] else { panic!("two columns") };
    assert_eq!((a.min, a.max, a.mean, a.count, a.missing), (1.0, 5.0, 3.0, 2, 1));
    assert_eq!((b.min, b.max, b.mean, b.missing), (2.0, 9.0, 5.0, 0));
    let none = Summary::of([f64::NAN]);
    assert!(none.mean.is_nan() && none.missing == 1 && none.min > none.max);
}

proptest! {
    #[test]
    fn merged_summaries_equal_the_summary_of_all_values(
        values in proptest::collection::vec(-1000i32..1000, 0..50), cut in 0usize..50,
    ) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let (left, right) = values.split_at(cut.min(values.len()));
        let merged = Summary::of(left.iter().copied()).merge(&Summary::of(right.iter().copied()));
        let whole = Summary::of(values.iter().copied());
        prop_assert_eq!((merged.min, merged.max, merged.count), (whole.min, whole.max, whole.count));
        // Sums of small integers are exact; a mean is rounded at most five times, each by 2⁻⁵³ of 1000.
        prop_assert!(values.is_empty() || (merged.mean - whole.mean).abs() <= 1e-12);
    }
}

#[test]
fn an_atomic_file_appears_when_finished_and_is_removed_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.txt");
    let count = || std::fs::read_dir(folder.path()).unwrap().count();
    std::fs::write(&path, "old").unwrap();

    let mut output = AtomicFile::create(&path).unwrap();
    output.write_all(b"half").unwrap();
    assert_eq!(count(), 2);
    drop(output);
    assert_eq!((count(), std::fs::read_to_string(&path).unwrap()), (1, "old".into()));

    let mut output = AtomicFile::create(&path).unwrap();
    output.write_all(b"new").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    output.finish().unwrap();
    assert_eq!((count(), std::fs::read_to_string(&path).unwrap()), (1, "new".into()));
}

#[test]
fn a_file_that_cannot_be_created_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no").join("x.csv");
    let text = message(&table().write(&missing).unwrap_err());
    assert!(text.starts_with(&format!("cannot write {}: ", missing.display())), "{text}");
    let text = message(&AtomicFile::create(folder.path()).unwrap_err());
    assert!(text.ends_with("it is a folder; specify a file"), "{text}");
}

#[cfg(unix)]
#[test]
fn symbolic_links_and_permissions_are_kept_when_a_file_is_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("x.csv"), folder.path().join("link.csv"));
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    table().write(&link).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\n1,2\nNaN,4\n5,9\n");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn the_format_is_detected_from_the_extension_and_the_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("x.xyz");
    let text = table().write(&odd).unwrap_err().to_string();
    assert!(text.ends_with(if cfg!(feature = "parquet") {
        "`.npy` and `.parquet`"
    } else {
        "(each also with `.gz`) and `.npy`"
    }));
    let npy = folder.path().join("x.npy");
    table().write(&npy).unwrap();
    std::fs::copy(&npy, &odd).unwrap();
    assert_eq!(Table::read(&odd).unwrap().rows(), 3);
    std::fs::write(&odd, "1,2\n").unwrap();
    assert!(matches!(Table::read(&odd), Err(DataError::UnknownFormat { .. })));
    assert_eq!(ReadTable::new().format(Format::Csv).read(&odd).unwrap().columns(), 2);
    assert!(message(&Table::read(folder.path()).unwrap_err()).ends_with("it is a folder; specify a file"));
    assert!(matches!(Table::read(folder.path().join("none.csv")), Err(DataError::File { .. })));
}

#[cfg(unix)]
#[test]
fn the_format_of_a_pipe_is_detected_from_the_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    table().write(at("t.npy")).unwrap();
    table().write(at("t.csv.gz")).unwrap();
    let image = Images::new(2, 1, 1, Pixels::U8(vec![1, 2])).unwrap();
    ["p.png", "p.jpg", "p.pgm"].iter().for_each(|name| image.write(at(name)).unwrap());
    let header = VideoHeader::new(2, 1, Chroma::Mono, 8, (25, 1)).unwrap();
    VideoWriter::create(at("v.y4m"), &header).unwrap().finish().unwrap();
    for (name, kind) in
        [("t.npy", 't'), ("t.csv.gz", 't'), ("p.png", 'p'), ("p.jpg", 'p'), ("p.pgm", 'p'), ("v.y4m", 'v')]
    {
        let pipe = at("pipe");
        let _ = std::fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let bytes = std::fs::read(at(name)).unwrap();
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::write(pipe, bytes).unwrap())
        };
        let found = match ReadTable::new().open_any(&pipe).unwrap() {
            Content::Table(mut reader) => reader.next(9).unwrap().map_or('?', |_| 't'),
            Content::Image(image) => {
                if image.width() == 2 {
                    'p'
                } else {
                    '?'
                }
            }
            Content::Video(reader) => {
                if reader.header().width() == 2 {
                    'v'
                } else {
                    '?'
                }
            }
        };
        writer.join().unwrap();
        assert_eq!(found, kind, "{name}");
    }
    std::fs::write(at("x.xyz"), "1,2\n").unwrap();
    let text = ReadTable::new().open_any(at("x.xyz")).unwrap_err().to_string();
    assert!(text.contains("`.png`") && text.contains("`.y4m`"), "{text}");
}

#[test]
fn the_mean_of_huge_values_is_finite_and_within_their_range() {
    let summary = Summary::of([f64::MAX, f64::MAX, f64::MAX / 2.0]);
    assert!((summary.mean / f64::MAX - 5.0 / 6.0).abs() < 1e-15); // two roundings of 2⁻⁵³ each
    assert_eq!(summary.merge(&summary).mean, summary.mean);
    assert_eq!(Summary::of([0.1; 3]).mean, 0.1);
    assert_eq!(Summary::of([f64::INFINITY, 1.0]).mean, f64::INFINITY);
}

#[test]
fn labels_are_rejected_by_formats_that_store_numbers_only() {
    let folder = tempfile::tempdir().unwrap();
    let table = table().with_labels(Labels::new("kind", ["x", "y", "x"])).unwrap();
    assert_eq!(
        table.write(folder.path().join("x.npy")).unwrap_err().to_string(),
        "NPY files store numbers only; leave out the label column `kind`, or use CSV"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_reports_how_to_enable_it() {
    let text = table().write("x.parquet").unwrap_err().to_string();
    assert_eq!(
        text,
        "x.parquet is a Parquet file, but this build has no Parquet support; build with `--features parquet`, \
         or convert the file to CSV or NPY"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_can_be_read_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::write(pipe, "1,2\n3,4\n").unwrap())
    };
    let mut reader = ReadTable::new().open(&pipe).unwrap();
    assert_eq!(reader.next(9).unwrap().unwrap().rows(), 2);
    writer.join().unwrap();
    let text = reader.rewind().unwrap_err().to_string();
    assert!(text.ends_with("can be read only once; save it to a file and use that file"), "{text}");
}

#[test]
fn a_table_written_in_chunks_equals_the_whole_table() {
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<f32> = (0..600).map(|i| (i as f32).sqrt()).collect();
    let whole = Table::new(["a", "b"], values.clone()).unwrap();
    let names: &[&str] = &["x.csv", "x.tsv", "x.csv.gz", "x.npy"];
    let parquet: &[&str] = if cfg!(feature = "parquet") { &["x.parquet"] } else { &[] };
    for name in names.iter().chain(parquet) {
        let path = folder.path().join(name);
        let mut writer = TableWriter::create(&path).unwrap();
        for chunk in values.chunks(250) {
            writer.write(&Table::new(["a", "b"], chunk.to_vec()).unwrap()).unwrap();
        }
        assert!(!path.exists(), "{name}");
        writer.finish().unwrap();
        let back = ReadTable::new().precision(Precision::F32).read(&path).unwrap();
        assert_eq!(back.values(), whole.values(), "{name}");
        assert_eq!(back.rows(), 300);
    }
}

#[test]
fn invalid_chunked_writes_are_rejected_and_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let message = TableWriter::create(at("x.npy.gz")).unwrap_err().to_string();
    assert!(message.contains("x.npy.gz: unsupported format; supported formats: `.csv`"), "{message}");
    let mut writer = TableWriter::create(at("x.csv")).unwrap();
    writer.write(&Table::new(["a"], vec![1.0]).unwrap()).unwrap();
    let message = writer.write(&Table::new(["b"], vec![1.0]).unwrap()).unwrap_err().to_string();
    assert!(
        message.ends_with(
            "differs from the previous chunks; all chunks must have the same columns and precision"
        )
    );
    drop(writer);
    assert!(matches!(TableWriter::create(at("y.csv")).unwrap().finish(), Err(DataError::NoData { .. })));
    let mut writer = TableWriter::create(at("z.npy")).unwrap();
    let text = Table::new(["a"], vec![1.0]).unwrap().with_labels(Labels::new("kind", ["oak"])).unwrap();
    assert!(matches!(writer.write(&text), Err(DataError::LabelsNotSupported { .. })));
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
