//! Lessons learned in one launch.

use super::encode::Lessons;
use super::layout::Layout;
use super::{OnGpu, Told};
use crate::device::cuda::Grid;
use crate::error::{Error, Result};

/// Stages whose clocks are kept on request, by name.
pub(in super::super) const STAGES: [&str; 6] =
    ["distances", "sums", "exchange", "conclusion", "moving", "consequents"];

impl OnGpu<'_> {
    /// All networks learn at once, each on its team of blocks.
    pub(super) fn learn_resident(&mut self, layout: Layout, lessons: &Lessons) -> Result<Told> {
        let Layout::Resident { team, clustered, threads } = layout else {
            return self.learn_launched(layout, lessons);
        };
        let (shape, most, count) = (self.shape, self.most, self.count());
        let cuda = self.cuda.clone();
        let limit = cuda.gpu().shared_per_block as usize;
        let no_room = || Error::NotOnGpu { what: "a network of so many outputs in this mapping" };
        let on_chip = layout.on_chip(&shape, most, limit).ok_or_else(no_room)?;
        let kernel =
            cuda.kernel(&layout.program(&shape, on_chip, self.stages.is_some()), "learn_resident")?;
        let mut grid = Grid::new((team * count) as u32, threads as u32).shared(on_chip.bytes as u32);
        if clustered {
            kernel.allow_wide_clusters()?;
            grid.cluster = team as u32;
        } else if team > 1 {
            grid = grid.cooperative(); // blocks wait for each other's letters
        }
        let letters = if clustered || team == 1 { 1 } else { count * 2 * (4 + shape.outputs) * team };
        let (order, parts) = (cuda.upload(&lessons.order)?, cuda.upload(&lessons.parts)?);
        let (courses, replay) = (cuda.upload(&lessons.courses)?, cuda.upload(&lessons.replay)?);
        let mut grown = cuda.reserve::<i32>(lessons.order.len().max(1))?;
        let (mut losses, mut wrongs) = (cuda.zeros::<f64>(count)?, cuda.zeros::<u32>(count)?);
        let (mut mail, mut stages) = (cuda.zeros::<u64>(letters)?, cuda.zeros::<i64>(STAGES.len())?);
        let sent = &mut self.sent;
        let launch = kernel
            .launch()
            .input(&self.rows)
            .input(&order)
            .input(&parts)
            .input(&courses)
            .input(&replay)
            .output(&mut sent.a)
            .output(&mut sent.c)
            .output(&mut sent.w)
            .output(&mut sent.rules)
            .output(&mut grown)
            .output(&mut losses)
            .output(&mut wrongs)
            .output(&mut mail)
            .output(&mut stages)
            .value(most as i32)
            .value(on_chip.slots as i32)
            .value(i32::from(lessons.replays));
        // SAFETY: arguments as in learn_resident, made for this layout: rules have room for `most` of each network, which no
        // course exceeds (`OnGpu::learn`), every row of `order` was sent, shared memory is what `on_chip` says, and blocks that
        // wait for each other are a cluster or a cooperative launch. `mail` is 0.
        unsafe { launch.run(cuda.stream(), grid) }?;
        if let Some(kept) = &mut self.stages {
            cuda.read(&stages, kept)?;
        }
        let mut all = vec![0; lessons.order.len()];
        cuda.read(&grown, &mut all)?;
        Ok(Told { losses: cuda.download(&losses)?, wrongs: cuda.download(&wrongs)?, grown: all })
    }
}
