//! Splits a command line into words, as a user writes it into an environment variable.
//!
//! `shlex` reads the backslashes of Windows' paths as escapes.

/// Splits at white space; single and double quotes keep it, a backslash in double quotes escapes
/// `"` and `\`. Nothing where a quote is left open.
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' | '"' => quoted(&mut characters, character, word.get_or_insert_default())?,
            space if space.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

fn quoted(characters: &mut std::iter::Peekable<std::str::Chars<'_>>, quote: char, word: &mut String) -> Option<()> {
    loop {
        match characters.next()? {
            end if end == quote => return Some(()),
            '\\' if quote == '"' && characters.peek().is_some_and(|next| "\"\\".contains(*next)) => {
                word.extend(characters.next());
            }
            other => word.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_split_as_a_shell_would() {
        let words = |line| split(line).unwrap();
        assert_eq!(words("node  cli.mjs --stdio "), ["node", "cli.mjs", "--stdio"]);
        assert_eq!(words(r#""/a b/node" 'c "d' e"f"g"#), ["/a b/node", "c \"d", "efg"]);
        assert_eq!(words(r#"C:\node.exe "C:\\a \"b\"" ''"#), [r"C:\node.exe", r#"C:\a "b""#, ""]);
        assert_eq!(split("node 'open"), None);
        assert_eq!(words("  "), [] as [&str; 0]);
    }
}
