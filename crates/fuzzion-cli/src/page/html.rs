//! Writes a page as HTML.

use super::model::{Block, Page, Section};
use crate::format::escape_controls;
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("copy.js");

impl Page {
    /// Returns the page as one self-contained HTML document.
    pub(crate) fn to_html(&self) -> String {
        let title = escape(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
        );
        for text in &self.intro {
            let _ = writeln!(out, "<p class=\"intro\">{}</p>", inline(text));
        }
        out.push_str("</header>\n");
        let ids = ids(&self.sections);
        if self.sections.len() > 1 {
            out.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
            for (section, id) in self.sections.iter().zip(&ids) {
                let _ = writeln!(out, "<li><a href=\"#{id}\">{}</a></li>", inline(&section.heading));
            }
            out.push_str("</ol>\n</nav>\n");
        }
        out.push_str("<main>\n");
        for (section, id) in self.sections.iter().zip(&ids) {
            let heading = inline(&section.heading);
            let _ = writeln!(out, "<section id=\"{id}\">\n<h2><a href=\"#{id}\">{heading}</a></h2>");
            section.blocks.iter().for_each(|block| write_block(&mut out, block));
            out.push_str("</section>\n");
        }
        let _ = write!(out, "</main>\n<footer>Fuzzion {}", env!("CARGO_PKG_VERSION"));
        if !self.footer.is_empty() {
            let _ = write!(out, " · {}", inline(&self.footer));
        }
        let _ = write!(out, "</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
        out
    }
}

fn write_block(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Text(text) => writeln!(out, "<p>{}</p>", inline(text)),
        Block::Command(command) => {
            writeln!(out, "<pre class=\"command\"><code>{}</code></pre>", escape(command.trim_end()))
        }
        Block::Output(output) => {
            writeln!(out, "<pre class=\"output\"><samp>{}</samp></pre>", escape(output.trim_end()))
        }
        Block::Figure { svg, caption } if caption.is_empty() => {
            writeln!(out, "<figure>\n{}</figure>", chart(svg))
        }
        Block::Figure { svg, caption } => {
            writeln!(out, "<figure>\n{}<figcaption>{}</figcaption>\n</figure>", chart(svg), inline(caption))
        }
        Block::Gallery { svgs, caption } => {
            let charts: String = svgs.iter().map(|svg| chart(svg)).collect();
            let caption = inline(caption);
            writeln!(
                out,
                "<figure>\n<div class=\"gallery\">{charts}</div><figcaption>{caption}</figcaption>\n</figure>"
            )
        }
        Block::Table { headers, rows } => {
            write_table(out, headers, rows);
            Ok(())
        }
        Block::Note(text) => writeln!(out, "<aside>{}</aside>", inline(text)),
    };
}

/// A chart in an element that scrolls where the chart would be too narrow to read.
fn chart(svg: &str) -> String {
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or("0");
    format!("<div class=\"chart\" style=\"--width: {width}px\">{svg}</div>")
}

/// Number of characters from which the text of a cell is broken into lines.
const LONG_CELL: usize = 30;

fn write_table(out: &mut String, headers: &[String], rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).chain([headers.len()]).max().unwrap_or(0);
    let class: Vec<&str> = (0..columns)
        .map(|column| {
            let mut cells =
                rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
            let is_long = |cell: &String| cell.chars().count() > LONG_CELL;
            if rows.iter().filter_map(|row| row.get(column)).any(is_long) {
                " class=\"long\""
            } else if cells.peek().is_some() && cells.all(|cell| is_number(cell)) {
                " class=\"n\""
            } else {
                ""
            }
        })
        .collect();
    let row = |tag: &str, cells: &[String]| {
        let cell = |(column, class): (usize, &&str)| {
            format!("<{tag}{class}>{}</{tag}>", cells.get(column).map_or(String::new(), |cell| inline(cell)))
        };
        format!("<tr>{}</tr>\n", class.iter().enumerate().map(cell).collect::<String>())
    };
    // The enclosing element scrolls if the screen is narrower than the table.
    out.push_str("<div class=\"table\"><table>\n");
    if !headers.is_empty() {
        let _ = writeln!(out, "<thead>{}</thead>", row("th", headers).trim_end());
    }
    out.push_str("<tbody>\n");
    rows.iter().for_each(|cells| out.push_str(&row("td", cells)));
    out.push_str("</tbody>\n</table></div>\n");
}

/// Whether a cell starts with a number, whatever unit follows, or is a dash for a missing one.
fn is_number(cell: &str) -> bool {
    let digits = cell.trim_start_matches(['+', '-', '−', '±', '≈', '<', '>', '≤', '≥', ' ']);
    digits.is_empty() || digits.starts_with(|c: char| c.is_ascii_digit()) || ["∞", "–", "—"].contains(&digits)
}

/// The section anchors: the words of each heading, numbered if they repeat.
fn ids(sections: &[Section]) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for section in sections {
        let words: String = section
            .heading
            .to_lowercase()
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { ' ' })
            .collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join("-");
        let base = if words.is_empty() { "section".to_owned() } else { words };
        let mut id = base.clone();
        let mut number = 2;
        while ids.contains(&id) {
            id = format!("{base}-{number}");
            number += 1;
        }
        ids.push(id);
    }
    ids
}

/// Escapes text and marks up text between backticks as code.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, tail)) = after.split_once('`') else { break };
        let _ = write!(out, "{}<code>{}</code>", escape(before), escape(code));
        rest = tail;
    }
    out.push_str(&escape(rest));
    out
}

fn escape(text: &str) -> String {
    let text = escape_controls(text, &['\n', '\t']);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
