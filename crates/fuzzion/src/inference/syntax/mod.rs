//! Rule syntax, and the parts common to all parsers and writers.

mod rule_parser;
mod rule_writer;
mod text;

pub(in crate::inference) use rule_parser::{RuleSyntax, SymbolTable};
pub(in crate::inference) use rule_writer::{Labels, is_parsable};
pub use text::MAX_SYSTEM_BYTES;
pub(in crate::inference) use text::{
    Line, check_length, expected_number, format_number, is_rule_name, parse_number, quoted, quoted_list,
    quoted_or_end, to_identifier, tokenize, unique_identifiers,
};
