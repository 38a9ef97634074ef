//! Memory between guard zones.

use crate::base::count;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::sync::LazyLock;

/// Size in bytes of the guard zones before and after each array; a multiple of the alignment.
const GUARD: usize = 16 * 1024;

/// Alignment of cudaMalloc, sufficient for the widest vector load.
const ALIGNMENT: usize = 256;

/// Same as POISON in fibers.h: a NaN as float and as double.
const POISON: [u8; 4] = 0xFFF5_A3C7_u32.to_le_bytes();

/// An intact guard zone, from any position in the pattern.
static PATTERN: LazyLock<Vec<u8>> = LazyLock::new(|| POISON.repeat(GUARD / POISON.len() + 1));

/// An array between guard zones; the array and the zones initially read as NaN.
pub(crate) struct GuardedMemory {
    /// First byte of the zone before the array.
    block: *mut u8,
    len: usize,
}

// SAFETY: an owned allocation of plain bytes; whoever shares the array synchronizes its accesses, as on a GPU.
unsafe impl Send for GuardedMemory {}
// SAFETY: as above.
unsafe impl Sync for GuardedMemory {}

impl GuardedMemory {
    pub(crate) fn new(len: usize) -> Self {
        let layout = Self::layout(len);
        // SAFETY: the layout has at least the size of two guard zones; every byte of it is written below.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            handle_alloc_error(layout);
        }
        for at in (0..layout.size()).step_by(GUARD) {
            let bytes = GUARD.min(layout.size() - at);
            // SAFETY: the part is inside the block, and the pattern is longer than a guard zone.
            unsafe { block.add(at).copy_from_nonoverlapping(PATTERN.as_ptr(), bytes) };
        }
        GuardedMemory { block, len }
    }

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len + 2 * GUARD, ALIGNMENT).expect("invariant: the length was checked before")
    }

    /// Number of bytes of the array.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Address of the array.
    pub(crate) fn start(&self) -> *mut u8 {
        // SAFETY: the block starts with a guard zone.
        unsafe { self.block.add(GUARD) }
    }

    fn bytes(&self, at: usize, len: usize) -> &[u8] {
        assert!(at + len <= self.len + 2 * GUARD);
        // SAFETY: inside the block, whose bytes are all initialized; see the `Sync` implementation for other accesses.
        unsafe { std::slice::from_raw_parts(self.block.add(at), len) }
    }

    /// The current content of the array.
    pub(super) fn values(&self) -> &[u8] {
        self.bytes(GUARD, self.len)
    }

    /// Copies `values` to the array, starting at byte `first`.
    pub(crate) fn write(&self, first: usize, values: &[u8]) {
        assert!(first + values.len() <= self.len);
        // SAFETY: the bytes are inside the array; see the `Sync` implementation for other accesses.
        unsafe { self.start().add(first).copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }

    /// Copies the array to `values`, starting at byte `first`.
    pub(crate) fn read(&self, first: usize, values: &mut [u8]) {
        values.copy_from_slice(&self.values()[first..first + values.len()]);
    }

    /// Sets every byte of the array to zero.
    pub(crate) fn clear(&self) {
        // SAFETY: the bytes are inside the array; see the `Sync` implementation for other accesses.
        unsafe { self.start().write_bytes(0, self.len) };
    }

    /// Describes a write outside the array, if there was one.
    pub(super) fn violation(&self) -> Option<String> {
        let before = self.bytes(0, GUARD);
        if *before != PATTERN[..GUARD] {
            let at = (0..GUARD).rev().find(|at| before[*at] != PATTERN[*at])?;
            return Some(format!("was written {} before its start", count(&(GUARD - at), "bytes")));
        }
        let (after, pattern) = (self.bytes(GUARD + self.len, GUARD), &PATTERN[self.len % POISON.len()..]);
        if *after != pattern[..GUARD] {
            let at = (0..GUARD).find(|at| after[*at] != pattern[*at])?;
            return Some(format!("was written {} after its end", count(&(at + 1), "bytes")));
        }
        None
    }
}

impl Drop for GuardedMemory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.block, Self::layout(self.len)) };
    }
}
