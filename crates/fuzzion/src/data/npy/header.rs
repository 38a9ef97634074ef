//! The header of an NPY file.

use crate::data::input::Source;
use crate::error::{Error, Result};

/// The first bytes of every NPY file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";
/// The longest header worth reading; those of number arrays have about a hundred bytes.
const MAX_HEADER: usize = 64 * 1024;

/// The number types that can be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
}

/// What an NPY file says about itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    /// Bytes of one number.
    pub(crate) size: usize,
    pub(crate) big_endian: bool,
    /// Whether the numbers lie column by column.
    pub(crate) by_column: bool,
    pub(crate) rows: u64,
    pub(crate) columns: usize,
    /// Where the numbers begin.
    pub(crate) start: u64,
}

fn malformed(source: &Source, reason: impl Into<String>) -> Error {
    Error::Malformed { path: source.path.clone(), format: "NPY", reason: reason.into() }
}

impl Header {
    /// Reads the header from the beginning of `source`.
    pub(crate) fn read(source: &mut Source) -> Result<Header> {
        let mut fixed = [0; 8];
        if source.fill(&mut fixed)? < fixed.len() || !fixed.starts_with(MAGIC) {
            return Err(malformed(source, "it does not begin as NumPy's array files do"));
        }
        let width = match fixed[6] {
            1 => 2,
            2 | 3 => 4,
            version => {
                return Err(malformed(source, format!("it is of version {version}; 1 to 3 are known")));
            }
        };
        let mut length = [0; 4];
        if source.fill(&mut length[..width])? < width {
            return Err(malformed(source, "it ends within its header"));
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_HEADER {
            return Err(malformed(source, format!("its header is said to be {length} bytes long")));
        }
        let mut text = vec![0; length];
        if source.fill(&mut text)? < length {
            return Err(malformed(source, "it ends within its header"));
        }
        let mut header = Header::parse(&text).map_err(|reason| malformed(source, reason))?;
        header.start = (fixed.len() + width + length) as u64;
        header.check_length(source)?;
        Ok(header)
    }

    /// Refuses a shape that the file is too short for, before any memory is taken for it.
    fn check_length(&self, source: &Source) -> Result<()> {
        let bytes = (self.columns as u64)
            .checked_mul(self.rows)
            .and_then(|n| n.checked_mul(self.size as u64))
            .and_then(|n| n.checked_add(self.start));
        let fits = match bytes {
            None => false,
            Some(bytes) => source.file.is_none() || source.size >= bytes,
        };
        if fits && usize::try_from(bytes.unwrap_or(u64::MAX)).is_ok() {
            return Ok(());
        }
        let Header { rows, columns, size, .. } = self;
        Err(malformed(
            source,
            format!("{rows} × {columns} numbers of {size} bytes do not fit in its {} bytes", source.size),
        ))
    }

    /// Parses the text between the lengths and the numbers; `Err` says what is wrong.
    pub(crate) fn parse(text: &[u8]) -> Result<Header, String> {
        let text = String::from_utf8_lossy(text);
        let value = |key: &str| {
            let after = text.split_once(&format!("'{key}'")).map(|(_, after)| after.trim_start());
            let value = after.and_then(|after| after.strip_prefix(':'));
            value.map(str::trim_start).ok_or(format!("its header does not say `{key}`"))
        };
        let by_column = match value("fortran_order")? {
            v if v.starts_with("True") => true,
            v if v.starts_with("False") => false,
            _ => return Err("its header does not say whether `fortran_order` is True or False".into()),
        };
        let descr = value("descr")?;
        let Some(descr) = descr.strip_prefix('\'').and_then(|d| d.split('\'').next()) else {
            return Err("it holds records of several types; save one array of numbers".into());
        };
        let (kind, size, big_endian) = number_type(descr)?;
        let (rows, columns) = shape(value("shape")?)?;
        Ok(Header { kind, size, big_endian, by_column: by_column && columns > 1, rows, columns, start: 0 })
    }
}

fn number_type(descr: &str) -> Result<(Kind, usize, bool), String> {
    let unknown = || format!("numbers of type `{descr}` are not known here; save them with `.astype('f8')`");
    let mut letters = descr.chars();
    let (order, kind) = (letters.next().ok_or_else(unknown)?, letters.next().ok_or_else(unknown)?);
    let size: usize = letters.as_str().parse().map_err(|_| unknown())?;
    let big_endian = match order {
        '<' | '|' => false,
        '>' => true,
        '=' => cfg!(target_endian = "big"),
        _ => return Err(unknown()),
    };
    let kind = match (kind, size) {
        ('b', 1) => Kind::Bool,
        ('i', 1 | 2 | 4 | 8) => Kind::Signed,
        ('u', 1 | 2 | 4 | 8) => Kind::Unsigned,
        ('f', 2 | 4 | 8) => Kind::Float,
        _ => return Err(unknown()),
    };
    Ok((kind, size, big_endian))
}

/// Rows and columns: one dimension is one column.
fn shape(text: &str) -> Result<(u64, usize), String> {
    let inside = text.strip_prefix('(').and_then(|t| t.split_once(')')).map(|(inside, _)| inside);
    let inside = inside.ok_or("its header does not say its shape")?;
    let sizes: Result<Vec<u64>, _> =
        inside.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::parse).collect();
    match sizes.as_deref() {
        Ok([rows]) => Ok((*rows, 1)),
        Ok([rows, columns]) => {
            let columns = usize::try_from(*columns).map_err(|_| "it has too many columns".to_owned())?;
            Ok((*rows, columns))
        }
        Ok(other) => Err(format!(
            "it has {} dimensions; a table has one or two: save it with `.reshape(rows, -1)`",
            other.len()
        )),
        Err(_) => Err(format!("its shape `({inside})` is not one of whole numbers")),
    }
}
