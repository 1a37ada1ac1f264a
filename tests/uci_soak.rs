//! A client that means harm, or is merely broken: whatever it sends, the program neither dies nor hangs.

mod client;

use client::Client;
use enroc::nets::built_in::BUILT_IN;
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;

/// Commands that make sense, and some that almost do.
const LINES: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "debug maybe",
    "d",
    "eval",
    "stop",
    "ponderhit",
    "go",
    "go depth 2",
    "go nodes 300",
    "go movetime 5",
    "go infinite",
    "go ponder wtime 50 btime 50",
    "go wtime 20 btime 20 winc 1 binc 1 movestogo 3",
    "go wtime -300 btime -1 winc -9 binc -9 movestogo -2",
    "go wtime 99999999999999999999999 depth 2",
    "go depth -3",
    "go depth",
    "go nodes 0",
    "go mate 1",
    "go movetime",
    "go searchmoves e2e4 depth 2",
    "go searchmoves e2e9 zzzz depth 1",
    "go perft 2",
    "go perft",
    "go perft -1",
    "position",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves e2e5",
    "position startpos moves e2e4 e2e4",
    "position fen",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1g1",
    "position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 99999999999 -5",
    "position fen QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/2K5 w - - 0 1",
    "setoption",
    "setoption name",
    "setoption name Hash value 1",
    "setoption name Hash value 0",
    "setoption name Hash value 99999999999999999999",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name Threads value -1",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Ponder value perhaps",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name Clear Hash",
    "setoption name LookAhead value 2",
    "setoption name LookAhead value 0",
    "setoption name Quiescence value true",
    "setoption name EvalFile value /no/such/file",
    "setoption name EvalFile value /",
    "setoption name EvalFile value <empty>",
    "setoption name Net value perceptron",
    "setoption name No Such Thing value 3",
    "xboard",
    "protover 2",
    "bench x",
];

/// One line of noise, made from a sound one by cutting, doubling, mixing or spoiling it.
fn noise(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut line = LINES.choose(rng).expect("lines").as_bytes().to_vec();
    match rng.random_range(0..10) {
        0 => line.truncate(rng.random_range(0..=line.len())),
        1 => {
            let other = LINES.choose(rng).expect("lines").as_bytes();
            line.push(b' ');
            line.extend_from_slice(other);
        }
        2 => {
            for _ in 0..rng.random_range(1..8) {
                let at = rng.random_range(0..=line.len());
                line.insert(at, rng.random());
            }
        }
        3 => {
            let length = rng.random_range(0..200);
            line = (0..length).map(|_| rng.random()).collect();
        }
        _ => {}
    }
    line.retain(|&byte| byte != b'\n');
    // these two take long by design
    let text = String::from_utf8_lossy(&line).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let long = words.contains(&"quit") || words.contains(&"bench") || deep_perft(&words);
    if long {
        b"isready".to_vec()
    } else {
        [line, b"\n".to_vec()].concat()
    }
}

fn deep_perft(words: &[&str]) -> bool {
    let depths = words.windows(2).filter(|pair| pair[0] == "perft");
    depths
        .filter_map(|pair| pair[1].parse::<u64>().ok())
        .any(|depth| depth > 3)
}

/// Stops whatever runs and checks that the program still listens and plays.
fn is_sound(client: &mut Client) {
    client.send("stop");
    client.ready();
    for line in [
        "setoption name MultiPV value 1",
        "setoption name LookAhead value 0",
        "setoption name UCI_Chess960 value false",
        "position startpos",
        "go depth 1 searchmoves a2a3",
    ] {
        client.send(line);
    }
    loop {
        let lines = client.until("bestmove");
        if lines.last().is_some_and(|line| line.starts_with("bestmove a2a3")) {
            return;
        }
    }
}

#[test]
fn noise_of_every_kind() {
    for seed in 0..6 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut client = Client::start();
        for _ in 0..20 {
            for _ in 0..25 {
                client.send_bytes(&noise(&mut rng));
            }
            client.send_bytes(b"\n");
            is_sound(&mut client);
        }
        assert!(client.quit().0.success(), "seed {seed}");
    }
}

#[test]
fn noise_cut_off_in_the_middle() {
    for seed in 100..112 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut client = Client::start();
        for _ in 0..rng.random_range(1..20) {
            client.send_bytes(&noise(&mut rng));
        }
        assert!(client.hang_up().0.success(), "seed {seed}");
    }
}

#[test]
fn a_second_go_is_refused_with_one_line() {
    let mut client = Client::start();
    client.send("go infinite");
    for line in ["go infinite", "go depth 3", "d", "eval", "bench"] {
        let strings: Vec<String> = client
            .answers(line)
            .into_iter()
            .filter(|line| !line.starts_with("info depth"))
            .collect();
        assert!(
            strings.len() == 1 && strings[0].starts_with("info string a search is running"),
            "{strings:?}"
        );
    }
    client.send("stop");
    client.until("bestmove");
    let after = client.ready();
    assert!(
        !after.iter().any(|line| line.starts_with("bestmove")),
        "{after:?}"
    );
    assert!(client.quit().0.success());
}

#[test]
fn stop_and_ponderhit_without_a_search_say_nothing() {
    let mut client = Client::start();
    for line in [
        "stop",
        "ponderhit",
        "stop",
        "",
        "xboard",
        "protover 2",
        "debug on",
    ] {
        assert_eq!(client.answers(line), Vec::<String>::new(), "{line}");
    }
    assert!(client.quit().0.success());
}

#[test]
fn what_changes_the_engine_ends_a_search_and_is_not_lost() {
    let mut client = Client::start();
    for line in [
        "position startpos moves e2e4",
        "setoption name Hash value 8",
        "ucinewgame",
    ] {
        client.send("position startpos");
        client.send("go infinite");
        client.send(line);
        client.until("bestmove");
    }
    // a search that was told to end makes room for the next, even before it has answered
    client.send_bytes(b"go infinite\nstop\ngo depth 1\n");
    client.until("bestmove");
    client.until("bestmove");
    // everything that follows is kept in its order, a stop for the later search too
    client.send("position startpos");
    client.send_bytes(b"go infinite\nposition startpos moves d2d4\ngo infinite\nstop\n");
    client.until("bestmove");
    client.until("bestmove");
    assert!(
        client
            .answers("d")
            .iter()
            .any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/3P4/"))
    );
    assert!(client.quit().0.success());
}

#[test]
fn ready_is_said_after_what_was_asked_before() {
    for task in ["eval", "go infinite\nstop", "go infinite"] {
        let mut client = Client::start();
        for _ in 0..5 {
            client.send_bytes(format!("{task}\nsetoption name Hash value 0\nisready\n").as_bytes());
            let lines = client.until("readyok");
            let complaint = &lines[lines.len() - 2];
            assert!(complaint.contains("Hash is a number"), "{task}: {lines:?}");
        }
        assert!(client.quit().0.success());
    }
}

#[test]
fn what_is_refused_is_named_once_and_changes_nothing() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4");
    let before = client.answers("d");
    for (line, named) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("position startpos moves e2e4 e7e5 e1e3", "move 3: e1e3"),
        ("position sideways", "startpos"),
        ("setoption name Contempt value 3", "Contempt"),
        ("setoption name Hash value 0", "Hash is a number from 1"),
        ("setoption name Net value rnn", "rnn"),
        ("setoption name EvalFile value /no/such/net", "/no/such/net"),
        ("debug perhaps", "on"),
        ("postion startpos", "did you mean 'position'?"),
        ("setoption name Theads value 2", "did you mean 'Threads'?"),
    ] {
        let answers = client.answers(line);
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        assert!(
            answers[0].starts_with("info string ") && answers[0].contains(named),
            "{answers:?}"
        );
    }
    assert_eq!(client.answers("d"), before);
    assert!(client.quit().0.success());
}

#[test]
fn nets_that_are_cut_or_foreign_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = BUILT_IN[0].bytes;
    let cut = folder.path().join("cut.safetensors");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a file");
    let foreign = folder.path().join("foreign.safetensors");
    std::fs::write(&foreign, b"GIF89a, not a net").expect("a file");
    let empty = folder.path().join("empty.safetensors");
    std::fs::write(&empty, b"").expect("a file");
    let mut client = Client::start();
    for file in [&cut, &foreign, &empty, &folder.path().to_path_buf()] {
        let answers = client.answers(&format!("setoption name EvalFile value {}", file.display()));
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(answers[0].starts_with("info string net "), "{answers:?}");
    }
    let evaluation = |client: &mut Client| {
        client.send("eval");
        client.until("Static")
    };
    let before = evaluation(&mut client);
    // the net that is built in, now from a file
    let whole = folder.path().join("whole.safetensors");
    std::fs::write(&whole, bytes).expect("a file");
    let own = format!("setoption name EvalFile value {}", whole.display());
    let told = client.answers(&own);
    assert!(
        told.len() == 1 && told[0].contains("whole.safetensors"),
        "{told:?}"
    );
    assert_eq!(evaluation(&mut client), before);
    assert!(client.quit().0.success());
}

#[test]
fn ten_thousand_moves_and_endless_lines() {
    let mut client = Client::start();
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(2_500);
    assert_eq!(
        client.answers(&format!("position startpos moves{moves}")),
        Vec::<String>::new()
    );
    client.send("go depth 2");
    client.until("bestmove");
    let refused = client.answers(&format!("position startpos moves{moves} e7e5"));
    assert!(
        refused.len() == 1 && refused[0].contains("move 10001: e7e5"),
        "{refused:?}"
    );
    client.send_bytes(&vec![b'x'; 6 << 20]);
    let endless = client.answers("");
    assert!(
        endless.len() == 1 && endless[0].starts_with("info string a line of more than"),
        "{endless:?}"
    );
    let spaced = client.answers(&"x ".repeat(1 << 20));
    assert!(
        spaced.len() == 1 && spaced[0].contains("no command 'x'"),
        "{spaced:?}"
    );
    let long_name = format!("setoption name {}", "\u{7f}y".repeat(100_000));
    let named = client.answers(&long_name);
    assert!(named.len() == 1 && named[0].len() < 1000, "{}", named[0].len());
    is_sound(&mut client);
    assert!(client.quit().0.success());
}

#[test]
fn the_end_of_the_input_ends_a_search_and_lets_other_work_finish() {
    let mut client = Client::start();
    client.send("go infinite");
    let (status, lines) = client.hang_up();
    assert!(status.success());
    assert!(
        lines.last().is_some_and(|line| line.starts_with("bestmove")),
        "{lines:?}"
    );
    let mut client = Client::start();
    client.send("go perft 3");
    client.send("d");
    let (status, lines) = client.hang_up();
    assert!(status.success());
    assert!(lines.contains(&"Nodes searched: 8902".to_string()), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Fen: ")));
}

#[test]
fn a_busy_program_does_not_outlive_its_client() {
    let tasks = [
        "go mate 50",
        "go depth 60",
        "go movetime 100000",
        "go perft 9",
        "bench 30",
    ];
    let clients = tasks.map(|task| {
        let mut client = Client::start();
        client.send(task);
        client.ready();
        (task, client)
    });
    for (task, client) in clients {
        let (status, lines) = client.hang_up();
        assert!(status.success(), "{task}");
        let said = |start: &str| lines.iter().any(|line| line.starts_with(start));
        assert!(said("info string the input ended"), "{task}: {lines:?}");
        let is_search = task.starts_with("go") && !task.contains("perft");
        assert_eq!(said("bestmove"), is_search, "{task}: {lines:?}");
    }
}

#[test]
fn piped_commands_wait_for_each_other() {
    let mut client = Client::start();
    let game = "position startpos moves e2e4\ngo depth 6\n";
    client.send_bytes(game.repeat(3).as_bytes());
    client.send_bytes(b"go nodes 100\nd\neval\ngo perft 2\ngo perft 1\n");
    let (status, lines) = client.hang_up();
    assert!(status.success());
    let depths = |depth: &str| {
        let start = format!("info depth {depth} ");
        lines.iter().filter(|line| line.starts_with(&start)).count()
    };
    // the search of 100 nodes stays below
    assert_eq!((depths("6"), depths("7")), (3, 0), "{lines:?}");
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("bestmove"), 4, "{lines:?}");
    assert_eq!((count("Fen: "), count("Static evaluation")), (1, 1));
    assert!(lines.ends_with(&["Nodes searched: 20".to_string()]), "{lines:?}");
}

#[test]
fn an_evaluation_asked_before_quit_is_said() {
    for line in ["eval", "go depth 20\neval", "go perft 7\nd\ngo infinite\neval"] {
        let mut client = Client::start();
        client.send(line);
        let (status, lines) = client.quit();
        assert!(status.success());
        assert!(
            lines.iter().any(|line| line.starts_with("Static evaluation")),
            "{line}: {lines:?}"
        );
    }
}

#[test]
fn a_go_that_is_refused_is_answered() {
    let mut client = Client::start();
    for line in ["go depth four", "go movetime", "go mate 0", "go dept 4"] {
        client.send(line);
        let lines = client.until("bestmove");
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0].starts_with("info string go: '"), "{lines:?}");
        assert_eq!(lines[2], "bestmove 0000");
    }
    // the limit that is left counts
    client.send("go depth four nodes 100");
    let lines = client.until("bestmove");
    assert!(lines[0].contains("'four'"), "{lines:?}");
    assert_ne!(lines.last().map(String::as_str), Some("bestmove 0000"));
    assert!(client.quit().0.success());
}

#[test]
fn nothing_is_searched_after_a_position_that_was_refused() {
    for position in [
        "position startpos moves e2e5",
        "position fen 8/8 w - -",
        "position sideways",
        "position startpos e2e4",
    ] {
        let mut client = Client::start();
        client.send(position);
        client.send("go depth 3");
        let lines = client.until("bestmove");
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[1].contains("refused"), "{lines:?}");
        assert_eq!(lines[2], "bestmove 0000");
        for line in ["eval", "go perft 1", "go perft"] {
            let answers = client.answers(line);
            assert_eq!(answers.len(), 1, "{answers:?}");
        }
        client.send("position startpos");
        client.send("go depth 1");
        let lines = client.until("bestmove");
        assert_ne!(lines.last().map(String::as_str), Some("bestmove 0000"));
        assert!(client.quit().0.success());
    }
}
