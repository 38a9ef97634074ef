//! Checks of the sizes that pages claim, before the `parquet` crate reserves memory for them.

use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

/// Every page may have this many bytes when it is decompressed.
const SMALL_PAGE: u64 = 16 << 20;

/// Largest ratio of the decompressed to the compressed size of larger pages; Zstandard reaches about 10,000 for constant columns.
const MAX_RATIO: u64 = 10_000;

/// Smallest size of an entry of a dictionary: a 32-bit number, or the length of a text.
const MIN_ENTRY_BYTES: u64 = 4;

/// Structures of a page header are nested at most this deep.
const MAX_DEPTH: u32 = 16;

/// The numbers of a page header that determine how much memory its page takes.
#[derive(Debug, Default, PartialEq)]
struct PageHeader {
    uncompressed: i64,
    compressed: i64,
    dictionary_entries: i64,
}

/// Checks the page headers of a column chunk.
pub(crate) fn check_pages(file: &File, chunk: &ColumnChunkMetaData) -> Result<()> {
    let (mut position, length) = chunk.byte_range(); // panics if one is negative; the caller reports panics
    let end = position.saturating_add(length);
    let mut reader = BufReader::with_capacity(512, file.try_clone()?);
    while position < end {
        reader.seek(SeekFrom::Start(position))?;
        let mut header = Header { reader: &mut reader, bytes: 0 };
        let page = header.page()?;
        let data = position.saturating_add(header.bytes);
        position = match check_page(&page) {
            Some(compressed) => data.saturating_add(compressed),
            None => return Err(damaged()),
        };
    }
    Ok(())
}

/// The compressed size of a page whose numbers are plausible.
fn check_page(page: &PageHeader) -> Option<u64> {
    let [uncompressed, compressed, entries] =
        [page.uncompressed, page.compressed, page.dictionary_entries].map(|n| u64::try_from(n).ok());
    let (uncompressed, compressed) = (uncompressed?, compressed?);
    let plausible = uncompressed <= SMALL_PAGE.saturating_add(compressed.saturating_mul(MAX_RATIO))
        && entries?.saturating_mul(MIN_ENTRY_BYTES) <= uncompressed;
    plausible.then_some(compressed)
}

fn damaged() -> ParquetError {
    ParquetError::General("the sizes of a page are implausible; the file is damaged, save it again".into())
}

/// Reads a structure of the compact Thrift protocol, in which Parquet writes its page headers.
struct Header<R> {
    reader: R,
    /// Bytes read so far.
    bytes: u64,
}

/// Types of values of the compact Thrift protocol.
mod thrift {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const MAP: u8 = 11;
    pub(super) const STRUCT: u8 = 12;
}

impl<R: BufRead> Header<R> {
    fn page(&mut self) -> Result<PageHeader> {
        let mut page = PageHeader::default();
        self.fields(|header, field, kind| {
            match (field, kind) {
                (2, thrift::I32) => page.uncompressed = header.integer()?,
                (3, thrift::I32) => page.compressed = header.integer()?,
                (7, thrift::STRUCT) => page.dictionary_entries = header.dictionary_entries()?,
                _ => header.skip(kind, MAX_DEPTH)?,
            }
            Ok(())
        })?;
        Ok(page)
    }

    fn dictionary_entries(&mut self) -> Result<i64> {
        let mut entries = 0;
        self.fields(|header, field, kind| {
            match (field, kind) {
                (1, thrift::I32) => entries = header.integer()?,
                _ => header.skip(kind, MAX_DEPTH)?,
            }
            Ok(())
        })?;
        Ok(entries)
    }

    /// Calls `read` with the number and type of each field of a structure; `read` consumes the value.
    fn fields(&mut self, mut read: impl FnMut(&mut Self, i64, u8) -> Result<()>) -> Result<()> {
        let mut field = 0_i64;
        loop {
            let byte = self.byte()?;
            let (delta, kind) = (byte >> 4, byte & 15);
            if kind == 0 {
                return Ok(());
            }
            field = if delta == 0 { self.integer()? } else { field.saturating_add(delta.into()) };
            read(self, field, kind)?;
        }
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or_else(damaged)?;
        match kind {
            thrift::TRUE | thrift::FALSE => Ok(()), // the type is the value
            thrift::BYTE => self.byte().map(drop),
            thrift::I16 | thrift::I32 | thrift::I64 => self.unsigned().map(drop),
            thrift::DOUBLE => self.skip_bytes(8),
            thrift::BINARY => {
                let length = self.unsigned()?;
                self.skip_bytes(length)
            }
            thrift::LIST | thrift::SET => {
                let byte = self.byte()?;
                let length = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
                (0..length).try_for_each(|_| self.skip_element(byte & 15, depth))
            }
            thrift::MAP => {
                let length = self.unsigned()?;
                let kinds = if length > 0 { self.byte()? } else { 0 };
                (0..length).try_for_each(|_| {
                    self.skip_element(kinds >> 4, depth)?;
                    self.skip_element(kinds & 15, depth)
                })
            }
            thrift::STRUCT => self.fields(|header, _, kind| header.skip(kind, depth)),
            _ => Err(damaged()),
        }
    }

    /// Skips an element of a collection; there, a Boolean takes a byte.
    fn skip_element(&mut self, kind: u8, depth: u32) -> Result<()> {
        match kind {
            thrift::TRUE | thrift::FALSE => self.byte().map(drop),
            _ => self.skip(kind, depth),
        }
    }

    fn skip_bytes(&mut self, length: u64) -> Result<()> {
        let skipped = std::io::copy(&mut self.reader.by_ref().take(length), &mut std::io::sink())?;
        self.bytes += skipped;
        if skipped == length { Ok(()) } else { Err(damaged()) }
    }

    /// An integer whose sign is its last bit.
    fn integer(&mut self) -> Result<i64> {
        let bits = self.unsigned()?;
        Ok((bits >> 1) as i64 ^ -((bits & 1) as i64))
    }

    /// An integer of seven bits per byte, lowest bits first.
    fn unsigned(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(damaged())
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.reader.read_exact(&mut byte).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof => damaged(),
            _ => e.into(),
        })?;
        self.bytes += 1;
        Ok(byte[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_of(bytes: &[u8]) -> Result<(PageHeader, u64)> {
        let mut header = Header { reader: bytes, bytes: 0 };
        Ok((header.page()?, header.bytes))
    }

    /// A field header and a zigzag varint.
    fn number(delta: u8, value: u32) -> Vec<u8> {
        let mut bytes = vec![delta << 4 | thrift::I32];
        let mut rest = u64::from(value) << 1;
        while rest >= 128 {
            bytes.push(rest as u8 | 128);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        bytes
    }

    /// A dictionary page with a checksum and a trailing field of every type.
    fn dictionary_page(uncompressed: u32, compressed: u32, entries: u32) -> Vec<u8> {
        let sizes = [number(1, 2), number(1, uncompressed), number(1, compressed), number(1, 77)].concat();
        let dictionary = [vec![3 << 4 | thrift::STRUCT], number(1, entries), number(1, 0), vec![0]].concat();
        let others = [
            vec![1 << 4 | thrift::TRUE, 1 << 4 | thrift::BYTE, 9, 1 << 4 | thrift::DOUBLE],
            vec![0; 8],
            vec![1 << 4 | thrift::BINARY, 3, b'a', b'b', b'c'],
            vec![1 << 4 | thrift::LIST, 2 << 4 | thrift::TRUE, 1, 2],
            vec![1 << 4 | thrift::MAP, 1, thrift::BYTE << 4 | thrift::I64, 5, 128, 1],
            vec![thrift::I16, 80, 6, 0], // field 40
        ];
        [sizes, dictionary, others.concat()].concat()
    }

    #[test]
    fn page_headers_are_read() {
        let bytes = dictionary_page(40_000, 300, 1_000);
        let (page, length) = page_of(&[&bytes[..], b"the page"].concat()).unwrap();
        let expected = PageHeader { uncompressed: 40_000, compressed: 300, dictionary_entries: 1_000 };
        assert_eq!((page, length), (expected, bytes.len() as u64));
        for cut in 0..bytes.len() {
            page_of(&bytes[..cut]).unwrap_err();
        }
    }

    #[test]
    fn implausible_sizes_are_rejected() {
        let check = |uncompressed, compressed, entries| {
            check_page(&page_of(&dictionary_page(uncompressed, compressed, entries)).unwrap().0)
        };
        assert_eq!(check(40_000, 300, 10_000), Some(300));
        assert_eq!(check(40_000, 300, 10_001), None);
        assert_eq!(check(16 << 20, 0, 0), Some(0));
        assert_eq!(check(1_900_000_000, 300, 0), None);
        assert_eq!(check(1_900_000_000, 200_000, 0), Some(200_000));
        assert_eq!(check_page(&PageHeader { uncompressed: -1, ..PageHeader::default() }), None);
    }

    #[test]
    fn nested_structures_do_not_overflow_the_stack() {
        page_of(&vec![1 << 4 | thrift::STRUCT; 1 << 20]).unwrap_err();
        let endless_list = [1 << 4 | thrift::LIST, 15 << 4 | thrift::LIST, 255, 255, 255, 255, 15];
        page_of(&endless_list).unwrap_err();
    }
}
