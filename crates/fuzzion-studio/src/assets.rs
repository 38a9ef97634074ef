//! The files of the page, embedded in the binary.

use crate::http::Response;

/// Paths in the URL and contents.
macro_rules! assets {
    ($($path:literal)+) => {
        pub(crate) const ASSETS: &[(&str, &str)] = &[$(($path, include_str!(concat!("../page/", $path)))),+];
    };
}

assets! {
    "index.html"
    "icon.svg"
    "style/base.css"
    "js/main.js"
}

/// The file at `path`; the empty path is the page itself.
pub(crate) fn find(path: &str) -> Option<Response> {
    let path = if path.is_empty() { "index.html" } else { path };
    let (path, text) = ASSETS.iter().find(|(known, _)| *known == path)?;
    let content_type = match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Some(Response::new(content_type, text.as_bytes()))
}
