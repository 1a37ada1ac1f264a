//! The page's files, embedded.

use super::reply::{Content, Reply, reply};
use crate::support::hex::hex;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use once_cell::sync::Lazy;
use sha2::{Digest, Sha256};

/// A file of the page.
struct File {
    /// Its path in the folder of the page.
    name: &'static str,
    bytes: &'static [u8],
}

macro_rules! page {
    ($($name:literal),* $(,)?) => {
        &[$(File { name: $name, bytes: include_bytes!(concat!("page/", $name)) }),*]
    };
}

/// Every file of the folder `page`.
const PAGE: &[File] = page![
    "css/analysis.css",
    "css/base.css",
    "css/board.css",
    "css/controls.css",
    "css/dialogs.css",
    "css/layout.css",
    "css/moves.css",
    "css/players.css",
    "icon.svg",
    "index.html",
    "js/analysis.mjs",
    "js/api.mjs",
    "js/board/board.mjs",
    "js/board/drawings.mjs",
    "js/board/geometry.mjs",
    "js/board/pieces.mjs",
    "js/board/pointer.mjs",
    "js/board/promotion.mjs",
    "js/board/squares.mjs",
    "js/clock.mjs",
    "js/dom.mjs",
    "js/game.mjs",
    "js/hand.mjs",
    "js/main.mjs",
    "js/match.mjs",
    "js/networks.mjs",
    "js/retry.mjs",
    "js/review.mjs",
    "js/saved.mjs",
    "js/settings.mjs",
    "js/speech.mjs",
    "js/state.mjs",
    "js/store.mjs",
    "js/tree.mjs",
    "js/views/analysis.mjs",
    "js/views/controls.mjs",
    "js/views/dialog.mjs",
    "js/views/entry.mjs",
    "js/views/exchange.mjs",
    "js/views/graph.mjs",
    "js/views/header.mjs",
    "js/views/live.mjs",
    "js/views/moves.mjs",
    "js/views/networks.mjs",
    "js/views/play.mjs",
    "js/views/players.mjs",
    "js/views/retry.mjs",
    "js/views/settings.mjs",
    "js/views/why.mjs",
    "js/why.mjs",
    "js/words/ca.mjs",
    "js/words/en.mjs",
    "js/words/es.mjs",
    "js/words/index.mjs",
];

/// Content types by the endings of file names.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
    ("txt", "text/plain; charset=utf-8"),
];

/// The tags by which browsers know whether they have a file already, in the order of [`PAGE`].
static TAGS: Lazy<Vec<String>> = Lazy::new(|| {
    let tag = |file: &File| format!("\"{}\"", hex(&Sha256::digest(file.bytes)[..12]));
    PAGE.iter().map(tag).collect()
});

/// The file at a path, if there is one; only its headers if the browser has it.
pub fn file(path: &str, request: &HeaderMap) -> Option<Reply> {
    let name = match path.strip_prefix('/')? {
        "" => "index.html",
        name => name,
    };
    let place = PAGE.iter().position(|file| file.name == name)?;
    let tag = TAGS[place].as_str();
    let known = request
        .get(header::IF_NONE_MATCH)
        .is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let (status, bytes) = match known {
        true => (StatusCode::NOT_MODIFIED, Bytes::new()),
        false => (StatusCode::OK, Bytes::from_static(PAGE[place].bytes)),
    };
    let mut reply = reply(status, kind(name)?, "no-cache", Content::whole(bytes));
    let tag = HeaderValue::from_str(tag).ok()?;
    reply.headers_mut().insert(header::ETAG, tag);
    Some(reply)
}

fn kind(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    TYPES.iter().find(|kind| kind.0 == ending).map(|kind| kind.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::body::Body;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The paths of the files in a folder, with `/` between the parts.
    fn files(folder: &Path, before: &str, found: &mut BTreeSet<String>) {
        for entry in folder.read_dir().expect("the folder") {
            let entry = entry.expect("an entry");
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            match entry.path().is_dir() {
                true => files(&entry.path(), &format!("{name}/"), found),
                false => drop(found.insert(name)),
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_embedded_with_a_type() {
        let mut found = BTreeSet::new();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/page");
        files(Path::new(folder), "", &mut found);
        let embedded: BTreeSet<String> = PAGE.iter().map(|file| file.name.to_string()).collect();
        assert_eq!(embedded, found);
        for name in embedded {
            assert!(kind(&name).is_some(), "{name} has no type in TYPES");
        }
    }

    #[test]
    fn a_browser_that_has_a_file_gets_its_headers_only() {
        let mut request = HeaderMap::new();
        let first = file("/", &request).expect("the page");
        assert_eq!(first.status(), StatusCode::OK);
        request.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        let second = file("/index.html", &request).expect("the page");
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert!(second.body().is_end_stream());
        assert!(file("/../assets.rs", &request).is_none());
    }
}
