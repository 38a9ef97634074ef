//! Detection of the CUDA driver and its GPUs, without panics if there is none.

use super::error::{WhileDoing, reason};
use crate::device::error::{DeviceError, Result};
use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::{result, sys};

/// Minimum CUDA version of the driver.
const OLDEST: (i32, i32) = (12, 0);

/// Properties of a GPU.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) name: String,
    pub(crate) memory: u64,
    pub capability: (i32, i32),
    pub multiprocessors: u32,
    /// Maximum number of bytes of shared memory per block.
    pub(crate) shared_per_block: i32,
}

/// CUDA version of the driver.
///
/// # Errors
/// [`DeviceError::NoDriver`], [`DeviceError::OldDriver`].
pub(crate) fn version() -> Result<(i32, i32)> {
    // SAFETY: it loads the driver library by name, which runs only its initializers. All other calls of cudarc panic if
    // the library is absent, so this check comes before any of them.
    if !unsafe { sys::is_culib_present() } {
        return Err(DeviceError::NoDriver);
    }
    let mut packed = 0;
    // SAFETY: the library is present and the function writes one int.
    unsafe { sys::cuDriverGetVersion(&mut packed) }.result().while_doing("querying the driver version")?;
    let found = (packed / 1000, packed % 1000 / 10);
    if found < OLDEST {
        return Err(DeviceError::OldDriver { found, needed: OLDEST });
    }
    Ok(found)
}

/// Number of GPUs, at least one.
///
/// # Errors
/// Those of [`version`], and [`DeviceError::NoGpu`].
pub(crate) fn count() -> Result<usize> {
    version()?;
    let no_gpu = |failure| DeviceError::NoGpu { reason: reason(failure) };
    result::init().map_err(no_gpu)?;
    match result::device::get_count().map_err(no_gpu)? {
        count if count > 0 => Ok(count as usize),
        _ => Err(DeviceError::NoGpu { reason: "the driver lists none".into() }),
    }
}

/// Properties of the GPU with the given index.
///
/// # Errors
/// Those of [`count`], and [`DeviceError::NoSuchGpu`].
pub(crate) fn gpu(index: usize) -> Result<Gpu> {
    let count = count()?;
    if index >= count {
        return Err(DeviceError::NoSuchGpu { index, count });
    }
    const DOING: &str = "reading the GPU's properties";
    let device = result::device::get(index as i32).while_doing(DOING)?;
    // SAFETY: `device` was just returned by the driver.
    let attribute = |which| unsafe { result::device::get_attribute(device, which) }.while_doing(DOING);
    Ok(Gpu {
        name: result::device::get_name(device).while_doing(DOING)?,
        // SAFETY: as above.
        memory: unsafe { result::device::total_mem(device) }.while_doing(DOING)? as u64,
        capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
        shared_per_block: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
    })
}
