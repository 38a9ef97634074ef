//! Reads what the assembler says about each kernel (`--ptxas-options=-v`).

/// What a kernel takes of a multiprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KernelResources {
    /// The kernel's name.
    pub(crate) kernel: String,
    /// Registers of a thread.
    pub(crate) registers: u32,
    /// Bytes of a thread's stack.
    pub(crate) stack: u32,
    /// Bytes that registers are saved to, for want of registers.
    pub(crate) spill_stores: u32,
    /// Bytes that are read back.
    pub(crate) spill_loads: u32,
    /// Bytes of shared memory that the kernel declares; dynamic shared memory is not among them.
    pub(crate) shared: u32,
}

/// One entry for each kernel in `log`, in its order.
pub(super) fn parse(log: &str) -> Vec<KernelResources> {
    let mut found: Vec<KernelResources> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or_default().to_owned();
            found.push(KernelResources { kernel, ..KernelResources::default() });
        }
        let Some(kernel) = found.last_mut() else { continue };
        // A function that was not inlined is reported after its kernel, and what it spills is added.
        for part in line.split(',') {
            let number = |unit: &str| {
                let before = part.split_once(unit)?.0;
                before.split_whitespace().next_back()?.parse::<u32>().ok()
            };
            if let Some(bytes) = number("bytes stack frame") {
                kernel.stack = kernel.stack.max(bytes);
            } else if let Some(bytes) = number("bytes cumulative stack size") {
                kernel.stack = kernel.stack.max(bytes);
            } else if let Some(bytes) = number("bytes spill stores") {
                kernel.spill_stores += bytes;
            } else if let Some(bytes) = number("bytes spill loads") {
                kernel.spill_loads += bytes;
            } else if let Some(bytes) = number("bytes smem") {
                kernel.shared = bytes;
            } else if let Some(registers) = number("registers") {
                kernel.registers = registers;
            }
        }
    }
    found
}
