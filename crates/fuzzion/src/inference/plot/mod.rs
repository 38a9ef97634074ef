//! Plots of a system.
//!
//! [`System::plot_sets`](crate::inference::System::plot_sets) plots the sets of a variable, [`Response`] an output as a
//! function of one input (curve) or two inputs (surface), and
//! [`ExplainedOutput::chart`](crate::inference::explain::ExplainedOutput::chart) the aggregated set of one row. All return
//! a [`Chart`](crate::plot::Chart) that can be extended.
//!
//! ```
//! use fuzzion::Device;
//! use fuzzion::inference::{Output, VariableIndex, System, Variable, plot::Response};
//! use fuzzion::sets::Set;
//!
//! let heating = System::new("heating")
//!     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
//!     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(0.5)?))
//!     .rule("if room is cold then valve is open")?;
//! assert!(heating.plot_sets(VariableIndex::Input(0))?.to_svg().contains("cold"));
//! let valve = Response::curve(0, 0).points(21);
//! assert_eq!(valve.values(&heating, &Device::cpu()?)?[..2], [0.5, 0.5]);
//! assert!(valve.chart(&heating, &Device::cpu()?)?.to_svg().contains("valve over room"));
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod explained_output;
mod response;
mod sets;

pub use response::Response;
pub use sets::{curve_points, plot_range};
