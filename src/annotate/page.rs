//! The games as one HTML page that needs nothing else: no scripts, fonts or pictures from elsewhere.

use super::accuracy::{COUNTED, Summary};
use super::input::Game;
use super::pgn::{evaluation, is_marked, phase_label};
use super::story;
use super::texts::Texts;
use crate::board::{Color, Phase};
use crate::explain::explanation::Grade;
use crate::explain::{Explanation, Line};
use crate::pictures::{self, Arrow, board};
use maud::{Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");

/// The arrows' colours: the move that was played, and the better one.
const PLAYED: &str = "#c4472b";
const BETTER: &str = "#2b7a4b";

/// The graph's size in its own units.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 180.0;

/// The page; `parts` are the finished games as [`game`] writes them.
pub fn page(games: &[Game], parts: &[&str], texts: &Texts) -> String {
    let title = match games {
        [only] => players(only),
        _ => (texts.label)("page-title"),
    };
    let body = html! {
        main {
            @if parts.len() > 1 { (contents(games)) }
            @for part in parts { (PreEscaped(part)) }
        }
    };
    pictures::page(texts.language, &title, STYLE, &body)
}

fn contents(games: &[Game]) -> Markup {
    html! {
        nav {
            ol {
                @for game in games {
                    li { a href={ "#g" (game.number) } { (players(game)) } " " (result(game)) }
                }
            }
        }
    }
}

fn players(game: &Game) -> String {
    format!("{} – {}", game.tag("White"), game.tag("Black"))
}

fn result(game: &Game) -> Markup {
    html! { span.result { (game.result.to_pgn()) } }
}

/// One game: who played, how exactly, the graph, the moves, and boards where something was given away.
pub fn game(game: &Game, moves: &[Explanation], texts: &Texts) -> Markup {
    let story = story::sentences(game, moves, texts);
    html! {
        article id={ "g" (game.number) } {
            (header(game))
            @if !story.is_empty() { p.story { (story.join(" ")) } }
            div.overview {
                (graph(game, moves, texts))
                (summary(game, moves, texts))
            }
            div.columns {
                (move_list(game, moves, texts))
                div.cards {
                    @for (ply, explanation) in marked(moves) { (card(game, ply, explanation, texts)) }
                }
            }
        }
    }
}

/// The moves that give something away, with their plies.
fn marked(moves: &[Explanation]) -> impl Iterator<Item = (usize, &Explanation)> {
    let all = moves.iter().enumerate();
    all.filter(|(_, explanation)| is_marked(explanation))
}

/// What the board of a move is called in the page's links.
fn id(game: &Game, ply: usize) -> String {
    format!("g{}m{ply}", game.number)
}

fn header(game: &Game) -> Markup {
    let known = |name: &&str| !matches!(*name, "?" | "????.??.??" | "");
    let about = ["Event", "Site", "Date", "Round"].map(|name| game.tag(name));
    let about: Vec<&str> = about.into_iter().filter(known).collect();
    let player = |side: &str, name: &str| html! { span.player { span.side.(side) {} (name) } };
    html! {
        header {
            h1 {
                (player("white", game.tag("White"))) " "
                (result(game)) " "
                (player("black", game.tag("Black")))
            }
            p { (about.join(" · ")) }
        }
    }
}

/// Accuracy by phase and the counts of what went wrong, a column for each side.
fn summary(game: &Game, moves: &[Explanation], texts: &Texts) -> Markup {
    let label = texts.label;
    let sides = [Color::White, Color::Black].map(|side| Summary::of(game, moves, side));
    let percent = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.0} %"));
    let counted = ["page-inaccuracies", "page-mistakes", "page-blunders"];
    html! {
        table.summary {
            thead { tr { td {} th { (label("page-white")) } th { (label("page-black")) } } }
            tbody {
                tr {
                    th { (label("page-accuracy")) }
                    @for side in &sides { td { (percent(side.all)) } }
                }
                @for (place, phase) in Phase::ALL.into_iter().enumerate() {
                    tr {
                        th { (label(phase_label(phase))) }
                        @for side in &sides { td { (percent(side.phases[place])) } }
                    }
                }
                @for (place, name) in counted.into_iter().enumerate() {
                    tr {
                        th { span.dot.(class(COUNTED[place])) {} (label(name)) }
                        @for side in &sides { td { (side.grades[place]) } }
                    }
                }
            }
        }
    }
}

/// White's expected score over the moves, with a dot for everything that was given away.
fn graph(game: &Game, moves: &[Explanation], texts: &Texts) -> Markup {
    let label = (texts.label)("page-graph");
    let step = WIDTH / moves.len().max(1) as f64;
    let height = |expected: f64| HEIGHT / 2.0 * (1.0 - expected);
    let points: Vec<(f64, f64)> = moves
        .iter()
        .enumerate()
        .map(|(ply, explanation)| ((ply + 1) as f64 * step, height(for_white(explanation))))
        .collect();
    let steps: String = points.iter().map(|(x, y)| format!("L{x:.1} {y:.1}")).collect();
    let line = format!("M0 {:.1}{steps}", height(0.0));
    let last = points.last().map_or(0.0, |point| point.0);
    html! {
        figure.graph {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
                rect.for-black width=(WIDTH) height=(HEIGHT) {}
                path.for-white d=(format_args!("{line}L{last:.1} {HEIGHT}L0 {HEIGHT}z")) {}
                path.even d={ "M0 " (HEIGHT / 2.0) "H" (WIDTH) } {}
                path.curve d=(line) {}
                @for (ply, explanation) in marked(moves) {
                    @let (x, y) = points[ply];
                    a href={ "#" (id(game, ply)) } {
                        circle.(class(explanation.verdict.grade))
                            cx=(format_args!("{x:.1}")) cy=(format_args!("{y:.1}")) r="6" {
                            title { (name(explanation, texts)) }
                        }
                    }
                }
            }
            figcaption { (label) }
        }
    }
}

/// The expected score after a move for White, from -1 to 1.
fn for_white(explanation: &Explanation) -> f64 {
    let expected = explanation.verdict.after.expected;
    match mover(explanation) {
        Color::White => expected,
        Color::Black => -expected,
    }
}

fn mover(explanation: &Explanation) -> Color {
    explanation.played.position.side_to_move()
}

/// The moves of the game, those that give something away linked to their boards.
fn move_list(game: &Game, moves: &[Explanation], texts: &Texts) -> Markup {
    let moves: Vec<(usize, &Explanation)> = moves.iter().enumerate().collect();
    html! {
        ol.moves aria-label=((texts.label)("page-moves")) {
            @for both in moves.chunk_by(|_, (_, next)| mover(next) == Color::Black) {
                @let first = both[0].1;
                li {
                    span.number { (first.played.position.fullmove_number()) "." }
                    @if mover(first) == Color::Black { span.move { "…" } }
                    @for &(ply, explanation) in both { (entry(game, ply, explanation, texts)) }
                }
            }
        }
    }
}

fn entry(game: &Game, ply: usize, explanation: &Explanation, texts: &Texts) -> Markup {
    let grade = explanation.verdict.grade;
    let score = evaluation(explanation).unwrap_or_default().replace('-', "−");
    let text = html! { (san(explanation, texts)) (sign(grade)) small { (score) } };
    html! {
        @if is_marked(explanation) {
            a.move.(class(grade)) href={ "#" (id(game, ply)) } { (text) }
        } @else {
            span.move { (text) }
        }
    }
}

/// A move that gives something away: the board before it with both moves as arrows, and what is said of it.
fn card(game: &Game, ply: usize, explanation: &Explanation, texts: &Texts) -> Markup {
    let (position, grade) = (&explanation.played.position, explanation.verdict.grade);
    let name = name(explanation, texts);
    let line = explanation.better.as_ref().map(|better| &better.line);
    let better = line
        .and_then(|line| line.at(0))
        .map(|m| Arrow { m, color: BETTER });
    let played = Arrow {
        m: explanation.played.m,
        color: PLAYED,
    };
    let arrows: Vec<Arrow> = better.into_iter().chain([played]).collect();
    let line = line.map_or(String::new(), |line| (texts.moves)(&line.prefix(8)));
    html! {
        section.card.(class(grade)) id=(id(game, ply)) {
            (board(position, &arrows, &format!("{name}: {}", position.to_fen(false))))
            div {
                h2 { (name) (sign(grade)) }
                @for line in (texts.explain)(explanation).lines() { p { (line) } }
                p.line {
                    span.key style={ "background:" (BETTER) } {}
                    ((texts.label)("page-better")) ": " (line)
                }
            }
        }
    }
}

/// A move with its number, in the language of the page.
fn name(explanation: &Explanation, texts: &Texts) -> String {
    let mut line = Line::new(explanation.played.position);
    line.push(explanation.played.m);
    (texts.moves)(&line)
}

/// The same without the number.
fn san(explanation: &Explanation, texts: &Texts) -> String {
    let name = name(explanation, texts);
    name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ')
        .to_string()
}

fn class(grade: Grade) -> &'static str {
    match grade {
        Grade::Best | Grade::Good => "good",
        Grade::Inaccuracy => "inaccuracy",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    }
}

fn sign(grade: Grade) -> &'static str {
    match grade {
        Grade::Best | Grade::Good => "",
        Grade::Inaccuracy => "?!",
        Grade::Mistake => "?",
        Grade::Blunder => "??",
    }
}
