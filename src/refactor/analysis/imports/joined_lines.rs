//! Import statements of a script that come at once: those of one module are one.

/// Joins statements that take names out of the same module in the same way: `import { a } from "./b";`.
pub(super) fn joined(lines: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let parts = parts(line);
        let same = found.iter_mut().find(|other| {
            let other = self::parts(other);
            parts.is_some_and(|it| other.is_some_and(|other| (it.0, it.2) == (other.0, other.2)))
        });
        match same.zip(parts) {
            Some((other, (_, name, _))) => {
                let end = self::parts(other).map_or(0, |(head, names, _)| head.len() + names.trim_end().len());
                other.insert_str(end, &format!(", {}", name.trim()));
            }
            None => found.push(line.clone()),
        }
    }
    found
}

/// Returns what stands before the names, they with the white space around them, and what stands behind.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let open = line.find('{')? + 1;
    let close = line.find('}')?;
    let (head, tail) = (line.get(..open)?, line.get(close..)?);
    let is_plain = matches!(head.trim_end_matches('{').trim_end(), "import" | "import type")
        && tail[1..].trim_start().starts_with("from ");
    is_plain.then(|| (head, line.get(open..close).unwrap_or_default(), tail))
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn names_of_one_module_come_together() {
        let lines = [
            "import { a } from \"./x.js\";",
            "import b from \"./x.js\";",
            "import type { C } from \"./x.js\";",
            "import { d } from \"./x.js\";",
            "import { e } from \"./y.js\";",
        ];
        let lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        let said = joined(&lines);
        assert_eq!(said[0], "import { a, d } from \"./x.js\";");
        assert_eq!(said[1..], [lines[1].clone(), lines[2].clone(), lines[4].clone()]);
    }
}
