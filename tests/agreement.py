#!/usr/bin/env python3
"""How often an engine plays a reference's move: agreement.py ENGINE REFERENCE FENS [SECONDS [DEPTH]]

    pip install chess
    tests/agreement.py target/release/enroc stockfish positions.fen

FENS has a position on each line. The engine has SECONDS for each (1), the reference searches to DEPTH (18); another move than
the reference's is searched to the same depth by itself, and costs what its score falls short. Both start every position
anew. Losses are in centipawns, at most 1,000.
"""
import sys
import chess, chess.engine

MATE = 10_000
MOST = 1_000


def main():
    if not 4 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    engine, reference = (chess.engine.SimpleEngine.popen_uci(path) for path in sys.argv[1:3])
    seconds, depth = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0, int(sys.argv[5]) if len(sys.argv) > 5 else 18
    reference.configure({'Hash': 64})
    losses = []
    for line in open(sys.argv[3]):
        board = chess.Board(line.strip())
        move = engine.play(board, chess.engine.Limit(time=seconds), game=object()).move

        def ask(moves=None):
            return reference.analyse(board, chess.engine.Limit(depth=depth), root_moves=moves, game=object())

        best = ask()
        if move == best['pv'][0]:
            losses.append(None)
        else:
            first, ours = (answer['score'].relative.score(mate_score=MATE) for answer in (best, ask([move])))
            losses.append(min(max(0, first - ours), MOST))
    share = lambda kept: 100 * sum(map(kept, losses)) / len(losses)
    print(f"{len(losses)} positions: the same move in {share(lambda x: x is None):.1f} %,"
          f" at most 10 cp lost in {share(lambda x: (x or 0) <= 10):.1f} %,"
          f" mean loss {sum(x or 0 for x in losses) / len(losses):.1f} cp")
    engine.quit(), reference.quit()


main()
