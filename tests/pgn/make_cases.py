#!/usr/bin/env python3
"""Writes cases.jsonl: small files of games, and what python-chess reads from the same bytes.

    python3 tests/pgn/make_cases.py > tests/pgn/cases.jsonl      (python-chess 1.11.2)

A line is a file: its name, its bytes (a character each), and its games: the tree of moves as text, the result, and of
every move of the main line the evaluation in its comment. Where Enroc is to read something else than python-chess, the
case says what and why; what python-chess makes of it stands there too, so that a reader can judge.
"""

import io
import json
import logging
import sys

import chess
import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
CASES = []


def case(name, data, ours=None, why=None, encoding="utf-8-sig", labels=None, faults=None):
    """`ours`: for each game (tree, result), where they differ from python-chess's, and `why`."""
    data = data.encode() if isinstance(data, str) else data
    assert (ours is None) == (why is None), name
    assert name not in [case[0] for case in CASES], name
    CASES.append((name, data, ours, why, encoding, labels, faults))


def spaced(text):
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def tree(game):
    words = []

    def comment(text):
        if spaced(text):
            words.append("{" + spaced(text) + "}")

    def move(node):
        comment(node.starting_comment)
        words.append(node.san() if node.move else "--")
        comment(node.comment)

    def line(node):
        while node.variations:
            first = node.variations[0]
            move(first)
            for other in node.variations[1:]:
                words.append("(")
                move(other)
                line(other)
                words.append(")")
            node = first

    comment(game.comment)
    line(game)
    return " ".join(words)


def label(node):
    """As Enroc writes a label: centipawns or a mate, for White."""
    score = node.eval()
    if score is None:
        return None
    score = score.white()
    if score.is_mate():
        return f"#{score.mate()}"
    return str(max(-30000, min(30000, score.score())))


def games(data, encoding):
    text = io.StringIO(data.decode(encoding, errors="replace"), newline=None)
    found = []
    while (game := chess.pgn.read_game(text)) is not None:
        moves = list(game.mainline())
        try:
            moves_and_comments = tree(game)
        except ValueError:
            # a variant that python-chess does not know
            moves_and_comments = ""
        found.append({
            "tree": moves_and_comments,
            "result": game.headers["Result"],
            "labels": [label(node) for node in moves],
        })
    return found


def plies(tree):
    depth, inside, count = 0, False, 0
    for word in tree.split():
        if inside or word.startswith("{"):
            inside = not word.endswith("}")
        elif word in "()":
            depth += 1 if word == "(" else -1
        else:
            count += depth == 0
    return count


def main():
    for name, data, ours, why, encoding, labels, faults in CASES:
        python = games(data, encoding)
        row = {"name": name, "bytes": data.decode("latin-1"), "python": python}
        if why is not None:
            row["why"] = why
            row["ours"] = [{"tree": tree, "result": result} for tree, result in ours]
        for game in row.get("ours", python):
            game["plies"] = plies(game["tree"])
        if labels is not None:
            row["labels"] = labels
        if faults is not None:
            row["faults"] = faults
        print(json.dumps(row))
        if "--show" in sys.argv:
            print(name, [(g["tree"], g["result"]) for g in python], file=sys.stderr)


ROSTER = '[Event "e"]\n[Site "s"]\n[Date "2020.01.01"]\n[Round "1"]\n[White "w"]\n[Black "b"]\n[Result "1-0"]\n\n'
SPACES = "python-chess ends a game at an empty line"
BEHIND = "the result behind the moves is that of the game, however many of them can be read"

# the standard's export format, and plain texts
case("export format", ROSTER + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n")
case("two games", (ROSTER + "1. e4 e5 1-0\n\n") * 2)
case("no tags", "1. e4 e5 2. Nf3 *\n")
case("no end", "1. e4 e5 2. Nf3")
case("only moves", "e4 e5 Nf3 Nc6")
case("no blank behind numbers", "1.e4 e5 2.Nf3 Nc6 1/2-1/2")
case("black numbers", "1. e4 1... e5 2. Nf3 2... Nc6 0-1")
case("number and dots apart", "1 . e4 e5 2 . Nf3 *")
case("numbers without dots", "1 e4 e5 2 Nf3 Nc6 *")
case("two dots", "1. e4 1.. e5 *")
case("dots apart", "1. e4 1. ... e5 *")
case("ellipsis", "1. e4 1…e5 2. Nf3 *")
case("ellipsis in latin-1", b"1. e4 1\x85e5 2. Nf3 *", encoding="cp1252")
case("wrong numbers", "7. e4 3... e5 99. Nf3 *")
case("moves on many lines", "1.\ne4\ne5\n2.\nNf3\n*\n")
case("tabs", "1.\te4\te5\t2.\tNf3\t*")
case("crlf", ROSTER.replace("\n", "\r\n") + "1. e4 e5\r\n2. Nf3 1-0\r\n\r\n")
case("cr alone", (ROSTER + "1. e4 e5\n2. Nf3 1-0\n\n").replace("\n", "\r").encode() * 2)
case("empty file", "")
case("blank file", " \n\n\t\n")
case("no game", "This is no game.\n", ours=[], why="there is neither a tag nor a move in it")
case("result alone", "1-0\n", ours=[], why="there is neither a tag nor a move in it")

# results
case("draw", "1. e4 e5 1/2-1/2")
case("half alone", '[Result "1/2"]\n\n1. e4 e5 1/2\n', ours=[("e4 e5", "1/2-1/2")], why="1/2 is a draw")
case("result in the moves, not in the tag", '[Result "*"]\n\n1. e4 e5 1-0\n')
case("result in the moves, no tag", '[Event "x"]\n\n1. e4 e5 0-1\n')
case("tag and moves disagree", '[Result "1-0"]\n\n1. e4 e5 0-1\n')
case("result in the tag alone", '[Result "0-1"]\n\n1. e4 e5 *\n')
case("result in the tag alone, none in the moves", '[Result "0-1"]\n\n1. e4 e5\n')
case("result glued to mate", "1. f3 e5 2. g4 Qh4#0-1\n")
case("result glued to a move", "1. e4 Nf61-0\n")
case("star glued to a move", "1. e4 e5*\n")
case("result in another dash", "1. e4 e5 1–0\n", ours=[("e4 e5", "1-0")], why="a dash is a dash")
case("half signs", "1. e4 e5 ½–½\n", ours=[("e4 e5", "1/2-1/2")], why="½ is 1/2")
case("colon results", '[Result "1:0"]\n\n1. e4 e5 1:0\n', ours=[("e4 e5", "1-0")], why="1:0 is 1-0")
case("unknown result", '[Result "?"]\n\n1. e4 e5\n', ours=[("e4 e5", "*")], why="no result, so not known")
case("result with blanks", '[Result "1 - 0"]\n\n1. e4 e5\n', ours=[("e4 e5", "1-0")], why="a result with blanks")
case("comment behind the result", "1. e4 e5 1-0 {resigns}\n")
case("comment before the result", "1. e4 e5 {Black resigns} 1-0\n")
case("two results", "1. e4 e5 1-0 1-0\n")
case("result within a variation", "1. e4 e5 (1... c5 1-0) 2. Nf3 0-1\n", ours=[("e4 e5 ( c5 ) Nf3", "0-1")],
     why="python-chess takes the 1-0 for a move that is illegal, and loses the result of the game")
case("next game on the same line", "1. e4 e5 1-0 1. d4 d5 0-1\n", ours=[("e4 e5", "1-0"), ("d4 d5", "0-1")],
     why="a result ends a game (PGN standard, 8.2.6)")

# variations
case("variation", "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")
case("variation at the first move", "1. e4 (1. d4 d5) 1... e5 *")
case("variation that repeats the first move", "1. e4 (1. e4 c5) 1... e5 *")
case("variation that repeats the main line", "1. e4 e5 2. Nf3 (2. Nf3 Nf6 3. Nxe5) 2... Nc6 3. Bb5 1-0")
case("variation that repeats with comments", "1. e4 {a} (1. e4 {b} c5 {c}) 1... e5 {d} *")
case("variation equal to the main line", "1. e4 e5 (1... e5 2. Nf3) 2. Nf3 (2. Nf3) *")
case("nested", "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6) 2. Nf3 *")
case("several variations", "1. e4 (1. d4) (1. c4) (1. Nf3 d5) 1... e5 *")
case("variation at the end", "1. e4 e5 2. Nf3 (2. f4 exf4) *")
case("brackets without blanks", "1.e4(1.d4 d5)1...e5(1...c5)2.Nf3*")
case("brackets with blanks", "1. e4 ( 1. d4 d5 ) 1... e5 *")
case("empty variation", "1. e4 () e5 *")
case("draw offer", "1. e4 (=) e5 *")
case("variation of a variation's first move", "1. e4 e5 (1... c5 (1... d5)) *")
case("comments in a variation", "1. e4 ({why} 1. d4 {this} d5 {that}) 1... e5 *")
case("comment alone in a variation", "1. e4 ({nothing}) e5 *")
case("deep", "1. e4 e5 " + "".join(f"({m} " for m in ["1... c5"] + ["2. Nf3 d6"] * 0) + "2. c3)" + " *")
case("variation after a comment", "1. e4 {a} (1. d4) {b} 1... e5 *")
case("variation before any move", "(1. d4) 1. e4 e5 *", ours=[("e4 e5", "*")], why="no move stands before it")
case("never closed", "1. e4 e5 (1... c5 2. Nf3 *\n")
case("closed twice", "1. e4 e5 (1... c5)) 2. Nf3 *")
case("illegal in a variation", "1. e4 e5 (1... Ke4 2. Nf3) 2. Nf3 *", ours=[("e4 e5 Nf3", "*")],
     why="python-chess loses its place behind an illegal move in a variation")
case("variations after an illegal one", "1. e4 (1. Ke4 e5 (1... d5)) e5 (1... c5) *", ours=[("e4 e5 ( c5 )", "*")],
     why="python-chess loses its place behind an illegal move in a variation")

# null moves
case("null in a variation", "1. e4 e5 (1... -- 2. d4) 2. Nf3 *")
case("Z0 in a variation", "1. e4 e5 (1... Z0 2. d4) 2. Nf3 *")
case("0000 in a variation", "1. e4 e5 (1... 0000 2. d4) 2. Nf3 *")
case("null in the main line", "1. e4 -- 2. d4 *", ours=[("e4", "*")], why="a game cannot be passed: it is read up to there",
     faults=["passed move"])
case("Z0 in the main line", "1. e4 Z0 2. d4 1-0", ours=[("e4", "1-0")], why="as before", faults=["passed move"])
case("null in check", "1. e4 f5 2. Qh5+ g6 (2... -- 3. Qxe8) *", ours=[("e4 f5 Qh5+ g6", "*")],
     why="in check no move can be passed")

# comments
case("comments", "{zero} 1. e4 {one} e5 {two} {three} *")
case("comment on several lines", "1. e4 {a\nb\n\nc} e5 *")
case("percent at the beginning of a line of a comment", "1. e4 {accuracy 87\n% of the best} e5 *")
case("semicolon at the beginning of a line of a comment", "1. e4 {first\n; second} e5 *")
case("bracket at the beginning of a line of a comment", "1. e4 {see\n[this] and\n[%clk 0:01:00]} e5 *")
case("tag at the beginning of a line of a comment", '1. e4 {see\n[Event "x"]\nthere} e5 *')
case("brackets and results in a comment", "1. e4 {not (1. d4) 1-0 *} e5 *")
case("braces within braces", "1. e4 {a {b} e5 *")
case("closing brace alone", "1. e4 } e5 *")
case("comment to the end of the line", "1. e4 ; the king's pawn\ne5 *", ours=[("e4 {the king's pawn} e5", "*")],
     why="python-chess drops such comments")
case("semicolon comment with a brace", "1. e4 ; a ( b { c\ne5 *", ours=[("e4 {a ( b { c} e5", "*")],
     why="python-chess drops such comments")
case("semicolon comment at the beginning of a line", "1. e4\n; alone\ne5 *", ours=[("e4 {alone} e5", "*")],
     why="python-chess drops such comments")
case("semicolon comment at the end", "1. e4 e5 * ; end", ours=[("e4 e5 {end}", "*")], why="python-chess drops such comments")
case("semicolon before the tags", "; made by hand\n" + ROSTER + "1. e4 1-0\n", ours=[("{made by hand} e4", "1-0")],
     why="python-chess drops such comments")
case("empty comment", "1. e4 {} e5 { } *")
case("comment never closed", "1. e4 e5 {forgotten\n2. Nf3 *\n")
case("comment never closed before another game", "1. e4 e5 {forgotten\n\n[Event \"b\"]\n\n1. d4 *\n",
     ours=[("e4 e5 {forgotten}", "*"), ("d4", "*")], why="the next game is not lost with it")
case("escape line", "% a line\n1. e4\n% another { ( line\ne5 *")
case("html in a comment", "1. e4 {a<br/>b &amp; c} e5 *")
case("comment between number and move", "1. {first} e4 e5 *")
case("chess commands", "1. e4 {[%csl Gd4][%cal Ge2e4] good} e5 {[%clk 0:03:00]} *")
case("bars and quotes in a comment", '1. e4 {"quoted" | \'x\' \\ back} e5 *')

# tags
case("tags on one line", '[Event "a"] [Site "b"] [Result "1-0"]\n\n1. e4 e5 1-0\n', ours=[("e4 e5", "1-0")],
     why="python-chess takes the line for one tag, and the result from the moves")
case("tags on the line of the moves", '[Event "a"] [Result "1-0"] 1. e4 e5 1-0\n', ours=[("e4 e5", "1-0")],
     why="tags may share a line with moves (PGN standard, 3.2.1); python-chess reads the moves within the tags")
case("games on the lines of their tags", '[Event "a"] 1. e4 e5 1-0 [Event "b"] 1. d4 d5 0-1\n',
     ours=[("e4 e5", "1-0"), ("d4 d5", "0-1")], why="as before")
case("tags follow without an empty line", '[Event "a"]\n1. e4 e5 1-0\n[Event "b"]\n1. d4 d5 0-1\n',
     ours=[("e4 e5", "1-0"), ("d4 d5", "0-1")], why="a tag behind moves begins a game")
case("tags follow without a result", '[Event "a"]\n\n1. e4 e5\n[Event "b"]\n\n1. d4 d5\n',
     ours=[("e4 e5", "*"), ("d4 d5", "*")], why="a tag behind moves begins a game")
case("no blank in a tag", f'[FEN"{FEN}"]\n\n1. e4 *\n', ours=[("e4", "*")], why="the tag is meant, not the start of a game")
case("blanks in a tag", f'[ FEN  "{FEN}" ]\n\n1. e4 Ke7 *\n', ours=[("e4 Ke7", "*")], why="the tag is meant")
case("indented tags", f'  [FEN "{FEN}"]\n  [Result "1-0"]\n\n1. e4 Ke7 1-0\n', ours=[("e4 Ke7", "1-0")], why="the tag is meant")
case("inner quotes", '[Event "The "Open" 2020"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("escaped quotes", '[Event "The \\"Open\\" \\\\ 2020"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("final backslash", '[Site "C:\\games\\"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("tag without its end", '[Event "a\n[Result "1-0"]\n\n1. e4 e5\n')
case("tag without its bracket", '[Event "a"\n[Result "1-0"]\n\n1. e4 e5\n')
case("tag without quotes", '[Event a]\n[Result 1-0]\n\n1. e4 e5\n', ours=[("e4 e5", "1-0")], why="the value is clear")
case("bracket in a tag", '[Event "a] [b"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("comment in a tag's value", '[Event "{a} (b) ; c"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("unusual names", '[Event_2 "a"]\n[White-Elo "2000"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("empty values", '[Event ""]\n[White ""]\n[Result ""]\n\n1. e4 e5\n', ours=[("e4 e5", "*")], why="no result, so not known")
case("long value", f'[Event "{"long " * 200}"]\n[Result "1-0"]\n\n1. e4 e5\n')
case("tag twice", '[Result "1-0"]\n[Result "0-1"]\n\n1. e4 e5\n')
case("empty lines between tags", '[Event "a"]\n\n[Site "b"]\n\n[Result "1-0"]\n\n1. e4 e5 1-0\n')
case("tags alone", '[Event "a"]\n[Result "1-0"]\n\n[Event "b"]\n[Result "0-1"]\n\n', ours=[("", "1-0"), ("", "0-1")],
     why="python-chess takes the tags of both for one game")
case("tags and result alone", '[Event "a"]\n[Result "1-0"]\n\n1-0\n\n[Event "b"]\n[Result "0-1"]\n\n0-1\n\n')
case("tags alone, last", '[Event "a"]\n\n1. e4 *\n\n[Event "b"]\n[Result "0-1"]\n')
case("bom", b"\xef\xbb\xbf" + (ROSTER + "1. e4 1-0\n").encode())
case("bom between games", b"\xef\xbb\xbf".join([(ROSTER + "1. e4 1-0\n\n").encode()] * 3), encoding="utf-8")
case("three empty lines between games", (ROSTER + "1. e4 e5 1-0\n\n\n\n") * 2)
case("escape line between tags", '[Event "a"]\n% note\n[Result "1-0"]\n\n1. e4 1-0\n')

# moves as people write them
case("long notation", "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 *")
case("uci", "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 g8f6 4. e1g1 *", ours=[("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O", "*")],
     why="moves in UCI's notation are moves")
case("uci promotion", '[FEN "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. e7e8q *')
case("zeros castle", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *")
case("small letters castle", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o-o Nf6 *", ours=[("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", "*")],
     why="that is castling")
case("castling on the queen's side", "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O 0-0-0 *")
case("castling with a check", '[FEN "5k2/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O+ *')
case("castling as a step", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Kg1 Nf6 *", ours=[("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", "*")],
     why="the king can only come to g1 by castling")
case("marks", "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *")
case("marks apart", "1. e4 ! e5 ? 2. Nf3 !! *")
case("numbered glyphs", "1. e4 $1 e5 $2 2. Nf3 $14 $18 Nc6$5 *")
case("equal", "1. e4= e5 2. Nf3= *")
case("white wins", "1. e4 e5 2. Nf3+- Nc6-+ *")
case("signs of evaluation", "1. e4 += e5 +/= 2. Nf3 ± Nc6 ∓ 3. Bb5 ∞ a6 =/+ 4. Ba4 -/+ *", encoding="utf-8")
case("glued signs of evaluation", "1. e4+= e5+/= 2. Nf3± Nc6∓ 3. Bb5∞ a6=/+ *")
case("signs in latin-1", b"1. e4\xb1 e5 2. Nf3 \xb1 *", encoding="latin-1")
case("novelty and diagram", "1. e4 N e5 D 2. Nf3 *")
case("novelty glued", "1. e4 e5 2. Nf3N Nc6 *", ours=[("e4 e5 Nf3 Nc6", "*")], why="a knight does not promote: N is a sign")
case("en passant", '[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"]\n\n1. exd6 e.p. Kd7 *')
case("en passant glued", '[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"]\n\n1. exd6e.p. Kd7 *')
case("en passant without dots", '[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"]\n\n1. exd6ep Kd7 *')
case("en passant apart without dots", '[FEN "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"]\n\n1. exd6 ep Kd7 *')
PROMOTION = '[FEN "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"]\n\n'
case("promotion", PROMOTION + "1. e8=Q Kf6 *")
case("promotion without a sign", PROMOTION + "1. e8Q Kf6 *")
case("promotion in small letters", PROMOTION + "1. e8=q Kf6 *")
case("promotion in brackets", PROMOTION + "1. e8(Q) Kf6 *", ours=[("e8=Q Kf6", "*")], why="the brackets are no variation")
case("promotion with a stroke", PROMOTION + "1. e8/Q Kf6 *", ours=[("e8=Q Kf6", "*")], why="the stroke is known (FIDE, C.11.1)")
case("promotion to nothing", PROMOTION + "1. e8 Kf6 *", faults=["illegal move"])
case("unneeded squares", "1. e2e4 e5 2. Ngf3 Nbc6 3. Bfb5 *")
case("missing captures", "1. e4 d5 2. ed5 Qd5 3. Nc3 *")
case("needless captures", "1. e4 e5 2. Nxf3 *")
case("colon captures", "1. e4 d5 2. e:d5 Q:d5 *", ours=[("e4 d5 exd5 Qxd5", "*")], why="a colon takes")
case("no marks of check", "1. e4 f5 2. Qh5 g6 *")
case("needless marks of check", "1. e4+ e5# 2. Nf3++ *")
case("daggers of check", "1. e4 f5 2. Qh5† g6 *")
case("figures of pieces", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 *", ours=[("e4 e5 Nf3 Nc6 Bb5", "*")], why="the figures are the pieces")
case("dashes of castling", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O Nf6 *", ours=[("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", "*")],
     why="a dash is a dash")
case("blanks that do not break", "1.\u00a0e4\u00a0e5\u00a02.\u00a0Nf3 *")
case("blanks that do not break, in latin-1", b"1.\xa0e4\xa0e5\xa02.\xa0Nf3 *", encoding="latin-1")
case("zero-width blanks", "1. e4\u200b e5 \u200b2. Nf3 *")
case("commas", "1. e4, e5, 2. Nf3, Nc6 *")
case("html breaks", "1. e4 e5<br>2. Nf3 Nc6<br/>\n3. Bb5&nbsp;a6 *", ours=[("e4 e5 Nf3 Nc6 Bb5 a6", "*")],
     why="the semicolon of &nbsp; begins no comment")
case("html between tags", '[Event "a"]<br>\n[Result "1-0"]<br />\n<br>\n1. e4 e5 1-0<br>\n', ours=[("e4 e5", "1-0")],
     why="the breaks are no part of the tags")
case("words between moves", "1. e4 e5 White resigns 1-0\n", faults=["word between moves"])
case("nul bytes", b"1. e4\0 e5\0\0 2. Nf3 *\0\0")
case("nul bytes between games", b'[Event "a"]\n\n1. e4 *\n\n\0\0\0[Event "b"]\n\n1. d4 *\n', ours=[("e4", "*"), ("d4", "*")],
     why="what a broken transfer left is no text")

# illegal and unreadable
case("illegal", "1. e4 e5 2. Ke3 Nc6 1-0", ours=[("e4 e5", "1-0")], why=BEHIND, faults=["illegal move"])
case("illegal with a variation", "1. e4 e5 2. Ke3 (2. Nf3) Nc6 1-0", ours=[("e4 e5", "1-0")], why=BEHIND, faults=["illegal move"])
case("ambiguous", '[FEN "4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1"]\n\n1. Nd2 *', faults=["ambiguous move"])
case("unreadable", "1. e4 e5 2. Sf3 Sc6 *", ours=[("e4 e5", "*")],
     why="python-chess passes over the S and plays a pawn to f3", faults=["unreadable move"])
case("castling without the right", "1. e4 e5 2. O-O *", faults=["illegal move"])
case("illegal, then another game", '[Event "a"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n[Event "b"]\n\n1. d4 d5 0-1\n',
     ours=[("e4 e5", "1-0"), ("d4 d5", "0-1")], why=BEHIND)

# starts
case("fen", f'[FEN "{FEN}"]\n[SetUp "1"]\n\n1. e4 Ke7 *')
case("fen without set-up", f'[FEN "{FEN}"]\n\n1. e4 Ke7 *')
case("black begins", '[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]\n\n1... e5 2. Nf3 *')
case("fen of four fields", '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - -"]\n\n1. e4 *')
case("fen of one field", '[FEN "4k3/8/8/8/8/8/4P3/4K3"]\n\n1. e4 *')
case("rights that cannot be", '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1"]\n\n1. e4 e5 *',
     faults=["castling right or square that cannot be"])
case("en passant square that cannot be", '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1"]\n\n1. e4 *',
     faults=["castling right or square that cannot be"])
case("empty fen", '[FEN ""]\n\n1. e4 *', ours=[("e4", "*")], why="nothing is said of a start")
case("fen that is none", '[FEN "what is this"]\n[Result "1-0"]\n\n1. e4 *\n\n1. d4 *\n', ours=[("", "1-0"), ("d4", "*")],
     why="the result of a game that cannot be read is known all the same", faults=["impossible start position"])
case("fen without a king", '[FEN "8/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *', ours=[("", "*")],
     why="python-chess plays without kings", faults=["impossible start position"])
case("handicap", '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"]\n[SetUp "1"]\n[Variant "From Position"]\n\n1. e4 e5 2. Nf3 *')

# Chess960 under its names
N960 = '[FEN "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1"]\n\n1. Ng3 Ng6 2. Qh1 Qh8 3. O-O O-O *\n'
for name in ["Chess960", "chess960", "chess 960", "Chess 960", "fischerandom", "Fischerandom", "fischerrandom",
                               "Fischer Random", "From Position", "Standard"]:
    case(f"Chess960 as {name}", f'[Variant "{name}"]\n{N960}')
for name in ["freestyle", "Freestyle Chess", "Chess9LX", "FRC", "Chess-960", "Fischer Random Chess", "wild/fr", "960", "DFRC"]:
    case(f"Chess960 as {name}", f'[Variant "{name}"]\n{N960}', ours=[("Ng3 Ng6 Qh1 Qh8 O-O O-O", "*")],
         why="another name of Chess960")
case("Chess960 with KQkq", f'[Variant "Chess960"]\n' + N960.replace("FCfc", "KQkq"))
case("Chess960 without its name", N960)
case("Chess960, the king already there", '[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n\n1. O-O-O *')
case("Chess960 in uci", '[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"]\n\n1. e1b1 *',
     ours=[("O-O-O", "*")], why="moves in UCI's notation are moves")
for name in ["?", ""]:
    case(f"chess as {name!r}", f'[Variant "{name}"]\n\n1. e4 e5 *\n', ours=[("e4 e5", "*")], why="no other game is named")
for name in ["Standard", "standard", "Chess", "normal"]:
    case(f"chess as {name!r}", f'[Variant "{name}"]\n\n1. e4 e5 *\n')
for name in ["Crazyhouse", "Atomic", "Three-check", "King of the Hill", "Antichess", "Horde", "Racing Kings", "Bughouse"]:
    case(f"not chess: {name}", f'[Variant "{name}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n', ours=[("", "1-0")],
         why="the game has other rules", faults=["other variant"])

# encodings
case("utf-8", '[White "Müller"]\n\n1. e4 {größer – ½} e5 *\n')
case("latin-1", '[White "Müller"]\n\n1. e4 {größer ½} e5 *\n'.encode("latin-1"), encoding="latin-1")
case("windows-1252", '[White "Šahović"]\n\n1. e4 {“a” – b €} e5 *\n'.replace("ć", "c").encode("cp1252"), encoding="cp1252")
case("utf-16 little", "\ufeff[White \"Müller\"]\n\n1. e4 {größer} e5 *\n".encode("utf-16-le"), encoding="utf-16")
case("utf-16 big", "\ufeff[White \"Müller\"]\n\n1. e4 {größer} e5 *\n".encode("utf-16-be"), encoding="utf-16")
case("utf-16 without a mark", "[White \"Müller\"]\n\n1. e4 {größer} e5 *\n".encode("utf-16-le"), encoding="utf-16-le")
case("both encodings", b'1. e4 {gr\xf6\xdfer} e5 *\n\n1. d4 {gr\xc3\xb6\xc3\x9fer} d5 *\n',
     ours=[("e4 {größer} e5", "*"), ("d4 {größer} d5", "*")], why="each comment is read in its own encoding")

# games that stand together
case("lines of openings", "1. e4 e5 2. Nf3\n\n1. d4 d5 2. c4\n\n1. c4\n", )
case("empty line among moves", "1. e4 e5\n\n2. Nf3 Nc6 *\n", ours=[("e4 e5 Nf3 Nc6", "*")], why=SPACES)
case("empty line behind a comment", "1. e4 {a}\n\n1... e5 *\n", ours=[("e4 {a} e5", "*")], why=SPACES)
case("notes before the first game", "Games of 2020\nround one\n\n" + ROSTER + "1. e4 1-0\n", ours=[("e4", "1-0")],
     why="words are no game")
case("moves of a game after a study", "{intro}\n\n1. e4 {a} e5 *\n", ours=[("{intro} e4 {a} e5", "*")], why=SPACES)

# what programs write
case("lichess", '[Event "Rated Blitz game"]\n[Site "https://lichess.org/abcdefgh"]\n[Result "1-0"]\n[UTCDate "2020.01.01"]\n'
     '[Variant "Standard"]\n[TimeControl "180+2"]\n\n1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... c5 { [%eval 0.19] [%clk 0:03:00] } '
     '2. Nf3?! { (0.25 → -0.52) Inaccuracy. Nc3 was best. } { [%eval -0.52] [%clk 0:02:58] } (2. Nc3 Nc6) 2... d6 { [%eval #-3] } 1-0\n')
case("lichess study", '[Event "Study: Chapter 1"]\n[Annotator "https://lichess.org/@/x"]\n\n{ First paragraph.\n\nSecond paragraph. [%csl Ge4] }\n'
     '1. e4 { a } { b } (1. d4 { long\ntext } (1. c4 { c } 1... e5)) 1... e5 $1 $14 { end } *\n\n\n')
case("chess.com", '[Event "Live Chess"]\n[Site "Chess.com"]\n[Date "2020.01.01"]\n[Round "-"]\n[White "a"]\n[Black "b"]\n[Result "0-1"]\n'
     '[CurrentPosition "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"]\n[ECO "A00"]\n[Termination "b won by checkmate"]\n\n'
     '1. f3 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:58.1]} 2. g4 {[%clk 0:02:57]} 2... Qh4# {[%clk 0:02:55.5]} 0-1\n')
case("cute chess", '[Event "?"]\n[Result "1/2-1/2"]\n[PlyCount "4"]\n[GameDuration "00:00:02"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.31/12 0.50s}\n'
     'Nc6 {-0.20/11 0.48s, Draw by adjudication} 1/2-1/2\n', labels=[[None, "31", "20", None]])
case("fastchess", '[Event "Fastchess Tournament"]\n[Result "1-0"]\n[Termination "adjudication"]\n\n1. e4 {+0.31/12, 0.50s, n=12345, sd=20}\n'
     'e5 {-0.20/11 0.480s} 2. Nf3 {+M5/20 0.1s} 1-0\n', labels=[["20", "#3", None]])
case("openbench, older", '[Event "OpenBench"]\n[Result "1-0"]\n\n1. e4 {+0.57 17/28 583 363004} e5 {-0.60 16/30 490 350000} 1-0\n', labels=[["60", None]])
case("tcec", '[Event "TCEC Season 20"]\n[Result "1/2-1/2"]\n\n1. e4 {book, mb=+0+0+0+0+0,} e5 {d=25, sd=40, mt=1000, tl=5000, s=100, n=100000, '
     'pv=Nf3 Nc6, tb=0, h=10.0, ph=0.0, wv=0.35, R50=50, Rd=-11, Rr=-11, mb=+0+0+0+0+0,} 1/2-1/2\n', labels=[["35", None]])
case("ccrl", '[Event "CCRL 40/15"]\n[Result "1-0"]\n[ECO "C20"]\n[Opening "King\'s pawn game"]\n\n1.e4 {+0.31/14 23s} e5 {-0.21/15 22} 2.Nf3 {0.00/13} 1-0\n', labels=[["21", "0", None]])
case("chessbase", '[Event "Ch"]\n[Result "1-0"]\n[EventDate "2020.??.??"]\n[SourceVersionDate "2020.01.01"]\n\n1. e4 {[%emt 0:00:05]} e5 {[%eval 14,24] [%emt 0:00:04]}\n'
     '2. Nf3 {[%cal Gf3e5][%csl Re5]} Nc6 {[#]} 1-0\n', labels=[[None, "14", None, None]],
     faults=[])
case("scid", '[Event "?"]\n[Result "*"]\n[ScidFlags "D"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n1.e4 $1 {comment} e5 $14 ( 1...c5 ) 2.Nf3 *\n\n')
case("arena", '[Event "Computer chess game"]\n[Result "1-0"]\n[BlackElo "2400"]\n[Time "12:00:00"]\n\n1. e4 {(e7e5) +0.31/12 5} e5 {(Nf3) -0.31/12 6} 1-0\n', labels=[["31", None]])
case("winboard", '[Event "Computer Chess Game"]\n[Result "1-0"]\n\n1. e4 {+0.31/12 5} e5 {-0.20/10}\n2. Nf3\n{White wins on time} 1-0\n\n', labels=[["20", None, None]])
case("fics", '[Event "FICS rated standard game"]\n[Site "FICS freechess.org"]\n[FICSGamesDBGameNo "1"]\n[Result "1-0"]\n\n1. e4 {[%emt 0.0]} e5 {[%emt 0.0]} {Black resigns} 1-0\n\n')
case("chess assistant", '[Event "x"]\n[Result "1/2-1/2"]\n[ECO "C20/01"]\n[PlyCount "4"]\n\n1. e4 {+0.2} e5 $11 2. Nf3 $1 {A) } (2. f4 $6 {B) }) 2... Nc6 1/2-1/2\n')
case("pgn-extract", '{ 1 }\n[Event "?"]\n[Result "*"]\n\n1. e4 { rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 } e5 *\n',
     ours=[("{1} e4 {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1} e5", "*")],
     why="python-chess takes the tags behind the comment for moves")
case("enroc's own", '[Event "?"]\n[Annotator "Enroc"]\n[Result "*"]\n\n{Accuracy: White 93\n% (opening 90 %); Black 100 %} 1. e4 {[%eval 0.35]} e5 $6 {[%eval 0.60] It allows a pawn to be\nwon.} (1... c5 2. Nf3) *\n\n')
case("twic", '[Event "x"]\n[Site "y"]\n[Result "1-0"]\n[WhiteElo "2700"]\n[EventDate "2020.01.01"]\n\n1. e4 e5 2. Nf3 Nc6 3.\nBb5 a6 4. Ba4 Nf6 1-0\n\n')

# labels
case("evaluation broken by a line", "1. e4 {[%eval\n0.35]} e5 {[%eval -0.1]} *", labels=[["35", "-10"]])
case("evaluation of chessbase", "1. e4 {[%eval 14,24]} e5 {[%eval -514,30]} *", labels=[["14", "-514"]])
case("evaluation with a depth", "1. e4 {[%eval 0.35,20]} e5 {[%eval #3,20]} 2. d4 {[%eval #-12]} *")
case("scores that are none", "1. e4 {1/2} e5 {7/10} 2. d4 {54/321} d5 {3.5/9 for Black} *", labels=[[None] * 4])
case("scores of engines", "1. e4 {book} e5 {-0.20/8 0.1s} 2. Nf3 {+0.35/11} Nc6 {-M4/9} *", labels=[["20", "35", "#2", None]])
case("a score broken by a line", "1. e4 {book} e5 {+0.31/12\n0.5s} *", labels=[["-31", None]])
case("older openbench", "1. e4 {book} e5 {+0.57 17/28 583 363004} *", labels=[["-57", None]])
case("wv of tcec", "1. e4 {book} e5 {d=25, sd=40, wv=0.35, R50=50} *", labels=[["35", None]])
case("arena's expectation", "1. e4 {book} e5 {(Nf3) +0.31/12} *", labels=[["-31", None]])

# whole games, long enough for every reader to take a position of them
LONG = ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1 Bg4 10. f3 Be6 "
        "11. Nc3 Bd6 12. Be3 b6 13. a4 O-O-O 14. a5 Kb7 15. e5 Be7 16. Rxd8 Bxd8 17. Ne4 Kc6")
case("long game", ROSTER + LONG + " 1-0\n")
case("long game with variations", ROSTER + LONG.replace("6. d4", "6. d4 (6. d4 exd4 7. Qxd4) (6. Re1)").replace("10. f3", "10. f3 {x (}") + " 1-0\n")
case("long game in latin-1", (ROSTER + LONG.replace("8. Nb3", "{M\xfcller} 8. Nb3") + " 1-0\n").encode("latin-1"), encoding="latin-1")
case("long games on one line", '[Event "a"] [Result "1-0"] ' + LONG + ' 1-0 [Event "b"] [Result "0-1"] ' + LONG + " 0-1",
     ours=[(" ".join(w for w in LONG.split() if not w[0].isdigit()), "1-0"), (" ".join(w for w in LONG.split() if not w[0].isdigit()), "0-1")],
     why="tags may share a line with moves (PGN standard, 3.2.1)")
case("shuffling", ROSTER + " ".join("Nf3 Nf6 Ng1 Ng8" for _ in range(300)) + " 1-0\n")

if __name__ == "__main__":
    main()
