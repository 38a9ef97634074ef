//! Several iterations of gradient descent in one launch.

use super::gpu::{CudaBackend, set_indices};
use super::layout::{SET_STRIDE, THREADS};
use crate::device::cuda::Grid;
use crate::stop::Stop;
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::network::basis::Frames;
use crate::tuning::training::descent::{Descent, DescentSettings, IterationRecord};
use crate::tuning::training::loss::Loss;

/// Values per iteration in the kernel's history.
pub(in crate::tuning) const RECORD_LEN: usize = 4;

/// State passed to and returned by `gradient_descent`.
pub(in crate::tuning) struct DeviceDescent {
    pub(in crate::tuning) values: Vec<f64>,
    pub(in crate::tuning) step_state: Vec<f64>,
}

impl DeviceDescent {
    pub(in crate::tuning) fn new(descent: &Descent) -> Self {
        let networks = [&descent.network, &descent.min_loss_network, &descent.best_network];
        let sets = networks.iter().flat_map(|network| network.antecedents.sets.iter());
        let sets = sets.flat_map(|set| set.parameters);
        let theta = networks.iter().flat_map(|network| network.theta.iter().copied());
        let step_state = &descent.step_state;
        let means = step_state.first_moment.iter().chain(&step_state.second_moment).copied();
        let (steps, since) = (f64::from(step_state.steps), descent.iterations_since_best as f64);
        DeviceDescent {
            values: sets.chain(means).chain(theta).collect(),
            step_state: vec![
                step_state.rate,
                step_state.last_loss,
                descent.min_loss,
                descent.best_loss,
                steps,
                since,
                f64::from(step_state.recent_increases & 15),
                f64::from(step_state.observed.min(4)),
            ],
        }
    }

    /// The descent after the iterations in `history`.
    pub(in crate::tuning) fn into_descent(
        self,
        before: &Descent,
        settings: &DescentSettings,
        history: &[f64],
        stop_code: i32,
    ) -> Descent {
        let mut descent = before.clone();
        let (sets, theta) = (before.network.antecedents.sets.len(), before.network.theta.len());
        let (parameters, rest) = self.values.split_at(3 * SET_STRIDE * sets);
        let (means, thetas) = rest.split_at(2 * SET_STRIDE * sets);
        let networks: [&mut Network; 3] =
            [&mut descent.network, &mut descent.min_loss_network, &mut descent.best_network];
        for (i, network) in networks.into_iter().enumerate() {
            let sets_of_network = parameters[i * SET_STRIDE * sets..].as_chunks::<SET_STRIDE>().0;
            network.antecedents.sets.iter_mut().zip(sets_of_network).for_each(|(set, p)| set.parameters = *p);
            network.theta.copy_from_slice(&thetas[i * theta..][..theta]);
            network.frames = Frames::new(&network.antecedents);
        }
        let step_state = &mut descent.step_state;
        step_state.first_moment.copy_from_slice(&means[..SET_STRIDE * sets]);
        step_state.second_moment.copy_from_slice(&means[SET_STRIDE * sets..]);
        let p = &self.step_state;
        (step_state.rate, step_state.last_loss, descent.min_loss, descent.best_loss) =
            (p[0], p[1], p[2], p[3]);
        (step_state.steps, descent.iterations_since_best) = (p[4] as i32, p[5] as usize);
        (step_state.recent_increases, step_state.observed) = (p[6] as u32, p[7] as u32);
        let record = |values: &[f64; RECORD_LEN]| IterationRecord {
            loss: [values[0], values[1]],
            squares: [values[0], values[1]],
            rate: values[2],
        };
        descent.history.extend(history.as_chunks::<RECORD_LEN>().0.iter().map(record));
        descent.stop = match stop_code {
            1 => Some(Stop::Converged),
            2 => Some(Stop::Validation),
            0 | 3 => (descent.history.len() > settings.iterations).then_some(Stop::MaxIterations),
            code => unreachable!("invariant: the kernel returns a stop code from 0 to 3, not {code}"),
        };
        descent
    }
}

/// Whether the kernel `gradient_descent` supports the settings.
pub(super) fn is_supported(settings: &DescentSettings) -> bool {
    settings.solve_every == 1 && !settings.readable && settings.loss == Loss::SquaredError
}

impl CudaBackend<'_> {
    /// Performs up to `max_iterations` iterations. Returns `None` if the kernel does not support the settings, or if
    /// the first iteration is ill-conditioned.
    pub(super) fn iterate_in_one_launch(
        &mut self,
        descent: &Descent,
        settings: &DescentSettings,
        max_iterations: usize,
    ) -> Result<Option<Descent>> {
        let layout = self.layout(&descent.network, Loss::SquaredError)?;
        if !is_supported(settings) || !layout.full_phi {
            return Ok(None);
        }
        let (cuda, count) = (self.cuda(), self.device_samples.part.rows());
        let kernel = self.kernel(&layout, "gradient_descent", Some(descent.step_state.rule), |layout| {
            layout.descent_program(descent.step_state.rule)
        })?;
        let Some(rows) = &self.device_samples.resident else { return Ok(None) };
        let blocks = count.div_ceil(layout.rows).clamp(1, cuda.gpu().multiprocessors as usize);
        let grid =
            Grid::new(blocks as u32, THREADS as u32).shared(layout.descent_bytes() as u32).cooperative();
        let start = DeviceDescent::new(descent);
        let inputs: Vec<i32> = descent.network.antecedents.sets.iter().map(|set| set.input as i32).collect();
        let (set_inputs, set_indices) = (cuda.upload(&inputs)?, cuda.upload(&set_indices(&descent.network))?);
        let (mut state, mut step_state) = (cuda.upload(&start.values)?, cuda.upload(&start.step_state)?);
        let mut partial = cuda.alloc::<f64>(blocks * layout.exchange_len())?;
        let mut total = cuda.alloc::<f64>(layout.exchange_len())?;
        let mut history = cuda.zeros::<f64>(max_iterations * RECORD_LEN)?;
        let (mut barrier, mut result) = (cuda.zeros::<u32>(1)?, cuda.zeros::<i32>(2)?);
        let last = descent.history.len() + max_iterations > settings.iterations;
        let launch = kernel
            .launch()
            .input(rows)
            .value(count as i64)
            .value(self.device_samples.part.training.len() as i64)
            .value(self.device_samples.weight[0])
            .value(self.device_samples.weight[1])
            .output(&mut state)
            .input(&set_inputs)
            .input(&set_indices)
            .output(&mut step_state)
            .output(&mut partial)
            .output(&mut total)
            .output(&mut history)
            .value(max_iterations as i32)
            .value(i32::from(last))
            .value(settings.patience.min(i32::MAX as usize) as i32)
            .value(settings.rate)
            .value(settings.ridge)
            .output(&mut barrier)
            .output(&mut result);
        // SAFETY: the arguments match gradient_descent, compiled for this layout. The grid has at most one block per
        // multiprocessor and is cooperative, so its blocks can synchronize, and `barrier` is 0.
        unsafe { launch.run(cuda.stream(), grid) }?;
        let result = cuda.download(&result)?;
        let completed = usize::try_from(result[0]);
        let completed = completed.expect("invariant: the number of completed iterations is not negative");
        if completed == 0 {
            return Ok(None);
        }
        let end = DeviceDescent { values: cuda.download(&state)?, step_state: cuda.download(&step_state)? };
        let history = cuda.download(&history)?;
        Ok(Some(end.into_descent(descent, settings, &history[..completed * RECORD_LEN], result[1])))
    }
}
