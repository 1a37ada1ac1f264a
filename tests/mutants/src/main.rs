//! Plants small faults in a copy of the source, all in one build: the environment variable `ENROC_FAULT` turns one on.
//!
//!     plant SRC TABLE SEED [NUMBER ...]
//!
//! Files below SRC are rewritten; TABLE gets a line for each fault: its number, room, file, line and what it does. The
//! faults of a room are a sample, drawn with SEED, less those of the NUMBERs. `run.py` builds the copy and tries the
//! tests on each.

mod faults;

use faults::{Fault, Sites};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Rooms of the source, how many faults are planted in each, and words in the paths of files left alone there: kernels
/// that are compared bit for bit, and numbers that are tuned.
const ROOMS: &[(&str, usize, &[&str])] = &[
    ("board", 50, &["proptest"]),
    ("uci", 40, &[]),
    ("engine", 30, &[]),
    ("search", 60, &["params"]),
    ("data", 50, &[]),
    ("labelling", 25, &[]),
    ("annotate", 40, &[]),
    ("explain", 120, &[]),
    ("compare", 60, &[]),
    ("training", 60, &["kernel", "fused"]),
    ("web", 60, &[]),
    ("nets", 50, &["kernel", "simd"]),
    ("cli", 30, &[]),
    ("tablebases", 15, &[]),
    ("visits", 8, &[]),
    ("uci_client", 20, &[]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [source, table, seed, left_out @ ..] = arguments.as_slice() else {
        return Err("usage: plant SRC TABLE SEED [NUMBER ...]".into());
    };
    let source = Path::new(source);
    let left_out: Vec<u32> = left_out
        .iter()
        .map(|number| number.parse())
        .collect::<Result<_, _>>()?;
    let mut random = Random(seed.parse()?);
    let (mut number, mut lines) = (0, String::new());
    for &(room, count, left_alone) in ROOMS {
        let mut paths = Vec::new();
        rust_files(&source.join(room), &mut paths)?;
        paths.retain(|path| !is_left_alone(path, left_alone));
        let mut sites = Vec::new();
        for path in paths {
            let found = Sites::all(&mut read(&path)?);
            sites.extend(found.into_iter().map(|fault| (path.clone(), fault.site)));
        }
        random.shuffle(&mut sites);
        println!("{room}: {} of {} places", count.min(sites.len()), sites.len());
        let mut chosen: BTreeMap<PathBuf, BTreeMap<usize, u32>> = BTreeMap::new();
        for (path, site) in sites.into_iter().take(count) {
            number += 1;
            if !left_out.contains(&number) {
                chosen.entry(path).or_default().insert(site, number);
            }
        }
        for (path, numbers) in chosen {
            let mut file = read(&path)?;
            for Fault { site, line, what } in Sites::plant(&mut file, &numbers) {
                let place = path.strip_prefix(source)?.display();
                lines += &format!("{}\t{room}\t{place}\t{line}\t{what}\n", numbers[&site]);
            }
            fs::write(&path, prettyplease::unparse(&file))?;
        }
    }
    fs::write(table, lines)?;
    Ok(())
}

fn read(path: &Path) -> Result<syn::File, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The files below a folder, in a fixed order.
fn rust_files(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        let entries: Result<Vec<_>, _> = fs::read_dir(path)?.collect();
        let mut paths: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        return paths.iter().try_for_each(|path| rust_files(path, found));
    }
    if path.extension().is_some_and(|ending| ending == "rs") {
        found.push(path.to_path_buf());
    }
    Ok(())
}

fn is_left_alone(path: &Path, words: &[&str]) -> bool {
    let path = path.to_string_lossy();
    let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
    is_test || words.iter().any(|word| path.contains(word))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}
