//! `fuzzion edges` and `fuzzion image`

mod images;
mod video;
