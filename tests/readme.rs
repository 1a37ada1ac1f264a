//! The README's tables say what the program says.

use enroc::uci::options::{Declaration, Kind, OPTIONS};

const README: &str = include_str!("../README.md");

/// The cells of the table under a heading, without the two lines of its head.
fn table(heading: &str) -> Vec<Vec<String>> {
    let section = README.split(heading).nth(1).expect("the heading");
    let rows = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let inside = row.trim().trim_matches('|');
        inside.split('|').map(|cell| cell.trim().to_string()).collect()
    })
    .collect()
}

/// What the table has to say about an option: name, type, default, range.
fn row(option: &Declaration) -> [String; 4] {
    let (kind, default, range) = match option.kind {
        Kind::Check { default } => ("check", default.to_string(), String::new()),
        Kind::Spin { default, min, max } => ("spin", default.to_string(), format!("{min}–{max}")),
        Kind::Combo(choices) => ("combo", choices[0].to_string(), choices.join(", ")),
        Kind::Button => ("button", String::new(), String::new()),
        Kind::Text("") => ("string", String::new(), String::new()),
        Kind::Text(_) => ("string", "about Enroc".to_string(), String::new()),
    };
    [format!("`{}`", option.name), kind.to_string(), default, range]
}

#[test]
fn the_table_of_options_is_the_programs() {
    let table = table("## UCI options");
    let expected: Vec<[String; 4]> = OPTIONS.iter().map(row).collect();
    let found: Vec<&[String]> = table.iter().map(|cells| &cells[..4]).collect();
    assert_eq!(found, expected);
    assert!(table.iter().all(|cells| cells.len() == 5 && !cells[4].is_empty()));
}

#[test]
fn the_two_commands_are_there() {
    for command in ["cargo run --release", "cargo test --release"] {
        assert!(README.lines().any(|line| line.starts_with(command)), "{command}");
    }
}
