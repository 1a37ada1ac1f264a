//! The inputs of the nets: two codings of squares as numbers, and single bits for the pieces and the state.

use crate::board::{CastlingRights, Color, Piece, PieceType, Position, Square, Wing};
use crate::nets::encoding;
use serde::{Deserialize, Serialize};

/// What every number of the two codings of squares is divided by: the largest that seven bits can write.
const LARGEST: f32 = 127.0;

/// The bits of a square's number: the piece takes the lowest three.
const TURN: u8 = 1 << 6;
const BLACK: u8 = 1 << 5;
const MAY_CASTLE: u8 = 1 << 4;
const PASSING: u8 = 1 << 3;
const KIND: u8 = 7;

/// The fourth number of the separate coding where nobody may capture en passant.
const NO_EN_PASSANT: u8 = 1;

/// How a board becomes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// 64 numbers: each square tells its piece, who is to move, who may castle and who may be captured en passant.
    Squares,
    /// 67 numbers: 64 of pieces, then the side to move, the castling rights and the en passant square.
    Fields,
    /// The 774 bits of Enroc's own nets, seen from White's side: one for each piece on each square, and six more.
    Bits,
}

impl Inputs {
    /// The numbers of one board.
    pub fn len(self) -> usize {
        match self {
            Inputs::Squares => 64,
            Inputs::Fields => 67,
            Inputs::Bits => encoding::INPUTS,
        }
    }

    /// Never: every coding has inputs.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// As tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Inputs::Squares => "squares",
            Inputs::Fields => "fields",
            Inputs::Bits => "bits",
        }
    }
}

/// All that a net may be told of a board, as the two codings of squares write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodedBoard {
    /// The seven bits of each square in the order of a FEN, a8 first: turn, colour, castling, en passant, three of the
    /// piece.
    squares: [u8; 64],
    /// Black to move; the castling rights K, Q, k, q from the highest of four bits; the en passant square as three bits
    /// of its file, three of its rank and one that says that there is none.
    fields: [u8; 3],
}

impl CodedBoard {
    /// The board of a position.
    pub fn new(position: &Position) -> CodedBoard {
        let castling = position.castling();
        let turn = match position.side_to_move() {
            Color::White => 0,
            Color::Black => TURN,
        };
        let mut squares = [turn; 64];
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                squares[place(square)] |= kind_code(piece);
            }
        }
        for color in Color::ALL {
            for wing in Wing::ALL.into_iter().filter(|&wing| castling.has(color, wing)) {
                squares[place(position.castling_rook(color, wing))] |= MAY_CASTLE;
                squares[place(position.king(color))] |= MAY_CASTLE;
            }
        }
        let behind = position.en_passant();
        if let Some(behind) = behind {
            // the pawn has passed the square towards the side that may capture it
            let rank = if behind.rank() == 2 { 3 } else { 4 };
            squares[place(Square::at(behind.file(), rank))] |= PASSING;
        }
        let passing = behind.map_or(NO_EN_PASSANT, |square| square.file() << 4 | square.rank() << 1);
        CodedBoard {
            squares,
            fields: [turn / TURN, rights(castling), passing],
        }
    }

    /// Appends the numbers that a net is told.
    pub fn append(&self, inputs: Inputs, row: &mut Vec<f32>) {
        match inputs {
            Inputs::Squares => row.extend(self.squares.iter().map(|&code| scaled(code))),
            Inputs::Fields => {
                let piece = |&code: &u8| scaled((code & BLACK) >> 2 | code & KIND);
                row.extend(self.squares.iter().map(piece));
                row.extend(self.fields.iter().map(|&code| scaled(code)));
            }
            Inputs::Bits => {
                let first = row.len();
                row.resize(first + encoding::INPUTS, 0.0);
                self.set_bits(|bit| row[first + bit] = 1.0);
            }
        }
    }

    fn set_bits(&self, mut set: impl FnMut(usize)) {
        for (place, &code) in self.squares.iter().enumerate() {
            if code & KIND != 0 {
                let kind = PieceType::ALL[usize::from(code & KIND) - 1];
                let color = Color::ALL[usize::from(code & BLACK != 0)];
                // ranks stand from the eighth to the first
                let square = Square::new(place as u8 ^ 56);
                set(usize::from(encoding::piece_input(
                    Color::White.into(),
                    kind.of(color),
                    square,
                )));
            }
        }
        let [turn, rights, passing] = self.fields;
        let state = [
            (turn == 0, encoding::SIDE_TO_MOVE),
            (rights & 8 != 0, encoding::CASTLING),
            (rights & 4 != 0, encoding::CASTLING + 1),
            (rights & 2 != 0, encoding::CASTLING + 2),
            (rights & 1 != 0, encoding::CASTLING + 3),
            (passing != NO_EN_PASSANT, encoding::EN_PASSANT),
        ];
        for (_, bit) in state.into_iter().filter(|state| state.0) {
            set(usize::from(bit));
        }
    }
}

fn scaled(code: u8) -> f32 {
    f32::from(code) / LARGEST
}

/// The place of a square in the order of a FEN.
fn place(square: Square) -> usize {
    square.index() ^ 56
}

/// Pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, and the bit of Black.
fn kind_code(piece: Piece) -> u8 {
    let color = match piece.color() {
        Color::White => 0,
        Color::Black => BLACK,
    };
    color | (piece.kind() as u8 + 1)
}

fn rights(castling: CastlingRights) -> u8 {
    let sides = Color::ALL
        .into_iter()
        .flat_map(|color| [Wing::King, Wing::Queen].map(|wing| u8::from(castling.has(color, wing))));
    sides.fold(0, |bits, bit| bits << 1 | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> CodedBoard {
        CodedBoard::new(&Position::from_fen(fen).unwrap())
    }

    fn told(board: &CodedBoard, inputs: Inputs) -> Vec<u32> {
        let mut row = Vec::new();
        board.append(inputs, &mut row);
        assert_eq!(row.len(), inputs.len());
        row.iter()
            .map(|number| (number * LARGEST).round() as u32)
            .collect()
    }

    #[test]
    fn the_start_is_the_thesiss_picture() {
        // illustration 4 of the thesis, rank by rank
        let printed: [[u8; 8]; 4] = [
            [
                0b0110100, 0b0100010, 0b0100011, 0b0100101, 0b0110110, 0b0100011, 0b0100010, 0b0110100,
            ],
            [0b0100001; 8],
            [0b0000001; 8],
            [
                0b0010100, 0b0000010, 0b0000011, 0b0000101, 0b0010110, 0b0000011, 0b0000010, 0b0010100,
            ],
        ];
        let expected = [&printed[0][..], &printed[1], &[0; 32], &printed[2], &printed[3]].concat();
        assert_eq!(board(Position::START_FEN).squares[..], expected);
    }

    #[test]
    fn separate_fields_are_four_bits_a_square_and_three_numbers() {
        let numbers = told(&board(Position::START_FEN), Inputs::Fields);
        // a black piece has the highest of four bits: rook 1100, pawn 1001; a white pawn 0001
        assert_eq!(numbers[..9], [12, 10, 11, 13, 14, 11, 10, 12, 9]);
        assert_eq!(numbers[48], 1);
        // White to move, all may castle, nothing en passant
        assert_eq!(numbers[64..], [0, 0b1111, 0b0000001]);
        let fen = "rnbqk2r/pppp1ppp/8/8/3Pp3/8/PPP2PPP/RNBQKBNR b KQk d3 0 4";
        let board = board(fen);
        let fields = told(&board, Inputs::Fields);
        // Black to move; K, Q and k; the file d is 011, its third rank 010, and there is a square
        assert_eq!(fields[64..], [1, 0b1110, 0b0110100]);
        // the white pawn on d4 may be captured, the black one on e4 may not; Black is to move on every square
        let squares = told(&board, Inputs::Squares);
        assert_eq!(squares[32..37], [64, 64, 64, 0b1001001, 0b1100001]);
        // the rook on h8 may castle with its king, that on a8 no more
        assert_eq!(
            [squares[0], squares[4], squares[7]],
            [0b1100100, 0b1110110, 0b1110100]
        );
    }

    #[test]
    fn bits_are_those_of_our_own_nets() {
        for fen in [
            Position::START_FEN,
            "rnbqk2r/pppp1ppp/8/8/3Pp3/8/PPP2PPP/RNBQKBNR b KQk d3 0 4",
            "8/2k5/8/1pP5/8/6K1/8/7r w - b6 0 40",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut row = vec![7.0];
            CodedBoard::new(&position).append(Inputs::Bits, &mut row);
            assert_eq!(row[1..], encoding::dense(&position, Color::White), "{fen}");
        }
    }
}
