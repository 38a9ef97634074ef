//! Threads that learn one network together: each owns some of its blocks, and once per sample they tell each other the
//! firing of their rules. What follows from that, all but the moving of the blocks, each of them works out alike.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Looks at the barrier before a thread offers its core to others: on a shared machine the one waited for may need it.
const LOOKS: usize = 200;

/// What members of a team share.
pub(super) struct Team {
    pub(super) members: usize,
    /// How often any member came to a barrier.
    arrived: AtomicUsize,
    /// −ln μ of all places, as bits; the one of the sample before is still read while the next one is written.
    sums: [Vec<AtomicU32>; 2],
    /// The least −ln μ that a member has found so far, as bits, in the same way.
    least: [AtomicU32; 2],
    /// One number that one member tells the others.
    told: AtomicU32,
}

/// Where a member stands.
#[derive(Default)]
pub(super) struct Pace {
    barriers: usize,
    /// How many were exchanged.
    pub(super) samples: usize,
}

impl Team {
    /// A team for a network of at most this many places.
    pub(super) fn new(members: usize, places: usize) -> Self {
        let places = if members == 1 { 0 } else { places };
        let sums = || (0..places).map(|_| AtomicU32::new(0)).collect();
        Team {
            members,
            arrived: AtomicUsize::new(0),
            sums: [sums(), sums()],
            least: [const { AtomicU32::new(f32::INFINITY.to_bits()) }; 2],
            told: AtomicU32::new(0),
        }
    }

    /// Waits until all members have come this far.
    pub(super) fn wait(&self, pace: &mut Pace) {
        if self.members == 1 {
            return;
        }
        pace.barriers += 1;
        self.arrived.fetch_add(1, Ordering::AcqRel);
        let mut looks = 0;
        while self.arrived.load(Ordering::Acquire) < pace.barriers * self.members {
            looks += 1;
            if looks < LOOKS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    /// Where the least −ln μ of the sample at hand is kept.
    pub(super) fn least(&self, pace: &Pace) -> &AtomicU32 {
        &self.least[pace.samples % 2]
    }

    /// Makes −ln μ of all places out of every member's `own`, whose blocks lie `members` apart.
    pub(super) fn exchange(
        &self,
        pace: &mut Pace,
        member: usize,
        lanes: usize,
        own: &[f32],
        all: &mut [f32],
    ) {
        // All members are past the sample before, whose place the next one takes.
        self.least[(pace.samples + 1) % 2].store(f32::INFINITY.to_bits(), Ordering::Relaxed);
        if self.members == 1 {
            all.copy_from_slice(own);
        } else {
            let sums = &self.sums[pace.samples % 2];
            let places = sums.chunks(lanes).skip(member).step_by(self.members);
            for (place, sum) in places.flatten().zip(own) {
                place.store(sum.to_bits(), Ordering::Relaxed);
            }
            self.wait(pace);
            for (sum, place) in all.iter_mut().zip(sums) {
                *sum = f32::from_bits(place.load(Ordering::Relaxed));
            }
        }
        pace.samples += 1;
    }

    /// The number that the member knows whom it concerns, told to all.
    pub(super) fn tell(&self, pace: &mut Pace, known: Option<f32>) -> f32 {
        if let Some(known) = known {
            self.told.store(known.to_bits(), Ordering::Relaxed);
        }
        self.wait(pace);
        f32::from_bits(self.told.load(Ordering::Relaxed))
    }
}
