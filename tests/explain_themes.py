"""The themes of docs/explanations.md once more, with python-chess and nothing of Enroc; used by explain_truth.py."""

import functools

import chess
from chess import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE

from explain_changes import Change, files_apart, height

WORTH = {PAWN: 100, KNIGHT: 300, BISHOP: 300, ROOK: 500, QUEEN: 900, KING: 0}


def steps(a, b):
    return chess.square_distance(a, b)


def dark(square):
    return (chess.square_file(square) + chess.square_rank(square)) % 2 == 0


def men(board, color, *kinds):
    return [s for kind in kinds for s in board.pieces(kind, color)]


def material(board, color):
    return sum(WORTH[kind] * len(board.pieces(kind, color)) for kind in WORTH)


def pawn_ending(board):
    return all(p.piece_type in (PAWN, KING) for p in board.piece_map().values())


def ending(board, rooks=1):
    return all(
        not board.pieces(QUEEN, c) and len(board.pieces(ROOK, c)) <= rooks and len(men(board, c, KNIGHT, BISHOP)) <= 1
        for c in (WHITE, BLACK)
    )


def last_square(color, pawn):
    return chess.square(chess.square_file(pawn), 7 if color == WHITE else 0)


def pawn_moves(color, pawn):
    left = 8 - height(color, pawn)
    return left - 1 if left == 6 else left


def key_squares(color, pawn):
    """Two ranks ahead of the pawn, from its fifth rank on also one."""
    near = [s for s in chess.SQUARES if files_apart(s, pawn) <= 1]
    ahead = (1, 2) if height(color, pawn) >= 5 else (2,)
    return {s for s in near if height(color, s) - height(color, pawn) in ahead}


def walked(board, move):
    after = board.copy()
    after.push(move)
    return after


def gets_to_key_square(board, strong):
    """Whether the king reaches a key square of the only pawn, which stands still, whatever the other king does."""
    pawn = board.pieces(PAWN, strong).pop()
    keys = key_squares(strong, pawn)
    step = {s: [t for t in chess.SQUARES if steps(s, t) == 1] for s in chess.SQUARES}
    barred = {s for s in board.attacks(pawn)}
    pairs = [(a, b) for a in chess.SQUARES for b in chess.SQUARES if steps(a, b) > 1 and pawn not in (a, b)]
    ours, theirs = set(), set()

    def lost(a, b):
        return steps(b, pawn) == 1 and steps(a, pawn) > 1

    while True:
        more = [(a, b) for a, b in pairs if (a, b) not in ours and (a in keys or any((t, b) in theirs for t in step[a]))]
        ours.update(more)
        new = []
        for a, b in pairs:
            if (a, b) in theirs or lost(a, b):
                continue
            ways = [t for t in step[b] if t != pawn and t not in barred and steps(t, a) > 1]
            if a in keys or ways and all((a, t) in ours for t in ways):
                new.append((a, b))
        theirs.update(new)
        if not more and not new:
            at = board.king(strong), board.king(not strong)
            return at in (ours if board.turn == strong else theirs)


@functools.cache
def rook_pawn_wins():
    """The positions (king, pawn, rival king, the pawn's side to move) that White wins with a pawn of the a-file, by retrograde search."""
    step = {s: [t for t in chess.SQUARES if steps(s, t) == 1] for s in chess.SQUARES}
    legal = [
        (king, pawn, rival)
        for pawn in range(8, 56, 8)
        for king in chess.SQUARES
        for rival in chess.SQUARES
        if len({king, pawn, rival}) == 3 and steps(king, rival) > 1
    ]
    won = set()

    def promotes(king, pawn, rival):
        return steps(rival, pawn + 8) > 1 or steps(king, pawn + 8) == 1

    def ours(king, pawn, rival):
        if rival == pawn + 9:
            return False
        walks = ((t, pawn, rival, False) for t in step[king] if t not in (pawn, rival) and steps(t, rival) > 1)
        if any(after in won for after in walks):
            return True
        if pawn + 8 in (king, rival):
            return False
        if pawn >= 48:
            return promotes(king, pawn, rival)
        double = pawn == 8 and 24 not in (king, rival) and (king, 24, rival, False) in won
        return (king, pawn + 8, rival, False) in won or double

    def theirs(king, pawn, rival):
        ways = [t for t in step[rival] if steps(t, king) > 1 and t != pawn + 9]
        return bool(ways) and all(t != pawn and (king, pawn, t, True) in won for t in ways)

    while True:
        new = {(*p, True) for p in legal if (*p, True) not in won and ours(*p)}
        new |= {(*p, False) for p in legal if (*p, False) not in won and theirs(*p)}
        if not new:
            return won
        won |= new


def wins_with_rook_pawn(board, strong):
    pawn = board.pieces(PAWN, strong).pop()
    seen = lambda s: (s if strong == WHITE else chess.square_mirror(s)) ^ (7 if chess.square_file(pawn) == 7 else 0)
    at = seen(board.king(strong)), seen(pawn), seen(board.king(not strong)), board.turn == strong
    return at in rook_pawn_wins()


class Theme(Change):
    """A theme of a line; `me` is the player it favours."""

    def __init__(self, boards, moves, record):
        super().__init__(boards, moves, record)
        self.me, self.you = self.color, not self.color
        self.at = self.square("square")
        self.to = self.square("other") if record.get("other") else self.at
        self.was, self.to_was = self.origin(self.at), self.origin(self.to)

    def kind(self, board, square, color):
        piece = board.piece_at(square)
        return piece.piece_type if piece and piece.color == color else None

    def fresh(self, holds):
        """It holds at the end and did not at the beginning, of the same pieces."""
        known = self.was is not None and self.to_was is not None
        same = known and self.start.piece_at(self.was) == self.end.piece_at(self.at)
        return holds(self.end, self.at, self.to) and not (same and holds(self.start, self.was, self.to_was))

    def moved(self):
        return self.was is not None and self.was != self.at

    def passer(self, board, square, color):
        theirs = board.pieces(PAWN, not color)
        ahead = any(files_apart(p, square) <= 1 and height(color, p) > height(color, square) for p in theirs)
        return self.kind(board, square, color) == PAWN and not ahead

    def pawn_attacked(self, board, square, by):
        return any(square in board.attacks(p) for p in board.pieces(PAWN, by))

    def opposition(self):
        def faces(board, a, b):
            gap = sorted((files_apart(a, b), abs(chess.square_rank(a) - chess.square_rank(b))))
            return board.turn == self.you and board.king(self.me) == a and board.king(self.you) == b and gap == [0, 2]

        pawns = pawn_ending(self.end) and bool(self.end.pawns)
        return pawns and faces(self.end, self.at, self.to) and not faces(self.start, self.at, self.to)

    def key_square(self):
        def key(board, a, pawn):
            if board.king(self.me) != a or not self.passer(board, pawn, self.me):
                return False
            if chess.square_file(pawn) in (0, 7):
                return files_apart(a, pawn) == 1 and height(self.me, a) >= 7
            ahead = height(self.me, a) - height(self.me, pawn)
            return files_apart(a, pawn) <= 1 and (ahead == 2 or ahead == 1 and height(self.me, pawn) >= 5)

        return pawn_ending(self.end) and self.moved() and key(self.end, self.at, self.to)

    def square_of_pawn(self):
        def catches(board, a, pawn):
            goal = last_square(self.you, pawn)
            return board.king(self.me) == a and self.passer(board, pawn, self.you) and steps(a, goal) <= pawn_moves(self.you, pawn)

        return pawn_ending(self.end) and self.moved() and self.fresh(catches)

    def rook_pawn_corner(self):
        def there(board, a, pawn):
            right = self.kind(board, pawn, self.you) == PAWN and chess.square_file(pawn) in (0, 7)
            lone = len(board.piece_map()) == 3 and board.king(self.me) == a
            return right and lone and steps(a, last_square(self.you, pawn)) <= 1

        return self.fresh(there)

    def wrong_bishop(self):
        def corner(board):
            pawns, bishops = men(board, self.you, PAWN), men(board, self.you, BISHOP)
            if not pawns or not bishops or men(board, self.you, KNIGHT, ROOK, QUEEN):
                return None, False
            goal = last_square(self.you, pawns[0])
            same = all(files_apart(p, goal) == 0 for p in pawns) and chess.square_file(goal) in (0, 7)
            bare = len([p for p in board.piece_map().values() if p.color == self.me]) == 1
            wrong = same and bare and all(dark(b) != dark(goal) for b in bishops)
            if not wrong or not self.gets_to(board, goal, 4, {}):
                return None, False
            return goal, steps(board.king(self.me), goal) <= 1 < steps(board.king(self.you), goal)

        (goal, stands), (before, stood) = corner(self.end), corner(self.start)
        return goal == self.at and (before is None or stands and not stood)

    def rook_pawn_rook(self, board, strong):
        """Rook and pawn, rook, or None if the board has anything else."""
        sets = [men(board, strong, PAWN), men(board, strong, ROOK), men(board, not strong, ROOK)]
        whole = all(len(s) == 1 for s in sets) and len(board.piece_map()) == 5
        return [s[0] for s in sets] if whole else None

    def shut_in_rook(self):
        def holds(board):
            found = self.rook_pawn_rook(board, self.you)
            if found is None or board.is_check():
                return False
            pawn, rook, guard = found
            king, mine = board.king(self.you), board.king(self.me)
            return (
                chess.square_file(pawn) in (0, 7)
                and height(self.you, pawn) == 7
                and rook == last_square(self.you, pawn)
                and files_apart(guard, pawn) == 0
                and height(self.you, mine) == 7
                and files_apart(mine, pawn) >= 6
                and height(self.you, king) <= 4
                and files_apart(king, pawn) > 0
                and steps(king, guard) > 1
            )

        there = self.end.king(self.me) == self.at and self.kind(self.end, self.to, self.you) == ROOK
        moved = self.start.king(self.me) != self.end.king(self.me)
        return there and holds(self.end) and (moved or not holds(self.start))

    def philidor(self):
        def holds(board):
            found = self.rook_pawn_rook(board, self.you)
            if found is None or board.is_check():
                return False
            pawn, _, guard = found
            king, mine = board.king(self.you), board.king(self.me)
            return (
                height(self.you, guard) == 6
                and height(self.you, pawn) <= 5
                and height(self.you, king) <= 5
                and height(self.you, mine) >= 7
                and files_apart(mine, pawn) == 0
                and steps(king, guard) > 1
                and guard not in board.attacks(pawn)
            )

        rook = self.kind(self.end, self.at, self.me) == ROOK
        return rook and self.kind(self.end, self.to, self.you) == PAWN and holds(self.end) and not holds(self.start)

    def checks_from_behind(self):
        return (
            self.rook_pawn_rook(self.end, self.you) is not None
            and self.kind(self.end, self.at, self.me) == ROOK
            and self.kind(self.end, self.to, self.you) == PAWN
            and height(self.you, self.to) == 6
            and height(self.you, self.at) <= 2
            and self.was is not None
            and height(self.you, self.was) > 2
        )

    def lucena(self):
        found = self.rook_pawn_rook(self.start, self.me)
        if found is None:
            return False
        pawn, rook, _ = found
        theirs = self.start.king(self.you)
        side = [chess.square_file(s) - chess.square_file(pawn) for s in (rook, theirs)]
        apart = 0 < side[0] < side[1] or side[1] < side[0] < 0
        before = self.start.king(self.me) == last_square(self.me, pawn) and chess.square_file(pawn) not in (0, 7)
        bridge = height(self.me, self.at) in (4, 5) and self.moved() and self.kind(self.end, self.at, self.me) == ROOK
        off = all(files_apart(p, self.at) for p in men(self.end, self.me, PAWN))
        return height(self.me, pawn) == 7 and apart and before and bridge and off

    def open_way(self, board, a, b):
        return not any(board.piece_at(s) for s in chess.SquareSet.between(a, b))

    def rook_behind_passer(self):
        def behind(board, a, pawn):
            piece = board.piece_at(pawn)
            if piece is None or piece.piece_type != PAWN or self.kind(board, a, self.me) != ROOK:
                return False
            lower = height(piece.color, a) < height(piece.color, pawn) and files_apart(a, pawn) == 0
            return lower and self.passer(board, pawn, piece.color) and self.open_way(board, a, pawn)

        return ending(self.end) and self.fresh(behind)

    def cut_off(self):
        def cuts(board, a, b):
            """Along a file, along a rank, from the seventh rank."""
            if self.kind(board, a, self.me) != ROOK or board.king(self.you) != b:
                return [False] * 3
            mine, yours = men(board, self.me, PAWN), men(board, self.you, PAWN)
            choices = [mine or [board.king(self.me)]] + [yours] * bool(yours)

            def along(place, across):
                gap = place(b) - place(a)
                wards = any(all((place(w) - place(a)) * gap <= 0 for w in wards) for wards in choices)
                return 1 <= abs(gap) <= 2 and wards and free(place, across)

            def free(place, across):
                line = [s for s in chess.SQUARES if place(s) == place(a) and abs(across(s) - across(b)) <= 1 and s != a]
                return all(s in board.attacks(a) for s in line)

            passers = any(self.passer(board, pawn, self.me) for pawn in mine)
            file, rank = chess.square_file, chess.square_rank
            below = passers and height(self.me, a) == 7 and height(self.me, b) in (5, 6) and free(rank, file)
            return [along(file, rank), along(rank, file), below]

        def farther(way):
            place = (chess.square_file, chess.square_rank)[way]
            mine = men(self.end, self.me, PAWN)
            was = self.moved() and cuts(self.start, self.was, self.start.king(self.you))[way]
            apart = lambda rook: [abs(place(rook) - place(pawn)) for pawn in mine]
            return was and bool(mine) and all(now > before for now, before in zip(apart(self.at), apart(self.was)))

        def held(way):
            return cuts(self.end, self.at, self.to)[way]

        new = any(self.fresh(lambda *where: cuts(*where)[way]) for way in range(3))
        return ending(self.end) and (new or any(held(way) and farther(way) for way in range(2)))

    def active_king(self):
        if not self.moved() or self.end.king(self.me) != self.at or not ending(self.end, rooks=2):
            return False
        centre = lambda s: min(steps(s, c) for c in (chess.D4, chess.E4, chess.D5, chess.E5))
        if self.to == self.at:
            return centre(self.at) < centre(self.was)
        pawns = men(self.end, self.you, PAWN)
        nearest = min((steps(self.at, p) for p in pawns), default=99)
        return self.to in pawns and steps(self.at, self.to) == nearest and steps(self.at, self.to) < steps(self.was, self.to)

    def outside_passer(self):
        def outside(board, a, _):
            far = any(files_apart(p, a) >= 3 for p in men(board, self.me, PAWN))
            alone = not any(files_apart(p, a) <= 2 for p in men(board, self.you, PAWN))
            near = pawn_ending(board) or height(self.me, a) <= 5
            return self.passer(board, a, self.me) and far and alone and near

        kept = (self.end.turn == self.me or self.safe(self.end, self.at)) and men(self.end, self.you, PAWN)
        return ending(self.end) and bool(kept) and outside(self.end, self.at, None) and (self.moved() or self.fresh(outside))

    def passer_advances(self):
        return self.passer(self.end, self.at, self.me) and self.moved()

    def connected_passers(self):
        def both(board, a, b):
            near = files_apart(a, b) == 1 and abs(chess.square_rank(a) - chess.square_rank(b)) <= 1
            return near and self.passer(board, a, self.me) and self.passer(board, b, self.me)

        return self.fresh(both)

    def protected_passer(self):
        return self.fresh(lambda board, a, _: self.passer(board, a, self.me) and self.pawn_attacked(board, a, self.me))

    def breakthrough(self):
        begins = 0 if self.start.turn == self.me else 1
        if len(self.moves) < begins + 2:
            return False
        first, answer = self.moves[begins], self.moves[begins + 1]
        offered = self.kind(self.start, first.from_square, self.me) == PAWN and first.to_square == self.to == answer.to_square
        taken = self.boards[begins + 1].is_capture(answer) and not self.boards[begins].is_capture(first)
        later = list(zip(self.boards, self.moves))[begins + 2 :]
        promoted = any(b.turn == self.me and m.promotion and m.to_square == self.at for b, m in later)
        return pawn_ending(self.start) and offered and taken and promoted

    def king_hunt(self):
        deep = [height(self.you, board.king(self.you)) for board in (self.start, self.end)]
        force = all(
            b.pieces(QUEEN, self.me) or len(men(b, self.me, ROOK, BISHOP, KNIGHT)) >= 3 for b in (self.start, self.end)
        )
        driven = sum(
            b.turn == self.you and b.piece_type_at(m.from_square) == KING and b.is_check() and height(self.you, m.to_square) >= 3
            for b, m in zip(self.boards, self.moves)
        )
        least = 1 if self.start.pieces(QUEEN, self.me) else 2
        return driven >= least and deep[0] <= 2 and deep[1] >= 3 and self.end.king(self.you) == self.at and bool(force)

    def triangulation(self):
        same = self.start.piece_map() == self.end.piece_map()
        turns = self.start.turn == self.me and self.end.turn == self.you
        return pawn_ending(self.end) and same and turns and self.end.king(self.me) == self.at

    def lead(self, board):
        return material(board, self.me) - material(board, self.you)

    def pawn_ending(self):
        return pawn_ending(self.end) and bool(self.end.pawns) and not pawn_ending(self.start) and self.lead(self.end) >= self.lead(self.start)

    def simplifies(self):
        lost = [material(self.start, c) - material(self.end, c) for c in (self.me, self.you)]
        return self.lead(self.start) >= 200 and lost[0] == lost[1] >= 300

    def blockade(self):
        def stops(board, a, pawn):
            front = files_apart(a, pawn) == 0 and height(self.you, a) == height(self.you, pawn) + 1
            beside = [p for p in men(board, self.you, PAWN) if files_apart(p, pawn) == 1]
            alone = all(height(self.you, p) > height(self.you, pawn) for p in beside)
            minor = self.kind(board, a, self.me) in (KNIGHT, BISHOP)
            minors = any(board.piece_type_at(s) in (KNIGHT, BISHOP) for s in board.attackers(self.you, a))
            front_of = lambda p: chess.square(chess.square_file(p), chess.square_rank(p) + (1 if self.you else -1))
            stuck = lambda p: a not in board.attacks(p) and self.kind(board, front_of(p), self.me) == PAWN
            nears = [p for p in men(board, self.you, PAWN) if files_apart(p, a) == 1 and height(self.you, p) < height(self.you, a)]
            reach = any(not stuck(p) for p in nears)
            held = chess.square_file(pawn) in (3, 4) and not reach and (minor or not minors)
            inner = chess.square_file(pawn) not in (0, 7)
            weak = alone and minor and inner or held or self.passer(board, pawn, self.you)
            target = self.kind(board, pawn, self.you) == PAWN and weak
            hit = minors and height(self.you, pawn) == 2
            return target and front and not hit and self.kind(board, a, self.me) not in (None, PAWN)

        return self.fresh(stops)

    def lever(self):
        def hits(board, a, b):
            return self.kind(board, a, self.me) == PAWN == self.kind(board, b, self.you) and b in board.attacks(a)

        return self.moved() and self.fresh(hits)

    def castles(self):
        king = self.start.turn == self.me and self.start.is_castling(self.moves[0])
        return king and self.boards[1].king(self.me) == self.at

    def opening(self):
        return len(self.start.piece_map()) >= 22

    def leaves_home(self, *kinds):
        right = self.kind(self.end, self.at, self.me) in kinds and self.moved()
        return self.opening() and right and height(self.me, self.was) == 1 < height(self.me, self.at)

    def develops(self):
        home = {KNIGHT: (1, 6), BISHOP: (2, 5)}.get(self.kind(self.end, self.at, self.me), ())
        return self.leaves_home(KNIGHT, BISHOP) and chess.square_file(self.was) in home

    def fianchetto(self):
        return self.leaves_home(BISHOP) and height(self.me, self.at) == 2 and chess.square_file(self.at) in (1, 6)

    def centre_pawn(self):
        centre = chess.square_file(self.at) in (3, 4) and chess.square_rank(self.at) in (3, 4)
        beside = chess.square_file(self.at) == 2 and height(self.me, self.at) == 4
        return self.opening() and self.moved() and self.kind(self.end, self.at, self.me) == PAWN and (centre or beside)

    def centralises(self):
        centre = chess.square_file(self.at) in (3, 4) and chess.square_rank(self.at) in (3, 4)
        return self.moved() and self.kind(self.end, self.at, self.me) == KNIGHT and centre and not self.pawn_attacked(self.end, self.at, self.you)

    def is_pin(self, board, slider, prey, owner):
        front, piece = self.kind(board, prey, not owner), self.kind(board, slider, owner)
        if piece not in (BISHOP, ROOK, QUEEN) or front in (None, PAWN, KING) or prey not in board.attacks(slider):
            return False
        beyond = [s for s in chess.SquareSet.ray(slider, prey) if steps(slider, s) > steps(slider, prey)]
        beyond = [s for s in beyond if prey in chess.SquareSet.between(slider, s) and board.piece_at(s)]
        behind = min(beyond, key=lambda s: steps(prey, s), default=None)
        back = None if behind is None else self.kind(board, behind, not owner)
        return back == KING or back is not None and WORTH[back] > max(WORTH[front], WORTH[piece])

    def pins(self):
        return self.fresh(lambda board, a, b: self.is_pin(board, a, b, self.me))

    def breaks_pin(self):
        held = lambda board, s: any(self.is_pin(board, slider, s, self.you) for slider in men(board, self.you, BISHOP, ROOK, QUEEN))
        return self.was is not None and held(self.start, self.was) and not held(self.end, self.at)

    def keeps_out(self):
        new = self.to in self.end.attacks(self.at) and not self.pawn_attacked(self.start, self.to, self.me)
        visitor = any(self.to in self.start.attacks(s) for s in men(self.start, self.you, KNIGHT, BISHOP))
        empty = self.start.piece_at(self.to) is None and height(self.me, self.to) <= 4
        return self.kind(self.end, self.at, self.me) == PAWN and self.moved() and new and visitor and empty

    def luft(self):
        def free(board):
            king = board.king(self.me)
            ahead = [s for s in chess.SQUARES if height(self.me, s) == 2 and files_apart(s, king) <= 1]
            return [s for s in ahead if board.piece_at(s) is None]

        room = [s for s in free(self.end) if not self.end.attackers(self.you, s)]
        king = self.end.king(self.me) == self.at == self.was and height(self.me, self.at) == 1
        pawn = any(
            board.turn == self.me
            and board.piece_type_at(move.from_square) == PAWN
            and chess.square_file(move.from_square) in (0, 1, 6, 7)
            for board, move in zip(self.boards, self.moves)
        )
        return king and pawn and not free(self.start) and bool(room)

    def pawn_storm(self):
        king, own = self.end.king(self.you), self.end.king(self.me)
        wings = (chess.square_file(king) < 4) != (chess.square_file(own) < 4) and files_apart(king, own) >= 2
        home = chess.square_file(king) not in (3, 4) and height(self.me, king) >= 7
        near = files_apart(self.at, king) <= 1 and height(self.me, self.at) >= 4
        return self.kind(self.end, self.at, self.me) == PAWN and self.moved() and self.to == king and wings and home and near

    def seventh_rank(self):
        def there(board, a, _):
            pawns = any(height(self.me, p) == 7 for p in men(board, self.you, PAWN))
            target = pawns or height(self.me, board.king(self.you)) == 8
            return self.kind(board, a, self.me) in (ROOK, QUEEN) and height(self.me, a) == 7 and target

        return self.fresh(there)

    def doubles_rooks(self):
        def doubled(board, a, b):
            both = {self.kind(board, a, self.me), self.kind(board, b, self.me)}
            kinds = both <= {ROOK, QUEEN} and ROOK in both
            came = lambda p: p == self.moves[0].to_square
            strikes = lambda p: not came(p) and bool(board.attacks(p) & board.pieces(PAWN, self.you))
            free = not any(files_apart(p, a) == 0 and not strikes(p) for p in men(board, self.me, PAWN))
            return a != b and kinds and free and files_apart(a, b) == 0 and self.open_way(board, a, b)

        return self.fresh(doubled)

    def joins_attack(self):
        def aims(board, a):
            king = board.king(self.you)
            return sum(steps(s, king) <= 1 for s in board.attacks(a))

        kind = self.kind(self.end, self.at, self.me) not in (None, PAWN, KING)
        more = self.was is not None and aims(self.start, self.was) < aims(self.end, self.at)
        return kind and self.to == self.end.king(self.you) and aims(self.end, self.at) >= 2 and more

    def burden(self, board, bishop, owner):
        return [p for p in men(board, owner, PAWN) if dark(p) == dark(bishop)]

    def stuck(self, board, bishop, owner):
        """How many of the bishop's own pawns, of its colour, on files c to f are blocked by pawns."""
        step = 8 if owner == WHITE else -8
        is_stuck = lambda p: 2 <= chess.square_file(p) <= 5 and self.kind(board, p + step, not owner) == PAWN
        return sum(is_stuck(p) for p in self.burden(board, bishop, owner))

    def bad(self, board, bishop):
        return self.stuck(board, bishop, self.me) >= 2

    def burdened(self, board, bishop, owner):
        """Whether three or more of its pawns, more than half of them, stand on the bishop's colour."""
        weight = len(self.burden(board, bishop, owner))
        return weight >= 3 and 2 * weight > len(men(board, owner, PAWN))

    def trades_bad_bishop(self):
        gone = [b for b in men(self.start, self.me, BISHOP) if self.bad(self.start, b) and all(dark(o) != dark(b) for o in men(self.end, self.me, BISHOP))]
        fewer = all(len(men(self.start, c, KNIGHT, BISHOP)) == len(men(self.end, c, KNIGHT, BISHOP)) + 1 for c in (WHITE, BLACK))
        return bool(gone) and fewer and self.lead(self.start) == self.lead(self.end)

    def bad_bishop(self):
        def bad(board):
            theirs = men(board, self.you, KNIGHT, BISHOP)
            if len(theirs) != 1 or self.kind(board, theirs[0], self.you) != BISHOP:
                return False
            weight = len(self.burden(board, theirs[0], self.you))
            lighter = any(len(self.burden(board, b, self.me)) < weight for b in men(board, self.me, BISHOP))
            hemmed = len(board.attacks(theirs[0]) & ~chess.SquareSet(board.occupied_co[self.you])) <= 5
            return self.burdened(board, theirs[0], self.you) and hemmed and (lighter or bool(men(board, self.me, KNIGHT)))

        return self.kind(self.end, self.at, self.you) == BISHOP and bad(self.end) and not bad(self.start)

    def the_pawn(self, board, strong):
        pawns = men(board, strong, PAWN)
        lone = len(board.piece_map()) == 3 and len(pawns) == 1 and height(strong, pawns[0]) < 7
        return pawns[0] if lone and chess.square_file(pawns[0]) not in (0, 7) else None

    def heads_for_key_square(self):
        pawn = self.the_pawn(self.end, self.me)
        if pawn is None or pawn != self.to or len(self.moves) != 1 or not self.moved() or self.end.king(self.me) != self.at:
            return False
        others = [m for m in self.start.legal_moves if m.from_square != pawn]
        after = [walked(self.start, m) for m in others]
        reaches = lambda board: self.the_pawn(board, self.me) == pawn and gets_to_key_square(board, self.me)
        return self.at not in key_squares(self.me, pawn) and reaches(self.end) and not all(map(reaches, after))

    def key_squares_lost(self):
        pawns = [self.the_pawn(board, self.you) for board in (self.start, self.end)]
        if None in pawns or pawns[1] != self.to or self.end.king(self.me) != self.at:
            return False
        return gets_to_key_square(self.start, self.you) and not gets_to_key_square(self.end, self.you)

    def heads_for_corner(self):
        pawns, bishops = men(self.end, self.you, PAWN), men(self.end, self.you, BISHOP)
        if len(self.end.piece_map()) == 3 and pawns and chess.square_file(pawns[0]) in (0, 7):
            corner, king = last_square(self.you, pawns[0]), self.end.king(self.me)
            nearer = king == self.at and self.moved() and 1 < steps(king, corner) < steps(self.was, corner)
            return corner == self.to and nearer and not wins_with_rook_pawn(self.end, self.you)
        others = men(self.end, self.you, KNIGHT, ROOK, QUEEN)
        bare = chess.popcount(self.end.occupied_co[self.me]) == 1
        if not pawns or not bishops or others or not bare or chess.square_file(pawns[0]) not in (0, 7):
            return False
        corner = last_square(self.you, pawns[0])
        right = all(files_apart(p, corner) == 0 for p in pawns) and corner == self.to
        wrong = all(dark(b) != dark(corner) for b in bishops)
        nearer = self.end.king(self.me) == self.at and self.moved() and 1 < steps(self.at, corner) < steps(self.was, corner)
        return right and wrong and nearer and self.gets_to(self.end, corner, 4, {})

    def gets_to(self, board, corner, moves, known):
        """The bare king gets to the corner or beside it in so many steps, whatever the side with the bishop plays."""
        key = (board.epd(), moves)
        if key not in known:
            known[key] = self.reaches(board, corner, moves, known)
        return known[key]

    def reaches(self, board, corner, moves, known):
        away = steps(board.king(self.me), corner)
        if not board.pawns and not men(board, self.you, QUEEN, ROOK, KNIGHT):
            return True
        wrong = board.bishops and all(dark(b) != dark(corner) for b in men(board, self.you, BISHOP))
        if away > moves + 1 or men(board, self.you, QUEEN, ROOK, KNIGHT) or not wrong:
            return False
        if away <= 1 < steps(board.king(self.you), corner):
            return True
        after = [walked(board, m) for m in board.legal_moves]
        if board.turn == self.you:
            return bool(after) and all(self.gets_to(b, corner, moves, known) for b in after)
        near = [b for b in after if steps(b.king(self.me), corner) <= away]
        return moves > 0 and any(self.gets_to(b, corner, moves - 1, known) for b in near)

    def king_shut_in(self):
        def shuts(board, a, pawn):
            king = board.king(self.you)
            lone = len(board.piece_map()) == 3 and self.kind(board, pawn, self.you) == PAWN
            ahead = files_apart(king, pawn) == 0 and height(self.you, king) > height(self.you, pawn)
            outer = chess.square_file(pawn) in (0, 7)
            beside = files_apart(a, king) == 2 and abs(chess.square_rank(a) - chess.square_rank(king)) <= 1
            return lone and outer and ahead and beside and board.king(self.me) == a

        return self.fresh(shuts)

    def king_before_pawn(self):
        answer, king = self.moves[-1], self.end.king(self.you)
        before = self.boards[len(self.moves) - 1]
        steps = self.kind(self.end, self.to, self.you) == PAWN and height(self.you, self.to) == 7
        front = chess.square_file(king) == chess.square_file(self.to) and height(self.you, king) == 8
        four = len(self.end.piece_map()) == 4 and self.kind(self.end, self.at, self.me) == QUEEN
        return steps and front and four and before.is_check() and answer.to_square == king

    def king_march(self):
        start = self.moves[0].from_square
        first = self.start.turn == self.me and self.start.king(self.me) == start
        first = first and not (self.start.is_check() and self.start.legal_moves.count() == 1)
        far = steps(start, self.at) >= 3 and height(self.me, self.at) >= max(5, height(self.me, start) + 2)
        return first and far and self.end.king(self.me) == self.at

    def vancura(self):
        def holds(board, rook, pawn):
            guards = men(board, self.you, ROOK)
            five = len(board.piece_map()) == 5 and len(guards) == 1 and self.kind(board, rook, self.me) == ROOK
            outer = self.kind(board, pawn, self.you) == PAWN and chess.square_file(pawn) in (0, 7) and height(self.you, pawn) == 6
            if not five or not outer:
                return False
            ahead = files_apart(guards[0], pawn) == 0 and height(self.you, guards[0]) > 6
            side = chess.square_rank(rook) == chess.square_rank(pawn) and files_apart(rook, pawn) >= 3 and self.open_way(board, rook, pawn)
            king = board.king(self.me)
            return ahead and side and height(self.you, king) == 7 and files_apart(king, pawn) >= 5

        return self.fresh(holds)

    def majority(self):
        wing = lambda s: chess.square_file(s) < 4
        ours, theirs = ([p for p in men(self.end, c, PAWN) if wing(p) == wing(self.at)] for c in (self.me, self.you))
        pawn = self.kind(self.end, self.at, self.me) == PAWN and self.moved() and height(self.me, self.at) >= 4
        free = any(self.passer(self.end, p, self.me) for p in ours)
        return pawn and len(self.end.piece_map()) <= 24 and len(ours) > len(theirs) > 0 and not free

    def offers_bad_bishop(self):
        bishop = self.kind(self.end, self.at, self.me) == BISHOP and self.moved() and self.bad(self.end, self.at)
        target = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP) and self.to in self.end.attacks(self.at)
        return bishop and target and bool(self.end.attackers(self.me, self.at))

    def prepares_trade(self):
        move = self.moves[0]
        if not self.quiet() or self.end.is_check() or self.kind(self.end, self.at, self.me) != BISHOP or not self.bad(self.end, self.at):
            return False
        was = move.from_square if move.to_square == self.at else self.at
        board, go = self.end.copy(), chess.Move(self.at, self.to)
        board.push(chess.Move.null())
        if go not in board.legal_moves or board.is_capture(go) or chess.Move(was, self.to) in self.start.legal_moves:
            return False
        board.push(go)
        faces = lambda prey: prey in board.attacks(self.to) and self.to in board.attacks(prey) and prey not in self.end.attacks(self.at)
        target = any(map(faces, board.pieces(BISHOP, self.you)))
        return target and bool(board.attackers(self.me, self.to)) and self.safe(board, self.to)

    def buried_bishop(self):
        def buried(board, a, _):
            if self.kind(board, a, self.you) != BISHOP or height(self.you, a) == 1:
                return False
            bare = chess.Board(None)
            for pawn in board.pieces(PAWN, WHITE) | board.pieces(PAWN, BLACK):
                bare.set_piece_at(pawn, board.piece_at(pawn))
            seen, ahead = {a}, [a]
            while ahead:
                at = ahead.pop()
                held = bare.piece_at(at)
                bare.set_piece_at(at, chess.Piece(BISHOP, self.you))
                reach = [s for s in bare.attacks(at) if self.kind(bare, s, self.you) != PAWN]
                bare.remove_piece_at(at)
                if held:
                    bare.set_piece_at(at, held)
                new = [s for s in reach if s not in seen and not self.pawn_attacked(bare, s, self.me)]
                seen.update(new)
                ahead.extend(new)
            return len(seen) <= 4

        return self.fresh(buried)

    def backward_pawn(self):
        def backward(board, a, _):
            if self.kind(board, a, self.you) != PAWN or height(self.you, a) > 7:
                return False
            beside = [p for p in men(board, self.you, PAWN) if files_apart(p, a) == 1]
            behind = bool(beside) and all(height(self.you, p) > height(self.you, a) for p in beside)
            stop = a + (8 if self.you == WHITE else -8)
            half_open = not any(files_apart(p, a) == 0 for p in men(board, self.me, PAWN))
            return behind and half_open and self.pawn_attacked(board, stop, self.me)

        return self.fresh(backward)

    def shouldering(self):
        rival = self.end.king(self.you)
        if not self.moved() or not pawn_ending(self.end) or self.end.king(self.me) != self.at or rival != self.start.king(self.you):
            return False
        way = [s for s in chess.SquareSet(chess.BB_KING_ATTACKS[rival]) if steps(s, self.to) < steps(rival, self.to)]
        way = [s for s in way if self.end.color_at(s) != self.you]
        free = lambda king: sum(steps(s, king) > 1 for s in way)
        pawn = self.end.piece_type_at(self.to) == PAWN
        mine, theirs = steps(self.at, self.to), steps(rival, self.to)
        nearer = mine < steps(self.was, self.to)
        return pawn and nearer and theirs >= 3 and mine < theirs and free(self.was) >= 2 and free(self.at) <= 1

    def two_aims(self):
        if not self.moved() or not pawn_ending(self.end) or self.end.king(self.me) != self.at:
            return False
        nearer = lambda pawn: steps(self.at, pawn) < steps(self.was, pawn)
        own = [p for p in men(self.end, self.me, PAWN) if self.passer(self.end, p, self.me) and files_apart(p, self.to) >= 3]
        return self.passer(self.end, self.to, self.you) and nearer(self.to) and any(map(nearer, own))

    def checks_from_side(self):
        rival = self.end.king(self.you)
        five = self.rook_pawn_rook(self.end, self.you) is not None and self.kind(self.end, self.at, self.me) == ROOK
        pawn = self.kind(self.end, self.to, self.you) == PAWN and height(self.you, self.to) in (6, 7)
        rank = chess.square_rank(self.at) == chess.square_rank(rival) and files_apart(self.at, rival) >= 3
        rank = rank and steps(rival, self.to) <= 2
        check = self.end.turn == self.you and self.at in self.end.checkers()
        return five and pawn and rank and check and not self.end.is_attacked_by(self.you, self.at)

    def gone(self, kind):
        had, has = ([bool(board.pieces(kind, c)) for c in (WHITE, BLACK)] for board in (self.start, self.end))
        return all(had) and not any(has) and self.lead(self.start) == self.lead(self.end)

    def trades_queens(self):
        return self.gone(QUEEN)

    def trades_rooks(self):
        queens = self.start.pieces(QUEEN, WHITE) | self.start.pieces(QUEEN, BLACK)
        return self.gone(ROOK) and not queens and not pawn_ending(self.end)

    def takes_castling(self):
        played = list(zip(self.boards, self.moves))[1:]
        king = any(
            b.turn == self.you and b.piece_type_at(m.from_square) == KING and not b.is_castling(m) and m.to_square == self.at
            for b, m in played
        )
        rights = self.start.has_castling_rights(self.you) and not self.end.has_castling_rights(self.you)
        return self.opening() and self.start.turn == self.me and rights and king and self.end.king(self.you) == self.at

    def at_home(self, color):
        return sum(height(color, s) == 1 for s in men(self.end, color, KNIGHT, BISHOP))

    def of_rival(self, *kinds):
        return self.opening() and self.moved() and self.kind(self.end, self.at, self.you) in kinds

    def takes(self):
        return any(b.is_capture(m) and m.to_square == self.at for b, m in zip(self.boards, self.moves))

    def blocks_pawn(self):
        side = chess.square_file(self.to)
        pawn = self.kind(self.end, self.to, self.you) == PAWN and height(self.you, self.to) == 2
        before = files_apart(self.at, self.to) == 0 and height(self.you, self.at) == 3
        if side == 2:
            is_so = chess.D4 in self.end.pieces(PAWN, WHITE) and chess.D5 in self.end.pieces(PAWN, BLACK)
        else:
            home = chess.square(2 if side == 3 else 5, 0 if self.you == WHITE else 7)
            is_so = side in (3, 4) and self.kind(self.end, home, self.you) == BISHOP
        return self.of_rival(KNIGHT, BISHOP, QUEEN) and pawn and before and is_so

    def early_queen(self):
        out = self.of_rival(QUEEN) and height(self.you, self.was) == 1 < height(self.you, self.at)
        return out and self.at_home(self.you) >= 3 and not self.takes()

    def moves_again(self):
        out = self.of_rival(KNIGHT, BISHOP) and height(self.you, self.was) > 1
        return out and not self.start.attackers(self.me, self.was) and self.at_home(self.you) >= 2 and not self.takes()

    def hits_queen(self):
        queen = self.kind(self.end, self.to, self.you) == QUEEN and self.to in self.end.attacks(self.at)
        return self.leaves_home_for(KNIGHT, BISHOP) and queen

    def leaves_home_for(self, *kinds):
        right = self.kind(self.end, self.at, self.me) in kinds and self.moved()
        return self.opening() and right and height(self.me, self.was) == 1

    def minority_attack(self):
        wings = [w for w in ({0, 1, 2}, {5, 6, 7}) if chess.square_file(self.at) in w]
        if not wings or not self.moved() or self.kind(self.end, self.at, self.me) != PAWN:
            return False
        here = lambda s: chess.square_file(s) in wings[0]
        ours, theirs = ([p for p in men(self.end, c, PAWN) if here(p)] for c in (self.me, self.you))
        target = self.to in theirs and files_apart(self.at, self.to) == 1 and height(self.me, self.to) > height(self.me, self.at)
        free = not any(files_apart(p, self.to) == 0 for p in men(self.end, self.me, PAWN))
        away = not here(self.end.king(self.me))
        least = 1 if self.to in self.end.attacks(self.at) else 2
        return height(self.me, self.at) >= 4 and away and least <= len(ours) < len(theirs) and target and free

    def centre(self, square):
        return square in (chess.D4, chess.E4, chess.D5, chess.E5)

    def outside(self, square):
        return chess.square_file(square) not in (3, 4)

    def centre_with_tempo(self):
        prey = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP, ROOK, QUEEN) and self.to in self.end.attacks(self.at)
        pawn = self.kind(self.end, self.at, self.me) == PAWN and self.moved()
        return self.opening() and pawn and self.centre(self.at) and prey

    def gives_up_centre(self):
        left = self.of_rival(PAWN) and self.centre(self.was) and self.outside(self.at) and self.takes()
        pawn = self.kind(self.end, self.to, self.you) == PAWN and self.centre(self.to)
        held = [self.pawn_attacked(board, self.to, self.you) for board in (self.start, self.end)]
        return left and pawn and held == [True, False]

    def alone_guards(self, board, a, guard):
        if self.kind(board, guard, self.you) not in (KNIGHT, BISHOP) or guard not in board.attacks(a):
            return False
        if self.kind(board, a, self.me) is None:
            return False
        for prey in chess.SquareSet(board.occupied_co[self.you]) & board.attacks(guard):
            others = [s for s in board.attackers(self.me, prey) if s != a]
            if prey != board.king(self.you) and len(board.attackers(self.you, prey)) == 1 and others:
                return True
        return False

    def presses_guard(self):
        return self.fresh(lambda board, a, b: b in board.attacks(a)) and self.fresh(self.alone_guards)

    def drives_guard(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
            return False
        new = self.fresh(lambda board, a, b: b in board.attacks(a))
        guard = self.kind(self.end, self.to, self.you)
        bare = not self.end.attackers(self.you, self.to)
        dearer = guard in (KNIGHT, BISHOP, ROOK, QUEEN) and WORTH[guard] > self.worth_on(self.at)
        if not new or guard in (None, PAWN, KING) or not (dearer or bare) or not self.safe(self.end, self.at):
            return False
        ours, without = self.end.copy(stack=False), self.end.copy(stack=False)
        without.remove_piece_at(self.to)
        for board in (ours, without):
            board.turn = self.me
            board.ep_square = None
            board.castling_rights = 0
        if any(board.is_check() or board.was_into_check() for board in (ours, without)):
            return False
        guarded = chess.SquareSet(self.end.occupied_co[self.you]) & self.end.attacks(self.to)
        guarded = [s for s in guarded if not chess.SquareSet.between(self.at, s) & chess.BB_SQUARES[self.to]]
        falls = [s for s in guarded if s != self.end.king(self.you) and not self.gain_on(ours, s)]
        return any(self.gain_on(without, s) for s in falls)

    def worth_on(self, square):
        kind = self.end.piece_type_at(square)
        return 10_000 if kind == KING else WORTH[kind]

    def pushed(self, board, color, target):
        """The board after a pawn of this player has gone to a square, as if it were its turn, or none."""
        board = self.their_move(board, color)
        for m in board.legal_moves if board else ():
            if m.to_square == target and board.piece_type_at(m.from_square) == PAWN and not board.is_capture(m):
                return walked(board, m)
        return None

    def prepares_push(self):
        one = len(self.moves) == 1 and not self.start.is_capture(self.moves[0])
        pawn = self.kind(self.end, self.at, self.me) == PAWN and self.moved() and self.to in self.end.attacks(self.at)
        new = not self.pawn_attacked(self.start, self.to, self.me) and bool(self.end.attackers(self.you, self.to))
        free = all(self.pushed(board, self.me, self.to) for board in (self.start, self.end))
        return one and pawn and self.centre(self.to) and new and free

    def opens_file_to_king(self):
        def guarded(board):
            return any(files_apart(p, self.at) == 0 for p in men(board, self.you, PAWN))

        heavy = self.kind(self.end, self.at, self.me) in (ROOK, QUEEN)
        king = self.to == self.end.king(self.you) and height(self.you, self.to) == 1 and self.outside(self.to)
        own = any(files_apart(p, self.at) == 0 for p in men(self.end, self.me, PAWN))
        took = any(b.is_capture(m) and m.to_square == self.at for b, m in zip(self.boards, self.moves))
        near = files_apart(self.at, self.to) <= 1 and guarded(self.start) and not guarded(self.end)
        return heavy and king and near and not own and not took

    def safe_squares(self, board, square):
        board = board.copy()
        if board.turn != self.you:
            if board.is_check():
                return None
            board.push(chess.Move.null())
        moves = [m for m in board.legal_moves if m.from_square == square]
        return sum(not walked(board, m).attackers(self.me, m.to_square) for m in moves)

    def dominates(self):
        def stuck(board, a, _):
            piece = self.kind(board, a, self.you) in (KNIGHT, BISHOP, ROOK, QUEEN)
            return piece and not board.attackers(self.me, a) and self.safe_squares(board, a) == 0

        before = self.was is not None and (self.safe_squares(self.start, self.was) or 0) > 0
        return not self.end.is_check() and before and self.fresh(stuck)

    def restrains(self):
        target = self.to
        man = self.kind(self.end, self.at, self.me)
        if man is None or not self.moved() or target not in self.end.attacks(self.at):
            return False
        if man == PAWN:
            free = not self.pawn_attacked(self.start, target, self.me)
        else:
            free = not self.start.attackers(self.me, target) and not self.pawn_attacked(self.end, target, self.you)
        ahead = chess.BB_PAWN_ATTACKS[self.you][target]
        pushes = all(self.pushed(board, self.you, target) for board in (self.start, self.end))
        return free and pushes and bool(ahead & self.end.occupied_co[self.me])

    def makes_way(self):
        first = self.moves[0]
        pawn = self.start.turn == self.me and self.start.piece_type_at(first.from_square) == PAWN
        quiet = first.from_square == self.at and not self.start.is_capture(first) and height(self.me, self.at) >= 3
        lost = self.kind(self.end, first.to_square, self.me) != PAWN and len(self.moves) <= 5
        pieces = (KNIGHT, BISHOP, ROOK, QUEEN)
        came = any(
            b.turn == self.me and m.to_square == self.at and b.piece_type_at(m.from_square) in pieces
            for b, m in list(zip(self.boards, self.moves))[1:]
        )
        return pawn and quiet and lost and came and self.kind(self.end, self.at, self.me) in pieces

    def stops_pawn(self):
        piece = self.kind(self.end, self.at, self.me) in (KNIGHT, BISHOP, ROOK, QUEEN) and self.moved()
        pawn = all(self.kind(board, self.to, self.you) == PAWN for board in (self.start, self.end))
        front = files_apart(self.at, self.to) == 0 and height(self.you, self.at) == height(self.you, self.to) + 1
        near = files_apart(self.to, self.end.king(self.you)) <= 2 and self.start.piece_at(self.at) is None
        return piece and pawn and front and near and bool(self.end.attackers(self.you, self.at))

    def trades_guard(self):
        if len(self.moves) != 2 or self.start.turn != self.you:
            return False
        first, last = self.moves
        was, home = first.from_square, self.start.king(self.you)
        bishop = self.start.piece_type_at(was) == BISHOP and chess.square_file(was) in (1, 6) and height(self.you, was) == 2
        near = height(self.you, home) == 1 and files_apart(was, home) <= 1
        prey = self.kind(self.start, first.to_square, self.me) in (KNIGHT, BISHOP)
        back = self.boards[1].is_capture(last) and last.to_square == first.to_square == self.at
        return bishop and near and prey and back

    def quiet(self):
        """The only move, the player's, takes nothing, and does not castle."""
        first = self.moves[0]
        special = self.start.is_capture(first) or self.start.is_castling(first)
        return len(self.moves) == 1 and self.start.turn == self.me and not special

    def quiet_first(self, *kinds):
        """Such a move brings a piece of these kinds to the square."""
        return self.quiet() and self.moves[0].to_square == self.at and self.kind(self.end, self.at, self.me) in kinds

    def gain_on(self, board, square):
        """What the side to move wins by captures on the square, either side stopping when it likes."""
        best = 0
        for m in board.legal_moves:
            if m.to_square == square and board.is_capture(m):
                after = walked(board, m)
                won = material(board, not board.turn) - material(after, not board.turn)
                won += material(after, board.turn) - material(board, board.turn)
                best = max(best, won - self.gain_on(after, square))
        return best

    def safe(self, board, square):
        return self.gain_on(board, square) == 0

    def new_target(self):
        first = self.moves[0].from_square
        return self.to in self.end.attacks(self.at) and self.to not in self.start.attacks(first)

    def offers_trade(self):
        move = self.moves[0]
        if not self.quiet():
            return False
        moved = move.to_square == self.at
        was = move.from_square if moved else self.at
        kind = self.kind(self.end, self.at, self.me)
        if kind not in (KNIGHT, BISHOP, ROOK, QUEEN)[not moved :] or self.kind(self.end, self.to, self.you) != kind:
            return False
        mutual = self.to in self.end.attacks(self.at) and self.at in self.end.attacks(self.to)
        new = self.to not in self.start.attacks(was)
        other = not moved or kind == QUEEN or self.end.attackers(self.you, self.to)
        guarded = self.end.attackers(self.me, self.at) and other
        return mutual and new and bool(guarded) and self.safe(self.end, self.at)

    def offered(self, *kinds):
        """The piece that has moved offers itself."""
        return self.quiet_first(*kinds) and self.offers_trade()

    def hunts_bishop(self):
        if not self.quiet_first(KNIGHT):
            return False
        bishops = self.end.pieces(BISHOP, self.you)
        trade = any(self.end.piece_type_at(a) == BISHOP for a in self.end.attackers(self.me, self.to))
        return self.to in bishops and len(bishops) >= 2 and self.new_target() and not trade and self.safe(self.end, self.at)

    def clears_pawn(self):
        move = self.moves[0]
        quiet = len(self.moves) == 1 and self.start.turn == self.me and not self.start.is_capture(move)
        was = move.from_square
        piece = self.start.piece_type_at(was) in (KNIGHT, BISHOP, QUEEN)
        front = files_apart(was, self.at) == 0 and height(self.me, was) == height(self.me, self.at) + 1
        steps = height(self.me, self.to) - height(self.me, self.at)
        pawn = self.kind(self.end, self.at, self.me) == PAWN and files_apart(self.at, self.to) == 0 and steps in (1, 2)
        if not (quiet and piece and front and pawn) or self.end.is_check():
            return False
        board = self.end.copy()
        board.push(chess.Move.null())
        push = chess.Move(self.at, self.to)
        if push not in board.legal_moves:
            return False
        board.push(push)
        prey = chess.SquareSet(board.occupied_co[self.you] & ~board.kings)
        strikes = board.attacks(self.to) & prey or steps == 2 and chess.square_file(self.to) in (2, 5)
        return bool(strikes) and self.safe(board, self.to)

    def prepares_fianchetto(self):
        side = chess.square_file(self.at)
        if not self.opening() or not self.quiet_first(PAWN) or side not in (1, 6):
            return False
        home = chess.square(2 if side == 1 else 5, 0 if self.me == WHITE else 7)
        steps = height(self.me, self.at) == 3 and height(self.me, self.to) == 2 and self.to == self.moves[0].from_square
        return steps and self.kind(self.end, home, self.me) == BISHOP

    def lets_out_bishop(self):
        def ways(board):
            return len(board.attacks(self.to) & ~chess.SquareSet(board.occupied_co[self.me]))

        any_man = self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING) and self.at != self.to
        bishop = any_man and self.kind(self.end, self.to, self.me) == BISHOP
        before, after = ways(self.start), ways(self.end)
        return bishop and (before <= 1 and after >= 3 or after >= before + 3)

    def holds_two(self):
        if not self.quiet_first(PAWN) or not ending(self.end):
            return False
        rivals = men(self.end, self.you, PAWN)
        level = height(self.you, self.at)
        stopped = [p for p in rivals if files_apart(p, self.at) == 0 and height(self.you, p) == level - 1 <= 3]
        held = self.to in rivals and files_apart(self.to, self.at) == 1 and height(self.you, self.to) == level - 2
        near = sum(files_apart(p, self.at) <= 2 for p in rivals) == 2
        passed = any(p != self.at and self.passer(self.end, p, self.me) for p in men(self.end, self.me, PAWN))
        return bool(stopped) and held and near and passed

    def heads_for_square(self):
        if height(self.me, self.to) not in (5, 6):
            return False
        pawns = self.pawn_attacked(self.end, self.to, self.me) and not self.pawn_attacked(self.end, self.to, self.you)
        return pawns and self.goes_on_to()

    def regroups(self):
        return height(self.me, self.to) > height(self.me, self.at) and self.goes_on_to()

    def goes_on_to(self):
        if not self.quiet_first(KNIGHT) or self.to == self.moves[0].from_square:
            return False
        jumps = chess.SquareSet(chess.BB_KNIGHT_ATTACKS[self.to])
        new = self.moves[0].from_square not in jumps and self.at in jumps
        if not new or self.end.is_check() or not self.safe(self.end, self.at):
            return False
        turned = self.end.copy(stack=False)
        turned.push(chess.Move.null())
        move = chess.Move(self.at, self.to)
        goes = move in turned.legal_moves and not turned.is_capture(move)
        return goes and self.safe(walked(turned, move), self.to)

    def last_pawn(self):
        last, before = self.moves[-1], self.boards[len(self.moves) - 1]
        takes = before.turn == self.me and before.is_capture(last) and last.to_square == self.at
        pawn = self.kind(before, self.at, self.you) == PAWN and len(self.moves) <= 2
        return takes and pawn and self.too_little()

    def pawns_on_bishop_colour(self):
        def stands(board, bishop, _):
            pieces = sorted((p.color, p.piece_type) for p in board.piece_map().values() if p.piece_type not in (PAWN, KING))
            if pieces != [(BLACK, BISHOP), (WHITE, BISHOP)] or self.kind(board, bishop, self.you) != BISHOP:
                return False
            pawns = board.pieces(PAWN, self.you)
            mine = list(board.pieces(BISHOP, self.me))[0]
            return dark(mine) != dark(bishop) and len(pawns) > 1 and all(dark(p) == dark(bishop) for p in pawns)

        return self.fresh(stands)

    def windmill(self):
        kind = self.kind(self.end, self.at, self.me)
        mill, times, takes = None, 0, False
        for ply, move in enumerate(self.moves):
            before, after = self.boards[ply], self.boards[ply + 1]
            if before.turn != self.me:
                continue
            king = after.king(self.you)
            between = move.from_square in chess.SquareSet.between(self.at, king)
            uncovers = between and self.at in after.checkers()
            if mill in (None, move.from_square) and (uncovers or mill is not None):
                mill, times, takes = move.to_square, times + uncovers, takes or uncovers and before.is_capture(move)
        return kind in (BISHOP, ROOK, QUEEN) and times > 1 and takes

    def avoids_pin(self):
        move = self.moves[0]
        if not self.quiet_first(KNIGHT) or self.start.is_check() or height(self.me, self.at) >= height(self.me, move.from_square):
            return False
        board = self.start.copy()
        board.push(chess.Move.null())
        comes = lambda board, m: board.piece_type_at(m.from_square) == BISHOP and m.to_square == self.to and not board.is_capture(m)

        def pins(m):
            after = walked(board, m)
            way = chess.SquareSet.ray(self.to, move.from_square)
            behind = [s for s in way if after.piece_at(s) and move.from_square in chess.SquareSet.between(self.to, s)]
            behind.sort(key=lambda s: chess.square_distance(s, self.to))
            heavy = behind and self.kind(after, behind[0], self.me) in (KING, QUEEN)
            return heavy and self.is_pin(after, self.to, move.from_square, self.you) and self.safe(after, self.to)

        if not any(comes(board, m) and pins(m) for m in board.legal_moves):
            return False
        bishops = [m for m in self.end.legal_moves if self.end.piece_type_at(m.from_square) == BISHOP and m.to_square == self.to]
        now = [walked(self.end, m) for m in bishops]
        return not any(self.is_pin(b, self.to, s, self.you) for b in now for s in men(b, self.me, KNIGHT, BISHOP, ROOK, QUEEN))

    def makes_bishop_move(self):
        if len(self.moves) != 2 or self.start.turn != self.me or len(self.start.piece_map()) < 26:
            return False
        taking, back = self.moves
        first = self.kind(self.start, taking.from_square, self.me) == PAWN and self.kind(self.start, self.at, self.you) == PAWN
        there = taking.to_square == self.at == back.to_square == (chess.C5 if self.me == WHITE else chess.C4)
        bishop = self.kind(self.start, back.from_square, self.you) == BISHOP and height(self.you, back.from_square) > 1
        return first and there and bishop and not self.start.attackers(self.me, back.from_square)

    def out_before_pawn(self):
        if not self.quiet_first(BISHOP) or len(self.start.piece_map()) < 22:
            return False
        home, pawn, target = (chess.C1, chess.E2, chess.E3) if self.me == WHITE else (chess.C8, chess.E7, chess.E6)
        way = chess.square_file(self.at) > 4 and self.moves[0].from_square == home and self.to == target
        return way and self.kind(self.end, pawn, self.me) == PAWN and self.end.piece_at(target) is None

    def post(self, board, at):
        """A knight there cannot be won, and no pawn attacks it or can with the next move of the other side."""
        if height(self.me, at) not in (5, 6) or chess.square_file(at) in (0, 7):
            return False
        after = [walked(board, m) for m in board.legal_moves if board.piece_type_at(m.from_square) == PAWN]
        return self.safe(board, at) and not any(self.pawn_attacked(b, at, self.you) for b in [board, *after])

    def guarded_post(self):
        guard = self.kind(self.end, self.to, self.me)
        deep = guard is not None and height(self.me, self.at) == 6
        guarded = (guard == PAWN or deep) and self.at in self.end.attacks(self.to)
        return self.quiet_first(KNIGHT, ROOK) and guarded and self.post(self.end, self.at)

    def prepares_post(self):
        if not self.quiet_first(PAWN) or self.end.is_check() or self.to not in self.end.attacks(self.at):
            return False
        if self.pawn_attacked(self.start, self.to, self.me) or not self.safe(self.end, self.at):
            return False
        board = self.end.copy()
        board.push(chess.Move.null())
        comes = [m for m in board.legal_moves if m.to_square == self.to and board.piece_type_at(m.from_square) == KNIGHT]
        return any(not board.is_capture(m) and self.post(walked(board, m), self.to) for m in comes)

    def never_attacked(self, but):
        """The pawn that moved cannot be won, and no pawn of the other side but one can ever attack it."""
        ahead = lambda p: p != but and files_apart(p, self.at) == 1 and height(self.you, p) < height(self.you, self.at)
        return self.safe(self.end, self.at) and not any(ahead(p) for p in self.end.pieces(PAWN, self.you))

    def faces(self, pawn, square):
        return files_apart(pawn, square) == 0 and height(self.you, square) == height(self.you, pawn) + 1

    def fixes_pawn(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        isolated = not any(files_apart(p, self.to) == 1 for p in self.end.pieces(PAWN, self.you))
        alone = isolated or self.weak(self.end, self.to, self.you)
        return self.faces(self.to, self.at) and alone and self.never_attacked(self.to)

    def fixes_pawns(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        facing = any(self.faces(p, self.at) for p in self.end.pieces(PAWN, self.you))
        free = [s for s in self.end.attacks(self.at) if self.end.piece_at(s) is None]
        return facing and any(self.faces(self.to, s) for s in free) and self.never_attacked(self.to)

    def triples_heavy(self):
        def stand(board):
            there = [s for s in chess.SquareSet(chess.BB_FILES[chess.square_file(self.at)]) if board.piece_at(s)]
            own = [s for s in there if self.kind(board, s, self.me) in (ROOK, QUEEN)]
            kinds = sorted(board.piece_type_at(s) for s in own)
            return kinds == [ROOK, ROOK, QUEEN] and not [s for s in there if own[0] < s < own[-1] and s not in own]

        return self.quiet_first(ROOK, QUEEN) and stand(self.end) and not stand(self.start)

    def aims_to_damage(self):
        if not self.quiet_first(BISHOP) or self.kind(self.end, self.to, self.you) not in (KNIGHT, BISHOP):
            return False
        if self.end.is_check() or self.to in self.start.attacks(self.moves[0].from_square) or not self.safe(self.end, self.at):
            return False
        board = self.end.copy()
        board.push(chess.Move.null())
        taking = chess.Move(self.at, self.to)
        if taking not in board.legal_moves:
            return False
        after = walked(board, taking)
        won = WORTH[board.piece_type_at(self.to)] - self.gain_on(after, self.to)
        back = [m for m in after.legal_moves if m.to_square == self.to and after.is_capture(m)]

        def damaged(m):
            then = walked(after, m)
            column = [p for p in then.pieces(PAWN, self.you) if p != self.to and files_apart(p, self.to) == 0]
            half_open = not any(files_apart(p, self.to) == 0 for p in then.pieces(PAWN, self.me))
            weak = self.weak(then, self.to, self.you) and half_open
            return after.piece_type_at(m.from_square) == PAWN and bool(column or weak)

        return won == 0 and bool(back) and all(damaged(m) for m in back)

    def puts_on_bishop_colour(self):
        if len(self.moves) != 1 or self.start.turn != self.you or len(self.end.piece_map()) > 20:
            return False
        move = self.moves[0]
        bishops = list(self.end.pieces(BISHOP, self.me))
        if bishops != [self.to] or move.to_square != self.at or self.start.is_capture(move):
            return False
        same = lambda s: dark(s) == dark(self.to)
        pawn = self.kind(self.end, self.at, self.you) == PAWN and same(self.at) and not same(move.from_square)
        targets = sum(same(p) for p in self.end.pieces(PAWN, self.you))
        answer = any(same(b) for b in self.end.pieces(BISHOP, self.you))
        ahead = lambda p: files_apart(p, self.at) == 1 and height(self.me, p) < height(self.me, self.at)
        return pawn and targets >= 3 and not answer and not any(ahead(p) for p in self.end.pieces(PAWN, self.me))

    def clamps(self):
        if not self.quiet_first(PAWN) or height(self.me, self.at) != 4 or self.end.piece_at(self.to) is not None:
            return False
        there = self.to in (chess.D4, chess.E4, chess.D5, chess.E5)
        guards = {p for p in self.end.pieces(PAWN, self.me) if self.to in self.end.attacks(p)}
        behind = [p for p in self.end.pieces(PAWN, self.you) if files_apart(p, self.to) == 0 and height(self.you, p) <= 3]
        return there and self.at in guards and len(guards) == 2 and bool(behind) and self.safe(self.end, self.at)

    def queen_in_centre(self):
        if len(self.moves) != 2 or self.boards[1].turn != self.me or len(self.start.piece_map()) < 26:
            return False
        first, back = self.moves
        there = first.to_square == back.to_square == self.at and self.at in (chess.D4, chess.E4, chess.D5, chess.E5)
        queen = self.kind(self.end, self.at, self.me) == QUEEN and self.boards[1].piece_type_at(back.from_square) == QUEEN
        if not there or not queen or not self.start.is_capture(first) or not self.safe(self.end, self.at):
            return False
        for m in self.end.legal_moves:
            after = walked(self.end, m)
            kind = self.end.piece_type_at(m.from_square)
            hits = kind in (PAWN, KNIGHT, BISHOP) and self.at in after.attacks(m.to_square)
            if hits and self.safe(after, m.to_square):
                return False
        return True

    def keeps_guard(self):
        if not self.quiet() or not self.start.is_check() or self.moves[0].to_square != self.at:
            return False
        if self.kind(self.end, self.to, self.me) not in (KNIGHT, BISHOP, ROOK, QUEEN):
            return False
        guarded = self.to in self.end.attacks(self.at) and self.safe(self.end, self.to)
        others = [m for m in self.start.legal_moves if m != self.moves[0]]
        after = [walked(self.start, m) for m in others]
        loses = [
            self.kind(b, self.to, self.me) is not None and m.to_square != self.to and not self.safe(b, self.to)
            for m, b in zip(others, after)
        ]
        return guarded and bool(loses) and all(loses)

    def leaves_piece(self):
        first = self.moves[0]
        if len(self.moves) != 1 or self.start.turn != self.me or self.start.is_castling(first) or first.promotion:
            return False
        if first.to_square != self.at or self.to == self.at or self.start.is_check():
            return False
        if self.start.is_capture(first):
            taken = self.start.piece_type_at(first.to_square)
            left = self.end.piece_type_at(self.to)
            if taken is None or left is None or WORTH[taken] + 200 > WORTH[left]:
                return False
        before = self.start.copy()
        before.push(chess.Move.null())
        piece = self.kind(self.end, self.to, self.me) in (KNIGHT, BISHOP, ROOK, QUEEN)
        return piece and not self.safe(self.end, self.to) and not self.safe(before, self.to)

    def given_back(self):
        """The other side takes on the square, and the player takes back."""
        if len(self.moves) != 2 or self.boards[1].turn != self.me:
            return False
        taking, back = self.moves
        there = taking.to_square == back.to_square == self.at
        return there and self.start.is_capture(taking) and self.boards[1].is_capture(back)

    def gives_good_bishop(self):
        if not self.given_back() or self.start.piece_type_at(self.at) not in (KNIGHT, BISHOP):
            return False
        taking = self.moves[0].from_square
        bishops = self.start.piece_type_at(taking) == BISHOP and self.kind(self.end, self.to, self.you) == BISHOP
        pawns = [p for p in self.start.pieces(PAWN, self.you) if 2 <= chess.square_file(p) <= 5]
        same = sum(dark(p) == dark(taking) for p in pawns)
        return bishops and dark(taking) != dark(self.to) and same <= 1 and len(pawns) - same >= 3

    def mends_pawn(self):
        if not self.given_back() or self.kind(self.end, self.at, self.me) != PAWN:
            return False
        alone = lambda board: not any(files_apart(p, self.to) == 1 for p in board.pieces(PAWN, self.me))
        stays = all(self.kind(board, self.to, self.me) == PAWN for board in (self.start, self.end))
        pawn = self.boards[1].piece_type_at(self.moves[1].from_square) == PAWN
        return stays and pawn and alone(self.start) and not alone(self.end)

    def gives_up_wedge(self):
        if not self.given_back() or self.moves[0].from_square != self.to:
            return False
        pawns = self.kind(self.start, self.to, self.you) == PAWN and self.kind(self.end, self.at, self.me) == PAWN
        guarded = lambda board: any(self.to in board.attacks(p) for p in board.pieces(PAWN, self.me))
        deep = height(self.you, self.to) in (5, 6)
        return pawns and deep and self.to in self.end.attacks(self.at) and not guarded(self.start)

    def takes_post(self):
        if len(self.moves) != 2 or self.start.turn != self.me:
            return False
        first, back = self.moves
        captures = [b.is_capture(m) for b, m in zip(self.boards, self.moves)]
        here = first.to_square == back.to_square == self.at
        taken = self.kind(self.start, self.at, self.you) in (KNIGHT, BISHOP)
        pawns = self.start.pieces(PAWN, self.me)
        reach = any(files_apart(p, self.at) == 1 and height(self.me, p) < height(self.me, self.at) for p in pawns)
        post = height(self.you, self.at) >= 5 and not reach
        return all(captures) and here and taken and (post or self.presses_pawn(self.start, self.at))

    def takes_own_flight(self):
        if len(self.moves) not in (2, 4) or self.start.turn != self.you or not self.end.is_check():
            return False
        first, there = self.moves[0], self.end.piece_at(self.at)
        came = first.to_square == self.at and there and there.color == self.you and there.piece_type != chess.KING
        stays = len(self.moves) == 2 or self.moves[2].from_square != self.at
        king = self.end.king(self.you)
        flights = [m for m in self.end.legal_moves if m.from_square == king]
        without = self.end.copy(stack=False)
        without.remove_piece_at(self.at)
        goes = any(m.from_square == king and m.to_square == self.at for m in without.legal_moves)
        return bool(came and stays and not self.start.piece_at(self.at) and goes and len(flights) <= 1)

    def presses_pawn(self, board, attacker):
        """A piece attacks a pawn of the player that no pawn guards, with as many attackers as guards or more."""

        def pressed(pawn):
            theirs, ours = (len(board.attackers(c, pawn)) for c in (self.you, self.me))
            return pawn in board.attacks(attacker) and not self.pawn_attacked(board, pawn, self.me) and theirs >= ours

        return any(map(pressed, board.pieces(PAWN, self.me)))

    def offers_for_attacker(self):
        prey = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP)
        if not self.quiet_first(KNIGHT, BISHOP) or not prey or self.to not in self.end.attacks(self.at):
            return False
        new = self.to not in self.start.attacks(self.moves[0].from_square)
        guarded = bool(self.end.attackers(self.you, self.to))
        return new and guarded and self.safe(self.end, self.at) and self.presses_pawn(self.end, self.to)

    def offers_for_outpost(self):
        prey = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP)
        if not self.quiet_first(KNIGHT, BISHOP) or not prey or self.to not in self.end.attacks(self.at):
            return False
        pawns = self.end.pieces(PAWN, self.me)
        reach = any(files_apart(p, self.to) == 1 and height(self.me, p) < height(self.me, self.to) for p in pawns)
        post = height(self.you, self.to) >= 5 and not reach and self.pawn_attacked(self.end, self.to, self.you)
        return post and self.to not in self.start.attacks(self.moves[0].from_square) and self.safe(self.end, self.at)

    def aims_at_passer(self):
        taking = chess.Move(self.to, self.at)
        if not self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN) or taking not in self.end.legal_moves:
            return False
        kinds = [self.end.piece_type_at(s) for s in (self.at, self.to)]
        if KING in kinds or WORTH[kinds[0]] != WORTH[kinds[1]] or not self.safe(self.end, self.at):
            return False
        after = walked(self.end, taking)

        def new_passer(m):
            if after.piece_type_at(m.from_square) != PAWN or m.to_square != self.at or m.promotion:
                return False
            return self.passer(walked(after, m), self.at, self.me) and not self.passer(self.end, m.from_square, self.me)

        return any(map(new_passer, after.legal_moves))

    def avoids_trade(self):
        if not self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN) or self.start.is_check():
            return False
        if any(m.to_square == self.at for m in self.end.legal_moves):
            return False
        board = self.start.copy()
        board.push(chess.Move.null())
        taking = chess.Move(self.to, self.moves[0].from_square)
        if taking not in board.legal_moves:
            return False
        kinds = [board.piece_type_at(s) for s in (taking.from_square, taking.to_square)]
        even = WORTH[kinds[0]] == WORTH[kinds[1]]
        if kinds[1] == BISHOP and self.bad(self.start, taking.to_square):
            return False
        return even and WORTH[kinds[1]] == self.gain_on(walked(board, taking), taking.to_square)

    def evades_knight(self):
        if not self.quiet_first(BISHOP) or self.start.is_check() or len(self.start.pieces(BISHOP, self.me)) != 2:
            return False
        was = self.moves[0].from_square

        def reaches(board, target, knights):
            for m in board.legal_moves:
                if m.from_square in knights and not board.is_capture(m):
                    after = walked(board, m)
                    if target in after.attacks(m.to_square) and self.safe(after, m.to_square):
                        return True
            return False

        calm = height(self.me, was) > 1 and not self.start.attackers(self.you, was) and self.safe(self.end, self.at)
        knights = self.end.pieces(KNIGHT, self.you)
        passed = walked(self.start, chess.Move.null())
        return calm and self.to in knights and reaches(passed, was, [self.to]) and not reaches(self.end, self.at, knights)

    def trade_opens_file(self):
        if not self.quiet_first(KNIGHT, BISHOP) or self.kind(self.end, self.to, self.me) != ROOK:
            return False
        column = lambda board: [p for p in board.pieces(PAWN, self.me) if files_apart(p, self.to) == 0]
        if not column(self.end) or not self.safe(self.end, self.at):
            return False
        for taking in self.end.legal_moves:
            if taking.to_square != self.at or self.end.piece_type_at(taking.from_square) not in (KNIGHT, BISHOP):
                continue
            taken = walked(self.end, taking)
            for back in taken.legal_moves:
                pawn = taken.piece_type_at(back.from_square) == PAWN and files_apart(back.from_square, self.to) == 0
                if back.to_square == self.at and pawn and not column(walked(taken, back)):
                    return True
        return False

    def prepares_battery(self):
        if not self.quiet_first(BISHOP) or self.kind(self.end, self.to, self.you) != PAWN or self.end.is_check():
            return False
        if chess.square_distance(self.to, self.end.king(self.you)) != 1 or not self.safe(self.end, self.at):
            return False

        def stands(board, bishop, queen):
            lined = chess.between(bishop, self.to) & chess.BB_SQUARES[queen]
            return lined and queen in board.attacks(bishop) and self.to in board.attacks(queen)

        def comes(board, bishop):
            for m in board.legal_moves:
                if board.piece_type_at(m.from_square) == QUEEN and not board.is_capture(m):
                    after = walked(board, m)
                    if stands(after, bishop, m.to_square) and self.safe(after, m.to_square):
                        return True
            return False

        was = self.moves[0].from_square
        there = any(stands(self.start, was, q) for q in self.start.pieces(QUEEN, self.me))
        then = self.end.copy()
        then.push(chess.Move.null())
        return not there and not comes(self.start, was) and comes(then, self.at)

    def gives_up_file(self):
        if len(self.moves) != 2 or self.boards[1].turn != self.me:
            return False
        leaving, coming = self.moves
        there = chess.BB_FILES[chess.square_file(self.at)]
        heavy = lambda board, m: board.piece_type_at(m.from_square) in (ROOK, QUEEN)
        bare = all(not board.pieces_mask(PAWN, c) & there for board in (self.start, self.end) for c in (WHITE, BLACK))
        goes = heavy(self.start, leaving) and chess.BB_SQUARES[leaving.from_square] & there
        goes = goes and not chess.BB_SQUARES[leaving.to_square] & there and not self.boards[1].is_capture(coming)
        comes = heavy(self.boards[1], coming) and coming.to_square == self.at and not chess.BB_SQUARES[coming.from_square] & there
        left = any(self.end.pieces_mask(kind, self.you) & there for kind in (ROOK, QUEEN))
        return bool(bare and goes and comes and not left and self.safe(self.end, self.at))

    def second_pawn(self):
        """The second quiet pawn move of a player whose first pawn was taken where it went."""
        if len(self.moves) != 3 or self.start.turn != self.me:
            return False
        first, answer, last = self.moves
        push = lambda board, m: board.piece_type_at(m.from_square) == PAWN and not board.is_capture(m)
        taken = self.boards[1].is_capture(answer) and answer.to_square == first.to_square
        return push(self.start, first) and taken and push(self.boards[2], last) and last.to_square == self.at

    def diagonal_to_king(self):
        quiet = self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING) or self.second_pawn()
        if not quiet or self.at == self.to:
            return False
        king = self.end.king(self.you)
        home = height(self.you, king) <= 2 and chess.square_file(king) not in (3, 4)
        before, after = self.start.attacks(self.to), self.end.attacks(self.to)
        aims = lambda seen: any(steps(s, king) <= 1 for s in seen)
        bishop = self.kind(self.end, self.to, self.me) == BISHOP
        return bishop and home and len(after) >= len(before) + 3 and aims(after) and not aims(before)

    def clears_file(self):
        def seen(board):
            return sum(files_apart(s, self.to) == 0 for s in board.attacks(self.to))

        if not self.quiet_first(KNIGHT, BISHOP, QUEEN) or self.kind(self.end, self.to, self.me) != ROOK:
            return False
        left = files_apart(self.moves[0].from_square, self.to) == 0 < files_apart(self.at, self.to)
        return left and seen(self.end) >= seen(self.start) + 2

    def half_opens_file(self):
        if len(self.moves) != 2 or self.start.turn != self.me:
            return False
        pawns = all(
            board.piece_type_at(move.from_square) == PAWN
            and move.to_square == self.at
            and move.promotion is None
            and board.piece_type_at(self.at) == PAWN
            for board, move in zip(self.boards, self.moves)
        )
        left = chess.square_file(self.moves[0].from_square)
        own = any(chess.square_file(p) == left for p in men(self.end, self.me, PAWN))
        target = self.kind(self.end, self.to, self.you) == PAWN and chess.square_file(self.to) == left
        return pawns and target and not own and bool(men(self.end, self.me, ROOK))

    def leaves_line(self):
        if not self.quiet_first(KING) or self.start.is_check():
            return False
        piece = self.kind(self.end, self.to, self.you)

        def aims(board, king):
            straight = files_apart(king, self.to) == 0 or chess.square_rank(king) == chess.square_rank(self.to)
            lines = {ROOK: straight, BISHOP: not straight, QUEEN: True}.get(piece, False)
            on_line = bool(chess.SquareSet.ray(king, self.to)) and lines
            return on_line and len(chess.SquareSet.between(king, self.to) & board.occupied) <= 1

        return aims(self.start, self.moves[0].from_square) and not aims(self.end, self.at)

    def takes_square(self):
        if not self.quiet_first(PAWN) or height(self.me, self.to) < 5 or self.end.piece_at(self.to):
            return False
        if self.start.is_check() or self.to not in self.end.attacks(self.at):
            return False
        board = self.start.copy()
        board.push(chess.Move.null())
        minors = board.pieces(KNIGHT, self.you) | board.pieces(BISHOP, self.you)
        goes = any(m.to_square == self.to and m.from_square in minors for m in board.legal_moves)
        return goes and not self.pawn_attacked(self.start, self.to, self.me) and self.safe(self.end, self.at)

    def wishes(self, board):
        """From where the other side would go to the square, taking nothing, and whether it would be lost there."""
        board = board.copy()
        if board.turn == self.me:
            if board.is_check():
                return set()
            board.push(chess.Move.null())
        found = set()
        for m in board.legal_moves:
            kind = board.piece_type_at(m.from_square)
            if m.to_square != self.to or board.is_capture(m) or m.promotion or board.is_castling(m):
                continue
            after = walked(board, m)
            hits = bool(after.attacks(self.to) & chess.SquareSet(after.occupied_co[self.me]))
            check = kind == QUEEN and after.is_check() and bool(self.start.has_castling_rights(self.me))
            if kind in (KNIGHT, BISHOP) or check or kind == PAWN and (self.centre(self.to) or hits):
                found.add((m.from_square, not self.safe(after, self.to)))
        return found

    def keeps_from(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
            return False
        between = [s for s in chess.SquareSet.between(self.at, self.to) if self.end.piece_at(s)]
        slides = self.end.piece_type_at(self.at) in (BISHOP, ROOK, QUEEN)
        first = min(between, key=lambda s: steps(self.at, s), default=None)
        own = first is not None and self.kind(self.end, first, self.me) not in (None, PAWN)
        bare = self.end.copy(stack=False)
        for s in between:
            bare.remove_piece_at(s)
        through = slides and own and self.to in bare.attacks(self.at) and self.to in self.end.attacks(first)
        if self.to not in self.end.attacks(self.at) and not through:
            return False
        before, after = self.wishes(self.start), self.wishes(self.end)
        return any(not lost and (a, True) in after for a, lost in before)

    def rook_lift(self):
        if not self.quiet_first(ROOK) or self.to != self.end.king(self.you):
            return False
        up = height(self.me, self.moves[0].from_square) <= 2 and height(self.me, self.at) in (3, 4)
        pawn = any(files_apart(p, self.at) == 0 for p in self.end.pieces(PAWN, self.me))
        free = ~self.end.occupied_co[self.me]
        row = [s for s in self.end.attacks(self.at) & free if chess.square_rank(s) == chess.square_rank(self.at)]
        aims = any(steps(t, self.to) == 1 for s in men(self.end, self.me, BISHOP, QUEEN) for t in self.end.attacks(s))
        home = height(self.you, self.to) <= 2
        return up and (pawn or home and aims) and sum(files_apart(s, self.to) <= 2 for s in row) >= 2

    def releases_tension(self):
        if len(self.moves) != 1 or self.start.turn != self.you:
            return False
        m = self.moves[0]
        quiet = not self.start.is_capture(m) and m.to_square == self.at and self.kind(self.end, self.at, self.you) == PAWN
        there = all(self.kind(b, self.to, self.me) == PAWN for b in (self.start, self.end))
        hit = self.to in self.start.attacks(m.from_square)
        return quiet and there and hit and not self.pawn_attacked(self.end, self.to, self.you)

    def reroutes(self):
        own = self.moves[::2]
        if len(self.moves) not in (3, 5) or self.start.turn != self.me:
            return False
        way, answers = own[0].from_square, [None, *self.moves[1::2]]
        for b, m, answer in zip(self.boards[::2], own, answers):
            theirs = answer and m.from_square in b.attacks(answer.to_square) and self.their_move(b, self.you)
            if theirs and not self.safe(theirs, m.from_square):
                return False
            if m.from_square == way:
                if b.is_capture(m):
                    return False
                way = m.to_square
        kind, first = self.start.piece_type_at(own[0].from_square), own[0].from_square
        turns = files_apart(first, self.at) and chess.square_rank(first) != chess.square_rank(self.at)
        piece = kind in (KNIGHT, BISHOP) or kind == ROOK and turns and len(own) == 2 and len(self.start.piece_map()) >= 20
        ends = own[-1].to_square == self.at == way and self.at != own[0].from_square
        direct = chess.Move(own[0].from_square, self.at) in self.start.legal_moves
        return piece and ends and not direct and self.safe(self.end, self.at)

    def their_move(self, board, color):
        """The board with this player to move, or none where that cannot be."""
        if board.turn == color:
            return board
        if board.is_check():
            return None
        return walked(board, chess.Move.null())

    def holds_up(self):
        if not self.quiet_first(PAWN):
            return False
        beside = chess.square_rank(self.at) == chess.square_rank(self.to) and files_apart(self.at, self.to) == 1
        if not beside:
            return False
        before, after = (self.pushed(board, self.you, self.to) for board in (self.start, self.end))
        free = before is not None and self.safe(before, self.to)
        taken = after is not None and any(
            after.is_en_passant(m) and m.from_square == self.at for m in after.legal_moves
        )
        return free and taken

    def offers_for_good_bishop(self):
        if not self.offered(BISHOP):
            return False
        pawns = [p for p in self.end.pieces(PAWN, self.you) if 2 <= chess.square_file(p) <= 5]
        same = sum(dark(p) == dark(self.to) for p in pawns)
        return same <= 1 and len(pawns) - same >= 3

    def frees_square(self):
        if len(self.moves) not in (2, 4) or self.start.turn != self.me:
            return False
        (first, last), (before, between, _) = self.moves[-2:], self.boards[-3:]
        guard = first.to_square
        piece = self.kind(before, guard, self.you) in (KNIGHT, BISHOP) and self.at in before.attacks(guard)
        back = last.to_square == guard and between.is_capture(last)
        empty = 4 <= height(self.me, self.at) <= 6 and self.end.piece_at(self.at) is None
        guards = len(self.end.attackers(self.you, self.at)) >= len(self.end.attackers(self.me, self.at))
        pawns = any(
            files_apart(p, self.at) == 1 and height(self.me, p) > height(self.me, self.at)
            for p in self.end.pieces(PAWN, self.you)
        )
        minor = self.kind(self.end, self.to, self.me)
        comes = minor == KNIGHT or minor == BISHOP and self.at in (chess.D4, chess.E4, chess.D5, chess.E5)
        goes = chess.Move(self.to, self.at) in self.end.legal_moves
        return piece and back and empty and not guards and not pawns and comes and goes

    def offers_for_pair(self):
        if not self.offered(BISHOP):
            return False
        return len(self.end.pieces(BISHOP, self.you)) == 2 and len(self.end.pieces(BISHOP, self.me)) == 1

    def offers_for_king_guard(self):
        if not self.offered(BISHOP):
            return False
        king = self.end.king(self.you)
        short = chess.square_file(self.to) == 6
        bishop = (short or chess.square_file(self.to) == 1) and height(self.you, self.to) == 2
        right = self.end.has_kingside_castling_rights if short else self.end.has_queenside_castling_rights
        return bishop and (height(self.you, king) == 1 and files_apart(king, self.to) <= 1 or right(self.you))

    def offers_against_isolated(self):
        if not self.only_isolated(self.end):
            return False
        for prey in men(self.end, self.you, KNIGHT, BISHOP):
            self.to = prey
            if self.kind(self.end, self.at, self.me) in (KNIGHT, BISHOP) and self.offers_trade():
                return True
        return False

    def offers_for_guard(self):
        target = self.to
        pawns = any(
            files_apart(p, target) == 1 and height(self.me, p) > height(self.me, target)
            for p in self.end.pieces(PAWN, self.you)
        )
        central = chess.square_file(target) in (3, 4) and height(self.me, target) == 5
        if not central or pawns or self.end.piece_type_at(target) == PAWN:
            return False
        ours = [a for a in self.end.attackers(self.me, target) if a != self.at]
        for prey in men(self.end, self.you, KNIGHT, BISHOP):
            self.to = prey
            theirs = self.end.attackers(self.you, target)
            if prey in theirs and self.offered(KNIGHT, BISHOP) and len(ours) > len(theirs) - 1:
                return True
        return False

    def keeps_file(self):
        was = self.moves[0].from_square
        if not self.quiet_first(ROOK) or files_apart(was, self.at) != 0 or not self.start.attackers(self.you, was):
            return False
        return not any(files_apart(p, self.at) == 0 for p in chess.SquareSet(self.end.pawns)) and self.safe(
            self.end, self.at
        )

    def ties_down(self):
        def cannot_win(board, *squares):
            ours = board.copy(stack=False)
            if ours.turn != self.me:
                ours.turn, ours.ep_square = self.me, None
            men = [square for square in squares if ours.piece_type_at(square) != KING]
            return ours.is_valid() and all(self.safe(ours, square) for square in men)

        def ties(board, guard, pawn):
            piece = self.kind(board, guard, self.you) in (KNIGHT, BISHOP, ROOK, QUEEN, KING)
            alone = self.kind(board, pawn, self.you) == PAWN and list(board.attackers(self.you, pawn)) == [guard]
            attacked = any(board.piece_type_at(a) != PAWN for a in board.attackers(self.me, pawn))
            return piece and alone and attacked and cannot_win(board, guard, pawn)

        return len(self.moves) <= 2 and len(self.end.piece_map()) <= 14 and self.fresh(ties)

    def entry_square(self):
        move = self.moves[0]
        quiet = len(self.moves) == 1 and self.start.turn == self.me and not self.start.is_capture(move)
        pawn = self.start.piece_type_at(move.from_square) == PAWN and self.to in self.end.attacks(move.to_square)
        rook = self.kind(self.end, self.at, self.me) in (ROOK, QUEEN)
        if not (quiet and pawn and rook) or height(self.me, self.to) != 7 or height(self.me, self.at) > 5:
            return False

        def lost(board):
            ours = board.copy(stack=False)
            ours.turn, ours.ep_square = self.me, None
            if not ours.is_valid():
                return None
            step = chess.Move(self.at, self.to)
            if step not in ours.legal_moves or ours.is_capture(step):
                return None
            ours.push(step)
            return not self.safe(ours, self.to)

        return lost(self.start) is True and lost(self.end) is False

    def holds_back(self):
        if not self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN) or self.end.piece_at(self.to):
            return False
        before = self.to + (8 if self.me == WHITE else -8)
        if not 0 <= before < 64 or self.kind(self.end, before, self.you) != PAWN or chess.square_file(before) in (0, 7):
            return False
        beside = [p for p in self.end.pieces(PAWN, self.you) if files_apart(p, before) == 1]
        weak = all(height(self.you, p) > height(self.you, before) for p in beside)
        weak = weak and (height(self.you, before) > 2 or not beside)
        ours, theirs = (self.end.attackers(c, self.to) for c in (self.me, self.you))
        aims = self.new_target() and not self.pawn_attacked(self.end, self.to, self.me)
        return weak and aims and len(theirs) <= len(ours) + 1 and self.safe(self.end, self.at)

    def way_back(self):
        move = self.moves[0]
        quiet = self.quiet()
        pawn = move.from_square == self.to and self.start.piece_type_at(self.to) == PAWN and height(self.me, self.to) == 2
        rank = {BISHOP: (3, 4, 5), QUEEN: (4, 5)}.get(self.kind(self.end, self.at, self.me), ())
        piece = height(self.me, self.at) in rank
        rook = move.from_square == self.to and self.start.piece_type_at(self.to) == ROOK and height(self.me, self.to) == 1
        if rook and self.kind(self.end, self.at, self.me) == BISHOP and height(self.me, self.at) in (2, 3, 4, 5):
            for m in self.end.legal_moves:
                after = walked(self.end, m)
                knight = self.end.piece_type_at(m.from_square) == KNIGHT and not self.end.is_capture(m)
                if knight and self.at in after.attacks(m.to_square) and self.safe(after, m.to_square):
                    pawn = piece = True
        return quiet and self.opening() and pawn and piece and self.to in self.end.attacks(self.at)

    def lets_king_in(self):
        if len(self.moves) != 2 or self.start.turn == self.me or self.start.is_check():
            return False
        left, walk = self.moves
        kings = self.start.piece_type_at(left.from_square) != KING and self.boards[1].piece_type_at(walk.from_square) == KING
        theirs = self.start.king(self.you)
        nearer = walk.to_square == self.at and steps(self.at, theirs) < steps(walk.from_square, theirs)
        if not kings or not nearer or height(self.me, self.at) < 4 or len(self.end.piece_map()) > 14:
            return False
        passed = self.start.copy(stack=False)
        passed.push(chess.Move.null())
        return chess.Move(walk.from_square, self.at) not in passed.legal_moves

    def two_for_rook(self):
        def lost(color):
            groups = ((QUEEN,), (ROOK,), (KNIGHT, BISHOP))
            return [len(men(self.start, color, *g)) - len(men(self.end, color, *g)) for g in groups]

        last, before = self.moves[-1], self.boards[-2]
        takes = before.turn == self.me and before.is_capture(last) and last.to_square == self.at
        return len(self.moves) <= 6 and takes and lost(self.me) == [0, 1, 0] and lost(self.you) == [0, 0, 2]

    def king_helps(self):
        theirs = self.end.king(self.you)
        came = self.end.king(self.me) == self.at and self.was is not None and len(self.moves) == 1
        if not came or self.to != theirs or steps(self.was, theirs) <= steps(self.at, theirs):
            return False
        bare = chess.popcount(self.end.occupied_co[self.you]) == 1
        return (bare or steps(self.at, theirs) == 2) and bool(men(self.end, self.me, QUEEN, ROOK))

    def goes_on_to_attack(self, *kinds):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) not in kinds:
            return False
        ahead = self.at + (8 if self.me == WHITE else -8)
        if self.pawn_attacked(self.end, self.to, self.me):
            return False
        after = self.pushed(self.end, self.me, ahead)
        hits = after is not None and after.piece_type_at(ahead) == PAWN and self.to in after.attacks(ahead)
        return hits and self.safe(after, ahead)

    def prepares_kick(self):
        return self.goes_on_to_attack(KNIGHT, BISHOP, ROOK, QUEEN)

    def avoids_doubling(self):
        move = self.moves[0]
        guard = self.kind(self.end, self.at, self.me) in (KNIGHT, BISHOP, ROOK, QUEEN)
        if not self.quiet() or not guard or move.to_square == self.to:
            return False
        knight = all(self.kind(b, self.to, self.me) == KNIGHT for b in (self.start, self.end))
        bishop = any(self.end.piece_type_at(a) == BISHOP for a in self.end.attackers(self.you, self.to))
        file = any(files_apart(p, self.to) == 0 for p in self.start.pieces(PAWN, self.me))
        guards = [self.start.piece_type_at(a) for a in self.start.attackers(self.me, self.to)]
        pawns = bool(guards) and all(kind == PAWN for kind in guards)
        return knight and bishop and file and pawns and self.to in self.end.attacks(self.at)

    def against_rook(self, owner, kind):
        board = self.end
        few = len(board.piece_map()) == 4 and not board.pawns
        return few and len(board.pieces(kind, owner)) == 1 and len(board.pieces(ROOK, not owner)) == 1

    def safe_corner(self):
        corners = [chess.A1, chess.A8, chess.H1, chess.H8]
        if not self.quiet_first(KING) or self.to not in corners or not self.against_rook(self.me, BISHOP):
            return False
        bishop = list(self.end.pieces(BISHOP, self.me))[0]
        nearer = steps(self.at, self.to) < steps(self.moves[0].from_square, self.to)
        nearest = all(steps(self.at, c) > steps(self.at, self.to) for c in corners if c != self.to)
        return dark(bishop) != dark(self.to) and nearer and nearest

    def knight_strays(self):
        if len(self.moves) != 1 or self.start.turn != self.you or not self.against_rook(self.you, KNIGHT):
            return False
        was, king = self.moves[0].from_square, self.end.king(self.you)
        there = self.kind(self.end, self.at, self.you) == KNIGHT and self.moves[0].to_square == self.at
        return there and steps(was, king) == 1 and steps(self.at, king) > 1

    def prepares_advance(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING):
            return False
        before, after = (self.pushed(board, self.me, self.to) for board in (self.start, self.end))
        known = before is not None and after is not None
        goes = known and height(self.me, self.to) >= 4 and self.to in after.attacks(self.at)
        return goes and not self.safe(before, self.to) and self.safe(after, self.to)

    def gains_outpost(self):
        if not self.quiet_first(PAWN) or height(self.me, self.to) not in (5, 6):
            return False
        there = self.end.piece_at(self.to)
        empty = there is None or there.color == self.you and there.piece_type != PAWN
        seen = self.to in self.end.attacks(self.at) and not self.pawn_attacked(self.start, self.to, self.me)
        pawns = any(
            files_apart(p, self.to) == 1 and height(self.me, p) > height(self.me, self.to)
            for p in self.end.pieces(PAWN, self.you)
        )
        free = chess.SquareSet(chess.BB_ALL & ~self.end.occupied_co[self.me])
        jumps = lambda a: chess.SquareSet(chess.BB_KNIGHT_ATTACKS[a])
        way = lambda n: any(self.to in jumps(s) and not self.pawn_attacked(self.end, s, self.you) for s in jumps(n) & free)
        knight = any(self.to in jumps(n) or way(n) for n in self.end.pieces(KNIGHT, self.me))
        held = len(self.end.attackers(self.you, self.to)) <= len(self.end.attackers(self.me, self.to)) + 1
        return empty and seen and not pawns and held and knight

    def adds_pressure(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN) or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        ours, guards = (len(self.end.attackers(c, self.to)) for c in (self.me, self.you))
        way = chess.SquareSet(chess.between(self.at, self.to)) & chess.SquareSet(self.end.occupied)
        slides = self.end.piece_type_at(self.at) in (BISHOP, QUEEN) and len(way) == 1
        through = slides and any(self.kind(self.end, p, self.me) == PAWN and self.to in self.end.attacks(p) for p in way)
        ours += through
        return (self.new_target() or through) and guards > 0 and ours >= 2 and ours >= guards and self.safe(self.end, self.at)

    def supports(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN) or not self.centre(self.to):
            return False
        man = self.kind(self.end, self.to, self.me) not in (None, KING)
        attacked = bool(self.end.attackers(self.you, self.to))
        return man and self.new_target() and (attacked or height(self.me, self.to) == 5)

    def shuts_in_bishop(self):
        if not self.quiet_first(KNIGHT, BISHOP, QUEEN):
            return False
        file = chess.square_file(self.to)
        home, second = (0, 1) if self.you == WHITE else (7, 6)
        before_it = self.at == self.to + (8 if self.you == WHITE else -8)
        pawn = self.kind(self.end, self.to, self.you) == PAWN and file in (3, 4) and chess.square_rank(self.to) == second
        bishop = chess.square(2 if file == 3 else 5, home)
        beside = [chess.square(chess.square_file(bishop) + d, second) for d in (-1, 1)]
        shut = self.kind(self.end, bishop, self.you) == BISHOP and all(self.kind(self.end, s, self.you) == PAWN for s in beside)
        board = self.their_move(self.start, self.you)
        push = board is not None and chess.Move(self.to, self.at) in board.legal_moves
        return before_it and pawn and shut and push and self.safe(self.end, self.at)

    def stays_behind_passer(self):
        def behind(board, rook):
            pawn = board.piece_at(self.to)
            if pawn is None or pawn.piece_type != PAWN or self.kind(board, rook, self.me) != ROOK:
                return False
            back = files_apart(rook, self.to) == 0 and height(pawn.color, rook) < height(pawn.color, self.to)
            return back and self.passer(board, self.to, pawn.color) and self.open_way(board, rook, self.to)

        walked_ = len(self.moves) == 1 and self.moved()
        return ending(self.end) and walked_ and behind(self.end, self.at) and behind(self.start, self.was)

    def decoys(self):
        if not pawn_ending(self.end) or self.kind(self.end, self.at, self.me) != KING or not self.moved():
            return False
        rival = self.end.king(self.you)
        alone = all(p == self.to or files_apart(p, self.to) >= 3 for c in (WHITE, BLACK) for p in self.end.pieces(PAWN, c))
        close = steps(rival, self.to) <= 3 and steps(rival, self.to) < steps(self.at, self.to)
        prey = any(steps(self.at, p) < min(steps(self.was, p), steps(rival, p)) for p in self.end.pieces(PAWN, self.you))
        return self.passer(self.end, self.to, self.me) and alone and close and prey

    def awaits_opposition(self):
        if not self.quiet_first(KING) or len(self.end.piece_map()) != 3 or len(self.end.pieces(PAWN, self.you)) != 1:
            return False
        rival = self.end.king(self.you)
        steps_ = [
            m for m in self.end.legal_moves if m.from_square == rival and height(self.you, m.to_square) > height(self.you, rival)
        ]

        def faced(m):
            after = walked(self.end, m)
            king = after.king(self.me)
            return any(
                r.from_square == king
                and files_apart(r.to_square, m.to_square) == 0
                and height(self.you, r.to_square) - height(self.you, m.to_square) == 2
                for r in after.legal_moves
            )

        pawn = self.end.pieces(PAWN, self.you).pop()
        before_it = height(self.me, self.at) == 1 and self.at == pawn + (16 if self.you == WHITE else -16)
        if before_it:
            steps_ = [m for m in steps_ if abs(m.to_square - pawn) == 1]
        return len(steps_) >= 2 - before_it and all(faced(m) for m in steps_)

    def attack_on_pinned(self):
        move = self.moves[0]
        if not self.quiet():
            return False
        target, pinned = self.at, self.to
        pin = self.is_pin(self.end, move.to_square, pinned, self.me) and not self.is_pin(self.start, move.from_square, pinned, self.me)
        if not pin or self.kind(self.end, pinned, self.you) not in (KNIGHT, BISHOP) or self.pawn_attacked(self.end, target, self.you):
            return False
        ours = self.their_move(self.end, self.me)
        for m in ours.legal_moves if ours else ():
            comes = m.to_square == target and not ours.is_capture(m) and ours.piece_type_at(m.from_square) in (PAWN, KNIGHT)
            if comes and m.promotion is None and pinned not in ours.attacks(m.from_square):
                after = walked(ours, m)
                if pinned in after.attacks(target) and self.safe(after, target):
                    return True
        return False

    def undermines(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != PAWN or not self.new_target():
            return False
        for prey in self.end.attacks(self.to):
            kind = self.kind(self.end, prey, self.you)
            pawns = [p for p in self.end.pieces(PAWN, self.you) if prey in self.end.attacks(p)]
            if kind not in (None, KING) and pawns == [self.to] and self.end.attackers(self.me, prey):
                return True
        return False

    def prepares_lever(self):
        return self.goes_on_to_attack(PAWN)

    def hidden_attack(self):
        if not self.quiet_first(BISHOP, ROOK, QUEEN):
            return False
        prey = self.kind(self.end, self.to, self.you)
        mine = self.end.piece_type_at(self.at)
        worth = prey == KING or prey in (ROOK, QUEEN) and WORTH[prey] > WORTH[mine]

        def through(board, a):
            between = [s for s in chess.SquareSet.between(a, self.to) if board.piece_at(s)]
            own = len(between) == 1 and self.kind(board, between[0], self.me) in (KNIGHT, BISHOP, ROOK)
            bare = board.copy(stack=False)
            for s in between:
                bare.remove_piece_at(s)
            return own and self.to in bare.attacks(a)

        new = through(self.end, self.at) and not through(self.start, self.moves[0].from_square)
        return worth and new and self.safe(self.end, self.at)

    def shuts_off(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != BISHOP:
            return False

        def ways(board):
            board = self.their_move(board, self.you)
            if board is None:
                return None
            moves = [m for m in board.legal_moves if m.from_square == self.to and not board.is_capture(m)]
            return sum(self.safe(walked(board, m), m.to_square) for m in moves)

        before, after = ways(self.start), ways(self.end)
        back = height(self.you, self.to) > max(height(self.you, self.at), 2) and self.at in self.start.attacks(self.to)
        return back and before is not None and after is not None and before >= 3 and after <= 1

    def clears_castling(self):
        if not self.quiet():
            return False
        corner = chess.square_file(self.at) in (0, 7) and height(self.me, self.at) == 1
        right = self.end.has_kingside_castling_rights if chess.square_file(self.at) == 7 else self.end.has_queenside_castling_rights
        free = lambda board: not any(board.piece_at(s) for s in chess.SquareSet.between(board.king(self.me), self.at))
        rook = self.kind(self.end, self.at, self.me) == ROOK
        return self.opening() and corner and rook and right(self.me) and not free(self.start) and free(self.end)

    def hits_guard(self):
        if not self.quiet_first(BISHOP) or not self.centre(self.to) or height(self.me, self.to) != 5:
            return False
        pawns = any(
            files_apart(p, self.to) == 1 and height(self.me, p) > height(self.me, self.to)
            for p in self.end.pieces(PAWN, self.you)
        )
        seen = self.end.attacks(self.at) & ~self.start.attacks(self.moves[0].from_square)
        guards = [k for k in seen & self.end.pieces(KNIGHT, self.you) if self.to in self.end.attacks(k)]
        ours = self.their_move(self.end, self.me)
        goes = ours and any(m.to_square == self.to and ours.piece_type_at(m.from_square) == KNIGHT for m in ours.legal_moves)
        free = not pawns and self.end.piece_type_at(self.to) != PAWN
        return free and bool(guards) and bool(goes) and self.safe(self.end, self.at)

    def bishop_out(self):
        if not self.quiet_first(BISHOP):
            return False
        step = 8 if self.me == WHITE else -8
        blocked = [
            p
            for p in self.end.pieces(PAWN, self.me)
            if 2 <= chess.square_file(p) <= 5 and dark(p) == dark(self.at) and self.kind(self.end, p + step, self.you) == PAWN
        ]
        beyond = lambda board, s: sum(height(self.me, t) >= 5 for t in board.attacks(s))
        out = beyond(self.start, self.moves[0].from_square) == 0 and beyond(self.end, self.at) >= 2
        return len(blocked) >= 2 and out and self.safe(self.end, self.at)

    def avoids_pawn_ending(self):
        if not self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN):
            return False
        pieces = {s for s, p in self.end.piece_map().items() if p.piece_type not in (PAWN, KING)}
        was = self.moves[0].from_square
        same = self.kind(self.end, self.to, self.you) == self.end.piece_type_at(self.at)
        faced = self.to in self.start.attacks(was) and was in self.start.attacks(self.to)
        guarded = bool(self.start.attackers(self.you, self.to))
        left = pieces == {self.at, self.to} and bool(self.end.pawns)
        return left and same and faced and guarded and self.at not in self.end.attacks(self.to)

    def shields(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK) or self.to == self.at:
            return False
        man = all(self.kind(b, self.to, self.me) not in (None, KING) for b in (self.start, self.end))
        hit = self.start.attackers(self.you, self.to)
        sliders = [s for s in hit if self.start.piece_type_at(s) in (BISHOP, ROOK, QUEEN)]
        cut = any(self.at in chess.SquareSet.between(s, self.to) and s not in self.end.attackers(self.you, self.to) for s in sliders)
        loose = len(self.start.attackers(self.me, self.to)) <= len(hit) and not self.end.attackers(self.you, self.to)
        return man and cut and loose and not self.pawn_attacked(self.start, self.to, self.me) and self.safe(self.end, self.at)

    def closes_lines(self):
        outside = chess.square_file(self.to) not in (3, 4)
        if not self.quiet_first(PAWN) or self.to != self.end.king(self.me) or not outside:
            return False
        was = self.moves[0].from_square
        near = lambda s: files_apart(s, self.to) <= 1
        pawns = [p for p in self.start.pieces(PAWN, self.you) if was in self.start.attacks(p) and (near(p) or near(was))]
        apart = not self.end.attacks(self.at) & self.end.pieces(PAWN, self.you) and not self.pawn_attacked(self.end, self.at, self.you)
        return bool(pawns) and apart and bool(men(self.end, self.you, ROOK, QUEEN))

    def bars_pawn(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        front = files_apart(self.at, self.to) == 0 and height(self.you, self.at) == height(self.you, self.to) + 1
        after = self.pushed(self.start, self.you, self.at)
        if not front or after is None:
            return False
        hits = any(self.kind(after, s, self.me) not in (None, KING) for s in after.attacks(self.at))
        return (hits or self.centre(self.at)) and self.safe(after, self.at)

    def bars_king(self):
        if not ending(self.end) or not self.quiet_first(PAWN, KING) or not self.new_target():
            return False
        king = self.start.king(self.you)
        theirs = self.their_move(self.start, self.you)
        goes = theirs is not None and (chess.Move(king, self.to) in theirs.legal_moves or self.king_gets_to(theirs))
        goes = goes and self.end.piece_at(self.to) is None
        return goes and height(self.you, self.to) >= height(self.you, king) and self.safe(self.end, self.at)

    def king_gets_to(self, theirs):
        if height(self.you, self.to) < 5 or self.kind(self.end, self.at, self.me) != KING:
            return False
        for step in list(theirs.legal_moves):
            if step.from_square == theirs.king(self.you) and not theirs.is_capture(step) and not theirs.is_castling(step):
                later = theirs.copy()
                later.push(step)
                later = self.their_move(later, self.you)
                if later is not None and chess.Move(step.to_square, self.to) in later.legal_moves:
                    return True
        return False

    def drives_king_on(self):
        if len(self.moves) != 2 or self.start.turn != self.you or not self.boards[1].is_check():
            return False
        walk = self.moves[1]
        king = self.boards[1].piece_type_at(walk.from_square) == KING and walk.to_square == self.at
        near = steps(self.at, self.to) == 1 < steps(walk.from_square, self.to)
        few = len(self.end.piece_map()) <= 14 and height(self.me, self.at) >= 4
        return king and few and near and self.kind(self.end, self.to, self.you) == PAWN

    def holds_passer(self):
        if not self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN, KING) or not self.passer(self.end, self.to, self.me):
            return False
        return height(self.me, self.to) in (6, 7) and self.saves()

    def saves(self):
        before, now = self.their_move(self.start, self.you), self.end
        taken = before is not None and self.gain_on(before, self.to) > 0
        return self.to in now.attacks(self.at) and taken and self.gain_on(now, self.to) == 0 and self.safe(now, self.at)

    def holds(self):
        if not self.quiet_first(PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING) or self.kind(self.end, self.to, self.me) in (None, KING):
            return False
        return self.to not in self.start.attacks(self.moves[0].from_square) and self.saves()

    def leaves_square(self):
        if len(self.moves) != 2 or self.start.turn != self.you or self.start.is_check():
            return False
        (first, last), ours = self.moves, walked(self.start, chess.Move.null())
        quiet = not self.boards[1].is_capture(last) and not last.promotion and not self.boards[1].is_castling(last)
        gone = self.at in self.start.attacks(first.from_square) and self.at not in self.boards[1].attacks(first.to_square)
        early = [m for m in ours.legal_moves if (m.from_square, m.to_square) == (last.from_square, last.to_square)]
        lost = any(self.gain_on(walked(ours, m), self.at) > 0 for m in early)
        return last.to_square == self.at and quiet and gone and lost and self.safe(self.end, self.at)

    def gives_up_guard(self):
        if len(self.moves) != 2 or self.start.turn != self.you:
            return False
        (first, last), after = self.moves, self.boards[1]
        pieces = (KNIGHT, BISHOP, ROOK, QUEEN)
        quiet = not self.start.is_capture(first) and not self.start.is_castling(first) and not first.promotion
        quiet = quiet and not after.is_capture(last) and not last.promotion and not after.is_castling(last)
        if not quiet or self.start.piece_type_at(first.from_square) not in pieces or last.to_square != self.at:
            return False
        if self.to == first.to_square or self.kind(after, self.to, self.you) not in pieces:
            return False
        gone = self.to in self.start.attacks(first.from_square) and self.to not in after.attacks(first.to_square)
        new = self.to not in after.attacks(last.from_square) and self.to in self.end.attacks(self.at)
        few = len(self.end.attackers(self.me, self.to)) >= len(self.end.attackers(self.you, self.to))
        return gone and new and few and self.safe(self.end, self.at)

    def opens_way(self):
        if len(self.moves) not in (3, 5, 7, 9) or self.start.turn != self.me:
            return False
        (first, last), before = (self.moves[0], self.moves[-1]), self.boards[-2]
        pawn = self.start.piece_type_at(first.from_square) == PAWN and not self.start.is_capture(first)
        taken = self.boards[1].is_capture(self.moves[1]) and self.moves[1].to_square == first.to_square
        back = self.boards[2].is_capture(self.moves[2]) and self.moves[2].to_square == first.to_square
        lost = taken and not back and self.kind(self.end, first.to_square, self.me) != PAWN
        over = self.to == first.from_square and self.to in chess.SquareSet.between(last.from_square, last.to_square)
        slides = before.piece_type_at(last.from_square) in (BISHOP, ROOK, QUEEN) and last.to_square == self.at
        slides = slides and last.to_square != first.to_square
        return pawn and lost and over and slides and height(self.me, self.at) >= 5 and self.safe(self.end, self.at)

    def takes_guard(self):
        if len(self.moves) != 3 or self.start.turn != self.me:
            return False
        if not all(b.is_capture(m) for b, m in zip(self.boards, self.moves)):
            return False
        first, back, last = self.moves
        there = first.to_square == back.to_square == self.at and last.to_square == self.to
        guard = self.kind(self.start, self.at, self.you) in (KNIGHT, BISHOP) and self.to in self.start.attacks(self.at)
        return there and guard and self.kind(self.start, self.to, self.you) == PAWN and self.safe(self.end, self.to)

    def gathers_on_file(self):
        if not 3 <= len(self.moves) <= 9 or self.boards[-2].turn != self.me or self.moves[-1].to_square != self.at:
            return False
        file, king, pair = chess.square_file(self.at), self.end.king(self.you), (self.at, self.to)
        heavy = all(self.kind(self.end, s, self.me) in (ROOK, QUEEN) and self.safe(self.end, s) for s in pair)
        came = all(was is not None and chess.square_file(was) != file for was in (self.was, self.to_was))
        queen = any(self.kind(self.end, s, self.me) == QUEEN for s in pair) and chess.square_file(self.to) == file
        pawns = any(chess.square_file(p) == file for p in self.end.pieces(PAWN, self.me))
        near = files_apart(king, self.at) <= 1 and height(self.you, king) <= 2 and chess.square_file(king) not in (3, 4)
        return heavy and came and queen and not pawns and near

    def blocks_own_guard(self):
        if len(self.moves) != 2 or self.start.turn != self.you or self.start.is_check():
            return False
        (first, last), after = self.moves, self.boards[1]
        there = first.to_square == self.at and after.is_capture(last) and last.to_square == self.to
        stands = self.start.color_at(self.to) == self.you and first.from_square != self.to
        guards = [g for g in men(self.start, self.you, BISHOP, ROOK, QUEEN) if self.to in self.start.attacks(g) and g != first.from_square]
        shut = any(self.at in chess.SquareSet.between(g, self.to) and self.to not in after.attacks(g) for g in guards)
        ours = self.start.copy()
        ours.push(chess.Move.null())
        if not (there and stands and shut and self.gain_on(ours, self.to) == 0):
            return False
        taken = after.piece_type_at(self.to)
        grows = WORTH[last.promotion] - WORTH[PAWN] if last.promotion else 0
        return taken is not None and grows + WORTH[taken] > self.gain_on(self.end, self.to)

    def trades_minors(self):
        if len(self.moves) != 2 or self.start.turn != self.me or any(m.to_square != self.at for m in self.moves):
            return False
        kinds = [self.start.piece_type_at(s) for s in (self.moves[0].from_square, self.at)]
        return all(kind in (KNIGHT, BISHOP) for kind in kinds)

    def only_isolated(self, board):
        def weak(color):
            pawns = board.pieces(PAWN, color)
            alone = [p for p in pawns if not any(files_apart(p, q) == 1 for q in pawns)]
            return [p for p in alone if 2 <= chess.square_file(p) <= 5]

        free = not any(files_apart(p, self.to) == 0 for p in board.pieces(PAWN, self.me))
        return weak(self.you) == [self.to] and not weak(self.me) and chess.square_file(self.to) in (3, 4) and free

    def trades_against_isolated(self):
        return self.trades_minors() and len(self.start.piece_map()) >= 18 and self.only_isolated(self.start) and self.only_isolated(self.end)

    def leaves_too_little(self):
        last, before = self.moves[-1], self.boards[-2]
        takes = before.turn == self.me and before.is_capture(last) and last.to_square == self.at
        return takes and self.kind(before, self.at, self.you) != PAWN and self.too_little()

    def too_little(self):
        return not men(self.end, self.you, PAWN, ROOK, QUEEN) and len(men(self.end, self.you, KNIGHT, BISHOP)) <= 1

    def leaves_bad_bishop(self):
        ours, theirs = men(self.end, self.me, KNIGHT, BISHOP), men(self.end, self.you, KNIGHT, BISHOP)
        alone = len(ours) == 1 and self.kind(self.end, ours[0], self.me) == KNIGHT and theirs == [self.to]
        bad = self.burdened(self.end, self.to, self.you) and self.stuck(self.end, self.to, self.you) > 0
        return self.trades_minors() and alone and self.kind(self.end, self.to, self.you) == BISHOP and bad

    def stalemate_guards(self):
        last, before = self.moves[-1], self.boards[-2]
        comes = before.turn == self.me and before.piece_type_at(last.from_square) == KING and last.to_square == self.at
        if not comes or len(self.end.piece_map()) > 8 or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        after = [walked(self.end, m) for m in self.end.legal_moves]
        falls = lambda board: any(m.from_square == self.at and m.to_square == self.to for m in board.legal_moves)
        stalemates = [board.is_stalemate() for board in after]
        return any(stalemates) and all(stale or falls(board) for stale, board in zip(stalemates, after))

    def eases_cramp(self):
        far = lambda c: [p for p in self.start.pieces(PAWN, c) if 2 <= chess.square_file(p) <= 5 and height(c, p) >= 4]
        minors = self.trades_minors() and len(self.start.piece_map()) >= 22
        return minors and not far(self.me) and len(far(self.you)) >= 2

    def goes_back(self):
        if len(self.moves) not in (3, 5) or self.start.turn != self.you:
            return False
        (first, last), before = (self.moves[0], self.moves[-1]), self.boards[-2]
        piece = self.start.piece_type_at(first.from_square) in (KNIGHT, BISHOP, QUEEN) and first.from_square == self.at
        quiet = not self.start.is_capture(first) and not before.is_capture(last)
        so_far = Change(self.boards[:-1], self.moves[:-1], self.record)
        same = so_far.origin(last.from_square) == self.at
        return piece and quiet and last.to_square == self.at and same

    def escapes_fork(self):
        if len(self.moves) > 2 or not self.end.is_check():
            return False
        last, before = self.moves[-1], self.boards[-2]
        come = len(self.moves) == 1 or self.moves[0].to_square == self.to
        if before.turn != self.me or before.is_check() or not come or self.end.color_at(self.to) != self.you:
            return False
        passed = before.copy()
        passed.push(chess.Move.null())

        def falls(square):
            takings = [m for m in passed.legal_moves if (m.from_square, m.to_square) == (self.to, square)]
            # a pawn may capture and promote
            taking = max(takings, key=lambda m: m.promotion or 0, default=None)
            return taking is not None and WORTH[taking.promotion or PAWN] - WORTH[PAWN] + WORTH[passed.piece_type_at(square)] > self.gain_on(walked(passed, taking), square)

        prey = [s for s in men(before, self.me, KNIGHT, BISHOP, ROOK, QUEEN) if falls(s)]
        return last.to_square == self.at and last.from_square in prey and len(prey) >= 2 and self.safe(self.end, self.at)

    def unblocks_pawn(self):
        if len(self.moves) not in (2, 4) or self.start.turn != self.you:
            return False
        (first, last), before = (self.moves[0], self.moves[-1]), self.boards[-2]
        left = first.from_square == self.at and self.start.piece_type_at(self.at) != PAWN
        pawn = before.piece_type_at(last.from_square) == PAWN and last.to_square == self.at and not last.promotion
        straight = self.at - last.from_square == (8 if self.me else -8) and self.kind(self.start, last.from_square, self.me) == PAWN
        prey = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP, ROOK, QUEEN) and self.to != first.to_square
        return left and pawn and straight and prey and self.to in self.end.attacks(self.at)

    def trades_for_entry(self):
        if len(self.moves) not in (3, 5, 7) or self.start.turn != self.me:
            return False
        (first, last), before = (self.moves[0], self.moves[-1]), self.boards[-2]
        minor = self.start.piece_type_at(first.from_square) in (KNIGHT, BISHOP)
        left = lambda color: len(men(self.start, color, KNIGHT, BISHOP)) - len(men(self.end, color, KNIGHT, BISHOP))

        def took(ply):
            board, move = self.boards[ply], self.moves[ply]
            if self.kind(board, move.to_square, self.you) not in (KNIGHT, BISHOP):
                return False
            so_far = Change(self.boards[: ply + 1], self.moves[:ply], self.record)
            return so_far.origin(move.to_square) == self.to

        traded = left(self.me) == left(self.you) == 1 and any(took(ply) for ply in range(0, min(4, len(self.moves)), 2))
        goes = before.piece_type_at(last.from_square) in (KNIGHT, BISHOP, ROOK) and not before.is_capture(last)
        reach = any(files_apart(p, self.at) == 1 and height(self.me, p) > height(self.me, self.at) for p in men(self.start, self.you, PAWN))
        entry = last.to_square == self.at and height(self.me, self.at) in (5, 6, 7) and not reach
        return minor and traded and goes and entry and self.at in self.start.attacks(self.to) and self.safe(self.end, self.at)

    def offers_pawn_ending(self):
        if len(self.moves) > 2 or self.boards[-2].turn != self.me:
            return False
        move, before = self.moves[-1], self.boards[-2]
        if before.is_capture(move) or before.is_castling(move) or move.promotion or move.to_square != self.at:
            return False
        kind = self.kind(self.end, self.at, self.me)
        last = sum(p.piece_type not in (PAWN, KING) for p in self.end.piece_map().values()) == 2
        same = kind not in (None, PAWN, KING) and self.kind(self.end, self.to, self.you) == kind
        new = self.to in self.end.attacks(self.at) and self.to not in before.attacks(move.from_square)
        return last and same and new and bool(self.end.attackers(self.me, self.at)) and self.safe(self.end, self.at)

    def clears_square(self):
        if len(self.moves) not in (3, 5) or self.start.turn != self.me:
            return False
        (first, last), before = (self.moves[0], self.moves[-1]), self.boards[-2]
        special = lambda board, m: board.is_capture(m) or board.is_castling(m)
        second = self.boards[1].is_capture(self.moves[1]) and self.moves[1].to_square == first.to_square
        trade = len(self.moves) == 3 and self.start.is_capture(first) and second
        least = 4 if trade else 5
        if special(self.start, first) and not trade or special(before, last) or first.from_square != self.at != first.to_square:
            return False
        kind = before.piece_type_at(last.from_square)
        fit = {KING: ending(self.end)}.get(kind, kind in (KNIGHT, BISHOP) and (self.end.is_check() or height(self.me, self.at) >= least))
        other = last.to_square == self.at and self.was != self.at
        direct = any(m.to_square == self.at for m in self.start.legal_moves)
        rim = kind == KNIGHT and chess.square_file(last.from_square) in (0, 7)
        return (fit or rim) and other and not direct and self.safe(self.end, self.at)

    def kicks(self):
        prey = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP, ROOK, QUEEN)
        return self.quiet_first(PAWN) and prey and self.new_target()

    def drives_back(self):
        if len(self.moves) > 2 or self.boards[len(self.moves) - 1].turn != self.me:
            return False
        m, before = self.moves[-1], self.boards[-2]
        pawn = before.piece_type_at(m.from_square) == PAWN and m.to_square == self.at and not m.promotion
        prey = self.kind(self.end, self.to, self.you) in (KNIGHT, BISHOP, ROOK, QUEEN)
        new = self.to in self.end.attacks(self.at) and self.to not in before.attacks(m.from_square)
        if not (pawn and prey and new) or before.is_capture(m) or self.end.is_check():
            return False
        ways = [n for n in self.end.legal_moves if n.from_square == self.to]
        safe = [n for n in ways if self.end.is_capture(n) or self.safe(walked(self.end, n), n.to_square)]
        if len(safe) != 1 or self.end.is_capture(safe[0]):
            return False
        refuge = safe[0].to_square
        edge = chess.square_file(refuge) in (0, 7) or chess.square_rank(refuge) in (0, 7)
        return edge or height(self.you, refuge) < height(self.you, self.to)

    def gains_time(self):
        if len(self.moves) != 2 or self.start.turn != self.you:
            return False
        (first, answer), (start, middle, _) = self.moves, self.boards
        queen = start.piece_type_at(first.from_square) == QUEEN and not start.is_capture(first) and first.to_square == self.to
        comes = middle.piece_type_at(answer.from_square) in (PAWN, KNIGHT, BISHOP) and not middle.is_capture(answer)
        hits = answer.to_square == self.at and self.to in self.end.attacks(self.at)
        return queen and comes and answer.promotion is None and hits and self.safe(self.end, self.at)

    def weak_pawn(self):
        return self.weak(self.end, self.to, self.you)

    def weak(self, board, pawn, color):
        """One on files b to g without a neighbour, or that has left its second rank behind all of them, its file open to it."""
        if chess.square_file(pawn) in (0, 7) or self.kind(board, pawn, color) != PAWN:
            return False
        beside = [p for p in board.pieces(PAWN, color) if files_apart(p, pawn) == 1]
        facing = [p for p in board.pieces(PAWN, not color) if files_apart(p, pawn) == 0]
        exposed = all(height(color, p) == height(color, pawn) + 1 for p in facing)
        doubled = any(p != pawn and files_apart(p, pawn) == 0 for p in board.pieces(PAWN, color))
        least = height(color, pawn) + (not doubled)
        behind = height(color, pawn) > 2 and all(height(color, p) >= least for p in beside)
        return not beside or behind and exposed

    def targets_weak_pawn(self):
        came = self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN)
        return came and self.weak_pawn() and self.new_target() and self.safe(self.end, self.at)

    def offers_for_blockader(self):
        behind = self.to - (8 if self.me == WHITE else -8)
        if not 0 <= behind < 64 or self.kind(self.end, behind, self.me) != PAWN:
            return False
        alone = not any(files_apart(p, behind) == 1 for p in self.end.pieces(PAWN, self.me))
        return (alone or self.passer(self.end, behind, self.me)) and self.offered(KNIGHT, BISHOP)

    def pins_pawn(self):
        def pinned(board, slider):
            king = board.king(self.you)
            sole = [s for s in chess.SquareSet.between(slider, king) if board.piece_at(s)] == [self.to]
            across = chess.square_rank(slider) == chess.square_rank(king)
            way = {BISHOP: not across, ROOK: across, QUEEN: True}[board.piece_type_at(slider)]
            return sole and way and files_apart(slider, king) > 0

        pawn = self.kind(self.end, self.to, self.you) == PAWN
        came = self.quiet_first(BISHOP, ROOK, QUEEN)
        return came and pawn and pinned(self.end, self.at) and not pinned(self.start, self.moves[0].from_square) and self.safe(self.end, self.at)

    def prepares_fork(self):
        if not self.goes_on_to_attack(KNIGHT, BISHOP, ROOK, QUEEN, KING):
            return False
        ahead = self.at + (8 if self.me == WHITE else -8)
        prey = [s for s in self.pushed(self.end, self.me, ahead).attacks(ahead) if self.kind(self.end, s, self.you)]
        free = [s for s in prey if not self.pawn_attacked(self.end, s, self.me)]
        return len(free) == 2 and all(self.kind(self.end, s, self.you) != PAWN for s in free)

    def connects_rooks(self):
        if not self.quiet() or self.moves[0].to_square != self.at:
            return False
        home = [r for r in self.end.pieces(ROOK, self.me) if height(self.me, r) == 1]
        if len(home) != 2 or height(self.me, self.at) == 1:
            return False
        between = chess.SquareSet.between(*home)
        return self.moves[0].from_square in between and not any(self.end.piece_at(s) for s in between)

    def central_king(self):
        if not self.quiet_first(KING) or self.start.is_check() or len(self.end.piece_map()) < 20:
            return False
        queens = any(self.end.pieces(QUEEN, c) for c in (WHITE, BLACK))
        step = height(self.me, self.moves[0].from_square) == 1 and height(self.me, self.at) == 2
        return not queens and step and chess.square_file(self.at) in (3, 4)

    def boxes_king(self):
        king = self.end.king(self.you)
        bare = not men(self.end, self.you, KNIGHT, BISHOP, ROOK, QUEEN)
        if not self.quiet_first(ROOK, QUEEN) or self.to != king or not bare or not self.safe(self.end, self.at):
            return False

        def room(board):
            empty = board.copy(stack=False)
            empty.remove_piece_at(king)
            known, new = {king}, {king}
            while new:
                around = {t for s in new for t in chess.SquareSet(chess.BB_KING_ATTACKS[s])} - known
                new = {t for t in around if board.color_at(t) != self.you and not empty.attackers(self.me, t)}
                known |= new
            return len(known)

        before, after = room(self.start), room(self.end)
        return 2 * after <= before or before - after >= 8

    def provokes(self):
        if len(self.moves) != 2 or self.start.turn != self.me:
            return False
        first, answer = self.moves
        between, king = self.boards[1], self.start.king(self.you)
        pawn = between.piece_type_at(answer.from_square) == PAWN and not between.is_capture(answer)
        step = answer.to_square == self.at and height(self.you, answer.from_square) == 2 and files_apart(self.at, king) <= 1
        near = height(self.you, self.to) == 3 and steps(self.to, king) <= 2
        left = self.pawn_attacked(self.start, self.to, self.you) and not any(
            files_apart(p, self.to) == 1 and height(self.you, p) < height(self.you, self.to) for p in self.end.pieces(PAWN, self.you)
        )
        hit = [s for s in between.attacks(first.to_square) - self.start.attacks(first.from_square) if steps(s, king) == 1]
        aims = any(self.kind(self.start, s, self.you) == PAWN and files_apart(s, king) == 1 for s in hit)
        home = height(self.you, king) == 1 and self.end.pieces(QUEEN, self.me)
        return pawn and step and near and left and bool(home) and (between.is_check() or aims)

    def heads_for_pawn(self):
        if not self.quiet_first(KNIGHT) or not self.weak_pawn() or not self.safe(self.end, self.at):
            return False
        was = self.moves[0].from_square
        targets = chess.SquareSet(chess.BB_KNIGHT_ATTACKS[self.to])
        if was in targets or self.at in targets:
            return False
        ours = self.their_move(self.end, self.me)
        for m in ours.legal_moves if ours else ():
            new = m.to_square in targets and m.to_square not in chess.SquareSet(chess.BB_KNIGHT_ATTACKS[was])
            if m.from_square == self.at and new and not ours.is_capture(m) and self.safe(walked(ours, m), m.to_square):
                return True
        return False

    def takes_king_guard(self):
        if len(self.moves) != 2 or self.start.turn != self.me:
            return False
        first, last = self.moves
        at, king = first.to_square, self.start.king(self.you)
        bishop = self.kind(self.start, at, self.you) == BISHOP and chess.square_file(at) in (1, 6)
        home = height(self.you, at) == 2 and height(self.you, king) == 1 and files_apart(at, king) <= 1
        minor = self.kind(self.start, first.from_square, self.me) in (KNIGHT, BISHOP)
        return bishop and home and minor and last.to_square == at == self.at

    def opens_against_king(self):
        if not self.quiet_first(PAWN):
            return False
        was, king, file = self.moves[0].from_square, self.end.king(self.you), chess.square_file(self.at)
        strikes = any(p not in self.start.attacks(was) for p in self.end.attacks(self.at) & self.end.pieces(PAWN, self.you))
        alone = [p for p in self.end.pieces(PAWN, self.me) if chess.square_file(p) == file] == [self.at]
        heavy = [h for h in men(self.end, self.me, ROOK, QUEEN) if chess.square_file(h) == file]
        behind = any(height(self.me, h) < height(self.me, self.at) and self.open_way(self.end, h, self.at) for h in heavy)
        near = self.to == king and files_apart(king, self.at) <= 1 and height(self.you, king) <= 2 and not chess.square_file(king) in (3, 4)
        return strikes and alone and behind and near

    def closes_file(self):
        if not self.quiet_first(KNIGHT, BISHOP) or self.kind(self.end, self.to, self.you) not in (ROOK, QUEEN):
            return False
        for own in men(self.start, self.me, ROOK, QUEEN):
            faced = files_apart(own, self.to) == 0 and self.to in self.start.attacks(own)
            between = faced and self.at in chess.SquareSet.between(own, self.to)
            if between and any(r != own for r in self.end.pieces(ROOK, self.me)):
                return self.safe(self.end, self.at)
        return False

    def leaves_pawns_file(self, owner):
        """The files beside a pawn on the side to which this player's king has gone on its first rank, and on the other; none if not so."""
        pawn = self.to
        rooks = all(len(self.end.pieces(ROOK, c)) == 1 for c in (WHITE, BLACK)) and len(self.end.piece_map()) == 5
        if len(self.moves) != 1 or not rooks or self.kind(self.end, pawn, not owner) != PAWN:
            return None
        at, was = self.end.king(owner), self.start.king(owner)
        home = self.at == at and height(owner, at) == height(owner, was) == 1
        file, pawns = chess.square_file(at), chess.square_file(pawn)
        sides = (pawns, 7 - pawns) if file < pawns else (7 - pawns, pawns)
        return sides if home and chess.square_file(was) == pawns != file else None

    def short_side(self):
        sides = self.leaves_pawns_file(self.me)
        return sides is not None and sides[0] < sides[1]

    def long_side(self):
        sides = self.leaves_pawns_file(self.you)
        return sides is not None and sides[0] > sides[1]

    def storms_closed_centre(self):
        king = self.end.king(self.you)
        if not self.quiet_first(PAWN) or self.to != king or height(self.you, king) > 2:
            return False
        ahead = 8 if self.me == WHITE else -8
        met = {chess.square_file(p) for p in self.end.pieces(PAWN, self.me) if self.kind(self.end, p + ahead, self.you) == PAWN}
        file, wing = chess.square_file(king), (0, 1, 2) if chess.square_file(king) < 4 else (5, 6, 7)
        near = file not in (3, 4) and chess.square_file(self.at) in wing
        return {3, 4} <= met and near and height(self.me, self.at) in (4, 5) and self.safe(self.end, self.at)

    def goes_for_hook(self):
        king, ahead = self.end.king(self.you), self.at + (8 if self.me == WHITE else -8)
        if not self.quiet_first(PAWN) or height(self.me, self.at) != 4 or self.end.piece_type_at(ahead):
            return False
        hook = self.kind(self.end, self.to, self.you) == PAWN and height(self.you, self.to) == 3 and files_apart(self.to, self.at) == 1
        near = files_apart(self.to, king) <= 1 and height(self.you, king) <= 2 and chess.square_file(king) not in (3, 4)
        return hook and near and bool(self.end.pieces(QUEEN, self.me)) and self.safe(self.end, self.at)

    def cuts_off_guard(self):
        target = self.to
        if not self.quiet() or self.moves[0].to_square != self.at or self.kind(self.end, target, self.you) in (None, KING):
            return False
        cut = any(
            target in self.start.attacks(s) and target not in self.end.attacks(s) and self.at in chess.SquareSet.between(s, target)
            for s in men(self.end, self.you, BISHOP, ROOK, QUEEN)
        )
        boards = [self.their_move(b, self.me) for b in (self.start, self.end)]
        return cut and None not in boards and self.safe(boards[0], target) and not self.safe(boards[1], target)

    def ties_bishop(self):
        piece = self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN) and self.kind(self.end, self.to, self.you) == PAWN
        if not piece or not self.new_target() or not self.safe(self.end, self.at):
            return False
        guards = list(self.end.attackers(self.you, self.to))
        at_home = len(guards) == 1 and height(self.you, guards[0]) == 1 and chess.square_file(guards[0]) in (2, 5)
        ours = self.their_move(self.end, self.me)
        bishop = at_home and self.kind(self.end, guards[0], self.you) == BISHOP
        return bishop and ours is not None and self.safe(ours, self.to)

    def frees_bishop(self):
        at_home = height(self.me, self.to) == 1 and chess.square_file(self.to) in (2, 5)
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.me) != BISHOP or not at_home:
            return False
        was = self.moves[0].from_square
        diagonal = files_apart(was, self.to) == abs(chess.square_rank(was) - chess.square_rank(self.to))
        before = [s for s in chess.SquareSet.between(self.to, was) if self.start.piece_at(s)]
        alone = len(before) == 1 and self.kind(self.end, before[0], self.me) in (KNIGHT, QUEEN)
        return diagonal and alone and chess.square_file(was) in (3, 4) and self.safe(self.end, self.at)

    def behind_storm(self):
        if not self.quiet_first(ROOK) or self.kind(self.end, self.to, self.me) != PAWN:
            return False
        own, other, file = self.end.king(self.me), self.end.king(self.you), chess.square_file(self.to)
        along = chess.square_rank(self.moves[0].from_square) == chess.square_rank(self.at)
        front = files_apart(self.at, self.to) == 0 and height(self.me, self.at) < height(self.me, self.to) <= 4
        clear = not any(self.end.piece_at(s) for s in chess.SquareSet.between(self.at, self.to))
        ahead = self.to + (8 if self.me == WHITE else -8)
        near = file not in (3, 4) and files_apart(other, self.to) <= 1 and height(self.you, other) <= 2
        queens = all(self.end.pieces(QUEEN, c) for c in (WHITE, BLACK))
        away = files_apart(own, self.to) > 1 or files_apart(own, self.to) == 1 and chess.square_file(own) in (0, 7)
        free = clear and not self.end.piece_at(ahead) and away
        return along and front and free and near and queens and self.safe(self.end, self.at)

    def would_open_lines(self, square):
        king, level = self.end.king(self.me), height(self.you, square) + 1
        wards = [p for p in self.end.pieces(PAWN, self.me) if files_apart(p, square) == 1 and height(self.you, p) == level]
        wing = chess.square_file(king) not in (3, 4) and height(self.me, king) <= 2
        return wing and any(files_apart(p, king) <= 1 for p in wards)

    def guards_break(self):
        piece = self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN) and self.at != self.to and not self.end.piece_at(self.to)
        if not piece or not self.new_target():
            return False
        behind = self.to - (8 if self.you == WHITE else -8)
        pawn = behind in chess.SQUARES and self.kind(self.end, behind, self.you) == PAWN
        return pawn and self.would_open_lines(self.to) and self.safe(self.end, self.at)

    def central_counter(self):
        central = self.at in (chess.D4, chess.E4, chess.D5, chess.E5)
        if not self.quiet_first(PAWN) or not self.opening() or not central or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        king = self.end.king(self.you)
        home = chess.square_file(king) in (3, 4) and height(self.you, king) == 1
        wing = any(chess.square_file(p) in (0, 1, 6, 7) and height(self.you, p) >= 4 for p in self.end.pieces(PAWN, self.you))
        return self.new_target() and home and wing and self.safe(self.end, self.at)

    def blocks_storm(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != PAWN or height(self.you, self.to) < 4:
            return False
        front = files_apart(self.at, self.to) == 0 and height(self.you, self.at) == height(self.you, self.to) + 1
        heavy = [s for s in men(self.end, self.you, ROOK, QUEEN) if files_apart(s, self.to) == 0]
        clear = any(not chess.SquareSet.between(s, self.to) & chess.SquareSet(self.end.occupied) for s in heavy)
        wing = chess.square_file(self.to) not in (3, 4) and self.would_open_lines(self.at)
        free = not self.pawn_attacked(self.end, self.at, self.you)
        return front and clear and wing and free and self.safe(self.end, self.at)

    def closes_to_bishops(self):
        if not self.quiet_first(PAWN) or self.kind(self.end, self.to, self.you) != PAWN:
            return False
        ahead = 8 if self.me == WHITE else -8

        def blocked(board):
            central = [p for p in board.pieces(PAWN, self.me) if 2 <= chess.square_file(p) <= 5]
            return sum(self.kind(board, p + ahead, self.you) == PAWN for p in central)

        pair = len(self.end.pieces(BISHOP, self.you)) > 1 > len(self.end.pieces(BISHOP, self.me)) - 1
        return self.to == self.at + ahead and pair and blocked(self.end) >= 2 and blocked(self.end) > blocked(self.start)

    def opposes_bishop(self):
        def behind_knight(board, a):
            between = [s for s in chess.SquareSet.between(a, self.to) if board.piece_at(s)]
            diagonal = files_apart(a, self.to) == abs(chess.square_rank(a) - chess.square_rank(self.to)) > 0
            return diagonal and len(between) == 1 and board.piece_type_at(between[0]) == KNIGHT

        theirs = self.kind(self.end, self.to, self.you) == BISHOP and height(self.you, self.to) == 2
        if not self.quiet_first(BISHOP) or not theirs or chess.square_file(self.to) not in (1, 6):
            return False
        new = not behind_knight(self.start, self.moves[0].from_square)
        return behind_knight(self.end, self.at) and new and self.safe(self.end, self.at)

    def gives_king_bishop(self):
        if len(self.moves) != 2 or self.start.turn != self.you:
            return False
        taking, back = self.moves
        was, king = taking.from_square, self.end.king(self.you)
        right = self.start.piece_type_at(was) == BISHOP and self.kind(self.start, taking.to_square, self.me) == KNIGHT
        back = taking.to_square == back.to_square == self.at and self.start.is_capture(taking)
        near = {1: chess.square_file(king) <= 4, 6: chess.square_file(king) >= 4}.get(chess.square_file(was), False)
        home = height(self.you, was) == 2 and height(self.you, king) == 1 and near
        front = self.kind(self.end, self.to, self.you) == PAWN and self.to == was + (8 if self.you == WHITE else -8)
        same = lambda color: any(dark(b) == dark(was) for b in self.end.pieces(BISHOP, color))
        return right and back and home and front and same(self.me) and not same(self.you)

    def offers_piece(self):
        return self.quiet_first(KNIGHT, BISHOP, ROOK, QUEEN) and not self.safe(self.end, self.at)

    def theme(self):
        return getattr(self, self.record["theme"])()
