#!/usr/bin/env bash
# Clusters of wines, compared with the cultivars: clusters.sh [FOLDER]
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
mkdir -p "${1:-results}" && cd "${1:-results}"

# How many clusters? The columns have different units, so they are standardized.
fuzzion cluster "$data/wine.csv" --sweep 2..6 --standardize --fuzzifier 1.5

fuzzion cluster "$data/wine.csv" --clusters 3 --standardize --fuzzifier 1.5 --columns alcohol,flavanoids,color_intensity,proline \
    --labels labels.csv --memberships memberships.csv --model model.json --plot wine.svg

# Cultivars and clusters side by side.
echo "wines  cultivar  cluster"
paste -d, <(cut -d, -f14 "$data/wine.csv") labels.csv | tail -n +2 | sort | uniq -c | tr ',' ' '

# New wines.
head -n 4 "$data/wine.csv" > new.csv
fuzzion cluster --apply model.json new.csv --labels -
