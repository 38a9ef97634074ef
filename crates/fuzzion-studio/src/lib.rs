//! The Studio: a server on the loopback address and the page it serves, to design and understand fuzzy systems in a browser.
//!
//! The page is embedded in the binary. It computes nothing itself: every request carries the JSON of a system, as
//! [`System::to_json`](fuzzion::inference::System::to_json) writes it, and the server answers with curves, memberships,
//! firing strengths and outputs that the library computes.
//!
//! | Module | Content |
//! |---|---|
//! | `server` | listening, connections, stopping |
//! | `http` | parsing of requests, writing of responses |
//! | `security` | the token of the URL, allowed hosts and origins |
//! | `folder` | files in the start folder |
//! | `assets` | the files of the page |
//! | `api` | one file per call |
//!
//! Other web pages cannot use the server: its URL contains a random token, and requests with another host or origin are
//! refused.
//!
//! ```
//! use fuzzion::Device;
//! use fuzzion_studio::{Server, Settings};
//!
//! let server = Server::bind(Settings::new(std::env::temp_dir()), Device::cpu()?)?;
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod api;
mod assets;
mod folder;
mod http;
mod security;
mod server;

pub use server::{Server, Settings};

#[cfg(test)]
mod tests;
