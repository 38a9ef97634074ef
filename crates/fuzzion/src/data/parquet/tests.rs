use crate::data::{Labels, Precision, ReadTable, Table};
use proptest::prelude::*;

fn labelled(rows: usize) -> Table {
    let values: Vec<f64> = (0..rows * 2).map(|i| (i as f64).sqrt()).collect();
    let kinds = (0..rows).map(|i| ["oak", "elm", "ash"][i % 3]);
    Table::new(["a", "b"], values).unwrap().with_labels(Labels::new("kind", kinds)).unwrap()
}

#[test]
fn tables_with_labels_survive_parquet_whole_and_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let table = labelled(300_000); // two row groups
    table.write(&path).unwrap();
    let settings = ReadTable::new().labels(["kind"]);
    let whole = settings.read(&path).unwrap();
    assert_eq!(whole, table);
    let mut reader = settings.open(&path).unwrap();
    assert_eq!(reader.rows(), Some(300_000));
    for _pass in 0..2 {
        let mut values = Vec::new();
        while let Some(piece) = reader.next(70_001).unwrap() {
            values.extend_from_slice(&piece.to_f64());
            assert_eq!(piece.label("kind").unwrap().classes(), ["oak", "elm", "ash"]);
        }
        assert_eq!(values, *table.to_f64());
        reader.rewind().unwrap();
    }
}

#[test]
fn text_is_refused_unless_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    labelled(10).write(&path).unwrap();
    let text = Table::read(&path).unwrap_err().to_string();
    assert!(text.ends_with("column `kind` holds text; read it as labels or leave it out"), "{text}");
    let picked = ReadTable::new().columns(["b"]).precision(Precision::F32).read(&path).unwrap();
    assert_eq!((picked.columns(), picked.precision()), (1, Precision::F32));
    assert_eq!(ReadTable::new().keep_text(true).read(&path).unwrap(), labelled(10));
    let numbers = ReadTable::new().columns(["b"]).labels(["a", "kind"]).read(&path).unwrap();
    assert_eq!(numbers.label("a").unwrap().get(2), Some("2"));
}

#[test]
fn what_is_no_parquet_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    std::fs::write(&path, "hello").unwrap();
    assert!(Table::read(&path).unwrap_err().to_string().contains("x.parquet cannot be read as Parquet: "));
}

proptest! {
    #[test]
    fn a_damaged_file_never_panics(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(), cut: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        labelled(20).write(&path).unwrap();
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
