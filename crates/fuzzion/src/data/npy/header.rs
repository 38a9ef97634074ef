//! The header of an NPY file.

use crate::data::error::{DataError, Result};
use crate::data::files::Source;

/// Signature of NPY files.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";
/// Maximum size of the header; the header of a numeric array has about a hundred bytes.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Supported dtype kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DtypeKind {
    Bool,
    Signed,
    Unsigned,
    Float,
}

/// Header of an NPY file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Header {
    pub(crate) kind: DtypeKind,
    /// Bytes per value.
    pub(crate) item_size: usize,
    pub(crate) big_endian: bool,
    /// Whether the values are in column-major order.
    pub(crate) fortran_order: bool,
    pub(crate) rows: u64,
    pub(crate) columns: usize,
    /// Offset of the first value in the file.
    pub(crate) data_offset: u64,
}

fn malformed(source: &Source, reason: impl Into<String>) -> DataError {
    DataError::Malformed { path: source.path.clone(), format: "NPY", reason: reason.into() }
}

impl Header {
    /// Reads the header at the start of `source`.
    pub(crate) fn read(source: &mut Source) -> Result<Header> {
        let mut fixed = [0; 8];
        if source.fill(&mut fixed)? < fixed.len() || !fixed.starts_with(MAGIC) {
            return Err(malformed(source, "the NPY signature is missing; save the array with `numpy.save`"));
        }
        let width = match fixed[6] {
            1 => 2,
            2 | 3 => 4,
            version => {
                return Err(malformed(
                    source,
                    format!("unsupported version {version}; supported versions: 1 to 3"),
                ));
            }
        };
        let mut length = [0; 4];
        if source.fill(&mut length[..width])? < width {
            return Err(malformed(source, "the file ends within its header; download it or save it again"));
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_HEADER_BYTES {
            return Err(malformed(
                source,
                format!("the header has {length} bytes, more than {MAX_HEADER_BYTES}; save the array again"),
            ));
        }
        let mut text = vec![0; length];
        if source.fill(&mut text)? < length {
            return Err(malformed(source, "the file ends within its header; download it or save it again"));
        }
        let mut header = Header::parse(&text).map_err(|reason| malformed(source, reason))?;
        header.data_offset = (fixed.len() + width + length) as u64;
        header.check_length(source)?;
        Ok(header)
    }

    /// Rejects a shape that exceeds the file size, before memory is allocated for it.
    fn check_length(&self, source: &Source) -> Result<()> {
        let bytes = (self.columns as u64)
            .checked_mul(self.rows)
            .and_then(|n| n.checked_mul(self.item_size as u64))
            .and_then(|n| n.checked_add(self.data_offset));
        let fits = match bytes {
            None => false,
            Some(bytes) => source.file.is_none() || source.size >= bytes,
        };
        if fits && usize::try_from(bytes.unwrap_or(u64::MAX)).is_ok() {
            return Ok(());
        }
        let Header { rows, columns, item_size, .. } = self;
        Err(malformed(
            source,
            format!(
                "{rows} × {columns} values of {item_size} bytes exceed the file size of {} bytes; download it or save it again",
                source.size
            ),
        ))
    }

    /// Parses the dictionary of the header; `Err` describes the problem.
    pub(crate) fn parse(text: &[u8]) -> Result<Header, String> {
        let text = String::from_utf8_lossy(text);
        let value = |key: &str| {
            let after = text.split_once(&format!("'{key}'")).map(|(_, after)| after.trim_start());
            let value = after.and_then(|after| after.strip_prefix(':'));
            value.map(str::trim_start).ok_or(format!("the header has no entry `{key}`"))
        };
        let fortran_order = match value("fortran_order")? {
            v if v.starts_with("True") => true,
            v if v.starts_with("False") => false,
            _ => return Err("`fortran_order` in the header is neither True nor False".into()),
        };
        let descr = value("descr")?;
        let Some(descr) = descr.strip_prefix('\'').and_then(|d| d.split('\'').next()) else {
            return Err("structured dtypes are not supported; save a plain numeric array".into());
        };
        let (kind, item_size, big_endian) = parse_dtype(descr)?;
        let (rows, columns) = parse_shape(value("shape")?)?;
        Ok(Header {
            kind,
            item_size,
            big_endian,
            fortran_order: fortran_order && columns > 1,
            rows,
            columns,
            data_offset: 0,
        })
    }
}

fn parse_dtype(descr: &str) -> Result<(DtypeKind, usize, bool), String> {
    let unknown =
        || format!("unsupported dtype `{}`; convert the array with `.astype('f8')`", descr.escape_debug());
    let mut chars = descr.chars();
    let (order, kind) = (chars.next().ok_or_else(unknown)?, chars.next().ok_or_else(unknown)?);
    let size: usize = chars.as_str().parse().map_err(|_| unknown())?;
    let big_endian = match order {
        '<' | '|' => false,
        '>' => true,
        '=' => cfg!(target_endian = "big"),
        _ => return Err(unknown()),
    };
    let kind = match (kind, size) {
        ('b', 1) => DtypeKind::Bool,
        ('i', 1 | 2 | 4 | 8) => DtypeKind::Signed,
        ('u', 1 | 2 | 4 | 8) => DtypeKind::Unsigned,
        ('f', 2 | 4 | 8) => DtypeKind::Float,
        _ => return Err(unknown()),
    };
    Ok((kind, size, big_endian))
}

/// Number of rows and columns; a one-dimensional array is one column.
fn parse_shape(text: &str) -> Result<(u64, usize), String> {
    let inside = text.strip_prefix('(').and_then(|t| t.split_once(')')).map(|(inside, _)| inside);
    let inside = inside.ok_or("the shape in the header is not a tuple")?;
    let sizes: Result<Vec<u64>, _> =
        inside.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::parse).collect();
    match sizes.as_deref() {
        Ok([rows]) => Ok((*rows, 1)),
        Ok([rows, columns]) => {
            let columns =
                usize::try_from(*columns).map_err(|_| "the array has too many columns".to_owned())?;
            Ok((*rows, columns))
        }
        Ok(other) => Err(format!(
            "the array has {} dimensions, but a table has 1 or 2; save it with `.reshape(rows, -1)`",
            other.len()
        )),
        Err(_) => Err(format!("invalid shape `({})`; expected integers", inside.escape_debug())),
    }
}
