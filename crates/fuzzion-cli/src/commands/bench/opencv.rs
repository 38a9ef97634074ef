//! What OpenCV takes for a frame, where there is a Python that has it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::Command;

const SCRIPT: &str = include_str!("opencv.py");

/// An operator of OpenCV on one thread.
#[derive(Debug, Serialize)]
pub(super) struct Peer {
    pub(super) name: String,
    pub(super) version: String,
    /// The median time of a frame of 640 × 480.
    pub(super) seconds: f64,
}

#[derive(Deserialize)]
struct Told {
    version: String,
    seconds: BTreeMap<String, f64>,
}

/// Nothing where Python or its cv2 is missing.
pub(super) fn peers() -> Vec<Peer> {
    let told = Command::new("python3").args(["-c", SCRIPT]).output();
    told.map_or(vec![], |told| read(&told.stdout))
}

fn read(told: &[u8]) -> Vec<Peer> {
    let Ok(Told { version, seconds }) = serde_json::from_slice(told) else { return vec![] };
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
    fn what_python_tells_becomes_peers_and_anything_else_none() {
        let told = br#"{"version": "5.0.0", "seconds": {"sobel/CV_16S": 0.25e-3, "canny": 0.004}}"#;
        let peers = read(told);
        assert_eq!(peers.len(), 2);
        assert_eq!((peers[0].name.as_str(), peers[0].seconds), ("opencv/canny/640x480", 0.004));
        assert_eq!(peers[1].version, "5.0.0");
        assert!(read(b"").is_empty() && read(b"No module named 'cv2'").is_empty());
    }
}
