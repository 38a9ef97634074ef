//! Commands about the command line itself: `completions` and `man`.

pub(crate) mod completions;
pub(crate) mod man;
