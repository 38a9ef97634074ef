//! Export of a system as source code: one file without dependencies that reproduces the results of the engine.
//!
//! The source is generated from a plan's general steps, which already follow the dialect. Each step becomes one line. The
//! functions that the lines call (shapes, norms, and in C and Rust also elementary functions) come from `runtime/`; only
//! those needed are included. The elementary functions are accurate to 2 ulp; sine, cosine and tangent are NaN for
//! |x| > 1e15. Results of C (without contraction of multiplications and additions) and Rust agree with those of the engine
//! within 1e-12 of the output, or of the largest magnitude of its range if that is larger.

mod language;
mod source;
mod system;
mod writer;

pub use language::Language;
