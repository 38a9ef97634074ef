//! The CUDA driver: detection, errors and context binding.

mod bind;
mod detect;
mod error;

pub(in crate::device::cuda) use bind::bind;
pub(in crate::device::cuda) use detect::version;
pub(crate) use detect::{Gpu, count, gpu};
pub(in crate::device::cuda) use error::WhileDoing;
