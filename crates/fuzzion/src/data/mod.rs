//! Reading and writing data files: [`Table`] (rows × named numeric columns, with optional label columns),
//! [`Images`] (a stack of frames) and video, streamed frame by frame.
//!
//! | data | formats | notes |
//! |---|---|---|
//! | tables | CSV, TSV, whitespace-separated text, each also `.gz` | separator and header are detected; numbers are correctly rounded |
//! | | NPY | versions 1 to 3; large files are memory-mapped |
//! | | Parquet | with the cargo feature `parquet` |
//! | images | PNG, JPEG, PGM, PPM | 8 and 16 bits; 1, 3 or 4 channels |
//! | video | Y4M | chroma planes and header parameters are passed through |
//!
//! `-` is standard input or standard output. Output files are atomic: a file appears under its name only when it
//! is complete.
//!
//! ```
//! # fn main() -> fuzzion::Result<()> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("iris.csv");
//! # std::fs::write(&path, "length,width,kind\n5.1,3.5,setosa\n7.0,3.2,versicolor\n").unwrap();
//! use fuzzion::data::ReadTable;
//!
//! let table = ReadTable::new().labels(["kind"]).read(&path)?;
//! assert_eq!(table.names(), ["length", "width"]);
//! assert_eq!(table.column("width")?, [3.5, 3.2]);
//! assert_eq!(table.label("kind")?.get(1), Some("versicolor"));
//! # Ok(())
//! # }
//! ```

#[cfg(any(feature = "arrow", feature = "ndarray"))]
mod convert;
mod csv;
#[cfg(feature = "clustering")]
mod distributed;
pub(crate) mod error;
mod files;
#[cfg(feature = "images")]
mod images;
mod mapped;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod pipeline;
mod read;
pub(crate) mod tables;
mod training;
mod write;

pub use csv::{Records, Separator};
#[cfg(feature = "clustering")]
pub(crate) use distributed::{Encode, Event, Exchange, Requests, encoded, from_bytes, to_bytes};
pub use error::DataError;
pub(crate) use files::ModelFormat;
pub use files::output;
#[cfg(feature = "images")]
pub(crate) use images::codec::png::encode_bytes as encode_png;
#[cfg(feature = "images")]
pub use images::{
    Chroma, Frame, FrameBatch, Images, Pixels, PixelsMut, VideoHeader, VideoReader, VideoWriter,
};
pub use pipeline::{ChunkState, StageTimes, pipeline};
#[cfg(feature = "images")]
pub use read::{Content, ImageOrVideo};
pub use read::{Format, ReadTable, TableReader};
pub use tables::{DeviceSamples, Labels, Precision, Samples, Summary, Table, Values};
#[cfg(feature = "cuda")]
pub(crate) use tables::{GpuScalar, GpuValues, GpuView};
pub(crate) use tables::{Scalar, has_indicator, host_samples, indicator_value, unknown_column};
pub use training::{Classify, MissingInputs};
pub(crate) use training::{
    NO_VALUES, argmax_rows, check_targets, check_values, column, column_error, ignored_constants,
    input_column, input_names, softmax, target_columns, targets_of_model, with_indicators,
};
pub use write::TableWriter;

#[cfg(test)]
mod tests;
