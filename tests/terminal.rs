//! What a person sees on a terminal.

use std::process::Command;

use crate::faces::{Project, Ran};

/// A project, one function of which has more parameters than one can keep in mind.
fn shop() -> Project {
    let project = Project::of("python-shop");
    project
        .write("shop/wide.py", "def wide(a, b, c, d, e, f, g, h, i):\n    return a + b + c + d + e + f + g + h + i\n");
    project
}

/// Runs a command on a terminal of so many rows, its pages shown by `tee`, and returns what stood there and in tee's file.
fn on_terminal(rows: usize, pager: &str, words: &[&str]) -> (Ran, Option<String>) {
    let project = shop();
    let file = project.outside().join("pages.txt");
    let typed = project.command(words);
    let mut command = Command::new("python3");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal.py")).arg(rows.to_string());
    command.arg(typed.get_program()).args(typed.get_args()).current_dir(project.root());
    command.envs(typed.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("TERM", "xterm").env("LSPWRIGHT_PAGER", pager.replace("FILE", file.to_str().unwrap()));
    (Ran::of(command.output().unwrap()), std::fs::read_to_string(&file).ok())
}

#[test]
fn what_is_longer_than_the_terminal_is_read_in_pages() {
    let rename = ["rename", "shop/tax.py::tax_rate", "rate_of"];
    let (shown, pages) = on_terminal(20, "tee FILE", &rename);
    let pages = pages.unwrap();
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(pages.starts_with("\u{1b}[1m--- scripts/monthly.py"), "{pages}");
    // What is said behind the diff is read behind it.
    assert!(pages.trim_end().ends_with("nothing is written without --apply"), "{pages}");
    assert!(shown.stdout.replace("\r\n", "\n").ends_with(&pages), "{shown:?}");
}

#[test]
fn what_fits_the_terminal_is_not() {
    let schema = ["schema", "plan"];
    assert!(on_terminal(20, "tee FILE", &schema).1.is_some());
    for (rows, pager) in [(2_000, "tee FILE"), (20, "cat"), (20, "no-such-program FILE")] {
        let (shown, pages) = on_terminal(rows, pager, &schema);
        assert_eq!((shown.code, pages), (Some(0), None), "{pager}");
        assert!(shown.stdout.contains("\"fsMoves\""), "{pager}");
    }
}

#[test]
fn lists_are_tables_with_the_verdict_below() {
    let (shown, _) = on_terminal(2_000, "cat", &["smells", "shop"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let lines: Vec<&str> = shown.stdout.lines().map(str::trim_end).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 100), "{shown:?}");
    let header = lines.iter().position(|line| line.trim_start().starts_with("TYPE ")).expect("a table");
    let column = lines[header].find("LOCATION").unwrap();
    assert!(lines[header + 1][column..].starts_with("shop/"), "{shown:?}");
    assert!(lines.last().unwrap().contains(" smells in "), "{shown:?}");

    let project = shop();
    let piped = project.run(&["smells", "shop"]);
    assert!(piped.stdout.contains("smells["), "{piped:?}");
    let asked = project.run(&["smells", "shop", "--output", "table"]);
    assert!(asked.stdout.contains("TYPE ") && !asked.stdout.contains("smells["), "{asked:?}");
    let refused = project.run(&["rename", "shop/tax.py::tax_rate", "rate_of", "--output", "table"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
}
