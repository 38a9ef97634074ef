#!/usr/bin/env bash
# Readable rules for the consumption of cars, and predictions with intervals: rules.sh [FOLDER]
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
mkdir -p "${1:-results}" && cd "${1:-results}"

# Every tenth car is new, the others are for training.
awk 'NR == 1 || NR % 10 != 0' "$data/cars.csv" > training.csv
awk 'NR == 1 || NR % 10 == 0' "$data/cars.csv" > new.csv

fuzzion tune training.csv --target mpg --max-rules 6 --max-conditions 2 --importance --model rules.json --plot rules.html
fuzzion tune predict rules.json new.csv --level 0.9 --out predicted.csv
head -n 4 predicted.csv
fuzzion explain rules.json --data new.csv --row 1

# The rules as a file of fuzzylite.
fuzzion convert rules.json rules.fll
