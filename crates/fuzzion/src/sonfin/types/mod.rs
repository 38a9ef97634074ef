//! Data types shared by training, inspection and the back ends.

pub(crate) mod adam;
pub(super) mod argmax;
pub(super) mod linear_part;
pub(crate) mod network;
pub(super) mod options;
pub(super) mod scale;
pub(crate) mod scaled_samples;
