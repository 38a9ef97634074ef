//! Plans on the CPU: the steps run one after another over blocks of rows that fit in the L1 cache.

mod block;
mod elementwise;
pub(crate) mod engine;
mod linear_terms;
mod sampled;
mod single_row;
mod table_centroid;
mod weighted;
mod workspace;

pub(crate) use block::PADDING;
pub(crate) use elementwise::{Strided, copy_column};
pub(crate) use engine::{Engine, PlanScalar, Routines, outputs_of};
pub use single_row::PlanState;
pub(crate) use workspace::Workspace;
