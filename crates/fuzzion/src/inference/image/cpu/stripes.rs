//! Applies an operator to stripes of rows in parallel.

use super::general::GeneralKernel;
use super::sums::{self, SumKernel};
use crate::data::Images;
use crate::device::{Cpu, Simd};
use crate::inference::error::Result;
use crate::inference::image::fast_path::FastPath;
use crate::inference::image::operator::{FastPixel, Operator};
use crate::inference::image::window::{Plane, PlaneSource, Tap, WindowRows};
use crate::progress::Progress;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows per work item: enough to make the cost of the adjacent rows negligible.
const STRIPE: usize = 32;
const _: () = assert!(STRIPE <= sums::MAX_ROWS);
/// Index of the opacity channel.
const OPACITY: usize = 3;

/// Consecutive rows of a frame and their output.
struct Stripe<'a, P> {
    frame: usize,
    first: usize,
    out: &'a mut [P],
}

/// Applies the operator to all frames.
pub(crate) fn apply<P: FastPixel>(
    operator: &Operator,
    images: &Images,
    pixels: &[P],
    cpu: &Cpu,
    progress: &Progress,
    out: &mut [P],
) -> Result<()> {
    let (width, height, channels) =
        (images.width(), images.height(), operator.out_channels(images.channels()));
    let row = width * channels;
    let frames = out.chunks_mut(height * row).enumerate();
    let stripes: Vec<Stripe<'_, P>> = frames
        .flat_map(|(frame, out)| {
            let stripes = out.chunks_mut(STRIPE * row).enumerate();
            stripes.map(move |(i, out)| Stripe { frame, first: i * STRIPE, out })
        })
        .collect();
    let (done, total) = (AtomicU64::new(0), (images.frames() * height) as u64);
    let worker = || StripeWorker::new(operator, images, cpu.simd());
    let work = |worker: &mut StripeWorker<'_, P>, stripe: Stripe<'_, P>| {
        let rows = (stripe.out.len() / row) as u64;
        worker.stripe(pixels, stripe);
        progress.report(done.fetch_add(rows, Ordering::Relaxed) + rows, total)
    };
    match cpu.threads() {
        // For a small frame, waking a thread takes a significant part of the total time.
        1 => {
            let mut worker = worker();
            Ok(stripes.into_iter().try_for_each(|stripe| work(&mut worker, stripe))?)
        }
        _ => Ok(cpu.run(|| stripes.into_par_iter().try_for_each_init(worker, work))?),
    }
}

/// Working data of a thread.
struct StripeWorker<'a, P: FastPixel> {
    operator: &'a Operator,
    images: &'a Images,
    simd: Simd,
    rows: WindowRows<P>,
    /// Current center row of `rows` in the current plane.
    current_row: Option<usize>,
    kernel: RowKernel<'a, P>,
    /// Output row of one channel, for frames with several channels.
    line: Vec<P>,
}

/// Computes the pixels of a row.
enum RowKernel<'a, P: FastPixel> {
    OneInput { tap: Tap, table: &'a [P] },
    Sums(SumKernel<'a, P>),
    General(Box<GeneralKernel<'a>>),
}

impl<'a, P: FastPixel> StripeWorker<'a, P> {
    fn new(operator: &'a Operator, images: &'a Images, simd: Simd) -> Self {
        let (window, width) = (&operator.window, images.width());
        let kernel = match operator.fast::<P>() {
            Some(FastPath::OneInput { tap, table }) => RowKernel::OneInput { tap: *tap, table },
            Some(FastPath::Sums { pattern, table }) => RowKernel::Sums(SumKernel::new(pattern, table, width)),
            None => RowKernel::General(Box::new(GeneralKernel::new(&operator.routines, window.taps.len()))),
        };
        let rows = WindowRows::new(window.radius, width);
        StripeWorker {
            operator,
            images,
            simd,
            rows,
            current_row: None,
            kernel,
            line: vec![P::default(); width],
        }
    }

    fn stripe(&mut self, pixels: &[P], stripe: Stripe<'_, P>) {
        let (operator, images) = (self.operator, self.images);
        let (width, out_channels) = (images.width(), operator.out_channels(images.channels()));
        let frame = &pixels[stripe.frame * images.frame_len()..][..images.frame_len()];
        let (height, channels, border) = (images.height(), images.channels(), operator.border);
        let source = |plane: Plane| PlaneSource { frame, width, height, channels, plane, border };
        if out_channels == 1 {
            let source = source(if channels == 1 { Plane::Channel(0) } else { Plane::Gray });
            self.current_row = None;
            let mut read_directly = false;
            for (y, out) in (stripe.first..).zip(stripe.out.chunks_exact_mut(width)) {
                if let RowKernel::Sums(sums) = &mut self.kernel
                    && sums.inner_row(self.simd, &source, y, out)
                {
                    read_directly = true;
                    continue;
                }
                self.move_to(&source, y);
                self.row(out);
            }
            if let RowKernel::Sums(sums) = &mut self.kernel
                && read_directly
            {
                sums.row_ends(self.simd, &source, stripe.first, stripe.out);
            }
            return;
        }
        let mut line = std::mem::take(&mut self.line);
        for channel in 0..out_channels.min(OPACITY) {
            let source = source(Plane::Channel(channel));
            self.current_row = None;
            for (y, out) in (stripe.first..).zip(stripe.out.chunks_exact_mut(width * out_channels)) {
                self.move_to(&source, y);
                self.row(&mut line);
                out.chunks_exact_mut(out_channels).zip(&line).for_each(|(to, from)| to[channel] = *from);
            }
        }
        self.line = line;
        if out_channels > OPACITY {
            let from = frame[stripe.first * width * out_channels..].chunks_exact(out_channels);
            let pairs = stripe.out.chunks_exact_mut(out_channels).zip(from);
            pairs.for_each(|(to, from)| to[OPACITY] = from[OPACITY]);
        }
    }

    /// Moves the window's rows to row `y` of a plane.
    fn move_to(&mut self, source: &PlaneSource<'_, P>, y: usize) {
        match self.current_row {
            Some(current) if current + 1 == y => self.rows.move_down_to(source, y),
            _ => self.rows.start(source, y),
        }
        self.current_row = Some(y);
    }

    /// Computes the center row of the window's rows.
    fn row(&mut self, out: &mut [P]) {
        let rows = &self.rows;
        match &mut self.kernel {
            RowKernel::OneInput { tap, table } => {
                let centers = rows.at(0, 0);
                let read = rows.at(tap.dx, tap.dy).iter().zip(centers);
                for (out, (n, c)) in out.iter_mut().zip(read) {
                    let subtracted = if tap.difference { c.value() } else { P::MAX };
                    *out = table[(n.value() + P::MAX - subtracted) as usize];
                }
            }
            RowKernel::Sums(sums) => sums.row(self.simd, rows, out),
            RowKernel::General(general) => general.row(self.simd, &self.operator.window, rows, out),
        }
    }
}
