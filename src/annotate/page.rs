//! The games as one HTML page that needs nothing else: no scripts, fonts or pictures from elsewhere.

use super::accuracy::{COUNTED, Summary};
use super::input::Game;
use super::pgn::{evaluation, is_marked, phase_label};
use super::story;
use super::texts::Texts;
use crate::board::{Color, Phase};
use crate::explain::explanation::Grade;
use crate::explain::{Explanation, Line};
use crate::pictures::{Arrow, board, definitions, escape};
use std::fmt::Write;

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
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
        <link rel=\"icon\" href=\"data:,\"><title>{}</title>\n<style>{STYLE}</style></head><body>\n{}<main>\n",
        escape(texts.language),
        escape(&title),
        definitions()
    );
    if parts.len() > 1 {
        html.push_str(&contents(games));
    }
    parts.iter().for_each(|part| html.push_str(part));
    html.push_str("</main></body></html>\n");
    html
}

fn contents(games: &[Game]) -> String {
    let line = |game: &Game| {
        format!(
            "<li><a href=\"#g{}\">{}</a> <span class=\"result\">{}</span></li>\n",
            game.number,
            escape(&players(game)),
            game.result.to_pgn()
        )
    };
    let lines: String = games.iter().map(line).collect();
    format!("<nav><ol>\n{lines}</ol></nav>\n")
}

fn players(game: &Game) -> String {
    format!("{} – {}", game.tag("White"), game.tag("Black"))
}

/// One game: who played, how exactly, the graph, the moves, and boards where something was given away.
pub fn game(game: &Game, moves: &[Explanation], texts: &Texts) -> String {
    let mut html = format!("<article id=\"g{}\">\n{}", game.number, header(game));
    let story: Vec<String> = story::sentences(game, moves, texts)
        .iter()
        .map(|text| escape(text))
        .collect();
    if !story.is_empty() {
        let _ = writeln!(html, "<p class=\"story\">{}</p>", story.join(" "));
    }
    html.push_str("<div class=\"overview\">\n");
    html.push_str(&graph(game, moves, texts));
    html.push_str(&summary(game, moves, texts));
    html.push_str("</div>\n<div class=\"columns\">\n");
    html.push_str(&move_list(game, moves, texts));
    html.push_str("<div class=\"cards\">\n");
    for (ply, explanation) in moves
        .iter()
        .enumerate()
        .filter(|(_, explanation)| is_marked(explanation))
    {
        html.push_str(&card(game, ply, explanation, texts));
    }
    html.push_str("</div>\n</div>\n</article>\n");
    html
}

fn header(game: &Game) -> String {
    let known = |name: &&str| !matches!(game.tag(name), "?" | "????.??.??" | "");
    let about: Vec<String> = ["Event", "Site", "Date", "Round"]
        .iter()
        .filter(|name| known(name))
        .map(|name| escape(game.tag(name)))
        .collect();
    format!(
        "<header><h1><span class=\"player\"><span class=\"side white\"></span>{}</span> <span class=\"result\">{}</span> \
        <span class=\"player\"><span class=\"side black\"></span>{}</span></h1><p>{}</p></header>\n",
        escape(game.tag("White")),
        game.result.to_pgn(),
        escape(game.tag("Black")),
        about.join(" · ")
    )
}

/// Accuracy by phase and the counts of what went wrong, a column for each side.
fn summary(game: &Game, moves: &[Explanation], texts: &Texts) -> String {
    let label = |name: &str| escape(&(texts.label)(name));
    let sides = [Color::White, Color::Black].map(|side| Summary::of(game, moves, side));
    let percent = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.0} %"));
    let mut rows = vec![(
        label("page-accuracy"),
        sides.each_ref().map(|side| percent(side.all)),
    )];
    for (place, phase) in Phase::ALL.into_iter().enumerate() {
        let values = sides.each_ref().map(|side| percent(side.phases[place]));
        rows.push((label(phase_label(phase)), values));
    }
    let names = ["page-inaccuracies", "page-mistakes", "page-blunders"];
    for (place, name) in names.into_iter().enumerate() {
        let values = sides.each_ref().map(|side| side.grades[place].to_string());
        let key = format!(
            "<span class=\"dot {}\"></span>{}",
            class(COUNTED[place]),
            label(name)
        );
        rows.push((key, values));
    }
    let mut html = format!(
        "<table class=\"summary\"><thead><tr><td></td><th>{}</th><th>{}</th></tr></thead><tbody>\n",
        label("page-white"),
        label("page-black")
    );
    for (name, [white, black]) in rows {
        let _ = writeln!(html, "<tr><th>{name}</th><td>{white}</td><td>{black}</td></tr>");
    }
    html.push_str("</tbody></table>\n");
    html
}

/// White's expected score over the moves, with a dot for everything that was given away.
fn graph(game: &Game, moves: &[Explanation], texts: &Texts) -> String {
    let step = WIDTH / moves.len().max(1) as f64;
    let height = |expected: f64| HEIGHT / 2.0 * (1.0 - expected);
    let points: Vec<(f64, f64)> = moves
        .iter()
        .enumerate()
        .map(|(ply, explanation)| ((ply + 1) as f64 * step, height(for_white(explanation))))
        .collect();
    let mut line = format!("M0 {:.1}", height(0.0));
    points.iter().for_each(|(x, y)| {
        let _ = write!(line, "L{x:.1} {y:.1}");
    });
    let last = points.last().map_or(0.0, |point| point.0);
    let mut svg = format!(
        "<figure class=\"graph\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\
        <rect class=\"for-black\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\
        <path class=\"for-white\" d=\"{line}L{last:.1} {HEIGHT}L0 {HEIGHT}z\"/>\
        <path class=\"even\" d=\"M0 {middle}H{WIDTH}\"/><path class=\"curve\" d=\"{line}\"/>",
        escape(&(texts.label)("page-graph")),
        middle = HEIGHT / 2.0
    );
    for (ply, explanation) in moves
        .iter()
        .enumerate()
        .filter(|(_, explanation)| is_marked(explanation))
    {
        let (x, y) = points[ply];
        let _ = write!(
            svg,
            "<a href=\"#g{}m{ply}\"><circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"><title>{}</title></circle></a>",
            game.number,
            class(explanation.verdict.grade),
            escape(&name(explanation, texts))
        );
    }
    let _ = writeln!(
        svg,
        "</svg><figcaption>{}</figcaption></figure>",
        escape(&(texts.label)("page-graph"))
    );
    svg
}

/// The expected score after a move for White, from -1 to 1.
fn for_white(explanation: &Explanation) -> f64 {
    let expected = explanation.verdict.after.expected;
    match explanation.played.position.side_to_move() {
        Color::White => expected,
        Color::Black => -expected,
    }
}

/// The moves of the game, those that give something away linked to their boards.
fn move_list(game: &Game, moves: &[Explanation], texts: &Texts) -> String {
    let mut html = format!(
        "<ol class=\"moves\" aria-label=\"{}\">\n",
        escape(&(texts.label)("page-moves"))
    );
    let mut rest = moves.iter().enumerate().peekable();
    while let Some((ply, explanation)) = rest.next() {
        let position = &explanation.played.position;
        let white = position.side_to_move() == Color::White;
        let _ = write!(
            html,
            "<li><span class=\"number\">{}.</span>",
            position.fullmove_number()
        );
        if white {
            html.push_str(&entry(game, ply, explanation, texts));
            if let Some((ply, answer)) = rest.next() {
                html.push_str(&entry(game, ply, answer, texts));
            }
        } else {
            html.push_str("<span class=\"move\">…</span>");
            html.push_str(&entry(game, ply, explanation, texts));
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n");
    html
}

fn entry(game: &Game, ply: usize, explanation: &Explanation, texts: &Texts) -> String {
    let san = escape(&san(explanation, texts));
    let score = evaluation(explanation).unwrap_or_default();
    let score = format!("<small>{}</small>", escape(&score.replace('-', "−")));
    if is_marked(explanation) {
        let class = class(explanation.verdict.grade);
        let sign = sign(explanation.verdict.grade);
        format!(
            "<a class=\"move {class}\" href=\"#g{}m{ply}\">{san}{sign}{score}</a>",
            game.number
        )
    } else {
        format!("<span class=\"move\">{san}{score}</span>")
    }
}

/// A move that gives something away: the board before it with both moves as arrows, and what is said of it.
fn card(game: &Game, ply: usize, explanation: &Explanation, texts: &Texts) -> String {
    let position = &explanation.played.position;
    let better = explanation.better.as_ref().and_then(|better| better.line.at(0));
    let arrows: Vec<Arrow> = better
        .map(|m| Arrow { m, color: BETTER })
        .into_iter()
        .chain([Arrow {
            m: explanation.played.m,
            color: PLAYED,
        }])
        .collect();
    let line = explanation
        .better
        .as_ref()
        .map_or(String::new(), |better| (texts.moves)(&better.line.prefix(8)));
    let words: String = (texts.explain)(explanation)
        .lines()
        .map(|line| format!("<p>{}</p>", escape(line)))
        .collect();
    format!(
        "<section class=\"card {class}\" id=\"g{}m{ply}\">{}<div><h2>{}{}</h2>{words}\
        <p class=\"line\"><span class=\"key\" style=\"background:{BETTER}\"></span>{}: {}</p></div></section>\n",
        game.number,
        board(
            position,
            &arrows,
            &format!("{}: {}", name(explanation, texts), position.to_fen(false))
        ),
        escape(&name(explanation, texts)),
        sign(explanation.verdict.grade),
        escape(&(texts.label)("page-better")),
        escape(&line),
        class = class(explanation.verdict.grade),
    )
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
