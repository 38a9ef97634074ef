//! Items for the benchmarks and self-tests in `fuzzion-bench`; not part of the stable interface.

pub use crate::data::tables::scalar::Scalar;
pub use crate::random::Random;

pub mod device {
    //! Kernels, memory and streams.
    pub use crate::device::backend::Processor;
    pub use crate::device::cuda::kernel::grid::Grid;
    pub use crate::device::cuda::kernel::launch::Kernel;
    pub use crate::device::cuda::memory::buffer::{Buffer, Element};
    pub use crate::device::cuda::streaming::arrays::{StreamInput, StreamOutput};
    pub use crate::device::cuda::streaming::bus::Bus;
    pub use crate::device::cuda::streaming::chunks::Chunked;
    pub use crate::device::math::exp::exp_f32;
    pub use crate::device::program::Program;
    pub use crate::device::simd::huge_pages::zeros_in_huge_pages;
    pub use crate::device::simd::level::{mul_add_f32, mul_add_f64};
}

pub mod sets {
    //! Membership functions.
    pub use crate::sets::samples::{EXTREMES, extreme_sets, sample_sets};
    pub use crate::sets::textbook::membership as textbook_membership;
    pub mod cuda {
        //! Kernels.
        pub use crate::sets::cuda::{Memberships, elementwise, memberships};
        pub use crate::sets::source::{hedges, snorms, tnorms};
    }
}

pub mod arithmetic {
    //! Arrays of fuzzy numbers.
    pub use crate::arithmetic::array::element::LANES;
    pub use crate::arithmetic::array::fuzzy_array::FuzzyArray;
    pub use crate::arithmetic::array::scalar_reference::{CUTS, FORMULAS, ScalarReference};
    pub mod dispatch {
        //! Operations on the selected processor.
        pub use crate::arithmetic::array::dispatch::{axpy, sum};
    }
    pub mod cpu {
        //! CPU kernels.
        pub use crate::arithmetic::cpu::axpy::axpy;
        pub use crate::arithmetic::cpu::program::run;
    }
    pub mod cuda {
        //! CUDA kernels.
        pub use crate::arithmetic::cuda::axpy::AxpyKernel;
        pub use crate::arithmetic::cuda::sum::CHUNK;
    }
}

pub mod clustering {
    //! Passes over rows.
    pub use crate::clustering::cpu::memory::CpuRows;
    pub use crate::clustering::cuda::kernels::Kernels;
    pub use crate::clustering::cuda::loaded::{Loaded, Uploaded};
    pub use crate::clustering::cuda::resident::Resident;
    pub use crate::clustering::prototypes::space::Space;
    pub use crate::clustering::prototypes::{MembershipRule, Prototypes};
    pub use crate::clustering::reference::problem::{Problem, problem, problems};
    pub use crate::clustering::reference::textbook::sums as textbook_sums;
    pub use crate::clustering::rows::backend::{IterationLimits, RowBackend};
    pub use crate::clustering::rows::sums::RequestedSums;
}

pub mod inference {
    //! Compiled systems.
    pub use crate::inference::example_systems::{assorted, mamdani, takagi_sugeno};
    pub use crate::inference::plan::cpu::engine::{Engine, PlanScalar};
}

pub mod image {
    //! Operators on images.
    pub use crate::inference::image::cuda::PlaneKernels;
    pub use crate::inference::image::window::pixel::{Pixel, round_to_pixel, to_brightness};
    pub use crate::inference::image::window::taps::Window;
}

pub mod tuning {
    //! Back ends of training.
    pub use crate::tuning::algorithm::{fit_consequents, gradient_descent};
    pub use crate::tuning::cpu::CpuBackend;
    pub use crate::tuning::cuda::gpu::CudaBackend;
    pub use crate::tuning::network::Network;
    pub use crate::tuning::network::antecedents::{Antecedents, ScaledSet};
    pub use crate::tuning::reference::problem::{Problem, network, samples};
    pub use crate::tuning::reference::textbook::Textbook;
    pub use crate::tuning::solver::solve::solve;
    pub use crate::tuning::training::backend::Backend;
    pub use crate::tuning::training::descent::DescentSettings;
    pub use crate::tuning::training::loss::Loss;
    pub use crate::tuning::training::samples::ScaledSamples;
}

pub mod sonfin {
    //! Back ends of training.
    pub use crate::sonfin::cpu::learner::CpuLearner;
    pub use crate::sonfin::cuda::choose::layouts;
    pub use crate::sonfin::cuda::layout::{KernelLayout, NetworkShape};
    pub use crate::sonfin::cuda::plan::measure_layout;
    pub use crate::sonfin::cuda::state::CudaLearner;
    pub use crate::sonfin::cuda::state::STAGES;
    pub use crate::sonfin::learner::{
        BatchLearner, BatchRun, EpochStats, Learner, NONE, StepSettings, TrainingRun,
    };
    pub use crate::sonfin::reference::problem::{Problem, network, order, samples, step_settings};
    pub use crate::sonfin::reference::textbook::Textbook;
    pub use crate::sonfin::types::adam::{Adam, AdamSettings};
    pub use crate::sonfin::types::network::Network;
    pub use crate::sonfin::types::scaled_samples::ScaledSamples;
}
