//! The memory pool of the stream-ordered allocator.

use crate::device::cuda::driver::WhileDoing;
use crate::device::error::Result;
use cudarc::driver::{CudaContext, result, sys};

/// Keeps freed memory in the pool instead of releasing it at every synchronization.
pub(in crate::device::cuda) fn keep_freed_memory(context: &CudaContext) -> Result<()> {
    if let Some(pool) = pool(context)? {
        let mut threshold = u64::MAX;
        let threshold: *mut u64 = &mut threshold;
        // SAFETY: the pool is the device's default pool, and this attribute is read as one u64.
        unsafe {
            sys::cuMemPoolSetAttribute(
                pool,
                sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                threshold.cast(),
            )
        }
        .result()
        .while_doing("setting up the memory pool")?;
    }
    Ok(())
}

/// The default pool of the device; `None` if the GPU has no stream-ordered allocator.
fn pool(context: &CudaContext) -> Result<Option<sys::CUmemoryPool>> {
    if !context.has_async_alloc() {
        return Ok(None);
    }
    // SAFETY: the device of the context is valid.
    let pool = unsafe { result::device::get_default_mem_pool(context.cu_device()) };
    pool.map(Some).while_doing("querying the memory pool")
}

/// Memory of the pool in bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct PoolUsage {
    pub(super) used: u64,
    pub(super) unused: u64,
}

pub(super) fn usage(context: &CudaContext) -> Result<PoolUsage> {
    let Some(pool) = pool(context)? else { return Ok(PoolUsage::default()) };
    let amount = |which| {
        let mut bytes = 0u64;
        let out: *mut u64 = &mut bytes;
        // SAFETY: these attributes are written as one u64.
        let status = unsafe { sys::cuMemPoolGetAttribute(pool, which, out.cast()) };
        status.result().while_doing("querying the memory pool").map(|()| bytes)
    };
    let reserved = amount(sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
    let used = amount(sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
    // Other threads may allocate between the two queries.
    Ok(PoolUsage { used, unused: reserved.saturating_sub(used) })
}
