//! Expressions in f-strings: before Python 3.12, what is written in the braces must not hold the quotes around them.

/// Returns an expression as it can stand in the braces of an f-string of every version: strings in it get the other quotes.
/// Nothing where no quotes do.
pub fn in_f_string(expression: &str, delimiter: &str) -> Option<String> {
    if expression.contains(['\\', '\n', '#']) {
        return None;
    }
    let quote = match delimiter {
        "\"" => '"',
        "'" => '\'',
        _ => return (!expression.contains(delimiter) || delimiter.is_empty()).then(|| expression.to_owned()),
    };
    let other = if quote == '"' { '\'' } else { '"' };
    let mut said = String::new();
    let mut rest = expression;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, string) = rest.split_at(at);
        let own = if string.starts_with('"') { '"' } else { '\'' };
        let content = string[1..].split(own).next()?;
        let behind = string[1 + content.len()..].strip_prefix(own)?;
        if content.contains(['"', '\'']) || content.is_empty() && behind.starts_with(own) {
            return None;
        }
        said += &format!("{before}{other}{content}{other}");
        rest = behind;
    }
    Some(said + rest)
}

#[cfg(test)]
mod tests {
    use super::in_f_string;

    #[test]
    fn strings_get_the_quotes_that_do_not_end_the_one_around() {
        assert_eq!(in_f_string(r#"d["a"] + ''"#, "\"").as_deref(), Some("d['a'] + ''"));
        assert_eq!(in_f_string("d['a']", "'").as_deref(), Some(r#"d["a"]"#));
        assert_eq!(in_f_string(r#"d["a"]"#, "\"\"\"").as_deref(), Some(r#"d["a"]"#));
        assert_eq!(in_f_string("a + b", "'").as_deref(), Some("a + b"));
    }

    #[test]
    fn what_no_quotes_fit_is_not_written() {
        for expression in [r#"d["it's"]"#, r#""""a""""#, r#""\n""#, "'#'"] {
            assert_eq!(in_f_string(expression, "\""), None, "{expression}");
        }
    }
}
