//! Many unknowns: pairs of rules, and a tiled matrix.

use super::{LARGE, assert_close, phi_only, problem_data};
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda};
use crate::tuning::cuda::{CudaBackend, large};
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::ScaledSamples;

fn complete(samples: &ScaledSamples) -> ScaledSamples {
    large::rows_with(samples, 0..samples.training, |x| !x.iter().any(|x| x.is_nan()))
}

#[test]
pub(super) fn emulated_kernels_for_many_unknowns_match_the_textbook() {
    for problem in LARGE {
        let (network, samples) = problem_data(&problem);
        let Some(cuda) = Cuda::emulated(Order::ALL[2]) else { return };
        // The last chunk is not a whole number of stages.
        for rows in [samples.rows(), 96] {
            let cpu = Cpu::new().unwrap();
            let mut backend = CudaBackend::streamed(&samples, &cuda, &cpu, rows).unwrap();
            backend.replace_layout = phi_only;
            let expected = Textbook(&samples).normal_equations(&network).unwrap();
            let found = backend.normal_equations(&network).unwrap();
            assert_close(&found.gram, &expected.gram, 1e-12, "ΦᵀWΦ");
            assert_close(&found.cross, &expected.cross, 1e-12, "ΦᵀWY");
            assert_close(&found.squares, &expected.squares, 1e-12, "YᵀWY");
        }
        // The matrix is solved on the GPU only without missing inputs. The reference solves the same equations, whose
        // rounding errors this ridge amplifies to about the bound.
        let (complete, ridge) = (complete(&samples), 1e-9);
        let cpu = Cpu::new().unwrap();
        let mut backend = CudaBackend::new(&complete, &cuda, &cpu).unwrap();
        backend.replace_layout = phi_only;
        let equations = backend.normal_equations(&network).unwrap();
        let textbook = Textbook(&complete).normal_equations(&network).unwrap();
        assert_close(&equations.gram, &textbook.gram, 1e-12, "ΦᵀWΦ");
        assert_close(&equations.cross, &textbook.cross, 1e-12, "ΦᵀWY");
        let expected = solve(&equations, ridge);
        let layout = backend.layout(&network, Loss::SquaredError).unwrap();
        let theta = backend.large_consequents(&layout, &network, ridge).unwrap().unwrap();
        assert_close(&theta, &expected.theta, 1e-8, "θ");
    }
}
