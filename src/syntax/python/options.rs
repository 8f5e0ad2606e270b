//! Options of a command line, and the names by which their values reach the program: `add_argument("--dry-run")`,
//! `@click.option("--dry-run", "is_dry")`.

use crate::syntax::Node;
use crate::text::Span;

/// What declares an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionStyle {
    /// `argparse` and `optparse`: the value becomes an attribute, or that of a dictionary.
    Parser,
    /// `click`: the value becomes an argument of the decorated function.
    Decorator,
}

/// The name that an option's value goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A string says it.
    Said(Span),
    /// It is made of a flag, whose string this is.
    Derived { name: String, flag: Span },
}

/// An option with what it is declared by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOption {
    pub style: OptionStyle,
    pub destination: Destination,
    /// The name that its flags alone give it.
    pub derived: Option<String>,
    /// The strings of its names, quotes and all.
    pub names: Vec<Span>,
}

impl CommandOption {
    /// Tells whether its value goes by `name`.
    pub fn reaches(&self, name: &str, text: &str) -> bool {
        match &self.destination {
            // `click.argument("file-path")`: no name of a parameter, and made one.
            Destination::Said(span) => span.of(text).is_some_and(|said| match self.style {
                OptionStyle::Parser => said == name,
                OptionStyle::Decorator => said == name || plain(said, self.style) == name,
            }),
            Destination::Derived { name: own, .. } => own == name,
        }
    }
}

/// Reads the option that a call declares (Python's `argparse` and `optparse` on `dest`, click's documentation on names
/// of parameters).
pub fn command_option(call: Node<'_>, text: &str) -> Option<CommandOption> {
    let called = call.child("function").filter(|_| call.is("call"))?.text(text).rsplit('.').next()?;
    let style = match called {
        "add_argument" | "add_option" => OptionStyle::Parser,
        "option" | "argument" => OptionStyle::Decorator,
        _ => return None,
    };
    let arguments = call.child("arguments").filter(|arguments| arguments.is("argument_list"))?;
    let strings: Vec<Node<'_>> = arguments.named_children().take_while(|one| one.is("string")).collect();
    let contents: Vec<Node<'_>> = strings.iter().filter_map(|string| string.child_of_kind("string_content")).collect();
    let names = strings.iter().map(|string| string.span()).collect();
    let flags: Vec<&str> =
        contents.iter().map(|content| content.text(text)).filter(|one| one.starts_with('-')).collect();
    let flag = flags.iter().find(|flag| flag.starts_with("--")).or(flags.first()).copied();
    let derived = flag.map(|flag| plain(flag, style));
    let at = |wanted: &str| contents.iter().find(|content| content.text(text) == wanted).map(|content| content.span());
    let bare = contents.iter().find(|content| !content.text(text).starts_with('-')).map(|content| content.span());
    let said = dest(arguments, text).or(bare);
    let destination = match (said, flag.and_then(at), &derived) {
        (Some(said), ..) => Destination::Said(said),
        (None, Some(flag), Some(name)) => Destination::Derived { name: name.clone(), flag },
        _ => return None,
    };
    Some(CommandOption { style, destination, derived, names })
}

/// The string of `dest="…"`.
fn dest(arguments: Node<'_>, text: &str) -> Option<Span> {
    let is_dest =
        |one: &Node<'_>| one.is("keyword_argument") && one.child("name").is_some_and(|name| name.text(text) == "dest");
    let value = arguments.named_children().find(is_dest)?.child("value")?;
    value.child_of_kind("string_content").map(Node::span)
}

fn plain(flag: &str, style: OptionStyle) -> String {
    let flag = flag.split(['/', ';']).next().unwrap_or(flag).trim();
    let name = flag.trim_start_matches('-').replace('-', "_");
    if style == OptionStyle::Decorator { name.to_lowercase() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, Tree};

    #[test]
    fn a_destination_is_said_or_made_of_the_long_flag() {
        let of = [
            ("p.add_argument('-n', '--dry-run', '--dry')", "dry_run"),
            ("p.add_argument('-n', dest='dry')", "dry"),
            ("p.add_argument('-n')", "n"),
            ("p.add_argument('path')", "path"),
            ("p.add_option('-f', '--file', dest='name')", "name"),
            ("click.option('--Dry-run/--no-dry', '-n')", "dry_run"),
            ("click.option('--dry-run', 'is_dry')", "is_dry"),
            ("click.argument('src')", "src"),
            ("click.argument('file-path')", "file_path"),
        ];
        for (text, name) in of {
            let tree = Tree::parse(Language::Python, text);
            let call = tree.nodes().iter().find(|node| node.is("call")).expect("a call");
            let option = command_option(call, text).expect("an option");
            assert!(option.reaches(name, text), "{text}: {option:?}");
            assert!(!option.reaches("other", text), "{text}");
        }
    }
}
