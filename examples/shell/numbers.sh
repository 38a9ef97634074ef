#!/usr/bin/env bash
# Profits from estimates of demand, price and cost: numbers.sh [FOLDER]
set -euo pipefail
data=$(cd "$(dirname "$0")/../data" && pwd)
mkdir -p "${1:-results}" && cd "${1:-results}"

cat "$data/plan.csv"
fuzzion calc 'demand * price - cost' --data "$data/plan.csv" --name profit --cuts 3 --out profits.csv
cat profits.csv
fuzzion calc 'demand * price - cost' --let 'demand=tri(90,100,120)' --let 'price=[2.5,2.75]' --let 'cost=170' --plot profit.svg

# A variable that occurs twice is one number with `--method vertex`.
fuzzion calc 'x * (1 - x)' --let 'x=tri(0,0.5,1)' --cuts 3
fuzzion calc 'x * (1 - x)' --let 'x=tri(0,0.5,1)' --cuts 3 --method vertex
