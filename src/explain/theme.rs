//! What trainers have a name for: endings, plans with pawns, files and squares, development.
//!
//! A theme compares the first position of a line with its last, as every [`super::Change`] does. Its definition speaks
//! of a player, of `square` and of `other`; "new" means that it was not so in the first position, of the same pieces
//! where they stood then. *Ahead* and ranks are the player's own. An *ending* has no queens and at most a rook and a
//! minor piece on either side, a *pawn ending* only kings and pawns, and the *opening* at least 22 pieces on the board.

use serde::Serialize;

/// A kind of theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// In a pawn ending the king on `square` faces the other on `other` on a file or rank, one square between them, and
    /// the other side is to move; it was not so, or the player was to move.
    Opposition,
    /// In a pawn ending the king has moved to `square`, a key square of its passed pawn on `other`: on one of the three
    /// files around the pawn, two ranks ahead of it, from the fifth rank on one or two, and beside a rook's pawn's last
    /// two squares.
    KeySquare,
    /// In a pawn ending the king on `square` has come into the square of the passed pawn on `other`: the pawn, to move,
    /// needs no fewer moves to its last rank than the king. Before, with the pawn to move, it needed fewer.
    SquareOfPawn,
    /// The lone king on `square` has reached the corner of the rook's pawn on `other`, the only one, or a square beside
    /// that corner; new.
    RookPawnCorner,
    /// The other side has bishops and pawns on one outer file alone, no bishop guards the corner `square`, and the
    /// player's bare king is on or beside it; new.
    WrongBishop,
    /// With rook against rook and the pawn on `other`, the player's king stands before the pawn and its rook on `square`,
    /// the attacker's sixth rank, before the pawn or its king; new.
    Philidor,
    /// With rook against rook and the pawn on `other`, which is on its sixth rank, the player's rook has gone to
    /// `square` on the pawn's first two ranks, to give checks from there.
    ChecksFromBehind,
    /// In Lucena's position the rook has gone to `square` on its fourth or fifth rank, off the pawn's file: a bridge.
    Lucena,
    /// In an ending the rook on `square` stands behind the passed pawn on `other`, nothing between; new.
    RookBehindPasser,
    /// In an ending the rook on `square` keeps the king on `other` one or two files or ranks away from all of the
    /// player's pawns, or where it has no pawn from its king or from the other side's own pawns; new.
    CutOff,
    /// In an ending the king on `square` has come nearer to the four central squares, or, with one of the other side's
    /// pawns on `other`, nearer to that pawn, the nearest one.
    ActiveKing,
    /// In an ending the passed pawn on `square` has no pawn of the other side within two files, and the player has pawns
    /// three or more files away; it moved, or it is new.
    OutsidePasser,
    /// The pawn on `square` is passed and has moved ahead.
    PasserAdvances,
    /// The passed pawns on `square` and `other` stand on neighbouring files, at most a rank apart; new.
    ConnectedPassers,
    /// The passed pawn on `square` is guarded by a pawn; new.
    ProtectedPasser,
    /// In a pawn ending the player's first move of the line offered a pawn on `other`, which was taken, and a pawn of the
    /// player has promoted on `square`.
    Breakthrough,
    /// In a pawn ending the pieces stand as they stood, the player's king on `square`, and the other side is to move.
    Triangulation,
    /// The other king stood on its first two ranks and is on `square`, its third rank or beyond, where a check has driven
    /// it, while the player has a queen or three other pieces.
    KingHunt,
    /// All pieces but kings and pawns have been traded.
    PawnEnding,
    /// The player was two pawns or more ahead, pieces of equal worth have been taken on both sides, and it is as far
    /// ahead as it was.
    Simplifies,
    /// A piece, not a pawn, has come to `square` right in front of the pawn on `other`, which is isolated or passed or
    /// whose neighbours are all ahead of it.
    Blockade,
    /// The pawn on `square` has moved and attacks the pawn on `other`, which it did not before.
    Lever,
    /// The player has castled; its king is on `square`.
    Castles,
    /// In the opening a knight or bishop has left its first rank for `square`.
    Develops,
    /// In the opening a bishop has gone from its first rank to `square` on a long diagonal, beside its wing's knight.
    Fianchetto,
    /// In the opening a pawn has gone to `square` in the centre: d4, e4, d5 or e5, or c4 or c5.
    CentrePawn,
    /// A knight has come to `square` in the centre, where no pawn of the other side attacks it.
    Centralises,
    /// The slider on `square` pins the piece on `other`, not a pawn, to the king or to a piece worth more than it and
    /// than the slider; new.
    Pins,
    /// The piece on `square` was pinned in this way and is not any more.
    BreaksPin,
    /// The pawn on `square` has moved and guards `other`, in the player's half, which no pawn of the player guarded and
    /// where a knight or bishop of the other side could have gone.
    KeepsOut,
    /// The king on `square` had no empty square in front of it on its first rank, and has one that is not attacked.
    Luft,
    /// With kings on opposite wings the pawn on `square` has moved to its fourth rank or beyond, on a file beside the
    /// other king on `other` or on that king's own.
    PawnStorm,
    /// The player's rook or queen on `square` stands on its seventh rank, where pawns of the other side are, or whose
    /// king on its last rank; new.
    SeventhRank,
    /// The rook or queen on `square` stands behind another one on `other`, one of them a rook, on a file without own
    /// pawns, nothing between; new.
    DoublesRooks,
    /// The piece on `square` attacks two or more squares at the other king on `other` or beside it, and attacked fewer.
    JoinsAttack,
    /// The player has traded a bishop with two or more own pawns on its colour and on the files c to f that a pawn blocks,
    /// for a knight or bishop.
    TradesBadBishop,
    /// The other side's only knight or bishop is the bishop on `square`, with three or more of its pawns, more than
    /// half of them, on its colour, and the player has a knight or a bishop with fewer; new.
    BadBishop,
    /// In king and pawn against king, not with a rook's pawn, the king on `square` has moved and can reach a key square
    /// of the pawn on `other`, whatever the other king does, while the pawn stands still; after another of its moves it
    /// could not.
    HeadsForKeySquare,
    /// In the same ending the other king could reach a key square of its pawn, and cannot any more, the pawn now on
    /// `other`; the player's king is on `square`.
    KeySquaresLost,
    /// The other side has the wrong bishop and pawns on at most their fourth rank; the player's bare king has come to
    /// `square`, two steps from the corner `other`, to which the other king is five steps away or more.
    HeadsForCorner,
    /// In king and rook's pawn against king, the other king stands ahead of its pawn on `other` and on its file, and the
    /// player's king on `square` two files away, at most a rank higher or lower; new.
    KingShutIn,
    /// With queen against a pawn on `other`, one step from promotion, a check has made the other king stand before it; the
    /// queen is on `square`.
    KingBeforePawn,
    /// In an ending the king has moved first, and by the end of the line it has gone three steps or more to `square`, two
    /// ranks ahead or more, on its fifth rank or beyond.
    KingMarch,
    /// With rook against rook and a rook's pawn on `other` on its sixth rank, its rook ahead of it on the file, the
    /// player's rook on `square` attacks the pawn from the side, three files away or more, and the player's king is on
    /// the pawn's seventh rank, five files away or more; new.
    Vancura,
    /// With 20 pieces or fewer, the pawn on `square` has moved to its fourth rank or beyond on a wing (files a to d or e
    /// to h) where the player has more pawns than the other side, which has one or more, and no passed pawn yet.
    Majority,
    /// A bishop with two or more own pawns on its colour that are blocked, as in [`Theme::TradesBadBishop`], has moved to
    /// `square`, where it attacks the knight or bishop on `other` and is guarded.
    OffersBadBishop,
    /// The other side's bishop on `square`, which has left its first rank, can get to no more than three squares by any
    /// number of moves: pawns are in the way, and pawns of the player attack the squares or guard each other; new.
    BuriedBishop,
    /// The other side's pawn on `square` has pawns on neighbouring files, all of them ahead of it, a pawn of the player
    /// attacks the square before it, and no pawn of the player is on its file; new.
    BackwardPawn,
    /// In a pawn ending the king has moved to `square` and come nearer to a pawn on `other`, from which the other king is
    /// three steps away or more and its own king fewer; two or more of the squares by which the other king could come
    /// nearer to that pawn were free of the king before, and now at most one is.
    Shouldering,
    /// In a pawn ending the king has moved to `square`, nearer both to the other side's passed pawn on `other` and to a
    /// passed pawn of its own three files or more away from it.
    TwoAims,
    /// With rook against rook and the pawn on `other`, which is on its sixth or seventh rank, the player's rook on `square`
    /// gives check along a rank from three files away or more.
    ChecksFromSide,
    /// Both sides had queens and have none; material stands as it stood.
    TradesQueens,
    /// Nobody has queens, both sides had rooks and have none, and other pieces are left; material stands as it stood.
    TradesRooks,
    /// In the opening the other side could still castle on one wing or both; it has answered the player's move with its
    /// king on `square`, and can never castle again.
    TakesCastling,
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 54] = [
        Theme::Opposition,
        Theme::KeySquare,
        Theme::SquareOfPawn,
        Theme::RookPawnCorner,
        Theme::WrongBishop,
        Theme::Philidor,
        Theme::ChecksFromBehind,
        Theme::Lucena,
        Theme::RookBehindPasser,
        Theme::CutOff,
        Theme::ActiveKing,
        Theme::OutsidePasser,
        Theme::PasserAdvances,
        Theme::ConnectedPassers,
        Theme::ProtectedPasser,
        Theme::Breakthrough,
        Theme::Triangulation,
        Theme::KingHunt,
        Theme::PawnEnding,
        Theme::Simplifies,
        Theme::Blockade,
        Theme::Lever,
        Theme::Castles,
        Theme::Develops,
        Theme::Fianchetto,
        Theme::CentrePawn,
        Theme::Centralises,
        Theme::Pins,
        Theme::BreaksPin,
        Theme::KeepsOut,
        Theme::Luft,
        Theme::PawnStorm,
        Theme::SeventhRank,
        Theme::DoublesRooks,
        Theme::JoinsAttack,
        Theme::TradesBadBishop,
        Theme::BadBishop,
        Theme::HeadsForKeySquare,
        Theme::KeySquaresLost,
        Theme::HeadsForCorner,
        Theme::KingShutIn,
        Theme::KingBeforePawn,
        Theme::KingMarch,
        Theme::Vancura,
        Theme::Majority,
        Theme::OffersBadBishop,
        Theme::BuriedBishop,
        Theme::BackwardPawn,
        Theme::Shouldering,
        Theme::TwoAims,
        Theme::ChecksFromSide,
        Theme::TradesQueens,
        Theme::TradesRooks,
        Theme::TakesCastling,
    ];

    /// Its name in JSON, and in message files with dashes for underscores.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Opposition => "opposition",
            Theme::KeySquare => "key_square",
            Theme::SquareOfPawn => "square_of_pawn",
            Theme::RookPawnCorner => "rook_pawn_corner",
            Theme::WrongBishop => "wrong_bishop",
            Theme::Philidor => "philidor",
            Theme::ChecksFromBehind => "checks_from_behind",
            Theme::Lucena => "lucena",
            Theme::RookBehindPasser => "rook_behind_passer",
            Theme::CutOff => "cut_off",
            Theme::ActiveKing => "active_king",
            Theme::OutsidePasser => "outside_passer",
            Theme::PasserAdvances => "passer_advances",
            Theme::ConnectedPassers => "connected_passers",
            Theme::ProtectedPasser => "protected_passer",
            Theme::Breakthrough => "breakthrough",
            Theme::Triangulation => "triangulation",
            Theme::KingHunt => "king_hunt",
            Theme::PawnEnding => "pawn_ending",
            Theme::Simplifies => "simplifies",
            Theme::Blockade => "blockade",
            Theme::Lever => "lever",
            Theme::Castles => "castles",
            Theme::Develops => "develops",
            Theme::Fianchetto => "fianchetto",
            Theme::CentrePawn => "centre_pawn",
            Theme::Centralises => "centralises",
            Theme::Pins => "pins",
            Theme::BreaksPin => "breaks_pin",
            Theme::KeepsOut => "keeps_out",
            Theme::Luft => "luft",
            Theme::PawnStorm => "pawn_storm",
            Theme::SeventhRank => "seventh_rank",
            Theme::DoublesRooks => "doubles_rooks",
            Theme::JoinsAttack => "joins_attack",
            Theme::TradesBadBishop => "trades_bad_bishop",
            Theme::BadBishop => "bad_bishop",
            Theme::HeadsForKeySquare => "heads_for_key_square",
            Theme::KeySquaresLost => "key_squares_lost",
            Theme::HeadsForCorner => "heads_for_corner",
            Theme::KingShutIn => "king_shut_in",
            Theme::KingBeforePawn => "king_before_pawn",
            Theme::KingMarch => "king_march",
            Theme::Vancura => "vancura",
            Theme::Majority => "majority",
            Theme::OffersBadBishop => "offers_bad_bishop",
            Theme::BuriedBishop => "buried_bishop",
            Theme::BackwardPawn => "backward_pawn",
            Theme::Shouldering => "shouldering",
            Theme::TwoAims => "two_aims",
            Theme::ChecksFromSide => "checks_from_side",
            Theme::TradesQueens => "trades_queens",
            Theme::TradesRooks => "trades_rooks",
            Theme::TakesCastling => "takes_castling",
        }
    }
}
