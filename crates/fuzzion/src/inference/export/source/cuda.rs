//! Conversion of C source to CUDA C++.

use crate::data::Precision;

/// Converts functions and tables to device code of the given precision.
pub(in crate::inference::export) fn convert_to_cuda(text: &str, precision: Precision) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let (code, comment) = match line.find("//") {
            Some(at) => line.split_at(at),
            None => (line, ""),
        };
        let code = match code {
            code if code.starts_with("static const ") => code.replacen("static", "static __device__", 1),
            code if code.starts_with("static ") => code.replacen("static", "static __device__ inline", 1),
            code => code.to_owned(),
        };
        let code = match precision {
            Precision::F32 => to_single(&code).replace('@', "f").replace("LARGEST", "3e38f"),
            Precision::F64 => code.replace('@', "").replace("LARGEST", "1e300"),
        };
        out.push_str(&code);
        out.push_str(comment);
        out.push('\n');
    }
    out
}

/// Converts literals and types to single precision.
fn to_single(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_alphabetic() || c == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if c.is_ascii_digit() {
            number_length(rest)
        } else {
            c.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        match token {
            "double" => out.push_str("float"),
            token => out.push_str(token),
        }
        if c.is_ascii_digit() && token.contains(['.', 'e']) {
            out.push('f');
        }
        rest = after;
    }
    out
}

/// Length of the number at the start of the text.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    let end = text.find(|c: char| {
        let part = c.is_ascii_digit() || c == '.' || c == 'e' || (before == 'e' && (c == '-' || c == '+'));
        before = c;
        !part
    });
    end.unwrap_or(text.len())
}
