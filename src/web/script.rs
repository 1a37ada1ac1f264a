//! The page's modules as one script: over plain HTTP a browser asks for six files at a time, and fifty of them take
//! longer than everything else that the page waits for.
//!
//! Only what our modules write is understood: imports and exports that begin a line, imports of names on one line, no
//! defaults. Each module becomes a function that is called once and returns what it exports.

use super::lean::lean;
use thiserror::Error;

/// A module's path in the folder of the page, and its text.
pub type Module = (&'static str, &'static str);

/// Why modules cannot be joined.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// A module that is imported is not there.
    #[error("there is no module {0}")]
    Missing(String),
    /// A module needs itself.
    #[error("{0} imports itself, through others or directly")]
    Circle(String),
    /// An import or export that is not understood.
    #[error("{0} has a line that is not understood: {1}")]
    Line(String, String),
}

/// Joins a module and all that it imports, each before those that import it.
///
/// # Errors
/// [`JoinError`] names what is missing or not understood.
pub fn join(modules: &[Module], main: &str) -> Result<String, JoinError> {
    let mut joiner = Joiner {
        modules,
        open: Vec::new(),
        done: Vec::new(),
        script: String::new(),
    };
    joiner.add(main)?;
    Ok(joiner.script)
}

struct Joiner<'a> {
    modules: &'a [Module],
    /// Those that wait for what they import.
    open: Vec<&'static str>,
    /// Those in the script, in their order; the number of a module is its place here.
    done: Vec<&'static str>,
    script: String,
}

impl Joiner<'_> {
    /// Adds a module and what it imports, unless it is there already; returns its number.
    fn add(&mut self, name: &str) -> Result<usize, JoinError> {
        if let Some(number) = self.done.iter().position(|&other| other == name) {
            return Ok(number);
        }
        if self.open.contains(&name) {
            return Err(JoinError::Circle(name.to_string()));
        }
        let module = self.modules.iter().find(|module| module.0 == name);
        let &(name, text) = module.ok_or_else(|| JoinError::Missing(name.to_string()))?;
        self.open.push(name);
        let (mut body, mut exports) = (String::new(), Vec::new());
        let text = lean(text);
        for line in text.lines() {
            let unknown = || JoinError::Line(name.to_string(), line.to_string());
            if let Some(import) = line.strip_prefix("import ") {
                let (names, path) = imported(import).ok_or_else(unknown)?;
                let number = self.add(&resolved(name, path))?;
                body.push_str(&format!("const {} = ${number};", names.replace(" as ", ": ")));
            } else if let Some(export) = line.strip_prefix("export ") {
                exports.extend(exported(export).ok_or_else(unknown)?);
                body.push_str(export);
            } else {
                body.push_str(line);
            }
            body.push('\n');
        }
        self.open.pop();
        let number = self.done.len();
        self.done.push(name);
        // no module imports the outermost one; it stays at the top level, where it may use `await`
        self.script.push_str(&match self.open.is_empty() {
            true => format!("// {name}\n{body}"),
            false => format!(
                "// {name}\nconst ${number} = (() => {{\n{body}return {{ {} }};\n}})();\n",
                exports.join(", ")
            ),
        });
        Ok(number)
    }
}

/// The names in braces and the path of `{ a, b as c } from "./path.mjs";`.
fn imported(import: &str) -> Option<(&str, &str)> {
    let (names, path) = import.split_once(" from \"")?;
    let is_list = names.starts_with('{') && names.ends_with('}');
    is_list.then_some((names, path.strip_suffix("\";")?))
}

/// The names that a declaration makes: `async function a(…`, `const b = …`, `class C {`, `const { d, e } = …`.
fn exported(declaration: &str) -> Option<Vec<&str>> {
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let kinds = ["function ", "const ", "class "];
    let rest = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    let names = match rest.strip_prefix('{') {
        Some(list) => list.split_once('}')?.0.split(',').map(str::trim).collect(),
        None => vec![rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?],
    };
    names.iter().all(|name| !name.is_empty()).then_some(names)
}

/// A path as a module writes it, from the folder of the page.
fn resolved(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_before_those_that_import_them() {
        let modules = [
            (
                "js/main.mjs",
                "import { a as b, C } from \"./in/a.mjs\";\nimport { d } from \"./d.mjs\";\n\nawait b(d);",
            ),
            (
                "js/in/a.mjs",
                "import { d } from \"../d.mjs\";\nexport async function a() {}\nexport class C {}",
            ),
            (
                "js/d.mjs",
                "export const d = 1;\nexport const { e, f } = d;\nconst g = 2;",
            ),
        ];
        let expected = "// js/d.mjs\nconst $0 = (() => {\nconst d = 1;\nconst { e, f } = d;\nconst g = 2;\nreturn { d, e, f };\n})();\n\
            // js/in/a.mjs\nconst $1 = (() => {\nconst { d } = $0;\nasync function a() {}\nclass C {}\nreturn { a, C };\n})();\n\
            // js/main.mjs\nconst { a: b, C } = $1;\nconst { d } = $0;\nawait b(d);\n";
        assert_eq!(join(&modules, "js/main.mjs").as_deref(), Ok(expected));
    }

    #[test]
    fn what_cannot_be_joined_is_named() {
        let fault = |text: &'static str| join(&[("a.mjs", text)], "a.mjs").expect_err("refused");
        let line = |text: &str| JoinError::Line("a.mjs".to_string(), text.to_string());
        for text in [
            "import b from \"./b.mjs\";",
            "import { b from \"./b.mjs\";",
            "import b } from \"./b.mjs\";",
            "import {",
            "export default {",
            "export { a };",
        ] {
            assert_eq!(fault(text), line(text));
        }
        let missing = "import { b } from \"./b.mjs\";";
        assert_eq!(fault(missing), JoinError::Missing("b.mjs".to_string()));
        let itself = "import { a } from \"./a.mjs\";";
        assert_eq!(fault(itself), JoinError::Circle("a.mjs".to_string()));
    }
}
