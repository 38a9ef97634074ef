//! A fit that waits for the statistics of rows of other machines.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// What a fit reports: it needs statistics, or it is finished.
#[derive(Debug)]
pub(crate) enum Event<Request, Output> {
    Request(Request),
    Finished(Box<Output>),
}

/// A fit on a thread of its own, so that the caller is free while it waits for statistics. The algorithm is that of all other
/// fits, whose back end requests the statistics.
#[derive(Debug)]
pub(crate) struct Exchange<Request, Statistics, Output> {
    events: Receiver<Event<Request, Output>>,
    statistics: Sender<Statistics>,
    thread: Option<JoinHandle<()>>,
}

/// The connection of the fit to the caller.
pub(crate) struct Requests<Request, Statistics, Output> {
    events: Sender<Event<Request, Output>>,
    statistics: Receiver<Statistics>,
}

impl<Request, Statistics, Output> Exchange<Request, Statistics, Output>
where
    Request: Send + 'static,
    Statistics: Send + 'static,
    Output: Send + 'static,
{
    /// Starts a fit.
    pub(crate) fn start(
        fit: impl FnOnce(Requests<Request, Statistics, Output>) -> Output + Send + 'static,
    ) -> Self {
        let ((send_event, events), (statistics, receive_statistics)) = (channel(), channel());
        let thread = thread::spawn(move || {
            let output = fit(Requests { events: send_event.clone(), statistics: receive_statistics });
            // The receiver no longer exists if the exchange was dropped.
            let _ = send_event.send(Event::Finished(Box::new(output)));
        });
        Exchange { events, statistics, thread: Some(thread) }
    }

    /// Waits until the fit needs statistics or is finished; `None` if its output was already returned.
    pub(crate) fn next(&mut self) -> Option<Event<Request, Output>> {
        let event = self.events.recv().ok();
        if event.is_none()
            && let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
        {
            resume_unwind(panic);
        }
        event
    }

    /// Passes the requested statistics to the fit.
    pub(crate) fn answer(&self, statistics: Statistics) {
        let _ = self.statistics.send(statistics); // a thread that has ended is detected by `next`
    }
}

impl<Request, Statistics, Output> Requests<Request, Statistics, Output> {
    /// Waits for the statistics of all rows; `None` if the fit was dropped.
    pub(crate) fn request(&self, request: Request) -> Option<Statistics> {
        self.events.send(Event::Request(request)).ok()?;
        self.statistics.recv().ok()
    }
}
