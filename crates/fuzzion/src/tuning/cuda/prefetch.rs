//! The programs of a fit, which are known as soon as the numbers of its rules, sets and rows are.

use super::descent;
use super::layout::KernelLayout;
use super::variances::{VarianceLayout, shared_memory};
use crate::device::Cuda;
use crate::device::cuda::Program;
use crate::tuning::network::Network;
use crate::tuning::settings::StepRule;
use crate::tuning::training::descent::DescentSettings;
use crate::tuning::training::loss::Loss;

/// What a fit trains; the parameters of the network do not matter.
pub(in crate::tuning) struct FitShape<'a> {
    pub(in crate::tuning) network: &'a Network,
    pub(in crate::tuning) rows: usize,
    pub(in crate::tuning) weighted: bool,
    pub(in crate::tuning) settings: &'a DescentSettings,
    /// Step rule of gradient descent.
    pub(in crate::tuning) step: Option<StepRule>,
    /// Whether the initial rules are those of fuzzy c-means.
    pub(in crate::tuning) fuzzy_c_means: bool,
}

impl FitShape<'_> {
    fn layout(&self, cuda: &Cuda, loss: Loss) -> Option<KernelLayout> {
        let limits = (cuda.gpu().multiprocessors as usize, shared_memory(cuda));
        KernelLayout::new(self.network, self.weighted, loss, self.rows, limits)
    }

    /// The programs of the fit in the order of their use; an unsupported layout is reported when it is used.
    pub(in crate::tuning) fn programs(&self, cuda: &Cuda) -> Vec<Program> {
        let mut programs = Vec::new();
        if self.fuzzy_c_means {
            let shape = (self.network.antecedents.inputs, self.network.outputs, self.weighted);
            let layout = VarianceLayout::new(shape, self.network.antecedents.rules(), shared_memory(cuda));
            programs.extend(layout.map(|layout| layout.program()));
        }
        let Some(layout) = self.layout(cuda, Loss::SquaredError) else { return programs };
        programs.push(layout.sweep_program());
        if self.settings.loss != Loss::SquaredError {
            programs.extend(self.layout(cuda, self.settings.loss).map(|layout| layout.sweep_program()));
        }
        if !layout.full_phi {
            programs.extend(layout.large_programs());
        } else if let Some(step) = self.step.filter(|_| descent::is_supported(self.settings)) {
            programs.push(layout.descent_program(step));
        }
        programs
    }
}
