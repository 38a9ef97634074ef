//! Window operators on the CPU: stripes of rows in parallel, each with a few rows of its own.

mod compass;
mod general;
mod sums;

pub(crate) use general::{General, evaluate, last_output, routines_of};
pub(crate) use sums::Lanes;

use super::derive::Fast;
use super::model::{Derived, Operator};
use super::rows::{Plane, Rows, Source};
use super::window::Tap;
use crate::data::Images;
use crate::device::{Cpu, Simd};
use crate::error::Result;
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use sums::Sums;

/// Rows that a thread takes at a time: enough that those beside them do not count.
const STRIPE: usize = 32;
const _: () = assert!(STRIPE <= sums::MOST_ROWS);
/// Opacity is the last of four channels.
const OPACITY: usize = 3;

/// Consecutive rows of a frame that become these numbers.
struct Stripe<'a, P> {
    frame: usize,
    first: usize,
    out: &'a mut [P],
}

/// The new numbers of all frames.
pub(crate) fn apply<P: Derived>(
    operator: &Operator,
    images: &Images,
    pixels: &[P],
    cpu: &Cpu,
    progress: Progress<'_>,
    out: &mut [P],
) -> Result<()> {
    let (width, height, channels) = (images.width(), images.height(), operator.channels_of(images));
    let row = width * channels;
    let frames = out.chunks_mut(height * row).enumerate();
    let stripes: Vec<Stripe<'_, P>> = frames
        .flat_map(|(frame, out)| {
            let stripes = out.chunks_mut(STRIPE * row).enumerate();
            stripes.map(move |(i, out)| Stripe { frame, first: i * STRIPE, out })
        })
        .collect();
    let (done, total) = (AtomicU64::new(0), (images.frames() * height) as u64);
    let worker = || Worker::new(operator, images, cpu.simd());
    let work = |worker: &mut Worker<'_, P>, stripe: Stripe<'_, P>| {
        let rows = (stripe.out.len() / row) as u64;
        worker.stripe(pixels, stripe);
        progress.report(done.fetch_add(rows, Ordering::Relaxed) + rows, total)
    };
    match cpu.threads() {
        // To wake a thread takes as long as a good part of a small frame.
        1 => {
            let mut worker = worker();
            stripes.into_iter().try_for_each(|stripe| work(&mut worker, stripe))
        }
        _ => cpu.run(|| stripes.into_par_iter().try_for_each_init(worker, work)),
    }
}

/// What a thread works with.
struct Worker<'a, P: Derived> {
    operator: &'a Operator,
    images: &'a Images,
    simd: Simd,
    rows: Rows<P>,
    /// The row that they were moved to, of the same picture.
    before: Option<usize>,
    kernel: Kernel<'a, P>,
    /// One new row of one channel, where a frame has several.
    line: Vec<P>,
}

/// How a row is computed.
enum Kernel<'a, P: Derived> {
    Table { tap: Tap, table: &'a [P] },
    Sums(Sums<'a, P>),
    General(Box<General<'a>>),
}

impl<'a, P: Derived> Worker<'a, P> {
    fn new(operator: &'a Operator, images: &'a Images, simd: Simd) -> Self {
        let (window, width) = (&operator.window, images.width());
        let kernel = match operator.fast::<P>() {
            Some(Fast::Table { tap, table }) => Kernel::Table { tap: *tap, table },
            Some(Fast::Sums { pattern, table }) => Kernel::Sums(Sums::new(pattern, table, width)),
            None => Kernel::General(Box::new(General::new(&operator.routines, window.taps.len()))),
        };
        let rows = Rows::new(window.radius, width);
        Worker { operator, images, simd, rows, before: None, kernel, line: vec![P::default(); width] }
    }

    fn stripe(&mut self, pixels: &[P], stripe: Stripe<'_, P>) {
        let (operator, images) = (self.operator, self.images);
        let (width, made) = (images.width(), operator.channels_of(images));
        let frame = &pixels[stripe.frame * images.frame_len()..][..images.frame_len()];
        let (height, channels, border) = (images.height(), images.channels(), operator.border);
        let source = |plane: Plane| Source { frame, width, height, channels, plane, border };
        if made == 1 {
            let source = source(if channels == 1 { Plane::Channel(0) } else { Plane::Grey });
            self.before = None;
            let mut in_place = false;
            for (y, out) in (stripe.first..).zip(stripe.out.chunks_exact_mut(width)) {
                if let Kernel::Sums(sums) = &mut self.kernel
                    && sums.row_in_place(self.simd, &source, y, out)
                {
                    in_place = true;
                    continue;
                }
                self.move_to(&source, y);
                self.row(out);
            }
            if let Kernel::Sums(sums) = &mut self.kernel
                && in_place
            {
                sums.ends(self.simd, &source, stripe.first, stripe.out);
            }
            return;
        }
        let mut line = std::mem::take(&mut self.line);
        for channel in 0..made.min(OPACITY) {
            let source = source(Plane::Channel(channel));
            self.before = None;
            for (y, out) in (stripe.first..).zip(stripe.out.chunks_exact_mut(width * made)) {
                self.move_to(&source, y);
                self.row(&mut line);
                out.chunks_exact_mut(made).zip(&line).for_each(|(to, from)| to[channel] = *from);
            }
        }
        self.line = line;
        if made > OPACITY {
            let from = frame[stripe.first * width * made..].chunks_exact(made);
            let both = stripe.out.chunks_exact_mut(made).zip(from);
            both.for_each(|(to, from)| to[OPACITY] = from[OPACITY]);
        }
    }

    /// Moves the window's rows to row `y` of a picture.
    fn move_to(&mut self, source: &Source<'_, P>, y: usize) {
        match self.before {
            Some(before) if before + 1 == y => self.rows.down_to(source, y),
            _ => self.rows.start(source, y),
        }
        self.before = Some(y);
    }

    /// The new pixels of the row in the middle of the window's rows.
    fn row(&mut self, out: &mut [P]) {
        let rows = &self.rows;
        match &mut self.kernel {
            Kernel::Table { tap, table } => {
                let centers = rows.at(0, 0);
                let read = rows.at(tap.dx, tap.dy).iter().zip(centers);
                for (out, (n, c)) in out.iter_mut().zip(read) {
                    let below = if tap.difference { c.number() } else { P::MOST };
                    *out = table[(n.number() + P::MOST - below) as usize];
                }
            }
            Kernel::Sums(sums) => sums.row(self.simd, rows, out),
            Kernel::General(general) => general.row(self.simd, &self.operator.window, rows, out),
        }
    }
}
