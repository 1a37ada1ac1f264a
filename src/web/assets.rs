//! The page's files, embedded: its style sheets are in the document, its modules are one script.

use super::inline::Document;
use super::lean::lean;
use super::reply::{Content, Reply, reply};
use super::script::{Module, join};
use crate::support::hex::hex;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use once_cell::sync::Lazy;
use sha2::{Digest, Sha256};

/// The texts of these files, with their paths in the folder of the page.
macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("page/", $name)))),*]
    };
}

const INDEX: &str = include_str!("page/index.html");
const ICON: &str = include_str!("page/icon.svg");
/// What runs before the first paint.
const FIRST: &str = include_str!("page/js/first.js");

/// The style sheets in the order in which one overrides the other.
const STYLES: &[(&str, &str)] = texts![
    "css/base.css",
    "css/layout.css",
    "css/board.css",
    "css/controls.css",
    "css/players.css",
    "css/analysis.css",
    "css/moves.css",
    "css/dialogs.css",
    "css/forced.css",
];

/// The modules.
const MODULES: &[Module] = texts![
    "js/accuracy.mjs",
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
    "js/exported.mjs",
    "js/file.mjs",
    "js/game.mjs",
    "js/glyphs.mjs",
    "js/hand.mjs",
    "js/main.mjs",
    "js/match.mjs",
    "js/networks.mjs",
    "js/notation.mjs",
    "js/retry.mjs",
    "js/review.mjs",
    "js/saved.mjs",
    "js/scores.mjs",
    "js/settings.mjs",
    "js/shelf.mjs",
    "js/setup.mjs",
    "js/sound.mjs",
    "js/speech.mjs",
    "js/state.mjs",
    "js/steps.mjs",
    "js/storage.mjs",
    "js/store.mjs",
    "js/tables.mjs",
    "js/text.mjs",
    "js/tree.mjs",
    "js/undo.mjs",
    "js/views/analysis.mjs",
    "js/views/controls.mjs",
    "js/views/dialog.mjs",
    "js/views/editor.mjs",
    "js/views/entry.mjs",
    "js/views/exchange.mjs",
    "js/views/file.mjs",
    "js/views/graph.mjs",
    "js/views/header.mjs",
    "js/views/keys.mjs",
    "js/views/lines.mjs",
    "js/views/live.mjs",
    "js/views/moves.mjs",
    "js/views/networks.mjs",
    "js/views/notes.mjs",
    "js/views/play.mjs",
    "js/views/players.mjs",
    "js/views/preview.mjs",
    "js/views/retry.mjs",
    "js/views/settings.mjs",
    "js/views/toast.mjs",
    "js/views/why.mjs",
    "js/why.mjs",
    "js/words/ca.mjs",
    "js/words/en.mjs",
    "js/words/es.mjs",
    "js/words/index.mjs",
];

/// A file as the browser asks for it.
struct File {
    path: &'static str,
    kind: &'static str,
    bytes: Bytes,
    /// The ETag, by which browsers know whether they have the file already.
    tag: String,
    /// Its own Content-Security-Policy.
    policy: Option<HeaderValue>,
}

/// Everything that the page loads: few files, because each takes its time.
static FILES: Lazy<Vec<File>> = Lazy::new(|| {
    let styles: String = STYLES.iter().map(|style| lean(style.1)).collect();
    // cannot fail: a test joins the same modules
    let script = join(MODULES, "js/main.mjs").unwrap_or_default();
    let html: String = INDEX.lines().map(|line| format!("{}\n", line.trim())).collect();
    let document = Document::new(&html, &styles, &lean(FIRST));
    vec![
        File {
            policy: document.policy.parse().ok(),
            ..File::new("/", "text/html; charset=utf-8", document.html)
        },
        File::new("/icon.svg", "image/svg+xml", ICON.to_string()),
        File::new("/page.mjs", "text/javascript; charset=utf-8", script),
    ]
});

impl File {
    fn new(path: &'static str, kind: &'static str, text: String) -> File {
        File {
            path,
            kind,
            tag: format!("\"{}\"", hex(&Sha256::digest(&text)[..12])),
            bytes: text.into(),
            policy: None,
        }
    }
}

/// The file at a path, if there is one; only its headers if the browser has it.
pub fn file(path: &str, request: &HeaderMap) -> Option<Reply> {
    let path = if path == "/index.html" { "/" } else { path };
    let file = FILES.iter().find(|file| file.path == path)?;
    let known = request
        .get(header::IF_NONE_MATCH)
        .is_some_and(|value| value.as_bytes() == file.tag.as_bytes());
    let (status, bytes) = match known {
        true => (StatusCode::NOT_MODIFIED, Bytes::new()),
        false => (StatusCode::OK, file.bytes.clone()),
    };
    let mut reply = reply(status, file.kind, "no-cache", Content::whole(bytes));
    let tag = HeaderValue::from_str(&file.tag).ok()?;
    reply.headers_mut().insert(header::ETAG, tag);
    if let Some(policy) = &file.policy {
        let own = policy.clone();
        reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, own);
    }
    Some(reply)
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
    fn every_file_of_the_folder_is_embedded() {
        let mut found = BTreeSet::new();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/page");
        files(Path::new(folder), "", &mut found);
        let mut embedded: BTreeSet<String> = ["index.html", "icon.svg", "js/first.js"]
            .map(str::to_string)
            .into();
        embedded.extend(STYLES.iter().chain(MODULES).map(|file| file.0.to_string()));
        assert_eq!(embedded, found);
    }

    #[test]
    fn every_module_is_in_the_script() {
        let script = join(MODULES, "js/main.mjs").expect("a script");
        for (name, _) in MODULES {
            assert!(script.contains(&format!("// {name}\n")), "nothing imports {name}");
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
