//! Who may use the server: the token of the URL, and the hosts and origins of requests.
//!
//! A page of another site can send requests to the loopback address, and with DNS rebinding even under a host name of its
//! own. It knows neither the token nor an allowed host.

use crate::http::Request;
use fuzzion::data::DataError;
use std::io;

/// Number of random bytes of a token.
const TOKEN_BYTES: usize = 18;

/// Random text in the URL that nobody can guess.
pub(crate) struct Token(String);

impl Token {
    /// A token from the random numbers of the operating system.
    pub(crate) fn new() -> Result<Self, DataError> {
        let mut bytes = [0; TOKEN_BYTES];
        let failed = |cause: getrandom::Error| DataError::File {
            doing: "read",
            path: "random numbers of the operating system".into(),
            cause: io::Error::other(cause.to_string()),
        };
        getrandom::fill(&mut bytes).map_err(failed)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether `text` is this token, in a time that does not depend on where they differ.
    fn is(&self, text: &str) -> bool {
        let difference = |(a, b): (u8, u8)| a ^ b;
        text.len() == self.0.len()
            && self.0.bytes().zip(text.bytes()).map(difference).fold(0, |all, d| all | d) == 0
    }
}

/// Checks requests.
pub(crate) struct Guard {
    token: Token,
    port: u16,
    /// Further host names, with any port, because SSH may forward another one.
    hosts: Vec<String>,
}

impl Guard {
    pub(crate) fn new(token: Token, port: u16, hosts: Vec<String>) -> Self {
        Guard { token, port, hosts }
    }

    /// The path within the server without the token; `None` if the token, the host or the origin is wrong.
    pub(crate) fn admit<'a>(&self, request: &'a Request) -> Option<&'a str> {
        let (token, path) = request.path.strip_prefix('/')?.split_once('/')?;
        let origin = match &request.origin {
            // Browsers send the origin with every POST request; scripts do not.
            None => true,
            Some(origin) => origin.split_once("://").is_some_and(|(_, host)| self.is_allowed(host)),
        };
        let allowed = origin && request.host.as_deref().is_some_and(|host| self.is_allowed(host));
        (allowed && self.token.is(token)).then_some(path)
    }

    /// Whether `host` is a name of this server.
    fn is_allowed(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !name.is_empty() && port.bytes().all(|c| c.is_ascii_digit()) => {
                (name, port)
            }
            _ => (host, "80"),
        };
        let own = ["127.0.0.1", "localhost"].iter().any(|own| name.eq_ignore_ascii_case(own));
        own && port.parse() == Ok(self.port)
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// URL of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token.text())
    }
}
