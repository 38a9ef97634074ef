//! The room against exact rationals, laws, and its own errors.

mod batch;
mod batch_enclosure;
mod batch_series;
mod columns;
mod elementary;
mod emulated;
mod exact;
mod expr;
mod itf1788;
mod laws;
mod oracle;
mod reading;
mod rounding;
mod shapes;
mod specials;
mod text;
mod tiny;
