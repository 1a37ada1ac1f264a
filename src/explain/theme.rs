//! What trainers have a name for: endings, plans with pawns, files and squares, development.
//!
//! A theme compares the first position of a line with its last, as every [`super::Change`] does. Its definition speaks
//! of a player, of `square` and of `other`; "new" means that it was not so in the first position, of the same pieces
//! where they stood then. *Ahead* and ranks are the player's own. An *ending* has no queens and at most a rook and a
//! minor piece on either side, a *pawn ending* only kings and pawns, and the *opening* at least 22 pieces on the board.

use serde::Serialize;

/// Declares [`Theme`] with the names of its kinds.
macro_rules! themes {
    ($($(#[$doc:meta])* $theme:ident = $name:literal,)*) => {
        /// A kind of theme.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum Theme {
            $($(#[$doc])* #[serde(rename = $name)] $theme,)*
        }

        impl Theme {
            /// All of them.
            pub const ALL: &[Theme] = &[$(Theme::$theme),*];

            /// Its name in JSON, and in message files with dashes for underscores.
            pub fn name(self) -> &'static str {
                match self {
                    $(Theme::$theme => $name,)*
                }
            }
        }
    };
}

themes! {
    /// In a pawn ending the king on `square` faces the other on `other` on a file or rank, one square between them, and
    /// the other side is to move; they did not stand so, or the player was to move.
    Opposition = "opposition",
    /// In a pawn ending the king has moved to `square`, a key square of its passed pawn on `other`: on one of the three
    /// files around the pawn, two ranks ahead of it, from the fifth rank on one or two, and beside a rook's pawn's last
    /// two squares.
    KeySquare = "key_square",
    /// In a pawn ending the king on `square` has come into the square of the passed pawn on `other`: the pawn, to move,
    /// needs no fewer moves to its last rank than the king. Before, with the pawn to move, it needed fewer.
    SquareOfPawn = "square_of_pawn",
    /// The lone king on `square` has reached the corner of the rook's pawn on `other`, the only one, or a square beside
    /// that corner; new.
    RookPawnCorner = "rook_pawn_corner",
    /// The other side has bishops and pawns on one outer file alone, no bishop guards the corner `square`, and the player's
    /// bare king is on or beside it, or gets there, or takes the last pawn, within four moves, none of them a step farther
    /// away, whatever the other side plays; either of these is new.
    WrongBishop = "wrong_bishop",
    /// With rook against rook and the pawn on `other`, the player's king stands before the pawn and its rook on `square`,
    /// the attacker's sixth rank, before the pawn or its king; new.
    Philidor = "philidor",
    /// With rook against rook and an outer pawn on its seventh rank, the attacker's rook on `other` is before it and the player's
    /// behind it; the player's king on `square` is on the same rank, six files away or more, the attacker's on its fourth rank or
    /// behind, on another file and not beside the player's rook; no check. New, or with a move of the player's king.
    ShutInRook = "shut_in_rook",
    /// With rook against rook and the pawn on `other`, which is on its sixth rank, the player's rook has gone to
    /// `square` on the pawn's first two ranks, to give checks from there.
    ChecksFromBehind = "checks_from_behind",
    /// In Lucena's position the rook has gone to `square` on its fourth or fifth rank, off the pawn's file: a bridge.
    Lucena = "lucena",
    /// In an ending the rook on `square` stands behind the passed pawn on `other`, nothing between; new.
    RookBehindPasser = "rook_behind_passer",
    /// In an ending the rook on `square` keeps the king on `other` one or two files or ranks away from all of the player's
    /// pawns, or all of the other side's own, or where it has no pawn from its king; or from its seventh rank from where its
    /// passed pawns promote. It sees the squares of its line that the king could step on from beside it; new, or farther from
    /// every pawn of the player than before.
    CutOff = "cut_off",
    /// In an ending, or with two rooks a side and no queens, the king on `square` has come nearer to the four central squares, or, with one of the other side's
    /// pawns on `other`, nearer to that pawn, the nearest one.
    ActiveKing = "active_king",
    /// In an ending the passed pawn on `square` has no pawn of the other side, which has some, within two files, and the player
    /// has pawns three or more files away; beside other pieces it is on its fifth rank at most; it moved, or it is new, and it cannot be won at once.
    OutsidePasser = "outside_passer",
    /// The pawn on `square` is passed and has moved ahead.
    PasserAdvances = "passer_advances",
    /// The passed pawns on `square` and `other` stand on neighbouring files, at most a rank apart; new.
    ConnectedPassers = "connected_passers",
    /// The passed pawn on `square` is guarded by a pawn; new.
    ProtectedPasser = "protected_passer",
    /// In a pawn ending the player's first move of the line offered a pawn on `other`, which was taken, and a pawn of the
    /// player has promoted on `square`.
    Breakthrough = "breakthrough",
    /// In a pawn ending the pieces stand as they stood, the player's king on `square`, and the other side is to move.
    Triangulation = "triangulation",
    /// The other king stood on its first two ranks and is on `square`, its third rank or beyond, where a check has driven
    /// it, in two steps at least where the player had no queen; the player has, and had, a queen or three other pieces.
    KingHunt = "king_hunt",
    /// All pieces but kings and pawns have been traded.
    PawnEnding = "pawn_ending",
    /// The player was two pawns or more ahead, pieces of equal worth have been taken on both sides, and it is as far
    /// ahead as it was.
    Simplifies = "simplifies",
    /// A piece, not a pawn, has come to `square` right in front of the pawn on `other`, which is passed; or, the piece being
    /// a knight or bishop, on files b to g and isolated or with all its neighbours ahead of it; or on file d or e, no other
    /// pawn of its side ever able to attack `square` unless one that a pawn blocks moves on, nor a knight or bishop attacking a queen or rook there. If the pawn is
    /// on its second rank, no knight or bishop of the other side attacks the piece.
    Blockade = "blockade",
    /// The pawn on `square` has moved and attacks the pawn on `other`, which it did not before.
    Lever = "lever",
    /// Both sides have a bishop, on squares of different colours, and no other pieces. The other side has two pawns or more, all
    /// on squares of the colour of its bishop on `square`; new.
    PawnsOnBishopColour = "pawns_on_bishop_colour",
    /// Checks that the piece on `square`, a slider, gives from there twice or more where one and the same piece of the player
    /// leaves its line, which takes something with one of these moves.
    Windmill = "windmill",
    /// A knight has gone back to `square`, taking nothing. A bishop of the other side could have gone to `other`, taking nothing,
    /// where it could not be won and would have pinned the knight, as in [`Theme::Pins`], to the king or queen; there it would
    /// pin nothing any more.
    AvoidsPin = "avoids_pin",
    /// With 26 men or more on the board, a pawn has taken one on `square`, on file c and the other side's fourth rank, and a bishop
    /// has taken back, which ends the line: one that had left its first rank, and that nothing attacked.
    MakesBishopMove = "makes_bishop_move",
    /// In the opening a bishop has left c1 or c8 for `square` on the diagonal that its e-pawn can close, taking nothing. That pawn
    /// is on its second rank and can go to `other`, one square ahead, after which the bishop could not have come out that way.
    OutBeforePawn = "out_before_pawn",
    /// A knight or rook has moved to `square` on its fifth or sixth rank, on files b to g, taking nothing, where it cannot be won and the
    /// pawn on `other`, or on the sixth any man there, guards it. No pawn of the other side attacks it or can with the next move.
    GuardedPost = "guarded_post",
    /// The pawn on `square` has moved to its fourth rank, taking nothing, where it cannot be won, and attacks `other`, d5 or e5 as
    /// the player counts, an empty square that another pawn of the player attacks, too. A pawn of the other side stands behind
    /// that square on its second or third rank.
    Clamps = "clamps",
    /// The pawn on `square` has moved, taking nothing, where it cannot be won, right before the pawn of the other side on `other`,
    /// which is isolated, or weak as in [`Theme::TargetsWeakPawn`]. No other pawn of that side can ever attack it.
    FixesPawn = "fixes_pawn",
    /// The pawn on `square` has moved, taking nothing, where it cannot be won, right before a pawn of the other side, and attacks
    /// the empty square right before another one on `other`. No third pawn of that side can ever attack it.
    FixesPawns = "fixes_pawns",
    /// The pawn on `square` has moved, taking nothing, where it cannot be won, and guards `other`, which no pawn of the player did:
    /// a post as in [`Theme::GuardedPost`] to which a knight can go next, taking nothing.
    PreparesPost = "prepares_post",
    /// The rook or queen on `square` has moved, taking nothing: the player's queen and both its rooks stand on one file with
    /// nothing between, which they did not.
    TriplesHeavy = "triples_heavy",
    /// A bishop has moved to `square`, taking nothing, where it cannot be won, and attacks the knight or bishop on `other`, which it
    /// did not before. It can take there if the other side passes, which neither wins nor loses anything, and only pawns can take
    /// back: each is then doubled, or weak as in [`Theme::TargetsWeakPawn`] with no pawn of the player on its file.
    AimsToDamage = "aims_to_damage",
    /// With 20 men or fewer the other side's pawn has moved, taking nothing, to `square`, of the colour of the player's only bishop on
    /// `other`, from the other colour. That side has three pawns or more on this colour and no bishop of it, and no pawn of the
    /// player can ever attack the square.
    PutsOnBishopColour = "puts_on_bishop_colour",
    /// With 26 men or more on the board the other side's first move has taken something on `square`, one of the four central
    /// squares, and the player's queen has taken back. No pawn, knight or bishop of the other side can attack it with the next move from where it
    /// cannot be won.
    QueenInCentre = "queen_in_centre",
    /// The player was in check and has moved a man to `square`, taking nothing. It guards the player's knight, bishop, rook or queen
    /// on `other`, which cannot be won, and could be after every other move.
    KeepsGuard = "keeps_guard",
    /// The other side's bishop has taken a knight or bishop, and the player has taken back on `square`. On the files c to f that side
    /// had at most one pawn on the bishop's colour, and three or more on that of its other bishop on `other`.
    GivesGoodBishop = "gives_good_bishop",
    /// The other side's first move has taken something, and a pawn has taken back on `square`: the player's pawn on `other`, isolated
    /// before, has one on a file beside it.
    MendsPawn = "mends_pawn",
    /// A pawn of the other side has taken something from its fifth or sixth rank, and a pawn that has taken back on `square` attacks
    /// `other`, where that pawn stood and which no pawn of the player attacked.
    GivesUpWedge = "gives_up_wedge",
    /// The player's first move takes a knight or bishop on `square` and is taken back: one on its fifth rank or beyond, which no pawn
    /// of the player could ever attack, or one that attacked a pawn as in [`Theme::OffersForAttacker`].
    TakesPost = "takes_post",
    /// The line ends with a check by the player, the answer to it or the next answer. The other side's first move has put a man
    /// other than the king on `square`, which was empty and where it still stands; without it the king could go there, and as it
    /// is it has at most one legal move.
    TakesOwnFlight = "takes_own_flight",
    /// A knight or bishop has moved to `square`, taking nothing, and newly attacks the knight or bishop on `other`, which is
    /// guarded. That one attacks a pawn of the player that no pawn guards, with as many attackers as guards or more. The moved
    /// piece cannot be won.
    OffersForAttacker = "offers_for_attacker",
    /// A knight or bishop has moved to `square`, taking nothing, where it cannot be won, and newly attacks the knight or bishop on
    /// `other`, on its fifth rank or beyond, which a pawn guards and no pawn of the player could ever attack.
    OffersForOutpost = "offers_for_outpost",
    /// A knight, bishop, rook or queen has moved to `square`, taking nothing, where it cannot be won. The other side's piece of the
    /// same worth on `other` can take it with the next move, and a pawn take back that is then passed and was not.
    AimsAtPasser = "aims_at_passer",
    /// A knight or bishop has moved to `square`, taking nothing, where it cannot be won. A knight or bishop of the other side can
    /// take it with the next move and a pawn take back from the file of the player's rook on `other`, which is then free of the
    /// player's pawns and was not.
    TradeOpensFile = "trade_opens_file",
    /// The bishop on `square` has moved, taking nothing, where it cannot be won. If the other side passes, the queen can go, taking
    /// nothing, to where it cannot be won and stands right before the bishop on a diagonal and attacks the pawn on `other`, beside the
    /// other side's king. Before the move it did not and could not.
    PreparesBattery = "prepares_battery",
    /// A knight, bishop, rook or queen has moved to `square`, taking nothing, where nothing can take it. Had the player passed, the
    /// man on `other`, worth as much, could have taken it in an even trade. It is no bad bishop: pawns block at
    /// most one own pawn of its colour on files c to f.
    AvoidsTrade = "avoids_trade",
    /// The other side's rook or queen has left a file without pawns, to which a rook or queen of the player has gone with the
    /// answer, to `square`, taking nothing, where it cannot be won; the other side has no rook or queen there any more.
    GivesUpFile = "gives_up_file",
    /// The player has castled; its king is on `square`.
    Castles = "castles",
    /// In the opening a knight from file b or g or a bishop from c or f has left its first rank for `square`.
    Develops = "develops",
    /// In the opening a bishop has gone from its first rank to `square` on a long diagonal, beside its wing's knight.
    Fianchetto = "fianchetto",
    /// In the opening a pawn has gone to `square` in the centre: d4, e4, d5 or e5, or c4 or c5.
    CentrePawn = "centre_pawn",
    /// A knight has come to `square` in the centre, where no pawn of the other side attacks it.
    Centralises = "centralises",
    /// The slider on `square` pins the piece on `other`, not a pawn, to the king or to a piece worth more than it and
    /// than the slider; new.
    Pins = "pins",
    /// The piece on `square` was pinned in this way and is not any more.
    BreaksPin = "breaks_pin",
    /// The pawn on `square` has moved and guards `other`, in the player's half, which no pawn of the player guarded and
    /// where a knight or bishop of the other side could have gone.
    KeepsOut = "keeps_out",
    /// The king on `square` had no empty square in front of it on its first rank, and has one that is not attacked, after a
    /// move of a pawn on file a, b, g or h.
    Luft = "luft",
    /// With kings on opposite halves of the board, two files apart or more, the pawn on `square` has moved to its fourth rank
    /// or beyond, on a file beside the other king on `other` or on that king's own.
    PawnStorm = "pawn_storm",
    /// The player's rook or queen on `square` stands on its seventh rank, where pawns of the other side are, or whose
    /// king on its last rank; new.
    SeventhRank = "seventh_rank",
    /// The rook or queen on `square` stands behind another one on `other`, one of them a rook, on a file without own
    /// pawns but such as attack another pawn, and not by the first move; nothing between; new.
    DoublesRooks = "doubles_rooks",
    /// The piece on `square` attacks two or more squares at the other king on `other` or beside it, and attacked fewer.
    JoinsAttack = "joins_attack",
    /// The player has traded a bishop with two or more own pawns on its colour and on the files c to f that a pawn blocks,
    /// for a knight or bishop.
    TradesBadBishop = "trades_bad_bishop",
    /// The other side's only knight or bishop is the bishop on `square`, with three or more of its pawns, more than
    /// half of them, on its colour, and no more than five squares to go to, and the player has a knight or a bishop with
    /// fewer; new.
    BadBishop = "bad_bishop",
    /// In king and pawn against king, not with a rook's pawn or one on the seventh rank, the king on `square` has moved and can
    /// reach a key square of the pawn on `other`, whatever the other king does, while the pawn stands still; after another of
    /// its moves it could not.
    HeadsForKeySquare = "heads_for_key_square",
    /// In the same ending the other king could reach a key square of its pawn, and cannot any more, the pawn now on
    /// `other`; the player's king is on `square`.
    KeySquaresLost = "key_squares_lost",
    /// The player's bare king has come to `square`, nearer to the corner `other`. The other side has the wrong bishop, and the
    /// king gets there or beside it, or takes the last pawn, within four more moves, none of them a step farther away,
    /// whatever that side plays; or it has one pawn, of a rook's file, that promotes there, and the ending is drawn.
    HeadsForCorner = "heads_for_corner",
    /// In king and rook's pawn against king, the other king stands ahead of its pawn on `other` and on its file, and the
    /// player's king on `square` two files away, at most a rank higher or lower; new.
    KingShutIn = "king_shut_in",
    /// With queen against a pawn on `other`, one step from promotion, a check has made the other king stand before it; the
    /// queen is on `square`.
    KingBeforePawn = "king_before_pawn",
    /// The king has moved first, not in check or with another move to choose from, and by the end of the line it has gone three steps or more to `square`, two
    /// ranks ahead or more, on its fifth rank or beyond.
    KingMarch = "king_march",
    /// With rook against rook and a rook's pawn on `other` on its sixth rank, its rook ahead of it on the file, the
    /// player's rook on `square` attacks the pawn from the side, three files away or more, and the player's king is on
    /// the pawn's seventh rank, five files away or more; new.
    Vancura = "vancura",
    /// With 24 pieces or fewer, the pawn on `square` has moved to its fourth rank or beyond on a wing (files a to d or e
    /// to h) where the player has more pawns than the other side, which has one or more, and no passed pawn yet.
    Majority = "majority",
    /// A bishop with two or more own pawns on its colour that are blocked, as in [`Theme::TradesBadBishop`], has moved to
    /// `square`, where it attacks the knight or bishop on `other` and is guarded.
    OffersBadBishop = "offers_bad_bishop",
    /// After a quiet move the bishop on `square`, as bad as in [`Theme::OffersBadBishop`], could go to `other` if the other side
    /// passed, and would offer itself there for a bishop, as in [`Theme::OffersTrade`]; it could not have gone there before.
    PreparesTrade = "prepares_trade",
    /// The other side's bishop on `square`, which has left its first rank, can get to no more than three squares by any
    /// number of moves: pawns are in the way, and pawns of the player attack the squares or guard each other; new.
    BuriedBishop = "buried_bishop",
    /// The other side's pawn on `square` has pawns on neighbouring files, all of them ahead of it, a pawn of the player
    /// attacks the square before it, and no pawn of the player is on its file; new.
    BackwardPawn = "backward_pawn",
    /// In a pawn ending the king has moved to `square` and come nearer to a pawn on `other`, from which the other king is
    /// three steps away or more and its own king fewer; two or more of the squares by which the other king could come
    /// nearer to that pawn were free of the king before, and now at most one is.
    Shouldering = "shouldering",
    /// In a pawn ending the king has moved to `square`, nearer both to the other side's passed pawn on `other` and to a
    /// passed pawn of its own three files or more away from it.
    TwoAims = "two_aims",
    /// With rook against rook and the pawn on `other`, which is on its sixth or seventh rank, the player's rook on `square`
    /// gives check along a rank from three files away or more, where nothing attacks it, the other king at most two steps
    /// from its pawn.
    ChecksFromSide = "checks_from_side",
    /// Both sides had queens and have none; material stands as it stood.
    TradesQueens = "trades_queens",
    /// Nobody has queens, both sides had rooks and have none, and other pieces are left; material stands as it stood.
    TradesRooks = "trades_rooks",
    /// In the opening the other side could still castle on one wing or both; it has answered the player's move with its
    /// king on `square`, and can never castle again.
    TakesCastling = "takes_castling",
    /// In the opening a knight, a bishop or the queen of the other side has gone to `square` right before its own pawn on
    /// `other` on its second rank: on file d or e with the bishop at home that it would let out, or on file c where both
    /// sides' d-pawns have gone two steps.
    BlocksPawn = "blocks_pawn",
    /// In the opening the other side's queen has left its first rank for `square` while three or more of its knights and
    /// bishops are on theirs, and takes nothing.
    EarlyQueen = "early_queen",
    /// In the opening a knight or bishop of the other side, which had left its first rank and was not attacked, has moved
    /// again to `square` without taking anything, while two or more of its knights and bishops are on their first rank.
    MovesAgain = "moves_again",
    /// In the opening a knight or bishop has left its first rank for `square`, where it attacks the queen on `other`.
    HitsQueen = "hits_queen",
    /// The pawn on `square`, on files a to c or f to h, with no king of the player's there, has moved to its fourth rank or
    /// beyond where the player has two pawns or more, or this one that attacks `other`, but fewer than the other side, whose pawn on `other`, ahead of it on a
    /// neighbouring file of this wing, has no pawn of the player on its own file.
    MinorityAttack = "minority_attack",
    /// The piece on `square` has come to attack the knight or bishop on `other`, the only guard of a man that another piece
    /// or pawn of the player attacks; new.
    PressesGuard = "presses_guard",
    /// A man has moved to `square`, taking nothing, where it cannot be won, and has come to attack the knight, bishop, rook or
    /// queen on `other`, which is worth more or is not guarded. A capture of another man of the other side, which wins nothing
    /// now, would win something if `other` were empty; that man does not stand behind it.
    DrivesGuard = "drives_guard",
    /// The pawn on `square` has moved, taking nothing, and guards `other`, one of d4, e4, d5 and e5, to which a pawn of the
    /// player could go, which the other side attacks and which no pawn of the player guarded.
    PreparesPush = "prepares_push",
    /// In the opening a pawn has gone to `square`, one of d4, e4, d5 and e5, where it attacks the knight, bishop, rook or
    /// queen on `other`.
    CentreWithTempo = "centre_with_tempo",
    /// In the opening a pawn of the other side has left d4, e4, d5 or e5 to capture on `square`, on files a to c or f to h,
    /// and its pawn on `other`, in the centre, has no guard among its pawns any more.
    GivesUpCentre = "gives_up_centre",
    /// The rook or queen on `square`, which has taken nothing there, stands on a file without pawns, on the file of the other
    /// king on `other` or beside it, where that king, on its first rank and on files a to c or f to h, had a pawn.
    OpensFileToKing = "opens_file_to_king",
    /// Nobody in check, the other side's knight, bishop, rook or queen on `square`, which nothing
    /// attacks, could go to a square that the player does not attack, and can do so no longer.
    Dominates = "dominates",
    /// A man has moved to `square`. A pawn of the other side could go to `other`, from where it would attack a man of the
    /// player; now the man that moved attacks `other`. It is a pawn and no other pawn did, or nothing did and no pawn of the
    /// other side guards `other`.
    Restrains = "restrains",
    /// The player's first move of the line was a pawn's, took nothing, and left `square`, on its third rank or beyond. The
    /// pawn is lost, and one of the player's next two moves has brought a knight, bishop, rook or queen to `square`.
    MakesWay = "makes_way",
    /// The piece on `square`, which the other side can take, has moved right before the pawn on `other`, which could go
    /// there and is at most two files from its king.
    StopsPawn = "stops_pawn",
    /// The other side's bishop has left its second rank, file b or g, at most one file from its king on its first rank, has
    /// taken a knight or bishop, and has been taken, the last move of the line, on `square`.
    TradesGuard = "trades_guard",
    /// A knight, bishop, rook or queen has moved to `square`, taking nothing, or a man out of the way of the bishop, rook or
    /// queen there. It attacks one of the same kind on `other`, which it did not before. That one attacks it, too, both are
    /// guarded (the one on `square` will do for queens or where another man has moved), and taking on `square` wins nothing.
    OffersTrade = "offers_trade",
    /// A knight has moved to `square`, where it cannot be won, taking nothing, and attacks the bishop on `other`, which it
    /// did not before, and which no bishop of the player attacks; the other side has two bishops or more.
    HuntsBishop = "hunts_bishop",
    /// A knight, bishop or queen has left the square before its own pawn on `square`, taking nothing. The pawn can now go
    /// to `other`, one or two squares ahead, where it cannot be won and attacks a pawn, knight, bishop, rook or queen, or where
    /// it has gone two steps on file c or f.
    ClearsPawn = "clears_pawn",
    /// In the opening the pawn on `square`, file b or g, has moved from `other`, its second rank, to its third, beside a
    /// bishop that stands at home on file c or f.
    PreparesFianchetto = "prepares_fianchetto",
    /// A man has moved to `square`, taking nothing. The player's bishop on `other`, another one, attacked at most one square
    /// without an own man, and now attacks three or more, or it attacks three or more than before.
    LetsOutBishop = "lets_out_bishop",
    /// The king, which was not in check, has moved to `square` without castling. The bishop, rook or queen on `other` had
    /// at most one man between itself and the king on their line, and has no longer.
    LeavesLine = "leaves_line",
    /// The pawn on `square` has moved, taking nothing, and cannot be won. It attacks the empty square `other`, on its fifth
    /// rank or beyond, which no pawn of the player attacked and to which a knight or bishop of the other side could have
    /// gone.
    TakesSquare = "takes_square",
    /// A man has moved to `square`, taking nothing, and attacks `other`, at once or through a piece of the player that does.
    /// A pawn of the other side could go there without being lost, to the centre (d4, e4, d5, e5) or to attack a man of the
    /// player, or a knight or bishop, or a queen to check a king that may castle; now it would be lost there.
    KeepsFrom = "keeps_from",
    /// The rook has left its first or second rank for `square` on its third or fourth, taking nothing, on a file with a pawn
    /// of the player or while its bishop or queen attacks a square beside `other`, the other king, on its first two ranks. It
    /// attacks two squares of its rank on files at most two from that king's, where no man of the player stands.
    RookLift = "rook_lift",
    /// A pawn of the other side attacked the player's pawn on `other`. It has moved to `square`, taking nothing, and does not
    /// any more, and none of its fellows does.
    ReleasesTension = "releases_tension",
    /// A knight or bishop, or with 20 men or more a rook, has made the player's first move, and the line ends with its second or
    /// third, to `square`; a rook's with its second, on another file and rank. None of these takes anything, it could not go
    /// there at once, and cannot be won there; nor does a move save it from the answer.
    Reroutes = "reroutes",
    /// The pawn on `square` has moved, taking nothing. A pawn of the other side could go two squares to `other`, where it
    /// could not be won; now the player's pawn could take it in passing.
    HoldsUp = "holds_up",
    /// A bishop offers itself for the bishop on `other`, as in [`Theme::OffersTrade`]. Of the other side's pawns on the
    /// files c to f three or more stand on squares of the other colour, and at most one on that of its bishop.
    OffersForGoodBishop = "offers_for_good_bishop",
    /// The player's first or second move has taken a knight or bishop and has been taken back, which ends the line. The
    /// piece that is gone attacked `square`, on the player's fourth to sixth rank, which is empty: the other side attacks it
    /// with fewer men than the player, no pawn of it ever can, and the player's knight on `other` can go there, or its
    /// bishop to a square of the centre.
    FreesSquare = "frees_square",
    /// The pawn on `square` has moved, taking nothing. It can go one square farther, where it cannot be won and attacks
    /// the knight, bishop, rook or queen on `other`, which no pawn of the player attacks yet.
    PreparesKick = "prepares_kick",
    /// A bishop of the other side attacks the player's knight on `other`, which pawns alone guarded, from another file than
    /// that of a pawn in the knight's file. After a move that takes nothing the piece on `square` guards the knight.
    AvoidsDoubling = "avoids_doubling",
    /// In bishop against rook without pawns, the player with the bishop: the king has moved to `square`, nearer to the
    /// corner `other`, the nearest one, to which its bishop cannot go.
    SafeCorner = "safe_corner",
    /// In knight against rook without pawns, the player with the rook: the other side's knight stood beside its king and
    /// has gone to `square`, where it does not.
    KnightStrays = "knight_strays",
    /// A man has moved to `square`, taking nothing. A pawn of the player could go to `other`, on its fourth rank
    /// or beyond, and would have been lost; now the man would guard it there, and it would not be any more.
    PreparesAdvance = "prepares_advance",
    /// The pawn on `square` has moved, taking nothing, and attacks `other`, on the player's fifth or sixth rank, which no
    /// pawn of the other side can ever attack, nor stands on, and no pawn of the player attacked; at most one more of its
    /// men than of the player's attack it. A knight of the player can get there in two moves, over squares without own men.
    GainsOutpost = "gains_outpost",
    /// A man has moved to `square`, taking nothing, where it cannot be won, and attacks the pawn on `other`, which it did not
    /// before, at once or through a pawn that attacks it. With the player's others that attack it they are two or more and
    /// as many as its guards, of which there are.
    AddsPressure = "adds_pressure",
    /// A man, not the king, has moved to `square`, taking nothing, and guards the player's man on `other`, one of d4, e4, d5
    /// and e5, which it did not before. The other side attacks it, or it stands on its fifth rank.
    Supports = "supports",
    /// A knight, bishop or queen has moved, taking nothing, to `square`, where it cannot be won, right before the other
    /// side's pawn on `other`, which stands on its second rank on file d or e and could have gone there. The bishop that
    /// this pawn would let out is at home, and has no way out beside it.
    ShutsInBishop = "shuts_in_bishop",
    /// In an ending the rook stood behind the passed pawn on `other`, on its file, and has moved along that file to `square`,
    /// still behind it, with nothing between them.
    StaysBehindPasser = "stays_behind_passer",
    /// In a pawn ending the king has moved to `square`, nearer to a pawn of the other side, and is nearer to it than the
    /// other king. The player's passed pawn on `other` is three files or more away from every other pawn, and the other
    /// king is at most three steps from it, and nearer to it than the player's.
    Decoys = "decoys",
    /// In king and pawn against king, the player with the bare king, which has moved to `square`: whenever the other king
    /// advances, to one of two squares or more, the player can take the opposition, two ranks away on its file; or, on its first
    /// rank two ranks before the pawn, whenever the other king comes beside its pawn.
    AwaitsOpposition = "awaits_opposition",
    /// A knight, bishop, rook or queen has moved to `square`, taking nothing, where the other side can win something by
    /// taking it.
    OffersPiece = "offers_piece",
    /// A man has moved to `square`, without promoting. The player's knight, bishop, rook or queen on `other`, which has not moved
    /// and is worth at least two pawns more than what the move has taken, if anything, can be taken there with profit, and could
    /// have been if the move had been passed.
    LeavesPiece = "leaves_piece",
    /// In an ending the pawn on `square` has moved, taking nothing, right before a pawn of the other side on its second or third
    /// rank, and holds up the one on `other`, on a neighbouring file: it attacks the square before that pawn. These two have
    /// no fellows on their files or beside them, and the player has another passed pawn.
    HoldsTwo = "holds_two",
    /// A knight has moved to `square`, taking nothing, and can go on to `other`, where it could not go: on its fifth or sixth
    /// rank, guarded by a pawn of the player, attacked by none of the other side. It can be won on neither square.
    HeadsForSquare = "heads_for_square",
    /// A knight has moved to `square`, taking nothing, and can go on to the empty square `other`, farther up the board, where it
    /// could not go. It can be won on neither square.
    Regroups = "regroups",
    /// The line, of one move or two, ends with the player's capture of the other side's last pawn, on `square`; that side has
    /// no more than a knight or bishop left.
    LastPawn = "last_pawn",
    /// A man has moved to `square`, taking nothing, or a pawn after another one that was taken where it went. The player's bishop
    /// on `other`, another one, attacks three squares or more
    /// than before, among them one where the other king stands or beside it; that king is on its first two ranks, off
    /// the files d and e, and the bishop attacked no such square.
    DiagonalToKing = "diagonal_to_king",
    /// A knight, bishop or queen has moved to `square`, taking nothing. The player's rook on `other`, on the file that it has
    /// left, attacks two or more squares of that file more than before.
    ClearsFile = "clears_file",
    /// The player's first move has taken a pawn with a pawn from another file, on `square`, and a pawn has taken back. On the
    /// file that it left, where the player has no other pawn, a pawn of the other side stands on `other`; the player has a
    /// rook.
    HalfOpensFile = "half_opens_file",
    /// A bishop offers itself for the bishop on `other`, as in [`Theme::OffersTrade`]; the other side has two, the player one.
    OffersForPair = "offers_for_pair",
    /// A bishop offers itself for the bishop on `other`, as in [`Theme::OffersTrade`], which stands on its second rank, file b
    /// or g, at most one file from its king on its first rank, or that may still castle to that wing.
    OffersForKingGuard = "offers_for_king_guard",
    /// The knight or bishop on `square` offers itself for one of its kind, as in [`Theme::OffersTrade`], or is uncovered so. The
    /// pawn on `other`, on file d or e without a pawn of the player, is the only isolated one of the files c to f.
    OffersAgainstIsolated = "offers_against_isolated",
    /// The knight or bishop on `square` offers itself, as in [`Theme::OffersTrade`], for a guard of `other`, d5 or e5 as the
    /// player counts, where no pawn stands and none of the other side can ever attack. The player attacks it with more men
    /// than the other side, without the two.
    OffersForGuard = "offers_for_guard",
    /// The rook, which the other side attacked, has moved along a file without pawns to `square`, taking nothing, where it
    /// cannot be won.
    KeepsFile = "keeps_file",
    /// A piece has moved to `square`, taking nothing, where it cannot be won, and attacks the pawn on `other`, which it did not
    /// before. Only a bishop at home on file c or f guards the pawn, which cannot be won at once.
    TiesBishop = "ties_bishop",
    /// The pawn, on file d or e, has moved to `square`, taking nothing, where it cannot be won. It stood on the diagonal of the
    /// player's bishop on `other`, at home on file c or f, right behind a knight or queen of the player, which still stands
    /// there.
    FreesBishop = "frees_bishop",
    /// With queens on the board a rook has moved along its rank to `square`, where it cannot be won, behind the player's pawn
    /// on `other`, on its fourth rank at most, with no man between them and none before the pawn. Not on file d or e, and on
    /// a file at most one from that of the other king, on its first two ranks; the player's own king is two files away or
    /// on file a or h.
    BehindStorm = "behind_storm",
    /// The pawn has moved to `square`, taking nothing, where it cannot be won, right before the other side's pawn on `other`, on
    /// its fourth rank or beyond and with a rook or queen behind it on its file. From there that pawn would have attacked a
    /// pawn of the player at most one file from its king, which is on its first two ranks. Both are on files a to c or f to h,
    /// and no pawn attacks `square`.
    BlocksStorm = "blocks_storm",
    /// The pawn has moved to `square`, taking nothing, right before a pawn of the other side on `other`. On files c to f pawns
    /// of both sides stand right before each other twice or more, and more often than before. The other side has two bishops,
    /// the player one or none.
    ClosesToBishops = "closes_to_bishops",
    /// A bishop has moved to `square`, taking nothing, where it cannot be won, onto the diagonal of the bishop on `other`, which
    /// stands on its second rank, file b or g. One knight stands between them.
    OpposesBishop = "opposes_bishop",
    /// The other side's bishop, on its second rank, file b or g, has taken a knight, and the player has taken back on `square`
    /// and has a bishop of that colour; the other side has none left. Its pawn on `other` stands right before where the
    /// bishop was, and its king on its first rank, on file e or beyond, towards that wing.
    GivesKingBishop = "gives_king_bishop",
    /// A piece has moved to `square`, taking nothing, where it cannot be won, and attacks the empty square `other`, which it did
    /// not before. A pawn of the other side stands right before that square, and would from there attack a pawn of the player
    /// at most one file from its king, which is on its first two ranks and not on file d or e.
    GuardsBreak = "guards_break",
    /// In the opening the pawn has moved to `square`, one of the four central squares, taking nothing, where it cannot be won,
    /// and attacks a pawn of the other side on `other`, which it did not before. That side has a pawn on its fourth rank or
    /// beyond on file a, b, g or h, and its king on its first rank, file d or e.
    CentralCounter = "central_counter",
    /// With 14 pieces or fewer, the other side's piece or king on `square` alone guards its pawn on `other`, which a piece or the
    /// king of the player attacks; neither can be won at once; new by the move, or by the answer to it.
    TiesDown = "ties_down",
    /// A pawn has moved, taking nothing, and attacks `other`, on the player's seventh rank, where its rook or queen
    /// on `square`, on its fifth rank or before, could have gone and would have been lost, and would not be any more.
    EntrySquare = "entry_square",
    /// A man has moved to `square`, taking nothing, where it cannot be won, and attacks `other`, right before a pawn of the
    /// other side on files b to g that is isolated, or has left its second rank with all its neighbours ahead of it; it is
    /// empty, and the man did not attack it before. No pawn of the player does, and at most one more man of the other side than of the player.
    HoldsBack = "holds_back",
    /// In the opening the pawn has moved, taking nothing, from `other` on its second rank, to which the player's bishop on
    /// `square`, on its third to fifth rank, or queen, on its fourth or fifth, can now go; or a rook has left `other` on its first
    /// rank to a bishop on its second to fifth rank that a knight of the other side can attack next, where it cannot be won.
    WayBack = "way_back",
    /// With 14 pieces or fewer, the king has answered a move of the other side by going to `square`, on its fourth rank or
    /// beyond, nearer to the other king, where a piece would have attacked it had that move been passed.
    LetsKingIn = "lets_king_in",
    /// Within six plies the player has lost a rook and the other side two knights or bishops, and nothing else but pawns; the
    /// line ends with the player's capture on `square`.
    TwoForRook = "two_for_rook",
    /// The king has moved to `square`, nearer to the other king on `other`: two steps from it, or the other king is all that
    /// is left. The player has a rook or a queen.
    KingHelps = "king_helps",
    /// A man has moved, taking nothing, and pins the knight or bishop on `other` as in [`Theme::Pins`], which it did not. A pawn
    /// or knight of the player can go to `square` next, which no pawn of the other side attacks, taking nothing: there it
    /// attacks `other`, too, which it did not, and cannot be won.
    AttackOnPinned = "attack_on_pinned",
    /// The pawn on `square` has moved, taking nothing, and attacks the pawn on `other`, which it did not before: alone of its
    /// pawns this one guards a man of the other side that the player attacks.
    Undermines = "undermines",
    /// The pawn on `square` has moved, taking nothing. It can go one square farther, where it cannot be won and attacks the
    /// pawn on `other`, which no pawn of the player attacks yet.
    PreparesLever = "prepares_lever",
    /// A bishop, rook or queen has moved to `square`, taking nothing, where it cannot be won. Between it and the king, or a
    /// rook or queen worth more, on `other` stands one man: a knight, bishop or rook of the player. Before it was not so.
    HiddenAttack = "hidden_attack",
    /// The pawn on `square` has moved, taking nothing, into the way back of the bishop on `other`, beyond its second rank. That
    /// one could go to three squares or more, taking nothing, where it could not be won, and now can to one at most.
    ShutsOff = "shuts_off",
    /// In the opening the player may still castle with the rook on `square`, and no piece stands between it and the king any
    /// more.
    ClearsCastling = "clears_castling",
    /// A bishop has moved to `square`, taking nothing, where it cannot be won, and attacks a knight, which it did not before.
    /// That one guards `other`, d5 or e5 as the player counts, where no pawn stands, none of the other side can ever attack,
    /// and a knight of the player can go.
    HitsGuard = "hits_guard",
    /// A bishop with two or more own pawns on its colour that are blocked, as in [`Theme::TradesBadBishop`], has moved to
    /// `square`, taking nothing, where it cannot be won. It saw no square of the other half, and now sees two or more.
    BishopOut = "bishop_out",
    /// The knight, bishop, rook or queen that has moved to `square`, taking nothing, and one of the same kind on `other` are
    /// all that is left beside kings and pawns. They attacked each other, the one on `other` guarded,
    /// and do not any more.
    AvoidsPawnEnding = "avoids_pawn_ending",
    /// The pawn on `square` has moved, taking nothing, and attacks the knight, bishop, rook or queen on `other`, which it did
    /// not before.
    Kicks = "kicks",
    /// A pawn has moved to `square`, taking nothing, and attacks the knight, bishop, rook or queen on `other`, which it did not
    /// before. That piece has nothing to take, and a single square to go to where it is not lost: one farther back, or on
    /// the edge of the board.
    DrivesBack = "drives_back",
    /// The other side's queen has moved, taking nothing, to `other`. The player has answered with a knight, bishop or pawn, to
    /// `square`, taking nothing, where it attacks the queen and cannot be won.
    GainsTime = "gains_time",
    /// A knight, bishop, rook or queen has moved to `square`, taking nothing, where it cannot be won, and attacks the pawn on
    /// `other`, on files b to g, which it did not before. That pawn is isolated, or it has left its second rank, its
    /// neighbours are all ahead of it (or none behind, where another pawn is on its file), and no pawn of the player is on its
    /// file except right in front of it.
    TargetsWeakPawn = "targets_weak_pawn",
    /// The knight or bishop on `square` offers itself, as in [`Theme::OffersTrade`], for the one on `other`, which stands right
    /// before a pawn of the player that is isolated or passed.
    OffersForBlockader = "offers_for_blockader",
    /// A bishop, rook or queen has moved, taking nothing, to `square`, where it cannot be won, and pins the pawn on `other` to
    /// its king along a rank or diagonal, which it did not before.
    PinsPawn = "pins_pawn",
    /// The pawn on `square` has moved, taking nothing. It can go one square farther, where it cannot be won and attacks the
    /// piece on `other` and another one, not pawns, neither of which a pawn of the player attacks yet.
    PreparesFork = "prepares_fork",
    /// A man has left the player's first rank for `square`, taking nothing and not by castling. It stood between the player's
    /// two rooks, both on that rank, and nothing does any more.
    ConnectsRooks = "connects_rooks",
    /// With no queens and 20 pieces or more on the board, the king has moved from its first rank to `square` on its second,
    /// file d or e; it was not in check.
    CentralKing = "central_king",
    /// The other side has its king on `other` and at most pawns. A rook or queen has moved to `square`, where it cannot be
    /// taken, and the king can get to at most half as many squares by any number of its own moves as before, or to eight
    /// less.
    BoxesKing = "boxes_king",
    /// The player has a queen, and the other king stands on its first rank. The other side has answered the player's first
    /// move by moving the pawn on `square` from its second rank, taking nothing, on its king's file or beside it. It
    /// attacked `other`, on its third rank and at most two steps from the king, and no pawn of its side ever can any more.
    /// The first move gave check, or attacked a pawn beside the king on a file next to it.
    Provokes = "provokes",
    /// A knight has moved to `square`, taking nothing, and can go on to a square from which it attacks the pawn on `other`,
    /// which it could not before. That pawn is weak as in [`Theme::TargetsWeakPawn`], and the knight attacked it neither
    /// before nor now. It can be won on neither square.
    HeadsForPawn = "heads_for_pawn",
    /// The player's first move has taken the bishop that stood on its second rank, file b or g, at most one file from its
    /// king on its first, with a knight or bishop, and has been taken there, which ends the line, on `square`.
    TakesKingGuard = "takes_king_guard",
    /// The pawn on `square` has moved, taking nothing, and attacks a pawn of the other side, which it did not before. On its
    /// file the player has no other pawn, and a rook or queen behind it, nothing between. The other king, on `other`, stands
    /// on that file or beside it, on its first two ranks, not on file d or e.
    OpensAgainstKing = "opens_against_king",
    /// A knight or bishop has moved to `square`, taking nothing, where it cannot be won, between a rook or queen of the
    /// player and one of the other side on `other`, which attacked each other on a file. The player has another rook.
    ClosesFile = "closes_file",
    /// With rook against rook and the pawn on `other`, the player's king stood on its first rank, in the pawn's file, and has
    /// gone to `square` on that rank, where fewer files are left to the edge of the board than on the pawn's other side.
    ShortSide = "short_side",
    /// On files d and e pawns of both sides stand right before each other. The pawn on `square`, on the three outer files of
    /// the wing of the other king on `other`, which is on its first two ranks, has moved to its fourth or fifth rank, taking
    /// nothing, where it cannot be won.
    StormsClosedCentre = "storms_closed_centre",
    /// With a queen, a pawn has moved, taking nothing, to `square` on its fourth rank, where it cannot be won, nothing before it.
    /// On a neighbouring file stands the pawn of the other side on `other`, on its third rank and at most a file away from its
    /// king, which is on its first two ranks and off the files d and e.
    GoesForHook = "goes_for_hook",
    /// A man has moved to `square`, taking nothing, between a bishop, rook or queen of the other side and a man on `other`
    /// that it guarded and does not guard any more. The player could not win anything by taking that man, and now could, if it
    /// were to move.
    CutsOffGuard = "cuts_off_guard",
    /// A man, not a king or queen, has moved to `square`, taking nothing, where it cannot be won, between a bishop, rook or queen
    /// of the other side and the player's man on `other`, which nothing attacks any more and had no more guards than attackers,
    /// and no pawn among them.
    Shields = "shields",
    /// The pawn that a pawn of the other side attacked has moved to `square`, taking nothing, where it neither is attacked by a
    /// pawn nor attacks one. One of the two stood on a file at most one from that of the player's king on `other`, on files a to
    /// c or f to h; the other side has a rook or queen.
    ClosesLines = "closes_lines",
    /// The pawn on `square` has moved, taking nothing, right before the pawn on `other`, which could go there, where it could
    /// not be won and would have attacked a man, or stood on d4, e4, d5 or e5.
    BarsPawn = "bars_pawn",
    /// In an ending the pawn or king has moved to `square`, taking nothing, and cannot be won. It attacks the empty square `other`,
    /// which it did not before, which is no farther back than the other king and where that one could have gone, had the player
    /// passed; or, from a king, with two moves beyond the middle of the board.
    BarsKing = "bars_king",
    /// The player's first move has left `square`, taking nothing, or what takes back at once, and one of the next two, after such a
    /// trade the next, has brought another man there, taking nothing: a king in an ending, a knight or bishop with check or
    /// beyond the fourth rank, after a trade beyond the third, or a knight from file a or h. It could not go there before, and
    /// cannot be won.
    ClearsSquare = "clears_square",
    /// The player's first move was a pawn's from `other`, taking nothing. The pawn is taken at once, what takes it is not taken
    /// in its turn, no other replaces it, and the last move, one of the player's next four, has brought a bishop, rook or queen past `other` to `square`, another than
    /// the pawn's, on its fifth rank or beyond, where it cannot be won.
    OpensWay = "opens_way",
    /// The player's first move has taken a knight or bishop on `square` and been taken there; its next, which ends the line,
    /// has taken the pawn on `other`, which that piece guarded, and cannot be won there.
    TakesGuard = "takes_guard",
    /// The man on `other`, which has come there if the line has two moves, attacks two or more of the player's knights, bishops,
    /// rooks and queens and could win each of them, had the player passed. The player's last move has taken one of them to
    /// `square`, with check, where it cannot be won, and leaves that man on the board.
    EscapesFork = "escapes_fork",
    /// The other side's first move was a knight's, bishop's or queen's from `square`, taking nothing. With the last, its second or
    /// third, the same piece has gone back there, taking nothing.
    GoesBack = "goes_back",
    /// The other side's move has brought a man to `square`, between its own bishop, rook or queen and its man on `other`, which
    /// both stood there before. The player takes that man and wins something, which no capture there would have done before.
    BlocksOwnGuard = "blocks_own_guard",
    /// The player has traded a knight or bishop for another on `square`. Before that there were 22 men or more; of the pawns on
    /// files c to f the player had none beyond its third rank, the other side two or more.
    EasesCramp = "eases_cramp",
    /// In a line of three to nine moves of both sides the player's queen and a rook or another queen, on `square` and `other`, have
    /// come to one file, where the player has no pawn; the last move brought the one on `square`, and neither can be won. The file
    /// is that of the other king or beside it, which is on its first two ranks and off the files d and e.
    GathersOnFile = "gathers_on_file",
    /// The other side's first move has left `square`, right before a pawn of the player, with a piece or its king. One of the
    /// player's next two moves has brought that pawn there, where it attacks another knight, bishop, rook or queen, on `other`.
    UnblocksPawn = "unblocks_pawn",
    /// The player's first move is a knight's or bishop's. Each side has lost one of these, the other side within two moves the
    /// one that stood on `other` and guarded `square`. With the last move, its second to fourth, a knight, bishop or rook of the
    /// player has gone to `square`, on its fifth to seventh rank, taking nothing, where it cannot be won and no pawn of the other
    /// side could ever have attacked it.
    TradesForEntry = "trades_for_entry",
    /// The knight, bishop, rook or queen that has moved to `square`, taking nothing, with the first move of the line or the
    /// answer to it, and one of the same kind on `other` are all that is left beside kings and pawns. It attacks that one, which
    /// it did not before, is guarded, and cannot be won.
    OffersPawnEnding = "offers_pawn_ending",
    /// With 14 pieces or fewer the other side has given check, and the player's king has gone to `square`, on its fourth rank or
    /// beyond, where it attacks a pawn of the other side on `other`, which it did not before.
    DrivesKingOn = "drives_king_on",
    /// A piece or king has moved to `square`, taking nothing, where it cannot be won, and guards the player's passed pawn on `other`, on
    /// its sixth or seventh rank. The other side could have won it, had the player passed, and cannot any more.
    HoldsPasser = "holds_passer",
    /// A man has moved to `square`, taking nothing, where it cannot be won, and guards the player's man on `other`, which it did not
    /// before. The other side could have won that one, had the player passed, and cannot any more.
    Holds = "holds",
    /// The other side's first move was that of a man which attacked `square`, and does no longer. The player's man has gone there with
    /// the answer, taking nothing, where it cannot be won; before that first move it could have been won there.
    LeavesSquare = "leaves_square",
    /// The other side's first move, which took nothing, was a knight's, bishop's, rook's or queen's that guarded its knight, bishop,
    /// rook or queen on `other`, and does so no longer. The answer, a quiet move to `square`, attacks that one, which the same
    /// piece did not before; it has no more guards than attackers, and what attacks it cannot be won.
    GivesUpGuard = "gives_up_guard",
    /// With rook against rook and the player's pawn on `other`, the other king stood on its first rank, in the pawn's file, and has
    /// gone to `square` on that rank, where more files are left to the edge of the board than on the pawn's other side.
    LongSide = "long_side",
    /// With 18 men or more the player has traded a knight or bishop for another on `square`. The pawn on `other`, on file d or e
    /// without a pawn of the player, is before and after it the only isolated one of the files c to f, of either side.
    TradesAgainstIsolated = "trades_against_isolated",
    /// The bishop on `square`, one of two, has moved, taking nothing, where it cannot be won, from beyond its first rank, where
    /// nothing attacked it. Had the player passed, the knight on `other` could have gone, taking nothing, to where it attacks the
    /// bishop and cannot be won, as no knight of the other side can now.
    EvadesKnight = "evades_knight",
    /// The line ends with the player's capture of a piece on `square`, which leaves the other side no pawn, rook or queen and at
    /// most one knight or bishop.
    LeavesTooLittle = "leaves_too_little",
    /// The player has traded a knight or bishop for another on `square` and has a knight left, the other side the bishop on `other`, and
    /// neither has more of them. Three or more of its pawns, more than half of them, stand on the bishop's colour, one of them blocked
    /// as in [`Theme::TradesBadBishop`].
    LeavesBadBishop = "leaves_bad_bishop",
    /// With eight men or fewer the player's king has gone to `square`, and the other side, which is to move, can keep it from taking
    /// the pawn on `other` only by stalemate.
    StalemateGuards = "stalemate_guards",
}
