#!/usr/bin/env bash
# What a derived struct of twenty fields, read and written, costs in machine code and in compile time (release profile):
# the difference between a program with two such structs and one with one, and beside it the program with one.
set -euo pipefail
cd "$(dirname "$0")/size"

build() { # binary, features: seconds of rustc and linker alone, its dependencies being there
    cargo build --quiet --release --bin "$1" --features "$2"
    touch "src/bin/$1.rs"
    local begin
    begin=$(date +%s.%N)
    cargo build --quiet --release --bin "$1" --features "$2"
    date +%s.%N | awk -v begin="$begin" '{ printf "%.2f", $1 - begin }'
}

text() { # bytes of machine code and constants
    size "target/release/$1" | awk 'NR == 2 { print $1 }'
}

printf '| %-34s | one more struct, KiB | its compile time, s | program with one, KiB | its compile time, s |\n' ''
printf '|%s|---------------------|---------------------|-----------------------|---------------------|\n' "$(printf -- '-%.0s' {1..36})"
row() { # binary, name
    local one one_text two two_text
    one=$(build "$1" '')
    one_text=$(text "$1")
    two=$(build "$1" second)
    two_text=$(text "$1")
    awk -v name="$2" -v one="$one" -v two="$two" -v a="$one_text" -v b="$two_text" 'BEGIN {
        printf "| %-34s | %19.1f | %19.2f | %21.1f | %19.2f |\n", name, (b - a) / 1024, two - one, a / 1024, one }'
}
row ours 'serde_npy, records_*_path'
row ours_whole 'serde_npy, from_path, to_path'
row npyz 'npyz, its derive'
row json 'serde_json'
