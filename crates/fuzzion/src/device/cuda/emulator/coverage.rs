//! Record of the kernels and launches that a test executed.

use super::compile::LoadedProgram;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::Location;
use std::sync::Arc;

/// What emulated kernels ran on one thread.
#[derive(Default)]
pub(crate) struct Executed {
    /// Programs and the names of their kernels.
    programs: Vec<(Arc<LoadedProgram>, BTreeSet<String>)>,
    /// File and line of every `.launch()` whose launch ran.
    pub(crate) launches: BTreeSet<(String, u32)>,
}

thread_local! {
    static EXECUTED: RefCell<Option<Executed>> = const { RefCell::new(None) };
}

impl Executed {
    /// Whether `kernel` ran in a program that contains `line`, which identifies its file.
    pub(crate) fn contains(&self, kernel: &str, line: &str) -> bool {
        let ran = |(program, kernels): &(Arc<LoadedProgram>, BTreeSet<String>)| {
            kernels.contains(kernel) && program.text.contains(line)
        };
        self.programs.iter().any(ran)
    }

    /// Adds what ran on another thread.
    pub(crate) fn merge(&mut self, other: Executed) {
        self.programs.extend(other.programs);
        self.launches.extend(other.launches);
    }
}

/// Runs `test` and returns what it executed on this thread.
pub(crate) fn of(test: impl FnOnce()) -> Executed {
    EXECUTED.set(Some(Executed::default()));
    test();
    EXECUTED.take().unwrap_or_default()
}

/// Records a kernel that ran.
pub(super) fn executed(program: &Arc<LoadedProgram>, kernel: &str) {
    EXECUTED.with_borrow_mut(|executed| {
        let Some(executed) = executed else { return };
        let programs = &mut executed.programs;
        let known = programs.iter().position(|(known, _)| Arc::ptr_eq(known, program));
        let at = known.unwrap_or_else(|| {
            programs.push((Arc::clone(program), BTreeSet::new()));
            programs.len() - 1
        });
        if !programs[at].1.contains(kernel) {
            programs[at].1.insert(kernel.to_owned());
        }
    });
}

/// Records the place in the source where a launch that ran was built.
pub(super) fn launched(from: &Location<'_>) {
    EXECUTED.with_borrow_mut(|executed| {
        if let Some(executed) = executed {
            executed.launches.insert((from.file().to_owned(), from.line()));
        }
    });
}
