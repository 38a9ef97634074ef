//! A lesson, sample by sample.

use super::super::learner::{Course, FIRST, Lesson, NONE, Tally, WidthRule};
use super::super::samples::Samples;
use super::answer::{Answer, answer, blame, largest, least, loss};
use super::firing::firing;
use super::rules::{Block, Rules, empty, put};
use super::sample::Sample;
use super::step::step;
use crate::device::Simd;

/// The network learns its lesson.
pub(super) fn learn(rules: &mut Rules, samples: &Samples, lesson: &Lesson<'_>, simd: Simd) -> Tally {
    let row = rules.row();
    let mut pupil = Pupil {
        simd,
        sample: Sample::new(rules.dims),
        answer: Answer { y: vec![0.0; row], e: vec![0.0; row], ..Answer::default() },
        sums: vec![0.0; rules.blocks.len() * rules.lanes],
        q: vec![0.0; rules.lanes],
        rules,
    };
    let mut tally = Tally::default();
    for (i, at) in lesson.order.iter().enumerate() {
        let (x, t) = (samples.inputs_of(*at as usize), samples.targets_of(*at as usize));
        let replay = lesson.replay.map(|replay| replay[i]);
        pupil.one(x, t, &lesson.course, replay, &mut tally);
    }
    tally
}

/// What learns, and where it writes meanwhile.
struct Pupil<'a> {
    simd: Simd,
    rules: &'a mut Rules,
    sample: Sample,
    answer: Answer,
    /// −ln μ of all places of all blocks.
    sums: Vec<f32>,
    /// q of the rules of one block.
    q: Vec<f32>,
}

impl Pupil<'_> {
    /// One sample: equations (1) to (5).
    fn one(&mut self, x: &[f32], t: &[f32], course: &Course, replay: Option<i32>, tally: &mut Tally) {
        self.sample.take(x);
        let mut reached = f32::INFINITY;
        firing(self.simd, &self.rules.blocks, &self.sample, &mut reached, &mut self.sums);
        let mut nearest = least(self.simd, &self.sums[..self.rules.count]);
        let decision = replay.unwrap_or_else(|| self.decide(nearest, course));
        if decision != NONE {
            self.grow(decision, x, t, course);
            nearest = 0.0;
        }
        let sums = &self.sums[..self.rules.count];
        answer(self.simd, sums, nearest, &self.rules.w, &mut self.answer);
        let (outputs, y) = (t.len(), &self.answer.y);
        tally.wrong += u64::from(largest(&y[..outputs]) != largest(t));
        tally.loss += loss(&y[..outputs], t, course.loss, &mut self.answer.e[..outputs]);
        tally.grown.push(decision);
        blame(self.simd, &mut self.answer, course.rate_w, &mut self.rules.w);
        self.move_rules(course);
    }

    /// Which rule a new one is to be added beside, if any.
    fn decide(&self, nearest: f32, course: &Course) -> i32 {
        match self.rules.count {
            count if count >= course.most_rules => NONE,
            0 => FIRST,
            count if -nearest <= course.ln_threshold => {
                self.sums[..count].iter().position(|sum| *sum == nearest).map_or(NONE, |k| k as i32)
            }
            _ => NONE,
        }
    }

    /// Equation (3).
    fn grow(&mut self, beside: i32, x: &[f32], t: &[f32], course: &Course) {
        let width = match beside {
            FIRST => course.first_width,
            k => {
                let (k, lanes) = (k as usize, self.rules.lanes);
                let square = || distance_square(&self.rules.blocks[k / lanes], lanes, k % lanes, x);
                match course.width_rule {
                    WidthRule::Distance => course.beta * square().sqrt() as f32,
                    WidthRule::Thesis => course.beta * square() as f32,
                    WidthRule::LogFiring => course.beta * self.sums[k],
                }
            }
        };
        let a = 1.0 / width.max(course.least_width);
        let a: Vec<f32> = x.iter().map(|x| if x.is_nan() { 0.0 } else { a }).collect();
        let c: Vec<f32> = x.iter().zip(&a).map(|(x, a)| if x.is_nan() { 0.0 } else { x * a }).collect();
        let (block, lane) = self.rules.take(t);
        if block == self.rules.blocks.len() {
            self.rules.blocks.push(empty(x.len(), self.rules.lanes));
            self.sums.resize(self.rules.blocks.len() * self.rules.lanes, 0.0);
        }
        put(&mut self.rules.blocks[block], self.rules.lanes, lane, &a, &c);
        self.sums[block * self.rules.lanes + lane] = 0.0;
    }

    /// Equation (5), block by block.
    fn move_rules(&mut self, course: &Course) {
        let lanes = self.rules.lanes;
        let mut moved = self.answer.near.iter().zip(&self.answer.q).filter(|(_, q)| **q != 0.0).peekable();
        while let Some((k, q)) = moved.next() {
            let block = k / lanes;
            self.q[k % lanes] = *q;
            if moved.peek().is_none_or(|(next, _)| **next / lanes != block) {
                step(self.simd, &mut self.rules.blocks[block], &self.sample, &self.q, course);
                self.q.fill(0.0);
            }
        }
    }
}

/// ‖x − m‖² of a rule, over the inputs that are there and asked for.
fn distance_square(block: &Block, lanes: usize, lane: usize, x: &[f32]) -> f64 {
    let inputs =
        block.chunks_exact(2 * lanes).zip(x).map(|(input, x)| (input[lane], input[lanes + lane], *x));
    let asked = inputs.filter(|(a, _, x)| *a != 0.0 && !x.is_nan());
    asked.map(|(a, minus_c, x)| (f64::from(x) + f64::from(minus_c) / f64::from(a)).powi(2)).sum()
}
