//! Layout of a system file: one line per field, set and rule.

use crate::inference::syntax::format_number;
use serde_json::ser::Formatter;
use std::io::{Result, Write};

/// Nesting level of the lists of sets and rules; their elements are on one line each.
const LIST_LEVEL: usize = 4;

/// Formatter of a system file.
#[derive(Default)]
pub(super) struct Layout {
    level: usize,
    in_key: bool,
    /// Whether the current value is that of the key `range`, which is on one line.
    is_range: bool,
    /// Whether the container that ends next has a value.
    has_value: bool,
}

impl Layout {
    /// Whether the elements of the current container are on lines of their own.
    fn is_broken(&self) -> bool {
        self.level <= LIST_LEVEL && !self.is_range
    }

    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, open: &[u8]) -> Result<()> {
        self.level += 1;
        self.has_value = false;
        writer.write_all(open)
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, close: &[u8]) -> Result<()> {
        let is_broken = self.is_broken();
        self.level -= 1;
        if is_broken && self.has_value {
            self.new_line(writer)?;
        }
        writer.write_all(close)
    }

    fn new_line<W: ?Sized + Write>(&self, writer: &mut W) -> Result<()> {
        writer.write_all(format!("\n{}", "  ".repeat(self.level)).as_bytes())
    }

    fn separate<W: ?Sized + Write>(&self, writer: &mut W, first: bool) -> Result<()> {
        match (first, self.is_broken()) {
            (true, true) => self.new_line(writer),
            (false, true) => writer.write_all(b",").and_then(|()| self.new_line(writer)),
            (true, false) => Ok(()),
            (false, false) => writer.write_all(b", "),
        }
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.separate(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        (self.in_key, self.is_range) = (true, false);
        self.separate(writer, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        self.in_key = false;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> Result<()> {
        (self.has_value, self.is_range) = (true, false);
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> Result<()> {
        self.is_range |= self.in_key && fragment == "range";
        writer.write_all(fragment.as_bytes())
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> Result<()> {
        writer.write_all(format_number(value).as_bytes())
    }
}
