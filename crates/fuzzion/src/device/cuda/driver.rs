//! Is there a driver, is it new enough, and which GPUs does it show? Asking never panics and never prints.

use super::failure::{While, reason};
use crate::error::{Error, Result};
use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::{result, sys};

/// The oldest driver whose functions we call.
const OLDEST: (i32, i32) = (12, 0);

/// What the driver tells of one GPU.
#[derive(Clone, Debug)]
pub(crate) struct Gpu {
    pub(crate) name: String,
    pub(crate) memory: u64,
    pub(crate) capability: (i32, i32),
    pub(crate) multiprocessors: u32,
    /// Bytes of shared memory that one block can have.
    pub(crate) shared_per_block: i32,
}

/// The CUDA version the driver supports.
///
/// # Errors
/// [`Error::NoDriver`], [`Error::OldDriver`], [`Error::NoGpu`] when the driver cannot start.
pub(crate) fn version() -> Result<(i32, i32)> {
    // SAFETY: it opens the driver library by name and runs nothing of it but its own initialisers. Any other
    // call of cudarc would panic where the library is absent, so this is the one gate to all of them.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    let mut packed = 0;
    // SAFETY: the library is present and the function writes one int.
    unsafe { sys::cuDriverGetVersion(&mut packed) }.result().while_("asking the driver's version")?;
    let found = (packed / 1000, packed % 1000 / 10);
    if found < OLDEST {
        return Err(Error::OldDriver { found, needed: OLDEST });
    }
    Ok(found)
}

/// How many GPUs the driver shows; at least one.
///
/// # Errors
/// As [`version`], and [`Error::NoGpu`] where there is none.
pub(crate) fn count() -> Result<usize> {
    version()?;
    let no_gpu = |failure| Error::NoGpu { reason: reason(failure) };
    result::init().map_err(no_gpu)?;
    match result::device::get_count().map_err(no_gpu)? {
        0 => Err(Error::NoGpu { reason: "it lists none".into() }),
        count => Ok(count as usize),
    }
}

/// The GPU numbered `index`.
///
/// # Errors
/// As [`count`], and [`Error::NoSuchGpu`].
pub(crate) fn gpu(index: usize) -> Result<Gpu> {
    let count = count()?;
    if index >= count {
        return Err(Error::NoSuchGpu { index, count });
    }
    const DOING: &str = "reading the GPU's properties";
    let device = result::device::get(index as i32).while_(DOING)?;
    // SAFETY: `device` was just returned by the driver.
    let attribute = |which| unsafe { result::device::get_attribute(device, which) }.while_(DOING);
    Ok(Gpu {
        name: result::device::get_name(device).while_(DOING)?,
        // SAFETY: as above.
        memory: unsafe { result::device::total_mem(device) }.while_(DOING)? as u64,
        capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
        shared_per_block: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
    })
}
