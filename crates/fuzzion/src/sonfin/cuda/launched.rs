//! Lessons learned by launches for every sample, recorded once and replayed.

use super::encode::Lessons;
use super::layout::{CONCLUDING, Layout, MOST_THREADS};
use super::{OnGpu, Told};
use crate::device::cuda::{Buffer, Graph, Grid, Kernel, Stream};
use crate::error::{Error, Result};

/// Samples of a recording.
pub(in super::super) const RECORDED: usize = 64;

/// The kernels that are launched for a sample, one after another.
fn steps_of(layout: Layout) -> &'static [&'static str] {
    match layout {
        Layout::Blocks => &["fire_rules", "conclude", "move_rules"],
        _ => &["fire_tasks", "move_tasks"],
    }
}

/// A recording of the launches of some samples, with all that they touch beyond the networks and the rows.
pub(super) struct Recorded {
    graph: Graph,
    key: (Layout, usize, usize, bool),
    order: Buffer<u32>,
    courses: Buffer<f32>,
    replay: Buffer<i32>,
    state: Buffer<i32>,
    /// Only touched by the launches.
    _distances: Buffer<f32>,
    _results: Buffer<f32>,
    grown: Buffer<i32>,
    losses: Buffer<f64>,
    wrongs: Buffer<u32>,
}

impl OnGpu<'_> {
    /// Networks learn one after another.
    pub(super) fn learn_launched(&mut self, layout: Layout, lessons: &Lessons) -> Result<Told> {
        if layout == Layout::Blocks && self.shape.dims > MOST_THREADS {
            return Err(Error::TooManyInputsForMapping { dims: self.shape.dims, most: MOST_THREADS });
        }
        let cuda = self.cuda.clone();
        let key = (layout, self.most, lessons.order.len().next_power_of_two(), lessons.replays);
        if self.recorded.as_ref().is_none_or(|recorded| recorded.key != key) {
            self.recorded = None;
            self.recorded = Some(self.record(key, None)?);
        }
        let Some(recorded) = &mut self.recorded else { return Err(Error::NotOnGpu { what: "this mapping" }) };
        cuda.write(&lessons.order, &mut recorded.order)?;
        cuda.write(&lessons.courses, &mut recorded.courses)?;
        cuda.write(&lessons.replay, &mut recorded.replay)?;
        cuda.clear(&mut recorded.losses, cuda.stream())?;
        cuda.clear(&mut recorded.wrongs, cuda.stream())?;
        let mut rules = cuda.download(&self.sent.rules)?;
        for (network, part) in lessons.parts.chunks_exact(2).enumerate() {
            let (first, samples, count) = (part[0], part[1], rules[network]);
            let state = [first, count, count, network as i32, first + samples];
            cuda.write(&state, &mut recorded.state)?;
            for _ in 0..(samples as usize).div_ceil(RECORDED) {
                // SAFETY: what was recorded touches the buffers of `recorded`, the rows and the networks, which are all here:
                // networks that are given other places take the recording away (`OnGpu::make_room`).
                unsafe { recorded.graph.replay() }?;
            }
            let mut state = [0; 5];
            cuda.read(&recorded.state, &mut state)?;
            rules[network] = state[1 + ((first + samples) & 1) as usize];
        }
        cuda.write(&rules, &mut self.sent.rules)?;
        let mut grown = vec![0; lessons.order.len()];
        cuda.read(&recorded.grown, &mut grown)?;
        let (losses, wrongs) = (cuda.download(&recorded.losses)?, cuda.download(&recorded.wrongs)?);
        Ok(Told { losses, wrongs, grown })
    }

    /// Microseconds of each launch of a sample, alone: of its stages by name, for the last lesson's layout.
    pub(in super::super) fn launch_times(&mut self) -> Result<Vec<(&'static str, f64)>> {
        let Some(Recorded { key, .. }) = self.recorded else { return Ok(Vec::new()) };
        let names = steps_of(key.0);
        let mut times = Vec::new();
        for (step, name) in names.iter().enumerate() {
            let cuda = self.cuda.clone();
            let rules = cuda.download(&self.sent.rules)?;
            let mut recorded = self.record(key, Some(step))?;
            // The samples of a recording are all row 0, and the state stays as it is.
            cuda.write(&[0, rules[0], rules[0], 0, i32::MAX], &mut recorded.state)?;
            // SAFETY: as in `learn_launched`.
            unsafe { recorded.graph.replay() }?;
            let seconds = cuda.time(|| (0..16).try_for_each(|_| unsafe { recorded.graph.replay() }))?;
            times.push((*name, seconds * 1e6 / (16 * RECORDED) as f64));
        }
        Ok(times)
    }

    /// Records the launches of samples, or of each of them only launch `only`, which then changes no state.
    fn record(&mut self, key: (Layout, usize, usize, bool), only: Option<usize>) -> Result<Recorded> {
        let (layout, most, samples, replays) = key;
        let cuda = self.cuda.clone();
        let (shape, count) = (self.shape, self.count());
        let blocks = layout.blocks(most);
        let results = (2 + 2 * shape.outputs).max((3 + shape.outputs) * blocks);
        let (order, courses) = (cuda.zeros(samples.max(1))?, cuda.zeros(count * super::layout::COURSE)?);
        let (replay, mut state) = (cuda.zeros(samples.max(1))?, cuda.zeros(5)?);
        let (mut distances, mut results) = (cuda.zeros(most)?, cuda.zeros(results)?);
        let (mut grown, mut losses, mut wrongs) =
            (cuda.zeros(samples.max(1))?, cuda.zeros(count)?, cuda.zeros(count)?);
        let nothing = layout.on_chip(&shape, most, 0);
        let on_chip = nothing.ok_or(Error::NotOnGpu { what: "this mapping" })?;
        let program = layout.program(&shape, on_chip, false);
        let kernel = |name| cuda.kernel(&program, name);
        let threads = layout.threads(&shape) as u32;
        let rows = &self.rows;
        let sent = &mut self.sent;
        let (most_value, replays_value) = (most as i32, i32::from(replays));
        let advance = kernel("advance")?;
        let steps: Vec<Kernel> = steps_of(layout).iter().map(|name| kernel(name)).collect::<Result<_>>()?;
        let whole = Grid::new(blocks as u32, threads);
        let kept = layout.kept(&shape, most);
        let mut one = |stream: &Stream, place: i32| -> Result<()> {
            // SAFETY, for all launches: arguments as in the kernels; distances hold `most` numbers, results what the concluding
            // block or all blocks say, and samples from the end on do nothing.
            if place == RECORDED as i32 {
                let launch =
                    advance.launch().output(&mut state).value(if only.is_none() { place } else { 0 });
                return unsafe { launch.run(stream, Grid::new(1, 1)) };
            }
            let place = if only.is_none() { place } else { 0 };
            let runs = |step: usize| only.is_none_or(|only| only == step);
            if let Layout::Blocks = layout {
                let fire =
                    steps[0].launch().input(rows).input(&order).input(&sent.a).input(&sent.c).input(&state);
                let fire = fire.output(&mut distances).value(most_value).value(place);
                if runs(0) {
                    unsafe { fire.run(stream, whole) }?;
                }
                let conclude = steps[1].launch().input(rows).input(&order).input(&courses).input(&replay);
                let conclude = conclude.output(&mut sent.a).output(&mut sent.c).output(&mut sent.w);
                let conclude = conclude.output(&mut state).output(&mut distances).output(&mut results);
                let conclude = conclude.output(&mut grown).output(&mut losses).output(&mut wrongs);
                let conclude = conclude.value(most_value).value(place).value(replays_value);
                if runs(1) {
                    unsafe { conclude.run(stream, Grid::new(1, CONCLUDING)) }?;
                }
                let go = steps[2].launch().input(rows).input(&order).input(&courses).output(&mut sent.a);
                let go = go
                    .output(&mut sent.c)
                    .output(&mut sent.w)
                    .input(&state)
                    .input(&distances)
                    .input(&results);
                if runs(2) {
                    unsafe { go.value(most_value).value(place).run(stream, whole) }?;
                }
            } else {
                let fire =
                    steps[0].launch().input(rows).input(&order).input(&sent.a).input(&sent.c).input(&sent.w);
                let fire = fire.input(&state).output(&mut distances).output(&mut results);
                if runs(0) {
                    unsafe { fire.value(most_value).value(place).run(stream, whole) }?;
                }
                let go = steps[1].launch().input(rows).input(&order).input(&courses).input(&replay);
                let go = go.output(&mut sent.a).output(&mut sent.c).output(&mut sent.w).output(&mut state);
                let go = go.input(&distances).input(&results).output(&mut grown).output(&mut losses);
                let go = go.output(&mut wrongs).value(most_value).value(place).value(replays_value);
                let go = go.value(kept as i32);
                if runs(1) {
                    unsafe { go.run(stream, whole.shared(4 * kept as u32)) }?;
                }
            }
            Ok(())
        };
        let graph = cuda.record(|stream| (0..=RECORDED as i32).try_for_each(|place| one(stream, place)))?;
        Ok(Recorded {
            graph,
            key,
            order,
            courses,
            replay,
            state,
            _distances: distances,
            _results: results,
            grown,
            losses,
            wrongs,
        })
    }
}
