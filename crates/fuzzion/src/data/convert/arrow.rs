//! Record batches of Apache Arrow.

use crate::data::error::{DataError, Result};
use crate::data::tables::{Labels, Scalar, Table};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

/// Rows per block of the transposition, so that a block of several columns stays in the cache.
const BLOCK: usize = 1 << 10;

/// Copies the columns of a record batch, which stores them column by column: floating-point numbers, integers and
/// Booleans (0 or 1) become numeric columns, and text becomes label columns. Null is a missing value.
/// The precision is single if all numeric columns are `Float16` or `Float32`, otherwise double.
///
/// ```
/// use arrow_array::{Float64Array, RecordBatch, StringArray};
/// use fuzzion::Table;
/// use std::sync::Arc;
/// let batch = RecordBatch::try_from_iter([
///     ("height", Arc::new(Float64Array::from(vec![Some(12.5), None])) as _),
///     ("kind", Arc::new(StringArray::from(vec!["oak", "elm"])) as _),
/// ]).unwrap();
/// let table = Table::try_from(&batch)?;
/// assert_eq!(table.names(), ["height"]);
/// assert!(table.get(1, 0).unwrap().is_nan());
/// assert_eq!(table.label("kind")?.get(0), Some("oak"));
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DataError::ColumnType`] for a column of another type.
impl TryFrom<&RecordBatch> for Table {
    type Error = DataError;

    fn try_from(batch: &RecordBatch) -> Result<Self> {
        let single = |column: &&ArrayRef| match column.data_type() {
            DataType::Float16 | DataType::Float32 => Some(true),
            data_type if data_type.is_numeric() => Some(false),
            _ => None,
        };
        let singles: Vec<bool> = batch.columns().iter().filter_map(|column| single(&column)).collect();
        match !singles.is_empty() && singles.iter().all(|single| *single) {
            true => convert::<f32>(batch),
            false => convert::<f64>(batch),
        }
    }
}

fn convert<T: Scalar>(batch: &RecordBatch) -> Result<Table> {
    let (schema, rows) = (batch.schema_ref(), batch.num_rows());
    let (mut names, mut columns, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        let name = field.name().clone();
        if let Some(texts) = texts(column) {
            let mut label = Labels::empty(name, names.len());
            texts.into_iter().for_each(|text| label.push(text));
            labels.push(label);
        } else if let Some(values) = numbers::<T>(column) {
            names.push(name);
            columns.push(values);
        } else {
            return Err(DataError::ColumnType { name, found: column.data_type().to_string() });
        }
    }
    let width = names.len();
    let mut values = vec![T::MISSING; rows * width];
    for (block, out) in values.chunks_mut((BLOCK * width).max(1)).enumerate() {
        for (i, column) in columns.iter().enumerate() {
            let column = &column[block * BLOCK..];
            out[i..].iter_mut().step_by(width).zip(column).for_each(|(out, value)| *out = *value);
        }
    }
    Ok(Table::from_parts(names, rows, values, labels))
}

/// The texts of a column of text; null is empty.
fn texts(column: &ArrayRef) -> Option<Vec<&str>> {
    fn collect<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Vec<&'a str> {
        texts.map(Option::unwrap_or_default).collect()
    }
    match column.data_type() {
        DataType::Utf8 => Some(collect(column.as_string::<i32>().iter())),
        DataType::LargeUtf8 => Some(collect(column.as_string::<i64>().iter())),
        DataType::Utf8View => Some(collect(column.as_string_view().iter())),
        _ => None,
    }
}

/// The numbers of a numeric column; null is NaN.
fn numbers<T: Scalar>(column: &ArrayRef) -> Option<Vec<T>> {
    fn collect<T: Scalar, A: ArrowPrimitiveType>(
        column: &ArrayRef,
        number: impl Fn(A::Native) -> f64,
    ) -> Vec<T> {
        let values = column.as_primitive::<A>().iter();
        values.map(|value| value.map_or(T::MISSING, |value| T::from_f64(number(value)))).collect()
    }
    Some(match column.data_type() {
        DataType::Float64 => collect::<T, Float64Type>(column, |x| x),
        DataType::Float32 => collect::<T, Float32Type>(column, f64::from),
        DataType::Float16 => collect::<T, Float16Type>(column, f64::from),
        DataType::Int8 => collect::<T, Int8Type>(column, f64::from),
        DataType::Int16 => collect::<T, Int16Type>(column, f64::from),
        DataType::Int32 => collect::<T, Int32Type>(column, f64::from),
        DataType::Int64 => collect::<T, Int64Type>(column, |x| x as f64),
        DataType::UInt8 => collect::<T, UInt8Type>(column, f64::from),
        DataType::UInt16 => collect::<T, UInt16Type>(column, f64::from),
        DataType::UInt32 => collect::<T, UInt32Type>(column, f64::from),
        DataType::UInt64 => collect::<T, UInt64Type>(column, |x| x as f64),
        DataType::Boolean => {
            let values = column.as_boolean().iter();
            values.map(|value| value.map_or(T::MISSING, |value| T::from_f64(f64::from(value)))).collect()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Precision;
    use arrow_array::{BooleanArray, Date32Array, Float32Array, Int64Array, StringViewArray, UInt8Array};
    use std::sync::Arc;

    #[test]
    fn columns_of_every_supported_type_are_converted() {
        let rows = BLOCK + 3;
        let batch = RecordBatch::try_from_iter([
            (
                "i",
                Arc::new((0..rows as i64).map(|i| (i != 4).then_some(-i)).collect::<Int64Array>())
                    as ArrayRef,
            ),
            (
                "kind",
                Arc::new(StringViewArray::from_iter((0..rows).map(|i| (i != 2).then(|| format!("k{i}"))))),
            ),
            ("b", Arc::new((0..rows).map(|i| Some(i % 3 == 0)).collect::<BooleanArray>())),
            ("u", Arc::new((0..rows).map(|i| Some((i % 256) as u8)).collect::<UInt8Array>())),
        ]);
        let table = Table::try_from(&batch.unwrap()).unwrap();
        assert_eq!(
            (table.names(), table.precision()),
            (&["i", "b", "u"].map(str::to_owned)[..], Precision::F64)
        );
        for row in 0..rows {
            let i = table.get(row, 0).unwrap();
            assert!(if row == 4 { i.is_nan() } else { i == -(row as f64) });
            assert_eq!(table.get(row, 1), Some(f64::from(u8::from(row % 3 == 0))));
            assert_eq!(table.get(row, 2), Some((row % 256) as f64));
            let expected = (row != 2).then(|| format!("k{row}"));
            assert_eq!(table.label("kind").unwrap().get(row), expected.as_deref());
        }
    }

    #[test]
    fn single_precision_is_kept_and_other_types_are_rejected() {
        let x = || Arc::new(Float32Array::from(vec![0.1f32, 0.2])) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("x", x())]).unwrap();
        let table = Table::try_from(&batch).unwrap();
        assert_eq!(table, Table::new(["x"], vec![0.1f32, 0.2]).unwrap());
        let day = Arc::new(Date32Array::from(vec![1, 2])) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("x", x()), ("day", day)]).unwrap();
        assert_eq!(
            Table::try_from(&batch).unwrap_err().to_string(),
            "column `day` has the type Date32, which is neither a number nor text; convert it, or leave it out"
        );
        // Only text, and no rows.
        let kind = Arc::new(StringViewArray::from(Vec::<&str>::new())) as ArrayRef;
        let table = Table::try_from(&RecordBatch::try_from_iter([("kind", kind)]).unwrap()).unwrap();
        assert_eq!((table.rows(), table.columns(), table.labels().len()), (0, 0, 1));
    }
}
