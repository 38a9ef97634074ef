//! Transfers a file to the disk while it is still being written, so that little is left to wait for at its end.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

/// Bytes written between two transfers; small in tests, so that short files have several.
const INTERVAL_BYTES: u64 = if cfg!(test) { 1000 } else { 32 * 1024 * 1024 };

/// A thread that transfers what was written so far; it starts with the first large amount.
#[derive(Debug, Default)]
pub(super) struct WriteBack {
    pending_bytes: u64,
    thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
}

impl WriteBack {
    /// Counts `bytes` bytes written to `file` and starts a transfer if there are enough.
    pub(super) fn add(&mut self, file: &File, bytes: usize) {
        self.pending_bytes += bytes as u64;
        if self.pending_bytes < INTERVAL_BYTES {
            return;
        }
        self.pending_bytes = 0;
        if self.thread.is_none() {
            self.thread = start(file).ok(); // without a thread, the whole file is transferred at its end
        }
        if let Some((requests, _)) = &self.thread {
            let _ = requests.try_send(()); // if a transfer is already requested, it includes these bytes
        }
    }

    /// Waits for the running transfer. The system reports each error only once, so it is returned here.
    pub(super) fn finish(self) -> io::Result<()> {
        let Some((requests, thread)) = self.thread else { return Ok(()) };
        drop(requests);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn start(file: &File) -> io::Result<(SyncSender<()>, JoinHandle<io::Result<()>>)> {
    let file = file.try_clone()?;
    let (requests, receiver) = sync_channel(1);
    let transfer = move || receiver.iter().try_for_each(|()| file.sync_data());
    Ok((requests, thread::Builder::new().spawn(transfer)?))
}
