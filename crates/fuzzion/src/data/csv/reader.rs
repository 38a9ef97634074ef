//! Reading CSV files block by block.

use super::block::{ParsedRows, parse_block};
use super::buffer::{SAMPLE_BYTES, TextBuffer};
use super::field::{record_end, skip_blank_lines};
use super::layout::CsvLayout;
use super::records::{RecordFormat, RecordText, Records};
use super::separator::{Separator, declared_separator};
use crate::data::error::{DataError, Result};
use crate::data::files::Source;
use crate::data::read::{ChunkReader, ReadTable};
use crate::data::tables::{Labels, Precision, Scalar, Table};
use crate::device::Cpu;
use crate::progress::Progress;
use memchr::{memchr, memchr_iter, memrchr};
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Maximum size of a record; a longer one has an unclosed quote or is not text.
const MAX_RECORD_BYTES: usize = 64 * 1024 * 1024;
/// Time after which rows of a live pipe are returned, even if more arrive.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// Lines used to detect the columns of a live input.
const LIVE_LINES: usize = 8;
const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads CSV in blocks of whole records; only two blocks and the pending rows are in memory.
pub(crate) struct CsvReader<T> {
    source: Source,
    cpu: Cpu,
    layout: CsvLayout,
    /// Text that is not yet parsed; starts with a record.
    text: TextBuffer,
    /// The next block, read while `text` is parsed.
    read_ahead: TextBuffer,
    /// Whether to disable reading ahead.
    live: bool,
    /// The separator that the first line declares.
    declared: Option<Separator>,
    /// Line number at the start of `text`, from 1.
    line: u64,
    pending: ParsedRows<T>,
    /// Number of pending rows already returned.
    returned: usize,
    /// Blank lines of a single column since the last row: missing values, unless they end the file.
    pending_blanks: usize,
    /// The format and the text of the rows returned last, if the text is kept.
    records: Option<(Arc<RecordFormat>, RecordText)>,
}

impl<T: Scalar> CsvReader<T> {
    pub(crate) fn open(source: Source, settings: &ReadTable, cpu: Cpu) -> Result<Self> {
        let threads = cpu.threads();
        let mut reader = CsvReader {
            source,
            cpu,
            layout: CsvLayout::detect(b"", &ReadTable::new(), Path::new(""))?,
            text: TextBuffer::new(threads, settings.live),
            read_ahead: TextBuffer::new(threads, settings.live),
            live: settings.live,
            declared: None,
            line: 1,
            pending: ParsedRows { rows: 0, values: Vec::new(), labels: Vec::new(), records: None },
            returned: 0,
            pending_blanks: 0,
            records: None,
        };
        reader.read_first_block(settings.progress())?;
        if reader.text.ended && reader.text.bytes().trim_ascii().is_empty() {
            return Err(reader.no_data("rows")); // whatever columns are selected
        }
        let mut settings = settings.clone();
        settings.separator = settings.separator.or(reader.declared);
        let settings = &settings;
        reader.layout = CsvLayout::detect(reader.sample(), settings, &reader.source.path)?;
        if reader.layout.roles.is_empty() {
            return Err(reader.no_data("rows"));
        }
        if reader.layout.names.is_empty() && !settings.keep_text && !settings.all_text {
            return Err(reader.no_data("columns of numbers"));
        }
        reader.pending = ParsedRows::empty(&reader.layout);
        reader.skip_header(settings.progress())?;
        Ok(reader)
    }

    fn no_data(&self, what: &'static str) -> DataError {
        DataError::NoData { path: self.source.path.clone(), what }
    }

    fn malformed(&self, reason: String) -> DataError {
        DataError::Malformed { path: self.source.path.clone(), format: "CSV", reason }
    }

    /// Reads more text; waits for it unless `progress` ends the wait.
    fn fill(&mut self, progress: &Progress) -> Result<()> {
        while !self.text.fill(&mut self.source)? {
            progress.report(self.source.bytes_read(), self.source.size)?;
        }
        Ok(())
    }

    /// Reads the first block and rejects files that are not text.
    fn read_first_block(&mut self, progress: &Progress) -> Result<()> {
        self.fill(progress)?;
        self.reject_non_text()?;
        // The first line determines the columns and must be complete; a few more show which columns are text.
        let lines = if self.live { LIVE_LINES } else { 1 };
        let count = |text: &TextBuffer| memchr_iter(b'\n', text.bytes()).take(lines).count();
        while count(&self.text) < lines && !self.text.ended && self.text.filled < MAX_RECORD_BYTES {
            match self.fill(progress) {
                // The rows so far can be used.
                Err(DataError::Interrupted) if count(&self.text) > 1 => break,
                read => read?,
            }
        }
        if self.text.bytes().starts_with(UTF8_BOM) {
            self.text.drop_front(UTF8_BOM.len());
        }
        if let Some((separator, length)) = declared_separator(self.text.bytes()) {
            self.declared = Some(separator);
            self.line += 1;
            self.text.drop_front(length);
        }
        Ok(())
    }

    /// Rejects UTF-16, binary data and unsupported line ends.
    fn reject_non_text(&self) -> Result<()> {
        let text = self.text.bytes();
        if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
            return Err(self.malformed("the file is encoded as UTF-16; save it as UTF-8".into()));
        }
        if memchr(0, &text[..text.len().min(SAMPLE_BYTES)]).is_some() {
            return Err(self.malformed("the file is binary, not text; check its format".into()));
        }
        let inner = &text[..text.len().saturating_sub(1)];
        if memchr(b'\n', text).is_none() && memchr(b'\r', inner).is_some() {
            return Err(self.malformed(
                "the lines end with a carriage return only; convert them with `tr '\\r' '\\n'`".into(),
            ));
        }
        Ok(())
    }

    /// The first lines, complete if possible.
    fn sample(&self) -> &[u8] {
        let text = self.text.bytes();
        if text.len() <= SAMPLE_BYTES {
            return text;
        }
        match memrchr(b'\n', &text[..SAMPLE_BYTES]).or_else(|| memchr(b'\n', text)) {
            Some(end) => &text[..=end],
            None => text,
        }
    }

    fn skip_header(&mut self, progress: &Progress) -> Result<()> {
        if !self.layout.header {
            self.keep_format(0..0);
            return Ok(());
        }
        loop {
            let text = self.text.bytes();
            let start = skip_blank_lines(text, 0, self.layout.separator);
            let end = record_end(text, start, start, self.layout.separator);
            // A header with a quoted line end can extend beyond the text read so far.
            if end.is_none() && !self.text.ended && self.text.filled < MAX_RECORD_BYTES {
                self.fill(progress)?;
                continue;
            }
            let end = end.unwrap_or(text.len());
            self.line += memchr_iter(b'\n', &text[..end]).count() as u64;
            self.keep_format(start..end);
            self.text.drop_front(end);
            return Ok(());
        }
    }

    /// Keeps the format of the records, given the position of the header in the text, if the records are kept.
    fn keep_format(&mut self, header: Range<usize>) {
        self.records = self.layout.keeps_records.then(|| {
            let format = RecordFormat::new(&self.layout, &self.text.bytes()[header]);
            (Arc::new(format), RecordText::default())
        });
    }

    /// Parses the next block into the pending rows while the following one is read; `false` at the end, and unless it `waits`
    /// if a live pipe pauses.
    fn parse_next_block(&mut self, progress: &Progress, waits: bool) -> Result<bool> {
        if self.text.filled == 0 && self.text.ended {
            return Ok(false);
        }
        let mut end = self.text.complete_records_end(self.layout.separator);
        while end == 0 {
            if self.text.filled >= MAX_RECORD_BYTES {
                let line = self.line;
                return Err(self.malformed(format!(
                    "line {line} is longer than 64 MiB; check for an unclosed quote, or for a file that is not CSV"
                )));
            }
            if waits {
                self.fill(progress)?;
            } else if !self.text.fill(&mut self.source)? {
                return Ok(false);
            }
            if self.text.filled == 0 && self.text.ended {
                return Ok(false);
            }
            end = self.text.complete_records_end(self.layout.separator);
        }
        let data_end = if self.layout.roles.len() == 1 { self.split_trailing_blanks(end) } else { end };
        let CsvReader { source, cpu, layout, text, read_ahead, live, line, pending, .. } = self;
        read_ahead.restart(text, end);
        let path = source.path.clone();
        let (block, blank) = text.bytes()[..end].split_at(data_end);
        // Not in the thread pool, because a thread that waits for input would be missing there.
        let (parsed, read) = thread::scope(|scope| {
            let reads = !read_ahead.ended && !*live;
            let reading = reads.then(|| scope.spawn(|| read_ahead.fill(source)));
            let parsed = parse_block(pending, block, text.quotes, *line, layout, &path, cpu);
            let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|p| resume_unwind(p));
            (parsed, reading.map_or(Ok(true), join))
        });
        *line += parsed? + memchr_iter(b'\n', blank).count() as u64;
        read?;
        std::mem::swap(text, read_ahead);
        Ok(true)
    }

    /// Returns the offset of the blank lines at the end of the next `end` bytes and counts them. Blank lines counted
    /// before become missing values if this block has other lines.
    fn split_trailing_blanks(&mut self, end: usize) -> usize {
        let block = &self.text.bytes()[..end];
        let data_end = block.trim_ascii_end().len();
        let data_end = if data_end == 0 {
            0
        } else {
            memchr(b'\n', &block[data_end..]).map_or(end, |n| data_end + n + 1)
        };
        let ParsedRows { rows, values, labels, records } = &mut self.pending;
        if data_end > 0 {
            *rows += self.pending_blanks;
            values.resize(*rows * self.layout.names.len(), T::MISSING);
            labels.iter_mut().for_each(|l| (0..self.pending_blanks).for_each(|_| l.push("")));
            if let Some(records) = records {
                (0..self.pending_blanks).for_each(|_| records.push(b"", self.layout.separator));
            }
            self.pending_blanks = 0;
        }
        self.pending_blanks += memchr_iter(b'\n', &block[data_end..]).count();
        data_end
    }

    /// Returns the next `rows` pending rows as a table.
    fn take_rows(&mut self, rows: usize) -> Table {
        let width = self.layout.names.len();
        let range = self.returned..self.returned + rows;
        let labels: Vec<Labels> = self.pending.labels.iter().map(|l| l.slice(range.clone())).collect();
        if let (Some((_, last)), Some(records)) = (&mut self.records, &self.pending.records) {
            *last = records.slice(range.clone());
        }
        let values = if range.start == 0 && range.end == self.pending.rows {
            std::mem::take(&mut self.pending.values)
        } else {
            self.pending.values[range.start * width..range.end * width].to_vec()
        };
        self.returned = range.end;
        if self.returned == self.pending.rows {
            self.pending.rows = 0;
            self.pending.values.clear();
            self.pending.labels.iter_mut().for_each(Labels::clear);
            self.pending.records.iter_mut().for_each(RecordText::clear);
            self.returned = 0;
        }
        Table::from_parts(self.layout.names.clone(), rows, values, labels)
    }

    /// Removes the rows already returned.
    fn compact(&mut self) {
        if self.returned > 0 {
            self.pending.values.drain(..self.returned * self.layout.names.len());
            self.pending.labels.iter_mut().for_each(|labels| labels.drop_front(self.returned));
            let rest = self.returned..self.pending.rows;
            self.pending.records.iter_mut().for_each(|records| *records = records.slice(rest.clone()));
            self.pending.rows -= self.returned;
            self.returned = 0;
        }
    }
}

impl<T: Scalar> ChunkReader for CsvReader<T> {
    fn names(&self) -> &[String] {
        &self.layout.names
    }

    fn precision(&self) -> Precision {
        T::PRECISION
    }

    fn next(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>> {
        while self.pending.rows - self.returned < rows {
            self.compact();
            if !self.parse_next_block(progress, true)? {
                break;
            }
            progress.report(self.source.bytes_read(), self.source.size)?;
        }
        Ok(self.pending(rows))
    }

    fn next_available(&mut self, rows: usize, progress: &Progress) -> Result<Option<Table>> {
        let (begun, is_stream) = (Instant::now(), self.source.is_stream);
        let waits_longer = |pending| pending == 0 || !is_stream || begun.elapsed() < MAX_WAIT;
        while self.pending.rows - self.returned < rows && waits_longer(self.pending.rows) {
            self.compact();
            if !self.parse_next_block(progress, self.pending.rows == 0)? {
                break;
            }
            progress.report(self.source.bytes_read(), self.source.size)?;
        }
        Ok(self.pending(rows))
    }

    fn pending(&mut self, rows: usize) -> Option<Table> {
        let rows = rows.min(self.pending.rows - self.returned);
        if rows == self.pending.rows {
            self.pending.values.shrink_to_fit(); // the table may be kept
        }
        (rows > 0).then(|| self.take_rows(rows))
    }

    fn take_records(&mut self) -> Option<Records> {
        let (format, text) = self.records.as_mut()?;
        Some(Records::new(format.clone(), std::mem::take(text)))
    }

    fn next_into(&mut self, chunk: &mut Option<Table>, _: usize, progress: &Progress) -> Result<()> {
        let reused = chunk.take();
        if self.pending.rows == 0 {
            self.pending.values = reused.map_or_else(Vec::new, Table::into_buffer);
            self.pending.values.clear();
        }
        while self.pending.rows == self.returned && self.parse_next_block(progress, true)? {
            progress.report(self.source.bytes_read(), self.source.size)?;
        }
        let rows = self.pending.rows - self.returned;
        *chunk = (rows > 0).then(|| self.take_rows(rows));
        Ok(())
    }

    fn rewind(&mut self) -> Result<()> {
        self.source = self.source.reopen()?;
        (self.text, self.line, self.returned, self.pending_blanks) =
            (TextBuffer::new(self.cpu.threads(), self.live), 1, 0, 0);
        self.pending = ParsedRows::empty(&self.layout);
        self.read_first_block(&Progress::none())?;
        self.skip_header(&Progress::none())?;
        Ok(())
    }
}
