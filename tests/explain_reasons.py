#!/usr/bin/env python3
"""How many known moves are explained by the reason that lessons give for them.

    python3 tests/explain_reasons.py target/release/enroc [seen|unseen|apart] [-v] [OPTIONS OF enroc explain]

`tests/explain/lessons.tsv` has moves of classic games, opening traps and textbook endings, each with the names of reasons
that would be right; the rows marked `unseen` and `apart` were set aside while the explanations were made and mended. A reason is *named* if it is
in the summary, *told* if it is only among the details. `-v` prints the rest.
"""

import collections
import json
import pathlib
import subprocess
import sys

PARTS = ("seen", "unseen", "apart")
# names that say what another says, and more
PART_OF = {
    "hits_queen": "develops",
    "fianchetto": "develops",
    "centre_with_tempo": "centre_pawn",
    "attack_on_pinned": "pins",
    "undermines": "lever",
    "prepares_advance": "prepares_push",
    "bishop_out": "develops",
    "offers_for_pair": "offers_trade",
    "offers_for_king_guard": "offers_trade",
    "offers_for_guard": "offers_trade",
    "offers_for_attacker": "offers_trade",
    "offers_for_outpost": "offers_trade",
    "aims_at_passer": "offers_trade",
    "offers_against_isolated": "offers_trade",
    "offers_for_blockader": "offers_trade",
    "offers_pawn_ending": "offers_trade",
    "trades_for_entry": "frees_square",
    "prepares_fork": "prepares_kick",
    "drives_back": "kicks",
    "targets_weak_pawn": "adds_pressure",
    "opens_against_king": "lever",
    "central_counter": "lever",
    "goes_for_hook": "pawn_storm",
}
MATES = ("mate", "named_mate", "back_rank_mate")
ROWS = pathlib.Path(__file__).parent / "explain" / "lessons.tsv"


def names(reason):
    """The names of a reason: of its claim or change, and of its role where that says it all."""
    found = {reason.get("theme"), reason.get("motif"), reason.get("change"), reason.get("pattern")}
    if reason["role"] in ("prevents", "threatens", "allows_threat"):
        found = {reason["role"]} | ({reason["role"] + "_mate"} if reason.get("motif") in MATES else set())
    return found | {PART_OF[name] for name in found if name in PART_OF}


def said(record):
    """What the summary names, and what is told at all."""
    reasons = record["reasons"]
    better, told = (record["better"][key] for key in ("reasons", "summary")) if record["better"] else ([], None)
    verdict = record["verdict"]
    # the better move is named in the summary
    bad = verdict["grade"] in ("inaccuracy", "mistake", "blunder") or verdict["drop"] >= 0.05 and not verdict["theory"]
    news = {("mate_" if n["news"] == "allowed" else "") + n["news"] for n in record["verdict"]["mates"]}
    main = [reasons[place] for place in record["summary"]] + ([better[told]] if bad and told is not None else [])
    everything = reasons + better
    ends = {record["facts"]["ends"]}
    return [set().union(news, ends, *map(names, some)) for some in (main, everything)]


def main():
    enroc, *options = sys.argv[1:]
    part = next((option for option in options if option in PARTS), None)
    verbose = "-v" in options
    options = [option for option in options if option not in (*PARTS, "-v")]
    rows = [line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines()[1:]]
    rows = [row for row in rows if part in (None, row[1])]
    asked = "".join(f"{row[2]}\t{row[3]}\n" for row in rows)
    command = [enroc, "explain", "-", "--json", *options]
    answers = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    tally = collections.defaultdict(collections.Counter)
    for (topic, part_of, fen, move, wanted, source), answer in zip(rows, answers, strict=True):
        named, told = said(json.loads(answer))
        wanted = set(wanted.split("|"))
        how = "named" if wanted & named else "told" if wanted & told else "missing"
        tally[topic][how] += 1
        tally[f"{topic}, {part_of}"][how] += 1
        if verbose and how != "named":
            print(f"{how}: {move} ({source}) wants {'|'.join(sorted(wanted))}, has {sorted(filter(None, told))}\n  {fen}")
    for name in ("all", *(f"all, {name}" for name in PARTS)):
        end = name[3:]
        tally[name] = sum((n for key, n in tally.items() if key.endswith(end) and ("," in key) == bool(end)), collections.Counter())
    for topic, counts in sorted(tally.items()):
        print(f"{topic:20} named {counts['named']:3}  told {counts['told']:3}  missing {counts['missing']:3}")


if __name__ == "__main__":
    main()
