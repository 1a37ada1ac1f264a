//! What can be said of a move: typed claims about the board, each with a definition that the rules alone decide.
//!
//! In the definitions the move is played by its *mover* and answered by the *opponent*. What a capture *wins* is
//! counted with pawn 100, knight and bishop 300, rook 500, queen 900, by the best play of both sides in legal
//! captures on its square, which either may stop ([`super::check::exchange`]).

use super::plain;
use crate::board::{Color, PieceType, Square};
use serde::Serialize;

/// A claim about one move of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Which move of the line, counted from 0. For what holds of the whole line it is the last.
    pub ply: usize,
    /// What is claimed.
    #[serde(flatten)]
    pub motif: Motif,
}

impl Claim {
    /// The ply of the move that it is about: what holds of the whole line is said of its first move.
    pub fn subject(&self) -> usize {
        match self.motif {
            Motif::Material { .. } => 0,
            _ => self.ply,
        }
    }
}

/// Numbers of pieces, king left out: pawns, knights, bishops, rooks, queens.
pub type Counts = [u8; 5];

/// Why a pawn became something less than a queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Underpromotion {
    /// The promotion mates, and no queen there would.
    Mates,
    /// It gives check, and no queen there would.
    Checks,
    /// A queen there would leave the opponent stalemated.
    AvoidsStalemate,
    /// A queen there could be answered by a check whose taking is stalemate, and every other reply to it loses her.
    AvoidsTrick,
}

/// A mate with a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MatePattern {
    /// A knight mates a king that its own pieces surround.
    Smothered,
    /// A rook or queen mates along an outer file, where a knight two files away guards two squares beside the king.
    Anastasia,
    /// A rook beside a king in the corner mates, guarded by a knight.
    Arabian,
    /// A bishop mates, and a second one guards a square beside the king.
    Boden,
    /// A queen mates a king on the edge from two squares away, between two of its own pieces on that edge.
    Epaulette,
    /// A rook mates beside the king on its first rank, guarded by a bishop.
    Opera,
}

impl MatePattern {
    /// All of them.
    pub const ALL: [MatePattern; 6] = [
        MatePattern::Smothered,
        MatePattern::Anastasia,
        MatePattern::Arabian,
        MatePattern::Boden,
        MatePattern::Epaulette,
        MatePattern::Opera,
    ];
}

/// What is claimed, with the squares that show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "motif", rename_all = "snake_case")]
pub enum Motif {
    /// Over the whole line `winner` gains this much material, and keeps it: at the end no captures, promotions and
    /// answers to checks of the other side bring the gain below `centipawns`.
    Material {
        /// Who is better off.
        #[serde(serialize_with = "plain::color")]
        winner: Color,
        /// How the material balance changed in the winner's favour, at least 100.
        centipawns: i32,
        /// How many of each kind the winner takes in the line.
        won: Counts,
        /// How many of each kind the other side takes.
        lost: Counts,
        /// What the winner's pawns become.
        promoted: Counts,
    },
    /// A capture after which the opponent has no legal capture on the same square, and which does not merely take
    /// back what has just captured there.
    TakesFree {
        /// Where.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// What was taken.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
    },
    /// After the move the opponent wins something by captures on this square, more than the move took there.
    LeavesEnPrise {
        /// Where the mover's piece stands.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
        /// What the captures win.
        centipawns: i32,
    },
    /// The moved piece stood between a slider of the opponent and `target`, not where it has gone, where the slider goes with the
    /// opponent's next move, taking something or giving check.
    OpensLine {
        /// Where the slider stands.
        #[serde(serialize_with = "plain::square")]
        slider: Square,
        /// Where it goes.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// The opponent's next move goes to `target`, taking something or giving check, or the one after that takes something
    /// there, and nothing is won by captures there then. Had the mover passed, the same moves could have been played, and the
    /// mover would have won something there by taking back with the piece that has moved.
    LeavesGuard {
        /// What the moved piece guarded.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// A piece of the opponent, neither pawn nor king, that would be won where it stands, and that no answer saves:
    /// after every one the captures on the square where it then stands win more than the answer took, unless
    /// the piece has moved and whoever takes it leaves as much to be taken. The opponent is not in check, and it was not so before
    /// the move.
    Trapped {
        /// Where the piece stands.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
    },
    /// The moved piece attacks two or more pieces at once. Each is the king, or a piece that it would win if the
    /// opponent left both where they are; with the king among them, after every answer that does so. The opponent
    /// cannot take the forking piece without loss, and it did not attack all the targets before.
    Fork {
        /// Where the forking piece stands after the move.
        #[serde(serialize_with = "plain::square")]
        by: Square,
        /// What it attacks, in the order of the squares.
        #[serde(serialize_with = "plain::squares")]
        targets: Vec<Square>,
    },
    /// Two pieces of the mover each threaten to win another piece, as in [`Motif::Fork`]; neither threatened it before
    /// the move (or, if that answers a check, attacked it), and neither can be taken without loss.
    DoubleAttack {
        /// The attacking pieces.
        #[serde(serialize_with = "plain::squares")]
        attackers: Vec<Square>,
        /// What each would win.
        #[serde(serialize_with = "plain::squares")]
        targets: Vec<Square>,
    },
    /// Two pieces give check.
    DoubleCheck {
        /// The king in check.
        #[serde(serialize_with = "plain::square")]
        king: Square,
        /// The pieces that give it.
        #[serde(serialize_with = "plain::squares")]
        checkers: Vec<Square>,
    },
    /// The moved piece uncovers a slider that gives check.
    DiscoveredCheck {
        /// The slider.
        #[serde(serialize_with = "plain::square")]
        slider: Square,
        /// The king in check.
        #[serde(serialize_with = "plain::square")]
        king: Square,
    },
    /// The moved piece uncovers a slider that would win a piece, as in [`Motif::Fork`]; the slider cannot be taken
    /// without loss.
    DiscoveredAttack {
        /// The slider.
        #[serde(serialize_with = "plain::square")]
        slider: Square,
        /// What it would win.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// A piece that would be won where it stands and could step out of the line if nothing worth more stood behind
    /// it: the king, or a piece that the pinner would then win. The pin or the attack is new.
    PinPreventsEscape {
        /// The slider that pins.
        #[serde(serialize_with = "plain::square")]
        pinner: Square,
        /// The piece that cannot leave.
        #[serde(serialize_with = "plain::square")]
        pinned: Square,
        /// What stands behind it.
        #[serde(serialize_with = "plain::square")]
        behind: Square,
    },
    /// A pinned piece attacks a piece of the mover that is worth more or undefended, or has just come to win the pinned
    /// one, as in [`Motif::Fork`]; and it cannot take it: that is illegal, or loses more behind it than it takes. The pin
    /// is new, or the move went to `prey`. A king is in check by what the man pinned against it cannot take, if at all.
    PinPreventsAttack {
        /// The slider that pins.
        #[serde(serialize_with = "plain::square")]
        pinner: Square,
        /// The piece that cannot take.
        #[serde(serialize_with = "plain::square")]
        pinned: Square,
        /// What stands behind it.
        #[serde(serialize_with = "plain::square")]
        behind: Square,
        /// What it could take otherwise.
        #[serde(serialize_with = "plain::square")]
        prey: Square,
    },
    /// A slider attacks a piece, and behind it one that is not worth more and is won once the front one is gone;
    /// the front one is the king, or would be won where it stands. The slider cannot be taken without loss.
    Skewer {
        /// The slider.
        #[serde(serialize_with = "plain::square")]
        by: Square,
        /// The piece in front.
        #[serde(serialize_with = "plain::square")]
        front: Square,
        /// The piece behind.
        #[serde(serialize_with = "plain::square")]
        behind: Square,
    },
    /// Captures on `target` at this move, the next and the one after that; the last by a slider that had the piece
    /// which took back between itself and the square, and nothing else.
    XRay {
        /// Where the slider stood.
        #[serde(serialize_with = "plain::square")]
        slider: Square,
        /// Where the opponent's piece stood that took back.
        #[serde(serialize_with = "plain::square")]
        through: Square,
        /// The square of the captures.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// A piece guarded two pieces: the move took the first, the guard took back, and the next move wins the second,
    /// which was attacked before, if need be through the moved piece, when no captures would have won it. The mover keeps
    /// a pawn's gain or more.
    Overloaded {
        /// Where the guard stood.
        #[serde(serialize_with = "plain::square")]
        defender: Square,
        /// Where it took back.
        #[serde(serialize_with = "plain::square")]
        first: Square,
        /// What it guarded too.
        #[serde(serialize_with = "plain::square")]
        second: Square,
    },
    /// The move takes a guard, and the mover's next move wins what it guarded, as in [`Motif::Overloaded`]; it is
    /// exposed as soon as the guard is gone.
    RemovedDefender {
        /// Where the guard stood.
        #[serde(serialize_with = "plain::square")]
        defender: Square,
        /// What it guarded.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// The move lures a guard away, by an offer that it takes or by a check to a king, and the mover's next move
    /// wins what it guarded, as in [`Motif::Overloaded`], or mates, gets a queen or
    /// gives check on a square where it would have taken the mover's piece; of a check the line ends in mate or with a pawn's
    /// gain.
    Deflection {
        /// Where the guard stood.
        #[serde(serialize_with = "plain::square")]
        defender: Square,
        /// What it guarded.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// A piece is offered on `square` for no more than it is worth; the king, the queen or a rook takes it, and there
    /// the next move gives check or attacks it so that it would be won. The line ends in mate or with a pawn's gain.
    Attraction {
        /// Where the lured piece stood.
        #[serde(serialize_with = "plain::square")]
        from: Square,
        /// Where it was lured to.
        #[serde(serialize_with = "plain::square")]
        square: Square,
    },
    /// The moved piece stands between a slider and the piece that it guards, and the mover's next move wins that
    /// piece, as in [`Motif::Overloaded`].
    Interference {
        /// Where the moved piece stands.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// The slider whose line is cut.
        #[serde(serialize_with = "plain::square")]
        slider: Square,
        /// What it guarded.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
    /// Instead of taking back at once, which was legal and would have won something, the mover first gives check or
    /// takes elsewhere, and takes back with the next move. Of the first move of a line it is not known what was played before:
    /// there a piece of the opponent, not a pawn, stands on the mover's first or second rank, where captures would have won 300 or
    /// more. The mover gives check, twice or once, and takes that piece with the next move after.
    Intermezzo {
        /// Where the recapture takes place.
        #[serde(serialize_with = "plain::square")]
        recapture: Square,
    },
    /// The moved piece is taken at once, or by the next move after a check in between, and the captures on its square cost
    /// the mover 200 or more, and two fifths of what it is worth. Not where the mover's next move takes elsewhere and makes up for it.
    Sacrifice {
        /// Where it is taken.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which piece.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
        /// What the captures cost, less what the move itself took.
        centipawns: i32,
    },
    /// The move mates.
    Mate {
        /// The king.
        #[serde(serialize_with = "plain::square")]
        king: Square,
    },
    /// The move mates a king on its back rank by a rook or queen on that rank, and every square in front of the king
    /// holds a piece of its own.
    BackRankMate {
        /// The king.
        #[serde(serialize_with = "plain::square")]
        king: Square,
        /// The rook or queen.
        #[serde(serialize_with = "plain::square")]
        attacker: Square,
    },
    /// The move mates in a way that has a name.
    NamedMate {
        /// The king.
        #[serde(serialize_with = "plain::square")]
        king: Square,
        /// The name.
        pattern: MatePattern,
    },
    /// After the move captures on `square` seem to win a pawn or more, or to trade queens or rooks. The opponent takes there, and the
    /// line ends in mate or, where it was no trade, with a pawn's gain that the mover keeps.
    CannotTake {
        /// What seems to hang.
        #[serde(serialize_with = "plain::square")]
        square: Square,
    },
    /// After the move captures on `square` seem to win a pawn or more, and the opponent takes there. It is the word of a search that
    /// this gives away as much as a mistake does, or that it brings the opponent no more than another answer.
    TakingCosts {
        /// What seems to hang.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Whether taking it is a mistake.
        mistake: bool,
    },
    /// The move takes a piece worth 300 or more, and captures there win as much. It is the word of a search that it is worse by
    /// far than another move.
    TakingIsWorse {
        /// Where the piece stood.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
    },
    /// The opponent answers with a move that takes nothing, is no promotion, and could have been made if the mover had passed.
    /// The line ends in mate or with a pawn's gain that the mover keeps. It is the word of a search that the answer was
    /// good if the mover passed.
    NowFails {
        /// Where the answer begins.
        #[serde(serialize_with = "plain::square")]
        from: Square,
        /// Where it goes.
        #[serde(serialize_with = "plain::square")]
        to: Square,
    },
    /// The opponent is not in check and could pass without losing anything at once. Where it is `proved`, after every move
    /// that it has, a capture of the mover wins something or a pawn of the mover can promote without being taken;
    /// otherwise it is the word of a search that every move is worse than to pass.
    Zugzwang {
        /// The king that is to move.
        #[serde(serialize_with = "plain::square")]
        king: Square,
        /// Whether every move was tried.
        proved: bool,
    },
    /// The mover, who is not ahead, gives check and can go on giving check for ever: every answer allows another such
    /// check, or leaves the mover stalemated.
    Perpetual {
        /// The king in check.
        #[serde(serialize_with = "plain::square")]
        king: Square,
    },
    /// The mover offers a piece or leaves one to be taken; the opponent takes it and is 200 or more ahead, and the mover is
    /// stalemated.
    StalemateTrick {
        /// Where the piece was taken.
        #[serde(serialize_with = "plain::square")]
        square: Square,
    },
    /// The move is not castling and ends rights to castle that the mover had.
    LosesCastling {
        /// Towards the h-file.
        king_side: bool,
        /// Towards the a-file.
        queen_side: bool,
    },
    /// A pawn becomes a piece.
    Promotion {
        /// Where.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
    },
    /// A pawn becomes a knight, bishop or rook where a queen would have done worse.
    Underpromotion {
        /// Where.
        #[serde(serialize_with = "plain::square")]
        square: Square,
        /// Which.
        #[serde(serialize_with = "plain::kind")]
        piece: PieceType,
        /// Why.
        reason: Underpromotion,
    },
    /// The opponent has only king and pawns, and whatever it plays, the pawn goes straight to its last rank, becomes
    /// a queen, and is not taken there at once.
    UnstoppablePawn {
        /// Where the pawn stands.
        #[serde(serialize_with = "plain::square")]
        pawn: Square,
    },
    /// If the opponent passed, the mover could mate at once. Before the move there was no mate in one.
    ThreatensMate {
        /// Where the mating piece comes from.
        #[serde(serialize_with = "plain::square")]
        from: Square,
        /// Where it mates; of a castling move the rook's square.
        #[serde(serialize_with = "plain::square")]
        to: Square,
    },
    /// If the opponent passed, captures on this square would win something. Before the move they would not have.
    ThreatensCapture {
        /// Where the piece stands.
        #[serde(serialize_with = "plain::square")]
        target: Square,
        /// What the captures would win.
        centipawns: i32,
    },
    /// Had the mover passed, the opponent would have had a mate in one, and plays it as its next move.
    IgnoresMate {
        /// Where the mating piece comes from.
        #[serde(serialize_with = "plain::square")]
        from: Square,
        /// Where it mates; of a castling move the rook's square.
        #[serde(serialize_with = "plain::square")]
        to: Square,
    },
    /// Had the mover passed, the opponent would have won something on this square; the piece stays there, and the
    /// opponent's next move wins it.
    IgnoresCapture {
        /// Where the piece stands.
        #[serde(serialize_with = "plain::square")]
        target: Square,
    },
}

impl Motif {
    /// Whether the line ends in mate.
    pub fn is_mate(&self) -> bool {
        matches!(
            self,
            Motif::Mate { .. } | Motif::BackRankMate { .. } | Motif::NamedMate { .. }
        )
    }

    /// Whether it is that a man stood or was left there to be taken.
    pub fn leaves_a_man(&self) -> bool {
        matches!(
            self,
            Motif::LeavesEnPrise { .. } | Motif::IgnoresCapture { .. } | Motif::TakesFree { .. }
        )
    }

    /// The name of the kind, the one in JSON and in message files with dashes for underscores.
    pub fn name(&self) -> &'static str {
        match self {
            Motif::Material { .. } => "material",
            Motif::TakesFree { .. } => "takes_free",
            Motif::LeavesEnPrise { .. } => "leaves_en_prise",
            Motif::OpensLine { .. } => "opens_line",
            Motif::LeavesGuard { .. } => "leaves_guard",
            Motif::Trapped { .. } => "trapped",
            Motif::Fork { .. } => "fork",
            Motif::DoubleAttack { .. } => "double_attack",
            Motif::DoubleCheck { .. } => "double_check",
            Motif::DiscoveredCheck { .. } => "discovered_check",
            Motif::DiscoveredAttack { .. } => "discovered_attack",
            Motif::PinPreventsEscape { .. } => "pin_prevents_escape",
            Motif::PinPreventsAttack { .. } => "pin_prevents_attack",
            Motif::Skewer { .. } => "skewer",
            Motif::XRay { .. } => "x_ray",
            Motif::Overloaded { .. } => "overloaded",
            Motif::RemovedDefender { .. } => "removed_defender",
            Motif::Deflection { .. } => "deflection",
            Motif::Attraction { .. } => "attraction",
            Motif::Interference { .. } => "interference",
            Motif::Intermezzo { .. } => "intermezzo",
            Motif::Sacrifice { .. } => "sacrifice",
            Motif::Mate { .. } => "mate",
            Motif::BackRankMate { .. } => "back_rank_mate",
            Motif::NamedMate { .. } => "named_mate",
            Motif::CannotTake { .. } => "cannot_take",
            Motif::TakingCosts { .. } => "taking_costs",
            Motif::NowFails { .. } => "now_fails",
            Motif::TakingIsWorse { .. } => "taking_is_worse",
            Motif::Zugzwang { .. } => "zugzwang",
            Motif::Perpetual { .. } => "perpetual",
            Motif::StalemateTrick { .. } => "stalemate_trick",
            Motif::LosesCastling { .. } => "loses_castling",
            Motif::Promotion { .. } => "promotion",
            Motif::Underpromotion { .. } => "underpromotion",
            Motif::UnstoppablePawn { .. } => "unstoppable_pawn",
            Motif::ThreatensMate { .. } => "threatens_mate",
            Motif::ThreatensCapture { .. } => "threatens_capture",
            Motif::IgnoresMate { .. } => "ignores_mate",
            Motif::IgnoresCapture { .. } => "ignores_capture",
        }
    }
}
