//! What match managers check before they let an engine play: the sequence of fastchess's `--compliance`, older and
//! newer, sent to the real program.

mod client;

use client::{Client, after};
use enroc::board::Position;

/// Sends a `go` and checks what comes: info lines with numbers, the last of them with a score, and a move.
fn searches(client: &mut Client, go: &str) -> String {
    client.send(go);
    let lines = client.until("bestmove");
    let infos: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("info depth"))
        .collect();
    for info in &infos {
        for word in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
            let token = after(info, word);
            assert!(
                token.is_some_and(|token| token.parse::<u64>().is_ok()),
                "{word} in {info}"
            );
        }
        assert!(matches!(after(info, "score"), Some("cp" | "mate")), "{info}");
        assert!(after(info, "pv").is_some(), "{info}");
    }
    assert!(!infos.is_empty(), "no info line with a score: {lines:?}");
    let position = lines.len() - 2;
    assert!(
        lines[position].contains(" score "),
        "the last line before bestmove: {lines:?}"
    );
    let best = after(&lines[position + 1], "bestmove")
        .expect("a best move")
        .to_string();
    let shown = infos.iter().rfind(|info| after(info, "multipv") == Some("1"));
    let shown = shown.and_then(|info| after(info, "pv"));
    assert_eq!(
        shown,
        Some(best.as_str()),
        "the move is not the one shown: {lines:?}"
    );
    best
}

#[test]
fn the_sequence_of_fastchess() {
    let mut client = Client::start();
    client.send("uci");
    let greeting = client.until("uciok");
    assert!(greeting.iter().any(|line| line.starts_with("id name ")));
    assert!(greeting.iter().any(|line| line.starts_with("id author ")));
    client.ready();
    client.send("ucinewgame");
    client.ready();
    client.send("position startpos");
    client.ready();
    client.send("position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27");
    client.ready();
    searches(&mut client, "go wtime 100");
    // an older fastchess sent this with White to move
    searches(&mut client, "go btime 100");
    client.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    searches(&mut client, "go btime 100");
    searches(&mut client, "go wtime 100 winc 100 btime 100 binc 100");
    searches(&mut client, "go btime 100 binc 100 wtime 100 winc 100");
    client.send("ucinewgame");
    client.ready();
    client.send("position startpos");
    searches(&mut client, "go wtime 100 btime 100");
    client.send("position startpos moves e2e4 e7e5");
    searches(&mut client, "go wtime 100 btime 100");
    assert!(client.quit().0.success());
}

#[test]
fn ready_is_answered_during_every_search() {
    let mut client = Client::start();
    for go in [
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go depth 100",
        "go movetime 100000",
    ] {
        client.send("position startpos moves g1f3");
        client.send(go);
        let before = client.ready();
        assert!(
            !before.iter().any(|line| line.starts_with("bestmove")),
            "{before:?}"
        );
        client.send("stop");
        let lines = client.until("bestmove");
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("bestmove")).count(),
            1
        );
    }
    assert!(client.quit().0.success());
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut client = Client::start();
    client.send("position startpos");
    client.send("go ponder wtime 500 btime 500");
    assert!(!client.ready().iter().any(|line| line.starts_with("bestmove")));
    client.send("ponderhit");
    client.until("bestmove");
    assert!(client.quit().0.success());
}

/// While it ponders, no clock cuts a look-ahead short.
#[test]
fn a_look_ahead_ponders_to_its_depth() {
    let mut client = Client::start();
    client.send("setoption name LookAhead value 2");
    client.send("position startpos");
    client.send("go ponder wtime 1 btime 1");
    let is_deeper = |line: &String| line.starts_with("info depth 2 ");
    while !client.until("info").last().is_some_and(is_deeper) {}
    assert!(!client.ready().iter().any(|line| line.starts_with("bestmove")));
    client.send("ponderhit");
    client.until("bestmove");
    assert!(client.quit().0.success());
}

#[test]
fn a_game_against_itself_has_only_legal_moves() {
    let mut client = Client::start();
    let mut moves = String::new();
    let end = loop {
        client.send(&format!("position startpos moves{moves}"));
        client.send("go nodes 60");
        let lines = client.until("bestmove");
        let best = after(lines.last().expect("a line"), "bestmove")
            .expect("a move")
            .to_string();
        let plies = moves.split_whitespace().count();
        if best == "(none)" || plies >= 60 {
            break plies;
        }
        moves.push_str(&format!(" {best}"));
    };
    assert!(end > 6, "{moves}");
    // nothing that it played was refused
    assert_eq!(
        client.answers(&format!("position startpos moves{moves}")),
        Vec::<String>::new()
    );
    assert!(client.quit().0.success());
}

#[test]
fn the_end_of_a_game_is_told() {
    let mut client = Client::start();
    client.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    client.send("go wtime 1000 btime 1000");
    assert_eq!(
        client.until("bestmove"),
        ["info depth 0 score mate 0", "bestmove (none)"]
    );
    client.send("position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1");
    client.send("go infinite");
    assert!(!client.ready().contains(&"bestmove (none)".to_string()));
    client.send("stop");
    assert_eq!(
        client.until("bestmove").last().map(String::as_str),
        Some("bestmove (none)")
    );
    assert!(client.quit().0.success());
}

#[test]
fn castling_is_read_and_written_both_ways() {
    let mut client = Client::start();
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (option, castling) in [("false", "e1g1"), ("true", "e1h1")] {
        client.send(&format!("setoption name UCI_Chess960 value {option}"));
        for way in ["e1g1", "e1h1"] {
            assert_eq!(
                client.answers(&format!("position fen {fen} moves {way}")),
                Vec::<String>::new()
            );
            assert!(
                client
                    .answers("d")
                    .iter()
                    .any(|line| line.starts_with("Fen: 4k3/8/8/8/8/8/8/R4RK1 b - -"))
            );
            client.send(&format!("position fen {fen}"));
            client.send(&format!("go searchmoves {way} depth 1"));
            let lines = client.until("bestmove");
            assert_eq!(after(&lines[lines.len() - 1], "bestmove"), Some(castling));
        }
    }
    // X-FEN and Shredder-FEN name the same rook; the king's step to g1 is no castling
    for castling in ["K", "G"] {
        let fen = format!("4k3/8/8/8/8/8/8/5KR1 w {castling} - 0 1");
        assert_eq!(
            client.answers(&format!("position fen {fen} moves f1g1")),
            Vec::<String>::new()
        );
        assert!(
            client
                .answers("d")
                .iter()
                .any(|line| line.starts_with("Fen: 4k3/8/8/8/8/8/8/5RK1")),
            "{fen}"
        );
    }
    assert!(client.quit().0.success());
}

#[test]
fn several_lines_and_chances_are_told_when_asked_for() {
    let mut client = Client::start();
    client.send("setoption name MultiPV value 3");
    client.send("setoption name UCI_ShowWDL value true");
    client.send("go depth 3");
    let lines = client.until("bestmove");
    for line in ["1", "2", "3"] {
        let of_line = |info: &&String| after(info, "multipv") == Some(line);
        let info = lines.iter().rfind(of_line).expect("a line of each number");
        let mut chances = info.split(' ').skip_while(|&token| token != "wdl").skip(1);
        let sum: u32 = chances
            .by_ref()
            .take(3)
            .map(|token| token.parse::<u32>().expect("a number"))
            .sum();
        assert_eq!(sum, 1000, "{info}");
    }
    assert!(client.quit().0.success());
}

#[test]
fn every_line_can_be_played() {
    let mut client = Client::start();
    client.send("setoption name UCI_Chess960 value true");
    for fen in [
        Position::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1r3k2/2r2p2/5P1p/5P2/7p/K1np4/2pP3P/8 w - - 2 59",
        "1rnbk1q1/ppp2bp1/4n3/3pp2r/3PPp1p/PN1N1P1P/1PP3P1/1RBBK1QR b q - 2 16",
        "1Q1bk3/1pp1nb2/8/7r/5p1p/PN3P1P/1P4q1/1R1BKR2 b - - 1 30",
    ] {
        client.send("ucinewgame");
        client.send(&format!("position fen {fen}"));
        client.send("go depth 10");
        for info in client
            .until("bestmove")
            .iter()
            .filter(|line| line.starts_with("info depth"))
        {
            let mut position = Position::from_fen(fen).expect("a position");
            for text in info.split(' ').skip_while(|&token| token != "pv").skip(1) {
                let m = position.parse_uci(text);
                position.make(m.unwrap_or_else(|error| panic!("{error}: {info} from {fen}")));
            }
        }
    }
    assert!(client.quit().0.success());
}

#[test]
fn the_log_holds_both_sides_until_it_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a log.txt");
    std::fs::write(&path, "earlier\n").unwrap();
    let mut client = Client::start();
    let told = client.answers(&format!("setoption name Debug Log File value {}", path.display()));
    assert!(told.is_empty(), "{told:?}");
    client.send("go nodes 100");
    client.until("bestmove");
    client.answers("setoption name Debug Log File value <empty>");
    client.answers("d");
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.starts_with("earlier\n"), "{log}");
    assert!(
        log.contains(" >> go nodes 100\n") && log.contains(" << bestmove "),
        "{log}"
    );
    assert!(!log.contains(" >> d\n") && !log.contains("Fen"), "{log}");
    let told = client.answers("setoption name Debug Log File value /no/such/folder/log");
    assert!(
        told.iter()
            .any(|line| line.contains("cannot write a log to /no/such/folder/log")),
        "{told:?}"
    );
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn the_memory_of_threads_goes_back_with_them() {
    let mut client = Client::start();
    client.send("setoption name Threads value 2");
    client.ready();
    let before = client.resident();
    client.send("setoption name Threads value 64");
    client.ready();
    let most = client.resident();
    client.send("go nodes 20000");
    client.until("bestmove");
    client.send("setoption name Threads value 2");
    client.ready();
    let after = client.resident();
    assert!(most > before + 60, "{before} to {most} MiB");
    assert!(
        after < before + (most - before) / 3,
        "{before}, {most}, {after} MiB"
    );
}

/// A game that is played again is the same game, whatever was played before it.
#[test]
fn a_new_game_remembers_nothing_of_the_one_before() {
    let search = |client: &mut Client| -> Vec<String> {
        client.send("position startpos moves e2e4 c7c5 g1f3");
        client.send("go nodes 20000");
        // all but how long it took
        let timeless = |line: &String| {
            let (found, rest) = line.split_once(" nps ").unwrap_or((line, ""));
            let line = rest.split_once(" pv ").map_or("", |(_, line)| line);
            format!("{found} {line}")
        };
        client.until("bestmove").iter().map(timeless).collect()
    };
    let mut client = Client::start();
    let first = search(&mut client);
    assert_ne!(search(&mut client), first, "the table helps");
    for forget in ["ucinewgame", "setoption name Clear Hash"] {
        client.send(forget);
        assert_eq!(search(&mut client), first, "{forget}");
    }
    assert!(client.quit().0.success());
}

#[test]
fn uci_names_the_net_in_use() {
    let mut client = Client::start();
    let told = |client: &mut Client| -> Vec<String> {
        client.send("uci");
        let lines = client.until("uciok").into_iter();
        lines
            .filter(|line| line.starts_with("info string net "))
            .collect()
    };
    let before = told(&mut client);
    let changed = client.answers("setoption name Net value cnn");
    assert_ne!(changed, before);
    assert_eq!(told(&mut client), changed);
    assert!(client.quit().0.success());
}
