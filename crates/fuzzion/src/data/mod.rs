//! What comes from files and goes back into them: [`Table`] (rows × named columns of numbers, with label columns
//! of text beside them), [`Images`] (a stack of frames) and video, streamed frame by frame.
//!
//! | kind | read and written | notes |
//! |---|---|---|
//! | tables | CSV, TSV, text with blanks, each also `.gz` | separator and header are found; numbers are rounded correctly |
//! | | NPY | versions 1 to 3; large files are mapped, not copied |
//! | | Parquet | with the cargo feature `parquet` |
//! | images | PNG, JPEG, PGM, PPM | 8 and 16 bit; 1, 3 or 4 channels |
//! | video | Y4M | chroma planes and header parameters pass through |
//!
//! `-` is standard input or standard output. Whatever is written appears under its name only when it is complete.
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

mod classes;
mod content;
mod csv;
mod images;
mod input;
mod labels;
mod learned;
mod mapped;
mod npy;
pub mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
mod reader;
mod scalar;
mod summary;
mod table;
mod write;
mod writer;

pub use classes::Classify;
pub(crate) use classes::{Classes, largest, softmax};
pub use content::{Content, Footage};
pub use csv::Separator;
pub(crate) use images::codec::png::encode_bytes as encode_png;
pub use images::{Chroma, Frame, Images, Pixels, PixelsMut, VideoHeader, VideoReader, VideoWriter};
pub use labels::Labels;
pub use learned::Missing;
pub(crate) use learned::{column, input_names, unfit, unique};
pub use read::{Format, ReadTable};
pub use reader::TableReader;
pub use scalar::Precision;
pub(crate) use scalar::Scalar;
pub use summary::Summary;
pub(crate) use table::unknown_column;
pub use table::{Table, Values};
pub use writer::TableWriter;

#[cfg(test)]
mod tests;
