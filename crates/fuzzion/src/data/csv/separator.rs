//! Field separators.

use crate::base::{SettingError, unknown_name};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Field separator of delimited text.
///
/// ```
/// use fuzzion::data::Separator;
/// assert_eq!(";".parse(), Ok(Separator::Semicolon));
/// assert_eq!(Separator::Tab.to_string(), "tab");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
    #[serde(rename = "blank")]
    Whitespace,
}

impl Separator {
    /// Names, in the order of the variants.
    const NAMES: [&str; 5] = ["comma", "semicolon", "tab", "pipe", "blank"];

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

/// The separator that a first line such as `sep=;` declares, as spreadsheet programs write it, and the length of the line.
pub(crate) fn declared_separator(text: &[u8]) -> Option<(Separator, usize)> {
    let (name, rest) = text.split_at_checked(4)?;
    let (separator, rest) = rest.split_first()?;
    let separator = std::str::from_utf8(&[*separator]).ok()?.parse().ok()?;
    let end = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
    (name.eq_ignore_ascii_case(b"sep=") && end > 0).then_some((separator, 5 + end))
}

impl fmt::Display for Separator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Separator::NAMES[*self as usize])
    }
}

impl FromStr for Separator {
    type Err = SettingError;

    /// Parses `,` or `comma`, `;` or `semicolon`, `tab` or `\t`, `|` or `pipe`, and `blank`, `space` or `whitespace`.
    fn from_str(text: &str) -> Result<Self, SettingError> {
        Ok(match text {
            "," | "comma" => Separator::Comma,
            ";" | "semicolon" => Separator::Semicolon,
            "\t" | "\\t" | "tab" => Separator::Tab,
            "|" | "pipe" => Separator::Pipe,
            " " | "blank" | "space" | "whitespace" => Separator::Whitespace,
            _ => return Err(unknown_name("separator", text, &Separator::NAMES)),
        })
    }
}
