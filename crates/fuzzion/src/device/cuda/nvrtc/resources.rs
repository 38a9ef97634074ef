//! Parser of the assembler's report on each kernel (`--ptxas-options=-v`).

/// Resource usage of a kernel.
#[cfg(test)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KernelResources {
    /// Name of the kernel.
    pub(crate) kernel: String,
    /// Number of registers per thread.
    pub(crate) registers: u32,
    /// Stack size per thread in bytes.
    pub(crate) stack: u32,
    /// Number of bytes of spill stores.
    pub(crate) spill_stores: u32,
    /// Number of bytes of spill loads.
    pub(crate) spill_loads: u32,
    /// Static shared memory in bytes.
    pub(crate) shared: u32,
}

/// The part of the log about one kernel; `None` for quantities that it does not contain.
#[derive(Default)]
#[cfg_attr(not(test), allow(dead_code))] // only tests read all fields
pub(super) struct Report {
    pub(super) kernel: String,
    registers: Option<u32>,
    stack: Option<u32>,
    spill_stores: Option<u32>,
    spill_loads: Option<u32>,
    /// Kernels without shared memory do not report it.
    pub(super) shared: u32,
}

/// One entry per kernel in `log`, in order.
///
/// # Errors
/// The name of a kernel without a complete report, and the log.
#[cfg(test)]
pub(super) fn parse(log: &str) -> Result<Vec<KernelResources>, String> {
    let complete = |report: Report| {
        Some(KernelResources {
            registers: report.registers?,
            stack: report.stack?,
            spill_stores: report.spill_stores?,
            spill_loads: report.spill_loads?,
            shared: report.shared,
            kernel: report.kernel,
        })
    };
    let kernel = |report: Report| {
        let name = report.kernel.clone();
        complete(report).ok_or_else(|| format!("incomplete report on kernel `{name}` in the log:\n{log}"))
    };
    reports(log).into_iter().map(kernel).collect()
}

/// The reports of all kernels in `log`, in order.
pub(super) fn reports(log: &str) -> Vec<Report> {
    let mut found: Vec<Report> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().expect("invariant: `split` returns at least one part");
            found.push(Report { kernel: kernel.to_owned(), ..Report::default() });
        }
        let Some(report) = found.last_mut() else { continue };
        // A function that was not inlined is reported after its kernel; its spills are added.
        for part in line.split(',') {
            let number = |unit: &str| {
                let before = part.split_once(unit)?.0;
                before.split_whitespace().next_back()?.parse::<u32>().ok()
            };
            if let Some(bytes) = number("bytes stack frame").or_else(|| number("bytes cumulative stack size"))
            {
                report.stack = report.stack.max(Some(bytes));
            } else if let Some(bytes) = number("bytes spill stores") {
                *report.spill_stores.get_or_insert(0) += bytes;
            } else if let Some(bytes) = number("bytes spill loads") {
                *report.spill_loads.get_or_insert(0) += bytes;
            } else if let Some(bytes) = number("bytes smem") {
                report.shared = bytes;
            } else if let Some(registers) = number("registers") {
                report.registers = Some(registers);
            }
        }
    }
    found
}
