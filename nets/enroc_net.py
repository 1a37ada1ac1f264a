"""Encodes positions, and reads, evaluates and writes Enroc's MLPs and CNNs: docs/net-format.md in numpy and safetensors.

    python nets/enroc_net.py NET.safetensors FEN...     the net's output for each position, and its centipawns"""
import json, re, sys  # noqa: E401

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

PIECES = "PNBRQKpnbrqk"
# by layout, of a king on the files e to h, by rank
REGIONS = {
    "m5": [[0, 0, 1, 2], [3, 3, 2, 2], [3, 3, 3, 3]] + [[4, 4, 4, 4]] * 5,
    "m16": [[0, 1, 2, 3], [4, 5, 6, 7]] + [[n, n, n + 1, n + 1] for n in (8, 10, 12)] + [[14] * 4] + [[15] * 4] * 2,
}


def attacked(board, square, own):
    """Whether a piece of the side with own = 0 (White) or 6 (Black) attacks the square."""
    for dx, dy in ((dx, dy) for dx in range(-2, 3) for dy in range(-2, 3)):
        for n in range(1, 8 if max(abs(dx), abs(dy)) == 1 else 2):
            x, y = square % 8 + n * dx, square // 8 + n * dy
            if not (0 <= x < 8 and 0 <= y < 8):
                break
            piece = PIECES[board[8 * y + x]].upper() if own <= board[8 * y + x] < own + 6 else " "
            near = "K" + ("P" if dx and dy == (-1 if own == 0 else 1) else "") if n == 1 else ""
            if piece in {0: "R", 1: "B", 2: "N"}.get(abs(dx * dy), "") + ("" if abs(dx * dy) == 2 else "Q" + near):
                return True
            if board[8 * y + x] >= 0:
                break
    return False


class Position:
    """board: 64 places in PIECES or -1, a1 first; own: 0 if White moves, else 6; rights: K, Q, k, q; passing: the en
    passant square, None unless a capture there is legal."""
    def __init__(self, fen):
        rows, side, castling, passing = fen.split()[:4]
        self.board, self.own = [-1] * 64, 0 if side == "w" else 6
        for y, row in enumerate(rows.split("/")):
            x = 0
            for letter in row:
                if letter.isdigit():
                    x += int(letter)
                else:
                    self.board[8 * (7 - y) + x], x = PIECES.index(letter), x + 1
        self.rights = [letter in castling for letter in "KQkq"]
        square = -1 if passing == "-" else "abcdefgh".index(passing[0]) + 8 * (int(passing[1]) - 1)
        self.passing = square if square >= 0 and self.can_pass(square) else None

    def can_pass(self, square):
        pawn = square + (-8 if self.own == 0 else 8)
        for start in (pawn - 1, pawn + 1):
            if start // 8 == pawn // 8 and self.board[start] == self.own and self.board[pawn] == 6 - self.own:
                after = list(self.board)
                after[start], after[pawn], after[square] = -1, -1, self.own
                if not attacked(after, after.index(self.own + 5), 6 - self.own):
                    return True
        return False

    def seen(self, view):
        """From the side with view = 0 or 6: pieces and squares, its castling rights before the other's, whether it moves."""
        pieces = [((p + view) % 12, s if view == 0 else s ^ 56) for s, p in enumerate(self.board) if p >= 0]
        rights = self.rights if view == 0 else self.rights[2:] + self.rights[:2]
        return pieces, rights, self.own == view

    def bits(self, view, mirrored=False):
        """The 774 bits from a side."""
        pieces, rights, moves = self.seen(view)
        bits = np.array([0] * 768 + [moves, *rights, self.passing is not None], np.float32)
        bits[[64 * piece + (square ^ 7 if mirrored else square) for piece, square in pieces]] = 1
        return bits

    def planes(self, view):
        """The 16 planes of 8 ranks and 8 files from a side."""
        pieces, rights, moves = self.seen(view)
        planes = np.zeros((16, 64), np.float32)
        planes[tuple(zip(*pieces))] = 1
        planes[12] = moves
        for plane in (0, 1):  # the queen's wing stands on the files a to d
            planes[13 + plane] = [rights[2 * plane + (square % 8 < 4)] for square in range(64)]
        if self.passing is not None:
            planes[15, self.passing if view == 0 else self.passing ^ 56] = 1
        return planes.reshape(16, 8, 8)


relu, clip = (lambda x: np.maximum(x, 0)), (lambda x: np.clip(x, 0, 1))  # noqa: E731
ACTIVATIONS = {"relu": relu, "clippedrelu": clip, "squaredclippedrelu": lambda x: clip(x) ** 2}


class Net:
    """info: the metadata `enroc`; tensors by name."""
    def __init__(self, info, tensors):
        self.info, self.tensors = info, {name: np.asarray(t, np.float32) for name, t in tensors.items()}

    def output(self, fen):
        """The output, -1 to 1, for White or for the side to move as `orientation` says."""
        return float(np.tanh(getattr(self, self.info["architecture"]["kind"])(Position(fen))))

    def centipawns(self, output):
        (curve, size), = self.info["curve"].items()
        return output * size["centipawns"] if curve == "linear" else float(np.arctanh(output) * size["scale"])

    def dense(self, name, x, rows=slice(None)):
        return self.tensors[name + ".weight"][rows] @ x + self.tensors[name + ".bias"][rows]

    def mlp(self, position):
        settings = self.info["architecture"]
        both, seen, hidden, last = re.fullmatch(r"(2x)?774(m(?:5|16)?)?-(.+)-(1|1x8)", settings["layout"]).groups()
        units, first = [int(u.rstrip("pd")) for u in hidden.split("-")], ACTIVATIONS[settings["first_activation"]]
        view, halves, straight = position.own if self.info["orientation"] == "mover" else 0, [], 0
        for view in (view, 6 - view) if both else (view,):
            king = next(square for piece, square in position.seen(view)[0] if piece == 5)
            mirrored = bool(seen) and king % 8 < 4
            place = 774 * (REGIONS[seen][king // 8][(king ^ 7 if mirrored else king) % 8 - 4] if seen in REGIONS else 0)
            x = self.tensors["layer0.weight"][:, place:place + 774] @ position.bits(view, mirrored)
            x = x + self.tensors["layer0.bias"]
            halves.append(clip(x[:len(x) // 2]) * clip(x[len(x) // 2:]) if "p" in hidden else first(x))
        x = np.concatenate(halves)
        bucket = min((64 - position.board.count(-1) - 2) // 4, 7) if last == "1x8" else 0
        for layer, count in enumerate(units[1:] + [1], 1):
            x = self.dense(f"layer{layer}", x, slice(bucket * count, (bucket + 1) * count))
            if layer == 1 and "d" in hidden:
                straight, x = x[-1], np.concatenate([np.minimum(x[:-1] ** 2, 1), clip(x[:-1])])
            elif layer < len(units):
                x = ACTIVATIONS[settings["later_activation"]](x)
        return x[0] + straight

    def convolution(self, number, x):
        weight = self.tensors[f"conv{number}.weight"]
        pad = weight.shape[2] // 2
        padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, weight.shape[2:], (1, 2))
        x = np.tensordot(weight, windows, ((1, 2, 3), (0, 3, 4))) + self.tensors[f"conv{number}.bias"][:, None, None]
        if f"gate{number}.reduce.weight" in self.tensors:
            factors = self.dense(f"gate{number}.expand", relu(self.dense(f"gate{number}.reduce", x.mean((1, 2)))))
            x = x / (1 + np.exp(-factors))[:, None, None]
        return x

    def cnn(self, position):
        before, after = self.info["architecture"]["layout"].split("-pool")
        x, number = position.planes(position.own if self.info["orientation"] == "mover" else 0), 0
        for stage in before.split("-")[1:]:
            blocks = re.fullmatch(r"(\d+)(r|se)", stage)
            for _ in range(int(blocks[1]) if blocks else 1):
                inner, number = relu(self.convolution(number, x)), number + 1
                if blocks:
                    inner, number = relu(self.convolution(number, inner) + x), number + 1
                x = inner
        x, layers = x.mean((1, 2)), after.count("-")
        for layer in range(layers):
            x = self.dense(f"dense{layer}", x)
            x = relu(x) if layer + 1 < layers else x
        return x[0]


def load(path):
    with safe_open(path, "numpy") as file:
        return Net(json.loads(file.metadata()["enroc"]), {name: file.get_tensor(name) for name in file.keys()})


def save(net, path, fens=()):
    """Writes a net, with its outputs for some positions, in float32."""
    golden = [{"fen": fen, "output": net.output(fen)} for fen in fens]
    save_file(net.tensors, path, {"enroc": json.dumps(net.info), "golden": json.dumps(golden)})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for fen in sys.argv[2:]:
        value = load(sys.argv[1]).output(fen)
        print(f"{value:.7f} {load(sys.argv[1]).centipawns(value):.0f} {fen}")
