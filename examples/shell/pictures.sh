#!/usr/bin/env bash
# Draws the pictures of the README and the documentation: pictures.sh docs/src/images
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
mkdir -p "${1:-results}" && cd "${1:-results}"

fuzzion cluster "$data/iris.csv" --columns petal_length,petal_width --clusters 3 --plot clusters.svg
fuzzion show "$data/tipper.fll" --svg charts
mv charts/surface1-tip.svg surface.svg && rm -r charts
fuzzion calc 'demand * price - cost' --let 'demand=tri(90,100,120)' --let 'price=[2.5,2.75]' --let 'cost=170' --plot profit.svg
