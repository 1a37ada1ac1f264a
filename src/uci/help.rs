//! The answer to `help`.

/// The commands of a session, a line each; `d` and those after it are not part of UCI.
pub(super) const HELP: &str = "\
Enroc is a chess engine that speaks UCI; chess programs send these commands.
  uci                                say who you are and which options there are
  isready                            answer 'readyok'
  setoption name NAME [value VALUE]  set an option
  ucinewgame                         forget the game before
  position startpos [moves MOVE...]  set up the start position and play moves
  position fen FEN [moves MOVE...]   set up another position and play moves
  go [LIMITS...]                     search; the limits are depth N, nodes N, movetime MS, mate N, infinite, ponder,
                                     wtime MS, btime MS, winc MS, binc MS, movestogo N, searchmoves MOVE...
  stop                               end the search
  ponderhit                          the expected move was played
  debug on|off                       accepted; nothing is kept back with 'off'
  quit                               end the program
  help                               print this
  d                                  print the board
  eval                               print what the network thinks of the position, piece by piece
  explain MOVE [LANGUAGE]            say why a move of the position is good or bad, in en, es or ca
  go perft N                         count the leaves of the move tree
  bench [DEPTH]                      search fixed positions and print the nodes and the speed
Outside a session 'enroc --help' lists the other commands: training, comparisons, data.";

#[cfg(test)]
mod tests {
    use super::HELP;
    use crate::uci::command::KNOWN;

    #[test]
    fn every_command_is_listed() {
        for command in KNOWN.iter().filter(|&&command| command != "spsa") {
            let start = format!("  {command} ");
            assert!(HELP.lines().any(|line| line.starts_with(&start)), "{command}");
        }
    }
}
