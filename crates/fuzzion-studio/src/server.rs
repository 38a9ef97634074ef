//! Listening for connections, and the thread of each.

use crate::api::{self, Context};
use crate::assets;
use crate::folder::Folder;
use crate::http::{Request, RequestError, RequestReader, Response, Status};
use crate::security::{Guard, Token};
use fuzzion::data::DataError;
use fuzzion::{Device, Result};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Port that is used if it is free and no other one is requested. Browsers keep unsaved changes per port.
const DEFAULT_PORT: u16 = 7437;
/// Maximum number of simultaneous connections; a browser opens six.
const MAX_CONNECTIONS: usize = 64;
/// Time without data after which a connection is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// Time between two checks whether the server should stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Settings of the server.
///
/// ```
/// let settings = fuzzion_studio::Settings::new(".").port(8080).hosts(vec!["workstation".into()]);
/// assert_eq!(settings.port, 8080);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Folder whose files can be opened and saved.
    pub folder: PathBuf,
    /// Port on the loopback address; 0 selects 7437, or a free one if it is in use.
    pub port: u16,
    /// Further host names by which the server is reached, for example with SSH port forwarding.
    pub hosts: Vec<String>,
    /// File in the folder that the page opens first, relative to the folder.
    pub file: Option<PathBuf>,
}

impl Settings {
    /// Creates settings with a free port and without further host names.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Settings { folder: folder.into(), port: 0, hosts: Vec::new(), file: None }
    }

    /// Sets the port.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets further host names.
    pub fn hosts(mut self, hosts: Vec<String>) -> Self {
        self.hosts = hosts;
        self
    }

    /// Sets the file that the page opens first.
    pub fn file(mut self, file: Option<PathBuf>) -> Self {
        self.file = file;
        self
    }
}

/// A server that listens on the loopback address.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What all connections use.
struct Shared {
    guard: Guard,
    context: Context,
    connections: AtomicUsize,
    stopped: AtomicBool,
}

impl Server {
    /// Listens on the port of the settings. Connections wait until [`Server::run`].
    ///
    /// # Errors
    /// [`DataError::File`] if the folder does not exist or the port is in use.
    pub fn bind(settings: Settings, device: Device) -> Result<Self> {
        let failed = |cause| DataError::File {
            doing: "listen on",
            path: format!("127.0.0.1:{}", settings.port).into(),
            cause,
        };
        let listen = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match settings.port {
            0 => listen(DEFAULT_PORT).or_else(|_| listen(0)),
            port => listen(port),
        };
        let listener = listener.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let folder = Folder::new(&settings.folder)?;
        let shared = Shared {
            guard: Guard::new(Token::new()?, port, settings.hosts),
            context: Context::new(folder, settings.file, device),
            connections: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// URL of the page, which contains the token.
    pub fn url(&self) -> String {
        self.shared.guard.url()
    }

    /// Answers requests until `should_stop` returns true, which is called every 50 ms. Running jobs are cancelled then.
    ///
    /// # Errors
    /// [`DataError::File`] if no thread can be started.
    pub fn run(self, mut should_stop: impl FnMut() -> bool) -> Result<()> {
        let address = self.listener.local_addr();
        let (listener, shared) = (self.listener, self.shared.clone());
        let failed = |cause| DataError::File { doing: "start", path: "a thread".into(), cause };
        let accepting = thread::Builder::new().spawn(move || accept(&listener, &shared)).map_err(failed)?;
        while !should_stop() && !accepting.is_finished() {
            thread::sleep(STOP_INTERVAL);
        }
        self.shared.stopped.store(true, Ordering::Relaxed);
        self.shared.context.jobs.cancel_all();
        self.shared.context.uploads.remove_all();
        // A connection ends the waiting of `accept`.
        if let Ok(address) = address {
            drop(TcpStream::connect_timeout(&address, Duration::from_millis(200)));
        }
        Ok(())
    }
}

/// Accepts connections until the server stops.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopped.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // For example, too many open files.
            thread::sleep(STOP_INTERVAL);
            continue;
        };
        if shared.connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
            let _ = stream.set_write_timeout(Some(STOP_INTERVAL));
            let message = "too many connections; close other tabs of the Studio";
            let _ = Response::error(Status::Unavailable, message).write(&mut &stream, false);
            continue;
        }
        let counted = Counted(shared.clone());
        // A failure drops the connection and its count.
        let _ = thread::Builder::new().spawn(move || serve(stream, &counted.0));
    }
}

/// Decreases the number of connections when it is dropped, also after a panic.
struct Counted(Arc<Shared>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers the requests of a connection; an error ends it.
fn serve(stream: TcpStream, shared: &Shared) {
    let configured = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(IDLE_TIMEOUT)))
        .and_then(|()| stream.set_write_timeout(Some(IDLE_TIMEOUT)));
    if configured.is_err() {
        return;
    }
    let mut reader = RequestReader::new(&stream);
    while let Ok(true) = serve_one(&stream, &mut reader, shared) {}
}

/// Answers the next request. Returns whether the connection continues.
fn serve_one(
    mut stream: &TcpStream,
    reader: &mut RequestReader<&TcpStream>,
    shared: &Shared,
) -> io::Result<bool> {
    let mut request = match reader.head() {
        Ok(request) => request,
        Err(RequestError::Closed) => return Ok(false),
        Err(RequestError::Invalid(response)) => return refuse(stream, response),
    };
    let admitted = shared.guard.admit(&request).map(str::to_owned);
    let Some(path) = admitted else {
        let message = "wrong address; open the URL that `fuzzion studio` printed";
        return refuse(stream, Response::error(Status::Forbidden, message));
    };
    let limit = api::body_limit(&path);
    if request.content_length > limit {
        let message = match limit >> 20 {
            0 => "this request has no upload of this size".to_owned(),
            limit => format!("the upload is larger than {limit} MiB; use a smaller file"),
        };
        return refuse(stream, Response::error(Status::BodyTooLarge, &message));
    }
    if request.expects_continue {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let received = match api::upload(&path, &request, &shared.context) {
        None => reader.body(request.content_length).map(|body| request.body = body),
        Some(upload) => upload.and_then(|mut upload| {
            reader.body_into(request.content_length, &mut upload.file)?;
            request.upload = Some(upload);
            Ok(())
        }),
    };
    match received {
        Ok(()) => {}
        Err(RequestError::Closed) => return Ok(false),
        Err(RequestError::Invalid(response)) => return refuse(stream, response),
    }
    // An internal error must not end the program; the hook of the command prints it.
    let answered = catch_unwind(AssertUnwindSafe(|| answer(&path, &request, &shared.context)));
    let failed = |_| Response::error(Status::InternalError, "internal error, please report it");
    let response = answered.unwrap_or_else(failed);
    let stopped = shared.stopped.load(Ordering::Relaxed);
    let keep_alive = request.keep_alive && !stopped && !response.is_stream();
    response.write(&mut stream, keep_alive)?;
    Ok(keep_alive)
}

fn answer(path: &str, request: &Request, context: &Context) -> Response {
    match (path.strip_prefix("api/"), request.method.as_str()) {
        (Some(call), _) => api::answer(call, request, context),
        (None, "GET") => assets::find(path)
            .unwrap_or_else(|| Response::error(Status::NotFound, "this file is not part of the page")),
        (None, _) => Response::error(Status::MethodNotAllowed, "files of the page are read with GET"),
    }
}

/// Sends the response to a request whose body is not read, and ends the connection.
fn refuse(mut stream: &TcpStream, response: Response) -> io::Result<bool> {
    response.write(&mut stream, false)?;
    stream.shutdown(Shutdown::Write)?;
    // Closing with unread data would discard the response before the client reads it.
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut discarded = [0; 8192];
    for _ in 0..128 {
        if stream.read(&mut discarded)? == 0 {
            break;
        }
    }
    Ok(false)
}
