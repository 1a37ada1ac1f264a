//! The tables of the README and of docs/training.md say what the program says.

use enroc::training::recipe::Recipe;
use enroc::uci::options::{Declaration, OPTIONS, OptionKind};

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
        OptionKind::Check { default } => ("check", default.to_string(), String::new()),
        OptionKind::Spin { default, min, max } => ("spin", default.to_string(), format!("{min}–{max}")),
        // `cuda` is there in some builds only
        OptionKind::Combo(choices) => {
            let choices: Vec<&str> = choices.iter().copied().filter(|&word| word != "cuda").collect();
            ("combo", choices[0].to_string(), choices.join(", "))
        }
        OptionKind::Button => ("button", String::new(), String::new()),
        OptionKind::Text("") => ("string", String::new(), String::new()),
        OptionKind::Text(_) => ("string", "about Enroc".to_string(), String::new()),
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

/// The intervals are left out: those of pairs of games do not follow from won, drawn and lost.
#[test]
fn scores_against_full_strength_follow_from_the_games() {
    let table = table("**Strength.**");
    assert!(table.len() > 3, "{table:?}");
    for cells in table {
        let counts: Vec<u32> = cells[3..7]
            .iter()
            .map(|cell| cell.parse().expect("games"))
            .collect();
        let [games, won, drawn, lost] = counts[..] else {
            panic!("{cells:?}");
        };
        assert_eq!(won + drawn + lost, games, "{}", cells[0]);
        let percent = 100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(games);
        let told: f64 = cells[7]
            .split(' ')
            .next()
            .and_then(|number| number.parse().ok())
            .expect("a score");
        assert!((percent - told).abs() <= 0.5, "{}: {percent}", cells[0]);
    }
}

#[test]
fn the_errors_of_the_built_in_nets_are_those_of_their_cards() {
    const CARDS: &str = include_str!("../nets/README.md");
    let text: Vec<&str> = README.split_whitespace().collect();
    let text = text.join(" ");
    let rows: Vec<&str> = CARDS
        .lines()
        .filter(|line| line.contains("`, built in |"))
        .collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    for row in rows {
        let cells: Vec<&str> = row.trim_matches([' ', '|']).split('|').map(str::trim).collect();
        let [.., all, quiet] = cells[..] else {
            panic!("two errors: {row}");
        };
        let sentences = [format!("mean error of {all} "), format!("has {all} and {quiet}.")];
        assert!(sentences.iter().any(|sentence| text.contains(sentence)), "{row}");
        assert!(text.contains(quiet), "{row}");
    }
    // what they are measured beside, and on how many positions
    for figure in ["62,568", "0.316 and 0.296", "0.177 and 0.150"] {
        assert!(text.contains(figure) && CARDS.contains(figure), "{figure}");
    }
}

/// The keys of a table without tables below them.
fn keys(table: &toml::Table, found: &mut Vec<String>) {
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => keys(inner, found),
            _ => found.push(key.clone()),
        }
    }
}

#[test]
fn every_key_of_a_recipe_is_in_its_table() {
    const DOCUMENT: &str = include_str!("../docs/training.md");
    let recipe = r#"
        name = "all"
        [net]
        layout = "774-8-1"
        orientation = "mover"
        curve = { tanh = { scale = 800.0 } }
        after = "none"
        [data]
        description = ""
        files = ["shards"]
        in_memory = 2
        shards = 3
        [data.selection]
        limit = 9
        filter = { max_score = 1000, duplicate_memory = 1 }
        [schedule]
        positions = 640
        warm_up = 64
        batch = 64
        seed = 1
        measure_every = 64
        measure_on = 10
        "#;
    let text = Recipe::parse(recipe).expect("a recipe").to_text();
    let mut found = Vec::new();
    keys(&text.expect("a text").parse().expect("TOML"), &mut found);
    assert!(found.len() > 35, "{found:?}");
    for key in found {
        let forms = [format!("`{key}`"), format!(".{key}`"), format!("{key} = ")];
        assert!(forms.iter().any(|form| DOCUMENT.contains(form)), "{key}");
    }
}

#[test]
fn the_two_commands_are_there() {
    for command in ["cargo run --release", "cargo test --release"] {
        assert!(README.lines().any(|line| line.starts_with(command)), "{command}");
    }
}
