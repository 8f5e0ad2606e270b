//! What a program says of the error that ended it: the innermost place in the project, and the message. Pure.

use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Position, Range};

/// Reads the last traceback of Python or stack of Node that leads into a tree.
pub fn trace(said: &str, root: &AbsPath) -> Option<Problem> {
    python(said, root).or_else(|| node(said, root))
}

/// `  File "/a/b.py", line 3, in f`, and behind the frames `ValueError: why`.
fn python(said: &str, root: &AbsPath) -> Option<Problem> {
    let mut found = None;
    let mut place = None;
    for line in said.lines() {
        if line.starts_with("Traceback (most recent call last)") {
            place = None;
        } else if let Some((file, rest)) = line.trim_start().strip_prefix("File \"").and_then(|it| it.split_once('"')) {
            let number: String =
                rest.strip_prefix(", line ").unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
            place = own(file, root).zip(number.parse::<u32>().ok()).or(place);
        } else if !line.starts_with([' ', '\t'])
            && !line.is_empty()
            && let Some((path, line_number)) = place.take()
        {
            found = Some(problem(path, (line_number, 1), line, "python"));
        }
    }
    found
}

/// `    at f (file:///a/b.js:3:9)`, and before the frames `TypeError: why`.
fn node(said: &str, root: &AbsPath) -> Option<Problem> {
    let mut message = None;
    for line in said.lines() {
        let Some(frame) = line.trim_start().strip_prefix("at ") else {
            let is_error =
                line.split(':').next().is_some_and(|it| it.split(' ').next().is_some_and(|it| it.ends_with("Error")));
            if is_error && !line.starts_with([' ', '\t']) {
                message = Some(line);
            }
            continue;
        };
        let place = frame.rsplit_once('(').map_or(frame, |(_, place)| place).trim_end_matches(')');
        let mut parts = place.rsplitn(3, ':');
        let (column, number, file) = (parts.next(), parts.next(), parts.next());
        let at = number.and_then(|it| it.parse().ok()).zip(column.and_then(|it| it.parse().ok()));
        let path = file.and_then(|file| own(file.strip_prefix("file://").unwrap_or(file), root));
        if let (Some(path), Some(at), Some(message)) = (path, at, message) {
            return Some(problem(path, at, message, "node"));
        }
    }
    None
}

fn own(file: &str, root: &AbsPath) -> Option<AbsPath> {
    let path = AbsPath::new(file).ok()?;
    let inside = path.relative_to(root)?;
    let is_installed = |part: &str| ["node_modules", "site-packages"].contains(&part);
    (!inside.as_str().split('/').any(is_installed)).then_some(path)
}

fn problem(path: AbsPath, (line, column): (u32, u32), message: &str, source: &str) -> Problem {
    let at = Position { line: line.saturating_sub(1), character: column.saturating_sub(1) };
    let (range, severity) = (Some(Range { start: at, end: at }), Severity::Error);
    Problem { path, range, severity, code: None, message: message.to_owned(), source: Some(source.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::trace;
    use crate::text::AbsPath;

    #[test]
    fn the_innermost_place_in_the_project_is_told() {
        let root = AbsPath::new("/p").unwrap();
        let python = "Traceback (most recent call last):\n  File \"/p/a.py\", line 3, in <module>\n    f()\n  File \
                      \"/p/b.py\", line 7, in f\n    json.loads(x)\n  File \"/usr/lib/json.py\", line 9, in loads\n    \
                      raise X\njson.X: why\n";
        let found = trace(python, &root).unwrap();
        assert_eq!(
            (found.path.as_str(), found.range.unwrap().start.line, &*found.message),
            ("/p/b.py", 6, "json.X: why")
        );
        let node = "/p/a.js:2\n  throw new TypeError('why');\n  ^\n\nTypeError: why\n    at f (/p/node_modules/x.js:1:2)\n    \
                    at g (file:///p/a.js:2:9)\n    at node:internal/main:1:1\n";
        let found = trace(node, &root).unwrap();
        let at = found.range.unwrap().start;
        assert_eq!((found.path.as_str(), at.line, at.character, &*found.message), ("/p/a.js", 1, 8, "TypeError: why"));
        assert!(trace("all is well\n", &root).is_none());
    }
}
