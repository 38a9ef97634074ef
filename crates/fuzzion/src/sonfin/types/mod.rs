//! Data types shared by training, inspection and the back ends.

pub(super) mod argmax;
pub(super) mod network;
pub(super) mod options;
pub(super) mod scale;
pub(super) mod scaled_samples;
