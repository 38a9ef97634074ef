use super::header::{DtypeKind, Header};
use crate::data::{Format, Precision, ReadTable, Table, Values};
use proptest::prelude::*;
use std::path::PathBuf;
use tempfile::TempDir;

fn file(content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

/// A file as written by NumPy 2: `start`, the dictionary, spaces up to byte 128, then the values.
fn golden(start: &[u8], dictionary: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = [start, dictionary.as_bytes()].concat();
    bytes.resize(127, b' ');
    [bytes.as_slice(), b"\n", data].concat()
}

const V1: &[u8] = b"\x93NUMPY\x01\x00v\x00";
const V2: &[u8] = b"\x93NUMPY\x02\x00t\x00\x00\x00";
const V3: &[u8] = b"\x93NUMPY\x03\x00t\x00\x00\x00";

fn message(content: &[u8]) -> String {
    let (folder, path) = file(content);
    let text = Table::read(&path).unwrap_err().to_string();
    text.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn files_written_by_numpy_are_read() {
    type Case = (&'static [u8], &'static str, &'static [u8], [f64; 6]);
    let cases: [Case; 6] = [
        (
            V1,
            "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }",
            b"\x00\x01\x01\x01\x01\x01",
            [0.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        ),
        (
            V1,
            "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }",
            b"\x00\x01\x02\x03\x04d",
            [0.0, 1.0, 2.0, 3.0, 4.0, 100.0],
        ),
        (
            V1,
            "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }",
            b"\x00\x00\x00\x01\x00\x02\x00\x03\x00\x04\x00d",
            [0.0, 1.0, 2.0, 3.0, 4.0, 100.0],
        ),
        (
            V1,
            "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }",
            b"\x00\x00\x000\x004\x006\x008@J",
            [0.0, 0.125, 0.25, 0.375, 0.5, 12.5],
        ),
        (
            V1,
            "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
            b"\x00\x00\x00\x00\x00\x00\xc0>\x00\x00\x00>\x00\x00\x00?\x00\x00\x80>\x00\x00HA",
            [0.0, 0.125, 0.25, 0.375, 0.5, 12.5],
        ),
        (
            V2,
            "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }",
            b"\x00\x00\x00\x00\x00\x00\x00\x00?\xc0\x00\x00\x00\x00\x00\x00?\xd0\x00\x00\x00\x00\x00\x00\
              ?\xd8\x00\x00\x00\x00\x00\x00?\xe0\x00\x00\x00\x00\x00\x00@)\x00\x00\x00\x00\x00\x00",
            [0.0, 0.125, 0.25, 0.375, 0.5, 12.5],
        ),
    ];
    for (start, dictionary, data, expected) in cases {
        let (_folder, path) = file(&golden(start, dictionary, data));
        let table = Table::read(&path).unwrap();
        assert_eq!(*table.to_f64(), expected, "{dictionary}");
        assert_eq!((table.rows(), table.columns()), (2, 3));
        let mut reader = ReadTable::new().open(&path).unwrap();
        assert_eq!(reader.rows(), Some(2));
        assert_eq!(*reader.next(1).unwrap().unwrap().to_f64(), expected[..3], "{dictionary}");
        assert_eq!(*reader.next(9).unwrap().unwrap().to_f64(), expected[3..], "{dictionary}");
        assert!(reader.next(1).unwrap().is_none());
        reader.rewind().unwrap();
        assert_eq!(reader.next(2).unwrap().unwrap(), table);
    }
}

#[test]
fn a_one_dimensional_array_is_one_column() {
    let data: Vec<u8> = [1u64, 2, 1 << 40].iter().flat_map(|x| x.to_le_bytes()).collect();
    let (_folder, path) =
        file(&golden(V3, "{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }", &data));
    let table = Table::read(&path).unwrap();
    assert_eq!(table.names(), ["c1"]);
    assert_eq!(*table.to_f64(), [1.0, 2.0, (1u64 << 40) as f64]);
}

#[test]
fn half_precision_zeros_infinities_and_subnormals_are_converted() {
    // 0x0001 = 2⁻²⁴, 0x03ff = (1 − 2⁻¹⁰)·2⁻¹⁴, 0x7bff = 65504, by IEEE 754.
    let bits = [0x0001u16, 0x03ff, 0x7bff, 0x8000, 0xfc00, 0x7e00];
    let data: Vec<u8> = bits.iter().flat_map(|x| x.to_le_bytes()).collect();
    let (_folder, path) =
        file(&golden(V1, "{'descr': '<f2', 'fortran_order': False, 'shape': (6,), }", &data));
    let values = Table::read(&path).unwrap().into_f64();
    assert_eq!(values[..3], [2f64.powi(-24), (1.0 - 2f64.powi(-10)) * 2f64.powi(-14), 65504.0]);
    assert!(
        values[3] == 0.0
            && values[3].is_sign_negative()
            && values[4] == f64::NEG_INFINITY
            && values[5].is_nan()
    );
}

#[test]
fn a_large_file_is_memory_mapped_with_the_same_values() {
    let values: Vec<f64> = (0..30_000).map(|i| f64::from(i).sqrt()).collect();
    let table = Table::unnamed(3, values.clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.npy");
    table.write(&path).unwrap();
    let back = Table::read(&path).unwrap();
    assert!(format!("{back:?}").contains("Mapped"), "the file is larger than the test's threshold");
    assert_eq!(back, table);
    assert_eq!(back.row(2), Values::F64(&values[6..9]));
    let single = ReadTable::new().precision(Precision::F32).read(&path).unwrap();
    assert!(single.to_f32().iter().zip(&values).all(|(a, b)| *a == *b as f32));
    let selected = ReadTable::new().columns(["c3"]).read(&path).unwrap();
    assert_eq!(selected.column("c3").unwrap(), table.column("c3").unwrap());
}

#[test]
fn chunks_of_a_large_file_are_memory_mapped_or_converted_with_the_same_values() {
    let values: Vec<f64> = (0..30_000).map(|i| f64::from(i).sqrt()).collect();
    let table = Table::unnamed(3, values.clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.npy");
    table.write(&path).unwrap();
    let all = ["c1", "c2", "c3"];
    let settings = [
        (ReadTable::new(), true, values.clone()),
        (ReadTable::new().columns(all), true, values.clone()),
        (
            ReadTable::new().precision(Precision::F32),
            false,
            values.iter().map(|x| f64::from(*x as f32)).collect(),
        ),
        (ReadTable::new().columns(["c2"]), false, table.column("c2").unwrap()),
    ];
    for (settings, mapped, expected) in settings {
        let mut reader = settings.open(&path).unwrap();
        for _ in 0..2 {
            let mut found = Vec::new();
            while let Some(chunk) = reader.next(701).unwrap() {
                assert_eq!(format!("{chunk:?}").contains("Mapped"), mapped);
                assert!(
                    chunk.rows() == 701 || found.len() + chunk.rows() * chunk.columns() == expected.len()
                );
                found.extend_from_slice(&chunk.to_f64());
            }
            assert_eq!(found, expected);
            reader.rewind().unwrap();
        }
    }
}

#[test]
fn reading_in_chunks_reports_the_bytes_read_and_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.npy");
    Table::unnamed(1, vec![0.5; 30_000]).unwrap().write(&path).unwrap();
    let size = std::fs::metadata(&path).unwrap().len();
    for precision in [Precision::F64, Precision::F32] {
        let last = std::sync::Arc::new(std::sync::Mutex::new((0, 0)));
        let seen = last.clone();
        let device = crate::Device::cpu().unwrap().with_progress(move |done, total| {
            let before = std::mem::replace(&mut *seen.lock().unwrap(), (done, total));
            assert!(done > before.0);
            std::ops::ControlFlow::Continue(())
        });
        let mut reader = ReadTable::new().precision(precision).device(&device).open(&path).unwrap();
        while reader.next(7000).unwrap().is_some() {}
        assert_eq!(*last.lock().unwrap(), (size, size));
        let device = device.with_progress(|_, _| std::ops::ControlFlow::Break(()));
        let mut reader = ReadTable::new().precision(precision).device(&device).open(&path).unwrap();
        assert!(matches!(reader.next(7000), Err(crate::data::DataError::Interrupted)));
    }
}

#[test]
fn shapes_larger_than_the_file_are_rejected_before_memory_is_allocated() {
    for shape in ["(1000000000000, 8)", "(18446744073709551615, 18446744073709551615)", "(3, 2)"] {
        let text = message(&golden(
            V1,
            &format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"),
            &[0; 40],
        ));
        assert!(
            text.starts_with("x.npy cannot be read as NPY: ")
                && text.contains("exceed the file size of 168 bytes"),
            "{text}"
        );
    }
}

#[test]
fn unsupported_arrays_are_rejected() {
    let text = |dictionary: &str| message(&golden(V1, dictionary, &[0; 64]));
    assert_eq!(
        text("{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }"),
        "x.npy cannot be read as NPY: unsupported dtype `<c16`; convert the array with `.astype('f8')`"
    );
    assert_eq!(
        text("{'descr': '<\nf8', 'fortran_order': False, 'shape': (2,), }"),
        "x.npy cannot be read as NPY: unsupported dtype `<\\nf8`; convert the array with `.astype('f8')`"
    );
    assert_eq!(
        text("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 2), }"),
        "x.npy cannot be read as NPY: the array has 3 dimensions, but a table has 1 or 2; save it with `.reshape(rows, -1)`"
    );
    assert_eq!(
        text("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"),
        "x.npy cannot be read as NPY: structured dtypes are not supported; save a plain numeric array"
    );
    assert_eq!(
        message(b"\x93NUMPY\x09\x00"),
        "x.npy cannot be read as NPY: unsupported version 9; supported versions: 1 to 3"
    );
    assert_eq!(
        message(b"hello"),
        "x.npy cannot be read as NPY: the NPY signature is missing; save the array with `numpy.save`"
    );
    assert_eq!(
        text("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2), }"),
        "x.npy contains no rows; at least one is required"
    );
}

#[test]
fn the_header_is_parsed_in_any_order_and_spacing() {
    let header = Header::parse(b"{'shape':(4 , 2),'fortran_order':True,'descr':'>u4'}").unwrap();
    assert_eq!((header.rows, header.columns, header.fortran_order, header.big_endian), (4, 2, true, true));
    assert_eq!((header.kind, header.item_size), (DtypeKind::Unsigned, 4));
}

proptest! {
    #[test]
    fn written_tables_are_read_back_bit_identically(values in proptest::collection::vec(any::<f64>(), 1..60), single: bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        let table = if single {
            Table::unnamed(1, values.iter().map(|x| *x as f32).collect::<Vec<f32>>()).unwrap()
        } else {
            Table::unnamed(1, values).unwrap()
        };
        table.write(&path).unwrap();
        let back = Table::read(&path).unwrap();
        prop_assert_eq!(back.precision(), table.precision());
        for (a, b) in back.to_f64().iter().zip(table.to_f64().iter()) {
            prop_assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
        }
    }

    #[test]
    fn a_damaged_file_never_panics(
        changes in proptest::collection::vec((0usize..200, any::<u8>()), 0..4), end in 0usize..200, gather: bool,
    ) {
        let order = if gather { "True" } else { "False" };
        let mut bytes = golden(V1, &format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': (3, 3), }}"), &[7; 72]);
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes.truncate(end);
        let (_folder, path) = file(&bytes);
        let _ = ReadTable::new().format(Format::Npy).read(&path);
        if let Ok(mut reader) = ReadTable::new().format(Format::Npy).open(&path) {
            while let Ok(Some(_)) = reader.next(2) {}
        }
    }
}

#[test]
fn an_array_with_too_many_columns_is_rejected_before_memory_is_allocated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let header = golden(V1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 100000000), }", b"");
    std::fs::write(&path, &header).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(header.len() as u64 + 200_000_000).unwrap(); // a sparse file
    let text = Table::read(&path).unwrap_err().to_string();
    assert!(
        text.ends_with(
            "the array has 100000000 columns, but a table has at most 1000000; save its transpose with `.T`"
        ),
        "{text}"
    );
}
