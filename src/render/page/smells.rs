//! What was found in code as a page: where it lies, as a map by folder, and a table that can be sorted and filtered.

use std::collections::BTreeMap;

use super::super::markup::{escaped, put};
use super::treemap::placed;
use super::{closed, opened};
use crate::render::rect::Rect;
use crate::render::{AnalysisAnswer, SmellRow};
use crate::text::counted;

const STYLE: &str = include_str!("smells.css");
const SCRIPT: &str = include_str!("smells.js");
/// More folders than these cannot be told apart in a map: the small ones are one tile.
const MOST_FOLDERS: usize = 60;
const WHOLE: Rect = Rect { x: 0.0, y: 0.0, width: 100.0, height: 100.0 };
/// A map is so much wider than high; tiles are squares as they are seen.
const WIDE: f64 = 2.4;

/// What lies right in one folder.
#[derive(Debug, Default, Clone)]
struct Folder {
    lines: u32,
    files: usize,
    found: usize,
    worst: Option<&'static str>,
}

/// Writes the page: `sizes` are the files that were looked into, with their lines, as `answer` names them.
pub fn smells_page(summary: &str, sizes: &[(String, u32)], answer: &AnalysisAnswer) -> String {
    let mut page = opened(&format!("smells of {}", answer.analysis.path), STYLE);
    put(&mut page, &format!("<header>\n<h1>{}</h1>\n", escaped(summary)));
    for note in &answer.notes {
        put(&mut page, &format!("<p class=\"keys\">{}</p>\n", escaped(note)));
    }
    put(
        &mut page,
        "<p class=\"keys\">A tile is a folder, as large as its code; a click shows what lies in it. <kbd>/</kbd> filter, \
         <kbd>Esc</kbd> show all, a column's head sorts.</p>\n</header>\n",
    );
    map(&mut page, &folders(sizes, &answer.smells));
    table(&mut page, &answer.smells);
    if !answer.left_out.is_empty() {
        put(&mut page, "<section class=\"elsewhere\">\n<h2>Not looked into</h2>\n<ul>\n");
        for row in &answer.left_out {
            put(&mut page, &format!("<li><code>{}</code> {}</li>\n", escaped(&row.path), escaped(&row.reason)));
        }
        put(&mut page, "</ul>\n</section>\n");
    }
    closed(page, SCRIPT)
}

/// Returns the folders by their paths.
fn folders(sizes: &[(String, u32)], smells: &[SmellRow]) -> BTreeMap<String, Folder> {
    let mut folders: BTreeMap<String, Folder> = BTreeMap::new();
    for (path, lines) in sizes {
        let folder = folders.entry(folder_of(path).to_owned()).or_default();
        folder.lines += lines;
        folder.files += 1;
    }
    for smell in smells {
        let folder = folders.entry(folder_of(file_of(&smell.location)).to_owned()).or_default();
        folder.found += 1;
        // The worst ones stand first.
        folder.worst = folder.worst.or(Some(smell.severity));
    }
    folders
}

fn file_of(location: &str) -> &str {
    location.split(['#', ':']).next().unwrap_or_default()
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

fn map(page: &mut String, folders: &BTreeMap<String, Folder>) {
    let mut tiles: Vec<(&String, &Folder)> = folders.iter().collect();
    tiles.sort_by_key(|(path, folder)| (std::cmp::Reverse(folder.lines), *path));
    let small = tiles.split_off(tiles.len().min(MOST_FOLDERS));
    let weights: Vec<f64> = tiles.iter().map(|(_, folder)| f64::from(folder.lines.max(1))).collect();
    let rects = placed(&weights, Rect { width: WHOLE.width * WIDE, ..WHOLE });
    put(page, "<div class=\"map\" role=\"group\" aria-label=\"folders by their size\">\n");
    for ((path, folder), rect) in tiles.iter().zip(rects) {
        let (files, found) = (counted(folder.files, "file"), counted(folder.found, "finding"));
        let title = format!("{path}: {found} in {files}, {}", counted(folder.lines as usize, "line"));
        put(
            page,
            &format!(
                "<button class=\"tile {}\" data-folder=\"{}\" title=\"{}\" style=\"left:{:.3}%;top:{:.3}%;width:{:.3}%;\
                 height:{:.3}%\"><b>{}</b> {}</button>\n",
                folder.worst.unwrap_or("none"),
                escaped(path),
                escaped(&title),
                rect.x / WIDE,
                rect.y,
                rect.width / WIDE,
                rect.height,
                escaped(path),
                folder.found,
            ),
        );
    }
    put(page, "</div>\n");
    if !small.is_empty() {
        put(page, &format!("<p class=\"keys\">not in the map: {}, the smallest</p>\n", counted(small.len(), "folder")));
    }
}

fn table(page: &mut String, smells: &[SmellRow]) {
    put(
        page,
        "<main>\n<p><label>Filter <input type=\"search\" id=\"filter\" autocomplete=\"off\"></label> \
         <span id=\"count\" role=\"status\"></span></p>\n<table class=\"found\">\n<thead><tr>",
    );
    for head in ["severity", "smell", "place", "details", "refactoring"] {
        put(page, &format!("<th aria-sort=\"none\"><button>{head}</button></th>"));
    }
    put(page, "</tr></thead>\n<tbody>\n");
    for smell in smells {
        let rank = ["high", "medium", "low"].iter().position(|it| *it == smell.severity).unwrap_or(3);
        put(
            page,
            &format!(
                "<tr data-folder=\"{}\"><td data-key=\"{rank}\"><strong class=\"{severity}\">{severity}</strong></td><td>{}</td>\
                 <td><code>{}</code></td><td>{}</td><td><code>{}</code></td></tr>\n",
                escaped(folder_of(file_of(&smell.location))),
                smell.r#type,
                escaped(&smell.location),
                escaped(&smell.details),
                smell.suggested_refactoring,
                severity = smell.severity,
            ),
        );
    }
    put(page, "</tbody>\n</table>\n</main>\n");
}

#[cfg(test)]
mod tests {
    use super::smells_page;
    use crate::render::{AnalysisAnswer, AnalysisHead, LeftOutRow, SmellRow};

    #[test]
    fn folders_are_tiles_and_nothing_of_the_project_is_markup() {
        let head = AnalysisHead {
            path: ".".to_owned(),
            language: "python".to_owned(),
            backend_supported: true,
            files: 3,
            lines: 310,
        };
        let smell = |location: &str, severity| SmellRow {
            r#type: "long-method",
            location: location.to_owned(),
            severity,
            suggested_refactoring: "extract-method",
            details: "\"><script>alert(1)</script>".to_owned(),
        };
        let smells = vec![smell("a/<img onerror=x>.py::f", "high"), smell("a/b.py::g", "low")];
        let left_out = vec![LeftOutRow { path: "<b>.py".to_owned(), reason: "too large".to_owned() }];
        let answer = AnalysisAnswer { analysis: head, smells, left_out, notes: Vec::new() };
        let sizes = [("a/<img onerror=x>.py".to_owned(), 200), ("a/b.py".to_owned(), 100), ("c.py".to_owned(), 10)];
        let page = smells_page("2 smells", &sizes, &answer);
        assert!(
            page.contains(
                "<button class=\"tile high\" data-folder=\"a\" title=\"a: 2 findings in 2 files, 300 lines\""
            )
        );
        assert!(
            page.contains("<button class=\"tile none\" data-folder=\".\" title=\".: 0 findings in 1 file, 10 lines\"")
        );
        assert!(page.contains("<code>a/&lt;img onerror=x&gt;.py::f</code>") && page.contains("&lt;b&gt;.py"));
        assert_eq!(page.matches("<script>").count(), 1, "{page}");
        assert!(!page.contains("<img"));
    }
}
