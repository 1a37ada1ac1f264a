//! What a quiet move forestalls: a change on the board that the opponent would have made if the move had been passed, and
//! cannot make now.

use super::change::Change;
use super::contrast::is_stopped;
use super::explanation::{Reason, Role, Said};
use super::judge::Judge;
use super::merits::named_here;
use super::null_move::{DECIDES, Moment, Passed};
use super::reasons::Weighed;
use super::relevance::is_structure;
use super::theme::Theme;

/// A pass costs so much where the opponent has something to do with it beyond the tempo.
const COSTS: f64 = 0.08;

/// The least weight of a change that is worth forestalling.
const WORTH_STOPPING: i32 = 400;

/// Plies of a line whose changes are seen at once: a move, and what takes back.
const SEEN: usize = 2;

/// By so much a change that is forestalled weighs less than the same made.
const LESS: i32 = 30;

impl Moment<'_> {
    /// What the opponent's best move after a pass would have changed and does not now: it cannot be played any more, changes
    /// that no longer, or its piece would be lost.
    pub fn forestalls(&self, before: &Passed, judge: &mut dyn Judge) -> Option<Weighed> {
        let wanted = before.wanted()?;
        // a man that moves on cannot be taken where it stood
        let was_to_be_taken = wanted.is_capture() && wanted.to() == self.m.from();
        let cost = self.worth.expected + before.worth();
        // what would have decided the game may be played all the same, if it changes that no longer
        let comes_anyway = self.answer == Some(wanted) && cost < DECIDES;
        if cost < COSTS || was_to_be_taken || comes_anyway {
            return None;
        }
        let course = before.course(&self.question, judge);
        // what falls too late to be a threat is not what decides
        let course = if cost < DECIDES {
            course
        } else {
            course.without_outcome()
        };
        if course.gain != 0 {
            return None;
        }
        let moment = before.moment(&self.question, &course)?;
        let reply = self.question.position.after(self.m);
        let is_worth_it = |(weight, reason): &Weighed| {
            *weight >= WORTH_STOPPING && lasts(reason) && is_stopped(&reply, reason)
        };
        let found = named_here(&course, &moment, Some(self.m), judge).into_iter();
        let (weight, reason) = found.filter(is_worth_it).max_by_key(|(weight, _)| *weight)?;
        Some((
            weight - LESS,
            Reason {
                role: Role::Prevents,
                ..reason
            },
        ))
    }
}

/// Whether a reason is a change that a player sees at once and that stays: pawns that are spoilt, a post, a file, a pin.
fn lasts(reason: &Reason) -> bool {
    if reason.line.len() > SEEN {
        return false;
    }
    match reason.said {
        Said::Change(Change::Theme { theme, .. }) => matches!(
            theme,
            Theme::Blockade
                | Theme::GuardedPost
                | Theme::SeventhRank
                | Theme::CutOff
                | Theme::Pins
                | Theme::AttackOnPinned
                | Theme::TakesKingGuard
                | Theme::CentreWithTempo
                | Theme::EntrySquare
                | Theme::TakesCastling
                | Theme::RookBehindPasser
                | Theme::Opposition
                | Theme::Dominates
        ),
        Said::Change(change) => is_structure(&change),
        Said::Claim(_) => false,
    }
}
