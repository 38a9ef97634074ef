//! The room against exact rationals, laws, and its own errors.

mod elementary;
mod exact;
mod laws;
mod oracle;
mod rounding;
mod specials;
mod tiny;
