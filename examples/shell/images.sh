#!/usr/bin/env bash
# Edges, noise removal and colors of the pictures of the tour: images.sh [FOLDER]
set -euo pipefail
mkdir -p "${1:-results}" && cd "${1:-results}"

fuzzion tour --quiet
fuzzion edges tour/still-life.png edges.png
fuzzion edges tour/still-life.png lines.png --thin --threshold 24
fuzzion image --system fire-denoise tour/noisy.png clean.png
fuzzion cluster tour/landscape.png --clusters 6 --plot colors.png

# A folder of images, and a built-in system that is edited.
mkdir -p pictures && cp tour/still-life.png clean.png pictures
fuzzion edges pictures lines
fuzzion convert contrast contrast.fll
fuzzion image --system contrast.fll --color tour/landscape.png landscape.png
