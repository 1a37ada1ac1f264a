#!/usr/bin/env python3
"""How many moves that call for a reason have one.

    enroc explain - --json < positions.tsv | python3 tests/explain_coverage.py [-v]

Of the moves that give away 0.2 of expected score or more: those with a reason against them or for the better move, or a
mate that is proved. Of the best moves that win material or mate: those with a claim about what the move achieves, or a
proved mate. A best move wins material if the line that the search expects ends a pawn or more better and that is kept, by
the independent count of explain_truth.py. `-v` prints what is left out. Needs `pip install chess`.
"""

import json
import sys

import chess

from explain_truth import TooLong, balance, keeps


def gains(record):
    """Whether the expected line brings the side to move a pawn or more."""
    board = chess.Board(record["fen"])
    us = board.turn
    needed = balance(board, us) + 100
    for uci in record["course"]["line"]:
        board.push(board.parse_uci(uci))
    try:
        return not board.is_checkmate() and keeps(board, us, needed)
    except TooLong:
        return False


def main():
    told = {"moves that give away 0.2 or more": [0, 0], "best moves that win material or mate": [0, 0]}
    bad, good = told
    for text in sys.stdin:
        record = json.loads(text)
        verdict, reasons = record["verdict"], record["reasons"]
        proved = any(news["proved"] for news in verdict["mates"])
        if verdict["drop"] >= 0.2:
            kind, found = bad, reasons + (record["better"] or {"reasons": []})["reasons"]
        elif verdict["grade"] == "best" and (verdict["after"].get("mate", 0) > 0 or gains(record)):
            kind, found = good, [reason for reason in reasons if "motif" in reason and reason["role"] == "achieves"]
        else:
            continue
        told[kind][0] += bool(found or proved)
        told[kind][1] += 1
        if "-v" in sys.argv and not found and not proved:
            print(f"{kind}: {record['fen']} {record['move']} {verdict}")
    for kind, (some, all) in told.items():
        print(f"{kind}: {some} of {all}" + (f" ({100 * some / all:.1f} %)" if all else ""))


if __name__ == "__main__":
    main()
