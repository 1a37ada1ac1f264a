#!/usr/bin/env bash
# The study's nets: every kind with its own best learning rate, trained until the validation part stops gaining, from
# three amounts of distinct positions and three seeds; then the report.
#
#   nets/study.sh DATA OUT
#
# DATA holds the folder of shards `deep` (nets/README.md), or those that FILES names. OUT gets recipes, nets, what was
# chosen, runs.csv (a line for every training), and the report in OUT/report.
#
# For each kind and share of the data:
#   1. rates: 0.001, 0.002 and 0.004 (for more data half, once and twice the best of less data), and on beyond the edge
#      while the best is at it;
#   2. passes: with the best rate the number of passes over the positions is doubled while the error on the quiet
#      positions of the validation part falls by more than GAIN, or else halved;
#   3. rates once more, half and twice the best, at that number of passes.
# Then SEEDS are trained with what was chosen. The test part is not looked at until the end.
#
# KINDS, SHARES, SEEDS, PLIES, MAIN and COMPARE change the defaults; ENROC names another program, DEVICE=cuda trains on a GPU.
# Run it again after a break: finished trainings are kept, the one that was cut off goes on.
set -euo pipefail
shopt -s inherit_errexit
[ $# = 2 ] || { sed -n '2,19s/^# \{0,1\}//p' "$0" >&2; exit 2; }
data=$1 out=$2
enroc=${ENROC:-target/release/enroc} device=${DEVICE:-auto} seeds=${SEEDS:-1 2 3} plies=${PLIES:-2 1 2+q}
kinds=${KINDS:-mlp-small mlp-thesis cnn-tiny cnn-small mlp-default transformer}
# Shares of all groups that are trained on. Validation stays the same 2 %; the rest is in the test part, whose first 2 %
# are never trained on by any share.
shares=${SHARES:-0.05 0.16 0.5}
# processor seconds, of the program and of the system; a run that was killed leaves none
TIMEFORMAT='%U %S'
gain=${GAIN:-0.0005} first_passes=${PASSES:-4} start=${RATES:-0.001 0.002 0.004}
mkdir -p "$out/recipes" "$out/nets" "$out/chosen" "$out/log"
out=$(cd "$out" && pwd)

# Lines of the [net] table of a kind.
net() {
  case $1 in
    mlp-small) echo 'layout = "774-256-32-32-1"' ;;
    mlp-thesis) echo 'layout = "774-512-512-256-64-1"' ;;
    mlp-default) printf '%s\n' 'layout = "2x774-256-16-32-1x8"' 'first_activation = "squaredclippedrelu"' \
      'later_activation = "clippedrelu"' ;;
    cnn-tiny) echo 'layout = "16-32-3r-pool-64-1"' ;;
    cnn-small) echo 'layout = "16-64-5r-pool-64-1"' ;;
    cnn-thesis) echo 'layout = "16-1x1:50-256-512-512-1024-pool-64-1"' ;;
    transformer) printf '%s\n' 'layout = "16-64-3t4h128f16g-pool-64-1"' 'kind = "transformer"' ;;
    *) echo "no kind $1" >&2; exit 2 ;;
  esac
}

say() { printf '%s %s\n' "$(date -u +%FT%TZ)" "$*" | tee -a "$out/progress.txt" >&2; }

# The name of a training: KIND SHARE RATE PASSES.
name() { echo "$1-$2-r$3-p$4"; }

# Distinct positions that a share trains on, counted once by a training of one step.
distinct() {
  local file="$out/chosen/positions-$1"
  if [ ! -s "$file" ]; then
    recipe mlp-small "$1" 1e-3 1 128 "count-$1"
    "$enroc" train "$out/recipes/count-$1.toml" --data "$data" --out "$out/count" --restart --device cpu > "$out/log/count-$1.txt" 2>&1
    sed -n 's/^\([0-9,]*\) positions to train on.*/\1/p' "$out/log/count-$1.txt" | tr -d , | head -1 > "$file"
  fi
  cat "$file"
}

# recipe KIND SHARE RATE PASSES POSITIONS NAME
recipe() {
  local files test measure
  files=$(printf '"%s", ' ${FILES:-deep} | sed 's/, $//')
  test=$(awk "BEGIN { print 0.98 - $2 }")
  measure=$(($5 / 8))
  { printf '# nets/study.sh: %s at rate %s, %s passes over the share %s of the data\nname = "%s"\n\n[net]\n' \
      "$1" "$3" "$4" "$2" "$6"
    net "$1"
    printf '%s\n' 'orientation = "mover"' 'curve = { tanh = { scale = 500.0 } }' '' '[data]' \
      "description = \"${DESCRIPTION:-Stockfish 15.1 at 2,000 nodes, quiet positions}\"" "files = [$files]" '' \
      '[data.selection]' 'filter = { in_check = true, noisy = true }' \
      "split = { seed = 0, validation = 0.02, test = $test }" '' \
      '[schedule]' "positions = $5" "warm_up = $(($5 / 50 > 128 ? $5 / 50 : 128))" 'batch = 128' 'seed = 1' \
      'mirror = true' "measure_every = $((measure > 128 ? measure : 128))" 'measure_on = 10_000' '' \
      '[optimizer]' "rate = $3" 'decay = 0.01'
  } > "$out/recipes/$6.toml"
}

# run KIND SHARE RATE PASSES [SEED]: trains unless it is done, and prints the least error on quiet positions.
run() {
  local base name count seed=${5:-1}
  base=$(name "$1" "$2" "$3" "$4") count=$(distinct "$2")
  name=$base-seed$seed
  if [ ! -e "$out/log/$name.done" ]; then
    recipe "$1" "$2" "$3" "$4" $((count * $4 / 128 * 128)) "$base"
    say "$name begins"
    local status=0
    { time "$enroc" train "$out/recipes/$base.toml" --data "$data" --out "$out/nets" --seed "$seed" \
      --device "$device" > "$out/log/$name.txt" 2>&1 || status=$?; } 2>> "$out/log/$name.times"
    # a rate at which the training diverges is a result, anything else is a fault
    if [ $status != 0 ] && ! grep -q "diverge\|not finite" "$out/log/$name.txt"; then
      say "$name failed: $(tail -1 "$out/log/$name.txt")"; exit 1
    fi
    touch "$out/log/$name.done"
    say "$name ended: $(least "$name")"
  fi
  least "$name"
}

# The least error on quiet positions of the validation part.
least() {
  awk -F, 'BEGIN { least = 9 } NR > 1 && $5 != "" && $5 < least { least = $5 } END { print least }' \
    "$out/nets/$1/log.csv" 2> /dev/null || echo 9
}

better() { awk "BEGIN { exit !($1 < $2 - $3) }"; }
times_two() { awk "BEGIN { printf \"%g\", $1 * $2 }"; }

# sweep KIND SHARE PASSES RATES…: sets best_rate and best_error; goes on beyond the edges.
sweep() {
  local kind=$1 share=$2 passes=$3 rate error low high
  shift 3
  best_error=9 low=$1
  for rate in "$@"; do
    error=$(run "$kind" "$share" "$rate" "$passes"); high=$rate
    if better "$error" "$best_error" 0; then best_error=$error best_rate=$rate; fi
  done
  while [ "$best_rate" = "$high" ] && better "$best_rate" 0.06 0; do
    high=$(times_two "$high" 2); error=$(run "$kind" "$share" "$high" "$passes")
    if better "$error" "$best_error" 0; then best_error=$error best_rate=$high; fi
  done
  while [ "$best_rate" = "$low" ] && better 0.00005 "$best_rate" 0; do
    low=$(times_two "$low" 0.5); error=$(run "$kind" "$share" "$low" "$passes")
    if better "$error" "$best_error" 0; then best_error=$error best_rate=$low; fi
  done
}

# choose KIND SHARE PASSES RATES…: the best rate and number of passes, kept in OUT/chosen.
choose() {
  local kind=$1 share=$2 passes=$3 error begun=$3
  local file="$out/chosen/$kind-$share"
  [ -s "$file" ] && return
  sweep "$@"
  while true; do
    error=$(run "$kind" "$share" "$best_rate" $((passes * 2)))
    better "$error" "$best_error" "$gain" || break
    passes=$((passes * 2)) best_error=$error
  done
  while [ "$passes" -le "$begun" ] && [ "$passes" -gt 1 ]; do
    error=$(run "$kind" "$share" "$best_rate" $((passes / 2)))
    better "$error" "$best_error" 0 || break
    passes=$((passes / 2)) best_error=$error
  done
  sweep "$kind" "$share" "$passes" "$(times_two "$best_rate" 0.5)" "$best_rate" "$(times_two "$best_rate" 2)"
  echo "$best_rate $passes" > "$file"
  say "$kind at $share: rate $best_rate, $passes passes, $best_error"
}

# A line for every training that ended.
table() {
  echo "kind,share,rate,passes,seed,positions,seconds,validation,validation_quiet"
  local log name seconds
  for log in "$out"/log/*.done; do
    name=$(basename "$log" .done)
    [ -e "$out/nets/$name/log.csv" ] || continue
    seconds=$(awk '{ sum += $1 + $2 } END { printf "%.0f", sum }' "$out/log/$name.times")
    awk -F, -v name="$name" -v seconds="$seconds" 'BEGIN { least = 9 }
      NR > 1 && $5 != "" && $5 < least { least = $5; all = $4 } { positions = $1 }
      END { match(name, /-[0-9.]+-r[0-9.e-]+-p[0-9]+-seed[0-9]+$/)
        kind = substr(name, 1, RSTART - 1); rest = substr(name, RSTART + 1)
        match(rest, /-r/); share = substr(rest, 1, RSTART - 1); rest = substr(rest, RSTART + 2)
        match(rest, /-p[0-9]+-seed/); rate = substr(rest, 1, RSTART - 1); rest = substr(rest, RSTART + 2)
        split(rest, at, "-seed")
        print kind "," share "," rate "," at[1] "," at[2] "," positions "," seconds "," all "," least }' "$out/nets/$name/log.csv"
  done
}

for share in $shares; do
  for kind in $kinds; do
    if [ -s "$out/chosen/$kind-last" ]; then
      read -r rate passes < "$out/chosen/$kind-last"
      choose "$kind" "$share" "$passes" "$(times_two "$rate" 0.5)" "$rate" "$(times_two "$rate" 2)"
    else
      choose "$kind" "$share" "$first_passes" $start
    fi
    cp "$out/chosen/$kind-$share" "$out/chosen/$kind-last"
    read -r rate passes < "$out/chosen/$kind-$share"
    for seed in $seeds; do run "$kind" "$share" "$rate" "$passes" "$seed" > /dev/null; done
    table > "$out/runs.csv"
  done
done

# The main comparison, named before anything was measured: the small CNN and the thesis's MLP, each at its best, from
# the largest share, at the thesis's two plies, by what they give away in expected score.
groups=() contestants=()
for kind in $kinds; do
  read -r rate passes < "$out/chosen/$kind-${shares##* }"
  members=()
  for seed in $seeds; do members+=("$(name "$kind" "${shares##* }" "$rate" "$passes")-seed$seed"); done
  groups+=("$kind=$(IFS=,; echo "${members[*]}")")
done
for how in $plies; do
  for group in "${groups[@]}"; do contestants+=("$group@$how"); done
done
"$enroc" compare "${contestants[@]}" heuristics@2 chance@2 --nets "$out/nets" \
  --main ${MAIN:-cnn-small@2 mlp-thesis@2} --out "$out/report" ${COMPARE:-}
echo "the report is $out/report/report.html"
