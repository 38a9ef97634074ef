//! Building blocks of the exported source code.

mod cuda;
mod expression;
mod fragments;
mod identifiers;
mod syntax;

pub(super) use cuda::convert_to_cuda;
pub(super) use expression::{formula, named};
pub(super) use fragments::{Fragment, defuzzifiers, fragments, needed};
pub(super) use identifiers::{Identifiers, comment, identifier};
pub(super) use syntax::{SourceExpr, Syntax, without_namespace, wrapped};
