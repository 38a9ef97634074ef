//! A text table read block by block.

use super::block::{Rows, parse_block};
use super::field::{record_end, skip_blank_lines};
use super::layout::Layout;
use super::text::{SAMPLE, Text};
use crate::data::input::Source;
use crate::data::labels::Labels;
use crate::data::read::ReadTable;
use crate::data::reader::Chunks;
use crate::data::scalar::{Precision, Scalar};
use crate::data::table::Table;
use crate::device::Cpu;
use crate::error::{Error, Result};
use crate::progress::Progress;
use memchr::{memchr, memchr_iter, memrchr};
use std::path::Path;

/// The longest record; a longer one is a quote never closed, or no text at all.
const MAX_RECORD: usize = 512 * 1024 * 1024;
/// Lines of a text that comes as it comes from which its columns are told.
const LIVE_LINES: usize = 8;
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads CSV in blocks of whole lines; only one block and the rows not yet handed out are in memory.
pub(crate) struct CsvReader<T> {
    source: Source,
    cpu: Cpu,
    layout: Layout,
    /// Text read and not yet parsed; a record begins at its start.
    text: Text,
    /// What comes after it, read while it is being parsed.
    ahead: Text,
    /// Whether nothing is read ahead of what is parsed.
    live: bool,
    /// The line at the start of `text`, from 1.
    line: u64,
    pending: Rows<T>,
    /// How many of the pending rows were handed out.
    handed: usize,
    /// Blank lines of a single column since the last row: missing values, unless the file ends with them.
    blanks: usize,
}

impl<T: Scalar> CsvReader<T> {
    pub(crate) fn open(source: Source, settings: &ReadTable<'_>, cpu: Cpu) -> Result<Self> {
        let threads = cpu.threads();
        let mut reader = CsvReader {
            source,
            cpu,
            layout: Layout::of(b"", &ReadTable::new(), Path::new(""))?,
            text: Text::new(threads, settings.live),
            ahead: Text::new(threads, settings.live),
            live: settings.live,
            line: 1,
            pending: Rows { rows: 0, values: Vec::new(), labels: Vec::new() },
            handed: 0,
            blanks: 0,
        };
        reader.begin()?;
        reader.layout = Layout::of(reader.sample(), settings, &reader.source.path)?;
        if reader.layout.cells.is_empty() {
            return Err(reader.empty("rows"));
        }
        if reader.layout.names.is_empty() && !settings.keep_text && !settings.all_text {
            return Err(reader.empty("columns of numbers"));
        }
        reader.pending = Rows::empty(&reader.layout);
        reader.skip_header()?;
        Ok(reader)
    }

    fn empty(&self, what: &'static str) -> Error {
        Error::NoData { path: self.source.path.clone(), what }
    }

    fn malformed(&self, reason: String) -> Error {
        Error::Malformed { path: self.source.path.clone(), format: "CSV", reason }
    }

    /// Reads the first block and refuses what is no text.
    fn begin(&mut self) -> Result<()> {
        self.text.fill(&mut self.source)?;
        self.refuse_other_kinds()?;
        // The first line tells the columns, so it must be whole, however long it is; some more tell what they hold.
        let lines = if self.live { LIVE_LINES } else { 1 };
        while memchr_iter(b'\n', self.text.bytes()).take(lines).count() < lines
            && !self.text.ended
            && self.text.filled < MAX_RECORD
        {
            self.text.fill(&mut self.source)?;
        }
        if self.text.bytes().starts_with(UTF8_MARK) {
            self.text.drop_front(UTF8_MARK.len());
        }
        Ok(())
    }

    /// Refuses what its first bytes show to be no text as we know it.
    fn refuse_other_kinds(&self) -> Result<()> {
        let text = self.text.bytes();
        if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
            return Err(self.malformed("it is UTF-16 text; save it as UTF-8".into()));
        }
        if memchr(0, &text[..text.len().min(SAMPLE)]).is_some() {
            return Err(self.malformed("it holds bytes that are no text; is it another kind of file?".into()));
        }
        let inner = &text[..text.len().saturating_sub(1)];
        if memchr(b'\n', text).is_none() && memchr(b'\r', inner).is_some() {
            return Err(self.malformed(
                "its lines end with a carriage return alone; end them with newlines (tr '\\r' '\\n')".into(),
            ));
        }
        Ok(())
    }

    /// The first lines, whole ones if there are any.
    fn sample(&self) -> &[u8] {
        let text = self.text.bytes();
        if text.len() <= SAMPLE {
            return text;
        }
        match memrchr(b'\n', &text[..SAMPLE]).or_else(|| memchr(b'\n', text)) {
            Some(end) => &text[..=end],
            None => text,
        }
    }

    fn skip_header(&mut self) -> Result<()> {
        if !self.layout.header {
            return Ok(());
        }
        loop {
            let text = self.text.bytes();
            let start = skip_blank_lines(text, 0, self.layout.separator);
            let end = record_end(text, start, start, self.layout.separator);
            // A header with a line end inside quotes may reach past what has been read.
            if end.is_none() && !self.text.ended && self.text.filled < MAX_RECORD {
                self.text.fill(&mut self.source)?;
                continue;
            }
            let end = end.unwrap_or(text.len());
            self.line += memchr_iter(b'\n', &text[..end]).count() as u64;
            self.text.drop_front(end);
            return Ok(());
        }
    }

    /// Parses one more block onto the pending rows while the next one is read; `false` at the end.
    fn parse_more(&mut self) -> Result<bool> {
        if self.text.filled == 0 && self.text.ended {
            return Ok(false);
        }
        let mut end = self.text.whole_records(self.layout.separator);
        while end == 0 {
            if self.text.filled >= MAX_RECORD {
                let line = self.line;
                return Err(self.malformed(format!(
                    "line {line} has no end within 512 MiB; is a quote never closed, or is it another kind of file?"
                )));
            }
            self.text.fill(&mut self.source)?;
            if self.text.filled == 0 && self.text.ended {
                return Ok(false);
            }
            end = self.text.whole_records(self.layout.separator);
        }
        let kept = if self.layout.cells.len() == 1 { self.keep_blanks(end) } else { end };
        let CsvReader { source, cpu, layout, text, ahead, live, line, pending, .. } = self;
        ahead.restart(text, end);
        let path = source.path.clone();
        let (block, blank) = text.bytes()[..end].split_at(kept);
        let (parsed, read) = cpu.run(|| {
            rayon::join(
                || parse_block(pending, block, text.quotes, *line, layout, &path, cpu),
                || if ahead.ended || *live { Ok(()) } else { ahead.fill(source) },
            )
        });
        *line += parsed? + memchr_iter(b'\n', blank).count() as u64;
        read?;
        std::mem::swap(text, ahead);
        Ok(true)
    }

    /// Where the blank lines at the end of the next `end` bytes begin. They are counted, and those counted before
    /// become missing values once something follows them.
    fn keep_blanks(&mut self, end: usize) -> usize {
        let block = &self.text.bytes()[..end];
        let kept = block.trim_ascii_end().len();
        let kept = if kept == 0 { 0 } else { memchr(b'\n', &block[kept..]).map_or(end, |n| kept + n + 1) };
        let Rows { rows, values, labels } = &mut self.pending;
        if kept > 0 {
            *rows += self.blanks;
            values.resize(*rows * self.layout.names.len(), T::MISSING);
            labels.iter_mut().for_each(|l| (0..self.blanks).for_each(|_| l.push("")));
            self.blanks = 0;
        }
        self.blanks += memchr_iter(b'\n', &block[kept..]).count();
        kept
    }

    /// Hands out `rows` pending rows.
    fn hand_out(&mut self, rows: usize) -> Table {
        let width = self.layout.names.len();
        let range = self.handed..self.handed + rows;
        let labels: Vec<Labels> = self.pending.labels.iter().map(|l| l.slice(range.clone())).collect();
        let values = if range.start == 0 && range.end == self.pending.rows {
            let mut values = std::mem::take(&mut self.pending.values);
            values.shrink_to_fit();
            values
        } else {
            self.pending.values[range.start * width..range.end * width].to_vec()
        };
        self.handed = range.end;
        if self.handed == self.pending.rows {
            self.pending.rows = 0;
            self.pending.values.clear();
            self.pending.labels.iter_mut().for_each(Labels::clear);
            self.handed = 0;
        }
        Table::from_parts(self.layout.names.clone(), rows, values, labels)
    }

    /// Makes room before more rows are parsed.
    fn compact(&mut self) {
        if self.handed > 0 {
            self.pending.values.drain(..self.handed * self.layout.names.len());
            self.pending.labels.iter_mut().for_each(|labels| labels.drop_front(self.handed));
            self.pending.rows -= self.handed;
            self.handed = 0;
        }
    }
}

impl<T: Scalar> Chunks for CsvReader<T> {
    fn names(&self) -> &[String] {
        &self.layout.names
    }

    fn precision(&self) -> Precision {
        T::PRECISION
    }

    fn next(&mut self, rows: usize, progress: Progress<'_>) -> Result<Option<Table>> {
        while self.pending.rows - self.handed < rows {
            self.compact();
            if !self.parse_more()? {
                break;
            }
            progress.report(self.source.taken(), self.source.size)?;
        }
        let rows = rows.min(self.pending.rows - self.handed);
        Ok((rows > 0).then(|| self.hand_out(rows)))
    }

    fn rewind(&mut self) -> Result<()> {
        self.source = self.source.reopen()?;
        (self.text, self.line, self.handed, self.blanks) =
            (Text::new(self.cpu.threads(), self.live), 1, 0, 0);
        self.pending = Rows::empty(&self.layout);
        self.begin()?;
        self.skip_header()?;
        Ok(())
    }
}
