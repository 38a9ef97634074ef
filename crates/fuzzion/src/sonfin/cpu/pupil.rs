//! One thread's part of learning, sample by sample.

use super::super::learner::{Course, FIRST, Lesson, NONE, Tally, WidthRule};
use super::super::samples::Samples;
use super::answer::{Answer, answer, blame, largest, least, loss};
use super::rules::{Block, Rules, empty, put, say};
use super::sample::Sample;
use super::sweep::{Moves, sweep};
use super::team::{Pace, Team};
use crate::device::Simd;

/// A member of a team, and where it writes.
pub(super) struct Pupil<'a> {
    simd: Simd,
    team: &'a Team,
    member: usize,
    pace: Pace,
    dims: usize,
    outputs: usize,
    lanes: usize,
    /// The rules of the whole network.
    count: usize,
    /// The blocks it owns: every `members`th of the network.
    blocks: Vec<Block>,
    /// What all rules say: every member has all of it.
    w: Vec<f32>,
    /// The sample at hand, and the one before it, for which the rules have yet to move.
    sample: Sample,
    before: Sample,
    answer: Answer,
    /// −ln μ of all places of its own blocks, and of all blocks.
    own: Vec<f32>,
    sums: Vec<f32>,
}

impl<'a> Pupil<'a> {
    /// The members of a team, who share out the blocks.
    pub(super) fn team(rules: &mut Rules, team: &'a Team, simd: Simd) -> Vec<Self> {
        let pupil = |member| Pupil {
            simd,
            team,
            member,
            pace: Pace::default(),
            dims: rules.dims,
            outputs: rules.outputs,
            lanes: rules.lanes,
            count: rules.count,
            blocks: Vec::new(),
            w: if member == 0 { std::mem::take(&mut rules.w) } else { Vec::new() },
            sample: Sample::new(rules.dims),
            before: Sample::new(rules.dims),
            answer: Answer { y: vec![0.0; rules.outputs], e: vec![0.0; rules.outputs], ..Answer::default() },
            own: Vec::new(),
            sums: vec![0.0; rules.blocks.len() * rules.lanes],
        };
        let mut pupils: Vec<Self> = (0..team.members).map(pupil).collect();
        for (b, block) in rules.blocks.drain(..).enumerate() {
            pupils[b % team.members].blocks.push(block);
        }
        let w = pupils[0].w.clone();
        for pupil in &mut pupils {
            pupil.own = vec![0.0; pupil.blocks.len() * pupil.lanes];
            if pupil.member > 0 {
                pupil.w.clone_from(&w);
            }
        }
        pupils
    }

    /// Puts the blocks of all members together again.
    pub(super) fn gather(mut pupils: Vec<Self>, rules: &mut Rules) {
        rules.count = pupils[0].count;
        rules.w = std::mem::take(&mut pupils[0].w);
        let mut blocks: Vec<_> = pupils.into_iter().map(|pupil| pupil.blocks.into_iter()).collect();
        let members = blocks.len();
        rules.blocks =
            (0..rules.count.div_ceil(rules.lanes)).filter_map(|b| blocks[b % members].next()).collect();
    }

    pub(super) fn learn(&mut self, samples: &Samples, lesson: &Lesson<'_>) -> Tally {
        let mut tally = Tally::default();
        for (i, at) in lesson.order.iter().enumerate() {
            let (x, t) = (samples.inputs_of(*at as usize), samples.targets_of(*at as usize));
            let replay = lesson.replay.map(|replay| replay[i]);
            self.one(x, t, &lesson.course, replay, &mut tally);
        }
        std::mem::swap(&mut self.sample, &mut self.before);
        self.sweep(&lesson.course); // the last moves; what fires then is nobody's sample
        tally
    }

    /// One sample: equations (1) to (5), but for the moves of the rules, which wait for the next sweep.
    fn one(&mut self, x: &[f32], t: &[f32], course: &Course, replay: Option<i32>, tally: &mut Tally) {
        std::mem::swap(&mut self.sample, &mut self.before);
        self.sample.take(x);
        self.sweep(course);
        self.team.exchange(&mut self.pace, self.member, self.lanes, &self.own, &mut self.sums);
        self.sums[self.count..].fill(f32::INFINITY);
        let mut nearest = least(self.simd, &self.sums);
        let decision = replay.unwrap_or_else(|| self.decide(nearest, course));
        if decision != NONE {
            self.grow(decision, x, t, course);
            nearest = 0.0;
        }
        answer(self.simd, &self.sums, nearest, &self.w, &mut self.answer);
        tally.wrong += u64::from(largest(&self.answer.y) != largest(t));
        tally.loss += loss(&self.answer.y, t, course.loss, &mut self.answer.e);
        tally.grown.push(decision);
        blame(self.simd, &mut self.answer, self.sums.len(), course.rate_w, &mut self.w);
    }

    /// Moves its rules for the sample before, and fires them for the one at hand.
    fn sweep(&mut self, course: &Course) {
        let member_of = (self.member, self.team.members);
        let backwards = self.pace.samples % 2 == 1;
        let moves = Moves { sample: &self.before, q: &self.answer.q, course, member_of, backwards };
        let least = self.team.least(&self.pace);
        sweep(self.simd, &mut self.blocks, &moves, &self.sample, least, &mut self.own);
    }

    /// Which rule a new one is to be added beside, if any.
    fn decide(&self, nearest: f32, course: &Course) -> i32 {
        match self.count {
            count if count >= course.most_rules => NONE,
            0 => FIRST,
            count if -nearest <= course.ln_threshold => {
                self.sums[..count].iter().position(|sum| *sum == nearest).map_or(NONE, |k| k as i32)
            }
            _ => NONE,
        }
    }

    /// Where a block is among its own, if it owns it.
    fn place_of(&self, block: usize) -> Option<usize> {
        (block % self.team.members == self.member).then_some(block / self.team.members)
    }

    /// Equation (3).
    fn grow(&mut self, beside: i32, x: &[f32], t: &[f32], course: &Course) {
        let width = match (beside, course.width_rule) {
            (FIRST, _) => course.first_width,
            (k, WidthRule::LogFiring) => course.beta * self.sums[k as usize],
            (k, WidthRule::Distance) => course.beta * self.distance_square(k as usize, x).sqrt(),
            (k, WidthRule::Thesis) => course.beta * self.distance_square(k as usize, x),
        };
        let (block, lane) = (self.count / self.lanes, self.count % self.lanes);
        if lane == 0 {
            self.w.resize(self.w.len() + self.outputs * self.lanes, 0.0);
            self.sums.resize(self.sums.len() + self.lanes, f32::INFINITY);
        }
        say(&mut self.w, self.lanes, self.count, t);
        self.sums[self.count] = 0.0;
        self.count += 1;
        if let Some(place) = self.place_of(block) {
            if lane == 0 {
                self.blocks.push(empty(self.dims, self.lanes));
                self.own.resize(self.own.len() + self.lanes, 0.0);
            }
            let a = 1.0 / width.max(course.least_width);
            let a: Vec<f32> = x.iter().map(|x| if x.is_nan() { 0.0 } else { a }).collect();
            let c: Vec<f32> = x.iter().zip(&a).map(|(x, a)| if x.is_nan() { 0.0 } else { x * a }).collect();
            put(&mut self.blocks[place], self.lanes, lane, &a, &c);
        }
    }

    /// ‖x − m‖² of a rule, over the inputs that are there and asked for: its owner tells all.
    fn distance_square(&mut self, k: usize, x: &[f32]) -> f32 {
        let (lane, lanes) = (k % self.lanes, self.lanes);
        let square = |place: usize| {
            let inputs = self.blocks[place].chunks_exact(2 * lanes).zip(x);
            let inputs =
                inputs.map(|(input, x)| (f64::from(input[lane]), f64::from(input[lanes + lane]), *x));
            let asked = inputs.filter(|(a, _, x)| *a != 0.0 && !x.is_nan());
            asked.map(|(a, minus_c, x)| (f64::from(x) + minus_c / a).powi(2)).sum::<f64>() as f32
        };
        let known = self.place_of(k / lanes).map(square);
        self.team.tell(&mut self.pace, known)
    }
}
