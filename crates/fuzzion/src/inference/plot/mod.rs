//! Pictures of a system: its sets, its conclusions, and its outputs over its inputs.
//!
//! [`System::plot_sets`](crate::inference::System::plot_sets) draws the sets of one variable, a [`Response`] an output over
//! one input (a curve) or two (a surface), and
//! [`ExplainedOutput::chart`](crate::inference::explain::ExplainedOutput::chart) what rules concluded from one row. All
//! are [`Chart`](crate::plot::Chart)s, to which a caller may add.
//!
//! ```
//! use fuzzion::Progress;
//! use fuzzion::inference::{Output, Place, System, Variable, plot::Response};
//! use fuzzion::sets::Set;
//!
//! let heating = System::new("heating")
//!     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
//!     .output(Output::new("valve", 0.0, 1.0).set("open", Set::constant(0.5)?))
//!     .rule("if room is cold then valve is open")?;
//! assert!(heating.plot_sets(Place::Input(0))?.to_svg().contains("cold"));
//! let valve = Response::curve(0, 0).points(21);
//! assert_eq!(valve.values(&heating, Progress::none())?[..2], [0.5, 0.5]);
//! assert!(valve.chart(&heating, Progress::none())?.to_svg().contains("valve over room"));
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod conclusion;
mod response;
mod sets;

pub use response::Response;
pub use sets::plotted_range;
