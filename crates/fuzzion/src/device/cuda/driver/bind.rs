//! Binding of the GPU context to a thread.

use super::error::WhileDoing;
use crate::device::error::Result;
use cudarc::driver::{CudaContext, result};

/// Makes the GPU context current on this thread.
pub(in crate::device::cuda) fn bind(context: &CudaContext) -> Result<()> {
    // cudarc's own method is not used because it also returns errors that drops stored on other threads.
    // SAFETY: the context is alive while `CudaContext` is.
    unsafe { result::ctx::set_current(context.cu_ctx()) }.while_doing("selecting the GPU")
}
