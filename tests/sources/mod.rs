//! The sources of this crate as a tree of modules, and which of them names which: for the tests of the layers.
//!
//! It reads tokens, no syntax tree: a path is seen wherever it is written, in a `use`, in code or in a test; a method that
//! another file defines on a type is not.

mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
pub use tokens::tokens;

/// Names that a file gives to paths by `use`.
type Names = BTreeMap<String, Vec<String>>;

/// One file.
pub struct Source {
    /// Its path from the root of the sources, with `/` between the parts.
    pub path: String,
    /// Its place in the tree of modules; empty for `lib.rs`.
    pub module: Vec<String>,
    /// Its tokens.
    pub tokens: Vec<String>,
    /// The paths that it writes, absolute.
    pub paths: BTreeSet<Vec<String>>,
    names: Names,
}

impl Source {
    /// Reads one file.
    pub fn new(path: &str, text: &str) -> Source {
        let stem = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let module = match stem {
            "lib" => Vec::new(),
            stem => stem.split('/').map(str::to_string).collect(),
        };
        let tokens = tokens(text);
        let (paths, names) = read_paths(&module, &tokens);
        Source {
            path: path.to_string(),
            module,
            tokens,
            paths,
            names,
        }
    }

    /// The directory right under the sources that it lies in; a file that lies there is its own.
    pub fn room(&self) -> &str {
        self.module.first().map_or("lib", String::as_str)
    }
}

/// Reads every Rust source under a directory, in the order of their paths.
pub fn read_all(root: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            open.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let inside = path.strip_prefix(root).expect("a path under the root");
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            found.push(Source::new(&parts.join("/"), &text));
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// For each source the other sources that it names, by their places in the list.
pub fn uses(sources: &[Source]) -> Vec<BTreeSet<usize>> {
    let places: BTreeMap<&[String], usize> = sources
        .iter()
        .enumerate()
        .map(|(place, source)| (source.module.as_slice(), place))
        .collect();
    let uses = |(place, source): (usize, &Source)| {
        let named = source
            .paths
            .iter()
            .filter_map(|path| resolve(sources, &places, path, 0));
        named.filter(|&other| other != place).collect()
    };
    sources.iter().enumerate().map(uses).collect()
}

/// The file that a path leads to, through the names that files on its way give to others.
fn resolve(
    sources: &[Source],
    places: &BTreeMap<&[String], usize>,
    path: &[String],
    detours: usize,
) -> Option<usize> {
    let known = (0..=path.len())
        .rev()
        .find(|&length| places.contains_key(&path[..length]))?;
    let place = places[&path[..known]];
    let next = path.get(known).and_then(|name| sources[place].names.get(name));
    match next {
        Some(target) if detours < 8 && target[..] != path[..=known] => {
            let whole = [target, &path[known + 1..]].concat();
            resolve(sources, places, &whole, detours + 1).or(Some(place))
        }
        _ => Some(place),
    }
}

/// The absolute paths in a file's tokens, and the names that its `use` declarations give.
fn read_paths(module: &[String], tokens: &[String]) -> (BTreeSet<Vec<String>>, Names) {
    let mut paths = BTreeSet::new();
    let mut names = Names::new();
    let mut relative = Vec::new();
    // the modules that are written out inside the file, with the depth of braces where each begins
    let mut inside: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    let at = |i: usize| tokens.get(i).map_or("", String::as_str);
    let mut i = 0;
    while i < tokens.len() {
        let before = |steps: usize| i.checked_sub(steps).map_or("", at);
        let here = || -> Vec<String> {
            let inner = inside.iter().map(|(name, _)| name.clone());
            module.iter().cloned().chain(inner).collect()
        };
        match at(i) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inside.retain(|&(_, start)| start < depth + 1);
            }
            "mod" if at(i + 2) == "{" => {
                inside.push((at(i + 1).to_string(), depth + 1));
            }
            // not the list of what an opaque type captures
            "use" if at(i + 1) != "<" => {
                i = read_tree(tokens, i + 1, Vec::new(), &mut |name, path| {
                    let whole = absolute(&here(), path);
                    if inside.is_empty() {
                        names.insert(name.to_string(), whole.clone());
                    }
                    relative.push((here(), path.to_vec(), Some(whole)));
                });
                continue;
            }
            // not the middle of a path, nor what `pub(in …)` names
            word if is_name(word)
                && at(i + 1) == "::"
                && before(1) != "::"
                && (before(2), before(1)) != ("(", "in") =>
            {
                let mut path = vec![word.to_string()];
                while at(i + 1) == "::" && is_name(at(i + 2)) {
                    path.push(at(i + 2).to_string());
                    i += 2;
                }
                relative.push((here(), path, None));
            }
            _ => {}
        }
        i += 1;
    }
    for (here, path, whole) in relative {
        let known = names.get(&path[0]).filter(|_| whole.is_none());
        paths.insert(match known {
            Some(target) => [target, &path[1..]].concat(),
            None => absolute(&here, &path),
        });
    }
    (paths, names)
}

/// Reads the tree of a `use` from `tokens[i]` on; gives every name with its path, and returns where the tree ends.
fn read_tree(
    tokens: &[String],
    mut i: usize,
    stem: Vec<String>,
    give: &mut dyn FnMut(&str, &[String]),
) -> usize {
    let at = |i: usize| tokens.get(i).map_or(";", String::as_str);
    let mut path = stem;
    loop {
        match at(i) {
            "::" | "$" => {}
            "{" => {
                i += 1;
                while at(i) != "}" && at(i) != ";" {
                    i = read_tree(tokens, i, path.clone(), give);
                    i += (at(i) == ",") as usize;
                }
                return i + 1;
            }
            "as" => {
                give(at(i + 1), &path);
                return i + 2;
            }
            "," | "}" | ";" => {
                give(path.last().map_or("", String::as_str), &path);
                return i;
            }
            // a name given to the module itself, or to all that is in it
            "self" if !path.is_empty() => {}
            "*" => {}
            name => path.push(name.to_string()),
        }
        i += 1;
    }
}

/// A path from the root of the crate; what begins with no such word is taken for a child of the module, and leads nowhere
/// if it is another crate.
fn absolute(module: &[String], path: &[String]) -> Vec<String> {
    let mut base = module.to_vec();
    let mut rest = path;
    match path.first().map(String::as_str) {
        Some("crate" | "enroc") => (base, rest) = (Vec::new(), &path[1..]),
        Some("self") => rest = &path[1..],
        _ => {}
    }
    while let Some("super") = rest.first().map(String::as_str) {
        base.pop();
        rest = &rest[1..];
    }
    [&base, rest].concat()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
