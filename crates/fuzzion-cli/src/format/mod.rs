//! Numbers, names and tables as all commands print them.

mod number;
mod table;
mod text;

pub(crate) use number::{
    format_digits, format_number, format_rate, format_seconds, format_with_error, json_number, min_mean_max,
    with_prefix, without_noise,
};
pub(crate) use table::{align_columns, table};
pub(crate) use text::{count_of, display_path, ellipsize, escape_controls, quoted_list};
