//! Fuzzy numbers and arrays of them.

use crate::device::Device;
use crate::encoding::{Encoded, Encoding, each, encode};
use crate::error::exception;
use crate::rows::array;
use crate::run::run;
use fuzzion::arithmetic::{DeviceOrder, Distance, LuArray, MrArray, NumberDefuzzifier, Real, Relation};
use fuzzion::{Error, Result};
use numpy::{PyArrayDyn, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Number of bounds up to which an operation is finished before it could be interrupted.
pub(crate) const SHORT: usize = 1 << 16;

/// An array of fuzzy numbers in one of the encodings and precisions, in the memory of a device.
#[pyclass(frozen, module = "fuzzion._fuzzion")]
pub(crate) struct FuzzyNumbers(pub(crate) Encoded);

/// Runs `work` on `bounds` bounds without the interpreter lock.
fn compute<T: Send>(
    py: Python<'_>,
    device: &Device,
    bounds: usize,
    work: impl FnOnce(&fuzzion::Device) -> Result<T> + Send,
) -> PyResult<T> {
    match bounds <= SHORT {
        true => py.detach(|| work(&device.0)).map_err(exception),
        false => run(py, device, None, work),
    }
}

/// The rows of a contiguous array with K columns.
fn rows<const K: usize>(parameters: &[f64]) -> &[[f64; K]] {
    parameters.as_chunks::<K>().0
}

impl FuzzyNumbers {
    fn len(&self) -> usize {
        each!(&self.0, array => array.len())
    }

    /// Number of bounds, a measure of the work of an operation.
    pub(crate) fn bounds(&self) -> usize {
        2 * self.len() * each!(&self.0, array => array.cuts())
    }

    /// Bounds in double precision, in host memory.
    fn lu(&self) -> Result<LuArray<f64>> {
        fn widened<T: fuzzion::arithmetic::Element>(lu: &LuArray<T>) -> Result<LuArray<f64>> {
            let cuts: Vec<[f64; 2]> = lu.to_cuts().into_iter().map(|cut| cut.map(Real::to_f64)).collect();
            Ok(LuArray::from_cuts(lu.cuts(), &cuts)?)
        }
        match &self.0 {
            Encoded::LuF64(array) => Ok(array.to_host()?),
            Encoded::LuF32(array) => widened(&array.to_host()?),
            Encoded::MrF32(array) => widened(&LuArray::from_mr(&array.to_host()?)),
            Encoded::MrF64(array) => Ok(LuArray::from_mr(&array.to_host()?)),
            Encoded::MrMixed(array) => Ok(LuArray::from_mr(&array.to_host()?)),
        }
    }
}

#[pymethods]
impl FuzzyNumbers {
    /// Parses fuzzy numbers such as `tri(1, 2, 3)`.
    #[staticmethod]
    fn parse(
        py: Python<'_>,
        texts: Vec<String>,
        cuts: usize,
        encoding: &str,
        precision: &str,
        device: &Device,
    ) -> PyResult<Self> {
        let parse = |device: &fuzzion::Device| -> Result<Encoded> {
            Ok(match (encoding, precision) {
                ("lu", "f32") => LuArray::<f32>::parse(cuts, &texts)?.into_device(device)?.into(),
                ("lu", _) => LuArray::<f64>::parse(cuts, &texts)?.into_device(device)?.into(),
                (_, "f32") => MrArray::<f32>::parse(cuts, &texts)?.into_device(device)?.into(),
                (_, "mixed") => MrArray::<f64, f32>::parse(cuts, &texts)?.into_device(device)?.into(),
                _ => MrArray::<f64>::parse(cuts, &texts)?.into_device(device)?.into(),
            })
        };
        compute(py, device, 2 * cuts * texts.len(), parse).map(FuzzyNumbers)
    }

    /// Numbers with these bounds, numbers × cuts × 2.
    #[staticmethod]
    fn from_cuts(
        py: Python<'_>,
        bounds: PyReadonlyArray3<'_, f64>,
        encoding: &str,
        precision: &str,
        device: &Device,
    ) -> PyResult<Self> {
        let (cuts, bounds) = (bounds.shape()[1], bounds.as_slice()?);
        let create = |device: &fuzzion::Device| {
            encode(LuArray::from_cuts(cuts, rows(bounds))?, encoding, precision, device)
        };
        compute(py, device, bounds.len(), create).map(FuzzyNumbers)
    }

    /// Crisp numbers.
    #[staticmethod]
    fn crisp(
        py: Python<'_>,
        values: PyReadonlyArray1<'_, f64>,
        cuts: usize,
        encoding: &str,
        precision: &str,
        device: &Device,
    ) -> PyResult<Self> {
        let values = values.as_slice()?;
        let create =
            |device: &fuzzion::Device| encode(LuArray::crisp(cuts, values)?, encoding, precision, device);
        compute(py, device, 2 * cuts * values.len(), create).map(FuzzyNumbers)
    }

    /// Numbers of a shape, with one row of parameters each: `tri`, `trap`, `gauss`, `bell`; or a single number through
    /// points, `points`.
    #[staticmethod]
    fn shape(
        py: Python<'_>,
        shape: &str,
        parameters: PyReadonlyArray2<'_, f64>,
        cuts: usize,
        encoding: &str,
        precision: &str,
        device: &Device,
    ) -> PyResult<Self> {
        let parameters = parameters.as_slice()?;
        let create = |device: &fuzzion::Device| {
            let lu = match shape {
                "tri" => LuArray::triangular(cuts, rows(parameters)),
                "trap" => LuArray::trapezoidal(cuts, rows(parameters)),
                "gauss" => LuArray::gaussian(cuts, rows(parameters)),
                "bell" => LuArray::bell(cuts, rows(parameters)),
                _ => {
                    let points: Vec<(f64, f64)> = rows(parameters).iter().map(|[x, y]| (*x, *y)).collect();
                    LuArray::piecewise(cuts, &points)
                }
            };
            encode(lu?, encoding, precision, device)
        };
        compute(py, device, cuts * parameters.len(), create).map(FuzzyNumbers)
    }

    /// An L-R number; the reference functions have the names of the library.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // keyword arguments in Python
    fn left_right(
        core: [f64; 2],
        spreads: [f64; 2],
        references: [String; 2],
        cuts: usize,
        encoding: &str,
        precision: &str,
        device: &Device,
    ) -> PyResult<Self> {
        let reference = |name: &String| {
            serde_json::from_value(name.as_str().into()).map_err(|_| {
                let expected = "`linear`, `quadratic`, `exponential` or `gaussian`";
                PyValueError::new_err(format!("unknown reference function `{name}`; expected {expected}"))
            })
        };
        let references = [reference(&references[0])?, reference(&references[1])?];
        let lu = LuArray::left_right(cuts, core, spreads, references).map_err(exception)?;
        encode(lu, encoding, precision, &device.0).map(FuzzyNumbers).map_err(exception)
    }

    /// The same numbers in another encoding, precision or memory.
    fn to(&self, py: Python<'_>, encoding: &str, precision: &str, device: &Device) -> PyResult<Self> {
        let convert = |device: &fuzzion::Device| {
            let same = (self.encoding(), self.precision()) == (encoding, precision);
            match same {
                true => Ok(each!(&self.0, array => array.to_host()?.into_device(device)?.into())),
                false => encode(self.lu()?, encoding, precision, device),
            }
        };
        compute(py, device, self.bounds(), convert).map(FuzzyNumbers)
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    /// Number of cuts.
    #[getter]
    fn n_cuts(&self) -> usize {
        each!(&self.0, array => array.cuts())
    }

    /// `lu` or `mr`.
    #[getter]
    fn encoding(&self) -> &'static str {
        match &self.0 {
            Encoded::LuF32(_) | Encoded::LuF64(_) => "lu",
            _ => "mr",
        }
    }

    /// `f32`, `f64` or `mixed`.
    #[getter]
    fn precision(&self) -> &'static str {
        match &self.0 {
            Encoded::LuF32(_) | Encoded::MrF32(_) => "f32",
            Encoded::LuF64(_) | Encoded::MrF64(_) => "f64",
            Encoded::MrMixed(_) => "mixed",
        }
    }

    /// Bounds of all cuts, numbers × cuts × 2.
    fn bounds_array<'py>(&self, py: Python<'py>, device: &Device) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let bounds = compute(py, device, self.bounds(), |_| Ok(self.lu()?.to_cuts().into_flattened()))?;
        array(py, &[self.len(), self.n_cuts(), 2], bounds)
    }

    /// Texts that can be parsed again.
    fn texts(&self, py: Python<'_>, device: &Device) -> PyResult<Vec<String>> {
        compute(py, device, self.bounds(), |_| {
            Ok(each!(&self.0, array => {
                let host = array.to_host()?;
                (0..host.len()).map(|index| host.text(index)).collect()
            }))
        })
    }

    /// Sum of all numbers.
    fn sum(&self, py: Python<'_>, device: &Device) -> PyResult<Self> {
        let sum = |device: &fuzzion::Device| Ok(each!(&self.0, array => array.sum(device)?.into()));
        compute(py, device, self.bounds(), sum).map(FuzzyNumbers)
    }

    /// Dot product.
    fn dot(&self, py: Python<'_>, other: &FuzzyNumbers, device: &Device) -> PyResult<Self> {
        each!(&self.0, array => {
            let other = same_encoding(array, other)?;
            let dot = |device: &fuzzion::Device| Ok(array.dot(other, device)?.into());
            compute(py, device, self.bounds(), dot).map(FuzzyNumbers)
        })
    }

    /// The iteration c ← a·c + b.
    fn axpy(
        &self,
        py: Python<'_>,
        a: &FuzzyNumbers,
        b: &FuzzyNumbers,
        steps: usize,
        device: &Device,
    ) -> PyResult<Self> {
        each!(&self.0, array => {
            let (a, b) = (same_encoding(array, a)?, same_encoding(array, b)?);
            let bounds = self.bounds().saturating_mul(steps);
            let iterate = |device: &fuzzion::Device| Ok(array.axpy(a, b, steps, device)?.into());
            compute(py, device, bounds, iterate).map(FuzzyNumbers)
        })
    }

    /// The numbers with these indices.
    fn select(&self, py: Python<'_>, order: PyReadonlyArray1<'_, u32>, device: &Device) -> PyResult<Self> {
        let order = order.as_slice()?;
        let bounds = 2 * order.len() * self.n_cuts();
        let select = |device: &fuzzion::Device| {
            let order = DeviceOrder::new(order, device)?;
            Ok(each!(&self.0, array => array.select(&order, device)?.into()))
        };
        compute(py, device, bounds, select).map(FuzzyNumbers)
    }

    /// Indices sorted by defuzzified value.
    fn value_order<'py>(
        &self,
        py: Python<'py>,
        by: &str,
        device: &Device,
    ) -> PyResult<Bound<'py, PyArrayDyn<u32>>> {
        let order = compute(py, device, self.bounds(), |device| {
            let by: NumberDefuzzifier = by.parse()?;
            Ok(each!(&self.0, array => array.to_host()?.value_order(by, device)?))
        })?;
        array(py, &[order.len()], order)
    }

    /// Defuzzified values; NaN if cuts are unbounded.
    fn defuzzify<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        device: &Device,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let values = compute(py, device, self.bounds(), |_| {
            let method: NumberDefuzzifier = method.parse()?;
            Ok(each!(&self.0, array => array.to_host()?.defuzzify(method)))
        })?;
        array(py, &[values.len()], values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
    }

    /// Compares pairs of numbers: `possibility` or `necessity` of `<`, `<=` or `==`, or a distance.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        measure: &str,
        relation: &str,
        other: &FuzzyNumbers,
        device: &Device,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let results = compute(py, device, self.bounds().max(other.bounds()), |device| {
            let (a, b) = (self.lu()?, other.lu()?);
            let order = match relation {
                "<" => Relation::Less,
                "<=" => Relation::LessOrEqual,
                _ => Relation::Equal,
            };
            Ok::<_, Error>(match measure {
                "possibility" => a.possibility(order, &b, device)?,
                "necessity" => a.necessity(order, &b, device)?,
                _ => a.distance(&b, relation.parse::<Distance>()?, device)?,
            })
        })?;
        array(py, &[results.len()], results)
    }

    /// Memberships of values in the numbers.
    fn membership<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray1<'_, f64>,
        device: &Device,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let values = values.as_slice()?;
        let results =
            compute(py, device, self.bounds().max(values.len()), |_| Ok(self.lu()?.membership(values)?))?;
        array(py, &[results.len()], results)
    }
}

/// `other` in the encoding of `array`.
fn same_encoding<'a, A: Encoding>(_array: &A, other: &'a FuzzyNumbers) -> PyResult<&'a A> {
    A::of(other)
}
