//! The extension module `fuzzion._fuzzion` of the Python package: a thin layer over the library. The public interface is
//! written in Python, in `python/fuzzion`.

mod clustering;
mod cuda;
mod device;
mod distributed;
mod encoding;
mod error;
mod formula;
mod image;
mod learned;
mod number;
mod plot;
mod rows;
mod run;
mod sonfin;
mod system;
mod training;
mod tuning;

/// The extension module.
#[pyo3::pymodule]
mod _fuzzion {
    use pyo3::Python;
    use std::ffi::OsString;

    #[pymodule_export]
    use crate::clustering::{Partition, fit_clusters};
    #[pymodule_export]
    use crate::cuda::CudaArray;
    #[pymodule_export]
    use crate::device::{Device, leak};
    #[pymodule_export]
    use crate::distributed::{ClusteringState, ClusteringStatistics, DistributedClustering};
    #[pymodule_export]
    use crate::distributed::{DistributedTuning, TuningState, TuningStatistics};
    #[pymodule_export]
    use crate::formula::{evaluate_formula, formula_variables};
    #[pymodule_export]
    use crate::image::{apply_edges, apply_edges_on_device, apply_window, apply_window_on_device};
    #[pymodule_export]
    use crate::number::FuzzyNumbers;
    #[pymodule_export]
    use crate::plot::set_curves;
    #[pymodule_export]
    use crate::sonfin::{Network, fit_network};
    #[pymodule_export]
    use crate::system::{System, built_in_systems, check_set, check_setting, dialect_of_format};
    #[pymodule_export]
    use crate::tuning::{TunedSystem, fit_tuner};

    /// Version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Runs the command `fuzzion` with these arguments, of which the first is the program, and returns its exit code.
    #[pyo3::pyfunction]
    fn run_command(py: Python<'_>, args: Vec<OsString>) -> u8 {
        py.detach(|| fuzzion_cli::run(args))
    }
}
