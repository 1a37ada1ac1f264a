"""The changes of docs/explanations.md once more, with python-chess and nothing of Enroc; used by explain_truth.py."""

import chess
from chess import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

LETTERS = {"p": PAWN, "n": KNIGHT, "b": BISHOP, "r": ROOK, "q": QUEEN, "k": KING}


def height(color, square):
    """The rank as a player counts it, from 1."""
    rank = chess.square_rank(square) + 1
    return rank if color == WHITE else 9 - rank


def files_apart(a, b):
    return abs(chess.square_file(a) - chess.square_file(b))


class Change:
    def __init__(self, boards, moves, record):
        self.start, self.end = boards[0], boards[-1]
        self.boards, self.moves, self.record = boards, moves, record
        self.color = WHITE if record["color"] == "white" else BLACK

    def square(self, name):
        return chess.parse_square(self.record[name])

    def pawns(self, board, color=None):
        return board.pieces(PAWN, self.color if color is None else color)

    def origin(self, square):
        """Where the piece that now stands on a square stood at the beginning."""
        for board, move in zip(reversed(self.boards[:-1]), reversed(self.moves)):
            if board.is_castling(move):
                rank = chess.square_rank(move.from_square)
                short = chess.square_file(move.to_square) > chess.square_file(move.from_square)
                places = {chess.square(6 if short else 2, rank): move.from_square}
                places[chess.square(5 if short else 3, rank)] = chess.square(7 if short else 0, rank)
                square = places.get(square, square)
            elif move.to_square == square:
                if move.promotion:
                    return None
                square = move.from_square
        return square

    def moved_piece(self, name, kinds):
        """The square of the piece that is spoken of and where it came from; None if it is not as it is said."""
        square = self.square(name)
        piece = self.end.piece_at(square)
        wanted = LETTERS[self.record.get("piece", "p")]
        if piece is None or piece.color != self.color or piece.piece_type != wanted or wanted not in kinds:
            return None
        origin = self.origin(square)
        return None if origin is None else (origin, square)

    def room(self, board, square):
        theirs = not self.color
        attacked = chess.SquareSet()
        for pawn in self.pawns(board, theirs):
            attacked |= board.attacks(pawn)
        return len(board.attacks(square) - chess.SquareSet(board.occupied_co[self.color]) - attacked)

    def mobility(self):
        found = self.moved_piece("square", (KNIGHT, BISHOP, ROOK, QUEEN))
        if found is None:
            return False
        numbers = [self.room(self.start, found[0]), self.room(self.end, found[1])]
        return numbers == [self.record["before"], self.record["after"]] and abs(numbers[0] - numbers[1]) >= 3

    def shelter_of(self, board):
        king = board.king(self.color)
        return sum(
            files_apart(pawn, king) <= 1 and height(self.color, pawn) - height(self.color, king) in (1, 2)
            for pawn in self.pawns(board)
        )

    def shelter(self):
        numbers = [self.shelter_of(self.start), self.shelter_of(self.end)]
        queens = all(board.pieces(QUEEN, not self.color) for board in (self.start, self.end))
        in_place = self.end.king(self.color) == self.square("king")
        return in_place and queens and numbers == [self.record["before"], self.record["after"]] and len(set(numbers)) == 2

    def file_of(self, board, file):
        on_file = lambda color: any(chess.square_file(pawn) == file for pawn in self.pawns(board, color))
        return "closed" if on_file(self.color) else "half_open" if on_file(not self.color) else "open"

    def takes_file(self):
        found = self.moved_piece("square", (ROOK, QUEEN))
        if found is None:
            return False
        came, file = chess.square_file(found[0]), chess.square_file(found[1])
        state = self.file_of(self.end, file)
        return state == self.record["state"] != "closed" and (came != file or self.file_of(self.start, file) != state)

    def is_outpost(self, board, square):
        guarded = any(square in board.attacks(pawn) for pawn in self.pawns(board))
        step = -8 if self.color == WHITE else 8
        blocked = lambda pawn: board.piece_type_at(pawn + step) == PAWN
        threatened = any(
            files_apart(pawn, square) == 1
            and height(self.color, pawn) > height(self.color, square)
            and (height(self.color, pawn) == height(self.color, square) + 1 or not blocked(pawn))
            for pawn in self.pawns(board, not self.color)
        )
        return 4 <= height(self.color, square) <= 6 and guarded and not threatened

    def outpost(self):
        found = self.moved_piece("square", (KNIGHT, BISHOP))
        return found is not None and self.is_outpost(self.end, found[1]) and not self.is_outpost(self.start, found[0])

    def guardable(self, board, square):
        return any(
            files_apart(pawn, square) == 1 and height(self.color, pawn) < height(self.color, square)
            for pawn in self.pawns(board)
        )

    def weak_square(self):
        square = self.square("square")
        light = lambda s: (chess.square_file(s) + chess.square_rank(s)) % 2
        visitors = self.end.pieces(KNIGHT, not self.color) or any(
            light(bishop) == light(square) for bishop in self.end.pieces(BISHOP, not self.color)
        )
        matters = 2 <= chess.square_file(square) <= 5 or files_apart(square, self.end.king(self.color)) <= 1
        lost = self.guardable(self.start, square) and not self.guardable(self.end, square)
        rank = height(self.color, square)
        near = rank in (3, 4) or rank == 5 and chess.square_file(square) in (3, 4)
        return near and bool(visitors) and matters and lost

    def is_passed(self, board, square):
        return not any(
            files_apart(pawn, square) <= 1 and height(self.color, pawn) > height(self.color, square)
            for pawn in self.pawns(board, not self.color)
        )

    def passed_pawn(self):
        found = self.moved_piece("pawn", (PAWN,))
        return found is not None and self.is_passed(self.end, found[1]) and not self.is_passed(self.start, found[0])

    def is_isolated(self, board, square):
        return not any(files_apart(pawn, square) == 1 for pawn in self.pawns(board))

    def isolated_pawn(self):
        found = self.moved_piece("pawn", (PAWN,))
        return found is not None and self.is_isolated(self.end, found[1]) and not self.is_isolated(self.start, found[0])

    def doubled_pawns(self):
        pawn = self.square("pawn")
        on_file = lambda board: [other for other in self.pawns(board) if files_apart(other, pawn) == 0]
        now = on_file(self.end)
        foremost = max(now, key=lambda other: height(self.color, other), default=None)
        return len(now) > 1 and len(on_file(self.start)) < 2 and foremost == pawn

    def pair(self, board, color):
        colors = {(chess.square_file(s) + chess.square_rank(s)) % 2 for s in board.pieces(BISHOP, color)}
        return len(colors) == 2

    def loses_bishop_pair(self):
        lost = self.pair(self.start, self.color) and not self.pair(self.end, self.color)
        return lost and self.pair(self.end, not self.color) == self.record["other_has_it"]

    def space_of(self, board):
        attacked = chess.SquareSet()
        for pawn in self.pawns(board, not self.color):
            attacked |= board.attacks(pawn)
        squares = [s for s in chess.SQUARES if 2 <= chess.square_file(s) <= 5 and 2 <= height(self.color, s) <= 4]
        return sum(s not in attacked and s not in self.pawns(board) for s in squares)

    def space(self):
        numbers = [self.space_of(self.start), self.space_of(self.end)]
        return numbers == [self.record["before"], self.record["after"]] and abs(numbers[0] - numbers[1]) >= 2

    def is_true(self):
        return bool(self.moves) and getattr(self, self.record["change"])()
