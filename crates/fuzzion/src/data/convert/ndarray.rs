//! Arrays of the crate `ndarray`.

use crate::data::error::{DataError, Result};
use crate::data::tables::{Samples, Scalar, Table, Values};
use ndarray::{Array2, ArrayView2};

/// Borrows the array, whose rows are samples, without a copy.
///
/// ```
/// use fuzzion::{Device, Samples, clustering::FuzzyCMeans};
/// let array = ndarray::array![[0.0, 0.1], [0.2, 0.0], [9.0, 9.1]];
/// let partition = FuzzyCMeans::new(2).fit(Samples::try_from(array.view())?, &Device::cpu()?)?;
/// assert_eq!(partition.clusters(), 2);
/// assert!(Samples::try_from(array.t()).is_err()); // stored column by column
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DataError::NotRowMajor`], and [`DataError::TableShape`] if there is no column.
impl<'a, T: Scalar> TryFrom<ArrayView2<'a, T>> for Samples<'a>
where
    Values<'a>: From<&'a [T]>,
{
    type Error = DataError;

    fn try_from(array: ArrayView2<'a, T>) -> Result<Self> {
        let values = array.to_slice().ok_or(DataError::NotRowMajor)?;
        Samples::new(array.ncols(), values)
    }
}

/// Copies the array, whose rows are samples, from any layout.
///
/// ```
/// use fuzzion::Table;
/// let array = ndarray::array![[1.0f32, 2.0], [3.0, 4.0]];
/// assert_eq!(Table::try_from(array.t())?.column("c1")?, [1.0, 2.0]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`DataError::TableShape`] if there is no column.
impl<T: Scalar> TryFrom<ArrayView2<'_, T>> for Table {
    type Error = DataError;

    fn try_from(array: ArrayView2<'_, T>) -> Result<Self> {
        Table::unnamed(array.ncols(), array.iter().copied().collect::<Vec<T>>())
    }
}

/// Takes the values of an array in row-major order, or copies those of another layout.
///
/// # Errors
/// [`DataError::TableShape`] if there is no column.
impl<T: Scalar> TryFrom<Array2<T>> for Table {
    type Error = DataError;

    fn try_from(array: Array2<T>) -> Result<Self> {
        let (columns, len) = (array.ncols(), array.len());
        if !array.is_standard_layout() {
            return Table::try_from(array.view());
        }
        // The allocation may contain other values before and after those of the array.
        let (mut values, first) = array.into_raw_vec_and_offset();
        values.drain(..first.unwrap_or(0));
        values.truncate(len);
        Table::unnamed(columns, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array, s};

    #[test]
    fn row_major_arrays_are_borrowed_and_others_rejected() {
        let array = array![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let samples = Samples::try_from(array.view()).unwrap();
        assert_eq!(samples.values(), Values::F32(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        let Values::F32(values) = samples.values() else { panic!("single precision") };
        assert_eq!(values.as_ptr(), array.as_ptr());
        let rows = array.slice(s![1.., ..]);
        assert_eq!(Samples::try_from(rows).unwrap().values(), Values::F32(&[4.0, 5.0, 6.0]));
        for view in [array.t(), array.slice(s![.., 1..]), array.slice(s![..;-1, ..])] {
            let error = Samples::try_from(view).unwrap_err();
            assert!(matches!(error, DataError::NotRowMajor), "{error}");
        }
        assert!(Samples::try_from(Array2::<f64>::zeros((3, 0)).view()).is_err());
    }

    #[test]
    fn arrays_of_any_layout_become_tables() {
        let array = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let transposed = Table::unnamed(2, vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap();
        assert_eq!(Table::try_from(array.t()).unwrap(), transposed);
        assert_eq!(Table::try_from(array.clone().reversed_axes()).unwrap(), transposed);
        let rows = [(1..2, vec![4.0, 5.0, 6.0]), (0..1, vec![1.0, 2.0, 3.0]), (0..0, Vec::new())];
        for (range, values) in rows {
            let part = array.clone().slice_move(s![range, ..]);
            assert_eq!(Table::try_from(part).unwrap(), Table::unnamed(3, values).unwrap());
        }
    }
}
