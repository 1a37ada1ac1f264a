#!/usr/bin/env python3
"""Plays endings with tablebases against an engine without them: what is won must be won within the fifty-move rule, what
is drawn must be held.

    pip install chess
    python3 tests/tablebase_games.py target/release/enroc stockfish FOLDER_OF_TABLES [POSITIONS]

Enroc has White in random positions that are not lost; each side has 20,000 nodes a move. Prints a line for each ending,
and the moves of every game that went wrong; the exit code is 1 if one did.
"""

import random
import sys

import chess
import chess.engine
import chess.syzygy

# the pieces, and the result of the positions that are drawn (2 won, 0 drawn), or None for any that is not lost
ENDINGS = [("KQkr", 2), ("KBNk", 2), ("KPk", 2), ("KPk", 0), ("KRkb", None), ("KRkq", None)]
NODES = chess.engine.Limit(nodes=20_000)


def random_position(pieces):
    """A legal position with White to move that is not over."""
    while True:
        board = chess.Board(None)
        for square, piece in zip(random.sample(chess.SQUARES, len(pieces)), pieces):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        if board.is_valid() and not board.is_game_over():
            return board


def play(board, players, game):
    """The game to its end; draws are claimed."""
    board = board.copy()
    while not board.is_game_over(claim_draw=True):
        board.push(players[board.turn].play(board, NODES, game=game).move)
    return board


def main():
    program, opponent, folder, *rest = sys.argv[1:]
    positions = int(rest[0]) if rest else 200
    random.seed(7)
    tables = chess.syzygy.open_tablebase(folder)
    ours = chess.engine.SimpleEngine.popen_uci(program)
    ours.configure({"SyzygyPath": folder})
    theirs = chess.engine.SimpleEngine.popen_uci(opponent)
    players = {chess.WHITE: ours, chess.BLACK: theirs}
    faults = 0
    for pieces, wanted in ENDINGS:
        won = held = beyond = longest = 0
        played = 0
        while played < positions:
            board = random_position(pieces)
            value = tables.probe_wdl(board)
            if value < 0 or wanted not in (None, value):
                continue
            played += 1
            game = play(board, players, played)
            longest = max(longest, len(game.move_stack))
            result = game.result(claim_draw=True)
            won += value == 2
            held += value < 2
            beyond += value < 2 and result == "1-0"
            if result == "0-1" or (value == 2 and result != "1-0"):
                faults += 1
                print(f"{board.fen()} {result}:", " ".join(move.uci() for move in game.move_stack))
        print(f"{pieces}: {won} won and {held} drawn, {beyond} of these won; at most {longest} plies", flush=True)
    ours.quit()
    theirs.quit()
    print(f"{faults} went wrong")
    sys.exit(faults > 0)


main()
