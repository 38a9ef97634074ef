//! One thread's part of learning, sample by sample.

use super::super::learner::{Course, FIRST, Lesson, NONE, Tally, WidthRule};
use super::super::samples::Samples;
use super::answer::{Answer, answer, blame, largest, least, loss};
use super::firing::firing;
use super::rules::{Block, Rules, empty, put, row};
use super::sample::Sample;
use super::step::step;
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
    sample: Sample,
    answer: Answer,
    /// −ln μ of all places of its own blocks, and of all blocks.
    own: Vec<f32>,
    sums: Vec<f32>,
}

impl<'a> Pupil<'a> {
    /// The members of a team, who share out the blocks.
    pub(super) fn team(rules: &mut Rules, team: &'a Team, simd: Simd) -> Vec<Self> {
        let row = rules.row();
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
            answer: Answer { y: vec![0.0; row], e: vec![0.0; row], ..Answer::default() },
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
        tally
    }

    /// One sample: equations (1) to (5).
    fn one(&mut self, x: &[f32], t: &[f32], course: &Course, replay: Option<i32>, tally: &mut Tally) {
        self.sample.take(x);
        firing(self.simd, &self.blocks, &self.sample, self.team.least(&self.pace), &mut self.own);
        self.team.exchange(&mut self.pace, self.member, self.lanes, &self.own, &mut self.sums);
        let mut nearest = least(self.simd, &self.sums[..self.count]);
        let decision = replay.unwrap_or_else(|| self.decide(nearest, course));
        if decision != NONE {
            self.grow(decision, x, t, course);
            nearest = 0.0;
        }
        answer(self.simd, &self.sums[..self.count], nearest, &self.w, &mut self.answer);
        let y = &self.answer.y[..self.outputs];
        tally.wrong += u64::from(largest(y) != largest(t));
        tally.loss += loss(y, t, course.loss, &mut self.answer.e[..self.outputs]);
        tally.grown.push(decision);
        blame(self.simd, &mut self.answer, course.rate_w, &mut self.w);
        let (answer, member_of) = (&self.answer, (self.member, self.team.members));
        step(self.simd, &answer.near, &answer.q, member_of, &mut self.blocks, &self.sample, course);
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
        self.count += 1;
        self.w.extend_from_slice(t);
        self.w.resize(self.count * row(self.outputs, self.lanes), 0.0);
        if lane == 0 {
            self.sums.resize(self.sums.len() + self.lanes, 0.0);
        }
        self.sums[block * self.lanes + lane] = 0.0;
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
