//! Reading on a thread of its own, so that waiting for a pipe can be interrupted.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Wait after which a read returns without data.
const PAUSE: Duration = Duration::from_millis(50);
const PART_BYTES: usize = 64 * 1024;
/// Parts that are read ahead.
const QUEUED: usize = 4;

/// A reader that fails with [`io::ErrorKind::TimedOut`] if no data arrive for a while; the read can be repeated. Its thread is
/// not joined: it ends after the read that it waits for.
pub(super) struct PausingReader {
    parts: Receiver<io::Result<Vec<u8>>>,
    part: Cursor<Vec<u8>>,
}

impl PausingReader {
    pub(super) fn new(mut inner: impl Read + Send + 'static) -> Self {
        let (sender, parts) = sync_channel(QUEUED);
        thread::spawn(move || {
            loop {
                let mut part = vec![0; PART_BYTES];
                let read = inner.read(&mut part);
                if read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {
                    continue;
                }
                let goes_on = matches!(read, Ok(1..));
                let read = read.map(|bytes| {
                    part.truncate(bytes);
                    part
                });
                if sender.send(read).is_err() || !goes_on {
                    return;
                }
            }
        });
        PausingReader { parts, part: Cursor::default() }
    }
}

impl Read for PausingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.part.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        match self.parts.recv_timeout(PAUSE) {
            Ok(part) => self.part = Cursor::new(part?),
            Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => {} // the end was returned before
        }
        self.part.read(buffer)
    }
}
