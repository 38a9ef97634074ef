//! Blocks of midpoints and radii.

use crate::device::Plane;

/// Blocks of midpoints, and one plane of radii per block and cut.
#[derive(Clone, Copy)]
pub struct Balls<'a, T, R> {
    pub(super) midpoints: &'a [Plane<T>],
    pub(super) radii: &'a [Plane<R>],
}

/// Mutable version of [`Balls`].
pub struct BallsMut<'a, T, R> {
    pub(super) midpoints: &'a mut [Plane<T>],
    pub(super) radii: &'a mut [Plane<R>],
}

/// One block: a plane of midpoints, and a plane of radii per cut.
#[derive(Clone, Copy)]
pub(super) struct Ball<'a, T, R> {
    pub(super) midpoint: &'a Plane<T>,
    pub(super) radii: &'a [Plane<R>],
}

/// Mutable version of [`Ball`].
pub(super) struct BallMut<'a, T, R> {
    pub(super) midpoint: &'a mut Plane<T>,
    pub(super) radii: &'a mut [Plane<R>],
}

impl<'a, T, R> Balls<'a, T, R> {
    #[inline(always)]
    pub(super) fn block(&self, at: usize) -> Ball<'a, T, R> {
        let cuts = self.radii.len() / self.midpoints.len();
        Ball { midpoint: &self.midpoints[at], radii: &self.radii[at * cuts..(at + 1) * cuts] }
    }
}

impl<T, R> BallsMut<'_, T, R> {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.midpoints.len()
    }

    #[inline(always)]
    pub(super) fn block(&mut self, at: usize) -> BallMut<'_, T, R> {
        let cuts = self.radii.len() / self.midpoints.len();
        BallMut { midpoint: &mut self.midpoints[at], radii: &mut self.radii[at * cuts..(at + 1) * cuts] }
    }
}
