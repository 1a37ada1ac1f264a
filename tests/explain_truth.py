#!/usr/bin/env python3
"""Checks what `enroc explain --json` says a second time, with python-chess and nothing of Enroc.

    enroc explain - --json < positions.tsv | python3 tests/explain_truth.py

Each line of the input is a JSON object: an explanation, whose reasons, changes, proved mates and facts are checked, or a
line with its claims. The definitions are those of docs/explanations.md, written anew. Needs `pip install chess`. The exit code
is 1 if a statement is false.
"""

import collections
import json
import sys

import chess
from chess import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

from explain_changes import Change
from explain_facts import facts
from explain_themes import Theme

# the fields of a reason that are not those of its claim
OUTSIDE = ("ply", "motif", "role", "fen", "line", "san", "way_out", "made_by")

WORTH = {PAWN: 100, KNIGHT: 300, BISHOP: 300, ROOK: 500, QUEEN: 900, KING: 0}
KINDS = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN]
LETTERS = {letter: kind for letter, kind in zip("pnbrqk", [*KINDS, KING])}
HEAVY = (ROOK, QUEEN)


class TooLong(Exception):
    """A count that is not worth its time: the claim stays unproved."""


def sq(name):
    return chess.parse_square(name)


def played(board, move):
    after = board.copy(stack=False)
    after.push(move)
    return after


def balance(board, color):
    pieces = board.piece_map().values()
    return sum(WORTH[p.piece_type] * (1 if p.color == color else -1) for p in pieces)


def kind(board, square, color):
    piece = board.piece_at(square)
    return piece.piece_type if piece and piece.color == color else None


def worth(board, square):
    piece = board.piece_at(square)
    return WORTH[piece.piece_type] if piece else 0


def takings(board, move):
    return balance(played(board, move), board.turn) - balance(board, board.turn)


def landing(board, move):
    """Where the moved piece ends, the king when castling."""
    if board.is_castling(move):
        return chess.square(6 if chess.square_file(move.to_square) > 4 else 2, chess.square_rank(move.from_square))
    return move.to_square


def captures_on(board, square):
    if board.piece_at(square) is None or board.piece_at(square).color == board.turn:
        return []
    return list(board.generate_legal_moves(chess.BB_ALL, chess.BB_SQUARES[square]))


def best(board, square):
    return max([0] + [value(board, move) for move in captures_on(board, square)])


def value(board, move):
    return takings(board, move) - best(played(board, move), landing(board, move))


def wins_by(board, start, square):
    return max([0] + [value(board, move) for move in captures_on(board, square) if move.from_square == start])


def takeable(board, square):
    return any(value(board, move) >= 0 for move in captures_on(board, square))


def turned(board, without=None):
    """The board with the other side to move and perhaps a piece less; None if the king could then be taken."""
    other = chess.Board(None)
    other.set_piece_map({s: p for s, p in board.piece_map().items() if s != without})
    other.turn = not board.turn
    return other if not other.was_into_check() else None


def sees(board, start, square):
    return board.piece_at(start) is not None and square in board.attacks(start)


def would_win(after, by, target):
    free = turned(after)
    if free:
        return wins_by(free, by, target) > 0
    answers = [m for m in after.legal_moves if m.from_square != target and m.to_square != by]
    def wins(m):
        answered = played(after, m)
        return wins_by(answered, by, target) > 0 or best(answered, landing(after, m)) >= worth(after, target)
    return bool(answers) and all(wins(m) for m in answers)


def mates(board):
    return [m for m in board.legal_moves if played(board, m).is_checkmate()]


def keeps(board, player, needed):
    nodes = [0]

    def settle(board):
        """Whether the player has what is needed once captures, promotions and answers to checks are done."""
        nodes[0] += 1
        if nodes[0] > 60_000:
            raise TooLong
        ours = board.turn == player
        enough = balance(board, player) >= needed
        check = board.is_check()
        if not check and enough == ours:
            return enough
        moves = list(board.legal_moves)
        if check and not moves:
            return not ours
        if not check:
            moves = [m for m in moves if board.is_capture(m) or m.promotion]
        results = (settle(played(board, m)) for m in sorted(moves, key=lambda m: -takings(board, m)))
        return any(results) if ours else all(results)

    if board.is_stalemate():
        return False
    if board.turn == player:
        moves = sorted(board.legal_moves, key=lambda m: not board.is_capture(m))
        return any(settle(played(board, m)) for m in moves)
    return settle(board)


def along(board, slider, toward):
    """The first two pieces that a slider meets in the direction of a square."""
    step = [b - a for a, b in zip(divmod(slider, 8), divmod(toward, 8))]
    piece = board.piece_type_at(slider)
    straight, diagonal = 0 in step, abs(step[0]) == abs(step[1])
    if not (straight and piece in HEAVY or diagonal and piece in (BISHOP, QUEEN)):
        return []
    step = [(d > 0) - (d < 0) for d in step]
    met, (rank, file) = [], divmod(slider, 8)
    while True:
        rank, file = rank + step[0], file + step[1]
        if not (0 <= rank < 8 and 0 <= file < 8):
            return met[:2]
        if board.piece_at(8 * rank + file):
            met.append(8 * rank + file)


def between(square, a, b):
    return square in chess.SquareSet(chess.between(a, b))


def perpetual(start, budget=1_500):
    """Whether checks go on for ever: every answer gets one next check, another one where that fails. The set of positions
    that is left is then gone through once more, so that nothing depends on how it was found."""
    boards, known, fails = [start], {start.epd(): 0}, set()
    checks, choice, chosen_by, unanswered, explored = {}, {}, {0: []}, [], 0
    while 0 not in fails:
        if unanswered:
            place, answer = unanswered.pop()
            left = [] if place in fails else checks[place][answer]
            while left and (place, answer) not in choice:
                # one that leads back, if there is one
                back = [n for n, check in enumerate(left) if known.get(check.epd(), -1) not in {-1} | fails]
                check = left.pop(max(back, default=-1))
                target = known.setdefault(check.epd(), len(boards))
                if target == len(boards):
                    boards.append(check)
                    chosen_by[target] = []
                if target not in fails:
                    choice[place, answer] = target
                    chosen_by[target].append((place, answer))
            if place not in fails and (place, answer) not in choice:
                fails.add(place)
                for other in chosen_by.pop(place):
                    choice.pop(other, None)
                    unanswered.append(other)
        elif explored == len(boards):
            return closed(boards, choice, {0}, [0])
        elif explored == budget:
            return False
        else:
            checks[explored] = [next_checks(turned) for turned in unsettled(boards[explored])]
            unanswered += [(explored, answer) for answer in range(len(checks[explored]))]
            explored += 1
    return False


def unsettled(board):
    """The positions after the answers to a check, but for those that stalemate the side that checks."""
    after = [played(board, answer) for answer in board.legal_moves]
    return [turned for turned in after if not turned.is_stalemate()]


def next_checks(board):
    """The positions after checks, the one with the fewest answers last."""
    checks = [played(board, m) for m in board.legal_moves if board.gives_check(m)]
    return sorted(checks, key=lambda check: -check.legal_moves.count())


def closed(boards, choice, seen, open_):
    """Whether each answer to each check is met by a check within the set."""
    while open_:
        place = open_.pop()
        for answer, turned in enumerate(unsettled(boards[place])):
            target = choice[place, answer]
            if boards[target].epd() not in [check.epd() for check in next_checks(turned)]:
                return False
            if target not in seen:
                seen.add(target)
                open_.append(target)
    return all(boards[place].is_check() for place in seen)


class Scene:
    def __init__(self, boards, moves, ply):
        self.boards, self.moves, self.ply = boards, moves, ply
        self.move, self.before, self.after = moves[ply], boards[ply], boards[ply + 1]
        self.us, self.them = self.before.turn, not self.before.turn
        self.lands = landing(self.before, self.move)

    def at(self, offset):
        index = self.ply + offset
        return self.moves[index] if 0 <= index < len(self.moves) else None

    def board(self, offset):
        """The board before the move so many plies on."""
        return self.boards[self.ply + offset]

    def captures(self, offset):
        return self.board(offset).is_capture(self.at(offset))

    def theirs(self, square, board=None):
        return kind(board or self.after, square, self.them)

    def ours(self, square, board=None):
        return kind(board or self.after, square, self.us)

    # material

    def material(self, winner, centipawns, won, lost, promoted):
        color = winner == "white"
        start, end = self.boards[0], self.boards[-1]
        gone = {chess.WHITE: [0] * 5, chess.BLACK: [0] * 5}
        became = [0] * 5
        for board, move in zip(self.boards, self.moves):
            if board.is_capture(move):
                victim = board.piece_type_at(move.to_square) or PAWN
                gone[not board.turn][KINDS.index(victim)] += 1
            if move.promotion and board.turn == color:
                became[KINDS.index(move.promotion)] += 1
        return (
            self.ply + 1 == len(self.moves)
            and centipawns >= 100
            and balance(end, color) - balance(start, color) == centipawns
            and (won, lost, promoted) == (gone[not color], gone[color], became)
            and keeps(end, color, balance(start, color) + centipawns)
        )

    def sacrifice(self, square, piece, centipawns):
        cost = best(self.after, sq(square)) - takings(self.before, self.move)
        taken = self.at(1) and self.captures(1) and self.at(1).to_square == sq(square)
        if taken and self.at(2) and self.captures(2) and self.at(2).to_square != sq(square):
            if keeps(self.boards[self.ply + 3], self.us, balance(self.before, self.us)):
                return False
        if not taken:
            check = self.at(2) and self.boards[self.ply + 2].is_check() and self.at(2).from_square != sq(square)
            taken = check and self.at(3) and self.captures(3) and self.at(3).to_square == sq(square)
        for_pawns = LETTERS[piece] in (chess.KNIGHT, chess.BISHOP) and cost >= 100
        enough = cost == centipawns and (for_pawns or cost >= 200 and 5 * cost >= 2 * WORTH[LETTERS[piece]])
        return self.lands == sq(square) and self.ours(sq(square)) == LETTERS[piece] and taken and enough

    # single pieces

    def takes_free(self, square, piece):
        square = sq(square)
        back = self.at(-1) and self.captures(-1) and self.at(-1).to_square == square
        there = self.move.to_square == square and self.theirs(square, self.before) == LETTERS[piece]
        return there and not back and not captures_on(self.after, square)

    def leaves_en_prise(self, square, piece, centipawns):
        square = sq(square)
        taken = takings(self.before, self.move) if self.lands == square else 0
        return self.ours(square) == LETTERS[piece] and best(self.after, square) == centipawns > taken

    def strikes(self):
        answer = self.at(1)
        return answer and (self.captures(1) or self.boards[self.ply + 2].is_check())

    def opens_line(self, slider, target):
        answer = self.strikes() and self.at(1)
        there = answer and answer.from_square == sq(slider) and landing(self.after, answer) == sq(target)
        slides = self.theirs(sq(slider)) in (chess.BISHOP, chess.ROOK, chess.QUEEN)
        return bool(there and slides and self.lands != sq(target) and chess.between(sq(slider), sq(target)) & chess.BB_SQUARES[self.move.from_square])

    def leaves_guard(self, target):
        return any(self.struck_unguarded(sq(target), later) for later in (1, 3))

    def struck_unguarded(self, square, later):
        strike, stayed = self.at(later), turned(self.before)
        if strike is None or stayed is None or landing(self.boards[self.ply + later], strike) != square:
            return False
        struck = self.boards[self.ply + later + 1]
        if not (self.captures(later) or later == 1 and struck.is_check()):
            return False
        if self.lands in struck.attackers(self.us, square) or best(struck, square) and not self.draws_king(square, later):
            return False
        for ply in range(1, later + 1):
            if self.at(ply) not in stayed.legal_moves:
                return False
            stayed = played(stayed, self.at(ply))
        back = [m for m in captures_on(stayed, square) if m.from_square == self.move.from_square]
        return any(takings(stayed, m) > best(played(stayed, m), square) for m in back)

    def draws_king(self, square, later):
        """Whether nothing but the king takes what has struck, and is in check again after that."""
        taking, struck = self.at(later + 1), self.boards[self.ply + later + 1]
        by = lambda m: struck.piece_type_at(m.from_square) == KING
        if taking is None or self.at(later + 2) is None or taking.to_square != square or not struck.is_capture(taking):
            return False
        return all(by(m) for m in captures_on(struck, square)) and self.boards[self.ply + later + 3].is_check()

    def trapped(self, square, piece):
        square = sq(square)

        def escapes(board):
            for move in board.legal_moves:
                lands = landing(board, move)
                stands = lands if move.from_square == square else square
                after, taken = played(board, move), takings(board, move)
                lost = max(best(after, stands), best(after, lands)) > taken
                if not lost or move.from_square == square and falls(after, stands) <= taken:
                    return True
            return False

        def falls(board, square):
            """What captures on a square win where the answer may be any capture."""
            won = [0]
            for move in captures_on(board, square):
                after = played(board, move)
                back = max([0] + [value(after, m) for m in after.legal_moves if after.is_capture(m)])
                won.append(takings(board, move) - back)
            return max(won)

        now, then = turned(self.after), turned(self.before)
        return (
            piece in "nbrq"
            and self.theirs(square) == LETTERS[piece]
            and now is not None
            and best(now, square) > 0
            and not escapes(self.after)
            and (best(self.before, square) == 0 or then is not None and escapes(then))
        )

    # two at once

    def fork(self, by, targets):
        by, targets = sq(by), [sq(t) for t in targets]
        start = self.move.from_square

        def hit(target):
            is_king = self.theirs(target) == KING
            return self.theirs(target) and sees(self.after, by, target) and (is_king or would_win(self.after, by, target))

        return (
            self.lands == by
            and len(set(targets)) == len(targets) >= 2
            and all(hit(t) for t in targets)
            and not all(sees(self.before, start, t) for t in targets)
            and not takeable(self.after, by)
        )

    def double_attack(self, attackers, targets):
        pairs = [(sq(a), sq(t)) for a, t in zip(attackers, targets)]

        def threatens(by, target):
            stood = self.move.from_square if by == self.lands else by
            return (
                self.ours(by)
                and self.theirs(target) not in (None, KING)
                and would_win(self.after, by, target)
                and not wins_by(self.before, stood, target)
                and not (self.before.is_check() and sees(self.before, stood, target))
                and not takeable(self.after, by)
            )

        distinct = all(len({pair[i] for pair in pairs}) == 2 for i in (0, 1))
        return len(pairs) == 2 and distinct and all(threatens(*pair) for pair in pairs)

    def double_check(self, king, checkers):
        return self.theirs(sq(king)) == KING and set(self.after.checkers()) == {sq(c) for c in checkers} and len(checkers) == 2

    # lines

    def uncovers(self, slider, target):
        stays = all(self.before.piece_at(s) == self.after.piece_at(s) for s in (slider, target))
        return self.ours(slider) and stays and sees(self.after, slider, target) and not sees(self.before, slider, target)

    def discovered_check(self, slider, king):
        return self.theirs(sq(king)) == KING and self.uncovers(sq(slider), sq(king))

    def discovered_attack(self, slider, target):
        slider, target = sq(slider), sq(target)
        return (
            self.theirs(target) not in (None, KING)
            and self.uncovers(slider, target)
            and would_win(self.after, slider, target)
            and not takeable(self.after, slider)
        )

    def lined_up(self, board, slider, front, behind):
        return (
            self.ours(slider, board) is not None
            and along(board, slider, front) == [front, behind]
            and None not in (self.theirs(front, board), self.theirs(behind, board))
        )

    def is_pin(self, pinner, pinned, behind):
        if not self.lined_up(self.after, pinner, pinned, behind) or self.theirs(pinned) == KING:
            return False
        return self.theirs(behind) == KING or worth(self.after, behind) > worth(self.after, pinned)

    def pin_prevents_escape(self, pinner, pinned, behind):
        pinner, pinned, behind = sq(pinner), sq(pinned), sq(behind)
        free = turned(self.after)
        if not self.is_pin(pinner, pinned, behind) or free is None or self.theirs(pinned) == PAWN:
            return False
        king = self.theirs(behind) == KING
        off = lambda square: square != pinner and not between(square, pinner, behind)
        if not any(off(s) and not self.theirs(s) for s in self.after.attacks(pinned)):
            return False
        for move in self.after.legal_moves:
            if move.from_square != pinned or between(move.to_square, pinner, behind):
                continue
            if move.to_square == pinner or king:
                return False
            if wins_by(played(self.after, move), pinner, behind) <= takings(self.after, move):
                return False
        if not king:
            bare = turned(self.after, without=pinned)
            if bare is None or not wins_by(bare, pinner, behind):
                return False
        new = not self.lined_up(self.before, pinner, pinned, behind) or best(self.before, pinned) == 0
        return best(free, pinned) > 0 and new

    def pin_prevents_attack(self, pinner, pinned, behind, prey):
        pinner, pinned, behind, prey = sq(pinner), sq(pinned), sq(behind), sq(prey)
        checks = self.lands == prey and self.theirs(behind) == KING and len(self.after.checkers()) < 2
        if self.ours(prey) in (None, KING) or not self.is_pin(pinner, pinned, behind):
            return False
        if self.after.is_check() and not checks:
            return False
        undefended = not self.after.attackers(self.us, prey)
        back = self.lands == prey and sees(self.after, prey, pinned) and would_win(self.after, prey, pinned)
        captures = [m for m in captures_on(self.after, prey) if m.from_square == pinned]
        if self.theirs(behind) == KING:
            cannot = not captures
        else:
            cannot = bool(captures) and all(
                wins_by(played(self.after, m), pinner, behind) > takings(self.after, m) for m in captures[:1]
            )
        return (
            prey != pinner
            and sees(self.after, pinned, prey)
            and (undefended or worth(self.after, prey) > worth(self.after, pinned) or back)
            and cannot
            and (self.lands == prey or not self.lined_up(self.before, pinner, pinned, behind))
        )

    def skewer(self, by, front, behind):
        by, front, behind = sq(by), sq(front), sq(behind)
        if not self.lined_up(self.after, by, front, behind) or self.lined_up(self.before, by, front, behind):
            return False
        if self.theirs(front) == PAWN or self.theirs(behind) in (PAWN, KING) or takeable(self.after, by):
            return False
        if self.theirs(front) == KING:
            return would_win(self.after, by, behind)
        free, bare = turned(self.after), turned(self.after, without=front)
        return (
            worth(self.after, front) >= worth(self.after, behind)
            and free is not None
            and wins_by(free, by, front) > 0
            and bare is not None
            and wins_by(bare, by, behind) > 0
        )

    def x_ray(self, slider, through, target):
        slider, through, target = sq(slider), sq(through), sq(target)
        if self.at(2) is None:
            return False
        return (
            all(self.captures(i) and self.at(i).to_square == target for i in range(3))
            and (self.at(1).from_square, self.at(2).from_square) == (through, slider)
            and self.before.piece_at(slider) == self.board(2).piece_at(slider)
            and along(self.before, slider, target) == [through, target]
        )

    # guards

    def ahead(self):
        return keeps(self.board(3), self.us, balance(self.before, self.us) + 100)

    def falls_next(self, target):
        if self.at(2) is None or not self.captures(2) or self.at(2).to_square != target:
            return False
        there = self.before.piece_at(target)
        return (
            there is not None
            and there.color == self.them
            and there.piece_type != KING
            and self.board(2).piece_at(target) == there
            and self.before.piece_at(self.at(2).from_square) == self.board(2).piece_at(self.at(2).from_square)
            and (
                sees(self.before, self.at(2).from_square, target)
                or between(self.move.from_square, self.at(2).from_square, target)
                and sees(self.after, self.at(2).from_square, target)
            )
            and value(self.board(2), self.at(2)) > 0
            and best(self.before, target) == 0
            and self.ahead()
        )

    def guards(self, board, guard, ward):
        return guard != ward and kind(board, guard, self.them) is not None and sees(board, guard, ward)

    def overloaded(self, defender, first, second):
        defender, first, second = sq(defender), sq(first), sq(second)
        return (
            self.captures(0)
            and self.move.to_square == first != second
            and self.guards(self.before, defender, first)
            and self.guards(self.before, defender, second)
            and self.at(1) is not None
            and (self.at(1).from_square, self.at(1).to_square) == (defender, first)
            and self.falls_next(second)
        )

    def removed_defender(self, defender, target):
        defender, target = sq(defender), sq(target)
        free = turned(self.after)
        return (
            self.captures(0)
            and self.move.to_square == defender
            and self.guards(self.before, defender, target)
            and (free is None or best(free, target) > 0)
            and self.falls_next(target)
        )

    def deflection(self, defender, target):
        defender, target = sq(defender), sq(target)
        answer, following = self.at(1), self.at(2)
        if following is None or answer.from_square != defender or target == self.lands:
            return False
        offer = self.captures(1) and answer.to_square == self.lands
        chased = self.theirs(defender) == KING and self.after.is_check()
        if not (offer or chased) or self.guards(self.board(2), landing(self.board(1), answer), target):
            return False
        early = following in self.before.legal_moves and landing(self.board(2), following) == target
        early = early and played(self.before, following)
        could_take = early and any((m.from_square, m.to_square) == (defender, target) for m in early.legal_moves)
        if could_take and following.promotion == QUEEN and not captures_on(self.board(3), target):
            return True
        if not self.guards(self.before, defender, target):
            return False
        offered = not self.captures(0) or value(self.before, self.move) < 0
        if offered and could_take and self.board(3).is_check() and self.pays():
            return True
        return could_take and self.board(3).is_checkmate() or offered and self.falls_next(target)

    def attraction(self, **squares):
        start, square = sq(squares["from"]), sq(squares["square"])
        answer, following = self.at(1), self.at(2)
        if following is None or not self.captures(1):
            return False
        lured = self.board(1).piece_type_at(answer.from_square)
        if lured == KING:
            caught = self.board(3).is_check()
        else:
            attackers = self.board(3).attackers(self.us, square)
            caught = (
                lured in HEAVY
                and following.to_square != square
                and any(would_win(self.board(3), by, square) for by in attackers)
            )
        taken = (answer.from_square, answer.to_square) == (start, square)
        return self.lands == square and taken and value(self.before, self.move) <= 0 and caught and self.pays()

    def pays(self):
        """The line ends in the opponent's mate or with a pawn's gain that is kept."""
        end = self.boards[-1]
        if end.is_checkmate():
            return end.turn == self.them
        return keeps(end, self.us, balance(self.before, self.us) + 100)

    def interference(self, square, slider, target):
        square, slider, target = sq(square), sq(slider), sq(target)
        return (
            self.lands == square
            and not self.before.is_castling(self.move)
            and self.at(2) is not None
            and self.guards(self.before, slider, target)
            and between(square, slider, target)
            and not self.guards(self.after, slider, target)
            and self.at(1).from_square != slider
            and not self.guards(self.board(2), slider, target)
            and self.falls_next(target)
        )

    def checks_first(self, taken):
        """The first moves give check before a piece is taken on the own first two ranks that could be taken at once."""
        piece = self.before.piece_at(taken)
        deep = chess.square_rank(taken) < 2 if self.us == chess.WHITE else chess.square_rank(taken) > 5
        if piece is None or piece.color == self.us or piece.piece_type == chess.PAWN or not deep:
            return False

        def takes(ply):
            move = self.at(ply)
            takes = move is not None and self.captures(ply) and move.to_square == taken
            return takes and self.board(ply).piece_at(taken) == piece and value(self.board(ply), move) > 0

        again = self.at(2) is not None and self.board(3).is_check()
        first = best(self.before, taken) >= 300 and self.lands != taken and self.after.is_check()
        return first and (takes(2) or again and takes(4))

    def intermezzo(self, recapture):
        recapture = sq(recapture)
        if self.ply == 0:
            return self.checks_first(recapture)
        return (
            self.ply > 0
            and self.at(2) is not None
            and self.captures(-1)
            and self.at(-1).to_square == recapture
            and best(self.before, recapture) > 0
            and self.lands != recapture
            and (self.after.is_check() or takings(self.before, self.move) > 0)
            and self.captures(2)
            and self.at(2).to_square == recapture
            and value(self.board(2), self.at(2)) > 0
        )

    # kings

    def mate(self, king):
        return self.after.is_checkmate() and self.after.king(self.them) == sq(king)

    def back_rank_mate(self, king, attacker):
        king, attacker = sq(king), sq(attacker)
        rank = 0 if self.them else 7
        front = 1 if self.them else 6
        file = chess.square_file(king)
        shield = [chess.square(f, front) for f in (file - 1, file, file + 1) if 0 <= f < 8]
        return (
            self.after.is_checkmate()
            and self.after.king(self.them) == king
            and chess.square_rank(king) == chess.square_rank(attacker) == rank
            and self.ours(attacker) in HEAVY
            and attacker in self.after.checkers()
            and all(self.theirs(s) for s in shield)
        )

    def named_mate(self, king, pattern):
        king, board = sq(king), self.after
        if not board.is_checkmate() or board.king(not self.us) != king:
            return False
        ring = chess.SquareSet(chess.BB_KING_ATTACKS[king])
        own = chess.SquareSet(board.occupied_co[not self.us])
        checkers = board.attackers(self.us, king)
        on_edge = lambda coordinate: coordinate in (0, 7)
        file, rank = chess.square_file(king), chess.square_rank(king)
        checking = lambda *kinds: [s for s in checkers if board.piece_type_at(s) in kinds]
        if pattern == "smothered":
            return bool(checking(KNIGHT)) and ring.issubset(own)
        if pattern == "anastasia":
            along = any(chess.square_file(s) == file for s in checking(ROOK, QUEEN))
            knights = [s for s in board.pieces(KNIGHT, self.us) if abs(chess.square_file(s) - file) == 3]
            return on_edge(file) and along and any(len(board.attacks(s) & ring) >= 2 for s in knights)
        if pattern == "arabian":
            rooks = [s for s in checking(ROOK) if s in ring]
            guarded = any(board.attackers(self.us, s) & board.pieces(KNIGHT, self.us) for s in rooks)
            return on_edge(file) and on_edge(rank) and guarded
        if pattern == "boden":
            others = set(board.pieces(BISHOP, self.us)) - set(checkers)
            rest = [s for s in set(ring) - set(own) if any(board.piece_type_at(g) != BISHOP for g in board.attackers(self.us, s))]
            return bool(checking(BISHOP)) and any(board.attacks(s) & ring for s in others) and not rest
        if pattern == "epaulette":
            for s in checking(QUEEN):
                straight = 0 in (chess.square_file(s) - file, chess.square_rank(s) - rank)
                upright = chess.square_file(s) == file
                flanks = [t for t in ring if (chess.square_rank(t) == rank if upright else chess.square_file(t) == file)]
                if straight and chess.square_distance(s, king) == 2 and len(flanks) == 2 and all(t in own for t in flanks):
                    return on_edge(file) or on_edge(rank)
            return False
        rooks = [s for s in checking(ROOK) if s in ring and chess.square_rank(s) == rank]
        back = rank == (7 if self.us else 0)
        return back and any(board.attackers(self.us, s) & board.pieces(BISHOP, self.us) for s in rooks)

    def cannot_take(self, square):
        square, answer = sq(square), self.at(1)
        if answer is None or answer.to_square != square or not self.after.is_capture(answer):
            return False
        wins, pieces = value(self.after, answer), {self.after.piece_type_at(s) for s in (square, answer.from_square)}
        mated = self.boards[-1].is_checkmate() and self.boards[-1].turn != self.before.turn
        trade = pieces in ({chess.QUEEN}, {chess.ROOK}) and wins >= 0 and mated
        return self.ours(square) and (wins >= 100 and self.line_pays() or trade)

    def taking_costs(self, square, mistake):
        answer = self.at(1)
        takes = answer is not None and answer.to_square == sq(square) and self.after.is_capture(answer)
        return takes and self.ours(sq(square)) and value(self.after, answer) >= 100

    def taking_is_worse(self, square, piece):
        there = self.theirs(sq(square), self.before) == LETTERS[piece]
        return there and self.move.to_square == sq(square) and value(self.before, self.move) >= 300

    def now_fails(self, **squares):
        answer = self.at(1)
        if answer is None or (answer.from_square, answer.to_square) != (sq(squares["from"]), sq(squares["to"])):
            return False
        passed = turned(self.before)
        if passed is not None:
            passed.castling_rights = self.before.castling_rights
        quiet = not self.after.is_capture(answer) and answer.promotion is None
        return quiet and passed is not None and answer in passed.legal_moves and self.line_pays()

    def line_pays(self):
        end = self.boards[-1]
        if end.is_checkmate():
            return end.turn != self.us
        return keeps(end, self.us, balance(self.before, self.us) + 100)

    def zugzwang(self, king, proved):
        def wins(board):
            def pays(move):
                taken = takings(board, move)
                worth = value(board, move)
                return board.is_capture(move) and worth > 0 or move.promotion and worth > taken / 2

            return any(pays(move) for move in board.legal_moves)

        board = self.after
        passed = turned(board)
        moves = list(board.legal_moves)
        right = board.king(not self.us) == sq(king) and not board.is_check()
        if not right or passed is None or wins(passed) or not moves:
            return False
        return not proved or all(value(board, move) <= 0 and wins(played(board, move)) for move in moves)

    def stalemate_trick(self, square):
        square = sq(square)
        return (
            self.at(1) is not None
            and self.after.color_at(square) == self.us
            and self.captures(1)
            and self.at(1).to_square == square
            and balance(self.board(2), self.us) <= -200
            and self.board(2).is_stalemate()
        )

    def perpetual(self, king):
        right = self.after.king(self.them) == sq(king) and balance(self.after, self.us) <= 0
        return right and self.after.is_check() and any(self.after.legal_moves) and perpetual(self.after)

    def loses_castling(self, king_side, queen_side):
        lost = []
        for has in (chess.Board.has_kingside_castling_rights, chess.Board.has_queenside_castling_rights):
            lost.append(has(self.before, self.us) and not has(self.after, self.us))
        return any(lost) and lost == [king_side, queen_side] and not self.before.is_castling(self.move)

    # pawns

    def promotion(self, square, piece):
        return self.move.promotion == LETTERS[piece] and self.move.to_square == sq(square)

    def underpromotion(self, square, piece, reason):
        if not self.promotion(square, piece) or piece == "q":
            return False
        queened = played(self.before, chess.Move(self.move.from_square, self.move.to_square, QUEEN))
        return {
            "mates": self.after.is_checkmate() and not queened.is_checkmate(),
            "checks": self.after.is_check() and not queened.is_check(),
            "avoids_stalemate": queened.is_stalemate() and not self.after.is_stalemate(),
            "avoids_trick": reason == "avoids_trick" and self.trick(queened) and any(self.after.legal_moves),
        }[reason]

    def trick(self, board):
        """A check whose taking is stalemate, while every other reply loses a queen."""

        def fails(offered, check, reply):
            after = played(offered, reply)
            lost = any(best(after, queen) > 0 for queen in after.pieces(chess.QUEEN, self.us))
            return taken(offered, check, reply) and after.is_stalemate() or lost

        def taken(offered, check, reply):
            return offered.is_capture(reply) and reply.to_square == check.to_square

        for check in board.legal_moves:
            offered = played(board, check)
            replies = list(offered.legal_moves)
            stuck = any(taken(offered, check, r) and played(offered, r).is_stalemate() for r in replies)
            if offered.is_check() and stuck and all(fails(offered, check, r) for r in replies):
                return True
        return False

    def unstoppable_pawn(self, pawn):
        nodes = [0]

        def runs(board, pawn):
            nodes[0] += 1
            if nodes[0] > 40_000:
                raise TooLong
            answers = list(board.legal_moves)
            return bool(answers) and all(
                kind(b, pawn, self.us) == PAWN and pushes(b, pawn) for b in (played(board, m) for m in answers)
            )

        def pushes(board, pawn):
            for move in board.legal_moves:
                straight = chess.square_file(move.to_square) == chess.square_file(pawn)
                if move.from_square != pawn or not straight or move.promotion not in (None, QUEEN):
                    continue
                after = played(board, move)
                if not captures_on(after, move.to_square) if move.promotion else runs(after, move.to_square):
                    return True
            return False

        bare = all(p.color == self.us or p.piece_type in (PAWN, KING) for p in self.after.piece_map().values())
        return self.ours(sq(pawn)) == PAWN and bare and runs(self.after, sq(pawn))

    # threats

    def threatens_mate(self, **squares):
        free = turned(self.after)
        hits = free and any((m.from_square, m.to_square) == (sq(squares["from"]), sq(squares["to"])) for m in mates(free))
        return bool(hits) and not mates(self.before)

    def threatens_capture(self, target, centipawns):
        target, free = sq(target), turned(self.after)
        if self.theirs(target) in (None, KING) or free is None:
            return False
        return best(free, target) == centipawns > 0 and best(self.before, target) == 0

    def ignores_mate(self, **squares):
        wanted = (sq(squares["from"]), sq(squares["to"]))
        free, answer = turned(self.before), self.at(1)
        hit = free and any((m.from_square, m.to_square) == wanted for m in mates(free))
        return bool(hit) and answer and (answer.from_square, answer.to_square) == wanted and self.board(2).is_checkmate()

    def ignores_capture(self, target):
        target, free, answer = sq(target), turned(self.before), self.at(1)
        return (
            self.ours(target) not in (None, KING)
            and self.before.piece_at(target) == self.after.piece_at(target)
            and free is not None
            and best(free, target) > 0
            and answer is not None
            and self.captures(1)
            and answer.to_square == target
            and value(self.after, answer) > 0
        )


def mates_by_force(board, moves, nodes):
    """Whether the side to move mates in at most so many moves, by trying everything."""
    if moves == 0:
        return False
    ordered = sorted(board.legal_moves, key=lambda move: not board.gives_check(move))
    for move in ordered:
        if moves == 1 and not board.gives_check(move):
            continue
        if is_mated_by_force(played(board, move), moves - 1, nodes):
            return True
    return False


def is_mated_by_force(board, moves, nodes):
    """Whether the side to move is mated, or will be in at most so many moves of the other side."""
    nodes[0] += 1
    if nodes[0] > 60_000:
        raise TooLong
    answers = list(board.legal_moves)
    if not answers or moves == 0:
        return board.is_checkmate()
    return all(mates_by_force(played(board, move), moves, nodes) for move in answers)


def mate_news_is_true(board, move, news):
    """What an explanation says of a forced mate and marks as proved."""
    after = played(board, move)
    if news["news"] == "mates":
        return is_mated_by_force(after, news["moves"] - 1, [0])
    if news["news"] == "missed":
        return mates_by_force(board, news["moves"], [0])
    if news["news"] == "delayed":
        return mates_by_force(board, news["best"], [0])
    return mates_by_force(after, news["moves"], [0])


def statements(record):
    """Every claim, change and proved mate of a record, as a name and a function that says whether it is true."""
    board = chess.Board(record["fen"])

    def replayed(fen, line):
        boards, moves = [chess.Board(fen)], []
        for uci in line:
            moves.append(boards[-1].parse_uci(uci))
            boards.append(played(boards[-1], moves[-1]))
        return boards, moves

    def claim(claim, fen, line):
        fields = {k: v for k, v in claim.items() if k not in OUTSIDE}
        scene = Scene(*replayed(fen, line), claim["ply"])
        return claim["motif"], lambda: getattr(scene, claim["motif"])(**fields)

    for found in record.get("claims", []):
        yield claim(found, record["fen"], record["line"])
    def way_out(reason, found):
        """Another move of the side that loses material, after which it loses half as much at most."""
        ply, (boards, _) = found["ply"], replayed(found["fen"], found["line"])
        loser = reason["winner"] != "white"
        needed = balance(boards[0], loser) - reason["centipawns"] // 2
        leaves = found["line"][:ply] == reason["line"][:ply] and found["line"][ply] != reason["line"][ply]
        return leaves and boards[ply].turn == loser and keeps(boards[-1], loser, needed)

    def forestalled(kind, reason, uci):
        """After the move the line cannot be played, changes that no longer, or its first piece would be lost."""
        boards = [played(board, board.parse_uci(uci))]
        for move in replayed(reason["fen"], reason["line"])[1]:
            if move not in boards[-1].legal_moves:
                return True
            boards.append(played(boards[-1], move))
        first = replayed(reason["fen"], reason["line"][:1])
        to = landing(first[0][0], first[1][0])
        moves = [chess.Move.from_uci(uci) for uci in reason["line"]]
        return best(boards[1], to) > best(first[0][1], to) or not kind(boards, moves, reason).is_true()

    better = record.get("better") or {}
    for_move = [(record.get("move"), reason) for reason in record.get("reasons", [])]
    for_better = [(better["line"][0], reason) for reason in better.get("reasons", [])]
    for uci, reason in for_move + for_better:
        if "motif" in reason:
            yield claim(reason, reason["fen"], reason["line"])
            if "way_out" in reason:
                yield "way out", lambda reason=reason: way_out(reason, reason["way_out"])
        else:
            kind = Theme if reason["change"] == "theme" else Change
            change = kind(*replayed(reason["fen"], reason["line"]), reason)
            yield reason.get("theme", reason["change"]), change.is_true
            if reason["role"] == "prevents":
                yield "forestalled", lambda kind=kind, reason=reason, uci=uci: forestalled(kind, reason, uci)
    if "facts" in record:
        found = facts(board, board.parse_uci(record["move"]))
        for name, value in found.items():
            yield f"fact: {name}", lambda name=name, value=value: record["facts"][name] == value
    for news in record.get("verdict", {}).get("mates", []):
        if news["proved"]:
            move = board.parse_uci(record["move"])
            yield "mate by force", lambda news=news: mate_news_is_true(board, move, news)


def main():
    confirmed, refuted, unproved = (collections.Counter() for _ in range(3))
    records = 0
    for text in sys.stdin:
        record = json.loads(text)
        records += 1
        for name, is_true in statements(record):
            try:
                true = is_true()
            except TooLong:
                unproved[name] += 1
                continue
            (confirmed if true else refuted)[name] += 1
            if not true:
                print(f"FALSE {name}: {text.strip()}")
    print(f"{records} records: {confirmed.total()} confirmed, {refuted.total()} false, {unproved.total()} not decided in time")
    for name in sorted(confirmed | refuted | unproved):
        print(f"{name:22} {confirmed[name]:6} {refuted[name]:4} {unproved[name]:4}")
    return 1 if refuted.total() else 0


if __name__ == "__main__":
    sys.exit(main())
