//! Field separators.

use crate::data::error::{DataError, Result};
use std::str::FromStr;

/// Field separator of delimited text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`
    Pipe,
    /// Any number of spaces and tabs.
    Whitespace,
}

impl Separator {
    /// The separator as a byte; a space for [`Separator::Whitespace`].
    pub(crate) fn byte(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Tab => b'\t',
            Separator::Pipe => b'|',
            Separator::Whitespace => b' ',
        }
    }

    /// Whether `byte` separates fields.
    #[inline(always)]
    pub(crate) fn is(self, byte: u8) -> bool {
        byte == self.byte() || (self == Separator::Whitespace && byte == b'\t')
    }
}

impl FromStr for Separator {
    type Err = DataError;

    /// Parses `,` or `comma`, `;` or `semicolon`, `tab` or `\t`, `|` or `pipe`, and `blank`, `space` or `whitespace`.
    fn from_str(text: &str) -> Result<Self> {
        Ok(match text {
            "," | "comma" => Separator::Comma,
            ";" | "semicolon" => Separator::Semicolon,
            "\t" | "\\t" | "tab" => Separator::Tab,
            "|" | "pipe" => Separator::Pipe,
            " " | "blank" | "space" | "whitespace" => Separator::Whitespace,
            _ => return Err(DataError::UnknownSeparator(text.to_owned())),
        })
    }
}
