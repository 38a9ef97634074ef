//! SVG primitives: numbers, escaping, paints, and the style sheet for light and dark mode.

use super::color::{Color, PALETTE_LEN, palette};
use std::fmt::Write;

/// A color: an attribute for light mode and a class for the style sheet of dark mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Paint {
    Series(usize),
    Text,
    Muted,
    Axis,
    Grid,
    Background,
    /// A color for light mode and one for dark mode.
    Exact(Color, Color),
}

impl Paint {
    fn class(self) -> Option<(&'static str, usize)> {
        match self {
            Paint::Series(index) => Some(("c", index % PALETTE_LEN)),
            Paint::Text => Some(("i", 0)),
            Paint::Muted => Some(("i", 1)),
            Paint::Axis => Some(("i", 2)),
            Paint::Grid => Some(("i", 3)),
            Paint::Background => Some(("i", 4)),
            Paint::Exact(..) => None,
        }
    }

    fn colors(self) -> (Color, Color) {
        match self {
            Paint::Series(index) => palette(index),
            Paint::Text => (Color::hex(0x20242c), Color::hex(0xe8eaee)),
            Paint::Muted => (Color::hex(0x5f6773), Color::hex(0xa6adb8)),
            Paint::Axis => (Color::hex(0x9aa1ab), Color::hex(0x68707c)),
            Paint::Grid => (Color::hex(0xe9ebee), Color::hex(0x2b3038)),
            Paint::Background => (Color::hex(0xffffff), Color::hex(0x16191e)),
            Paint::Exact(light, dark) => (light, dark),
        }
    }

    /// Attributes for a stroke without a fill.
    pub(super) fn stroke(self) -> String {
        format!("{} fill=\"none\"", self.attribute("stroke", "s"))
    }

    /// Attributes for a fill.
    pub(super) fn fill(self) -> String {
        self.attribute("fill", "f")
    }

    fn attribute(self, name: &str, prefix: &str) -> String {
        let (light, dark) = self.colors();
        match self.class() {
            Some((kind, index)) => format!("class=\"{prefix}{kind}{index}\" {name}=\"{light}\""),
            None => format!("{name}=\"{light}\" style=\"{name}:light-dark({light},{dark})\""),
        }
    }
}

/// The style sheet with the colors of dark mode.
///
/// It is the same in all charts, because the style sheets of all inline charts of a page apply to each of them.
fn style() -> String {
    let mut text = String::from("svg.fz{color-scheme:light dark}@media (prefers-color-scheme:dark){");
    let series = (0..PALETTE_LEN).map(Paint::Series);
    for paint in series.chain([Paint::Text, Paint::Muted, Paint::Axis, Paint::Grid, Paint::Background]) {
        if let Some((kind, index)) = paint.class() {
            let dark = paint.colors().1;
            let _ = write!(text, ".fz .s{kind}{index}{{stroke:{dark}}}.fz .f{kind}{index}{{fill:{dark}}}");
        }
    }
    text.push('}');
    text
}

/// An SVG document of the given size with `body`.
pub(super) fn document(width: f64, height: f64, label: &str, body: &str) -> String {
    let (w, h) = (num(width), num(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fz\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{label}\" font-size=\"12\" \
         font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',sans-serif\">\
         <style>{style}</style><rect width=\"{w}\" height=\"{h}\" {background}/>\n{body}</svg>\n",
        label = escape(label),
        style = style(),
        background = Paint::Background.fill(),
    )
}

/// Horizontal alignment of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text with its baseline at (x, y).
pub(super) fn text(
    out: &mut String,
    x: f64,
    y: f64,
    anchor: Anchor,
    paint: Paint,
    attributes: &str,
    content: &str,
) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let (x, y, paint, content) = (num(x), num(y), paint.fill(), escape(content));
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\"{anchor} {paint}{attributes}>{content}</text>");
}

/// A coordinate with at most one decimal, clamped to a range that renderers support.
pub(super) fn num(value: f64) -> String {
    const MAX: f64 = 100_000.0;
    let tenths = if value.is_nan() { 0.0 } else { (value.clamp(-MAX, MAX) * 10.0).round() };
    if tenths % 10.0 == 0.0 { format!("{}", (tenths / 10.0) as i64) } else { format!("{:.1}", tenths / 10.0) }
}

/// Escapes markup and removes control characters, which XML does not allow.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

/// Upper estimate of the width of text, since the font is unknown.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 't' | 'f' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.36,
            '\u{202f}' => 0.2,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
            '0'..='9' => 0.62,
            c if c.is_ascii_uppercase() => 0.7,
            c if ('\u{2070}'..='\u{209f}').contains(&c) || "¹²³".contains(c) => 0.42,
            '\u{1100}'.. if !('\u{2000}'..='\u{2bff}').contains(&c) => 1.0,
            _ => 0.61,
        })
        .sum();
    ems * size
}

/// Base64 encoding (RFC 4648).
pub(super) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0u32, |group, &byte| group << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let character = ALPHABET[(group >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= chunk.len() { char::from(character) } else { '=' });
        }
    }
    out
}
