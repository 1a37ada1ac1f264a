//! Sessions: the lines of a client, answered by the library. Threads and standard input are left out of it here;
//! `tests/uci_soak.rs` sends noise to the program.

use crate::mutation::Mutations;
use crate::target::fuzz;
use enroc::board::Position;
use enroc::engine::game::set_up;
use enroc::search::Control;
use enroc::uci::UciEngine;
use enroc::uci::command::Command;
use enroc::uci::complaint::complaint;
use enroc::uci::go::Go;
use enroc::uci::input::{InputLine, read_line};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

const SESSIONS: &[&str] = &[
    "uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5 g1f3\ngo wtime 50 btime 50 winc 1 binc 1 movestogo 3\nd\n\
     eval\n",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 h3g2\ngo searchmoves \
     g1g2 f3g2 depth 2\nexplain f3g2 de\n",
    "setoption name UCI_Chess960 value true\nsetoption name MultiPV value 3\nposition fen \
     bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1 moves f2f4\ngo nodes 30\ngo perft 1\nsetoption name MultiPV \
     value 1\nsetoption name UCI_Chess960 value false\n",
    "debug on\nsetoption name UCI_ShowWDL value true\nsetoption name Skill Level value 3\ngo mate 2\nsetoption name Skill \
     Level value 20\nposition fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1\ngo infinite\nstop\nponderhit\nquit\n",
    "setoption name LookAhead value 2\nsetoption name Quiescence value true\ngo movetime 5\nsetoption name LookAhead value \
     0\nsetoption name Clear Hash\nsetoption name Hash value 1\nsetoption name Move Overhead value 5000\nbench 1\n",
];

const WORDS: &[&str] = &[
    "position ",
    "startpos",
    "fen ",
    " moves ",
    "go ",
    "depth ",
    "nodes ",
    "wtime ",
    "btime -1",
    "movestogo 0",
    "mate 1",
    "searchmoves ",
    "perft 1",
    "infinite",
    "ponder",
    "setoption name ",
    " value ",
    "UCI_Elo",
    "UCI_LimitStrength",
    "true",
    "Hash",
    "Threads",
    "MultiPV",
    "LookAhead",
    "Net",
    "Backend",
    "<empty>",
    "eval",
    "explain ",
    "d\n",
    "\n",
    "\r\n",
    "\t",
    "0000",
    "e1g1",
    "e7e8q",
    "\0",
    "é",
];

/// Options that would write a file, read one, or take gigabytes or a slow net.
const KEPT: &[&str] = &[
    "debug log file",
    "evalfile",
    "syzygypath",
    "hash",
    "threads",
    "net",
    "backend",
];

/// Whatever was sent, a `go` is answered by a legal move of the position that was accepted last, and no answer holds a
/// control character: a client might take what follows for another line.
#[test]
fn uci() {
    let engine = Mutex::new(UciEngine::new().expect("an engine"));
    fuzz("uci", 200, Mutations::of_texts(SESSIONS, WORDS), |input| {
        let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.set_position(None, &[]).expect("the start");
        let mut session = Session {
            engine: &mut engine,
            position: Position::default(),
            answered: false,
        };
        session.run(&input.bytes);
        session.answered
    });
}

#[test]
fn a_carriage_return_within_a_line_is_not_told() {
    let mut engine = UciEngine::new().expect("an engine");
    let mut session = Session {
        engine: &mut engine,
        position: Position::default(),
        answered: false,
    };
    session.run(b"setoption name UCI_ShowWDL value tr\xff\xfe\rue\ngo dep\rth 3\nposition fen 8/8 \r w\nexplain e2\re4\n");
}

struct Session<'a> {
    engine: &'a mut UciEngine,
    position: Position,
    /// Whether there was a search.
    answered: bool,
}

impl Session<'_> {
    fn run(&mut self, mut input: &[u8]) {
        while let Some(line) = read_line(&mut input).expect("memory") {
            let InputLine::Text(line) = line else { continue };
            match Command::parse(&line) {
                Ok(Some(command)) => self.execute(command),
                Ok(None) => {}
                Err(error) => is_line(&complaint(error)),
            }
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::SetOption { name, .. } if KEPT.contains(&name.to_ascii_lowercase().as_str()) => {}
            Command::SetOption { name, value } => match self.engine.set_option(&name, &value) {
                Ok(told) => told.iter().for_each(|line| is_line(line)),
                Err(error) => is_line(&complaint(error)),
            },
            Command::NewGame => self.engine.new_game(),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(*go),
            Command::Show => drop(self.engine.show()),
            Command::Eval => drop(self.engine.evaluation()),
            Command::Explain { m, language } => {
                let control = Control::default();
                control.stop.store(true, Relaxed);
                match self.engine.explain(&m, language.as_deref(), &control) {
                    Ok(sentences) => sentences.iter().for_each(|line| is_line(line)),
                    Err(error) => is_line(&complaint(error)),
                }
            }
            _ => {}
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        let answer = self.engine.set_position(fen, moves);
        let expected = set_up(fen, moves);
        assert_eq!(answer.is_ok(), expected.is_ok());
        if let Ok((game, _)) = expected {
            self.position = game.position;
        }
        match answer {
            Ok(faults) => faults.iter().for_each(|fault| is_line(&complaint(fault))),
            Err(error) => is_line(&complaint(error)),
        }
    }

    /// A search of a moment, or a small perft.
    fn go(&mut self, mut go: Go) {
        go.faults.iter().for_each(|fault| is_line(&complaint(fault)));
        let control = Control::default();
        if let Some(depth) = go.perft {
            let mut ignore = |_: String| {};
            return self.engine.perft(depth.min(1), &control, &mut ignore);
        }
        go.limits.nodes = Some(go.limits.nodes.unwrap_or(50).min(50));
        (go.limits.infinite, go.limits.ponder) = (false, false);
        let best = self.engine.search(&go, &control, &mut |line| is_line(&line));
        is_line(&best);
        self.check_best(&best);
        self.answered = true;
    }

    fn check_best(&self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let moves = self.position.legal_moves();
        let best = self.position.parse_uci(words[1]);
        assert!(
            words[0] == "bestmove" && (moves.is_empty() || best.is_ok()),
            "{line}: {}",
            self.position
        );
        if let (Ok(best), ["ponder", reply]) = (best, &words[2..]) {
            let after = self.position.after(best);
            assert!(after.parse_uci(reply).is_ok(), "{line}: {}", self.position);
        }
    }
}

fn is_line(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}
