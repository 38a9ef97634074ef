use crate::data::{Labels, Precision, ReadTable, Table};
use proptest::prelude::*;

fn labeled(rows: usize) -> Table {
    let values: Vec<f64> = (0..rows * 2).map(|i| (i as f64).sqrt()).collect();
    let kinds = (0..rows).map(|i| ["oak", "elm", "ash"][i % 3]);
    Table::new(["a", "b"], values).unwrap().with_labels(Labels::new("kind", kinds)).unwrap()
}

#[test]
fn tables_with_labels_are_read_back_whole_and_in_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let table = labeled(300_000); // two row groups
    table.write(&path).unwrap();
    let settings = ReadTable::new().labels(["kind"]);
    let whole = settings.read(&path).unwrap();
    assert_eq!(whole, table);
    let mut reader = settings.open(&path).unwrap();
    assert_eq!(reader.rows(), Some(300_000));
    for _pass in 0..2 {
        let mut values = Vec::new();
        while let Some(chunk) = reader.next(70_001).unwrap() {
            values.extend_from_slice(&chunk.to_f64());
            assert_eq!(chunk.label("kind").unwrap().classes(), ["oak", "elm", "ash"]);
        }
        assert_eq!(values, *table.to_f64());
        reader.rewind().unwrap();
    }
}

#[test]
fn text_columns_are_rejected_unless_they_are_read_as_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    labeled(10).write(&path).unwrap();
    let text = Table::read(&path).unwrap_err().to_string();
    assert!(text.ends_with("column `kind` contains text; read it as labels or leave it out"), "{text}");
    let selected = ReadTable::new().columns(["b"]).precision(Precision::F32).read(&path).unwrap();
    assert_eq!((selected.columns(), selected.precision()), (1, Precision::F32));
    assert_eq!(ReadTable::new().keep_text(true).read(&path).unwrap(), labeled(10));
    let numbers = ReadTable::new().columns(["b"]).labels(["a", "kind"]).read(&path).unwrap();
    assert_eq!(numbers.label("a").unwrap().get(2), Some("2"));
}

#[test]
fn files_that_are_not_parquet_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    std::fs::write(&path, "hello").unwrap();
    let problem = || Table::read(&path).unwrap_err().to_string();
    let damaged = "x.parquet cannot be read as Parquet: the file is damaged or of another format; download it or save it again";
    assert!(problem().ends_with(damaged), "{}", problem());
    labeled(10).write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(problem().ends_with(damaged), "{}", problem());
}

#[test]
fn a_page_that_claims_too_much_memory_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    labeled(1000).write(&path).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    // A data page of 1.9 GB that is compressed to 2 bytes, in place of the first page.
    let header = [0x15, 0, 0x15, 0x80, 0xc2, 0xfe, 0x93, 0x0e, 0x15, 4, 0];
    bytes[4..][..header.len()].copy_from_slice(&header);
    std::fs::write(&path, &bytes).unwrap();
    let message = ReadTable::new().columns(["a"]).read(&path).unwrap_err().to_string();
    assert!(
        message.ends_with("the sizes of a page are implausible; the file is damaged, save it again"),
        "{message}"
    );
    assert_eq!(ReadTable::new().columns(["b"]).read(&path).unwrap().rows(), 1000);
}

proptest! {
    #[test]
    fn a_damaged_file_never_panics(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(), cut: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        labeled(20).write(&path).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        std::fs::write(&path, &bytes).unwrap();
        let _ = ReadTable::new().keep_text(true).read(&path);
    }
}
