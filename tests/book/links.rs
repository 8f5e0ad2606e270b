//! Links between the pages: a file that is there, and a heading in it.

use std::collections::BTreeMap;

use super::{read, root};

/// Returns the links of a page that lead nowhere.
pub(super) fn complaints(file: &str) -> Vec<String> {
    let text = read(file);
    let mut complaints = Vec::new();
    for link in links(&text) {
        if link.contains("://") || ["mailto:", "vscode:"].iter().any(|scheme| link.starts_with(scheme)) {
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { file.to_owned() } else { joined(file, path) };
        if !root().join(&target).exists() {
            complaints.push(format!("{file}: `{link}` leads to no file"));
        } else if !anchor.is_empty() && !anchors(&read(&target)).contains(&anchor.to_owned()) {
            complaints.push(format!("{file}: `{link}` leads to no heading"));
        } else if file.starts_with("docs/") && !target.starts_with("docs/") {
            complaints.push(format!("{file}: `{link}` leads out of the book, where it is built"));
        }
    }
    complaints
}

/// Returns where the links and pictures outside of code lead.
fn links(text: &str) -> Vec<&str> {
    let mut links = Vec::new();
    for line in prose(text) {
        for (at, piece) in line.split('`').enumerate() {
            // Between backticks stands code; a link's own text may end with some.
            let piece = if at % 2 == 1 { continue } else { piece };
            links.extend(piece.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
        }
    }
    links
}

/// Returns the lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

fn joined(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the anchors of the headings, as code hosts make them.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    headings
        .map(|heading| {
            let kept = heading.to_lowercase().replace(' ', "-");
            let slug: String = kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
            let count = seen.entry(slug.clone()).and_modify(|count| *count += 1).or_insert(0);
            if *count == 0 { slug } else { format!("{slug}-{count}") }
        })
        .collect()
}
