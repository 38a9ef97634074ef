//! A lesson in pieces, each by as many threads as gain from the network's size by then.

use super::super::learner::{Lesson, Tally};
use super::super::samples::Samples;
use super::pupil::Pupil;
use super::rules::Rules;
use super::team::Team;
use crate::device::Simd;
use crate::error::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};

/// Samples of a piece: threads start in a hundredth of the time that these take where they gain.
const PIECE: usize = 512;
/// Rules times inputs per thread: with fewer, waiting for each other takes a good part of what is saved.
const PER_THREAD: usize = 65_536;

/// The network learns its lesson.
pub(super) fn learn(
    rules: &mut Rules,
    samples: &Samples,
    lesson: &Lesson<'_>,
    (simd, threads): (Simd, usize),
) -> Result<Tally> {
    let mut tally = Tally::default();
    for (i, order) in lesson.order.chunks(PIECE).enumerate() {
        let replay = lesson.replay.map(|replay| &replay[i * PIECE..][..order.len()]);
        let piece = Lesson { order, course: lesson.course, replay };
        let numbers = rules.count * rules.dims;
        let members = threads.min(numbers / PER_THREAD).min(rules.blocks.len()).max(1);
        tally.add(piece_by(members, rules, samples, &piece, simd)?);
    }
    Ok(tally)
}

/// One piece of a lesson by a team.
fn piece_by(
    members: usize,
    rules: &mut Rules,
    samples: &Samples,
    piece: &Lesson<'_>,
    simd: Simd,
) -> Result<Tally> {
    let team = Team::new(members, (rules.count + piece.order.len()).next_multiple_of(rules.lanes));
    let mut pupils = Pupil::team(rules, &team, simd);
    // A team learns only where all of it is there.
    let (complete, given_up) = (AtomicBool::new(false), AtomicBool::new(false));
    let tally = std::thread::scope(|scope| {
        let (first, others) = pupils.split_at_mut(1);
        for pupil in others {
            let (complete, given_up) = (&complete, &given_up);
            let work = move || {
                while !complete.load(Ordering::Acquire) {
                    if given_up.load(Ordering::Acquire) {
                        return;
                    }
                    std::thread::yield_now();
                }
                pupil.learn(samples, piece);
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                given_up.store(true, Ordering::Release);
                return Err(Error::ThreadPool { threads: members, reason: error.to_string() });
            }
        }
        complete.store(true, Ordering::Release);
        Ok(first.iter_mut().map(|pupil| pupil.learn(samples, piece)).next().unwrap_or_default())
    });
    Pupil::gather(pupils, rules);
    tally
}
