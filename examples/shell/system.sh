#!/usr/bin/env bash
# A fuzzy system: results for a table, explanations, pages and C code: system.sh [FOLDER]
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
mkdir -p "${1:-results}" && cd "${1:-results}"

fuzzion show "$data/tipper.fll"
fuzzion infer "$data/tipper.fll" --data "$data/meals.csv" --out tips.csv --firing firing.csv
paste -d, "$data/meals.csv" tips.csv firing.csv
fuzzion explain "$data/tipper.fll" --data "$data/meals.csv" --row 2
fuzzion show "$data/tipper.fll" --html tipper.html
fuzzion convert "$data/tipper.fll" tipper.fis

# A C function without dependencies; it is compiled if there is a compiler.
fuzzion export "$data/tipper.fll" --to c --out tipper.c
if command -v cc > /dev/null; then cc -std=c99 -O2 -c tipper.c -o tipper.o; fi
