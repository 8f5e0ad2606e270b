//! The book in `docs`: what can be made from tables, cases and real output is made, the rest is held to be true.
//!
//! `UPDATE=1 cargo test --test all book` writes the pages that are made; read what changed.

mod catalog;
mod links;
mod picture;
pub(crate) mod runs;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The front page is read by everybody: what is not needed there has a page of its own.
const MOST_OF_README: usize = 9 * 1024;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default().replace("\r\n", "\n")
}

/// Compares a file that is made with what it has to be, or writes it where `UPDATE` says so.
fn made(path: &str, text: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE").is_some() {
        let file = root().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        return Ok(());
    }
    if read(path) == text { Ok(()) } else { Err(format!("{path} is stale: UPDATE=1 cargo test --test all book")) }
}

/// Returns the pages of the book, relative to the root, by name.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    let mut open: Vec<PathBuf> = vec![root().join("docs")];
    while let Some(dir) = open.pop() {
        for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let relative = path.strip_prefix(root()).unwrap();
                pages.push(relative.iter().map(|part| part.to_str().unwrap()).collect::<Vec<_>>().join("/"));
            }
        }
    }
    pages.sort();
    pages
}

fn accept(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn the_catalog_has_a_page_for_each_refactoring() {
    let pages = catalog::pages();
    let mut complaints: Vec<String> = pages.iter().filter_map(|(path, text)| made(path, text).err()).collect();
    let stray = self::pages().into_iter().filter(|page| page.starts_with("docs/catalog/") && !pages.contains_key(page));
    complaints.extend(stray.map(|page| format!("{page}: no refactoring is called so")));
    complaints.extend(catalog::complaints());
    accept(&complaints);
}

#[test]
fn the_summary_lists_every_page() {
    let summary = read("docs/SUMMARY.md");
    let (head, rest) = summary.split_once(catalog::IN_SUMMARY).expect("the summary has the catalog");
    let tail = rest.split_once("\n- ").expect("the catalog is not the last").1;
    let made_again = format!("{head}{}{}\n- {tail}", catalog::IN_SUMMARY, catalog::summary());
    let mut complaints: Vec<String> = made("docs/SUMMARY.md", &made_again).err().into_iter().collect();
    let unlisted = |page: &String| {
        let name = page.strip_prefix("docs/").unwrap();
        name != "SUMMARY.md" && !made_again.contains(&format!("({name})"))
    };
    complaints.extend(pages().into_iter().filter(unlisted).map(|page| format!("{page} is not in docs/SUMMARY.md")));
    accept(&complaints);
}

#[test]
fn the_reference_is_what_the_command_says() {
    let mut text = String::from(
        "# Every command and option\n\nWhat `lspwright --help` and its subcommands print. [Command line](command-line.md) \
         says how they are used.\n",
    );
    for part in read("tests/golden/help.txt").split("$ lspwright").skip(1) {
        let (command, help) = part.split_once('\n').unwrap();
        let words = command.trim_end_matches("--help").trim();
        let heading = if words.is_empty() { "lspwright".to_owned() } else { format!("lspwright {words}") };
        text += &format!("\n## {heading}\n\n```text\n$ lspwright{command}\n{}\n```\n", help.trim_end());
    }
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    accept(&made("docs/command-line-reference.md", &(text.join("\n") + "\n")).err().into_iter().collect::<Vec<_>>());
}

#[test]
fn the_picture_shows_a_real_run() {
    let svg = picture::of(&read("tests/golden/readme.txt"));
    accept(&made("docs/rename.svg", &svg).err().into_iter().collect::<Vec<_>>());
}

#[test]
fn runs_are_what_the_pages_show() {
    let again = |page: String| runs::again(&read(&page)).and_then(|text| made(&page, &text).err());
    accept(&pages().into_iter().filter_map(again).collect::<Vec<_>>());
}

#[test]
fn links_lead_somewhere() {
    let mut files = pages();
    files.extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md"].map(str::to_owned));
    accept(&files.iter().flat_map(|file| links::complaints(file)).collect::<Vec<_>>());
}

#[test]
fn the_front_page_is_short() {
    let length = read("README.md").len();
    assert!(length <= MOST_OF_README, "README.md has {length} bytes, at most are {MOST_OF_README}: move some to docs");
}

#[test]
fn commands_and_options_exist() {
    let help = read("tests/golden/help.txt");
    let mut complaints = Vec::new();
    for file in pages().into_iter().chain(["README.md".to_owned()]) {
        let text = read(&file);
        for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("$ lspwright ")) {
            let line = line.split(" # ").next().unwrap_or(line);
            let options = line.split_whitespace().filter(|word| word.starts_with("--"));
            let unknown = options.filter(|option| {
                let name = option.split('=').next().unwrap_or(option);
                !help.split(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).any(|word| word == name)
            });
            complaints.extend(unknown.map(|option| format!("{file}: `lspwright {line}`: there is no `{option}`")));
        }
    }
    accept(&complaints);
}

#[test]
fn every_tool_is_told() {
    let tools: Value = serde_json::from_str(&read("tests/golden/tools.json")).unwrap();
    let page = read("docs/agents.md");
    let names = tools.as_array().or_else(|| tools["tools"].as_array()).expect("a list of tools");
    let missing =
        names.iter().filter_map(|tool| tool["name"].as_str()).filter(|name| !page.contains(&format!("`{name}`")));
    accept(&missing.map(|name| format!("docs/agents.md does not tell of `{name}`")).collect::<Vec<_>>());
}
