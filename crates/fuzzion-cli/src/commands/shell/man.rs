//! `fuzzion man`

use crate::commands::common::files::{create_folder, write_file};
use crate::console::Console;
use crate::format::{count_of, display_path};
use clap::Command;
use clap_mangen::Man as Page;
use fuzzion::Result;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write man pages of all commands
#[derive(clap::Args)]
#[command(after_help = "Examples:
  fuzzion man --out ~/.local/share/man/man1       then `man fuzzion-cluster` shows the page of `fuzzion cluster`
  fuzzion man | man -l -                          show all pages")]
pub(crate) struct Man {
    /// Write a file for each command to this folder [default: all pages to standard output]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, program: Command, console: &Console) -> Result<ExitCode> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        let pages = pages(&program);
        let Some(folder) = &self.out else {
            let text: String = pages.into_iter().map(|(_, text)| text).collect();
            match console.json() {
                true => console.print_json(&json!({ "pages": text }))?,
                false => console.print(&text)?,
            }
            return Ok(ExitCode::SUCCESS);
        };
        create_folder(folder)?;
        for (name, text) in &pages {
            write_file(&folder.join(name), text.as_bytes())?;
        }
        if console.json() {
            let names: Vec<&String> = pages.iter().map(|(name, _)| name).collect();
            console.print_json(&json!({ "out": folder.to_string_lossy(), "pages": names }))?;
        } else {
            let count = count_of(pages.len() as u64, "page");
            console.print_written(&format!("wrote {count} to {}", display_path(folder)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// File name and text of the pages of `command` and its subcommands.
fn pages(command: &Command) -> Vec<(String, String)> {
    let page = Page::new(command.clone()).manual("Fuzzion");
    let mut pages = vec![(page.get_filename(), text(&page, command))];
    pages.extend(command.get_subcommands().filter(|inner| !inner.is_hide_set()).flat_map(self::pages));
    pages
}

fn text(page: &Page, command: &Command) -> String {
    const IN_MEMORY: &str = "invariant: writing to memory does not fail";
    let mut out = Vec::new();
    let mut add = |section: fn(&Page, &mut dyn io::Write) -> io::Result<()>| {
        section(page, &mut out).expect(IN_MEMORY);
    };
    add(Page::render_title);
    add(Page::render_name_section);
    add(Page::render_synopsis_section);
    add(Page::render_description_section);
    add(Page::render_options_section);
    if command.get_subcommands().any(|inner| !inner.is_hide_set()) {
        add(Page::render_subcommands_section);
    }
    let mut text = String::from_utf8_lossy(&out).into_owned();
    // Line breaks of the notes and examples are kept.
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = match notes.split_once("Examples:\n") {
        Some((notes, examples)) => (notes.to_owned(), examples.to_owned()),
        None => (notes, String::new()),
    };
    for (heading, lines, fills) in [("NOTES", notes, true), ("EXAMPLES", examples, false)] {
        if !lines.trim().is_empty() {
            let (begin, end) = if fills { ("", "") } else { (".nf\n", ".fi\n") };
            let lines: String = lines.trim_end().lines().map(roff_line).collect();
            text.push_str(&format!(".SH {heading}\n{begin}{lines}{end}"));
        }
    }
    text
}

/// A line of text for roff, in which backslashes, and dots and quotes at the start of a line, have a meaning.
fn roff_line(line: &str) -> String {
    let escaped = line.replace('\\', "\\e").replace('-', "\\-");
    if escaped.is_empty() { ".PP\n".into() } else { format!("\\&{escaped}\n") }
}
