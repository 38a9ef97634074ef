//! Window operators on images.

use crate::cuda::{CudaArray, CudaFrames};
use crate::device::Device;
use crate::error::exception;
use crate::rows::array;
use crate::run::run;
use crate::system::System;
use fuzzion::data::Pixels;
use fuzzion::inference::image::{Border, Operator, invert, thin};
use fuzzion::{Error, Images, Result};
use numpy::{PyReadonlyArray4, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Frames × height × width × channels.
#[derive(FromPyObject)]
pub(crate) enum Frames<'py> {
    U8(PyReadonlyArray4<'py, u8>),
    U16(PyReadonlyArray4<'py, u16>),
}

impl Frames<'_> {
    fn images(&self) -> PyResult<Images> {
        let (shape, pixels) = match self {
            Frames::U8(frames) => (frames.shape(), Pixels::U8(frames.as_slice()?.to_vec())),
            Frames::U16(frames) => (frames.shape(), Pixels::U16(frames.as_slice()?.to_vec())),
        };
        Images::new(shape[2], shape[1], shape[3], pixels).map_err(exception)
    }
}

/// Applies the FIRE edge detector.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keyword arguments in Python
pub(crate) fn apply_edges<'py>(
    py: Python<'py>,
    frames: Frames<'_>,
    device: &Device,
    threshold: f64,
    spread: f64,
    border: &str,
    thin_lines: bool,
    invert_result: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let images = frames.images()?;
    let work = |device: &fuzzion::Device| -> Result<Images> {
        let operator = Operator::edges(threshold, spread)?.border(border.parse::<Border>()?);
        let mut edges = operator.apply(&images, device)?;
        if thin_lines {
            device.host_cpu().run(|| thin(&mut edges));
        }
        if invert_result {
            invert(&mut edges);
        }
        Ok(edges)
    };
    frames_array(py, run::<_, Error>(py, device, None, work)?)
}

/// Applies a system to the window around each pixel.
#[pyfunction]
pub(crate) fn apply_window<'py>(
    py: Python<'py>,
    system: &System,
    frames: Frames<'_>,
    device: &Device,
    border: &str,
    per_channel: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let images = frames.images()?;
    let work = |device: &fuzzion::Device| -> Result<Images> {
        let (system, dialect) = system.type1_system()?;
        let operator = Operator::new(system, dialect)?.border(border.parse::<Border>()?);
        Ok(operator.per_channel(per_channel).apply(&images, device)?)
    };
    frames_array(py, run::<_, Error>(py, device, None, work)?)
}

/// Like `apply_edges`, in the memory of the device, without thinning and inversion.
#[pyfunction]
pub(crate) fn apply_edges_on_device(
    py: Python<'_>,
    frames: CudaFrames,
    device: &Device,
    threshold: f64,
    spread: f64,
    border: &str,
) -> PyResult<CudaArray> {
    on_device(py, &frames, device, border, || Ok(Operator::edges(threshold, spread)?))
}

/// Like `apply_window`, in the memory of the device.
#[pyfunction]
pub(crate) fn apply_window_on_device(
    py: Python<'_>,
    system: &System,
    frames: CudaFrames,
    device: &Device,
    border: &str,
    per_channel: bool,
) -> PyResult<CudaArray> {
    on_device(py, &frames, device, border, || {
        let (system, dialect) = system.type1_system()?;
        Ok(Operator::new(system, dialect)?.per_channel(per_channel))
    })
}

fn on_device(
    py: Python<'_>,
    frames: &CudaFrames,
    device: &Device,
    border: &str,
    operator: impl FnOnce() -> Result<Operator> + Send,
) -> PyResult<CudaArray> {
    let work = |device: &fuzzion::Device| -> Result<CudaArray> {
        let operator = operator()?.border(border.parse::<Border>()?);
        CudaArray::from_images(&operator.apply(&frames.open(device)?, device)?)
    };
    run::<_, Error>(py, device, None, work)
}

fn frames_array(py: Python<'_>, images: Images) -> PyResult<Bound<'_, PyAny>> {
    let shape = [images.frames(), images.height(), images.width(), images.channels()];
    Ok(match images.into_pixels() {
        Pixels::U8(pixels) => array(py, &shape, pixels)?.into_any(),
        Pixels::U16(pixels) => array(py, &shape, pixels)?.into_any(),
    })
}
