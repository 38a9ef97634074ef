//! The text of an SVG: numbers, escapes, paints, and the style that follows light and dark.

use super::color::{Color, PALETTE_LEN, palette};
use std::fmt::Write;

/// What something is painted with: a light colour as attribute, and a class by which dark mode repaints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ink {
    Series(usize),
    Text,
    Muted,
    Axis,
    Grid,
    Background,
    /// A colour on light and its counterpart on dark.
    Exact(Color, Color),
}

impl Ink {
    fn class(self) -> Option<(&'static str, usize)> {
        match self {
            Ink::Series(index) => Some(("c", index % PALETTE_LEN)),
            Ink::Text => Some(("i", 0)),
            Ink::Muted => Some(("i", 1)),
            Ink::Axis => Some(("i", 2)),
            Ink::Grid => Some(("i", 3)),
            Ink::Background => Some(("i", 4)),
            Ink::Exact(..) => None,
        }
    }

    fn colors(self) -> (Color, Color) {
        match self {
            Ink::Series(index) => palette(index),
            Ink::Text => (Color::hex(0x20242c), Color::hex(0xe8eaee)),
            Ink::Muted => (Color::hex(0x5f6773), Color::hex(0xa6adb8)),
            Ink::Axis => (Color::hex(0x9aa1ab), Color::hex(0x68707c)),
            Ink::Grid => (Color::hex(0xe9ebee), Color::hex(0x2b3038)),
            Ink::Background => (Color::hex(0xffffff), Color::hex(0x16191e)),
            Ink::Exact(light, dark) => (light, dark),
        }
    }

    /// Attributes that stroke with this ink and fill with nothing.
    pub(super) fn stroke(self) -> String {
        format!("{} fill=\"none\"", self.attribute("stroke", "s"))
    }

    /// Attributes that fill with this ink.
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

/// The rules that repaint every class when the reader prefers dark.
///
/// The same text in every picture: inline in a page, style sheets of all pictures apply to all of them.
fn style() -> String {
    let mut text = String::from("svg.fz{color-scheme:light dark}@media (prefers-color-scheme:dark){");
    let series = (0..PALETTE_LEN).map(Ink::Series);
    for ink in series.chain([Ink::Text, Ink::Muted, Ink::Axis, Ink::Grid, Ink::Background]) {
        if let Some((kind, index)) = ink.class() {
            let dark = ink.colors().1;
            let _ = write!(text, ".fz .s{kind}{index}{{stroke:{dark}}}.fz .f{kind}{index}{{fill:{dark}}}");
        }
    }
    text.push('}');
    text
}

/// A whole SVG document of the given size around `body`.
pub(super) fn document(width: f64, height: f64, label: &str, body: &str) -> String {
    let (w, h) = (num(width), num(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fz\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{label}\" font-size=\"12\" \
         font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',sans-serif\">\
         <style>{style}</style><rect width=\"{w}\" height=\"{h}\" {background}/>\n{body}</svg>\n",
        label = escape(label),
        style = style(),
        background = Ink::Background.fill(),
    )
}

/// Which side of its point a text stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text with its baseline at (x, y).
pub(super) fn text(out: &mut String, x: f64, y: f64, anchor: Anchor, ink: Ink, more: &str, content: &str) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let (x, y, ink, content) = (num(x), num(y), ink.fill(), escape(content));
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\"{anchor} {ink}{more}>{content}</text>");
}

/// A coordinate: one decimal, no trailing zero, and never so far away that a renderer loses its footing.
pub(super) fn num(value: f64) -> String {
    const FAR: f64 = 100_000.0;
    let tenths = if value.is_nan() { 0.0 } else { (value.clamp(-FAR, FAR) * 10.0).round() };
    if tenths % 10.0 == 0.0 { format!("{}", (tenths / 10.0) as i64) } else { format!("{:.1}", tenths / 10.0) }
}

/// Text as XML may hold it: markup escaped, control characters (which XML forbids) dropped.
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

/// About how wide a text is, erring on the wide side: the reader's font is not known here.
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

/// Bytes in the 64 letters of RFC 4648.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0u32, |group, &byte| group << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}
