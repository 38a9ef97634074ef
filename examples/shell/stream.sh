#!/usr/bin/env bash
# A network that learns from a pipe, row by row: stream.sh [FOLDER]
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
mkdir -p "${1:-results}" && cd "${1:-results}"

# Twenty passes over the flowers, in an order that mixes the species.
flowers() {
    head -n 1 "$data/iris.csv"
    for pass in $(seq 20); do tail -n +2 "$data/iris.csv" | awk -v pass="$pass" '{ print (NR * 37 * pass) % 151 "\t" $0 }' | sort -n | cut -f2; done
}
flowers | fuzzion sonfin fit - --target species --classify --stream --rules 12 --chunk-rows 150 --model flowers.json
fuzzion sonfin rules flowers.json --top 3 --inputs 2
fuzzion sonfin predict flowers.json "$data/iris.csv" --out labels.csv
fuzzion sonfin export flowers.json flowers.fll
