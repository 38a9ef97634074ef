//! Fits whose rows are distributed over processes or machines, which exchange only additive statistics.

mod fit;
mod state;
mod statistics;

pub use fit::DistributedFit;
pub use state::ClusteringState;
pub use statistics::ClusteringStatistics;

use crate::clustering::error::{ClusteringError, Result};
use crate::clustering::rows::encoding::Encode;

/// Start of the bytes of a state or of statistics. All machines must use the same version, because statistics of different
/// versions need not have the same meaning.
const HEADER: &[u8] = concat!("fuzzion ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

fn to_bytes(value: &impl Encode) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    value.encode(&mut bytes);
    bytes
}

fn from_bytes<T: Encode>(bytes: &[u8], what: &str) -> Result<T> {
    let value =
        bytes.strip_prefix(HEADER).and_then(|mut rest| T::decode(&mut rest).filter(|_| rest.is_empty()));
    value.ok_or_else(|| {
        let version = env!("CARGO_PKG_VERSION");
        problem(format!("the bytes of the {what} are malformed; use fuzzion {version} on all machines"))
    })
}

fn problem(problem: String) -> ClusteringError {
    ClusteringError::Distributed { problem }
}
