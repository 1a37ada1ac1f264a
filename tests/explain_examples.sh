#!/bin/sh
# The section "Ten explanations" of docs/explanations.md, in Markdown:
#     tests/explain_examples.sh target/release/enroc
set -eu
enroc=$1
number=0
while IFS="$(printf '\t')" read -r fen move; do
    number=$((number + 1))
    printf '%s. `%s`, %s\n' "$number" "$fen" "$move"
    for lang in ca es en; do
        text=$("$enroc" explain "$fen" "$move" --lang "$lang" | head -n 1)
        printf '   - %s: %s\n' "$lang" "$text"
    done
done < "$(dirname "$0")/explain/examples.tsv"
