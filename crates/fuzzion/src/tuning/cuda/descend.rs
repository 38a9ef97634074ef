//! Many iterations in one launch.

use super::super::basis::Frames;
use super::super::descent::{Course, Descent, Reading};
use super::super::network::Network;
use super::super::report::Stop;
use super::super::rows::Loss;
use super::OnGpu;
use super::layout::{SET, THREADS};
use crate::device::cuda::Grid;
use crate::error::Result;

/// Numbers that the kernel keeps of each iteration.
pub(in super::super) const READING: usize = 4;

/// What the kernel starts from and ends with: see `descend_rows`.
pub(in super::super) struct State {
    pub(in super::super) numbers: Vec<f64>,
    pub(in super::super) pace: Vec<f64>,
}

impl State {
    pub(in super::super) fn new(descent: &Descent) -> Self {
        let networks = [&descent.network, &descent.least_at, &descent.best_at];
        let sets = networks.iter().flat_map(|network| network.antecedents.sets.iter());
        let sets = sets.flat_map(|set| set.parameters);
        let theta = networks.iter().flat_map(|network| network.theta.iter().copied());
        let pace = &descent.pace;
        let means = pace.mean.iter().chain(&pace.square).copied();
        let (steps, since) = (f64::from(pace.steps), descent.since as f64);
        State {
            numbers: sets.chain(means).chain(theta).collect(),
            pace: vec![
                pace.rate,
                pace.last,
                descent.least,
                descent.best,
                steps,
                since,
                f64::from(pace.ups & 15),
                f64::from(pace.seen.min(4)),
            ],
        }
    }

    /// The descent that the kernel has gone on with, after the iterations of `history`.
    pub(in super::super) fn into_descent(
        self,
        before: &Descent,
        course: &Course,
        history: &[f64],
        why: i32,
    ) -> Descent {
        let mut descent = before.clone();
        let (sets, theta) = (before.network.antecedents.sets.len(), before.network.theta.len());
        let (parameters, rest) = self.numbers.split_at(3 * SET * sets);
        let (means, thetas) = rest.split_at(2 * SET * sets);
        let networks: [&mut Network; 3] = [&mut descent.network, &mut descent.least_at, &mut descent.best_at];
        for (i, network) in networks.into_iter().enumerate() {
            let own = parameters[i * SET * sets..].as_chunks::<SET>().0;
            network.antecedents.sets.iter_mut().zip(own).for_each(|(set, p)| set.parameters = *p);
            network.theta.copy_from_slice(&thetas[i * theta..][..theta]);
            network.frames = Frames::of(&network.antecedents);
        }
        let pace = &mut descent.pace;
        pace.mean.copy_from_slice(&means[..SET * sets]);
        pace.square.copy_from_slice(&means[SET * sets..]);
        let p = &self.pace;
        (pace.rate, pace.last, descent.least, descent.best) = (p[0], p[1], p[2], p[3]);
        (pace.steps, descent.since) = (p[4] as i32, p[5] as usize);
        (pace.ups, pace.seen) = (p[6] as u32, p[7] as u32);
        let reading = |seen: &[f64; READING]| Reading {
            loss: [seen[0], seen[1]],
            squares: [seen[0], seen[1]],
            rate: seen[2],
        };
        descent.history.extend(history.as_chunks::<READING>().0.iter().map(reading));
        descent.stop = match why {
            1 => Some(Stop::Converged),
            2 => Some(Stop::Validation),
            _ if descent.history.len() > course.iterations => Some(Stop::MaxIterations),
            _ => None,
        };
        descent
    }
}

impl OnGpu<'_> {
    /// At most `most` iterations; `None` where they are not made at once, or the first of them is ill-conditioned.
    pub(super) fn descend(
        &mut self,
        descent: &Descent,
        course: &Course,
        most: usize,
    ) -> Result<Option<Descent>> {
        let plain = course.solve_every == 1 && !course.readable && course.loss == Loss::Squares;
        let layout = self.layout(&descent.network, Loss::Squares)?;
        if !plain || !layout.whole {
            return Ok(None);
        }
        let (cuda, count) = (self.cuda(), self.sent.samples.rows());
        let kernel = self.kernel(&layout, "descend_rows", Some(descent.pace.step), |layout| {
            layout.descend(descent.pace.step)
        })?;
        let Some(rows) = &self.sent.resident else { return Ok(None) };
        let blocks = count.div_ceil(layout.rows).clamp(1, cuda.gpu().multiprocessors as usize);
        let grid =
            Grid::new(blocks as u32, THREADS as u32).shared(layout.descend_bytes() as u32).cooperative();
        let start = State::new(descent);
        let inputs: Vec<i32> = descent.network.antecedents.sets.iter().map(|set| set.input as i32).collect();
        let (set_inputs, uses) = (cuda.upload(&inputs)?, cuda.upload(&super::uses(&descent.network))?);
        let (mut state, mut pace) = (cuda.upload(&start.numbers)?, cuda.upload(&start.pace)?);
        let mut partial = cuda.reserve::<f64>(blocks * layout.exchanged())?;
        let mut total = cuda.reserve::<f64>(layout.exchanged())?;
        let mut history = cuda.zeros::<f64>(most * READING)?;
        let (mut arrived, mut result) = (cuda.zeros::<u32>(1)?, cuda.zeros::<i32>(2)?);
        let last = descent.history.len() + most > course.iterations;
        let launch = kernel
            .launch()
            .input(rows)
            .value(count as i64)
            .value(self.sent.samples.training as i64)
            .value(self.sent.weight[0])
            .value(self.sent.weight[1])
            .output(&mut state)
            .input(&set_inputs)
            .input(&uses)
            .output(&mut pace)
            .output(&mut partial)
            .output(&mut total)
            .output(&mut history)
            .value(most as i32)
            .value(i32::from(last))
            .value(course.patience.min(i32::MAX as usize) as i32)
            .value(course.rate)
            .value(course.ridge)
            .output(&mut arrived)
            .output(&mut result);
        // SAFETY: arguments as in descend_rows, made for this layout; the grid has at most one block for each multiprocessor
        // and is cooperative, so that its blocks may wait for each other, and `arrived` is 0.
        unsafe { launch.run(cuda.stream(), grid) }?;
        let result = cuda.download(&result)?;
        let (made, why) = (result[0].max(0) as usize, result[1]);
        if made == 0 {
            return Ok(None);
        }
        let end = State { numbers: cuda.download(&state)?, pace: cuda.download(&pace)? };
        let history = cuda.download(&history)?;
        Ok(Some(end.into_descent(descent, course, &history[..made * READING], why)))
    }
}
