//! Sizes of blocks of rows.

/// Maximum number of rows of a block.
pub(crate) const MAX_BLOCK: usize = 512;
/// Blocks are padded to a multiple of the widest SIMD vector.
pub(crate) const PADDING: usize = 16;
