//! The page's files as texts: the words of three languages, and the size of it all.

use crate::served::Served;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The page and all that it loads has to stay below this.
const MOST_BYTES: usize = 250_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page")
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

/// The scripts with their paths in the page.
fn scripts() -> BTreeMap<String, String> {
    let page = folder();
    let scripts = files(&page)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "mjs"));
    scripts
        .map(|path| {
            let name = path
                .strip_prefix(&page)
                .expect("it is in the folder")
                .display()
                .to_string();
            (
                name.replace('\\', "/"),
                fs::read_to_string(&path).expect("a text"),
            )
        })
        .collect()
}

/// The entries of a table of words: a line each, `"key": "text",`.
fn table(language: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join(format!("js/words/{language}.mjs"))).expect("the table");
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with('"'));
    let entries: Vec<(String, String)> = lines
        .map(|line| {
            let (key, text) = line.split_once("\": \"").expect(line);
            let text = text.strip_suffix("\",").expect(line);
            (key[1..].to_string(), text.to_string())
        })
        .collect();
    let count = entries.len();
    let table: BTreeMap<String, String> = entries.into_iter().collect();
    assert_eq!(table.len(), count, "a key stands twice in {language}.mjs");
    table
}

/// The names in braces.
fn holes(text: &str) -> BTreeSet<&str> {
    let parts = text.split('{').skip(1);
    parts
        .filter_map(|part| part.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn every_text_is_there_in_three_languages() {
    let english = table("en");
    assert!(english.len() > 150);
    for language in ["ca", "es"] {
        let other = table(language);
        let keys = |table: &BTreeMap<String, String>| table.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(&other), keys(&english), "{language}");
        for (key, text) in &other {
            assert!(!text.trim().is_empty(), "{key} is empty in {language}");
            assert_eq!(holes(text), holes(&english[key]), "{key} in {language}");
        }
    }
}

#[test]
fn every_text_that_a_script_asks_for_is_there() {
    let english = table("en");
    for (name, text) in scripts() {
        // names that end in t, as in `closest(".promotion")`, ask for something else
        for part in text
            .split([' ', '(', '[', '{', '!'])
            .collect::<Vec<_>>()
            .windows(2)
            .filter(|pair| pair[0] == "t")
        {
            let Some(key) = part[1].strip_prefix('"').and_then(|key| key.split('"').next()) else {
                continue;
            };
            assert!(english.contains_key(key), "{name} asks for '{key}'");
        }
        // keys that are put together: there is at least one that begins so
        for part in text.split("t(`").skip(1) {
            let start = part.split(['$', '`']).next().unwrap_or_default();
            assert!(
                english.keys().any(|key| key.starts_with(start)),
                "{name} asks for '{start}…'"
            );
        }
    }
}

#[test]
fn the_page_stays_small() {
    let server = Served::start();
    let bytes: usize = ["/", "/page.mjs", "/icon.svg"]
        .map(|path| server.get(path).body.len())
        .iter()
        .sum();
    assert!(bytes < MOST_BYTES, "the page has {bytes} bytes");
}

#[test]
fn no_script_makes_markup_of_data() {
    for (name, text) in scripts() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "DOMParser",
        ] {
            assert!(!text.contains(word), "{name} has {word}");
        }
    }
}
