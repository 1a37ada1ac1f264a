//! The words of explanations: the three languages have the same messages, and everything that can be said has some.

use enroc::board::{Color, PieceType, Position, Square};
use enroc::engine::Engine;
use enroc::engine::options::EngineOptions;
use enroc::explain::change::{Change, FileState};
use enroc::explain::explanation::{Explanation, Grade, MateNews, OnlyMove, Reason, Role, Said, Value};
use enroc::explain::theme::Theme;
use enroc::explain::words::{Language, Notation, Text, Writer};
use enroc::explain::{Line, Options, claims};
use enroc::search::Control;
use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const FILES: [(&str, &str); 3] = [
    ("ca", include_str!("../src/explain/words/ca.ftl")),
    ("es", include_str!("../src/explain/words/es.ftl")),
    ("en", include_str!("../src/explain/words/en.ftl")),
];

/// The variables of every message and attribute of a file, by name.
fn messages(text: &'static str) -> BTreeMap<String, BTreeSet<&'static str>> {
    let resource = fluent_syntax::parser::parse(text).expect("Fluent's form");
    let mut found = BTreeMap::new();
    for entry in resource.body {
        let message = match entry {
            Entry::Message(message) => message,
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => continue,
            other => panic!("{other:?}"),
        };
        let mut variables = BTreeSet::new();
        of_pattern(message.value.as_ref().expect("a text"), &mut variables);
        let twice = found.insert(message.id.name.to_string(), variables);
        assert_eq!(twice, None, "{} is there twice", message.id.name);
        for attribute in &message.attributes {
            let mut variables = BTreeSet::new();
            of_pattern(&attribute.value, &mut variables);
            found.insert(format!("{}.{}", message.id.name, attribute.id.name), variables);
        }
    }
    found
}

fn of_pattern(pattern: &Pattern<&'static str>, found: &mut BTreeSet<&'static str>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, found);
        }
    }
}

fn of_expression(expression: &Expression<&'static str>, found: &mut BTreeSet<&'static str>) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, found),
        Expression::Select { selector, variants } => {
            of_inline(selector, found);
            for variant in variants {
                of_pattern(&variant.value, found);
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&'static str>, found: &mut BTreeSet<&'static str>) {
    match inline {
        InlineExpression::VariableReference { id } => drop(found.insert(id.name)),
        InlineExpression::FunctionReference {
            arguments: CallArguments { positional, .. },
            ..
        } => positional.iter().for_each(|argument| of_inline(argument, found)),
        InlineExpression::Placeable { expression } => of_expression(expression, found),
        _ => {}
    }
}

#[test]
fn the_languages_have_the_same_messages_with_the_same_variables() {
    let [(_, first), others @ ..] = FILES.map(|(name, text)| (name, messages(text)));
    assert!(first.len() > 80);
    for (name, other) in others {
        let names =
            |messages: &BTreeMap<String, BTreeSet<&str>>| messages.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&first), names(&other), "{name}");
        // a noun's forms may refer to each other instead of their variables
        let forms = |name: &str| name.contains('.');
        for (message, variables) in first.iter().filter(|(message, _)| !forms(message)) {
            assert_eq!(variables, &other[message], "{name}: {message}");
        }
    }
}

#[test]
fn no_message_is_unused() {
    let mut sources = String::new();
    // those of themes are named by their themes
    for theme in Theme::ALL {
        sources += &format!("\"{}\"", theme.name().replace('_', "-"));
    }
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    for message in messages(FILES[0].1)
        .keys()
        .filter(|message| !message.contains('.'))
    {
        assert!(sources.contains(&format!("\"{message}\"")), "{message} is unused");
    }
}

/// The text of every source below a folder.
fn read(folder: &Path, sources: &mut String) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, sources);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            *sources += &std::fs::read_to_string(path).unwrap();
        }
    }
}

#[test]
fn a_writer_can_be_shared_by_threads() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    is_shared(&writers());
}

fn writers() -> [Writer; 3] {
    Language::ALL.map(|language| Writer::new(language, Notation::Letters))
}

/// What a sentence may not look like: a variable or message that is missing is left in braces.
fn assert_readable(sentence: &str) {
    let complete = sentence.ends_with('.') && !sentence.contains(['{', '}', '$', '?']);
    assert!(
        complete && !sentence.contains("  ") && !sentence.contains(".."),
        "{sentence}"
    );
    let first = sentence.chars().next().unwrap();
    let mut rest = sentence.chars().skip(1);
    let pawn = rest.next().is_some_and(|c| c.is_ascii_digit() || c == 'x');
    assert!(
        first.is_uppercase() || first.is_ascii_digit() || pawn,
        "{sentence}"
    );
}

#[test]
fn every_kind_of_claim_has_words() {
    let writers = writers();
    let mut kinds = BTreeSet::new();
    for row in include_str!("explain/motifs.tsv").lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let Ok(line) = Line::parse(Position::from_fen(fields[3]).unwrap(), fields[4]) else {
            panic!("{row}");
        };
        let claims = claims(&line);
        kinds.extend(claims.iter().map(|claim| claim.motif.name()));
        for writer in &writers {
            let sentences = writer.line(&line, &claims);
            assert_eq!(sentences.len(), claims.len());
            // three dots belong to the number of Black's move
            sentences
                .iter()
                .for_each(|sentence| assert_readable(&sentence.replace("...", "")));
        }
    }
    assert!(kinds.len() >= 34, "{kinds:?}");
}

fn line(fen: &str, moves: &str) -> Line {
    Line::parse(Position::from_fen(fen).unwrap(), moves).unwrap()
}

/// The sentences that contain a word, in each language.
fn said(fen: &str, moves: &str, motif: &str) -> [String; 3] {
    let line = line(fen, moves);
    let claims = claims(&line);
    let place = claims.iter().position(|claim| claim.motif.name() == motif);
    let place = place.unwrap_or_else(|| panic!("{motif} of {claims:?}"));
    writers().map(|writer| writer.line(&line, &claims)[place].clone())
}

#[test]
fn gender_number_elision_and_letters_are_right() {
    assert_eq!(
        said("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+", "fork"),
        [
            "1.Cc7+ ataca alhora el rei d'e8 i la torre d'a8.",
            "1.Cc7+ ataca a la vez el rey de e8 y la torre de a8.",
            "1.Nc7+ forks the king on e8 and the rook on a8.",
        ]
    );
    assert_eq!(
        said("4k3/8/8/3p4/8/2N5/8/3RK3 b - - 0 1", "d4", "threatens_capture"),
        [
            "1...d4 amenaça el cavall de c3.",
            "1...d4 amenaza el caballo de c3.",
            "1...d4 threatens the knight on c3.",
        ]
    );
    assert_eq!(
        said("3rk3/8/8/8/8/8/8/4KR2 w - - 0 1", "Rf4 Rd4 Rxd4", "takes_free"),
        [
            "2.Txd4 captura la torre de d4 i cap peça no pot recapturar.",
            "2.Txd4 captura la torre de d4 y ninguna pieza puede recapturar.",
            "2.Rxd4 takes the rook on d4, and nothing can take back.",
        ]
    );
    let hanging = said(
        "3rk3/8/8/8/8/8/8/4KR2 w - - 0 1",
        "Rf4 Rd4 Rxd4",
        "leaves_en_prise",
    );
    assert_eq!(hanging[0], "1...Td4 deixa penjada la torre de d4.");
    assert_eq!(hanging[1], "1...Td4 deja colgada la torre de d4.");
}

#[test]
fn material_is_named_by_what_is_left_of_the_bill() {
    let rook = said("4k3/8/8/8/3r4/4p3/5N2/4K3 w - - 0 1", "Nh1 Rd1+ Kxd1", "material");
    assert_eq!(rook[2], "The line 1.Nh1 Rd1+ 2.Kxd1 wins a rook.");
    let exchange = said("4k3/8/8/8/5b2/8/8/1KR5 b - - 0 1", "Bxc1 Kxc1", "material");
    assert_eq!(
        exchange[0],
        "La variant 1...Axc1 2.Rxc1 guanya la qualitat i iguala el material."
    );
    let queen = said("8/8/7P/k7/8/8/8/4K3 w - - 0 1", "h7 Kb5 h8=Q", "material");
    assert_eq!(queen[1], "La variante 1.h7 Rb5 2.h8=D consigue una dama nueva.");
    let allowed = said("8/7P/8/k7/8/8/8/4K3 b - - 0 1", "Kb5 h8=Q", "material");
    assert_eq!(allowed[0], "La variant 1...Rb5 2.h8=D permet una dama nova.");
    // what is given for a queen is not given for a pawn
    let more = said("r6k/pP6/8/8/8/8/8/R5K1 w - - 0 1", "Rxa7 Rxa7 b8=Q+", "material");
    assert_eq!(
        more[2],
        "The line 1.Rxa7 Rxa7 2.b8=Q+ wins a pawn and gets a new queen for a rook."
    );
    let bill = "3rk3/3b4/8/8/8/8/3Q4/3RK3 w - - 0 1";
    let [catalan, spanish, english] = said(bill, "Qxd7+ Rxd7 Rxd7 Kxd7", "material");
    assert_eq!(
        catalan,
        "La variant 1.Dxd7+ Txd7 2.Txd7 Rxd7 perd una dama per un alfil, i el material queda igualat."
    );
    assert_eq!(
        spanish,
        "La variante 1.Dxd7+ Txd7 2.Txd7 Rxd7 pierde una dama por un alfil, y el material queda igualado."
    );
    assert_eq!(
        english,
        "The line 1.Qxd7+ Rxd7 2.Rxd7 Kxd7 loses a queen for a bishop, and material is level."
    );
}

fn explanation(engine: &mut Engine, fen: &str, text: &str) -> Explanation {
    engine.set_position(Some(fen), &[]).unwrap();
    let m = engine.game().position.parse_san(text).unwrap();
    let options = Options {
        nodes: 3_000,
        ..Options::default()
    };
    engine.explain(m, &options, &Control::default())
}

/// What the three languages say of an explanation: the same number of sentences, each complete.
fn texts(explanation: &Explanation) -> [Text; 3] {
    let texts = writers().map(|writer| writer.explanation(explanation));
    for text in &texts {
        assert!((1..=6).contains(&text.summary.len()), "{text:?}");
        assert_eq!(text.summary.len(), texts[0].summary.len());
        assert_eq!(text.details.len(), texts[0].details.len());
        assert_eq!(text.more.len(), texts[0].more.len());
        let sentences = text.summary.iter().chain(&text.details).chain(&text.more);
        sentences.for_each(|sentence| assert_readable(&sentence.replace("...", "")));
    }
    texts
}

#[test]
fn explanations_say_the_same_in_all_languages() {
    let mut engine = Engine::new(EngineOptions::default()).unwrap();
    let cases = [
        (Position::START_FEN, "e4"),
        (Position::START_FEN, "g4"),
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "Qxf7#",
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/5PP1/8/PPPPP2P/RNBQKBNR b KQkq - 0 2",
            "Qh4#",
        ),
        (
            "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "Qh5+",
        ),
        ("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 b - - 0 1", "h6"),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kxe2"),
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 60", "Qf7"),
        ("8/k1P5/2K5/8/8/8/8/8 w - - 0 70", "c8=R"),
        ("8/8/8/k6P/8/8/8/4K3 w - - 0 50", "h6"),
        ("8/8/8/k6P/8/8/8/4K3 b - - 0 50", "Kb5"),
    ];
    for (fen, text) in cases {
        texts(&explanation(&mut engine, fen, text));
    }
}

#[test]
fn every_verdict_and_every_change_has_words() {
    let mut engine = Engine::new(EngineOptions::default()).unwrap();
    let mut told = explanation(&mut engine, Position::START_FEN, "e4");
    told.better = None;
    let grades = [
        Grade::Best,
        Grade::Good,
        Grade::Inaccuracy,
        Grade::Mistake,
        Grade::Blunder,
    ];
    let expectations = [0.9, 0.5, 0.2, 0.0, -0.2, -0.5, -0.9];
    for grade in grades {
        for (before, &first) in expectations.iter().enumerate() {
            for &second in &expectations[before..] {
                told.verdict.grade = grade;
                told.verdict.before.expected = first;
                told.verdict.after.expected = second;
                texts(&told);
            }
        }
    }
    for (howler, theory) in [(true, false), (false, true)] {
        told.verdict.grade = if howler { Grade::Inaccuracy } else { Grade::Good };
        (told.verdict.howler, told.verdict.theory) = (howler, theory);
        texts(&told);
    }
    (told.verdict.howler, told.verdict.theory) = (false, false);
    for only in [OnlyMove::Legal, OnlyMove::Good] {
        told.verdict.only = Some(only);
        texts(&told);
    }
    told.verdict.only = None;
    told.verdict.after.value = Value::Mate(-3);
    for proved in [true, false] {
        let news = |moves, best| {
            [
                MateNews::Mates { moves, proved },
                MateNews::Delayed { best, moves, proved },
                MateNews::Missed { moves, proved },
                MateNews::Allowed { moves, proved },
                MateNews::Suffered { moves, best, proved },
            ]
        };
        for news in [news(1, 2), news(2, 2), news(3, 5)].concat() {
            told.verdict.mates = vec![news];
            texts(&told);
        }
    }
    told.verdict.mates.clear();
    let square = |text: &str| text.parse::<Square>().unwrap();
    let (color, piece) = (Color::White, PieceType::Knight);
    let (before, after) = (3, 1);
    let [there, king, pawn] = ["b1", "e1", "e4"].map(square);
    let mut changes = vec![
        Change::Outpost {
            color,
            square: there,
            piece,
        },
        Change::WeakSquare { color, square: pawn },
        Change::PassedPawn { color, pawn },
        Change::IsolatedPawn { color, pawn },
        Change::DoubledPawns { color, pawn },
    ];
    for (before, after) in [(before, after), (after, before), (before, 0)] {
        changes.push(Change::Mobility {
            color,
            square: there,
            piece,
            before,
            after,
        });
        changes.push(Change::Shelter {
            color,
            king,
            before,
            after,
        });
        changes.push(Change::Space { color, before, after });
    }
    for state in [FileState::Open, FileState::HalfOpen] {
        changes.push(Change::TakesFile {
            color,
            square: there,
            piece,
            state,
        });
    }
    for other_has_it in [true, false] {
        changes.push(Change::LosesBishopPair { color, other_has_it });
        changes.push(Change::LosesBishopPair {
            color: !color,
            other_has_it,
        });
    }
    for &theme in Theme::ALL {
        for other in [None, Some(king)] {
            changes.push(Change::Theme {
                theme,
                color,
                square: there,
                other,
            });
        }
    }
    for change in changes {
        for role in [Role::Achieves, Role::Allows, Role::Avoids, Role::Answers] {
            for moves in ["e4", "e4 e5 Nf3"] {
                let answer = || line(Position::START_FEN, "e4 e5");
                let reason = Reason {
                    role,
                    said: Said::Change(change),
                    line: line(Position::START_FEN, moves),
                    way_out: None,
                    made_by: (role == Role::Answers).then(answer),
                };
                told.reasons = vec![reason.clone(), reason];
                texts(&told);
            }
        }
    }
}
