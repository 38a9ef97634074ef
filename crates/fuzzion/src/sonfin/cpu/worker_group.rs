//! Threads that train one network together: each owns some of its blocks, and they exchange −ln μ of all rules once
//! per sample. All workers compute the rest redundantly, except the update of the blocks.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Number of spins at a barrier before a thread yields its core; on a shared machine, the awaited thread may need it.
const SPIN_LIMIT: usize = 200;

/// State shared by the workers of a group.
pub(super) struct WorkerGroup {
    pub(super) size: usize,
    /// Total number of arrivals at barriers.
    arrivals: AtomicUsize,
    /// −ln μ of all slots, as bits; double-buffered, because the previous sample is still read while the next one
    /// is written.
    distances: [Vec<AtomicU32>; 2],
    /// Smallest −ln μ found so far, as bits; double-buffered as well.
    min_distance: [AtomicU32; 2],
    /// Value broadcast by one worker.
    broadcast_value: AtomicU32,
}

/// Barriers and samples that a worker has passed.
#[derive(Default)]
pub(super) struct WorkerProgress {
    barriers: usize,
    /// Number of exchanged samples.
    pub(super) samples: usize,
}

impl WorkerGroup {
    /// A group for a network with at most this many slots.
    pub(super) fn new(size: usize, slots: usize) -> Self {
        let slots = if size == 1 { 0 } else { slots };
        let distances = || (0..slots).map(|_| AtomicU32::new(0)).collect();
        WorkerGroup {
            size,
            arrivals: AtomicUsize::new(0),
            distances: [distances(), distances()],
            min_distance: [const { AtomicU32::new(f32::INFINITY.to_bits()) }; 2],
            broadcast_value: AtomicU32::new(0),
        }
    }

    /// Waits until all workers have arrived.
    pub(super) fn barrier(&self, progress: &mut WorkerProgress) {
        if self.size == 1 {
            return;
        }
        progress.barriers += 1;
        self.arrivals.fetch_add(1, Ordering::AcqRel);
        let mut spins = 0;
        while self.arrivals.load(Ordering::Acquire) < progress.barriers * self.size {
            spins += 1;
            if spins < SPIN_LIMIT { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    /// Smallest −ln μ of the current sample.
    pub(super) fn min_distance(&self, progress: &WorkerProgress) -> &AtomicU32 {
        &self.min_distance[progress.samples % 2]
    }

    /// Collects −ln μ of all slots from the `own` values of every worker; its blocks are `size` apart.
    pub(super) fn exchange(
        &self,
        progress: &mut WorkerProgress,
        worker: usize,
        lanes: usize,
        own: &[f32],
        all: &mut [f32],
    ) {
        // All workers have finished the previous sample, whose buffer is reused for the next one.
        self.min_distance[(progress.samples + 1) % 2].store(f32::INFINITY.to_bits(), Ordering::Relaxed);
        if self.size == 1 {
            all.copy_from_slice(own);
        } else {
            let distances = &self.distances[progress.samples % 2];
            let slots = distances.chunks(lanes).skip(worker).step_by(self.size);
            for (slot, distance) in slots.flatten().zip(own) {
                slot.store(distance.to_bits(), Ordering::Relaxed);
            }
            self.barrier(progress);
            for (distance, slot) in all.iter_mut().zip(distances) {
                *distance = f32::from_bits(slot.load(Ordering::Relaxed));
            }
        }
        progress.samples += 1;
    }

    /// Broadcasts a value; `Some` for the worker that computed it, `None` for the others.
    pub(super) fn broadcast(&self, progress: &mut WorkerProgress, value: Option<f32>) -> f32 {
        if let Some(value) = value {
            self.broadcast_value.store(value.to_bits(), Ordering::Relaxed);
        }
        self.barrier(progress);
        f32::from_bits(self.broadcast_value.load(Ordering::Relaxed))
    }
}
