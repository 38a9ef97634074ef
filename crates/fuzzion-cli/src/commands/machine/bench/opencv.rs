//! Times OpenCV for comparison, if Python and cv2 are installed.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::Command;

const SCRIPT: &str = include_str!("opencv.py");

/// An operator of OpenCV on one thread.
#[derive(Debug, Serialize)]
pub(super) struct Peer {
    pub(super) name: String,
    pub(super) version: String,
    /// Median time per 640 × 480 frame.
    pub(super) seconds: f64,
}

#[derive(Deserialize)]
struct Timings {
    version: String,
    seconds: BTreeMap<String, f64>,
}

/// Runs the OpenCV benchmark; empty if Python or cv2 is missing.
pub(super) fn peers() -> Vec<Peer> {
    let output = Command::new("python3").args(["-c", SCRIPT]).output();
    output.map_or(vec![], |output| parse(&output.stdout))
}

fn parse(json: &[u8]) -> Vec<Peer> {
    let Ok(Timings { version, seconds }) = serde_json::from_slice(json) else { return vec![] };
    let peer = |(name, seconds): (String, f64)| {
        let name = format!("opencv/{name}/640x480");
        Peer { name, version: version.clone(), seconds }
    };
    seconds.into_iter().map(peer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_output_is_parsed_and_anything_else_is_ignored() {
        let json = br#"{"version": "5.0.0", "seconds": {"sobel/CV_16S": 0.25e-3, "canny": 0.004}}"#;
        let peers = parse(json);
        assert_eq!(peers.len(), 2);
        assert_eq!((peers[0].name.as_str(), peers[0].seconds), ("opencv/canny/640x480", 0.004));
        assert_eq!(peers[1].version, "5.0.0");
        assert!(parse(b"").is_empty() && parse(b"No module named 'cv2'").is_empty());
    }
}
