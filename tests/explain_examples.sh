#!/bin/sh
# The section "Ten explanations" of docs/explanations.md, in Markdown:
#     tests/explain_examples.sh target/release/enroc
set -eu
enroc=$1
number=0
while IFS="$(printf '\t')" read -r fen move; do
    number=$((number + 1))
    printf '%s. `%s`, %s: ' "$number" "$fen" "$move"
    # the first in all languages
    languages=en
    test "$number" = 1 && languages='en es ca'
    for lang in $languages; do
        "$enroc" explain "$fen" "$move" --lang "$lang" | head -n 1 | tr '\n' ' '
    done
    printf '\n'
done < "$(dirname "$0")/explain/examples.tsv"
