//! What the page holds in itself, because its first paint needs it, and the policy that allows this text and no other.

use super::reply::CONTENT_SECURITY_POLICY;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

/// A document whose style sheet and first script are in it.
pub struct Document {
    /// The document.
    pub html: String,
    /// Its Content-Security-Policy: that of all answers, and these two texts by their hashes.
    pub policy: String,
}

impl Document {
    /// Puts the texts into `html` in place of the elements that refer to them.
    pub fn new(html: &str, styles: &str, first: &str) -> Document {
        let html = html
            .replace(
                "<link rel=\"stylesheet\" href=\"/page.css\">",
                &format!("<style>{styles}</style>"),
            )
            .replace(
                "<script src=\"/first.js\"></script>",
                &format!("<script>{first}</script>"),
            );
        let (styles, first) = (source(styles), source(first));
        let policy = CONTENT_SECURITY_POLICY
            .replace(
                "script-src 'self';",
                &format!("script-src 'self'; script-src-elem 'self' {first};"),
            )
            .replace("style-src 'self';", &format!("style-src {styles};"));
        Document { html, policy }
    }
}

/// A text as the policy names it: by its hash.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_what_the_document_holds() {
        let html = "<link rel=\"stylesheet\" href=\"/page.css\"><script src=\"/first.js\"></script>";
        let document = Document::new(html, "p{}", "f()");
        assert_eq!(document.html, "<style>p{}</style><script>f()</script>");
        for part in [
            format!("; script-src-elem 'self' {};", source("f()")),
            format!("; style-src {};", source("p{}")),
        ] {
            assert!(document.policy.contains(&part), "{part}: {}", document.policy);
        }
        assert!(!document.policy.contains("unsafe"));
    }
}
