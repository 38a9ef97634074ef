//! The command line of Fuzzion.
fn main() {}
