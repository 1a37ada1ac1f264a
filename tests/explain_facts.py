"""The facts of an explanation once more, with python-chess and nothing of Enroc; used by explain_truth.py."""

import chess

CENTRE = chess.BB_D4 | chess.BB_E4 | chess.BB_D5 | chess.BB_E5
EDGE = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H


def span(before, after):
    return {"before": before, "after": after}


def moves_of(board, color):
    """How many legal moves a side has; who passes takes the chance to capture en passant away."""
    if board.turn != color:
        board = board.copy(stack=False)
        board.push(chess.Move.null())
    return board.legal_moves.count()


def file_of(board, color, square):
    """What the file of a square is for a player."""
    pawns = lambda color: board.pieces(chess.PAWN, color) & chess.BB_FILES[chess.square_file(square)]
    return "closed" if pawns(color) else "half_open" if pawns(not color) else "open"


def landing(board, move):
    """Where the moved piece ends, the king when castling."""
    if board.is_castling(move):
        return chess.square(6 if chess.square_file(move.to_square) > 4 else 2, chess.square_rank(move.from_square))
    return move.to_square


def facts(board, move):
    """The facts of a move, but for those that the game before it decides."""
    us, square = board.turn, landing(board, move)
    after = board.copy(stack=False)
    after.push(move)
    mobility = None
    if not board.is_check() and not after.is_check():
        own, opponent = (span(moves_of(board, color), moves_of(after, color)) for color in (us, not us))
        mobility = {"own": own, "opponent": opponent}
    bit = chess.BB_SQUARES[square]
    return {
        "answers_check": board.is_check(),
        "gives_check": after.is_check(),
        "captures": chess.piece_symbol(board.piece_type_at(move.to_square) or chess.PAWN) if board.is_capture(move) else None,
        "place": "centre" if bit & CENTRE else "edge" if bit & EDGE else "middle",
        "sees": span(len(board.attacks(move.from_square)), len(after.attacks(square))),
        "mobility": mobility,
        "file": file_of(after, us, square),
    }
