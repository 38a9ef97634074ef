//! Tests of the module: exact rationals, algebraic laws, IEEE 1788 vectors, and error messages.

mod array_functions;
mod arrays;
mod columns;
mod defuzzify;
mod device_arrays;
mod elementary;
pub(super) mod emulated;
mod exact;
mod exhaustive;
mod expr;
mod iteration_enclosure;
mod itf1788;
mod laws;
mod oracle;
mod rounding;
mod serialized;
mod shapes;
mod special_values;
mod text;
