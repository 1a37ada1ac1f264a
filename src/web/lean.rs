//! The page's texts without what only their readers need: every byte is read before the first paint.

/// A script or a style sheet without indentation, empty lines, and comments that begin a line.
///
/// Texts over several lines keep their line ends, not their indentation: the page has none in which that matters.
pub fn lean(text: &str) -> String {
    let mut lines = Vec::new();
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        in_comment |= line.starts_with("/*");
        if in_comment {
            in_comment = !line.ends_with("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            lines.push(line);
        }
    }
    lines.push("");
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let text = "// head\n\n/** Of a,\n * and more. */\nexport const a = 1; // beside\n  /* b */\n  const b = \"// no\";\n";
        assert_eq!(
            lean(text),
            "export const a = 1; // beside\nconst b = \"// no\";\n"
        );
        assert_eq!(
            lean("/* a */\np {\n  color: red; /* b */\n}\n"),
            "p {\ncolor: red; /* b */\n}\n"
        );
        assert_eq!(lean(""), "");
    }
}
