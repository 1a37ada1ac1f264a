#!/usr/bin/env bash
# The study's comparison from its first step: every `equal-` recipe from three random seeds, then the report.
#
#   nets/equal-terms.sh DATA OUT [POSITIONS]
#
# DATA holds the folders of shards that the recipes name: deep, shallow, selfplay-0 to selfplay-2 (nets/README.md), or those
# that FILES names instead, such as FILES=lichess. OUT gets the nets in OUT/nets and the report in OUT/report. POSITIONS is
# how many positions every training shows; without it the recipes' million. A few thousand try the whole chain in minutes, on
# 25 positions of the comparison, because nets that have learnt nothing make the quiescence search long.
#
# DEVICE=cuda trains on a GPU (a build with the feature `cuda`), ENROC names another program, SEEDS other random seeds, and
# PLIES other look-aheads; COMPARE adds arguments of `enroc compare`, such as --bfloat16. Run it again after a break: what is
# finished is kept, what was cut off goes on.
set -euo pipefail
[ $# -ge 2 ] && [ $# -le 3 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
data=$1 out=$2 positions=${3:-}
enroc=${ENROC:-target/release/enroc} device=${DEVICE:-auto} seeds=${SEEDS:-1 2 3} plies=${PLIES:-2 1 2+q}
here=$(cd "$(dirname "$0")" && pwd)
kinds="mlp-default mlp-thesis control cnn-small transformer cnn-thesis"
mkdir -p "$out/recipes" "$out/nets"

# The recipe of a kind, shortened to POSITIONS and with the data of FILES where they are given.
recipe() {
  local changes=()
  if [ -n "$positions" ]; then
    local least=$((positions / 50)) fifth=$((positions / 5))
    changes+=(-e "s/^positions = .*/positions = $positions/" -e "s/^warm_up = .*/warm_up = $least/"
              -e "s/^measure_every = .*/measure_every = $fifth/" -e "s/^measure_on = .*/measure_on = 1_000/")
  fi
  if [ -n "${FILES:-}" ]; then
    changes+=(-e "s/^files = .*/files = [$(printf '"%s", ' $FILES | sed 's/, $//')]/")
  fi
  sed "${changes[@]:-}" "$here/recipes/equal-$1.toml" > "$out/recipes/equal-$1.toml"
}

# One group of nets for the comparison: NAME=NET,NET,NET.
groups=()
for kind in $kinds; do
  recipe "$kind"
  members=()
  for seed in $seeds; do
    "$enroc" train "$out/recipes/equal-$kind.toml" --data "$data" --out "$out/nets" --seed "$seed" --device "$device"
    members+=("equal-$kind-seed$seed")
  done
  groups+=("$kind=$(IFS=,; echo "${members[*]}")")
done

contestants=()
for how in $plies; do
  for group in "${groups[@]}"; do contestants+=("$group@$how"); done
done
# the main comparison, named before anything was measured: the small CNN and the thesis's MLP at the first look-ahead
"$enroc" compare "${contestants[@]}" heuristics@2 chance@2 --nets "$out/nets" \
  --main "cnn-small@${plies%% *}" "mlp-thesis@${plies%% *}" --out "$out/report" \
  ${positions:+--limit 25} ${COMPARE:-}
echo "the report is $out/report/report.html"
